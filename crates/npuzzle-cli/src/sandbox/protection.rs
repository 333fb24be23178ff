//! The protections of a sandbox, and the messages about missing ones.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// A protection against a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protection {
    /// It reads the system's and its own files, and writes to a folder of its own.
    Files,
    /// It has no network.
    Network,
    /// It sees and reaches only its own processes, and none of them outlives it.
    Processes,
    /// It cannot hide memory or use rarely needed parts of the kernel.
    SystemCalls,
    /// It sees a few environment variables.
    Environment,
    /// Limits on files and processes hold from its first instruction.
    Limits,
}

impl Protection {
    pub(crate) const ALL: &[Protection] = &[
        Protection::Files,
        Protection::Network,
        Protection::Processes,
        Protection::SystemCalls,
        Protection::Environment,
        Protection::Limits,
    ];

    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Protection::Files => "files",
            Protection::Network => "network",
            Protection::Processes => "processes",
            Protection::SystemCalls => "system calls",
            Protection::Environment => "environment",
            Protection::Limits => "limits",
        }
    }
}

/// The names of protections, for a line of text.
pub(crate) fn names(protections: &[Protection]) -> String {
    let names: Vec<&str> = protections.iter().map(|protection| protection.name()).collect();
    names.join(", ")
}

/// The isolation that a user requests.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "other systems have no isolation"))]
pub(crate) struct IsolationRequest {
    /// Whether to fail without full isolation.
    pub(crate) is_required: bool,
    /// Files and folders that the program may read.
    pub(crate) allowed: Vec<PathBuf>,
    /// Files that it must not see.
    pub(crate) hidden: Vec<PathBuf>,
}

/// The error if full isolation is required.
pub(super) fn refusal(reason: &str) -> Failure {
    Failure::usage(format!("--require-sandbox: {reason}"))
}

/// The warning if isolation is not full.
pub(super) fn warning(reason: &str, protections: &[Protection]) -> String {
    let is_missing = |protection: &Protection| !protections.contains(protection);
    let missing: Vec<_> = Protection::ALL.iter().copied().filter(is_missing).collect();
    format!("{reason}; not protected: {}", names(&missing))
}

/// The environment of a program.
pub(super) fn environment(folder: &Path) -> Vec<(&'static str, OsString)> {
    let inherited = |name: &'static str| env::var_os(name).map(|value| (name, value));
    let names = if cfg!(windows) { &["PATH", "SystemRoot", "PATHEXT"][..] } else { &["PATH"] };
    let mut variables: Vec<_> = names.iter().copied().filter_map(inherited).collect();
    for name in ["HOME", "TMPDIR"] {
        variables.push((name, folder.into()));
    }
    for name in ["LANG", "LC_ALL"] {
        variables.push((name, env::var_os(name).unwrap_or_else(|| "C.UTF-8".into())));
    }
    variables
}
