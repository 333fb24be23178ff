//! Errors, damage and warnings of the store.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use npuzzle_core::search::Limit;

/// The reason why a table could not be read, written or removed.
///
/// ```
/// use npuzzle_core::search::Limit;
/// use npuzzle_tables::StoreError;
/// assert_eq!(StoreError::Stopped(Limit::Time).to_string(), "stopped by the time limit");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is not the stored table.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The kind of damage.
        damage: Damage,
    },
    /// The system returned an error.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        error: Arc<io::Error>,
    },
    /// The watch stopped the operation.
    Stopped(Limit),
}

impl StoreError {
    pub(super) fn io(path: impl Into<PathBuf>, error: io::Error) -> StoreError {
        StoreError::Io { path: path.into(), error: Arc::new(error) }
    }
}

/// Separates a stop by the watch from the other errors.
pub(super) fn unless_stopped<T>(
    result: Result<T, StoreError>,
) -> Result<Result<T, StoreError>, Limit> {
    match result {
        Err(StoreError::Stopped(limit)) => Err(limit),
        result => Ok(result),
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
            StoreError::Stopped(limit) => write!(f, "stopped by the {limit} limit"),
        }
    }
}

impl Error for StoreError {}

/// The damage of a table file.
///
/// ```
/// use npuzzle_tables::Damage;
/// assert_eq!(Damage::Length { found: 1, expected: 2 }.to_string(), "1 bytes instead of 2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Damage {
    /// The file does not begin as a table does.
    Foreign,
    /// The file has another version of the format.
    Version {
        /// Its version.
        found: u32,
    },
    /// The header does not match its checksum.
    Header,
    /// The file contains another table.
    Name {
        /// The name of that table.
        found: String,
    },
    /// The file is too short or too long.
    Length {
        /// Its size in bytes.
        found: u64,
        /// The right size in bytes.
        expected: u64,
    },
    /// The payload does not match its checksum.
    Payload,
    /// The payload matches its checksum, but its entries are wrong.
    Entries,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Foreign => f.write_str("not a table of npuzzle"),
            Damage::Version { found } => write!(f, "a table of another version ({found})"),
            Damage::Header => f.write_str("the checksum of the header does not match"),
            Damage::Name { found } => write!(f, "contains another table, {found}"),
            Damage::Length { found, expected } => {
                write!(f, "{found} bytes instead of {expected}")
            }
            Damage::Payload => f.write_str("the checksum of the table does not match"),
            Damage::Entries => f.write_str("its entries do not lead to the goal"),
        }
    }
}

/// A problem that was solved on the way to a correct table.
///
/// ```
/// use npuzzle_tables::{Damage, StoreError, StoreWarning};
/// let error = StoreError::Damaged { path: "a.table".into(), damage: Damage::Payload };
/// assert!(StoreWarning::Rebuilt(error).to_string().ends_with("; it was rebuilt"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreWarning {
    /// The stored table was unusable and was rebuilt.
    Rebuilt(StoreError),
    /// The stored table was unusable, and the time or memory did not suffice to rebuild it.
    Unused(StoreError),
    /// The table could not be stored, and is kept in memory for this run.
    NotKept(StoreError),
}

impl fmt::Display for StoreWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreWarning::Rebuilt(error) => write!(f, "{error}; it was rebuilt"),
            StoreWarning::Unused(error) => {
                write!(f, "{error}; it was not used, and stays until it is rebuilt or removed")
            }
            StoreWarning::NotKept(error) => {
                write!(
                    f,
                    "{error}; the table could not be stored and is kept in memory for this run"
                )
            }
        }
    }
}
