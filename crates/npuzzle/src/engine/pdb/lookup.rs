//! How a board is looked up in one set of tables, step by step.

use npuzzle_tables::PdbSet;

use crate::engine::pdb::packed::PackedCells;

/// What a rank needs to know of a tile.
#[derive(Clone, Copy)]
struct TileInPattern<const N: usize> {
    /// What the rank gains when the tile jumps another one, toward higher cells.
    jump: [i32; N],
    /// Its weight in the rank of its pattern.
    weight: i32,
    pattern: u8,
}

/// A set of tables, for boards of up to `N` cells and `C` columns, `BITS` bits an entry.
pub(crate) struct Lookup<'a, const N: usize, const C: usize, const BITS: usize> {
    set: &'a PdbSet,
    tables: [&'a [u8]; PdbSet::MAX_PATTERNS],
    tiles: [TileInPattern<N>; N],
}

/// What has been looked up for a board: the rank and the value of every pattern.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Ranks {
    ranks: [u32; PdbSet::MAX_PATTERNS],
    excess: [u8; PdbSet::MAX_PATTERNS],
    /// Of the values.
    pub(crate) sum: i32,
}

/// Where to look for what a slide changes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Index {
    pattern: usize,
    rank: u32,
}

/// A new look at one pattern.
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    at: Index,
    excess: u8,
    /// Of the values of all patterns.
    pub(crate) sum: i32,
}

impl Ranks {
    #[inline(always)]
    pub(crate) fn with(&self, look: Entry) -> Ranks {
        let mut seen = *self;
        seen.ranks[look.at.pattern] = look.at.rank;
        seen.excess[look.at.pattern] = look.excess;
        seen.sum = look.sum;
        seen
    }
}

/// A slide as the ranks see it.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) tile: usize,
    /// The lower of the two cells.
    pub(crate) lower: usize,
    /// Whether the tile goes from row to row.
    pub(crate) is_across: bool,
    /// Whether it goes to the higher cell.
    pub(crate) is_forward: bool,
}

impl<'a, const N: usize, const C: usize, const BITS: usize> Lookup<'a, N, C, BITS> {
    pub(crate) fn new(set: &'a PdbSet) -> Self {
        debug_assert_eq!(set.width().bits() as usize, BITS);
        let tile = TileInPattern { jump: [0; N], weight: 0, pattern: 0 };
        let mut view = Lookup { set, tables: [&[]; PdbSet::MAX_PATTERNS], tiles: [tile; N] };
        for (index, (pattern, excess)) in set.tables().iter().enumerate() {
            view.tables[index] = excess.bytes();
            let weight = |at: usize| pattern.weights()[at] as i32;
            for (i, &tile) in pattern.tiles().iter().enumerate() {
                let info = &mut view.tiles[usize::from(tile)];
                (info.pattern, info.weight) = (index as u8, weight(i));
                for (j, &other) in pattern.tiles().iter().enumerate() {
                    // A jumped tile with an earlier digit takes a cell before this one from then
                    // on; a tile with a later digit no longer has this one before it.
                    info.jump[usize::from(other)] = match j.cmp(&i) {
                        std::cmp::Ordering::Less => -weight(i),
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => weight(j),
                    };
                }
            }
        }
        view
    }

    /// Looks up a whole board.
    pub(crate) fn look_at(&self, labels: &[u8]) -> Ranks {
        let mut seen = Ranks::default();
        for (index, (pattern, excess)) in self.set.tables().iter().enumerate() {
            let cell_of = |tile| labels.iter().position(|label| label == tile).unwrap_or(0) as u8;
            let cells: Vec<u8> = pattern.tiles().iter().map(cell_of).collect();
            seen.ranks[index] = pattern.rank(&cells);
            seen.excess[index] = excess.get(seen.ranks[index]);
            seen.sum += i32::from(seen.excess[index]);
        }
        seen
    }

    /// Where the pattern of a tile is to be looked up after a slide on this board.
    #[inline(always)]
    pub(crate) fn at_after<B: PackedCells>(&self, seen: &Ranks, board: B, step: Step) -> Index {
        let info = &self.tiles[step.tile & (N - 1)];
        let gain = if step.is_across {
            // The jumped tiles lie above the lower one of the two cells.
            let jumped = board.cells_from(step.lower + 1);
            let jump = |at: usize| info.jump[(jumped >> (B::BITS * at)) as usize & (N - 1)];
            C as i32 * info.weight + (0..C - 1).map(jump).sum::<i32>()
        } else {
            info.weight
        };
        let pattern = usize::from(info.pattern) % PdbSet::MAX_PATTERNS;
        let gain = if step.is_forward { gain } else { -gain };
        Index { pattern, rank: seen.ranks[pattern].wrapping_add_signed(gain) }
    }

    /// What all patterns but that of a tile add up to.
    #[inline(always)]
    pub(crate) fn least_after(&self, seen: &Ranks, tile: usize) -> i32 {
        let pattern = usize::from(self.tiles[tile & (N - 1)].pattern) % PdbSet::MAX_PATTERNS;
        seen.sum - i32::from(seen.excess[pattern])
    }

    /// Looks there.
    #[inline(always)]
    pub(crate) fn look(&self, seen: &Ranks, at: Index) -> Entry {
        let per_byte = 8 / BITS;
        let byte = self.tables[at.pattern][at.rank as usize / per_byte];
        let excess = byte >> (BITS * (at.rank as usize % per_byte)) & ((1 << BITS) - 1);
        let sum = seen.sum + i32::from(excess) - i32::from(seen.excess[at.pattern]);
        Entry { at, excess, sum }
    }

    /// Has the entry fetched while other things are done.
    #[inline(always)]
    pub(crate) fn prefetch(&self, at: Index) {
        npuzzle_tables::prefetch(self.tables[at.pattern], at.rank as usize / (8 / BITS));
    }
}
