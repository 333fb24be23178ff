//! Permutations of the tiles, and their ranks.
//!
//! The tiles of a board, read row by row without the blank, are a permutation. It is written as a
//! *Lehmer code*: the digit of a position is the number of smaller tiles at later positions. The
//! digits are a number in the factorial number system. The last two digits follow from the others
//! and the parity of the permutation, so the rank leaves them out.
//!
//! ```text
//!     tiles     2 0 1 4 3        digits    2 0 0 1 0        rank    2·12 + 0·3 + 0·1
//! ```
//!
//! A slide along a row does not change the permutation. A slide along a column moves one tile past
//! `cols - 1` others, which changes only the digits of these positions.

/// Ranks the permutations of a given number of tiles. Ranks are dense among the permutations of one
/// parity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PermRanker {
    n_tiles: usize,
    /// The weight of each digit in the rank; 0 for the last two.
    weights: [u64; PermRanker::MAX_TILES],
}

/// A permutation of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Perm {
    /// The Lehmer code: four bits per position, the first position in the lowest bits.
    digits: u64,
    rank: u64,
}

impl PermRanker {
    pub(crate) const MAX_TILES: usize = 15;

    pub(crate) fn new(n_tiles: usize) -> PermRanker {
        let mut weights = [0; PermRanker::MAX_TILES];
        for (position, weight) in weights.iter_mut().enumerate().take(n_tiles) {
            *weight = (1..(n_tiles - position) as u64).product::<u64>() / 2;
        }
        PermRanker { n_tiles, weights }
    }

    /// The number of permutations of one parity, which is the number of ranks.
    pub(crate) fn n_ranks(&self) -> u64 {
        (1..=self.n_tiles as u64).product::<u64>() / 2
    }

    /// Ranks a permutation of `0..n_tiles`.
    #[inline]
    pub(crate) fn rank(&self, tiles: impl IntoIterator<Item = u8>) -> Perm {
        const ONES: u64 = 0x1111_1111_1111_1111;
        // Nibble t is the number of tiles smaller than t that are still to come.
        let mut n_smaller: u64 = 0xfedc_ba98_7654_3210;
        let mut perm = Perm { digits: 0, rank: 0 };
        for (position, (tile, weight)) in tiles.into_iter().zip(&self.weights).enumerate() {
            let shift = 4 * u32::from(tile & 0xf);
            let digit = n_smaller >> shift & 0xf;
            // Larger tiles have one smaller tile less to come.
            n_smaller = n_smaller.wrapping_sub((ONES << 4) << shift);
            perm.digits |= digit << (4 * position);
            perm.rank += digit * weight;
        }
        perm
    }

    /// Returns the tiles of the permutation with a rank and a parity: the inverse of
    /// [`rank`](PermRanker::rank).
    pub(crate) fn unrank(&self, rank: u64, is_odd: bool) -> Vec<u8> {
        let mut rest = rank;
        let mut n_odd = 0;
        let mut free: Vec<u8> = (0..self.n_tiles as u8).collect();
        let mut tiles = Vec::with_capacity(self.n_tiles);
        for &weight in &self.weights[..self.n_tiles - 2] {
            let digit = rest / weight;
            rest %= weight;
            n_odd += digit % 2;
            tiles.push(free.remove(digit as usize));
        }
        // The last two tiles follow from the parity.
        if is_odd != (n_odd % 2 == 1) {
            free.reverse();
        }
        tiles.extend(free);
        tiles
    }

    /// The permutation after the tile at position `last` has moved to `first`, past those between.
    #[inline]
    pub(crate) fn last_to_first(&self, perm: Perm, first: usize, last: usize) -> Perm {
        let mut perm = perm;
        let mut moving = perm.digit(last);
        for position in (first..last).rev() {
            // If the moving tile is smaller than the passed one, the passed tile has one smaller
            // tile less to come. Otherwise the moving tile has one more.
            let passed = perm.digit(position);
            let is_larger = u32::from(passed <= moving);
            self.set(&mut perm, position + 1, passed + is_larger - 1);
            moving += is_larger;
        }
        self.set(&mut perm, first, moving);
        perm
    }

    /// The permutation after the tile at position `first` has moved to `last`: the inverse of
    /// [`last_to_first`](PermRanker::last_to_first).
    #[inline]
    pub(crate) fn first_to_last(&self, perm: Perm, first: usize, last: usize) -> Perm {
        let mut perm = perm;
        let mut moving = perm.digit(first);
        for position in first..last {
            let passed = perm.digit(position + 1);
            let is_larger = u32::from(passed < moving);
            self.set(&mut perm, position, passed + 1 - is_larger);
            moving -= is_larger;
        }
        self.set(&mut perm, last, moving);
        perm
    }

    /// Replaces a digit and updates the rank.
    #[inline]
    fn set(&self, perm: &mut Perm, position: usize, digit: u32) {
        let (before, shift) = (perm.digit(position), 4 * position);
        perm.digits ^= u64::from(before ^ digit) << shift;
        let weight = self.weights[position];
        let change = u64::from(digit).wrapping_sub(before.into()).wrapping_mul(weight);
        perm.rank = perm.rank.wrapping_add(change);
    }
}

impl Perm {
    /// The permutation with these digits, whose rank is known.
    #[inline]
    pub(crate) fn from_parts(digits: u64, rank: u64) -> Perm {
        Perm { digits, rank }
    }

    /// The rank among the permutations of the same parity.
    #[inline]
    pub(crate) fn rank(self) -> u64 {
        self.rank
    }

    /// The Lehmer code: four bits per position, the first position in the lowest bits.
    #[inline]
    pub(crate) fn digits(self) -> u64 {
        self.digits
    }

    /// Whether the permutation is a product of an odd number of swaps.
    #[inline]
    pub(crate) fn is_odd(self) -> bool {
        is_odd(self.digits)
    }

    #[inline]
    fn digit(self, position: usize) -> u32 {
        (self.digits >> (4 * position) & 0xf) as u32
    }
}

/// Whether the digits of a Lehmer code add up to an odd number, which is the permutation's parity.
#[inline]
pub(crate) fn is_odd(digits: u64) -> bool {
    // The sum is odd if an odd number of lowest bits is set.
    (digits & 0x1111_1111_1111_1111).count_ones() % 2 == 1
}

/// Changes the digits as if the tile of the last one moved to the front: the plain twin of
/// [`PermRanker::last_to_first`].
pub(crate) fn last_digit_to_first(digits: &mut [u8]) {
    for position in (0..digits.len().saturating_sub(1)).rev() {
        let (passed, moving) = (digits[position], digits[position + 1]);
        (digits[position], digits[position + 1]) =
            if passed <= moving { (moving + 1, passed) } else { (moving, passed - 1) };
    }
}

/// All permutations of `0..n_tiles`, in lexicographic order.
#[cfg(test)]
pub(crate) fn all_permutations(n_tiles: u8) -> Vec<Vec<u8>> {
    let mut perms = vec![vec![]];
    for _ in 0..n_tiles {
        let longer = |perm: &Vec<u8>| {
            let free = (0..n_tiles).filter(|tile| !perm.contains(tile));
            free.map(|tile| [&perm[..], &[tile]].concat()).collect::<Vec<_>>()
        };
        perms = perms.iter().flat_map(longer).collect();
    }
    perms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_each_parity_are_dense_and_invertible() {
        for n_tiles in [3, 5, 7, 8] {
            let ranker = PermRanker::new(n_tiles);
            let mut seen = vec![[false; 2]; ranker.n_ranks() as usize];
            for tiles in all_permutations(n_tiles as u8) {
                let perm = ranker.rank(tiles.iter().copied());
                let n_inversions = (0..n_tiles)
                    .map(|at| tiles[at..].iter().filter(|&&later| later < tiles[at]).count())
                    .sum::<usize>();
                assert_eq!(perm.is_odd(), n_inversions % 2 == 1, "{tiles:?}");
                let seen = &mut seen[perm.rank() as usize][usize::from(perm.is_odd())];
                assert!(!std::mem::replace(seen, true), "{tiles:?}");
                assert_eq!(ranker.unrank(perm.rank(), perm.is_odd()), tiles);
            }
            assert!(seen.iter().all(|&[even, odd]| even && odd));
        }
    }

    #[test]
    fn moved_tile_updates_digits_as_ranking_again_does() {
        let n_tiles = 7;
        let ranker = PermRanker::new(n_tiles);
        let digits =
            |perm: Perm| -> Vec<u8> { (0..n_tiles).map(|at| perm.digit(at) as u8).collect() };
        for tiles in all_permutations(n_tiles as u8) {
            let perm = ranker.rank(tiles.iter().copied());
            for (first, last) in [(0, 1), (0, 6), (1, 4), (2, 6), (3, 5), (5, 6)] {
                let mut moved = tiles.clone();
                moved[first..=last].rotate_right(1);
                let expected = ranker.rank(moved.iter().copied());
                assert_eq!(ranker.last_to_first(perm, first, last), expected, "{tiles:?}");
                assert_eq!(ranker.first_to_last(expected, first, last), perm, "{tiles:?}");
                let mut plain = digits(perm);
                last_digit_to_first(&mut plain[first..=last]);
                assert_eq!(plain, digits(expected));
            }
        }
    }
}
