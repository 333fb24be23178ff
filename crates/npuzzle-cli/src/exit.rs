//! Exit codes, and the failures that lead to them.

use std::error::Error;
use std::{fmt, io};

use npuzzle::Limit;

use crate::messages;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Solved, valid, all passed.
    Yes = 0,
    /// A definite no: unsolvable, not valid, some failed.
    No = 1,
    /// A limit was reached.
    Limit = 3,
    /// Bad usage or bad input.
    Usage = 2,
    /// A file could not be read or written.
    File = 4,
    /// Interrupted.
    Interrupted = 130,
}

impl Exit {
    const BY_SEVERITY: [Exit; 6] =
        [Exit::Yes, Exit::No, Exit::Limit, Exit::Usage, Exit::File, Exit::Interrupted];

    /// The meaning of a child's exit code; a killed child has none and counts as [`Exit::File`].
    pub(crate) fn from_code(code: Option<i32>) -> Exit {
        let matches = |exit: &&Exit| Some(**exit as i32) == code;
        Exit::BY_SEVERITY.iter().find(matches).copied().unwrap_or(Exit::File)
    }

    /// The more severe of two, which a batch returns.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let severity = |exit| Exit::BY_SEVERITY.iter().position(|&e| e == exit);
        if severity(self) >= severity(other) { self } else { other }
    }
}

impl From<Limit> for Exit {
    fn from(limit: Limit) -> Exit {
        match limit {
            Limit::Interrupted => Exit::Interrupted,
            Limit::Nodes | Limit::Time | Limit::Memory | Limit::Bound => Exit::Limit,
        }
    }
}

/// A failure that ended a command, with a message for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    exit: Exit,
    is_closed_pipe: bool,
}

impl Failure {
    /// Bad usage or bad input.
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        let message = messages::without_os_codes(message.to_string());
        Failure { message, exit: Exit::Usage, is_closed_pipe: false }
    }

    /// A file or another resource of the system that could not be read, written or created.
    pub(crate) fn io(what: impl fmt::Display, error: &(dyn Error + 'static)) -> Failure {
        let io_error = error.downcast_ref::<io::Error>();
        let is_closed_pipe = io_error.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
        let failure = Failure::usage(format_args!("{what}: {error}"));
        Failure { exit: Exit::File, is_closed_pipe, ..failure }
    }

    /// The same message with another exit code.
    pub(crate) fn with_exit(self, exit: Exit) -> Failure {
        Failure { exit, ..self }
    }

    /// The same failure with more text at the end of its message.
    pub(crate) fn with_suffix(self, suffix: &str) -> Failure {
        Failure { message: self.message + suffix, ..self }
    }

    /// Whether the reader closed the pipe, as `head` does. That is not an error.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.is_closed_pipe
    }

    pub(crate) fn exit(&self) -> Exit {
        if self.is_closed_pipe { Exit::Yes } else { self.exit }
    }

    /// Prints the message, if there is an error, and returns the exit code.
    pub(crate) fn report(&self) -> Exit {
        if !self.is_closed_pipe {
            messages::error(self);
        }
        self.exit()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_omits_os_error_codes() {
        let error = io::Error::from_raw_os_error(2);
        let message = Failure::io("board.txt", &error).with_suffix(" (not a board)").to_string();
        assert!(message.ends_with("(not a board)") && !message.contains("os error"), "{message}");
    }

    #[test]
    fn worse_keeps_the_more_severe_exit() {
        assert_eq!(Exit::Limit.worse(Exit::No), Exit::Limit);
        assert_eq!(Exit::Limit.worse(Exit::Usage), Exit::Usage);
        assert_eq!(Exit::from_code(Some(3)), Exit::Limit);
        assert_eq!(Exit::from_code(None), Exit::File);
    }
}
