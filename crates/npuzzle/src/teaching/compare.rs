//! Compares algorithms and heuristics on the same boards.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use npuzzle_core::Instance;
use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::options::{Algorithm, HeuristicChoice, Options};
use crate::report::Answer;
use crate::tables::cache::Tables;

/// An algorithm together with its heuristic.
///
/// ```
/// use npuzzle::teaching::AlgorithmConfig;
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice};
/// let heuristics = [HeuristicKind::Misplaced, HeuristicKind::Manhattan].map(HeuristicChoice::One);
/// let all = AlgorithmConfig::all(&[Algorithm::Astar, Algorithm::Bfs], &heuristics);
/// let names: Vec<String> = all.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["astar with misplaced", "astar with manhattan", "bfs"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AlgorithmConfig {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic; [`HeuristicChoice::Auto`] for algorithms without one.
    pub heuristic: HeuristicChoice,
}

impl AlgorithmConfig {
    /// Returns all pairs of an algorithm and a heuristic, in order. An algorithm without a heuristic
    /// appears once.
    pub fn all(algorithms: &[Algorithm], heuristics: &[HeuristicChoice]) -> Vec<AlgorithmConfig> {
        let mut all = Vec::new();
        for &algorithm in algorithms {
            let none = [HeuristicChoice::Auto];
            let heuristics = if algorithm.uses_heuristic() { heuristics } else { &none };
            all.extend(
                heuristics.iter().map(|&heuristic| AlgorithmConfig { algorithm, heuristic }),
            );
        }
        all
    }

    /// Solves a board with this algorithm and heuristic.
    ///
    /// Everything else comes from the options; their weight applies only to weighted A*. `tables`
    /// receives the tables that are built, and `watch` can stop the search. A combination that the
    /// solver refuses is a result, too: see [`RunEnd::Refused`].
    pub fn run(
        self,
        instance: &Instance,
        options: &Options,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> RunResult {
        let weight = options.weight.filter(|_| self.algorithm == Algorithm::Wastar);
        // The counts of A* depend on the run with several threads, and counts are what is compared.
        let is_astar = self.algorithm == Algorithm::Astar;
        let threads = if is_astar { Some(NonZeroUsize::MIN) } else { options.threads };
        let options = Options {
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight,
            threads,
            ..options.clone()
        };
        let report = match options.solve_with(instance, tables, watch) {
            Ok(report) => report,
            Err(error) => return RunResult::refused(error.to_string()),
        };
        let n_moves = report.upper_bound();
        let depth = n_moves.unwrap_or(0);
        RunResult {
            end: match report.answer {
                Answer::Solved(_) => RunEnd::Solved { is_optimal: report.is_optimal() },
                Answer::Unsolvable => RunEnd::Unsolvable,
                Answer::Stopped(limit) => RunEnd::Stopped(limit),
            },
            n_moves,
            h_start: report.h_start,
            branching_factor: branching_factor(report.stats.generated, depth),
            stats: report.stats,
            time: report.time,
        }
    }
}

/// `astar with manhattan`; for an algorithm without a heuristic, only its name.
impl fmt::Display for AlgorithmConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heuristic {
            HeuristicChoice::Auto => self.algorithm.fmt(f),
            heuristic => write!(f, "{} with {heuristic}", self.algorithm),
        }
    }
}

/// How a run ended.
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, RunEnd};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let config = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let result = config.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// assert_eq!(result.end, RunEnd::Solved { is_optimal: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// A solution was found.
    Solved {
        /// Whether it is proved shortest.
        is_optimal: bool,
    },
    /// The board has no solution.
    Unsolvable,
    /// A limit was reached.
    Stopped(Limit),
    /// The solver refused to run, for this reason.
    Refused(String),
}

/// The result of running one algorithm on one board.
///
/// ```
/// use npuzzle::teaching::AlgorithmConfig;
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let config = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let result = config.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// assert_eq!((result.n_moves, result.stats.expanded), (Some(14), 256));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RunResult {
    /// How the run ended.
    pub end: RunEnd,
    /// The length of the solution, if one was found.
    pub n_moves: Option<Cost>,
    /// The estimate of the start, if the algorithm has a heuristic.
    pub h_start: Option<Cost>,
    /// The [`branching_factor`] of the solution's depth.
    pub branching_factor: Option<f64>,
    /// The counts of the search.
    pub stats: Stats,
    /// The time taken.
    pub time: Duration,
}

impl RunResult {
    /// Returns the result of a run that did not take place.
    pub fn refused(reason: String) -> RunResult {
        RunResult {
            end: RunEnd::Refused(reason),
            n_moves: None,
            h_start: None,
            branching_factor: None,
            stats: Stats::default(),
            time: Duration::ZERO,
        }
    }

    /// Returns whether a search ran.
    pub fn is_search(&self) -> bool {
        matches!(self.end, RunEnd::Solved { .. } | RunEnd::Stopped(_))
    }

    /// Returns whether the run ended without reaching a limit.
    pub fn is_complete(&self) -> bool {
        matches!(self.end, RunEnd::Solved { .. } | RunEnd::Unsolvable)
    }
}

/// A summary of the runs of one algorithm on several boards.
///
/// Means cover all boards that were searched; unsolvable boards need no search. A stopped search
/// contributes its counts so far, so the means are lower bounds unless the summary
/// [is complete](RunSummary::is_complete).
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, RunSummary};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let config = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let result = config.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let summary = RunSummary::of(&[result]);
/// assert_eq!((summary.n_optimal, summary.mean_moves), (1, Some(14.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct RunSummary {
    /// The number of boards.
    pub n_boards: usize,
    /// The number of boards solved.
    pub n_solved: usize,
    /// The number of solutions that are proved shortest.
    pub n_optimal: usize,
    /// The number of boards without a solution.
    pub n_unsolvable: usize,
    /// The number of runs that each limit stopped.
    pub stopped: Vec<(Limit, usize)>,
    /// The number of runs refused for each reason.
    pub refused: Vec<(String, usize)>,
    /// The mean length of the solutions.
    pub mean_moves: Option<f64>,
    /// The mean estimate of the start, over the runs that have one.
    pub mean_h: Option<f64>,
    /// The mean effective branching factor of the solved boards.
    pub mean_branching: Option<f64>,
    /// The means and maxima of the search counts.
    pub stats: StatsSummary,
    /// The total time.
    pub time: Duration,
}

/// Means and maxima of [`Stats`] over several searches.
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, RunSummary};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let config = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let result = config.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let stats = RunSummary::of(&[result]).stats;
/// assert_eq!((stats.expanded, stats.generated), (256.0, 449.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct StatsSummary {
    /// Mean of [`Stats::expanded`].
    pub expanded: f64,
    /// Mean of [`Stats::generated`].
    pub generated: f64,
    /// Mean of [`Stats::enqueued`].
    pub enqueued: f64,
    /// Mean of [`Stats::dequeued`].
    pub dequeued: f64,
    /// Maximum of [`Stats::max_open`].
    pub max_open: u64,
    /// Maximum of [`Stats::max_states`].
    pub max_states: u64,
    /// Maximum of [`Stats::peak_bytes`].
    pub peak_bytes: u64,
}

impl RunSummary {
    /// Summarizes the runs of one algorithm.
    pub fn of(results: &[RunResult]) -> RunSummary {
        let mut summary = RunSummary { n_boards: results.len(), ..RunSummary::default() };
        for result in results {
            summary.time += result.time;
            match &result.end {
                RunEnd::Solved { is_optimal } => {
                    summary.n_solved += 1;
                    summary.n_optimal += usize::from(*is_optimal);
                }
                RunEnd::Unsolvable => summary.n_unsolvable += 1,
                RunEnd::Stopped(limit) => count(&mut summary.stopped, *limit),
                RunEnd::Refused(reason) => count(&mut summary.refused, reason.clone()),
            }
        }
        let searched: Vec<&RunResult> =
            results.iter().filter(|result| result.is_search()).collect();
        let mean_of = |of: fn(&Stats) -> u64| {
            mean(searched.iter().map(|result| of(&result.stats) as f64)).unwrap_or(0.0)
        };
        let max_of =
            |of: fn(&Stats) -> u64| searched.iter().map(|t| of(&t.stats)).max().unwrap_or(0);
        summary.stats = StatsSummary {
            expanded: mean_of(|stats| stats.expanded),
            generated: mean_of(|stats| stats.generated),
            enqueued: mean_of(|stats| stats.enqueued),
            dequeued: mean_of(|stats| stats.dequeued),
            max_open: max_of(|stats| stats.max_open),
            max_states: max_of(|stats| stats.max_states),
            peak_bytes: max_of(|stats| stats.peak_bytes),
        };
        summary.mean_moves = mean(searched.iter().filter_map(|t| t.n_moves).map(f64::from));
        summary.mean_h = mean(searched.iter().filter_map(|t| t.h_start).map(f64::from));
        summary.mean_branching = mean(searched.iter().filter_map(|t| t.branching_factor));
        summary
    }

    /// Returns the number of boards searched, over which the means are taken.
    pub fn n_searched(&self) -> usize {
        let n_refused: usize = self.refused.iter().map(|(_, n)| n).sum();
        self.n_boards - self.n_unsolvable - n_refused
    }

    /// Returns whether no search reached a limit, so that the means are exact.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_empty()
    }
}

fn count<T: PartialEq>(counts: &mut Vec<(T, usize)>, item: T) {
    match counts.iter_mut().find(|(known, _)| *known == item) {
        Some((_, n)) => *n += 1,
        None => counts.push((item, 1)),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0u64, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

/// Returns the effective branching factor of a search (Russell and Norvig).
///
/// It is the `b` of a uniform tree of this depth, without duplicates, that has as many nodes as were
/// generated: `generated = b + b² + … + b^depth`. It is `None` at depth 0 and if nothing was
/// generated.
///
/// ```
/// use npuzzle::teaching::branching_factor;
/// assert!((branching_factor(2 + 4 + 8, 3).expect("a depth") - 2.0).abs() < 1e-9);
/// assert_eq!(branching_factor(5, 0), None);
/// ```
pub fn branching_factor(generated: u64, depth: Cost) -> Option<f64> {
    if depth == 0 || generated == 0 {
        return None;
    }
    let n_nodes = |b: f64| (0..depth).fold(0.0, |sum, _| (sum + 1.0) * b);
    // The number of nodes grows with b: it is 0 at b = 0 and at least `generated` at b = generated.
    let (mut low, mut high) = (0.0, generated as f64);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if n_nodes(middle) < generated as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_factor_solves_its_equation() {
        for (generated, depth) in [(1, 1), (6, 6), (50, 5), (10, 20), (1_000_000, 31), (3, 1)] {
            let b = branching_factor(generated, depth).unwrap();
            let sum: f64 = (1..=depth).map(|power| b.powi(power as i32)).sum();
            let error = (sum / generated as f64 - 1.0).abs();
            assert!(error < 1e-9, "{generated} {depth}: {b} {sum}");
        }
        // The example of Russell and Norvig: a solution at depth 5 with 52 generated nodes.
        assert_eq!(format!("{:.2}", branching_factor(52, 5).unwrap()), "1.92");
        assert_eq!(branching_factor(0, 7), None);
    }

    #[test]
    fn summary_includes_stopped_and_refused_runs() {
        let result = |end, expanded| RunResult {
            end,
            stats: Stats { expanded, max_open: expanded, ..Stats::default() },
            ..RunResult::refused(String::new())
        };
        let summary = RunSummary::of(&[
            result(RunEnd::Solved { is_optimal: true }, 10),
            result(RunEnd::Stopped(Limit::Nodes), 30),
            result(RunEnd::Stopped(Limit::Nodes), 20),
            result(RunEnd::Refused("no".to_owned()), 0),
            result(RunEnd::Unsolvable, 0),
        ]);
        assert_eq!((summary.n_boards, summary.n_solved, summary.n_optimal), (5, 1, 1));
        assert_eq!((summary.n_unsolvable, summary.n_searched()), (1, 3));
        assert_eq!(summary.stopped, [(Limit::Nodes, 2)]);
        assert_eq!(summary.refused, [("no".to_owned(), 1)]);
        assert_eq!((summary.stats.expanded, summary.stats.max_open), (20.0, 30));
        assert!(!summary.is_complete());
    }
}
