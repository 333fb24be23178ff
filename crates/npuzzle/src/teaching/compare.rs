//! Algorithms and heuristics side by side: what each of them costs on the same boards.

use std::fmt;
use std::time::Duration;

use npuzzle_core::Instance;
use npuzzle_core::search::{Cost, Limit, Stats, Watch};

use crate::options::{Algorithm, HeuristicChoice, Options};
use crate::report::Answer;
use crate::tables::cache::Tables;

/// An algorithm with a heuristic.
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
    /// The heuristic; `auto` for algorithms that use none.
    pub heuristic: HeuristicChoice,
}

impl AlgorithmConfig {
    /// All pairs, in order; algorithms that use no heuristic once each.
    pub fn all(algorithms: &[Algorithm], heuristics: &[HeuristicChoice]) -> Vec<AlgorithmConfig> {
        let mut all = Vec::new();
        for &algorithm in algorithms {
            let blind = [HeuristicChoice::Auto];
            let heuristics = if algorithm.uses_heuristic() { heuristics } else { &blind };
            all.extend(
                heuristics.iter().map(|&heuristic| AlgorithmConfig { algorithm, heuristic }),
            );
        }
        all
    }

    /// Solves a board within the limits of the options. What cannot be done is told, not dropped.
    pub fn run(
        self,
        instance: &Instance,
        options: &Options,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Trial {
        let weight = options.weight.filter(|_| self.algorithm == Algorithm::Wastar);
        let options = Options {
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight,
            ..options.clone()
        };
        let report = match options.solve_with(instance, tables, watch) {
            Ok(report) => report,
            Err(error) => return Trial::refused(error.to_string()),
        };
        let n_moves = report.upper_bound();
        let depth = n_moves.unwrap_or(0);
        Trial {
            ending: match report.answer {
                Answer::Solved(_) => Ending::Solved { is_optimal: report.is_optimal() },
                Answer::Unsolvable => Ending::Unsolvable,
                Answer::Stopped(limit) => Ending::Stopped(limit),
            },
            n_moves,
            h_start: report.h_start,
            branching_factor: branching_factor(report.stats.generated, depth),
            stats: report.stats,
            time: report.time,
        }
    }
}

/// `astar with manhattan`, or the algorithm alone.
impl fmt::Display for AlgorithmConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heuristic {
            HeuristicChoice::Auto => self.algorithm.fmt(f),
            heuristic => write!(f, "{} with {heuristic}", self.algorithm),
        }
    }
}

/// How a trial ended.
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, Ending};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let contender = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let trial = contender.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// assert_eq!(trial.ending, Ending::Solved { is_optimal: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With a solution.
    Solved {
        /// Whether it is proved shortest.
        is_optimal: bool,
    },
    /// There is none.
    Unsolvable,
    /// A limit was reached.
    Stopped(Limit),
    /// It cannot be done, for this reason.
    Refused(String),
}

/// What one algorithm came to on one board.
///
/// ```
/// use npuzzle::teaching::AlgorithmConfig;
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let contender = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let trial = contender.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// assert_eq!((trial.n_moves, trial.stats.expanded), (Some(14), 256));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// How it ended.
    pub ending: Ending,
    /// The length of the solution, if there is one.
    pub n_moves: Option<Cost>,
    /// The estimate of the start.
    pub h_start: Option<Cost>,
    /// See [`branching_factor`].
    pub branching_factor: Option<f64>,
    /// What was counted.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

impl Trial {
    /// What cannot be done, for this reason.
    pub fn refused(reason: String) -> Trial {
        Trial {
            ending: Ending::Refused(reason),
            n_moves: None,
            h_start: None,
            branching_factor: None,
            stats: Stats::default(),
            time: Duration::ZERO,
        }
    }

    /// Whether there are figures of a search.
    pub fn is_search(&self) -> bool {
        matches!(self.ending, Ending::Solved { .. } | Ending::Stopped(_))
    }

    /// Whether the figures are those of a search that ran to its end.
    pub fn is_complete(&self) -> bool {
        matches!(self.ending, Ending::Solved { .. } | Ending::Unsolvable)
    }
}

/// What one algorithm came to on all boards. Means are over all boards that were searched, not over
/// those without a solution, which takes no search to know: those of searches that were stopped count
/// as far as they got, so that such means are lower bounds.
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, Summary};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let contender = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let trial = contender.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let summary = Summary::of(&[trial]);
/// assert_eq!((summary.n_optimal, summary.mean_moves), (1, Some(14.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// How many boards there were.
    pub n_boards: usize,
    /// How many were solved.
    pub n_solved: usize,
    /// How many of these are proved shortest.
    pub n_optimal: usize,
    /// How many have no solution.
    pub n_unsolvable: usize,
    /// How many reached a limit, by limit.
    pub stopped: Vec<(Limit, usize)>,
    /// Why some could not be done, with their number.
    pub refused: Vec<(String, usize)>,
    /// The mean length of the solutions.
    pub mean_moves: Option<f64>,
    /// The mean estimate of the start, where there is one.
    pub mean_h: Option<f64>,
    /// The mean effective branching factor of the solved boards.
    pub mean_branching: Option<f64>,
    /// The mean of each count; `max_open`, `max_states` and `peak_bytes` are the largest.
    pub counts: Counts,
    /// All the time it took.
    pub time: Duration,
}

/// Means and maxima of what was counted.
///
/// ```
/// use npuzzle::teaching::{AlgorithmConfig, Summary};
/// use npuzzle::{Algorithm, HeuristicKind, HeuristicChoice, Options, Tables};
/// let misplaced = HeuristicChoice::One(HeuristicKind::Misplaced);
/// let contender = AlgorithmConfig { algorithm: Algorithm::Astar, heuristic: misplaced };
/// let puzzle = "8 1 3/4 0 2/7 6 5".parse()?;
/// let trial = contender.run(&puzzle, &Options::default(), &mut Tables::new(), &mut ());
/// let counts = Summary::of(&[trial]).counts;
/// assert_eq!((counts.expanded, counts.generated), (256.0, 449.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Mean of [`Stats::expanded`].
    pub expanded: f64,
    /// Mean of [`Stats::generated`].
    pub generated: f64,
    /// Mean of [`Stats::enqueued`].
    pub enqueued: f64,
    /// Mean of [`Stats::dequeued`].
    pub dequeued: f64,
    /// Largest of [`Stats::max_open`].
    pub max_open: u64,
    /// Largest of [`Stats::max_states`].
    pub max_states: u64,
    /// Largest of [`Stats::peak_bytes`].
    pub peak_bytes: u64,
}

impl Summary {
    /// Sums trials up.
    pub fn of(trials: &[Trial]) -> Summary {
        let mut summary = Summary { n_boards: trials.len(), ..Summary::default() };
        for trial in trials {
            summary.time += trial.time;
            match &trial.ending {
                Ending::Solved { is_optimal } => {
                    summary.n_solved += 1;
                    summary.n_optimal += usize::from(*is_optimal);
                }
                Ending::Unsolvable => summary.n_unsolvable += 1,
                Ending::Stopped(limit) => count(&mut summary.stopped, *limit),
                Ending::Refused(reason) => count(&mut summary.refused, reason.clone()),
            }
        }
        let ran: Vec<&Trial> = trials.iter().filter(|trial| trial.is_search()).collect();
        let mean_of = |of: fn(&Stats) -> u64| {
            mean(ran.iter().map(|trial| of(&trial.stats) as f64)).unwrap_or(0.0)
        };
        let most = |of: fn(&Stats) -> u64| ran.iter().map(|t| of(&t.stats)).max().unwrap_or(0);
        summary.counts = Counts {
            expanded: mean_of(|stats| stats.expanded),
            generated: mean_of(|stats| stats.generated),
            enqueued: mean_of(|stats| stats.enqueued),
            dequeued: mean_of(|stats| stats.dequeued),
            max_open: most(|stats| stats.max_open),
            max_states: most(|stats| stats.max_states),
            peak_bytes: most(|stats| stats.peak_bytes),
        };
        summary.mean_moves = mean(ran.iter().filter_map(|t| t.n_moves).map(f64::from));
        summary.mean_h = mean(ran.iter().filter_map(|t| t.h_start).map(f64::from));
        summary.mean_branching = mean(ran.iter().filter_map(|t| t.branching_factor));
        summary
    }

    /// How many boards were searched: what the means are over.
    pub fn n_searched(&self) -> usize {
        let n_refused: usize = self.refused.iter().map(|(_, n)| n).sum();
        self.n_boards - self.n_unsolvable - n_refused
    }

    /// Whether every search ran to its end, so that means are means and no lower bounds.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_empty()
    }
}

fn count<T: PartialEq>(counts: &mut Vec<(T, usize)>, what: T) {
    match counts.iter_mut().find(|(known, _)| *known == what) {
        Some((_, n)) => *n += 1,
        None => counts.push((what, 1)),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0u64, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

/// The effective branching factor: that of a tree of this depth, uniform and without duplicates, that
/// has as many nodes as were generated, `generated = b + b² + … + b^depth`. `None` at depth 0, and
/// for searches that generate nothing.
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
    // There are no fewer nodes at b = generated, and none at 0; in between they grow.
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
    fn branching_factors_are_the_roots_of_their_equation() {
        for (generated, depth) in [(1, 1), (6, 6), (50, 5), (10, 20), (1_000_000, 31), (3, 1)] {
            let b = branching_factor(generated, depth).unwrap();
            let sum: f64 = (1..=depth).map(|power| b.powi(power as i32)).sum();
            let error = (sum / generated as f64 - 1.0).abs();
            assert!(error < 1e-9, "{generated} {depth}: {b} {sum}");
        }
        // The example of Russell and Norvig: a solution at depth 5 with 52 nodes generated.
        assert_eq!(format!("{:.2}", branching_factor(52, 5).unwrap()), "1.92");
        assert_eq!(branching_factor(0, 7), None);
    }

    #[test]
    fn what_was_stopped_or_refused_stays_in_the_sum() {
        let trial = |ending, expanded| Trial {
            ending,
            stats: Stats { expanded, max_open: expanded, ..Stats::default() },
            ..Trial::refused(String::new())
        };
        let summary = Summary::of(&[
            trial(Ending::Solved { is_optimal: true }, 10),
            trial(Ending::Stopped(Limit::Nodes), 30),
            trial(Ending::Stopped(Limit::Nodes), 20),
            trial(Ending::Refused("no".to_owned()), 0),
            trial(Ending::Unsolvable, 0),
        ]);
        assert_eq!((summary.n_boards, summary.n_solved, summary.n_optimal), (5, 1, 1));
        assert_eq!((summary.n_unsolvable, summary.n_searched()), (1, 3));
        assert_eq!(summary.stopped, [(Limit::Nodes, 2)]);
        assert_eq!(summary.refused, [("no".to_owned(), 1)]);
        assert_eq!((summary.counts.expanded, summary.counts.max_open), (20.0, 30));
        assert!(!summary.is_complete());
    }
}
