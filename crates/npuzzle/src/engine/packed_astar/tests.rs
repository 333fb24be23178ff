//! The search against its plain twin.

use std::ops::ControlFlow;

use npuzzle_core::heuristic::{LinearConflict, Manhattan, Misplaced, WalkingDistance, Zero};
use npuzzle_core::queue::BucketQueue;
use npuzzle_core::search::{BestFirst, Settings};
use npuzzle_core::{Board, Goal, Instance};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{dims, space};

use super::*;

/// A watch that records the polls and stops a search after some of them.
struct Recorder {
    polls: Vec<Stats>,
    max_polls: usize,
}

impl Watch for Recorder {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.polls.push(without_bytes(stats));
        if self.polls.len() > self.max_polls {
            return ControlFlow::Break(Limit::Interrupted);
        }
        ControlFlow::Continue(())
    }
}

/// The counters without the memory, in which the twins differ.
fn without_bytes(stats: &Stats) -> Stats {
    Stats { peak_bytes: 0, ..*stats }
}

/// Asserts that both searches do the same, and returns the report.
fn assert_same_as_twin<H>(
    instance: &Instance,
    h: &H,
    budget: Budget,
    max_polls: usize,
) -> SearchReport<Slide>
where
    H: Heuristic<Sliding<Packed>> + Heuristic<Sliding<SlidBoard>, Memo: Copy>,
{
    let problem = Sliding::<Packed>::new(instance).unwrap();
    let [mut watch, mut twin_watch] = [(); 2].map(|()| Recorder { polls: vec![], max_polls });
    let report = packed_astar(&problem, h, budget, &mut watch);
    let settings = Settings { budget, ..Settings::ASTAR };
    let twin = BestFirst::<_, _, BucketQueue<_>>::new(&problem, h, settings);
    let expected = twin.run(&mut twin_watch, &mut ());
    assert_eq!(report.outcome, expected.outcome, "{instance:?}");
    assert_eq!(without_bytes(&report.stats), without_bytes(&expected.stats), "{instance:?}");
    assert_eq!(watch.polls, twin_watch.polls, "{instance:?}");
    report
}

/// The consistent heuristics for one goal. The walking distance takes long to build.
struct Heuristics {
    misplaced: Misplaced,
    manhattan: Manhattan,
    linear_conflict: LinearConflict,
    walking: Option<WalkingDistance>,
}

impl Heuristics {
    fn new(goal: &Board) -> Heuristics {
        Heuristics {
            misplaced: Misplaced::new(goal),
            manhattan: Manhattan::new(goal),
            linear_conflict: LinearConflict::new(goal),
            walking: WalkingDistance::new(goal),
        }
    }

    /// Compares the twins with every heuristic.
    fn assert_same_as_twin(&self, instance: &Instance, budget: Budget, max_polls: usize) {
        assert_same_as_twin(instance, &Zero, budget, max_polls);
        assert_same_as_twin(instance, &self.misplaced, budget, max_polls);
        assert_same_as_twin(instance, &self.manhattan, budget, max_polls);
        assert_same_as_twin(instance, &self.linear_conflict, budget, max_polls);
        if let Some(walking) = &self.walking {
            assert_same_as_twin(instance, walking, budget, max_polls);
        }
    }
}

fn walk(random: &mut Random, goal: &Board, n_steps: usize) -> Instance {
    let start = random.walk(goal, n_steps);
    Instance::new(start, &Goal::Board(goal.clone())).unwrap()
}

#[test]
fn small_spaces_have_the_counters_of_the_plain_twin() {
    for space in space::all().iter().filter(|space| space.goal.dims().cells() < 9) {
        // All boards of 2x2, solvable or not, and a sample of the others.
        let heuristics = Heuristics::new(&space.goal);
        for start in space.arrangements.iter().step_by(space.arrangements.len().div_ceil(30)) {
            heuristics.assert_same_as_twin(&space.instance(start), Budget::NONE, usize::MAX);
        }
    }
}

#[test]
fn eight_puzzles_have_the_counters_of_the_plain_twin() {
    for space in space::of("3x3") {
        let heuristics = Heuristics::new(&space.goal);
        for start in space.arrangements.iter().step_by(100_003) {
            heuristics.assert_same_as_twin(&space.instance(start), Budget::NONE, usize::MAX);
        }
        for (start, length) in space.solvable().step_by(5_003) {
            let instance = space.instance(start);
            let h = &heuristics.manhattan;
            let report = assert_same_as_twin(&instance, h, Budget::NONE, usize::MAX);
            let Outcome::Solved(path) = report.outcome else { panic!("{instance:?}") };
            assert_eq!(path.len(), length as usize);
        }
    }
}

#[test]
fn fifteen_puzzles_have_the_counters_of_the_plain_twin() {
    let mut random = Random::new(15);
    for (size, n_steps) in [("4x4", 90), ("4x4", 60), ("2x8", 60), ("3x5", 100), ("5x3", 100)] {
        for goal in [Goal::Last, Goal::First, Goal::Snail] {
            let Some(goal) = goal.board(dims(size)) else { continue };
            let heuristics = Heuristics::new(&goal);
            for _ in 0..4 {
                let instance = walk(&mut random, &goal, n_steps);
                let budget = Budget { nodes: Some(20_000), ..Budget::NONE };
                heuristics.assert_same_as_twin(&instance, budget, usize::MAX);
            }
        }
    }
}

#[test]
fn limits_stop_both_twins_at_the_same_node() {
    let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    let heuristics = Heuristics::new(hard.goal());
    for nodes in [0, 1, 2, 1_023, 30_001] {
        let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
        let report = assert_same_as_twin(&hard, &heuristics.manhattan, budget, usize::MAX);
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Nodes, .. }));
        assert_eq!(report.stats.expanded, nodes);
    }
    for max_polls in [0, 1, 20] {
        heuristics.assert_same_as_twin(&hard, Budget::NONE, max_polls);
    }
}

#[test]
fn memory_limit_is_reached_but_not_passed_by_much() {
    let hard: Instance = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse().unwrap();
    let (problem, h) = (Sliding::<Packed>::new(&hard).unwrap(), LinearConflict::new(hard.goal()));
    for bytes in [10_000, 1 << 20, 10 << 20] {
        let budget = Budget { bytes: Some(bytes), ..Budget::NONE };
        let report = packed_astar(&problem, &h, budget, &mut ());
        assert!(matches!(report.outcome, Outcome::Stopped { limit: Limit::Memory, .. }));
        assert!((bytes..bytes + bytes / 16 + 1000).contains(&report.stats.peak_bytes), "{bytes}");
    }
}

#[test]
fn packed_astar_takes_12_bytes_per_state() {
    let instance: Instance = "2 5 4 7/9 1 0 11/14 6 12 15/10 8 13 3".parse().unwrap();
    let (problem, h) =
        (Sliding::<Packed>::new(&instance).unwrap(), Manhattan::new(instance.goal()));
    let budget = Budget { nodes: Some(300_000), ..Budget::NONE };
    let stats = packed_astar(&problem, &h, budget, &mut ()).stats;
    let n_states = stats.expanded + stats.open;
    assert!(n_states > 500_000 && stats.peak_bytes <= 12 * n_states, "{stats:?}");
}
