//! Interrupted builds continue from their checkpoints, with the same result.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::{Partition, PatternDatabase, PdbKind, PdbSet, Store, TableSpec};
use npuzzle_testkit::dims;
use tempfile::TempDir;

/// Stops a build when its progress exceeds `max_share`.
struct StopAfter {
    max_share: f64,
}

impl Watch for StopAfter {
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        assert!((0.0..=1.0).contains(&share), "{share}");
        if share > self.max_share {
            return ControlFlow::Break(Limit::Interrupted);
        }
        ControlFlow::Continue(())
    }
}

/// Stops a build when it has written a new checkpoint.
struct StopAtCheckpoint<'a> {
    checkpoint: &'a Path,
    last: &'a [u8],
}

impl Watch for StopAtCheckpoint<'_> {
    fn building(&mut self, _: f64) -> ControlFlow<Limit> {
        if fs::read(self.checkpoint).unwrap_or_default() == self.last {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
}

fn partition() -> Partition {
    let patterns: [&[u8]; 3] = [&[1, 4, 5, 8, 9], &[2, 3, 6, 7], &[10, 11, 12]];
    Partition::new(dims("4x4"), Cell::new(0), &patterns, PdbKind::Excess).unwrap()
}

/// A store with a checkpoint after every level.
fn store(folder: &TempDir) -> Store {
    Store::at(folder.path()).checkpoint_every(Duration::ZERO)
}

fn checkpoint_of(folder: &Path, spec: &TableSpec) -> PathBuf {
    folder.join(format!("{}.draft", spec.name()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn build_interrupted_at_every_level_has_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let spec = partition().spec("").unwrap();
    let whole = partition().build(1, &mut ()).unwrap().to_vec();
    let checkpoint = checkpoint_of(folder.path(), &spec);
    let mut n_stops = 0;
    let got = loop {
        let last = fs::read(&checkpoint).unwrap_or_default();
        let mut watch = StopAtCheckpoint { checkpoint: &checkpoint, last: &last };
        match spec.get(&store(&folder), 1 + n_stops % 3, &mut watch) {
            Ok(got) => break got,
            Err(limit) => assert_eq!(limit, Limit::Interrupted),
        }
        n_stops += 1;
        assert!(names(folder.path()).iter().all(|name| name.ends_with(".draft")));
    };
    let blank = Cell::new(0);
    let bytes = partition().build(1, &mut ()).unwrap();
    let set = PdbSet::from_bytes(&partition(), &bytes).unwrap();
    let n_levels: usize = (set.tables().iter())
        .map(|(pattern, _)| PatternDatabase::build(dims("4x4"), blank, pattern).unwrap())
        .map(|table| table.histogram().len() - 1)
        .sum();
    // There is also one after each pattern but the last.
    assert!(n_stops >= n_levels + 2, "{n_stops} {n_levels}");
    assert!(got.is_built && got.warnings.is_empty() && *got.bytes == *whole);
    assert_eq!(names(folder.path()), [format!("{}.table", spec.name())]);
}

/// The checkpoint of a build that was interrupted half way.
fn interrupt(folder: &TempDir, spec: &TableSpec) -> Vec<u8> {
    let mut watch = StopAfter { max_share: 0.5 };
    assert!(spec.get(&store(folder), 2, &mut watch).is_err());
    fs::read(checkpoint_of(folder.path(), spec)).unwrap()
}

/// Completes a build, and returns the first progress above 0 that it reports.
fn first_share(folder: &TempDir, spec: &TableSpec, expected: &[u8]) -> f64 {
    struct First(Option<f64>);
    impl Watch for First {
        fn building(&mut self, share: f64) -> ControlFlow<Limit> {
            if share > 0.0 {
                self.0.get_or_insert(share);
            }
            ControlFlow::Continue(())
        }
    }
    let mut first = First(None);
    let got = spec.get(&store(folder), 2, &mut first).unwrap();
    assert!(*got.bytes == *expected && got.warnings.is_empty());
    assert_eq!(names(folder.path()), [format!("{}.table", spec.name())]);
    Store::at(folder.path()).remove(spec.name()).unwrap();
    first.0.unwrap()
}

#[test]
fn damaged_or_foreign_checkpoint_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let spec = partition().spec("").unwrap();
    let whole = partition().build(1, &mut ()).unwrap().to_vec();
    let checkpoint = interrupt(&folder, &spec);
    let path = checkpoint_of(folder.path(), &spec);
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = checkpoint.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        first_share(&folder, &spec, &whole)
    };
    assert!(changed(&|_| {}) > 0.4);
    assert!(changed(&|bytes| bytes.clear()) < 0.01);
    assert!(changed(&|bytes| bytes.truncate(5000)) < 0.01);
    assert!(changed(&|bytes| bytes[4096] ^= 1) < 0.01);
    assert!(changed(&|bytes| *bytes.last_mut().unwrap() ^= 1) < 0.01);
    // An intact checkpoint under the name of another table.
    let other = Partition::quick(dims("3x4"), Cell::new(5), PdbKind::ZeroAware).unwrap();
    let other_spec = other.spec("").unwrap();
    fs::write(checkpoint_of(folder.path(), &other_spec), &checkpoint).unwrap();
    let expected = other.build(1, &mut ()).unwrap().to_vec();
    assert!(first_share(&folder, &other_spec, &expected) < 0.01);
}

#[test]
fn checkpoint_is_removed_with_its_own_table_only() {
    let folder = tempfile::tempdir().unwrap();
    let spec = partition().spec("").unwrap();
    interrupt(&folder, &spec);
    let path = checkpoint_of(folder.path(), &spec);
    let other =
        Partition::quick(dims("3x4"), Cell::new(5), PdbKind::ZeroAware).unwrap().spec("").unwrap();
    other.get(&store(&folder), 1, &mut ()).unwrap();
    assert!(path.exists());
    assert!(!Store::at(folder.path()).remove(spec.name()).unwrap());
    assert_eq!(names(folder.path()), [format!("{}.table", other.name())]);
}

#[test]
fn short_build_writes_no_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let spec = partition().spec("").unwrap();
    let mut watch = StopAfter { max_share: 0.5 };
    let store = Store::at(folder.path()).checkpoint_every(Duration::from_secs(3600));
    assert!(spec.get(&store, 2, &mut watch).is_err());
    assert!(names(folder.path()).is_empty());
}
