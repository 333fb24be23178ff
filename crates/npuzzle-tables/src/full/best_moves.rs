//! A best move for each board of the 8-puzzle, in two bits.
//!
//! A [`DistanceTable`] needs a look-up for every neighbor of a board. A table of best moves needs one
//! look-up per move. From every cell of 3×3 the blank has at most four moves in either metric, two
//! along its column and two along its row: in the single-tile metric a slide in either direction, in
//! the multi-tile metric a run to either of the two other cells. So a *code* of two bits is a move.

use std::borrow::Cow;

use npuzzle_core::{Dims, Metric, Slide};

use super::ranker::{BoardRank, Ranker};
use super::space::FullSpace;
use super::table::{DistanceTable, push_census, read_census};

/// The side of the board.
const SIDE: usize = 3;
/// The number of permutations of eight tiles with one parity.
const N_PERMS: usize = 20_160;
/// The size of the codes in bytes.
const CODE_BYTES: usize = SIDE * SIDE * N_PERMS / 4;
/// The maximum distance of an 8-puzzle in the single-tile metric.
const MAX_DISTANCE: u32 = 31;

/// A best move for each board of 3×3.
#[derive(Clone, Debug)]
pub struct BestMoves {
    space: FullSpace,
    ranker: Ranker,
    /// The codes by rank, four to a byte, the first in the low bits; then the census as in a
    /// [`DistanceTable`].
    bytes: Cow<'static, [u8]>,
}

impl BestMoves {
    /// The first moves of the paths that a distance table finds. Returns `None` if the boards are not
    /// 3×3.
    pub fn from_table(table: &DistanceTable) -> Option<BestMoves> {
        let space = table.space();
        let ranker = ranker(space)?;
        let mut bytes = vec![0; CODE_BYTES];
        each_arrangement(&mut Vec::new(), &mut |labels| {
            let Some(board) = ranker.rank(labels) else { return };
            let mut first = None;
            table.walk(labels, |slide, n| {
                first.get_or_insert((slide, n));
            });
            if let Some((slide, n)) = first {
                let rank = board.blank * N_PERMS + board.perm.rank() as usize;
                bytes[rank / 4] |= code(space.metric, board.blank, slide, n) << (2 * (rank % 4));
            }
        });
        push_census(&mut bytes, &table.census());
        Some(BestMoves { space, ranker, bytes: Cow::Owned(bytes) })
    }

    /// The table from its bytes. Returns `None` if the boards are not 3×3.
    pub(crate) fn from_static(space: FullSpace, bytes: &'static [u8]) -> Option<BestMoves> {
        Some(BestMoves { space, ranker: ranker(space)?, bytes: Cow::Borrowed(bytes) })
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The boards that the table covers.
    pub fn space(&self) -> FullSpace {
        self.space
    }

    /// The number of boards at each distance.
    pub fn census(&self) -> Vec<u64> {
        read_census(&self.bytes[CODE_BYTES..])
    }

    /// Follows a shortest path to the goal from the board with these labels by cell. Calls `step` with
    /// each move, a slide and the number of its repetitions, and returns the number of moves. Returns
    /// `None` if the board cannot reach the goal.
    #[inline]
    pub fn walk(&self, labels: &[u8], mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        let BoardRank { blank, perm } = self.ranker.rank(labels)?;
        let mut board = Walker { blank, digits: perm.digits() as u32, rank: perm.rank() as u32 };
        let (codes, goal_blank) = (&self.bytes[..CODE_BYTES], self.space.blank.index());
        let is_mtm = self.space.metric == Metric::Mtm;
        let mut n_moves = 0;
        while board.rank as usize | (board.blank ^ goal_blank) != 0 {
            // The limit ends the walk if the bytes are not a table.
            if n_moves == MAX_DISTANCE {
                return None;
            }
            n_moves += 1;
            let rank = board.blank * N_PERMS + board.rank as usize;
            let code = *codes.get(rank / 4)? >> (2 * (rank % 4)) & 3;
            if is_mtm {
                let (slide, n) = run(board.blank, code);
                step(slide, n);
                (0..n).for_each(|_| board.slide(slide));
            } else {
                let slide = SLIDES[usize::from(code)];
                step(slide, 1);
                board.slide(slide);
            }
        }
        Some(n_moves)
    }
}

/// The ranker of a space of 3×3 boards.
fn ranker(space: FullSpace) -> Option<Ranker> {
    (space.dims == Dims::new(SIDE, SIDE).ok()?).then(|| Ranker::new(space.dims, space.blank))
}

/// The rank of a board during a walk: a [`BoardRank`] with the slides written out for three columns.
struct Walker {
    blank: usize,
    /// The Lehmer code, four bits per position.
    digits: u32,
    rank: u32,
}

impl Walker {
    /// The weights in the rank of the digits of a position and the two after it.
    const WEIGHTS: [[u32; 3]; 6] =
        [[2520, 360, 60], [360, 60, 12], [60, 12, 3], [12, 3, 1], [3, 1, 0], [1, 0, 0]];

    /// Makes a slide. An illegal slide leads to a rank beyond the table.
    #[inline(always)]
    fn slide(&mut self, slide: Slide) {
        // The direction is hard to predict for the processor, so there are as few branches as
        // possible.
        if !slide.is_vertical() {
            self.blank = (self.blank + 1).wrapping_sub(2 * usize::from(slide == Slide::Right));
        } else if slide == Slide::Up {
            self.update(self.blank, |[a, b, c]| {
                let passes_b = u32::from(b <= c);
                let passes_a = u32::from(a <= c + passes_b);
                [c + passes_b + passes_a, a + passes_a - 1, b + passes_b - 1]
            });
            self.blank += SIDE;
        } else {
            self.blank = self.blank.wrapping_sub(SIDE);
            self.update(self.blank, |[a, b, c]| {
                let stays_b = u32::from(b < a);
                let stays_c = u32::from(c < a - stays_b);
                [b + 1 - stays_b, c + 1 - stays_c, a - stays_b - stays_c]
            });
        }
    }

    /// Replaces the digits of three positions and updates the rank.
    #[inline(always)]
    fn update(&mut self, first: usize, replace: impl Fn([u32; 3]) -> [u32; 3]) {
        let Some(weights) = Walker::WEIGHTS.get(first) else { return };
        let window = self.digits >> (4 * first);
        let before = [window & 0xf, window >> 4 & 0xf, window >> 8 & 0xf];
        let after = replace(before);
        let replaced = after[0] | after[1] << 4 | after[2] << 8;
        self.digits ^= (window & 0xfff ^ replaced) << (4 * first);
        for ((weight, before), after) in weights.iter().zip(before).zip(after) {
            self.rank = self.rank.wrapping_add(after.wrapping_sub(before).wrapping_mul(*weight));
        }
    }
}

/// The moves of the codes in the single-tile metric.
const SLIDES: [Slide; 4] = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];

/// The move of a code in the multi-tile metric: the blank moves along its column to the upper or the
/// lower of the other two cells, or along its row to the left or the right one.
fn run(blank: usize, code: u8) -> (Slide, usize) {
    let (position, back, forward) = match code {
        0 | 1 => (blank / SIDE, Slide::Down, Slide::Up),
        _ => (blank % SIDE, Slide::Right, Slide::Left),
    };
    let others = [(1, 2), (0, 2), (0, 1)][position];
    let to = if code & 1 == 0 { others.0 } else { others.1 };
    if to < position { (back, position - to) } else { (forward, to - position) }
}

/// The code of a move.
fn code(metric: Metric, blank: usize, slide: Slide, n: usize) -> u8 {
    let is_it = |&code: &u8| match metric {
        Metric::Stm => SLIDES[usize::from(code)] == slide,
        Metric::Mtm => run(blank, code) == (slide, n),
    };
    (0..4).find(is_it).unwrap_or_default()
}

/// Calls `visit` with all arrangements of the labels that begin with the given ones.
fn each_arrangement(labels: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
    if labels.len() == SIDE * SIDE {
        return visit(labels);
    }
    for label in 0..(SIDE * SIDE) as u8 {
        if !labels.contains(&label) {
            labels.push(label);
            each_arrangement(labels, visit);
            labels.pop();
        }
    }
}
