//! One shard of a census on several machines.
//!
//! Each process has one shard. It reads its part of a level, and sends each neighbor to the process of
//! the neighbor's shard, in batches: sorted, without duplicates, as differences of a few bytes. The
//! received ranks are sorted and merged as in a census on [one machine](super::disk). The caller
//! transports the batches, and knows when all have arrived.

use std::ops::Range;

use crate::full::{FullSpace, Ranks};

use super::disk::{buffer_bytes, first_of_last_level, write_first_level};
use super::error::CensusError;
use super::external_sort::{ManyRuns, RANKS_PER_POLL, Sorter, fan_in};
use super::folder::CensusFolder;
use super::rank_file::{RankReader, push_varint, read_varint};
use super::shards::{Shards, known_levels, write_level};

/// The maximum number of ranks in a batch.
const BATCH: usize = 1 << 16;
/// The memory in bytes for each other process: a batch with room to grow, and data in transit.
const CONNECTION_BYTES: u64 = 16 * BATCH as u64 + (5 << 20);

/// One shard of a census, in its own folder.
pub struct ShardCensus {
    ranks: Ranks,
    shards: Shards,
    own: usize,
    folder: CensusFolder,
    /// The maximum number of ranks in the sort buffer.
    n_buffered: usize,
    sorter: Sorter,
    /// The rest of the level that is being expanded.
    level: Option<RankReader>,
    /// The next batch for each shard.
    batches: Vec<Vec<u64>>,
}

impl ShardCensus {
    /// The shard of a folder, with at most `memory` bytes of memory.
    pub fn new(
        ranks: Ranks,
        mut folder: CensusFolder,
        memory: u64,
    ) -> Result<ShardCensus, CensusError> {
        let shards = Shards::new(folder.n_shards(), &ranks);
        let own = folder.shards().start;
        let connections = CONNECTION_BYTES * (shards.len() as u64 - 1);
        let n_buffered = (buffer_bytes(1, memory, connections)? / 8) as usize;
        let sorter = Sorter::new(n_buffered, folder.run_stem(0, own));
        let batches = (0..shards.len()).map(|_| Vec::new()).collect();
        if folder.n_levels() == 0 {
            let counts = write_first_level(&ranks, &shards, &folder)?;
            folder.add_level(counts)?;
        }
        Ok(ShardCensus { ranks, shards, own, folder, n_buffered, sorter, level: None, batches })
    }

    /// The folder.
    pub fn folder(&self) -> &CensusFolder {
        &self.folder
    }

    /// Expands up to `max_boards` more boards of the last level. Neighbors of this shard are sorted here,
    /// the others are passed to `send` in batches. Returns whether there are more boards.
    pub fn expand(
        &mut self,
        max_boards: usize,
        send: &mut dyn FnMut(usize, Vec<u8>),
    ) -> Result<bool, CensusError> {
        let mut level = match self.level.take() {
            Some(level) => level,
            None => {
                let depth = self.folder.n_levels() - 1;
                RankReader::open(&self.folder.level_file(depth, self.own))?
            }
        };
        let ShardCensus { ranks, shards, own, folder, sorter, batches, .. } = self;
        let mut neighbors = ranks.neighbors();
        let mut failed = Ok(());
        for _ in 0..max_boards {
            let Some(rank) = level.next()? else {
                for (shard, batch) in batches.iter_mut().enumerate() {
                    send_batch(shard, batch, send);
                }
                return Ok(false);
            };
            if !shards.contains(*own, rank) {
                return Err(CensusError::damaged(&folder.level_file(folder.n_levels() - 1, *own)));
            }
            neighbors.each(rank, |rank| {
                let shard = shards.of(rank);
                if shard == *own {
                    if let Err(error) = sorter.push(rank) {
                        failed = Err(error);
                    }
                } else {
                    batches[shard].push(rank);
                    if batches[shard].len() >= BATCH {
                        send_batch(shard, &mut batches[shard], send);
                    }
                }
            });
            failed.clone()?;
        }
        self.level = Some(level);
        Ok(true)
    }

    /// Adds a batch from another process. Returns `false` if it is not a batch for this shard.
    pub fn receive(&mut self, batch: &[u8]) -> Result<bool, CensusError> {
        let (mut at, mut rank) = (0, 0u64);
        while at < batch.len() {
            let Some(next) = read_varint(batch, &mut at).and_then(|step| rank.checked_add(step))
            else {
                return Ok(false);
            };
            rank = next;
            if !self.shards.contains(self.own, rank) {
                return Ok(false);
            }
            self.sorter.push(rank)?;
        }
        Ok(true)
    }

    /// Writes the next level, after all batches have arrived. Returns the number of its boards in this
    /// shard.
    pub fn write_level(
        &mut self,
        poll: &mut dyn FnMut() -> Result<(), CensusError>,
    ) -> Result<u64, CensusError> {
        let (depth, own) = (self.folder.n_levels(), self.own);
        let next = Sorter::new(self.n_buffered, self.folder.run_stem(0, own));
        let runs = vec![std::mem::replace(&mut self.sorter, next).finish()];
        let known = known_levels(depth, self.ranks.metric());
        let known = known.map(|depth| self.folder.level_file(depth, own)).collect();
        let runs = ManyRuns { runs, fan_in: fan_in(1), stem: self.folder.run_stem(1, own) };
        write_level(runs, known, self.folder.level_file(depth, own), poll)
    }

    /// Adds the level that was written, with `n_here` boards in this shard. It has boards in some shard.
    pub fn add_level(&mut self, n_here: u64) -> Result<(), CensusError> {
        self.folder.add_level(vec![n_here])
    }

    /// Ends the census: the level that was written is empty in all shards.
    pub fn finish(&mut self) -> Result<(), CensusError> {
        self.folder.finish()
    }

    /// The ranks of the first `n` boards of the last level in this shard.
    pub fn first_of_last_level(&self, n: usize) -> Result<Vec<u64>, CensusError> {
        first_of_last_level(&self.folder, n)
    }

    /// This shard's parts of the [table](crate::DistanceTable) of all distances. All levels must have been
    /// kept.
    pub fn table_parts(
        &self,
        space: FullSpace,
        poll: &mut dyn FnMut() -> Result<(), CensusError>,
    ) -> Result<Vec<TablePart>, CensusError> {
        let n_bits = space.bits_per_board();
        let part = |range: Range<u64>| {
            let first = range.start as usize * n_bits / 8;
            let end = (range.end as usize * n_bits).div_ceil(8);
            TablePart { first, bytes: vec![0; end - first] }
        };
        let mut parts: Vec<TablePart> = self.shards.ranges(self.own).map(part).collect();
        let mut n_read = 0;
        for depth in 0..self.folder.n_levels() {
            let bits = space.entry(depth);
            let path = self.folder.level_file(depth, self.own);
            let mut level = RankReader::open(&path)?;
            while let Some(rank) = level.next()? {
                n_read += 1;
                if n_read % RANKS_PER_POLL == 0 {
                    poll()?;
                }
                if !self.shards.contains(self.own, rank) {
                    return Err(CensusError::damaged(&path));
                }
                let TablePart { first, bytes } = &mut parts[self.shards.range_of(rank)];
                let bit = rank as usize * n_bits - 8 * *first;
                bytes[bit / 8] |= bits << (bit % 8);
            }
        }
        Ok(parts)
    }
}

/// Consecutive bytes of a table. If two parts share a byte, both contain it, and their bits are
/// combined with `|`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablePart {
    /// The index of the first byte.
    pub first: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
}

fn send_batch(shard: usize, batch: &mut Vec<u64>, send: &mut dyn FnMut(usize, Vec<u8>)) {
    if batch.is_empty() {
        return;
    }
    batch.sort_unstable();
    batch.dedup();
    let mut bytes = Vec::with_capacity(3 * batch.len());
    let mut last = 0;
    for &rank in &*batch {
        push_varint(&mut bytes, rank - last);
        last = rank;
    }
    batch.clear();
    send(shard, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::rank_file::RankWriter;
    use crate::full::DistanceTable;
    use npuzzle_core::{Cell, Dims, Metric};

    /// Runs three shards in one process.
    #[test]
    fn shards_together_count_all_boards_and_make_the_table() {
        for metric in Metric::ALL {
            let (dims, blank) = (Dims::new(4, 2).unwrap(), Cell::new(0));
            let ranks = Ranks::new(dims, blank, metric).unwrap();
            let space = FullSpace::new(dims, blank, metric).unwrap();
            let table = DistanceTable::build(space, 1, &mut ()).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let shard = |n: usize| {
                let path = folder.path().join(n.to_string());
                let mut folder = CensusFolder::create(&path, "", n..n + 1, 3).unwrap();
                folder.keep_all_levels();
                ShardCensus::new(ranks.clone(), folder, 64 << 20).unwrap()
            };
            let mut shards: Vec<ShardCensus> = (0..3).map(shard).collect();
            let mut counts = vec![1];
            loop {
                let mut sent = Vec::new();
                for shard in &mut shards {
                    while shard.expand(10, &mut |to, batch| sent.push((to, batch))).unwrap() {}
                }
                for (to, batch) in sent {
                    assert!(shards[to].receive(&batch).unwrap());
                    assert!(!shards[(to + 1) % 3].receive(&batch).unwrap(), "another shard's");
                    assert!(!shards[to].receive(&[0xff; 12]).unwrap());
                }
                let new: Vec<u64> = shards
                    .iter_mut()
                    .map(|shard| shard.write_level(&mut || Ok(())).unwrap())
                    .collect();
                if new.iter().all(|&n| n == 0) {
                    break;
                }
                counts.push(new.iter().sum());
                shards.iter_mut().zip(new).for_each(|(shard, n)| shard.add_level(n).unwrap());
            }
            assert_eq!(counts, table.census());
            let mut bytes = vec![0; space.table_bytes()];
            for shard in &shards {
                for part in shard.table_parts(space, &mut || Ok(())).unwrap() {
                    let places = bytes[part.first..].iter_mut();
                    places.zip(part.bytes).for_each(|(byte, more)| *byte |= more);
                }
            }
            assert_eq!(bytes, table.bytes()[..space.table_bytes()]);
            // An intact file of another census is refused.
            let elsewhere = shards[0].shards.ranges(1).find_map(|mut range| range.next());
            for rank in [Some(ranks.len()), Some(u64::MAX), elsewhere].into_iter().flatten() {
                let shard = &mut shards[0];
                let depth = shard.folder.n_levels() - 1;
                let mut writer = RankWriter::create(shard.folder.level_file(depth, 0)).unwrap();
                writer.push(rank).unwrap();
                writer.finish(false).unwrap();
                shard.level = None;
                let expanded = shard.expand(10, &mut |_, _| ());
                assert!(matches!(expanded, Err(CensusError::Damaged { .. })), "{rank}");
                let part = shard.table_parts(space, &mut || Ok(()));
                assert!(matches!(part, Err(CensusError::Damaged { .. })), "{rank}");
            }
        }
    }
}
