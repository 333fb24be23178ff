//! The larger of two estimates.

use crate::search::{Cost, Heuristic, Problem};

/// The larger of two heuristics: never overestimates if neither does.
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
