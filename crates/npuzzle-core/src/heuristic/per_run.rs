//! Converts heuristics for single slides to straight runs.

use crate::problem::run_moves::{RunMove, RunSliding};
use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::dims::Dims;
use crate::search::{Cost, Heuristic};

/// Converts a heuristic for the single-tile metric to the multi-tile metric.
///
/// A run has at most `max(rows, cols) - 1` slides. The estimate is divided by this number and rounded
/// up. The result is admissible, or consistent, if the heuristic is.
///
/// ```
/// use npuzzle_core::heuristic::{Manhattan, PerRun};
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, RunSliding};
/// let goal: Board = "1 2 3/4 5 6/7 8 0".parse()?;
/// let h = PerRun::new(goal.dims(), Manhattan::new(&goal));
/// let memo = Heuristic::<RunSliding<Board>>::eval(&h, &"1 2 3/4 5 6/0 7 8".parse()?);
/// assert_eq!(Heuristic::<RunSliding<Board>>::value(&h, &memo), 1); // two slides, one run
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerRun<H> {
    slides: H,
    dims: Dims,
    /// The number of slides of the longest run.
    longest: Cost,
}

impl<H> PerRun<H> {
    /// Converts a heuristic for boards of this size.
    pub fn new(dims: Dims, slides: H) -> PerRun<H> {
        PerRun { slides, dims, longest: dims.rows().max(dims.cols()) as Cost - 1 }
    }
}

impl<A: Arrangement, H: Heuristic<Sliding<A>>> Heuristic<RunSliding<A>> for PerRun<H> {
    type Memo = H::Memo;

    fn eval(&self, state: &A) -> H::Memo {
        self.slides.eval(state)
    }

    fn step(&self, before: &H::Memo, after: &A, run: RunMove) -> H::Memo {
        if run.n_slides() == 1 {
            return self.slides.step(before, after, run.slide());
        }
        // The heuristic needs every slide: undo the run, then repeat it slide by slide.
        let mut state = after.clone();
        for _ in 0..run.n_slides() {
            let back = run.slide().opposite();
            state.move_tile(self.dims.source_unchecked(state.blank(), back));
        }
        let mut memo = before.clone();
        for _ in 0..run.n_slides() {
            state.move_tile(self.dims.source_unchecked(state.blank(), run.slide()));
            memo = self.slides.step(&memo, &state, run.slide());
        }
        memo
    }

    #[inline]
    fn value(&self, memo: &H::Memo) -> Cost {
        self.slides.value(memo).div_ceil(self.longest)
    }
}
