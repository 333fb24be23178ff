//! The counters of a search, compared with those of an observer.

use std::collections::HashMap;

use npuzzle_core::heuristic::{LinearConflict, Manhattan};
use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Event, Heuristic, ObservedNode, Observer,
    OpenNode, Problem, Settings, Stats, Step, Weight,
};
use npuzzle_core::{Instance, Packed, Slide, Sliding};
use npuzzle_testkit::random::Random;
use npuzzle_testkit::{board, dims};

use crate::searches::some_of_3x3;

/// Counts events, and checks that every node that leaves the open list has entered it.
#[derive(Default)]
struct Tally {
    pushed: u64,
    popped: u64,
    duplicate_children: u64,
    dropped: u64,
    max_open: u64,
    max_states: u64,
    /// The number of nodes in the open list with this state and key.
    open: HashMap<(u64, Cost), u64>,
    /// The state of the last node that left the open list, unless it was dropped.
    last_popped: Option<Packed>,
    /// The expanded states in order. A state that is reopened keeps its index.
    expanded: Vec<Packed>,
    /// The index of the state whose children are being generated.
    parent: Option<usize>,
    reopened: u64,
    has_closed_list: bool,
}

impl Tally {
    /// Records the expansion of the node that was popped last.
    fn expand(&mut self, state: Packed) {
        let known = self.expanded.iter().position(|&known| known == state);
        self.parent = known.filter(|_| self.has_closed_list);
        if self.parent.is_some() {
            self.reopened += 1;
        } else {
            self.parent = Some(self.expanded.len());
            self.expanded.push(state);
        }
    }

    /// Checks that applying its action to the state expanded last gives the child.
    fn check_child(&mut self, problem: &Sliding<Packed>, node: &ObservedNode<'_, Sliding<Packed>>) {
        if let Some(state) = self.last_popped.take() {
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

/// A tally and the problem that is searched.
struct TallyObserver<'a>(&'a Sliding<Packed>, Tally);

impl Observer<Sliding<Packed>> for TallyObserver<'_> {
    fn observe(&mut self, event: Event<'_, Sliding<Packed>>) {
        let TallyObserver(problem, tally) = self;
        match event {
            Event::Push(node) => {
                tally.check_child(problem, &node);
                *tally.open.entry((node.state.bits(), node.f)).or_default() += 1;
                tally.pushed += 1;
                tally.max_open = tally.max_open.max(tally.pushed - tally.popped);
                tally.max_states = tally.max_states.max(tally.pushed - tally.dropped);
            }
            Event::Pop(node) => {
                let n = tally.open.get_mut(&(node.state.bits(), node.f));
                let n = n.filter(|n| **n > 0).expect("a popped node was pushed before");
                *n -= 1;
                tally.popped += 1;
                tally.last_popped = Some(*node.state);
            }
            // A state is never its own child, so this is the popped node.
            Event::Duplicate(node) if tally.last_popped == Some(*node.state) => {
                tally.dropped += 1;
                tally.last_popped = None;
            }
            Event::Duplicate(node) => {
                tally.check_child(problem, &node);
                tally.duplicate_children += 1;
            }
        }
    }
}

/// Compares the counters with the tally after every step of a search, until it ends.
fn check<H, Q>(instance: &Instance, h: &H, settings: Settings) -> Stats
where
    H: Heuristic<Sliding<Packed>>,
    Q: MinQueue<Cost, OpenNode<Slide>>,
{
    let problem = Sliding::<Packed>::new(instance).unwrap();
    let mut search = BestFirst::<_, _, Q>::new(&problem, h, settings);
    let has_closed_list = settings.duplicates == Duplicates::Closed;
    let mut observer = TallyObserver(&problem, Tally { has_closed_list, ..Tally::default() });
    loop {
        let step = search.step(&mut observer);
        let (stats, tally) = (search.stats(), &observer.1);
        let n_goals = u64::from(step == Step::Goal);
        let expect = Stats {
            expanded: tally.popped - tally.dropped - n_goals,
            generated: tally.pushed - 1 + tally.duplicate_children,
            enqueued: tally.pushed,
            dequeued: tally.popped,
            duplicates: tally.duplicate_children + tally.dropped,
            reopened: tally.reopened,
            open: tally.pushed - tally.popped,
            max_open: tally.max_open,
            max_states: tally.max_states,
            peak_bytes: stats.peak_bytes,
        };
        assert_eq!(*stats, expect, "after {step:?} with {settings:?} on {instance:?}");
        assert_eq!(stats.enqueued, stats.generated - tally.duplicate_children + 1);
        assert_eq!(stats.dequeued + stats.open, stats.enqueued);
        assert!(stats.expanded <= stats.dequeued && stats.open <= stats.max_open);
        if !matches!(step, Step::Expanded | Step::Dropped) {
            return *stats;
        }
    }
}

#[test]
fn counters_match_an_observer_after_every_step() {
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
                // Without a closed list a search may not terminate.
                let budget = Budget { nodes: Some(1_000), ..Budget::NONE };
                let settings = Settings { evaluation, duplicates, budget, ..Settings::ASTAR };
                check::<_, ArrayHeap<_, _>>(&instance, &h, settings);
                check::<_, FifoHeap<_, _>>(&instance, &h, settings);
                check::<_, BucketQueue<_>>(&instance, &h, settings);
            }
        }
    }
}

#[test]
fn princeton_puzzle04_enqueues_10_and_dequeues_5() {
    let instance = Instance::from(board("0 1 3/4 2 5/7 8 6"));
    let settings = Settings { duplicates: Duplicates::Parent, ..Settings::ASTAR };
    let h = Manhattan::new(instance.goal());
    let stats = check::<_, ArrayHeap<_, _>>(&instance, &h, settings);
    assert_eq!((stats.enqueued, stats.dequeued), (10, 5));
    assert_eq!((stats.expanded, stats.generated), (4, 9));
}

#[test]
fn uniform_cost_counts_the_whole_2x2_space() {
    // The 12 states that can reach each other form a ring; both directions meet at the farthest state.
    let instance = Instance::from(board("2 1/3 0"));
    assert!(!instance.is_solvable());
    let h = LinearConflict::new(instance.goal());
    let settings = Settings { evaluation: Evaluation::Uniform, ..Settings::ASTAR };
    let stats = check::<_, FifoHeap<_, _>>(&instance, &h, settings);
    assert_eq!((stats.expanded, stats.generated), (12, 13));
    assert_eq!((stats.enqueued, stats.dequeued, stats.open), (13, 13, 0));
    assert_eq!((stats.duplicates, stats.max_open), (2, 2));
}

/// A heuristic that does not claim to evaluate fast, so that its memos are stored.
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
fn observers_and_stored_memos_do_not_change_a_search() {
    for (space, start, _) in some_of_3x3(10) {
        let instance = space.instance(start);
        let problem = Sliding::<Packed>::new(&instance).unwrap();
        let h = Manhattan::new(&space.goal);
        let stored = Stored(&h);
        for duplicates in [Duplicates::Parent, Duplicates::Closed] {
            let budget = Budget { nodes: Some(5_000), ..Budget::NONE };
            let settings = Settings { duplicates, budget, ..Settings::ASTAR };
            let search = || BestFirst::<_, _, BucketQueue<_>>::new(&problem, &h, settings);
            let unobserved = search().run(&mut (), &mut ());
            let observed = search().run(&mut (), &mut |_: Event<'_, Sliding<Packed>>| {});
            assert_eq!(unobserved, observed, "{instance:?}");
            let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &stored, settings);
            let mut stored = search.run(&mut (), &mut ());
            assert!(stored.stats.peak_bytes > unobserved.stats.peak_bytes, "{instance:?}");
            stored.stats.peak_bytes = unobserved.stats.peak_bytes;
            assert_eq!(unobserved, stored, "{instance:?}");
        }
    }
}
