//! What can be wrong with stored tables.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use npuzzle_core::search::Limit;

/// Why a table could not be read, written or removed.
///
/// ```
/// use npuzzle_core::search::Limit;
/// use npuzzle_tables::StoreError;
/// assert_eq!(StoreError::Stopped(Limit::Time).to_string(), "the limit of time was reached");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is there and is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// The system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: Arc<io::Error>,
    },
    /// The watch ended it.
    Stopped(Limit),
}

impl StoreError {
    pub(super) fn io(path: impl Into<PathBuf>, error: io::Error) -> StoreError {
        StoreError::Io { path: path.into(), error: Arc::new(error) }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Damaged { path, damage } => {
                write!(f, "{}: damaged: {damage}", path.display())
            }
            StoreError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            StoreError::Stopped(Limit::Interrupted) => f.write_str("interrupted"),
            StoreError::Stopped(limit) => write!(f, "the limit of {limit} was reached"),
        }
    }
}

impl Error for StoreError {}

/// What is wrong with a table file.
///
/// ```
/// use npuzzle_tables::Damage;
/// assert_eq!(Damage::Length { found: 1, expected: 2 }.to_string(), "1 bytes instead of 2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Damage {
    /// It does not begin as a table does.
    Foreign,
    /// It is of another version of the format.
    Version {
        /// Which.
        found: u32,
    },
    /// The header's checksum does not match.
    Header,
    /// It is a table, under the wrong name.
    Name {
        /// Its own.
        found: String,
    },
    /// It is too short or too long.
    Length {
        /// The bytes there are.
        found: u64,
        /// The bytes there should be.
        expected: u64,
    },
    /// The payload's checksum does not match.
    Payload,
    /// The payload's checksum matches, and its entries are not those of the table.
    Entries,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Foreign => f.write_str("not a table of npuzzle"),
            Damage::Version { found } => write!(f, "a table of another version ({found})"),
            Damage::Header => f.write_str("the checksum of the header does not match"),
            Damage::Name { found } => write!(f, "holds another table, {found}"),
            Damage::Length { found, expected } => {
                write!(f, "{found} bytes instead of {expected}")
            }
            Damage::Payload => f.write_str("the checksum of the table does not match"),
            Damage::Entries => f.write_str("its entries lead nowhere"),
        }
    }
}

/// What went wrong on the way to a table that is there and right nonetheless.
///
/// ```
/// use npuzzle_tables::{Damage, StoreError, StoreWarning};
/// let error = StoreError::Damaged { path: "a.table".into(), damage: Damage::Payload };
/// assert!(StoreWarning::Rebuilt(error).to_string().ends_with("; it was built anew"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreWarning {
    /// The stored table could not be used and was built anew.
    Rebuilt(StoreError),
    /// The stored table could not be used, and there was no time or no memory to build it anew.
    Unused(StoreError),
    /// The table could not be stored, and is kept in memory for this run alone.
    NotKept(StoreError),
}

impl fmt::Display for StoreWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreWarning::Rebuilt(error) => write!(f, "{error}; it was built anew"),
            StoreWarning::Unused(error) => {
                write!(f, "{error}; it was not used, and stays until it is built anew or removed")
            }
            StoreWarning::NotKept(error) => {
                write!(f, "{error}; the table could not be stored and is in memory for this run")
            }
        }
    }
}
