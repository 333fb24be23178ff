//! A board and its twin, searched in turn.

use std::ops::ControlFlow;

use npuzzle_core::heuristic::Manhattan;
use npuzzle_core::queue::ArrayHeap;
use npuzzle_core::search::{
    BestFirst, Budget, Duplicates, Limit, Lockstep, Settings, Stats, Watch, lockstep,
};
use npuzzle_core::{Instance, Packed, Sliding};
use npuzzle_testkit::board;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::space;

const SETTINGS: Settings = Settings { duplicates: Duplicates::Parent, ..Settings::ASTAR };

/// Searches a board and its twin; also how long the path of the winner is.
fn run(instance: &Instance, settings: Settings, watch: &mut impl Watch) -> (Lockstep, usize) {
    let twin = instance.twin();
    let (one, other) = (Sliding::<Packed>::new(instance), Sliding::<Packed>::new(&twin));
    let (one, other) = (one.unwrap(), other.unwrap());
    let h = Manhattan::new(instance.goal());
    let mut first = BestFirst::<_, _, ArrayHeap<_, _>>::new(&one, &h, settings);
    let mut second = BestFirst::<_, _, ArrayHeap<_, _>>::new(&other, &h, settings);
    let end = lockstep(&mut first, &mut second, watch, &mut ());
    // In turn: neither is ever more than a step ahead.
    assert!(first.stats().dequeued.abs_diff(second.stats().dequeued) <= 1, "{instance:?}");
    (end, first.path().len() + second.path().len())
}

/// That lockstep finds the enumeration's distance, of the board or of its twin.
fn check(space: &space::Space, start: &npuzzle_core::Board) {
    let instance = space.instance(start);
    let (expect, distance) = match space.oracle.distance(start) {
        Some(distance) => (Lockstep::First, Some(distance)),
        None => (Lockstep::Second, space.oracle.distance(&start.twin())),
    };
    let (end, length) = run(&instance, SETTINGS, &mut ());
    assert_eq!((end, Some(length as u32)), (expect, distance), "{instance:?}");
    assert_eq!(end == Lockstep::First, instance.is_solvable());
}

#[test]
fn lockstep_agrees_with_parity_on_every_arrangement_of_2x3() {
    for space in space::of("2x3") {
        space.arrangements.iter().for_each(|start| check(space, start));
    }
}

#[test]
fn lockstep_agrees_with_parity_on_boards_of_3x3() {
    let mut random = Random::new(3);
    for space in space::of("3x3") {
        for _ in 0..35 {
            check(space, &space.arrangements[random.below(space.arrangements.len())]);
        }
    }
}

#[test]
fn a_search_that_runs_out_of_states_yields_to_the_other() {
    // One has 12 states and no solution, the other a solution far away.
    let never = Instance::from(board("2 1/3 0"));
    let far = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let check = |one: &Instance, other: &Instance, expect: Lockstep| {
        let problems = [one, other].map(|instance| Sliding::<Packed>::new(instance).unwrap());
        let heuristics = [one, other].map(|instance| Manhattan::new(instance.goal()));
        let [mut first, mut second] = [0, 1].map(|i| {
            BestFirst::<_, _, ArrayHeap<_, _>>::new(&problems[i], &heuristics[i], Settings::ASTAR)
        });
        assert_eq!(lockstep(&mut first, &mut second, &mut (), &mut ()), expect);
    };
    check(&never, &far, Lockstep::Second);
    check(&far, &never, Lockstep::First);
}

#[test]
fn limits_stop_both_searches() {
    struct Never;
    impl Watch for Never {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
    let hard = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let budget =
        |nodes, bytes| Settings { budget: Budget { nodes, bytes, ..Budget::NONE }, ..SETTINGS };
    let check = |settings, limit| {
        assert_eq!(run(&hard, settings, &mut ()).0, Lockstep::Stopped(limit));
    };
    check(budget(Some(100), None), Limit::Nodes);
    check(budget(None, Some(10_000)), Limit::Memory);
    assert_eq!(run(&hard, SETTINGS, &mut Never).0, Lockstep::Stopped(Limit::Interrupted));
}
