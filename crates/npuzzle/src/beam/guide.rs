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

use npuzzle_core::{Board, Cell, Dims, Slide};

use super::weights::{Class, Weights};

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
    strife: &'static [i16],
    conflict: Vec<i32>,
    /// By tile: the cell where it belongs.
    labels: Vec<u8>,
    /// The label of the blank.
    home: u8,
}

/// What a tile weighs at a cell.
#[derive(Clone, Copy)]
struct Place {
    cost: i32,
    /// Where it wants to go, as seen by its neighbours in the row and in the column.
    in_row: Class,
    in_col: Class,
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
        let dims = goal.dims();
        let weights = Weights::of(dims);
        let n = dims.cells();
        let cells = || (0..n as u16).map(Cell::new);
        let source = |blank, slide| dims.source(blank, slide).unwrap_or(blank).index() as u8;
        let home = goal.blank();
        let place = |label: Cell, cell: Cell| {
            let across = dims.col(label) as isize - dims.col(cell) as isize;
            let down = dims.row(label) as isize - dims.row(cell) as isize;
            if label == home {
                return Place { cost: 0, in_row: Class::BLANK, in_col: Class::BLANK };
            }
            Place {
                cost: weights.cost(across.unsigned_abs(), down.unsigned_abs()),
                in_row: Class::new(across, down),
                in_col: Class::new(down, across),
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
            strife: weights.strife(),
            conflict: (0..dims.rows().max(dims.cols())).map(|gap| weights.conflict(gap)).collect(),
            labels: by_tile.iter().map(|cell| cell.index() as u8).collect(),
            home: home.index() as u8,
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
        let mut rank = Rank::default();
        for (cell, &label) in labels.iter().enumerate() {
            let (row, col) = (self.rows[cell], self.cols[cell]);
            rank.hash ^= self.word(label, cell);
            rank.key += self.place(label, cell).cost;
            if usize::from(col) + 1 < self.dims.cols() {
                rank.key += self.in_row(label, cell, labels[cell + 1], cell + 1);
            }
            let below = cell + self.dims.cols();
            if below < labels.len() {
                rank.key += self.in_col(label, cell, labels[below], below);
            }
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
            + self.exchange(labels, to, from, home, label)
            + self.exchange(labels, from, to, label, home)
            + self.between(label, to, home, from)
            - self.between(label, from, home, to)
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

    /// What two neighbours in a row weigh, the left one first.
    #[inline(always)]
    fn in_row(&self, left: u8, at: usize, right: u8, next: usize) -> i32 {
        let pair = Class::pair(self.place(left, at).in_row, self.place(right, next).in_row);
        i32::from(self.strife[pair])
    }

    /// What two neighbours in a column weigh, the upper one first.
    #[inline(always)]
    fn in_col(&self, upper: u8, at: usize, lower: u8, below: usize) -> i32 {
        let pair = Class::pair(self.place(upper, at).in_col, self.place(lower, below).in_col);
        i32::from(self.strife[pair])
    }

    /// What the two cells of a slide weigh together.
    #[inline(always)]
    fn between(&self, a: u8, at: usize, b: u8, other: usize) -> i32 {
        match (at < other, at.abs_diff(other) == 1 && self.rows[at] == self.rows[other]) {
            (true, true) => self.in_row(a, at, b, other),
            (false, true) => self.in_row(b, other, a, at),
            (true, false) => self.in_col(a, at, b, other),
            (false, false) => self.in_col(b, other, a, at),
        }
    }

    /// What changes between a cell and its neighbours, but for one, when `old` there becomes `new`.
    #[inline(always)]
    fn exchange(&self, labels: &[u8], at: usize, except: usize, old: u8, new: u8) -> i32 {
        let [below, above, right, left] = self.sources[at].map(usize::from);
        let is_other = |cell: usize| cell != at && cell != except;
        let mut change = 0;
        if is_other(below) {
            let other = labels[below];
            change += self.in_col(new, at, other, below) - self.in_col(old, at, other, below);
        }
        if is_other(above) {
            let other = labels[above];
            change += self.in_col(other, above, new, at) - self.in_col(other, above, old, at);
        }
        if is_other(right) {
            let other = labels[right];
            change += self.in_row(new, at, other, right) - self.in_row(old, at, other, right);
        }
        if is_other(left) {
            let other = labels[left];
            change += self.in_row(other, left, new, at) - self.in_row(other, left, old, at);
        }
        change
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
