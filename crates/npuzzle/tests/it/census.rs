//! Counts of complete state spaces, in memory and on disk, compared with published counts.

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

fn census_of(goal: &Board, metric: Metric) -> Census {
    let mut census = Census::new(goal.clone(), metric).unwrap();
    census.threads = NonZeroUsize::new(2);
    census
}

fn named(size: &str, goal: &Goal, metric: Metric) -> Census {
    census_of(&goal.board(dims(size)).unwrap(), metric)
}

/// Returns the published counts, which are the same for a size and its transpose.
fn known(size: &str, metric: Metric) -> Vec<u64> {
    let size = dims(size);
    let (long, short) = (size.rows().max(size.cols()), size.rows().min(size.cols()));
    data::census(&format!("{long}x{short}.{metric}"))
}

#[test]
fn counts_in_memory_match_published_counts() {
    for size in SMALL.into_iter().chain(LARGE) {
        for metric in Metric::ALL {
            let result = named(size, &Goal::Last, metric).count(&mut ());
            assert_eq!(result.counts, known(size, metric), "{size} {metric}");
            let n_last = *result.counts.last().unwrap();
            assert_eq!(result.antipodes.len() as u64, n_last.min(10), "{size} {metric}");
            assert!(result.is_complete && result.stopped.is_none());
        }
    }
}

#[test]
fn counts_on_disk_match_published_counts() {
    let large = if is_long() { &LARGE[..] } else { &[] };
    for size in SMALL.iter().chain(large) {
        for metric in Metric::ALL {
            let mut census = named(size, &Goal::First, metric);
            // Buffers of only a few ranks, so that sorted runs have to be merged.
            census.memory = Some(28 << 20);
            let folder = tempfile::tempdir().unwrap();
            let result = census.count_in(&folder.path().join("a"), &mut ()).unwrap();
            assert_eq!(result.counts, known(size, metric), "{size} {metric}");
            assert!(result.is_complete);
            let in_memory = named(size, &Goal::First, metric).count(&mut ());
            assert_eq!(result.antipodes, in_memory.antipodes, "{size} {metric}");
        }
    }
}

#[test]
fn census_of_any_goal_matches_enumeration() {
    for goal in ["1 2 3/8 0 4/7 6 5", "3 1 2/4 5 6/0 8 7", "3 1 2 5/4 0 7 6"] {
        for metric in Metric::ALL {
            let goal = board(goal);
            let oracle = Oracle::new(&goal, metric);
            let census = census_of(&goal, metric);
            let in_memory = census.count(&mut ());
            let folder = tempfile::tempdir().unwrap();
            let on_disk = census.count_in(folder.path(), &mut ()).unwrap();
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

/// A space that does not fit in memory, up to a small distance.
#[test]
fn census_of_15_puzzles_stops_at_the_depth_limit() {
    for (metric, depth) in [(Metric::Stm, 17), (Metric::Mtm, 8)] {
        let folder = tempfile::tempdir().unwrap();
        let mut census = named("4x4", &Goal::Last, metric);
        census.depth = Some(depth);
        assert!(!census.fits_in_memory());
        assert_eq!(census.count(&mut ()).stopped, Some(Limit::Memory));
        let result = census.count_in(folder.path(), &mut ()).unwrap();
        assert_eq!(result.counts, known("4x4", metric)[..=depth]);
        assert!(!result.is_complete && result.antipodes.is_empty());
        // The census continues with a larger limit.
        let mut left = CensusFolder::open(folder.path()).unwrap();
        let mut census = Census::from_folder(&left).unwrap();
        census.depth = Some(depth + 1);
        let result = census.continue_in(&mut left, &mut ()).unwrap();
        assert_eq!(result.counts, known("4x4", metric)[..=depth + 1]);
    }
}

/// Stops at the n-th poll.
struct StopAtPoll(u64);

impl Watch for StopAtPoll {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn stopped_census_continues_from_any_point() {
    for metric in Metric::ALL {
        let whole = known("3x3", metric);
        let mut census = named("3x3", &Goal::Last, metric);
        for n_polls in [1, 2, 3, 30, 45] {
            let folder = tempfile::tempdir().unwrap();
            let stopped = census.count_in(folder.path(), &mut StopAtPoll(n_polls)).unwrap();
            assert_eq!(stopped.stopped, Some(Limit::Interrupted));
            assert_eq!(stopped.counts, whole[..stopped.counts.len()]);
            let mut left = CensusFolder::open(folder.path()).unwrap();
            // With another number of threads than before.
            census.threads = NonZeroUsize::new(1);
            let result = census.continue_in(&mut left, &mut ()).unwrap();
            assert_eq!((result.counts, result.is_complete), (whole.clone(), true), "{n_polls}");
        }
        let mut short = named("3x3", &Goal::Last, metric);
        short.depth = Some(9);
        let result = short.count(&mut ());
        assert_eq!((result.counts, result.is_complete), (whole[..10].to_vec(), false));
        assert_eq!(census.count(&mut StopAtPoll(5)).stopped, Some(Limit::Interrupted));
    }
}

#[test]
fn census_reports_the_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut census = named("3x3", &Goal::Last, Metric::Stm);
    census.depth = Some(12);
    census.count_in(folder.path(), &mut ()).unwrap();
    census.depth = None;
    // The census reads the last level and the one before it.
    for name in ["level-12-0.ranks", "level-11-1.ranks"] {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[20] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let mut left = CensusFolder::open(folder.path()).unwrap();
        let error = census.continue_in(&mut left, &mut ()).unwrap_err();
        assert!(matches!(&error, CensusError::Damaged { path: p } if *p == path), "{error}");
        std::fs::write(&path, whole).unwrap();
    }
    // An intact file of another shard.
    let [path, other] = [0, 1].map(|shard| folder.path().join(format!("level-12-{shard}.ranks")));
    let whole = std::fs::read(&path).unwrap();
    std::fs::copy(other, &path).unwrap();
    let mut left = CensusFolder::open(folder.path()).unwrap();
    let error = census.continue_in(&mut left, &mut ()).unwrap_err();
    assert!(matches!(&error, CensusError::Damaged { path: p } if *p == path), "{error}");
    drop(left);
    std::fs::write(&path, whole).unwrap();
    let mut left = CensusFolder::open(folder.path()).unwrap();
    let result = census.continue_in(&mut left, &mut ()).unwrap();
    assert_eq!(result.counts, known("3x3", Metric::Stm));
}

#[test]
fn census_refuses_folders_with_foreign_shards() {
    let census = named("3x3", &Goal::Last, Metric::Stm);
    for (shards, n_shards, is_part) in
        [(0..65_536, 65_536, false), (1..2, 2, true), (0..1, 2, true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut left = CensusFolder::create(&path, &census.about(), shards, n_shards).unwrap();
        let error = census.continue_in(&mut left, &mut ()).unwrap_err();
        let is_right = match &error {
            CensusError::NoCensus { .. } => is_part,
            CensusError::Damaged { .. } => !is_part,
            _ => false,
        };
        assert!(is_right, "{n_shards}: {error}");
        let names = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| name == "census" || name == "lock"));
    }
}
