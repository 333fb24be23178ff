//! Placements as a set of cells and an order of tiles.
//!
//! Where some tiles lie is told by the *set* of cells they take and the *order* in which they come
//! when the cells are read one by one. Builders think in these terms, since a slide along a row
//! leaves the order alone, and the regions of the blank hang on the set alone.
//!
//! A set is numbered by the combinatorial number system: Σ C(cell, i) over its cells, the i-th lowest
//! being counted by i from 1. An order is numbered like a placement on a board that has no cells but
//! those of the set, as [`Pattern::rank`] does it.

use crate::pdb::pattern::Pattern;
use crate::pdb::regions;

/// The numbering of sets and orders, for a number of cells and tiles.
#[derive(Clone, Debug)]
pub(crate) struct CellSets {
    n_tiles: usize,
    /// All sets, in the order of their numbers.
    pub(crate) sets: Vec<u32>,
    n_orders: usize,
    /// What eight cells add to the number of a set: by which eight, by how many cells of the set are
    /// below them, and by those of the set among them.
    eighths: Vec<[[u32; 256]; Pattern::MAX_TILES + 1]>,
}

impl CellSets {
    pub(crate) fn new(n_cells: usize, n_tiles: usize) -> CellSets {
        CellSets {
            n_tiles,
            sets: sets(n_cells, n_tiles),
            n_orders: (1..=n_tiles).product(),
            eighths: eighths(n_cells),
        }
    }

    /// Number of tiles.
    pub(crate) fn n_tiles(&self) -> usize {
        self.n_tiles
    }

    /// Number of sets of cells.
    pub(crate) fn n_sets(&self) -> usize {
        self.sets.len()
    }

    /// Number of orders of the tiles.
    pub(crate) fn n_orders(&self) -> usize {
        self.n_orders
    }

    /// The number of a set, given as the bits of a word.
    #[inline]
    pub(crate) fn set_number(&self, set: u32) -> usize {
        let (mut number, mut n_below, mut left) = (0, 0, set);
        for table in &self.eighths {
            let among = left & 0xff;
            number += table[n_below % (Pattern::MAX_TILES + 1)][among as usize];
            n_below += among.count_ones() as usize;
            left >>= 8;
        }
        number as usize
    }

    /// The number of an order, given as the places of the tiles: cells, or any numbers that are in
    /// the same order.
    pub(crate) fn order_number(&self, places: &[u8]) -> usize {
        let mut number = 0;
        for (tile, place) in places.iter().enumerate() {
            let digit = places[tile + 1..].iter().filter(|&other| other < place).count();
            number = number * (self.n_tiles - tile) + digit;
        }
        number
    }

    /// The places of the tiles in the order with this number: the inverse of
    /// [`order_number`](CellSets::order_number).
    fn places(&self, number: usize) -> [u8; Pattern::MAX_TILES] {
        let mut places = [0; Pattern::MAX_TILES];
        let (mut left, mut n_each) = (number, self.n_orders);
        let mut free = (1u32 << self.n_tiles) - 1;
        for (tile, place) in places.iter_mut().enumerate().take(self.n_tiles) {
            n_each /= self.n_tiles - tile;
            let nth = regions::cells(free).nth(left / n_each).unwrap_or(0);
            (*place, free, left) = (nth as u8, free & !(1 << nth), left % n_each);
        }
        places
    }

    /// The tiles in the order with this number, as indices into the pattern.
    pub(crate) fn order(&self, number: usize) -> Vec<u8> {
        let mut tiles = vec![0; self.n_tiles];
        for (tile, &place) in self.places(number)[..self.n_tiles].iter().enumerate() {
            tiles[usize::from(place)] = tile as u8;
        }
        tiles
    }

    /// For every order, the number of the order in which the tile at one place has been moved to
    /// another, those between closing up.
    pub(crate) fn moved(&self, from: usize, to: usize) -> Vec<u16> {
        let (low, high) = (from.min(to) as u8, from.max(to) as u8);
        let moved = |number| {
            let mut places = self.places(number);
            for place in &mut places[..self.n_tiles] {
                *place = match *place {
                    place if usize::from(place) == from => to as u8,
                    place if !(low..=high).contains(&place) => place,
                    place if from < to => place - 1,
                    place => place + 1,
                };
            }
            self.order_number(&places[..self.n_tiles]) as u16
        };
        (0..self.n_orders).map(moved).collect()
    }
}

/// All sets of so many cells: the words with so many bits, smallest first, which is the order of the
/// numbering.
fn sets(n_cells: usize, n_tiles: usize) -> Vec<u32> {
    let first = (1u64 << n_tiles) - 1;
    let next = |&set: &u64| {
        // The lowest run of bits: its top goes up by one, the rest goes down to the bottom.
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        (set != 0).then(|| carried | (set ^ carried) >> (2 + lowest.trailing_zeros()))
    };
    let words = std::iter::successors(Some(first), next);
    words.take_while(|&set| set < 1 << n_cells).map(|set| set as u32).collect()
}

fn eighths(n_cells: usize) -> Vec<[[u32; 256]; Pattern::MAX_TILES + 1]> {
    let mut choose = vec![[0; Pattern::MAX_TILES + 1]; n_cells];
    for cell in 0..n_cells {
        choose[cell][0] = 1;
        for i in 1..=Pattern::MAX_TILES.min(cell) {
            choose[cell][i] = choose[cell - 1][i - 1] + choose[cell - 1][i];
        }
    }
    let mut eighths = vec![[[0; 256]; Pattern::MAX_TILES + 1]; n_cells.div_ceil(8)];
    for (eight, table) in eighths.iter_mut().enumerate() {
        for (n_below, sums) in table.iter_mut().enumerate() {
            for (among, sum) in sums.iter_mut().enumerate() {
                let cells = regions::cells(among as u32).map(|cell| 8 * eight + cell);
                // Cells off the board and sets that are too large are never asked for.
                let counted = cells.zip(n_below + 1..);
                let counted = counted.filter_map(|(cell, i)| choose.get(cell)?.get(i));
                *sum = counted.sum();
            }
        }
    }
    eighths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sets_and_orders_are_dense_and_go_back() {
        for (n_cells, n_tiles) in [(4, 0), (4, 3), (6, 2), (9, 5), (16, 4), (25, 3), (9, 8)] {
            let placements = CellSets::new(n_cells, n_tiles);
            for (number, &set) in placements.sets.iter().enumerate() {
                assert_eq!(placements.set_number(set), number);
                assert_eq!(set.count_ones() as usize, n_tiles);
            }
            for number in 0..placements.n_orders {
                let order = placements.order(number);
                let place = |tile: usize| order.iter().position(|&t| usize::from(t) == tile);
                let places: Vec<u8> = (0..n_tiles).map(|t| place(t).unwrap() as u8).collect();
                assert_eq!(placements.order_number(&places), number);
            }
            for (from, to) in (0..n_tiles).flat_map(|from| (0..n_tiles).map(move |to| (from, to))) {
                for (number, &moved) in placements.moved(from, to).iter().enumerate() {
                    let mut order = placements.order(number);
                    let tile = order.remove(from);
                    order.insert(to, tile);
                    assert_eq!(placements.order(moved.into()), order, "{from} to {to}");
                }
            }
        }
        assert_eq!(CellSets::new(16, 8).sets.len(), 12_870);
        assert_eq!(CellSets::new(25, 6).sets.len(), 177_100);
    }
}
