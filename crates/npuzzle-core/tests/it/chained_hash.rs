//! The chained hash table, compared with the hash map of the standard library.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

use npuzzle_core::{ChainedTable, Packed, WordHasher};
use npuzzle_testkit::space;
use proptest::prelude::*;

use crate::cases;

/// A hash for which most numbers collide.
fn poor(number: u64) -> u64 {
    number % 7 * 991
}

/// Few different numbers, so that many are repeated.
fn keys() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0u64..200, 0..300)
}

/// Inserts `(key, index of its first occurrence)` into both tables and compares them.
fn check(mut table: ChainedTable<(u64, usize)>, hash: fn(u64) -> u64, keys: &[u64]) {
    let mut model = HashMap::new();
    let mut inserted = Vec::new();
    for (at, &key) in keys.iter().enumerate() {
        let found = table.find(hash(key), |&(k, _)| k == key).copied();
        assert_eq!(found, model.get(&key).map(|&first| (key, first)), "{key}");
        if found.is_none() {
            table.insert(hash(key), (key, at), |&(k, _)| hash(k));
            model.insert(key, at);
            inserted.push((key, at));
        }
    }
    for key in 0..200 {
        let found = table.find(hash(key), |&(k, _)| k == key);
        assert_eq!(found.map(|&(_, at)| at), model.get(&key).copied(), "{key}");
    }
    assert_eq!((table.len(), table.is_empty()), (model.len(), model.is_empty()));
    assert_eq!(table.iter().copied().collect::<Vec<_>>(), inserted);
    assert_eq!(table.chain_lengths().iter().sum::<usize>(), model.len());
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn growing_table_agrees_with_hash_map(keys in keys()) {
        check(ChainedTable::new(), poor, &keys);
        check(ChainedTable::new(), |key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15), &keys);
    }

    #[test]
    fn fixed_table_agrees_with_hash_map(keys in keys()) {
        for n_buckets in [0, 1, 5, 991] {
            check(ChainedTable::with_buckets(n_buckets), poor, &keys);
            check(ChainedTable::with_buckets(n_buckets), |key| key, &keys);
        }
    }
}

#[test]
fn fixed_table_keeps_its_buckets_and_growing_table_short_chains() {
    let mut fixed = ChainedTable::with_buckets(991);
    let mut growing = ChainedTable::new();
    for number in 0..10_000u64 {
        fixed.insert(number, number, |&n| n);
        growing.insert(number, number, |&n| n);
    }
    let chains = fixed.chain_lengths();
    assert_eq!(chains.len(), 991);
    assert!(chains.iter().all(|&n| n == 10 || n == 11), "{chains:?}");
    assert_eq!(growing.chain_lengths().into_iter().max(), Some(1));
}

#[test]
fn numbers_in_the_same_bucket_form_one_chain() {
    let mut table = ChainedTable::with_buckets(991);
    for number in [1, 992, 1983, 2] {
        table.insert(number, number, |&n| n);
    }
    let chains = table.chain_lengths();
    assert_eq!((chains[0], chains[1], chains[2]), (0, 3, 1));
}

#[test]
fn empty_table_finds_nothing() {
    assert_eq!(ChainedTable::<u64>::new().find(3, |_| true), None);
    assert_eq!(ChainedTable::<u64>::with_buckets(991).find(3, |_| true), None);
}

#[test]
fn word_hasher_spreads_all_3x3_boards_evenly() {
    let hasher = BuildHasherDefault::<WordHasher>::new();
    let space = space::of("3x3").next().unwrap();
    let mut table = ChainedTable::new();
    for board in space.arrangements {
        let packed = Packed::new(board).unwrap();
        table.insert(hasher.hash_one(packed), packed, |packed| hasher.hash_one(packed));
    }
    let chains = table.chain_lengths();
    // With 362,880 values in 1,048,576 buckets, a random function leaves e^-0.346 = 71 % of the
    // buckets empty and produces no chain longer than about ten.
    let empty = chains.iter().filter(|&&n| n == 0).count();
    assert!((chains.len() * 69 / 100..chains.len() * 73 / 100).contains(&empty), "{empty} empty");
    assert!(chains.into_iter().max() <= Some(16));
}
