//! The index table, compared with the hash map of the standard library.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

use npuzzle_core::{IndexTable, WordHasher};
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

/// A hash that selects the last line of the last segment, so that probing wraps around.
fn last(_: u64) -> u64 {
    u64::MAX
}

/// Inserts the keys that are not in the table yet, and compares it with a hash map.
fn check(hash: fn(u64) -> u64, keys: &[u64], others: impl IntoIterator<Item = u64>) {
    let mut table = IndexTable::new();
    let mut model = HashMap::new();
    let mut values: Vec<u64> = Vec::new();
    for &key in keys {
        let found = table.find(hash(key), |index| values[index as usize] == key);
        assert_eq!(found, model.get(&key).copied(), "{key}");
        let probe = table.probe(hash(key));
        assert!(!(probe.is_absent() && found.is_some()), "{key}");
        if found.is_none() {
            values.push(key);
            let index = table.insert(hash(key), |index| hash(values[index as usize]));
            assert_eq!(index as usize, values.len() - 1);
            model.insert(key, index);
        }
    }
    for key in values.iter().copied().chain(others) {
        let found = table.find(hash(key), |index| values[index as usize] == key);
        assert_eq!(found, model.get(&key).copied(), "{key}");
    }
    assert_eq!((table.len(), table.is_empty()), (values.len(), values.is_empty()));
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn index_table_agrees_with_hash_map(keys in prop::collection::vec(0u64..600, 0..900)) {
        for hash in [poor, good, last] {
            check(hash, &keys, 0..600);
        }
    }
}

#[test]
fn large_index_table_agrees_with_hash_map() {
    let mut random = Random::new(5);
    let keys: Vec<u64> = (0..2_000_000).map(|_| random.below(3_000_000) as u64).collect();
    check(good, &keys, 3_000_000..3_010_000);
}

/// A hash that selects a single segment, which grows to the size of a table.
fn one_segment(key: u64) -> u64 {
    good(key) >> 9 | 0x155 << 55
}

/// A hash with a single tag, so that every value of a line is compared.
fn one_tag(key: u64) -> u64 {
    good(key) & !0xffff_ffff
}

/// A hash that selects consecutive lines for consecutive keys.
fn in_order(key: u64) -> u64 {
    key << 40
}

/// A hash shared by 40 keys each: more than a line has slots for, so that all lines overflow.
fn forty_per_hash(key: u64) -> u64 {
    good(key / 40)
}

#[test]
fn index_table_agrees_with_hash_map_for_adversarial_hashes() {
    for hash in [one_segment, one_tag, in_order, forty_per_hash] {
        let keys: Vec<u64> = (0..300_000).collect();
        check(hash, &keys, 300_000..310_000);
    }
}

#[test]
fn probe_recognizes_most_absent_values() {
    let mut table = IndexTable::new();
    for key in 0..100_000 {
        table.insert(good(key), |index| good(index.into()));
    }
    let n_absent = (100_000..200_000).filter(|&key| table.probe(good(key)).is_absent()).count();
    assert!(n_absent > 80_000, "{n_absent}");
}

#[test]
fn index_table_takes_at_most_7_bytes_per_value() {
    let mut table = IndexTable::new();
    assert_eq!(table.bytes(), 0);
    for key in 0..1_000_000 {
        table.insert(good(key), |index| good(index.into()));
        // A slot takes four bytes. At most seven eighths are full, and growing adds half.
        let max = if key < 100_000 { 16 * (key + 20) } else { 7 * key };
        assert!(table.bytes() as u64 <= max, "{key}: {}", table.bytes());
    }
}
