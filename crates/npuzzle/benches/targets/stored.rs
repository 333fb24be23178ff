//! The folder of large tables, shared with the tests that take long, so that they are built once.

use std::path::{Path, PathBuf};
use std::time::Instant;

use npuzzle::tables::Store;
use npuzzle::{Dims, Goal, Instance};
use npuzzle_testkit::random::Random;

use crate::Effort;
use crate::solving::Solving;
use crate::table::{Figure, Row, Table};

/// The folder, empty if the tables are to be built anew.
pub(crate) fn folder(effort: Effort) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    if effort == Effort::Whole && folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of tables can be removed");
    }
    folder
}

/// What is said of tables whose building could not be measured.
pub(crate) const THERE: &str =
    "the tables are there already; the whole bench, without --quick and --part, builds them anew";

/// How many tables are in the folder.
pub(crate) fn n_tables(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.count())
}

/// Large tables for boards of a size, with rows for the time it takes to build and to load them.
pub(crate) fn solving(table: &mut Table, folder: &Path, dims: Dims, most: Most) -> Solving {
    // Tables are got for the first board, however easy it is.
    let goal = Goal::First.board(dims).expect("a goal");
    let start = Random::new(1).walk(&goal, 20);
    let instance = &Instance::new(start, &Goal::First).expect("goals by name fit");
    let n_before = n_tables(folder);
    let start = Instant::now();
    let names = Solving::large(folder, 2).solve(instance).tables;
    let first = start.elapsed();
    let start = Instant::now();
    let mut solving = Solving::large(folder, 1);
    solving.solve(instance);
    let again = start.elapsed();
    if n_tables(folder) > n_before {
        let built = first.saturating_sub(again);
        table.add(Row::time("tables built and kept, 2 threads", built).at_most(most.build));
    } else {
        table.note(THERE);
    }
    let path = |name: &String| Store::at(folder).path(&name.parse().ok()?);
    let n_bytes = names.iter().filter_map(path).filter_map(|path| path.metadata().ok());
    let n_bytes: u64 = n_bytes.map(|meta| meta.len()).sum();
    let row = Row::time("tables loaded and checked", again);
    table.add(row.bytes(n_bytes));
    if let Some(most) = most.bytes {
        table.add(Row::new("tables mapped", Figure::Bytes(n_bytes as f64)).at_most(most));
    }
    solving
}

/// The targets of large tables.
pub(crate) struct Most {
    /// Seconds to build them on two threads.
    pub(crate) build: f64,
    pub(crate) bytes: Option<f64>,
}
