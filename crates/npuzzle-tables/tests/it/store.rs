//! A table of a store is complete and correct, or it is rebuilt.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_tables::{
    Abstraction, BuildContext, Damage, DistanceTable, FullSpace, LoadedTable, MtmTable, PackedPdb,
    Partition, PdbKind, PdbSet, Store, StoreError, StoreWarning, TableName, TableSpec,
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

/// Gets the table `t`, which must be correct.
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
fn table_is_built_once_and_loaded_afterwards() {
    let folder = folder();
    let store = Store::at(folder.path().join("created/when/needed"));
    assert_eq!(store.load(&name("t"), LEN, &mut ()).unwrap(), None);
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), None);
    assert!(store.list().unwrap().is_empty());
    assert!(names(folder.path()).is_empty(), "reading creates no folder");
    for expected in [true, false, false] {
        let got = get(&store);
        assert_eq!(got.is_built, expected);
        assert!(got.bytes.is_mapped() && got.warnings.is_empty());
    }
    assert_eq!(names(store.folder().unwrap()), ["t.table"]);
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), Some(LEN as u64));
    let listed = store.list().unwrap();
    assert_eq!((listed[0].name.as_str(), *listed[0].len.as_ref().unwrap()), ("t", LEN as u64));
    assert_eq!(listed[0].file_len, 4096 + LEN as u64);
}

#[test]
fn empty_table_is_stored() {
    let folder = folder();
    let store = Store::at(folder.path());
    for expected in [true, false] {
        let got = store.get_or_build(&name("empty"), 0, &mut (), |_| Ok(vec![])).unwrap();
        assert_eq!((got.bytes.len(), got.is_built), (0, expected));
    }
}

#[test]
fn store_without_a_folder_keeps_nothing() {
    let store = Store::none();
    for _ in 0..2 {
        let got = get(&store);
        assert!(got.is_built && !got.bytes.is_mapped() && got.warnings.is_empty());
    }
    assert_eq!(store.verify(&name("t"), &mut ()).unwrap(), None);
    assert!(store.list().unwrap().is_empty() && !store.remove(&name("t")).unwrap());
}

/// Changes a table file, and checks that the damage is reported and the table rebuilt.
fn check_damage(change: impl FnOnce(&mut Vec<u8>), expected: Damage) {
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
        assert_eq!((&named, &damage), (&path, &expected));
    }
    let is_listed_damaged = store.list().unwrap()[0].len.is_err();
    assert_eq!(is_listed_damaged, expected != Damage::Payload, "list does not check the payload");
    let got = get(&store);
    assert!(got.is_built && got.bytes.is_mapped());
    assert_eq!(
        warnings(&got),
        [format!("{}: damaged: {expected}; it was rebuilt", path.display())]
    );
    assert!(!get(&store).is_built);
    assert_eq!(names(folder.path()), ["t.table"]);
}

#[test]
fn damaged_table_is_reported_and_rebuilt() {
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
fn another_name_or_length_is_damage() {
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
fn directory_is_not_a_table() {
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
fn folder_that_cannot_be_created_is_a_warning() {
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
fn payload_of_another_length_is_not_stored() {
    let folder = folder();
    let store = Store::at(folder.path());
    let got = store.get_or_build(&name("t"), LEN, &mut (), |_| Ok(vec![1, 2, 3])).unwrap();
    assert_eq!((&*got.bytes, got.warnings.len()), (&[1u8, 2, 3][..], 1));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn stopped_build_leaves_no_file() {
    let folder = folder();
    let store = Store::at(folder.path());
    let stopped = store.get_or_build(&name("t"), LEN, &mut (), |_| Err(Limit::Time));
    assert_eq!(stopped.unwrap_err(), Limit::Time);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn removed_table_stays_mapped() {
    let folder = folder();
    let store = Store::at(folder.path());
    let got = get(&store);
    assert!(store.remove(&name("t")).unwrap() && !store.remove(&name("t")).unwrap());
    assert!(names(folder.path()).is_empty());
    assert_eq!(&*got.bytes, &*payload());
    // So does a table that was replaced.
    let again = get(&store);
    fs::write(store.path(&name("t")).unwrap().with_extension("other"), "x").unwrap();
    fs::rename(folder.path().join("t.other"), folder.path().join("t.table")).unwrap();
    assert_eq!(&*again.bytes, &*payload());
}

#[test]
fn leftovers_of_killed_builders_are_removed() {
    let folder = folder();
    let store = Store::at(folder.path());
    let leftovers = ["t.abc123.tmp", "t.lock", "other.xyz.tmp", "other.lock", "third.tmp.tmp"];
    for leftover in leftovers {
        fs::write(folder.path().join(leftover), "half a table").unwrap();
    }
    for foreign in ["mine.txt", "Other.Xyz.tmp", "tmp"] {
        fs::write(folder.path().join(foreign), "of another program").unwrap();
    }
    get(&store);
    assert_eq!(names(folder.path()), ["Other.Xyz.tmp", "mine.txt", "t.table", "tmp"]);
    // The removal of the table also removes its leftovers.
    for leftover in leftovers {
        fs::write(folder.path().join(leftover), "half a table").unwrap();
    }
    store.remove(&name("t")).unwrap();
    assert!(!names(folder.path()).iter().any(|name| name.starts_with("t.")));
    assert!(folder.path().join("other.xyz.tmp").exists());
}

#[test]
fn files_of_a_running_build_are_kept() {
    let folder = folder();
    let store = Store::at(folder.path());
    let build = |_: &mut dyn Watch| {
        // The builder of `u` is running, and holds its lock.
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

/// Counts the polls, and breaks after `max_polls` of them.
struct PollCounter<'a> {
    n_polls: &'a Cell<usize>,
    max_polls: usize,
}

impl Watch for PollCounter<'_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.n_polls.set(self.n_polls.get() + 1);
        if self.n_polls.get() > self.max_polls {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn waiting_for_another_builder_polls_the_watch() {
    let folder = folder();
    let store = Store::at(folder.path());
    let build = |_: &mut dyn Watch| {
        let n_polls = Cell::new(0);
        let mut watch = PollCounter { n_polls: &n_polls, max_polls: 3 };
        let waited = store.get_or_build(&name("t"), LEN, &mut watch, |_| unreachable!());
        assert_eq!((waited.unwrap_err(), n_polls.get()), (Limit::Interrupted, 4));
        Ok(payload())
    };
    let got = store.get_or_build(&name("t"), LEN, &mut (), build).unwrap();
    assert!(got.is_built && got.warnings.is_empty());
    assert_eq!(names(folder.path()), ["t.table"]);
}

#[test]
fn concurrent_requests_build_once() {
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
fn verify_detects_wrong_entries() {
    let partition =
        Partition::quick("3x4".parse().unwrap(), npuzzle_core::Cell::new(5), PdbKind::ZeroAware)
            .unwrap();
    let abstractions =
        Abstraction::complementary("3x3".parse().unwrap(), npuzzle_core::Cell::new(1), 3).unwrap();
    let blank = npuzzle_core::Cell::new(2);
    let space = FullSpace::new("4x2".parse().unwrap(), blank, npuzzle_core::Metric::Mtm).unwrap();
    for spec in [
        partition.spec("").unwrap(),
        MtmTable::spec(&abstractions[0], "").unwrap(),
        DistanceTable::spec(space, "").unwrap(),
    ] {
        let good = spec.get(&Store::none(), 2, &mut ()).unwrap().bytes.to_vec();
        assert_eq!(spec.verify(&good, 2, &mut ()), Ok(None), "{spec:?}");
        for at in [0, good.len() / 3, good.len() - 801] {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            let flaw = spec.verify(&bad, 2, &mut ()).unwrap();
            assert!(flaw.is_some(), "{spec:?} {at}");
        }
        assert!(spec.verify(&good[..good.len() - 1], 1, &mut ()).unwrap().is_some());
        let n_polls = Cell::new(0);
        let mut watch = PollCounter { n_polls: &n_polls, max_polls: 0 };
        assert_eq!(spec.verify(&good, 2, &mut watch), Err(Limit::Interrupted));
    }
}

#[test]
fn build_gets_the_number_of_threads() {
    let spec = TableSpec::new(name("threads"), "", 1, |context: &mut BuildContext<'_>| {
        Ok(vec![context.threads as u8])
    });
    for (requested, expected) in [(1, 1), (7, 7), (0, 1)] {
        assert_eq!(&*spec.get(&Store::none(), requested, &mut ()).unwrap().bytes, [expected]);
    }
}

#[test]
fn pdb_set_from_the_store_equals_the_built_one() {
    let (dims, blank) = ("3x4".parse().unwrap(), npuzzle_core::Cell::new(5));
    let partition = Partition::quick(dims, blank, PdbKind::Excess).unwrap();
    let spec = partition.spec("").unwrap();
    assert_eq!(spec.name().as_str(), "patterns-3x4-stm-5-2bit-0.4.8.1.9-2.6.10.3.7-11");
    assert_eq!(spec.len(), partition.n_bytes());
    let folder = folder();
    let store = Store::at(folder.path());
    let built = partition.build(1, &mut ()).unwrap();
    let built = PdbSet::from_bytes(&partition, &built).unwrap();
    for _ in 0..2 {
        let got = spec.get(&store, 2, &mut ()).unwrap();
        let set = PdbSet::from_bytes(&partition, &got.bytes).unwrap();
        let tables = |set: &PdbSet| -> Vec<PackedPdb> {
            set.tables().iter().map(|(_, excess)| excess.clone()).collect()
        };
        assert_eq!(tables(&set), tables(&built));
        assert_eq!((set.partition().dims(), set.partition().blank()), (dims, blank));
        let too_few = got.bytes.slice(0..got.bytes.len() - 1).unwrap();
        assert!(PdbSet::from_bytes(&partition, &too_few).is_none());
    }
    let n_polls = Cell::new(0);
    let mut watch = PollCounter { n_polls: &n_polls, max_polls: 0 };
    let stopped = partition.build(2, &mut watch).unwrap_err();
    assert_eq!((stopped, n_polls.get()), (Limit::Interrupted, 1));
}
