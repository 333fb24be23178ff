//! The events of a search, and cancellation.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{TestServer, post, read_head};

/// A board whose search takes minutes on any machine.
const ENDLESS: &str = "0 24 23 22 21/20 19 18 17 16/15 14 13 12 11/10 9 8 7 6/5 4 3 2 1";

pub(crate) fn endless() -> Value {
    json!({"board": ENDLESS, "optimal": true, "tables": "small"})
}

/// The events of an open stream.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    pub(crate) fn open(server: &TestServer, request: &Value) -> Events {
        Events::open_path(server, "/api/v1/solve/stream", request)
    }

    fn open_path(server: &TestServer, path: &str, request: &Value) -> Events {
        let mut stream = server.connect();
        let bytes = post(path, &request.to_string());
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, head) = read_head(&mut reader);
        assert_eq!(status, 200);
        assert!(head.to_lowercase().contains("content-type: text/event-stream"), "{head}");
        Events(reader)
    }
}

/// Each event is one chunk, so the sizes of the chunks are separate lines, which are skipped.
impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_owned());
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name?, serde_json::from_str(data).unwrap()));
            }
        }
    }
}

#[test]
fn stream_begins_with_the_plan_and_ends_with_the_report() {
    let server = TestServer::start();
    let board = "8 1 3/4 0 2/7 6 5";
    let events: Vec<_> = Events::open(&server, &json!({"board": board})).collect();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("plan", "report"));
    let plan = &events[0].1;
    assert_eq!(plan["algorithm"], "table");
    let mut report = events[events.len() - 1].1.clone();
    let mut response = server.request("/api/v1/solve", json!({"board": board}));
    // The second search finds the table in memory.
    for record in [&mut report, &mut response] {
        assert!(record["ms"].take().is_number());
        assert!(record["reason"].take().as_str().unwrap().starts_with("table: "));
    }
    assert_eq!(report, response);
    let unsolvable = json!({"board": "1 2 3/4 5 6/8 7 0"});
    let names = Events::open(&server, &unsolvable).map(|(name, _)| name);
    assert!(names.eq(["report"]));
}

#[test]
fn stream_reports_progress_and_better_solutions() {
    let server = TestServer::start();
    let request = json!({
        "board": ENDLESS, "optimal": true, "algorithm": "ida", "heuristic": "manhattan",
        "time_ms": 900,
    });
    let events: Vec<_> = Events::open(&server, &request).collect();
    let progress: Vec<&Value> =
        events.iter().filter(|(name, _)| name == "progress").map(|(_, data)| data).collect();
    assert!(!progress.is_empty());
    assert!(progress.windows(2).all(|two| two[0]["nodes"].as_u64() <= two[1]["nodes"].as_u64()));
    assert!(progress.windows(2).all(|two| two[0]["ms"].as_u64() <= two[1]["ms"].as_u64()));
    let (name, report) = &events[events.len() - 1];
    assert_eq!((name.as_str(), &report["limit_hit"]), ("report", &json!("time")));

    let generated = server.request("/api/v1/generate", json!({"rows": 5, "cols": 5, "seed": 3}));
    let board = &generated["boards"][0]["slash"];
    let request = json!({"board": board, "algorithm": "construct", "time_ms": 900});
    let events: Vec<_> = Events::open(&server, &request).collect();
    let lengths: Vec<u64> = events
        .iter()
        .filter(|(name, _)| name == "better")
        .map(|(_, data)| {
            assert!(data["lower_bound"].as_u64().unwrap() <= data["length"].as_u64().unwrap());
            data["length"].as_u64().unwrap()
        })
        .collect();
    assert!(!lengths.is_empty() && lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    let (_, report) = &events[events.len() - 1];
    assert_eq!(report["moves"].as_u64(), lengths.last().copied());
}

#[test]
fn compare_stream_sends_each_row_when_its_search_ends() {
    let server = TestServer::start();
    let request = json!({
        "board": "8 1 3/4 0 2/7 6 5",
        "algorithms": ["astar", "bfs"],
        "heuristics": ["manhattan", "misplaced"],
    });
    let path = "/api/v1/compare/stream";
    let events: Vec<_> = Events::open_path(&server, path, &request).collect();
    let of_name = |wanted: &str| -> Vec<Value> {
        events.iter().filter(|(name, _)| name == wanted).map(|(_, data)| data.clone()).collect()
    };
    let (rows, searches) = (of_name("row"), of_name("search"));
    assert_eq!((rows.len(), searches.len()), (3, 3));
    for (number, (row, search)) in (1..).zip(rows.iter().zip(&searches)) {
        assert_eq!((&search["number"], &search["of"]), (&json!(number), &json!(3)));
        for field in ["source", "algorithm", "heuristic"] {
            assert_eq!(row[field], search[field], "{field}");
        }
    }
    // A search is announced before it runs, and its row follows it.
    let order = events.iter().map(|(name, _)| name.as_str());
    let order: Vec<&str> =
        order.filter(|name| ["search", "row", "report"].contains(name)).collect();
    assert_eq!(order, ["search", "row", "search", "row", "search", "row", "report"]);
    assert_eq!(events[events.len() - 1].1, json!({ "rows": rows }));
}

#[test]
fn closing_a_compare_stream_after_a_row_cancels_the_job() {
    let server = TestServer::start();
    let request = json!({
        "boards": ["1 2 3/4 5 6/7 0 8", ENDLESS],
        "algorithms": ["ida"],
        "heuristics": ["manhattan"],
        "time_ms": 60_000,
    });
    let mut events = Events::open_path(&server, "/api/v1/compare/stream", &request);
    let row = events.find(|(name, _)| name == "row").unwrap().1;
    assert_eq!((&row["status"], &row["moves"]), (&json!("solved"), &json!(1)));
    assert_eq!(server.count("running"), 1);
    drop(events);
    server.wait_for("cancelled", |n| n == 1);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn stream_of_an_invalid_request_is_an_error_response() {
    let server = TestServer::start();
    let reply = server.post("/api/v1/solve/stream", &json!({"board": "1 2 3"}));
    assert_eq!((reply.status, reply.kind().as_str()), (400, "board"));
}

#[test]
fn closing_an_event_stream_cancels_the_job() {
    let server = TestServer::start();
    let mut events = Events::open(&server, &endless());
    assert_eq!(events.next().unwrap().0, "plan");
    assert_eq!(server.count("running"), 1);
    drop(events);
    server.wait_for("cancelled", |n| n == 1);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn closing_a_connection_cancels_the_job() {
    let server = TestServer::start();
    let mut stream = server.connect();
    stream.write_all(post("/api/v1/solve", &endless().to_string()).as_bytes()).unwrap();
    server.wait_for("running", |n| n == 1);
    drop(stream);
    server.wait_for("cancelled", |n| n == 1);
    server.wait_for("running", |n| n == 0);
}

#[test]
fn shutdown_cancels_jobs_and_sends_partial_results() {
    let server = TestServer::start();
    let mut events = Events::open(&server, &endless());
    assert_eq!(events.next().unwrap().0, "plan");
    let rest = std::thread::spawn(move || events.last());
    assert!(server.close() < Duration::from_secs(20));
    let (name, report) = rest.join().unwrap().unwrap();
    assert_eq!((name.as_str(), &report["limit_hit"]), ("report", &json!("interrupted")));
}
