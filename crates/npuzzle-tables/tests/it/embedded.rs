//! The tables that are part of the program.

use npuzzle_core::Cell;
use npuzzle_tables::{PdbSet, ZeroAwareSet, generate};
use npuzzle_testkit::dims;

#[test]
fn embedded_files_match_the_generator() {
    let mut n_bytes = 0;
    for (name, bytes) in generate() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/").to_owned() + name;
        let embedded = std::fs::read(path).unwrap();
        assert!(embedded == bytes, "{name}: run `cargo xtask generate`");
        n_bytes += embedded.len();
    }
    assert!(n_bytes <= 5_000_000, "{n_bytes}");
}

#[test]
fn embedded_sets_cover_the_15_puzzle() {
    let zero_aware = ZeroAwareSet::embedded().unwrap();
    assert_eq!(
        (zero_aware.partition().dims(), zero_aware.partition().blank()),
        (dims("4x4"), Cell::new(0))
    );
    let set = PdbSet::embedded().unwrap();
    assert_eq!((set.partition().dims(), set.partition().blank()), (dims("4x4"), Cell::new(0)));
    let mut tiles: Vec<u8> = set.tables().iter().flat_map(|(p, _)| p.tiles().to_vec()).collect();
    tiles.sort_unstable();
    assert_eq!(tiles, (1..16).collect::<Vec<u8>>());
}
