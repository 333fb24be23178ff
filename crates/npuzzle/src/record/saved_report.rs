//! A complete report as a value that is written and read back.

use std::time::Duration;

use npuzzle_core::search::{Evaluation, Limit, Stats, Weight};
use npuzzle_core::{Board, Goal, Instance, Metric, Moves};
use serde::{Deserialize, Serialize};

use crate::all_optimal::{Count, OptimalSolutions};
use crate::limits::Round;
use crate::options::{Algorithm, HeuristicChoice};
use crate::plan::{Engine, Plan};
use crate::report::{Answer, Report};
use crate::solver::replayed;

/// A complete report, for programs that send reports to other processes or store them. Unlike
/// [`SolveRecord`](super::SolveRecord) it can be read back; its fields are private, and only the same version reads it.
///
/// ```
/// use npuzzle::record::SavedReport;
/// let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
/// let json = serde_json::to_string(&SavedReport::new(&report))?;
/// let restored = serde_json::from_str::<SavedReport>(&json)?.restore().expect("it was a report");
/// assert_eq!(restored.moves(), report.moves());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SavedReport {
    version: String,
    start: Board,
    goal: Board,
    plan: Option<SavedPlan>,
    tables: Vec<String>,
    tables_reason: Option<String>,
    metric: Metric,
    answer: SavedAnswer,
    best: Option<Moves>,
    optimal_solutions: Option<SavedSolutions>,
    lower_bound: Option<u32>,
    incumbent: Option<u32>,
    h_start: Option<u32>,
    stats: [u64; 10],
    /// Bound, expanded and generated states, and the duration.
    rounds: Vec<(u32, u64, u64, Duration)>,
    time: Duration,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
enum SavedAnswer {
    Solved(Moves),
    Unsolvable,
    Stopped(String),
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct SavedPlan {
    algorithm: Algorithm,
    engine: SavedEngine,
    metric: Metric,
    reason: String,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
enum SavedEngine {
    Table,
    PdbIda,
    MtmIda(usize),
    Ida(HeuristicChoice),
    Astar(HeuristicChoice),
    /// The weight in thousandths.
    Weighted(u32, HeuristicChoice),
    Greedy(HeuristicChoice),
    Uniform(HeuristicChoice),
    Constant(HeuristicChoice),
    HashDistributedAstar(HeuristicChoice, usize),
    BreadthFirst,
    Bidirectional(HeuristicChoice),
    Construct,
    Beam(bool),
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct SavedSolutions {
    /// The digits of the count: not every format has integers of this size.
    count: String,
    is_exact: bool,
    listed: Vec<Moves>,
    stopped: Option<String>,
}

impl SavedReport {
    /// Copies a report.
    pub fn new(report: &Report) -> SavedReport {
        SavedReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            start: report.instance.start().clone(),
            goal: report.instance.goal().clone(),
            plan: report.plan.as_ref().map(SavedPlan::new),
            tables: report.tables.clone(),
            tables_reason: report.tables_reason.clone(),
            metric: report.metric,
            answer: match &report.answer {
                Answer::Solved(moves) => SavedAnswer::Solved(moves.clone()),
                Answer::Unsolvable => SavedAnswer::Unsolvable,
                Answer::Stopped(limit) => SavedAnswer::Stopped(limit.to_string()),
            },
            best: report.best.clone(),
            optimal_solutions: report.optimal_solutions.as_ref().map(SavedSolutions::new),
            lower_bound: report.lower_bound,
            incumbent: report.incumbent,
            h_start: report.h_start,
            stats: numbers(&report.stats),
            rounds: report
                .rounds
                .iter()
                .map(|round| (round.bound, round.expanded, round.generated, round.time))
                .collect(),
            time: report.time,
        }
    }

    /// Returns the report. `None` if another version has written it, or if it is damaged: solutions are replayed, as
    /// those of a search are.
    pub fn restore(self) -> Option<Report> {
        if self.version != env!("CARGO_PKG_VERSION") {
            return None;
        }
        let instance = Instance::new(self.start, &Goal::Board(self.goal)).ok()?;
        let replay = |moves: Moves| replayed(&instance, moves.slides().to_vec()).ok();
        let answer = match self.answer {
            SavedAnswer::Solved(moves) => Answer::Solved(replay(moves)?),
            SavedAnswer::Unsolvable if instance.is_solvable() => return None,
            SavedAnswer::Unsolvable => Answer::Unsolvable,
            SavedAnswer::Stopped(limit) => Answer::Stopped(limit_named(&limit)?),
        };
        let best = match self.best {
            Some(moves) => Some(replay(moves)?),
            None => None,
        };
        let optimal_solutions = match self.optimal_solutions {
            Some(saved) => Some(saved.restore(replay)?),
            None => None,
        };
        let plan = match self.plan {
            Some(plan) => Some(plan.restore()?),
            None => None,
        };
        let round = |(bound, expanded, generated, time)| Round { bound, expanded, generated, time };
        Some(Report {
            plan,
            tables: self.tables,
            tables_reason: self.tables_reason,
            metric: self.metric,
            answer,
            best,
            optimal_solutions,
            lower_bound: self.lower_bound,
            incumbent: self.incumbent,
            h_start: self.h_start,
            stats: stats(self.stats),
            rounds: self.rounds.into_iter().map(round).collect(),
            time: self.time,
            instance,
        })
    }
}

impl SavedPlan {
    fn new(plan: &Plan) -> SavedPlan {
        let (algorithm, metric, reason) = (plan.algorithm, plan.metric, plan.reason.clone());
        SavedPlan { algorithm, engine: SavedEngine::new(plan.engine), metric, reason }
    }

    fn restore(self) -> Option<Plan> {
        let SavedPlan { algorithm, engine, metric, reason } = self;
        Some(Plan { algorithm, engine: engine.restore()?, metric, reason })
    }
}

impl SavedEngine {
    fn new(engine: Engine) -> SavedEngine {
        match engine {
            Engine::Table => SavedEngine::Table,
            Engine::PdbIda => SavedEngine::PdbIda,
            Engine::MtmIda { n_classes } => SavedEngine::MtmIda(n_classes),
            Engine::Ida(heuristic) => SavedEngine::Ida(heuristic),
            Engine::BestFirst(Evaluation::AStar, heuristic) => SavedEngine::Astar(heuristic),
            Engine::BestFirst(Evaluation::Weighted(weight), heuristic) => {
                SavedEngine::Weighted(weight.times(1000), heuristic)
            }
            Engine::BestFirst(Evaluation::Greedy, heuristic) => SavedEngine::Greedy(heuristic),
            Engine::BestFirst(Evaluation::Uniform, heuristic) => SavedEngine::Uniform(heuristic),
            Engine::BestFirst(Evaluation::Constant, heuristic) => SavedEngine::Constant(heuristic),
            Engine::HashDistributedAstar { heuristic, n_threads } => {
                SavedEngine::HashDistributedAstar(heuristic, n_threads)
            }
            Engine::BreadthFirst => SavedEngine::BreadthFirst,
            Engine::Bidirectional(heuristic) => SavedEngine::Bidirectional(heuristic),
            Engine::Construct => SavedEngine::Construct,
            Engine::Beam { proof } => SavedEngine::Beam(proof),
        }
    }

    fn restore(self) -> Option<Engine> {
        Some(match self {
            SavedEngine::Table => Engine::Table,
            SavedEngine::PdbIda => Engine::PdbIda,
            SavedEngine::MtmIda(n_classes) => Engine::MtmIda { n_classes },
            SavedEngine::Ida(heuristic) => Engine::Ida(heuristic),
            SavedEngine::Astar(heuristic) => Engine::BestFirst(Evaluation::AStar, heuristic),
            SavedEngine::Weighted(thousandths, heuristic) => {
                let weight = Weight::new(f64::from(thousandths) / 1000.0)?;
                Engine::BestFirst(Evaluation::Weighted(weight), heuristic)
            }
            SavedEngine::Greedy(heuristic) => Engine::BestFirst(Evaluation::Greedy, heuristic),
            SavedEngine::Uniform(heuristic) => Engine::BestFirst(Evaluation::Uniform, heuristic),
            SavedEngine::Constant(heuristic) => Engine::BestFirst(Evaluation::Constant, heuristic),
            SavedEngine::HashDistributedAstar(heuristic, n_threads) => {
                Engine::HashDistributedAstar { heuristic, n_threads }
            }
            SavedEngine::BreadthFirst => Engine::BreadthFirst,
            SavedEngine::Bidirectional(heuristic) => Engine::Bidirectional(heuristic),
            SavedEngine::Construct => Engine::Construct,
            SavedEngine::Beam(proof) => Engine::Beam { proof },
        })
    }
}

impl SavedSolutions {
    fn new(solutions: &OptimalSolutions) -> SavedSolutions {
        let (count, is_exact) = match solutions.count {
            Count::Exactly(n) => (n, true),
            Count::AtLeast(n) => (n, false),
        };
        SavedSolutions {
            count: count.to_string(),
            is_exact,
            listed: solutions.listed.clone(),
            stopped: solutions.stopped.map(|limit| limit.to_string()),
        }
    }

    fn restore(self, replay: impl Fn(Moves) -> Option<Moves>) -> Option<OptimalSolutions> {
        let count = self.count.parse().ok()?;
        let stopped = match self.stopped {
            Some(limit) => Some(limit_named(&limit)?),
            None => None,
        };
        Some(OptimalSolutions {
            count: if self.is_exact { Count::Exactly(count) } else { Count::AtLeast(count) },
            listed: self.listed.into_iter().map(replay).collect::<Option<_>>()?,
            stopped,
        })
    }
}

fn limit_named(name: &str) -> Option<Limit> {
    let limits = [Limit::Nodes, Limit::Memory, Limit::Time, Limit::Interrupted, Limit::Bound];
    limits.into_iter().find(|limit| limit.to_string() == name)
}

fn numbers(stats: &Stats) -> [u64; 10] {
    let Stats {
        expanded,
        generated,
        enqueued,
        dequeued,
        duplicates,
        reopened,
        open,
        max_open,
        max_states,
        peak_bytes,
    } = *stats;
    [
        expanded, generated, enqueued, dequeued, duplicates, reopened, open, max_open, max_states,
        peak_bytes,
    ]
}

fn stats(numbers: [u64; 10]) -> Stats {
    let [
        expanded,
        generated,
        enqueued,
        dequeued,
        duplicates,
        reopened,
        open,
        max_open,
        max_states,
        peak_bytes,
    ] = numbers;
    Stats {
        expanded,
        generated,
        enqueued,
        dequeued,
        duplicates,
        reopened,
        open,
        max_open,
        max_states,
        peak_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    fn saved(report: &Report) -> String {
        serde_json::to_string(&SavedReport::new(report)).unwrap()
    }

    fn restored(json: &str) -> Option<Report> {
        serde_json::from_str::<SavedReport>(json).unwrap().restore()
    }

    #[test]
    fn reports_are_restored_completely() {
        let easy = "8 1 3/4 0 2/7 6 5";
        for (board, options) in [
            (easy, Options::default().with_all(3)),
            ("1 2 3/4 5 6/8 7 0", Options::default().with_all(3)),
            ("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", Options::default().with_nodes(100)),
            ("7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4", Options::default().with_metric(Metric::Mtm)),
        ]
        .into_iter()
        .chain(Algorithm::ALL.map(|a| (easy, Options::default().with_algorithm(a))))
        {
            let report = options.solve(&board.parse().unwrap()).unwrap();
            let again = restored(&saved(&report)).unwrap();
            // Every type of a report shows all of its fields.
            assert_eq!(format!("{again:?}"), format!("{report:?}"), "{options:?}");
        }
    }

    #[test]
    fn damaged_reports_are_not_restored() {
        let report = crate::solve("1 2 3/4 0 5/7 8 6".parse().unwrap()).unwrap();
        let json = saved(&report);
        assert!(restored(&json).is_some());
        for (from, to) in
            [("\"L U\"", "\"L D\""), ("\"L U\"", "\"U U U\""), (env!("CARGO_PKG_VERSION"), "0.0.0")]
        {
            assert!(json.contains(from));
            assert!(restored(&json.replacen(from, to, 1)).is_none(), "{to}");
        }
    }
}
