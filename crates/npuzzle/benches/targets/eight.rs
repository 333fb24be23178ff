//! The 8-puzzle: solutions from the embedded table.

use std::hint::black_box;
use std::time::Instant;

use npuzzle::tables::FullTable;
use npuzzle::{Board, Dims, Goal, Instance, Metric, Options, Tables};
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::process;
use crate::table::{Row, Table};

const N_BOARDS: u32 = 100_000;

pub(crate) fn run(table: &mut Table) {
    table.part("8-puzzle");
    batch(table);
    match (process::empty(), process::answer(&["8 1 3/4 0 2/7 6 5"])) {
        (Some(empty), Some(answer)) => {
            table.add(Row::time("empty process, best of 200", empty));
            table.add(Row::time("process that solves a board, best of 200", answer));
            let row = Row::ratio("  relative to an empty process", answer, empty);
            table.add(row.at_most(1.5));
        }
        (None, _) => table.note("processes are skipped: there is no program `true`"),
        (_, None) => {
            table.note("processes are skipped: `cargo xtask bench` builds the program first")
        }
    }
}

fn batch(table: &mut Table) {
    let dims = dims("3x3");
    let goal = Goal::Last.board(dims).expect("a goal");
    let start = Instant::now();
    let moves = FullTable::build(&goal, Metric::Stm).expect("nine cells fit");
    table.add(Row::time("best moves, embedded", start.elapsed()).bytes(moves.bytes() as u64));
    let boards = solvable(dims, N_BOARDS as usize);
    let pass = |_| {
        let start = Instant::now();
        let slides: usize = boards.iter().filter_map(|b| moves.path(b)).map(|p| p.len()).sum();
        assert!(slides > 2_000_000);
        start.elapsed() / N_BOARDS
    };
    let time = (0..5).map(pass).min().expect("some passes");
    table.add(Row::time("path of a board, mean of 100000, best of 5", time).at_most(250e-9));
    let (options, mut tables) = (Options::default(), Tables::new());
    let instances: Vec<_> = boards.into_iter().map(Instance::from).collect();
    let start = Instant::now();
    for instance in &instances {
        black_box(options.solve_with(instance, &mut tables, &mut ()).expect("a plan"));
    }
    table.add(Row::time("  with a report and a replay", start.elapsed() / N_BOARDS));
}

/// Random solvable boards.
pub(crate) fn solvable(dims: Dims, n_boards: usize) -> Vec<Board> {
    let mut random = Random::new(1);
    let boards = std::iter::repeat_with(|| random.board(dims));
    boards.filter(|board| Instance::from(board.clone()).is_solvable()).take(n_boards).collect()
}
