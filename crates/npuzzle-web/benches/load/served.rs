//! The server in a process of its own, which tells what it has allocated.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use npuzzle_web::{Config, Server};
use peak_alloc::PeakAlloc;

/// Serves until standard input is closed, as it is when the clients have gone, however they went; for
/// each line of it tells how many bytes are allocated.
pub(crate) fn serve(allocated: &'static PeakAlloc) {
    let server = Server::bind(Config { port: 0, ..Config::default() }).unwrap();
    println!("{}", server.address());
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            println!("{}", allocated.current_usage());
        }
        drop(end);
    });
    let until = async {
        let _ = ended.await;
        Ok(())
    };
    server.run(until).unwrap();
}

/// This program once more, as the server.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Served {
    pub(crate) fn start() -> Served {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let questions = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let address = line(&mut answers).parse().unwrap();
        Served { address, child, questions, answers }
    }

    /// Kibibytes that it has allocated.
    pub(crate) fn allocated_kib(&mut self) -> u64 {
        writeln!(self.questions).unwrap();
        line(&mut self.answers).parse::<u64>().unwrap() / 1024
    }

    /// Kibibytes that it holds; 0 where that is not told.
    pub(crate) fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    pub(crate) fn end(mut self) {
        drop(self.questions);
        assert!(self.child.wait().unwrap().success(), "the server ends in good order");
    }
}

fn line(answers: &mut impl BufRead) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    line.trim().to_owned()
}
