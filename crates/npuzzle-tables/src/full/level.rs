//! The boards at one distance from the goal, any of which can be picked, and all of which can be
//! gone through in parts.

use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Watch};

use super::bit_permute::Layout;
use super::build::{self, Planes};
use super::perm_rank::PermRanker;
use super::ranker::Ranker;
use super::space::FullSpace;

/// So many words are counted together.
const CHUNK: usize = 512;

/// All boards of a space at one distance from the goal, numbered from 0.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::{FullSpace, Level};
/// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(0), Metric::Stm).expect("nine cells fit");
/// let hardest = Level::search(space, 31, 1, &mut ()).expect("nobody stops it");
/// assert_eq!(hardest.map(|level| level.len()), Some(2));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    ranker: Ranker,
    /// One bit for every order, by cell of the blank.
    planes: Planes,
    /// How many places of an order number the words.
    n_head: usize,
    /// The orders of the other places, by bit, even ones and odd ones.
    tails: [Vec<Vec<u8>>; 2],
    /// Orders that share a word.
    n_bits: usize,
    /// How many boards there are before each chunk of each plane.
    before: Vec<u64>,
    len: u64,
}

impl Level {
    /// Searches all boards up to this distance; `None` if there is none so far away.
    pub fn search(
        space: FullSpace,
        distance: usize,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Level>, Limit> {
        let (mut found, mut depth) = (None, 0);
        let mut visit = |_: u64, planes: &dyn Fn() -> Planes, _: &mut dyn Watch| {
            if depth < distance {
                depth += 1;
                return Ok(ControlFlow::Continue(()));
            }
            found = Some(Level::new(space, planes()));
            Ok(ControlFlow::Break(()))
        };
        build::search_levels(space, n_threads, watch, &mut visit)?;
        Ok(found)
    }

    /// Searches all boards and shows those at each distance, from the goal on.
    pub fn each(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
        mut visit: impl FnMut(usize, Level, &mut dyn Watch) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let mut depth = 0;
        Level::each_count(space, n_threads, watch, |_, level, watch| {
            depth += 1;
            visit(depth - 1, level(), watch)?;
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Searches boards, tells how many there are at each distance, from the goal on, shows those who
    /// ask, and goes on as long as it is told to.
    pub(crate) fn each_count(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
        mut visit: impl FnMut(u64, &dyn Fn() -> Level, &mut dyn Watch) -> Result<ControlFlow<()>, Limit>,
    ) -> Result<(), Limit> {
        let mut visit = |n_boards: u64, planes: &dyn Fn() -> Planes, watch: &mut dyn Watch| {
            visit(n_boards, &|| Level::new(space, planes()), watch)
        };
        build::search_levels(space, n_threads, watch, &mut visit)
    }

    fn new(space: FullSpace, planes: Planes) -> Level {
        let ranker = Ranker::new(space.dims, space.blank);
        let n_words = planes.first().map_or(1, Vec::len);
        let mut len = 0;
        let mut before = Vec::new();
        for chunk in planes.iter().flat_map(|plane| plane.chunks(CHUNK)) {
            before.push(len);
            len += chunk.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        let n_tiles = ranker.n_cells - 1;
        let n_head = Layout::n_head(n_tiles);
        let n_bits = ranker.n_perms as usize / n_words;
        let tail = PermRanker::new(n_tiles - n_head);
        let tails =
            [false, true].map(|odd| (0..n_bits).map(|bit| tail.unrank(bit as u64, odd)).collect());
        Level { ranker, n_head, tails, n_bits, planes, before, len }
    }

    /// How many boards there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Never: a level has boards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The labels by cell of the board with this number.
    pub fn labels(&self, number: u64) -> Option<Vec<u8>> {
        if number >= self.len {
            return None;
        }
        let at = self.before.partition_point(|&before| before <= number) - 1;
        let n_chunks = self.planes.first()?.chunks(CHUNK).len();
        let (blank, chunk) = (at / n_chunks, at % n_chunks);
        let mut left = number - self.before[at];
        let words = self.planes.get(blank)?.iter().enumerate().skip(chunk * CHUNK);
        for (word, &bits) in words {
            let n_here = u64::from(bits.count_ones());
            if left >= n_here {
                left -= n_here;
                continue;
            }
            let set = (0..self.n_bits).filter(|bit| bits >> bit & 1 == 1).nth(left as usize)?;
            return Some(self.ranker.unrank(blank, (word * self.n_bits + set) as u64));
        }
        None
    }

    /// Into how many parts the boards fall that can be gone through at the same time.
    pub fn n_parts(&self) -> usize {
        self.before.len()
    }

    /// Shows the labels by cell of every board of a part. All parts in order show all boards, in the
    /// order of their numbers: the fast twin of [`labels`](Level::labels).
    pub fn each_board(&self, part: usize, mut visit: impl FnMut(&[u8])) {
        let n_cells = self.ranker.n_cells;
        let n_chunks = self.planes.first().map_or(1, |plane| plane.len().div_ceil(CHUNK));
        let (blank, chunk) = (part / n_chunks, part % n_chunks);
        let Some(plane) = self.planes.get(blank) else { return };
        let is_odd = self.ranker.is_odd_perm(blank);
        let mut labels = [0; FullSpace::MAX_CELLS];
        labels[blank] = self.ranker.blank_label;
        let cell_of = |place: usize| place + usize::from(place >= blank);
        for (word, &bits) in plane.iter().enumerate().skip(chunk * CHUNK).take(CHUNK) {
            if bits == 0 {
                continue;
            }
            // What a word has in common.
            let head = self.head(word);
            for (place, &label) in head.labels[..self.n_head].iter().enumerate() {
                labels[cell_of(place)] = label;
            }
            let tails = &self.tails[usize::from(is_odd != head.is_odd)];
            let mut left = bits;
            while left != 0 {
                let tail = &tails[left.trailing_zeros() as usize];
                left &= left - 1;
                for (place, &nth) in (self.n_head..).zip(tail) {
                    labels[cell_of(place)] = head.labels[self.n_head + usize::from(nth)];
                }
                visit(&labels[..n_cells]);
            }
        }
    }

    /// The tiles that the number of a word stands for.
    fn head(&self, word: usize) -> Head {
        let n_tiles = self.ranker.n_cells - 1;
        let mut head = Head { labels: [0; FullSpace::MAX_CELLS], is_odd: false };
        for (tile, label) in (0..n_tiles as u8).zip(&mut head.labels) {
            *label = tile + u8::from(tile >= self.ranker.blank_label);
        }
        let mut weight: usize = (0..self.n_head).map(|place| n_tiles - place).product();
        let mut left = word;
        for place in 0..self.n_head {
            weight /= n_tiles - place;
            let digit = left / weight;
            left %= weight;
            head.is_odd ^= digit % 2 == 1;
            head.labels[place..=place + digit].rotate_right(1);
        }
        head
    }
}

/// What the boards of a word have in common.
struct Head {
    /// Of the first places, then those that are left, from small to large.
    labels: [u8; FullSpace::MAX_CELLS],
    /// Whether the digits of the first places add up to an odd number.
    is_odd: bool,
}
