//! The engines that a plan chooses from.

use npuzzle_core::search::Evaluation;

use crate::options::{HeuristicChoice, HeuristicKind};

/// An engine, with its configuration.
///
/// ```
/// use npuzzle::search::{Engine, plan};
/// use npuzzle::Options;
/// let plan = plan(&"8 1 3/4 0 2/7 6 5".parse()?, &Options::default())?;
/// assert_eq!((plan.engine, plan.engine.heuristic()), (Engine::Table, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// A full table: the distances of all boards of a size, in the plan's metric.
    Table,
    /// Iterative deepening with additive pattern databases, in the single-tile metric.
    PdbIda,
    /// Iterative deepening with MTM tables.
    MtmIda {
        /// The number of classes into which the best tables divide the tiles.
        n_classes: usize,
    },
    /// Plain iterative deepening with a heuristic.
    Ida(HeuristicChoice),
    /// Best-first search on an explicit queue.
    BestFirst(Evaluation, HeuristicChoice),
    /// A* on several threads, for boards of up to 16 cells. Its counters depend on the run.
    HashDistributedAstar {
        /// The heuristic, which is consistent.
        heuristic: HeuristicChoice,
        /// The number of threads, at least 2.
        n_threads: usize,
    },
    /// Breadth-first search: uniform cost on a first-in-first-out queue, without a heuristic.
    BreadthFirst,
    /// Search from both ends.
    Bidirectional(HeuristicChoice),
    /// Constructive solution, then shorter ones by large neighborhood search.
    Construct,
    /// Beam search with growing widths.
    Beam {
        /// Whether iterative deepening with pattern databases proves the solution in the remaining time, or
        /// raises its lower bound.
        proof: bool,
    },
}

impl Engine {
    /// The heuristic that guides the search. Full tables and the anytime engines have none.
    pub fn heuristic(&self) -> Option<HeuristicChoice> {
        match self {
            Engine::Table | Engine::Beam { .. } | Engine::Construct => None,
            Engine::PdbIda | Engine::MtmIda { .. } => Some(HeuristicKind::Pattern.into()),
            Engine::BreadthFirst => Some(HeuristicKind::Zero.into()),
            Engine::Ida(heuristic)
            | Engine::BestFirst(_, heuristic)
            | Engine::HashDistributedAstar { heuristic, .. }
            | Engine::Bidirectional(heuristic) => Some(*heuristic),
        }
    }

    /// Whether it is a search of the textbooks, which generates children in a given order.
    pub(crate) fn is_textbook(&self) -> bool {
        matches!(
            self,
            Engine::Ida(_)
                | Engine::BestFirst(..)
                | Engine::HashDistributedAstar { .. }
                | Engine::BreadthFirst
                | Engine::Bidirectional(_)
        )
    }

    /// Whether hash-distributed A* is compiled for a heuristic: the usual ones that are known to be consistent.
    pub(crate) fn distributes(heuristic: HeuristicChoice) -> bool {
        use HeuristicKind::{LinearConflict, Manhattan, Misplaced, Walking, Zero};
        match heuristic {
            HeuristicChoice::One(kind) => {
                matches!(kind, Zero | Misplaced | Manhattan | LinearConflict | Walking)
            }
            HeuristicChoice::Max(a, b) => (a, b) == (Walking, LinearConflict),
            HeuristicChoice::Auto => false,
        }
    }

    /// Whether it deepens iteratively, so that hard boards take long and a full table may pay.
    pub(crate) fn is_deepening(&self) -> bool {
        matches!(self, Engine::Ida(_) | Engine::PdbIda | Engine::MtmIda { .. })
    }
}

/// The requested heuristic, or linear conflict, which every board has.
pub(super) fn or_linear_conflict(heuristic: HeuristicChoice) -> HeuristicChoice {
    match heuristic {
        HeuristicChoice::Auto => HeuristicChoice::One(HeuristicKind::LinearConflict),
        requested => requested,
    }
}
