//! One table file: opened, checked and written.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use npuzzle_core::search::{Stats, Watch};

use crate::files::{AtomicFile, block_checksum, sync_folder};

use super::bytes::TableBytes;
use super::error::{Damage, StoreError};
use super::header::{HEADER_LEN, Header};
use super::name::TableName;

/// The number of bytes that are written and synced between two polls. Syncing everything at the end
/// could take seconds, during which nothing could stop it.
const BYTES_PER_SYNC: usize = 1 << 22;

/// An open table file with a correct header.
pub(super) struct TableFile {
    file: File,
    header: Header,
}

impl TableFile {
    /// Opens a table file and checks its header. Returns `None` if the file does not exist.
    pub(super) fn open(path: &Path, name: &TableName) -> Result<Option<TableFile>, StoreError> {
        let failed = |error| StoreError::io(path, error);
        match path.metadata() {
            Ok(meta) if meta.is_file() => {}
            // Opening a pipe would wait for its writer.
            Ok(_) => return Err(damaged(path, Damage::Foreign)),
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        let mut file = match File::open(path) {
            Ok(file) => file,
            // Another process has removed it just now.
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let file_len = file.metadata().map_err(failed)?.len();
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(HEADER_LEN as u64).read_to_end(&mut start).map_err(failed)?;
        let header =
            Header::read(&start, file_len, name).map_err(|damage| damaged(path, damage))?;
        Ok(Some(TableFile { file, header }))
    }

    /// The length of the payload.
    pub(super) fn len(&self) -> u64 {
        self.header.len
    }

    /// An error if the payload has another length.
    pub(super) fn expect_len(&self, path: &Path, len: usize) -> Result<(), StoreError> {
        let [found, expected] = [self.header.len, len as u64].map(|n| n + HEADER_LEN as u64);
        if found == expected {
            return Ok(());
        }
        Err(damaged(path, Damage::Length { found, expected }))
    }

    /// Maps the file and checks its payload.
    pub(super) fn check(
        self,
        path: &Path,
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, StoreError> {
        let bytes =
            TableBytes::map(&self.file, HEADER_LEN).map_err(|error| StoreError::io(path, error))?;
        let found = block_checksum(&bytes, watch).map_err(StoreError::Stopped)?;
        if bytes.len() as u64 != self.header.len || found != self.header.checksum {
            return Err(damaged(path, Damage::Payload));
        }
        bytes.expect_random_access();
        Ok(bytes)
    }

    /// Writes a table, which must have `len` bytes, and maps it.
    pub(super) fn write(
        mut partial: AtomicFile,
        name: &TableName,
        len: usize,
        payload: &[u8],
        watch: &mut dyn Watch,
    ) -> Result<TableBytes, StoreError> {
        let path = partial.path().to_owned();
        if payload.len() != len {
            let (found, expected) = (payload.len() as u64, len as u64);
            return Err(damaged(&path, Damage::Length { found, expected }));
        }
        let checksum = block_checksum(payload, watch).map_err(StoreError::Stopped)?;
        let header = Header { name: name.clone(), len: len as u64, checksum };
        let failed = |error| StoreError::io(&path, error);
        partial.write_all(&header.to_bytes()).map_err(failed)?;
        for part in payload.chunks(BYTES_PER_SYNC) {
            if let Some(limit) = watch.poll(&Stats::default()).break_value() {
                return Err(StoreError::Stopped(limit));
            }
            partial.write_all(part).map_err(failed)?;
            partial.file().sync_data().map_err(failed)?;
        }
        let bytes = TableBytes::map(partial.file(), HEADER_LEN).map_err(failed)?;
        partial.commit().map_err(failed)?;
        path.parent().into_iter().for_each(sync_folder);
        bytes.expect_random_access();
        Ok(bytes)
    }
}

fn damaged(path: &Path, damage: Damage) -> StoreError {
    StoreError::Damaged { path: path.to_owned(), damage }
}

/// Whether an error means that there is no such file.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
