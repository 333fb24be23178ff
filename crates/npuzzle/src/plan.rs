//! Which engine solves a board, and why. The only place that knows the list of engines and sizes.

use std::error::Error;
use std::fmt;

use npuzzle_core::heuristic::WalkingDistance;
use npuzzle_core::search::{Budget, Evaluation, Weight};
use npuzzle_core::{Board, Dims, Instance, Metric};
use npuzzle_tables::{Abstraction, BestMoves, PdbSet};

use crate::anytime::beam;
use crate::engine::mtm;
use crate::options::{Algorithm, HeuristicChoice, HeuristicKind, Limits, Options};
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;

/// What is going to be done, and why.
///
/// ```
/// use npuzzle::search::plan;
/// use npuzzle::Options;
/// let plan = plan(&"7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?, &Options::default())?;
/// assert!(plan.to_string().starts_with("ida with pattern: "));
/// assert!(plan.keeps_journal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The algorithm's name, never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// What runs.
    pub engine: Engine,
    /// What it counts.
    pub metric: Metric,
    /// Why, in one sentence.
    pub reason: String,
}

/// What runs.
///
/// ```
/// use npuzzle::search::{Engine, plan};
/// use npuzzle::{Metric, Options};
/// let plan = plan(&"8 1 3/4 0 2/7 6 5".parse()?, &Options::default())?;
/// assert_eq!((plan.engine, plan.engine.heuristic()), (Engine::Table(Metric::Stm), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// A table of all distances, in the given metric.
    Table(Metric),
    /// Iterative deepening.
    Ida(HeuristicChoice),
    /// Iterative deepening over straight runs, with tables of their own.
    Runs {
        /// Into how many classes the tables put the tiles.
        n_classes: usize,
    },
    /// Best-first search on an explicit queue.
    BestFirst(Evaluation, HeuristicChoice),
    /// Search from both ends.
    Bidirectional(HeuristicChoice),
    /// Line by line, then passes under beams.
    Construct,
    /// Beams, wider and wider.
    Beam,
}

impl Engine {
    /// The heuristic that guides it; a table needs none.
    pub fn heuristic(&self) -> Option<HeuristicChoice> {
        match self {
            Engine::Table(_) | Engine::Beam | Engine::Construct => None,
            Engine::Runs { .. } => Some(HeuristicChoice::One(HeuristicKind::Pattern)),
            Engine::Ida(heuristic)
            | Engine::BestFirst(_, heuristic)
            | Engine::Bidirectional(heuristic) => Some(*heuristic),
        }
    }
}

impl Plan {
    /// What the search may use beside the tables of its heuristic.
    pub(crate) fn budget(&self, dims: Dims, limits: &Limits) -> Budget {
        let budget = limits.budget();
        match self.engine.heuristic() {
            Some(heuristic) if heuristic.names(HeuristicKind::Walking) => {
                let walking = walking_memory(dims, self.algorithm);
                Budget { bytes: budget.bytes.map(|bytes| bytes.saturating_sub(walking)), ..budget }
            }
            _ => budget,
        }
    }

    /// Whether what has been done is written down in a journal, if there is one.
    pub fn keeps_journal(&self) -> bool {
        self.engine == Engine::Ida(HeuristicChoice::One(HeuristicKind::Pattern))
            && self.metric == Metric::Stm
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

/// What earlier boards have left for those with the same goal.
///
/// ```
/// use npuzzle::search::{Availability, plan_with};
/// use npuzzle::{Algorithm, Options};
/// let puzzle = "1 2 3 4/5 6 7 8/9 0 10 11".parse()?;
/// let algorithm = |at_hand| plan_with(&puzzle, &Options::default(), at_hand).map(|plan| plan.algorithm);
/// assert_eq!(algorithm(Availability::default()), Ok(Algorithm::Ida));
/// assert_eq!(algorithm(Availability { has_table: true, ..Availability::default() }), Ok(Algorithm::Table));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Availability {
    /// Whether there is a table of all distances, in the metric asked for.
    pub has_table: bool,
    /// How many states searches have generated where a table would have answered.
    pub n_searched: u64,
}

/// Chooses the engine, with nothing at hand.
///
/// ```
/// use npuzzle::search::plan;
/// use npuzzle::{Algorithm, Options};
/// let plan = plan(&"8 1 3/4 0 2/7 6 5".parse()?, &Options::default())?;
/// assert_eq!(plan.algorithm, Algorithm::Table);
/// println!("{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(instance: &Instance, options: &Options) -> Result<Plan, PlanError> {
    plan_with(instance, options, Availability::default())
}

/// Chooses the engine.
///
/// ```
/// use npuzzle::search::{Availability, plan_with};
/// use npuzzle::{Algorithm, Options};
/// let puzzle = "1 2 3 4/5 6 7 8/9 0 10 11".parse()?;
/// let algorithm = |at_hand| plan_with(&puzzle, &Options::default(), at_hand).map(|plan| plan.algorithm);
/// // After so many states it would have been better to build a table.
/// let at_hand = Availability { n_searched: 1_000_000_000, ..Availability::default() };
/// assert_eq!(algorithm(at_hand), Ok(Algorithm::Table));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_with(
    instance: &Instance,
    options: &Options,
    at_hand: Availability,
) -> Result<Plan, PlanError> {
    let cells = instance.dims().cells();
    let fits_table = cells <= FullTable::MAX_CELLS;
    let needed = if at_hand.has_table { 0 } else { table_memory(instance.goal(), options.metric) };
    let has_memory = options.limits.memory.is_none_or(|memory| needed <= memory);
    let heuristic = options.heuristic;
    let has_patterns = cells <= PdbSet::MAX_CELLS;
    if heuristic.names(HeuristicKind::Pattern)
        && !has_patterns
        && options.algorithm.uses_heuristic()
    {
        return Err(PlanError::NoPatterns);
    }
    let has_walking = WalkingDistance::fits(instance.dims());
    if heuristic.names(HeuristicKind::Walking) && !has_walking && options.algorithm.uses_heuristic()
    {
        return Err(PlanError::NoWalking);
    }
    let walking = walking_memory(instance.dims(), options.algorithm);
    let has_walking = has_walking && options.limits.memory.is_none_or(|memory| walking <= memory);
    if heuristic.names(HeuristicKind::Walking) && !has_walking && options.algorithm.uses_heuristic()
    {
        return Err(PlanError::WalkingMemory { needed: walking });
    }
    if options.weight.is_some() && options.algorithm != Algorithm::Wastar {
        return Err(PlanError::Weight(options.algorithm));
    }
    if options.all.is_some() && !proves(options.algorithm) {
        return Err(PlanError::NotAll(options.algorithm));
    }
    if options.optimal && !proves(options.algorithm) {
        return Err(PlanError::NoProof(options.algorithm));
    }
    let metric = options.metric;
    // In straight runs, patterns are tables of their own.
    let has_runs = cells <= Abstraction::MAX_CELLS
        && metric == Metric::Mtm
        && matches!(
            heuristic,
            HeuristicChoice::Auto | HeuristicChoice::One(HeuristicKind::Pattern)
        )
        && mtm::n_classes(instance.goal(), options.limits.memory).is_some();
    // Unless they are asked for by name, only what can be built within the limit.
    let fits_memory = patterns_fit(instance.goal(), options.limits.memory);
    let has_patterns = has_patterns && metric == Metric::Stm && fits_memory;
    let table = match options.algorithm {
        Algorithm::Construct => return construct(options),
        Algorithm::Table if !fits_table => return Err(PlanError::TableTooLarge { cells }),
        Algorithm::Table if heuristic != HeuristicChoice::Auto => {
            return Err(PlanError::NoHeuristic { algorithm: Algorithm::Table, heuristic });
        }
        Algorithm::Table => Some("as asked"),
        // A named heuristic asks for a search.
        Algorithm::Auto if fits_table && heuristic == HeuristicChoice::Auto => {
            table_pays(cells, at_hand).filter(|_| has_memory)
        }
        _ => None,
    };
    if let Some(reason) = table {
        if !has_memory {
            return Err(PlanError::TableMemory { needed });
        }
        return Ok(Plan {
            algorithm: Algorithm::Table,
            engine: Engine::Table(metric),
            metric,
            reason: reason.to_owned(),
        });
    }
    let asks_for_proof = options.optimal || options.all.is_some();
    if options.algorithm == Algorithm::Auto
        && cells > MAX_PROVED
        && heuristic == HeuristicChoice::Auto
        && !asks_for_proof
    {
        return Ok(search_short(cells, metric));
    }
    match options.algorithm {
        Algorithm::Beam => search_beam(cells, heuristic, metric),
        Algorithm::Auto | Algorithm::Ida if has_runs => {
            let is_asked = options.algorithm == Algorithm::Ida;
            Ok(search_runs(instance.goal(), options.limits.memory, is_asked))
        }
        Algorithm::Auto => Ok(Plan {
            algorithm: Algorithm::Ida,
            engine: Engine::Ida(or_strongest(heuristic, has_patterns)),
            metric,
            reason: if heuristic != HeuristicChoice::Auto {
                "a heuristic was asked for".to_owned()
            } else if metric == Metric::Mtm && cells <= Abstraction::MAX_CELLS {
                "the memory is not enough for tables of straight runs, with which searches are \
                 faster"
                    .to_owned()
            } else if is_embedded(instance.goal()) {
                "pattern databases for this board are part of the program".to_owned()
            } else if !fits_memory {
                "the memory is not enough for pattern databases, with which searches are faster"
                    .to_owned()
            } else if has_patterns {
                format!("pattern databases for {cells} cells are built in a fraction of a second")
            } else {
                format!("{cells} cells: shortest solutions by iterative deepening, if time allows")
            },
        }),
        // Linear conflict knows more of easy boards, walking distance makes hard ones fit into memory.
        Algorithm::Astar | Algorithm::Bidirectional
            if heuristic == HeuristicChoice::Auto
                && has_walking
                && !fits_table
                && metric == Metric::Stm =>
        {
            let larger =
                HeuristicChoice::Max(HeuristicKind::Walking, HeuristicKind::LinearConflict);
            search_as_asked(options.algorithm, larger, options.weight, metric, has_patterns)
        }
        asked => search_as_asked(asked, heuristic, options.weight, metric, has_patterns),
    }
}

/// What tables of walking distances take to build: to the goal, and for some to the start as well.
fn walking_memory(dims: Dims, algorithm: Algorithm) -> u64 {
    let n_ends = if algorithm == Algorithm::Bidirectional { 2 } else { 1 };
    n_ends * WalkingDistance::bytes(dims)
}

/// The largest boards whose solutions are proved shortest without being asked for it.
const MAX_PROVED: usize = 16;

/// A short solution, soon, and a bound.
fn search_short(cells: usize, metric: Metric) -> Plan {
    let (algorithm, engine, how) = if cells <= beam::MAX_CELLS {
        (Algorithm::Beam, Engine::Beam, "beams find short solutions soon")
    } else {
        (Algorithm::Construct, Engine::Construct, "passes over the board get shorter one by one")
    };
    let reason = format!("{cells} cells are too many for a proof in general: {how}");
    Plan { algorithm, engine, metric, reason }
}

fn search_beam(
    cells: usize,
    heuristic: HeuristicChoice,
    metric: Metric,
) -> Result<Plan, PlanError> {
    let algorithm = Algorithm::Beam;
    if heuristic != HeuristicChoice::Auto {
        return Err(PlanError::NoHeuristic { algorithm, heuristic });
    }
    if cells > beam::MAX_CELLS {
        return Err(PlanError::BeamTooLarge { cells });
    }
    Ok(Plan { algorithm, engine: Engine::Beam, metric, reason: "as asked".to_owned() })
}

/// Iterative deepening over straight runs, with as good tables as the memory allows.
fn search_runs(goal: &Board, memory: Option<u64>, is_asked: bool) -> Plan {
    let cells = goal.dims().cells();
    let best = mtm::n_classes(goal, None).unwrap_or(Abstraction::MAX_CLASSES);
    let n_classes = mtm::n_classes(goal, memory).unwrap_or(best);
    Plan {
        algorithm: Algorithm::Ida,
        engine: Engine::Runs { n_classes },
        metric: Metric::Mtm,
        reason: if n_classes < best {
            format!(
                "the memory is enough for tables of straight runs with {n_classes} classes of \
                 tiles, not for {best}, with which searches are faster"
            )
        } else if is_asked {
            "as asked".to_owned()
        } else {
            format!(
                "tables of straight runs for {cells} cells are built in a fraction of a second, \
                 better ones when they pay"
            )
        },
    }
}

/// From so many generated states on it would have been better to build a table of 12 cells: a search
/// takes about as long for them as the table.
const TABLE_PAYS: u64 = 50_000_000;

/// Why a table of all distances is the fastest way to shortest solutions, if it is.
pub(crate) fn table_pays(cells: usize, at_hand: Availability) -> Option<&'static str> {
    if at_hand.has_table {
        Some("the table of all distances is there already")
    } else if cells <= 10 {
        Some("all distances of a board of up to 10 cells are known within milliseconds")
    } else if at_hand.n_searched >= TABLE_PAYS {
        Some("after so many boards a table of all distances pays")
    } else {
        None
    }
}

/// The bytes it takes to build the table of a goal; none for those that are part of the program.
fn table_memory(goal: &Board, metric: Metric) -> u64 {
    match FullTable::space(goal, metric) {
        Some(space) if BestMoves::embedded(space).is_none() => space.build_bytes(1) as u64,
        _ => 0,
    }
}

fn is_embedded(goal: &Board) -> bool {
    let frame = CanonicalForm::new(goal);
    frame.is_some_and(|frame| PdbSet::is_embedded(frame.dims(), frame.blank()))
}

/// Whether the pattern databases of a goal that every search begins with take no more than this.
fn patterns_fit(goal: &Board, memory: Option<u64>) -> bool {
    let Some((frame, memory)) = CanonicalForm::new(goal).zip(memory) else { return true };
    PdbSet::n_bytes_to_build(frame.dims(), frame.blank()) as u64 <= memory
}

impl Algorithm {
    /// Whether a heuristic guides it.
    pub fn uses_heuristic(self) -> bool {
        use Algorithm::{Beam, Bfs, Construct, Table, Uniform};
        !matches!(self, Table | Bfs | Uniform | Beam | Construct)
    }
}

/// Whether what it finds is proved shortest.
fn proves(algorithm: Algorithm) -> bool {
    use Algorithm::{Beam, Construct, Greedy, Wastar};
    !matches!(algorithm, Wastar | Greedy | Beam | Construct)
}

fn construct(options: &Options) -> Result<Plan, PlanError> {
    let (algorithm, metric, heuristic) = (Algorithm::Construct, options.metric, options.heuristic);
    if heuristic != HeuristicChoice::Auto {
        return Err(PlanError::NoHeuristic { algorithm, heuristic });
    }
    Ok(Plan { algorithm, engine: Engine::Construct, metric, reason: "as asked".to_owned() })
}

fn search_as_asked(
    algorithm: Algorithm,
    heuristic: HeuristicChoice,
    weight: Option<Weight>,
    metric: Metric,
    has_patterns: bool,
) -> Result<Plan, PlanError> {
    let blind = HeuristicChoice::One(HeuristicKind::Zero);
    let evaluation = match algorithm {
        Algorithm::Astar => Evaluation::AStar,
        Algorithm::Wastar => Evaluation::Weighted(weight.unwrap_or(Weight::DEFAULT)),
        Algorithm::Greedy => Evaluation::Greedy,
        Algorithm::Bfs | Algorithm::Uniform => Evaluation::Uniform,
        Algorithm::Bidirectional if heuristic.names(HeuristicKind::Pattern) => {
            return Err(PlanError::OneEnd);
        }
        Algorithm::Bidirectional => {
            let engine = Engine::Bidirectional(or_strongest(heuristic, false));
            return Ok(Plan { algorithm, engine, metric, reason: "as asked".to_owned() });
        }
        Algorithm::Auto
        | Algorithm::Table
        | Algorithm::Ida
        | Algorithm::Beam
        | Algorithm::Construct => {
            let engine = Engine::Ida(or_strongest(heuristic, has_patterns));
            return Ok(Plan { algorithm, engine, metric, reason: "as asked".to_owned() });
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
    Ok(Plan { algorithm, engine, metric, reason: "as asked".to_owned() })
}

fn or_strongest(heuristic: HeuristicChoice, has_patterns: bool) -> HeuristicChoice {
    match heuristic {
        HeuristicChoice::Auto if has_patterns => HeuristicChoice::One(HeuristicKind::Pattern),
        HeuristicChoice::Auto => HeuristicChoice::One(HeuristicKind::LinearConflict),
        asked => asked,
    }
}

/// Why what was asked for cannot be done.
///
/// ```
/// use npuzzle::search::{PlanError, plan};
/// use npuzzle::{Algorithm, Options};
/// let fifteen = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse()?;
/// let refused = plan(&fifteen, &Options::default().with_algorithm(Algorithm::Table));
/// assert!(matches!(refused, Err(PlanError::TableTooLarge { .. })));
/// # Ok::<(), npuzzle::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlanError {
    /// The board is too large for a table of all distances.
    TableTooLarge {
        /// How many cells it has.
        cells: usize,
    },
    /// Tables of walking distances take more memory than the limit allows.
    WalkingMemory {
        /// How many bytes it takes to build them.
        needed: u64,
    },
    /// The table of all distances takes more memory than the limit allows.
    TableMemory {
        /// How many bytes it takes to build it.
        needed: u64,
    },
    /// The algorithm does not use a heuristic.
    NoHeuristic {
        /// The algorithm.
        algorithm: Algorithm,
        /// The heuristic that was asked for.
        heuristic: HeuristicChoice,
    },
    /// The algorithm does not use a weight.
    Weight(Algorithm),
    /// The algorithm does not prove what is shortest, so there is nothing to count.
    NotAll(Algorithm),
    /// A proof is asked for that the algorithm does not give.
    NoProof(Algorithm),
    /// The board is too large for beams.
    BeamTooLarge {
        /// How many cells it has.
        cells: usize,
    },
    /// There are no pattern databases for this board.
    NoPatterns,
    /// There are no tables of walking distances for this board.
    NoWalking,
    /// There are pattern databases for the goal alone.
    OneEnd,
    /// The algorithm has nothing to write into a journal.
    NoJournal(Algorithm),
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
            PlanError::WalkingMemory { needed } => write!(
                f,
                "walking distances take {} MB to build, more than the limit of memory: raise it, \
                 or use linear-conflict",
                needed.div_ceil(1_000_000)
            ),
            PlanError::TableMemory { needed } => write!(
                f,
                "the table of all distances takes {} MB to build, more than the limit of memory: \
                 raise it, or use ida",
                needed.div_ceil(1_000_000)
            ),
            PlanError::NoHeuristic { algorithm, heuristic } => {
                write!(f, "{algorithm} uses no heuristic, but {heuristic} was asked for")
            }
            PlanError::NotAll(algorithm) => write!(
                f,
                "all shortest solutions are counted when one is proved, which {algorithm} does not: \
                 use auto"
            ),
            PlanError::NoProof(algorithm) => {
                write!(f, "a proof was asked for, which {algorithm} does not give: use auto")
            }
            PlanError::BeamTooLarge { cells } => write!(
                f,
                "beams are for boards of up to {} cells, this one has {cells}: use construct",
                beam::MAX_CELLS
            ),
            PlanError::NoPatterns => f.write_str(
                "pattern databases are there for boards of up to 25 cells: use linear-conflict",
            ),
            PlanError::NoWalking => f.write_str(
                "walking distances are there for boards of up to 4x4, 3x5 and 2x6: use \
                 linear-conflict",
            ),
            PlanError::OneEnd => f.write_str(
                "pattern databases lead to the goal, and bidirectional search needs estimates to \
                 the start as well: use walking or linear-conflict",
            ),
            PlanError::NoJournal(Algorithm::Table) => {
                f.write_str("a table answers at once: there is nothing to write down")
            }
            PlanError::NoJournal(algorithm) => write!(
                f,
                "what a search has done is written down by iterative deepening with pattern \
                 databases alone, for single slides on boards of up to 25 cells: {algorithm} on \
                 this board does not"
            ),
            PlanError::Weight(algorithm) => {
                write!(f, "a weight goes with wastar, not with {algorithm}")
            }
        }
    }
}

impl Error for PlanError {}
