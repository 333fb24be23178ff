//! Random boards from a seed, the same on every machine and for ever.

use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::goal::Goal;
use crate::puzzle::instance::Instance;
use crate::puzzle::slide::Slide;

/// A generator of random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// A seed means the same numbers in every version of this library, so a board can be named by it.
///
/// ```
/// use npuzzle_core::Random;
/// let boards = |seed| -> Vec<_> {
///     let mut random = Random::new(seed);
///     (0..3).map(|_| random.below(100)).collect()
/// };
/// assert_eq!(boards(7), boards(7));
/// assert_ne!(boards(7), boards(8));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// From a seed and a name: other numbers for other names. The name is mixed in byte by byte.
    ///
    /// ```
    /// # use npuzzle_core::Random;
    /// assert_ne!(Random::named(1, "ada").bits(), Random::named(1, "bob").bits());
    /// ```
    pub fn named(seed: u64, name: &str) -> Random {
        let mix = |seed: u64, &byte: &u8| Random(seed ^ u64::from(byte)).bits();
        Random(name.as_bytes().iter().fold(Random(seed).bits(), mix))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, each equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // The upper half of a product is below n; a lower half below 2⁶⁴ mod n would make some
        // numbers more likely than others (Lemire, 2019).
        let uneven = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= uneven {
                return (product >> 64) as u64;
            }
        }
    }

    /// Any board of a size, solvable or not, each equally likely.
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

    /// A board that can reach a goal, each equally likely; or one that cannot.
    ///
    /// ```
    /// # use npuzzle_core::{Goal, Random};
    /// let goal = Goal::Last.board("4x4".parse()?).expect("a named goal fits every size");
    /// assert!(Random::new(1).instance(&goal, true).is_solvable());
    /// assert!(!Random::new(1).instance(&goal, false).is_solvable());
    /// # Ok::<(), npuzzle_core::DimsError>(())
    /// ```
    pub fn instance(&mut self, goal: &Board, solvable: bool) -> Instance {
        let made = |start| match Instance::new(start, &Goal::Board(goal.clone())) {
            Ok(instance) => instance,
            Err(error) => unreachable!("both are of one size: {error}"),
        };
        let instance = made(self.board(goal.dims()));
        // To swap two tiles makes one kind of the other, and pairs boards off one by one.
        if instance.is_solvable() == solvable { instance } else { instance.twin() }
    }

    /// The board after a random walk of so many slides that never steps straight back.
    pub fn walk(&mut self, from: &Board, n_slides: usize) -> Board {
        self.walk_through(from, n_slides, |_| {})
    }

    /// The same, telling the boards that it comes through, the first and the last included.
    pub fn walk_through(
        &mut self,
        from: &Board,
        n_slides: usize,
        mut tell: impl FnMut(&Board),
    ) -> Board {
        let mut board = from.clone();
        tell(&board);
        let mut last = None;
        for _ in 0..n_slides {
            let back = last.map(Slide::opposite);
            let slides: Vec<_> = board.slides().filter(|&slide| Some(slide) != back).collect();
            let slide = slides[self.below(slides.len() as u64) as usize];
            board.slide(slide);
            tell(&board);
            last = Some(slide);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_board_for_ever() {
        let board = |seed| Random::new(seed).board("3x3".parse().unwrap()).slash().to_string();
        assert_eq!([board(1), board(2)], ["0 1 4/3 7 2/6 8 5", "0 3 2/7 1 6/4 8 5"]);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let mut random = Random::new(7);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        // A bound for which half of all words must be thrown away.
        let bound = (1 << 63) + 1;
        let n_upper = (0..10_000).filter(|_| random.below(bound) >= 1 << 62).count();
        assert!((4_700..5_300).contains(&n_upper), "{n_upper}");
    }

    /// Boards are put into groups by where three of the tiles are; all groups are as large as chance
    /// makes them.
    #[test]
    fn solvable_boards_are_equally_likely() {
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
            // 503 degrees of freedom: 503 ± 32, and beyond 620 for one seed in 4,000.
            assert!((390.0..620.0).contains(&chi_square), "{trio:?} {chi_square}");
        }
    }
}
