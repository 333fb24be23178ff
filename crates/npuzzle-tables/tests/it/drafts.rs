//! Builds that are cut off go on from what they have written down, to the same bytes.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use npuzzle_core::Cell;
use npuzzle_core::search::{Limit, Watch};
use npuzzle_tables::{Partition, PatternDatabase, Store, TableSpec, Width};
use npuzzle_testkit::dims;
use tempfile::TempDir;

/// Ends a build as soon as it is farther than this.
struct Cutter {
    farthest: f64,
}

impl Watch for Cutter {
    fn building(&mut self, share: f64) -> ControlFlow<Limit> {
        assert!((0.0..=1.0).contains(&share), "{share}");
        if share > self.farthest {
            return ControlFlow::Break(Limit::Interrupted);
        }
        ControlFlow::Continue(())
    }
}

/// Ends a build as soon as it has written a new draft.
struct AfterDraft<'a> {
    draft: &'a Path,
    last: &'a [u8],
}

impl Watch for AfterDraft<'_> {
    fn building(&mut self, _: f64) -> ControlFlow<Limit> {
        if fs::read(self.draft).unwrap_or_default() == self.last {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
}

fn partition() -> Partition {
    let patterns: [&[u8]; 3] = [&[1, 4, 5, 8, 9], &[2, 3, 6, 7], &[10, 11, 12]];
    Partition::new(dims("4x4"), Cell::new(0), &patterns, Width::Four).unwrap()
}

/// Writes a draft after every level.
fn store(folder: &TempDir) -> Store {
    Store::at(folder.path()).checkpoint_every(Duration::ZERO)
}

fn draft_of(folder: &Path, recipe: &TableSpec) -> PathBuf {
    folder.join(format!("{}.draft", recipe.name()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_build_that_is_cut_off_at_every_level_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = partition().spec("").unwrap();
    let whole = partition().build(1, &mut ()).unwrap().bytes();
    let draft = draft_of(folder.path(), &recipe);
    let mut n_cut = 0;
    let got = loop {
        let last = fs::read(&draft).unwrap_or_default();
        let mut watch = AfterDraft { draft: &draft, last: &last };
        match recipe.get(&store(&folder), 1 + n_cut % 3, &mut watch) {
            Ok(got) => break got,
            Err(limit) => assert_eq!(limit, Limit::Interrupted),
        }
        n_cut += 1;
        assert!(names(folder.path()).iter().all(|name| name.ends_with(".draft")));
    };
    let blank = Cell::new(0);
    let set = partition().build(1, &mut ()).unwrap();
    let n_levels: usize = (set.tables().iter())
        .map(|(pattern, _)| PatternDatabase::build(dims("4x4"), blank, pattern).unwrap())
        .map(|table| table.histogram().len() - 1)
        .sum();
    // And once when a pattern is done, but for the last.
    assert!(n_cut >= n_levels + 2, "{n_cut} {n_levels}");
    assert!(got.is_built && got.warnings.is_empty() && *got.bytes == *whole);
    assert_eq!(names(folder.path()), [format!("{}.table", recipe.name())]);
}

/// A draft of a build that was cut off half way.
fn cut_off(folder: &TempDir, recipe: &TableSpec) -> Vec<u8> {
    let mut watch = Cutter { farthest: 0.5 };
    assert!(recipe.get(&store(folder), 2, &mut watch).is_err());
    fs::read(draft_of(folder.path(), recipe)).unwrap()
}

/// Where a build begins: the first share that is told beyond 0.
fn first_share(folder: &TempDir, recipe: &TableSpec, expect: &[u8]) -> f64 {
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
    let got = recipe.get(&store(folder), 2, &mut first).unwrap();
    assert!(*got.bytes == *expect && got.warnings.is_empty());
    assert_eq!(names(folder.path()), [format!("{}.table", recipe.name())]);
    Store::at(folder.path()).remove(recipe.name()).unwrap();
    first.0.unwrap()
}

#[test]
fn a_draft_that_is_damaged_or_of_another_table_is_not_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = partition().spec("").unwrap();
    let whole = partition().build(1, &mut ()).unwrap().bytes();
    let draft = cut_off(&folder, &recipe);
    let path = draft_of(folder.path(), &recipe);
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = draft.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        first_share(&folder, &recipe, &whole)
    };
    assert!(changed(&|_| {}) > 0.4);
    assert!(changed(&|bytes| bytes.clear()) < 0.01);
    assert!(changed(&|bytes| bytes.truncate(5000)) < 0.01);
    assert!(changed(&|bytes| bytes[4096] ^= 1) < 0.01);
    assert!(changed(&|bytes| *bytes.last_mut().unwrap() ^= 1) < 0.01);
    // A whole draft under the name of another table.
    let other = Partition::quick(dims("3x4"), Cell::new(5)).unwrap();
    let other_recipe = other.spec("").unwrap();
    fs::write(draft_of(folder.path(), &other_recipe), &draft).unwrap();
    let expect = other.build(1, &mut ()).unwrap().bytes();
    assert!(first_share(&folder, &other_recipe, &expect) < 0.01);
}

#[test]
fn a_draft_goes_with_its_table_and_stays_when_others_are_built() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = partition().spec("").unwrap();
    cut_off(&folder, &recipe);
    let path = draft_of(folder.path(), &recipe);
    let other = Partition::quick(dims("3x4"), Cell::new(5)).unwrap().spec("").unwrap();
    other.get(&store(&folder), 1, &mut ()).unwrap();
    assert!(path.exists());
    assert!(!Store::at(folder.path()).remove(recipe.name()).unwrap());
    assert_eq!(names(folder.path()), [format!("{}.table", other.name())]);
}

#[test]
fn short_builds_write_no_drafts() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = partition().spec("").unwrap();
    let mut watch = Cutter { farthest: 0.5 };
    let store = Store::at(folder.path()).checkpoint_every(Duration::from_secs(3600));
    assert!(recipe.get(&store, 2, &mut watch).is_err());
    assert!(names(folder.path()).is_empty());
}
