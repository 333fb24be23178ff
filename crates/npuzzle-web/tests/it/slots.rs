//! The slots of jobs: which requests wait for which others.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use npuzzle_web::ServerLimits;
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};

use crate::client::{Reply, TestServer, post};
use crate::events::{Events, endless};

fn easy() -> Value {
    json!({"board": "8 1 3/4 0 2/7 6 5"})
}

/// A search that takes minutes, although boards of this size are expected to be easy.
fn underestimated() -> Value {
    json!({"board": "8 6 7/2 5 4/3 0 1", "algorithm": "ida", "heuristic": "zero"})
}

/// One slot of each kind.
fn single_slots() -> ServerLimits {
    ServerLimits { jobs: 1, long_jobs: 1, long_jobs_per_client: 1, ..ServerLimits::default() }
}

/// Starts a search that occupies a long slot.
fn start_long_search(server: &TestServer) -> Events {
    let mut events = Events::open(server, &endless());
    assert_eq!(events.next().unwrap().0, "plan");
    events
}

/// Sends a request from an address of the loopback network.
fn send_from(host: u8, server: &TestServer, request: &Value) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let local = SocketAddr::from((Ipv4Addr::new(127, 0, 0, host), 0));
    socket.bind(&local.into()).unwrap();
    socket.connect(&server.address.into()).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.write_all(post("/api/v1/solve", &request.to_string()).as_bytes()).unwrap();
    stream
}

#[test]
fn easy_boards_do_not_wait_for_thirty_hard_ones() {
    let server = TestServer::start();
    let hard: Vec<TcpStream> = (0..30).map(|_| send_from(1, &server, &endless())).collect();
    server.wait_for("waiting", |n| n > 20);
    for _ in 0..20 {
        assert_eq!(server.request("/api/v1/solve", easy())["status"], "solved");
    }
    let counts = ["running", "waiting"].map(|name| server.count(name));
    assert_eq!(counts.iter().sum::<u64>(), 30, "no hard search has ended: {counts:?}");
    assert!(counts[0] >= 2);
    drop(hard);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn client_with_one_search_does_not_wait_for_all_of_another() {
    let server = TestServer::with(single_slots());
    let first = start_long_search(&server);
    let hard = json!({"board": endless()["board"], "optimal": true, "time_ms": 300});
    let many: Vec<TcpStream> = (0..10).map(|_| send_from(2, &server, &hard)).collect();
    server.wait_for("waiting", |n| n == 10);
    let one = send_from(3, &server, &hard);
    server.wait_for("waiting", |n| n == 11);
    drop(first);
    assert_eq!(Reply::read(one).status, 200);
    // The other client has had one turn, and may have had a second one.
    assert!(server.count("waiting") >= 8);
    for stream in many {
        assert_eq!(Reply::read(stream).status, 200);
    }
}

#[test]
fn underestimated_search_pauses_until_a_long_slot_is_free() {
    let limits = ServerLimits { short_time: Duration::ZERO, ..single_slots() };
    let server = TestServer::with(limits);
    let long = start_long_search(&server);
    let underestimated = send_from(2, &server, &underestimated());
    server.wait_for("running", |n| n == 2);
    // It leaves the only short slot.
    assert_eq!(server.request("/api/v1/solve", easy())["status"], "solved");
    server.wait_for("waiting", |n| n == 1);
    drop(long);
    server.wait_for("waiting", |n| n == 0);
    server.wait_for("running", |n| n == 1);
    drop(underestimated);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn paused_searches_are_bounded() {
    let limits = ServerLimits {
        short_time: Duration::ZERO,
        max_paused: 0,
        slot_timeout: Duration::from_millis(100),
        ..single_slots()
    };
    let server = TestServer::with(limits);
    let _underestimated = send_from(2, &server, &underestimated());
    server.wait_for("running", |n| n == 1);
    let refused = server.post("/api/v1/solve", &easy());
    assert_eq!((refused.status, refused.kind().as_str()), (503, "busy"));
}

#[test]
fn waiting_too_long_for_a_slot_is_unavailable() {
    let slot_timeout = Duration::from_millis(100);
    let server = TestServer::with(ServerLimits { slot_timeout, ..single_slots() });
    let long = start_long_search(&server);
    let refused = server.post("/api/v1/solve", &endless());
    assert_eq!((refused.status, refused.kind().as_str()), (503, "busy"));
    let error = &refused.json()["error"];
    let retry_after = error["retry_after_s"].to_string();
    assert_eq!(refused.header("retry-after"), Some(retry_after.as_str()));
    assert!(error["waiting"].is_u64());
    let stream = server.post("/api/v1/solve/stream", &endless());
    assert_eq!((stream.status, stream.kind().as_str()), (503, "busy"));
    assert_eq!(server.count("refused"), 2);
    // Requests without a search have slots of their own.
    assert_eq!(server.request("/api/v1/read", json!({"text": "1 2/3 0"}))["format"], "slash");
    assert_eq!(server.request("/api/v1/analyse", easy())["distance"], 14);
    drop(long);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn too_many_waiting_jobs_are_unavailable() {
    let server = TestServer::with(ServerLimits { max_waiting: 1, ..single_slots() });
    let long = start_long_search(&server);
    let limited = json!({"board": endless()["board"], "optimal": true, "nodes": 1000});
    let second = send_from(1, &server, &limited);
    server.wait_for("waiting", |n| n == 1);
    let third = server.post("/api/v1/solve", &limited);
    assert_eq!((third.status, third.kind().as_str()), (503, "busy"));
    assert!(third.header("retry-after").is_some());
    drop(long);
    assert_eq!(Reply::read(second).json()["status"], "limit");
}
