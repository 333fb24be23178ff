//! How many moves the tiles of a pattern need.
//!
//! Only moves of the pattern's own tiles are counted, so the tables of disjoint patterns add up to
//! a lower bound of the whole board. The other tiles are all alike: the blank passes through them
//! at no cost. Where the blank is matters to what can move next but is forgotten in the end: a
//! placement's value is the smallest over all places of the blank.
//!
//! The builder searches backward from the goal, level by level. A state is a placement with a
//! *region*: a set of cells without tiles of the pattern, connected, within which the blank moves
//! freely. As sets of cells are the bits of a word, a region is filled with a few shifts.

use std::borrow::Cow;

use npuzzle_core::{Cell, Dims, Slide};

use crate::pattern::Pattern;

/// The least number of moves of a pattern's tiles for every placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternTable {
    pattern: Pattern,
    dims: Dims,
    costs: Vec<u8>,
}

impl PatternTable {
    /// Builds the table of a pattern on a board of this size whose blank belongs at `blank`.
    /// `None` if the pattern is of another size or holds the blank.
    pub fn build(dims: Dims, blank: Cell, pattern: &Pattern) -> Option<PatternTable> {
        if pattern.n_cells() != dims.cells() || pattern.tiles().contains(&(blank.index() as u8)) {
            return None;
        }
        let grid = Grid::new(dims);
        let goal: Vec<u8> = pattern.tiles().to_vec();
        let mut costs = vec![u8::MAX; pattern.n_ranks()];
        // The places of the blank that have been met, for every placement.
        let mut met = vec![0u32; pattern.n_ranks()];
        let mut level = vec![Placed::new(&goal, pattern.rank(&goal), 1 << blank.index())];
        let mut next = Vec::new();
        for cost in 0..u8::MAX {
            for placed in &level {
                // A region is met as a whole, so one of its cells tells.
                let known = met[placed.rank as usize];
                if known & placed.blank != 0 {
                    continue;
                }
                let region = grid.fill(placed.blank, !placed.taken());
                met[placed.rank as usize] = known | region;
                let least = &mut costs[placed.rank as usize];
                *least = (*least).min(cost);
                for at in 0..pattern.tiles().len() {
                    for &to in grid.neighbors[usize::from(placed.cells[at])].iter().flatten() {
                        if region >> to & 1 == 1 {
                            let rank = pattern.rank_after(placed.rank, placed.cells(), at, to);
                            let after = placed.after(at, to, rank);
                            if met[rank as usize] & after.blank == 0 {
                                next.push(after);
                            }
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level.clear();
            std::mem::swap(&mut level, &mut next);
        }
        Some(PatternTable { pattern: pattern.clone(), dims, costs })
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The least number of moves for a placement.
    pub fn cost(&self, rank: u32) -> u8 {
        self.costs[rank as usize]
    }

    /// How many placements need each number of moves.
    pub fn histogram(&self) -> Vec<u64> {
        let most = self.costs.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(most) + 1];
        for &cost in &self.costs {
            counts[usize::from(cost)] += 1;
        }
        counts
    }

    /// What the table knows beyond Manhattan distance, in two bits per placement.
    pub fn excess(&self) -> Excess {
        let mut bytes = vec![0; self.costs.len().div_ceil(4)];
        for (rank, &cost) in self.costs.iter().enumerate() {
            let cells = self.pattern.cells(rank as u32);
            let steps = cells.iter().zip(self.pattern.tiles()).map(|(&cell, &tile)| {
                self.dims.distance(Cell::new(cell.into()), Cell::new(tile.into()))
            });
            let manhattan: usize = steps.sum();
            // The cost is no less, and has the same parity.
            let excess = ((usize::from(cost) - manhattan) / 2).min(3) as u8;
            bytes[rank / 4] |= excess << (2 * (rank % 4));
        }
        Excess::from_bytes(bytes)
    }
}

/// Half of what a pattern needs beyond Manhattan distance, at most 3, in two bits per placement.
///
/// The cost of a placement has the parity of its Manhattan distance and is not less, so half of the
/// difference is a whole number. It is rarely over 3; holding it down to 3 keeps the bound a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excess {
    /// Four placements to a byte, the first in the low bits.
    bytes: Cow<'static, [u8]>,
}

impl Excess {
    /// A table from its bytes, which may be part of the program.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Excess {
        Excess { bytes: bytes.into() }
    }

    /// The table as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of a placement.
    #[inline]
    pub fn get(&self, rank: u32) -> u8 {
        self.bytes[rank as usize / 4] >> (2 * (rank % 4)) & 3
    }
}

/// A placement with the cells of the blank from which it is to be looked at.
#[derive(Clone, Copy)]
struct Placed {
    cells: [u8; Pattern::MAX_TILES],
    n_tiles: u8,
    rank: u32,
    blank: u32,
}

impl Placed {
    fn new(tiles: &[u8], rank: u32, blank: u32) -> Placed {
        let mut cells = [0; Pattern::MAX_TILES];
        cells[..tiles.len()].copy_from_slice(tiles);
        Placed { cells, n_tiles: tiles.len() as u8, rank, blank }
    }

    fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.n_tiles)]
    }

    fn taken(&self) -> u32 {
        self.cells().iter().fold(0, |taken, &cell| taken | 1 << cell)
    }

    /// The placement after a tile has moved to a cell, and the blank to where the tile was.
    fn after(&self, tile: usize, to: u8, rank: u32) -> Placed {
        let mut after = Placed { rank, blank: 1 << self.cells[tile], ..*self };
        after.cells[tile] = to;
        after
    }
}

/// The neighbours of cells, one by one and as sets.
struct Grid {
    neighbors: Vec<[Option<u8>; 4]>,
    cols: u32,
    all: u32,
    not_first_col: u32,
    not_last_col: u32,
}

impl Grid {
    fn new(dims: Dims) -> Grid {
        let cells = || (0..dims.cells() as u16).map(Cell::new);
        let set = |cells: &mut dyn Iterator<Item = Cell>| {
            cells.fold(0, |set: u32, cell| set | 1 << cell.index())
        };
        let beside =
            |cell| Slide::ALL.map(|slide| dims.source(cell, slide).map(|cell| cell.index() as u8));
        Grid {
            neighbors: cells().map(beside).collect(),
            cols: dims.cols() as u32,
            all: set(&mut cells()),
            not_first_col: set(&mut cells().filter(|&cell| dims.col(cell) > 0)),
            not_last_col: set(&mut cells().filter(|&cell| dims.col(cell) + 1 < dims.cols())),
        }
    }

    /// All cells of `free` that can be reached from `from` within it.
    fn fill(&self, from: u32, free: u32) -> u32 {
        let free = free & self.all;
        let mut region = from & free;
        loop {
            let grown = region
                | region << self.cols
                | region >> self.cols
                | (region & self.not_last_col) << 1
                | (region & self.not_first_col) >> 1;
            let grown = grown & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}
