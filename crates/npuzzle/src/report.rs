//! The result of solving a board.

use std::fmt;
use std::time::Duration;

use npuzzle_core::search::{Cost, Limit, Stats};
use npuzzle_core::{Instance, Metric, Moves};

use crate::all_optimal::OptimalSolutions;
use crate::limits::Round;
use crate::plan::Plan;

/// The result of solving a board: the answer, its proof, and the effort.
///
/// ```
/// let report = npuzzle::solve("8 1 3/4 0 2/7 6 5".parse()?)?;
/// assert_eq!((report.lower_bound, report.upper_bound()), (Some(14), Some(14)));
/// assert!(report.is_optimal() && report.stopped_by().is_none());
/// assert_eq!(report.to_string(), "14 STM / 12 MTM (optimal)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The puzzle.
    pub instance: Instance,
    /// The plan that was executed; `None` if the board is unsolvable, because nothing was searched.
    pub plan: Option<Plan>,
    /// The names of the pattern databases that the search ended with; empty if it used none.
    pub tables: Vec<String>,
    /// Why these tables were used.
    pub tables_reason: Option<String>,
    /// The metric of the bounds.
    pub metric: Metric,
    /// The answer.
    pub answer: Answer,
    /// The best solution known when a limit was reached. It is replayed like an answer, but not proved
    /// shortest.
    pub best: Option<Moves>,
    /// All shortest solutions, if they were requested and one is proved; empty for an unsolvable board.
    pub optimal_solutions: Option<OptimalSolutions>,
    /// A proved lower bound; `None` for an unsolvable board.
    pub lower_bound: Option<Cost>,
    /// The length of the incumbent, if the answer is one: a beam search found the solution before the last
    /// round, and all rounds with smaller bounds proved that none is shorter.
    pub incumbent: Option<Cost>,
    /// The heuristic value of the start.
    pub h_start: Option<Cost>,
    /// The counters of the search.
    pub stats: Stats,
    /// The rounds of iterative deepening, including the last one. After a beam search, those of the proof.
    pub rounds: Vec<Round>,
    /// The total time.
    pub time: Duration,
}

/// The answer.
///
/// ```
/// use npuzzle::Answer;
/// let answer = npuzzle::solve("1 2 3/4 5 6/8 7 0".parse()?)?.answer;
/// assert_eq!(answer, Answer::Unsolvable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A solution. It was replayed from the start to the goal before it was returned.
    Solved(Moves),
    /// No solution exists; [`Instance::solvability`] says why.
    Unsolvable,
    /// A limit was reached first; [`Report::best`] is the best solution known by then.
    Stopped(Limit),
}

impl Report {
    /// The solution, if one is known: the answer, or the best one when a limit was reached.
    ///
    /// ```
    /// let report = npuzzle::solve("1 2 3/4 0 5/7 8 6".parse()?)?;
    /// assert_eq!(report.moves().map(|moves| moves.to_string()).as_deref(), Some("L U"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> Option<&Moves> {
        match &self.answer {
            Answer::Solved(moves) => Some(moves),
            Answer::Unsolvable => None,
            Answer::Stopped(_) => self.best.as_ref(),
        }
    }

    /// The limit that stopped the search, if one did.
    ///
    /// ```
    /// use npuzzle::{Limit, Options};
    /// let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
    /// let report = Options::default().with_nodes(100).solve(&hard)?;
    /// assert_eq!(report.stopped_by(), Some(Limit::Nodes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stopped_by(&self) -> Option<Limit> {
        match self.answer {
            Answer::Stopped(limit) => Some(limit),
            Answer::Solved(_) | Answer::Unsolvable => None,
        }
    }

    /// The length of the known solution in the report's metric, which is an upper bound.
    ///
    /// ```
    /// let report = npuzzle::solve("1 2 3/4 0 5/7 8 6".parse()?)?;
    /// assert_eq!(report.upper_bound(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn upper_bound(&self) -> Option<Cost> {
        self.moves().map(|moves| moves.len(self.metric) as Cost)
    }

    /// Whether the solution is proved shortest.
    ///
    /// ```
    /// use npuzzle::{Algorithm, Options};
    /// let puzzle = "8 6 7/2 5 4/3 0 1".parse()?;
    /// assert!(Options::default().solve(&puzzle)?.is_optimal());
    /// assert!(!Options::default().with_algorithm(Algorithm::Greedy).solve(&puzzle)?.is_optimal());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_optimal(&self) -> bool {
        self.upper_bound().is_some() && self.upper_bound() == self.lower_bound
    }
}

/// One line: the lengths and the proof status of the solution, or why there is none.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count_stopped = self.optimal_solutions.as_ref().and_then(|all| all.stopped);
        let stopped = self.stopped_by().or(count_stopped);
        let Some(moves) = self.moves() else {
            let Some(limit) = stopped else {
                return self.instance.solvability().fmt(f);
            };
            write!(f, "limit of {limit} reached")?;
            return match self.lower_bound {
                Some(bound) => write!(f, ", a solution has at least {bound} moves"),
                None => Ok(()),
            };
        };
        write!(f, "{} STM / {} MTM (", moves.stm(), moves.mtm())?;
        match (self.is_optimal(), self.lower_bound) {
            (true, _) => f.write_str("optimal")?,
            (false, Some(bound)) => write!(f, "a shortest solution has at least {bound}")?,
            (false, None) => f.write_str("not proved shortest")?,
        }
        if let Some(limit) = stopped {
            write!(f, "; limit of {limit} reached")?;
        }
        f.write_str(")")
    }
}
