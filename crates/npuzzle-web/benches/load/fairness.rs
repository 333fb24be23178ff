//! The latency of easy boards while hard ones are searched.

use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use npuzzle::Board;
use serde_json::json;

use crate::clients::solve;

/// A 24-puzzle whose proof takes hours.
const HARD: &str = "0 24 23 22 21/20 19 18 17 16/15 14 13 12 11/10 9 8 7 6/5 4 3 2 1";
const EASY: &str = "8 1 3/4 0 2/7 6 5";

/// Prints the latencies of a client that sends easy boards, alone and while `n_hard` other requests ask for proofs.
pub(crate) fn measure(server: SocketAddr, n_hard: u64, time: Duration) {
    print_latencies("alone", &latencies(server, time / 2));
    let hard: Vec<TcpStream> = (0..n_hard).map(|_| ask_for_proof(server)).collect();
    // The proofs have passed their validation by then.
    std::thread::sleep(Duration::from_secs(2));
    print_latencies(&format!("with {n_hard} hard searches"), &latencies(server, time / 2));
    drop(hard);
}

fn ask_for_proof(server: SocketAddr) -> TcpStream {
    let body = json!({"board": HARD, "optimal": true, "tables": "small"}).to_string();
    let mut stream = TcpStream::connect(server).unwrap();
    write!(
        stream,
        "POST /api/v1/solve HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    stream
}

/// Returns the latencies of requests that are sent one after another, sorted.
fn latencies(server: SocketAddr, time: Duration) -> Vec<Duration> {
    let board: Board = EASY.parse().unwrap();
    let mut stream: Option<BufReader<TcpStream>> = None;
    let (started, mut latencies) = (Instant::now(), Vec::new());
    while started.elapsed() < time {
        let sent = Instant::now();
        let response = solve(server, &mut stream, &board).unwrap();
        assert_eq!(response["moves"], 14);
        latencies.push(sent.elapsed());
        // A person asks at most so often; without the pause the client itself would be the load.
        std::thread::sleep(Duration::from_millis(5));
    }
    latencies.sort_unstable();
    latencies
}

fn print_latencies(name: &str, sorted: &[Duration]) {
    let ms = |share: f64| {
        let position = ((sorted.len() - 1) as f64 * share).round() as usize;
        sorted[position].as_secs_f64() * 1e3
    };
    println!(
        "{name}: {} answers, p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
        sorted.len(),
        ms(0.5),
        ms(0.99),
        ms(1.0)
    );
}
