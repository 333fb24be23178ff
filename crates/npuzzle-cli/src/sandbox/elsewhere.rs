//! Systems other than Linux have no isolation: programs run with a small environment only.

use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus};

use npuzzle_courses::ProcessEnd;

use super::{IsolationRequest, Protection, WritableFolder, environment};
use crate::exit::Failure;
use crate::messages;

const REASON: &str = "there is no sandbox on this system";

/// How programs are isolated.
pub(crate) struct Isolation;

impl Isolation {
    pub(crate) fn choose(_: &[OsString], request: &IsolationRequest) -> Result<Isolation, Failure> {
        if request.is_required {
            return Err(super::refusal(REASON));
        }
        messages::warning(super::warning(REASON, Isolation.protections()));
        Ok(Isolation)
    }

    /// The protections that are on.
    pub(crate) fn protections(&self) -> &[Protection] {
        &[Protection::Environment]
    }

    pub(super) fn prepare(
        &self,
        command: &[OsString],
        folder: WritableFolder<'_>,
    ) -> io::Result<Prepared> {
        let Some((program, args)) = command.split_first() else {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        };
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(environment(folder.path));
        if folder.is_current {
            command.current_dir(folder.path);
        }
        Ok(Prepared { command })
    }
}

/// A program that is ready to be started.
pub(super) struct Prepared {
    pub(super) command: Command,
}

impl Prepared {
    pub(super) fn check(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn ended_by(&self, status: ExitStatus) -> ProcessEnd {
        super::ended_by(status)
    }
}
