//! A division of a board's tiles into disjoint patterns, one table for each pattern.
//!
//! ```text
//!     .  a  a  b          Each tile belongs to at most one pattern, and the blank to none. So no
//!     a  a  b  b          move is counted twice, and the values of the tables add up to a lower
//!     a  a  b  b          bound of the board (Korf and Felner 2002).
//!     c  c  c  b
//! ```
//!
//! The tables of a partition are stored in one file, in the order of the patterns.

use std::ops::Range;

use npuzzle_core::{Cell, Dims};

use crate::pdb::pack::PackedPdb;
use crate::pdb::pattern::Pattern;
use crate::pdb::slot_index::{ColumnOrder, n_slots};

/// Disjoint patterns of a board, with the blank's goal cell and the kind of the tables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    dims: Dims,
    blank: Cell,
    patterns: Vec<Pattern>,
    kind: PdbKind,
}

/// The contents of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdbKind {
    /// Two bits of the excess of each placement over its Manhattan distance, for look-ups in any order.
    Excess,
    /// One bit of the cost of each placement and region of the blank, for look-ups along a path.
    ZeroAware,
}

impl Partition {
    /// The maximum number of patterns.
    pub const MAX_PATTERNS: usize = 8;

    /// Creates a partition from the tiles of each pattern, by label. Returns `None` if the patterns
    /// are not disjoint, are too many or too large, or contain the blank or a tile that is not on the
    /// board.
    pub fn new(dims: Dims, blank: Cell, patterns: &[&[u8]], kind: PdbKind) -> Option<Partition> {
        let all: Vec<u8> = patterns.concat();
        if dims.cells() > Pattern::MAX_CELLS || blank.index() >= dims.cells() {
            return None;
        }
        let is_disjoint = (0..all.len()).all(|at| !all[..at].contains(&all[at]));
        let has_blank = all.contains(&(blank.index() as u8));
        if !is_disjoint || has_blank || patterns.len() > Partition::MAX_PATTERNS {
            return None;
        }
        let patterns = patterns.iter().map(|tiles| Pattern::new(dims.cells(), tiles));
        Some(Partition { dims, blank, patterns: patterns.collect::<Option<_>>()?, kind })
    }

    /// A partition whose tables are built in a fraction of a second. Returns `None` for boards of
    /// more than 25 cells.
    pub fn quick(dims: Dims, blank: Cell, kind: PdbKind) -> Option<Partition> {
        let max_ranks = match dims.cells() {
            0..=12 => 200_000,    // five tiles of 12
            13..=16 => 6_000_000, // six of 16
            _ => 400_000,         // four of 25
        };
        let n_tiles = max_tiles(dims.cells(), max_ranks)?;
        Partition::by_columns(dims, blank, n_tiles, kind)
    }

    /// A partition for the 15-puzzle whose tables are built in a second or two: seven tiles of the upper half,
    /// seven of the lower one, and one more. The goal cell of the blank is in the upper half.
    pub fn medium(dims: Dims, blank: Cell) -> Option<Partition> {
        if (dims.rows(), dims.cols()) != (4, 4) || blank.index() >= 8 {
            return None;
        }
        let upper: Vec<u8> = (0..8).filter(|&tile| usize::from(tile) != blank.index()).collect();
        // The bound loses least without the tile of the corner.
        let patterns: [&[u8]; 3] = [&upper, &[8, 9, 10, 11, 13, 14, 15], &[12]];
        Partition::new(dims, blank, &patterns, PdbKind::ZeroAware)
    }

    /// A partition for boards of 13 to 25 cells whose tables are built within a minute and stored on
    /// disk.
    pub fn large(dims: Dims, blank: Cell) -> Option<Partition> {
        match dims.cells() {
            13..=16 if (dims.rows(), dims.cols(), blank.index()) == (4, 4, 0) => {
                let rows: [&[u8]; 2] = [&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
                Partition::new(dims, blank, &rows, PdbKind::ZeroAware)
            }
            13..=16 => {
                // Two halves of at most eight tiles.
                let half = (dims.cells() - 1).div_ceil(2);
                Partition::by_columns(dims, blank, half, PdbKind::ZeroAware)
            }
            25 if dims.is_square() && blank.index() == 0 => {
                Partition::new(dims, blank, &KORF_FELNER_24, PdbKind::ZeroAware)
            }
            // Six tiles of 25, seven of 18.
            17..=25 => {
                let n_tiles = max_tiles(dims.cells(), 170_000_000)?;
                Partition::by_columns(dims, blank, n_tiles, PdbKind::ZeroAware)
            }
            _ => None,
        }
    }

    /// More partitions for the boards of [`Partition::large`], each of the same size. A search that follows all of them
    /// expands fewer nodes, because their bounds are good on different boards.
    pub fn complementary(dims: Dims, blank: Cell) -> Vec<Partition> {
        if !(dims.is_square() && dims.cells() == 25 && blank.index() == 0) {
            return Vec::new();
        }
        let partition = |drawn: &&str| Partition::drawn(dims, blank, drawn, PdbKind::ZeroAware);
        COMPLEMENTARY_24.iter().filter_map(partition).collect()
    }

    /// The partition of a drawing: a letter for each cell, the same one for the tiles of a pattern. Other characters
    /// are for cells that belong to no pattern. Returns `None` in the cases of [`Partition::new`].
    fn drawn(dims: Dims, blank: Cell, drawing: &str, kind: PdbKind) -> Option<Partition> {
        let cells: Vec<char> = drawing.chars().filter(|c| !c.is_whitespace()).collect();
        let mut letters: Vec<char> =
            cells.iter().copied().filter(char::is_ascii_lowercase).collect();
        letters.sort_unstable();
        letters.dedup();
        let tiles = |letter: &char| -> Vec<u8> {
            (0..).zip(&cells).filter(|(_, cell)| *cell == letter).map(|(at, _)| at).collect()
        };
        let patterns: Vec<Vec<u8>> = letters.iter().map(tiles).collect();
        let patterns: Vec<&[u8]> = patterns.iter().map(Vec::as_slice).collect();
        Partition::new(dims, blank, &patterns, kind)
    }

    /// Groups of `n_tiles` tiles, at most [`Partition::MAX_PATTERNS`] of them. Tiles are taken column
    /// by column, because adjacent goal cells make a pattern most aware of conflicts.
    fn by_columns(dims: Dims, blank: Cell, n_tiles: usize, kind: PdbKind) -> Option<Partition> {
        let columns = (0..dims.cols()).flat_map(|col| (0..dims.rows()).map(move |row| (row, col)));
        let cells = columns.map(|(row, col)| dims.cell(row, col)).filter(|&cell| cell != blank);
        let labels: Vec<u8> = cells.map(|cell| cell.index() as u8).collect();
        let patterns: Vec<&[u8]> = labels.chunks(n_tiles).take(Partition::MAX_PATTERNS).collect();
        Partition::new(dims, blank, &patterns, kind)
    }

    /// The size of the board.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// Whether both partitions are for boards of one size with the same goal cell of the blank.
    pub fn is_for_same_boards(&self, other: &Partition) -> bool {
        (self.dims, self.blank) == (other.dims, other.blank)
    }

    /// The contents of the tables.
    pub fn kind(&self) -> PdbKind {
        self.kind
    }

    /// The patterns, in the order of their tables.
    pub(crate) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The number of tiles of each pattern.
    pub(crate) fn pattern_sizes(&self) -> impl Iterator<Item = usize> {
        self.patterns.iter().map(|pattern| pattern.tiles().len())
    }

    /// The patterns with the ranges of their tables in the bytes of all tables.
    pub(crate) fn byte_ranges(&self) -> impl Iterator<Item = (&Pattern, Range<usize>)> {
        let mut end = 0;
        self.patterns.iter().map(move |pattern| {
            let start = end;
            end += self.n_table_bytes(pattern);
            (pattern, start..end)
        })
    }

    /// One partition for each pattern. Their tables, one after the other, are those of `self`.
    pub fn parts(&self) -> Vec<Partition> {
        let part = |pattern: &Pattern| Partition { patterns: vec![pattern.clone()], ..*self };
        self.patterns.iter().map(part).collect()
    }

    /// The number of placements of all patterns.
    pub fn n_ranks(&self) -> usize {
        self.patterns.iter().map(Pattern::n_ranks).sum()
    }

    /// The size of the tables in bytes.
    pub fn n_bytes(&self) -> usize {
        self.patterns.iter().map(|pattern| self.n_table_bytes(pattern)).sum()
    }

    /// The size of the table of a pattern in bytes.
    pub(crate) fn n_table_bytes(&self, pattern: &Pattern) -> usize {
        let n_tiles = pattern.tiles().len();
        match self.kind {
            PdbKind::Excess => PackedPdb::n_bytes(pattern),
            PdbKind::ZeroAware => {
                n_slots(self.dims, n_tiles).div_ceil(8) * (1..=n_tiles).product::<usize>()
            }
        }
    }

    /// The maximum memory in bytes that a build needs, tables included.
    pub fn build_bytes(&self) -> usize {
        // Three bits for each pair of a placement and a region of the blank, and the costs of the
        // placements. The average number of regions is 2.7 for eight tiles on 4x4 and 3.1 on 8x2.
        let largest = self.patterns.iter().map(Pattern::n_ranks).max().unwrap_or(0);
        let bit_map = (7 * largest / 2).div_ceil(8);
        let n_cost_bytes = if self.kind == PdbKind::Excess { largest } else { bit_map };
        self.n_bytes() + n_cost_bytes + 3 * bit_map
    }

    /// A unique name, such as `patterns-3x3-stm-0-2bit-3.6.1.4-7.2.5.8`.
    pub fn name(&self) -> String {
        let Partition { dims, blank, patterns, kind } = self;
        let (rows, cols) = (dims.rows(), dims.cols());
        let kind = match kind {
            PdbKind::Excess => "2bit",
            PdbKind::ZeroAware => match ColumnOrder::new(*dims) {
                ColumnOrder::BySet => "zero",
                ColumnOrder::LargestFirst => "largest",
            },
        };
        let mut name = format!("patterns-{rows}x{cols}-stm-{}-{kind}", blank.index());
        for pattern in patterns {
            let tiles: Vec<String> = pattern.tiles().iter().map(ToString::to_string).collect();
            name += &format!("-{}", tiles.join("."));
        }
        name
    }
}

/// The partition of Korf and Felner (2002) for the 24-puzzle with the blank in a corner.
///
/// ```text
///     .  a  a  b  b
///     a  a  a  b  b
///     c  c  a  b  b
///     c  c  d  d  d
///     c  c  d  d  d
/// ```
const KORF_FELNER_24: [&[u8]; 4] = [
    &[1, 2, 5, 6, 7, 12],
    &[3, 4, 8, 9, 13, 14],
    &[10, 11, 15, 16, 20, 21],
    &[17, 18, 19, 22, 23, 24],
];

/// Partitions that complement [`KORF_FELNER_24`]: chosen one after the other among 36 compact ones, so that the search
/// of ten random boards expands the fewest nodes.
const COMPLEMENTARY_24: [&str; 3] = [
    ". a b b b
     a a b b b
     a a c d d
     a c c d d
     c c c d d",
    ". a a a a
     a a b b b
     c c b b b
     c c d d d
     c c d d d",
    ". a a b b
     a a a b b
     a c c b b
     c c c d d
     c d d d d",
];

/// The maximum number of tiles that have at most `max_ranks` placements.
fn max_tiles(n_cells: usize, max_ranks: usize) -> Option<usize> {
    let n_ranks = |n_tiles: usize| (n_cells - n_tiles + 1..=n_cells).product::<usize>();
    (1..n_cells.min(Pattern::MAX_TILES + 1)).rev().find(|&n| n_ranks(n) <= max_ranks)
}
