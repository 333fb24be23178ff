//! Full tables of ten and twelve cells in both metrics, the latter on one thread and on two.

use std::time::{Duration, Instant};

use npuzzle::tables::FullTable;
use npuzzle::{Board, Cell, Dims, Goal, Metric};
use npuzzle_tables::FullSpace;
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::solving::threads_name;
use crate::table::{Row, Table};

pub(crate) fn run(table: &mut Table) {
    table.part("full tables");
    for metric in Metric::ALL {
        // The canonical form of a board has at least as many rows as columns.
        build(table, "2x5", dims("5x2"), metric, 1);
        for (name, size) in [("3x4", "4x3"), ("2x6", "6x2")] {
            let [one, two] =
                [1, 2].map(|n_threads| build(table, name, dims(size), metric, n_threads));
            table.add(Row::ratio("  speed-up with two threads", one, two));
        }
    }
}

fn build(table: &mut Table, name: &str, dims: Dims, metric: Metric, n_threads: usize) -> Duration {
    let space = FullSpace::new(dims, Cell::new(0), metric).expect("twelve cells fit");
    let start = Instant::now();
    let built = npuzzle_tables::DistanceTable::build(space, n_threads, &mut ());
    let (built, time) = (built.expect("a build without a limit"), start.elapsed());
    let row = Row::time(format!("{name} {metric}, {}", threads_name(n_threads)), time)
        .nodes(space.n_boards() as u64)
        .bytes(built.bytes().len() as u64);
    let is_target = (name, metric, n_threads) == ("3x4", Metric::Stm, 2);
    table.add(if is_target { row.at_most(4.0) } else { row });
    let row = Row::rate("  boards per second, peak bytes", space.n_boards() as u64, time);
    table.add(row.bytes(space.build_bytes(n_threads) as u64));
    if n_threads == 1 {
        lookups(table, built, dims);
    }
    time
}

/// Measures lookups of random boards in a table that exceeds the processor's cache.
fn lookups(table: &mut Table, built: npuzzle_tables::DistanceTable, dims: Dims) {
    let goal = Goal::First.board(dims).expect("a goal");
    let built = FullTable::from_table(&goal, built).expect("a goal of these boards");
    let mut random = Random::new(2);
    let boards: Vec<Board> = (0..20_000).map(|_| random.board(dims)).collect();
    let start = Instant::now();
    let n_solved = boards.iter().filter_map(|board| built.path(board)).count() as u32;
    table.add(Row::time("  path of a board, mean of 10000", start.elapsed() / n_solved));
}
