//! Folders of a census: the text that says what is done, and the files of ranks.

use std::fs;
use std::num::NonZeroUsize;

use npuzzle::{CensusError, CensusFolder, CensusTaker};
use xxhash_rust::xxh3::xxh3_64;

use crate::place::choice;

use super::Soon;

/// What is mended, one bit each: the first lines of the text and its checksum; the beginning, the
/// heads and the checksums of the files of ranks, and their last block.
const HEAD: usize = 1;
const CHECKSUM: usize = 2;
const BLOCKS: usize = 4;

/// Of the 360 boards of 2x3.
const HEAD_LINES: &str = "npuzzle census 1\nabout stm 1 2 3/4 5 0\nshards 0..1 of 1\n";

/// A byte that is not in the text parts it from the ranks, which are those of all levels.
const APART: u8 = 0;

pub(super) fn feed(bytes: &[u8]) {
    let Some((mends, rest)) = choice(bytes) else { return };
    let (text, ranks) = match rest.iter().position(|&byte| byte == APART) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &rest[..0]),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("census");
    let text = made_text(mends, text);
    fs::write(&path, &text).unwrap();
    let ranks = if mends & BLOCKS > 0 { made_ranks(ranks) } else { ranks.to_vec() };
    for depth in 0..4 {
        fs::write(folder.path().join(format!("level-{depth}-0.ranks")), &ranks).unwrap();
    }
    match CensusFolder::open(folder.path()) {
        Ok(mut census) => {
            assert_eq!(census.counts().len(), census.n_levels());
            assert!(census.shards().end <= census.n_shards());
            if let Some(mut taker) = CensusTaker::resume(&census) {
                taker.threads = NonZeroUsize::new(1);
                taker.memory = Some(24 << 20);
                taker.depth = Some(census.n_levels() + 1);
                let counted = taker.go_on_in(&mut census, &mut Soon(2000));
                assert!(!counted.is_ok_and(|census| census.counts.is_empty()));
            }
        }
        Err(error) => {
            let is_told = matches!(error, CensusError::Damaged { .. } | CensusError::NotOne { .. });
            assert!(is_told, "{error}");
            assert_eq!(fs::read(&path).unwrap(), text, "what is refused is left alone");
        }
    }
}

fn made_text(mends: usize, text: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    if mends & HEAD > 0 {
        made.extend(HEAD_LINES.as_bytes());
    }
    made.extend(text);
    if mends & CHECKSUM > 0 {
        let sum = xxh3_64(&made);
        made.extend(format!("checksum {sum:016x}\n").as_bytes());
    }
    made
}

/// A file of one block of these bytes, as many ranks as there are bytes that end one.
fn made_ranks(bytes: &[u8]) -> Vec<u8> {
    let n_ranks = bytes.iter().filter(|&&byte| byte < 0x80).count() as u32;
    let mut file = b"npzranks".to_vec();
    let mut put = |bytes: &[u8], n_ranks: u32| {
        let mut block = (bytes.len() as u32).to_le_bytes().to_vec();
        block.extend(n_ranks.to_le_bytes());
        block.extend(bytes);
        file.extend(&block);
        file.extend(xxh3_64(&block).to_le_bytes());
    };
    if n_ranks > 0 {
        put(bytes, n_ranks);
    }
    put(&[], 0);
    file
}
