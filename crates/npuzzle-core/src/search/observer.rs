//! Observers, which receive the events of a best-first search.

use super::{Cost, Problem};

/// A node of a best-first search, as it is shown to observers.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Event, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let mut costs = Vec::new();
/// let mut observer = |event: Event<'_, Sliding<Packed>>| {
///     if let Event::Pop(node) = event {
///         costs.push((node.g, node.h, node.f));
///     }
/// };
/// BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR).run(&mut (), &mut observer);
/// assert_eq!(costs, [(0, 1, 1), (1, 0, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ObservedNode<'a, P: Problem> {
    /// The state.
    pub state: &'a P::State,
    /// The action that led here from the parent; `None` for the start.
    pub action: Option<P::Action>,
    /// The index of the parent among the expanded states, in the order of their first expansion;
    /// `None` for the start.
    pub parent: Option<u32>,
    /// The cost of the path.
    pub g: Cost,
    /// The estimate.
    pub h: Cost,
    /// The key in the open list.
    pub f: Cost,
}

/// An event of a best-first search.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Event, Settings};
/// use npuzzle_core::{Instance, Packed, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Packed>::new(&puzzle).expect("nine cells fit");
/// let h = Manhattan::new(puzzle.goal());
/// let (mut n_pushed, mut n_popped) = (0, 0);
/// let mut observer = |event: Event<'_, Sliding<Packed>>| match event {
///     Event::Push(_) => n_pushed += 1,
///     Event::Pop(_) => n_popped += 1,
///     Event::Duplicate(_) => {}
/// };
/// BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR).run(&mut (), &mut observer);
/// assert_eq!((n_pushed, n_popped), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Event<'a, P: Problem> {
    /// A node enters the open list.
    Push(ObservedNode<'a, P>),
    /// A node leaves the open list.
    Pop(ObservedNode<'a, P>),
    /// A node is discarded because its state has been expanded before and is not reopened: a child
    /// is not put into the open list, or a node that has left it is not expanded.
    Duplicate(ObservedNode<'a, P>),
}

/// Receives the events of a best-first search.
///
/// `()` ignores them at no cost. Every `FnMut(Event<P>)` is an observer.
///
/// ```
/// use npuzzle_core::queue::BucketQueue;
/// use npuzzle_core::search::{BestFirst, Event, Settings};
/// use npuzzle_core::{Board, Instance, Sliding, heuristic::Manhattan};
/// let puzzle: Instance = "1 2 3/4 5 0/7 8 6".parse()?;
/// let problem = Sliding::<Board>::new(&puzzle).expect("a board is an arrangement");
/// let h = Manhattan::new(puzzle.goal());
/// let mut popped = Vec::new();
/// let mut observer = |event: Event<'_, Sliding<Board>>| {
///     if let Event::Pop(node) = event {
///         popped.push(node.f);
///     }
/// };
/// BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR).run(&mut (), &mut observer);
/// assert_eq!(popped, [1, 1]);
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
pub trait Observer<P: Problem> {
    /// Whether all events are ignored, so that the search need not construct them.
    const IGNORES_EVENTS: bool = false;

    /// Called for every event, in order.
    fn observe(&mut self, event: Event<'_, P>);
}

impl<P: Problem> Observer<P> for () {
    const IGNORES_EVENTS: bool = true;

    #[inline]
    fn observe(&mut self, _: Event<'_, P>) {}
}

impl<P: Problem, F: FnMut(Event<'_, P>)> Observer<P> for F {
    fn observe(&mut self, event: Event<'_, P>) {
        self(event);
    }
}
