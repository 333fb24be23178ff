//! Searches with an admissible but inconsistent heuristic, for which A* must reopen a state.

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Evaluation, Heuristic, OpenNode, Outcome, Problem,
    SearchReport, Settings, idastar,
};

/// A graph of seven edges. The shortest path to `x` is through `a`, whose estimate is high (and
/// exact).
///
/// ```text
///     s ----- a ----- x ----- y ----- t        h(a) = 3, h(y) = 1, all others 0
///      \             /
///       b --------- c
/// ```
///
/// `x` is first reached through `c`, three steps from `s`, and expanded; later it is reached through
/// `a`, two steps from `s`.
struct Detour;

const EDGES: [(char, char); 7] =
    [('s', 'a'), ('a', 'x'), ('s', 'b'), ('b', 'c'), ('c', 'x'), ('x', 'y'), ('y', 't')];

impl Problem for Detour {
    type State = char;
    type Action = (char, char);

    fn start(&self) -> char {
        's'
    }

    fn is_goal(&self, &state: &char) -> bool {
        state == 't'
    }

    fn actions(&self, &state: &char) -> impl Iterator<Item = (char, char)> {
        let both_ways = EDGES.into_iter().flat_map(|(from, to)| [(from, to), (to, from)]);
        both_ways.filter(move |&(from, _)| from == state)
    }

    fn apply(&self, state: &mut char, (from, to): (char, char)) {
        assert_eq!(*state, from);
        *state = to;
    }

    fn inverse(&self, (from, to): (char, char)) -> (char, char) {
        (to, from)
    }
}

struct Inconsistent;

impl Heuristic<Detour> for Inconsistent {
    type Memo = Cost;

    fn eval(&self, state: &char) -> Cost {
        match state {
            'a' => 3,
            'y' => 1,
            _ => 0,
        }
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

fn run<Q: MinQueue<Cost, OpenNode<(char, char)>>>(
    settings: Settings,
) -> SearchReport<(char, char)> {
    BestFirst::<_, _, Q>::new(&Detour, &Inconsistent, settings).run(&mut (), &mut ())
}

fn shortest() -> Outcome<(char, char)> {
    Outcome::Solved(vec![('s', 'a'), ('a', 'x'), ('x', 'y'), ('y', 't')])
}

#[test]
fn astar_reopens_a_state_when_a_shorter_path_is_found() {
    let check = |report: SearchReport<(char, char)>| {
        assert_eq!(report.outcome, shortest());
        assert_eq!(report.stats.reopened, 1);
        // s, b, c, x, a, x again, y.
        assert_eq!(report.stats.expanded, 7);
    };
    check(run::<ArrayHeap<_, _>>(Settings::ASTAR));
    check(run::<FifoHeap<_, _>>(Settings::ASTAR));
    check(run::<BucketQueue<_>>(Settings::ASTAR));
}

#[test]
fn policies_without_closed_list_find_the_shorter_path() {
    for duplicates in [Duplicates::None, Duplicates::Parent] {
        let report = run::<FifoHeap<_, _>>(Settings { duplicates, ..Settings::ASTAR });
        assert_eq!((report.outcome, report.stats.reopened), (shortest(), 0), "{duplicates:?}");
    }
    let report = idastar(&Detour, &Inconsistent, Budget::NONE, &mut ());
    assert_eq!(report.outcome, shortest());
}

#[test]
fn greedy_search_does_not_reopen_states() {
    let settings = Settings { evaluation: Evaluation::Greedy, ..Settings::ASTAR };
    let report = run::<FifoHeap<_, _>>(settings);
    assert!(matches!(report.outcome, Outcome::Solved(path) if path.len() == 5));
    assert_eq!(report.stats.reopened, 0);
}

#[test]
fn frontier_is_a_lower_bound_with_inconsistent_heuristics() {
    for nodes in 0..7 {
        let budget = Budget { nodes: Some(nodes), ..Budget::NONE };
        let report = run::<BucketQueue<_>>(Settings { budget, ..Settings::ASTAR });
        let Outcome::Stopped { frontier, .. } = report.outcome else { panic!("{nodes}") };
        assert!(frontier <= 4, "{nodes}");
        assert_eq!(report.stats.expanded, nodes);
    }
}
