//! The key by which a beam ranks boards, carried along from slide to slide.
//!
//! ```text
//!     key =  Σ  cost(how far a tile is from home)
//!          + Σ  strife(where two neighbours want to go)        over all pairs of neighbouring cells
//!          + Σ  conflict(gap)                                  over all pairs that must pass each other
//! ```
//!
//! It is no bound and has no unit: all it is good for is to tell the better of two boards that are
//! equally far from the start. A sum of distances cannot tell a jam from tiles that flow side by
//! side; the terms over neighbours can. [`Weights`] has the numbers and where they come from.

use npuzzle_core::{Board, Cell, Dims, Metric, Slide};

use super::adjacency::{Crowd, Strife, Want};
use super::weights::Weights;

/// Ranks the boards of one goal.
pub(super) struct Guide {
    dims: Dims,
    /// By cell, in the order of [`Slide::ALL`]: where the tile lies that makes this slide when the
    /// blank is here; the blank's own cell at the border.
    sources: Vec<[u8; 4]>,
    rows: Vec<u8>,
    cols: Vec<u8>,
    /// By label and cell.
    places: Vec<Place>,
    /// By label and cell: random words that add up to the hash of a board.
    words: Vec<u64>,
    strife: Strife,
    conflict: Vec<i32>,
    /// What the second slide of a tile to its place is worth.
    slide: i32,
    /// By tile: the cell where it belongs.
    labels: Vec<u8>,
    /// The label of the blank.
    home: u8,
}

/// What a turn is to weigh beside a slide, where turns count.
const TURN: f64 = 0.7;

/// What a tile weighs at a cell.
#[derive(Clone, Copy)]
struct Place {
    cost: i32,
    want: Want,
}

/// Key and hash of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Rank {
    pub(super) key: i32,
    pub(super) hash: u64,
}

impl Guide {
    /// The largest boards: cells are numbered in bytes.
    pub(super) const MAX_CELLS: usize = 256;

    /// For boards on the way to this one.
    pub(super) fn to(goal: &Board) -> Guide {
        Guide::with(goal, Weights::of(goal.dims().cells()))
    }

    /// The same with other weights.
    pub(super) fn with(goal: &Board, weights: &'static Weights) -> Guide {
        let dims = goal.dims();
        let n = dims.cells();
        let cells = || (0..n as u16).map(Cell::new);
        let source = |blank, slide| dims.source(blank, slide).unwrap_or(blank).index() as u8;
        let home = goal.blank();
        let place = |label: Cell, cell: Cell| {
            let across = dims.col(label) as isize - dims.col(cell) as isize;
            let down = dims.row(label) as isize - dims.row(cell) as isize;
            if label == home {
                return Place { cost: 0, want: Want::BLANK };
            }
            Place {
                cost: weights.cost(across.unsigned_abs(), down.unsigned_abs()),
                want: Want::new(across, down),
            }
        };
        let by_tile = goal.cells_by_tile();
        Guide {
            dims,
            sources: cells().map(|blank| Slide::ALL.map(|slide| source(blank, slide))).collect(),
            rows: cells().map(|cell| dims.row(cell) as u8).collect(),
            cols: cells().map(|cell| dims.col(cell) as u8).collect(),
            places: cells().flat_map(|label| cells().map(move |cell| place(label, cell))).collect(),
            words: words(n * n),
            strife: Strife::new(weights),
            conflict: (0..dims.rows().max(dims.cols())).map(|gap| weights.conflict(gap)).collect(),
            slide: weights.cost(2, 0) - weights.cost(1, 0),
            labels: by_tile.iter().map(|cell| cell.index() as u8).collect(),
            home: home.index() as u8,
        }
    }

    /// What a turn of the blank weighs, so that boards on ways of few runs rank before others.
    pub(super) fn turn(&self, metric: Metric) -> i32 {
        match metric {
            Metric::Stm => 0,
            Metric::Mtm => (TURN * f64::from(self.slide)) as i32,
        }
    }

    /// The label of the blank.
    pub(super) fn home(&self) -> u8 {
        self.home
    }

    /// The cells where the tiles belong, by the cells where they are.
    pub(super) fn labels(&self, board: &Board) -> Vec<u8> {
        board.tiles().iter().map(|tile| self.labels[tile.index()]).collect()
    }

    /// Where the tile lies that makes a slide, by its number in [`Slide::ALL`], if there is one.
    #[inline(always)]
    pub(super) fn source(&self, blank: u8, slide: usize) -> Option<u8> {
        Some(self.sources[usize::from(blank)][slide]).filter(|&from| from != blank)
    }

    /// The rank of a board, from scratch.
    pub(super) fn rank(&self, labels: &[u8]) -> Rank {
        let strife = self.strife.sum(&Seen { guide: self, labels }, labels.len());
        let mut rank = Rank { key: strife, hash: 0 };
        for (cell, &label) in labels.iter().enumerate() {
            let (row, col) = (self.rows[cell], self.cols[cell]);
            rank.hash ^= self.word(label, cell);
            rank.key += self.place(label, cell).cost;
            if label != self.home && self.rows[usize::from(label)] == row {
                rank.key += self.row_conflicts(labels, label, row, col, Pairs::Behind);
            }
            if label != self.home && self.cols[usize::from(label)] == col {
                rank.key += self.col_conflicts(labels, label, row, col, Pairs::Behind);
            }
        }
        rank
    }

    /// The rank after a slide of the tile at `from`, from the board and its rank before.
    #[inline(always)]
    pub(super) fn step(&self, before: Rank, labels: &[u8], blank: u8, from: u8) -> Rank {
        let (to, from) = (usize::from(blank), usize::from(from));
        let (label, home) = (labels[from], self.home);
        let key = self.place(label, to).cost - self.place(label, from).cost
            + self.strife.rise(&Seen { guide: self, labels }, from, to, self.place(label, to).want)
            + self.new_conflicts(labels, label, from, to);
        let moved = self.word(label, from) ^ self.word(label, to);
        let blank = self.word(home, from) ^ self.word(home, to);
        Rank { key: before.key + key, hash: before.hash ^ moved ^ blank }
    }

    #[inline(always)]
    fn place(&self, label: u8, cell: usize) -> &Place {
        &self.places[usize::from(label) * self.rows.len() + cell]
    }

    #[inline(always)]
    fn word(&self, label: u8, cell: usize) -> u64 {
        self.words[usize::from(label) * self.rows.len() + cell]
    }

    /// A tile that leaves its row or column leaves its conflicts there, one that comes meets them;
    /// one that goes along keeps them, at other distances.
    #[inline(always)]
    fn new_conflicts(&self, labels: &[u8], label: u8, from: usize, to: usize) -> i32 {
        let (row, col) = (self.rows[from], self.cols[from]);
        let (new_row, new_col) = (self.rows[to], self.cols[to]);
        let (home_row, home_col) = (self.rows[usize::from(label)], self.cols[usize::from(label)]);
        let in_row = |col| self.row_conflicts(labels, label, home_row, col, Pairs::All);
        let in_col = |row| self.col_conflicts(labels, label, row, home_col, Pairs::All);
        let mut change = 0;
        if row == home_row {
            change -= in_row(col);
        }
        if new_row == home_row {
            change += in_row(new_col);
        }
        if col == home_col {
            change -= in_col(row);
        }
        if new_col == home_col {
            change += in_col(new_row);
        }
        change
    }

    /// The conflicts of a tile that belongs into this row and is at this column, with the others
    /// that are in it and belong there.
    #[inline(always)]
    fn row_conflicts(&self, labels: &[u8], label: u8, row: u8, col: u8, pairs: Pairs) -> i32 {
        let home = self.cols[usize::from(label)];
        let line = &labels[usize::from(row) * self.dims.cols()..][..self.dims.cols()];
        let mut sum = 0;
        for (at, &other) in (0..).zip(line) {
            let is_home = self.rows[usize::from(other)] == row && other != self.home;
            if is_home && pairs.has(col, at) && other != label {
                let is_behind = self.cols[usize::from(other)] > home;
                sum += self.conflict_of(col, at, is_behind);
            }
        }
        sum
    }

    /// The same for a column.
    #[inline(always)]
    fn col_conflicts(&self, labels: &[u8], label: u8, row: u8, col: u8, pairs: Pairs) -> i32 {
        let home = self.rows[usize::from(label)];
        let line =
            labels[usize::from(col)..].iter().step_by(self.dims.cols()).take(self.dims.rows());
        let mut sum = 0;
        for (at, &other) in (0..).zip(line) {
            let is_home = self.cols[usize::from(other)] == col && other != self.home;
            if is_home && pairs.has(row, at) && other != label {
                let is_behind = self.rows[usize::from(other)] > home;
                sum += self.conflict_of(row, at, is_behind);
            }
        }
        sum
    }

    /// Two tiles of a line are in conflict if the one behind belongs before the other.
    #[inline(always)]
    fn conflict_of(&self, at: u8, other: u8, belongs_behind: bool) -> i32 {
        if (other > at) == belongs_behind {
            0
        } else {
            self.conflict[usize::from(at.abs_diff(other))]
        }
    }
}

/// A board that is ranked.
struct Seen<'a> {
    guide: &'a Guide,
    labels: &'a [u8],
}

impl Crowd for Seen<'_> {
    #[inline(always)]
    fn near(&self, cell: usize) -> [usize; 4] {
        // In the order of slides the tile below makes the first.
        self.guide.sources[cell].map(usize::from)
    }

    #[inline(always)]
    fn want(&self, cell: usize) -> Want {
        self.guide.place(self.labels[cell], cell).want
    }
}

/// Which pairs of a line are counted: all of a tile, or, so that each is counted once, those with
/// tiles behind it.
#[derive(Clone, Copy)]
enum Pairs {
    All,
    Behind,
}

impl Pairs {
    #[inline(always)]
    fn has(self, at: u8, other: u8) -> bool {
        match self {
            Pairs::All => true,
            Pairs::Behind => other > at,
        }
    }
}

/// Random words, the same ones always (SplitMix64).
fn words(n: usize) -> Vec<u64> {
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
    fn a_rank_carried_along_a_walk_is_that_of_the_board() {
        let mut random = Random::new(1);
        for size in ["4x4", "5x5", "2x9", "9x3", "6x6", "7x4", "12x12", "16x16"] {
            for goal in [Goal::Last, Goal::First, Goal::Snail] {
                let start = random.board(dims(size));
                let guide = Guide::to(&goal.board(dims(size)).unwrap());
                let mut board = start;
                let mut rank = guide.rank(&guide.labels(&board));
                for _ in 0..300 {
                    let slides: Vec<Slide> = board.slides().collect();
                    let slide = slides[random.below(slides.len())];
                    let blank = board.blank().index() as u8;
                    let from = guide.source(blank, slide as usize).unwrap();
                    rank = guide.step(rank, &guide.labels(&board), blank, from);
                    assert!(board.slide(slide));
                    assert_eq!(rank, guide.rank(&guide.labels(&board)), "{size}");
                }
            }
        }
    }
}
