//! The distances of all boards of up to 12 cells to a goal, in one or two bits each.
//!
//! A board is *ranked* by the blank's cell and the [order](order) of the tiles. The parity of the
//! order hangs on the blank's row alone, so half of all orders are enough: 3×4 has
//! 12 · 11!/2 = 239,500,800 ranks, and every one of them is the rank of exactly one board that can
//! be solved.
//!
//! A table keeps as much of a distance as tells which neighbours are nearer. In the single-tile
//! metric neighbours are one nearer or one farther, and whether the distance is even follows from
//! the blank's cell; so one bit, the second of the distance, tells it modulo 4. In the multi-tile
//! metric neighbours may also be equally far, and two bits tell the distance modulo 3. The distance
//! itself is the length of the path, which is found by going nearer until the goal is reached.

mod best_moves;
mod bit_permute;
mod build;
mod level;
mod perm_rank;
mod ranks;

use std::fmt;
use std::sync::Arc;

use npuzzle_core::search::{Limit, Watch};
use npuzzle_core::{Cell, Dims, Metric, Slide};

use crate::table_spec::TableSpec;

use perm_rank::{Order, Orders};

pub use best_moves::BestMoves;
pub(crate) use best_moves::generate;
pub use level::Level;
pub use ranks::{Neighbours, Ranks};

/// Which boards a table is for: their size, where the blank belongs, and what is counted. Goals
/// that differ in the order of tiles alone share a table, since tiles are labelled by where they
/// belong.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::FullSpace;
/// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(8), Metric::Stm).expect("nine cells fit");
/// assert_eq!(space.n_boards(), 181_440);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FullSpace {
    dims: Dims,
    home: Cell,
    metric: Metric,
}

impl FullSpace {
    /// The largest boards.
    pub const MAX_CELLS: usize = 12;

    /// `None` if the board has more than 12 cells, or no such cell.
    pub fn new(dims: Dims, home: Cell, metric: Metric) -> Option<FullSpace> {
        let fits = dims.cells() <= FullSpace::MAX_CELLS && home.index() < dims.cells();
        fits.then_some(FullSpace { dims, home, metric })
    }

    /// How many boards can reach the goal: half of all.
    pub fn n_boards(&self) -> usize {
        self.dims.cells() * self.orders().n_orders()
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> usize {
        (self.n_boards() * self.n_bits()).div_ceil(8)
    }

    /// The bits that a table keeps of a distance.
    pub(crate) fn kept_of(&self, distance: usize) -> u8 {
        match self.metric {
            Metric::Stm => (distance >> 1 & 1) as u8,
            Metric::Mtm => (distance % 3 + 1) as u8,
        }
    }

    /// Bytes held while the table is built by so many threads.
    pub fn build_bytes(&self, n_threads: usize) -> usize {
        // Bits lie in words of 60, two for every board; in the multi-tile metric a third, and a
        // second plane for each thread to work with.
        let plane = self.orders().n_orders().div_ceil(60) * 8;
        let (n_bits, n_own) = match self.metric {
            Metric::Stm => (2, 1),
            Metric::Mtm => (3, 2),
        };
        plane * (n_bits * self.dims.cells() + n_own * n_threads.min(self.dims.cells()))
    }

    /// Bytes of a [`Level`]: bits in words of 60, one for every board.
    pub fn level_bytes(&self) -> usize {
        self.orders().n_orders().div_ceil(60) * 8 * self.dims.cells()
    }

    /// Bytes of the table with its census.
    pub fn n_bytes(&self) -> usize {
        self.table_bytes() + 8 * MAX_MOVES
    }

    fn n_bits(&self) -> usize {
        match self.metric {
            Metric::Stm => 1,
            Metric::Mtm => 2,
        }
    }

    fn orders(&self) -> Orders {
        Orders::new(self.dims.cells() - 1)
    }
}

/// A stable name, such as `full-3x4-0-stm`.
impl fmt::Display for FullSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "full-{}-{}-{}", self.dims, self.home.index(), self.metric)
    }
}

/// A board by what its rank is made of.
#[derive(Clone, Copy)]
struct Ranked {
    blank: usize,
    order: Order,
}

/// What is worked out once for all boards of a space.
#[derive(Clone, Copy, Debug)]
struct Ranker {
    n_cells: usize,
    home: u8,
    orders: Orders,
    n_orders: usize,
    /// The cells of the blank, as bits, where orders are odd.
    odd_orders: u32,
    /// The cells of the blank, as bits, where distances in slides are odd.
    odd_distances: u32,
}

impl Ranker {
    fn new(space: FullSpace) -> Ranker {
        Ranker::of(space.dims, space.home)
    }

    /// Of boards of up to 16 cells.
    fn of(dims: Dims, home: Cell) -> Ranker {
        let orders = Orders::new(dims.cells() - 1);
        let cells_where = |is_odd: &dyn Fn(Cell) -> bool| {
            let cells = (0..dims.cells() as u16).filter(|&cell| is_odd(Cell::new(cell)));
            cells.fold(0, |cells, cell| cells | 1 << cell)
        };
        let n_rows = |cell| dims.row(cell).abs_diff(dims.row(home));
        Ranker {
            n_cells: dims.cells(),
            home: home.index() as u8,
            orders,
            n_orders: orders.n_orders(),
            odd_orders: cells_where(&|cell| n_rows(cell) * (dims.cols() - 1) % 2 == 1),
            odd_distances: cells_where(&|cell| dims.distance(cell, home) % 2 == 1),
        }
    }

    /// The labels by cell of the board with this blank and this rank of its order.
    fn labels(&self, blank: usize, rank: usize) -> Vec<u8> {
        let tiles = self.orders.tiles(rank, self.odd_orders >> blank & 1 == 1);
        let mut labels: Vec<u8> =
            tiles.into_iter().map(|tile| tile + u8::from(tile >= self.home)).collect();
        labels.insert(blank, self.home);
        labels
    }

    /// The board with these labels by cell; `None` if it is none that can reach the goal.
    #[inline]
    fn ranked(&self, labels: &[u8]) -> Option<Ranked> {
        let all = labels.iter().fold(0u64, |all, &label| all | 1 << (label & 63));
        if labels.len() != self.n_cells || all != (1 << self.n_cells) - 1 {
            return None;
        }
        let home = self.home;
        let blank = labels.iter().position(|&label| label == home)?;
        // Tiles are numbered as they belong, without the blank.
        let tiles = labels[..blank].iter().chain(&labels[blank + 1..]);
        let order = self.orders.of(tiles.map(|&label| label - u8::from(label > home)));
        let is_odd = self.odd_orders >> blank & 1 == 1;
        (order.is_odd() == is_odd).then_some(Ranked { blank, order })
    }
}

/// Bytes that are owned, part of the program, or mapped from a file.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The distances of all boards of a size to a goal.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::{FullSpace, DistanceTable};
/// let space = FullSpace::new(Dims::new(2, 3)?, Cell::new(0), Metric::Stm).expect("six cells fit");
/// let table = DistanceTable::build(space, 1, &mut ()).expect("nobody stops it");
/// assert_eq!(table.census().iter().sum::<u64>(), 360);
/// assert_eq!(table.walk(&[3, 4, 5, 0, 1, 2], |_, _| {}), Some(21));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone)]
pub struct DistanceTable {
    space: FullSpace,
    ranker: Ranker,
    /// The bits by rank, then the census: eight bytes for each distance, zeros after the last.
    bytes: SharedBytes,
}

impl DistanceTable {
    /// Searches all boards from the goal on. The table does not hang on the number of threads.
    pub fn build(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<DistanceTable, Limit> {
        let bytes = Arc::new(DistanceTable::build_bytes(space, n_threads, watch)?);
        Ok(DistanceTable { space, ranker: Ranker::new(space), bytes })
    }

    fn build_bytes(
        space: FullSpace,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u8>, Limit> {
        let found = build::search(space.dims, space.home, space.metric, n_threads, watch)?;
        let mut bytes = found.bytes;
        bytes.extend(found.census.iter().flat_map(|count| count.to_le_bytes()));
        bytes.resize(space.n_bytes(), 0);
        Ok(bytes)
    }

    /// How the table is kept in a store, and what for.
    pub fn recipe(space: FullSpace, purpose: impl Into<String>) -> Option<TableSpec> {
        let name = space.to_string().parse().ok()?;
        Some(TableSpec::new(name, purpose, space.n_bytes(), move |work| {
            DistanceTable::build_bytes(space, work.threads, work.watch)
        }))
    }

    /// A table from its bits by rank and its census; `None` if they are not of this space.
    pub fn from_parts(space: FullSpace, bits: Vec<u8>, census: &[u64]) -> Option<DistanceTable> {
        let mut bytes = bits;
        if bytes.len() != space.table_bytes() || census.len() > MAX_MOVES {
            return None;
        }
        bytes.extend(census.iter().flat_map(|count| count.to_le_bytes()));
        bytes.resize(space.n_bytes(), 0);
        DistanceTable::from_bytes(space, Arc::new(bytes))
    }

    /// A table from its bytes; `None` if their number is wrong or the census at their end does not
    /// add up to all boards.
    pub fn from_bytes(space: FullSpace, bytes: SharedBytes) -> Option<DistanceTable> {
        let table = DistanceTable { space, ranker: Ranker::new(space), bytes };
        let is_whole = table.bytes().len() == space.n_bytes()
            && table.census().iter().try_fold(0u64, |sum, &n| sum.checked_add(n))
                == Some(space.n_boards() as u64);
        is_whole.then_some(table)
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Which boards it is for.
    pub fn space(&self) -> FullSpace {
        self.space
    }

    /// How many boards are at each distance.
    pub fn census(&self) -> Vec<u64> {
        census(&self.bytes()[self.space.table_bytes()..])
    }

    /// Walks a shortest path to the goal from the board with these labels by cell, tells `step` each
    /// move (a slide and how often it is repeated), and counts them. `None` if the board is none
    /// that can reach the goal.
    pub fn walk(&self, labels: &[u8], mut step: impl FnMut(Slide, usize)) -> Option<u32> {
        let FullSpace { dims, home, metric } = self.space;
        let mut board = self.ranker.ranked(labels)?;
        let bytes = self.bytes();
        let most = match metric {
            Metric::Stm => 1,
            Metric::Mtm => dims.rows().max(dims.cols()) - 1,
        };
        let mut left = self.residue(bytes, board);
        // Bytes that are no table must not keep us for ever.
        for n_moves in 0..MAX_MOVES as u32 {
            if board.blank == home.index() && board.order.rank() == 0 {
                return Some(n_moves);
            }
            left = self.nearer(left);
            let moves = ORDER.into_iter().find_map(|slide| {
                let mut next = board;
                (1..=most).find_map(|n| {
                    next = self.slid(next, slide)?;
                    (self.residue(bytes, next) == left).then_some((slide, n, next))
                })
            });
            let (slide, n, next) = moves?;
            step(slide, n);
            board = next;
        }
        None
    }

    /// The board after a slide.
    #[inline]
    fn slid(&self, board: Ranked, slide: Slide) -> Option<Ranked> {
        let Ranked { blank, order } = board;
        let cols = self.space.dims.cols();
        let from = self.space.dims.source(Cell::new(blank as u16), slide)?.index();
        let order = match slide {
            Slide::Left | Slide::Right => order,
            // The blank goes down, and the tile below it before those between.
            Slide::Up => self.ranker.orders.last_to_first(order, blank, blank + cols - 1),
            Slide::Down => self.ranker.orders.first_to_last(order, from, from + cols - 1),
        };
        Some(Ranked { blank: from, order })
    }

    /// The distance of a board, modulo 4 in the single-tile metric and 3 in the other.
    #[inline]
    fn residue(&self, bytes: &[u8], board: Ranked) -> u8 {
        let rank = board.blank * self.ranker.n_orders + board.order.rank();
        match self.space.metric {
            Metric::Stm => {
                let parity = self.ranker.odd_distances >> board.blank & 1;
                (bytes[rank / 8] >> (rank % 8) & 1) << 1 | parity as u8
            }
            // The bits are one more; 0 is in no table.
            Metric::Mtm => ((bytes[rank / 4] >> (2 * (rank % 4)) & 3) + 2) % 3,
        }
    }

    /// The residue of a distance that is one less.
    fn nearer(&self, residue: u8) -> u8 {
        match self.space.metric {
            Metric::Stm => (residue + 3) % 4,
            Metric::Mtm => (residue + 2) % 3,
        }
    }
}

/// Of moves that are equally good the first is taken: the order of courses, as it is for goals with
/// the blank at the bottom right, which are flipped to have it at the top left.
const ORDER: [Slide; 4] = [Slide::Up, Slide::Left, Slide::Down, Slide::Right];

/// All boards are fewer moves from the goal: of up to 12 cells none is farther than 80.
const MAX_MOVES: usize = 100;

/// The counts at the end of a table, eight bytes each. There are boards at every distance up to the
/// last.
fn census(bytes: &[u8]) -> Vec<u64> {
    let counts = bytes.chunks_exact(8);
    let counts = counts.map(|count| count.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
    counts.take_while(|&count| count > 0).collect()
}

impl fmt::Debug for DistanceTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FullTable({}, {} bytes)", self.space, self.bytes().len())
    }
}
