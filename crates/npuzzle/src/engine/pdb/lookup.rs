//! Incremental lookup of a board in one set of pattern databases.
//!
//! The rank of a pattern is carried along the path. When a tile slides along a row, the rank changes by
//! the weight of the tile. When it slides across rows, it jumps over the tiles between the two cells,
//! and each jumped tile of the same pattern changes the rank by a constant.

use npuzzle_tables::PdbSet;

use super::config::{Config, PerCell};
use super::packed::PackedBoard;

/// The contribution of a tile to the rank of its pattern.
#[derive(Clone, Copy)]
struct TileInPattern<J> {
    /// The change of the rank when the tile jumps another one toward higher cells, by the other tile.
    jump: J,
    /// The weight of the tile in the rank.
    weight: i32,
    pattern: u8,
}

/// A set of pattern databases, prepared for lookups along a path.
pub(crate) struct Lookup<'a, L: Config> {
    set: &'a PdbSet,
    tables: [&'a [u8]; PdbSet::MAX_PATTERNS],
    tiles: PerCell<L, TileInPattern<PerCell<L, i32>>>,
}

/// The rank and the value of every pattern for one board.
///
/// A value is half of what the pattern needs beyond Manhattan distance.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Ranks {
    ranks: [u32; PdbSet::MAX_PATTERNS],
    values: [u8; PdbSet::MAX_PATTERNS],
    /// The sum of the values.
    pub(crate) sum: i32,
}

/// The index of the entry that a slide leads to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Index {
    pattern: usize,
    rank: u32,
}

/// The entry that a slide leads to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    index: Index,
    value: u8,
    /// The sum of the values of all patterns after the slide.
    pub(crate) sum: i32,
}

impl Ranks {
    /// The ranks after the slide that leads to an entry.
    #[inline(always)]
    pub(crate) fn with(&self, entry: Entry) -> Ranks {
        let mut ranks = *self;
        ranks.ranks[entry.index.pattern] = entry.index.rank;
        ranks.values[entry.index.pattern] = entry.value;
        ranks.sum = entry.sum;
        ranks
    }
}

/// A slide, as far as ranks depend on it.
#[derive(Clone, Copy)]
pub(crate) struct RankStep {
    pub(crate) tile: usize,
    /// The lower of the two cells.
    pub(crate) lower: usize,
    /// Whether the tile moves to another row.
    pub(crate) is_vertical: bool,
    /// Whether it moves to the higher cell.
    pub(crate) is_forward: bool,
}

impl<'a, L: Config> Lookup<'a, L> {
    pub(crate) fn new(set: &'a PdbSet) -> Self {
        debug_assert_eq!(set.width().bits() as usize, L::BITS);
        let tile = TileInPattern { jump: L::Board::per_cell(0i32), weight: 0, pattern: 0 };
        let mut lookup: Lookup<'a, L> =
            Lookup { set, tables: [&[]; PdbSet::MAX_PATTERNS], tiles: L::Board::per_cell(tile) };
        for (index, (pattern, table)) in set.tables().iter().enumerate() {
            lookup.tables[index] = table.bytes();
            let weight = |at: usize| pattern.weights()[at] as i32;
            for (i, &tile) in pattern.tiles().iter().enumerate() {
                let info = &mut lookup.tiles[usize::from(tile)];
                (info.pattern, info.weight) = (index as u8, weight(i));
                for (j, &other) in pattern.tiles().iter().enumerate() {
                    // A digit of the rank counts the free cells before its tile. A jumped tile with an
                    // earlier digit now occupies a cell before this tile; a tile with a later digit
                    // no longer has this tile before it.
                    info.jump[usize::from(other)] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => -weight(i),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weight(j),
                    };
                }
            }
        }
        lookup
    }

    pub(crate) fn set(&self) -> &'a PdbSet {
        self.set
    }

    /// Ranks a board from scratch.
    pub(crate) fn ranks(&self, labels: &[u8]) -> Ranks {
        let mut ranks = Ranks::default();
        for (index, (pattern, table)) in self.set.tables().iter().enumerate() {
            let cell_of = |tile| labels.iter().position(|label| label == tile).unwrap_or(0) as u8;
            let cells: Vec<u8> = pattern.tiles().iter().map(cell_of).collect();
            ranks.ranks[index] = pattern.rank(&cells);
            ranks.values[index] = table.get(ranks.ranks[index]);
            ranks.sum += i32::from(ranks.values[index]);
        }
        ranks
    }

    #[inline(always)]
    fn tile(&self, tile: usize) -> &TileInPattern<PerCell<L, i32>> {
        &self.tiles[tile & L::Board::MASK]
    }

    /// The index of the entry of the tile's pattern after a slide on this board.
    #[inline(always)]
    pub(crate) fn index_after(&self, ranks: &Ranks, board: L::Board, step: RankStep) -> Index {
        let info = self.tile(step.tile);
        let change = if step.is_vertical {
            // The jumped tiles are in the cells after the lower one.
            let jumped = board.cells_from(step.lower + 1);
            let jump =
                |at: usize| info.jump[(jumped >> (L::Board::BITS * at)) as usize & L::Board::MASK];
            L::COLS as i32 * info.weight + (0..L::COLS - 1).map(jump).sum::<i32>()
        } else {
            info.weight
        };
        let pattern = usize::from(info.pattern) % PdbSet::MAX_PATTERNS;
        let change = if step.is_forward { change } else { -change };
        Index { pattern, rank: ranks.ranks[pattern].wrapping_add_signed(change) }
    }

    /// The sum of the values of all patterns except that of a tile.
    #[inline(always)]
    pub(crate) fn sum_without(&self, ranks: &Ranks, tile: usize) -> i32 {
        let pattern = usize::from(self.tile(tile).pattern) % PdbSet::MAX_PATTERNS;
        ranks.sum - i32::from(ranks.values[pattern])
    }

    /// Reads an entry.
    #[inline(always)]
    pub(crate) fn entry(&self, ranks: &Ranks, index: Index) -> Entry {
        let per_byte = 8 / L::BITS;
        let byte = self.tables[index.pattern][index.rank as usize / per_byte];
        let value = byte >> (L::BITS * (index.rank as usize % per_byte)) & ((1 << L::BITS) - 1);
        let sum = ranks.sum + i32::from(value) - i32::from(ranks.values[index.pattern]);
        Entry { index, value, sum }
    }

    /// Prefetches an entry into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: Index) {
        npuzzle_tables::prefetch(self.tables[index.pattern], index.rank as usize / (8 / L::BITS));
    }
}
