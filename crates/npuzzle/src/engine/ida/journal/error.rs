//! The errors of journals.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reason why a journal cannot be used.
///
/// ```
/// use npuzzle::search::{Journal, JournalError};
/// assert!(matches!(Journal::resume("no/such/journal"), Err(JournalError::Io { .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be created, read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not a journal.
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the program wrote the journal.
    OtherVersion {
        /// The file.
        path: PathBuf,
    },
    /// A line has changed since it was written and is not the last one, or contradicts the lines before it.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the first such line, from 1.
        line: usize,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            JournalError::NotOne { path } => {
                write!(f, "{}: not a checkpoint of npuzzle", path.display())
            }
            JournalError::OtherVersion { path } => write!(
                f,
                "{}: written by another version of npuzzle; start the search again",
                path.display()
            ),
            JournalError::Damaged { path, line } => write!(
                f,
                "{}:{line}: damaged; remove this line and all after it to resume the search",
                path.display()
            ),
        }
    }
}

impl Error for JournalError {}
