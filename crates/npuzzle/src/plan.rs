//! The choice of the engine for a board, with its reason. The only place that knows the list of engines and
//! the sizes they are for.

mod engine;
mod error;
mod expected_time;

use std::fmt;

use npuzzle_core::heuristic::WalkingDistance;
use npuzzle_core::search::{Budget, Evaluation, Watch, Weight};
use npuzzle_core::{Board, Dims, Instance, Metric, Packed};
use npuzzle_tables::parallel::n_threads;
use npuzzle_tables::{Abstraction, BestMoves, Partition, PdbKind, PdbSet};

use crate::anytime::beam;
use crate::engine::mtm;
use crate::options::{Algorithm, HeuristicChoice, HeuristicKind, Options};
use crate::tables::cache::Availability;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;

use engine::or_linear_conflict;

pub use engine::Engine;
pub use error::PlanError;

/// The engine that solves a board, and why it was chosen.
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
    /// The engine.
    pub engine: Engine,
    /// The metric that it minimizes.
    pub metric: Metric,
    /// The reason, in one sentence.
    pub reason: String,
}

impl Plan {
    /// The budget of the search, without the tables of its heuristic.
    pub(crate) fn budget(&self, dims: Dims, options: &Options) -> Budget {
        let budget = options.budget();
        match self.engine.heuristic() {
            Some(heuristic) if heuristic.names(HeuristicKind::Walking) => {
                let walking = walking_memory(dims, self.algorithm);
                Budget { bytes: budget.bytes.map(|bytes| bytes.saturating_sub(walking)), ..budget }
            }
            _ => budget,
        }
    }

    /// Reports the plan to a watch.
    pub(crate) fn report(&self, watch: &mut dyn Watch) {
        let heuristic = self.engine.heuristic();
        let heuristic = heuristic.as_ref().map(|heuristic| heuristic as &dyn fmt::Display);
        watch.planned(&self.algorithm, heuristic, &self.reason);
    }

    /// Iterative deepening with pattern databases, for a caller that needs this engine.
    pub(crate) fn pdb_ida(reason: &str) -> Plan {
        Plan {
            algorithm: Algorithm::Ida,
            engine: Engine::PdbIda,
            metric: Metric::Stm,
            reason: reason.to_owned(),
        }
    }

    /// The plan that was executed instead if no beam reached the goal.
    pub(crate) fn after_failed_beam(self) -> Plan {
        Plan {
            algorithm: Algorithm::Construct,
            engine: Engine::Construct,
            reason: "no beam reached the goal within the limits: large neighborhood search \
                     was used instead"
                .to_owned(),
            ..self
        }
    }

    /// Whether the search can record its progress in a journal.
    pub fn keeps_journal(&self) -> bool {
        self.engine == Engine::PdbIda
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

/// Chooses the engine for a board when no tables are in memory.
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

/// Chooses the engine for a board, given the tables in memory.
///
/// ```
/// use npuzzle::search::{Availability, plan_with};
/// use npuzzle::{Algorithm, Options};
/// let puzzle = "1 2 3 4/5 6 7 8/9 0 10 11".parse()?;
/// let algorithm = |known| plan_with(&puzzle, &Options::default(), known).map(|plan| plan.algorithm);
/// // After this many states it would have been better to build a table.
/// let known = Availability { n_searched: 1_000_000_000, ..Availability::default() };
/// assert_eq!(algorithm(known), Ok(Algorithm::Table));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_with(
    instance: &Instance,
    options: &Options,
    available: Availability,
) -> Result<Plan, PlanError> {
    let request = PlanRequest::new(instance, options, available);
    request.refuse_contradictions()?;
    let plan = request.plan_algorithm()?;
    if options.order.is_some() && !plan.engine.is_textbook() {
        return Err(PlanError::NoOrder(plan.algorithm));
    }
    Ok(plan)
}
/// The largest boards that are proved shortest without [`Options::optimal`], because a proof is likely to be
/// quick.
pub(crate) const MAX_PROVED_CELLS: usize = 16;

/// The full tables of boards of up to this size are built within milliseconds.
pub(crate) const MAX_QUICK_TABLE_CELLS: usize = 10;

/// The largest boards for which beam search is the default: 14×14. On larger ones large neighborhood search finds shorter
/// solutions in the same time.
const MAX_BEAM_CELLS: usize = 196;

/// After this many generated states a full table of 12 cells would have been cheaper: building it takes
/// about as long as generating them.
const TABLE_PAYS: u64 = 50_000_000;

/// The reason for a choice that the caller made.
const REQUESTED: &str = "as requested";

/// A board and a request, with the facts that decide.
struct PlanRequest<'a> {
    options: &'a Options,
    goal: &'a Board,
    dims: Dims,
    available: Availability,
}

impl<'a> PlanRequest<'a> {
    fn new(instance: &'a Instance, options: &'a Options, available: Availability) -> Self {
        PlanRequest { options, goal: instance.goal(), dims: instance.dims(), available }
    }

    fn cells(&self) -> usize {
        self.dims.cells()
    }

    fn has_memory(&self, n_bytes: u64) -> bool {
        self.options.budget().has_memory(n_bytes)
    }

    fn is_auto_heuristic(&self) -> bool {
        self.options.heuristic == HeuristicChoice::Auto
    }

    /// Refuses a heuristic, weight or proof that the algorithm or the board does not have.
    fn refuse_contradictions(&self) -> Result<(), PlanError> {
        let Options { algorithm, heuristic, weight, .. } = *self.options;
        let walking = walking_memory(self.dims, algorithm);
        if algorithm.uses_heuristic() {
            check_heuristic_size(heuristic, self.dims)?;
            if heuristic.names(HeuristicKind::Walking) && !self.has_memory(walking) {
                return Err(PlanError::WalkingMemory { needed: walking });
            }
        }
        if weight.is_some() && algorithm != Algorithm::Wastar {
            Err(PlanError::Weight(algorithm))
        } else if self.options.all.is_some() && !proves(algorithm) {
            Err(PlanError::NotAll(algorithm))
        } else if self.options.optimal && !proves(algorithm) {
            Err(PlanError::NoProof(algorithm))
        } else {
            Ok(())
        }
    }

    /// The plan for the algorithm that the options name.
    fn plan_algorithm(&self) -> Result<Plan, PlanError> {
        match self.options.algorithm {
            Algorithm::Auto => Ok(self.choose()),
            Algorithm::Table => self.table(),
            Algorithm::Ida => Ok(self.ida()),
            Algorithm::Astar => Ok(self.astar()),
            Algorithm::Wastar => {
                let weight = self.options.weight.unwrap_or(Weight::DEFAULT);
                Ok(self.best_first(Evaluation::Weighted(weight)))
            }
            Algorithm::Greedy => Ok(self.best_first(Evaluation::Greedy)),
            Algorithm::Bfs => self.without_heuristic(Engine::BreadthFirst),
            Algorithm::Uniform => {
                let zero = HeuristicKind::Zero.into();
                self.without_heuristic(Engine::BestFirst(Evaluation::Uniform, zero))
            }
            Algorithm::Bidirectional => self.bidirectional(),
            Algorithm::Beam => self.beam(),
            Algorithm::Construct => self.construct(),
        }
    }

    fn plan(&self, algorithm: Algorithm, engine: Engine, reason: impl Into<String>) -> Plan {
        Plan { algorithm, engine, metric: self.options.metric, reason: reason.into() }
    }

    /// The choice for [`Algorithm::Auto`]. A named heuristic asks for a search.
    fn choose(&self) -> Plan {
        if self.is_auto_heuristic() {
            if let Some(reason) = self.table_pays() {
                return self.plan(Algorithm::Table, Engine::Table, reason);
            }
            if self.cells() > MAX_PROVED_CELLS && !self.options.wants_proof() {
                return self.anytime();
            }
        }
        match self.mtm_ida() {
            Some(plan) => plan,
            None => self.plan(Algorithm::Ida, self.ida_engine(), self.why_ida()),
        }
    }

    /// Why a full table is the fastest way to a shortest solution, if it is.
    fn table_pays(&self) -> Option<&'static str> {
        let fits = self.cells() <= FullTable::MAX_CELLS && self.has_memory(self.table_memory());
        table_pays(self.cells(), self.available).filter(|_| fits)
    }

    /// The bytes needed to build the full table; none if it is embedded or in memory.
    fn table_memory(&self) -> u64 {
        match FullTable::space(self.goal, self.options.metric) {
            Some(space) if !self.available.has_table && BestMoves::embedded(space).is_none() => {
                space.build_bytes(1) as u64
            }
            _ => 0,
        }
    }

    fn table(&self) -> Result<Plan, PlanError> {
        let (cells, needed) = (self.cells(), self.table_memory());
        if cells > FullTable::MAX_CELLS {
            return Err(PlanError::TableTooLarge { cells });
        }
        self.refuse_heuristic(Algorithm::Table)?;
        if !self.has_memory(needed) {
            return Err(PlanError::TableMemory { needed });
        }
        Ok(self.plan(Algorithm::Table, Engine::Table, REQUESTED))
    }

    fn refuse_heuristic(&self, algorithm: Algorithm) -> Result<(), PlanError> {
        match self.options.heuristic {
            HeuristicChoice::Auto => Ok(()),
            heuristic => Err(PlanError::NoHeuristic { algorithm, heuristic }),
        }
    }

    /// A short solution within the time of the effort, with a lower bound.
    fn anytime(&self) -> Plan {
        let cells = self.cells();
        let (algorithm, engine, how) = if cells <= MAX_BEAM_CELLS {
            (Algorithm::Beam, self.beam_engine(), "beam search finds short solutions quickly")
        } else {
            (
                Algorithm::Construct,
                Engine::Construct,
                "large neighborhood search finds shorter and shorter solutions",
            )
        };
        let reason = format!("{cells} cells are usually too many for a proof: {how}");
        self.plan(algorithm, engine, reason)
    }

    fn beam(&self) -> Result<Plan, PlanError> {
        self.refuse_heuristic(Algorithm::Beam)?;
        if self.cells() > beam::MAX_CELLS {
            return Err(PlanError::BeamTooLarge { cells: self.cells() });
        }
        Ok(self.plan(Algorithm::Beam, self.beam_engine(), REQUESTED))
    }

    /// Beam search, with a proof where pattern databases exist.
    fn beam_engine(&self) -> Engine {
        let proof = self.options.metric == Metric::Stm && self.cells() <= PdbSet::MAX_CELLS;
        Engine::Beam { proof }
    }

    fn construct(&self) -> Result<Plan, PlanError> {
        self.refuse_heuristic(Algorithm::Construct)?;
        Ok(self.plan(Algorithm::Construct, Engine::Construct, REQUESTED))
    }

    fn ida(&self) -> Plan {
        let requested = || self.plan(Algorithm::Ida, self.ida_engine(), REQUESTED);
        self.mtm_ida().unwrap_or_else(requested)
    }

    /// Iterative deepening with the best MTM tables that the memory allows, if they are to be used.
    fn mtm_ida(&self) -> Option<Plan> {
        let is_wanted = self.is_auto_heuristic() && self.options.order.is_none()
            || self.options.heuristic == HeuristicChoice::One(HeuristicKind::Pattern);
        if self.options.metric != Metric::Mtm || !is_wanted || self.cells() > Abstraction::MAX_CELLS
        {
            return None;
        }
        let n_classes = mtm::n_classes(self.goal, self.options.limits.memory)?;
        let best = mtm::n_classes(self.goal, None).unwrap_or(Abstraction::MAX_CLASSES);
        let reason = if n_classes < best {
            format!(
                "the memory limit allows MTM tables with {n_classes} classes of tiles; searches \
                 are faster with {best}"
            )
        } else if self.options.algorithm == Algorithm::Ida {
            REQUESTED.to_owned()
        } else {
            let cells = self.cells();
            format!(
                "MTM tables for {cells} cells are built in a fraction of a second, better ones \
                 when they pay"
            )
        };
        Some(self.plan(Algorithm::Ida, Engine::MtmIda { n_classes }, reason))
    }

    /// Iterative deepening with the requested heuristic, or the strongest one available.
    fn ida_engine(&self) -> Engine {
        let pattern = HeuristicChoice::One(HeuristicKind::Pattern);
        let is_stm = self.options.metric == Metric::Stm;
        match self.options.heuristic {
            heuristic if heuristic == pattern && is_stm => Engine::PdbIda,
            HeuristicChoice::Auto if self.has_pdb() && self.options.order.is_none() => {
                Engine::PdbIda
            }
            heuristic => Engine::Ida(or_linear_conflict(heuristic)),
        }
    }

    /// Whether pattern databases are used by default: in the single-tile metric, if they fit into memory.
    fn has_pdb(&self) -> bool {
        self.options.metric == Metric::Stm && self.cells() <= PdbSet::MAX_CELLS && self.pdb_fits()
    }

    /// Whether the small pattern databases can be built within the memory limit.
    fn pdb_fits(&self) -> bool {
        let Some(form) = CanonicalForm::new(self.goal) else { return true };
        let (dims, blank) = (form.dims(), form.blank());
        self.has_memory(Partition::small_build_bytes(dims, blank, PdbKind::ZeroAware) as u64)
    }

    fn why_ida(&self) -> String {
        let cells = self.cells();
        let is_embedded = CanonicalForm::new(self.goal)
            .is_some_and(|form| npuzzle_tables::is_embedded(form.dims(), form.blank()));
        if !self.is_auto_heuristic() {
            "a heuristic was requested".to_owned()
        } else if self.options.metric == Metric::Mtm && cells <= Abstraction::MAX_CELLS {
            "the memory limit is too low for MTM tables, which make searches faster".to_owned()
        } else if is_embedded {
            "pattern databases for this board are embedded in the program".to_owned()
        } else if !self.pdb_fits() {
            "the memory limit is too low for pattern databases, which make searches faster"
                .to_owned()
        } else if self.has_pdb() {
            format!("pattern databases for {cells} cells are built in a fraction of a second")
        } else {
            format!("{cells} cells: iterative deepening proves a shortest solution if time allows")
        }
    }

    /// A*: on several threads only if the caller asks for them, because the counters then depend on the run.
    fn astar(&self) -> Plan {
        let heuristic = self.strongest_for_queues();
        let n_threads = self.options.threads.map_or(1, |n| n_threads(Some(n)));
        let is_small = self.cells() <= Packed::MAX_CELLS && self.options.metric == Metric::Stm;
        if n_threads == 1 || !is_small || !Engine::distributes(heuristic) {
            return self.best_first(Evaluation::AStar);
        }
        let reason = format!("as requested, on {n_threads} threads: counts depend on the run");
        let engine = Engine::HashDistributedAstar { heuristic, n_threads };
        self.plan(Algorithm::Astar, engine, reason)
    }

    /// Best-first search. Pattern databases are not used by default: on an explicit queue they are looked up
    /// from scratch for every state, which costs more than they save.
    fn best_first(&self, evaluation: Evaluation) -> Plan {
        let heuristic = match self.options.algorithm {
            Algorithm::Astar => self.strongest_for_queues(),
            _ => or_linear_conflict(self.options.heuristic),
        };
        self.plan(self.options.algorithm, Engine::BestFirst(evaluation, heuristic), REQUESTED)
    }

    /// Linear conflict is stronger on easy boards; walking distance makes hard ones fit into memory.
    fn strongest_for_queues(&self) -> HeuristicChoice {
        let algorithm = self.options.algorithm;
        let has_walking = WalkingDistance::fits(self.dims)
            && self.has_memory(walking_memory(self.dims, algorithm));
        let is_hard = self.options.metric == Metric::Stm && self.cells() > FullTable::MAX_CELLS;
        if self.is_auto_heuristic() && has_walking && is_hard {
            HeuristicChoice::Max(HeuristicKind::Walking, HeuristicKind::LinearConflict)
        } else {
            or_linear_conflict(self.options.heuristic)
        }
    }

    /// A search that no heuristic guides; `zero` may be named.
    fn without_heuristic(&self, engine: Engine) -> Result<Plan, PlanError> {
        let algorithm = self.options.algorithm;
        if self.options.heuristic != HeuristicKind::Zero.into() {
            self.refuse_heuristic(algorithm)?;
        }
        Ok(self.plan(algorithm, engine, REQUESTED))
    }

    fn bidirectional(&self) -> Result<Plan, PlanError> {
        if self.options.heuristic.names(HeuristicKind::Pattern) {
            return Err(PlanError::OneEnd);
        }
        let engine = Engine::Bidirectional(self.strongest_for_queues());
        Ok(self.plan(Algorithm::Bidirectional, engine, REQUESTED))
    }
}

/// Why a full table is faster than a search, if it is and the board is small enough for one.
pub(crate) fn table_pays(cells: usize, available: Availability) -> Option<&'static str> {
    if available.has_table {
        Some("the full table is in memory")
    } else if cells <= MAX_QUICK_TABLE_CELLS {
        Some("the full table of a board of up to 10 cells is built within milliseconds")
    } else if available.n_searched >= TABLE_PAYS {
        Some("after this many boards a full table pays")
    } else {
        None
    }
}

/// Refuses a heuristic that does not exist for boards of this size.
pub(crate) fn check_heuristic_size(choice: HeuristicChoice, dims: Dims) -> Result<(), PlanError> {
    if choice.names(HeuristicKind::Pattern) && dims.cells() > PdbSet::MAX_CELLS {
        Err(PlanError::NoPatterns)
    } else if choice.names(HeuristicKind::Walking) && !WalkingDistance::fits(dims) {
        Err(PlanError::NoWalking)
    } else {
        Ok(())
    }
}

/// The bytes of walking-distance tables: to the goal and, for bidirectional search, to the start.
fn walking_memory(dims: Dims, algorithm: Algorithm) -> u64 {
    let n_ends = if algorithm == Algorithm::Bidirectional { 2 } else { 1 };
    n_ends * WalkingDistance::bytes(dims)
}

impl Algorithm {
    /// Whether a heuristic guides it.
    pub fn uses_heuristic(self) -> bool {
        use Algorithm::{Beam, Bfs, Construct, Table, Uniform};
        !matches!(self, Table | Bfs | Uniform | Beam | Construct)
    }
}

/// Whether an algorithm proves its solutions shortest.
fn proves(algorithm: Algorithm) -> bool {
    use Algorithm::{Beam, Construct, Greedy, Wastar};
    !matches!(algorithm, Wastar | Greedy | Beam | Construct)
}
