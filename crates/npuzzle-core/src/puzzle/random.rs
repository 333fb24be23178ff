//! Random boards from a seed, the same on every machine and in every version.

use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::instance::Instance;
use crate::puzzle::slide::Slide;

/// A random number generator: SplitMix64 (Steele, Lea and Flood 2014).
///
/// A seed produces the same numbers in every version of this library, so that a seed identifies a
/// board.
///
/// ```
/// use npuzzle_core::Random;
/// let numbers = |seed| -> Vec<_> {
///     let mut random = Random::new(seed);
///     (0..3).map(|_| random.below(100)).collect()
/// };
/// assert_eq!(numbers(7), numbers(7));
/// assert_ne!(numbers(7), numbers(8));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator with a seed and a name, which is mixed into the seed byte by byte. Different names
    /// produce different numbers.
    ///
    /// ```
    /// # use npuzzle_core::Random;
    /// assert_ne!(Random::named(1, "ada").bits(), Random::named(1, "bob").bits());
    /// ```
    pub fn named(seed: u64, name: &str) -> Random {
        let mix = |seed: u64, &byte: &u8| Random(seed ^ u64::from(byte)).bits();
        Random(name.as_bytes().iter().fold(Random(seed).bits(), mix))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniformly distributed number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // The upper half of the product is below n. Products whose lower half is below 2⁶⁴ mod n are
        // rejected, because they would make some numbers more likely (Lemire 2019).
        let threshold = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// Returns a uniformly distributed board of this size, solvable or not.
    pub fn board(&mut self, dims: Dims) -> Board {
        let mut tiles: Vec<u16> = (0..dims.cells() as u16).collect();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, self.below(last as u64 + 1) as usize);
        }
        match Board::new(dims, &tiles) {
            Ok(board) => board,
            Err(error) => unreachable!("a shuffled board is a board: {error}"),
        }
    }

    /// Returns an instance with a uniformly distributed start among the boards that can reach the
    /// goal, or among those that cannot.
    ///
    /// ```
    /// # use npuzzle_core::{Goal, Random};
    /// let goal = Goal::Last.board("4x4".parse()?).expect("a named goal fits every size");
    /// assert!(Random::new(1).instance(&goal, true).is_solvable());
    /// assert!(!Random::new(1).instance(&goal, false).is_solvable());
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn instance(&mut self, goal: &Board, solvable: bool) -> Instance {
        let instance = Instance::new_unchecked(self.board(goal.dims()), goal.clone());
        // Taking the twin is a bijection between solvable and unsolvable boards.
        if instance.is_solvable() == solvable { instance } else { instance.twin() }
    }

    /// Returns the board after a random walk of `n_slides` slides, none of which undoes the one before.
    pub fn walk(&mut self, from: &Board, n_slides: usize) -> Board {
        self.walk_through(from, n_slides, |_| {})
    }

    /// Like [`walk`](Random::walk); calls `visit` with every board, including the first and the last.
    pub fn walk_through(
        &mut self,
        from: &Board,
        n_slides: usize,
        mut visit: impl FnMut(&Board),
    ) -> Board {
        let mut board = from.clone();
        visit(&board);
        let mut last = None;
        for _ in 0..n_slides {
            let back = last.map(Slide::opposite);
            let slides: Vec<_> = board.slides().filter(|&slide| Some(slide) != back).collect();
            let slide = slides[self.below(slides.len() as u64) as usize];
            board.slide(slide);
            visit(&board);
            last = Some(slide);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::goal::Goal;

    #[test]
    fn seed_produces_a_fixed_board() {
        let board = |seed| Random::new(seed).board("3x3".parse().unwrap()).slash().to_string();
        assert_eq!([board(1), board(2)], ["0 1 4/3 7 2/6 8 5", "0 3 2/7 1 6/4 8 5"]);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut random = Random::new(7);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        // For this bound half of all words are rejected.
        let bound = (1 << 63) + 1;
        let n_upper = (0..10_000).filter(|_| random.below(bound) >= 1 << 62).count();
        assert!((4_700..5_300).contains(&n_upper), "{n_upper}");
    }

    /// Groups boards by the cells of three tiles and applies a chi-square test to the group sizes.
    #[test]
    fn solvable_boards_are_uniform() {
        let goal = Goal::Last.board("3x3".parse().unwrap()).unwrap();
        let mut random = Random::new(31);
        let n_boards = 100_000;
        let boards: Vec<Board> =
            (0..n_boards).map(|_| random.instance(&goal, true).start().clone()).collect();
        for trio in [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 4, 8]] {
            let mut counts = vec![0u32; 9 * 9 * 9];
            for board in &boards {
                let tiles = board.tiles();
                let at = |tile: u16| tiles.iter().position(|t| t.number() == tile).unwrap();
                counts[trio.iter().fold(0, |group, &tile| 9 * group + at(tile))] += 1;
            }
            let groups: Vec<f64> =
                counts.iter().filter(|&&n| n > 0).map(|&n| f64::from(n)).collect();
            assert_eq!(groups.len(), 504);
            let expect = f64::from(n_boards) / 504.0;
            let chi_square: f64 = groups.iter().map(|n| (n - expect).powi(2) / expect).sum();
            // 503 degrees of freedom: 503 ± 32, and above 620 for one seed in 4,000.
            assert!((390.0..620.0).contains(&chi_square), "{trio:?} {chi_square}");
        }
    }
}
