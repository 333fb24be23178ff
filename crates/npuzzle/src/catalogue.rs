//! The tables that are kept from one run to the next: all that can be built by name.
//!
//! To add one, add a row to [`SETS`], or a recipe to [`catalogue`].

use npuzzle_core::{Cell, Dims};
use npuzzle_tables::{Partition, Recipe};

/// All tables that can be stored.
///
/// ```
/// for recipe in npuzzle::catalogue() {
///     println!("{}: {}, {} bytes", recipe.name(), recipe.purpose(), recipe.len());
/// }
/// ```
pub fn catalogue() -> Vec<Recipe> {
    SETS.iter().filter_map(Set::recipe).collect()
}

/// How the set of patterns for a size and a place of the blank is kept; `None` if it is not.
pub(crate) fn pattern_set(dims: Dims, blank: Cell) -> Option<(Partition, Recipe)> {
    let set = SETS.iter().find(|set| set.is_for(dims, blank))?;
    Some((set.partition()?, set.recipe()?))
}

/// A set of patterns that is built on the spot in about a second, and found in a millisecond.
struct Set {
    rows: usize,
    cols: usize,
    blank: u16,
    purpose: &'static str,
}

/// Boards are flipped so that the blank belongs near the top left, so there are few.
const SETS: [Set; 9] = [
    Set { rows: 4, cols: 4, blank: 1, purpose: "4x4, blank belongs in the top or bottom row" },
    Set { rows: 4, cols: 4, blank: 4, purpose: "4x4, blank belongs in the left or right column" },
    Set { rows: 4, cols: 4, blank: 5, purpose: "4x4, blank belongs in the middle, as in snail" },
    Set { rows: 2, cols: 7, blank: 0, purpose: "2x7, blank belongs in a corner" },
    Set { rows: 7, cols: 2, blank: 0, purpose: "7x2, blank belongs in a corner" },
    Set { rows: 2, cols: 8, blank: 0, purpose: "2x8, blank belongs in a corner" },
    Set { rows: 8, cols: 2, blank: 0, purpose: "8x2, blank belongs in a corner" },
    Set { rows: 3, cols: 5, blank: 0, purpose: "3x5, blank belongs in a corner" },
    Set { rows: 5, cols: 3, blank: 0, purpose: "5x3, blank belongs in a corner" },
];

impl Set {
    fn is_for(&self, dims: Dims, blank: Cell) -> bool {
        (self.rows, self.cols, usize::from(self.blank)) == (dims.rows(), dims.cols(), blank.index())
    }

    fn partition(&self) -> Option<Partition> {
        Partition::quick(Dims::new(self.rows, self.cols).ok()?, Cell::new(self.blank))
    }

    fn recipe(&self) -> Option<Recipe> {
        self.partition()?.recipe(self.purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_stand_for_one_table() {
        let recipes = catalogue();
        assert!(recipes.len() >= SETS.len());
        for (at, recipe) in recipes.iter().enumerate() {
            assert!(recipes[..at].iter().all(|other| other.name() != recipe.name()));
            assert!(recipe.len() > 0 && recipe.purpose().len() < 60, "{recipe:?}");
        }
    }

    #[test]
    fn the_set_of_a_goal_is_that_of_its_frame() {
        let snail = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7".parse().unwrap();
        let frame = crate::frame::Frame::new(&snail).unwrap();
        let (_, recipe) = pattern_set(frame.dims(), frame.blank()).unwrap();
        assert!(recipe.purpose().ends_with("as in snail"));
    }
}
