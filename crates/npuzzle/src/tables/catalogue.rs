//! The catalogue of tables that can be stored and built by name.
//!
//! To add one, add a row to [`PDB`], [`MTM`] or [`FULL`]. Tables of other goals are stored as well when
//! they are needed; the catalogue has those that people use.

use npuzzle_core::{Board, Cell, Dims, Metric};
use npuzzle_tables::{
    Abstraction, DistanceTable, FullSpace, MtmTable, Partition, TableName, TableSpec,
};

use crate::tables::canonical::CanonicalForm;

/// All tables that can be built by name.
///
/// ```
/// for spec in npuzzle::tables::catalogue() {
///     println!("{}: {}, {} bytes", spec.name(), spec.purpose(), spec.len());
/// }
/// ```
pub fn catalogue() -> Vec<TableSpec> {
    let patterns = PDB.iter().flat_map(|&(size, blank, _)| {
        let dims: Option<Dims> = size.parse().ok();
        let tiers = dims.map_or(Vec::new(), |dims| pdb_tiers(dims, Cell::new(blank)));
        let mut specs: Vec<TableSpec> = tiers.into_iter().flatten().map(|(_, spec)| spec).collect();
        // The first partition of several is a tier of its own, too.
        specs.dedup_by(|a, b| a.name() == b.name());
        specs
    });
    let mtm = MTM.iter().flat_map(|&(size, blank, _)| {
        let dims: Option<Dims> = size.parse().ok();
        let complementary = move |n| Abstraction::complementary(dims?, Cell::new(blank), n);
        (2..=Abstraction::MAX_CLASSES).filter_map(complementary).flatten()
    });
    let full = FULL.iter().flat_map(|&(size, blank, _)| {
        let space = move |metric| FullSpace::new(size.parse().ok()?, Cell::new(blank), metric);
        Metric::ALL.into_iter().filter_map(space)
    });
    let mut kept: Vec<Abstraction> = Vec::new();
    for one in mtm.filter(|one| MtmTable::n_bytes(one) >= MtmTable::MIN_STORED_BYTES) {
        // Some are used with four classes as well as with five.
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    patterns.chain(kept.iter().filter_map(mtm_table)).chain(full.filter_map(full_table)).collect()
}

/// Canonical forms, of which there are few: no more columns than rows, and the blank near the top left.
const PDB: [(&str, u16, &str); 8] = [
    ("4x4", 0, "15-puzzle, blank belongs in a corner"),
    ("4x4", 1, "15-puzzle, blank belongs at an edge"),
    ("4x4", 5, "15-puzzle, blank belongs in the middle, as in snail"),
    ("5x5", 0, "24-puzzle, blank belongs in a corner"),
    ("5x5", 12, "24-puzzle, blank belongs in the middle, as in snail"),
    ("7x2", 0, "2x7, blank belongs in a corner"),
    ("8x2", 0, "2x8, blank belongs in a corner"),
    ("5x3", 0, "3x5, blank belongs in a corner"),
];

const MTM: [(&str, u16, &str); 5] = [
    ("4x4", 0, "15-puzzle in MTM, blank belongs in a corner"),
    ("4x4", 5, "15-puzzle in MTM, blank belongs in the middle"),
    ("7x2", 0, "2x7 in MTM, blank belongs in a corner"),
    ("8x2", 0, "2x8 in MTM, blank belongs in a corner"),
    ("5x3", 0, "3x5 in MTM, blank belongs in a corner"),
];

/// All kinds of goals of 12 cells, in either metric.
const FULL: [(&str, u16, &str); 7] = [
    ("4x3", 0, "3x4, blank belongs in a corner"),
    ("4x3", 1, "3x4, blank belongs in the middle of a short side"),
    ("4x3", 3, "3x4, blank belongs at a long side"),
    ("4x3", 4, "3x4, blank belongs in the middle"),
    ("6x2", 0, "2x6, blank belongs in a corner"),
    ("6x2", 2, "2x6, blank belongs next to a corner"),
    ("6x2", 4, "2x6, blank belongs in the middle"),
];

/// The full table of a space, if it takes long enough to build that it is stored.
pub(crate) fn full_table(space: FullSpace) -> Option<TableSpec> {
    let known = FULL.iter().find_map(|&(size, blank, purpose)| {
        let is_this = |&metric: &Metric| {
            let dims = size.parse().ok();
            dims.and_then(|dims| FullSpace::new(dims, Cell::new(blank), metric)) == Some(space)
        };
        let metric = Metric::ALL.into_iter().find(is_this)?;
        Some(format!("distances ({metric}) of {purpose}"))
    });
    DistanceTable::spec(space, known?)
}

/// The full table with this name, of any size. Tables that are not in the catalogue are stored only when several
/// processes have built them.
#[doc(hidden)]
pub fn full_table_named(name: &TableName) -> Option<TableSpec> {
    let mut words = name.as_str().strip_prefix("full-")?.split('-');
    let (dims, blank, metric) = (words.next()?, words.next()?, words.next()?);
    let (dims, blank, metric) =
        (dims.parse::<Dims>().ok()?, blank.parse::<u16>().ok()?, metric.parse::<Metric>().ok()?);
    let space = FullSpace::new(dims, Cell::new(blank), metric)?;
    let purpose = format!("distances ({metric}) of {dims}, blank belongs at cell {blank}");
    let spec = full_table(space).or_else(|| DistanceTable::spec(space, purpose))?;
    (spec.name() == name).then_some(spec)
}

/// The MTM table of an abstraction.
pub(crate) fn mtm_table(abstraction: &Abstraction) -> Option<TableSpec> {
    MtmTable::spec(abstraction, purpose(&MTM, abstraction.dims(), abstraction.blank()))
}

/// The purpose of the tables for a size and a goal cell of the blank.
fn purpose(known: &[(&str, u16, &'static str)], dims: Dims, blank: Cell) -> &'static str {
    let is_this = |&&(size, at, _): &&(&str, u16, &'static str)| {
        size.parse() == Ok(dims) && Cell::new(at) == blank
    };
    known.iter().find(is_this).map_or("another goal", |&(_, _, purpose)| purpose)
}

/// The large pattern databases of a goal and how they are stored, for the cluster: one table for each partition of the
/// largest tier. Empty if boards of this size have none.
#[doc(hidden)]
pub fn large_patterns(goal: &Board) -> Vec<(Partition, TableSpec)> {
    let tiers = CanonicalForm::new(goal).map(|form| pdb_tiers(form.dims(), form.blank()));
    tiers.and_then(|mut tiers| tiers.pop()).unwrap_or_default()
}

/// The tiers of pattern databases that are stored for a size and a goal cell of the blank, from the smallest to the
/// largest: medium, large, and large with the partitions that complement it.
pub(crate) fn pdb_tiers(dims: Dims, blank: Cell) -> Vec<Vec<(Partition, TableSpec)>> {
    let purpose = purpose(&PDB, dims, blank);
    let with_spec = |(partition, purpose): (Partition, String)| {
        let spec = partition.spec(&purpose)?;
        Some((partition, spec))
    };
    let medium = Partition::medium(dims, blank).map(|it| (it, format!("{purpose}; medium size")));
    let more = Partition::complementary(dims, blank);
    let n_large = 1 + more.len();
    let numbered = |(number, partition): (usize, Partition)| match n_large {
        1 => (partition, purpose.to_owned()),
        _ => (partition, format!("{purpose}; partition {number} of {n_large}")),
    };
    let large = Partition::large(dims, blank).into_iter().chain(more);
    let large: Vec<_> = (1..).zip(large).map(numbered).filter_map(with_spec).collect();
    let medium = medium.and_then(with_spec).map(|medium| vec![medium]);
    let one = large.first().map(|first| vec![first.clone()]);
    let several = (large.len() > 1).then_some(large);
    medium.into_iter().chain(one).chain(several).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let specs = catalogue();
        // MTM tables with four classes or five, except those that are built quickly; 4x4 has symmetric ones, too.
        let n_runs = |size: &str| {
            specs
                .iter()
                .filter(|one| one.name().as_str().starts_with(&format!("mtm-{size}")))
                .count()
        };
        assert_eq!(["4x4", "7x2", "8x2", "5x3"].map(n_runs), [8, 0, 2, 2]);
        for (at, spec) in specs.iter().enumerate() {
            assert!(specs[..at].iter().all(|other| other.name() != spec.name()));
            assert!(spec.len() > 0 && spec.purpose().len() < 75, "{spec:?}");
        }
    }

    #[test]
    fn tiers_have_one_partition_or_several() {
        let sizes = |size: &str, blank: u16| -> Vec<(usize, usize)> {
            let tiers = pdb_tiers(size.parse().unwrap(), Cell::new(blank));
            let n_bytes =
                |tier: &Vec<(Partition, TableSpec)>| tier.iter().map(|it| it.1.len()).sum();
            tiers.iter().map(|tier| (tier.len(), n_bytes(tier))).collect()
        };
        assert_eq!(sizes("5x5", 0), [(1, 90_504_000), (4, 362_016_000)]);
        assert_eq!(sizes("5x5", 12).len(), 1);
        assert_eq!(sizes("4x4", 0).iter().map(|tier| tier.0).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn every_goal_of_12_cells_has_a_full_table() {
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
        // Smaller ones are built within milliseconds.
        let ten = FullSpace::new(Dims::new(5, 2).unwrap(), Cell::new(0), Metric::Stm).unwrap();
        assert!(full_table(ten).is_none());
    }

    #[test]
    fn full_tables_are_found_by_name() {
        let named = |name: &str| full_table_named(&name.parse().unwrap());
        let ten = FullSpace::new(Dims::new(5, 2).unwrap(), Cell::new(4), Metric::Mtm).unwrap();
        let spec = named(&ten.to_string()).unwrap();
        assert_eq!((spec.name().as_str(), spec.len()), ("full-5x2-4-mtm", ten.n_bytes()));
        for spec in catalogue() {
            let purpose = full_table_named(spec.name()).map(|it| it.purpose().to_owned());
            let is_full = spec.name().as_str().starts_with("full-");
            assert_eq!(purpose, is_full.then(|| spec.purpose().to_owned()));
        }
        for name in ["full-5x2-10-stm", "full-5x2-04-stm", "full-4x4-0-stm", "full-5x2-4-stm-x"] {
            assert!(named(name).is_none(), "{name}");
        }
    }

    #[test]
    fn tables_of_a_goal_are_those_of_its_canonical_form() {
        let snail = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7".parse().unwrap();
        let [(_, spec)] = &large_patterns(&snail)[..] else { panic!("one partition") };
        assert!(spec.purpose().ends_with("as in snail"));
    }
}
