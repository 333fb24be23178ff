//! Requests that are wrong, too long, too slow, or none of our business.

use std::io::{Read, Write};
use std::time::Duration;

use npuzzle_web::Limits;
use serde_json::json;

use crate::client::{Reply, TestServer, head, is_closed, post};

fn check(reply: &Reply, status: u16, kind: &str) {
    assert_eq!((reply.status, reply.kind().as_str()), (status, kind), "{reply:?}");
}

/// It still answers.
fn answers(server: &TestServer) {
    let answer = server.ask("/api/v1/solve", json!({"board": "1 2 3/4 0 5/7 8 6"}));
    assert_eq!(answer["moves"], 2);
}

#[test]
fn strangers_are_turned_away() {
    let server = TestServer::start();
    let body = "{\"text\": \"1 2/3 0\"}";
    let ask = |host: &str, origin: &str| {
        let length = body.len();
        server.exchange(
            format!(
                "POST /api/v1/read HTTP/1.1\r\n{host}{origin}Connection: close\r\nContent-Type: \
                 application/json\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    };
    let here = format!("Host: {}\r\n", server.address);
    assert_eq!(ask(&here, "").status, 200);
    assert_eq!(ask(&here, &format!("Origin: http://{}\r\n", server.address)).status, 200);
    check(&ask("Host: evil.example\r\n", ""), 403, "host");
    check(&ask("Host: localhost\r\nHost: evil.example\r\n", ""), 403, "host");
    check(&ask(&here, "Origin: http://evil.example\r\n"), 403, "origin");
    check(&ask(&here, "Origin: null\r\n"), 403, "origin");
    let two = format!("Origin: http://{}\r\nOrigin: http://evil.example\r\n", server.address);
    check(&ask(&here, &two), 403, "origin");
    let reply =
        server.exchange(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    check(&reply, 403, "host");
    // A question without a host is no question.
    assert!(ask("", "").status >= 400);
}

#[test]
fn other_methods_types_and_paths_are_refused() {
    let server = TestServer::start();
    for (reply, allow) in [
        (server.get("/api/v1/solve"), "POST"),
        (server.post("/api/v1/version", &json!({})), "GET, HEAD"),
        (server.post("/", &json!({})), "GET, HEAD"),
        (server.exchange(head("OPTIONS", "/api/v1/solve", "").as_bytes()), "POST"),
    ] {
        check(&reply, 405, "method");
        assert_eq!(reply.header("allow"), Some(allow));
    }
    check(&server.get("/api/v1/nothing"), 404, "path");
    check(&server.get("/api/v2/solve"), 404, "path");
    let body = "board=1";
    let form = format!(
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
        body.len()
    );
    let request = head("POST", "/api/v1/solve", &form) + body;
    check(&server.exchange(request.as_bytes()), 415, "type");
    let plain = head("POST", "/api/v1/solve", "Content-Length: 2\r\n") + "{}";
    check(&server.exchange(plain.as_bytes()), 415, "type");
    answers(&server);
}

#[test]
fn bodies_over_the_limit_are_refused() {
    let server = TestServer::with(Limits { body: 1000, ..Limits::default() });
    let board = |n: usize| format!("{{\"text\": \"1 2/3 0{}\"}}", " ".repeat(n));
    assert_eq!(server.post_raw("/api/v1/read", &board(900)).status, 200);
    check(&server.post_raw("/api/v1/read", &board(1000)), 413, "body");
    check(&server.post_raw("/api/v1/read", &board(1_000_000)), 413, "body");
    let more = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let mut request = head("POST", "/api/v1/read", more);
    for _ in 0..100 {
        request += &format!("{:x}\r\n{}\r\n", 100, "[".repeat(100));
    }
    check(&server.exchange((request + "0\r\n\r\n").as_bytes()), 413, "body");
    // What is announced is refused before it comes, to whoever listens then.
    for announced in ["Content-Length: 2000\r\nExpect: 100-continue", "Content-Length: 99999999999"]
    {
        let more = format!("Content-Type: application/json\r\n{announced}\r\n");
        check(&server.exchange(head("POST", "/api/v1/read", &more).as_bytes()), 413, "body");
    }
    answers(&server);
}

#[test]
fn nonsense_is_no_question() {
    let server = TestServer::start();
    let deep = format!("{{\"board\": {}", "[".repeat(100_000));
    check(&server.post_raw("/api/v1/solve", &deep), 400, "json");
    check(&server.post_raw("/api/v1/solve", "\u{0}\u{1}"), 400, "json");
    check(&server.post_raw("/api/v1/solve", ""), 400, "json");
    let board = "1 ".repeat(400_000);
    check(&server.post("/api/v1/solve", &json!({"board": board})), 400, "board");
    let garbage: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let mut stream = server.connect();
    let _ = stream.write_all(&garbage);
    let _ = stream.write_all(b"\r\n\r\n");
    drop(stream);
    let endless_head = head("GET", "/", &"X-Y: 0123456789\r\n".repeat(20_000));
    let mut stream = server.connect();
    let _ = stream.write_all(endless_head.as_bytes());
    drop(stream);
    answers(&server);
}

#[test]
fn half_a_question_is_not_waited_for() {
    let limits = Limits { patience: Duration::from_millis(1500), ..Limits::default() };
    let server = TestServer::with(limits);
    let whole = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
    let end_of_head = whole.find("\r\n\r\n").unwrap();
    // Of the body a part: 408. Of the head a part, or nothing: closed.
    let mut stream = server.connect();
    stream.write_all(&whole.as_bytes()[..end_of_head + 10]).unwrap();
    let half_head = {
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..end_of_head - 10]).unwrap();
        stream
    };
    let silent = server.connect();
    // Too long, and it does not come: the first is what can be mended.
    let [announced, chunked] =
        ["Content-Length: 2000000", "Transfer-Encoding: chunked"].map(|how| {
            let more = format!("Content-Type: application/json\r\n{how}\r\n");
            let mut stream = server.connect();
            stream.write_all(head("POST", "/api/v1/solve", &more).as_bytes()).unwrap();
            stream
        });
    write!(&chunked, "{:x}\r\n{}", 2_000_000, " ".repeat(1_500_000)).unwrap();
    answers(&server);
    check(&Reply::read(stream), 408, "slow");
    check(&Reply::read(announced), 413, "body");
    check(&Reply::read(chunked), 413, "body");
    assert!(is_closed(half_head));
    assert!(is_closed(silent));
    server.wait_for("connections", |n| n == 1);
}

/// A question whose answer has some fifteen megabytes, of which the system keeps only so many.
fn large_question() -> String {
    let board = "1 2 3 4 5/6 7 8 9 10/11 12 0 13 14/15 16 17 18 19/20 21 22 23 24";
    let question =
        json!({"board": board, "algorithm": "uniform", "duplicates": "none", "steps": 1000});
    post("/api/v1/trace", &question.to_string())
}

#[test]
fn answers_that_are_taken_in_drops_are_given_up() {
    let limits = Limits {
        stall: Duration::from_secs(60),
        taking: Duration::from_millis(500),
        ..Limits::default()
    };
    let server = TestServer::with(limits);
    let mut stream = server.connect();
    stream.write_all(large_question().as_bytes()).unwrap();
    let (mut drops, mut taken) = (vec![0; 1 << 16], Vec::new());
    // Never for long without a byte; all of it would take two seconds at least.
    while let Ok(n @ 1..) = stream.read(&mut drops) {
        taken.extend_from_slice(&drops[..n]);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(taken.starts_with(b"HTTP/1.1 200 ") && !taken.ends_with(b"}"), "{}", taken.len());
    server.wait_for("connections", |n| n == 1);
}

#[test]
fn answers_that_nobody_takes_are_given_up() {
    let limits = Limits { stall: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with(limits);
    let mut greedy = Vec::new();
    for _ in 0..4 {
        let mut stream = server.connect();
        stream.write_all(large_question().as_bytes()).unwrap();
        greedy.push(stream);
    }
    server.wait_for("done", |n| n >= 4);
    server.wait_for("connections", |n| n == 1);
    for mut stream in greedy {
        let mut taken = Vec::new();
        let _ = stream.read_to_end(&mut taken);
        assert!(taken.starts_with(b"HTTP/1.1 200 ") && !taken.ends_with(b"}"), "{}", taken.len());
    }
    answers(&server);
}

#[test]
fn a_thousand_idle_connections_keep_nobody_from_being_answered() {
    let limits = Limits { connections: 400, ..Limits::default() };
    let server = TestServer::with(limits);
    let whole = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
    let mut idle = Vec::new();
    for number in 0..1000 {
        let mut stream = server.connect();
        // Some say nothing, some a part of a head, some a part of a body.
        let n_bytes = [0, 30, whole.len() - 5][number % 3];
        stream.write_all(&whole.as_bytes()[..n_bytes]).unwrap();
        idle.push(stream);
        if number % 100 == 0 {
            answers(&server);
        }
    }
    answers(&server);
    assert!(server.count("connections") <= 400);
}
