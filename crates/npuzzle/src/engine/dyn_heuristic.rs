//! A heuristic chosen at run time.

use npuzzle_core::heuristic::{
    Inversions, InversionsMemo, LinearConflict, LinearConflictMemo, Manhattan, Misplaced,
    WalkingDistance, WalkingDistanceMemo,
};
use npuzzle_core::search::{Cost, Heuristic, Limit, Watch};
use npuzzle_core::{Arrangement, Board, Slide, Sliding};

use crate::options::Estimate;
use crate::tables::additive_pdb::Patterns;

/// Any of the heuristics by name. For where the choice is not worth a search compiled for it, such
/// as the larger of two.
pub(crate) enum Any {
    Zero,
    Misplaced(Misplaced),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Inversion(Inversions),
    Walking(WalkingDistance),
    Pattern(Patterns),
}

#[derive(Clone)]
pub(crate) enum AnyMemo {
    Sum(Cost),
    LinearConflict(LinearConflictMemo),
    Inversion(InversionsMemo),
    Walking(WalkingDistanceMemo),
}

impl Any {
    /// Tables of walking distances are built for it, unless the watch ends that.
    pub(crate) fn new(
        estimate: Estimate,
        goal: &Board,
        patterns: Option<&Patterns>,
        watch: &mut dyn Watch,
    ) -> Result<Any, Limit> {
        Ok(match estimate {
            Estimate::Zero => Any::Zero,
            Estimate::Misplaced => Any::Misplaced(Misplaced::new(goal)),
            Estimate::Manhattan => Any::Manhattan(Manhattan::new(goal)),
            Estimate::LinearConflict => Any::LinearConflict(LinearConflict::new(goal)),
            Estimate::Inversion => Any::Inversion(Inversions::new(goal)),
            // The plan asks for tables only where there are some.
            Estimate::Walking => {
                WalkingDistance::build(goal, watch)?.map_or(Any::Zero, Any::Walking)
            }
            Estimate::Pattern => patterns.cloned().map_or(Any::Zero, Any::Pattern),
        })
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for Any {
    type Memo = AnyMemo;

    fn eval(&self, state: &A) -> AnyMemo {
        match self {
            Any::Zero => AnyMemo::Sum(0),
            Any::Misplaced(h) => AnyMemo::Sum(h.eval(state)),
            Any::Manhattan(h) => AnyMemo::Sum(h.eval(state)),
            Any::LinearConflict(h) => AnyMemo::LinearConflict(h.eval(state)),
            Any::Inversion(h) => AnyMemo::Inversion(h.eval(state)),
            Any::Walking(h) => AnyMemo::Walking(h.eval(state)),
            Any::Pattern(h) => AnyMemo::Sum(h.eval(state)),
        }
    }

    fn step(&self, before: &AnyMemo, after: &A, slide: Slide) -> AnyMemo {
        match (self, before) {
            (Any::Misplaced(h), AnyMemo::Sum(sum)) => AnyMemo::Sum(h.step(sum, after, slide)),
            (Any::Manhattan(h), AnyMemo::Sum(sum)) => AnyMemo::Sum(h.step(sum, after, slide)),
            (Any::LinearConflict(h), AnyMemo::LinearConflict(memo)) => {
                AnyMemo::LinearConflict(h.step(memo, after, slide))
            }
            (Any::Inversion(h), AnyMemo::Inversion(memo)) => {
                AnyMemo::Inversion(h.step(memo, after, slide))
            }
            (Any::Walking(h), AnyMemo::Walking(memo)) => {
                AnyMemo::Walking(h.step(memo, after, slide))
            }
            _ => self.eval(after),
        }
    }

    fn value(&self, memo: &AnyMemo) -> Cost {
        match (self, memo) {
            (_, AnyMemo::Sum(sum)) => *sum,
            (Any::LinearConflict(h), AnyMemo::LinearConflict(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (Any::Inversion(h), AnyMemo::Inversion(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (Any::Walking(h), AnyMemo::Walking(memo)) => Heuristic::<Sliding<A>>::value(h, memo),
            (_, AnyMemo::LinearConflict(_) | AnyMemo::Inversion(_) | AnyMemo::Walking(_)) => 0,
        }
    }
}
