//! Exit codes, the failures that lead to them, and how people are told.

use std::fmt;
use std::io::{self, Write};

/// Tells people something on stderr. Nothing can be done about a stderr that is closed.
pub(crate) fn tell(message: impl fmt::Display) {
    let message = message.to_string();
    let _ = writeln!(io::stderr(), "{}", message.trim_end());
}

/// Tells people what is wrong. What they have typed or named may be in it, and commands a terminal to
/// do nothing.
pub(crate) fn complain(message: impl fmt::Display) {
    let mut told = String::from("npuzzle: ");
    for c in message.to_string().chars() {
        match c {
            '\n' => told.push(c),
            c if c.is_control() => told.extend(c.escape_default()),
            c => told.push(c),
        }
    }
    tell(told);
}

/// How it went. When many boards go differently, the largest in this order is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Solved, valid, all passed.
    Yes = 0,
    /// A definite no: unsolvable.
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
    const BY_WEIGHT: [Exit; 6] =
        [Exit::Yes, Exit::No, Exit::Limit, Exit::Usage, Exit::File, Exit::Interrupted];

    /// What the code of a program means; one that was killed has none.
    pub(crate) fn from_code(code: Option<i32>) -> Exit {
        let is_it = |exit: &&Exit| Some(**exit as i32) == code;
        Exit::BY_WEIGHT.iter().find(is_it).copied().unwrap_or(Exit::File)
    }

    /// The one of two that a script must hear about.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let weight = |exit| Exit::BY_WEIGHT.iter().position(|&e| e == exit);
        if weight(self) >= weight(other) { self } else { other }
    }
}

/// Something that ends the program with a message.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    exit: Exit,
    closed_pipe: bool,
}

impl Failure {
    /// Bad usage or bad input.
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), exit: Exit::Usage, closed_pipe: false }
    }

    /// A file, or something like one, could not be read or written.
    pub(crate) fn io(
        what: impl fmt::Display,
        error: &(dyn std::error::Error + 'static),
    ) -> Failure {
        let closed_pipe = error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        Failure { message: format!("{what}: {error}"), exit: Exit::File, closed_pipe }
    }

    /// The same message under another exit code.
    pub(crate) fn with_exit(self, exit: Exit) -> Failure {
        Failure { exit, ..self }
    }

    /// The same failure with more to say.
    pub(crate) fn adding(self, more: &str) -> Failure {
        Failure { message: self.message + more, ..self }
    }

    /// Whether the reader of our output has had enough, as `head` has: nothing to complain about.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    pub(crate) fn exit(&self) -> Exit {
        if self.closed_pipe { Exit::Yes } else { self.exit }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
