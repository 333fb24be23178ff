//! The order of the tiles, read row by row without the blank, and its rank.
//!
//! An order is written as digits, one per place: how many of the tiles still to come belong before
//! the tile at this place. The digits are a number in the factorial base; the last two are left out
//! of the rank, since they follow from the rest by parity.
//!
//! ```text
//!     order     2 0 1 4 3        digits    2 0 0 1 0        rank    2·12 + 0·3 + 0·1
//! ```
//!
//! A slide along a row changes nothing in the order. A slide along a column moves one tile past
//! `cols - 1` others, which changes the digits of these places and no others.

/// Orders of so many tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Orders {
    n_tiles: usize,
    /// What the digit of each place counts in the rank; 0 for the last two.
    weights: [u64; Orders::MAX_TILES],
}

impl Orders {
    pub(crate) const MAX_TILES: usize = 15;

    pub(crate) fn new(n_tiles: usize) -> Orders {
        let mut weights = [0; Orders::MAX_TILES];
        for (place, weight) in weights.iter_mut().enumerate().take(n_tiles) {
            *weight = (1..(n_tiles - place) as u64).product::<u64>() / 2;
        }
        Orders { n_tiles, weights }
    }

    /// How many orders have the same parity.
    pub(crate) fn n_orders(&self) -> usize {
        self.n_ranks() as usize
    }

    /// The same as a number of ranks, which may be too many for memory.
    pub(crate) fn n_ranks(&self) -> u64 {
        (1..=self.n_tiles as u64).product::<u64>() / 2
    }

    /// The order of these tiles, which are `0..n_tiles` as they belong.
    #[inline]
    pub(crate) fn of(&self, tiles: impl IntoIterator<Item = u8>) -> Order {
        const ONES: u64 = 0x1111_1111_1111_1111;
        // Nibble t: how many tiles before t are still to come.
        let mut n_before: u64 = 0xfedc_ba98_7654_3210;
        let mut order = Order { digits: 0, rank: 0 };
        for (place, tile) in tiles.into_iter().enumerate().take(self.n_tiles) {
            let shift = 4 * u32::from(tile & 0xf);
            let digit = n_before >> shift & 0xf;
            // Tiles after this one have one less to come before them.
            n_before = n_before.wrapping_sub((ONES << 4) << shift);
            order.digits |= digit << (4 * place);
            order.rank += digit * self.weights[place];
        }
        order
    }

    /// The tiles of the order of a rank and a parity: the inverse of [`of`](Orders::of).
    pub(crate) fn tiles(&self, rank: usize, is_odd: bool) -> Vec<u8> {
        let mut left = rank as u64;
        let mut n_odd = 0;
        let mut free: Vec<u8> = (0..self.n_tiles as u8).collect();
        let mut tiles = Vec::with_capacity(self.n_tiles);
        for &weight in &self.weights[..self.n_tiles - 2] {
            let digit = left / weight;
            left %= weight;
            n_odd += digit % 2;
            tiles.push(free.remove(digit as usize));
        }
        // The last two follow from the parity.
        if is_odd != (n_odd % 2 == 1) {
            free.reverse();
        }
        tiles.extend(free);
        tiles
    }

    /// The order after the tile at `last` has moved to `first`, past those between.
    #[inline]
    pub(crate) fn last_to_first(&self, order: Order, first: usize, last: usize) -> Order {
        let mut order = order;
        let mut moving = order.digit(last);
        for place in (first..last).rev() {
            // The tile that is passed has one less to come after it if the moving tile was that
            // one; otherwise the moving tile has one more.
            let passed = order.digit(place);
            let is_before = u32::from(passed <= moving);
            self.set(&mut order, place + 1, passed + is_before - 1);
            moving += is_before;
        }
        self.set(&mut order, first, moving);
        order
    }

    /// The order after the tile at `first` has moved to `last`: the inverse.
    #[inline]
    pub(crate) fn first_to_last(&self, order: Order, first: usize, last: usize) -> Order {
        let mut order = order;
        let mut moving = order.digit(first);
        for place in first..last {
            let passed = order.digit(place + 1);
            let is_before = u32::from(passed < moving);
            self.set(&mut order, place, passed + 1 - is_before);
            moving -= is_before;
        }
        self.set(&mut order, last, moving);
        order
    }

    #[inline]
    fn set(&self, order: &mut Order, place: usize, digit: u32) {
        let (before, shift) = (order.digit(place), 4 * place);
        order.digits ^= u64::from(before ^ digit) << shift;
        let change = u64::from(digit).wrapping_sub(before.into()).wrapping_mul(self.weights[place]);
        order.rank = order.rank.wrapping_add(change);
    }
}

/// An order of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// A nibble per place, the first lowest.
    digits: u64,
    rank: u64,
}

impl Order {
    /// The order with these digits, whose rank is known.
    #[inline]
    pub(crate) fn known(digits: u64, rank: u64) -> Order {
        Order { digits, rank }
    }

    /// The rank, which may be too large for memory.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.rank
    }

    /// The rank among the orders of the same parity.
    #[inline]
    pub(crate) fn rank(self) -> usize {
        self.rank as usize
    }

    /// The digits, a nibble per place, the first lowest.
    #[inline]
    pub(crate) fn digits(self) -> u64 {
        self.digits
    }

    /// Whether it takes an odd number of swaps.
    #[inline]
    pub(crate) fn is_odd(self) -> bool {
        is_odd(self.digits)
    }

    #[inline]
    fn digit(self, place: usize) -> u32 {
        (self.digits >> (4 * place) & 0xf) as u32
    }
}

/// Whether the digits add up to an odd number.
#[inline]
pub(crate) fn is_odd(digits: u64) -> bool {
    // Their lowest bits do.
    (digits & 0x1111_1111_1111_1111).count_ones() % 2 == 1
}

/// Moves the last digit to the front, as if its tile moved: the plain twin of
/// [`Orders::last_to_first`], for builders of tables.
pub(crate) fn last_digit_to_first(digits: &mut [u8]) {
    for place in (0..digits.len().saturating_sub(1)).rev() {
        let (passed, moving) = (digits[place], digits[place + 1]);
        (digits[place], digits[place + 1]) =
            if passed <= moving { (moving + 1, passed) } else { (moving, passed - 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All orders of so many tiles.
    fn all(n_tiles: u8) -> Vec<Vec<u8>> {
        let mut found = vec![vec![]];
        for _ in 0..n_tiles {
            let longer = |order: &Vec<u8>| {
                let free = (0..n_tiles).filter(|tile| !order.contains(tile));
                free.map(|tile| [&order[..], &[tile]].concat()).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        found
    }

    #[test]
    fn ranks_of_each_parity_are_different_and_leave_none_out() {
        for n_tiles in [3, 5, 7, 8] {
            let orders = Orders::new(n_tiles);
            let mut seen = vec![[false; 2]; orders.n_orders()];
            for tiles in all(n_tiles as u8) {
                let order = orders.of(tiles.iter().copied());
                let n_swapped = (0..n_tiles)
                    .map(|at| tiles[at..].iter().filter(|&&later| later < tiles[at]).count())
                    .sum::<usize>();
                assert_eq!(order.is_odd(), n_swapped % 2 == 1, "{tiles:?}");
                let seen = &mut seen[order.rank()][usize::from(order.is_odd())];
                assert!(!std::mem::replace(seen, true), "{tiles:?}");
                assert_eq!(orders.tiles(order.rank(), order.is_odd()), tiles);
            }
            assert!(seen.iter().all(|&[even, odd]| even && odd));
        }
    }

    #[test]
    fn a_tile_that_moves_changes_digits_as_if_they_were_counted_anew() {
        let n_tiles = 7;
        let orders = Orders::new(n_tiles);
        for tiles in all(n_tiles as u8) {
            let order = orders.of(tiles.iter().copied());
            for (first, last) in [(0, 1), (0, 6), (1, 4), (2, 6), (3, 5), (5, 6)] {
                let mut moved = tiles.clone();
                moved[first..=last].rotate_right(1);
                let expect = orders.of(moved.iter().copied());
                assert_eq!(orders.last_to_first(order, first, last), expect, "{tiles:?}");
                assert_eq!(orders.first_to_last(expect, first, last), order, "{tiles:?}");
                let mut digits: Vec<u8> =
                    (0..n_tiles).map(|place| order.digit(place) as u8).collect();
                last_digit_to_first(&mut digits[first..=last]);
                let again: Vec<u8> = (0..n_tiles).map(|at| expect.digit(at) as u8).collect();
                assert_eq!(digits, again);
            }
        }
    }
}
