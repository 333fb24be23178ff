//! Fresh processes: how long the program takes from its start to its answer.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::memory;

/// How often a process is started; the fastest counts, since all else is the machine's doing.
const N_STARTS: usize = 200;

/// The least time that the command line takes for a board; `None` if it has not been built.
pub(crate) fn answer(args: &[&str]) -> Option<Duration> {
    let mut command = command_line()?;
    command.arg("solve").args(args).args(["-q", "--no-cache"]);
    fastest(command)
}

/// How long the command line takes for what is written to it, once, and the most bytes that it has in
/// memory meanwhile, as far as the system tells; `None` if it has not been built.
pub(crate) fn whole(args: &[&str], input: &str) -> Option<(Duration, Option<u64>)> {
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

/// The least time of a program that does nothing; `None` if the system has none.
pub(crate) fn nothing() -> Option<Duration> {
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

/// The program, which `cargo xtask bench` builds beside this one: `release/npuzzle`,
/// `release/deps/targets-…`.
pub(crate) fn command_line() -> Option<Command> {
    let name = format!("npuzzle{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::current_exe().ok()?.parent()?.parent()?.join(name);
    path.exists().then(|| Command::new(path))
}
