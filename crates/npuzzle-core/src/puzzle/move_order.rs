//! The order in which a search generates the children of a state.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::puzzle::slide::Slide;

/// An order of the four moves of the blank, in which searches generate children. It decides between
/// equal keys, and with them the counters and the choice among shortest solutions.
///
/// It is written with the letters of the directions in which the *blank* moves, as in textbooks.
///
/// ```
/// use npuzzle_core::{MoveOrder, Slide};
/// let order: MoveOrder = "ulrd".parse()?;
/// assert_eq!(order.slides()[0], Slide::Down); // the blank moves up if a tile slides down
/// assert_eq!(MoveOrder::default().to_string(), "uldr");
/// # Ok::<(), npuzzle_core::MoveOrderError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveOrder([Slide; 4]);

impl MoveOrder {
    /// Up, left, down, right.
    pub const ULDR: MoveOrder = MoveOrder(Slide::COURSE_ORDER);
    /// Up, down, left, right.
    pub const UDLR: MoveOrder = MoveOrder([Slide::Down, Slide::Up, Slide::Right, Slide::Left]);

    /// The last move first.
    pub const fn reversed(self) -> MoveOrder {
        let [first, second, third, fourth] = self.0;
        MoveOrder([fourth, third, second, first])
    }

    /// The slides of the tiles that make the moves, in this order.
    pub const fn slides(self) -> [Slide; 4] {
        self.0
    }
}

/// [`MoveOrder::ULDR`], the order of [`Slide::COURSE_ORDER`].
impl Default for MoveOrder {
    fn default() -> MoveOrder {
        MoveOrder::ULDR
    }
}

/// Writes four letters, such as `uldr`.
impl fmt::Display for MoveOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |slide: Slide| slide.opposite().letter().to_ascii_lowercase();
        self.0.iter().try_for_each(|&slide| write!(f, "{}", letter(slide)))
    }
}

/// Reads four letters in either case.
impl FromStr for MoveOrder {
    type Err = MoveOrderError;

    fn from_str(text: &str) -> Result<MoveOrder, MoveOrderError> {
        let slides: Option<Vec<Slide>> =
            text.chars().map(|c| Some(Slide::from_letter(c)?.opposite())).collect();
        let slides = slides.and_then(|slides| <[Slide; 4]>::try_from(slides).ok());
        let has_all = |slides: &[Slide; 4]| Slide::ALL.iter().all(|slide| slides.contains(slide));
        slides.filter(has_all).map(MoveOrder).ok_or(MoveOrderError)
    }
}

/// The error for a text that is not an order of moves.
///
/// ```
/// let error = "uldd".parse::<npuzzle_core::MoveOrder>().unwrap_err();
/// assert_eq!(error.to_string(), "expected the letters u, d, l and r, each once, such as ulrd");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveOrderError;

impl fmt::Display for MoveOrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the letters u, d, l and r, each once, such as ulrd")
    }
}

impl Error for MoveOrderError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_orders_are_those_of_their_letters() {
        assert_eq!(MoveOrder::ULDR.to_string(), "uldr");
        assert_eq!(MoveOrder::UDLR.to_string(), "udlr");
        assert_eq!(MoveOrder::UDLR.reversed().to_string(), "rldu");
    }

    #[test]
    fn orders_round_trip_and_bad_ones_are_rejected() {
        let mut orders = std::collections::HashSet::new();
        for text in ["uldr", "ulrd", "UDLR", "rldu", "Drul"] {
            let order: MoveOrder = text.parse().unwrap();
            assert_eq!(order.to_string(), text.to_lowercase());
            orders.insert(order);
        }
        assert_eq!(orders.len(), 5);
        for text in ["", "uld", "uldrr", "uudl", "abcd", "u l d r"] {
            assert_eq!(text.parse::<MoveOrder>(), Err(MoveOrderError), "{text}");
        }
    }
}
