//! Why a census on disk has ended.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use npuzzle_core::search::Limit;

/// Why a census on disk has ended before its time.
///
/// ```
/// use npuzzle_tables::{CensusError, CensusFolder};
/// let none = CensusFolder::open("no/such/folder".as_ref());
/// assert!(matches!(none, Err(CensusError::NotOne { .. })));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CensusError {
    /// The system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: Arc<io::Error>,
    },
    /// A file is not as it was written.
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The folder has no census to go on with.
    NotOne {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has a census already.
    There {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is at work in the folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// So little memory is not enough.
    Memory {
        /// So many bytes are.
        least: u64,
    },
    /// The watch ended it.
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
                write!(f, "{}: damaged; the census has to be begun again", path.display())
            }
            CensusError::NotOne { path } => {
                write!(f, "{}: there is no census to go on with", path.display())
            }
            CensusError::There { path } => {
                write!(f, "{}: there is a census already; --resume goes on with it", path.display())
            }
            CensusError::Busy { path } => {
                write!(f, "{}: another process is at work there", path.display())
            }
            CensusError::Memory { least } => {
                write!(f, "at least {} MiB of memory are needed", least.div_ceil(1 << 20))
            }
            CensusError::Stopped(Limit::Interrupted) => f.write_str("interrupted"),
            CensusError::Stopped(limit) => write!(f, "the limit of {limit} was reached"),
        }
    }
}

impl Error for CensusError {}
