//! Random boards, the same on every machine for a seed.

use npuzzle_core::{Board, Dims};

/// The library's generator with its own shuffle. Node counts in tests depend on its boards.
#[derive(Clone, Debug)]
pub struct Random(npuzzle_core::Random);

impl Random {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Random {
        Random(npuzzle_core::Random::new(seed))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a number below `n`; its bias is negligible for small `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns a board with its tiles in random order, solvable or not.
    pub fn board(&mut self, dims: Dims) -> Board {
        let mut tiles: Vec<u16> = (0..dims.cells() as u16).collect();
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, self.below(i + 1));
        }
        Board::new(dims, &tiles).unwrap_or_else(|error| unreachable!("a permutation: {error}"))
    }

    /// Returns the board after a random walk that never moves straight back.
    pub fn walk(&mut self, from: &Board, n_steps: usize) -> Board {
        let mut board = from.clone();
        let mut last = None;
        for _ in 0..n_steps {
            let slides: Vec<_> = board.slides().filter(|s| Some(s.opposite()) != last).collect();
            let slide = slides[self.below(slides.len())];
            board.slide(slide);
            last = Some(slide);
        }
        board
    }
}
