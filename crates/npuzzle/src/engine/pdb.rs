//! Iterative deepening with additive pattern databases, for boards of up to 25 cells.
//!
//! The plain twin is [`npuzzle_core::search::idastar`] with the costs of the same tables from scratch
//! ([`ZeroAwareTables`]); tests tie the two. The departures from it, and their reasons:
//!
//! 1. *Short duplicate paths are pruned.* A [`SlideAutomaton`] rejects sequences of up to 12 moves that end
//!    where an earlier or shorter one does (Taylor and Korf 1993), not only the inverse of the last move.
//! 2. *The tables know the region of the blank* (Clausecker and Reinefeld 2019). A slide changes the cost of one
//!    pattern by exactly one, so one bit tells its new cost, and the search only counts what is left of the bound.
//! 3. *Indices are incremental* ([`node`]): a slide changes two bits of a set of cells, and the place of the
//!    permutation in the table changes by a sum over the jumped tiles.
//! 4. *The same tables serve the transposed board* (Culberson and Schaeffer 1998). On a square board whose
//!    blank belongs on the diagonal, the transposed board has the same distance. It is kept next to the
//!    board, looked up by the same code, and the larger value counts.
//! 5. *Bounds grow by two*, because the parity of a solution's length is fixed.
//! 6. *Long rounds are split over threads*, with the same result
//!    ([`subtree_split`](crate::engine::ida::subtree_split)).
//! 7. *One node is changed and restored*, and each slide is compiled separately, so that nothing tests its
//!    direction at run time. The path is recorded only while the recursion returns from the goal.
//! 8. *The entries of all children are prefetched* before the first one is used.
//! 9. *Several partitions are followed in the upper part of the tree* ([`upper_dfs`]), if the tables have more than
//!    one, and the tightest of them below it.

mod context;
mod expand;
mod lookup;
mod node;
mod pdb_engine;
mod search;
#[cfg(test)]
mod tests;
mod upper_dfs;

use npuzzle_core::search::{Limit, SearchReport, Stats, Watch};
use npuzzle_core::{Board, Instance, Metric, Slide};
use npuzzle_tables::{MAX_SMALL_LOOKUP_CELLS, SetLookup, SlideAutomaton, ZeroAwareSet};

use crate::engine::ida::iterate::{DeepeningState, Hooks, IdaEngine};
use crate::engine::ida::journal::{CompletedRound, Journal};
use crate::engine::ida::table_escalation::{Escalated, TableTiers, TierCost, escalate};
use crate::engine::result::{EngineError, EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::limits::{Clock, Resources};
use crate::options::{Options, TableSize};
use crate::tables::cache::{BoardKind, StoredPdb, Tables, largest_tier};
use crate::tables::zero_aware::ZeroAwareTables;

use context::Context;
use pdb_engine::PdbEngine;

/// Solves an instance, with small tables first and larger ones when they pay.
pub(crate) fn solve(
    resources: Resources,
    mut journal: Option<&mut Journal>,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, EngineError> {
    let SolveContext { instance, options, .. } = *context;
    let automaton = automaton(instance)?;
    let tiers = PdbTiers { instance, automaton };
    if let Some(journal) = journal.as_deref_mut() {
        report_rounds(journal.rounds(), context.clock);
    }
    let journal_tables = journal.as_deref().and_then(Journal::tables).map(str::to_owned);
    let first = |tables: &Tables| {
        first_tier(instance, options, &resources, tables, journal_tables.as_deref())
    };
    let state = DeepeningState::after(journal.as_deref().map_or(&[], Journal::rounds));
    let Escalated { report, tables: pdb, reason } =
        escalate(&tiers, first, state, &resources, journal, context)?;
    let n_bytes = pdb.n_bytes() as u64;
    Ok(EngineResult {
        h_start: Some(engine(instance.start(), &pdb, tiers.automaton).first_bound()),
        tables: pdb.names(),
        tables_reason: Some(reason),
        ..EngineResult::of_deepening(report, Metric::Stm, n_bytes, context.clock)
    })
}

/// Searches of boards of up to this size usually take milliseconds.
const MAX_SHORT_SEARCH_CELLS: usize = 16;

/// The automaton for a board. The deep one saves 3 to 9 % of the nodes, and takes a millisecond to decompress.
pub(crate) fn automaton(instance: &Instance) -> Result<&'static SlideAutomaton, InternalError> {
    let embedded = match instance.dims().cells() {
        0..=MAX_SHORT_SEARCH_CELLS => SlideAutomaton::embedded(),
        _ => SlideAutomaton::embedded_deep(),
    };
    embedded.ok_or(InternalError("no automaton is embedded"))
}

/// The tier to start with: the best one in memory, or the one that a journal was written with, because it lists the
/// subtrees of these tables.
fn first_tier(
    instance: &Instance,
    options: &Options,
    resources: &Resources,
    tables: &Tables,
    journal_tables: Option<&str>,
) -> usize {
    let stored = tables.stored_pdbs(instance.goal());
    let is_first = |pdb: &StoredPdb| {
        let is_at_hand = pdb.is_in_memory() || journal_tables == Some(pdb.name().as_str());
        is_at_hand && resources.has_memory(pdb.n_bytes_to_get())
    };
    match options.tables {
        TableSize::Small => SMALL,
        TableSize::Large => largest_tier(&stored, resources).map_or(SMALL, |at| SMALL + 1 + at),
        TableSize::Auto => stored.iter().rposition(is_first).map_or(SMALL, |at| SMALL + 1 + at),
    }
}

/// Reports the rounds of an earlier run to the watch.
pub(crate) fn report_rounds(rounds: &[CompletedRound], clock: &mut Clock<'_>) {
    let mut stats = Stats::default();
    for round in rounds {
        stats.expanded += round.counts.expanded;
        stats.generated += round.counts.generated;
        clock.round(round.bound, &stats);
    }
}

/// The tier of the small tables, which are embedded or built in a fraction of a second. The stored ones follow.
const SMALL: usize = 0;

struct PdbTiers<'a> {
    instance: &'a Instance,
    automaton: &'static SlideAutomaton,
}

impl PdbTiers<'_> {
    /// The tables of a tier; `None` for the small ones.
    fn stored_pdb(&self, tier: usize, tables: &Tables) -> Option<StoredPdb> {
        tables.stored_pdbs(self.instance.goal()).into_iter().nth(tier.checked_sub(SMALL + 1)?)
    }
}

impl TableTiers for PdbTiers<'_> {
    type Set = ZeroAwareTables;

    /// Rounds grow five- to eightfold; five is conservative.
    const ROUND_GROWTH: u32 = 5;

    fn board_kind(&self) -> Option<BoardKind> {
        BoardKind::new(self.instance.goal(), Metric::Stm)
    }

    fn n_tiers(&self, tables: &Tables) -> usize {
        SMALL + 1 + tables.stored_pdbs(self.instance.goal()).len()
    }

    fn cost(&self, tier: usize, tables: &Tables, n_threads: usize) -> TierCost {
        self.stored_pdb(tier, tables).map_or(TierCost::default(), |pdb| TierCost {
            time: pdb.cost(n_threads),
            n_bytes: pdb.n_bytes_to_get(),
        })
    }

    fn get(
        &self,
        tier: usize,
        tables: &mut Tables,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<ZeroAwareTables>, Limit> {
        let goal = self.instance.goal();
        match self.stored_pdb(tier, tables) {
            Some(pdb) => tables.get_stored_pdb(goal, &pdb, resources, watch),
            None => tables.small_zero_aware(goal, resources, watch),
        }
    }

    fn search(
        &self,
        pdb: &ZeroAwareTables,
        state: DeepeningState,
        resources: &Resources,
        hooks: Hooks<'_>,
    ) -> Result<SearchReport<Slide>, DeepeningState> {
        let engine = engine(self.instance.start(), pdb, self.automaton);
        Ok(pdb.form().report(engine.iterate(state, resources, hooks)?))
    }
}

/// The engine compiled for these tables. Its slides are those of the canonical form, which has no
/// more columns than rows.
pub(crate) fn engine<'a>(
    start: &Board,
    pdb: &'a ZeroAwareTables,
    automaton: &'a SlideAutomaton,
) -> Box<dyn IdaEngine + 'a> {
    let form = pdb.form();
    let is_small = form.dims().cells() <= MAX_SMALL_LOOKUP_CELLS;
    macro_rules! engine {
        ($lookup:ident, $cols:literal, $mirror:literal) => {{
            let context = |set: &'a ZeroAwareSet| match set.slots() {
                SetLookup::$lookup(slots) => Some(Context::new(form, set, &**slots, automaton)),
                _ => None,
            };
            let contexts = pdb.sets().filter_map(context).collect();
            Box::new(PdbEngine::<_, $cols, $mirror>::new(contexts, pdb.name(), &form.labels(start)))
        }};
    }
    match (is_small, form.dims().cols(), form.is_mirrored()) {
        (true, 2, false) => engine!(Small, 2, false),
        (true, 2, true) => engine!(Small, 2, true),
        (true, 3, false) => engine!(Small, 3, false),
        (true, 3, true) => engine!(Small, 3, true),
        (true, _, false) => engine!(Small, 4, false),
        (true, _, true) => engine!(Small, 4, true),
        (false, 2, _) => engine!(Large, 2, false),
        (false, 3, _) => engine!(Large, 3, false),
        (false, 4, _) => engine!(Large, 4, false),
        (false, _, false) => engine!(Large, 5, false),
        (false, _, true) => engine!(Large, 5, true),
    }
}
