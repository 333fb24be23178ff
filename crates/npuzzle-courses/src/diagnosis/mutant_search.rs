//! Programs as people write them, with their mistakes.
//!
//! One plain best-first search whose every habit can be a wrong one. It is not the library's engine,
//! which has no room for mistakes; it tells how long a way such a program finds, and no more.

use std::collections::HashSet;

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Cell, Dims, Instance, Slide};

/// How somebody's program searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    pub(super) estimate: MutantHeuristic,
    /// The moves made do not count in the key.
    pub(super) is_greedy: bool,
    pub(super) refuses: Refuses,
    /// The goal is looked for when a state is put in, not when it leaves.
    pub(super) tests_on_insertion: bool,
    pub(super) ties: Ties,
    pub(super) order: [Slide; 4],
}

/// What guides a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MutantHeuristic {
    Misplaced,
    Manhattan,
    /// The blank counts as a tile.
    MisplacedWithBlank,
    ManhattanWithBlank,
    /// Linear conflicts, two moves for every pair in conflict.
    PairsInConflict,
}

/// Which states do not enter the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refuses {
    /// None.
    Nothing,
    /// The one that the state came from.
    Parent,
    /// Those that have left the queue.
    Closed,
    /// Those that have ever entered it.
    Entered,
}

/// Who is first among equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ties {
    /// As the textbook's heap has it.
    Heap,
    /// Who came first.
    First,
    /// Who came last.
    Last,
}

/// What a search has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchEnd {
    /// To the goal, in so many moves.
    Home(Cost),
    /// To the end of the queue.
    Nowhere,
    /// To no end within the states that were allowed.
    On,
}

/// A board of at most 16 cells, four bits each, and how it was come by.
#[derive(Clone, Copy)]
struct Node {
    state: u64,
    parent: u64,
    g: Cost,
}

impl Habits {
    /// The textbook's A*.
    pub(super) const RIGHT: Habits = Habits {
        estimate: MutantHeuristic::Manhattan,
        is_greedy: false,
        refuses: Refuses::Parent,
        tests_on_insertion: false,
        ties: Ties::Heap,
        order: [Slide::Down, Slide::Right, Slide::Up, Slide::Left],
    };

    /// The same habits with other choices where nobody is wrong: orders of the moves and of equals,
    /// and, unless that is the point, which states are refused.
    pub(super) fn variants(self) -> Vec<Habits> {
        const ORDERS: [[Slide; 4]; 3] = [
            [Slide::Down, Slide::Right, Slide::Up, Slide::Left],
            [Slide::Down, Slide::Up, Slide::Right, Slide::Left],
            [Slide::Left, Slide::Up, Slide::Right, Slide::Down],
        ];
        let refuses = match self.refuses {
            Refuses::Parent | Refuses::Closed => vec![Refuses::Parent, Refuses::Closed],
            other => vec![other],
        };
        let mut variants = Vec::new();
        for refuses in refuses {
            for ties in [Ties::Heap, Ties::First, Ties::Last] {
                variants.extend(ORDERS.map(|order| Habits { refuses, ties, order, ..self }));
            }
        }
        variants
    }

    /// Where a program with these habits comes to, if it may put `most` states into its queue;
    /// `None` for boards of more than 16 cells.
    pub(super) fn search(&self, puzzle: &Instance, most: usize) -> Option<SearchEnd> {
        let space = Space::new(puzzle.goal(), self.estimate)?;
        let (start, goal) = (Space::pack(puzzle.start()), Space::pack(puzzle.goal()));
        Some(match self.ties {
            Ties::Heap => self.search_with::<ArrayHeap<_, _>>(&space, start, goal, most),
            Ties::First => self.search_with::<FifoHeap<_, _>>(&space, start, goal, most),
            Ties::Last => self.search_with::<BucketQueue<_>>(&space, start, goal, most),
        })
    }

    fn search_with<Q: MinQueue<u32, Node>>(
        &self,
        space: &Space,
        start: u64,
        goal: u64,
        most: usize,
    ) -> SearchEnd {
        let key = |state: u64, g: Cost| space.eval(state) + if self.is_greedy { 0 } else { g };
        let mut queue = Q::default();
        let mut seen = HashSet::new();
        let mut n_entered = 1;
        seen.extend((self.refuses == Refuses::Entered).then_some(start));
        queue.push(key(start, 0), Node { state: start, parent: start, g: 0 });
        while let Some((_, node)) = queue.pop() {
            if node.state == goal && !self.tests_on_insertion {
                return SearchEnd::Home(node.g);
            }
            if self.refuses == Refuses::Closed && !seen.insert(node.state) {
                continue;
            }
            let g = node.g + 1;
            for state in self.order.iter().filter_map(|&slide| space.slide(node.state, slide)) {
                let is_refused = match self.refuses {
                    Refuses::Nothing => false,
                    Refuses::Parent => state == node.parent,
                    Refuses::Closed => seen.contains(&state),
                    Refuses::Entered => !seen.insert(state),
                };
                if is_refused {
                    continue;
                }
                if state == goal && self.tests_on_insertion {
                    return SearchEnd::Home(g);
                }
                n_entered += 1;
                if n_entered > most {
                    return SearchEnd::On;
                }
                queue.push(key(state, g), Node { state, parent: node.state, g });
            }
        }
        SearchEnd::Nowhere
    }
}

impl MutantHeuristic {
    /// What a program with this estimate prints of a board.
    pub(super) fn of(self, board: &Board, goal: &Board) -> Option<Cost> {
        Some(Space::new(goal, self)?.eval(Space::pack(board)))
    }
}

/// Boards of one size, seen from a goal.
struct Space {
    dims: Dims,
    estimate: MutantHeuristic,
    /// What a tile on a cell adds.
    costs: [[u8; 16]; 16],
    /// Where each tile belongs.
    homes: [Cell; 16],
}

impl Space {
    fn new(goal: &Board, estimate: MutantHeuristic) -> Option<Space> {
        let dims = goal.dims();
        if dims.cells() > 16 {
            return None;
        }
        let mut space = Space { dims, estimate, costs: [[0; 16]; 16], homes: [Cell::new(0); 16] };
        let counts_blank = matches!(
            estimate,
            MutantHeuristic::MisplacedWithBlank | MutantHeuristic::ManhattanWithBlank
        );
        let counts_steps =
            !matches!(estimate, MutantHeuristic::Misplaced | MutantHeuristic::MisplacedWithBlank);
        for (tile, &home) in goal.cells_by_tile().iter().enumerate() {
            space.homes[tile] = home;
            if tile == 0 && !counts_blank {
                continue;
            }
            for cell in (0..dims.cells() as u16).map(Cell::new) {
                let n_steps = dims.distance(cell, home);
                let cost = if counts_steps { n_steps } else { n_steps.min(1) };
                space.costs[tile][cell.index()] = cost as u8;
            }
        }
        Some(space)
    }

    fn pack(board: &Board) -> u64 {
        let tiles = board.tiles().iter().rev();
        tiles.fold(0, |state, tile| state << 4 | u64::from(tile.number()))
    }

    fn tile(state: u64, cell: usize) -> usize {
        (state >> (4 * cell) & 15) as usize
    }

    fn slide(&self, state: u64, slide: Slide) -> Option<u64> {
        let blank = (0..self.dims.cells()).find(|&cell| Space::tile(state, cell) == 0)?;
        let source = self.dims.source(Cell::new(blank as u16), slide)?.index();
        let tile = Space::tile(state, source) as u64;
        Some(state & !(15 << (4 * source)) | tile << (4 * blank))
    }

    fn eval(&self, state: u64) -> Cost {
        let cells = 0..self.dims.cells();
        let sum = cells.map(|cell| Cost::from(self.costs[Space::tile(state, cell)][cell])).sum();
        match self.estimate {
            MutantHeuristic::PairsInConflict => sum + 2 * self.n_pairs(state),
            _ => sum,
        }
    }

    /// Pairs of tiles in the line where both belong, in the wrong order.
    fn n_pairs(&self, state: u64) -> Cost {
        let (dims, n_cells) = (self.dims, self.dims.cells());
        let mut n_pairs = 0;
        for a in 0..n_cells {
            for b in a + 1..n_cells {
                let (one, two) = (Space::tile(state, a), Space::tile(state, b));
                if one == 0 || two == 0 {
                    continue;
                }
                let [here, there] = [a, b].map(|cell| Cell::new(cell as u16));
                let (home, other) = (self.homes[one], self.homes[two]);
                let rows = [here, there, home, other].map(|cell| dims.row(cell));
                let cols = [here, there, home, other].map(|cell| dims.col(cell));
                let is_line = |lines: [usize; 4]| lines.iter().all(|&line| line == lines[0]);
                n_pairs += Cost::from(is_line(rows) && cols[2] > cols[3]);
                n_pairs += Cost::from(is_line(cols) && rows[2] > rows[3]);
            }
        }
        n_pairs
    }
}
