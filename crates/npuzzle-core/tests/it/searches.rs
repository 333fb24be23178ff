//! Searches, compared with the distances found by enumeration.

use npuzzle_core::heuristic::{LinearConflict, Manhattan, Zero};
use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Heuristic, OpenNode, Outcome, SearchReport,
    Settings, Weight, idastar,
};
use npuzzle_core::{
    Arrangement, Board, ChainedTable, Goal, Instance, MoveOrder, Moves, Packed, Slide, Sliding,
};
use npuzzle_testkit::board;
use npuzzle_testkit::random::Random;
use npuzzle_testkit::space::{self, Space};

/// Replays the path that a search has found and returns its length.
pub(crate) fn length(instance: &Instance, report: &SearchReport<Slide>) -> Cost {
    let Outcome::Solved(path) = &report.outcome else { panic!("{report:?} of {instance:?}") };
    let end = Moves::from(path.clone()).replay(instance.start());
    assert_eq!(end.as_ref(), Ok(instance.goal()), "{instance:?}");
    path.len() as Cost
}

/// Runs a best-first search until it ends.
pub(crate) fn best_first<A, H, Q>(
    instance: &Instance,
    h: &H,
    settings: Settings,
) -> SearchReport<Slide>
where
    A: Arrangement,
    H: Heuristic<Sliding<A>>,
    Q: MinQueue<Cost, OpenNode<Slide>>,
{
    let problem = Sliding::<A>::new(instance).unwrap();
    BestFirst::<_, _, Q>::new(&problem, h, settings).run(&mut (), &mut ())
}

/// All solvable boards of 2x3.
fn all_of_2x3() -> impl Iterator<Item = (&'static Space, &'static Board, Cost)> {
    space::of("2x3").flat_map(|space| space.solvable().map(move |(b, d)| (space, b, d)))
}

/// About `n` solvable boards of 3x3 for every named goal.
pub(crate) fn some_of_3x3(
    n: usize,
) -> impl Iterator<Item = (&'static Space, &'static Board, Cost)> {
    let mut random = Random::new(8);
    space::of("3x3").flat_map(move |space| {
        let boards: Vec<_> = (0..2 * n)
            .map(|_| &space.arrangements[random.below(space.arrangements.len())])
            .filter_map(|board| space.oracle.distance(board).map(|d| (space, board, d)))
            .collect();
        boards
    })
}

const ASTAR: Settings = Settings::ASTAR;
const UNIFORM: Settings = Settings { evaluation: Evaluation::Uniform, ..ASTAR };

/// Checks A* on one representation of boards with all three queues.
fn check_astar<A: Arrangement, H: Heuristic<Sliding<A>>>(
    name: &str,
    h: &H,
    instance: &Instance,
    distance: Cost,
) {
    let reports = [
        best_first::<A, H, ArrayHeap<_, _>>(instance, h, ASTAR),
        best_first::<A, H, FifoHeap<_, _>>(instance, h, ASTAR),
        best_first::<A, H, BucketQueue<_>>(instance, h, ASTAR),
    ];
    for report in reports {
        assert_eq!(length(instance, &report), distance, "{name} {instance:?}");
        // These heuristics are consistent: no state is reopened.
        assert_eq!(report.stats.reopened, 0, "{name} {instance:?}");
    }
}

#[test]
fn astar_is_optimal_on_all_2x3_boards() {
    fn check<H>(name: &str, h: &H, instance: &Instance, distance: Cost)
    where
        H: Heuristic<Sliding<Packed>> + Heuristic<Sliding<Board>>,
    {
        check_astar::<Packed, H>(name, h, instance, distance);
        check_astar::<Board, H>(name, h, instance, distance);
    }
    for (space, start, distance) in all_of_2x3() {
        with_every_heuristic!(&space.goal, check(&space.instance(start), distance));
    }
}

#[test]
fn astar_is_optimal_on_3x3_boards() {
    for (space, start, distance) in some_of_3x3(200) {
        let instance = space.instance(start);
        let (manhattan, conflict) = (Manhattan::new(&space.goal), LinearConflict::new(&space.goal));
        check_astar::<Packed, _>("manhattan", &manhattan, &instance, distance);
        check_astar::<Packed, _>("linear-conflict", &conflict, &instance, distance);
    }
}

#[test]
fn idastar_is_optimal_on_all_2x3_boards() {
    fn check<H>(name: &str, h: &H, instance: &Instance, distance: Cost)
    where
        H: Heuristic<Sliding<Packed>> + Heuristic<Sliding<Board>>,
    {
        let packed = Sliding::<Packed>::new(instance).unwrap();
        let packed = idastar(&packed, h, Budget::NONE, &mut ());
        let plain = Sliding::<Board>::new(instance).unwrap();
        let plain = idastar(&plain, h, Budget::NONE, &mut ());
        assert_eq!(length(instance, &packed), distance, "{name} {instance:?}");
        assert_eq!(packed, plain, "{name} {instance:?}");
    }
    for (space, start, distance) in all_of_2x3() {
        with_every_heuristic!(&space.goal, check(&space.instance(start), distance));
    }
}

#[test]
fn idastar_is_optimal_on_3x3_boards() {
    for (space, start, distance) in some_of_3x3(200) {
        let instance = space.instance(start);
        let problem = Sliding::<Packed>::new(&instance).unwrap();
        let manhattan = idastar(&problem, &Manhattan::new(&space.goal), Budget::NONE, &mut ());
        assert_eq!(length(&instance, &manhattan), distance, "{instance:?}");
        let conflict = idastar(&problem, &LinearConflict::new(&space.goal), Budget::NONE, &mut ());
        assert_eq!(length(&instance, &conflict), distance, "{instance:?}");
        assert!(conflict.stats.expanded <= manhattan.stats.expanded, "{instance:?}");
    }
}

#[test]
fn uniform_cost_and_breadth_first_are_optimal() {
    let check = |space: &Space, start: &Board, distance: Cost| {
        let instance = space.instance(start);
        let uniform = best_first::<Packed, _, BucketQueue<_>>(&instance, &Zero, UNIFORM);
        assert_eq!(length(&instance, &uniform), distance, "{instance:?}");
        let breadth_first = best_first::<Packed, _, FifoHeap<_, _>>(&instance, &Zero, UNIFORM);
        assert_eq!(length(&instance, &breadth_first), distance, "{instance:?}");
        let array = best_first::<Packed, _, ArrayHeap<_, _>>(&instance, &Zero, UNIFORM);
        assert_eq!(length(&instance, &array), distance, "{instance:?}");
    };
    all_of_2x3().for_each(|(space, start, distance)| check(space, start, distance));
    some_of_3x3(7).for_each(|(space, start, distance)| check(space, start, distance));
}

#[test]
fn weighted_astar_stays_within_its_weight() {
    let mut longer = 0;
    for factor in [1.0, 1.2, 1.5, 2.0, 5.0, 1000.0] {
        let weight = Weight::new(factor).unwrap();
        let settings = Settings { evaluation: Evaluation::Weighted(weight), ..ASTAR };
        for (space, start, distance) in all_of_2x3().chain(some_of_3x3(30)) {
            let instance = space.instance(start);
            let h = Manhattan::new(&space.goal);
            let report = best_first::<Packed, _, BucketQueue<_>>(&instance, &h, settings);
            let length = length(&instance, &report);
            let max = (f64::from(distance) * factor).floor() as Cost;
            assert!((distance..=max).contains(&length), "{factor} {length} {instance:?}");
            longer += u32::from(length > distance);
        }
    }
    assert!(longer > 0, "weights have no effect");
}

#[test]
fn greedy_search_finds_valid_paths_without_reopening() {
    let settings = Settings { evaluation: Evaluation::Greedy, ..ASTAR };
    for (space, start, distance) in all_of_2x3().chain(some_of_3x3(200)) {
        let instance = space.instance(start);
        let h = Manhattan::new(&space.goal);
        let array = best_first::<Packed, _, ArrayHeap<_, _>>(&instance, &h, settings);
        let fifo = best_first::<Packed, _, FifoHeap<_, _>>(&instance, &h, settings);
        let bucket = best_first::<Packed, _, BucketQueue<_>>(&instance, &h, settings);
        for report in [array, fifo, bucket] {
            assert!(length(&instance, &report) >= distance, "{instance:?}");
            assert_eq!(report.stats.reopened, 0, "{instance:?}");
        }
    }
}

#[test]
fn stricter_duplicate_policies_expand_fewer_states() {
    let mut expanded = [0; 3];
    // Without a closed list the search of the hardest boards takes too long.
    for (space, start, distance) in all_of_2x3().filter(|&(_, _, distance)| distance <= 14) {
        let instance = space.instance(start);
        let h = LinearConflict::new(&space.goal);
        let policies = [Duplicates::None, Duplicates::Parent, Duplicates::Closed];
        for (total, duplicates) in expanded.iter_mut().zip(policies) {
            let settings = Settings { duplicates, ..ASTAR };
            let report = best_first::<Packed, _, FifoHeap<_, _>>(&instance, &h, settings);
            assert_eq!(length(&instance, &report), distance, "{duplicates:?} {instance:?}");
            *total += report.stats.expanded;
        }
    }
    let [none, parent, closed] = expanded;
    assert!(none > parent && parent > closed, "{expanded:?}");
}

#[test]
fn astar_with_closed_list_reports_unsolvable_boards() {
    for space in space::of("2x3") {
        let n_states = space.arrangements.len() as u64 / 2;
        for start in space.arrangements.iter().filter(|b| space.oracle.distance(b).is_none()) {
            let instance = space.instance(start);
            let h = Manhattan::new(&space.goal);
            let report = best_first::<Packed, _, BucketQueue<_>>(&instance, &h, ASTAR);
            assert_eq!(report.outcome, Outcome::Unsolvable, "{instance:?}");
            assert_eq!(report.stats.expanded, n_states, "{instance:?}");
            assert_eq!(report.stats.dequeued, report.stats.enqueued, "{instance:?}");
        }
    }
}

#[test]
fn closed_list_with_poor_hash_does_not_change_the_search() {
    /// A hash with only three values.
    fn poor(state: &Packed) -> u64 {
        state.bits() % 3
    }
    for (space, start, _) in some_of_3x3(10) {
        let instance = space.instance(start);
        let problem = Sliding::<Packed>::new(&instance).unwrap();
        let h = LinearConflict::new(&space.goal);
        let table = ChainedTable::with_buckets(991);
        let poor = BestFirst::<_, _, BucketQueue<_>>::with_table(&problem, &h, ASTAR, table, poor);
        let poor = poor.run(&mut (), &mut ());
        let usual = best_first::<Packed, _, BucketQueue<_>>(&instance, &h, ASTAR);
        assert_eq!(poor.outcome, usual.outcome, "{instance:?}");
        assert_eq!(poor.stats.expanded, usual.stats.expanded, "{instance:?}");
    }
}

#[test]
fn solved_board_needs_no_moves() {
    let instance = Instance::from(board("1 2 3/4 5 6/7 8 0"));
    let problem = Sliding::<Packed>::new(&instance).unwrap();
    let h = Manhattan::new(instance.goal());
    let astar = best_first::<Packed, _, ArrayHeap<_, _>>(&instance, &h, ASTAR);
    assert_eq!(astar.outcome, Outcome::Solved(Vec::new()));
    let (enqueued, dequeued) = (astar.stats.enqueued, astar.stats.dequeued);
    assert_eq!((enqueued, dequeued, astar.stats.expanded), (1, 1, 0));
    let deepening = idastar(&problem, &h, Budget::NONE, &mut ());
    assert_eq!(deepening.outcome, Outcome::Solved(Vec::new()));
    assert_eq!((deepening.stats.expanded, deepening.stats.generated), (0, 0));
}

#[test]
fn children_are_generated_in_the_given_order() {
    use npuzzle_core::search::{Event, ObservedNode, Problem};
    let instance = Instance::new(board("1 2 3/4 0 5/6 7 8"), &Goal::Last).unwrap();
    let check = |order: MoveOrder| {
        let problem = Sliding::<Packed>::with_order(&instance, order).unwrap();
        assert_eq!(problem.actions(&problem.start()).collect::<Vec<_>>(), order.slides());
        let h = Manhattan::new(instance.goal());
        let mut search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, ASTAR);
        let mut pushed = Vec::new();
        search.step(&mut |event: Event<'_, Sliding<Packed>>| {
            if let Event::Push(ObservedNode { action: Some(slide), .. }) = event {
                pushed.push(slide);
            }
        });
        assert_eq!(pushed, order.slides());
    };
    check(MoveOrder::default());
    check("durl".parse().unwrap());
}
