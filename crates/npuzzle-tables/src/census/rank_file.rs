//! Files of sorted ranks without duplicates.
//!
//! ```text
//!      8 bytes   magic
//!     blocks:
//!       u32      number of bytes
//!       u32      number of ranks
//!       bytes    the difference of each rank to the one before it
//!       u64      checksum of the block
//! ```
//!
//! Differences have seven bits per byte, lowest first. The highest bit is set if more bytes follow. So
//! ranks that are close together take a byte or two. A block without ranks ends the file. So every
//! change and every truncation is detected.
//!
//! A file is written under another name and renamed when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::files::{AtomicFile, checksum};

use super::error::CensusError;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"npzranks";
/// The size of a block in bytes, except for a last rank that exceeds it.
const BLOCK: usize = 1 << 14;
/// The maximum number of bytes of a rank.
const MAX_RANK: usize = 10;
/// The size of the two numbers before a block's bytes.
const HEAD: usize = 8;

/// The memory in bytes of a reader or a writer.
pub(crate) const BUFFER_BYTES: usize = 2 * (BLOCK + HEAD + MAX_RANK);

/// Appends a number, seven bits per byte.
#[inline]
pub(crate) fn push_varint(bytes: &mut Vec<u8>, number: u64) {
    let mut rest = number;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Reads a number and advances the position. Returns `None` if the bytes are not a number.
#[inline]
pub(crate) fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
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

/// Writes a rank file.
pub(crate) struct RankWriter {
    file: BufWriter<AtomicFile>,
    /// The head of the block, then its bytes.
    block: Vec<u8>,
    n_in_block: u32,
    last: u64,
    n_ranks: u64,
}

impl RankWriter {
    pub(crate) fn create(path: PathBuf) -> Result<RankWriter, CensusError> {
        let partial = path.with_extension("tmp");
        let file =
            AtomicFile::create(path, &partial).map_err(|error| CensusError::io(&partial, error))?;
        let mut writer = RankWriter {
            file: BufWriter::with_capacity(BLOCK, file),
            block: vec![0; HEAD],
            n_in_block: 0,
            last: 0,
            n_ranks: 0,
        };
        writer.write(MAGIC)?;
        Ok(writer)
    }

    /// Appends a rank, which must be larger than the last one.
    #[inline]
    pub(crate) fn push(&mut self, rank: u64) -> Result<(), CensusError> {
        debug_assert!(self.n_ranks == 0 || rank > self.last);
        push_varint(&mut self.block, rank.wrapping_sub(self.last));
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
        let written = self.write(&block).and_then(|()| self.write(&checksum(&block).to_le_bytes()));
        self.block = block;
        self.block.truncate(HEAD);
        self.n_in_block = 0;
        written
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CensusError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| CensusError::io(self.file.get_ref().path(), error))
    }

    /// Completes the file and returns the number of its ranks. If the file is durable, it is written to
    /// the disk before it gets its name.
    pub(crate) fn finish(mut self, is_durable: bool) -> Result<u64, CensusError> {
        if self.n_in_block > 0 {
            self.end_block()?;
        }
        self.end_block()?;
        let committed = self.file.flush().and_then(|()| {
            let file = self.file.get_mut();
            if is_durable { file.commit() } else { file.commit_unsynced() }
        });
        committed.map_err(|error| CensusError::io(self.file.get_ref().path(), error))?;
        Ok(self.n_ranks)
    }
}

/// Reads a rank file.
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

    /// The next rank, or `None` at the end.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<u64>, CensusError> {
        if self.n_left == 0 && !self.next_block()? {
            return Ok(None);
        }
        // Ranks increase. Only the first difference may be 0.
        let next = read_varint(&self.block, &mut self.at)
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

    /// Reads a block. Returns whether it has ranks.
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
        let mut expected = [0; 8];
        self.read(&mut block[HEAD..])?;
        self.read(&mut expected)?;
        if u64::from_le_bytes(expected) != checksum(&block) {
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
    use std::fs;

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
        assert!(reader.next().unwrap().is_none(), "the end is final");
        Ok(ranks)
    }

    #[test]
    fn ranks_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ranks");
        let close: Vec<u64> = (0..100_000).map(|n| n * 3).collect();
        let far: Vec<u64> = (0..3000).map(|n| n * n * 1_000_003).collect();
        for ranks in [vec![], vec![0], vec![u64::MAX], vec![0, 127, 128, 1 << 40], close, far] {
            write(&path, &ranks);
            assert_eq!(read(&path).unwrap(), ranks);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
    }

    #[test]
    fn every_change_and_truncation_is_detected() {
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
