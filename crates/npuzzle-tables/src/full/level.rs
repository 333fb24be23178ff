//! The set of boards at one distance from the goal.
//!
//! A level is one plane of bits for each cell of the blank, as in [`bit_permute`](super::bit_permute).
//! Boards are numbered in the order of their ranks. Counts of the boards before each chunk of 512 words
//! make it fast to find the board with a number, and the chunks can be processed in parallel.

use std::ops::ControlFlow;

use npuzzle_core::search::{Limit, Watch};

use super::bit_permute::Layout;
use super::build::{self, Planes};
use super::perm_rank::PermRanker;
use super::ranker::Ranker;
use super::space::FullSpace;

/// The number of words in a chunk.
const CHUNK: usize = 512;

/// All boards of a space at one distance from the goal, numbered from 0.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::{FullSpace, Level};
/// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(0), Metric::Stm).expect("nine cells fit");
/// let hardest = Level::search(space, 31, 1, &mut ()).expect("the watch sets no limit");
/// assert_eq!(hardest.map(|level| level.len()), Some(2));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    ranker: Ranker,
    /// One bit for each permutation, by cell of the blank.
    planes: Planes,
    /// The number of positions that determine the word of a permutation.
    n_head: usize,
    /// The permutations of the other positions, by parity and bit.
    tails: [Vec<Vec<u8>>; 2],
    /// The number of permutations in a word.
    n_bits: usize,
    /// The number of boards before each chunk of each plane.
    before: Vec<u64>,
    len: u64,
}

impl Level {
    /// Searches all boards up to a distance. Returns `None` if no board is at this distance.
    pub fn search(
        space: FullSpace,
        distance: usize,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Level>, Limit> {
        let (mut found, mut depth) = (None, 0);
        Level::each_count(space, n_threads, watch, |_, level, _| {
            if depth == distance {
                found = Some(level());
                return ControlFlow::Break(());
            }
            depth += 1;
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Searches all boards and calls `visit` with the boards at each distance, starting from 0. An error
    /// of `visit` ends the search.
    pub fn each<E: From<Limit>>(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
        mut visit: impl FnMut(usize, Level, &mut dyn Watch) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut depth, mut visited) = (0, Ok(()));
        Level::each_count(space, n_threads, watch, |_, level, watch| {
            visited = visit(depth, level(), watch);
            depth += 1;
            if visited.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        visited
    }

    /// Searches boards and calls `visit` with the number of boards at each distance, starting from 0, and
    /// a function that returns them. `visit` decides whether the search continues.
    pub(crate) fn each_count(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
        mut visit: impl FnMut(u64, &dyn Fn() -> Level, &mut dyn Watch) -> ControlFlow<()>,
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

    /// The number of boards.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Always `false`: every level has boards.
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
        let mut rest = number - self.before[at];
        let words = self.planes.get(blank)?.iter().enumerate().skip(chunk * CHUNK);
        for (word, &bits) in words {
            let n_here = u64::from(bits.count_ones());
            if rest >= n_here {
                rest -= n_here;
                continue;
            }
            let set = (0..self.n_bits).filter(|bit| bits >> bit & 1 == 1).nth(rest as usize)?;
            return Some(self.ranker.unrank(blank, (word * self.n_bits + set) as u64));
        }
        None
    }

    /// The number of parts. They can be visited in parallel.
    pub fn n_parts(&self) -> usize {
        self.before.len()
    }

    /// Calls `visit` with the labels by cell of every board of a part, in the order of the boards'
    /// numbers: the fast twin of [`labels`](Level::labels).
    pub fn each_board(&self, part: usize, mut visit: impl FnMut(&[u8])) {
        let n_cells = self.ranker.n_cells;
        let n_chunks = self.planes.first().map_or(1, |plane| plane.len().div_ceil(CHUNK));
        let (blank, chunk) = (part / n_chunks, part % n_chunks);
        let Some(plane) = self.planes.get(blank) else { return };
        let is_odd = self.ranker.is_odd_perm(blank);
        let mut labels = [0; FullSpace::MAX_CELLS];
        labels[blank] = self.ranker.blank_label;
        let cell_of = |position: usize| position + usize::from(position >= blank);
        for (word, &bits) in plane.iter().enumerate().skip(chunk * CHUNK).take(CHUNK) {
            if bits == 0 {
                continue;
            }
            let head = self.head(word);
            for (position, &label) in head.labels[..self.n_head].iter().enumerate() {
                labels[cell_of(position)] = label;
            }
            let tails = &self.tails[usize::from(is_odd != head.is_odd)];
            let mut rest = bits;
            while rest != 0 {
                let tail = &tails[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                for (position, &nth) in (self.n_head..).zip(tail) {
                    labels[cell_of(position)] = head.labels[self.n_head + usize::from(nth)];
                }
                visit(&labels[..n_cells]);
            }
        }
    }

    /// The tiles at the first positions of the boards in a word.
    fn head(&self, word: usize) -> Head {
        let n_tiles = self.ranker.n_cells - 1;
        let mut head = Head { labels: [0; FullSpace::MAX_CELLS], is_odd: false };
        for (tile, label) in (0..n_tiles as u8).zip(&mut head.labels) {
            *label = tile + u8::from(tile >= self.ranker.blank_label);
        }
        let mut weight: usize = (0..self.n_head).map(|position| n_tiles - position).product();
        let mut rest = word;
        for position in 0..self.n_head {
            weight /= n_tiles - position;
            let digit = rest / weight;
            rest %= weight;
            head.is_odd ^= digit % 2 == 1;
            head.labels[position..=position + digit].rotate_right(1);
        }
        head
    }
}

/// The first tiles that the boards of a word have in common.
struct Head {
    /// The labels at the first positions, then the other labels in increasing order.
    labels: [u8; FullSpace::MAX_CELLS],
    /// Whether the digits of the first positions add up to an odd number.
    is_odd: bool,
}
