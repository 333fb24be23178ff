//! Heuristics: estimates of the number of slides to the goal.
//!
//! All heuristics work for any goal and any board size, except that [`WalkingDistance`] is limited to
//! [small boards](WalkingDistance::fits). All are admissible and consistent in the single-tile metric,
//! and all are updated incrementally along a path. [`PerRun`] converts a heuristic to the multi-tile
//! metric. [`TileCostManhattan`] estimates costs that depend on the tile, [`MultiBlankManhattan`] the moves of
//! boards with several blanks.

mod inversions;
mod linear_conflict;
mod manhattan;
mod max;
mod misplaced;
mod multi_blank_manhattan;
mod per_run;
mod tile_cost_manhattan;
mod walking;

use crate::search::{Cost, Heuristic, Problem};

pub use inversions::{Inversions, InversionsMemo};
pub use linear_conflict::{LinearConflict, LinearConflictMemo};
pub use manhattan::Manhattan;
pub use max::Max;
pub use misplaced::Misplaced;
pub use multi_blank_manhattan::MultiBlankManhattan;
pub use per_run::PerRun;
pub use tile_cost_manhattan::TileCostManhattan;
pub use walking::{WalkingDistance, WalkingDistanceMemo};

/// The heuristic that is 0 everywhere. It turns A* into uniform-cost search.
///
/// ```
/// use npuzzle_core::heuristic::Zero;
/// use npuzzle_core::search::Heuristic;
/// use npuzzle_core::{Board, Sliding};
/// assert_eq!(Heuristic::<Sliding<Board>>::value(&Zero, &()), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zero;

impl<P: Problem> Heuristic<P> for Zero {
    type Memo = ();

    const EVALUATES_FAST: bool = true;

    #[inline]
    fn eval(&self, _: &P::State) {}

    #[inline]
    fn step(&self, _: &(), _: &P::State, _: P::Action) {}

    #[inline]
    fn value(&self, _: &()) -> Cost {
        0
    }
}
