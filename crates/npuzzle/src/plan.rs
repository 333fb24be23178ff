//! Which engine solves a board, and why. The only place that knows the list of engines and sizes.

use std::error::Error;
use std::fmt;

use npuzzle_core::heuristic::WalkingDistance;
use npuzzle_core::search::{Evaluation, Weight};
use npuzzle_core::{Board, Instance, Metric};
use npuzzle_tables::PatternSet;

use crate::frame::Frame;
use crate::options::{Algorithm, Estimate, HeuristicChoice, Options};
use crate::table::FullTable;

/// What is going to be done, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The algorithm's name, never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// What runs.
    pub engine: Engine,
    /// Why, in one sentence.
    pub reason: String,
}

/// What runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// A table of all distances, in the given metric.
    Table(Metric),
    /// Iterative deepening.
    Ida(HeuristicChoice),
    /// Best-first search on an explicit queue.
    BestFirst(Evaluation, HeuristicChoice),
}

impl Engine {
    /// The heuristic that guides it; a table needs none.
    pub fn heuristic(&self) -> Option<HeuristicChoice> {
        match self {
            Engine::Table(_) => None,
            Engine::Ida(heuristic) | Engine::BestFirst(_, heuristic) => Some(*heuristic),
        }
    }
}

/// `ida with linear-conflict: 16 cells are …`
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.algorithm.fmt(f)?;
        if let Some(heuristic) = self.engine.heuristic() {
            write!(f, " with {heuristic}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Chooses the engine.
///
/// ```
/// use npuzzle::{plan, Algorithm, Options};
/// let plan = plan(&"8 1 3/4 0 2/7 6 5".parse()?, &Options::default())?;
/// assert_eq!(plan.algorithm, Algorithm::Table);
/// println!("{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(instance: &Instance, options: &Options) -> Result<Plan, PlanError> {
    let cells = instance.dims().cells();
    let fits_table = cells <= FullTable::MAX_CELLS;
    let heuristic = options.heuristic;
    let has_patterns = cells <= PatternSet::MAX_CELLS;
    if heuristic.names(Estimate::Pattern) && !has_patterns && uses_heuristic(options.algorithm) {
        return Err(PlanError::NoPatterns);
    }
    let has_walking = WalkingDistance::fits(instance.dims());
    if heuristic.names(Estimate::Walking) && !has_walking && uses_heuristic(options.algorithm) {
        return Err(PlanError::NoWalking);
    }
    if options.weight.is_some() && options.algorithm != Algorithm::Wastar {
        return Err(PlanError::Weight(options.algorithm));
    }
    if options.metric == Metric::Mtm && !fits_table {
        return Err(PlanError::MtmTooLarge { cells });
    }
    match options.algorithm {
        // A named heuristic asks for a search.
        Algorithm::Auto if fits_table && heuristic == HeuristicChoice::Auto => Ok(Plan {
            algorithm: Algorithm::Table,
            engine: Engine::Table(options.metric),
            reason: format!(
                "all distances of a board of {cells} cells are known within milliseconds"
            ),
        }),
        Algorithm::Table if !fits_table => Err(PlanError::TableTooLarge { cells }),
        Algorithm::Table if heuristic != HeuristicChoice::Auto => {
            Err(PlanError::NoHeuristic { algorithm: Algorithm::Table, heuristic })
        }
        Algorithm::Table => Ok(Plan {
            algorithm: Algorithm::Table,
            engine: Engine::Table(options.metric),
            reason: "as asked".to_owned(),
        }),
        _ if options.metric == Metric::Mtm => Err(PlanError::MtmSearch),
        Algorithm::Auto => Ok(Plan {
            algorithm: Algorithm::Ida,
            engine: Engine::Ida(or_strongest(heuristic, has_patterns)),
            reason: if heuristic != HeuristicChoice::Auto {
                "a heuristic was asked for".to_owned()
            } else if is_embedded(instance.goal()) {
                "pattern databases for this board are part of the program".to_owned()
            } else if has_patterns {
                format!("pattern databases for {cells} cells are built within about a second")
            } else {
                format!("{cells} cells: shortest solutions by iterative deepening, if time allows")
            },
        }),
        asked => search_as_asked(asked, heuristic, options.weight, has_patterns),
    }
}

fn is_embedded(goal: &Board) -> bool {
    let frame = Frame::new(goal);
    frame.is_some_and(|frame| PatternSet::is_embedded(frame.dims(), frame.blank()))
}

fn uses_heuristic(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Table | Algorithm::Bfs | Algorithm::Uniform)
}

fn search_as_asked(
    algorithm: Algorithm,
    heuristic: HeuristicChoice,
    weight: Option<Weight>,
    has_patterns: bool,
) -> Result<Plan, PlanError> {
    let blind = HeuristicChoice::One(Estimate::Zero);
    let evaluation = match algorithm {
        Algorithm::Astar => Evaluation::AStar,
        Algorithm::Wastar => Evaluation::Weighted(weight.unwrap_or(Weight::DEFAULT)),
        Algorithm::Greedy => Evaluation::Greedy,
        Algorithm::Bfs | Algorithm::Uniform => Evaluation::Uniform,
        Algorithm::Auto | Algorithm::Table | Algorithm::Ida => {
            let engine = Engine::Ida(or_strongest(heuristic, has_patterns));
            return Ok(Plan { algorithm, engine, reason: "as asked".to_owned() });
        }
    };
    let heuristic = match evaluation {
        Evaluation::Uniform if heuristic == HeuristicChoice::Auto || heuristic == blind => blind,
        Evaluation::Uniform => return Err(PlanError::NoHeuristic { algorithm, heuristic }),
        // On an explicit queue the patterns are looked up anew for every state, which costs more than
        // they save.
        _ => or_strongest(heuristic, false),
    };
    let engine = Engine::BestFirst(evaluation, heuristic);
    Ok(Plan { algorithm, engine, reason: "as asked".to_owned() })
}

fn or_strongest(heuristic: HeuristicChoice, has_patterns: bool) -> HeuristicChoice {
    match heuristic {
        HeuristicChoice::Auto if has_patterns => HeuristicChoice::One(Estimate::Pattern),
        HeuristicChoice::Auto => HeuristicChoice::One(Estimate::LinearConflict),
        asked => asked,
    }
}

/// Why what was asked for cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// The board is too large for a table of all distances.
    TableTooLarge {
        /// How many cells it has.
        cells: usize,
    },
    /// The multi-tile metric is not there for boards of this size.
    MtmTooLarge {
        /// How many cells it has.
        cells: usize,
    },
    /// The multi-tile metric is not there for a search.
    MtmSearch,
    /// The algorithm does not use a heuristic.
    NoHeuristic {
        /// The algorithm.
        algorithm: Algorithm,
        /// The heuristic that was asked for.
        heuristic: HeuristicChoice,
    },
    /// The algorithm does not use a weight.
    Weight(Algorithm),
    /// There are no pattern databases for this board.
    NoPatterns,
    /// There are no tables of walking distances for this board.
    NoWalking,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = FullTable::MAX_CELLS;
        match self {
            PlanError::TableTooLarge { cells } => {
                write!(
                    f,
                    "a table holds boards of up to {max} cells, this one has {cells}: use ida"
                )
            }
            PlanError::MtmTooLarge { cells } => write!(
                f,
                "shortest in the metric mtm is found for boards of up to {max} cells, this one has \
                 {cells}: use stm, which reports both lengths"
            ),
            PlanError::MtmSearch => f.write_str(
                "the metric mtm is answered from the table alone: leave algorithm and heuristic to \
                 auto, since searches and their heuristics count single slides",
            ),
            PlanError::NoHeuristic { algorithm, heuristic } => {
                write!(f, "{algorithm} uses no heuristic, but {heuristic} was asked for")
            }
            PlanError::NoPatterns => f.write_str(
                "pattern databases are there for boards of up to 16 cells: use linear-conflict",
            ),
            PlanError::NoWalking => f.write_str(
                "walking distances are there for boards of up to 4x4, 3x5 and 2x6: use \
                 linear-conflict",
            ),
            PlanError::Weight(algorithm) => {
                write!(f, "a weight goes with wastar, not with {algorithm}")
            }
        }
    }
}

impl Error for PlanError {}
