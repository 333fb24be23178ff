//! The arguments of bubblewrap, which runs a program in namespaces of its own.
//!
//! Bubblewrap's first process in the PID namespace does not die with its parent, so that the processes that
//! the program leaves can be counted. Killing that process ends all others in the namespace.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use super::WritableFolder;
use super::view::View;

/// The sizes of the two folders in memory, in bytes. Their pages belong to no process.
const TMP_SIZE: &str = "33554432";
const SHM_SIZE: &str = "16777216";

/// The arguments that show the files of `view` read-only, and one writable folder.
pub(super) fn arguments(view: &View, folder: WritableFolder<'_>) -> Vec<OsString> {
    let mut args = Arguments::default();
    args.add(["--unshare-all", "--new-session", "--cap-drop", "ALL"]);
    args.add(["--hostname", "sandbox"]);
    for path in &view.system {
        match fs::read_link(path) {
            // `/bin` is a link to `usr/bin`, or a folder.
            Ok(target) => args.add_paths("--symlink", &[&target, path]),
            Err(_) => args.add_paths("--ro-bind-try", &[path, path]),
        }
    }
    args.add(["--proc", "/proc", "--dev", "/dev"]);
    args.add(["--size", SHM_SIZE, "--tmpfs", "/dev/shm", "--size", TMP_SIZE, "--tmpfs", "/tmp"]);
    for path in &view.own {
        args.add_paths("--ro-bind-try", &[path, path]);
    }
    args.add_paths("--bind", &[folder.path, folder.path]);
    for path in &view.hidden {
        match path.is_dir() {
            true => args.add_paths("--tmpfs", &[path]),
            false => args.add_paths("--ro-bind", &[Path::new("/dev/null"), path]),
        }
    }
    if view.current.parent().is_some() {
        args.add_paths("--dir", &[&view.current]);
    }
    // A user namespace of root may write the settings of the kernel in /proc/sys: these belong to root.
    args.add(["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]);
    args.add_paths("--chdir", &[if folder.is_current { folder.path } else { &view.current }]);
    args.0
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.map(OsString::from));
    }

    fn add_paths(&mut self, option: &str, paths: &[&Path]) {
        self.0.push(option.into());
        self.0.extend(paths.iter().map(|path| OsStr::to_owned(path.as_os_str())));
    }
}
