//! `npuzzle serve` on a free port.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::driver::Process;

/// Starts the server, and returns its address.
pub(crate) fn start() -> (Process, String) {
    start_with(&[])
}

/// Starts the server with further arguments, and returns its address.
pub(crate) fn start_with(args: &[&str]) -> (Process, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_npuzzle"))
        .args(["serve", "--port", "0"])
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("npuzzle starts");
    let output = child.stdout.take().expect("piped");
    let server = Process(child);
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let address =
        lines.find_map(|line| address_in(&line)).expect("npuzzle serve tells its address");
    std::thread::spawn(move || lines.for_each(drop));
    (server, address)
}

fn address_in(line: &str) -> Option<String> {
    let begin = line.find("http://")?;
    let address = line[begin..].split_whitespace().next()?;
    Some(address.trim_end_matches('/').to_owned() + "/")
}
