//! `npuzzle serve` as a process: its address, its answers, its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::program::{command, run};

/// A server, and the address it prints.
fn serve(args: &[&str]) -> (Child, String) {
    let mut command = command();
    command.args(["serve", "--port", "0"]).args(args);
    started(&mut command)
}

fn started(command: &mut Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
    (child, address.unwrap_or_else(|| panic!("{line:?}")).to_owned())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

#[cfg(unix)]
fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

#[cfg(unix)]
fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    send(&child, signal);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (child.wait().unwrap().code(), told)
}

#[cfg(unix)]
#[test]
fn a_server_answers_until_it_is_interrupted() {
    // Who runs the tests under nohup has none of the last.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let is_heard = u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 0;
    let signals = ["-INT", "-TERM", "-HUP"];
    for signal in &signals[..if is_heard { 3 } else { 2 }] {
        let (child, address) = serve(&["--time", "5s", "--memory", "100M", "--jobs", "3"]);
        let version = get(&address, "/api/v1/version");
        for words in ["\"time_ms\":5000", "\"memory_bytes\":104857600", "\"jobs\":3"] {
            assert!(version.contains(words), "{version}");
        }
        assert!(get(&address, "/").starts_with("HTTP/1.1 200 OK"));
        assert_eq!(end(child, signal), (Some(130), String::new()));
    }
}

/// What `nohup` starts has the signal of a closed terminal ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_is_to_outlive_its_terminal_does() {
    let mut deaf = Command::new("sh");
    deaf.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_npuzzle")]);
    let (child, address) = started(deaf.args(["serve", "--port", "0", "--no-cache"]));
    assert!(get(&address, "/api/v1/version").starts_with("HTTP/1.1 200 OK"));
    send(&child, "-HUP");
    assert!(get(&address, "/api/v1/version").starts_with("HTTP/1.1 200 OK"));
    assert_eq!(end(child, "-TERM"), (Some(130), String::new()));
}

#[cfg(unix)]
#[test]
fn whoever_lets_others_in_is_warned() {
    let (child, address) = serve(&["--host", "0.0.0.0", "--allow-host", "puzzle.example"]);
    let port = address.rsplit(':').next().unwrap();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: puzzle.example\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    let (code, told) = end(child, "-INT");
    assert_eq!(code, Some(130));
    assert!(told.contains("warning: everybody who can reach 0.0.0.0:"), "{told}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_had_is_told() {
    let (child, address) = serve(&[]);
    assert!(address.starts_with("127.0.0.1:"), "{address}: for this machine alone");
    let port = address.rsplit(':').next().unwrap();
    let ran = run(["serve", "--port", port]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.contains("--port 0 takes a free one"), "{}", ran.stderr);
    end(child, "-INT");
    assert_eq!(run(["serve", "--time", "none"]).code, 2);
    assert_eq!(run(["serve", "--host", "localhost"]).code, 2);
    for jobs in ["0", "1025", "18446744073709551615"] {
        assert_eq!(run(["serve", "--jobs", jobs]).code, 2, "{jobs}");
    }
}

/// A stack that no memory has room for: the system starts no thread.
#[cfg(unix)]
#[test]
fn threads_that_cannot_be_started_are_told() {
    let mut command = command();
    command.args(["serve", "--port", "0"]).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Ends with the program, or with its first line if it serves.
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (code, told) = end(child, "-INT");
    assert_eq!((code, line.as_str()), (Some(4), ""));
    assert!(told.contains("threads for jobs cannot be started"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}
