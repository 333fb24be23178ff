//! Random boards from a seed, the same on every machine.

use npuzzle_core::{Board, Dims};

/// The library's generator, with the boards that node counts in tests hang on.
#[derive(Clone, Debug)]
pub struct Random(npuzzle_core::Random);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(npuzzle_core::Random::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `n`; the bias for small `n` does not matter to a test.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A board with its tiles in random order, solvable or not.
    pub fn board(&mut self, dims: Dims) -> Board {
        let mut tiles: Vec<u16> = (0..dims.cells() as u16).collect();
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, self.below(i + 1));
        }
        match Board::new(dims, &tiles) {
            Ok(board) => board,
            Err(error) => unreachable!("a shuffled board is a board: {error}"),
        }
    }

    /// The board after a random walk that never steps straight back.
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
