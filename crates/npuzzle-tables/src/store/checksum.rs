//! The checksum of a payload, by all cores.
//!
//! The payload is cut into blocks of a mebibyte; the checksum is the XXH3 hash of the hashes of the
//! blocks (eight bytes each, little-endian, in order). So it does not hang on the number of threads,
//! and a table of hundreds of megabytes is checked in the time that memory takes to deliver it.

use npuzzle_core::search::{Limit, Stats, Watch};
use xxhash_rust::xxh3::xxh3_64;

use crate::parallel::{for_each_job, n_cores};

/// The bytes of a block.
pub(super) const BLOCK: usize = 1 << 20;

/// The same for a payload that comes block by block.
#[derive(Default)]
pub(super) struct Running(Vec<u8>);

impl Running {
    /// Adds a block: all but the last are of [`BLOCK`] bytes.
    pub(super) fn add(&mut self, block: &[u8]) {
        self.0.extend(xxh3_64(block).to_le_bytes());
    }

    pub(super) fn finish(&self) -> u64 {
        xxh3_64(&self.0)
    }
}

/// Fewer blocks than this are not worth a thread.
const MIN_BLOCKS_PER_THREAD: usize = 8;

/// The checksum; the watch may end it, since a payload may have to come from a slow disk.
pub(super) fn checksum(payload: &[u8], watch: &mut dyn Watch) -> Result<u64, Limit> {
    let n_blocks = payload.len().div_ceil(BLOCK);
    with_threads(payload, n_cores().min(n_blocks / MIN_BLOCKS_PER_THREAD).max(1), watch)
}

fn with_threads(payload: &[u8], n_threads: usize, watch: &mut dyn Watch) -> Result<u64, Limit> {
    let mut hashes = vec![[0; 8]; payload.len().div_ceil(BLOCK)];
    let blocks = payload.chunks(BLOCK).zip(&mut hashes);
    let poll = || watch.poll(&Stats::default());
    for_each_job(n_threads, blocks, poll, |(block, hash), _| {
        *hash = xxh3_64(block).to_le_bytes();
    })?;
    Ok(xxh3_64(hashes.as_flattened()))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// The same from its definition.
    fn plain(payload: &[u8]) -> u64 {
        let hashes = payload.chunks(BLOCK).flat_map(|block| xxh3_64(block).to_le_bytes());
        xxh3_64(&hashes.collect::<Vec<u8>>())
    }

    #[test]
    fn threads_change_nothing() {
        let payload: Vec<u8> = (0..5 * BLOCK + 77).map(|at| ((at * at) >> 7) as u8).collect();
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, payload.len()] {
            for n_threads in [1, 2, 5] {
                let found = with_threads(&payload[..len], n_threads, &mut ());
                assert_eq!(found, Ok(plain(&payload[..len])), "{len} bytes, {n_threads} threads");
            }
            let mut running = Running::default();
            payload[..len].chunks(BLOCK).for_each(|block| running.add(block));
            assert_eq!(running.finish(), plain(&payload[..len]), "{len} bytes");
        }
        assert_eq!(checksum(&payload, &mut ()), Ok(plain(&payload)));
    }

    #[test]
    fn the_watch_ends_it() {
        struct Never;
        impl Watch for Never {
            fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
                ControlFlow::Break(Limit::Time)
            }
        }
        assert_eq!(with_threads(&vec![0; 3 * BLOCK], 2, &mut Never), Err(Limit::Time));
    }
}
