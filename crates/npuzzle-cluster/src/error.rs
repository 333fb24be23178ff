//! Why a distributed run failed.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use npuzzle::search::JournalError;
use npuzzle::tables::CensusError;
use npuzzle::{Limit, SolveError};

/// Why a distributed run failed.
#[derive(Clone, Debug)]
pub enum ClusterError {
    /// The connection to a process was lost.
    Lost {
        /// Its number.
        process: usize,
    },
    /// A process could not be reached at the start of the run.
    Unreachable {
        /// Its number.
        process: usize,
        /// The address at which it was expected.
        address: String,
    },
    /// A process was started with another job.
    OtherJob {
        /// Its number.
        process: usize,
    },
    /// A process sent an invalid message, or its thread panicked.
    Protocol {
        /// Its number.
        process: usize,
    },
    /// An I/O operation failed.
    Io {
        /// The file, folder or address.
        what: String,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
    /// A file is damaged or belongs to another job.
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A folder contains the work of another job, or of a process with another number.
    OtherContents {
        /// The folder.
        path: PathBuf,
        /// The contents of the folder.
        found: String,
        /// The contents that the job expects.
        expected: String,
    },
    /// The processes have completed numbers of levels that differ by more than one, which cannot
    /// happen in one run.
    LevelMismatch {
        /// The process that is behind.
        behind: usize,
        /// The number of its levels.
        min_levels: u64,
        /// The process that is ahead.
        ahead: usize,
        /// The number of its levels.
        max_levels: u64,
    },
    /// Another process failed.
    Remote {
        /// Its number.
        process: usize,
        /// Its error message.
        message: String,
        /// Whether the same command may succeed later.
        is_transient: bool,
    },
    /// Process 0 could not write the answer.
    AnswerNotWritten,
    /// The files of a census.
    Census(CensusError),
    /// The journal of a search.
    Journal(Arc<JournalError>),
    /// The search failed.
    Solve(SolveError),
    /// The job cannot be done, for this reason.
    Impossible(String),
    /// A limit was reached, or the run was interrupted.
    Stopped(Limit),
}

impl ClusterError {
    pub(crate) fn io(what: impl fmt::Display, error: io::Error) -> ClusterError {
        ClusterError::Io { what: what.to_string(), error: Arc::new(error) }
    }

    pub(crate) fn file(path: &Path, error: io::Error) -> ClusterError {
        ClusterError::io(path.display(), error)
    }

    /// Whether the same command may succeed later: a process ended, or an I/O operation failed.
    pub fn is_transient(&self) -> bool {
        match self {
            ClusterError::Lost { .. }
            | ClusterError::Unreachable { .. }
            | ClusterError::Protocol { .. }
            | ClusterError::AnswerNotWritten
            | ClusterError::Io { .. }
            | ClusterError::Census(CensusError::Io { .. }) => true,
            ClusterError::Journal(error) => matches!(**error, JournalError::Io { .. }),
            ClusterError::Remote { is_transient, .. } => *is_transient,
            _ => false,
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Lost { process } => write!(
                f,
                "process {process} has ended; start all processes again with the same arguments to \
                 resume from the completed work"
            ),
            ClusterError::Unreachable { process, address } => write!(
                f,
                "process {process} cannot be reached at {address}; check that it is running there \
                 and that its port is open (--wait sets how long to wait)"
            ),
            ClusterError::OtherJob { process } => {
                write!(f, "process {process} was started with different arguments")
            }
            ClusterError::Protocol { process } => {
                write!(f, "process {process} sent an invalid message")
            }
            ClusterError::Io { what, error } => write!(f, "{what}: {error}"),
            ClusterError::Damaged { path } => {
                write!(f, "{}: damaged, or written by another job", path.display())
            }
            ClusterError::OtherContents { path, found, expected } => write!(
                f,
                "{}: written by another job ({found}), expected {expected}; use another folder",
                path.display()
            ),
            ClusterError::LevelMismatch { behind, min_levels, ahead, max_levels } => write!(
                f,
                "process {ahead} has {max_levels} levels, process {behind} only {min_levels}: \
                 restore the folder of process {behind}, or remove the folders of all processes to \
                 start again"
            ),
            ClusterError::Remote { process, message, .. } => {
                write!(f, "process {process}: {message}")
            }
            ClusterError::AnswerNotWritten => {
                f.write_str("process 0 could not write the answer; the completed work is kept")
            }
            ClusterError::Census(error) => error.fmt(f),
            ClusterError::Journal(error) => error.fmt(f),
            ClusterError::Solve(error) => error.fmt(f),
            ClusterError::Impossible(why) => f.write_str(why),
            ClusterError::Stopped(Limit::Interrupted) => f.write_str("interrupted"),
            ClusterError::Stopped(limit) => write!(f, "the {limit} limit was reached"),
        }
    }
}

impl Error for ClusterError {}

impl From<CensusError> for ClusterError {
    fn from(error: CensusError) -> ClusterError {
        match error {
            CensusError::Stopped(limit) => ClusterError::Stopped(limit),
            other => ClusterError::Census(other),
        }
    }
}

impl From<JournalError> for ClusterError {
    fn from(error: JournalError) -> ClusterError {
        ClusterError::Journal(Arc::new(error))
    }
}
