//! Starts the processes of a run on this machine, and waits for them.
//!
//! Every process gets a pipe from the launcher, on which nothing is ever written. When it closes,
//! because the launcher was asked to end or is no more, the process ends as well: none is left
//! behind, whatever happens to the launcher.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use npuzzle::Cancel;
use npuzzle_cluster::free_addresses;

use super::failure;
use crate::exit::{Exit, Failure};

/// How often to look at the processes.
const TICK: Duration = Duration::from_millis(10);
/// Ctrl-C goes to all processes of the terminal: so long they have to end by themselves.
const COURTESY: Duration = Duration::from_millis(300);
/// Then they are told, and have so long before they are ended.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs this command as so many processes; the exit code is that of the first process, or of the first
/// that failed.
pub(super) fn run(n: usize) -> Result<Exit, Failure> {
    let addresses = free_addresses(n).map_err(failure)?;
    let hosts = Hosts::new(&addresses.join("\n"))?;
    let program = env::current_exe().map_err(|error| Failure::io("this program", &error))?;
    let cancel = crate::io::signals::cancel_gently()?;
    let mut children = Children(Vec::new());
    for process in 0..n {
        let mut command = Command::new(&program);
        command.args(words(&hosts.0.to_string_lossy(), process)).stdin(Stdio::piped());
        if process > 0 {
            command.stdout(Stdio::null());
        }
        let child = command.spawn().map_err(|error| Failure::io(program.display(), &error))?;
        children.0.push(child);
    }
    let exit = children.wait(&cancel).map_err(|error| Failure::io("a process", &error))?;
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { exit })
}

/// Processes that end with this.
struct Children(Vec<Child>);

impl Children {
    /// Waits until all have ended; how the first has that did not do what it should.
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
            // One that has failed ends the others by hanging up.
            let is_failed = exits.iter().flatten().any(|&exit| exit != Exit::Yes);
            if is_failed || cancel.is_cancelled() {
                let waited = since.get_or_insert_with(Instant::now).elapsed();
                if waited > COURTESY && cancel.is_cancelled() {
                    self.0.iter_mut().for_each(|child| drop(child.stdin.take()));
                }
                if waited > PATIENCE {
                    self.0.iter_mut().for_each(|child| drop(child.kill()));
                }
            }
            std::thread::sleep(TICK);
        }
        let failed = exits.into_iter().flatten().find(|&exit| exit != Exit::Yes);
        Ok(failed.unwrap_or(Exit::Yes))
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // Nothing happens to one that has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Ends a process when its launcher is no more, or wants it to.
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
    let number = process.to_string();
    let more = ["--launched", "--hosts", hosts, "--process", &number].map(OsString::from);
    words.splice(1..1, more);
    words
}

/// A file of addresses that goes when all is over.
struct Hosts(PathBuf);

impl Hosts {
    /// A new file: what has its name already, or stands for it, is left alone.
    fn new(text: &str) -> Result<Hosts, Failure> {
        for number in 0u32.. {
            let name = format!("npuzzle-hosts-{}-{number}", std::process::id());
            let path = env::temp_dir().join(name);
            match File::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::io(path.display(), &error)),
                Ok(mut file) => {
                    let hosts = Hosts(path);
                    let written = file.write_all(text.as_bytes());
                    written.map_err(|error| Failure::io(hosts.0.display(), &error))?;
                    return Ok(hosts);
                }
            }
        }
        Err(Failure::usage("no name is left for a file of addresses"))
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
