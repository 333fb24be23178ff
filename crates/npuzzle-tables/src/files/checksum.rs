//! Checksums: XXH3 with 64 bits.
//!
//! Short data has one hash. Large data is split into blocks of 1 MiB, and its checksum is the hash of
//! the hashes of the blocks (eight bytes each, little-endian, in order). So it does not depend on the
//! number of threads, and hundreds of megabytes are checked as fast as memory delivers them.

use npuzzle_core::search::{Limit, Stats, Watch};
use xxhash_rust::xxh3::xxh3_64;

use crate::parallel::{for_each_job, n_cores};

/// The checksum of short data.
///
/// ```
/// assert_eq!(npuzzle_tables::files::checksum(b""), 0x2d06_8005_38d3_94c2);
/// ```
pub fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// The size of a block in bytes.
pub(crate) const BLOCK: usize = 1 << 20;

/// The minimum number of blocks per thread: fewer are not worth starting it.
const MIN_BLOCKS_PER_THREAD: usize = 8;

/// The checksum of large data. The watch may stop it, since the data may have to be read from a slow
/// disk.
pub(crate) fn block_checksum(data: &[u8], watch: &mut dyn Watch) -> Result<u64, Limit> {
    let n_blocks = data.len().div_ceil(BLOCK);
    with_threads(data, n_cores().min(n_blocks / MIN_BLOCKS_PER_THREAD), watch)
}

fn with_threads(data: &[u8], n_threads: usize, watch: &mut dyn Watch) -> Result<u64, Limit> {
    let mut hashes = vec![[0; 8]; data.len().div_ceil(BLOCK)];
    let blocks = data.chunks(BLOCK).zip(&mut hashes);
    let poll = || watch.poll(&Stats::default());
    for_each_job(n_threads, blocks, poll, |(block, hash), _| {
        *hash = checksum(block).to_le_bytes();
    })?;
    Ok(checksum(hashes.as_flattened()))
}

/// The checksum of large data that is written block by block.
#[derive(Default)]
pub(crate) struct BlockChecksum(Vec<u8>);

impl BlockChecksum {
    /// Adds a block of [`BLOCK`] bytes, or a shorter last one.
    pub(crate) fn add(&mut self, block: &[u8]) {
        self.0.extend(checksum(block).to_le_bytes());
    }

    pub(crate) fn finish(&self) -> u64 {
        checksum(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// The checksum by its definition.
    fn plain(data: &[u8]) -> u64 {
        let hashes = data.chunks(BLOCK).flat_map(|block| xxh3_64(block).to_le_bytes());
        xxh3_64(&hashes.collect::<Vec<u8>>())
    }

    #[test]
    fn block_checksum_does_not_depend_on_threads() {
        let data: Vec<u8> = (0..5 * BLOCK + 77).map(|at| ((at * at) >> 7) as u8).collect();
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, data.len()] {
            for n_threads in [1, 2, 5] {
                let found = with_threads(&data[..len], n_threads, &mut ());
                assert_eq!(found, Ok(plain(&data[..len])), "{len} bytes, {n_threads} threads");
            }
            let mut written = BlockChecksum::default();
            data[..len].chunks(BLOCK).for_each(|block| written.add(block));
            assert_eq!(written.finish(), plain(&data[..len]), "{len} bytes");
        }
        assert_eq!(block_checksum(&data, &mut ()), Ok(plain(&data)));
    }

    #[test]
    fn watch_stops_the_block_checksum() {
        struct Expired;
        impl Watch for Expired {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                ControlFlow::Break(Limit::Time)
            }
        }
        assert_eq!(with_threads(&vec![0; 3 * BLOCK], 2, &mut Expired), Err(Limit::Time));
    }
}
