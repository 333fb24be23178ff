//! The server in its own process, which reports its allocated memory.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use npuzzle_web::{Config, Server};
use peak_alloc::PeakAlloc;

/// Serves until standard input is closed, which also happens when the parent process dies. For each
/// line of input it prints the number of allocated bytes.
pub(crate) fn serve(allocated: &'static PeakAlloc) {
    let server = Server::bind(Config { port: 0, ..Config::default() }).unwrap();
    println!("{}", server.address());
    let (shutdown, receiver) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            println!("{}", allocated.current_usage());
        }
        drop(shutdown);
    });
    let wait = async {
        let _ = receiver.await;
        Ok(())
    };
    server.run(wait).unwrap();
}

/// A child process that runs this program as the server.
pub(crate) struct ServerProcess {
    pub(crate) address: SocketAddr,
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl ServerProcess {
    pub(crate) fn start() -> ServerProcess {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let address = read_line(&mut stdout).parse().unwrap();
        ServerProcess { address, child, stdin, stdout }
    }

    /// Returns the allocated memory in KiB.
    pub(crate) fn allocated_kib(&mut self) -> u64 {
        writeln!(self.stdin).unwrap();
        read_line(&mut self.stdout).parse::<u64>().unwrap() / 1024
    }

    /// Returns the resident memory in KiB, or 0 on systems without `/proc`.
    pub(crate) fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    pub(crate) fn shut_down(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().unwrap().success(), "the server failed");
    }
}

fn read_line(stdout: &mut impl BufRead) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    line.trim().to_owned()
}
