//! A program that is ready to be started, and how its run ended.

use std::fs;
use std::io;
use std::process::{Command, ExitStatus};

use npuzzle_courses::ProcessEnd;
use rustix::io::Errno;
use serde_json::Value;

use super::launch;
use crate::io::temp_dir::TempDir;
use crate::messages;

/// The name of the status file.
pub(super) const STATUS: &str = "status";

/// A program that is ready to be started.
pub(super) struct Prepared {
    pub(super) command: Command,
    /// Whether bubblewrap runs the program.
    is_wrapped: bool,
    /// The folder of the status file.
    folder: TempDir,
}

impl Prepared {
    /// `folder` must have a status file, to which the command writes.
    pub(super) fn new(command: Command, is_wrapped: bool, folder: TempDir) -> Prepared {
        Prepared { command, is_wrapped, folder }
    }

    pub(super) fn is_wrapped(&self) -> bool {
        self.is_wrapped
    }

    /// The number of the first process in the PID namespace, once it has been started.
    pub(super) fn init(&self) -> Option<i32> {
        self.field("child-pid")?.try_into().ok()
    }

    /// Checks that the program was executed, once the run is over. Otherwise `stderr` is bubblewrap's.
    pub(super) fn check(&self, stderr: &str) -> io::Result<()> {
        if let Some(error) = launch::launch_error(&self.status()) {
            return Err(error);
        }
        if !self.is_wrapped || self.field("exit-code").is_some() {
            return Ok(());
        }
        let causes = [Errno::NOENT, Errno::ACCESS, Errno::AGAIN, Errno::NOMEM].map(io::Error::from);
        let is_cause =
            |error: &io::Error| stderr.contains(&messages::without_os_codes(error.to_string()));
        let cause = causes.into_iter().find(is_cause);
        Err(cause.unwrap_or_else(|| io::Error::other("the sandbox cannot start it")))
    }

    /// How the program ended. Bubblewrap exits with 128 plus the signal that killed the program, as shells
    /// do.
    pub(super) fn ended_by(&self, status: ExitStatus) -> ProcessEnd {
        const SIGNALS: std::ops::RangeInclusive<i32> = 1..=64;
        match super::ended_by(status) {
            ProcessEnd::Code(code) if self.is_wrapped && SIGNALS.contains(&(code - 128)) => {
                ProcessEnd::Signal(code - 128)
            }
            ended => ended,
        }
    }

    /// The reports of the launcher and bubblewrap.
    pub(super) fn status(&self) -> String {
        fs::read_to_string(self.folder.path(STATUS)).unwrap_or_default()
    }

    /// A number that bubblewrap reports. Each line is a JSON object.
    fn field(&self, name: &str) -> Option<i64> {
        let status = self.status();
        let objects = status.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        objects.filter_map(|object| object.get(name)?.as_i64()).next()
    }
}
