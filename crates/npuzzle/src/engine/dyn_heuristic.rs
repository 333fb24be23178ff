//! A heuristic chosen at run time.

use npuzzle_core::heuristic::{
    Inversions, InversionsMemo, LinearConflict, LinearConflictMemo, Manhattan, Misplaced,
    WalkingDistance, WalkingDistanceMemo,
};
use npuzzle_core::search::{Cost, Heuristic, Limit, Watch};
use npuzzle_core::{Arrangement, Board, Slide, Sliding};

use crate::options::HeuristicKind;
use crate::tables::additive_pdb::AdditivePdb;

/// Any of the heuristics by name. For where the choice is not worth a search compiled for it, such
/// as the larger of two.
pub(crate) enum DynHeuristic {
    Zero,
    Misplaced(Misplaced),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Inversion(Inversions),
    Walking(WalkingDistance),
    Pattern(AdditivePdb),
}

#[derive(Clone)]
pub(crate) enum DynMemo {
    Sum(Cost),
    LinearConflict(LinearConflictMemo),
    Inversion(InversionsMemo),
    Walking(WalkingDistanceMemo),
}

impl DynHeuristic {
    /// Tables of walking distances are built for it, unless the watch ends that.
    pub(crate) fn new(
        estimate: HeuristicKind,
        goal: &Board,
        patterns: Option<&AdditivePdb>,
        watch: &mut dyn Watch,
    ) -> Result<DynHeuristic, Limit> {
        Ok(match estimate {
            HeuristicKind::Zero => DynHeuristic::Zero,
            HeuristicKind::Misplaced => DynHeuristic::Misplaced(Misplaced::new(goal)),
            HeuristicKind::Manhattan => DynHeuristic::Manhattan(Manhattan::new(goal)),
            HeuristicKind::LinearConflict => {
                DynHeuristic::LinearConflict(LinearConflict::new(goal))
            }
            HeuristicKind::Inversion => DynHeuristic::Inversion(Inversions::new(goal)),
            // The plan asks for tables only where there are some.
            HeuristicKind::Walking => WalkingDistance::build(goal, watch)?
                .map_or(DynHeuristic::Zero, DynHeuristic::Walking),
            HeuristicKind::Pattern => {
                patterns.cloned().map_or(DynHeuristic::Zero, DynHeuristic::Pattern)
            }
        })
    }
}

impl<A: Arrangement> Heuristic<Sliding<A>> for DynHeuristic {
    type Memo = DynMemo;

    fn eval(&self, state: &A) -> DynMemo {
        match self {
            DynHeuristic::Zero => DynMemo::Sum(0),
            DynHeuristic::Misplaced(h) => DynMemo::Sum(h.eval(state)),
            DynHeuristic::Manhattan(h) => DynMemo::Sum(h.eval(state)),
            DynHeuristic::LinearConflict(h) => DynMemo::LinearConflict(h.eval(state)),
            DynHeuristic::Inversion(h) => DynMemo::Inversion(h.eval(state)),
            DynHeuristic::Walking(h) => DynMemo::Walking(h.eval(state)),
            DynHeuristic::Pattern(h) => DynMemo::Sum(h.eval(state)),
        }
    }

    fn step(&self, before: &DynMemo, after: &A, slide: Slide) -> DynMemo {
        match (self, before) {
            (DynHeuristic::Misplaced(h), DynMemo::Sum(sum)) => {
                DynMemo::Sum(h.step(sum, after, slide))
            }
            (DynHeuristic::Manhattan(h), DynMemo::Sum(sum)) => {
                DynMemo::Sum(h.step(sum, after, slide))
            }
            (DynHeuristic::LinearConflict(h), DynMemo::LinearConflict(memo)) => {
                DynMemo::LinearConflict(h.step(memo, after, slide))
            }
            (DynHeuristic::Inversion(h), DynMemo::Inversion(memo)) => {
                DynMemo::Inversion(h.step(memo, after, slide))
            }
            (DynHeuristic::Walking(h), DynMemo::Walking(memo)) => {
                DynMemo::Walking(h.step(memo, after, slide))
            }
            _ => self.eval(after),
        }
    }

    fn value(&self, memo: &DynMemo) -> Cost {
        match (self, memo) {
            (_, DynMemo::Sum(sum)) => *sum,
            (DynHeuristic::LinearConflict(h), DynMemo::LinearConflict(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (DynHeuristic::Inversion(h), DynMemo::Inversion(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (DynHeuristic::Walking(h), DynMemo::Walking(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (_, DynMemo::LinearConflict(_) | DynMemo::Inversion(_) | DynMemo::Walking(_)) => 0,
        }
    }
}
