//! The 24-puzzle: the easier ones of the fifty boards of Korf and Felner, on one thread and two, beside
//! the node counts that others have published.

use std::path::Path;
use std::time::Duration;

use npuzzle::Goal;
use npuzzle_testkit::data::{self, TwentyFour};
use npuzzle_testkit::dims;

use crate::Effort;
use crate::solving::{Solved, Solving};
use crate::stored::{self, Most};
use crate::table::{Figure, Row, Table};

/// Numbers of boards, and the seconds that two threads may take: first those that are solved on one
/// thread as well.
const COMPARED: [(usize, f64); 3] = [(40, 1.4), (38, 0.96), (25, 5.3)];
const QUICK: [(usize, f64); 1] = [(44, 77.0)];
const WHOLE: [(usize, f64); 1] = [(36, 47.0)];

/// Seconds from which on two threads are asked to gain.
const LONG: Duration = Duration::from_secs(1);

pub(crate) fn run(table: &mut Table, folder: &Path, effort: Effort) {
    table.part("24-puzzle, large tables");
    let fifty = data::korf24();
    let most = Most { build: 300.0, bytes: None };
    let mut alone = stored::solving(table, folder, dims("5x5"), most);
    let mut both = alone.on(2);
    for (number, most) in COMPARED {
        let board = &fifty[number - 1];
        let first = alone.all(std::slice::from_ref(&board.known), &Goal::First);
        let row = Row::time(format!("{}, 1 thread", board.known.name), first.time);
        table.add(row.nodes(first.generated()));
        let rate = Row::rate("  nodes per second", first.generated(), first.time);
        table.add(rate.at_least(45e6));
        let second = on_two_threads(table, &mut both, board, most);
        assert_eq!(first.generated(), second.generated(), "threads change no counts");
        let row = Row::ratio("  two threads against one", first.time, second.time);
        table.add(if first.time >= LONG { row.at_least(1.8) } else { row });
    }
    let longer = WHOLE.iter().filter(|_| effort == Effort::Whole);
    for &(number, most) in QUICK.iter().chain(longer) {
        on_two_threads(table, &mut both, &fifty[number - 1], most);
    }
}

fn on_two_threads(table: &mut Table, both: &mut Solving, board: &TwentyFour, most: f64) -> Solved {
    let solved = both.all(std::slice::from_ref(&board.known), &Goal::First);
    let row = Row::time(format!("{}, 2 threads", board.known.name), solved.time);
    table.add(row.nodes(solved.generated()).at_most(most));
    for (what, published) in [
        ("  nodes published in 2002 against ours", board.nodes_2002),
        ("  nodes published in 2018 against ours", board.nodes_2018),
    ] {
        let ratio = published as f64 / solved.generated() as f64;
        table.add(Row::new(what, Figure::Ratio(ratio)).nodes(published));
    }
    solved
}
