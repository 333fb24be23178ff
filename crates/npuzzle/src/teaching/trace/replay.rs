//! A trace gone through step by step, with what is remembered before and after each.

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;

use super::{NodeOutcome, TieBreak, Trace, TraceStep};

/// A trace that is gone through, step by step.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let queues: Vec<usize> = trace.play().map(|played| played.after.len()).collect();
/// assert_eq!(queues, [3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Replay<'a> {
    pub(super) trace: &'a Trace,
    pub(super) player: Replayer,
}

impl<'a> Iterator for Replay<'a> {
    type Item = ReplayState<'a>;

    fn next(&mut self) -> Option<ReplayState<'a>> {
        self.player.step(self.trace)
    }
}

/// Where somebody is in a trace: how many steps are done, and the queue after them.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let mut player = trace.player();
/// while let Some(played) = player.step(&trace) {
///     println!("{}: {:?}", played.number, played.after);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replayer {
    queue: Mirror,
    next: usize,
}

/// A step with the queue before and after it.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// let played = trace.play().next().expect("there are steps");
/// assert_eq!((played.number, played.before.as_slice(), played.after.len()), (1, [0].as_slice(), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayState<'a> {
    /// The number of the step, from 1.
    pub number: usize,
    /// The step.
    pub step: &'a TraceStep,
    /// The round of iterative deepening, from 1; none of searches with a queue.
    pub round: Option<usize>,
    /// The nodes that wait, in the order in which they would leave if none came; those of a heap as
    /// they lie in its array. Of iterative deepening, the path from the start to the parent.
    pub before: Vec<usize>,
    /// The same after the step; a node that is expanded is on the path.
    pub after: Vec<usize>,
}

impl Replayer {
    pub(super) fn new(trace: &Trace) -> Replayer {
        let mut queue = Mirror::new(trace.tie_break);
        if let Some(start) = trace.nodes.first() {
            queue.push(start.f, 0);
        }
        Replayer { queue, next: 0 }
    }

    /// The next step of the trace that this was made of.
    pub fn step<'a>(&mut self, trace: &'a Trace) -> Option<ReplayState<'a>> {
        let step = trace.steps.get(self.next)?;
        self.next += 1;
        if !trace.rounds.is_empty() {
            let round = trace.rounds.partition_point(|round| round.first_step <= self.next);
            let before = path_to(trace, trace.nodes[step.popped].parent);
            let end = if step.fate == NodeOutcome::Cut {
                before.last().copied()
            } else {
                Some(step.popped)
            };
            let after = path_to(trace, end);
            return Some(ReplayState {
                number: self.next,
                step,
                round: Some(round),
                before,
                after,
            });
        }
        let before = self.queue.waiting();
        self.queue.pop();
        for &node in &step.pushed {
            self.queue.push(trace.nodes[node].f, node);
        }
        let after = self.queue.waiting();
        Some(ReplayState { number: self.next, step, round: None, before, after })
    }
}

/// The nodes from the start to this one.
fn path_to(trace: &Trace, node: Option<usize>) -> Vec<usize> {
    let parent = |&node: &usize| trace.nodes[node].parent;
    let mut path: Vec<usize> = std::iter::successors(node, parent).collect();
    path.reverse();
    path
}

/// The queue of a search once more, with numbers of nodes in it.
#[derive(Clone, Debug)]
pub(super) enum Mirror {
    /// By key and order of coming.
    Fifo(FifoHeap<Cost, usize>),
    Lifo(BucketQueue<usize>),
    Heap(ArrayHeap<Cost, usize>),
}

impl Mirror {
    pub(super) fn new(tie_break: TieBreak) -> Mirror {
        match tie_break {
            TieBreak::Fifo => Mirror::Fifo(FifoHeap::new()),
            TieBreak::Lifo => Mirror::Lifo(BucketQueue::new()),
            TieBreak::Heap => Mirror::Heap(ArrayHeap::new()),
        }
    }

    pub(super) fn push(&mut self, key: Cost, node: usize) {
        match self {
            Mirror::Fifo(queue) => queue.push(key, node),
            Mirror::Lifo(queue) => queue.push(key, node),
            Mirror::Heap(queue) => queue.push(key, node),
        }
    }

    pub(super) fn pop(&mut self) -> Option<usize> {
        let popped = match self {
            Mirror::Fifo(queue) => queue.pop(),
            Mirror::Lifo(queue) => queue.pop(),
            Mirror::Heap(queue) => queue.pop(),
        };
        popped.map(|(_, node)| node)
    }

    fn waiting(&self) -> Vec<usize> {
        match self {
            Mirror::Heap(queue) => queue.iter().map(|(_, &node)| node).collect(),
            Mirror::Fifo(_) | Mirror::Lifo(_) => {
                let mut queue = self.clone();
                std::iter::from_fn(|| queue.pop()).collect()
            }
        }
    }
}
