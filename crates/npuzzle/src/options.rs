//! The options of a solver: algorithm, heuristic, metric, limits.

mod builder;
#[cfg(feature = "serde")]
mod serde_names;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use npuzzle_core::search::{Budget, Cost, Weight};
use npuzzle_core::{Metric, MoveOrder, NameError, named_enum};

/// How to solve a board. The defaults choose the best engine for each size.
///
/// ```
/// use npuzzle::{Algorithm, Metric, Options};
/// let options = Options { metric: Metric::Mtm, algorithm: Algorithm::Astar, ..Options::default() };
/// assert_eq!(options.solve(&"2 3 0/1 5 6/4 7 8".parse()?)?.upper_bound(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The algorithm; by default the plan's choice.
    pub algorithm: Algorithm,
    /// The heuristic; by default the plan's choice.
    pub heuristic: HeuristicChoice,
    /// The metric in which solutions are short.
    pub metric: Metric,
    /// The order in which the textbook searches generate children; by default that of [`MoveOrder`]. Full
    /// tables, pattern databases and the anytime engines have none.
    pub order: Option<MoveOrder>,
    /// The weight of the heuristic; only for [`Algorithm::Wastar`], 1.5 by default.
    pub weight: Option<Weight>,
    /// Counts all shortest solutions as well, and lists up to this many of them.
    pub all: Option<usize>,
    /// The time, node and memory limits.
    pub limits: Limits,
    /// How long to search for shorter solutions of a board of more than 16 cells; by default
    /// [`Effort::Normal`].
    pub effort: Option<Effort>,
    /// Whether solutions of boards of more than 16 cells must be proved shortest, too.
    pub optimal: bool,
    /// The pattern databases of iterative deepening; by default the small ones first, and the large
    /// ones when they pay.
    pub tables: TableSize,
    /// The number of threads of a long search; by default the number of cores. Answers and counts do not
    /// depend on it unless time is limited, as it is for boards of more than 16 cells except with
    /// [`Effort::Best`]. There is one exception: [`Algorithm::Astar`] uses one thread by default, and with
    /// several threads its counts, and its choice among shortest solutions, depend on the run.
    pub threads: Option<NonZeroUsize>,
    /// Iterative deepening stops once every solution is known to have at least this many moves.
    pub bound: Option<Cost>,
}

impl Options {
    /// How many shortest solutions front ends list if the user asks for all of them without a number.
    pub const DEFAULT_LISTED: usize = 100;

    /// The limits that a search counts by itself.
    pub(crate) fn budget(&self) -> Budget {
        let Limits { nodes, memory, .. } = self.limits;
        Budget { nodes, bytes: memory, bound: self.bound }
    }

    /// Whether solutions must be proved shortest: all shortest solutions can only be counted after a proof.
    pub(crate) fn wants_proof(&self) -> bool {
        self.optimal || self.all.is_some()
    }
}

/// The limits of a search.
///
/// ```
/// use npuzzle::{Limit, Limits, Options};
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
/// let report = Options { limits, ..Options::default() }.solve(&hard)?;
/// assert_eq!(report.stopped_by(), Some(Limit::Nodes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum time of the search.
    pub time: Option<Duration>,
    /// The maximum number of expanded states.
    pub nodes: Option<u64>,
    /// The maximum memory for states, in bytes.
    pub memory: Option<u64>,
}

impl Limits {
    /// No limits: a hard board may take days and all memory.
    pub const NONE: Limits = Limits { time: None, nodes: None, memory: None };
}

/// A minute and 2 GiB.
impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Some(Duration::from_secs(60)), nodes: None, memory: Some(2 << 30) }
    }
}

named_enum! {
    "an effort"
    /// How long to search for shorter solutions of boards that are too large for a proof. The limits hold as
    /// well.
    ///
    /// ```
    /// use npuzzle::{Effort, Options};
    /// assert_eq!("fast".parse(), Ok(Effort::Fast));
    /// assert_eq!(Options::default().with_effort(Effort::Fast).effort, Some(Effort::Fast));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Effort {
        /// Less than a second.
        Fast = "fast",
        /// About two seconds.
        #[default]
        Normal = "normal",
        /// The whole time limit.
        Best = "best",
    }
}

impl Effort {
    /// The time of the effort, or the time left if that is less.
    pub(crate) fn time(self, left: Option<Duration>) -> Option<Duration> {
        let max_time = match self {
            Effort::Fast => Duration::from_millis(800),
            Effort::Normal => Duration::from_secs(2),
            Effort::Best => return left,
        };
        Some(left.map_or(max_time, |left| left.min(max_time)))
    }
}

named_enum! {
    "a size of tables"
    /// The pattern databases to use.
    ///
    /// ```
    /// use npuzzle::{Options, TableSize};
    /// let options = Options::default().with_tables(TableSize::Small);
    /// let report = options.solve(&"7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?)?;
    /// assert_eq!((report.upper_bound(), report.tables.len()), (Some(43), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum TableSize {
        /// The small ones first, the large ones when they pay off.
        #[default]
        Auto = "auto",
        /// Those that are embedded or built in a fraction of a second; in the multi-tile metric, in a second or
        /// two.
        Small = "small",
        /// Those that are stored on disk, built first if they are missing. Boards of fewer than 13 cells have
        /// none.
        Large = "large",
    }
}

named_enum! {
    "an algorithm"
    /// A search algorithm.
    ///
    /// ```
    /// use npuzzle::Algorithm;
    /// assert_eq!("ida".parse(), Ok(Algorithm::Ida));
    /// assert!(Algorithm::ALL.iter().all(|algorithm| algorithm.name().parse() == Ok(*algorithm)));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[non_exhaustive]
    pub enum Algorithm {
        /// The plan's choice.
        #[default]
        Auto = "auto",
        /// A full table of distances, for boards of up to 12 cells.
        Table = "table",
        /// Iterative-deepening A* (IDA*): shortest solutions in constant memory.
        Ida = "ida",
        /// A*: shortest solutions.
        Astar = "astar",
        /// Weighted A*: solutions at most `weight` times as long as the shortest.
        Wastar = "wastar",
        /// Greedy best-first search: some solution, quickly.
        Greedy = "greedy",
        /// Breadth-first search: shortest solutions without a heuristic.
        Bfs = "bfs",
        /// Uniform-cost search: shortest solutions without a heuristic.
        Uniform = "uniform",
        /// Bidirectional heuristic search: shortest solutions.
        Bidirectional = "bidirectional",
        /// A constructive solution, line by line, for boards of any size, and shorter ones while time lasts.
        Construct = "construct",
        /// Beam search: a short solution quickly, and shorter ones while time lasts; for boards of up to 256
        /// cells.
        Beam = "beam",
    }
    // As textbooks write them. Uniform-cost search is Dijkstra's algorithm to one goal.
    aliases {
        "a*" = Astar,
        "wa*" = Wastar,
        "ida*" = Ida,
        "dijkstra" = Uniform,
        "ucs" = Uniform
    }
}

named_enum! {
    "a heuristic"
    /// A heuristic by name.
    ///
    /// ```
    /// use npuzzle::HeuristicKind;
    /// assert_eq!("hamming".parse(), Ok(HeuristicKind::Misplaced)); // as courses call it
    /// assert!(HeuristicKind::ALL.iter().all(|kind| kind.name().parse() == Ok(*kind)));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum HeuristicKind {
        /// Zero for every board.
        Zero = "zero",
        /// The number of misplaced tiles.
        Misplaced = "misplaced",
        /// Manhattan distance: the sum of the distances of the tiles to their goal cells.
        Manhattan = "manhattan",
        /// Manhattan distance plus two for every tile that must leave its line to let another pass.
        LinearConflict = "linear-conflict",
        /// Inversion distance: the fewest slides that remove all inversions.
        Inversion = "inversion",
        /// Walking distance: for boards of up to 4x4, 3x5 and 2x6.
        Walking = "walking",
        /// Additive pattern databases: for boards of up to 25 cells.
        Pattern = "pattern",
    }
    // Courses call misplaced tiles the Hamming distance.
    aliases { "hamming" = Misplaced }
}

/// The heuristic of a search.
///
/// ```
/// use npuzzle::{HeuristicKind, HeuristicChoice};
/// let larger = HeuristicChoice::Max(HeuristicKind::Walking, HeuristicKind::Inversion);
/// assert_eq!("max(walking,inversion)".parse(), Ok(larger));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HeuristicChoice {
    /// The plan's choice.
    #[default]
    Auto,
    /// A single heuristic.
    One(HeuristicKind),
    /// The maximum of two.
    Max(HeuristicKind, HeuristicKind),
}

impl HeuristicChoice {
    /// The heuristic that the choice names. `None` if it leaves it to the plan.
    pub(crate) fn resolved(self) -> Option<ResolvedHeuristic> {
        match self {
            HeuristicChoice::Auto => None,
            HeuristicChoice::One(kind) => Some(ResolvedHeuristic::One(kind)),
            HeuristicChoice::Max(a, b) => Some(ResolvedHeuristic::Max(a, b)),
        }
    }

    /// Whether the choice names a heuristic.
    pub fn names(self, kind: HeuristicKind) -> bool {
        match self {
            HeuristicChoice::Auto => false,
            HeuristicChoice::One(one) => one == kind,
            HeuristicChoice::Max(a, b) => a == kind || b == kind,
        }
    }
}

/// A [`HeuristicChoice`] that names its heuristics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResolvedHeuristic {
    One(HeuristicKind),
    Max(HeuristicKind, HeuristicKind),
}

/// A name, or `max(a,b)`.
impl fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicChoice::Auto => f.write_str("auto"),
            HeuristicChoice::One(kind) => kind.fmt(f),
            HeuristicChoice::Max(a, b) => write!(f, "max({a},{b})"),
        }
    }
}

impl FromStr for HeuristicChoice {
    type Err = NameError;

    fn from_str(text: &str) -> Result<HeuristicChoice, NameError> {
        if text == "auto" {
            return Ok(HeuristicChoice::Auto);
        }
        let Some(pair) = text.strip_prefix("max(").and_then(|rest| rest.strip_suffix(')')) else {
            let others = |error: NameError| error.with_others(", auto, max(a,b)");
            return text.parse().map(HeuristicChoice::One).map_err(others);
        };
        // Without a comma the second name is empty, and the error message lists the names.
        let (a, b) = pair.split_once(',').unwrap_or((pair, ""));
        Ok(HeuristicChoice::Max(a.trim().parse()?, b.trim().parse()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        for text in ["auto", "zero", "walking", "max(inversion,linear-conflict)"] {
            assert_eq!(text.parse::<HeuristicChoice>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn unknown_name_lists_the_known_ones() {
        let check = |text: &str, expect: &str| {
            assert_eq!(text.parse::<HeuristicChoice>().unwrap_err().to_string(), expect);
        };
        let names = "zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern";
        check(
            "euclid",
            &format!("\"euclid\" is not a heuristic: expected one of {names}, auto, max(a,b)"),
        );
        check("max(zero)", &format!("\"\" is not a heuristic: expected one of {names}"));
    }
}
