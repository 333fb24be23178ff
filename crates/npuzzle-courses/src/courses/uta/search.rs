//! The seven methods, as settings of the core's searches.

use npuzzle::Limits;
use npuzzle::search::Clock;
use npuzzle_core::queue::{BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Cost, DuplicateCheck, Evaluation, Observer, OpenNode, Outcome, SearchReport,
    Settings, Stats, Watch, depth_limited,
};
use npuzzle_core::{Instance, MoveOrder, Slide};

use super::{Puzzle, heuristic, instance, puzzle, read};
use crate::variant::optimum::budget;
use crate::variant::{Arguments, VariantError};

/// The order of the neighbors.
const ORDER: MoveOrder = MoveOrder::UDLR;

/// A method of the assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Bfs,
    Ucs,
    Dfs,
    Dls,
    Ids,
    Greedy,
    AStar,
}

impl Method {
    pub(super) const ALL: [Method; 7] = [
        Method::Bfs,
        Method::Ucs,
        Method::Dfs,
        Method::Dls,
        Method::Ids,
        Method::Greedy,
        Method::AStar,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Bfs => "bfs",
            Method::Ucs => "ucs",
            Method::Dfs => "dfs",
            Method::Dls => "dls",
            Method::Ids => "ids",
            Method::Greedy => "greedy",
            Method::AStar => "a*",
        }
    }

    /// Whether the last node that entered the fringe leaves it first.
    pub(super) fn is_last_in_first_out(self) -> bool {
        matches!(self, Method::Dfs | Method::Dls | Method::Ids)
    }

    /// Whether the method has no closed set.
    pub(super) fn is_tree_search(self) -> bool {
        matches!(self, Method::Dls | Method::Ids)
    }

    fn parse(word: &str) -> Result<Method, VariantError> {
        let named = Method::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(word));
        let names = Method::ALL.map(Method::name).join(", ");
        let unknown = || VariantError::Usage(format!("{word:?} is not a method: expected {names}"));
        named.ok_or_else(unknown)
    }
}

/// The request of the command line.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) instance: Instance,
    pub(super) method: Method,
    pub(super) wants_trace: bool,
    /// The depth limit of dls; 0 for the other methods.
    max_depth: Cost,
}

/// The result of a search. `generated` includes the start of every search.
pub(super) struct Found {
    pub(super) outcome: Outcome<Slide>,
    pub(super) stats: Stats,
}

impl Found {
    fn new(report: SearchReport<Slide>) -> Found {
        let Stats { generated, .. } = report.stats;
        let stats = Stats { generated: generated + 1, ..report.stats };
        Found { outcome: report.outcome, stats }
    }
}

impl Request {
    pub(super) fn read(arguments: &Arguments) -> Result<Request, VariantError> {
        let start = read("start", arguments.required("start")?)?;
        let goal = read("goal", arguments.required("goal")?)?;
        let (method, dump) = (arguments.required("method")?, arguments.required("dump")?);
        // Some students omit the method and give only the flag.
        let (method, wants_trace) = match flag(method) {
            Some(wants_trace) => (Method::AStar, wants_trace),
            None => (Method::parse(method)?, flag(dump).ok_or_else(|| not_a_flag(dump))?),
        };
        let max_depth = match (method, arguments.get("depth-limit")) {
            (Method::Dls, None) => {
                let prompt = "Enter depth limit: ";
                return Err(VariantError::Ask { argument: "depth-limit", prompt });
            }
            (Method::Dls, Some(limit)) => limit.trim().parse().map_err(|_| {
                VariantError::Usage(format!("the depth limit {:?} is not a number", limit.trim()))
            })?,
            (_, Some(_)) => {
                let only = "--depth-limit is for the method dls";
                return Err(VariantError::Usage(only.to_owned()));
            }
            (_, None) => 0,
        };
        Ok(Request { instance: instance(start, goal), method, wants_trace, max_depth })
    }

    /// Runs the method.
    pub(super) fn search(
        &self,
        limits: Limits,
        watch: &mut dyn Watch,
        observer: &mut impl Observer<Puzzle>,
    ) -> Found {
        let mut clock = Clock::start(limits.time, watch);
        let watch = &mut clock;
        match self.method {
            Method::Bfs => self.best_first::<Fifo>(Evaluation::Constant, limits, watch, observer),
            Method::Ucs => self.best_first::<Fifo>(Evaluation::Uniform, limits, watch, observer),
            Method::Greedy => self.best_first::<Fifo>(Evaluation::Greedy, limits, watch, observer),
            Method::AStar => self.best_first::<Fifo>(Evaluation::AStar, limits, watch, observer),
            Method::Dfs => self.best_first::<Lifo>(Evaluation::Constant, limits, watch, observer),
            Method::Dls => Found::new(depth_limited(
                &puzzle(&self.instance).ordered(ORDER),
                self.max_depth,
                budget(limits),
                watch,
                observer,
            )),
            Method::Ids => self.iterative_deepening(limits, watch, observer),
        }
    }

    /// Graph search with a closed set, which is checked when a node leaves the fringe.
    fn best_first<Q: MinQueue<Cost, OpenNode<Slide>>>(
        &self,
        evaluation: Evaluation,
        limits: Limits,
        watch: &mut impl Watch,
        observer: &mut impl Observer<Puzzle>,
    ) -> Found {
        // On a stack, the last child that enters leaves first.
        let order = if self.method.is_last_in_first_out() { ORDER.reversed() } else { ORDER };
        let problem = puzzle(&self.instance).ordered(order);
        let check = DuplicateCheck::OnRemoval;
        let settings = Settings { evaluation, check, budget: budget(limits), ..Settings::ASTAR };
        let heuristic = heuristic(&self.instance);
        let search = BestFirst::<_, _, Q>::new(&problem, &heuristic, settings);
        Found::new(search.run(watch, observer))
    }

    /// Depth-limited searches with the limits 0, 1, 2, and so on. The counters are added up.
    fn iterative_deepening(
        &self,
        limits: Limits,
        watch: &mut impl Watch,
        observer: &mut impl Observer<Puzzle>,
    ) -> Found {
        let mut total = Stats::default();
        if !self.instance.is_solvable() {
            // The search would never end.
            return Found { outcome: Outcome::Unsolvable, stats: total };
        }
        let problem = puzzle(&self.instance).ordered(ORDER);
        for max_depth in 0.. {
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(total.expanded));
            let budget = budget(Limits { nodes, ..limits });
            let report = depth_limited(&problem, max_depth, budget, watch, observer);
            let Found { outcome, stats } = Found::new(report);
            total = Stats {
                expanded: total.expanded + stats.expanded,
                generated: total.generated + stats.generated,
                enqueued: total.enqueued + stats.enqueued,
                dequeued: total.dequeued + stats.dequeued,
                max_open: total.max_open.max(stats.max_open),
                peak_bytes: total.peak_bytes.max(stats.peak_bytes),
                ..total
            };
            if outcome != Outcome::Unsolvable {
                return Found { outcome, stats: total };
            }
        }
        unreachable!("a solvable board has a solution of at most 31 moves")
    }
}

type Fifo = FifoHeap<Cost, OpenNode<Slide>>;
type Lifo = BucketQueue<OpenNode<Slide>>;

/// The value of a dump flag.
fn flag(word: &str) -> Option<bool> {
    match word {
        _ if word.eq_ignore_ascii_case("true") => Some(true),
        _ if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

fn not_a_flag(word: &str) -> VariantError {
    VariantError::Usage(format!("the dump flag is {word:?}: expected true or false"))
}
