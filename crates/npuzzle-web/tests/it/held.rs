//! What is held for others has an end, and who takes an answer gets all of it.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use npuzzle_web::Limits;
use serde_json::{Value, json};

use crate::client::{Reply, TestServer, post, read_head};

/// An answer of some 26 megabytes, of which the system keeps ten at most.
fn large() -> Value {
    json!({"rows": 127, "cols": 127, "count": 100, "seed": 1})
}

fn small() -> Value {
    json!({"board": "1 2 3/4 0 5/7 8 6"})
}

fn assert_busy(reply: &Reply) {
    assert_eq!((reply.status, reply.kind().as_str()), (503, "busy"), "{reply:?}");
    assert!(reply.header("retry-after").is_some());
}

/// Asks for a large answer and takes its head alone; with the number of bytes to come.
fn ask_for_large(server: &TestServer) -> (BufReader<TcpStream>, usize) {
    let mut stream = server.connect();
    stream.write_all(post("/api/v1/generate", &large().to_string()).as_bytes()).unwrap();
    let mut reader = BufReader::with_capacity(1 << 10, stream);
    let (status, head) = read_head(&mut reader);
    assert_eq!(status, 200);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    (reader, length.parse().unwrap())
}

#[test]
fn answers_that_are_not_taken_hold_so_much_and_no_more() {
    let stall = Duration::from_secs(60);
    let limits = Limits { answers: 30_000_000, stall, ..Limits::default() };
    let server = TestServer::with(limits);
    let (slow, length) = ask_for_large(&server);
    assert!(length > 20_000_000);
    assert_busy(&server.post("/api/v1/generate", &large()));
    assert_eq!(server.count("refused"), 1);
    // What is small is answered all the same.
    assert_eq!(server.ask("/api/v1/solve", small())["moves"], 2);
    drop(slow);
    server.wait_for("connections", |n| n == 1);
    let reply = server.post("/api/v1/generate", &large());
    assert_eq!((reply.status, reply.body.len()), (200, length));
}

#[test]
fn an_answer_that_never_fits_is_refused() {
    let server = TestServer::with(Limits { answers: 20_000, ..Limits::default() });
    let reply = server.post("/api/v1/generate", &large());
    assert_eq!((reply.status, reply.kind().as_str()), (422, "refused"));
    let board = json!({"rows": 30, "cols": 30, "seed": 1});
    let board = server.ask("/api/v1/generate", board)["boards"][0]["slash"].take();
    let question = json!({"board": board, "effort": "fast"});
    let reply = server.post("/api/v1/solve", &question);
    assert_eq!((reply.status, reply.kind().as_str()), (422, "refused"));
    let events = server.post("/api/v1/solve/stream", &question).text();
    let (_, last) = events.trim_end().rsplit_once("\n\n").unwrap();
    assert!(last.starts_with("event: error\ndata: {\"error\":{\"kind\":\"refused\""), "{last}");
}

#[test]
fn bodies_hold_so_much_and_no_more() {
    let limits =
        Limits { bodies: 1 << 20, patience: Duration::from_secs(120), ..Limits::default() };
    let server = TestServer::with(limits);
    let body = format!("{{\"text\": \"1 2/3 0{}\"}}", " ".repeat(1_000_000));
    let whole = post("/api/v1/read", &body);
    let mut half_asked = Vec::new();
    // There is room for one; two that come at once may both be refused.
    let refused = loop {
        let reply = server.post_raw("/api/v1/read", &body);
        if reply.status != 200 {
            break reply;
        }
        assert!(half_asked.len() < 100, "nobody is refused");
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..whole.len() - 1]).unwrap();
        half_asked.push(stream);
    };
    assert_busy(&refused);
    assert_eq!(server.count("refused"), 1);
    assert_eq!(server.ask("/api/v1/solve", small())["moves"], 2);
    drop(half_asked);
    wait_for(|| server.post_raw("/api/v1/read", &body).status == 200);
}

fn wait_for(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn who_takes_an_answer_is_not_closed_to_make_room() {
    let limits = Limits { connections: 5, stall: Duration::from_secs(60), ..Limits::default() };
    let server = TestServer::with(limits);
    let (mut slow, length) = ask_for_large(&server);
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(server.connect());
        assert_eq!(server.ask("/api/v1/solve", small())["moves"], 2);
    }
    let mut taken = Vec::new();
    slow.read_to_end(&mut taken).unwrap();
    assert_eq!(taken.len(), length);
}
