//! Runs the binary.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// The result of a run of the binary.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunResult {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_npuzzle"));
    // Not the user's cache.
    command.env("NPUZZLE_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// Runs the binary with an empty standard input.
pub(crate) fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> RunResult {
    run_with(args, "")
}

/// Runs the binary with a text as standard input.
pub(crate) fn run_with<S: AsRef<OsStr>>(
    args: impl IntoIterator<Item = S>,
    stdin: &str,
) -> RunResult {
    let mut command = command();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let text = stdin.to_owned();
    // A process that fails early closes the pipe, which is not an error of the test.
    let writer = std::thread::spawn(move || drop(pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    RunResult::from(output)
}

impl From<Output> for RunResult {
    fn from(output: Output) -> RunResult {
        RunResult {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A command in a shell that limits the size of files to `n_blocks` blocks of 512 or 1024 bytes, like a
/// full disk.
#[cfg(unix)]
pub(crate) fn on_full_disk(n_blocks: u32, command: &Command) -> Command {
    let mut full = Command::new("sh");
    full.args(["-c", &format!("ulimit -c 0; ulimit -f {n_blocks}; exec \"$@\""), "sh"]);
    full.arg(command.get_program()).args(command.get_args());
    full.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    full
}

/// Starts a batch that writes to this file and searches for a long time after its first answer. Returns
/// when the answer is written, with the process and the partial file.
pub(crate) fn start_batch(out: &Path) -> (Child, PathBuf) {
    const HARD: &str = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";
    let mut batch = command();
    batch.args(["solve", "1 2/0 3", HARD, "--time", "none", "--quiet", "-o"]).arg(out);
    let child = batch.stderr(Stdio::piped()).spawn().unwrap();
    let partial = PathBuf::from(format!("{}.partial", out.display()));
    while fs::read_to_string(&partial).unwrap_or_default().is_empty() {
        std::thread::yield_now();
    }
    (child, partial)
}

/// A temporary folder, removed on drop.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("npuzzle-test-{}-{number}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and returns its path.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The names of all files, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
