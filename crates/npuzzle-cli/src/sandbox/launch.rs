//! The launcher: this binary, started again as the process that becomes the program.
//!
//! It sets limits on itself and then executes the program, or bubblewrap which executes the program. So
//! the limits hold from the program's first instruction, and file descriptors for bubblewrap are
//! inherited by no other process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::MemfdFlags;
use rustix::io::FdFlags;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::{landlock, syscalls};

/// The first argument of a launcher.
pub(super) const LAUNCH: &str = "__launch";
/// The exit code if the program cannot be executed.
const NOT_EXECUTED: u8 = 127;

/// The largest file that a program may write, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// The largest number of open files of a process.
const MAX_OPEN: u64 = 1024;

const NO_CAPABILITIES: CapabilitySets = CapabilitySets {
    effective: CapabilitySet::empty(),
    permitted: CapabilitySet::empty(),
    inheritable: CapabilitySet::empty(),
};

/// How a program is confined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Confinement {
    /// By bubblewrap, which is the command.
    Bubblewrap,
    /// By the launcher itself: Landlock and the filter of system calls.
    Kernel { readable: Vec<PathBuf>, writable: PathBuf },
}

/// The program that replaces the launcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Launch {
    /// The file for what the launcher or bubblewrap reports.
    pub(super) status: PathBuf,
    /// The largest number of processes and threads of the user.
    pub(super) max_tasks: u64,
    pub(super) confinement: Confinement,
    pub(super) command: Vec<OsString>,
}

impl Launch {
    /// The command that starts the launcher.
    pub(super) fn command(&self) -> Command {
        // The running binary, even if its file was replaced.
        let mut command = Command::new("/proc/self/exe");
        command.arg(LAUNCH).args(self.to_args());
        command
    }

    fn to_args(&self) -> Vec<OsString> {
        let mut args = vec![self.status.clone().into(), self.max_tasks.to_string().into()];
        if let Confinement::Kernel { readable, writable } = &self.confinement {
            args.push(writable.into());
            args.extend(readable.iter().map(OsString::from));
        }
        args.push("--".into());
        args.extend(self.command.iter().cloned());
        args
    }

    fn from_args(args: &[OsString]) -> Option<Launch> {
        // Paths are absolute, so the first `--` ends them.
        let end = args.iter().position(|arg| arg == "--")?;
        let (fields, command) = (&args[..end], args[end + 1..].to_vec());
        let [status, max_tasks, paths @ ..] = fields else { return None };
        let confinement = match paths {
            [] => Confinement::Bubblewrap,
            [writable, readable @ ..] => Confinement::Kernel {
                readable: readable.iter().map(PathBuf::from).collect(),
                writable: writable.into(),
            },
        };
        let max_tasks = max_tasks.to_str()?.parse().ok()?;
        Some(Launch { status: status.into(), max_tasks, confinement, command })
    }

    /// Replaces this process by the program. Returns only if that fails.
    fn execute(mut self) -> io::Error {
        let status = match OpenOptions::new().append(true).open(&self.status) {
            Ok(status) => status,
            Err(error) => return error,
        };
        let error = match self.confine(&status) {
            Ok(_files) => self.replace_process(),
            Err(error) => error,
        };
        let _ = writeln!(&status, "{ERROR}{}", error.raw_os_error().unwrap_or(0));
        error
    }

    /// Sets the limits, and returns files that have to stay open.
    fn confine(&mut self, status: &File) -> io::Result<Vec<File>> {
        limit(Resource::Fsize, MAX_FILE);
        limit(Resource::Core, 0);
        limit(Resource::Nofile, MAX_OPEN);
        limit(Resource::Nproc, self.max_tasks);
        match &self.confinement {
            Confinement::Kernel { readable, writable } => {
                let mut status = status;
                // Root could otherwise read the memory of other processes. The restrictions below
                // ensure that the program does not get them back.
                let _ = set_capabilities(None, NO_CAPABILITIES);
                if landlock::restrict(readable, writable) {
                    writeln!(status, "{FILES}")?;
                }
                if syscalls::apply() {
                    writeln!(status, "{SYSTEM_CALLS}")?;
                }
                Ok(Vec::new())
            }
            Confinement::Bubblewrap => {
                let mut options = descriptor_option("--json-status-fd", status)?;
                let mut files = Vec::new();
                if let Some(filter) = syscalls::filter(false) {
                    let file = memory_file(&syscalls::to_bytes(&filter))?;
                    options.extend(descriptor_option("--seccomp", &file)?);
                    files.push(file);
                }
                // The program sees the command line of bubblewrap, but not this file.
                let end = self.command.iter().position(|arg| arg == "--").unwrap_or(1);
                options.extend(self.command.drain(1..end));
                let file = memory_file(&zero_terminated(&options))?;
                self.command.splice(1..1, descriptor_option("--args", &file)?);
                files.push(file);
                Ok(files)
            }
        }
    }

    fn replace_process(&self) -> io::Error {
        match self.command.split_first() {
            Some((program, args)) => Command::new(program).args(args).exec(),
            None => io::ErrorKind::InvalidInput.into(),
        }
    }
}

/// The lines of a status file that say what the launcher has restricted.
pub(super) const FILES: &str = "restricted: files";
pub(super) const SYSTEM_CALLS: &str = "restricted: system calls";
/// The start of the line with the system's error number, for a program that was not executed.
const ERROR: &str = "not executed: ";

/// The error in a status file, if the launcher could not execute the program.
pub(super) fn launch_error(status: &str) -> Option<io::Error> {
    let code = status.lines().find_map(|line| line.strip_prefix(ERROR))?;
    Some(match code.parse() {
        Ok(code) if code != 0 => io::Error::from_raw_os_error(code),
        _ => io::ErrorKind::Other.into(),
    })
}

/// Runs the launcher if this process is one; it returns the exit code only if that fails.
pub(crate) fn run_launcher() -> Option<u8> {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let (first, rest) = args.split_first()?;
    if first != OsStr::new(LAUNCH) {
        return None;
    }
    if let Some(launch) = Launch::from_args(rest) {
        launch.execute();
    }
    Some(NOT_EXECUTED)
}

/// Whether a process is still a launcher.
pub(super) fn is_launcher(pid: i32) -> bool {
    let line = std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline"));
    line.is_ok_and(|line| line.split(|&byte| byte == 0).nth(1) == Some(LAUNCH.as_bytes()))
}

/// Lowers a limit of this process. One that cannot be set is left out.
fn limit(resource: Resource, max: u64) {
    let max = getrlimit(resource).maximum.map_or(max, |hard| hard.min(max));
    let _ = setrlimit(resource, Rlimit { current: Some(max), maximum: Some(max) });
}

/// A file with these bytes that has no name.
fn memory_file(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("launch", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

fn zero_terminated(words: &[OsString]) -> Vec<u8> {
    words.iter().flat_map(|word| word.as_bytes().iter().copied().chain([0])).collect()
}

/// An option with the number of a file that the program inherits.
fn descriptor_option(option: &str, file: &File) -> io::Result<Vec<OsString>> {
    rustix::io::fcntl_setfd(file, FdFlags::empty())?;
    Ok(vec![option.into(), file.as_raw_fd().to_string().into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launch_survives_its_arguments() {
        let kernel = Confinement::Kernel {
            readable: vec!["/a b".into(), "/c".into()],
            writable: "/d".into(),
        };
        for confinement in [Confinement::Bubblewrap, kernel] {
            let command = ["sh", "-c", "--", ""].map(OsString::from).to_vec();
            let launch = Launch { status: "/s".into(), max_tasks: 7, confinement, command };
            assert_eq!(Launch::from_args(&launch.to_args()), Some(launch));
        }
        assert_eq!(Launch::from_args(&["/s".into(), "7".into()]), None);
    }

    #[test]
    fn launch_error_is_the_system_error() {
        let error = launch_error("{ \"child-pid\": 1 }\nnot executed: 2\n").unwrap();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(launch_error("{ \"child-pid\": 1 }\n{ \"exit-code\": 0 }\n").is_none());
    }
}
