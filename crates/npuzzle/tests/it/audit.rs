//! Audits of correct and buggy heuristics, compared with plain enumeration.

use std::cell::Cell as Counter;
use std::collections::HashMap;
use std::ops::ControlFlow;

use npuzzle::search::Heuristic;
use npuzzle::search::Sliding;
use npuzzle::teaching::{Audit, AuditError, AuditScope, Auditor, BuggyHeuristic, NamedHeuristic};
use npuzzle::{
    Board, Goal, HeuristicChoice, HeuristicKind, Limit, Limits, Options, Stats, Tables, Watch,
};
use npuzzle_testkit::space::{self, Space};
use npuzzle_testkit::{board, dims, is_long};

fn audit(goal: &Board, heuristic: impl Into<NamedHeuristic>) -> Audit {
    let options = Options { limits: Limits::NONE, ..Options::default() };
    let auditor = Auditor { options, ..Auditor::new(goal.clone()) };
    auditor.audit(heuristic.into(), &mut Tables::new(), &mut ()).unwrap()
}

fn goal(size: &str, goal: &Goal) -> Board {
    goal.board(dims(size)).unwrap()
}

/// Additive pattern databases do not store the position of the blank, so they are inconsistent: the
/// estimates of neighbors may differ by more than 1.
fn is_pattern(heuristic: NamedHeuristic) -> bool {
    heuristic == NamedHeuristic::Sound(HeuristicChoice::One(HeuristicKind::Pattern))
}

/// Every heuristic of the solver, and a maximum of two.
fn sound() -> Vec<NamedHeuristic> {
    let ones =
        HeuristicKind::ALL.iter().map(|&one| NamedHeuristic::Sound(HeuristicChoice::One(one)));
    ones.chain(["max(inversion,linear-conflict)".parse().unwrap()]).collect()
}

#[test]
fn sound_heuristics_pass_on_every_8_puzzle() {
    for named in [Goal::Last, Goal::Snail] {
        for heuristic in sound() {
            let audit = audit(&goal("3x3", &named), heuristic);
            assert_eq!((audit.scope, audit.stopped), (AuditScope::AllBoards, None));
            // 24 of the 36 pairs of blank cell and direction are legal; each slide joins two boards.
            assert_eq!((audit.n_boards, audit.n_slides), (181_440, 241_920), "{heuristic}");
            assert!(audit.is_admissible(), "{heuristic}: {audit:?}");
            assert_eq!(audit.is_consistent(), !is_pattern(heuristic), "{heuristic}: {audit:?}");
            assert!(audit.mean_estimate <= audit.mean_distance.unwrap(), "{heuristic}");
        }
    }
}

#[test]
fn sound_heuristics_pass_on_every_board_of_other_sizes() {
    let sizes = if is_long() { &["3x4", "2x6"][..] } else { &["2x4"] };
    for size in sizes {
        for heuristic in sound() {
            let audit = audit(&goal(size, &Goal::Last), heuristic);
            assert!(audit.is_admissible(), "{heuristic}: {audit:?}");
            assert!(audit.is_consistent() || is_pattern(heuristic), "{heuristic}: {audit:?}");
            assert_eq!(audit.stopped, None);
            let n_boards = if is_long() { 239_500_800 } else { 20_160 };
            assert_eq!(audit.n_boards, n_boards);
        }
    }
}

/// A second implementation of the buggy heuristics, from their documentation.
fn reference_estimate(buggy: BuggyHeuristic, board: &Board, goal: &Board) -> f64 {
    let dims = board.dims();
    let positions = |board: &Board| -> Vec<(usize, usize)> {
        board.cells_by_tile().iter().map(|&cell| (dims.row(cell), dims.col(cell))).collect()
    };
    let (cells, goal_cells) = (positions(board), positions(goal));
    let distance = |tile: usize| {
        cells[tile].0.abs_diff(goal_cells[tile].0) + cells[tile].1.abs_diff(goal_cells[tile].1)
    };
    let n_tiles = cells.len();
    let estimate = match buggy {
        BuggyHeuristic::MisplacedWithBlank => {
            (0..n_tiles).filter(|&tile| cells[tile] != goal_cells[tile]).count()
        }
        BuggyHeuristic::ManhattanWithBlank => (0..n_tiles).map(distance).sum(),
        BuggyHeuristic::LinearConflictPairs => {
            let conflicts = |a: usize, b: usize| {
                let rows = [cells[a].0, cells[b].0, goal_cells[a].0, goal_cells[b].0];
                let cols = [cells[a].1, cells[b].1, goal_cells[a].1, goal_cells[b].1];
                let in_line = |line: [usize; 4]| line.iter().all(|&at| at == line[0]);
                in_line(rows) && (cols[0] < cols[1]) != (cols[2] < cols[3])
                    || in_line(cols) && (rows[0] < rows[1]) != (rows[2] < rows[3])
            };
            let pairs = (1..n_tiles).flat_map(|a| (1..a).map(move |b| (a, b)));
            let n_pairs = pairs.filter(|&(a, b)| conflicts(a, b)).count();
            (1..n_tiles).map(distance).sum::<usize>() + 2 * n_pairs
        }
    };
    estimate as f64
}

fn check_against_enumeration(space: &Space, buggy: BuggyHeuristic) {
    let found = audit(&space.goal, buggy);
    let estimates: HashMap<&Board, f64> =
        space.solvable().map(|(b, _)| (b, reference_estimate(buggy, b, &space.goal))).collect();
    let h = |board: &Board| estimates[board];
    let mut boards: Vec<(u32, &Board)> = space.solvable().map(|(b, d)| (d, b)).collect();
    boards.sort_by(|(d, a), (e, b)| d.cmp(e).then_with(|| a.tiles().cmp(b.tiles())));
    let over: Vec<_> = boards.iter().filter(|(d, board)| h(board) > f64::from(*d)).collect();
    assert_eq!(found.n_overestimates, over.len() as u64, "{buggy}");
    // The boards are sorted by distance, then by tiles, so the first is the expected one.
    let shown = |over: &Option<npuzzle::teaching::Overestimate>| {
        over.as_ref().map(|over| (over.distance, over.board.clone(), over.estimate))
    };
    let plain = |(distance, board): &&(u32, &Board)| (*distance, (*board).clone(), h(board));
    assert_eq!(shown(&found.first_overestimate), over.first().map(plain), "{buggy}");
    let excess = |(d, board): &&&(u32, &Board)| h(board) - f64::from(*d);
    let most = over.iter().map(|over| excess(&over)).fold(0.0, f64::max);
    let worst = over.iter().find(|over| excess(over) == most);
    assert_eq!(shown(&found.worst_overestimate), worst.map(plain), "{buggy}");

    let (mut n_inconsistent, mut first) = (0, None);
    for &(distance, board) in &boards {
        let mut neighbors: Vec<Board> = board.neighbors().collect();
        neighbors.sort_by(|a, b| a.tiles().cmp(b.tiles()));
        for other in neighbors {
            let is_inconsistent = (h(board) - h(&other)).abs() > 1.0;
            // Each slide counts once, from its nearer board.
            if is_inconsistent && space.oracle.distance(&other) > Some(distance) {
                n_inconsistent += 1;
                first.get_or_insert((distance, board.clone(), other));
            }
        }
    }
    assert_eq!(found.n_inconsistencies, n_inconsistent, "{buggy}");
    let found_first = found
        .first_inconsistency
        .as_ref()
        .map(|slide| (slide.distance, slide.from.clone(), slide.to.clone()));
    assert_eq!(found_first, first, "{buggy}");
    assert_eq!(found.is_admissible(), over.is_empty());
}

#[test]
fn audit_of_buggy_heuristics_matches_enumeration() {
    let first = goal("3x3", &Goal::First);
    let spaces = space::of("3x3").filter(|space| space.goal != first);
    for space in spaces.chain(space::of("2x4")) {
        BuggyHeuristic::ALL.iter().for_each(|&buggy| check_against_enumeration(space, buggy));
    }
}

#[test]
fn first_counter_examples_are_known() {
    let goal = goal("3x3", &Goal::Last);
    let first = audit(&goal, BuggyHeuristic::MisplacedWithBlank).first_overestimate.unwrap();
    assert_eq!((first.board, first.estimate, first.distance), (board("1 2 3/4 5 0/7 8 6"), 2.0, 1));
    let audit = audit(&goal, BuggyHeuristic::LinearConflictPairs);
    let first = audit.first_overestimate.unwrap();
    assert_eq!(
        (first.board, first.estimate, first.distance),
        (board("3 8 1/6 5 4/0 2 7"), 28.0, 26)
    );
    assert_eq!(audit.n_overestimates, 7);
}

/// A buggy heuristic as a function.
fn as_function(
    goal: &Board,
    buggy: BuggyHeuristic,
) -> impl FnMut(&[Board], &mut dyn Watch) -> Result<Vec<f64>, AuditError> {
    let heuristic = buggy.heuristic(goal);
    move |boards: &[Board], _: &mut dyn Watch| {
        let estimate = |board| f64::from(Heuristic::<Sliding<Board>>::eval(&heuristic, board));
        Ok(boards.iter().map(estimate).collect())
    }
}

#[test]
fn audit_with_a_function_equals_audit_by_name() {
    for (size, named) in [("3x3", Goal::Snail), ("2x4", Goal::First), ("3x2", Goal::Last)] {
        let goal = goal(size, &named);
        for buggy in BuggyHeuristic::ALL {
            let auditor = Auditor::new(goal.clone());
            let mut function = as_function(&goal, buggy);
            let by_function =
                auditor.audit_with(&mut function, &mut Tables::new(), &mut ()).unwrap();
            assert_eq!(by_function, audit(&goal, buggy), "{size} {buggy}");
            let auditor = Auditor { samples: Some(300), seed: 7, ..auditor };
            let mut tables = Tables::new();
            let by_function = auditor.audit_with(&mut function, &mut tables, &mut ()).unwrap();
            let by_name = auditor.audit(buggy.into(), &mut tables, &mut ()).unwrap();
            assert_eq!((by_function, by_name.n_boards), (by_name, 300), "{size} {buggy}");
        }
    }
}

#[test]
fn audit_of_samples_finds_only_real_errors() {
    for (size, scope) in [
        ("3x5", AuditScope::Samples),
        ("4x4", AuditScope::Samples),
        ("6x5", AuditScope::RandomWalks),
    ] {
        let goal = goal(size, &Goal::Last);
        let auditor = Auditor { samples: Some(60), seed: 1, ..Auditor::new(goal) };
        let mut tables = Tables::new();
        for name in ["manhattan", "linear-conflict", "inversion"] {
            let audit = auditor.audit(name.parse().unwrap(), &mut tables, &mut ()).unwrap();
            assert_eq!((audit.scope, audit.n_boards), (scope, 60));
            assert!(audit.is_admissible() && audit.is_consistent(), "{size} {name}");
            assert_eq!(audit.share_exact.is_some(), scope == AuditScope::Samples);
        }
        let buggy = BuggyHeuristic::ManhattanWithBlank.into();
        let audit = auditor.audit(buggy, &mut tables, &mut ()).unwrap();
        let first = audit.first_overestimate.unwrap();
        assert!(first.estimate > f64::from(first.distance), "{size}: {first:?}");
        assert!(audit.n_inconsistencies > 0, "{size}");
    }
}

#[test]
fn audit_accepts_fractional_estimates() {
    let goal = goal("2x3", &Goal::Last);
    let distances = space::of("2x3").find(|space| space.goal == goal).unwrap();
    let exact = |board: &Board| f64::from(distances.oracle.distance(board).unwrap());
    let check = |scale: f64, more: f64, n_over: u64, n_inconsistent: u64| {
        let mut estimates = |boards: &[Board], _: &mut dyn Watch| {
            Ok(boards.iter().map(|board| exact(board) * scale + more).collect())
        };
        let auditor = Auditor::new(goal.clone());
        let audit = auditor.audit_with(&mut estimates, &mut Tables::new(), &mut ()).unwrap();
        assert_eq!(
            (audit.n_overestimates, audit.n_inconsistencies),
            (n_over, n_inconsistent),
            "{scale} {more}"
        );
    };
    check(1.0, 0.0, 0, 0);
    check(0.5, 0.0, 0, 0);
    check(1.0, 0.25, 360, 0);
    // 14 of the 24 pairs of blank cell and direction are legal on 2x3, so 360 boards have 420 slides.
    check(1.0 + 1e-9, 0.0, 359, 420);
}

#[test]
fn audit_reports_wrong_counts_and_failures() {
    let auditor = Auditor::new(goal("2x2", &Goal::Last));
    let mut too_few = |boards: &[Board], _: &mut dyn Watch| Ok(vec![0.0; boards.len() - 1]);
    let error = auditor.audit_with(&mut too_few, &mut Tables::new(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "11 estimates for 12 boards: one number per board is needed");
    let mut fails =
        |_: &[Board], _: &mut dyn Watch| Err(AuditError::Heuristic("no such thing".into()));
    let error = auditor.audit_with(&mut fails, &mut Tables::new(), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "no such thing");
    let auditor = Auditor::new(goal("5x6", &Goal::Last));
    for name in ["walking", "pattern", "max(manhattan,pattern)"] {
        let result = auditor.audit(name.parse().unwrap(), &mut Tables::new(), &mut ());
        assert!(matches!(result, Err(AuditError::Plan(_))), "{name}");
    }
}

#[test]
fn audit_of_the_largest_boards_uses_small_batches() {
    #[derive(Default)]
    struct Polls(u64);
    impl Watch for Polls {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            self.0 += 1;
            ControlFlow::Continue(())
        }

        fn building(&mut self, _: f64) -> ControlFlow<Limit> {
            ControlFlow::Continue(())
        }
    }
    let goal = goal("127x127", &Goal::First);
    let auditor = Auditor { samples: Some(1000), ..Auditor::new(goal.clone()) };
    let mut polls = Polls::default();
    let buggy = BuggyHeuristic::MisplacedWithBlank;
    let audit = auditor.audit(buggy.into(), &mut Tables::new(), &mut polls).unwrap();
    assert_eq!(polls.0, 1000, "the number of polls");
    let mut function = as_function(&goal, buggy);
    let mut few = |boards: &[Board], watch: &mut dyn Watch| {
        assert!(boards.len() <= 260, "{} boards at once", boards.len());
        function(boards, watch)
    };
    assert_eq!(audit, auditor.audit_with(&mut few, &mut Tables::new(), &mut ()).unwrap());
    assert_eq!((audit.n_boards, audit.scope), (1000, AuditScope::RandomWalks));
}

#[test]
fn audit_time_limit_includes_building_tables() {
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let auditor = Auditor { options, ..Auditor::new(goal("3x5", &Goal::Last)) };
    for name in ["walking", "max(linear-conflict,walking)"] {
        let audit = auditor.audit(name.parse().unwrap(), &mut Tables::new(), &mut ()).unwrap();
        assert_eq!((audit.stopped, audit.n_boards), (Some(Limit::Time), 0), "{name}");
    }
}

#[test]
fn stopped_audit_reports_the_boards_examined() {
    struct StopAtPoll(Counter<u32>);
    impl Watch for StopAtPoll {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            self.0.set(self.0.get() + 1);
            if self.0.get() < 200 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Limit::Time)
            }
        }
    }
    let auditor = Auditor::new(goal("3x4", &Goal::Last));
    let heuristic = BuggyHeuristic::MisplacedWithBlank.into();
    let mut watch = StopAtPoll(Counter::new(0));
    let audit = auditor.audit(heuristic, &mut Tables::new(), &mut watch).unwrap();
    assert_eq!(audit.stopped, Some(Limit::Time));
    assert!(audit.n_boards > 0 && audit.n_boards < 239_500_800, "{}", audit.n_boards);
    assert_eq!(audit.first_overestimate.unwrap().distance, 1);
}
