//! Cheap tables first, better ones when they pay.
//!
//! The cheapest tables are embedded or built in a fraction of a second, and most boards are solved before
//! better ones could be read from the disk. A round takes several times as long as the one before it. So when a
//! round has taken a fixed fraction of the cost of better tables, the next round waits for them.

use std::time::Duration;

use npuzzle_core::Slide;
use npuzzle_core::search::{Limit, Outcome, SearchReport, Watch};

use crate::engine::ida::iterate::{DeepeningState, Hooks};
use crate::engine::ida::journal::Journal;
use crate::engine::result::{EngineError, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::engine::upper_bound::UpperBound;
use crate::limits::{Clock, Resources};
use crate::options::{Options, TableSize};
use crate::tables::cache::{BoardKind, Tables};

/// The tables that one engine can search a board with, from the cheapest to the best.
pub(crate) trait TableTiers {
    /// The tables of one tier.
    type Set;

    /// The usual ratio of the times of two rounds, rounded down.
    const ROUND_GROWTH: u32;

    /// The boards that share these tables. `None` if there are none for this size.
    fn board_kind(&self) -> Option<BoardKind>;

    fn n_tiers(&self, tables: &Tables) -> usize;

    /// The cost of loading or building a tier.
    fn cost(&self, tier: usize, tables: &Tables, n_threads: usize) -> TierCost;

    /// Loads or builds a tier. `None` if a stored file turned out to be damaged: then its cost has changed.
    fn get(
        &self,
        tier: usize,
        tables: &mut Tables,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<Option<Self::Set>, Limit>;

    /// Searches with the tables of a tier, as [`iterate`](crate::engine::ida::iterate::IdaEngine::iterate) does.
    fn search(
        &self,
        set: &Self::Set,
        state: DeepeningState,
        resources: &Resources,
        hooks: Hooks<'_>,
    ) -> Result<SearchReport<Slide>, DeepeningState>;
}

/// The time and the memory that loading or building a tier takes.
#[derive(Clone, Copy, Default)]
pub(crate) struct TierCost {
    pub(crate) time: Duration,
    pub(crate) n_bytes: usize,
}

/// A search and the tables that it ended with.
pub(crate) struct Escalated<S> {
    pub(crate) report: SearchReport<Slide>,
    pub(crate) tables: S,
    /// Why these tables.
    pub(crate) reason: String,
}

/// Searches from a state with the tables of a tier, and with better ones when they pay, if the options leave the
/// choice open. An error is a limit that was reached before the first tables were available.
pub(crate) fn escalate<T: TableTiers>(
    tiers: &T,
    first: impl Fn(&Tables) -> usize,
    mut state: DeepeningState,
    resources: &Resources,
    mut journal: Option<&mut Journal>,
    context: &mut SolveContext<'_, '_>,
) -> Result<Escalated<T::Set>, EngineError> {
    let (mut tier, mut set) = first_set(tiers, first, resources, context)?;
    let SolveContext { options, tables, clock, upper_bound, .. } = context;
    let mut reason = first_reason(tiers, tier, options, tables);
    let kind = tiers.board_kind();
    loop {
        let next = match options.tables {
            TableSize::Auto => next_tier(tiers, tier, resources, tables),
            TableSize::Small | TableSize::Large => None,
        };
        let max_round_time =
            next.and_then(|next| longest_round(tiers, next, resources, tables, clock));
        let started = clock.elapsed();
        let upper_bound = upper_bound.as_mut().map(|bound| &mut **bound as &mut dyn UpperBound);
        let hooks = Hooks { watch: *clock, journal: journal.as_deref_mut(), upper_bound };
        let searched =
            tiers.search(&set, state, &Resources { max_round_time, ..*resources }, hooks);
        let took = clock.elapsed() - started;
        if let (Some(_), Some(kind)) = (next, kind) {
            tables.add_time_without_best(kind, took);
        }
        match searched {
            Ok(report) => return Ok(Escalated { report, tables: set, reason }),
            Err(paused) => state = paused,
        }
        // The round may have used up the time that better tables need.
        let affordable =
            next.filter(|&n| longest_round(tiers, n, resources, tables, clock).is_some());
        let Some(next) = affordable else { continue };
        let cost = tiers.cost(next, tables, resources.threads).time;
        match tiers.get(next, tables, resources, *clock) {
            Ok(Some(better)) => {
                (tier, set) = (next, better);
                reason = format!(
                    "the search up to bound {} took {:.2} s, and loading or building them \
                     takes about {:.2} s",
                    state.last_bound,
                    took.as_secs_f64(),
                    cost.as_secs_f64()
                );
            }
            Ok(None) => {}
            // The bound that is proved stays.
            Err(limit) => {
                let outcome = Outcome::Stopped { limit, frontier: state.bound };
                let report = SearchReport::new(outcome, state.stats);
                return Ok(Escalated { report, tables: set, reason });
            }
        }
    }
}

/// The tier above this one that takes the least time to get, and the best of several that take the same time. It may
/// not be the next one: a large table that is stored takes less time than a medium one that has to be built.
/// `None` if there is no tier above that memory is sufficient for.
fn next_tier<T: TableTiers>(
    tiers: &T,
    tier: usize,
    resources: &Resources,
    tables: &Tables,
) -> Option<usize> {
    let cost = |&tier: &usize| tiers.cost(tier, tables, resources.threads);
    let above = (tier + 1..tiers.n_tiers(tables)).rev();
    above.filter(|tier| resources.has_memory(cost(tier).n_bytes)).min_by_key(|tier| cost(tier).time)
}

/// The tables to start with. If their file is damaged, they may no longer be the best ones to start with.
fn first_set<T: TableTiers>(
    tiers: &T,
    first: impl Fn(&Tables) -> usize,
    resources: &Resources,
    SolveContext { tables, clock, .. }: &mut SolveContext<'_, '_>,
) -> Result<(usize, T::Set), EngineError> {
    // Each attempt excludes a damaged file, and there are few of them.
    for _ in 0..MAX_ATTEMPTS {
        let tier = first(tables);
        if let Some(set) = tiers.get(tier, tables, resources, *clock)? {
            return Ok((tier, set));
        }
    }
    Err(InternalError("a search was planned with tables that do not exist").into())
}

/// Attempts to load the first tables.
const MAX_ATTEMPTS: usize = 16;

fn first_reason<T: TableTiers>(
    tiers: &T,
    tier: usize,
    options: &Options,
    tables: &Tables,
) -> String {
    let has_others = tiers.n_tiers(tables) > 1;
    match options.tables {
        TableSize::Small => "as requested".to_owned(),
        TableSize::Large if tier > 0 || has_others => "as requested".to_owned(),
        _ if tier > 0 => "they are available already".to_owned(),
        _ => "they need no loading, and the search was too short for larger ones".to_owned(),
    }
}

/// The longest round before the search changes to a better tier; `None` if too little time is left for it.
fn longest_round<T: TableTiers>(
    tiers: &T,
    tier: usize,
    resources: &Resources,
    tables: &Tables,
    clock: &Clock<'_>,
) -> Option<Duration> {
    let cost = tiers.cost(tier, tables, resources.threads);
    // Time for the tables, and as much again to use them.
    let left =
        clock.time_left().map_or(Some(Duration::MAX), |left| left.checked_sub(2 * cost.time))?;
    let spent = tiers.board_kind().map_or(Duration::ZERO, |kind| tables.time_without_best(kind));
    let worth = cost.time.saturating_sub(spent) / T::ROUND_GROWTH;
    // After the next round there must still be time left for both.
    Some(worth.min(left / (T::ROUND_GROWTH + 1)))
}

#[cfg(test)]
mod tests {
    use npuzzle_core::search::Budget;

    use super::*;

    /// Tiers with these costs: milliseconds and bytes.
    struct FixedCosts(&'static [(u64, usize)]);

    impl TableTiers for FixedCosts {
        type Set = ();

        const ROUND_GROWTH: u32 = 5;

        fn board_kind(&self) -> Option<BoardKind> {
            None
        }

        fn n_tiers(&self, _: &Tables) -> usize {
            self.0.len()
        }

        fn cost(&self, tier: usize, _: &Tables, _: usize) -> TierCost {
            let (millis, n_bytes) = self.0[tier];
            TierCost { time: Duration::from_millis(millis), n_bytes }
        }

        fn get(
            &self,
            _: usize,
            _: &mut Tables,
            _: &Resources,
            _: &mut dyn Watch,
        ) -> Result<Option<()>, Limit> {
            Ok(Some(()))
        }

        fn search(
            &self,
            (): &(),
            state: DeepeningState,
            _: &Resources,
            _: Hooks<'_>,
        ) -> Result<SearchReport<Slide>, DeepeningState> {
            Err(state)
        }
    }

    #[test]
    fn next_tier_is_the_one_that_is_available_first() {
        let next = |costs, tier, bytes| {
            let budget = Budget { bytes, ..Budget::NONE };
            let resources = Resources { budget, threads: 1, max_round_time: None };
            next_tier(&FixedCosts(costs), tier, &resources, &Tables::new())
        };
        let nothing_stored = &[(0, 1), (1_000, 10), (5_000, 100)];
        assert_eq!(next(nothing_stored, 0, None), Some(1));
        assert_eq!(next(nothing_stored, 1, None), Some(2));
        assert_eq!(next(nothing_stored, 2, None), None);
        let largest_stored = &[(0, 1), (1_000, 10), (100, 100)];
        assert_eq!(next(largest_stored, 0, None), Some(2));
        assert_eq!(next(largest_stored, 0, Some(50)), Some(1));
        assert_eq!(next(largest_stored, 0, Some(5)), None);
        let in_memory = &[(0, 1), (0, 10), (0, 100)];
        assert_eq!(next(in_memory, 0, None), Some(2));
    }
}
