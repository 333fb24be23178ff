//! Solutions read from a table of all distances.

use npuzzle_core::Metric;
use npuzzle_core::search::{Limit, Outcome, Stats};

use crate::engine::result::EngineResult;
use crate::engine::solve_context::SolveContext;
use crate::tables::cache::Tables;
use crate::tables::full::FullTable;

/// Looks up a shortest solution. The table is built if necessary.
pub(crate) fn solve(
    metric: Metric,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, Limit> {
    let SolveContext { instance, options, tables, clock, .. } = context;
    let goal = instance.goal();
    let mut look_up = |tables: &mut Tables| -> Result<_, Limit> {
        let table = tables.full_within(goal, metric, options, *clock)?;
        let route = table.and_then(|table| table.route(instance.start()));
        Ok((route, table.map_or(0, FullTable::bytes) as u64))
    };
    let (route, n_bytes) = match look_up(tables)? {
        // The board is solvable, so the entries are wrong, whatever their checksum says.
        (None, _) => {
            tables.discard_full(goal, metric);
            look_up(tables)?
        }
        found => found,
    };
    let (path, distance) = route.unzip();
    Ok(EngineResult {
        outcome: path.map_or(Outcome::Unsolvable, Outcome::Solved),
        is_shortest: true,
        lower_bound: distance,
        h_start: distance,
        stats: Stats { peak_bytes: n_bytes, ..Stats::default() },
        ..EngineResult::unsolvable()
    })
}
