//! Starts the processes of a run on this machine, and waits for them.

use std::env;
use std::ffi::OsString;
use std::process::{Child, Command, Stdio};

use npuzzle_cluster::free_addresses;

use super::{failure, wait_gently};
use crate::exit::{Exit, Failure};

/// Runs this command as so many processes; the exit code is that of the first process, or of the first
/// that failed.
pub(super) fn run(n: usize) -> Result<Exit, Failure> {
    let addresses = free_addresses(n).map_err(failure)?;
    let name = format!("npuzzle-hosts-{}", std::process::id());
    let hosts = Hosts(env::temp_dir().join(name));
    let io = |error: std::io::Error| Failure::io(hosts.0.display(), &error);
    std::fs::write(&hosts.0, addresses.join("\n")).map_err(io)?;
    let program = env::current_exe().map_err(|error| Failure::io("this program", &error))?;
    // Ctrl-C goes to all processes of the terminal: they end by themselves.
    let cancel = wait_gently()?;
    let mut children: Vec<Child> = Vec::new();
    for process in 0..n {
        let mut command = Command::new(&program);
        command.args(words(&hosts.0.to_string_lossy(), process));
        if process > 0 {
            command.stdout(Stdio::null()).stdin(Stdio::null());
        }
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                // Those that were started wait for the others in vain.
                for child in &mut children {
                    let _ = child.kill();
                    let _ = child.wait();
                }
                return Err(Failure::io(program.display(), &error));
            }
        }
    }
    let mut exit = Exit::Yes;
    for mut child in children {
        let status = child.wait().map_err(|error| Failure::io("a process", &error))?;
        let code = Exit::from_code(status.code());
        if exit == Exit::Yes {
            exit = code;
        }
    }
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { exit })
}

/// The words of this command, with the addresses instead of the number of processes.
fn words(hosts: &str, process: usize) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut given = env::args_os().skip(1);
    while let Some(word) = given.next() {
        match word.to_str() {
            Some("--local") => drop(given.next()),
            Some(text) if text.starts_with("--local=") => {}
            _ => words.push(word),
        }
    }
    // After the name of the verb.
    let more = ["--hosts".into(), hosts.into(), "--process".into(), process.to_string().into()];
    words.splice(1..1, more);
    words
}

/// A file of addresses that goes when all is over.
struct Hosts(std::path::PathBuf);

impl Drop for Hosts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
