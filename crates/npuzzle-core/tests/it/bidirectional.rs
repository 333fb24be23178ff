//! Bidirectional search, compared with distances found by enumeration and with A*, also on problems
//! other than sliding tiles.

use std::collections::VecDeque;

use npuzzle_core::heuristic::{Inversions, LinearConflict, Manhattan, WalkingDistance, Zero};
use npuzzle_core::queue::BucketQueue;
use npuzzle_core::search::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Settings, SingleGoal,
    bidirectional, idastar,
};
use npuzzle_core::{Arrangement, Board, Goal, Instance, Moves, Packed, Slide, Sliding};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims, space};

use crate::searches::{best_first, length, some_of_3x3};

fn search<A, H>(
    instance: &Instance,
    budget: Budget,
    new: impl Fn(&Board) -> H,
) -> SearchReport<Slide>
where
    A: Arrangement,
    H: Heuristic<Sliding<A>>,
{
    let problem = Sliding::<A>::new(instance).unwrap();
    let (to_goal, to_start) = (new(instance.goal()), new(instance.start()));
    bidirectional(&problem, &to_goal, &to_start, budget, &mut ())
}

/// Checks all heuristics on one board.
fn check(instance: &Instance, distance: Cost) {
    let none = Budget::NONE;
    let reports = [
        search::<Packed, _>(instance, none, |_| Zero),
        search::<Packed, _>(instance, none, Manhattan::new),
        search::<Packed, _>(instance, none, LinearConflict::new),
        search::<Packed, _>(instance, none, Inversions::new),
        search::<Packed, _>(instance, none, |goal| WalkingDistance::new(goal).unwrap()),
        search::<Board, _>(instance, none, Manhattan::new),
    ];
    for (at, report) in reports.iter().enumerate() {
        assert_eq!(length(instance, report), distance, "{at} {instance:?}");
        let stats = &report.stats;
        assert_eq!(stats.reopened, 0, "these heuristics are consistent: {at} {instance:?}");
        assert!(stats.expanded <= stats.dequeued && stats.dequeued <= stats.enqueued);
    }
    assert_eq!(reports[1], reports[5].clone().with_bytes(reports[1].stats.peak_bytes));
}

trait WithBytes {
    fn with_bytes(self, bytes: u64) -> Self;
}

impl WithBytes for SearchReport<Slide> {
    /// Packed and plain boards differ only in the bytes that they take.
    fn with_bytes(mut self, bytes: u64) -> Self {
        self.stats.peak_bytes = bytes;
        self
    }
}

#[test]
fn bidirectional_is_optimal_on_all_2x3_boards_and_goals() {
    for space in space::of("2x3") {
        for (start, distance) in space.solvable() {
            check(&space.instance(start), distance);
        }
    }
    // Any board can be the goal.
    let space = space::of("2x3").next().unwrap();
    for (goal, distance) in space.solvable() {
        let goal = Goal::Board(goal.clone());
        check(&Instance::new(space.goal.clone(), &goal).unwrap(), distance);
    }
}

#[test]
fn bidirectional_is_optimal_on_3x3_boards() {
    for (space, start, distance) in some_of_3x3(40) {
        check(&space.instance(start), distance);
    }
}

#[test]
fn bidirectional_agrees_with_astar_on_larger_boards() {
    let mut random = Random::new(34);
    for (size, n_slides) in [("3x4", 60), ("4x3", 60), ("4x4", 60), ("2x7", 50)] {
        for _ in 0..4 {
            let goal = random.board(dims(size));
            let mut start = goal.clone();
            for _ in 0..n_slides {
                while !start.slide(Slide::ALL[random.below(4)]) {}
            }
            let instance = Instance::new(start, &Goal::Board(goal)).unwrap();
            let h = LinearConflict::new(instance.goal());
            let astar = best_first::<Packed, _, BucketQueue<_>>(&instance, &h, Settings::ASTAR);
            let expect = length(&instance, &astar);
            let manhattan = search::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
            assert_eq!(length(&instance, &manhattan), expect, "{instance:?}");
            let conflict = search::<Packed, _>(&instance, Budget::NONE, LinearConflict::new);
            assert_eq!(length(&instance, &conflict), expect, "{instance:?}");
        }
    }
}

#[test]
fn bidirectional_reports_unsolvable_boards() {
    let n_states = 360;
    for text in ["1 2 3/5 4 0", "0 2 1/3 4 5"] {
        let instance = Instance::from(board(text));
        assert!(!instance.is_solvable());
        let report = search::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
        assert_eq!(report.outcome, Outcome::Unsolvable);
        assert!((n_states..=2 * n_states).contains(&report.stats.expanded), "{report:?}");
    }
}

#[test]
fn bidirectional_returns_no_moves_for_a_solved_board() {
    let instance = Instance::from(board("1 2 3/4 5 6/7 8 0"));
    let report = search::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
    assert_eq!(report.outcome, Outcome::Solved(Vec::new()));
    assert_eq!(report.stats.expanded, 0);
}

#[test]
fn bidirectional_limits_are_exact_and_leave_a_lower_bound() {
    for (space, start, distance) in some_of_3x3(10) {
        let instance = space.instance(start);
        let needed = search::<Packed, _>(&instance, Budget::NONE, Manhattan::new).stats.expanded;
        for nodes in [0, 1, 2, 3, 10, 100, 1_000] {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            let report = search::<Packed, _>(&instance, budget, Manhattan::new);
            if nodes >= needed {
                assert_eq!(length(&instance, &report), distance);
                continue;
            }
            let Outcome::Stopped { limit, frontier } = report.outcome else { panic!("{report:?}") };
            assert_eq!((limit, report.stats.expanded), (Limit::Nodes, nodes));
            assert!(frontier <= distance, "{frontier} {instance:?}");
        }
    }
    let instance = Instance::from(board("8 6 7/2 5 4/3 0 1"));
    let budget = Budget { bytes: Some(10_000), ..Budget::NONE };
    let report = search::<Packed, _>(&instance, budget, Manhattan::new);
    assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Memory, .. }));
    assert!(report.stats.peak_bytes < 21_000, "{report:?}");
}

#[test]
fn bidirectional_returns_the_best_known_path_at_a_limit() {
    let (mut n_paths, mut n_suboptimal) = (0, 0);
    for (space, start, distance) in some_of_3x3(20) {
        let instance = space.instance(start);
        let whole = search::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
        assert_eq!(whole.best, None, "the path is in the outcome");
        for nodes in (0..whole.stats.expanded).rev().take(200) {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            let report = search::<Packed, _>(&instance, budget, Manhattan::new);
            let Outcome::Stopped { frontier, .. } = report.outcome else { panic!("{report:?}") };
            let Some(best) = report.best else { break };
            let moves = Moves::from(best);
            assert_eq!(moves.replay(start).as_ref(), Ok(&space.goal));
            assert!(frontier <= distance && distance <= moves.stm() as Cost, "{instance:?}");
            n_paths += 1;
            n_suboptimal += u32::from(distance < moves.stm() as Cost);
        }
    }
    assert!(n_paths > 0 && n_suboptimal < n_paths, "{n_suboptimal} of {n_paths}");
}

/// The pancake puzzle: sort a stack by reversing its top part.
struct Pancakes(Vec<u8>);

impl Problem for Pancakes {
    type State = Vec<u8>;
    type Action = usize;

    fn start(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn is_goal(&self, stack: &Vec<u8>) -> bool {
        stack.is_sorted()
    }

    fn actions(&self, stack: &Vec<u8>) -> impl Iterator<Item = usize> {
        2..=stack.len()
    }

    fn apply(&self, stack: &mut Vec<u8>, n: usize) {
        stack[..n].reverse();
    }

    fn inverse(&self, n: usize) -> usize {
        n
    }
}

impl SingleGoal for Pancakes {
    fn goal_state(&self) -> Vec<u8> {
        (1..=self.0.len() as u8).collect()
    }
}

/// The gap heuristic: every pair of neighbors, the plate included, that are not neighbors in the
/// target needs a flip.
struct Gap(Vec<u8>);

impl Heuristic<Pancakes> for Gap {
    type Memo = Cost;

    fn eval(&self, stack: &Vec<u8>) -> Cost {
        let plate = u8::MAX;
        let pairs = |stack: &[u8]| -> Vec<(u8, u8)> {
            let below = stack.iter().copied().skip(1).chain([plate]);
            stack.iter().copied().zip(below).map(|(a, b)| (a.min(b), a.max(b))).collect()
        };
        let wanted = pairs(&self.0);
        pairs(stack).iter().filter(|pair| !wanted.contains(pair)).count() as Cost
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

#[test]
fn bidirectional_is_optimal_on_pancakes() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        let mut stack: Vec<u8> = (1..=7).collect();
        for n in (2..=7).rev() {
            stack.swap(n - 1, random.below(n));
        }
        let problem = Pancakes(stack.clone());
        let (to_goal, to_start) = (Gap(problem.goal_state()), Gap(stack.clone()));
        let deepening = idastar(&problem, &to_goal, Budget::NONE, &mut ()).outcome;
        let Outcome::Solved(expect) = deepening else { panic!("{stack:?}") };
        let report = bidirectional(&problem, &to_goal, &to_start, Budget::NONE, &mut ());
        let Outcome::Solved(flips) = report.outcome else { panic!("{stack:?}") };
        assert_eq!(flips.len(), expect.len(), "{stack:?}");
        let mut end = stack.clone();
        flips.iter().for_each(|&n| problem.apply(&mut end, n));
        assert!(end.is_sorted());
    }
}

/// An undirected graph, to be searched from one state to another.
struct Graph {
    edges: Vec<(usize, usize)>,
    start: usize,
    goal: usize,
}

impl Graph {
    /// The distances of all states from one state, by breadth-first search.
    fn distances(&self, n_states: usize, from: usize) -> Vec<Option<Cost>> {
        let mut distances = vec![None; n_states];
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((state, distance)) = queue.pop_front() {
            if distances[state].is_none() {
                distances[state] = Some(distance);
                queue.extend(self.actions(&state).map(|(_, to)| (to, distance + 1)));
            }
        }
        distances
    }
}

impl Problem for Graph {
    type State = usize;
    type Action = (usize, usize);

    fn start(&self) -> usize {
        self.start
    }

    fn is_goal(&self, &state: &usize) -> bool {
        state == self.goal
    }

    fn actions(&self, &state: &usize) -> impl Iterator<Item = (usize, usize)> {
        let both_ways = self.edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        both_ways.filter(move |&(from, _)| from == state)
    }

    fn apply(&self, state: &mut usize, (from, to): (usize, usize)) {
        assert_eq!(*state, from);
        *state = to;
    }

    fn inverse(&self, (from, to): (usize, usize)) -> (usize, usize) {
        (to, from)
    }
}

impl SingleGoal for Graph {
    fn goal_state(&self) -> usize {
        self.goal
    }
}

/// The estimates of all states.
struct Listed(Vec<Cost>);

impl Heuristic<Graph> for Listed {
    type Memo = Cost;

    fn eval(&self, &state: &usize) -> Cost {
        self.0[state]
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

#[test]
fn bidirectional_is_optimal_on_random_graphs_and_estimates() {
    let mut random = Random::new(77);
    let (mut reopened, mut unsolvable) = (0, 0);
    for _ in 0..3_000 {
        // A long chain with a few gaps and with shortcuts between close states.
        let n_states = 2 + random.below(60);
        let mut edges: Vec<_> = (1..n_states).map(|at| (at - 1, at)).collect();
        edges.retain(|_| random.below(40) > 0);
        let shortcuts = (0..n_states).map(|at| (at, at + 2 + random.below(4)));
        edges.extend(shortcuts.filter(|&(_, to)| to < n_states && to % 3 == 0));
        // Remove duplicate edges.
        edges.sort_by_key(|&(a, b)| (a.min(b), a.max(b)));
        edges.dedup_by_key(|&mut (a, b)| (a.min(b), a.max(b)));
        let (start, goal) = (random.below(n_states), random.below(n_states));
        let graph = Graph { edges, start, goal };
        let mut estimates = |to| {
            // Any estimate is admissible for a state without a path.
            let distances = graph.distances(n_states, to).into_iter();
            let max = distances.map(|distance| distance.unwrap_or(30));
            Listed(max.map(|max| [0, max / 2, max][random.below(3)]).collect())
        };
        let (to_goal, to_start) = (estimates(goal), estimates(start));
        let report = bidirectional(&graph, &to_goal, &to_start, Budget::NONE, &mut ());
        reopened += report.stats.reopened;
        match (report.outcome, graph.distances(n_states, start)[goal]) {
            (Outcome::Solved(path), Some(distance)) => {
                assert_eq!(path.len() as Cost, distance);
                let mut state = start;
                path.into_iter().for_each(|action| graph.apply(&mut state, action));
                assert_eq!(state, goal);
            }
            (Outcome::Unsolvable, None) => unsolvable += 1,
            (outcome, distance) => panic!("{outcome:?}, but the distance is {distance:?}"),
        }
    }
    assert!(reopened > 0 && unsolvable > 0, "{reopened} {unsolvable}");
}
