//! What a long build has done so far, kept beside the table until that is there.
//!
//! A draft is a file like that of a table, under another ending and with another name in its header,
//! so that nobody takes one for the other. It is whole or not there: it is written under another
//! name and renamed. It is not brought to the disk, since a build that ends with the machine may be
//! begun again: then the checksum tells.
//!
//! Whoever has a draft holds the lock of the table.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use npuzzle_core::search::{Limit, Stats, Watch};

use crate::parallel::drop_in_background;

use super::checksum::{BLOCK, Running};
use super::header::{HEADER_LEN, Header};
use super::{Store, StoreError, TableBytes, TableName, open};

/// How much work may be lost, unless the store has it otherwise.
pub(super) const PACE: Duration = Duration::from_secs(5);

/// Drafts are so much rarer than they take to write: a tenth of the time goes to them at most.
const REST: u32 = 10;

/// Where a long build writes down what it has done, and finds what an earlier one has.
pub struct Checkpoint {
    file: Option<DraftFile>,
    pace: Duration,
    /// When the last one was complete, or the build began.
    last: Instant,
    /// How long it took to write.
    took: Duration,
}

struct DraftFile {
    store: Store,
    name: TableName,
    /// The name in the header.
    title: TableName,
    path: PathBuf,
}

impl Checkpoint {
    /// Nothing is found and nothing is written.
    pub fn none() -> Checkpoint {
        Checkpoint { file: None, pace: PACE, last: Instant::now(), took: Duration::ZERO }
    }

    /// The draft of a table whose lock is held.
    pub(super) fn of(store: &Store, name: &TableName) -> Checkpoint {
        let file = || {
            let (path, title) = (store.draft_path(name)?, format!("draft1.{name}").parse().ok()?);
            Some(DraftFile { store: store.clone(), name: name.clone(), title, path })
        };
        Checkpoint { file: file(), pace: store.pace.unwrap_or(PACE), ..Checkpoint::none() }
    }

    /// What an earlier build has written down, if that is right.
    pub fn read(&self, watch: &mut dyn Watch) -> Result<Option<TableBytes>, Limit> {
        let Some(file) = &self.file else { return Ok(None) };
        let opened = open(&file.path, &file.title);
        match opened.and_then(|opened| opened.map(|o| o.check(&file.path, watch)).transpose()) {
            Ok(bytes) => Ok(bytes),
            Err(StoreError::Stopped(limit)) => Err(limit),
            // What cannot be read is nothing to go on from.
            Err(_) => Ok(None),
        }
    }

    /// Whether so much has been done since the last one that it would be a pity to lose it.
    pub fn is_due(&self) -> bool {
        let since = self.last.elapsed();
        let is_rested = self.pace.is_zero() || since >= REST * self.took;
        self.file.is_some() && since >= self.pace && is_rested
    }

    /// Writes down what has been done, in place of what was written before. If that fails, there
    /// will be no more drafts; the build does not hang on them.
    pub fn write(
        &mut self,
        watch: &mut dyn Watch,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Limit> {
        let Some(file) = &self.file else { return Ok(()) };
        let started = Instant::now();
        match file.write(watch, fill) {
            Ok(()) => {}
            Err(Stopped::By(limit)) => return Err(limit),
            Err(Stopped::Failed) => self.file = None,
        }
        self.last = Instant::now();
        self.took = self.last - started;
        Ok(())
    }
}

enum Stopped {
    By(Limit),
    Failed,
}

impl DraftFile {
    fn write(
        &self,
        watch: &mut dyn Watch,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Stopped> {
        let failed = |_| Stopped::Failed;
        let mut unfinished = self.store.unfinished(&self.name).map_err(failed)?;
        let file = unfinished.as_file_mut();
        file.write_all(&[0; HEADER_LEN]).map_err(failed)?;
        let block = Vec::with_capacity(BLOCK);
        let (checksum, len, stopped) = (Running::default(), 0, None);
        let mut blocks = Blocks { file, watch, block, checksum, len, stopped };
        let filled = fill(&mut blocks).and_then(|()| blocks.end_block());
        if let Some(limit) = blocks.stopped {
            let file = unfinished.reopen();
            drop(unfinished);
            close_aside(file);
            return Err(Stopped::By(limit));
        }
        filled.map_err(failed)?;
        let (len, checksum) = (blocks.len, blocks.checksum.finish());
        let header = Header { name: self.title.clone(), len, checksum };
        let file = unfinished.as_file_mut();
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.write_all(&header.to_bytes()).map_err(failed)?;
        let old = File::open(&self.path);
        unfinished.persist(&self.path).map_err(|_| Stopped::Failed)?;
        close_aside(old);
        Ok(())
    }
}

/// Writes block by block, with a look at the watch and a checksum for each.
struct Blocks<'a, W> {
    file: W,
    watch: &'a mut dyn Watch,
    block: Vec<u8>,
    checksum: Running,
    len: u64,
    stopped: Option<Limit>,
}

impl<W: Write> Blocks<'_, W> {
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

impl<W: Write> Write for Blocks<'_, W> {
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

/// Removes the draft of a table whose lock is held, or which is to go.
pub(super) fn remove(store: &Store, name: &TableName) {
    if let Some(path) = store.draft_path(name) {
        let file = File::open(&path);
        let _ = fs::remove_file(path);
        close_aside(file);
    }
}

/// Closes a file that has no name any more. Until that is done it takes its room, and to give back
/// hundreds of megabytes takes tenths of a second, for which nobody should wait.
fn close_aside(file: io::Result<File>) {
    if let Ok(file) = file {
        let len = file.metadata().map_or(0, |meta| meta.len() as usize);
        drop_in_background(file, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::checksum::checksum;

    /// Takes three bytes at a time, and no more than so many.
    struct Narrow {
        taken: Vec<u8>,
        most: usize,
    }

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(3).min(self.most - self.taken.len());
            if n == 0 && !bytes.is_empty() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.taken.extend_from_slice(&bytes[..n]);
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Writes all bytes; how that went, what was taken, and the checksum.
    fn written(bytes: &[u8], most: usize) -> (io::Result<()>, Vec<u8>, u64) {
        let file = Narrow { taken: Vec::new(), most };
        let (checksum, watch) = (Running::default(), &mut ());
        let mut blocks = Blocks { file, watch, block: Vec::new(), checksum, len: 0, stopped: None };
        let result = blocks.write_all(bytes).and_then(|()| blocks.end_block());
        assert!(result.is_err() || blocks.len == bytes.len() as u64);
        (result, blocks.file.taken, blocks.checksum.finish())
    }

    #[test]
    fn short_writes_are_gone_on_with_and_failed_ones_told() {
        let bytes: Vec<u8> = (0..2 * BLOCK + 100).map(|at| (at / 7) as u8).collect();
        let (result, taken, sum) = written(&bytes, usize::MAX);
        assert!(result.is_ok() && taken == bytes);
        assert_eq!(Ok(sum), checksum(&bytes, &mut ()));
        for most in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 99] {
            let (result, taken, _) = written(&bytes, most);
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull, "{most}");
            assert!(taken == bytes[..most]);
        }
    }
}
