//! An interrupted search continues from its journal with the same result.

use std::ops::ControlFlow;
use std::path::Path;

use npuzzle::search::Stats;
use npuzzle::search::{Journal, JournalError};
use npuzzle::{
    Answer, Goal, Instance, Limit, Limits, Moves, Options, Report, TableSize, Tables, Watch,
};
use npuzzle_testkit::{board, data};

/// A board of 74 moves; about ten million states with small tables.
fn hard() -> Instance {
    Instance::from(board("12 11 9 13/3 15 5 0/7 6 14 10/4 8 1 2"))
}

fn options(threads: usize) -> Options {
    Options {
        limits: Limits::NONE,
        threads: std::num::NonZeroUsize::new(threads),
        tables: TableSize::Small,
        ..Options::default()
    }
}

/// Stops a search after a number of states in rounds that are split. A time limit would be unreliable
/// on a busy machine.
struct StopAfterStates {
    n_left: u64,
    seen: Option<u64>,
}

impl Watch for StopAfterStates {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if stats.expanded > 3_000_000 {
            let before = self.seen.replace(stats.expanded).unwrap_or(stats.expanded);
            self.n_left = self.n_left.saturating_sub(stats.expanded - before);
        }
        if self.n_left == 0 {
            return ControlFlow::Break(Limit::Interrupted);
        }
        ControlFlow::Continue(())
    }
}

/// Runs the search until it is finished. Returns the report and the number of runs.
fn in_parts(path: &Path, threads: usize, n_states: u64) -> (Report, u32) {
    let mut tables = Tables::new();
    for n_runs in 1..=200 {
        let mut journal = match Journal::resume(path) {
            Ok(journal) => journal,
            Err(_) => Journal::create(path, &hard()).unwrap(),
        };
        let mut watch = StopAfterStates { n_left: n_states, seen: None };
        let report = options(threads).solve_on(&mut journal, &mut tables, &mut watch).unwrap();
        assert!(journal.take_error().is_none());
        // A run may find the goal after the watch has stopped the other thread: its counts are incomplete.
        if watch.n_left > 0 {
            return (report, n_runs);
        }
        assert!(journal.lower_bound() <= report.lower_bound);
    }
    unreachable!("200 runs suffice")
}

#[test]
fn resumed_search_equals_uninterrupted_search() {
    let whole = options(1).solve_with(&hard(), &mut Tables::new(), &mut ()).unwrap();
    assert!(whole.is_optimal());
    let folder = tempfile::tempdir().unwrap();
    for (threads, n_states) in [(1, u64::MAX), (1, 2_000_000), (2, 1_500_000)] {
        let path = folder.path().join(format!("{threads}-{n_states}"));
        let (report, n_runs) = in_parts(&path, threads, n_states);
        assert_eq!(report.answer, whole.answer, "{threads} {n_states}");
        assert_eq!(report.stats.expanded, whole.stats.expanded, "{threads} {n_states}");
        assert_eq!(report.stats.generated, whole.stats.generated, "{threads} {n_states}");
        let bounds = |report: &Report| report.rounds.iter().map(|r| r.bound).collect::<Vec<_>>();
        assert_eq!(bounds(&report), bounds(&whole));
        assert_eq!(n_runs == 1, n_states == u64::MAX, "{n_runs} {threads} {n_states}");
    }
}

/// Stops a search after a beam search has found a solution, in a round with more states than `n_states`.
#[derive(Default)]
struct StopAfterBeam {
    n_states: u64,
    was_known: bool,
    has_found: bool,
    n_rounds: usize,
}

impl Watch for StopAfterBeam {
    fn round(&mut self, _: u32, _: &Stats) {
        self.n_rounds += 1;
    }

    fn improved(&mut self, _: u32, _: u32) {
        // The solution of an earlier run is reported before its rounds.
        if self.n_rounds > 0 {
            self.has_found = true;
            self.n_states = 0;
        } else {
            self.was_known = true;
        }
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        match stats.expanded > self.n_states {
            true => ControlFlow::Break(Limit::Interrupted),
            false => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn resumed_search_does_not_repeat_its_beam_search() {
    // It needs a round of more than three million states before the first beam search.
    let instance = Instance::new(data::korf24()[0].known.board.clone(), &Goal::First).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut tables = Tables::new();
    let mut journal = Journal::create(&path, &instance).unwrap();
    let mut watch = StopAfterBeam { n_states: u64::MAX, ..StopAfterBeam::default() };
    let first = options(2).solve_on(&mut journal, &mut tables, &mut watch).unwrap();
    assert!(watch.has_found && !watch.was_known);
    let n_states = journal.rounds().iter().map(|round| round.counts.expanded).sum();
    drop(journal);

    let mut journal = Journal::resume(&path).unwrap();
    let mut watch = StopAfterBeam { n_states, ..StopAfterBeam::default() };
    let second = options(2).solve_on(&mut journal, &mut tables, &mut watch).unwrap();
    assert!(watch.was_known && !watch.has_found);
    assert_eq!(second.answer, Answer::Stopped(Limit::Interrupted));
    assert!(second.best.is_some());
    assert_eq!(second.best, first.best);
    assert_eq!(second.lower_bound, first.lower_bound);
}

#[test]
fn lower_bound_survives_a_run_without_progress() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::create(&path, &hard()).unwrap();
    let mut watch = StopAfterStates { n_left: 1_500_000, seen: None };
    let first = options(1).solve_on(&mut journal, &mut Tables::new(), &mut watch).unwrap();
    drop(journal);

    let mut journal = Journal::resume(&path).unwrap();
    assert!(journal.lower_bound().is_some());
    let at_once = Options { tables: TableSize::Large, ..options(1) };
    let cancel = npuzzle::Cancel::new();
    cancel.cancel();
    // Stopped before the tables are built.
    let tables = &mut Tables::new();
    let second = at_once.solve_on(&mut journal, tables, &mut cancel.clone()).unwrap();
    assert_eq!(second.answer, Answer::Stopped(Limit::Interrupted));
    assert!(second.lower_bound >= journal.lower_bound());
    assert!(first.lower_bound >= second.lower_bound);
}

#[test]
fn large_tables_resume_a_search_with_small_tables() {
    // 2x7, whose large tables take a second of processor time.
    let instance = Instance::from(board("13 12 11 10 9 8 7/6 5 4 3 2 1 0"));
    let with = |tables| Options { tables, ..options(2) };
    let whole = with(TableSize::Large).solve_with(&instance, &mut Tables::new(), &mut ()).unwrap();
    assert!(whole.is_optimal());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut journal = Journal::create(&path, &instance).unwrap();
    let mut watch = StopAfterStates { n_left: 100_000, seen: None };
    let small = with(TableSize::Small).solve_on(&mut journal, &mut Tables::new(), &mut watch);
    assert_eq!(small.unwrap().answer, Answer::Stopped(Limit::Interrupted));
    let n_rounds = journal.lower_bound();
    drop(journal);

    // Both have the same rounds, but different subtrees.
    let mut journal = Journal::resume(&path).unwrap();
    assert_eq!(journal.options().map(|options| options.tables), Some(TableSize::Small));
    let mut tables = Tables::new();
    let large = with(TableSize::Large).solve_on(&mut journal, &mut tables, &mut ()).unwrap();
    assert_eq!(large.moves().map(Moves::stm), whole.moves().map(Moves::stm));
    assert!(large.is_optimal() && n_rounds.is_some());
}

#[test]
fn resume_refuses_a_file_that_is_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let error = |path: &Path| Journal::resume(path).unwrap_err().to_string();
    assert!(error(&path).starts_with(&format!("{}: ", path.display())));
    for text in ["", "npuzzle journal 2", "something else\n", "npuzzle journal 1 5b5d6a9e\n"] {
        std::fs::write(&path, text).unwrap();
        let error = Journal::resume(&path).unwrap_err();
        let is_other = text.starts_with("npuzzle journal 1");
        assert_eq!(matches!(error, JournalError::OtherVersion { .. }), is_other, "{text:?}");
        assert_eq!(matches!(error, JournalError::NotOne { .. }), !is_other, "{text:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "left as it was");
    }
}
