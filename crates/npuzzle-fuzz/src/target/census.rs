//! Census folders: the index file, which says what is done, and the rank files.

use std::fs;
use std::num::NonZeroUsize;

use npuzzle::tables::{CensusError, CensusFolder};
use npuzzle::teaching::{Census, CensusResult};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::assertions::selector;

use super::MaxPolls;

/// Repairs, one bit each: the first lines of the index file; its checksum; the magic, the
/// block headers, the block checksums and the last block of the rank files.
const HEAD: usize = 1;
const CHECKSUM: usize = 2;
const BLOCKS: usize = 4;

/// A census of the 360 boards of 2x3.
const HEAD_LINES: &str = "npuzzle census 2\nabout stm 1 2 3/4 5 0\nshards 0..1 of 1\n";

/// Separates the index file from the rank file, which is used for all levels. The index file does
/// not contain this byte.
const SEPARATOR: u8 = 0;

pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((folder, index)) = folder_of(bytes) else { return false };
    match CensusFolder::open(folder.path()) {
        Ok(mut census) => {
            assert_eq!(census.counts().len(), census.n_levels());
            assert!(census.shards().end <= census.n_shards());
            let resumed = resume(&mut census);
            assert!(!resumed.is_some_and(|census| census.counts.is_empty()));
            true
        }
        Err(error) => {
            let is_expected =
                matches!(error, CensusError::Damaged { .. } | CensusError::NoCensus { .. });
            assert!(is_expected, "{error}");
            let left = fs::read(folder.path().join(INDEX)).unwrap();
            assert_eq!(left, index, "a rejected file is left unchanged");
            false
        }
    }
}

/// Resumes a census for one more level; `None` if that fails.
fn resume(folder: &mut CensusFolder) -> Option<CensusResult> {
    let mut census = Census::from_folder(folder)?;
    census.threads = NonZeroUsize::new(1);
    census.memory = Some(MEMORY);
    census.depth = Some(folder.n_levels() + 1);
    census.continue_in(folder, &mut MaxPolls(2000)).ok()
}

/// Barely more than a census needs, in bytes.
const MEMORY: u64 = 24 << 20;

/// The name of the index file.
const INDEX: &str = "census";

/// Creates a folder from the input; returns it with its index file.
fn folder_of(bytes: &[u8]) -> Option<(TempDir, Vec<u8>)> {
    let (repairs, rest) = selector(bytes)?;
    let (index, ranks) = match rest.iter().position(|&byte| byte == SEPARATOR) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &rest[..0]),
    };
    let folder = tempfile::tempdir().unwrap();
    let index = index_file(repairs, index);
    fs::write(folder.path().join(INDEX), &index).unwrap();
    let ranks = if repairs & BLOCKS > 0 { rank_file(ranks) } else { ranks.to_vec() };
    for depth in 0..4 {
        fs::write(folder.path().join(format!("level-{depth}-0.ranks")), &ranks).unwrap();
    }
    Some((folder, index))
}

fn index_file(repairs: usize, text: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    if repairs & HEAD > 0 {
        file.extend(HEAD_LINES.as_bytes());
    }
    file.extend(text);
    if repairs & CHECKSUM > 0 {
        let sum = xxh3_64(&file);
        file.extend(format!("checksum {sum:016x}\n").as_bytes());
    }
    file
}

/// A rank file with one block of these bytes. The number of ranks is the number of bytes that end a
/// rank.
fn rank_file(bytes: &[u8]) -> Vec<u8> {
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

    /// Guards against a change of the format that would make every stored input invalid.
    #[test]
    fn stored_inputs_are_accepted_and_resumed() {
        let inputs = corpus::read(find("census").unwrap()).unwrap();
        let opened = |input: &Vec<u8>| {
            let (folder, _) = folder_of(input)?;
            let mut census = CensusFolder::open(folder.path()).ok()?;
            Some(resume(&mut census))
        };
        let opened: Vec<Option<CensusResult>> = inputs.iter().filter_map(opened).collect();
        assert!(opened.len() >= 5, "{} of {}", opened.len(), inputs.len());
        assert!(opened.iter().flatten().any(|census| census.counts.len() > 2));
    }
}
