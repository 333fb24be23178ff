//! `npuzzle serve` as a process: address, answers, signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::program::{command, run};

/// Starts a server, and returns the address it prints.
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
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (child.wait().unwrap().code(), stderr)
}

#[cfg(unix)]
#[test]
fn server_answers_until_a_signal() {
    // Under nohup, HUP is ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let is_hup_handled = u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 0;
    let signals = [("-INT", 130), ("-TERM", 0), ("-HUP", 130)];
    for (signal, code) in &signals[..if is_hup_handled { 3 } else { 2 }] {
        let (child, address) = serve(&["--time", "5s", "--memory", "100M", "--jobs", "3"]);
        let version = get(&address, "/api/v1/version");
        for words in ["\"time_ms\":5000", "\"memory_bytes\":104857600", "\"jobs\":3"] {
            assert!(version.contains(words), "{version}");
        }
        assert!(get(&address, "/").starts_with("HTTP/1.1 200 OK"));
        assert_eq!(end(child, signal), (Some(*code), String::new()));
    }
}

/// `nohup` makes its children ignore HUP, the signal of a closed terminal.
#[cfg(target_os = "linux")]
#[test]
fn server_under_nohup_outlives_its_terminal() {
    let mut nohup = Command::new("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_npuzzle")]);
    let (child, address) = started(nohup.args(["serve", "--port", "0", "--no-cache"]));
    assert!(get(&address, "/api/v1/version").starts_with("HTTP/1.1 200 OK"));
    send(&child, "-HUP");
    assert!(get(&address, "/api/v1/version").starts_with("HTTP/1.1 200 OK"));
    assert_eq!(end(child, "-TERM"), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn server_warns_when_other_machines_can_connect() {
    let (child, address) = serve(&["--host", "0.0.0.0", "--allow-host", "puzzle.example"]);
    let port = address.rsplit(':').next().unwrap();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: puzzle.example\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    let (code, stderr) = end(child, "-INT");
    assert_eq!(code, Some(130));
    assert!(stderr.contains("warning: anyone who can reach 0.0.0.0:"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn server_reports_unavailable_ports_and_bad_limits() {
    let (child, address) = serve(&["--host", "localhost"]);
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let port = address.rsplit(':').next().unwrap();
    let ran = run(["serve", "--port", port]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.contains("--port 0 selects a free port"), "{}", ran.stderr);
    end(child, "-INT");
    assert_eq!(run(["serve", "--time", "none"]).code, 2);
    let ran = run(["serve", "--host", "nowhere"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("expected localhost or an IP address"), "{}", ran.stderr);
    for jobs in ["0", "1025", "18446744073709551615"] {
        assert_eq!(run(["serve", "--jobs", jobs]).code, 2, "{jobs}");
    }
}

/// With a stack size beyond all memory, the system starts no thread.
#[cfg(unix)]
#[test]
fn server_reports_missing_threads() {
    let mut command = command();
    command.args(["serve", "--port", "0"]).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Returns when the process ends, or prints its address.
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (code, stderr) = end(child, "-INT");
    assert_eq!((code, line.as_str()), (Some(4), ""));
    assert!(stderr.contains("threads for jobs"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}
