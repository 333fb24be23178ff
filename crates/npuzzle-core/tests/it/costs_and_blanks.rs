//! Slides with costs and boards with several blanks: whole spaces against plain oracles.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use npuzzle_core::heuristic::{MultiBlankManhattan, TileCostManhattan, Zero};
use npuzzle_core::queue::{BucketQueue, FifoHeap};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, DuplicateCheck, Evaluation, Heuristic, Outcome, Problem, Settings,
    Stats, depth_limited, idastar,
};
use npuzzle_core::{
    Board, Cell, Dims, Goal, Instance, MultiBlankBoard, MultiBlankSliding, Random, Slide,
    SlideCost, Sliding, Tile, TileCosts,
};
use npuzzle_testkit::{board, dims};

/// Tiles row by row; 0 is a blank.
type Tiles = Vec<u16>;

/// The boards one move away: any tile moves into any adjacent blank, and costs what `cost` says.
fn moves(dims: Dims, tiles: &Tiles, cost: impl Fn(u16) -> Cost) -> Vec<(Tiles, Cost)> {
    let n = dims.cells();
    let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
    let is_move = |&(from, to): &(usize, usize)| {
        let distance = (from / dims.cols()).abs_diff(to / dims.cols())
            + (from % dims.cols()).abs_diff(to % dims.cols());
        distance == 1 && tiles[from] != 0 && tiles[to] == 0
    };
    let result = |(from, to): (usize, usize)| {
        let mut after = tiles.clone();
        after.swap(from, to);
        (after, cost(tiles[from]))
    };
    pairs.filter(is_move).map(result).collect()
}

/// The costs of all boards to the goal, by Dijkstra's algorithm. Moves can be undone at the same cost.
fn dijkstra(dims: Dims, goal: Tiles, cost: impl Fn(u16) -> Cost) -> HashMap<Tiles, Cost> {
    let mut open = BinaryHeap::from([Reverse((0, goal))]);
    let mut costs = HashMap::new();
    while let Some(Reverse((g, tiles))) = open.pop() {
        if costs.contains_key(&tiles) {
            continue;
        }
        for (after, step) in moves(dims, &tiles, &cost) {
            open.push(Reverse((g + step, after)));
        }
        costs.insert(tiles, g);
    }
    costs
}

/// The number of moves from all boards to the goal, by breadth-first search.
fn breadth_first(dims: Dims, goal: Tiles) -> HashMap<Tiles, Cost> {
    let mut depths = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(tiles) = queue.pop_front() {
        let depth = depths[&tiles];
        for (after, _) in moves(dims, &tiles, |_| 1) {
            if !depths.contains_key(&after) {
                depths.insert(after.clone(), depth + 1);
                queue.push_back(after);
            }
        }
    }
    depths
}

fn weighted(instance: &Instance) -> (Sliding<Board, TileCosts>, TileCostManhattan) {
    let costs = TileCosts::by_number(instance.dims());
    let heuristic = TileCostManhattan::new(instance.goal(), costs.clone());
    (Sliding::with_costs(instance, costs).unwrap(), heuristic)
}

fn two_blanks(tiles: &[u16]) -> (MultiBlankSliding, MultiBlankManhattan) {
    let start = MultiBlankBoard::new(dims("3x3"), tiles).unwrap();
    let goal = MultiBlankBoard::solved(start.dims(), start.n_tiles());
    let heuristic = MultiBlankManhattan::new(&goal);
    (MultiBlankSliding::new(start, goal).unwrap(), heuristic)
}

/// Checks on one state that the estimate is admissible, that no move decreases it by more than its cost,
/// and that it is updated as it is computed.
fn check_heuristic<P: Problem, H: Heuristic<P, Memo = Cost>>(
    problem: &P,
    h: &H,
    state: &P::State,
    optimum: Cost,
) {
    let memo = h.eval(state);
    assert!(h.value(&memo) <= optimum);
    for action in problem.actions(state) {
        let mut after = state.clone();
        problem.apply(&mut after, action);
        let cost = problem.cost(&after, action);
        let stepped = h.step(&memo, &after, action);
        assert_eq!(stepped, h.eval(&after));
        assert!(h.value(&memo) <= cost + h.value(&stepped));
        problem.apply(&mut after, problem.inverse(action));
        assert!(after == *state && problem.cost(&after, problem.inverse(action)) == cost);
    }
}

/// Replays a path; returns its cost. Panics unless it is legal and ends at the goal.
fn replay<P: Problem>(problem: &P, path: &[P::Action]) -> Cost {
    let mut state = problem.start();
    let mut g = 0;
    for &action in path {
        assert!(problem.actions(&state).any(|legal| legal == action));
        problem.apply(&mut state, action);
        g += problem.cost(&state, action);
    }
    assert!(problem.is_goal(&state));
    g
}

fn astar<P: Problem, H: Heuristic<P>>(problem: &P, h: &H, check: DuplicateCheck) -> Cost {
    let settings = Settings { check, ..Settings::ASTAR };
    let search = BestFirst::<_, _, BucketQueue<_>>::new(problem, h, settings);
    match search.run(&mut (), &mut ()).outcome {
        Outcome::Solved(path) => replay(problem, &path),
        outcome => panic!("{:?}", outcome == Outcome::Unsolvable),
    }
}

const CHECKS: [DuplicateCheck; 4] = [
    DuplicateCheck::Closed,
    DuplicateCheck::OnRemoval,
    DuplicateCheck::OnInsertion,
    DuplicateCheck::Open,
];

#[test]
fn tile_costs_whole_space_matches_dijkstra() {
    for goal in [board("1 2 3/4 5 6/7 8 0"), board("4 1 3/0 8 2/7 5 6")] {
        let numbers = goal.tiles().iter().map(|tile| tile.number()).collect();
        let oracle = dijkstra(goal.dims(), numbers, Cost::from);
        assert_eq!(oracle.len(), 181_440);
        for (index, (tiles, &optimum)) in oracle.iter().enumerate() {
            let start = Board::new(goal.dims(), tiles).unwrap();
            let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
            let (problem, h) = weighted(&instance);
            check_heuristic(&problem, &h, &problem.start(), optimum);
            if index.is_multiple_of(2_000) {
                for check in CHECKS {
                    assert_eq!(astar(&problem, &h, check), optimum, "{tiles:?} {check:?}");
                }
            }
        }
    }
}

#[test]
fn tile_costs_idastar_and_uniform_cost_match_dijkstra() {
    let goal = board("1 2 3/4 5 0");
    let numbers = goal.tiles().iter().map(|tile| tile.number()).collect();
    for (tiles, optimum) in dijkstra(goal.dims(), numbers, Cost::from) {
        let start = Board::new(goal.dims(), &tiles).unwrap();
        let instance = Instance::new(start, &Goal::Board(goal.clone())).unwrap();
        let (problem, h) = weighted(&instance);
        assert_eq!(astar(&problem, &Zero, DuplicateCheck::Closed), optimum, "{tiles:?}");
        let outcome = idastar(&problem, &h, Budget::NONE, &mut ()).outcome;
        let Outcome::Solved(path) = outcome else { panic!("{tiles:?}") };
        assert_eq!(replay(&problem, &path), optimum, "{tiles:?}");
    }
}

#[test]
fn tile_costs_of_zero_and_of_one_are_legal() {
    let instance: Instance = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    for (cost, expected) in [(0, 0), (1, 31)] {
        let costs = TileCosts::new(instance.dims(), |_| cost);
        assert_eq!((costs.of(Tile::BLANK), costs.of(Tile::new(8))), (0, cost));
        let h = TileCostManhattan::new(instance.goal(), costs.clone());
        let problem = Sliding::<Board, _>::with_costs(&instance, costs).unwrap();
        assert_eq!(astar(&problem, &h, DuplicateCheck::Closed), expected);
    }
}

#[test]
fn multi_blank_whole_space_matches_breadth_first_search() {
    let size = dims("3x3");
    let oracle = breadth_first(size, vec![1, 2, 3, 4, 5, 6, 7, 0, 0]);
    assert_eq!(oracle.len(), 181_440);
    for (index, (tiles, &optimum)) in oracle.iter().enumerate() {
        let (problem, h) = two_blanks(tiles);
        assert!(problem.is_solvable());
        check_heuristic(&problem, &h, &problem.start(), optimum);
        let expected = moves(size, tiles, |_| 1).len();
        assert_eq!(problem.actions(&problem.start()).count(), expected, "{tiles:?}");
        if index.is_multiple_of(1_000) {
            for check in CHECKS {
                assert_eq!(astar(&problem, &h, check), optimum, "{tiles:?} {check:?}");
            }
            let outcome = idastar(&problem, &h, Budget::NONE, &mut ()).outcome;
            let Outcome::Solved(path) = outcome else { panic!("{tiles:?}") };
            assert_eq!(replay(&problem, &path), optimum, "{tiles:?}");
        }
    }
}

#[test]
fn multi_blank_boards_of_other_sizes_reach_each_other() {
    for (size, n_tiles) in [("2x2", 1), ("2x2", 2), ("2x3", 3), ("2x3", 4), ("2x4", 6)] {
        let goal = MultiBlankBoard::solved(dims(size), n_tiles);
        let numbers = goal.tiles().iter().map(|tile| tile.number()).collect();
        let n_cells = dims(size).cells();
        let n_boards: usize = (n_cells - n_tiles + 1..=n_cells).product();
        assert_eq!(breadth_first(dims(size), numbers).len(), n_boards, "{size} {n_tiles}");
    }
}

#[test]
fn multi_blank_with_one_blank_is_the_puzzle() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let board = random.board(dims("3x3"));
        let tiles: Tiles = board.tiles().iter().map(|tile| tile.number()).collect();
        let instance = Instance::new(board, &Goal::Last).unwrap();
        let (problem, h) = two_blanks(&tiles);
        assert_eq!(problem.is_solvable(), instance.is_solvable());
        let sliding = Sliding::<Board>::new(&instance).unwrap();
        let plain = npuzzle_core::heuristic::Manhattan::new(instance.goal());
        let estimate = Heuristic::<Sliding<Board>>::eval(&plain, instance.start());
        assert_eq!(h.eval(&problem.start()), estimate);
        assert_eq!(
            problem.actions(&problem.start()).count(),
            sliding.actions(&sliding.start()).count()
        );
    }
}

#[test]
fn multi_blank_rejects_what_is_not_a_board() {
    let error = |tiles: &[u16]| MultiBlankBoard::new(dims("3x3"), tiles).unwrap_err().to_string();
    assert_eq!(error(&[1, 2, 0]), "found 3 tiles, but the board has 9 cells");
    assert_eq!(
        error(&[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        "tile 9 at cell 8 is out of range: tiles are 0 to 8"
    );
    assert_eq!(
        error(&[1, 2, 3, 4, 5, 6, 8, 0, 0]),
        "tile 8 at cell 6 is out of range: tiles are 0 to 7"
    );
    assert_eq!(error(&[1, 2, 3, 4, 5, 6, 6, 0, 0]), "tile 6 appears twice, at cells 5 and 6");
    let solved = |n_tiles| MultiBlankBoard::solved(dims("3x3"), n_tiles);
    assert!(MultiBlankSliding::new(solved(7), solved(6)).is_none());
    assert_eq!(solved(100), solved(8));
}

#[test]
fn multi_blank_random_boards_are_uniform() {
    let mut random = Random::new(1);
    let mut counts: HashMap<String, u32> = HashMap::new();
    for _ in 0..12_000 {
        let board = MultiBlankBoard::random(dims("2x2"), 2, &mut random);
        assert_eq!(board.n_tiles(), 2);
        *counts.entry(board.to_string()).or_default() += 1;
    }
    assert_eq!(counts.len(), 12);
    assert!(counts.values().all(|n| (850..1_150).contains(n)), "{counts:?}");
}

/// Depth-first search by the definition: an explicit stack of states.
fn naive_depth_limited(problem: &Sliding<Board>, limit: Cost) -> (Option<Cost>, Stats) {
    let mut stats = Stats { enqueued: 1, max_open: 1, ..Stats::default() };
    let mut stack = vec![(problem.start(), 0)];
    while let Some((state, depth)) = stack.pop() {
        stats.dequeued += 1;
        if problem.is_goal(&state) {
            return (Some(depth), Stats { open: stack.len() as u64, ..stats });
        }
        if depth < limit {
            stats.expanded += 1;
            let actions: Vec<Slide> = problem.actions(&state).collect();
            stats.generated += actions.len() as u64;
            stats.enqueued += actions.len() as u64;
            for action in actions.into_iter().rev() {
                let mut after = state.clone();
                problem.apply(&mut after, action);
                stack.push((after, depth + 1));
            }
            stats.max_open = stats.max_open.max(stack.len() as u64);
        }
    }
    (None, stats)
}

#[test]
fn depth_limited_search_matches_an_explicit_stack() {
    let mut random = Random::new(5);
    for n_slides in 0..10 {
        let start = random.walk(&board("1 2 3/4 5 6/7 8 0"), n_slides);
        let problem = Sliding::<Board>::new(&Instance::new(start, &Goal::Last).unwrap()).unwrap();
        for limit in 0..=10 {
            let report = depth_limited(&problem, limit, Budget::NONE, &mut (), &mut ());
            let (length, stats) = naive_depth_limited(&problem, limit);
            let found = match &report.outcome {
                Outcome::Solved(path) => {
                    assert_eq!(replay(&problem, path), path.len() as Cost);
                    Some(path.len() as Cost)
                }
                Outcome::Unsolvable => None,
                Outcome::Stopped { limit, .. } => panic!("{limit}"),
            };
            assert_eq!(found, length);
            assert_eq!(Stats { peak_bytes: 0, ..report.stats }, stats);
        }
    }
}

#[test]
fn depth_limited_search_stops_at_its_limits() {
    let instance: Instance = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let problem = Sliding::<Board>::new(&instance).unwrap();
    let budget = Budget { nodes: Some(1_000), ..Budget::NONE };
    let report = depth_limited(&problem, 31, budget, &mut (), &mut ());
    assert!(matches!(report.outcome, Outcome::Stopped { .. }));
    assert_eq!(report.stats.expanded, 1_000);
}

/// The counters of the course CSE 5360 of the University of Texas at Arlington, for its sample: popped,
/// expanded, generated and largest open list. A* as published; the others by an independent program.
#[test]
fn duplicate_check_on_removal_has_the_published_counters() {
    let instance: Instance = "2 3 6/1 0 7/4 8 5".parse().unwrap();
    let (problem, h) = weighted(&instance);
    let check = |evaluation, expected: [u64; 4]| {
        let settings = Settings { evaluation, check: DuplicateCheck::OnRemoval, ..Settings::ASTAR };
        let search = BestFirst::<_, _, FifoHeap<_, _>>::new(&problem, &h, settings);
        let stats = search.run(&mut (), &mut ()).stats;
        // The course counts the start as generated.
        let counters = [stats.dequeued, stats.expanded, stats.generated + 1, stats.max_open];
        assert_eq!(counters, expected, "{evaluation:?}");
    };
    check(Evaluation::AStar, [97, 64, 173, 77]);
    check(Evaluation::Uniform, [10_781, 6_068, 16_523, 5_835]);
    check(Evaluation::Greedy, [264, 138, 371, 108]);
}

#[test]
fn moved_tiles_of_actions_are_adjacent() {
    let (problem, _) = two_blanks(&[2, 5, 1, 4, 0, 6, 7, 0, 3]);
    let start = problem.start();
    for moved in problem.actions(&start) {
        assert_eq!(start.tile(moved.from), moved.tile);
        assert!(start.tile(moved.to).is_blank() && !moved.tile.is_blank());
        assert_eq!(start.dims().distance(moved.from, moved.to), 1);
    }
    assert_eq!(start.tile(Cell::new(0)), Tile::new(2));
}
