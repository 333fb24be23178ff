//! How programs are isolated on this Linux system: chosen once for a command, by trying it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::launch::{self, Confinement, Launch};
use super::prepared::{Prepared, STATUS};
use super::processes;
use super::view::{self, View};
use super::{IsolationRequest, Protection, WritableFolder, bwrap, environment, syscalls};
use crate::exit::Failure;
use crate::io::temp_dir::TempDir;
use crate::messages;

const PACKAGE: &str =
    "install the package bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)";

/// How programs are isolated.
pub(crate) struct Isolation {
    /// The path of bubblewrap, if it works here.
    bubblewrap: Option<PathBuf>,
    view: View,
    protections: Vec<Protection>,
}

impl Isolation {
    /// Chooses the strongest isolation that works here. Warns if it is not the full one, or fails if that is
    /// required.
    pub(crate) fn choose(
        command: &[OsString],
        request: &IsolationRequest,
    ) -> Result<Isolation, Failure> {
        let mut hidden = request.hidden.clone();
        hidden.extend(std::env::current_exe());
        let view = View::of(command, &request.allowed, &hidden)
            .map_err(|error| Failure::io("current folder", &error))?;
        let mut isolation = Isolation { bubblewrap: None, view, protections: Vec::new() };
        match isolation.find_bubblewrap()? {
            Ok(path) => {
                isolation.bubblewrap = Some(path);
                isolation.protections = Protection::ALL.to_vec();
                if syscalls::filter(false).is_none() {
                    isolation.protections.retain(|&one| one != Protection::SystemCalls);
                }
            }
            Err(reason) if request.is_required => return Err(super::refusal(&reason)),
            Err(reason) => {
                isolation.protections = isolation.probe_kernel()?;
                messages::warning(super::warning(&reason, &isolation.protections));
            }
        }
        Ok(isolation)
    }

    /// The protections that are on.
    pub(crate) fn protections(&self) -> &[Protection] {
        &self.protections
    }

    /// Prepares a run of a command.
    pub(super) fn prepare(
        &self,
        command: &[OsString],
        folder: WritableFolder<'_>,
    ) -> io::Result<Prepared> {
        self.prepare_with(self.bubblewrap.as_deref(), command, folder)
    }

    fn prepare_with(
        &self,
        bubblewrap: Option<&Path>,
        command: &[OsString],
        folder: WritableFolder<'_>,
    ) -> io::Result<Prepared> {
        view::find_program(command.first().map_or(OsStr::new(""), OsString::as_os_str))?;
        let own_folder =
            TempDir::create().map_err(|failure| io::Error::other(failure.to_string()))?;
        let status = own_folder.path(STATUS);
        File::create(&status)?;
        let (confinement, command) = match bubblewrap {
            Some(bubblewrap) => {
                let mut args = vec![bubblewrap.into()];
                args.extend(bwrap::arguments(&self.view, folder));
                args.push("--".into());
                args.extend(command.iter().cloned());
                (Confinement::Bubblewrap, args)
            }
            None => {
                let (system, own) = (self.view.system.iter(), self.view.own.iter());
                let readable = system.chain(own).cloned().collect();
                (
                    Confinement::Kernel { readable, writable: folder.path.to_owned() },
                    command.to_vec(),
                )
            }
        };
        let is_wrapped = confinement == Confinement::Bubblewrap;
        let max_tasks = processes::max_tasks();
        let launch = Launch { status, max_tasks, confinement, command };
        let mut command = launch.command();
        command.env_clear().envs(environment(folder.path));
        if folder.is_current {
            command.current_dir(folder.path);
        }
        Ok(Prepared::new(command, is_wrapped, own_folder))
    }

    /// The path of bubblewrap, or why it cannot be used.
    fn find_bubblewrap(&self) -> Result<Result<PathBuf, String>, Failure> {
        let Ok(path) = view::find_program(OsStr::new("bwrap")) else {
            return Ok(Err(format!("bubblewrap is not installed; {PACKAGE}")));
        };
        let (prepared, stderr) = self.probe(Some(&path))?;
        let is_shortage = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory)
        };
        Ok(match prepared.check(&stderr) {
            Ok(()) => Ok(path),
            // It works at other times.
            Err(error) if is_shortage(&error) => return Err(Failure::io("bubblewrap", &error)),
            Err(_) => {
                let reason = stderr.lines().next().unwrap_or("it fails without a message");
                Err(format!("bubblewrap does not work here ({reason})"))
            }
        })
    }

    fn probe_kernel(&self) -> Result<Vec<Protection>, Failure> {
        let (prepared, _) = self.probe(None)?;
        let status = prepared.status();
        let is_on = |protection: &Protection| match protection {
            Protection::Files => status.contains(launch::FILES),
            Protection::Network | Protection::SystemCalls => status.contains(launch::SYSTEM_CALLS),
            Protection::Processes => false,
            Protection::Environment | Protection::Limits => true,
        };
        Ok(Protection::ALL.iter().copied().filter(is_on).collect())
    }

    /// Runs a shell that does nothing. Returns its standard error.
    fn probe(&self, bubblewrap: Option<&Path>) -> Result<(Prepared, String), Failure> {
        let failure = |error: io::Error| Failure::io("sandbox", &error);
        let folder = TempDir::create()?;
        let writable = WritableFolder { path: folder.as_path(), is_current: false };
        let command = ["/bin/sh", "-c", ":"].map(OsString::from);
        let mut prepared = self.prepare_with(bubblewrap, &command, writable).map_err(failure)?;
        // A group of its own, so that Ctrl-C does not interrupt it.
        let command = prepared.command.stdin(Stdio::null()).process_group(0);
        let output = command.output().map_err(failure)?;
        Ok((prepared, String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
