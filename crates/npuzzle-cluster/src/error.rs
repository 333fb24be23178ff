//! Why a run over several processes has ended.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use npuzzle::search::JournalError;
use npuzzle::tables::CensusError;
use npuzzle::{Limit, SolveError};

/// Why a run has ended before its time.
#[derive(Clone, Debug)]
pub enum ClusterError {
    /// Another process is gone.
    Lost {
        /// Its number.
        process: usize,
    },
    /// Another process did not come.
    Absent {
        /// Its number.
        process: usize,
        /// Where it was looked for.
        address: String,
    },
    /// Another process was started to do something else.
    OtherJob {
        /// Its number.
        process: usize,
    },
    /// What another process has said makes no sense.
    Garbled {
        /// Its number.
        process: usize,
    },
    /// The system refused.
    Io {
        /// The file, folder or address.
        what: String,
        /// What the system says.
        error: Arc<io::Error>,
    },
    /// A file is not as it was written, or is about something else.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A folder has the work of another job, or of a process with another number.
    OtherWork {
        /// The folder.
        path: PathBuf,
        /// What is there.
        found: String,
        /// What was looked for.
        wanted: String,
    },
    /// Processes have got so far that they cannot have done it together.
    Apart {
        /// The one that is behind.
        behind: usize,
        /// How many levels it has.
        least: u64,
        /// The one that is ahead.
        ahead: usize,
        /// How many levels it has.
        most: u64,
    },
    /// Another process cannot take part.
    Refused {
        /// Its number.
        process: usize,
        /// What it says.
        why: String,
        /// Whether it may go another time.
        may_pass: bool,
    },
    /// The first process could not write the answer.
    Unwritten,
    /// The files of a census.
    CensusResult(CensusError),
    /// The journal of a search.
    Journal(Arc<JournalError>),
    /// There is no such search.
    Solve(SolveError),
    /// What is wanted cannot be had.
    Impossible(String),
    /// A limit was reached, or somebody has asked to stop.
    Stopped(Limit),
}

impl ClusterError {
    pub(crate) fn io(what: impl fmt::Display, error: io::Error) -> ClusterError {
        ClusterError::Io { what: what.to_string(), error: Arc::new(error) }
    }

    pub(crate) fn file(path: &Path, error: io::Error) -> ClusterError {
        ClusterError::io(path.display(), error)
    }

    /// Whether the same words may do another time: a process has ended, or the system has refused.
    pub fn may_pass(&self) -> bool {
        match self {
            ClusterError::Lost { .. }
            | ClusterError::Absent { .. }
            | ClusterError::Garbled { .. }
            | ClusterError::Unwritten
            | ClusterError::Io { .. }
            | ClusterError::CensusResult(CensusError::Io { .. }) => true,
            ClusterError::Journal(error) => matches!(**error, JournalError::Io { .. }),
            ClusterError::Refused { may_pass, .. } => *may_pass,
            _ => false,
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Lost { process } => write!(
                f,
                "process {process} has ended; start all processes again with the same words, and \
                 they go on from what is complete"
            ),
            ClusterError::Absent { process, address } => {
                write!(
                    f,
                    "process {process} was not to be reached at {address}; is it running there, \
                     and is its port open? --wait says how long to wait"
                )
            }
            ClusterError::OtherJob { process } => {
                write!(f, "process {process} was started with other words than this one")
            }
            ClusterError::Garbled { process } => {
                write!(f, "process {process} does not speak as it should")
            }
            ClusterError::Io { what, error } => write!(f, "{what}: {error}"),
            ClusterError::Foreign { path } => {
                write!(f, "{}: damaged, or left by another job", path.display())
            }
            ClusterError::OtherWork { path, found, wanted } => write!(
                f,
                "{}: left by another job ({found}), not by this one ({wanted}); name another folder",
                path.display()
            ),
            ClusterError::Apart { behind, least, ahead, most } => write!(
                f,
                "process {ahead} has {most} levels and process {behind} {least}: is the folder of \
                 process {behind} where it was? To begin anew, remove the folders of all"
            ),
            ClusterError::Refused { process, why, .. } => write!(f, "process {process}: {why}"),
            ClusterError::Unwritten => {
                f.write_str("process 0 could not write the answer; what has been done is kept")
            }
            ClusterError::CensusResult(error) => error.fmt(f),
            ClusterError::Journal(error) => error.fmt(f),
            ClusterError::Solve(error) => error.fmt(f),
            ClusterError::Impossible(why) => f.write_str(why),
            ClusterError::Stopped(Limit::Interrupted) => f.write_str("interrupted"),
            ClusterError::Stopped(limit) => write!(f, "the limit of {limit} was reached"),
        }
    }
}

impl Error for ClusterError {}

impl From<CensusError> for ClusterError {
    fn from(error: CensusError) -> ClusterError {
        match error {
            CensusError::Stopped(limit) => ClusterError::Stopped(limit),
            other => ClusterError::CensusResult(other),
        }
    }
}

impl From<JournalError> for ClusterError {
    fn from(error: JournalError) -> ClusterError {
        ClusterError::Journal(Arc::new(error))
    }
}
