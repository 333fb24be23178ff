//! The maximum of two heuristics.

use crate::search::{Cost, Heuristic, Problem};

/// The maximum of two heuristics. It is admissible, or consistent, if both are.
///
/// ```
/// use npuzzle_core::heuristic::{Inversions, Manhattan, Max};
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Sliding};
/// type Tiles = Sliding<Board>;
/// let (board, goal): (Board, Board) = ("2 1 3/4 5 6/7 8 0".parse()?, "1 2 3/4 5 6/7 8 0".parse()?);
/// let larger = Max(Manhattan::new(&goal), Inversions::new(&goal));
/// let memo = Heuristic::<Tiles>::eval(&larger, &board);
/// assert!(Heuristic::<Tiles>::value(&larger, &memo) >= 2); // Manhattan distance
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Max<A, B>(pub A, pub B);

impl<P: Problem, A: Heuristic<P>, B: Heuristic<P>> Heuristic<P> for Max<A, B> {
    type Memo = (A::Memo, B::Memo);

    fn eval(&self, state: &P::State) -> Self::Memo {
        (self.0.eval(state), self.1.eval(state))
    }

    #[inline]
    fn step(&self, before: &Self::Memo, after: &P::State, action: P::Action) -> Self::Memo {
        (self.0.step(&before.0, after, action), self.1.step(&before.1, after, action))
    }

    #[inline]
    fn value(&self, memo: &Self::Memo) -> Cost {
        self.0.value(&memo.0).max(self.1.value(&memo.1))
    }
}
