//! Starts the processes of `--local`, and waits for them.
//!
//! The standard input of every process is a pipe from the launcher, to which nothing is ever written.
//! When the pipe is closed, because the launcher was interrupted or killed, the process ends. So no
//! process outlives the launcher.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use npuzzle::Cancel;
use npuzzle_cluster::free_addresses;

use super::failure;
use crate::exit::{Exit, Failure};
use crate::io::signals;
use crate::io::temp_dir::TempDir;

/// The time between checks of the processes.
const INTERVAL: Duration = Duration::from_millis(10);
/// How long the processes have to end by themselves: Ctrl-C reaches all processes of the terminal. Then
/// their pipes are closed.
const CLOSE_AFTER: Duration = Duration::from_millis(300);
/// How long the processes have to end before they are killed.
const KILL_AFTER: Duration = Duration::from_secs(20);

/// Runs this command as `n` processes. The exit code is that of the first process that failed, if any.
pub(super) fn run(n: usize) -> Result<Exit, Failure> {
    let addresses = free_addresses(n).map_err(failure)?;
    let folder = TempDir::create()?;
    let hosts = folder.path("hosts.txt");
    fs::write(&hosts, addresses.join("\n"))
        .map_err(|error| Failure::io(hosts.display(), &error))?;
    let program = env::current_exe().map_err(|error| Failure::io("this program", &error))?;
    let cancel = signals::cancel_gently()?;
    let mut children = Children(Vec::new());
    for process in 0..n {
        let mut command = Command::new(&program);
        command.args(child_args(&hosts.to_string_lossy(), process)).stdin(Stdio::piped());
        if process > 0 {
            command.stdout(Stdio::null());
        }
        let child = command.spawn().map_err(|error| Failure::io(program.display(), &error))?;
        children.0.push(child);
    }
    let exit = children.wait(&cancel).map_err(|error| Failure::io("a process", &error))?;
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { exit })
}

/// Child processes, which are killed on drop.
struct Children(Vec<Child>);

impl Children {
    /// Waits until all have ended, and returns the exit code of the first that failed.
    fn wait(&mut self, cancel: &Cancel) -> io::Result<Exit> {
        let mut exits = vec![None; self.0.len()];
        let mut since: Option<Instant> = None;
        loop {
            for (child, exit) in self.0.iter_mut().zip(&mut exits) {
                if exit.is_none() {
                    *exit = child.try_wait()?.map(|status| Exit::from_code(status.code()));
                }
            }
            if exits.iter().all(Option::is_some) {
                break;
            }
            // A process that fails closes its connections, which ends the others.
            let is_failed = exits.iter().flatten().any(|&exit| exit != Exit::Yes);
            if is_failed || cancel.is_cancelled() {
                let waited = since.get_or_insert_with(Instant::now).elapsed();
                if waited > CLOSE_AFTER && cancel.is_cancelled() {
                    self.0.iter_mut().for_each(|child| drop(child.stdin.take()));
                }
                if waited > KILL_AFTER {
                    self.0.iter_mut().for_each(|child| drop(child.kill()));
                }
            }
            std::thread::sleep(INTERVAL);
        }
        let failed = exits.into_iter().flatten().find(|&exit| exit != Exit::Yes);
        Ok(failed.unwrap_or(Exit::Yes))
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // Has no effect on a process that has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Cancels this process when its launcher closes the pipe.
pub(super) fn cancel_with_launcher(cancel: &Cancel) -> Result<(), Failure> {
    let cancel = cancel.clone();
    let listen = move || {
        let mut byte = [0];
        while matches!(io::stdin().read(&mut byte), Ok(n) if n > 0) {}
        cancel.cancel();
    };
    let started = std::thread::Builder::new().spawn(listen);
    started.map(drop).map_err(|error| Failure::io("a thread", &error))
}

/// The arguments of this process, with the file of addresses in place of `--local`.
fn child_args(hosts: &str, process: usize) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    let mut own_args = env::args_os().skip(1);
    while let Some(arg) = own_args.next() {
        match arg.to_str() {
            Some("--local") => drop(own_args.next()),
            Some(text) if text.starts_with("--local=") => {}
            _ => args.push(arg),
        }
    }
    // After the name of the command.
    let number = process.to_string();
    let more = ["--launched", "--hosts", hosts, "--process", &number].map(OsString::from);
    args.splice(1..1, more);
    args
}
