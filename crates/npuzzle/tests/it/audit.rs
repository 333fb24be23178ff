//! Audits of heuristics, right and wrong, against plain enumeration.

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

fn audit(goal: &Board, suspect: impl Into<NamedHeuristic>) -> Audit {
    let options = Options { limits: Limits::NONE, ..Options::default() };
    let auditor = Auditor { options, ..Auditor::new(goal.clone()) };
    auditor.audit(suspect.into(), &mut Tables::new(), &mut ()).unwrap()
}

fn goal(size: &str, goal: &Goal) -> Board {
    goal.board(dims(size)).unwrap()
}

/// Tables of patterns leave the blank out, which may be shut in on one side of a slide: what is known
/// of a board may be much more than what is known of its neighbours.
fn is_pattern(suspect: NamedHeuristic) -> bool {
    suspect == NamedHeuristic::Sound(HeuristicChoice::One(HeuristicKind::Pattern))
}

/// Every heuristic that searches use, and a pair.
fn sound() -> Vec<NamedHeuristic> {
    let ones =
        HeuristicKind::ALL.iter().map(|&one| NamedHeuristic::Sound(HeuristicChoice::One(one)));
    ones.chain(["max(inversion,linear-conflict)".parse().unwrap()]).collect()
}

#[test]
fn ours_are_admissible_and_consistent_on_every_8_puzzle() {
    for named in [Goal::Last, Goal::Snail] {
        for suspect in sound() {
            let audit = audit(&goal("3x3", &named), suspect);
            assert_eq!((audit.scope, audit.stopped), (AuditScope::AllBoards, None));
            // 24 of 36 ways to slide lead somewhere; each slide is one of two boards.
            assert_eq!((audit.n_boards, audit.n_slides), (181_440, 241_920), "{suspect}");
            assert!(audit.is_admissible(), "{suspect}: {audit:?}");
            assert_eq!(audit.is_consistent(), !is_pattern(suspect), "{suspect}: {audit:?}");
            assert!(audit.mean_estimate <= audit.mean_distance.unwrap(), "{suspect}");
        }
    }
}

#[test]
fn ours_are_admissible_and_consistent_on_every_board_of_twelve_cells() {
    let sizes = if is_long() { &["3x4", "2x6"][..] } else { &["2x4"] };
    for size in sizes {
        for suspect in sound() {
            let audit = audit(&goal(size, &Goal::Last), suspect);
            assert!(audit.is_admissible(), "{suspect}: {audit:?}");
            assert!(audit.is_consistent() || is_pattern(suspect), "{suspect}: {audit:?}");
            assert_eq!(audit.stopped, None);
            let n_boards = if is_long() { 239_500_800 } else { 20_160 };
            assert_eq!(audit.n_boards, n_boards);
        }
    }
}

/// The wrong heuristics written once more, from what they are said to be.
fn plainly(faulty: BuggyHeuristic, board: &Board, goal: &Board) -> f64 {
    let dims = board.dims();
    let places = |board: &Board| -> Vec<(usize, usize)> {
        board.cells_by_tile().iter().map(|&cell| (dims.row(cell), dims.col(cell))).collect()
    };
    let (here, home) = (places(board), places(goal));
    let distance =
        |tile: usize| here[tile].0.abs_diff(home[tile].0) + here[tile].1.abs_diff(home[tile].1);
    let n_tiles = here.len();
    let estimate = match faulty {
        BuggyHeuristic::MisplacedWithBlank => {
            (0..n_tiles).filter(|&tile| here[tile] != home[tile]).count()
        }
        BuggyHeuristic::ManhattanWithBlank => (0..n_tiles).map(distance).sum(),
        BuggyHeuristic::LinearConflictPairs => {
            let conflicts = |a: usize, b: usize| {
                let rows = [here[a].0, here[b].0, home[a].0, home[b].0];
                let cols = [here[a].1, here[b].1, home[a].1, home[b].1];
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

fn check_against_enumeration(space: &Space, faulty: BuggyHeuristic) {
    let found = audit(&space.goal, faulty);
    let estimates: HashMap<&Board, f64> =
        space.solvable().map(|(b, _)| (b, plainly(faulty, b, &space.goal))).collect();
    let h = |board: &Board| estimates[board];
    let mut boards: Vec<(u32, &Board)> = space.solvable().map(|(b, d)| (d, b)).collect();
    boards.sort_by(|(d, a), (e, b)| d.cmp(e).then_with(|| a.tiles().cmp(b.tiles())));
    let over: Vec<_> = boards.iter().filter(|(d, board)| h(board) > f64::from(*d)).collect();
    assert_eq!(found.n_overestimates, over.len() as u64, "{faulty}");
    // Nothing smaller: the boards are sorted by distance, then by tiles.
    let shown = |over: &Option<npuzzle::teaching::Overestimate>| {
        over.as_ref().map(|over| (over.distance, over.board.clone(), over.estimate))
    };
    let plain = |(distance, board): &&(u32, &Board)| (*distance, (*board).clone(), h(board));
    assert_eq!(shown(&found.first_overestimate), over.first().map(plain), "{faulty}");
    let excess = |(d, board): &&&(u32, &Board)| h(board) - f64::from(*d);
    let most = over.iter().map(|over| excess(&over)).fold(0.0, f64::max);
    let worst = over.iter().find(|over| excess(over) == most);
    assert_eq!(shown(&found.worst_overestimate), worst.map(plain), "{faulty}");

    let (mut n_jumps, mut first) = (0, None);
    for &(distance, board) in &boards {
        let mut neighbours: Vec<Board> = board.neighbors().collect();
        neighbours.sort_by(|a, b| a.tiles().cmp(b.tiles()));
        for other in neighbours {
            let jumps = (h(board) - h(&other)).abs() > 1.0;
            // Seen from the nearer board alone.
            if jumps && space.oracle.distance(&other) > Some(distance) {
                n_jumps += 1;
                first.get_or_insert((distance, board.clone(), other));
            }
        }
    }
    assert_eq!(found.n_inconsistencies, n_jumps, "{faulty}");
    let found_first =
        found.first_inconsistency.as_ref().map(|j| (j.distance, j.from.clone(), j.to.clone()));
    assert_eq!(found_first, first, "{faulty}");
    assert_eq!(found.is_admissible(), over.is_empty());
}

#[test]
fn the_smallest_counter_examples_are_those_of_plain_enumeration() {
    let first = goal("3x3", &Goal::First);
    let spaces = space::of("3x3").filter(|space| space.goal != first);
    for space in spaces.chain(space::of("2x4")) {
        BuggyHeuristic::ALL.iter().for_each(|&faulty| check_against_enumeration(space, faulty));
    }
}

#[test]
fn the_smallest_counter_examples_are_these() {
    let goal = goal("3x3", &Goal::Last);
    let least = audit(&goal, BuggyHeuristic::MisplacedWithBlank).first_overestimate.unwrap();
    assert_eq!((least.board, least.estimate, least.distance), (board("1 2 3/4 5 0/7 8 6"), 2.0, 1));
    let audit = audit(&goal, BuggyHeuristic::LinearConflictPairs);
    let least = audit.first_overestimate.unwrap();
    assert_eq!(
        (least.board, least.estimate, least.distance),
        (board("3 8 1/6 5 4/0 2 7"), 28.0, 26)
    );
    assert_eq!(audit.n_overestimates, 7);
}

/// The estimates of a heuristic by name, as if somebody else made them.
fn from_outside(
    goal: &Board,
    suspect: BuggyHeuristic,
) -> impl FnMut(&[Board], &mut dyn Watch) -> Result<Vec<f64>, AuditError> {
    let heuristic = suspect.heuristic(goal);
    move |boards: &[Board], _: &mut dyn Watch| {
        let estimate = |board| f64::from(Heuristic::<Sliding<Board>>::eval(&heuristic, board));
        Ok(boards.iter().map(estimate).collect())
    }
}

#[test]
fn estimates_from_outside_are_judged_as_those_from_inside() {
    for (size, named) in [("3x3", Goal::Snail), ("2x4", Goal::First), ("3x2", Goal::Last)] {
        let goal = goal(size, &named);
        for &faulty in BuggyHeuristic::ALL {
            let auditor = Auditor::new(goal.clone());
            let mut estimates = from_outside(&goal, faulty);
            let outside = auditor.audit_with(&mut estimates, &mut Tables::new(), &mut ()).unwrap();
            assert_eq!(outside, audit(&goal, faulty), "{size} {faulty}");
            let auditor = Auditor { samples: Some(300), seed: 7, ..auditor };
            let mut tables = Tables::new();
            let outside = auditor.audit_with(&mut estimates, &mut tables, &mut ()).unwrap();
            let inside = auditor.audit(faulty.into(), &mut tables, &mut ()).unwrap();
            assert_eq!((outside, inside.n_boards), (inside, 300), "{size} {faulty}");
        }
    }
}

#[test]
fn samples_of_large_boards_find_what_is_wrong_and_nothing_else() {
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
        let faulty = BuggyHeuristic::ManhattanWithBlank.into();
        let audit = auditor.audit(faulty, &mut tables, &mut ()).unwrap();
        let least = audit.first_overestimate.unwrap();
        assert!(least.estimate > f64::from(least.distance), "{size}: {least:?}");
        assert!(audit.n_inconsistencies > 0, "{size}");
    }
}

#[test]
fn a_real_number_is_an_estimate_too() {
    let goal = goal("2x3", &Goal::Last);
    let distances = space::of("2x3").find(|space| space.goal == goal).unwrap();
    let exact = |board: &Board| f64::from(distances.oracle.distance(board).unwrap());
    let check = |scale: f64, more: f64, n_over: u64, n_jumps: u64| {
        let mut estimates = |boards: &[Board], _: &mut dyn Watch| {
            Ok(boards.iter().map(|board| exact(board) * scale + more).collect())
        };
        let auditor = Auditor::new(goal.clone());
        let audit = auditor.audit_with(&mut estimates, &mut Tables::new(), &mut ()).unwrap();
        assert_eq!(
            (audit.n_overestimates, audit.n_inconsistencies),
            (n_over, n_jumps),
            "{scale} {more}"
        );
    };
    check(1.0, 0.0, 0, 0);
    check(0.5, 0.0, 0, 0);
    check(1.0, 0.25, 360, 0);
    // 2x3 has 14 of 24 ways to slide, so 360 boards have 420 slides.
    check(1.0 + 1e-9, 0.0, 359, 420);
}

#[test]
fn wrong_numbers_of_estimates_and_failures_are_errors() {
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
fn the_largest_boards_are_asked_about_a_few_at_a_time() {
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
    let mut inside = Polls::default();
    let faulty = BuggyHeuristic::MisplacedWithBlank;
    let audit = auditor.audit(faulty.into(), &mut Tables::new(), &mut inside).unwrap();
    assert_eq!(inside.0, 1000, "how often the clock was looked at");
    let mut estimates = from_outside(&goal, faulty);
    let mut few = |boards: &[Board], watch: &mut dyn Watch| {
        assert!(boards.len() <= 260, "{} boards at once", boards.len());
        estimates(boards, watch)
    };
    assert_eq!(audit, auditor.audit_with(&mut few, &mut Tables::new(), &mut ()).unwrap());
    assert_eq!((audit.n_boards, audit.scope), (1000, AuditScope::RandomWalks));
}

#[test]
fn tables_of_walking_distances_are_part_of_the_time_of_an_audit() {
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let auditor = Auditor { options, ..Auditor::new(goal("3x5", &Goal::Last)) };
    for name in ["walking", "max(linear-conflict,walking)"] {
        let audit = auditor.audit(name.parse().unwrap(), &mut Tables::new(), &mut ()).unwrap();
        assert_eq!((audit.stopped, audit.n_boards), (Some(Limit::Time), 0), "{name}");
    }
}

#[test]
fn an_audit_can_be_stopped_and_says_what_it_has_seen() {
    struct After(Counter<u32>);
    impl Watch for After {
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
    let suspect = BuggyHeuristic::MisplacedWithBlank.into();
    let mut watch = After(Counter::new(0));
    let audit = auditor.audit(suspect, &mut Tables::new(), &mut watch).unwrap();
    assert_eq!(audit.stopped, Some(Limit::Time));
    assert!(audit.n_boards > 0 && audit.n_boards < 239_500_800, "{}", audit.n_boards);
    assert_eq!(audit.first_overestimate.unwrap().distance, 1);
}
