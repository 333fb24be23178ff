//! The searches of the textbooks with any heuristic: best-first search on an explicit queue,
//! bidirectional search, and plain IDA*. They come from [`npuzzle_core::search`]; this file chooses their
//! instantiation and interprets their reports.
//!
//! For single slides of boards of up to 16 cells, each search is compiled for each of the usual heuristics,
//! and A* with a consistent heuristic is [`packed_astar`], the fast twin of best-first search. On other boards a
//! step takes so long that choosing the heuristic at run time does not matter.

use npuzzle_core::heuristic::{self, PerRun, Zero};
use npuzzle_core::queue::{BucketQueue, FifoHeap};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Evaluation, Heuristic, Outcome, Problem, SearchReport, Settings,
    SingleGoal, bidirectional, idastar,
};
use npuzzle_core::{
    Arrangement, Board, Instance, Metric, MoveOrder, Packed, RunMove, RunSliding, Slide, Sliding,
};

use crate::engine::heuristic::{ChosenHeuristic, DynHeuristic};
use crate::engine::lower_bound::lower_bound;
use crate::engine::packed_astar::{SlidBoard, hash_distributed_astar, packed_astar};
use crate::engine::result::{EngineError, EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::limits::Clock;
use crate::options::ResolvedHeuristic;

/// One of these searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextbookSearch {
    Forward(ForwardSearch),
    /// A* on several threads.
    HashDistributed {
        n_threads: usize,
    },
    Bidirectional,
}

/// A search from the start to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForwardSearch {
    Ida,
    BestFirst(Evaluation),
    /// Uniform cost from a first-in-first-out queue.
    BreadthFirst,
}

impl From<ForwardSearch> for TextbookSearch {
    fn from(search: ForwardSearch) -> TextbookSearch {
        TextbookSearch::Forward(search)
    }
}

/// A search with its heuristic and metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Textbook {
    pub(crate) search: TextbookSearch,
    pub(crate) heuristic: ResolvedHeuristic,
    pub(crate) metric: Metric,
    pub(crate) order: MoveOrder,
    /// The budget of the search, without the tables of its heuristic.
    pub(crate) budget: Budget,
}

impl Textbook {
    /// Solves an instance.
    pub(crate) fn solve(
        &self,
        context: &mut SolveContext<'_, '_>,
    ) -> Result<EngineResult, EngineError> {
        let SolveContext { instance, options, tables, clock, .. } = context;
        let resources = options.resources();
        let mut heuristic_to = |end: &Board, clock: &mut Clock<'_>| {
            ChosenHeuristic::new(self.heuristic, end, tables, &resources, clock)
        };
        let to_goal = heuristic_to(instance.goal(), clock)?;
        let search = match self.search {
            TextbookSearch::Forward(search) => GuidedSearch::Forward(search, to_goal),
            TextbookSearch::HashDistributed { n_threads } => {
                GuidedSearch::HashDistributed(n_threads, to_goal)
            }
            TextbookSearch::Bidirectional => {
                GuidedSearch::BothEnds(to_goal, heuristic_to(instance.start(), clock)?)
            }
        };
        let is_small = instance.dims().cells() <= Packed::MAX_CELLS;
        let result = match (self.metric, is_small) {
            (Metric::Stm, true) => self.search_packed(instance, search, clock),
            (Metric::Stm, false) => self.search_slides::<Board>(instance, search, clock),
            (Metric::Mtm, true) => self.search_runs::<Packed>(instance, search, clock),
            (Metric::Mtm, false) => self.search_runs::<Board>(instance, search, clock),
        };
        let mut result =
            result.ok_or(InternalError("a board or a heuristic is not what was planned"))?;
        // This bound holds whatever guided the search.
        result.lower_bound = result.lower_bound.max(Some(lower_bound(instance, self.metric)));
        Ok(result)
    }

    /// Single slides of small boards: the usual heuristics have a compiled search each.
    fn search_packed(
        &self,
        instance: &Instance,
        search: GuidedSearch,
        clock: &mut Clock<'_>,
    ) -> Option<EngineResult> {
        use ChosenHeuristic::One;
        use DynHeuristic::{LinearConflict, Manhattan, Misplaced, Walking};
        use GuidedSearch::{BothEnds, Forward};
        let problem = &Sliding::<Packed>::with_order(instance, self.order)?;
        if let Forward(ForwardSearch::BestFirst(evaluation), One(h)) = &search
            && let Some(report) = self.consistent_astar(*evaluation, problem, h, clock)
        {
            return Some(self.interpret(report, h_start(problem, h)));
        }
        if let GuidedSearch::HashDistributed(n_threads, h) = search {
            return self.hash_distributed_astar(n_threads, problem, h, clock);
        }
        Some(match &search {
            Forward(search, One(Misplaced(h))) => self.search_to_goal(*search, problem, h, clock),
            Forward(search, One(Manhattan(h))) => self.search_to_goal(*search, problem, h, clock),
            Forward(search, One(LinearConflict(h))) => {
                self.search_to_goal(*search, problem, h, clock)
            }
            Forward(search, One(Walking(h))) => self.search_to_goal(*search, problem, h, clock),
            BothEnds(One(Manhattan(to_goal)), One(Manhattan(to_start))) => {
                self.search_from_both_ends(problem, to_goal, to_start, clock)
            }
            BothEnds(One(LinearConflict(to_goal)), One(LinearConflict(to_start))) => {
                self.search_from_both_ends(problem, to_goal, to_start, clock)
            }
            _ => return self.search_slides::<Packed>(instance, search, clock),
        })
    }

    /// A* with a heuristic that is known to be consistent; `None` if it is another search or heuristic. With
    /// the heuristic that is 0 everywhere it is uniform-cost search.
    fn consistent_astar(
        &self,
        evaluation: Evaluation,
        problem: &Sliding<Packed>,
        h: &DynHeuristic,
        clock: &mut Clock<'_>,
    ) -> Option<SearchReport<Slide>> {
        use DynHeuristic::{LinearConflict, Manhattan, Misplaced, Walking};
        let budget = self.budget;
        Some(match (evaluation, h) {
            (Evaluation::Uniform, _) | (Evaluation::AStar, DynHeuristic::Zero) => {
                packed_astar(problem, &Zero, budget, clock)
            }
            (Evaluation::AStar, Misplaced(h)) => packed_astar(problem, h, budget, clock),
            (Evaluation::AStar, Manhattan(h)) => packed_astar(problem, h, budget, clock),
            (Evaluation::AStar, LinearConflict(h)) => packed_astar(problem, h, budget, clock),
            (Evaluation::AStar, Walking(h)) => packed_astar(problem, h, budget, clock),
            _ => return None,
        })
    }

    /// A* on several threads; `None` if the heuristic is not one of those that are planned.
    fn hash_distributed_astar(
        &self,
        n_threads: usize,
        problem: &Sliding<Packed>,
        h: ChosenHeuristic,
        clock: &mut Clock<'_>,
    ) -> Option<EngineResult> {
        use ChosenHeuristic::{Max, One};
        use DynHeuristic::{LinearConflict, Manhattan, Misplaced, Walking};
        Some(match h {
            One(DynHeuristic::Zero) => self.search_shards(n_threads, problem, &Zero, clock),
            One(Misplaced(h)) => self.search_shards(n_threads, problem, &h, clock),
            One(Manhattan(h)) => self.search_shards(n_threads, problem, &h, clock),
            One(LinearConflict(h)) => self.search_shards(n_threads, problem, &h, clock),
            One(Walking(h)) => self.search_shards(n_threads, problem, &h, clock),
            Max(heuristic::Max(Walking(a), LinearConflict(b))) => {
                self.search_shards(n_threads, problem, &heuristic::Max(a, b), clock)
            }
            _ => return None,
        })
    }

    fn search_shards<H>(
        &self,
        n_threads: usize,
        problem: &Sliding<Packed>,
        h: &H,
        clock: &mut Clock<'_>,
    ) -> EngineResult
    where
        H: Heuristic<Sliding<SlidBoard>, Memo: Copy + Send> + Heuristic<Sliding<Packed>> + Sync,
    {
        let report = hash_distributed_astar(problem, h, n_threads, self.budget, clock);
        self.interpret(report, h_start(problem, h))
    }

    /// Single slides, with a heuristic that is chosen at run time.
    fn search_slides<A: Arrangement>(
        &self,
        instance: &Instance,
        search: GuidedSearch,
        clock: &mut Clock<'_>,
    ) -> Option<EngineResult> {
        use ChosenHeuristic::{Max, One};
        use GuidedSearch::{BothEnds, Forward};
        let problem = &Sliding::<A>::with_order(instance, self.order)?;
        Some(match &search {
            Forward(search, One(h)) => self.search_to_goal(*search, problem, h, clock),
            Forward(search, Max(h)) => self.search_to_goal(*search, problem, h, clock),
            BothEnds(One(to_goal), One(to_start)) => {
                self.search_from_both_ends(problem, to_goal, to_start, clock)
            }
            BothEnds(Max(to_goal), Max(to_start)) => {
                self.search_from_both_ends(problem, to_goal, to_start, clock)
            }
            BothEnds(..) | GuidedSearch::HashDistributed(..) => return None,
        })
    }

    /// Straight runs, with the counterpart of a heuristic of slides.
    fn search_runs<A: Arrangement>(
        &self,
        instance: &Instance,
        search: GuidedSearch,
        clock: &mut Clock<'_>,
    ) -> Option<EngineResult> {
        use ChosenHeuristic::{Max, One};
        use GuidedSearch::{BothEnds, Forward};
        let (problem, dims) =
            (&RunSliding::<A>::with_order(instance, self.order)?, instance.dims());
        Some(match search {
            Forward(search, One(h)) => {
                self.search_to_goal(search, problem, &PerRun::new(dims, h), clock)
            }
            Forward(search, Max(h)) => {
                self.search_to_goal(search, problem, &PerRun::new(dims, h), clock)
            }
            BothEnds(One(to_goal), One(to_start)) => {
                let ends = (PerRun::new(dims, to_goal), PerRun::new(dims, to_start));
                self.search_from_both_ends(problem, &ends.0, &ends.1, clock)
            }
            BothEnds(Max(to_goal), Max(to_start)) => {
                let ends = (PerRun::new(dims, to_goal), PerRun::new(dims, to_start));
                self.search_from_both_ends(problem, &ends.0, &ends.1, clock)
            }
            BothEnds(..) | GuidedSearch::HashDistributed(..) => return None,
        })
    }

    fn search_from_both_ends<P: SingleGoal<Action: StraightMove>, H: Heuristic<P>>(
        &self,
        problem: &P,
        to_goal: &H,
        to_start: &H,
        clock: &mut Clock<'_>,
    ) -> EngineResult {
        let report = bidirectional(problem, to_goal, to_start, self.budget, clock);
        self.interpret(report, h_start(problem, to_goal))
    }

    fn search_to_goal<P: Problem<Action: StraightMove>, H: Heuristic<P>>(
        &self,
        search: ForwardSearch,
        problem: &P,
        h: &H,
        clock: &mut Clock<'_>,
    ) -> EngineResult {
        let settings = |evaluation| Settings { evaluation, budget: self.budget, ..Settings::ASTAR };
        let report = match search {
            ForwardSearch::BestFirst(evaluation) => {
                BestFirst::<_, _, BucketQueue<_>>::new(problem, h, settings(evaluation))
                    .run(clock, &mut ())
            }
            // It ignores `h`, so that it is compiled once.
            ForwardSearch::BreadthFirst => {
                let settings = settings(Evaluation::Uniform);
                BestFirst::<_, _, FifoHeap<_, _>>::new(problem, &Zero, settings).run(clock, &mut ())
            }
            ForwardSearch::Ida => {
                let report = idastar(problem, h, self.budget, clock);
                close_last_round(&report, clock);
                report
            }
        };
        self.interpret(report, h_start(problem, h))
    }

    /// The meaning of a report of this search.
    fn interpret<M: StraightMove>(&self, report: SearchReport<M>, h_start: Cost) -> EngineResult {
        use Evaluation::{AStar, Greedy, Uniform, Weighted};
        let is_shortest = !matches!(
            self.search,
            TextbookSearch::Forward(ForwardSearch::BestFirst(Weighted(_) | Greedy))
        );
        let lower_bound = match (&report.outcome, self.search) {
            (
                Outcome::Stopped { frontier, .. },
                TextbookSearch::Bidirectional
                | TextbookSearch::HashDistributed { .. }
                | TextbookSearch::Forward(
                    ForwardSearch::Ida
                    | ForwardSearch::BreadthFirst
                    | ForwardSearch::BestFirst(AStar | Uniform),
                ),
            ) => Some(*frontier),
            // A solution is at most `weight` times as long as the shortest one.
            (
                Outcome::Solved(path),
                TextbookSearch::Forward(ForwardSearch::BestFirst(Weighted(weight))),
            ) => Some(weight.lower_bound(path.len() as Cost)),
            _ => None,
        };
        let slides = |path: Vec<M>| path.into_iter().flat_map(StraightMove::slides).collect();
        EngineResult {
            is_shortest,
            lower_bound,
            h_start: Some(h_start),
            outcome: match report.outcome {
                Outcome::Solved(path) => Outcome::Solved(slides(path)),
                Outcome::Unsolvable => Outcome::Unsolvable,
                Outcome::Stopped { limit, frontier } => Outcome::Stopped { limit, frontier },
            },
            best: report.best.map(slides),
            stats: report.stats,
            ..EngineResult::unsolvable()
        }
    }
}

/// A search with its heuristics: to the goal and, for bidirectional search, to the start.
enum GuidedSearch {
    Forward(ForwardSearch, ChosenHeuristic),
    HashDistributed(usize, ChosenHeuristic),
    BothEnds(ChosenHeuristic, ChosenHeuristic),
}

/// Records the round in which iterative deepening ended.
fn close_last_round<M>(report: &SearchReport<M>, clock: &mut Clock<'_>) {
    let bound = match &report.outcome {
        Outcome::Solved(path) => path.len() as Cost,
        Outcome::Stopped { frontier, .. } => *frontier,
        Outcome::Unsolvable => 0,
    };
    clock.close_round(bound, &report.stats);
}

/// The heuristic value of the start.
pub(crate) fn h_start<P: Problem, H: Heuristic<P>>(problem: &P, heuristic: &H) -> Cost {
    heuristic.value(&heuristic.eval(&problem.start()))
}

/// A move of cost 1: one or more slides in one direction.
pub(crate) trait StraightMove: Copy + Eq {
    fn slides(self) -> std::iter::RepeatN<Slide>;
}

impl StraightMove for Slide {
    fn slides(self) -> std::iter::RepeatN<Slide> {
        std::iter::repeat_n(self, 1)
    }
}

impl StraightMove for RunMove {
    fn slides(self) -> std::iter::RepeatN<Slide> {
        std::iter::repeat_n(self.slide(), self.n_slides())
    }
}
