//! Searches that are stopped by a limit, and searches of very large boards.

use std::ops::ControlFlow;
use std::thread;

use npuzzle_core::heuristic::{LinearConflict, Manhattan};
use npuzzle_core::queue::{ArrayHeap, BucketQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Heuristic, Limit, Outcome, Problem, SearchReport,
    Settings, Stats, Watch, idastar,
};
use npuzzle_core::{Board, Dims, Goal, Instance, Packed, Slide, Sliding};
use npuzzle_testkit::board;
use npuzzle_testkit::random::Random;

use crate::searches::{length, some_of_3x3};

/// Stops the search at the given poll, counted from 0, and records the rounds.
struct StopAt {
    polls_left: u32,
    limit: Limit,
    rounds: Vec<Cost>,
}

impl StopAt {
    fn poll(polls_left: u32, limit: Limit) -> StopAt {
        StopAt { polls_left, limit, rounds: Vec::new() }
    }
}

impl Watch for StopAt {
    fn round(&mut self, bound: Cost, _: &Stats) {
        self.rounds.push(bound);
    }

    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        if self.polls_left == 0 {
            return ControlFlow::Break(self.limit);
        }
        self.polls_left -= 1;
        ControlFlow::Continue(())
    }
}

/// A* and IDA* with a budget.
fn both(instance: &Instance, budget: Budget) -> [SearchReport<Slide>; 2] {
    let problem = Sliding::<Packed>::new(instance).unwrap();
    let h = Manhattan::new(instance.goal());
    let settings = Settings { budget, ..Settings::ASTAR };
    let astar = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
    [astar.run(&mut (), &mut ()), idastar(&problem, &h, budget, &mut ())]
}

#[test]
fn node_limit_is_exact_and_leaves_a_lower_bound() {
    for (space, start, distance) in some_of_3x3(20) {
        let instance = space.instance(start);
        let estimate = npuzzle_testkit::naive::manhattan(start, &space.goal);
        for report in both(&instance, Budget::NONE) {
            assert_eq!(length(&instance, &report), distance);
        }
        let needed = both(&instance, Budget::NONE).map(|report| report.stats.expanded);
        for nodes in [0, 1, 2, 10, 100, 1_000] {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            for (report, needed) in both(&instance, budget).into_iter().zip(needed) {
                if nodes >= needed {
                    assert_eq!(length(&instance, &report), distance, "{nodes}");
                    continue;
                }
                let Outcome::Stopped { limit, frontier } = report.outcome else {
                    panic!("{nodes} of {needed}: {report:?}")
                };
                assert_eq!((limit, report.stats.expanded), (Limit::Nodes, nodes));
                assert!((estimate..=distance).contains(&frontier), "{frontier} {instance:?}");
            }
        }
    }
}

#[test]
fn memory_limit_stops_best_first_search_with_a_lower_bound() {
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let mut last = 0;
    for bytes in [1, 1_000, 10_000, 100_000] {
        let [astar, deepening] = both(&instance, Budget { bytes: Some(bytes), ..Budget::NONE });
        let Outcome::Stopped { limit: Limit::Memory, frontier } = astar.outcome else {
            panic!("{bytes}: {astar:?}")
        };
        assert!((last..=31).contains(&frontier), "{frontier}");
        last = frontier;
        // The limit is tested before every expansion, so at most one expansion exceeds it.
        assert!(astar.stats.peak_bytes < 2 * bytes + 1_000, "{bytes}: {astar:?}");
        assert_eq!(length(&instance, &deepening), 31, "IDA* stores only a path");
    }
    assert!(last > 21, "the frontier must exceed the estimate of the start");
}

#[test]
fn watch_stops_a_search_with_its_own_limit() {
    let instance = Instance::from(board("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1"));
    let problem = Sliding::<Packed>::new(&instance).unwrap();
    let h = LinearConflict::new(instance.goal());
    for limit in [Limit::Time, Limit::Interrupted] {
        for n_polls in [0, 1, 5] {
            let mut watch = StopAt::poll(n_polls, limit);
            let search = BestFirst::<_, _, ArrayHeap<_, _>>::new(&problem, &h, Settings::ASTAR);
            let astar = search.run(&mut watch, &mut ());
            let mut watch = StopAt::poll(n_polls, limit);
            let deepening = idastar(&problem, &h, Budget::NONE, &mut watch);
            for report in [&astar, &deepening] {
                let Outcome::Stopped { limit: found, frontier } = report.outcome else {
                    panic!("{report:?}")
                };
                assert_eq!(found, limit);
                assert!(frontier <= 80, "no 4x4 board needs more moves");
                assert_eq!(report.stats.expanded == 0, n_polls == 0);
            }
            // A poll happens about every thousand nodes.
            assert!(astar.stats.dequeued <= u64::from(n_polls) * 4_096);
            assert!(deepening.stats.expanded <= u64::from(n_polls) * 4_096);
        }
    }
}

#[test]
fn idastar_reports_rounds_with_increasing_bounds() {
    for (space, start, distance) in some_of_3x3(20) {
        let instance = space.instance(start);
        let problem = Sliding::<Packed>::new(&instance).unwrap();
        let h = Manhattan::new(&space.goal);
        let mut watch = StopAt::poll(u32::MAX, Limit::Time);
        let report = idastar(&problem, &h, Budget::NONE, &mut watch);
        assert_eq!(length(&instance, &report), distance);
        // All paths between two boards have the same parity.
        let first = npuzzle_testkit::naive::manhattan(start, &space.goal);
        let expect: Vec<Cost> = (first..distance).step_by(2).collect();
        assert_eq!(watch.rounds, expect, "{instance:?}");
    }
}

/// The states 0 to n in a row, to be traversed from one end to the other.
struct Row(u32);

impl Problem for Row {
    type State = u32;
    type Action = i32;

    fn start(&self) -> u32 {
        0
    }

    fn is_goal(&self, &state: &u32) -> bool {
        state == self.0
    }

    fn actions(&self, &state: &u32) -> impl Iterator<Item = i32> {
        [1, -1].into_iter().filter(move |&step| step == 1 || state > 0)
    }

    fn apply(&self, state: &mut u32, step: i32) {
        *state = state.wrapping_add_signed(step);
    }

    fn inverse(&self, step: i32) -> i32 {
        -step
    }
}

/// The exact distance.
impl Heuristic<Row> for Row {
    type Memo = u32;

    fn eval(&self, state: &u32) -> u32 {
        self.0.abs_diff(*state)
    }

    fn value(&self, memo: &u32) -> Cost {
        *memo
    }
}

#[test]
fn idastar_finds_a_path_of_a_million_states_on_a_small_stack() {
    let search = || {
        let row = Row(1_000_000);
        idastar(&row, &row, Budget::NONE, &mut ())
    };
    let thread = thread::Builder::new().stack_size(128 << 10).spawn(search).unwrap();
    let report = thread.join().unwrap();
    assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 1_000_000));
}

#[test]
fn searches_of_the_largest_boards_respect_a_node_limit() {
    let dims = Dims::new(127, 127).unwrap();
    let mut random = Random::new(127);
    let shuffled = random.board(dims);
    let solvable = Instance::from(shuffled.clone()).is_solvable();
    let start = if solvable { shuffled } else { shuffled.twin() };
    let instance = Instance::from(start);
    let problem = Sliding::<Board>::new(&instance).unwrap();
    let h = Manhattan::new(instance.goal());
    let first = instance.start().manhattan() as Cost;
    let budget = Budget { nodes: Some(20_000), ..Budget::NONE };
    let report = idastar(&problem, &h, budget, &mut ());
    let Outcome::Stopped { limit: Limit::Nodes, frontier } = report.outcome else {
        panic!("{:?}", report.stats)
    };
    assert!(frontier >= first && report.stats.expanded == 20_000);
    let budget = Budget { nodes: Some(200), ..Budget::NONE };
    let settings = Settings { budget, duplicates: Duplicates::Closed, ..Settings::ASTAR };
    let report = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
    let report = report.run(&mut (), &mut ());
    assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
    assert!(report.stats.peak_bytes >= 200 * 127 * 127 * 2, "states own their tiles");
}

#[test]
fn idastar_solves_an_easy_board_of_the_largest_size() {
    let dims = Dims::new(127, 127).unwrap();
    let goal = Goal::Last.board(dims).unwrap();
    let mut start = goal.clone();
    // The blank moves to the opposite corner along two borders; the only shortest path back has 252
    // slides.
    for slide in [[Slide::Right; 126], [Slide::Down; 126]].concat() {
        assert!(start.slide(slide));
    }
    let instance = Instance::from(start);
    let problem = Sliding::<Board>::new(&instance).unwrap();
    let report = idastar(&problem, &Manhattan::new(&goal), Budget::NONE, &mut ());
    assert_eq!(length(&instance, &report), 252);
}
