//! Whoever looks on while a best-first search runs.

use super::{Cost, Problem};

/// A node as observers see it.
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
pub struct Node<'a, P: Problem> {
    /// The state.
    pub state: &'a P::State,
    /// What led to it from its parent; nothing for the start.
    pub action: Option<P::Action>,
    /// The number of the parent: how many states were expanded before it was for the first time.
    pub parent: Option<u32>,
    /// Cost of the path.
    pub g: Cost,
    /// The estimate.
    pub h: Cost,
    /// The key.
    pub f: Cost,
}

/// Something that happens in a best-first search.
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
///     Event::Refuse(_) => {}
/// };
/// BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, Settings::ASTAR).run(&mut (), &mut observer);
/// assert_eq!((n_pushed, n_popped), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Event<'a, P: Problem> {
    /// A node enters the open list.
    Push(Node<'a, P>),
    /// A node leaves the open list.
    Pop(Node<'a, P>),
    /// A child is not put into the open list, or a node that has left it is not expanded, because
    /// its state has been expanded before.
    Refuse(Node<'a, P>),
}

/// Sees every push and pop of a best-first search. `()` looks away, at no cost; so does any
/// `FnMut(Event<P>)` look on.
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
    /// Whether it sees nothing: the search then need not make what it would show.
    const LOOKS_AWAY: bool = false;

    /// Called in the order in which things happen.
    fn see(&mut self, event: Event<'_, P>);
}

impl<P: Problem> Observer<P> for () {
    const LOOKS_AWAY: bool = true;

    #[inline]
    fn see(&mut self, _: Event<'_, P>) {}
}

impl<P: Problem, F: FnMut(Event<'_, P>)> Observer<P> for F {
    fn see(&mut self, event: Event<'_, P>) {
        self(event);
    }
}
