//! An estimate of single slides as one of straight runs.

use crate::problem::run_moves::{Run, Runs};
use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::dims::Dims;
use crate::search::{Cost, Heuristic};

/// A heuristic of the single-tile metric, for the multi-tile metric.
///
/// A run is no longer than the longer side less one, so as many slides as that are done by one run
/// at most: the estimate is divided by it and rounded up. It is as admissible and as consistent as
/// the heuristic is.
///
/// ```
/// use npuzzle_core::heuristic::{Manhattan, PerRun};
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Runs};
/// let goal: Board = "1 2 3/4 5 6/7 8 0".parse()?;
/// let h = PerRun::new(goal.dims(), Manhattan::new(&goal));
/// let memo = Heuristic::<Runs<Board>>::eval(&h, &"1 2 3/4 5 6/0 7 8".parse()?);
/// assert_eq!(Heuristic::<Runs<Board>>::value(&h, &memo), 1); // two slides, one run
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerRun<H> {
    slides: H,
    dims: Dims,
    longest: Cost,
}

impl<H> PerRun<H> {
    /// For boards of this size.
    pub fn new(dims: Dims, slides: H) -> PerRun<H> {
        PerRun { slides, dims, longest: dims.rows().max(dims.cols()) as Cost - 1 }
    }
}

impl<A: Arrangement, H: Heuristic<Sliding<A>>> Heuristic<Runs<A>> for PerRun<H> {
    type Memo = H::Memo;

    fn eval(&self, state: &A) -> H::Memo {
        self.slides.eval(state)
    }

    fn step(&self, before: &H::Memo, after: &A, run: Run) -> H::Memo {
        if run.n_slides() == 1 {
            return self.slides.step(before, after, run.slide());
        }
        // The heuristic wants to see every slide: back to the start of the run, and once more.
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
