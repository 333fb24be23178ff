//! The distances of all boards of a space to the goal.

use std::fmt;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Metric, Slide};

use crate::store::TableBytes;

use super::build;
use super::ranker::{BoardRank, Ranker};
use super::space::{FullSpace, MAX_MOVES};

/// The distances of all boards of a space to the goal, in one or two bits each.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::{FullSpace, DistanceTable};
/// let space = FullSpace::new(Dims::new(2, 3)?, Cell::new(0), Metric::Stm).expect("six cells fit");
/// let table = DistanceTable::build(space, 1, &mut ()).expect("the watch sets no limit");
/// assert_eq!(table.census().iter().sum::<u64>(), 360);
/// assert_eq!(table.walk(&[3, 4, 5, 0, 1, 2], |_, _| {}), Some(21));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone)]
pub struct DistanceTable {
    space: FullSpace,
    ranker: Ranker,
    /// The entries by rank, then the census.
    bytes: TableBytes,
}

impl DistanceTable {
    /// Searches all boards, breadth-first from the goal. The result does not depend on the number of
    /// threads.
    pub fn build(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<DistanceTable, Limit> {
        let bytes = DistanceTable::build_payload(space, n_threads, watch)?;
        Ok(DistanceTable::new(space, bytes.into()))
    }

    pub(crate) fn build_payload(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u8>, Limit> {
        let mut bytes = Vec::with_capacity(space.n_bytes());
        let census = build::search(space, n_threads, watch, &mut bytes)?;
        Ok(with_census(space, bytes, &census))
    }

    /// Creates a table from its entries by rank and its census. Returns `None` if they do not fit the
    /// space.
    pub fn from_parts(space: FullSpace, entries: Vec<u8>, census: &[u64]) -> Option<DistanceTable> {
        if entries.len() != space.table_bytes() || census.len() > MAX_MOVES {
            return None;
        }
        DistanceTable::from_bytes(space, with_census(space, entries, census).into())
    }

    /// Creates a table from its bytes. Returns `None` if their number is wrong, or if the census at
    /// their end does not add up to the number of boards.
    pub fn from_bytes(space: FullSpace, bytes: TableBytes) -> Option<DistanceTable> {
        let table = DistanceTable::new(space, bytes);
        let is_valid = table.bytes().len() == space.n_bytes()
            && table.census().iter().try_fold(0u64, |sum, &n| sum.checked_add(n))
                == Some(space.n_boards() as u64);
        is_valid.then_some(table)
    }

    fn new(space: FullSpace, bytes: TableBytes) -> DistanceTable {
        DistanceTable { space, ranker: Ranker::new(space.dims, space.blank), bytes }
    }

    /// The table as bytes: the entries, then the census.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The boards that the table covers.
    pub fn space(&self) -> FullSpace {
        self.space
    }

    /// The number of boards at each distance.
    pub fn census(&self) -> Vec<u64> {
        read_census(&self.bytes()[self.space.table_bytes()..])
    }

    /// Follows a shortest path to the goal from the board with these labels by cell. Calls `step` with
    /// each move, a slide and the number of its repetitions, and returns the number of moves. Returns
    /// `None` if the board cannot reach the goal.
    pub fn walk(&self, labels: &[u8], mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        let FullSpace { dims, blank, metric } = self.space;
        let mut board = self.ranker.rank(labels)?;
        let bytes = self.bytes();
        let max_slides = match metric {
            Metric::Stm => 1,
            Metric::Mtm => dims.rows().max(dims.cols()) - 1,
        };
        let mut residue = self.residue(bytes, board);
        // The limit ends the walk if the bytes are not a table.
        for n_moves in 0..MAX_MOVES as u32 {
            if board.blank == blank.index() && board.perm.rank() == 0 {
                return Some(n_moves);
            }
            residue = self.predecessor(residue);
            let nearer = MOVE_ORDER.into_iter().find_map(|slide| {
                let mut next = board;
                (1..=max_slides).find_map(|n| {
                    next = self.slide(next, slide)?;
                    (self.residue(bytes, next) == residue).then_some((slide, n, next))
                })
            });
            let (slide, n, next) = nearer?;
            step(slide, n);
            board = next;
        }
        None
    }

    /// The board after a slide. Returns `None` if the slide is illegal.
    #[inline]
    fn slide(&self, board: BoardRank, slide: Slide) -> Option<BoardRank> {
        let BoardRank { blank, perm } = board;
        let cols = self.space.dims.cols();
        let from = self.space.dims.source(Cell::new(blank as u16), slide)?.index();
        let perm = match slide {
            Slide::Left | Slide::Right => perm,
            // The blank moves down. The tile below it moves before those between.
            Slide::Up => self.ranker.perms.last_to_first(perm, blank, blank + cols - 1),
            Slide::Down => self.ranker.perms.first_to_last(perm, from, from + cols - 1),
        };
        Some(BoardRank { blank: from, perm })
    }

    /// The distance of a board, modulo 4 in the single-tile metric and modulo 3 in the multi-tile
    /// metric.
    #[inline]
    fn residue(&self, bytes: &[u8], board: BoardRank) -> u8 {
        let rank = board.blank * self.ranker.n_perms as usize + board.perm.rank() as usize;
        match self.space.metric {
            Metric::Stm => {
                let parity = self.ranker.distance_parity(board.blank);
                (bytes[rank / 8] >> (rank % 8) & 1) << 1 | parity
            }
            // An entry is the residue plus 1. No entry is 0.
            Metric::Mtm => ((bytes[rank / 4] >> (2 * (rank % 4)) & 3) + 2) % 3,
        }
    }

    /// The residue of a distance that is smaller by one.
    fn predecessor(&self, residue: u8) -> u8 {
        match self.space.metric {
            Metric::Stm => (residue + 3) % 4,
            Metric::Mtm => (residue + 2) % 3,
        }
    }
}

/// The first of several equally good moves is taken. This is the order that courses use for goals with
/// the blank at the bottom right, which the canonical form maps to
/// goals with the blank at the top left.
const MOVE_ORDER: [Slide; 4] = [Slide::Up, Slide::Left, Slide::Down, Slide::Right];

/// The bytes of a table, from its entries and its census.
fn with_census(space: FullSpace, entries: Vec<u8>, census: &[u64]) -> Vec<u8> {
    let mut bytes = entries;
    push_census(&mut bytes, census);
    bytes.resize(space.n_bytes(), 0);
    bytes
}

/// Appends a census: the number of boards at each distance, as little-endian `u64`.
pub(crate) fn push_census(bytes: &mut Vec<u8>, census: &[u64]) {
    bytes.extend(census.iter().flat_map(|count| count.to_le_bytes()));
}

/// Reads a census up to the first 0 or the end of the bytes: every distance up to the largest has
/// boards.
pub(crate) fn read_census(bytes: &[u8]) -> Vec<u64> {
    let counts = bytes.as_chunks().0.iter().map(|&count| u64::from_le_bytes(count));
    counts.take_while(|&count| count > 0).collect()
}

impl fmt::Debug for DistanceTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DistanceTable({}, {} bytes)", self.space, self.bytes().len())
    }
}
