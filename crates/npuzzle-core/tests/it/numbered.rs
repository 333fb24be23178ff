//! The table with open addressing against the standard library's.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

use npuzzle_core::{NumberedTable, WordHasher};
use npuzzle_testkit::random::Random;
use proptest::prelude::*;

use crate::cases;

/// A hash under which most keys share a segment, a line and a tag.
fn poor(key: u64) -> u64 {
    ((key % 7) << 60) | (key % 3)
}

fn good(key: u64) -> u64 {
    BuildHasherDefault::<WordHasher>::new().hash_one(key)
}

/// All in the last line of the last segment, so that the first line comes after it.
fn last(_: u64) -> u64 {
    u64::MAX
}

/// Inserts keys that are not there yet, and compares all that both tables can tell.
fn check(hash: fn(u64) -> u64, keys: &[u64], others: impl IntoIterator<Item = u64>) {
    let mut table = NumberedTable::new();
    let mut model = HashMap::new();
    let mut values: Vec<u64> = Vec::new();
    for &key in keys {
        let found = table.find(hash(key), |number| values[number as usize] == key);
        assert_eq!(found, model.get(&key).copied(), "{key}");
        let glance = table.glance(hash(key));
        assert!(!(glance.is_absent() && found.is_some()), "{key}");
        if found.is_none() {
            values.push(key);
            let number = table.insert(hash(key), |number| hash(values[number as usize]));
            assert_eq!(number as usize, values.len() - 1);
            model.insert(key, number);
        }
    }
    for key in values.iter().copied().chain(others) {
        let found = table.find(hash(key), |number| values[number as usize] == key);
        assert_eq!(found, model.get(&key).copied(), "{key}");
    }
    assert_eq!((table.len(), table.is_empty()), (values.len(), values.is_empty()));
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn it_finds_what_a_hash_map_finds(keys in prop::collection::vec(0u64..600, 0..900)) {
        for hash in [poor, good, last] {
            check(hash, &keys, 0..600);
        }
    }
}

#[test]
fn it_finds_what_a_hash_map_finds_when_it_is_large() {
    let mut random = Random::new(5);
    let keys: Vec<u64> = (0..2_000_000).map(|_| random.below(3_000_000) as u64).collect();
    check(good, &keys, 3_000_000..3_010_000);
}

/// All in one segment, which grows to the size of a table.
fn one_segment(key: u64) -> u64 {
    good(key) >> 9 | 0x155 << 55
}

/// All with one tag, so that every value of a line is looked at.
fn one_tag(key: u64) -> u64 {
    good(key) & !0xffff_ffff
}

/// As many lines as keys, in order: the next line is always where the next key belongs.
fn in_order(key: u64) -> u64 {
    key << 40
}

/// Forty keys to a hash: more than a line has room for, so that all of them spill over.
fn forty_to_a_hash(key: u64) -> u64 {
    good(key / 40)
}

#[test]
fn it_finds_what_a_hash_map_finds_under_hashes_that_are_made_to_harm() {
    for hash in [one_segment, one_tag, in_order, forty_to_a_hash] {
        let keys: Vec<u64> = (0..300_000).collect();
        check(hash, &keys, 300_000..310_000);
    }
}

#[test]
fn values_that_are_not_there_are_told_by_a_glance() {
    let mut table = NumberedTable::new();
    for key in 0..100_000 {
        table.insert(good(key), |number| good(number.into()));
    }
    let n_absent = (100_000..200_000).filter(|&key| table.glance(good(key)).is_absent()).count();
    assert!(n_absent > 80_000, "{n_absent}");
}

#[test]
fn it_takes_less_than_seven_bytes_for_a_value_at_every_size() {
    let mut table = NumberedTable::new();
    assert_eq!(table.bytes(), 0);
    for key in 0..1_000_000 {
        table.insert(good(key), |number| good(number.into()));
        // Four bytes in a slot, seven eighths full at most and half as large again after growing.
        let most = if key < 100_000 { 16 * (key + 20) } else { 7 * key };
        assert!(table.bytes() as u64 <= most, "{key}: {}", table.bytes());
    }
}
