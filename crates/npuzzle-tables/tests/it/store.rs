//! A table of a store is whole and right, or it is not there; whoever asks gets it all the same.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_tables::{
    Abstraction, BuildContext, Damage, DistanceTable, FullSpace, LoadedTable, MtmTable, PackedPdb,
    Partition, PdbSet, Store, StoreError, StoreWarning, TableName, TableSpec,
};
use tempfile::TempDir;

const LEN: usize = 10_000;

fn name(text: &str) -> TableName {
    text.parse().unwrap()
}

fn payload() -> Vec<u8> {
    (0..LEN).map(|at| ((at * at) >> 3) as u8).collect()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Asks for the table `t`, which must come out right.
fn get(store: &Store) -> LoadedTable {
    let got = store.get_or_build(&name("t"), LEN, &mut (), |_| Ok(payload())).unwrap();
    assert_eq!(&*got.bytes, &*payload());
    assert_eq!(got.bytes.as_ptr().align_offset(8), 0);
    got
}

fn warnings(got: &LoadedTable) -> Vec<String> {
    got.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_table_is_built_once_and_found_afterwards() {
    let folder = folder();
    let store = Store::at(folder.path().join("made/when/needed"));
    assert_eq!(store.load(&name("t"), LEN, &mut ()).unwrap(), None);
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), None);
    assert!(store.list().unwrap().is_empty());
    assert!(names(folder.path()).is_empty(), "looking makes no folder");
    for expect_built in [true, false, false] {
        let got = get(&store);
        assert_eq!(got.is_built, expect_built);
        assert!(got.bytes.is_mapped() && got.warnings.is_empty());
    }
    assert_eq!(names(store.folder().unwrap()), ["t.table"]);
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), Some(LEN as u64));
    let listed = store.list().unwrap();
    assert_eq!((listed[0].name.as_str(), *listed[0].len.as_ref().unwrap()), ("t", LEN as u64));
    assert_eq!(listed[0].file_len, 4096 + LEN as u64);
}

#[test]
fn tables_of_no_bytes_are_tables() {
    let folder = folder();
    let store = Store::at(folder.path());
    for expect_built in [true, false] {
        let got = store.get_or_build(&name("empty"), 0, &mut (), |_| Ok(vec![])).unwrap();
        assert_eq!((got.bytes.len(), got.is_built), (0, expect_built));
    }
}

#[test]
fn without_a_folder_nothing_is_kept() {
    let store = Store::none();
    for _ in 0..2 {
        let got = get(&store);
        assert!(got.is_built && !got.bytes.is_mapped() && got.warnings.is_empty());
    }
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), None);
    assert!(store.list().unwrap().is_empty() && !store.remove(&name("t")).unwrap());
}

/// Puts something in place of a good table file: it is named, and built anew.
fn check_damage(change: impl FnOnce(&mut Vec<u8>), expect: Damage) {
    let folder = folder();
    let store = Store::at(folder.path());
    get(&store);
    let path = store.path(&name("t")).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    for found in [
        store.load(&name("t"), LEN, &mut ()).map(|_| ()),
        store.verify(&name("t"), &mut ()).map(|_| ()),
    ] {
        let Err(StoreError::Damaged { path: named, damage }) = found else { panic!("{found:?}") };
        assert_eq!((&named, &damage), (&path, &expect));
    }
    let is_listed_damaged = store.list().unwrap()[0].len.is_err();
    assert_eq!(is_listed_damaged, expect != Damage::Payload, "the payload is not looked at");
    let got = get(&store);
    assert!(got.is_built && got.bytes.is_mapped());
    assert_eq!(warnings(&got), [format!("{}: damaged: {expect}; it was rebuilt", path.display())]);
    assert!(!get(&store).is_built);
    assert_eq!(names(folder.path()), ["t.table"]);
}

#[test]
fn damaged_tables_are_named_and_built_anew() {
    let expected = 4096 + LEN as u64;
    check_damage(|bytes| bytes.clear(), Damage::Foreign);
    check_damage(|bytes| *bytes = b"MZ, and something else".repeat(1000), Damage::Foreign);
    check_damage(|bytes| bytes.truncate(4000), Damage::Length { found: 4000, expected: 4096 });
    check_damage(|bytes| bytes.truncate(5000), Damage::Length { found: 5000, expected });
    check_damage(|bytes| bytes.push(0), Damage::Length { found: expected + 1, expected });
    check_damage(|bytes| bytes[8] = 2, Damage::Version { found: 2 });
    check_damage(|bytes| bytes[20] ^= 4, Damage::Header);
    for at in [4096, 9000, 4095 + LEN] {
        check_damage(|bytes| bytes[at] ^= 1, Damage::Payload);
    }
}

#[test]
fn a_table_under_another_name_or_of_another_length_is_no_table() {
    let folder = folder();
    let store = Store::at(folder.path());
    get(&store);
    let [t, u] = ["t", "u"].map(name);
    fs::copy(store.path(&t).unwrap(), store.path(&u).unwrap()).unwrap();
    let found = store.load(&u, LEN, &mut ()).unwrap_err();
    assert!(found.to_string().ends_with("u.table: damaged: contains another table, t"), "{found}");
    let found = store.load(&t, LEN + 1, &mut ()).unwrap_err();
    assert!(found.to_string().ends_with("damaged: 14096 bytes instead of 14097"), "{found}");
}

#[test]
fn what_is_no_file_is_no_table() {
    let folder = folder();
    let store = Store::at(folder.path());
    fs::create_dir(folder.path().join("t.table")).unwrap();
    let got = get(&store);
    assert!(matches!(
        &got.warnings[..],
        [
            StoreWarning::Rebuilt(StoreError::Damaged { damage: Damage::Foreign, .. }),
            StoreWarning::NotKept(_)
        ]
    ));
    assert!(!got.bytes.is_mapped());
    assert_eq!(names(folder.path()), ["t.table"]);
    assert!(store.remove(&name("t")).is_err());
}

#[test]
fn a_folder_that_cannot_be_made_degrades_to_memory() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let store = Store::at(file.join("below"));
    assert_eq!(store.load(&name("t"), LEN, &mut ()).unwrap(), None);
    assert!(store.list().is_err() && store.prepare().is_err());
    assert!(!store.remove(&name("t")).unwrap());
    let got = get(&store);
    assert!(got.is_built && !got.bytes.is_mapped());
    let [StoreWarning::NotKept(StoreError::Io { path, .. })] = &got.warnings[..] else {
        panic!("{:?}", got.warnings);
    };
    assert_eq!(path, store.folder().unwrap());
}

#[test]
fn a_builder_that_gives_another_length_is_not_kept() {
    let folder = folder();
    let store = Store::at(folder.path());
    let got = store.get_or_build(&name("t"), LEN, &mut (), |_| Ok(vec![1, 2, 3])).unwrap();
    assert_eq!((&*got.bytes, got.warnings.len()), (&[1u8, 2, 3][..], 1));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_stopped_build_leaves_nothing() {
    let folder = folder();
    let store = Store::at(folder.path());
    let stopped = store.get_or_build(&name("t"), LEN, &mut (), |_| Err(Limit::Time));
    assert_eq!(stopped.unwrap_err(), Limit::Time);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_removed_table_stays_with_those_who_have_it() {
    let folder = folder();
    let store = Store::at(folder.path());
    let got = get(&store);
    assert!(store.remove(&name("t")).unwrap() && !store.remove(&name("t")).unwrap());
    assert!(names(folder.path()).is_empty());
    assert_eq!(&*got.bytes, &*payload());
    // So does one that was replaced.
    let again = get(&store);
    fs::write(store.path(&name("t")).unwrap().with_extension("other"), "x").unwrap();
    fs::rename(folder.path().join("t.other"), folder.path().join("t.table")).unwrap();
    assert_eq!(&*again.bytes, &*payload());
}

#[test]
fn leftovers_of_killed_builders_go_with_the_next_build() {
    let folder = folder();
    let store = Store::at(folder.path());
    let leftovers = ["t.abc123.tmp", "t.lock", "other.xyz.tmp", "other.lock", "third.tmp.tmp"];
    for leftover in leftovers {
        fs::write(folder.path().join(leftover), "half a table").unwrap();
    }
    for foreign in ["mine.txt", "Other.Xyz.tmp", "tmp"] {
        fs::write(folder.path().join(foreign), "not of this program").unwrap();
    }
    get(&store);
    assert_eq!(names(folder.path()), ["Other.Xyz.tmp", "mine.txt", "t.table", "tmp"]);
    // Or with the removal of the table.
    for leftover in leftovers {
        fs::write(folder.path().join(leftover), "half a table").unwrap();
    }
    store.remove(&name("t")).unwrap();
    assert!(!names(folder.path()).iter().any(|name| name.starts_with("t.")));
    assert!(folder.path().join("other.xyz.tmp").exists());
}

#[test]
fn what_is_being_built_is_left_alone() {
    let folder = folder();
    let store = Store::at(folder.path());
    let build = |_: &mut dyn Watch| {
        // Its builder is alive, however it looks to the builder of another table.
        fs::write(folder.path().join("u.abc.tmp"), "half a table").unwrap();
        get(&store);
        assert!(!store.remove(&name("u")).unwrap());
        assert_eq!(names(folder.path()), ["t.table", "u.abc.tmp", "u.lock"]);
        fs::remove_file(folder.path().join("u.abc.tmp")).unwrap();
        Ok(vec![1])
    };
    assert!(store.get_or_build(&name("u"), 1, &mut (), build).unwrap().is_built);
    assert_eq!(names(folder.path()), ["t.table", "u.table"]);
}

/// Counts how often it is asked, and stops after so many times.
struct Patient<'a> {
    asked: &'a Cell<usize>,
    most: usize,
}

impl Watch for Patient<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() > self.most {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn who_waits_for_another_builder_looks_at_the_watch() {
    let folder = folder();
    let store = Store::at(folder.path());
    let build = |_: &mut dyn Watch| {
        let asked = Cell::new(0);
        let mut patient = Patient { asked: &asked, most: 3 };
        let waited = store.get_or_build(&name("t"), LEN, &mut patient, |_| unreachable!());
        assert_eq!((waited.unwrap_err(), asked.get()), (Limit::Interrupted, 4));
        Ok(payload())
    };
    let got = store.get_or_build(&name("t"), LEN, &mut (), build).unwrap();
    assert!(got.is_built && got.warnings.is_empty());
    assert_eq!(names(folder.path()), ["t.table"]);
}

#[test]
fn many_at_once_build_once() {
    let folder = folder();
    let n_built = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = Store::at(folder.path());
                let build = |_: &mut dyn Watch| {
                    n_built.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(50));
                    Ok(payload())
                };
                let got = store.get_or_build(&name("t"), LEN, &mut (), build).unwrap();
                assert_eq!(&*got.bytes, &*payload());
                assert!(got.warnings.is_empty());
            });
        }
    });
    assert_eq!(n_built.into_inner(), 1);
    assert_eq!(names(folder.path()), ["t.table"]);
}

#[test]
fn tables_are_verified_by_their_rules() {
    let partition = Partition::quick("3x4".parse().unwrap(), npuzzle_core::Cell::new(5)).unwrap();
    let runs = Abstraction::suited("3x3".parse().unwrap(), npuzzle_core::Cell::new(1), 3).unwrap();
    let home = npuzzle_core::Cell::new(2);
    let space = FullSpace::new("4x2".parse().unwrap(), home, npuzzle_core::Metric::Mtm).unwrap();
    for recipe in [
        partition.spec("").unwrap(),
        MtmTable::spec(&runs[0], "").unwrap(),
        DistanceTable::spec(space, "").unwrap(),
    ] {
        let good = recipe.get(&Store::none(), 2, &mut ()).unwrap().bytes.to_vec();
        assert_eq!(recipe.verify(&good, 2, &mut ()), Ok(None), "{recipe:?}");
        for at in [0, good.len() / 3, good.len() - 801] {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            let flaw = recipe.verify(&bad, 2, &mut ()).unwrap();
            assert!(flaw.is_some(), "{recipe:?} {at}");
        }
        assert!(recipe.verify(&good[..good.len() - 1], 1, &mut ()).unwrap().is_some());
        let asked = Cell::new(0);
        let mut hasty = Patient { asked: &asked, most: 0 };
        assert_eq!(recipe.verify(&good, 2, &mut hasty), Err(Limit::Interrupted));
    }
}

#[test]
fn a_build_gets_the_threads_that_it_may_use() {
    let recipe = TableSpec::new(name("threads"), "", 1, |context: &mut BuildContext<'_>| {
        Ok(vec![context.threads as u8])
    });
    for (asked, expect) in [(1, 1), (7, 7), (0, 1)] {
        assert_eq!(&*recipe.get(&Store::none(), asked, &mut ()).unwrap().bytes, [expect]);
    }
}

#[test]
fn a_set_of_patterns_is_the_same_from_the_store() {
    let (dims, blank) = ("3x4".parse().unwrap(), npuzzle_core::Cell::new(5));
    let partition = Partition::quick(dims, blank).unwrap();
    let recipe = partition.spec("").unwrap();
    assert_eq!(recipe.name().as_str(), "patterns-3x4-stm-5-2bit-0.4.8.1.9-2.6.10.3.7-11");
    assert_eq!(recipe.len(), partition.n_bytes());
    let folder = folder();
    let store = Store::at(folder.path());
    let built = partition.build(1, &mut ()).unwrap();
    for _ in 0..2 {
        let got = recipe.get(&store, 2, &mut ()).unwrap();
        let set = partition.set(&got.bytes).unwrap();
        let tables = |set: &PdbSet| -> Vec<PackedPdb> {
            set.tables().iter().map(|(_, excess)| excess.clone()).collect()
        };
        assert_eq!(tables(&set), tables(&built));
        assert_eq!((set.dims(), set.blank()), (dims, blank));
        let too_few = got.bytes.slice(0..got.bytes.len() - 1).unwrap();
        assert!(partition.set(&too_few).is_none());
    }
    let asked = Cell::new(0);
    let mut hasty = Patient { asked: &asked, most: 0 };
    let stopped = partition.build(2, &mut hasty).unwrap_err();
    assert_eq!((stopped, asked.get()), (Limit::Interrupted, 1));
}
