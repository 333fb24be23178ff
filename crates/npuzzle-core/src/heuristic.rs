//! Estimates of the distance to the goal.
//!
//! Every one of them works for any goal and any rectangle (walking distance for those that
//! [fit](WalkingDistance::fits)), never overestimates in the single-tile metric, is carried along a
//! path at a small cost, and equals its value from scratch. [`PerRun`] makes one for the multi-tile
//! metric of each.

mod inversions;
mod linear_conflict;
mod manhattan;
mod max;
mod misplaced;
mod per_run;
mod walking;

use crate::search::{Cost, Heuristic, Problem};

pub use inversions::{Inversions, InversionsMemo};
pub use linear_conflict::{LinearConflict, LinearConflictMemo};
pub use manhattan::Manhattan;
pub use max::Max;
pub use misplaced::Misplaced;
pub use per_run::PerRun;
pub use walking::{WalkingDistance, WalkingDistanceMemo};

/// Knows nothing: 0 everywhere. Makes uniform cost of A*.
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

    fn eval(&self, _: &P::State) {}

    #[inline]
    fn step(&self, _: &(), _: &P::State, _: P::Action) {}

    #[inline]
    fn value(&self, _: &()) -> Cost {
        0
    }
}
