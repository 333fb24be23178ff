//! Counts of whole state spaces, in memory and on disk, against published ones.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::Census;
use npuzzle::{Board, Goal, Limit, Metric, Stats, Watch};
use npuzzle_testkit::data;
use npuzzle_testkit::naive::Oracle;
use npuzzle_testkit::{board, dims, is_long};

const SMALL: [&str; 6] = ["2x2", "3x2", "4x2", "3x3", "2x5", "5x2"];
const LARGE: [&str; 2] = ["3x4", "6x2"];

fn taker(goal: &Board, metric: Metric) -> Census {
    let mut taker = Census::new(goal.clone(), metric).unwrap();
    taker.threads = NonZeroUsize::new(2);
    taker
}

fn named(size: &str, goal: &Goal, metric: Metric) -> Census {
    taker(&goal.board(dims(size)).unwrap(), metric)
}

/// The published counts; a board and its transpose have the same.
fn known(size: &str, metric: Metric) -> Vec<u64> {
    let size = dims(size);
    let (long, short) = (size.rows().max(size.cols()), size.rows().min(size.cols()));
    data::census(&format!("{long}x{short}.{metric}"))
}

#[test]
fn counts_in_memory_are_those_that_are_known() {
    for size in SMALL.into_iter().chain(LARGE) {
        for metric in Metric::ALL {
            let census = named(size, &Goal::Last, metric).count(&mut ());
            assert_eq!(census.counts, known(size, metric), "{size} {metric}");
            let n_last = *census.counts.last().unwrap();
            assert_eq!(census.antipodes.len() as u64, n_last.min(10), "{size} {metric}");
            assert!(census.is_complete && census.stopped.is_none());
        }
    }
}

#[test]
fn counts_on_disk_are_those_that_are_known() {
    let large = if is_long() { &LARGE[..] } else { &[] };
    for size in SMALL.iter().chain(large) {
        for metric in Metric::ALL {
            let mut taker = named(size, &Goal::First, metric);
            // Buffers of a few ranks only, so that there are runs to be merged.
            taker.memory = Some(28 << 20);
            let folder = tempfile::tempdir().unwrap();
            let census = taker.count_in(&folder.path().join("a"), &mut ()).unwrap();
            assert_eq!(census.counts, known(size, metric), "{size} {metric}");
            assert!(census.is_complete);
            let in_memory = named(size, &Goal::First, metric).count(&mut ());
            assert_eq!(census.antipodes, in_memory.antipodes, "{size} {metric}");
        }
    }
}

#[test]
fn any_goal_is_counted_and_its_antipodes_are_as_far() {
    for goal in ["1 2 3/8 0 4/7 6 5", "3 1 2/4 5 6/0 8 7", "3 1 2 5/4 0 7 6"] {
        for metric in Metric::ALL {
            let goal = board(goal);
            let oracle = Oracle::new(&goal, metric);
            let taker = taker(&goal, metric);
            let in_memory = taker.count(&mut ());
            let folder = tempfile::tempdir().unwrap();
            let on_disk = taker.count_in(folder.path(), &mut ()).unwrap();
            assert_eq!(in_memory, on_disk);
            let farthest = in_memory.counts.len() as u32 - 1;
            for board in &in_memory.antipodes {
                assert_eq!(oracle.distance(board), Some(farthest), "{}", board.slash());
            }
            let total: u64 = in_memory.total();
            let of = |n: u64| (1..=n).product::<u64>() / 2;
            assert_eq!(total, of(goal.dims().cells() as u64));
        }
    }
}

/// Beyond what fits in memory, as far as it is small.
#[test]
fn fifteen_puzzles_are_counted_as_far_as_one_likes() {
    for (metric, depth) in [(Metric::Stm, 17), (Metric::Mtm, 8)] {
        let folder = tempfile::tempdir().unwrap();
        let mut taker = named("4x4", &Goal::Last, metric);
        taker.depth = Some(depth);
        assert!(!taker.fits_in_memory());
        assert_eq!(taker.count(&mut ()).stopped, Some(Limit::Memory));
        let census = taker.count_in(folder.path(), &mut ()).unwrap();
        assert_eq!(census.counts, known("4x4", metric)[..=depth]);
        assert!(!census.is_complete && census.antipodes.is_empty());
        // And on from there.
        let mut left = CensusFolder::open(folder.path()).unwrap();
        let mut taker = Census::from_folder(&left).unwrap();
        taker.depth = Some(depth + 1);
        let census = taker.continue_in(&mut left, &mut ()).unwrap();
        assert_eq!(census.counts, known("4x4", metric)[..=depth + 1]);
    }
}

/// Ends a census when it has been asked so often.
struct After(u64);

impl Watch for After {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_census_that_is_stopped_goes_on_wherever_that_was() {
    for metric in Metric::ALL {
        let whole = known("3x3", metric);
        let mut taker = named("3x3", &Goal::Last, metric);
        for n_asked in [1, 2, 3, 30, 45] {
            let folder = tempfile::tempdir().unwrap();
            let stopped = taker.count_in(folder.path(), &mut After(n_asked)).unwrap();
            assert_eq!(stopped.stopped, Some(Limit::Interrupted));
            assert_eq!(stopped.counts, whole[..stopped.counts.len()]);
            let mut left = CensusFolder::open(folder.path()).unwrap();
            // Other threads than before.
            taker.threads = NonZeroUsize::new(1);
            let census = taker.continue_in(&mut left, &mut ()).unwrap();
            assert_eq!((census.counts, census.is_complete), (whole.clone(), true), "{n_asked}");
        }
        let mut short = named("3x3", &Goal::Last, metric);
        short.depth = Some(9);
        let census = short.count(&mut ());
        assert_eq!((census.counts, census.is_complete), (whole[..10].to_vec(), false));
        assert_eq!(taker.count(&mut After(5)).stopped, Some(Limit::Interrupted));
    }
}

#[test]
fn damage_is_told_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut taker = named("3x3", &Goal::Last, Metric::Stm);
    taker.depth = Some(12);
    taker.count_in(folder.path(), &mut ()).unwrap();
    taker.depth = None;
    // The last level is read, and the one before it is compared with.
    for name in ["level-12-0.ranks", "level-11-1.ranks"] {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[20] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let mut left = CensusFolder::open(folder.path()).unwrap();
        let error = taker.continue_in(&mut left, &mut ()).unwrap_err();
        assert!(matches!(&error, CensusError::Damaged { path: p } if *p == path), "{error}");
        std::fs::write(&path, whole).unwrap();
    }
    // Whole, and of another shard.
    let [path, other] = [0, 1].map(|shard| folder.path().join(format!("level-12-{shard}.ranks")));
    let whole = std::fs::read(&path).unwrap();
    std::fs::copy(other, &path).unwrap();
    let mut left = CensusFolder::open(folder.path()).unwrap();
    let error = taker.continue_in(&mut left, &mut ()).unwrap_err();
    assert!(matches!(&error, CensusError::Damaged { path: p } if *p == path), "{error}");
    drop(left);
    std::fs::write(&path, whole).unwrap();
    let mut left = CensusFolder::open(folder.path()).unwrap();
    let census = taker.continue_in(&mut left, &mut ()).unwrap();
    assert_eq!(census.counts, known("3x3", Metric::Stm));
}

#[test]
fn folders_of_several_machines_and_of_none_are_refused_and_left_alone() {
    let taker = named("3x3", &Goal::Last, Metric::Stm);
    for (shards, n_shards, is_part) in
        [(0..65_536, 65_536, false), (1..2, 2, true), (0..1, 2, true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut census = CensusFolder::create(&path, &taker.about(), shards, n_shards).unwrap();
        let error = taker.continue_in(&mut census, &mut ()).unwrap_err();
        let is_told = match &error {
            CensusError::NotOne { .. } => is_part,
            CensusError::Damaged { .. } => !is_part,
            _ => false,
        };
        assert!(is_told, "{n_shards}: {error}");
        let names = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| name == "census" || name == "lock"));
    }
}
