//! The lockstep search of a board and its twin.

use std::ops::ControlFlow;

use npuzzle_core::heuristic::Manhattan;
use npuzzle_core::queue::ArrayHeap;
use npuzzle_core::search::{
    BestFirst, Budget, Duplicates, Limit, LockstepOutcome, Settings, Stats, Watch, twin_lockstep,
};
use npuzzle_core::{Instance, Packed, Sliding};
use npuzzle_testkit::board;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::space;

const SETTINGS: Settings = Settings { duplicates: Duplicates::Parent, ..Settings::ASTAR };

/// Searches a board and its twin; returns the outcome and the length of the path found.
fn run(
    instance: &Instance,
    settings: Settings,
    watch: &mut impl Watch,
) -> (LockstepOutcome, usize) {
    let twin = instance.twin();
    let [one, other] = [instance, &twin].map(|i| Sliding::<Packed>::new(i).unwrap());
    let h = Manhattan::new(instance.goal());
    let mut first = BestFirst::<_, _, ArrayHeap<_, _>>::new(&one, &h, settings);
    let mut second = BestFirst::<_, _, ArrayHeap<_, _>>::new(&other, &h, settings);
    let outcome = twin_lockstep(&mut first, &mut second, watch, &mut ());
    // Neither search is ever more than one step ahead.
    assert!(first.stats().dequeued.abs_diff(second.stats().dequeued) <= 1, "{instance:?}");
    (outcome, first.path().len() + second.path().len())
}

/// Checks that lockstep finds the distance of the board or of its twin.
fn check(space: &space::Space, start: &npuzzle_core::Board) {
    let instance = space.instance(start);
    let (expect, distance) = match space.oracle.distance(start) {
        Some(distance) => (LockstepOutcome::First, Some(distance)),
        None => (LockstepOutcome::Second, space.oracle.distance(&start.twin())),
    };
    let (outcome, length) = run(&instance, SETTINGS, &mut ());
    assert_eq!((outcome, Some(length as u32)), (expect, distance), "{instance:?}");
    assert_eq!(outcome == LockstepOutcome::First, instance.is_solvable());
}

#[test]
fn lockstep_agrees_with_parity_on_all_2x3_boards() {
    for space in space::of("2x3") {
        space.arrangements.iter().for_each(|start| check(space, start));
    }
}

#[test]
fn lockstep_agrees_with_parity_on_3x3_boards() {
    let mut random = Random::new(3);
    for space in space::of("3x3") {
        for _ in 0..35 {
            check(space, &space.arrangements[random.below(space.arrangements.len())]);
        }
    }
}

#[test]
fn exhausted_search_decides_for_the_other() {
    // The first has 12 states and no solution; the second has a distant solution.
    let unsolvable = Instance::from(board("2 1/3 0"));
    let far = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let check = |one: &Instance, other: &Instance, expect: LockstepOutcome| {
        let problems = [one, other].map(|instance| Sliding::<Packed>::new(instance).unwrap());
        let heuristics = [one, other].map(|instance| Manhattan::new(instance.goal()));
        let [mut first, mut second] = [0, 1].map(|i| {
            BestFirst::<_, _, ArrayHeap<_, _>>::new(&problems[i], &heuristics[i], Settings::ASTAR)
        });
        assert_eq!(twin_lockstep(&mut first, &mut second, &mut (), &mut ()), expect);
    };
    check(&unsolvable, &far, LockstepOutcome::Second);
    check(&far, &unsolvable, LockstepOutcome::First);
}

#[test]
fn limits_stop_both_searches() {
    struct Cancelled;
    impl Watch for Cancelled {
        fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
            ControlFlow::Break(Limit::Interrupted)
        }
    }
    let hard = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let budget =
        |nodes, bytes| Settings { budget: Budget { nodes, bytes, ..Budget::NONE }, ..SETTINGS };
    let check = |settings, limit| {
        assert_eq!(run(&hard, settings, &mut ()).0, LockstepOutcome::Stopped(limit));
    };
    check(budget(Some(100), None), Limit::Nodes);
    check(budget(None, Some(10_000)), Limit::Memory);
    let cancelled = run(&hard, SETTINGS, &mut Cancelled).0;
    assert_eq!(cancelled, LockstepOutcome::Stopped(Limit::Interrupted));
}
