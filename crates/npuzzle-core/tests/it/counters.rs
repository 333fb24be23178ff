//! What a search counts, against an observer that counts for itself.

use std::collections::HashMap;

use npuzzle_core::heuristic::{LinearConflict, Manhattan};
use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Event, Heuristic, Node, Observer, OpenNode,
    Problem, Settings, Stats, Step, Weight,
};
use npuzzle_core::{Instance, Packed, Slide, Sliding};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

use crate::searches::some_of_3x3;

/// Counts what it sees, and checks that no node leaves that has not entered.
#[derive(Default)]
struct Tally {
    pushed: u64,
    popped: u64,
    refused_children: u64,
    refused_popped: u64,
    most_waiting: u64,
    most_held: u64,
    /// The nodes in the open list: how many with this state and key.
    waiting: HashMap<(u64, Cost), u64>,
    /// The last node that left, unless it was refused: who is expanded next.
    last: Option<Packed>,
    /// The states that had children, in order; one that is reopened keeps its number.
    expanded: Vec<Packed>,
    /// The number of the one that has children now.
    parent: Option<usize>,
    reopened: u64,
    /// Whether states are remembered, so that one expanded again is reopened.
    closes: bool,
}

impl Tally {
    /// Notes that the node that left last is expanded.
    fn expand(&mut self, state: Packed) {
        let known = self.expanded.iter().position(|&known| known == state);
        self.parent = known.filter(|_| self.closes);
        if self.parent.is_some() {
            self.reopened += 1;
        } else {
            self.parent = Some(self.expanded.len());
            self.expanded.push(state);
        }
    }

    /// That a child is what its action makes of its parent, the one expanded last.
    fn check_child(&mut self, problem: &Sliding<Packed>, node: &Node<'_, Sliding<Packed>>) {
        if let Some(state) = self.last.take() {
            self.expand(state);
        }
        assert_eq!(node.parent.map(|parent| parent as usize), self.parent);
        let (Some(parent), Some(slide)) = (self.parent, node.action) else {
            assert_eq!((self.pushed, node.g), (0, 0), "only the start has no parent");
            return;
        };
        let mut state = self.expanded[parent];
        problem.apply(&mut state, slide);
        assert_eq!(state, *node.state);
    }
}

/// A tally with the problem it watches.
struct Eye<'a>(&'a Sliding<Packed>, Tally);

impl Observer<Sliding<Packed>> for Eye<'_> {
    fn see(&mut self, event: Event<'_, Sliding<Packed>>) {
        let Eye(problem, tally) = self;
        match event {
            Event::Push(node) => {
                tally.check_child(problem, &node);
                *tally.waiting.entry((node.state.bits(), node.f)).or_default() += 1;
                tally.pushed += 1;
                tally.most_waiting = tally.most_waiting.max(tally.pushed - tally.popped);
                tally.most_held = tally.most_held.max(tally.pushed - tally.refused_popped);
            }
            Event::Pop(node) => {
                let n = tally.waiting.get_mut(&(node.state.bits(), node.f));
                let n = n.filter(|n| **n > 0).expect("a node leaves that has not entered");
                *n -= 1;
                tally.popped += 1;
                tally.last = Some(*node.state);
            }
            // A state is no child of itself.
            Event::Refuse(node) if tally.last == Some(*node.state) => {
                tally.refused_popped += 1;
                tally.last = None;
            }
            Event::Refuse(node) => {
                tally.check_child(problem, &node);
                tally.refused_children += 1;
            }
        }
    }
}

/// Compares the counters with the tally after every step of a search, to its end.
fn check<H, Q>(instance: &Instance, h: &H, settings: Settings) -> Stats
where
    H: Heuristic<Sliding<Packed>>,
    Q: MinQueue<Cost, OpenNode<Slide>>,
{
    let problem = Sliding::<Packed>::new(instance).unwrap();
    let mut search = BestFirst::<_, _, Q>::new(&problem, h, settings);
    let closes = settings.duplicates == Duplicates::Closed;
    let mut eye = Eye(&problem, Tally { closes, ..Tally::default() });
    loop {
        let step = search.step(&mut eye);
        let (stats, tally) = (search.stats(), &eye.1);
        let n_goals = u64::from(step == Step::Goal);
        let expect = Stats {
            expanded: tally.popped - tally.refused_popped - n_goals,
            generated: tally.pushed - 1 + tally.refused_children,
            enqueued: tally.pushed,
            dequeued: tally.popped,
            duplicates: tally.refused_children + tally.refused_popped,
            reopened: tally.reopened,
            open: tally.pushed - tally.popped,
            max_open: tally.most_waiting,
            max_states: tally.most_held,
            peak_bytes: stats.peak_bytes,
        };
        assert_eq!(*stats, expect, "after {step:?} with {settings:?} on {instance:?}");
        assert_eq!(stats.enqueued, stats.generated - tally.refused_children + 1);
        assert_eq!(stats.dequeued + stats.open, stats.enqueued);
        assert!(stats.expanded <= stats.dequeued && stats.open <= stats.max_open);
        if !matches!(step, Step::Expanded | Step::Dropped) {
            return *stats;
        }
    }
}

#[test]
fn counters_are_those_of_an_observer_after_every_step() {
    let evaluations = [
        Evaluation::AStar,
        Evaluation::Weighted(Weight::DEFAULT),
        Evaluation::Greedy,
        Evaluation::Uniform,
    ];
    let mut random = Random::new(23);
    let small: Vec<Instance> = (0..10).map(|_| Instance::from(random.board(dims("2x3")))).collect();
    let larger = some_of_3x3(3).map(|(space, start, _)| space.instance(start));
    for instance in small.into_iter().chain(larger) {
        let h = Manhattan::new(instance.goal());
        for evaluation in evaluations {
            for duplicates in [Duplicates::None, Duplicates::Parent, Duplicates::Closed] {
                // Without a memory of states a search may have no end.
                let budget = Budget { nodes: Some(1_000), ..Budget::NONE };
                let settings = Settings { evaluation, duplicates, budget };
                check::<_, ArrayHeap<_, _>>(&instance, &h, settings);
                check::<_, FifoHeap<_, _>>(&instance, &h, settings);
                check::<_, BucketQueue<_>>(&instance, &h, settings);
            }
        }
    }
}

#[test]
fn puzzle04_of_princeton_enqueues_10_and_dequeues_5() {
    let instance = Instance::from(board("0 1 3/4 2 5/7 8 6"));
    let settings = Settings { duplicates: Duplicates::Parent, ..Settings::ASTAR };
    let h = Manhattan::new(instance.goal());
    let stats = check::<_, ArrayHeap<_, _>>(&instance, &h, settings);
    assert_eq!((stats.enqueued, stats.dequeued), (10, 5));
    assert_eq!((stats.expanded, stats.generated), (4, 9));
}

#[test]
fn a_whole_space_is_counted_state_by_state() {
    // From the goal of 2x2 all 12 states form a ring; the two sides meet in the farthest one.
    let instance = Instance::from(board("2 1/3 0"));
    assert!(!instance.is_solvable());
    let h = LinearConflict::new(instance.goal());
    let settings = Settings { evaluation: Evaluation::Uniform, ..Settings::ASTAR };
    let stats = check::<_, FifoHeap<_, _>>(&instance, &h, settings);
    assert_eq!((stats.expanded, stats.generated), (12, 13));
    assert_eq!((stats.enqueued, stats.dequeued, stats.open), (13, 13, 0));
    assert_eq!((stats.duplicates, stats.max_open), (2, 2));
}

/// A heuristic whose memos are stored, whatever it says of itself.
struct Stored<'a, H>(&'a H);

impl<H: Heuristic<Sliding<Packed>>> Heuristic<Sliding<Packed>> for Stored<'_, H> {
    type Memo = H::Memo;

    fn eval(&self, state: &Packed) -> H::Memo {
        self.0.eval(state)
    }

    fn step(&self, before: &H::Memo, after: &Packed, slide: Slide) -> H::Memo {
        self.0.step(before, after, slide)
    }

    fn value(&self, memo: &H::Memo) -> Cost {
        self.0.value(memo)
    }
}

#[test]
fn a_search_is_the_same_whether_it_is_seen_or_not_and_whether_memos_are_stored_or_not() {
    for (space, start, _) in some_of_3x3(10) {
        let instance = space.instance(start);
        let problem = Sliding::<Packed>::new(&instance).unwrap();
        let h = Manhattan::new(&space.goal);
        let stored = Stored(&h);
        for duplicates in [Duplicates::Parent, Duplicates::Closed] {
            let budget = Budget { nodes: Some(5_000), ..Budget::NONE };
            let settings = Settings { duplicates, budget, ..Settings::ASTAR };
            let search = || BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
            let unseen = search().run(&mut (), &mut ());
            let seen = search().run(&mut (), &mut |_: Event<'_, Sliding<Packed>>| {});
            assert_eq!(unseen, seen, "{instance:?}");
            let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &stored, settings);
            let mut stored = search.run(&mut (), &mut ());
            assert!(stored.stats.peak_bytes > unseen.stats.peak_bytes, "{instance:?}");
            stored.stats.peak_bytes = unseen.stats.peak_bytes;
            assert_eq!(unseen, stored, "{instance:?}");
        }
    }
}
