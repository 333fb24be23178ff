//! The evaluation by which a beam ranks boards, updated incrementally from slide to slide.
//!
//! ```text
//!     key =  Σ  cost(distance of a tile from its goal cell)     over all tiles
//!          + Σ  adjacency(displacements of two neighbors)       over all pairs of neighboring cells
//!          + Σ  conflict(gap)                                   over all pairs that must pass each other
//! ```
//!
//! Smaller keys are better. The key is not a lower bound and has no unit: it only orders boards at the
//! same depth. The conflict term extends the linear conflicts of Hansson, Mayer and Yung (1992) by a
//! weight that depends on the gap. [`Weights`] describes where the numbers come from.
//!
//! Boards are represented by labels: the label of a tile is its goal cell, so the goal reads `0 1 2 …`.
//! The hash of a board is a Zobrist hash, the XOR of one random word for each label in its cell.

use npuzzle_core::{Board, Cell, Dims, Metric, Slide};

use super::adjacency::{AdjacencyTerm, AdjacencyView, Displacement};
use super::tuple_term::TupleTerm;
use super::tuple_weights::TupleWeights;
use super::weights::Weights;

/// The evaluation of boards with respect to one goal.
pub(super) struct Evaluator {
    dims: Dims,
    /// By cell of the blank, in the order of [`Slide::ALL`]: the cell of the tile that makes the slide;
    /// the cell of the blank itself if there is none.
    sources: Vec<[u8; 4]>,
    rows: Vec<u8>,
    cols: Vec<u8>,
    /// By label and cell.
    placements: Vec<Placement>,
    /// By label and cell: the random words of the Zobrist hash.
    zobrist: Vec<u64>,
    adjacency: AdjacencyTerm,
    tuples: Option<TupleTerm>,
    /// By gap.
    conflicts: Vec<i32>,
    /// The cost of a typical slide: the difference between the costs at distances 2 and 1.
    slide_cost: i32,
    /// By tile: its goal cell.
    goal_cells: Vec<u8>,
    /// The label of the blank, which is its goal cell.
    blank_label: u8,
}

/// The cost of a turn of the blank relative to that of a slide, in the multi-tile metric.
const TURN_FACTOR: f64 = 0.7;

/// The terms of a tile in a cell.
#[derive(Clone, Copy)]
struct Placement {
    cost: i32,
    displacement: Displacement,
}

/// The key and the hash of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Score {
    pub(super) key: i32,
    pub(super) hash: u64,
}

impl Evaluator {
    /// The size of the largest boards, whose cells fit into bytes.
    pub(super) const MAX_CELLS: usize = 256;

    /// An evaluator with the embedded weights.
    pub(super) fn new(goal: &Board) -> Evaluator {
        let n_cells = goal.dims().cells();
        let evaluator = Evaluator::with_weights(goal, Weights::for_size(n_cells));
        match TupleWeights::for_size(n_cells) {
            Some(weights) => evaluator.with_tuples(weights),
            None => evaluator,
        }
    }

    /// The evaluator with an n-tuple network.
    pub(super) fn with_tuples(self, weights: &'static TupleWeights) -> Evaluator {
        let tuples = TupleTerm::new(self.dims, usize::from(self.blank_label), weights);
        Evaluator { tuples: Some(tuples), ..self }
    }

    /// The n-tuple network.
    #[cfg(any(test, feature = "learn"))]
    pub(super) fn tuples(&self) -> Option<&TupleTerm> {
        self.tuples.as_ref()
    }

    /// An evaluator without an n-tuple network.
    pub(super) fn with_weights(goal: &Board, weights: &'static Weights) -> Evaluator {
        let dims = goal.dims();
        let n = dims.cells();
        let cells = || (0..n as u16).map(Cell::new);
        let source = |blank, slide| dims.source(blank, slide).unwrap_or(blank).index() as u8;
        let blank_label = goal.blank();
        let placement = |label: Cell, cell: Cell| {
            let across = dims.col(label) as isize - dims.col(cell) as isize;
            let down = dims.row(label) as isize - dims.row(cell) as isize;
            if label == blank_label {
                return Placement { cost: 0, displacement: Displacement::BLANK };
            }
            Placement {
                cost: weights.cost(across.unsigned_abs(), down.unsigned_abs()),
                displacement: Displacement::new(across, down),
            }
        };
        Evaluator {
            dims,
            sources: cells().map(|blank| Slide::ALL.map(|slide| source(blank, slide))).collect(),
            rows: cells().map(|cell| dims.row(cell) as u8).collect(),
            cols: cells().map(|cell| dims.col(cell) as u8).collect(),
            placements: cells()
                .flat_map(|label| cells().map(move |cell| placement(label, cell)))
                .collect(),
            zobrist: random_words(n * n),
            adjacency: AdjacencyTerm::new(weights),
            tuples: None,
            conflicts: (0..dims.rows().max(dims.cols())).map(|gap| weights.conflict(gap)).collect(),
            slide_cost: weights.cost(2, 0) - weights.cost(1, 0),
            goal_cells: goal.cells_by_tile().iter().map(|cell| cell.index() as u8).collect(),
            blank_label: blank_label.index() as u8,
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
        let board = LabeledBoard { evaluator: self, labels };
        let mut score = Score { key: self.adjacency.sum(&board, labels.len()), hash: 0 };
        score.key += self.tuples.as_ref().map_or(0, |tuples| tuples.sum(labels));
        for (cell, &label) in labels.iter().enumerate() {
            let (row, col) = (self.rows[cell], self.cols[cell]);
            let (in_row, in_col) = self.goal_line_conflicts(labels, label, ConflictPairs::After);
            score.hash ^= self.word(label, cell);
            score.key += self.placement(label, cell).cost;
            if label != self.blank_label && self.rows[usize::from(label)] == row {
                score.key += in_row(col);
            }
            if label != self.blank_label && self.cols[usize::from(label)] == col {
                score.key += in_col(row);
            }
        }
        score
    }

    /// The score after a slide of the tile in `from`, computed from the board and its score before.
    #[inline(always)]
    pub(super) fn score_after(&self, before: Score, labels: &[u8], blank: u8, from: u8) -> Score {
        let (to, from) = (usize::from(blank), usize::from(from));
        let board = LabeledBoard { evaluator: self, labels };
        let (label, blank_label) = (labels[from], self.blank_label);
        let after = self.placement(label, to);
        let change = after.cost - self.placement(label, from).cost
            + self.adjacency.change(&board, from, to, after.displacement)
            + self.conflict_change(labels, label, from, to)
            + self.tuples.as_ref().map_or(0, |tuples| tuples.change(labels, from, to));
        let moved = self.word(label, from) ^ self.word(label, to);
        let blank = self.word(blank_label, from) ^ self.word(blank_label, to);
        Score { key: before.key + change, hash: before.hash ^ moved ^ blank }
    }

    #[inline(always)]
    fn placement(&self, label: u8, cell: usize) -> &Placement {
        &self.placements[usize::from(label) * self.rows.len() + cell]
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

/// A board as the adjacency term sees it.
struct LabeledBoard<'a> {
    evaluator: &'a Evaluator,
    labels: &'a [u8],
}

impl AdjacencyView for LabeledBoard<'_> {
    #[inline(always)]
    fn neighbors(&self, cell: usize) -> [usize; 4] {
        // The order of `Slide::ALL`: the tile below slides up, and so on.
        self.evaluator.sources[cell].map(usize::from)
    }

    #[inline(always)]
    fn displacement(&self, cell: usize) -> Displacement {
        self.evaluator.placement(self.labels[cell], cell).displacement
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
        for size in ["4x4", "5x5", "2x9", "9x3", "6x6", "7x4", "12x12", "16x16"] {
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
                    score = evaluator.score_after(score, &evaluator.labels(&board), blank, from);
                    assert!(board.slide(slide));
                    assert_eq!(score, evaluator.score(&evaluator.labels(&board)), "{size}");
                }
            }
        }
    }
}
