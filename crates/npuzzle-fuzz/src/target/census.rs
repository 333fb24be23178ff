//! Folders of a census: the text that says what is done, and the files of ranks.

use std::fs;
use std::num::NonZeroUsize;

use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::place::choice;

use super::Soon;

/// What is mended, one bit each: the first lines of the text and its checksum; the beginning, the
/// heads and the checksums of the files of ranks, and their last block.
const HEAD: usize = 1;
const CHECKSUM: usize = 2;
const BLOCKS: usize = 4;

/// Of the 360 boards of 2x3.
const HEAD_LINES: &str = "npuzzle census 2\nabout stm 1 2 3/4 5 0\nshards 0..1 of 1\n";

/// A byte that is not in the text parts it from the ranks, which are those of all levels.
const APART: u8 = 0;

pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((folder, text)) = made_folder(bytes) else { return false };
    match CensusFolder::open(folder.path()) {
        Ok(mut census) => {
            assert_eq!(census.counts().len(), census.n_levels());
            assert!(census.shards().end <= census.n_shards());
            let counted = go_on(&mut census);
            assert!(!counted.is_some_and(|census| census.counts.is_empty()));
            true
        }
        Err(error) => {
            let is_told = matches!(error, CensusError::Damaged { .. } | CensusError::NotOne { .. });
            assert!(is_told, "{error}");
            let left = fs::read(folder.path().join(NAME)).unwrap();
            assert_eq!(left, text, "what is refused is left alone");
            false
        }
    }
}

/// What comes of a census for two levels more, if it can be gone on with.
fn go_on(folder: &mut CensusFolder) -> Option<CensusResult> {
    let mut taker = Census::from_folder(folder)?;
    taker.threads = NonZeroUsize::new(1);
    taker.memory = Some(MEMORY);
    taker.depth = Some(folder.n_levels() + 1);
    taker.continue_in(folder, &mut Soon(2000)).ok()
}

/// Hardly more than a census needs.
const MEMORY: u64 = 24 << 20;

/// The file of text in a folder.
const NAME: &str = "census";

/// A folder of these bytes, and its text.
fn made_folder(bytes: &[u8]) -> Option<(TempDir, Vec<u8>)> {
    let (mends, rest) = choice(bytes)?;
    let (text, ranks) = match rest.iter().position(|&byte| byte == APART) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &rest[..0]),
    };
    let folder = tempfile::tempdir().unwrap();
    let text = made_text(mends, text);
    fs::write(folder.path().join(NAME), &text).unwrap();
    let ranks = if mends & BLOCKS > 0 { made_ranks(ranks) } else { ranks.to_vec() };
    for depth in 0..4 {
        fs::write(folder.path().join(format!("level-{depth}-0.ranks")), &ranks).unwrap();
    }
    Some((folder, text))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corpus, find};

    /// Kept inputs of an older version would be refused for their first line alone.
    #[test]
    fn kept_inputs_are_accepted_and_gone_on_with() {
        let inputs = corpus::read(find("census").unwrap()).unwrap();
        let opened = |input: &Vec<u8>| {
            let (folder, _) = made_folder(input)?;
            let mut census = CensusFolder::open(folder.path()).ok()?;
            Some(go_on(&mut census))
        };
        let opened: Vec<Option<CensusResult>> = inputs.iter().filter_map(opened).collect();
        assert!(opened.len() >= 5, "{} of {}", opened.len(), inputs.len());
        assert!(opened.iter().flatten().any(|census| census.counts.len() > 2));
    }
}
