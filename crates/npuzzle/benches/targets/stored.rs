//! The folder of large tables, which the bench shares with the long tests.

use std::path::{Path, PathBuf};
use std::time::Instant;

use npuzzle::tables::Store;
use npuzzle::{Dims, Goal, Instance};
use npuzzle_testkit::random::Random;

use crate::Effort;
use crate::solving::Solving;
use crate::table::{Figure, Row, Table};

/// Returns the folder. A full run empties it, so that the tables are built again.
pub(crate) fn folder(effort: Effort) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    if effort == Effort::Full && folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of tables can be removed");
    }
    folder
}

/// The note that replaces the build time of existing tables.
pub(crate) const ALREADY_BUILT: &str =
    "the tables exist already; the full bench, without --quick and --part, builds them again";

/// Returns the number of tables in the folder.
pub(crate) fn n_tables(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.count())
}

/// Returns large tables for boards of a size, and adds rows for the times to build and to load them.
pub(crate) fn solving(table: &mut Table, folder: &Path, dims: Dims, targets: Targets) -> Solving {
    // The first board builds or loads the tables, even if it is easy.
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
        table.add(Row::time("tables built and stored, 2 threads", built).at_most(targets.build));
    } else {
        table.note(ALREADY_BUILT);
    }
    let path = |name: &String| Store::at(folder).path(&name.parse().ok()?);
    let n_bytes = names.iter().filter_map(path).filter_map(|path| path.metadata().ok());
    let n_bytes: u64 = n_bytes.map(|meta| meta.len()).sum();
    let row = Row::time("tables loaded and checked", again);
    table.add(row.bytes(n_bytes));
    if let Some(max_bytes) = targets.bytes {
        table.add(Row::new("tables mapped", Figure::Bytes(n_bytes as f64)).at_most(max_bytes));
    }
    solving
}

/// The targets of large tables.
pub(crate) struct Targets {
    /// The maximum time to build them on two threads, in seconds.
    pub(crate) build: f64,
    /// The maximum size of the files in bytes.
    pub(crate) bytes: Option<f64>,
}
