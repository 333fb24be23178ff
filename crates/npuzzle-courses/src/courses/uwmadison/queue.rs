//! The search: A\* on a queue of tuples (f, state).
//!
//! The core's queues order by a number and then by age. The number is here f and the rank of the state among
//! all states: a move costs [`UNIT`], which is more than any rank, and the rank is added to the estimate.

use npuzzle::Limits;
use npuzzle::search::Clock;
use npuzzle_core::heuristic::MultiBlankManhattan;
use npuzzle_core::queue::FifoHeap;
use npuzzle_core::search::{
    BestFirst, Cost, DuplicateCheck, Event, Heuristic, Outcome, Problem, Settings, Stats, Watch,
};
use npuzzle_core::{MovedTile, MultiBlankBoard, MultiBlankSliding};

use super::{goal_of, problem};
use crate::variant::optimum::budget;

/// The cost of a move. Nine cells have at most 9! = 362,880 states.
const UNIT: Cost = 1 << 19;

/// Which successors enter the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// Those that are new or reached by fewer moves than before.
    Cheaper,
    /// Those that have not been popped. A state can be expanded more than once.
    NotPopped,
}

/// The result of a search.
pub(super) struct Found {
    /// The states of the path.
    pub(super) outcome: Outcome<MultiBlankBoard>,
    pub(super) stats: Stats,
    /// The largest number of tuples in the queue after the successors of a state were pushed.
    pub(super) max_queue: u64,
}

/// A tuple that left the queue.
#[derive(Clone, Copy)]
pub(super) struct Popped<'a> {
    /// The number of tuples that have left the queue.
    pub(super) step: u64,
    pub(super) board: &'a MultiBlankBoard,
    pub(super) g: Cost,
    pub(super) h: Cost,
    /// The number of tuples that remain in the queue.
    pub(super) length: u64,
}

/// Solves a board. `observe` is called for every tuple that leaves the queue.
pub(super) fn search(
    start: &MultiBlankBoard,
    rule: Rule,
    limits: Limits,
    watch: &mut dyn Watch,
    observe: &mut dyn FnMut(&Popped<'_>),
) -> Found {
    let check = match rule {
        Rule::Cheaper => DuplicateCheck::Open,
        Rule::NotPopped => DuplicateCheck::OnInsertion,
    };
    let settings = Settings { check, budget: budget(limits), ..Settings::ASTAR };
    let heuristic = ThenByState(MultiBlankManhattan::new(&goal_of(start)));
    let scaled = Scaled(problem(start));
    let mut clock = Clock::start(limits.time, watch);
    let (mut step, mut length) = (0, 0);
    let mut observer = |event: Event<'_, Scaled>| match event {
        Event::Push(_) => length += 1,
        Event::Pop(node) => {
            (step, length) = (step + 1, length - 1);
            let (g, h) = (node.g / UNIT, node.h / UNIT);
            observe(&Popped { step, board: node.state, g, h, length });
        }
        _ => {}
    };
    let search = BestFirst::<_, _, FifoHeap<_, _>>::new(&scaled, &heuristic, settings);
    let report = search.run(&mut clock, &mut observer);
    let outcome = match report.outcome {
        Outcome::Solved(path) => Outcome::Solved(boards(start, &path)),
        Outcome::Unsolvable => Outcome::Unsolvable,
        Outcome::Stopped { limit, frontier } => {
            Outcome::Stopped { limit, frontier: frontier / UNIT }
        }
    };
    // The start is not a successor; as soon as it is expanded, the queue is longer than it was before.
    let max_queue = if report.stats.expanded == 0 { 0 } else { report.stats.max_open };
    Found { outcome, stats: report.stats, max_queue }
}

/// The states of a path, including the start.
fn boards(start: &MultiBlankBoard, path: &[MovedTile]) -> Vec<MultiBlankBoard> {
    let problem = problem(start);
    let mut boards = vec![start.clone()];
    for &moved in path {
        let mut board = boards[boards.len() - 1].clone();
        problem.apply(&mut board, moved);
        boards.push(board);
    }
    boards
}

/// The problem with moves of cost [`UNIT`].
struct Scaled(MultiBlankSliding);

impl Problem for Scaled {
    type State = MultiBlankBoard;
    type Action = MovedTile;

    fn start(&self) -> MultiBlankBoard {
        self.0.start()
    }

    fn is_goal(&self, state: &MultiBlankBoard) -> bool {
        self.0.is_goal(state)
    }

    fn actions(&self, state: &MultiBlankBoard) -> impl Iterator<Item = MovedTile> {
        self.0.actions(state)
    }

    fn apply(&self, state: &mut MultiBlankBoard, action: MovedTile) {
        self.0.apply(state, action);
    }

    fn inverse(&self, action: MovedTile) -> MovedTile {
        self.0.inverse(action)
    }

    fn cost(&self, _: &MultiBlankBoard, _: MovedTile) -> Cost {
        UNIT
    }

    fn state_bytes(&self) -> usize {
        self.0.state_bytes()
    }
}

/// Manhattan distance in units of [`UNIT`], plus the rank of the state.
struct ThenByState(MultiBlankManhattan);

impl Heuristic<Scaled> for ThenByState {
    type Memo = Cost;

    fn eval(&self, state: &MultiBlankBoard) -> Cost {
        self.0.value(&self.0.eval(state)) * UNIT + rank(state)
    }

    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

/// The number of states with the same tiles that are smaller, compared cell by cell.
fn rank(board: &MultiBlankBoard) -> Cost {
    let mut rest: Vec<u16> = board.tiles().iter().map(|tile| tile.number()).collect();
    let mut rank = 0;
    while let [first, ..] = rest[..] {
        // A smaller tile in this cell can be followed by any arrangement of the others.
        let mut smaller: Vec<u16> = rest.iter().copied().filter(|&tile| tile < first).collect();
        smaller.sort_unstable();
        smaller.dedup();
        let n_blanks = rest.iter().filter(|&&tile| tile == 0).count();
        let n_after = |tile: u16| {
            let n_blanks = n_blanks - usize::from(tile == 0);
            factorial(rest.len() - 1) / factorial(n_blanks)
        };
        rank += smaller.iter().map(|&tile| n_after(tile)).sum::<Cost>();
        rest.remove(0);
    }
    rank
}

fn factorial(n: usize) -> Cost {
    (1..=n as Cost).product()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;
    use crate::courses::uwmadison::dims;

    #[test]
    fn ranks_number_the_states_in_ascending_order() {
        let mut boards: Vec<MultiBlankBoard> = Vec::new();
        // All boards of 2x2 with one to three tiles, and the ends of the range of nine cells.
        for n_tiles in 1..=3 {
            let mut all: Vec<MultiBlankBoard> = (0..256_u16)
                .map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4])
                .filter_map(|tiles| MultiBlankBoard::new("2x2".parse().unwrap(), &tiles).ok())
                .filter(|board| board.n_tiles() == n_tiles)
                .collect();
            all.sort();
            assert!(all.iter().map(rank).eq(0..all.len() as Cost), "{n_tiles}");
            boards.extend(all);
        }
        assert_eq!(boards.len(), 4 + 12 + 24);
        let rank = |tiles: [u16; 9]| rank(&MultiBlankBoard::new(dims(), &tiles).unwrap());
        assert_eq!(rank([0, 0, 1, 2, 3, 4, 5, 6, 7]), 0);
        assert_eq!(rank([7, 6, 5, 4, 3, 2, 1, 0, 0]), 181_439);
        assert_eq!(rank([8, 7, 6, 5, 4, 3, 2, 1, 0]), 362_879);
    }
}
