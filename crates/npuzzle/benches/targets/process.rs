//! The time of a process, from its start to its end.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::memory;

/// The number of starts of a process. The fastest counts, since the others include other load.
const N_STARTS: usize = 200;

/// Returns the shortest time of the program for a board, or `None` if it has not been built.
pub(crate) fn answer(args: &[&str]) -> Option<Duration> {
    let mut command = command_line()?;
    command.arg("solve").args(args).args(["-q", "--no-cache"]);
    fastest(command)
}

/// Runs the program once with this input. Returns its time and its peak memory in bytes, if the system
/// reports it, or `None` if the program has not been built.
pub(crate) fn run(args: &[&str], input: &str) -> Option<(Duration, Option<u64>)> {
    let mut command = command_line()?;
    command.arg("solve").args(args).arg("--no-cache");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let id = child.id().to_string();
    let mut bytes = None;
    let status = loop {
        bytes = bytes.max(memory::resident_of(&id));
        match child.try_wait().ok()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    assert!(status.success(), "{command:?}");
    Some((start.elapsed(), bytes))
}

/// Returns the shortest time of the program `true`, or `None` if the system has none.
pub(crate) fn empty() -> Option<Duration> {
    fastest(Command::new("true"))
}

fn fastest(mut command: Command) -> Option<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut time = || {
        let start = Instant::now();
        let status = command.status().ok()?;
        let time = start.elapsed();
        assert!(status.success(), "{command:?}");
        Some(time)
    };
    (0..N_STARTS).map_while(|_| time()).min()
}

/// Returns the program `release/npuzzle`, which `cargo xtask bench` builds; this one is
/// `release/deps/targets-…`.
pub(crate) fn command_line() -> Option<Command> {
    let name = format!("npuzzle{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::current_exe().ok()?.parent()?.parent()?.join(name);
    path.exists().then(|| Command::new(path))
}
