//! The 24-puzzle: the easier ones of the fifty boards of Korf and Felner (2002), on one thread and on
//! two, with published node counts for comparison.

use std::path::Path;
use std::time::Duration;

use npuzzle::Goal;
use npuzzle_testkit::data::{self, TwentyFour};
use npuzzle_testkit::dims;

use crate::Effort;
use crate::solving::{Solved, Solving};
use crate::stored::{self, Targets};
use crate::table::{Figure, Row, Table};

/// The numbers of the boards, and the target of two threads in seconds. The boards of `COMPARED` are
/// solved on one thread as well.
const COMPARED: [(usize, f64); 3] = [(40, 1.4), (38, 0.96), (25, 5.3)];
const QUICK: [(usize, f64); 1] = [(44, 77.0)];
const FULL: [(usize, f64); 1] = [(36, 47.0)];

/// The minimum time of a search for which the speed-up has a target.
const LONG: Duration = Duration::from_secs(1);

pub(crate) fn run(table: &mut Table, folder: &Path, effort: Effort) {
    table.part("24-puzzle, large tables");
    let fifty = data::korf24();
    let targets = Targets { build: 300.0, bytes: None };
    let mut one_thread = stored::solving(table, folder, dims("5x5"), targets);
    let mut two_threads = one_thread.on(2);
    for (number, max_seconds) in COMPARED {
        let board = &fifty[number - 1];
        let first = one_thread.all(std::slice::from_ref(&board.known), &Goal::First);
        let row = Row::time(format!("{}, 1 thread", board.known.name), first.time);
        table.add(row.nodes(first.generated()));
        let rate = Row::rate("  nodes per second", first.generated(), first.time);
        table.add(rate.at_least(45e6));
        let second = on_two_threads(table, &mut two_threads, board, max_seconds);
        assert_eq!(first.generated(), second.generated(), "counts do not depend on threads");
        let row = Row::ratio("  speed-up with two threads", first.time, second.time);
        table.add(if first.time >= LONG { row.at_least(1.8) } else { row });
    }
    let longer = FULL.iter().filter(|_| effort == Effort::Full);
    for &(number, max_seconds) in QUICK.iter().chain(longer) {
        on_two_threads(table, &mut two_threads, &fifty[number - 1], max_seconds);
    }
}

fn on_two_threads(
    table: &mut Table,
    solving: &mut Solving,
    board: &TwentyFour,
    max_seconds: f64,
) -> Solved {
    let solved = solving.all(std::slice::from_ref(&board.known), &Goal::First);
    let row = Row::time(format!("{}, 2 threads", board.known.name), solved.time);
    table.add(row.nodes(solved.generated()).at_most(max_seconds));
    for (name, published) in [
        ("  nodes of 2002, relative to ours", board.nodes_2002),
        ("  nodes of 2018, relative to ours", board.nodes_2018),
    ] {
        let ratio = published as f64 / solved.generated() as f64;
        table.add(Row::new(name, Figure::Ratio(ratio)).nodes(published));
    }
    solved
}
