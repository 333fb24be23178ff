//! The errors of a census on disk.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use npuzzle_core::search::Limit;

/// The reason why a census on disk has ended early.
///
/// ```
/// use npuzzle_tables::{CensusError, CensusFolder};
/// let none = CensusFolder::open("no/such/folder".as_ref());
/// assert!(matches!(none, Err(CensusError::NoCensus { .. })));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CensusError {
    /// The system returned an error.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        error: Arc<io::Error>,
    },
    /// A file has changed since it was written.
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The folder has no census.
    NoCensus {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has a census already.
    AlreadyExists {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is using the folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The memory does not suffice.
    Memory {
        /// The minimum memory in bytes.
        min_bytes: u64,
    },
    /// The watch stopped the census.
    Stopped(Limit),
}

impl CensusError {
    pub(crate) fn io(path: &Path, error: io::Error) -> CensusError {
        CensusError::Io { path: path.to_owned(), error: Arc::new(error) }
    }

    pub(crate) fn damaged(path: &Path) -> CensusError {
        CensusError::Damaged { path: path.to_owned() }
    }
}

impl fmt::Display for CensusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CensusError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            CensusError::Damaged { path } => {
                write!(f, "{}: damaged; start the census again", path.display())
            }
            CensusError::NoCensus { path } => {
                write!(f, "{}: there is no census to resume", path.display())
            }
            CensusError::AlreadyExists { path } => {
                write!(f, "{}: there is a census already; --resume continues it", path.display())
            }
            CensusError::Busy { path } => {
                write!(f, "{}: another process is using it", path.display())
            }
            CensusError::Memory { min_bytes } => {
                write!(f, "at least {} MiB of memory are needed", min_bytes.div_ceil(1 << 20))
            }
            CensusError::Stopped(Limit::Interrupted) => f.write_str("interrupted"),
            CensusError::Stopped(limit) => write!(f, "stopped by the {limit} limit"),
        }
    }
}

impl Error for CensusError {}
