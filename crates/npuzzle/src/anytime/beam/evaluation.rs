//! The evaluation by which a beam ranks boards, updated incrementally from slide to slide.
//!
//! ```text
//!     key =  Σ  cost(distance of a tile from its goal cell)     over all tiles
//!          + Σ  conflict(gap)                                   over all pairs that must pass each other
//!          + Σ  weight(contents of a tuple of cells)            over all tuples (n-tuple network)
//! ```
//!
//! The training of distances and conflicts has a simpler term instead of the network, a weight for each pair of neighboring
//! cells.
//!
//! Smaller keys are better. The key is not a lower bound and has no unit: it only orders boards at the
//! same depth. The conflict term extends the linear conflicts of Hansson, Mayer and Yung (1992) by a
//! weight that depends on the gap. [`Weights`] describes where the numbers come from.
//!
//! Boards are represented by labels: the label of a tile is its goal cell, so the goal reads `0 1 2 …`.
//! The hash of a board is a Zobrist hash, the XOR of one random word for each tile in its cell.

use npuzzle_core::{Board, Cell, Dims, Metric, Slide};

#[cfg(any(test, feature = "learn"))]
use super::adjacency::{AdjacencyTerm, AdjacencyView, Displacement};
use super::offset_index::OffsetIndex;
use super::tuple_change::Surroundings;
use super::tuple_term::TupleTerm;
use super::tuple_weights::TupleWeights;
use super::weights::Weights;

/// The evaluation of boards with respect to one goal.
pub(super) struct Evaluator {
    dims: Dims,
    sources: Vec<[u8; 4]>,
    rows: Vec<u8>,
    cols: Vec<u8>,
    offsets: OffsetIndex,
    /// The cost of a tile, by its offset from its cell to its goal cell.
    costs: Vec<i32>,
    /// By label and cell: the random words of the Zobrist hash.
    zobrist: Vec<u64>,
    interaction: Interaction,
    /// By gap.
    conflicts: Vec<i32>,
    /// The cost of a typical slide: the difference between the costs at distances 2 and 1.
    slide_cost: i32,
    /// By tile: its goal cell.
    goal_cells: Vec<u8>,
    /// The label of the blank, which is its goal cell.
    blank_label: u8,
}

/// The term of tiles that are close to each other.
enum Interaction {
    /// Only in training.
    #[cfg(any(test, feature = "learn"))]
    Neighbors(NeighborTerm),
    Network(Box<TupleTerm>),
}

/// Pairs of neighbors.
#[cfg(any(test, feature = "learn"))]
struct NeighborTerm {
    adjacency: AdjacencyTerm,
    /// By label and cell.
    displacements: Vec<Displacement>,
    sources: Vec<[u8; 4]>,
}

/// The cost of a turn of the blank relative to that of a slide, in the multi-tile metric.
const TURN_FACTOR: f64 = 0.7;

/// The key and the hash of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Score {
    pub(super) key: i32,
    pub(super) hash: u64,
}

impl Evaluator {
    /// The size of the largest boards, whose cells fit into bytes.
    pub(super) const MAX_CELLS: usize = OffsetIndex::MAX_CELLS;

    /// An evaluator with the embedded weights.
    pub(super) fn new(goal: &Board) -> Evaluator {
        let n_cells = goal.dims().cells();
        Evaluator::with_tuples(goal, Weights::for_size(n_cells), TupleWeights::for_size(n_cells))
    }

    /// An evaluator with pairs of neighbors.
    #[cfg(any(test, feature = "learn"))]
    pub(super) fn with_weights(goal: &Board, weights: &'static Weights) -> Evaluator {
        let neighbors = NeighborTerm::new(goal, weights);
        Evaluator::with_interaction(goal, weights, Interaction::Neighbors(neighbors))
    }

    /// An evaluator with an n-tuple network.
    pub(super) fn with_tuples(
        goal: &Board,
        weights: &'static Weights,
        tuples: &'static TupleWeights,
    ) -> Evaluator {
        let tuples = TupleTerm::new(goal.dims(), goal.blank().index() as u8, tuples);
        Evaluator::with_interaction(goal, weights, Interaction::Network(Box::new(tuples)))
    }

    /// The n-tuple network, if there is one.
    pub(super) fn tuples(&self) -> Option<&TupleTerm> {
        match &self.interaction {
            #[cfg(any(test, feature = "learn"))]
            Interaction::Neighbors(_) => None,
            Interaction::Network(tuples) => Some(tuples),
        }
    }

    fn with_interaction(
        goal: &Board,
        weights: &'static Weights,
        interaction: Interaction,
    ) -> Evaluator {
        let dims = goal.dims();
        let n = dims.cells();
        let cells = || (0..n as u16).map(Cell::new);
        let cost =
            |(down, right): (isize, isize)| weights.cost(down.unsigned_abs(), right.unsigned_abs());
        let offsets = OffsetIndex::new(dims);
        Evaluator {
            dims,
            sources: sources(dims),
            rows: cells().map(|cell| dims.row(cell) as u8).collect(),
            cols: cells().map(|cell| dims.col(cell) as u8).collect(),
            costs: offsets.offsets().map(cost).collect(),
            offsets,
            zobrist: random_words(n * n),
            interaction,
            conflicts: (0..dims.rows().max(dims.cols())).map(|gap| weights.conflict(gap)).collect(),
            slide_cost: weights.cost(2, 0) - weights.cost(1, 0),
            goal_cells: goal.cells_by_tile().iter().map(|cell| cell.index() as u8).collect(),
            blank_label: goal.blank().index() as u8,
        }
    }

    /// The amount by which a turn of the blank increases the key. In the multi-tile metric it makes boards
    /// on paths with few runs rank before others.
    pub(super) fn turn_cost(&self, metric: Metric) -> i32 {
        match metric {
            Metric::Stm => 0,
            Metric::Mtm => (TURN_FACTOR * f64::from(self.slide_cost)) as i32,
        }
    }

    /// The label of the blank.
    pub(super) fn blank_label(&self) -> u8 {
        self.blank_label
    }

    /// The label in each cell of a board.
    pub(super) fn labels(&self, board: &Board) -> Vec<u8> {
        board.tiles().iter().map(|tile| self.goal_cells[tile.index()]).collect()
    }

    /// The cell of the tile that makes a slide, given by its index in [`Slide::ALL`]; `None` at the
    /// border.
    #[inline(always)]
    pub(super) fn source(&self, blank: u8, slide: usize) -> Option<u8> {
        Some(self.sources[usize::from(blank)][slide]).filter(|&from| from != blank)
    }

    /// The score of a board, computed from scratch.
    pub(super) fn score(&self, labels: &[u8]) -> Score {
        let key = match &self.interaction {
            #[cfg(any(test, feature = "learn"))]
            Interaction::Neighbors(term) => term.adjacency.sum(&term.view(labels), labels.len()),
            Interaction::Network(tuples) => tuples.sum(labels),
        };
        let mut score = Score { key, hash: 0 };
        let tiles = labels.iter().enumerate().filter(|&(_, &label)| label != self.blank_label);
        for (cell, &label) in tiles {
            let (row, col) = (self.rows[cell], self.cols[cell]);
            let (in_row, in_col) = self.goal_line_conflicts(labels, label, ConflictPairs::After);
            score.hash ^= self.word(label, cell);
            score.key += self.cost(label, cell);
            if self.rows[usize::from(label)] == row {
                score.key += in_row(col);
            }
            if self.cols[usize::from(label)] == col {
                score.key += in_col(row);
            }
        }
        score
    }

    /// What [`score_after`](Evaluator::score_after) needs for any slide of a board.
    #[inline(always)]
    pub(super) fn surroundings(&self, labels: &[u8], blank: u8) -> Option<Surroundings> {
        self.tuples().map(|tuples| tuples.surroundings(labels, blank))
    }

    /// The score after a slide, given by its index in [`Slide::ALL`] and the cell of its tile, computed from the board and
    /// its score before.
    #[inline(always)]
    pub(super) fn score_after(
        &self,
        before: Score,
        labels: &[u8],
        surroundings: Option<&Surroundings>,
        (slide, from): (usize, u8),
        blank: u8,
    ) -> Score {
        let (to, from) = (usize::from(blank), usize::from(from));
        let label = labels[from];
        let interaction = match (&self.interaction, surroundings) {
            #[cfg(any(test, feature = "learn"))]
            (Interaction::Neighbors(term), _) => term.change(labels, from, to),
            (Interaction::Network(tuples), Some(surroundings)) => {
                tuples.change(surroundings, slide, label, to)
            }
            (Interaction::Network(_), None) => {
                unreachable!("boards of a network have surroundings")
            }
        };
        let change = self.cost(label, to) - self.cost(label, from)
            + interaction
            + self.conflict_change(labels, label, from, to);
        let moved = self.word(label, from) ^ self.word(label, to);
        Score { key: before.key + change, hash: before.hash ^ moved }
    }

    #[inline(always)]
    fn cost(&self, label: u8, cell: usize) -> i32 {
        self.costs[self.offsets.get(cell as u8, label)]
    }

    #[inline(always)]
    fn word(&self, label: u8, cell: usize) -> u64 {
        self.zobrist[usize::from(label) * self.rows.len() + cell]
    }

    /// The change of the conflict term by a slide. A tile that leaves its goal row or column loses its
    /// conflicts there, a tile that enters it gains them, and a tile that moves along it changes their
    /// gaps.
    #[inline(always)]
    fn conflict_change(&self, labels: &[u8], label: u8, from: usize, to: usize) -> i32 {
        let (row, col) = (self.rows[from], self.cols[from]);
        let (new_row, new_col) = (self.rows[to], self.cols[to]);
        let (goal_row, goal_col) = (self.rows[usize::from(label)], self.cols[usize::from(label)]);
        let (in_row, in_col) = self.goal_line_conflicts(labels, label, ConflictPairs::All);
        let mut change = 0;
        if row == goal_row {
            change -= in_row(col);
        }
        if new_row == goal_row {
            change += in_row(new_col);
        }
        if col == goal_col {
            change -= in_col(row);
        }
        if new_col == goal_col {
            change += in_col(new_row);
        }
        change
    }

    /// The conflicts of a tile in its goal row by its column, and in its goal column by its row.
    #[inline(always)]
    fn goal_line_conflicts<'a>(
        &'a self,
        labels: &'a [u8],
        label: u8,
        pairs: ConflictPairs,
    ) -> (impl Fn(u8) -> i32 + 'a, impl Fn(u8) -> i32 + 'a) {
        let (row, col) = (self.rows[usize::from(label)], self.cols[usize::from(label)]);
        let (n_rows, n_cols) = (self.dims.rows(), self.dims.cols());
        let in_row = move |at| {
            let line = labels[usize::from(row) * n_cols..][..n_cols].iter();
            self.line_conflicts(line, label, (row, &self.rows), (at, &self.cols), pairs)
        };
        let in_col = move |at| {
            let line = labels[usize::from(col)..].iter().step_by(n_cols).take(n_rows);
            self.line_conflicts(line, label, (col, &self.cols), (at, &self.rows), pairs)
        };
        (in_row, in_col)
    }

    /// The conflicts of a tile in its goal line with the other tiles that are in the line and have their goal
    /// cells there. `line_of` has the line of each goal cell, and `place_of` its place in the line.
    #[inline(always)]
    fn line_conflicts<'a>(
        &self,
        labels: impl Iterator<Item = &'a u8>,
        label: u8,
        (line, line_of): (u8, &[u8]),
        (place, place_of): (u8, &[u8]),
        pairs: ConflictPairs,
    ) -> i32 {
        let goal = place_of[usize::from(label)];
        let mut sum = 0;
        for (at, &other) in (0..).zip(labels) {
            let belongs_here = line_of[usize::from(other)] == line && other != self.blank_label;
            if belongs_here && pairs.includes(place, at) && other != label {
                let belongs_after = place_of[usize::from(other)] > goal;
                sum += self.conflict(place, at, belongs_after);
            }
        }
        sum
    }

    /// The weight of a pair in a line: 0 if the two tiles are in the order of their goal cells, otherwise
    /// the weight of a conflict at this gap.
    #[inline(always)]
    fn conflict(&self, at: u8, other: u8, belongs_after: bool) -> i32 {
        if (other > at) == belongs_after {
            0
        } else {
            self.conflicts[usize::from(at.abs_diff(other))]
        }
    }
}

/// By cell of the blank, in the order of [`Slide::ALL`]: the cell of the tile that makes the slide; the cell of the blank
/// itself if there is none.
fn sources(dims: Dims) -> Vec<[u8; 4]> {
    let source = |blank, slide| dims.source(blank, slide).unwrap_or(blank).index() as u8;
    let cells = (0..dims.cells() as u16).map(Cell::new);
    cells.map(|blank| Slide::ALL.map(|slide| source(blank, slide))).collect()
}

#[cfg(any(test, feature = "learn"))]
impl NeighborTerm {
    fn new(goal: &Board, weights: &'static Weights) -> NeighborTerm {
        let dims = goal.dims();
        let cells = || (0..dims.cells() as u16).map(Cell::new);
        let displacement = |label: Cell, cell: Cell| {
            let right = dims.col(label) as isize - dims.col(cell) as isize;
            let down = dims.row(label) as isize - dims.row(cell) as isize;
            if label == goal.blank() { Displacement::BLANK } else { Displacement::new(right, down) }
        };
        NeighborTerm {
            adjacency: AdjacencyTerm::new(weights),
            displacements: cells()
                .flat_map(|label| cells().map(move |cell| displacement(label, cell)))
                .collect(),
            sources: sources(dims),
        }
    }

    #[inline(always)]
    fn view<'a>(&'a self, labels: &'a [u8]) -> LabeledBoard<'a> {
        LabeledBoard { term: self, labels }
    }

    #[inline(always)]
    fn change(&self, labels: &[u8], from: usize, to: usize) -> i32 {
        let after = self.displacement(labels[from], to);
        self.adjacency.change(&self.view(labels), from, to, after)
    }

    #[inline(always)]
    fn displacement(&self, label: u8, cell: usize) -> Displacement {
        self.displacements[usize::from(label) * self.sources.len() + cell]
    }
}

/// A board as the adjacency term sees it.
#[cfg(any(test, feature = "learn"))]
struct LabeledBoard<'a> {
    term: &'a NeighborTerm,
    labels: &'a [u8],
}

#[cfg(any(test, feature = "learn"))]
impl AdjacencyView for LabeledBoard<'_> {
    #[inline(always)]
    fn neighbors(&self, cell: usize) -> [usize; 4] {
        // The order of `Slide::ALL`: the tile below slides up, and so on.
        self.term.sources[cell].map(usize::from)
    }

    #[inline(always)]
    fn displacement(&self, cell: usize) -> Displacement {
        self.term.displacement(self.labels[cell], cell)
    }
}

/// Which pairs of a tile in a line are counted.
#[derive(Clone, Copy)]
enum ConflictPairs {
    All,
    /// Those with tiles after it, so that a sum over all tiles counts each pair once.
    After,
}

impl ConflictPairs {
    #[inline(always)]
    fn includes(self, at: u8, other: u8) -> bool {
        match self {
            ConflictPairs::All => true,
            ConflictPairs::After => other > at,
        }
    }
}

/// Pseudo-random words of a fixed seed (SplitMix64).
fn random_words(n: usize) -> Vec<u64> {
    let mut state = 0u64;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..n).map(|_| word()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;
    use npuzzle_testkit::{dims, random::Random};

    #[test]
    fn score_after_each_slide_equals_score_from_scratch() {
        let mut random = Random::new(1);
        let sizes = [
            "2x2", "3x3", "4x4", "5x5", "2x9", "9x3", "6x6", "7x4", "12x12", "2x98", "98x2",
            "16x16", "127x2",
        ];
        for size in sizes {
            for goal in [Goal::Last, Goal::First, Goal::Snail] {
                let start = random.board(dims(size));
                let evaluator = Evaluator::new(&goal.board(dims(size)).unwrap());
                let mut board = start;
                let mut score = evaluator.score(&evaluator.labels(&board));
                for _ in 0..300 {
                    let slides: Vec<Slide> = board.slides().collect();
                    let slide = slides[random.below(slides.len())];
                    let blank = board.blank().index() as u8;
                    let from = evaluator.source(blank, slide as usize).unwrap();
                    let labels = evaluator.labels(&board);
                    let surroundings = evaluator.surroundings(&labels, blank);
                    let move_ = (slide as usize, from);
                    score =
                        evaluator.score_after(score, &labels, surroundings.as_ref(), move_, blank);
                    assert!(board.slide(slide));
                    assert_eq!(score, evaluator.score(&evaluator.labels(&board)), "{size}");
                }
            }
        }
    }
}
