//! The engine against plain searches.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::context::Context;
use super::expand::child;
use super::*;
use crate::engine::ida::subtree_split::MIN_LONG_ROUND;
use crate::engine::upper_bound::{KnownSolution, UpperBound};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::canonical::CanonicalForm;
use npuzzle_core::heuristic::LinearConflict;
use npuzzle_core::search::{Budget, Cost, Heuristic, Outcome, idastar};
use npuzzle_core::{Goal, Packed, Sliding};
use npuzzle_tables::{Partition, PdbKind, PdbSet, SlotLookup, ZeroAwareSet};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

const ONE_THREAD: Resources = Resources { budget: Budget::NONE, threads: 1, max_round_time: None };

/// A whole search.
fn whole(
    start: &Board,
    patterns: &ZeroAwareTables,
    automaton: &SlideAutomaton,
    resources: Resources,
    watch: &mut dyn Watch,
) -> SearchReport<Slide> {
    let engine = engine(start, patterns, automaton);
    let hooks = Hooks { watch, journal: None, upper_bound: None };
    patterns.form().report(engine.iterate(DeepeningState::default(), &resources, hooks).unwrap())
}

fn patterns(goal: &Board) -> ZeroAwareTables {
    let form = CanonicalForm::new(goal).unwrap();
    let set = ZeroAwareSet::new_watched(form.dims(), form.blank(), 2, &mut ()).unwrap().unwrap();
    ZeroAwareTables::new(form, vec![Arc::new(set)])
}

/// All goals with the blank in a corner, in order or not.
fn goals() -> [Board; 4] {
    let first = Goal::First.board(dims("4x4")).unwrap();
    let last = Goal::Last.board(dims("4x4")).unwrap();
    let top_right = board("3 7 11 0/2 6 10 15/1 5 9 14/4 8 12 13");
    let bottom_left = board("12 8 4 15/13 9 5 1/14 10 6 2/0 11 7 3");
    [first, last, top_right, bottom_left]
}

/// Asserts along a random walk that the incremental node equals a node from scratch, and that its value is that
/// of the plain heuristic, at least that of the tables which ignore the blank, and consistent.
fn check_steps<S: SlotLookup, const COLS: usize, const MIRROR: bool>(
    goal: &Board,
    pdb: &ZeroAwareTables,
    slots: &S,
    random: &mut Random,
) {
    let automaton = SlideAutomaton::embedded().unwrap();
    let form = pdb.form();
    let set = pdb.sets().next().unwrap();
    let context = Context::new(form, set, slots, automaton);
    let engine = |board: &Board| {
        let context = Context::new(form, set, slots, automaton);
        PdbEngine::<_, COLS, MIRROR>::new(vec![context], pdb.name(), &form.labels(board))
    };
    let blind_set = PdbSet::new(form.dims(), form.blank()).unwrap();
    let blind = AdditivePdb::new(form.clone(), Arc::new(blind_set));
    let mut at = goal.clone();
    let mut node = engine(&at).root()[0];
    for _ in 0..500 {
        let slides: Vec<Slide> = at.slides().collect();
        let slide = slides[random.below(slides.len())];
        let canonical = Slide::ALL.into_iter().find(|&s| form.slide(s) == slide).unwrap();
        let before = node.max_h();
        node = child::<S, COLS, MIRROR>(&context, &node, canonical);
        at.slide(slide);
        assert_eq!([node], *engine(&at).root(), "{at:?}");
        let plain: Cost = Heuristic::<Sliding<Board>>::eval(pdb, &at);
        assert_eq!(node.max_h() as Cost, plain, "{at:?}");
        assert!(node.max_h().abs_diff(before) == 1, "{at:?}");
        let blind: Cost = Heuristic::<Sliding<Board>>::eval(&blind, &at);
        assert!(blind <= plain, "{at:?}: {blind} and {plain}");
    }
}

#[test]
fn incremental_nodes_equal_nodes_from_scratch() {
    let mut random = Random::new(1);
    let mut check = |goal: &Board| {
        let pdb = patterns(goal);
        let form = pdb.form();
        match (pdb.sets().next().unwrap().slots(), form.dims().cols(), form.is_mirrored()) {
            (SetLookup::Small(s), 2, false) => {
                check_steps::<_, 2, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Small(s), 3, false) => {
                check_steps::<_, 3, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Small(s), 3, true) => {
                check_steps::<_, 3, true>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Small(s), 4, false) => {
                check_steps::<_, 4, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Small(s), 4, true) => {
                check_steps::<_, 4, true>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Large(s), 2, _) => {
                check_steps::<_, 2, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Large(s), 3, _) => {
                check_steps::<_, 3, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Large(s), 4, _) => {
                check_steps::<_, 4, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Large(s), 5, false) => {
                check_steps::<_, 5, false>(goal, &pdb, &**s, &mut random)
            }
            (SetLookup::Large(s), 5, true) => {
                check_steps::<_, 5, true>(goal, &pdb, &**s, &mut random)
            }
            _ => panic!("{goal:?}"),
        }
    };
    goals().iter().for_each(&mut check);
    let others = [
        ("4x4", 1),
        ("4x4", 7),
        ("3x3", 4),
        ("3x3", 1),
        ("7x2", 2),
        ("5x3", 14),
        ("9x2", 3),
        ("3x7", 4),
        ("5x4", 19),
        ("5x5", 1),
        ("5x5", 12),
        ("6x4", 0),
        ("12x2", 5),
    ];
    others.into_iter().for_each(|(size, blank)| check(&with_blank_at(size, blank)));
}

/// The tiles in order, the blank at a cell.
fn with_blank_at(size: &str, cell: u16) -> Board {
    let dims = dims(size);
    let tiles = (0..dims.cells() as u16).map(|at| match at.cmp(&cell) {
        std::cmp::Ordering::Less => at + 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => at,
    });
    Board::new(dims, &tiles.collect::<Vec<u16>>()).unwrap()
}

#[test]
fn lengths_equal_those_of_plain_idastar() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(2);
    for goal in goals() {
        let patterns = patterns(&goal);
        for n_steps in [0, 1, 2, 7, 20, 30, 40, 50, 60, 70] {
            let start = random.walk(&goal, n_steps);
            let fast = whole(&start, &patterns, automaton, ONE_THREAD, &mut ());
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Packed>::new(&instance).unwrap();
            let plain = idastar(&problem, &LinearConflict::new(&goal), Budget::NONE, &mut ());
            match (fast.outcome, plain.outcome) {
                (Outcome::Solved(fast), Outcome::Solved(plain)) => {
                    assert_eq!(fast.len(), plain.len(), "{start:?}");
                    let moves = npuzzle_core::Moves::from(fast);
                    assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
                }
                other => panic!("{start:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn rectangles_with_any_goal_agree_with_plain_idastar() {
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(3);
    let small = ["2x2", "2x3", "3x2", "3x3", "2x5", "5x2", "3x4", "4x3", "2x7", "3x5", "8x2"];
    let large = ["2x9", "12x2", "4x5", "6x4", "3x8", "5x5"];
    for size in small.into_iter().chain(["4x4"; 3]).chain(large) {
        let goal = random.board(dims(size));
        let patterns = patterns(&goal);
        for n_steps in [1, 5, 15, 25, 35] {
            let start = random.walk(&goal, n_steps);
            let fast = whole(&start, &patterns, automaton, ONE_THREAD, &mut ());
            let instance = Instance::new(start.clone(), &Goal::Board(goal.clone())).unwrap();
            let problem = Sliding::<Board>::new(&instance).unwrap();
            let plain = idastar(&problem, &patterns, Budget::NONE, &mut ());
            let blind = idastar(&problem, &LinearConflict::new(&goal), Budget::NONE, &mut ());
            let (Outcome::Solved(fast), Outcome::Solved(plain), Outcome::Solved(blind)) =
                (fast.outcome, plain.outcome, blind.outcome)
            else {
                panic!("{start:?}");
            };
            assert_eq!((fast.len(), plain.len()), (blind.len(), blind.len()), "{start:?}");
            let moves = npuzzle_core::Moves::from(fast);
            assert_eq!(moves.replay(&start).as_ref(), Ok(&goal));
        }
    }
}

#[test]
fn node_limit_is_exact() {
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    let hard = board("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1");
    for max_nodes in [0, 1, 2, 1000, 20_000, 50_000] {
        let budget = Budget { nodes: Some(max_nodes), ..Budget::NONE };
        let report = whole(
            &hard,
            &patterns,
            automaton,
            Resources { budget, threads: 2, ..ONE_THREAD },
            &mut (),
        );
        assert_eq!(report.stats.expanded, max_nodes);
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
    }
}

#[test]
fn thread_count_changes_neither_solution_nor_counts() {
    let goal = Goal::First.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    // Korf's boards 82, 88 and 60, which take the most nodes, so that their rounds are long.
    for start in [
        "14 10 2 1/13 9 8 11/7 3 6 12/15 5 4 0",
        "15 2 12 11/14 13 9 5/1 3 8 7/0 10 6 4",
        "11 14 13 1/2 3 12 4/15 7 9 5/10 6 8 0",
    ] {
        let start = board(start);
        let run = |threads| {
            let resources = Resources { threads, ..ONE_THREAD };
            whole(&start, &patterns, automaton, resources, &mut ())
        };
        let single = run(1);
        assert!(single.stats.expanded > 2 * MIN_LONG_ROUND, "{:?}", single.stats);
        for threads in [2, 3, 7] {
            assert_eq!(run(threads), single, "{start:?} on {threads} threads");
        }
    }
}

/// Tables of two partitions with these patterns as the second one, and of the first one only.
fn two_partitions(goal: &Board, second: &[&[u8]]) -> [ZeroAwareTables; 2] {
    let one = patterns(goal);
    let form = one.form();
    let partition = Partition::new(form.dims(), form.blank(), second, PdbKind::ZeroAware).unwrap();
    let bytes = partition.build(2, &mut ()).unwrap();
    let first = one.sets().next().unwrap();
    let sets = [first.clone(), first.from_bytes_sharing_slots(&partition, &bytes).unwrap()];
    [ZeroAwareTables::new(form.clone(), sets.map(Arc::new).to_vec()), one]
}

const SECOND_15: [&[u8]; 3] = [&[1, 2, 3, 7, 11], &[4, 5, 6, 8, 9], &[10, 12, 13, 14, 15]];

/// Six times four tiles, as in the first partition, so that both share their slots.
const SECOND_24: [&[u8]; 6] = [
    &[1, 2, 6, 7],
    &[3, 4, 8, 9],
    &[5, 10, 11, 15],
    &[12, 13, 17, 18],
    &[14, 19, 23, 24],
    &[16, 20, 21, 22],
];

#[test]
fn several_partitions_prove_the_same_lengths() {
    check_two_partitions("4x4", &SECOND_15, 200);
    check_two_partitions("5x5", &SECOND_24, 60);
}

/// The bound of the first round is the largest of all partitions, and lengths are those of one partition.
fn check_two_partitions(size: &str, second: &[&[u8]], max_steps: usize) {
    let goal = Goal::First.board(dims(size)).unwrap();
    let [two, one] = two_partitions(&goal, second);
    let automaton = SlideAutomaton::embedded().unwrap();
    let mut random = Random::new(7);
    let mut n_higher = 0;
    for n_steps in (0..=max_steps).step_by(4) {
        let start = random.walk(&goal, n_steps);
        let [with_two, with_one] =
            [&two, &one].map(|pdb| whole(&start, pdb, automaton, ONE_THREAD, &mut ()));
        let (Outcome::Solved(path), Outcome::Solved(expected)) =
            (with_two.outcome, with_one.outcome)
        else {
            panic!("{start:?}");
        };
        assert_eq!(path.len(), expected.len(), "{start:?}");
        assert_eq!(npuzzle_core::Moves::from(path).replay(&start).as_ref(), Ok(&goal));
    }
    for _ in 0..100 {
        let start = random.walk(&goal, 500);
        let first_bounds = [&two, &one].map(|pdb| engine(&start, pdb, automaton).first_bound());
        assert_eq!(first_bounds[0], Heuristic::<Sliding<Board>>::eval(&two, &start), "{start:?}");
        assert!(first_bounds[0] >= first_bounds[1], "{start:?}");
        n_higher += usize::from(first_bounds[0] > first_bounds[1]);
    }
    assert!(n_higher > 0);
}

/// Counts and solutions do not depend on threads, and two partitions expand fewer nodes than one.
#[test]
fn several_partitions_count_the_same_on_any_number_of_threads() {
    let goal = Goal::First.board(dims("4x4")).unwrap();
    let [two, one] = two_partitions(&goal, &SECOND_15);
    let automaton = SlideAutomaton::embedded().unwrap();
    let start = board("14 10 2 1/13 9 8 11/7 3 6 12/15 5 4 0");
    let run = |pdb, threads| {
        let resources = Resources { threads, ..ONE_THREAD };
        whole(&start, pdb, automaton, resources, &mut ())
    };
    let single = run(&two, 1);
    assert!(single.stats.expanded > 2 * MIN_LONG_ROUND, "{:?}", single.stats);
    for threads in [2, 3] {
        assert_eq!(run(&two, threads), single, "{threads} threads");
    }
    assert!(single.stats.expanded < run(&one, 1).stats.expanded);
}

#[test]
fn watch_stops_all_threads() {
    struct Impatient(u32);
    impl Watch for Impatient {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            self.0 += 1;
            if self.0 < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(Limit::Time) }
        }
    }
    let goal = Goal::Last.board(dims("4x4")).unwrap();
    let patterns = patterns(&goal);
    let automaton = SlideAutomaton::embedded().unwrap();
    let hard = board("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    let resources = Resources { threads: 3, ..ONE_THREAD };
    let report = whole(&hard, &patterns, automaton, resources, &mut Impatient(0));
    let Outcome::Stopped { limit: Limit::Time, frontier } = report.outcome else {
        panic!("{:?}", report.outcome);
    };
    assert!(frontier <= 80);
}

/// A solution that is known, whatever the round.
struct KnownLength(Cost, KnownSolution);

impl UpperBound for KnownLength {
    fn before_round(&mut self, _: Cost, _: u64, _: &mut dyn Watch) -> Option<Cost> {
        Some(self.0)
    }

    fn known(&self) -> &KnownSolution {
        &self.1
    }
}

/// The rounds below the length of a known solution are searched as without it, and no other.
#[test]
fn known_solution_ends_the_search_before_its_round() {
    let (goal, mut random) = (&goals()[0], Random::new(5));
    let (pdb, automaton) = (patterns(goal), SlideAutomaton::embedded().unwrap());
    for _ in 0..20 {
        let start = random.walk(goal, 60);
        let mut rounds = Rounds::default();
        let report = whole(&start, &pdb, automaton, ONE_THREAD, &mut rounds);
        let Outcome::Solved(path) = report.outcome else { panic!("{start:?}") };
        let shortest = path.len() as Cost;
        for length in [shortest, shortest + 2] {
            let mut with_known = Rounds::default();
            let mut known = KnownLength(length, KnownSolution::default());
            let upper_bound: Option<&mut dyn UpperBound> = Some(&mut known);
            let hooks = Hooks { watch: &mut with_known, journal: None, upper_bound };
            let searched = engine(&start, &pdb, automaton).iterate(
                DeepeningState::default(),
                &ONE_THREAD,
                hooks,
            );
            let outcome = searched.map(|report| report.outcome).ok();
            if length == shortest {
                let frontier = shortest;
                assert_eq!(outcome, Some(Outcome::Stopped { limit: Limit::Bound, frontier }));
                assert_eq!(with_known, rounds, "{start:?}");
            } else {
                assert!(matches!(outcome, Some(Outcome::Solved(p)) if p.len() == path.len()));
            }
        }
    }
}

/// The bounds and the expanded nodes of the completed rounds.
#[derive(Default, PartialEq, Debug)]
struct Rounds(Vec<(Cost, u64)>);

impl Watch for Rounds {
    fn round(&mut self, bound: Cost, stats: &Stats) {
        self.0.push((bound, stats.expanded));
    }
}
