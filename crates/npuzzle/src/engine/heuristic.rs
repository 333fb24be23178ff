//! Heuristics that are chosen at run time: the one place that builds a heuristic from its name.

use npuzzle_core::heuristic::{
    Inversions, InversionsMemo, LinearConflict, LinearConflictMemo, Manhattan, Max, Misplaced,
    WalkingDistance, WalkingDistanceMemo,
};
use npuzzle_core::search::{Cost, Heuristic, Watch};
use npuzzle_core::{Arrangement, Board, Slide, Sliding};

use crate::engine::result::{EngineError, InternalError};
use crate::limits::Resources;
use crate::options::{HeuristicKind, ResolvedHeuristic};
use crate::tables::additive_pdb::AdditivePdb;
use crate::tables::cache::Tables;

/// A heuristic of any kind, for callers that do not need a search compiled for it.
#[derive(Clone, Debug)]
pub(crate) enum DynHeuristic {
    Zero,
    Misplaced(Misplaced),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Inversion(Inversions),
    Walking(WalkingDistance),
    Pattern(AdditivePdb),
}

/// The memo of a [`DynHeuristic`].
#[derive(Clone)]
pub(crate) enum DynMemo {
    Sum(Cost),
    LinearConflict(LinearConflictMemo),
    Inversion(InversionsMemo),
    Walking(WalkingDistanceMemo),
}

/// The heuristic of a [`ResolvedHeuristic`]: of one kind, or the maximum of two.
#[derive(Clone, Debug)]
pub(crate) enum ChosenHeuristic {
    One(DynHeuristic),
    Max(Max<DynHeuristic, DynHeuristic>),
}

impl ChosenHeuristic {
    /// Builds the heuristic for a goal, with its tables if it needs any.
    pub(crate) fn new(
        choice: ResolvedHeuristic,
        goal: &Board,
        tables: &mut Tables,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<ChosenHeuristic, EngineError> {
        let mut build = |kind| DynHeuristic::new(kind, goal, tables, resources, watch);
        Ok(match choice {
            ResolvedHeuristic::One(kind) => ChosenHeuristic::One(build(kind)?),
            ResolvedHeuristic::Max(a, b) => ChosenHeuristic::Max(Max(build(a)?, build(b)?)),
        })
    }
}

impl DynHeuristic {
    fn new(
        kind: HeuristicKind,
        goal: &Board,
        tables: &mut Tables,
        resources: &Resources,
        watch: &mut dyn Watch,
    ) -> Result<DynHeuristic, EngineError> {
        const NO_WALKING: InternalError =
            InternalError("walking distance was planned for a board that is too large");
        const NO_PDB: InternalError =
            InternalError("pattern databases were planned for a board that is too large");
        Ok(match kind {
            HeuristicKind::Zero => DynHeuristic::Zero,
            HeuristicKind::Misplaced => DynHeuristic::Misplaced(Misplaced::new(goal)),
            HeuristicKind::Manhattan => DynHeuristic::Manhattan(Manhattan::new(goal)),
            HeuristicKind::LinearConflict => {
                DynHeuristic::LinearConflict(LinearConflict::new(goal))
            }
            HeuristicKind::Inversion => DynHeuristic::Inversion(Inversions::new(goal)),
            HeuristicKind::Walking => {
                DynHeuristic::Walking(WalkingDistance::build(goal, watch)?.ok_or(NO_WALKING)?)
            }
            HeuristicKind::Pattern => {
                DynHeuristic::Pattern(tables.small_pdb(goal, resources, watch)?.ok_or(NO_PDB)?)
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
            _ => unreachable!("a memo belongs to the heuristic that made it"),
        }
    }
}
