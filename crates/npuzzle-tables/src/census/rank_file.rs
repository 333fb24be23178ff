//! Ranks in a file, from small to large, each once.
//!
//! What is written is how much each rank is larger than the one before it, seven bits to a byte, the
//! lowest first, the highest bit set if more follow: a byte or two for a rank, where ranks are close.
//! They come in blocks, each with its length, its number of ranks and a checksum; a block without
//! ranks ends the file. So every change, and every end before the end, is noticed.
//!
//! A file is written under another name and gets its own when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::error::CensusError;

/// How a file begins.
const MAGIC: &[u8; 8] = b"npzranks";
/// A block ends after so many bytes, or little more.
const BLOCK: usize = 1 << 14;
/// The most bytes of a rank.
const MAX_RANK: usize = 10;
/// Length and number, then the checksum of these and the bytes.
const HEAD: usize = 8;

/// Bytes that a reader or a writer holds.
pub(crate) const HELD: usize = 2 * (BLOCK + HEAD + MAX_RANK);

/// Adds a number to some bytes, seven bits to a byte.
#[inline]
pub(crate) fn put(bytes: &mut Vec<u8>, number: u64) {
    let mut left = number;
    while left >= 0x80 {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
}

/// Takes a number from some bytes, from a place on.
#[inline]
pub(crate) fn take(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let &byte = bytes.get(*at).filter(|_| shift < 64)?;
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Writes ranks.
pub(crate) struct RankWriter {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
    /// The head of the block, and its bytes.
    block: Vec<u8>,
    n_in_block: u32,
    last: u64,
    n_ranks: u64,
}

impl RankWriter {
    pub(crate) fn create(path: PathBuf) -> Result<RankWriter, CensusError> {
        let partial = path.with_extension("tmp");
        let mut writer = RankWriter {
            file: BufWriter::with_capacity(
                BLOCK,
                File::create(&partial).map_err(|error| CensusError::io(&partial, error))?,
            ),
            path,
            partial,
            block: vec![0; HEAD],
            n_in_block: 0,
            last: 0,
            n_ranks: 0,
        };
        writer.write(MAGIC)?;
        Ok(writer)
    }

    /// Adds a rank, which is larger than the one before.
    #[inline]
    pub(crate) fn push(&mut self, rank: u64) -> Result<(), CensusError> {
        debug_assert!(self.n_ranks == 0 || rank > self.last);
        put(&mut self.block, rank.wrapping_sub(self.last));
        self.last = rank;
        self.n_in_block += 1;
        self.n_ranks += 1;
        if self.block.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), CensusError> {
        let n_bytes = (self.block.len() - HEAD) as u32;
        self.block[..4].copy_from_slice(&n_bytes.to_le_bytes());
        self.block[4..HEAD].copy_from_slice(&self.n_in_block.to_le_bytes());
        let block = std::mem::take(&mut self.block);
        let written = self.write(&block).and_then(|()| self.write(&xxh3_64(&block).to_le_bytes()));
        self.block = block;
        self.block.truncate(HEAD);
        self.n_in_block = 0;
        written
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CensusError> {
        self.file.write_all(bytes).map_err(|error| CensusError::io(&self.partial, error))
    }

    /// Ends the file; how many ranks it has. If it is to outlive the machine, it is brought to the
    /// disk before it gets its name.
    pub(crate) fn finish(mut self, is_to_stay: bool) -> Result<u64, CensusError> {
        if self.n_in_block > 0 {
            self.end_block()?;
        }
        self.end_block()?;
        let failed = |error| CensusError::io(&self.partial, error);
        self.file.flush().map_err(failed)?;
        if is_to_stay {
            // A full disk may be noticed only here.
            self.file.get_ref().sync_all().map_err(failed)?;
        }
        fs::rename(&self.partial, &self.path).map_err(failed)?;
        Ok(self.n_ranks)
    }
}

/// Reads ranks.
pub(crate) struct RankReader {
    path: PathBuf,
    file: File,
    block: Vec<u8>,
    at: usize,
    n_left: u32,
    last: u64,
    is_at_start: bool,
    is_at_end: bool,
}

impl RankReader {
    pub(crate) fn open(path: &Path) -> Result<RankReader, CensusError> {
        let file = File::open(path).map_err(|error| CensusError::io(path, error))?;
        let mut reader = RankReader {
            path: path.to_owned(),
            file,
            block: Vec::new(),
            at: 0,
            n_left: 0,
            last: 0,
            is_at_start: true,
            is_at_end: false,
        };
        let mut magic = [0; MAGIC.len()];
        reader.read(&mut magic)?;
        if magic == *MAGIC { Ok(reader) } else { Err(CensusError::damaged(path)) }
    }

    /// The next rank, unless the last has been read.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<u64>, CensusError> {
        if self.n_left == 0 && !self.next_block()? {
            return Ok(None);
        }
        // From small to large: a step is 0 only to the first, if that is 0.
        let next = take(&self.block, &mut self.at)
            .filter(|&step| step > 0 || self.is_at_start)
            .and_then(|step| self.last.checked_add(step));
        let Some(rank) = next else {
            return Err(CensusError::damaged(&self.path));
        };
        self.n_left -= 1;
        self.is_at_start = false;
        self.last = rank;
        Ok(Some(rank))
    }

    /// Reads a block; whether there was one with ranks.
    fn next_block(&mut self) -> Result<bool, CensusError> {
        if self.is_at_end {
            return Ok(false);
        }
        let mut head = [0; HEAD];
        self.read(&mut head)?;
        let [a, b, c, d, e, f, g, h] = head;
        let (n_bytes, n_ranks) =
            (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if n_bytes as usize > BLOCK + MAX_RANK || n_ranks > n_bytes {
            return Err(CensusError::damaged(&self.path));
        }
        let mut block = std::mem::take(&mut self.block);
        block.clear();
        block.extend(head);
        block.resize(HEAD + n_bytes as usize, 0);
        let mut checksum = [0; 8];
        self.read(&mut block[HEAD..])?;
        self.read(&mut checksum)?;
        if u64::from_le_bytes(checksum) != xxh3_64(&block) {
            return Err(CensusError::damaged(&self.path));
        }
        (self.block, self.at, self.n_left) = (block, HEAD, n_ranks);
        self.is_at_end = n_ranks == 0;
        Ok(!self.is_at_end)
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), CensusError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => CensusError::damaged(&self.path),
            _ => CensusError::io(&self.path, error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, ranks: &[u64]) {
        let mut writer = RankWriter::create(path.to_owned()).unwrap();
        ranks.iter().for_each(|&rank| writer.push(rank).unwrap());
        assert_eq!(writer.finish(true).unwrap(), ranks.len() as u64);
    }

    fn read(path: &Path) -> Result<Vec<u64>, CensusError> {
        let mut reader = RankReader::open(path)?;
        let mut ranks = Vec::new();
        while let Some(rank) = reader.next()? {
            ranks.push(rank);
        }
        assert!(reader.next().unwrap().is_none(), "an end is an end");
        Ok(ranks)
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ranks");
        let close: Vec<u64> = (0..100_000).map(|n| n * 3).collect();
        let far: Vec<u64> = (0..3000).map(|n| n * n * 1_000_003).collect();
        for ranks in [vec![], vec![0], vec![u64::MAX], vec![0, 127, 128, 1 << 40], close, far] {
            write(&path, &ranks);
            assert_eq!(read(&path).unwrap(), ranks);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn every_change_and_every_early_end_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ranks");
        write(&path, &[1, 2, 300, 1 << 33]);
        let whole = fs::read(&path).unwrap();
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            assert!(matches!(read(&path), Err(CensusError::Damaged { .. })), "{len}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                fs::write(&path, &changed).unwrap();
                assert!(matches!(read(&path), Err(CensusError::Damaged { .. })), "{at}");
            }
        }
    }
}
