//! The memory limits of buffered requests and responses.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use npuzzle_web::ServerLimits;
use serde_json::{Value, json};

use crate::client::{Reply, TestServer, post, read_head};

/// A request whose response has about 26 MB; the system's socket buffers hold at most 10 MB.
fn large_request() -> Value {
    json!({"rows": 127, "cols": 127, "count": 100, "seed": 1})
}

fn small_request() -> Value {
    json!({"board": "1 2 3/4 0 5/7 8 6"})
}

fn assert_busy(reply: &Reply) {
    assert_eq!((reply.status, reply.kind().as_str()), (503, "busy"), "{reply:?}");
    assert!(reply.header("retry-after").is_some());
}

/// Sends the large request and reads only the head of the response; returns the length of the body.
fn begin_large_response(server: &TestServer) -> (BufReader<TcpStream>, usize) {
    let mut stream = server.connect();
    stream.write_all(post("/api/v1/generate", &large_request().to_string()).as_bytes()).unwrap();
    let mut reader = BufReader::with_capacity(1 << 10, stream);
    let (status, head) = read_head(&mut reader);
    assert_eq!(status, 200);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    (reader, length.parse().unwrap())
}

#[test]
fn unread_responses_beyond_the_budget_are_unavailable() {
    let limits = ServerLimits {
        max_buffered_responses: 30_000_000,
        stall_timeout: Duration::from_secs(60),
        ..ServerLimits::default()
    };
    let server = TestServer::with(limits);
    let (slow, length) = begin_large_response(&server);
    assert!(length > 20_000_000);
    assert_busy(&server.post("/api/v1/generate", &large_request()));
    assert_eq!(server.count("refused"), 1);
    // Small responses need no budget.
    assert_eq!(server.request("/api/v1/solve", small_request())["moves"], 2);
    drop(slow);
    server.wait_for("connections", |n| n == 1);
    let reply = server.post("/api/v1/generate", &large_request());
    assert_eq!((reply.status, reply.body.len()), (200, length));
}

#[test]
fn response_larger_than_the_budget_is_refused() {
    let server = TestServer::with(ServerLimits {
        max_buffered_responses: 20_000,
        ..ServerLimits::default()
    });
    let reply = server.post("/api/v1/generate", &large_request());
    assert_eq!((reply.status, reply.kind().as_str()), (422, "refused"));
    let board = json!({"rows": 30, "cols": 30, "seed": 1});
    let board = server.request("/api/v1/generate", board)["boards"][0]["slash"].take();
    let request = json!({"board": board, "effort": "fast"});
    let reply = server.post("/api/v1/solve", &request);
    assert_eq!((reply.status, reply.kind().as_str()), (422, "refused"));
    let events = server.post("/api/v1/solve/stream", &request).text();
    let (_, last) = events.trim_end().rsplit_once("\n\n").unwrap();
    assert!(last.starts_with("event: error\ndata: {\"error\":{\"kind\":\"refused\""), "{last}");
}

#[test]
fn bodies_beyond_the_budget_are_unavailable() {
    let limits = ServerLimits {
        max_buffered_bodies: 1 << 20,
        read_timeout: Duration::from_secs(120),
        ..ServerLimits::default()
    };
    let server = TestServer::with(limits);
    let body = format!("{{\"text\": \"1 2/3 0{}\"}}", " ".repeat(1_000_000));
    let whole = post("/api/v1/read", &body);
    let mut incomplete = Vec::new();
    // The budget has room for one body; of two at the same time both may be refused.
    let refused = loop {
        let reply = server.post_raw("/api/v1/read", &body);
        if reply.status != 200 {
            break reply;
        }
        assert!(incomplete.len() < 100, "no request is refused");
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..whole.len() - 1]).unwrap();
        incomplete.push(stream);
    };
    assert_busy(&refused);
    assert_eq!(server.count("refused"), 1);
    assert_eq!(server.request("/api/v1/solve", small_request())["moves"], 2);
    drop(incomplete);
    wait_for(|| server.post_raw("/api/v1/read", &body).status == 200);
}

fn wait_for(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn connection_that_reads_a_response_is_not_evicted() {
    let limits = ServerLimits {
        max_connections: 5,
        stall_timeout: Duration::from_secs(60),
        ..ServerLimits::default()
    };
    let server = TestServer::with(limits);
    let (mut slow, length) = begin_large_response(&server);
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(server.connect());
        assert_eq!(server.request("/api/v1/solve", small_request())["moves"], 2);
    }
    let mut body = Vec::new();
    slow.read_to_end(&mut body).unwrap();
    assert_eq!(body.len(), length);
}
