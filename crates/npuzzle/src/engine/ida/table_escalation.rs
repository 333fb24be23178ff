//! Iterative deepening with pattern databases: small tables first, large ones when they pay.
//!
//! Small tables are part of the program or built in a fraction of a second, and most boards are
//! solved before larger ones could be read from the disk. A round of iterative deepening takes about
//! five times as long as the one before it; so when a round has taken a fifth of the time that large
//! tables would cost, the next round waits until they are there.

use std::time::Duration;

use npuzzle_core::Instance;
use npuzzle_core::Slide;
use npuzzle_core::search::{Cost, Limit, Outcome, SearchReport};
use npuzzle_tables::Automaton;

use crate::engine::ida::journal::Journal;
use crate::engine::pdb::search::{Hooks, Resources, SearchState, pdb_ida};
use crate::limits::Clock;
use crate::options::{Options, TableSize};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::cache::{Large, Tables};

/// How much longer a round takes than the one before it, by and large.
const GROWTH: u32 = 5;

/// A search and the tables it ended with.
pub(crate) struct Escalated {
    pub(crate) report: SearchReport<Slide>,
    pub(crate) patterns: AdditivePdb,
    /// Why these tables.
    pub(crate) reason: String,
}

/// Searches; `None` if there are no tables for boards of this size, an error if a limit was reached
/// before there were any.
pub(crate) fn escalate(
    instance: &Instance,
    options: &Options,
    effort: Resources,
    tables: &mut Tables,
    mut journal: Option<&mut Journal>,
    clock: &mut Clock<'_>,
) -> Result<Option<Escalated>, Limit> {
    let Some(automaton) = Automaton::embedded() else { return Ok(None) };
    let goal = instance.goal();
    let mut large = tables.large(goal);
    // The slices of a journal are those of the tables it was written with.
    let is_cut_by =
        |large: &Large| journal.as_deref().and_then(Journal::tables) == Some(large.name().as_str());
    let is_there = large.as_ref().is_some_and(|large| {
        (large.is_in_memory() || is_cut_by(large)) && effort.has_memory(large.n_bytes_to_get())
    });
    let wants_large = match options.tables {
        TableSize::Large => true,
        TableSize::Auto => is_there,
        TableSize::Small => false,
    };
    let got = if wants_large { tables.get_large_anyhow(goal, effort, clock)? } else { None };
    large = large.filter(|_| got.is_none() && options.tables == TableSize::Auto);
    let (mut patterns, mut reason) = match (got, options.tables) {
        (Some(large), TableSize::Large) => (large, "as asked".to_owned()),
        (Some(large), _) => (large, "they are there already".to_owned()),
        // Smaller boards have no large ones.
        (None, size) => match tables.small(goal, effort, clock)? {
            Some(small) if size == TableSize::Small => (small, "as asked".to_owned()),
            Some(small) => {
                (small, "they cost nothing, and larger ones would not have paid".to_owned())
            }
            None => return Ok(None),
        },
    };
    let mut standing = journal.as_deref().map(resumed).unwrap_or_default();
    if let Some(journal) = journal.as_deref() {
        tell_rounds(journal, clock);
    }
    loop {
        let patience = large.as_ref().and_then(|large| patience_for(large, effort, tables, clock));
        let started = clock.elapsed();
        let world = Hooks { watch: &mut *clock, journal: journal.as_deref_mut() };
        let until = Resources { patience, ..effort };
        let ended = pdb_ida(instance.start(), &patterns, &automaton, until, standing, world);
        if let Some(large) = &large {
            tables.spend(large.boards(), clock.elapsed() - started);
        }
        match ended {
            Ok(report) => return Ok(Some(Escalated { report, patterns, reason })),
            Err(stands) => standing = stands,
        }
        let took = clock.elapsed() - started;
        // The round may have taken what the tables would cost.
        let wanted =
            large.take().filter(|large| patience_for(large, effort, tables, clock).is_some());
        let Some(wanted) = wanted else { continue };
        match tables.get_large(goal, &wanted, effort, clock) {
            Ok(Some(got)) => {
                patterns = got;
                reason = grown(standing.bound - 2, took, wanted.cost(effort.threads));
            }
            // What was stored is damaged: whether they are worth building is another question.
            Ok(None) => large = tables.large(goal),
            // What has been proved stays.
            Err(limit) => {
                let outcome = Outcome::Stopped { limit, frontier: standing.bound };
                let report = SearchReport::new(outcome, standing.stats);
                return Ok(Some(Escalated { report, patterns, reason }));
            }
        }
    }
}

/// How long a round may take before large tables are got; forever if they cost more than there is.
fn patience_for(
    large: &Large,
    effort: Resources,
    tables: &Tables,
    clock: &Clock<'_>,
) -> Option<Duration> {
    let cost = large.cost(effort.threads);
    let has_time = clock.time_left().is_none_or(|left| 2 * cost <= left);
    let has_memory = effort.has_memory(large.n_bytes_to_get());
    let spent = tables.spent(large.boards());
    (has_time && has_memory).then(|| {
        // After the next round there must still be time for both.
        let left = clock.time_left().map_or(Duration::MAX, |left| left.saturating_sub(2 * cost));
        (cost.saturating_sub(spent) / GROWTH).min(left / (GROWTH + 1))
    })
}

/// Says why a search went on with better tables after the round at a bound.
pub(crate) fn grown(bound: Cost, took: Duration, cost: Duration) -> String {
    format!(
        "the search to the round at {bound} took {:.2} s, and to get them takes about {:.2} s",
        took.as_secs_f64(),
        cost.as_secs_f64()
    )
}

/// Where the search of a journal stands.
fn resumed(journal: &Journal) -> SearchState {
    let mut standing = SearchState::default();
    for round in journal.rounds() {
        standing.bound = round.at as u32 + 2;
        standing.stats.expanded += round.expanded;
        standing.stats.generated += round.generated;
        standing.last_round = round.expanded;
    }
    standing
}

/// Tells the watch of the rounds that an earlier run has done.
fn tell_rounds(journal: &Journal, clock: &mut Clock<'_>) {
    use npuzzle_core::search::{Stats, Watch};
    let mut stats = Stats::default();
    for round in journal.rounds() {
        stats.expanded += round.expanded;
        stats.generated += round.generated;
        clock.round(round.at as u32, &stats);
    }
}
