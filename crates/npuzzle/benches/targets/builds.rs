//! The time to build move-pruning automata and pattern databases.

use std::time::{Duration, Instant};

use npuzzle::Cell;
use npuzzle_tables::{Partition, PdbKind, SlideAutomaton};
use npuzzle_testkit::dims;

use crate::Effort;
use crate::solving::threads_name;
use crate::table::{Row, Table};

pub(crate) fn run(table: &mut Table, effort: Effort) {
    table.part("builds");
    let start = Instant::now();
    let automaton = SlideAutomaton::new(10);
    let bytes = automaton.bytes().len() as u64;
    table.add(Row::time("move-pruning automaton of depth 10", start.elapsed()).bytes(bytes));
    for (size, blank) in [("3x4", 0), ("3x5", 0), ("4x4", 5)] {
        let partition = Partition::quick(dims(size), Cell::new(blank), PdbKind::ZeroAware);
        let start = Instant::now();
        let bytes = partition.expect("up to 16 cells").build(1, &mut ()).expect("no limit");
        let time = start.elapsed();
        let row = Row::time(format!("{size}, blank at {blank}: small tables"), time);
        table.add(row.bytes(bytes.len() as u64));
    }
    let tiles: &[u8] = &[8, 9, 10, 11, 12, 13, 14, 15];
    let one = pattern(table, &tiles[2..], 1, None);
    let two = pattern(table, &tiles[2..], 2, None);
    table.add(Row::ratio("  speed-up with two threads", one, two));
    // A third of the time of the first builder.
    pattern(table, &tiles[1..], 2, Some(14.0 / 3.0));
    if effort == Effort::Full {
        pattern(table, tiles, 2, Some(172.0 / 3.0));
    }
}

/// Builds the zero-aware pattern database of some tiles of a 4x4 board with the goal blank in a corner.
fn pattern(
    table: &mut Table,
    tiles: &[u8],
    n_threads: usize,
    max_seconds: Option<f64>,
) -> Duration {
    let partition = Partition::new(dims("4x4"), Cell::new(0), &[tiles], PdbKind::ZeroAware);
    let partition = partition.expect("tiles of the board");
    let start = Instant::now();
    let bytes = partition.build(n_threads, &mut ()).expect("a build without a limit");
    let time = start.elapsed();
    let name =
        format!("4x4: pattern database of {} tiles, {}", tiles.len(), threads_name(n_threads));
    let row = Row::time(name, time).nodes(partition.n_ranks() as u64);
    let row = row.bytes(bytes.len() as u64);
    table.add(if let Some(max) = max_seconds { row.at_most(max) } else { row });
    time
}
