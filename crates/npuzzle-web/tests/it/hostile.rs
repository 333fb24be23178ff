//! Requests that are malformed, too long, too slow, or from other sites.

use std::io::{Read, Write};
use std::time::Duration;

use npuzzle_web::ServerLimits;
use serde_json::json;

use crate::client::{Reply, TestServer, head, is_closed, post};

fn check(reply: &Reply, status: u16, kind: &str) {
    assert_eq!((reply.status, reply.kind().as_str()), (status, kind), "{reply:?}");
}

/// Checks that the server still works.
fn check_alive(server: &TestServer) {
    let response = server.request("/api/v1/solve", json!({"board": "1 2 3/4 0 5/7 8 6"}));
    assert_eq!(response["moves"], 2);
}

#[test]
fn foreign_hosts_and_origins_are_rejected() {
    let server = TestServer::start();
    let body = "{\"text\": \"1 2/3 0\"}";
    let send = |host: &str, origin: &str| {
        let length = body.len();
        server.exchange(
            format!(
                "POST /api/v1/read HTTP/1.1\r\n{host}{origin}Connection: close\r\nContent-Type: \
                 application/json\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    };
    let own_host = format!("Host: {}\r\n", server.address);
    assert_eq!(send(&own_host, "").status, 200);
    assert_eq!(send(&own_host, &format!("Origin: http://{}\r\n", server.address)).status, 200);
    check(&send("Host: evil.example\r\n", ""), 403, "host");
    check(&send("Host: localhost\r\nHost: evil.example\r\n", ""), 403, "host");
    check(&send(&own_host, "Origin: http://evil.example\r\n"), 403, "origin");
    check(&send(&own_host, "Origin: null\r\n"), 403, "origin");
    let two = format!("Origin: http://{}\r\nOrigin: http://evil.example\r\n", server.address);
    check(&send(&own_host, &two), 403, "origin");
    let reply =
        server.exchange(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    check(&reply, 403, "host");
    // HTTP/1.1 requires a Host header.
    assert!(send("", "").status >= 400);
}

#[test]
fn wrong_methods_types_and_paths_are_rejected() {
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
    check_alive(&server);
}

#[test]
fn bodies_over_the_limit_are_rejected() {
    let server = TestServer::with(ServerLimits { max_body_bytes: 1000, ..ServerLimits::default() });
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
    // A body that is announced as too long is rejected before it arrives.
    for announced in ["Content-Length: 2000\r\nExpect: 100-continue", "Content-Length: 99999999999"]
    {
        let more = format!("Content-Type: application/json\r\n{announced}\r\n");
        check(&server.exchange(head("POST", "/api/v1/read", &more).as_bytes()), 413, "body");
    }
    check_alive(&server);
}

#[test]
fn malformed_requests_are_rejected() {
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
    check_alive(&server);
}

#[test]
fn incomplete_requests_time_out() {
    let limits =
        ServerLimits { read_timeout: Duration::from_millis(1500), ..ServerLimits::default() };
    let server = TestServer::with(limits);
    let whole = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
    let end_of_head = whole.find("\r\n\r\n").unwrap();
    // An incomplete body is answered with 408. Without a complete head the connection is closed.
    let mut stream = server.connect();
    stream.write_all(&whole.as_bytes()[..end_of_head + 10]).unwrap();
    let partial_head = {
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..end_of_head - 10]).unwrap();
        stream
    };
    let silent = server.connect();
    // A body that is both too long and too slow is reported as too long.
    let [announced, chunked] =
        ["Content-Length: 2000000", "Transfer-Encoding: chunked"].map(|header| {
            let more = format!("Content-Type: application/json\r\n{header}\r\n");
            let mut stream = server.connect();
            stream.write_all(head("POST", "/api/v1/solve", &more).as_bytes()).unwrap();
            stream
        });
    write!(&chunked, "{:x}\r\n{}", 2_000_000, " ".repeat(1_500_000)).unwrap();
    check_alive(&server);
    check(&Reply::read(stream), 408, "slow");
    check(&Reply::read(announced), 413, "body");
    check(&Reply::read(chunked), 413, "body");
    assert!(is_closed(partial_head));
    assert!(is_closed(silent));
    server.wait_for("connections", |n| n == 1);
}

/// A request whose response has about 15 MB, more than the system's socket buffers hold.
fn large_request() -> String {
    let board = "1 2 3 4 5/6 7 8 9 10/11 12 0 13 14/15 16 17 18 19/20 21 22 23 24";
    let request =
        json!({"board": board, "algorithm": "uniform", "duplicates": "none", "steps": 1000});
    post("/api/v1/trace", &request.to_string())
}

fn assert_truncated(received: &[u8]) {
    let is_truncated = received.starts_with(b"HTTP/1.1 200 ") && !received.ends_with(b"}");
    assert!(is_truncated, "{}", received.len());
}

#[test]
fn client_that_reads_slowly_is_disconnected() {
    let limits = ServerLimits {
        stall_timeout: Duration::from_secs(60),
        write_timeout: Duration::from_millis(500),
        ..ServerLimits::default()
    };
    let server = TestServer::with(limits);
    let mut stream = server.connect();
    stream.write_all(large_request().as_bytes()).unwrap();
    let (mut chunk, mut received) = (vec![0; 1 << 16], Vec::new());
    // The client never stalls, but the whole response would take at least two seconds.
    while let Ok(n @ 1..) = stream.read(&mut chunk) {
        received.extend_from_slice(&chunk[..n]);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_truncated(&received);
    server.wait_for("connections", |n| n == 1);
}

#[test]
fn client_that_stops_reading_is_disconnected() {
    let limits =
        ServerLimits { stall_timeout: Duration::from_millis(300), ..ServerLimits::default() };
    let server = TestServer::with(limits);
    let mut clients = Vec::new();
    for _ in 0..4 {
        let mut stream = server.connect();
        stream.write_all(large_request().as_bytes()).unwrap();
        clients.push(stream);
    }
    server.wait_for("done", |n| n >= 4);
    server.wait_for("connections", |n| n == 1);
    for mut stream in clients {
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received);
        assert_truncated(&received);
    }
    check_alive(&server);
}

#[test]
fn idle_connections_do_not_block_requests() {
    let limits = ServerLimits { max_connections: 400, ..ServerLimits::default() };
    let server = TestServer::with(limits);
    let whole = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
    let mut idle = Vec::new();
    for number in 0..1000 {
        let mut stream = server.connect();
        // Some clients send nothing, some a part of the head, some a part of the body.
        let n_bytes = [0, 30, whole.len() - 5][number % 3];
        stream.write_all(&whole.as_bytes()[..n_bytes]).unwrap();
        idle.push(stream);
        if number % 100 == 0 {
            check_alive(&server);
        }
    }
    check_alive(&server);
    assert!(server.count("connections") <= 400);
}
