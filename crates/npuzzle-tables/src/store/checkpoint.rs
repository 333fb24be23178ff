//! Checkpoints: the partial result of a long build, next to its table.
//!
//! A checkpoint is a file in the format of a table, with another extension and another name in its
//! header, so that neither is taken for the other. It is complete or does not exist: it is written under
//! another name and renamed. It is not synced, because a build that ends with a crash of the machine may
//! start again: the checksum shows whether the checkpoint is intact.
//!
//! Only the holder of the table's lock reads and writes the checkpoint.

use crate::clock::Instant;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

use npuzzle_core::search::{Limit, Stats, Watch};

use crate::files::{BLOCK, BlockChecksum};
use crate::parallel::drop_in_background;

use super::error::unless_stopped;
use super::header::{HEADER_LEN, Header};
use super::table_file::TableFile;
use super::{CHECKPOINT, Store, TableBytes, TableName};

/// The default time between two checkpoints.
const INTERVAL: Duration = Duration::from_secs(5);

/// The minimum ratio of the time between two checkpoints to the time that one takes to write: at most a
/// tenth of a build is spent on checkpoints.
const MIN_RATIO: u32 = 10;

/// Saves the partial result of a build, and reads that of an earlier build.
pub struct Checkpoint {
    file: Option<CheckpointFile>,
    interval: Duration,
    /// When the last checkpoint was complete, or the build began.
    last: Instant,
    /// The time that it took to write.
    write_time: Duration,
}

struct CheckpointFile {
    store: Store,
    name: TableName,
    /// The name in the header.
    title: TableName,
    path: PathBuf,
}

impl Checkpoint {
    /// No checkpoint: nothing is saved, nothing is read.
    pub fn none() -> Checkpoint {
        let (last, write_time) = (Instant::now(), Duration::ZERO);
        Checkpoint { file: None, interval: INTERVAL, last, write_time }
    }

    /// The checkpoint of a table whose lock the caller holds.
    pub(super) fn of(store: &Store, name: &TableName) -> Checkpoint {
        let file = || {
            let path = store.path_with(name, CHECKPOINT)?;
            let title = format!("draft1.{name}").parse().ok()?;
            Some(CheckpointFile { store: store.clone(), name: name.clone(), title, path })
        };
        let interval = store.checkpoint_interval.unwrap_or(INTERVAL);
        Checkpoint { file: file(), interval, ..Checkpoint::none() }
    }

    /// Reads the checkpoint of an earlier build. Returns `None` if there is none, or if it cannot be
    /// read.
    pub fn read(&self, watch: &mut dyn Watch) -> Result<Option<TableBytes>, Limit> {
        let Some(CheckpointFile { title, path, .. }) = &self.file else { return Ok(None) };
        let Ok(Some(file)) = TableFile::open(path, title) else { return Ok(None) };
        Ok(unless_stopped(file.check(path, watch))?.ok())
    }

    /// Whether it is time to save another checkpoint.
    pub fn is_due(&self) -> bool {
        let elapsed = self.last.elapsed();
        let is_cheap = self.interval.is_zero() || elapsed >= MIN_RATIO * self.write_time;
        self.file.is_some() && elapsed >= self.interval && is_cheap
    }

    /// Saves a checkpoint, which replaces the last one. If this fails, no more checkpoints are saved:
    /// the build does not depend on them.
    pub fn write(
        &mut self,
        watch: &mut dyn Watch,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Limit> {
        let Some(file) = &self.file else { return Ok(()) };
        let started = Instant::now();
        match file.write(watch, fill) {
            Ok(()) => {}
            Err(CheckpointWriteError::Stopped(limit)) => return Err(limit),
            Err(CheckpointWriteError::Io) => self.file = None,
        }
        self.last = Instant::now();
        self.write_time = self.last - started;
        Ok(())
    }
}

enum CheckpointWriteError {
    Stopped(Limit),
    Io,
}

impl From<io::Error> for CheckpointWriteError {
    fn from(_: io::Error) -> CheckpointWriteError {
        CheckpointWriteError::Io
    }
}

impl CheckpointFile {
    fn write(
        &self,
        watch: &mut dyn Watch,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CheckpointWriteError> {
        let mut partial = self.store.partial(&self.name, &self.path)?;
        partial.write_all(&[0; HEADER_LEN])?;
        let mut blocks = BlockWriter::new(partial.file(), watch);
        let filled = fill(&mut blocks).and_then(|()| blocks.end_block());
        let (len, checksum, stopped) = (blocks.len, blocks.checksum.finish(), blocks.stopped);
        if let Some(limit) = stopped {
            let file = partial.file().try_clone();
            drop(partial);
            close_in_background(file);
            return Err(CheckpointWriteError::Stopped(limit));
        }
        filled?;
        let header = Header { name: self.title.clone(), len, checksum };
        partial.file().seek(SeekFrom::Start(0))?;
        partial.write_all(&header.to_bytes())?;
        let old = File::open(&self.path);
        partial.commit_unsynced()?;
        close_in_background(old);
        Ok(())
    }
}

/// Writes blocks, computes their checksum, and polls before each block.
struct BlockWriter<'a, W> {
    file: W,
    watch: &'a mut dyn Watch,
    block: Vec<u8>,
    checksum: BlockChecksum,
    len: u64,
    stopped: Option<Limit>,
}

impl<'a, W: Write> BlockWriter<'a, W> {
    fn new(file: W, watch: &'a mut dyn Watch) -> BlockWriter<'a, W> {
        let block = Vec::with_capacity(BLOCK);
        BlockWriter {
            file,
            watch,
            block,
            checksum: BlockChecksum::default(),
            len: 0,
            stopped: None,
        }
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        self.stopped = self.watch.poll(&Stats::default()).break_value();
        if self.stopped.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        self.checksum.add(&self.block);
        self.file.write_all(&self.block)?;
        self.len += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }
}

impl<W: Write> Write for BlockWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stopped.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        let n = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..n]);
        if self.block.len() == BLOCK {
            self.end_block()?;
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Removes the checkpoint of a table whose lock the caller holds.
pub(super) fn remove(store: &Store, name: &TableName) {
    if let Some(path) = store.path_with(name, CHECKPOINT) {
        let file = File::open(&path);
        let _ = fs::remove_file(path);
        close_in_background(file);
    }
}

/// Closes a file that has no name any more, in the background: the system then frees its blocks, which
/// takes tenths of a second for hundreds of megabytes.
fn close_in_background(file: io::Result<File>) {
    if let Ok(file) = file {
        let len = file.metadata().map_or(0, |meta| meta.len() as usize);
        drop_in_background(file, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::block_checksum;

    /// Accepts at most three bytes at a time, and at most `max_bytes` together.
    struct NarrowWriter {
        written: Vec<u8>,
        max_bytes: usize,
    }

    impl Write for NarrowWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(3).min(self.max_bytes - self.written.len());
            if n == 0 && !bytes.is_empty() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.written.extend_from_slice(&bytes[..n]);
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Writes all bytes. Returns the result, the bytes that were written, and the checksum.
    fn write(bytes: &[u8], max_bytes: usize) -> (io::Result<()>, Vec<u8>, u64) {
        let file = NarrowWriter { written: Vec::new(), max_bytes };
        let watch = &mut ();
        let mut blocks = BlockWriter::new(file, watch);
        let result = blocks.write_all(bytes).and_then(|()| blocks.end_block());
        assert!(result.is_err() || blocks.len == bytes.len() as u64);
        (result, blocks.file.written, blocks.checksum.finish())
    }

    #[test]
    fn block_writer_completes_short_writes_and_reports_failed_ones() {
        let bytes: Vec<u8> = (0..2 * BLOCK + 100).map(|at| (at / 7) as u8).collect();
        let (result, written, sum) = write(&bytes, usize::MAX);
        assert!(result.is_ok() && written == bytes);
        assert_eq!(Ok(sum), block_checksum(&bytes, &mut ()));
        for max_bytes in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 99] {
            let (result, written, _) = write(&bytes, max_bytes);
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull, "{max_bytes}");
            assert!(written == bytes[..max_bytes]);
        }
    }
}
