//! The evaluation functions of best-first search.

use super::Cost;

/// The evaluation function `f`, by which a best-first search orders its open list.
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
    /// `g + h`: A* (Hart, Nilsson and Raphael 1968). Paths are shortest if `h` is admissible.
    AStar,
    /// `g + weight · h`: weighted A* (Pohl 1970). Paths are at most `weight` times as long as the
    /// shortest if `h` is admissible, and are usually found much sooner.
    Weighted(Weight),
    /// `h`: greedy best-first search, which finds some path quickly. A state is never reopened.
    Greedy,
    /// `g`: uniform-cost search, which is breadth-first search if the queue is first in, first out.
    Uniform,
    /// 0: the queue alone decides. It is breadth-first search by the number of actions if the queue is
    /// first in, first out, and depth-first search if it is last in, first out. A state is never
    /// reopened.
    Constant,
}

impl Evaluation {
    /// Returns the value of `f` for a state.
    #[inline]
    pub fn key(self, g: Cost, h: Cost) -> Cost {
        match self {
            Evaluation::AStar => g.saturating_add(h),
            Evaluation::Weighted(weight) => g.saturating_add(weight.times(h)),
            Evaluation::Greedy => h,
            Evaluation::Uniform => g,
            Evaluation::Constant => 0,
        }
    }

    /// Whether an expanded state is expanded again when a shorter path to it is found.
    pub fn reopens(self) -> bool {
        !matches!(self, Evaluation::Greedy | Evaluation::Constant)
    }
}

/// A factor from 1 to [`Weight::MAX`], rounded to three decimals.
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

    /// 1.5: much faster than A*, with paths that are rarely much longer.
    pub const DEFAULT: Weight = Weight { thousandths: 1500 };

    /// Returns the weight with this value; `None` unless it is from 1 to [`Weight::MAX`].
    pub fn new(factor: f64) -> Option<Weight> {
        let legal = (1.0..=Weight::MAX).contains(&factor);
        legal.then(|| Weight { thousandths: (factor * 1000.0).round() as u32 })
    }

    /// Returns the product, rounded down, so that the bound on the path length still holds.
    #[inline]
    pub fn times(self, h: Cost) -> Cost {
        let product = u64::from(h) * u64::from(self.thousandths) / 1000;
        Cost::try_from(product).unwrap_or(Cost::MAX)
    }

    /// Returns a lower bound on the cost of a shortest path, given a path of this cost that is at
    /// most `weight` times as long: the quotient, rounded up. Integer arithmetic keeps rounding
    /// errors out of the bound.
    ///
    /// ```
    /// use npuzzle_core::search::Weight;
    /// assert_eq!(Weight::new(1.4).map(|w| w.lower_bound(21)), Some(15));
    /// ```
    pub fn lower_bound(self, cost: Cost) -> Cost {
        let thousandths = u64::from(self.thousandths);
        // The weight is at least 1, so the quotient fits.
        (u64::from(cost) * 1000).div_ceil(thousandths) as Cost
    }
}
