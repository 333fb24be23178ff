//! The tables that are kept from one run to the next: all that can be built by name.
//!
//! To add one, add a row to [`PATTERNS`], [`RUNS`] or [`FULL`], or a recipe to [`catalogue`]. Tables of other goals
//! are kept as well when they are needed; the catalogue has those that people use.

use npuzzle_core::{Board, Cell, Dims, Metric};
use npuzzle_tables::{
    Abstraction, DistanceTable, FullSpace, MtmTable, Partition, TableName, TableSpec,
};

use crate::tables::canonical::CanonicalForm;

/// All tables that can be built by name.
///
/// ```
/// for recipe in npuzzle::tables::catalogue() {
///     println!("{}: {}, {} bytes", recipe.name(), recipe.purpose(), recipe.len());
/// }
/// ```
pub fn catalogue() -> Vec<TableSpec> {
    let patterns = PATTERNS.iter().filter_map(|&(size, blank, _)| {
        let (_, recipe) = large(size.parse().ok()?, Cell::new(blank))?;
        Some(recipe)
    });
    let runs = RUNS.iter().flat_map(|&(size, blank, _)| {
        let dims: Option<Dims> = size.parse().ok();
        let suited = move |n| Abstraction::suited(dims?, Cell::new(blank), n);
        (2..=Abstraction::MAX_CLASSES).filter_map(suited).flatten()
    });
    let full = FULL.iter().flat_map(|&(size, blank, _)| {
        let space = move |metric| FullSpace::new(size.parse().ok()?, Cell::new(blank), metric);
        Metric::ALL.into_iter().filter_map(space)
    });
    let mut kept: Vec<Abstraction> = Vec::new();
    for one in runs.filter(|one| MtmTable::n_bytes(one) >= MtmTable::WORTH_KEEPING) {
        // Some go with others in four classes as well as in five.
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    let runs = kept.iter().filter_map(run_table);
    patterns.chain(runs).chain(full.filter_map(full_table)).collect()
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

/// All kinds of goals of 12 cells, in either metric.
const FULL: [(&str, u16, &str); 7] = [
    ("4x3", 0, "3x4, blank belongs in a corner"),
    ("4x3", 1, "3x4, blank belongs in the middle of a short side"),
    ("4x3", 3, "3x4, blank belongs at a long side"),
    ("4x3", 4, "3x4, blank belongs in the middle"),
    ("6x2", 0, "2x6, blank belongs in a corner"),
    ("6x2", 2, "2x6, blank belongs beside a corner"),
    ("6x2", 4, "2x6, blank belongs in the middle"),
];

/// The table of all distances of these boards, if it takes so long to build that it is kept.
pub(crate) fn full_table(space: FullSpace) -> Option<TableSpec> {
    let known = FULL.iter().find_map(|&(size, blank, purpose)| {
        let is_this = |&metric: &Metric| {
            let dims = size.parse().ok();
            dims.and_then(|dims| FullSpace::new(dims, Cell::new(blank), metric)) == Some(space)
        };
        let metric = Metric::ALL.into_iter().find(is_this)?;
        Some(format!("all distances ({metric}) of {purpose}"))
    });
    DistanceTable::recipe(space, known?)
}

/// The table of all distances that has this name, of any size: those that are not in the catalogue are
/// kept only when several processes have built them.
#[doc(hidden)]
pub fn full_table_named(name: &TableName) -> Option<TableSpec> {
    let mut words = name.as_str().strip_prefix("full-")?.split('-');
    let (dims, blank, metric) = (words.next()?, words.next()?, words.next()?);
    let (dims, blank, metric) =
        (dims.parse::<Dims>().ok()?, blank.parse::<u16>().ok()?, metric.parse::<Metric>().ok()?);
    let space = FullSpace::new(dims, Cell::new(blank), metric)?;
    let purpose = format!("all distances ({metric}) of {dims}, blank belongs at cell {blank}");
    let recipe = full_table(space).or_else(|| DistanceTable::recipe(space, purpose))?;
    (recipe.name() == name).then_some(recipe)
}

/// The table of straight runs of boards relabelled like this.
pub(crate) fn run_table(relabelling: &Abstraction) -> Option<TableSpec> {
    let (dims, blank) = (relabelling.dims(), relabelling.blank().index());
    let known =
        RUNS.iter().find(|(size, at, _)| size.parse() == Ok(dims) && usize::from(*at) == blank);
    MtmTable::recipe(relabelling, known.map_or("another goal", |(_, _, purpose)| purpose))
}

/// The large pattern databases for a goal, and how they are kept, for the cluster; `None` if there are
/// none.
#[doc(hidden)]
pub fn large_patterns(goal: &Board) -> Option<(Partition, TableSpec)> {
    let frame = CanonicalForm::new(goal)?;
    large(frame.dims(), frame.blank())
}

/// The large pattern databases for a size and a place of the blank; `None` if there are none.
pub(crate) fn large(dims: Dims, blank: Cell) -> Option<(Partition, TableSpec)> {
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
        // Of straight runs those with four classes or five, unless they are quickly built.
        let n_runs = |size: &str| {
            recipes
                .iter()
                .filter(|one| one.name().as_str().starts_with(&format!("mtm-{size}")))
                .count()
        };
        assert_eq!(["4x4", "7x2", "8x2", "5x3"].map(n_runs), [6, 0, 2, 2]);
        for (at, recipe) in recipes.iter().enumerate() {
            assert!(recipes[..at].iter().all(|other| other.name() != recipe.name()));
            assert!(recipe.len() > 0 && recipe.purpose().len() < 75, "{recipe:?}");
        }
    }

    #[test]
    fn every_goal_of_12_cells_has_its_table() {
        for size in ["3x4", "4x3", "2x6", "6x2"] {
            let dims: Dims = size.parse().unwrap();
            for blank in 0..12 {
                let mut tiles: Vec<u16> = (1..12).collect();
                tiles.insert(blank, 0);
                let goal = npuzzle_core::Board::new(dims, &tiles).unwrap();
                for metric in Metric::ALL {
                    let space = crate::tables::FullTable::space(&goal, metric).unwrap();
                    assert!(full_table(space).is_some(), "{space}");
                }
            }
        }
        // Others are built in milliseconds.
        let ten = FullSpace::new(Dims::new(5, 2).unwrap(), Cell::new(0), Metric::Stm).unwrap();
        assert!(full_table(ten).is_none());
    }

    #[test]
    fn tables_of_all_distances_are_known_by_their_names() {
        let named = |name: &str| full_table_named(&name.parse().unwrap());
        let ten = FullSpace::new(Dims::new(5, 2).unwrap(), Cell::new(4), Metric::Mtm).unwrap();
        let recipe = named(&ten.to_string()).unwrap();
        assert_eq!((recipe.name().as_str(), recipe.len()), ("full-5x2-4-mtm", ten.n_bytes()));
        for recipe in catalogue() {
            let purpose = full_table_named(recipe.name()).map(|it| it.purpose().to_owned());
            let is_full = recipe.name().as_str().starts_with("full-");
            assert_eq!(purpose, is_full.then(|| recipe.purpose().to_owned()));
        }
        for name in ["full-5x2-10-stm", "full-5x2-04-stm", "full-4x4-0-stm", "full-5x2-4-stm-x"] {
            assert!(named(name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_tables_of_a_goal_are_those_of_its_frame() {
        let snail = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7".parse().unwrap();
        let (_, recipe) = large_patterns(&snail).unwrap();
        assert!(recipe.purpose().ends_with("as in snail"));
    }
}
