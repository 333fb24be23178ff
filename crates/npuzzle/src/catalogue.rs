//! The tables that are kept from one run to the next: all that can be built by name.
//!
//! To add one, add a row to [`PATTERNS`] or [`RUNS`], or a recipe to [`catalogue`]. Tables of other goals
//! are kept as well when they are needed; the catalogue has those that people use.

use npuzzle_core::{Cell, Dims};
use npuzzle_tables::{Partition, Recipe, Relabelling, RunTable};

/// All tables that can be built by name.
///
/// ```
/// for recipe in npuzzle::catalogue() {
///     println!("{}: {}, {} bytes", recipe.name(), recipe.purpose(), recipe.len());
/// }
/// ```
pub fn catalogue() -> Vec<Recipe> {
    let patterns = PATTERNS.iter().filter_map(|&(size, blank, _)| {
        let (_, recipe) = large(size.parse().ok()?, Cell::new(blank))?;
        Some(recipe)
    });
    let runs = RUNS.iter().filter_map(|&(size, blank, _)| {
        Relabelling::suited(size.parse().ok()?, Cell::new(blank), Relabelling::MAX_CLASSES)
    });
    patterns.chain(runs.flatten().filter_map(|one| run_table(&one))).collect()
}

/// Boards are flipped and turned so that they have no more columns than rows and the blank belongs
/// near the top left, so there are few.
const PATTERNS: [(&str, u16, &str); 8] = [
    ("4x4", 0, "15-puzzle, blank belongs in a corner"),
    ("4x4", 1, "15-puzzle, blank belongs at an edge"),
    ("4x4", 5, "15-puzzle, blank belongs in the middle, as in snail"),
    ("5x5", 0, "24-puzzle, blank belongs in a corner"),
    ("5x5", 12, "24-puzzle, blank belongs in the middle, as in snail"),
    ("7x2", 0, "2x7, blank belongs in a corner"),
    ("8x2", 0, "2x8, blank belongs in a corner"),
    ("5x3", 0, "3x5, blank belongs in a corner"),
];

const RUNS: [(&str, u16, &str); 5] = [
    ("4x4", 0, "15-puzzle in straight runs, blank belongs in a corner"),
    ("4x4", 5, "15-puzzle in straight runs, blank in the middle"),
    ("7x2", 0, "2x7 in straight runs, blank belongs in a corner"),
    ("8x2", 0, "2x8 in straight runs, blank belongs in a corner"),
    ("5x3", 0, "3x5 in straight runs, blank belongs in a corner"),
];

/// The table of straight runs of boards relabelled like this.
pub(crate) fn run_table(relabelling: &Relabelling) -> Option<Recipe> {
    let (dims, blank) = (relabelling.dims(), relabelling.blank().index());
    let known =
        RUNS.iter().find(|(size, at, _)| size.parse() == Ok(dims) && usize::from(*at) == blank);
    RunTable::recipe(relabelling, known.map_or("another goal", |(_, _, purpose)| purpose))
}

/// The large pattern databases for a size and a place of the blank; `None` if there are none.
pub(crate) fn large(dims: Dims, blank: Cell) -> Option<(Partition, Recipe)> {
    let partition = Partition::large(dims, blank)?;
    let known = PATTERNS
        .iter()
        .find(|(size, at, _)| size.parse() == Ok(dims) && usize::from(*at) == blank.index());
    let recipe = partition.recipe(known.map_or("another goal", |(_, _, purpose)| purpose))?;
    Some((partition, recipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_stand_for_one_table() {
        let recipes = catalogue();
        // Two relabellings for each row of runs.
        assert_eq!(recipes.len(), PATTERNS.len() + 2 * RUNS.len());
        for (at, recipe) in recipes.iter().enumerate() {
            assert!(recipes[..at].iter().all(|other| other.name() != recipe.name()));
            assert!(recipe.len() > 0 && recipe.purpose().len() < 60, "{recipe:?}");
        }
    }

    #[test]
    fn the_tables_of_a_goal_are_those_of_its_frame() {
        let snail = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7".parse().unwrap();
        let frame = crate::frame::Frame::new(&snail).unwrap();
        let (_, recipe) = large(frame.dims(), frame.blank()).unwrap();
        assert!(recipe.purpose().ends_with("as in snail"));
    }
}
