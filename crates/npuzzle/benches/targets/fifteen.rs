//! The 15-puzzle: Korf's hundred boards and the hardest boards, with embedded and with large tables, in
//! both metrics.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use npuzzle::search::plan;
use npuzzle::tables::Store;
use npuzzle::{Goal, Instance, Metric, Options, Report, Tables, format};
use npuzzle_tables::{SlideAutomaton, ZeroAwareSet};
use npuzzle_testkit::data::{self, Known};
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::solving::{Solved, Solving, instance, threads_name};
use crate::stored::{self, Targets};
use crate::table::{Figure, Row, Table};
use crate::{Effort, memory, plain_ida, process};

/// The nodes of plain IDA* with Manhattan distance that the time is compared with.
const PLAIN_NODES: u64 = 100_000_000;

/// Measures the embedded tables.
pub(crate) fn embedded(table: &mut Table, effort: Effort) {
    table.part("15-puzzle, embedded tables");
    let set = ZeroAwareSet::embedded().expect("part of the program").bytes().len();
    let automaton = SlideAutomaton::embedded().expect("part of the program").bytes().len();
    let row = Row::new("tables and automaton", Figure::Bytes((set + automaton) as f64));
    table.add(row.at_most(4e6));
    let boards = data::korf100();
    let one = Solving::embedded(1).best_of_three(&boards, &Goal::First);
    let row = Row::time("Korf's 100, 1 thread, best of 3", one.time).nodes(one.generated());
    table.add(row.at_most(0.6));
    table.add(Row::rate("  nodes per second", one.generated(), one.time));
    let plain = [(); 3].map(|()| plain_ida::time_of(PLAIN_NODES, &boards)).into_iter().min();
    let row = Row::ratio("  relative to plain IDA*", one.time, plain.expect("three"));
    table.add(row.nodes(PLAIN_NODES).at_most(0.75));
    let median = one.median();
    table.add(Row::time("  median board", median.time).nodes(median.stats.generated));
    let all_cores = Solving::embedded(0).best_of_three(&boards, &Goal::First);
    assert_eq!(all_cores.generated(), one.generated(), "counts do not depend on threads");
    let row = Row::time("Korf's 100, all cores, best of 3", all_cores.time);
    table.add(row.nodes(all_cores.generated()));
    table.add(Row::ratio("  speed-up with all cores", one.time, all_cores.time));
    let board = median.instance.start().slash().to_string();
    if let Some(answer) = process::answer(&[&board, "--goal", "first"]) {
        table.add(Row::time("new process, median board", answer).at_most(5e-3));
    }
    if let Some(bytes) = memory::of("embedded") {
        table.add(
            Row::new("  peak memory of the process", Figure::Bytes(bytes as f64)).at_most(16e6),
        );
    }
    if effort == Effort::Full {
        let one = hardest(table, &mut Solving::embedded(1), 1, None);
        let two = hardest(table, &mut Solving::embedded(2), 2, None);
        speed_up(table, &one, &two);
        without_stored_tables(table);
    }
}

/// Measures the boards of 80 moves on two threads with the tables that the search chooses, if none are stored.
fn without_stored_tables(table: &mut Table) {
    for (number, board) in (1..).zip(&antipodes("antipodes_4x4_80.txt", 80)) {
        let options = Options { threads: NonZeroUsize::new(2), ..Options::default() };
        let start = Instant::now();
        let board = instance(board, &Goal::Last);
        let report = options.solve_with(&board, &mut Tables::new(), &mut ()).expect("a 15-puzzle");
        let name = format!("80 moves, board {number}, 2 threads, tables as needed");
        table.add(Row::time(name, start.elapsed()).nodes(report.stats.generated).at_most(3.0));
    }
}

/// Measures the large tables, which are built once and stored.
pub(crate) fn large(table: &mut Table, folder: &Path) {
    table.part("15-puzzle, large tables");
    let boards = data::korf100();
    let targets = Targets { build: 60.0, bytes: Some(300e6) };
    let mut solving = stored::solving(table, folder, dims("4x4"), targets);
    let korf = solving.best_of_three(&boards, &Goal::First);
    let row = Row::time("Korf's 100, 1 thread, best of 3", korf.time).nodes(korf.generated());
    table.add(row.at_most(0.12));
    table.add(Row::rate("  nodes per second", korf.generated(), korf.time));
    let one = hardest(table, &mut solving, 1, Some(0.5));
    let two = hardest(table, &mut solving.on(2), 2, None);
    speed_up(table, &one, &two);
}

/// Measures the boards of 80 moves.
fn hardest(
    table: &mut Table,
    solving: &mut Solving,
    threads: usize,
    max_seconds: Option<f64>,
) -> Solved {
    let boards = antipodes("antipodes_4x4_80.txt", 80);
    let solved = solving.all(&boards, &Goal::Last);
    for (number, report) in (1..).zip(&solved.reports) {
        let name = format!("80 moves, board {number}, {}", threads_name(threads));
        let row = Row::time(name, report.time).nodes(report.stats.generated);
        table.add(if let Some(max) = max_seconds { row.at_most(max) } else { row });
    }
    solved
}

fn speed_up(table: &mut Table, one: &Solved, two: &Solved) {
    assert_eq!(one.generated(), two.generated(), "counts do not depend on threads");
    let row = Row::ratio("  speed-up with two threads", one.time, two.time);
    // Short searches have no target.
    let is_long = one.longest().time.as_secs() >= 1;
    table.add(if is_long { row.at_least(1.8) } else { row });
}

/// Measures the boards of 43 moves in the multi-tile metric.
pub(crate) fn runs(table: &mut Table, folder: &Path) {
    table.part("15-puzzle, multi-tile metric");
    let boards = antipodes("antipodes_4x4_43_multi_tile.txt", 43);
    let mut solving = Solving::large(folder, 0);
    solving.options = Options { metric: Metric::Mtm, ..solving.options };
    if let Err(error) = plan(&instance(&boards[0], &Goal::Last), &solving.options) {
        return table.note(&format!("skipped: {error}"));
    }
    let n_before = stored::n_tables(folder);
    let start = Instant::now();
    solving.all(&boards[..1], &Goal::Last);
    let first = start.elapsed();
    // A second time with only the tables on disk.
    solving.tables = Tables::with_store(Store::at(folder));
    let start = Instant::now();
    solving.all(&boards[..1], &Goal::Last);
    let again = start.elapsed();
    if stored::n_tables(folder) > n_before {
        table.add(Row::time("tables built", first.saturating_sub(again)).at_most(10.0));
    } else {
        table.note(stored::ALREADY_BUILT);
    }
    let solved = solving.all(&boards, &Goal::Last);
    for (number, report) in (1..).zip(&solved.reports) {
        let row = Row::time(format!("43 moves, board {number}, all cores"), report.time);
        table.add(row.nodes(report.stats.generated).at_most(2.0));
    }
    let mut random = Random::new(43);
    let boards = std::iter::repeat_with(|| Instance::from(random.board(dims("4x4"))));
    let boards = boards.filter(Instance::is_solvable).take(100);
    let start = Instant::now();
    let reports: Vec<Report> = boards.map(|instance| solving.solve(&instance)).collect();
    let n_generated = reports.iter().map(|report| report.stats.generated).sum();
    let mean = start.elapsed() / reports.len() as u32;
    table.add(Row::time("100 random boards, mean", mean).nodes(n_generated).at_most(0.1));
}

/// Reads the boards of a file, all of the same length.
fn antipodes(file: &str, n_moves: u32) -> Vec<Known> {
    let text = data::text(file);
    let boards = format::read(&text, None).into_iter().zip(1..);
    let known = boards.map(|(entry, number)| Known {
        name: format!("{file} {number}"),
        board: entry.expect("a board").board,
        optimal: Some(n_moves),
    });
    known.collect()
}
