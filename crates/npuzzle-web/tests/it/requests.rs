//! Every request, valid and invalid.

use std::time::Duration;

use npuzzle::{Instance, Limits, Metric, Moves, Options, Tables};
use npuzzle_web::{RequestLimits, ServerLimits};
use serde_json::{Value, json};

use crate::client::TestServer;

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const KORF_1: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";

/// Checks the status, the kind and the field of an error.
fn check_error(server: &TestServer, path: &str, body: Value, expect: (u16, &str, Option<&str>)) {
    let reply = server.post(path, &body);
    let error = &reply.json()["error"];
    let found = (reply.status, error["kind"].as_str().unwrap(), error["field"].as_str());
    assert_eq!(found, expect, "{path} {body}: {error}");
    assert!(!error["message"].as_str().unwrap().is_empty());
}

#[test]
fn solve_agrees_with_the_library() {
    let server = TestServer::start();
    let boards = [(BOARD, "last"), (KORF_1, "first"), ("1 2 3 4/5 6 7 8/9 10 11 0", "last")];
    for (board, goal) in boards {
        for metric in Metric::ALL {
            if goal == "first" && metric == Metric::Mtm {
                continue; // Building its tables takes seconds.
            }
            let request = json!({"board": board, "goal": goal, "metric": metric.to_string()});
            let response = server.request("/api/v1/solve", request);
            let instance = Instance::new(board.parse().unwrap(), &goal.parse().unwrap()).unwrap();
            let options = Options { metric, ..Options::default() };
            let report = options.solve(&instance).unwrap();
            assert_eq!(response["status"], "solved");
            assert_eq!(response["optimal"], true);
            assert_eq!(response["moves"], report.upper_bound().unwrap());
            let moves: Moves = response["solution"].as_str().unwrap().parse().unwrap();
            assert_eq!(moves.replay(instance.start()).unwrap(), *instance.goal());
            assert_eq!(moves.len(metric), report.upper_bound().unwrap() as usize);
            assert_eq!(response["source"], "<board>");
        }
    }
}

#[test]
fn solve_honours_its_fields() {
    let server = TestServer::start();
    let solve = |more: Value| {
        let mut request = json!({"board": BOARD});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.request("/api/v1/solve", request)
    };
    let response =
        solve(json!({"algorithm": "astar", "heuristic": "manhattan", "notation": "blank"}));
    assert_eq!((&response["algorithm"], &response["notation"]), (&json!("astar"), &json!("blank")));
    assert!(response.get("solutions").is_none() && response.get("boards").is_none());
    let response = solve(json!({"all": 2, "notation": "boards"}));
    assert!(response["optimal_solutions"].as_u64().unwrap() >= 1);
    assert!(response["solutions"].as_array().unwrap().len() <= 2);
    assert_eq!(response["boards"].as_array().unwrap().len(), 15);
    let response = solve(json!({"algorithm": "uniform", "nodes": 10}));
    assert_eq!((&response["status"], &response["limit_hit"]), (&json!("limit"), &json!("nodes")));
    let response = solve(json!({"algorithm": "wastar", "weight": 3.0, "goal": null}));
    assert_eq!(response["status"], "solved");
    let response = server.request("/api/v1/solve", json!({"board": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!((&response["status"], &response["solvable"]), (&json!("unsolvable"), &json!(false)));
    let pair = json!({"board": "{\"start\": \"123/456/780\", \"goal\": \"snail\"}"});
    assert_eq!(server.request("/api/v1/solve", pair)["goal"], "1 2 3/8 0 4/7 6 5");
}

#[test]
fn solve_finds_a_solution_of_a_large_board_in_time() {
    let server = TestServer::start();
    let generated = server.request("/api/v1/generate", json!({"rows": 6, "cols": 6, "seed": 1}));
    let board = &generated["boards"][0]["slash"];
    let request = json!({"board": board, "algorithm": "construct", "time_ms": 500});
    let response = server.request("/api/v1/solve", request);
    assert_eq!((&response["status"], &response["optimal"]), (&json!("solved"), &json!(false)));
    let start: npuzzle::Board = board.as_str().unwrap().parse().unwrap();
    let moves: Moves = response["solution"].as_str().unwrap().parse().unwrap();
    assert!(moves.replay(&start).unwrap().is_goal());
}

#[test]
fn invalid_requests_report_field_and_position() {
    let server = TestServer::start();
    let solve = |body: Value, expect| check_error(&server, "/api/v1/solve", body, expect);
    solve(json!({}), (400, "json", None));
    solve(json!([]), (400, "json", None));
    let mut fields = vec![json!(null); 15];
    fields[0] = json!("1 2 3/4 5 6/7 0 8");
    solve(json!(fields), (400, "json", None));
    solve(json!({"board": 3}), (400, "json", None));
    solve(json!({"board": BOARD, "algorthm": "astar"}), (400, "json", None));
    solve(json!({"board": "1 2 3/4 5 6/7 8 8"}), (400, "board", Some("board")));
    solve(json!({"board": format!("{BOARD}\n{BOARD}")}), (400, "board", Some("board")));
    solve(json!({"board": ""}), (400, "board", Some("board")));
    solve(json!({"board": BOARD, "goal": "middle"}), (400, "board", Some("goal")));
    solve(json!({"board": BOARD, "goal": "1 2/3 0"}), (400, "value", Some("goal")));
    solve(json!({"board": BOARD, "metric": "qtm"}), (400, "value", Some("metric")));
    solve(json!({"board": BOARD, "algorithm": "dfs"}), (400, "value", Some("algorithm")));
    solve(json!({"board": BOARD, "heuristic": "max(zero)"}), (400, "value", Some("heuristic")));
    solve(json!({"board": BOARD, "weight": 0.5}), (400, "value", Some("weight")));
    solve(json!({"board": BOARD, "effort": "much"}), (400, "value", Some("effort")));
    solve(json!({"board": BOARD, "notation": "runes"}), (400, "value", Some("notation")));
    solve(json!({"board": KORF_1, "algorithm": "table"}), (422, "refused", None));
    solve(json!({"board": BOARD, "weight": 2.0}), (422, "refused", None));
    let large = server.request("/api/v1/generate", json!({"rows": 8, "cols": 8}));
    let board = &large["boards"][0]["slash"];
    solve(
        json!({"board": board, "algorithm": "ida", "heuristic": "pattern"}),
        (422, "refused", None),
    );
    let reply = server.post("/api/v1/solve", &json!({"board": "1 2 3\n4 5 99\n7 8 0"}));
    let error = &reply.json()["error"];
    assert_eq!([&error["line"], &error["column"], &error["length"]], [2, 5, 2]);
    let reply = server.post_raw("/api/v1/solve", "{\"board\": \"\n");
    let error = &reply.json()["error"];
    assert_eq!((reply.status, &error["kind"], &error["line"]), (400, &json!("json"), &json!(2)));
}

fn limits_with(request: RequestLimits) -> ServerLimits {
    ServerLimits { request, ..ServerLimits::default() }
}

#[test]
fn boards_over_the_limit_are_refused() {
    let limits = limits_with(RequestLimits { max_cells: 16, ..RequestLimits::default() });
    let server = TestServer::with(limits);
    check_error(
        &server,
        "/api/v1/generate",
        json!({"rows": 5, "cols": 5}),
        (422, "refused", Some("rows")),
    );
    let board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 0 19";
    for (path, field, text) in
        [("/api/v1/solve", "board", "board"), ("/api/v1/read", "text", "text")]
    {
        check_error(&server, path, json!({text: board}), (422, "refused", Some(field)));
    }
}

#[test]
fn read_accepts_every_format() {
    let server = TestServer::start();
    let text = "1 2 3\n4 5 6\n8 7 0\n\n123/456/780";
    let response = server.request("/api/v1/read", json!({"text": text}));
    assert_eq!(response["format"], "grid");
    let boards = response["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 2);
    assert_eq!((&boards[0]["solvable"], &boards[1]["solvable"]), (&json!(false), &json!(true)));
    assert_eq!(boards[0]["tiles"], json!([1, 2, 3, 4, 5, 6, 8, 7, 0]));
    assert_eq!(boards[1]["slash"], "1 2 3/4 5 6/7 8 0");
    assert_eq!((&boards[1]["line"], &boards[1]["rows"]), (&json!(5), &json!(3)));
    let response =
        server.request("/api/v1/read", json!({"text": "1 2 3/4 5 6/7 8 0", "goal": "snail"}));
    assert_eq!(response["boards"][0]["goal"], "1 2 3/8 0 4/7 6 5");
    assert_eq!(response["boards"][0]["own_goal"], false);
    let pair = "{\"start\": \"123/456/780\", \"goal\": \"snail\"}";
    let response = server.request("/api/v1/read", json!({"text": pair}));
    assert_eq!(response["boards"][0]["own_goal"], true);
    assert_eq!(response["boards"][0]["goal"], "1 2 3/8 0 4/7 6 5");
    let reply = server.post("/api/v1/read", &json!({"text": "1 2 3\n4 5 x6\n7 8 0"}));
    let error = &reply.json()["error"];
    assert_eq!(
        (reply.status, &error["kind"], &error["field"]),
        (400, &json!("board"), &json!("text"))
    );
    assert_eq!([&error["line"], &error["column"], &error["length"]], [2, 5, 2]);
    let wrong = json!({"text": BOARD, "format": "runes"});
    check_error(&server, "/api/v1/read", wrong, (400, "value", Some("format")));
    check_error(&server, "/api/v1/read", json!({"board": BOARD}), (400, "json", None));
}

#[test]
fn analyse_reports_the_loss_of_every_move() {
    let server = TestServer::start();
    let response = server.request("/api/v1/analyse", json!({"board": "1 2 3/4 0 5/7 8 6"}));
    assert_eq!(response["distance"], 2);
    let moves = response["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for advice in moves {
        let is_best = advice["slide"] == "L";
        assert_eq!(advice["best"], is_best);
        assert_eq!(advice["loss"], if is_best { 0 } else { 2 });
        assert_eq!(advice["distance"], if is_best { 1 } else { 3 });
        assert!(!is_best || advice["tile"] == 5);
    }
    let request = json!({"board": KORF_1, "goal": "first"});
    let response = server.request("/api/v1/analyse", request.clone());
    assert_eq!((&response["distance"], &response["limit_hit"]), (&json!(57), &Value::Null));
    assert!(response["moves"].as_array().unwrap().iter().any(|advice| advice["best"] == true));
    let response = server.request("/api/v1/analyse", json!({"board": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!((&response["solvable"], &response["distance"]), (&json!(false), &Value::Null));
    let large = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 0 19";
    let expect = (422, "refused", Some("board"));
    check_error(&server, "/api/v1/analyse", json!({"board": large}), expect);
}

#[test]
fn losses_reports_the_loss_of_each_played_move() {
    let server = TestServer::start();
    let request = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "R L L U"});
    let response = server.request("/api/v1/losses", request);
    assert_eq!(response["distances"], json!([2, 3, 2, 1, 0]));
    assert_eq!(response["losses"], json!([2, 0, 0, 0]));
    assert_eq!((&response["solved"], &response["limit_hit"]), (&json!(true), &Value::Null));
    let request = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "L\nU L U"});
    let reply = server.post("/api/v1/losses", &request);
    let error = &reply.json()["error"];
    assert_eq!((reply.status, &error["kind"]), (400, &json!("moves")));
    assert_eq!([&error["line"], &error["column"]], [2, 3]);
    let request = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "UD".repeat(1001)});
    check_error(&server, "/api/v1/losses", request, (422, "refused", Some("moves")));
}

#[test]
fn generate_returns_boards_of_the_requested_length() {
    let server = TestServer::start();
    let request = json!({"rows": 3, "cols": 3, "moves": 31, "seed": 5, "count": 2});
    let response = server.request("/api/v1/generate", request.clone());
    assert_eq!(response, server.request("/api/v1/generate", request));
    for generated in response["boards"].as_array().unwrap() {
        assert_eq!(generated["moves"], 31);
        let solved = server.request("/api/v1/solve", json!({"board": generated["slash"]}));
        assert_eq!(solved["moves"], 31);
    }
    let request = json!({"rows": 4, "cols": 4, "solvable": false, "goal": "snail"});
    let response = server.request("/api/v1/generate", request);
    assert_eq!(response["boards"][0]["solvable"], false);
    assert!(response["seed"].is_u64());
    let generate = |body, expect| check_error(&server, "/api/v1/generate", body, expect);
    generate(json!({"rows": 3, "cols": 3, "moves": 32}), (422, "refused", None));
    generate(json!({"rows": 1, "cols": 3}), (400, "value", Some("rows")));
    generate(json!({"rows": 3, "cols": 3, "count": 101}), (400, "value", Some("count")));
    generate(json!({"rows": 3, "cols": 3, "goal": "1 2/3 0"}), (400, "value", Some("goal")));
}

#[test]
fn check_reports_validity_and_wasted_moves() {
    let server = TestServer::start();
    let board = "1 2 3/4 0 5/7 8 6";
    let response = server.request("/api/v1/check", json!({"board": board, "solution": "L R L U"}));
    assert_eq!((&response["valid"], &response["shortest"]), (&json!(true), &json!(false)));
    assert_eq!((&response["lost"], &response["lost_at"]), (&json!(2), &json!([2])));
    let response = server.request("/api/v1/check", json!({"board": board, "solution": "L"}));
    assert_eq!(response["valid"], false);
    let wrong = json!({"board": board, "solution": "what?"});
    check_error(&server, "/api/v1/check", wrong, (400, "moves", Some("solution")));
    for solution in ["LR".repeat(50_001), "5\n".repeat(100_001), "LR".repeat(400_000)] {
        let long = json!({"board": board, "solution": solution});
        check_error(&server, "/api/v1/check", long, (422, "refused", Some("solution")));
    }
}

#[test]
fn trace_agrees_with_the_library() {
    let server = TestServer::start();
    for algorithm in npuzzle::teaching::TraceAlgorithm::ALL {
        let request = json!({"board": BOARD, "algorithm": algorithm.name(), "steps": 60});
        let response = server.request("/api/v1/trace", request);
        let tracer = npuzzle::teaching::Tracer {
            max_steps: 60,
            ..npuzzle::teaching::Tracer::new(algorithm)
        };
        let instance = BOARD.parse().unwrap();
        let trace = tracer.trace(&instance, &mut Tables::new(), &mut ()).unwrap();
        let record = npuzzle::record::TraceRecord::new(&tracer, &trace);
        assert_eq!(response, serde_json::to_value(&record).unwrap());
        let steps = response["steps"].as_array().unwrap();
        for (step, played) in steps.iter().zip(trace.replay()) {
            assert_eq!(step["after"].as_array().unwrap().len(), played.after.len());
        }
        assert_eq!(steps[0].get("bound").is_some(), algorithm.is_deepening());
    }
    let request = json!({
        "board": BOARD, "algorithm": "dfs", "depth_limit": 3, "goal_test": "generation", "steps": 1000,
    });
    let response = server.request("/api/v1/trace", request);
    assert_eq!(
        (&response["depth_limit"], &response["goal_test"]),
        (&json!(3), &json!("generation"))
    );
    assert_eq!(response["end"]["ending"], "exhausted");
    let response = server.request("/api/v1/trace", json!({"board": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!(
        (&response["steps"], &response["end"]["ending"]),
        (&json!([]), &json!("unsolvable"))
    );
    let trace = |body, expect| check_error(&server, "/api/v1/trace", body, expect);
    trace(json!({"board": BOARD, "steps": 1001}), (400, "value", Some("steps")));
    trace(json!({"board": BOARD, "tie_break": "luck"}), (400, "value", Some("tie_break")));
    trace(json!({"board": BOARD, "duplicates": "some"}), (400, "value", Some("duplicates")));
    trace(json!({"board": BOARD, "algorithm": "table"}), (400, "value", Some("algorithm")));
    trace(json!({"board": BOARD, "goal_test": "late"}), (400, "value", Some("goal_test")));
    trace(json!({"board": BOARD, "depth_limit": 3}), (422, "refused", None));
    trace(json!({"board": BOARD, "algorithm": "bfs", "tie_break": "lifo"}), (422, "refused", None));
}

#[test]
fn boards_may_be_json_arrays() {
    let server = TestServer::start();
    let rows = json!([[8, 1, 3], [4, 0, 2], [7, 6, 5]]);
    let goal = json!([1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let text = |path: &str, body: Value| server.request(path, body);
    for (path, more) in [
        ("solve", json!({})),
        ("analyse", json!({})),
        ("losses", json!({"moves": "R"})),
        ("check", json!({"solution": "R"})),
        ("trace", json!({"steps": 3})),
    ] {
        let path = format!("/api/v1/{path}");
        let body = |board: &Value, goal: &Value| {
            let mut body = more.clone();
            (body["board"], body["goal"]) = (board.clone(), goal.clone());
            body
        };
        let mut expect = text(&path, body(&json!(BOARD), &json!("last")));
        let mut found = text(&path, body(&rows, &goal));
        for record in [&mut expect, &mut found] {
            // The second search may find a table in memory.
            let fields = record.as_object_mut().unwrap();
            fields.remove("ms");
            fields.remove("reason");
        }
        assert_eq!(found, expect, "{path}");
    }
    let compared = text("/api/v1/compare", json!({"boards": [rows, BOARD], "algorithms": ["bfs"]}));
    assert_eq!(compared["rows"][0]["expanded"], compared["rows"][1]["expanded"]);
    let generated = text("/api/v1/generate", json!({"rows": 3, "cols": 3, "goal": goal}));
    assert_eq!(generated["boards"][0]["goal"], "1 2 3/4 5 6/7 8 0");
    let read = text("/api/v1/read", json!({"text": BOARD, "goal": goal}));
    assert_eq!(read["boards"][0]["goal"], "1 2 3/4 5 6/7 8 0");
    let drawn = server.post("/api/v1/render", &json!({"board": rows, "format": "svg"}));
    assert_eq!(drawn.status, 200);
    let solve = |body, expect| check_error(&server, "/api/v1/solve", body, expect);
    solve(json!({"board": [[1, 2], [2, 0]]}), (400, "board", Some("board")));
    solve(json!({"board": [[1, 2], [3]]}), (400, "board", Some("board")));
    solve(json!({"board": [1, 2, 0]}), (400, "board", Some("board")));
    solve(json!({"board": rows, "goal": [1, 1, 1, 0]}), (400, "board", Some("goal")));
    solve(json!({"board": [[1, 2], "3 0"]}), (400, "json", None));
    let error = server.post("/api/v1/solve", &json!({"board": [[1, 2], [2, 0]]})).json();
    assert_eq!(error["error"]["line"], Value::Null);
}

#[test]
fn compare_agrees_with_the_library() {
    let server = TestServer::start();
    let request = json!({
        "boards": [BOARD, "1 2 3/4 0 5/7 8 6"],
        "algorithms": ["astar", "ida", "bfs"],
        "heuristics": ["manhattan", "max(walking,inversion)"],
    });
    let response = server.request("/api/v1/compare", request);
    let rows = response["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * (2 + 2 + 1));
    for row in rows {
        let options = Options {
            algorithm: row["algorithm"].as_str().unwrap().parse().unwrap(),
            heuristic: row["heuristic"].as_str().unwrap_or("auto").parse().unwrap(),
            limits: Limits::NONE,
            ..Options::default()
        };
        let instance = row["start"].as_str().unwrap().parse().unwrap();
        let report = options.solve(&instance).unwrap();
        assert_eq!(row["expanded"], report.stats.expanded, "{row}");
        assert_eq!(row["moves"], report.upper_bound().unwrap());
    }
    let compare = |body, expect| check_error(&server, "/api/v1/compare", body, expect);
    compare(json!({}), (400, "value", Some("board")));
    compare(json!({"boards": []}), (400, "value", Some("boards")));
    compare(json!({"board": BOARD, "algorithms": ["dfs"]}), (400, "value", Some("algorithms")));
    compare(json!({"boards": vec![BOARD; 100]}), (422, "refused", None));
}

#[test]
fn render_returns_files_of_the_requested_format() {
    let server = TestServer::start();
    let magic: [(&str, &str, &[u8]); 4] = [
        ("svg", "image/svg+xml", b"<svg "),
        ("png", "image/png", b"\x89PNG"),
        ("gif", "image/gif", b"GIF89a"),
        ("html", "text/html; charset=utf-8", b"<!DOCTYPE html>"),
    ];
    for (format, content_type, prefix) in magic {
        for moves in [Value::Null, json!("R D"), json!("")] {
            let request = json!({"board": BOARD, "format": format, "moves": moves});
            let reply = server.post("/api/v1/render", &request);
            assert_eq!(reply.status, 200, "{}", reply.text());
            assert_eq!(reply.header("content-type"), Some(content_type));
            assert!(reply.body.starts_with(prefix), "{format} {moves}");
        }
    }
    let render = |body, expect| check_error(&server, "/api/v1/render", body, expect);
    render(json!({"board": BOARD, "format": "bmp"}), (400, "value", Some("format")));
    render(json!({"board": BOARD, "format": "svg", "moves": "X"}), (400, "moves", Some("moves")));
    render(
        json!({"board": BOARD, "format": "svg", "theme": "pink"}),
        (400, "value", Some("theme")),
    );
    render(
        json!({"board": BOARD, "format": "gif", "delay_ms": 1}),
        (400, "value", Some("delay_ms")),
    );
    render(json!({"board": BOARD, "format": "png", "tile": 60000}), (422, "refused", None));
    let limits =
        limits_with(RequestLimits { max_time: Duration::ZERO, ..RequestLimits::default() });
    let request = json!({"board": BOARD, "format": "gif", "moves": "R D"});
    check_error(&TestServer::with(limits), "/api/v1/render", request, (422, "refused", None));
}
