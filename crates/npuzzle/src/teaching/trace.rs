//! A search step by step: what leaves the queue, what enters it, what is refused; and the states that
//! iterative deepening comes to.
//!
//! A trace is a list of nodes and a list of steps that name them by their numbers. The queue itself
//! is not kept, it would be as long again for every step; a [`Replay`] goes through the steps and
//! has it before and after each.

mod deepening;
mod log_match;
mod replay;
mod step;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Event, Heuristic, Limit, OpenNode, Settings,
    Stats, Step, Watch, Weight,
};
use npuzzle_core::{Board, Instance, Slide, Sliding};

use crate::options::{Algorithm, NameError, Options, names};
use crate::plan::PlanError;
use crate::tables::cache::Tables;
use crate::teaching::named_heuristic::NamedHeuristic;

use replay::Mirror;

pub use deepening::TraceRound;
pub use log_match::{Explained, LogStep, MismatchReason, Unexplained, parse_log};
pub use replay::{Replay, ReplayState, Replayer};
pub use step::{NodeOutcome, TraceEnd, TraceNode, TraceStep};

/// Which of two nodes with the same key leaves first.
///
/// ```
/// use npuzzle::teaching::{TieBreak, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// assert_eq!("fifo".parse(), Ok(TieBreak::Fifo));
/// let tracer = Tracer { tie_break: TieBreak::Heap, ..Tracer::new(Algorithm::Astar) };
/// let trace = tracer.trace(&"1 2 3/4 5 0/7 8 6".parse()?, &mut Tables::new(), &mut ())?;
/// assert_eq!(trace.tie_break, TieBreak::Heap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TieBreak {
    /// The one that came first.
    Fifo,
    /// The one that came last.
    Lifo,
    /// As the textbook's array heap has it.
    Heap,
}

names!(TieBreak, "a tie-break", Fifo = "fifo", Lifo = "lifo", Heap = "heap");

/// What is traced.
///
/// ```
/// use npuzzle::teaching::Tracer;
/// use npuzzle::{Algorithm, Tables};
/// let instance = "1 2 3/4 0 5/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Astar).trace(&instance, &mut Tables::new(), &mut ())?;
/// assert_eq!(trace.solution().map(|path| path.len()), Some(3)); // boards
/// assert_eq!(trace.steps[0].pushed.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracer {
    /// The algorithm: one that has a queue, or iterative deepening.
    pub algorithm: Algorithm,
    /// The weight of the estimate, for [`Algorithm::Wastar`] alone; 1.5 unless given.
    pub weight: Option<Weight>,
    /// What guides the search; nothing but `h` is shown of it by those that use none.
    pub heuristic: NamedHeuristic,
    /// Which of equals leaves first.
    pub tie_break: TieBreak,
    /// What is done about states that are met again.
    pub duplicates: Duplicates,
    /// How many steps at most.
    pub max_steps: usize,
    /// About how many bytes the trace may take, the search behind it included.
    pub max_bytes: u64,
}

/// Why there is no trace.
///
/// ```
/// use npuzzle::teaching::{TraceError, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let refused = Tracer::new(Algorithm::Beam).trace(&puzzle, &mut Tables::new(), &mut ());
/// assert_eq!(refused, Err(TraceError::NoQueue(Algorithm::Beam)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The algorithm has no queue.
    NoQueue(Algorithm),
    /// Breadth-first search is first in, first out.
    NotBreadthFirst,
    /// Iterative deepening has its path and nothing else: no ties, no closed list.
    NotDeepening,
    /// There is no such heuristic for boards of this size.
    Plan(PlanError),
    /// A limit was reached before there was a heuristic.
    Limit(Limit),
}

impl Tracer {
    /// Steps of a trace unless others are asked for.
    pub const MAX_STEPS: usize = 100;

    /// Bytes of a trace unless others are asked for, as of a search.
    pub const MAX_BYTES: u64 = 2 << 30;

    /// An algorithm with Manhattan distance, as this library runs it.
    pub fn new(algorithm: Algorithm) -> Tracer {
        let is_breadth_first = algorithm == Algorithm::Bfs;
        Tracer {
            algorithm,
            weight: None,
            heuristic: NamedHeuristic::Sound(Default::default()),
            tie_break: if is_breadth_first { TieBreak::Fifo } else { TieBreak::Lifo },
            duplicates: match algorithm {
                Algorithm::Ida => Duplicates::Parent,
                _ => Duplicates::Closed,
            },
            max_steps: Tracer::MAX_STEPS,
            max_bytes: Tracer::MAX_BYTES,
        }
    }

    /// The key by which nodes wait.
    fn evaluation(&self) -> Result<Evaluation, TraceError> {
        let weight = self.weight.unwrap_or(Weight::DEFAULT);
        if self.weight.is_some() && self.algorithm != Algorithm::Wastar {
            return Err(TraceError::Plan(PlanError::Weight(self.algorithm)));
        }
        match self.algorithm {
            Algorithm::Astar => Ok(Evaluation::AStar),
            Algorithm::Wastar => Ok(Evaluation::Weighted(weight)),
            Algorithm::Greedy => Ok(Evaluation::Greedy),
            Algorithm::Uniform | Algorithm::Bfs => Ok(Evaluation::Uniform),
            _ => Err(TraceError::NoQueue(self.algorithm)),
        }
    }

    /// Runs the search and writes down its steps.
    pub fn trace(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Trace, TraceError> {
        if self.algorithm == Algorithm::Bfs && self.tie_break != TieBreak::Fifo {
            return Err(TraceError::NotBreadthFirst);
        }
        if self.algorithm == Algorithm::Ida {
            return self.trace_deepening(instance, tables, watch);
        }
        let evaluation = self.evaluation()?;
        let settings = Settings { evaluation, duplicates: self.duplicates, budget: Budget::NONE };
        let h = self.heuristic_for(instance, tables, watch)?;
        type Open = OpenNode<Slide>;
        Ok(match self.tie_break {
            TieBreak::Fifo => self.run::<_, FifoHeap<Cost, Open>>(instance, &h, settings, watch),
            TieBreak::Lifo => self.run::<_, BucketQueue<Open>>(instance, &h, settings, watch),
            TieBreak::Heap => self.run::<_, ArrayHeap<Cost, Open>>(instance, &h, settings, watch),
        })
    }

    fn heuristic_for(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<impl Heuristic<Sliding<Board>> + use<>, TraceError> {
        self.heuristic.fits(instance.dims()).map_err(TraceError::Plan)?;
        let effort = Options::default().resources();
        let heuristic = self.heuristic.heuristic(instance.goal(), tables, effort, watch);
        heuristic.map_err(TraceError::Limit)
    }

    fn run<H, Q>(
        &self,
        instance: &Instance,
        heuristic: &H,
        settings: Settings,
        watch: &mut dyn Watch,
    ) -> Trace
    where
        H: Heuristic<Sliding<Board>>,
        Q: MinQueue<Cost, OpenNode<Slide>>,
    {
        let Some(problem) = Sliding::<Board>::new(instance) else {
            unreachable!("a board is an arrangement of itself")
        };
        let mut search = BestFirst::<_, _, Q>::new(&problem, heuristic, settings);
        let mut writer = Writer::new(instance.clone(), self.tie_break, self.duplicates);
        let ending = loop {
            if writer.trace.steps.len() == self.max_steps {
                break TraceEnd::Cut;
            }
            if writer.trace.bytes() + search.stats().peak_bytes > self.max_bytes {
                break TraceEnd::Stopped(Limit::Memory);
            }
            if let Some(limit) = watch.poll(search.stats()).break_value() {
                break TraceEnd::Stopped(limit);
            }
            let mut seen = Vec::new();
            let step = search.step(&mut |event: Event<'_, Sliding<Board>>| {
                let (kind, node) = match event {
                    Event::Push(node) => (Kind::Push, node),
                    Event::Pop(node) => (Kind::Pop, node),
                    Event::Duplicate(node) => (Kind::Refuse, node),
                };
                seen.push(Seen {
                    kind,
                    board: node.state.clone(),
                    slide: node.action,
                    parent: node.parent,
                    costs: [node.g, node.h, node.f],
                });
            });
            writer.write(seen, step);
            match step {
                Step::Expanded | Step::Dropped => {}
                Step::Goal => break TraceEnd::Goal,
                Step::Exhausted => break TraceEnd::Exhausted,
                Step::Stopped(limit) => break TraceEnd::Stopped(limit),
            }
        };
        Trace { ending, stats: *search.stats(), ..writer.trace }
    }
}

/// A search, step by step.
///
/// ```
/// use npuzzle::teaching::{TraceEnd, Tracer};
/// use npuzzle::{Algorithm, Tables};
/// let puzzle = "1 2 3/4 5 0/7 8 6".parse()?;
/// let trace = Tracer::new(Algorithm::Bfs).trace(&puzzle, &mut Tables::new(), &mut ())?;
/// assert_eq!(trace.ending, TraceEnd::Goal);
/// assert!(trace.nodes.iter().all(|node| node.g <= 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The puzzle.
    pub instance: Instance,
    /// Which of equals leaves first.
    pub tie_break: TieBreak,
    /// Every node that entered the queue or was refused, in the order of their making; the start is
    /// the first.
    pub nodes: Vec<TraceNode>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// The rounds of iterative deepening; none of searches with a queue.
    pub rounds: Vec<TraceRound>,
    /// How it ended.
    pub ending: TraceEnd,
    /// What was counted up to the end of the trace.
    pub stats: Stats,
}

impl Trace {
    /// About how many bytes it takes.
    fn bytes(&self) -> u64 {
        // Vectors grow by doubling, and every board and list of children has a place of its own.
        let per_node = 2 * size_of::<TraceNode>() + 2 * self.instance.dims().cells() + 32;
        let per_step = 2 * size_of::<TraceStep>() + 64;
        (self.nodes.len() * per_node + self.steps.len() * per_step) as u64
    }

    /// The nodes from the start to the goal, if it was found.
    pub fn solution(&self) -> Option<Vec<usize>> {
        let last = self.steps.last().filter(|step| step.fate == NodeOutcome::Goal)?;
        let mut path = vec![last.popped];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        Some(path)
    }

    /// Goes through the steps with the queue at hand.
    pub fn play(&self) -> Replay<'_> {
        Replay { trace: self, player: self.player() }
    }

    /// The same for those who keep the trace elsewhere, and show it with each step.
    ///
    /// ```
    /// use npuzzle::teaching::Tracer;
    /// use npuzzle::{Algorithm, Tables};
    /// let instance = "1 2 3/4 5 0/7 8 6".parse()?;
    /// let trace = Tracer::new(Algorithm::Astar).trace(&instance, &mut Tables::new(), &mut ())?;
    /// let mut player = trace.player();
    /// assert_eq!(player.step(&trace).map(|played| played.before), Some(vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn player(&self) -> Replayer {
        Replayer::new(self)
    }

    /// A trace without steps yet.
    fn empty(instance: Instance, tie_break: TieBreak) -> Trace {
        Trace {
            instance,
            tie_break,
            nodes: Vec::new(),
            steps: Vec::new(),
            rounds: Vec::new(),
            ending: TraceEnd::Cut,
            stats: Stats::default(),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Push,
    Pop,
    Refuse,
}

/// What an observer has seen.
struct Seen {
    kind: Kind,
    board: Board,
    slide: Option<Slide>,
    /// Among the expanded states.
    parent: Option<u32>,
    costs: [Cost; 3],
}

/// Makes a trace of what is seen.
struct Writer {
    trace: Trace,
    queue: Mirror,
    /// Whether states are remembered, so that one expanded again keeps its number.
    duplicates: Duplicates,
    /// The last node of every expanded state, in the order in which they were expanded first.
    expanded: Vec<usize>,
    /// Where a state stands among those.
    numbers: HashMap<Board, usize>,
}

impl Writer {
    fn new(instance: Instance, tie_break: TieBreak, duplicates: Duplicates) -> Writer {
        let trace = Trace::empty(instance, tie_break);
        let queue = Mirror::new(tie_break);
        Writer { trace, queue, duplicates, expanded: Vec::new(), numbers: HashMap::new() }
    }

    fn write(&mut self, seen: Vec<Seen>, step: Step) {
        let fate = match step {
            Step::Expanded => NodeOutcome::Expanded,
            Step::Dropped => NodeOutcome::Duplicate,
            Step::Goal => NodeOutcome::Goal,
            Step::Exhausted | Step::Stopped(_) => return,
        };
        let mut current = None;
        for event in seen {
            match (event.kind, &mut current) {
                (Kind::Pop, _) => {
                    let Some(popped) = self.queue.pop() else {
                        unreachable!("a node leaves that has entered")
                    };
                    self.begin(popped, fate);
                    let refuses =
                        fate == NodeOutcome::Expanded && self.duplicates != Duplicates::None;
                    let back = self.trace.nodes[popped].parent.filter(|_| refuses);
                    let (pushed, refused) = (Vec::new(), Vec::new());
                    current = Some(TraceStep { popped, fate, pushed, refused, back });
                }
                // The start enters before anything leaves.
                (_, None) => {
                    self.add(event, false);
                }
                (Kind::Push, Some(step)) => step.pushed.push(self.add(event, false)),
                (Kind::Refuse, Some(_)) if fate == NodeOutcome::Duplicate => {}
                (Kind::Refuse, Some(step)) => step.refused.push(self.add(event, true)),
            }
        }
        self.trace.steps.extend(current);
    }

    /// A node has left the queue.
    fn begin(&mut self, popped: usize, fate: NodeOutcome) {
        let number = self.trace.steps.len() + 1;
        let node = &mut self.trace.nodes[popped];
        if fate != NodeOutcome::Duplicate {
            node.expanded = Some(number);
        }
        if fate == NodeOutcome::Expanded {
            let n_expanded = self.expanded.len();
            let known = *self.numbers.entry(node.board.clone()).or_insert(n_expanded);
            match self.expanded.get_mut(known).filter(|_| self.duplicates == Duplicates::Closed) {
                Some(number) => *number = popped,
                None => self.expanded.push(popped),
            }
        }
    }

    /// A node is made; its number.
    fn add(&mut self, event: Seen, is_refused: bool) -> usize {
        let number = self.trace.nodes.len();
        let [g, h, f] = event.costs;
        self.trace.nodes.push(TraceNode {
            parent: event.parent.and_then(|parent| self.expanded.get(parent as usize).copied()),
            board: event.board,
            slide: event.slide,
            g,
            h,
            f,
            expanded: None,
            is_refused,
        });
        if !is_refused {
            self.queue.push(f, number);
        }
        number
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::NoQueue(algorithm) => {
                write!(
                    f,
                    "{algorithm} has no queue to look at: use astar, wastar, greedy, uniform, bfs"
                )?;
                // Which has none either, but rounds that can be shown.
                if *algorithm != Algorithm::Ida { f.write_str(" or ida") } else { Ok(()) }
            }
            TraceError::NotBreadthFirst => {
                f.write_str("breadth-first search takes the one that came first: use uniform")
            }
            TraceError::NotDeepening => f.write_str(
                "ida remembers its path and nothing else: it breaks no ties and has no closed list",
            ),
            TraceError::Plan(error) => error.fmt(f),
            TraceError::Limit(limit) => write!(f, "the limit was reached: {limit}"),
        }
    }
}

impl std::error::Error for TraceError {}
