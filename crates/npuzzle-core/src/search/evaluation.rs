//! By what a best-first search orders its states.

use super::Cost;

/// The key by which a state waits in the open list.
///
/// ```
/// use npuzzle_core::search::{Evaluation, Weight};
/// let weight = Weight::new(1.5).expect("from 1 to 1000");
/// assert_eq!(Evaluation::AStar.key(3, 4), 7);
/// assert_eq!(Evaluation::Greedy.key(3, 4), 4);
/// assert_eq!(Evaluation::Weighted(weight).key(3, 4), 9);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// `g + h`: A*, shortest paths if `h` never overestimates.
    AStar,
    /// `g + weight · h`: paths at most `weight` times too long, usually much sooner.
    Weighted(Weight),
    /// `h` alone: some path, soon. Paths are never mended, so a state is expanded once.
    Greedy,
    /// `g` alone: uniform cost, and breadth-first when the queue is first-in-first-out.
    Uniform,
}

impl Evaluation {
    /// The key of a state.
    #[inline]
    pub fn key(self, g: Cost, h: Cost) -> Cost {
        match self {
            Evaluation::AStar => g.saturating_add(h),
            Evaluation::Weighted(weight) => g.saturating_add(weight.times(h)),
            Evaluation::Greedy => h,
            Evaluation::Uniform => g,
        }
    }

    /// Whether a state met again by a shorter path is worth expanding again.
    pub fn reopens(self) -> bool {
        self != Evaluation::Greedy
    }
}

/// A factor of at least 1 with three decimals.
///
/// ```
/// use npuzzle_core::search::Weight;
/// assert_eq!(Weight::new(1.5).map(|w| w.times(7)), Some(10)); // rounded down
/// assert_eq!(Weight::new(0.5), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Weight {
    thousandths: u32,
}

impl Weight {
    /// The largest weight.
    pub const MAX: f64 = 1000.0;

    /// One and a half: much sooner, and seldom much too long.
    pub const DEFAULT: Weight = Weight { thousandths: 1500 };

    /// A weight from 1 to [`Weight::MAX`].
    pub fn new(factor: f64) -> Option<Weight> {
        let legal = (1.0..=Weight::MAX).contains(&factor);
        legal.then(|| Weight { thousandths: (factor * 1000.0).round() as u32 })
    }

    /// The product, rounded down, so that a path is still at most `weight` times too long.
    #[inline]
    pub fn times(self, h: Cost) -> Cost {
        let product = u64::from(h) * u64::from(self.thousandths) / 1000;
        Cost::try_from(product).unwrap_or(Cost::MAX)
    }

    /// The least cost that a path of this cost, at most `weight` times too long, leaves possible:
    /// the quotient, rounded up. In whole numbers, since a bound that is off by a rounding error is
    /// no bound.
    ///
    /// ```
    /// use npuzzle_core::search::Weight;
    /// assert_eq!(Weight::new(1.4).map(|w| w.least(21)), Some(15));
    /// ```
    pub fn least(self, cost: Cost) -> Cost {
        let thousandths = u64::from(self.thousandths);
        // The weight is at least 1, so the quotient fits.
        (u64::from(cost) * 1000).div_ceil(thousandths) as Cost
    }
}
