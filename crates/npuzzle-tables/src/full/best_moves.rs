//! A best move for every 8-puzzle, in two bits each, as part of the program.
//!
//! The distances of a [`DistanceTable`] ask for a look at every neighbour; a table of moves asks for one
//! look per move. From every cell of 3×3 there are at most four moves in either metric, two along
//! the column and two along the row: in the single-tile metric a slide either way, in the multi-tile
//! metric a run to either of the other two cells. Three places of the blank serve all goals, the
//! others being their mirror images: a corner, the middle of a side, the centre.

use std::borrow::Cow;

use npuzzle_core::{Cell, Dims, Metric, Slide};

use super::{DistanceTable, FullSpace, Ranked, Ranker, census};

/// A best move for every board of 3×3.
#[derive(Clone, Debug)]
pub struct BestMoves {
    space: FullSpace,
    ranker: Ranker,
    /// Four ranks to a byte, the first in the low bits; then the census, as in a [`DistanceTable`].
    bytes: Cow<'static, [u8]>,
}

/// The tables that are part of the program: where the blank belongs, the metric, the name of the
/// file, the bytes.
type Embedded = (u16, Metric, &'static str, &'static [u8]);

macro_rules! embedded {
    ($($home:literal $metric:ident $name:literal,)+) => {
        static EMBEDDED: &[Embedded] =
            &[$(($home, Metric::$metric, $name, include_bytes!(concat!("../../data/", $name)))),+];
    };
}

embedded!(
    0 Stm "3x3-0-stm.bin",
    1 Stm "3x3-1-stm.bin",
    4 Stm "3x3-4-stm.bin",
    0 Mtm "3x3-0-mtm.bin",
    1 Mtm "3x3-1-mtm.bin",
    4 Mtm "3x3-4-mtm.bin",
);

/// The sides of the board.
const SIDE: usize = 3;
/// Orders of eight tiles with one parity.
const N_ORDERS: usize = 20_160;
/// Bytes of the moves.
const N_BYTES: usize = SIDE * SIDE * N_ORDERS / 4;

impl BestMoves {
    /// The table of these boards; `None` if it is not part of the program.
    ///
    /// ```
    /// use npuzzle_core::{Cell, Dims, Metric};
    /// use npuzzle_tables::{BestMoves, FullSpace};
    /// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(0), Metric::Stm).expect("it fits");
    /// let moves = BestMoves::embedded(space).expect("the 8-puzzle is there");
    /// assert_eq!(moves.walk(&[8, 7, 6, 5, 4, 3, 2, 1, 0], |_, _| {}), Some(28));
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn embedded(space: FullSpace) -> Option<BestMoves> {
        if space.dims != Dims::new(SIDE, SIDE).ok()? {
            return None;
        }
        let is_it = |&&(home, metric, ..): &&Embedded| {
            (Cell::new(home), metric) == (space.home, space.metric)
        };
        let &(.., bytes) = EMBEDDED.iter().find(is_it)?;
        Some(BestMoves { space, ranker: Ranker::new(space), bytes: Cow::Borrowed(bytes) })
    }

    /// The first moves of the paths of a table; `None` if it is not one of 3×3.
    pub fn of(table: &DistanceTable) -> Option<BestMoves> {
        let space = table.space();
        if space.dims != Dims::new(SIDE, SIDE).ok()? {
            return None;
        }
        let ranker = Ranker::new(space);
        let mut bytes = vec![0; N_BYTES];
        each_arrangement(&mut Vec::new(), &mut |labels| {
            let Some(board) = ranker.ranked(labels) else { return };
            let mut first = None;
            table.walk(labels, |slide, n| {
                first.get_or_insert((slide, n));
            });
            if let Some((slide, n)) = first {
                let rank = board.blank * N_ORDERS + board.order.rank();
                bytes[rank / 4] |= space.code(board.blank, slide, n) << (2 * (rank % 4));
            }
        });
        bytes.extend(table.census().iter().flat_map(|count| count.to_le_bytes()));
        Some(BestMoves { space, ranker, bytes: Cow::Owned(bytes) })
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Which boards it is for.
    pub fn space(&self) -> FullSpace {
        self.space
    }

    /// How many boards are at each distance.
    pub fn census(&self) -> Vec<u64> {
        census(&self.bytes[N_BYTES..])
    }

    /// Walks a shortest path to the goal from the board with these labels by cell, tells `step` each
    /// move (a slide and how often it is repeated), and counts them. `None` if the board is none
    /// that can reach the goal.
    #[inline]
    pub fn walk(&self, labels: &[u8], mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        let Ranked { blank, order } = self.ranker.ranked(labels)?;
        let mut board = Walker { blank, digits: order.digits() as u32, rank: order.rank() as u32 };
        let (moves, home) = (&self.bytes[..N_BYTES], self.space.home.index());
        let is_run = self.space.metric == Metric::Mtm;
        let mut n_moves = 0;
        while board.rank as usize | (board.blank ^ home) != 0 {
            // No 8-puzzle takes more moves; bytes that are no table must not keep us for ever.
            if n_moves == 31 {
                return None;
            }
            n_moves += 1;
            let rank = board.blank * N_ORDERS + board.rank as usize;
            let code = *moves.get(rank / 4)? >> (2 * (rank % 4)) & 3;
            if is_run {
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

/// A board on its way: the same as [`Ranked`], with the slides written out for three
/// columns.
struct Walker {
    blank: usize,
    /// A nibble per place.
    digits: u32,
    rank: u32,
}

impl Walker {
    /// What the digits of a place and the two after it count in the rank.
    const WEIGHTS: [[u32; 3]; 6] =
        [[2520, 360, 60], [360, 60, 12], [60, 12, 3], [12, 3, 1], [3, 1, 0], [1, 0, 0]];

    /// Makes a slide; one that leads out of the board leads to no rank that is looked up.
    #[inline(always)]
    fn slide(&mut self, slide: Slide) {
        // Which way is hard to foresee, for a processor too; the fewer branches the better.
        if !slide.is_vertical() {
            self.blank = (self.blank + 1).wrapping_sub(2 * usize::from(slide == Slide::Right));
        } else if slide == Slide::Up {
            self.turn(self.blank, |[a, b, c]| {
                let passes_b = u32::from(b <= c);
                let passes_a = u32::from(a <= c + passes_b);
                [c + passes_b + passes_a, a + passes_a - 1, b + passes_b - 1]
            });
            self.blank += SIDE;
        } else {
            self.blank = self.blank.wrapping_sub(SIDE);
            self.turn(self.blank, |[a, b, c]| {
                let stays_b = u32::from(b < a);
                let stays_c = u32::from(c < a - stays_b);
                [b + 1 - stays_b, c + 1 - stays_c, a - stays_b - stays_c]
            });
        }
    }

    /// Changes the digits of three places.
    #[inline(always)]
    fn turn(&mut self, first: usize, turn: impl Fn([u32; 3]) -> [u32; 3]) {
        let Some(weights) = Walker::WEIGHTS.get(first) else { return };
        let window = self.digits >> (4 * first);
        let before = [window & 0xf, window >> 4 & 0xf, window >> 8 & 0xf];
        let after = turn(before);
        let turned = after[0] | after[1] << 4 | after[2] << 8;
        self.digits ^= (window & 0xfff ^ turned) << (4 * first);
        for ((weight, before), after) in weights.iter().zip(before).zip(after) {
            self.rank = self.rank.wrapping_add(after.wrapping_sub(before).wrapping_mul(*weight));
        }
    }
}

/// What the codes of the single-tile metric mean.
const SLIDES: [Slide; 4] = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];

/// What a code of the multi-tile metric means: the blank goes along its column to the upper or the
/// lower of the other two cells, or along its row to the left or the right one.
fn run(blank: usize, code: u8) -> (Slide, usize) {
    let (place, back, forth) = match code {
        0 | 1 => (blank / SIDE, Slide::Down, Slide::Up),
        _ => (blank % SIDE, Slide::Right, Slide::Left),
    };
    let others = [(1, 2), (0, 2), (0, 1)][place];
    let to = if code & 1 == 0 { others.0 } else { others.1 };
    if to < place { (back, place - to) } else { (forth, to - place) }
}

impl FullSpace {
    /// The code of a move.
    fn code(&self, blank: usize, slide: Slide, n: usize) -> u8 {
        let is_it = |&code: &u8| match self.metric {
            Metric::Stm => SLIDES[usize::from(code)] == slide,
            Metric::Mtm => run(blank, code) == (slide, n),
        };
        (0..4).find(is_it).unwrap_or_default()
    }
}

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

/// The files that are part of the program, by name, made anew.
pub(crate) fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let made = EMBEDDED.iter().map(|&(home, metric, name, _)| {
        let space = FullSpace::new(Dims::new(SIDE, SIDE).ok()?, Cell::new(home), metric)?;
        let table = DistanceTable::build(space, 1, &mut ()).ok()?;
        Some((name, BestMoves::of(&table)?.bytes.into_owned()))
    });
    made.flatten().collect()
}
