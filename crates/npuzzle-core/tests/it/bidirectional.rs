//! Bidirectional search against the distances of the enumeration, against A*, and on problems that
//! are no puzzles.

use std::collections::VecDeque;

use npuzzle_core::heuristic::{Inversions, LinearConflict, Manhattan, WalkingDistance, Zero};
use npuzzle_core::queue::BucketQueue;
use npuzzle_core::search::{
    Budget, Cost, Heuristic, Limit, Outcome, Problem, SearchReport, Settings, TwoEnded,
    bidirectional, idastar,
};
use npuzzle_core::{Arrangement, Board, Goal, Instance, Moves, Packed, Slide, Sliding};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims, space};

use crate::searches::{best_first, length, some_of_3x3};

fn both_ends<A, H>(
    instance: &Instance,
    budget: Budget,
    new: impl Fn(&Board) -> H,
) -> SearchReport<Slide>
where
    A: Arrangement,
    H: Heuristic<Sliding<A>>,
{
    let problem = Sliding::<A>::new(instance).unwrap();
    let (to_end, to_start) = (new(instance.goal()), new(instance.start()));
    bidirectional(&problem, &to_end, &to_start, budget, &mut ())
}

/// All heuristics that are there for every goal, on this board.
fn check(instance: &Instance, distance: Cost) {
    let none = Budget::NONE;
    let reports = [
        both_ends::<Packed, _>(instance, none, |_| Zero),
        both_ends::<Packed, _>(instance, none, Manhattan::new),
        both_ends::<Packed, _>(instance, none, LinearConflict::new),
        both_ends::<Packed, _>(instance, none, Inversions::new),
        both_ends::<Packed, _>(instance, none, |goal| WalkingDistance::new(goal).unwrap()),
        both_ends::<Board, _>(instance, none, Manhattan::new),
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
    /// Packed and plain boards differ in what they take, and in nothing else.
    fn with_bytes(mut self, bytes: u64) -> Self {
        self.stats.peak_bytes = bytes;
        self
    }
}

#[test]
fn it_is_shortest_on_every_board_of_2x3_to_every_goal_with_every_heuristic() {
    for space in space::of("2x3") {
        for (start, distance) in space.solvable() {
            check(&space.instance(start), distance);
        }
    }
    // Any board may be the goal.
    let space = space::of("2x3").next().unwrap();
    for (goal, distance) in space.solvable() {
        let goal = Goal::Board(goal.clone());
        check(&Instance::new(space.goal.clone(), &goal).unwrap(), distance);
    }
}

#[test]
fn it_is_shortest_on_boards_of_3x3() {
    for (space, start, distance) in some_of_3x3(40) {
        check(&space.instance(start), distance);
    }
}

#[test]
fn it_finds_the_length_that_astar_finds_on_larger_boards() {
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
            let manhattan = both_ends::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
            assert_eq!(length(&instance, &manhattan), expect, "{instance:?}");
            let conflict = both_ends::<Packed, _>(&instance, Budget::NONE, LinearConflict::new);
            assert_eq!(length(&instance, &conflict), expect, "{instance:?}");
        }
    }
}

#[test]
fn it_finds_out_that_there_is_no_solution() {
    let n_states = 360;
    for text in ["1 2 3/5 4 0", "0 2 1/3 4 5"] {
        let instance = Instance::from(board(text));
        assert!(!instance.is_solvable());
        let report = both_ends::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
        assert_eq!(report.outcome, Outcome::Unsolvable);
        assert!((n_states..=2 * n_states).contains(&report.stats.expanded), "{report:?}");
    }
}

#[test]
fn a_board_that_is_solved_needs_no_moves() {
    let instance = Instance::from(board("1 2 3/4 5 6/7 8 0"));
    let report = both_ends::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
    assert_eq!(report.outcome, Outcome::Solved(Vec::new()));
    assert_eq!(report.stats.expanded, 0);
}

#[test]
fn limits_are_kept_and_leave_a_lower_bound() {
    for (space, start, distance) in some_of_3x3(10) {
        let instance = space.instance(start);
        let needed = both_ends::<Packed, _>(&instance, Budget::NONE, Manhattan::new).stats.expanded;
        for nodes in [0, 1, 2, 3, 10, 100, 1_000] {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            let report = both_ends::<Packed, _>(&instance, budget, Manhattan::new);
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
    let report = both_ends::<Packed, _>(&instance, budget, Manhattan::new);
    assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Memory, .. }));
    assert!(report.stats.peak_bytes < 21_000, "{report:?}");
}

#[test]
fn the_best_path_known_is_told_when_a_limit_is_reached() {
    let (mut told, mut too_long) = (0, 0);
    for (space, start, distance) in some_of_3x3(20) {
        let instance = space.instance(start);
        let whole = both_ends::<Packed, _>(&instance, Budget::NONE, Manhattan::new);
        assert_eq!(whole.best, None, "it is the outcome");
        for nodes in (0..whole.stats.expanded).rev().take(200) {
            let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
            let report = both_ends::<Packed, _>(&instance, budget, Manhattan::new);
            let Outcome::Stopped { frontier, .. } = report.outcome else { panic!("{report:?}") };
            let Some(best) = report.best else { break };
            let moves = Moves::from(best);
            assert_eq!(moves.replay(start).as_ref(), Ok(&space.goal));
            assert!(frontier <= distance && distance <= moves.stm() as Cost, "{instance:?}");
            told += 1;
            too_long += u32::from(distance < moves.stm() as Cost);
        }
    }
    assert!(told > 0 && too_long < told, "{too_long} of {told}");
}

/// Sort by flipping the top of the stack; the goal is the sorted stack.
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

impl TwoEnded for Pancakes {
    fn end(&self) -> Vec<u8> {
        (1..=self.0.len() as u8).collect()
    }
}

/// Neighbours that are none in the target, the plate among them, need a flip each.
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
fn it_is_shortest_on_pancakes() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        let mut stack: Vec<u8> = (1..=7).collect();
        for n in (2..=7).rev() {
            stack.swap(n - 1, random.below(n));
        }
        let problem = Pancakes(stack.clone());
        let (to_end, to_start) = (Gap(problem.end()), Gap(stack.clone()));
        let deepening = idastar(&problem, &to_end, Budget::NONE, &mut ()).outcome;
        let Outcome::Solved(expect) = deepening else { panic!("{stack:?}") };
        let report = bidirectional(&problem, &to_end, &to_start, Budget::NONE, &mut ());
        let Outcome::Solved(flips) = report.outcome else { panic!("{stack:?}") };
        assert_eq!(flips.len(), expect.len(), "{stack:?}");
        let mut end = stack.clone();
        flips.iter().for_each(|&n| problem.apply(&mut end, n));
        assert!(end.is_sorted());
    }
}

/// Any graph without directions, from one state to another.
struct Graph {
    edges: Vec<(usize, usize)>,
    start: usize,
    end: usize,
}

impl Graph {
    /// The distances of all states from one, by breadth-first search.
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
        state == self.end
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

impl TwoEnded for Graph {
    fn end(&self) -> usize {
        self.end
    }
}

/// Estimates by state.
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
fn it_is_shortest_on_any_graph_with_any_estimate_that_never_exceeds_the_distance() {
    let mut random = Random::new(77);
    let (mut reopened, mut unsolvable) = (0, 0);
    for _ in 0..3_000 {
        // Two neighbours in a long row are joined as a rule, and two that are not far, here and there:
        // long ways with detours.
        let n_states = 2 + random.below(60);
        let mut edges: Vec<_> = (1..n_states).map(|at| (at - 1, at)).collect();
        edges.retain(|_| random.below(40) > 0);
        let shortcuts = (0..n_states).map(|at| (at, at + 2 + random.below(4)));
        edges.extend(shortcuts.filter(|&(_, to)| to < n_states && to % 3 == 0));
        // A step and the same step back are one edge.
        edges.sort_by_key(|&(a, b)| (a.min(b), a.max(b)));
        edges.dedup_by_key(|&mut (a, b)| (a.min(b), a.max(b)));
        let (start, end) = (random.below(n_states), random.below(n_states));
        let graph = Graph { edges, start, end };
        let mut estimates = |to| {
            // A state that has no way there may be said to be as far away as one likes.
            let distances = graph.distances(n_states, to).into_iter();
            let most = distances.map(|distance| distance.unwrap_or(30));
            Listed(most.map(|most| [0, most / 2, most][random.below(3)]).collect())
        };
        let (to_end, to_start) = (estimates(end), estimates(start));
        let report = bidirectional(&graph, &to_end, &to_start, Budget::NONE, &mut ());
        reopened += report.stats.reopened;
        match (report.outcome, graph.distances(n_states, start)[end]) {
            (Outcome::Solved(path), Some(distance)) => {
                assert_eq!(path.len() as Cost, distance);
                let mut state = start;
                path.into_iter().for_each(|action| graph.apply(&mut state, action));
                assert_eq!(state, end);
            }
            (Outcome::Unsolvable, None) => unsolvable += 1,
            (outcome, distance) => panic!("{outcome:?} where the distance is {distance:?}"),
        }
    }
    assert!(reopened > 0 && unsolvable > 0, "{reopened} {unsolvable}");
}
