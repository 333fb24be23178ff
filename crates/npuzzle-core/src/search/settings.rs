//! The settings of a best-first search.

use super::{Budget, Evaluation};

/// How a search treats states that it generates more than once.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Duplicates, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let generated = |duplicates| {
///     let settings = Settings { duplicates, ..Settings::ASTAR };
///     let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
///     search.run(&mut (), &mut ()).stats.enqueued
/// };
/// assert!(generated(Duplicates::Closed) < generated(Duplicates::None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duplicates {
    /// Every child is generated and every node is expanded.
    None,
    /// A state does not generate its own parent.
    Parent,
    /// A state does not generate its own parent, and an expanded state is not expanded again unless
    /// a shorter path to it is found. [`DuplicateCheck`] has the details.
    Closed,
}

/// Where [`Duplicates::Closed`] looks for duplicates. The textbooks differ, and so do their counters.
///
/// ```
/// use npuzzle_core::queue::FifoHeap;
/// use npuzzle_core::search::{BestFirst, DuplicateCheck, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "8 1 3/4 0 2/7 6 5".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let enqueued = |check| {
///     let settings = Settings { check, ..Settings::ASTAR };
///     let search = BestFirst::<_, _, FifoHeap<_, _>>::new(&problem, &h, settings);
///     search.run(&mut (), &mut ()).stats.enqueued
/// };
/// assert!(enqueued(DuplicateCheck::Open) < enqueued(DuplicateCheck::OnRemoval));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DuplicateCheck {
    /// A child is dropped if its state has been expanded, and a node if its state has been expanded since
    /// it entered the open list.
    #[default]
    Closed,
    /// Every child enters the open list, even its parent's parent. A node is dropped on removal if its
    /// state has been expanded.
    OnRemoval,
    /// A child is dropped if its state has been expanded. Nodes are not checked on removal, so a state
    /// can be expanded more than once.
    OnInsertion,
    /// A child is dropped if its state has entered the open list before, at no greater cost. A node is
    /// dropped on removal if its state has been expanded at no greater cost.
    Open,
}

/// The settings of a best-first search.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Evaluation, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let settings = Settings { evaluation: Evaluation::Greedy, ..Settings::ASTAR };
/// let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
/// assert_eq!(search.run(&mut (), &mut ()).stats.expanded, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The key of the open list.
    pub evaluation: Evaluation,
    /// The treatment of duplicate states.
    pub duplicates: Duplicates,
    /// Where a closed list looks for duplicates.
    pub check: DuplicateCheck,
    /// The limits.
    pub budget: Budget,
}

impl Settings {
    /// A* with a closed list and without limits.
    pub const ASTAR: Settings = Settings {
        evaluation: Evaluation::AStar,
        duplicates: Duplicates::Closed,
        check: DuplicateCheck::Closed,
        budget: Budget::NONE,
    };
}
