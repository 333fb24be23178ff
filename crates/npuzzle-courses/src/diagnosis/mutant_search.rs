//! Simulates the searches of students' programs, including their mistakes.
//!
//! One plain best-first search in which every design decision can be a wrong one. It does not use
//! the library's engine, which cannot make these mistakes, and returns only how the search ends.

use std::collections::HashSet;

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Cell, Dims, Instance, Slide};

/// The search of a student's program.
#[derive(Clone, Copy, Debug)]
pub(super) struct MutantSearch {
    pub(super) heuristic: MutantHeuristic,
    /// Whether the key ignores the moves made so far.
    pub(super) is_greedy: bool,
    pub(super) discards: Discards,
    /// Whether the goal is tested when a state is inserted instead of when it is removed.
    pub(super) tests_on_insertion: bool,
    pub(super) ties: TieOrder,
    /// The order in which children are generated.
    pub(super) slides: [Slide; 4],
}

/// The heuristic of a student's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MutantHeuristic {
    Misplaced,
    Manhattan,
    /// Misplaced tiles, with the blank counted as a tile.
    MisplacedWithBlank,
    /// Manhattan distance, with the blank counted as a tile.
    ManhattanWithBlank,
    /// Manhattan distance plus two moves for every pair of tiles in conflict.
    ConflictPairs,
    /// A multiple of the Manhattan distance.
    Weighted(u8),
    /// Manhattan distance plus misplaced tiles.
    ManhattanPlusMisplaced,
    /// Manhattan distance to the cell after the goal cell, as if cells were numbered from 1.
    ShiftedCells,
    /// Always 0: uniform-cost search.
    Zero,
}

/// Which states are not inserted into the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Discards {
    /// None.
    Nothing,
    /// The parent of the expanded state.
    Parent,
    /// States that were removed from the queue before.
    Closed,
    /// States that were inserted before.
    Inserted,
}

/// Which of several states with equal keys is removed first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TieOrder {
    /// The order of the textbook heap.
    Heap,
    /// First in, first out.
    Fifo,
    /// Last in, first out.
    Lifo,
    /// The lexicographically smallest board, as in a heap of pairs of key and board.
    Board,
    /// The smallest heuristic value.
    LowH,
}

/// How a search ended, and the number of states that it inserted into its queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchRun {
    pub(super) end: SearchEnd,
    pub(super) n_inserted: usize,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchEnd {
    /// It found a solution of this many moves.
    Solved(Cost),
    /// The queue was empty.
    Exhausted,
    /// It inserted more states than allowed.
    LimitReached,
}

/// A board of at most 16 cells, four bits each, with its parent and its cost.
#[derive(Clone, Copy)]
struct PackedNode {
    state: u64,
    parent: u64,
    g: Cost,
}

impl MutantSearch {
    /// The correct textbook A*.
    pub(super) const CORRECT: MutantSearch = MutantSearch {
        heuristic: MutantHeuristic::Manhattan,
        is_greedy: false,
        discards: Discards::Parent,
        tests_on_insertion: false,
        ties: TieOrder::Heap,
        slides: [Slide::Down, Slide::Right, Slide::Up, Slide::Left],
    };

    /// Returns the same search with other choices where several are correct: the order of children,
    /// the order of equal keys and, unless that is the mistake, which states are discarded.
    pub(super) fn variants(self) -> Vec<MutantSearch> {
        const ORDERS: [[Slide; 4]; 2] = [
            [Slide::Down, Slide::Right, Slide::Up, Slide::Left],
            [Slide::Left, Slide::Up, Slide::Right, Slide::Down],
        ];
        const TIES: [TieOrder; 5] =
            [TieOrder::Heap, TieOrder::Fifo, TieOrder::Lifo, TieOrder::Board, TieOrder::LowH];
        let discards = match self.discards {
            // A greedy search without a closed list runs in circles.
            Discards::Parent | Discards::Closed if self.is_greedy => {
                vec![Discards::Closed, Discards::Inserted]
            }
            Discards::Parent | Discards::Closed => vec![Discards::Parent, Discards::Closed],
            other => vec![other],
        };
        let mut variants = Vec::new();
        for discards in discards {
            for ties in TIES {
                let variant = |slides: [Slide; 4]| MutantSearch { discards, ties, slides, ..self };
                variants.extend(ORDERS.map(variant));
            }
        }
        variants
    }

    /// Runs the search with at most `max_inserted` states inserted into the queue. Returns `None`
    /// for boards of more than 16 cells.
    pub(super) fn run(&self, instance: &Instance, max_inserted: usize) -> Option<SearchRun> {
        let space = PackedSpace::new(instance.goal(), self.heuristic)?;
        let [start, goal] = [instance.start(), instance.goal()].map(PackedSpace::pack);
        let task = SearchTask { search: self, space: &space, start, goal, max_inserted };
        let key = |f: Cost, _: Cost, _: u64| f;
        Some(match self.ties {
            TieOrder::Heap => task.run::<_, ArrayHeap<_, _>>(key),
            TieOrder::Fifo => task.run::<_, FifoHeap<_, _>>(key),
            TieOrder::Lifo => task.run::<_, BucketQueue<_>>(key),
            TieOrder::Board => {
                task.run::<_, ArrayHeap<_, _>>(|f, _, state| (f, PackedSpace::in_text_order(state)))
            }
            TieOrder::LowH => task.run::<_, ArrayHeap<_, _>>(|f, h, _| (f, h)),
        })
    }
}

/// A search of one board.
struct SearchTask<'a> {
    search: &'a MutantSearch,
    space: &'a PackedSpace,
    start: u64,
    goal: u64,
    max_inserted: usize,
}

impl SearchTask<'_> {
    /// Runs the search. `key` makes the key of the queue from f, h and the state.
    fn run<K: Ord, Q: MinQueue<K, PackedNode>>(
        &self,
        key: impl Fn(Cost, Cost, u64) -> K,
    ) -> SearchRun {
        let SearchTask { space, start, goal, .. } = *self;
        let MutantSearch { is_greedy, discards, tests_on_insertion, slides, .. } = *self.search;
        let key = |state: u64, g: Cost| {
            let h = space.eval(state);
            key(if is_greedy { h } else { g + h }, h, state)
        };
        let mut queue = Q::default();
        let mut seen = HashSet::new();
        let mut n_inserted = 1;
        let ended = |end, n_inserted| SearchRun { end, n_inserted };
        seen.extend((discards == Discards::Inserted).then_some(start));
        queue.push(key(start, 0), PackedNode { state: start, parent: start, g: 0 });
        while let Some((_, node)) = queue.pop() {
            if node.state == goal && !tests_on_insertion {
                return ended(SearchEnd::Solved(node.g), n_inserted);
            }
            if discards == Discards::Closed && !seen.insert(node.state) {
                continue;
            }
            let g = node.g + 1;
            for state in slides.iter().filter_map(|&slide| space.slide(node.state, slide)) {
                let is_discarded = match discards {
                    Discards::Nothing => false,
                    Discards::Parent => state == node.parent,
                    Discards::Closed => seen.contains(&state),
                    Discards::Inserted => !seen.insert(state),
                };
                if is_discarded {
                    continue;
                }
                if state == goal && tests_on_insertion {
                    return ended(SearchEnd::Solved(g), n_inserted);
                }
                n_inserted += 1;
                if n_inserted > self.max_inserted {
                    return ended(SearchEnd::LimitReached, n_inserted);
                }
                queue.push(key(state, g), PackedNode { state, parent: node.state, g });
            }
        }
        ended(SearchEnd::Exhausted, n_inserted)
    }
}

impl MutantHeuristic {
    /// Returns the value of a board; `None` for boards of more than 16 cells.
    pub(super) fn estimate(self, board: &Board, goal: &Board) -> Option<Cost> {
        Some(PackedSpace::new(goal, self)?.eval(PackedSpace::pack(board)))
    }
}

/// The boards of one size and goal with their heuristic.
struct PackedSpace {
    dims: Dims,
    heuristic: MutantHeuristic,
    /// The contribution of a tile on a cell, by tile and cell.
    costs: [[u8; 16]; 16],
    /// The goal cell of each tile.
    goal_cells: [Cell; 16],
}

impl PackedSpace {
    fn new(goal: &Board, heuristic: MutantHeuristic) -> Option<PackedSpace> {
        let dims = goal.dims();
        if dims.cells() > 16 {
            return None;
        }
        let (costs, goal_cells) = ([[0; 16]; 16], [Cell::new(0); 16]);
        let mut space = PackedSpace { dims, heuristic, costs, goal_cells };
        let counts_blank = matches!(
            heuristic,
            MutantHeuristic::MisplacedWithBlank | MutantHeuristic::ManhattanWithBlank
        );
        for (tile, &goal_cell) in goal.cells_by_tile().iter().enumerate() {
            space.goal_cells[tile] = goal_cell;
            if tile == 0 && !counts_blank {
                continue;
            }
            let next_cell = Cell::new(((goal_cell.index() + 1) % dims.cells()) as u16);
            for cell in dims.all_cells() {
                let distance = dims.distance(cell, goal_cell);
                let cost = match heuristic {
                    MutantHeuristic::Misplaced | MutantHeuristic::MisplacedWithBlank => {
                        distance.min(1)
                    }
                    MutantHeuristic::Weighted(weight) => usize::from(weight) * distance,
                    MutantHeuristic::ManhattanPlusMisplaced => distance + distance.min(1),
                    MutantHeuristic::ShiftedCells => dims.distance(cell, next_cell),
                    MutantHeuristic::Zero => 0,
                    MutantHeuristic::Manhattan
                    | MutantHeuristic::ManhattanWithBlank
                    | MutantHeuristic::ConflictPairs => distance,
                };
                space.costs[tile][cell.index()] = cost as u8;
            }
        }
        Some(space)
    }

    fn pack(board: &Board) -> u64 {
        let tiles = board.tiles().iter().rev();
        tiles.fold(0, |state, tile| state << 4 | u64::from(tile.number()))
    }

    /// A number that orders states like their lists of tiles.
    fn in_text_order(state: u64) -> u64 {
        (0..16).fold(0, |number, cell| number << 4 | PackedSpace::tile(state, cell) as u64)
    }

    fn tile(state: u64, cell: usize) -> usize {
        (state >> (4 * cell) & 15) as usize
    }

    fn slide(&self, state: u64, slide: Slide) -> Option<u64> {
        let blank = (0..self.dims.cells()).find(|&cell| PackedSpace::tile(state, cell) == 0)?;
        let source = self.dims.source(Cell::new(blank as u16), slide)?.index();
        let tile = PackedSpace::tile(state, source) as u64;
        Some(state & !(15 << (4 * source)) | tile << (4 * blank))
    }

    fn eval(&self, state: u64) -> Cost {
        let cost = |cell: usize| Cost::from(self.costs[PackedSpace::tile(state, cell)][cell]);
        let sum = (0..self.dims.cells()).map(cost).sum();
        match self.heuristic {
            MutantHeuristic::ConflictPairs => sum + 2 * self.n_conflict_pairs(state),
            _ => sum,
        }
    }

    /// The number of pairs of tiles that are in their goal line in the wrong order.
    fn n_conflict_pairs(&self, state: u64) -> Cost {
        let (dims, n_cells) = (self.dims, self.dims.cells());
        let mut n_pairs = 0;
        for a in 0..n_cells {
            for b in a + 1..n_cells {
                let (one, two) = (PackedSpace::tile(state, a), PackedSpace::tile(state, b));
                if one == 0 || two == 0 {
                    continue;
                }
                let [cell_a, cell_b] = [a, b].map(|cell| Cell::new(cell as u16));
                let cells = [cell_a, cell_b, self.goal_cells[one], self.goal_cells[two]];
                let (rows, cols) =
                    (cells.map(|cell| dims.row(cell)), cells.map(|cell| dims.col(cell)));
                let is_one_line = |lines: [usize; 4]| lines.iter().all(|&line| line == lines[0]);
                n_pairs += Cost::from(is_one_line(rows) && cols[2] > cols[3]);
                n_pairs += Cost::from(is_one_line(cols) && rows[2] > rows[3]);
            }
        }
        n_pairs
    }
}
