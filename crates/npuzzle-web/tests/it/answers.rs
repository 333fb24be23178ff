//! Every question, right and wrong.

use std::time::Duration;

use npuzzle::{Instance, Limits, Metric, Moves, Options, Tables};
use serde_json::{Value, json};

use crate::client::TestServer;

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const KORF_1: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";

/// What must be wrong with a question: its status, its kind, its field.
fn check_wrong(server: &TestServer, path: &str, body: Value, expect: (u16, &str, Option<&str>)) {
    let reply = server.post(path, &body);
    let error = &reply.json()["error"];
    let found = (reply.status, error["kind"].as_str().unwrap(), error["field"].as_str());
    assert_eq!(found, expect, "{path} {body}: {error}");
    assert!(!error["message"].as_str().unwrap().is_empty());
}

#[test]
fn solve_answers_as_the_library_does() {
    let server = TestServer::start();
    let boards = [(BOARD, "last"), (KORF_1, "first"), ("1 2 3 4/5 6 7 8/9 10 11 0", "last")];
    for (board, goal) in boards {
        for metric in Metric::ALL {
            if goal == "first" && metric == Metric::Mtm {
                continue; // Its tables take seconds.
            }
            let question = json!({"board": board, "goal": goal, "metric": metric.to_string()});
            let answer = server.ask("/api/v1/solve", question);
            let instance = Instance::new(board.parse().unwrap(), &goal.parse().unwrap()).unwrap();
            let options = Options { metric, ..Options::default() };
            let report = options.solve(&instance).unwrap();
            assert_eq!(answer["status"], "solved");
            assert_eq!(answer["optimal"], true);
            assert_eq!(answer["moves"], report.upper_bound().unwrap());
            let moves: Moves = answer["solution"].as_str().unwrap().parse().unwrap();
            assert_eq!(moves.replay(instance.start()).unwrap(), *instance.goal());
            assert_eq!(moves.len(metric), report.upper_bound().unwrap() as usize);
            assert_eq!(answer["source"], "<board>");
        }
    }
}

#[test]
fn solve_obeys_its_fields() {
    let server = TestServer::start();
    let solve = |more: Value| {
        let mut question = json!({"board": BOARD});
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.ask("/api/v1/solve", question)
    };
    let answer =
        solve(json!({"algorithm": "astar", "heuristic": "manhattan", "notation": "blank"}));
    assert_eq!((&answer["algorithm"], &answer["notation"]), (&json!("astar"), &json!("blank")));
    assert!(answer.get("solutions").is_none() && answer.get("boards").is_none());
    let answer = solve(json!({"all": 2, "notation": "boards"}));
    assert!(answer["optimal_solutions"].as_u64().unwrap() >= 1);
    assert!(answer["solutions"].as_array().unwrap().len() <= 2);
    assert_eq!(answer["boards"].as_array().unwrap().len(), 15);
    let answer = solve(json!({"algorithm": "uniform", "nodes": 10}));
    assert_eq!((&answer["status"], &answer["limit_hit"]), (&json!("limit"), &json!("nodes")));
    let answer = solve(json!({"algorithm": "wastar", "weight": 3.0, "goal": null}));
    assert_eq!(answer["status"], "solved");
    let answer = server.ask("/api/v1/solve", json!({"board": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!((&answer["status"], &answer["solvable"]), (&json!("unsolvable"), &json!(false)));
    let pair = json!({"board": "{\"start\": \"123/456/780\", \"goal\": \"snail\"}"});
    assert_eq!(server.ask("/api/v1/solve", pair)["goal"], "1 2 3/8 0 4/7 6 5");
}

#[test]
fn a_large_board_is_solved_in_the_time_that_is_asked_for() {
    let server = TestServer::start();
    let generated = server.ask("/api/v1/generate", json!({"rows": 6, "cols": 6, "seed": 1}));
    let board = &generated["boards"][0]["slash"];
    let question = json!({"board": board, "algorithm": "construct", "time_ms": 500});
    let answer = server.ask("/api/v1/solve", question);
    assert_eq!((&answer["status"], &answer["optimal"]), (&json!("solved"), &json!(false)));
    let start: npuzzle::Board = board.as_str().unwrap().parse().unwrap();
    let moves: Moves = answer["solution"].as_str().unwrap().parse().unwrap();
    assert!(moves.replay(&start).unwrap().is_goal());
}

#[test]
fn mistakes_are_told_with_their_place() {
    let server = TestServer::start();
    let solve = |body: Value, expect| check_wrong(&server, "/api/v1/solve", body, expect);
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
    let large = server.ask("/api/v1/generate", json!({"rows": 8, "cols": 8}));
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

#[test]
fn boards_over_the_limit_are_refused() {
    let limits = npuzzle_web::Limits { cells: 16, ..npuzzle_web::Limits::default() };
    let server = TestServer::with(limits);
    check_wrong(
        &server,
        "/api/v1/generate",
        json!({"rows": 5, "cols": 5}),
        (422, "refused", Some("rows")),
    );
    let board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 0 19";
    for (path, field, text) in
        [("/api/v1/solve", "board", "board"), ("/api/v1/read", "text", "text")]
    {
        check_wrong(&server, path, json!({text: board}), (422, "refused", Some(field)));
    }
}

#[test]
fn boards_are_read_as_people_write_them() {
    let server = TestServer::start();
    let text = "1 2 3\n4 5 6\n8 7 0\n\n123/456/780";
    let answer = server.ask("/api/v1/read", json!({"text": text}));
    assert_eq!(answer["format"], "grid");
    let boards = answer["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 2);
    assert_eq!((&boards[0]["solvable"], &boards[1]["solvable"]), (&json!(false), &json!(true)));
    assert_eq!(boards[0]["tiles"], json!([1, 2, 3, 4, 5, 6, 8, 7, 0]));
    assert_eq!(boards[1]["slash"], "1 2 3/4 5 6/7 8 0");
    assert_eq!((&boards[1]["line"], &boards[1]["rows"]), (&json!(5), &json!(3)));
    let answer = server.ask("/api/v1/read", json!({"text": "1 2 3/4 5 6/7 8 0", "goal": "snail"}));
    assert_eq!(answer["boards"][0]["goal"], "1 2 3/8 0 4/7 6 5");
    assert_eq!(answer["boards"][0]["own_goal"], false);
    let pair = "{\"start\": \"123/456/780\", \"goal\": \"snail\"}";
    let answer = server.ask("/api/v1/read", json!({"text": pair}));
    assert_eq!(answer["boards"][0]["own_goal"], true);
    assert_eq!(answer["boards"][0]["goal"], "1 2 3/8 0 4/7 6 5");
    let reply = server.post("/api/v1/read", &json!({"text": "1 2 3\n4 5 x6\n7 8 0"}));
    let error = &reply.json()["error"];
    assert_eq!(
        (reply.status, &error["kind"], &error["field"]),
        (400, &json!("board"), &json!("text"))
    );
    assert_eq!([&error["line"], &error["column"], &error["length"]], [2, 5, 2]);
    let wrong = json!({"text": BOARD, "format": "runes"});
    check_wrong(&server, "/api/v1/read", wrong, (400, "value", Some("format")));
    check_wrong(&server, "/api/v1/read", json!({"board": BOARD}), (400, "json", None));
}

#[test]
fn moves_are_worth_what_they_are_worth() {
    let server = TestServer::start();
    let answer = server.ask("/api/v1/analyse", json!({"board": "1 2 3/4 0 5/7 8 6"}));
    assert_eq!(answer["distance"], 2);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for advice in moves {
        let is_best = advice["slide"] == "L";
        assert_eq!(advice["best"], is_best);
        assert_eq!(advice["loss"], if is_best { 0 } else { 2 });
        assert_eq!(advice["distance"], if is_best { 1 } else { 3 });
        assert!(!is_best || advice["tile"] == 5);
    }
    let question = json!({"board": KORF_1, "goal": "first"});
    let answer = server.ask("/api/v1/analyse", question.clone());
    assert_eq!((&answer["distance"], &answer["limit_hit"]), (&json!(57), &Value::Null));
    assert!(answer["moves"].as_array().unwrap().iter().any(|advice| advice["best"] == true));
    let answer = server.ask("/api/v1/analyse", json!({"board": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!((&answer["solvable"], &answer["distance"]), (&json!(false), &Value::Null));
    let large = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 0 19";
    let expect = (422, "refused", Some("board"));
    check_wrong(&server, "/api/v1/analyse", json!({"board": large}), expect);
}

#[test]
fn games_are_told_where_they_lost() {
    let server = TestServer::start();
    let question = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "R L L U"});
    let answer = server.ask("/api/v1/losses", question);
    assert_eq!(answer["distances"], json!([2, 3, 2, 1, 0]));
    assert_eq!(answer["losses"], json!([2, 0, 0, 0]));
    assert_eq!((&answer["solved"], &answer["limit_hit"]), (&json!(true), &Value::Null));
    let question = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "L\nU L U"});
    let reply = server.post("/api/v1/losses", &question);
    let error = &reply.json()["error"];
    assert_eq!((reply.status, &error["kind"]), (400, &json!("moves")));
    assert_eq!([&error["line"], &error["column"]], [2, 3]);
    let question = json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "UD".repeat(1001)});
    check_wrong(&server, "/api/v1/losses", question, (422, "refused", Some("moves")));
}

#[test]
fn boards_are_made_as_wished() {
    let server = TestServer::start();
    let question = json!({"rows": 3, "cols": 3, "moves": 31, "seed": 5, "count": 2});
    let answer = server.ask("/api/v1/generate", question.clone());
    assert_eq!(answer, server.ask("/api/v1/generate", question));
    for made in answer["boards"].as_array().unwrap() {
        assert_eq!(made["moves"], 31);
        let solved = server.ask("/api/v1/solve", json!({"board": made["slash"]}));
        assert_eq!(solved["moves"], 31);
    }
    let question = json!({"rows": 4, "cols": 4, "solvable": false, "goal": "snail"});
    let answer = server.ask("/api/v1/generate", question);
    assert_eq!(answer["boards"][0]["solvable"], false);
    assert!(answer["seed"].is_u64());
    let generate = |body, expect| check_wrong(&server, "/api/v1/generate", body, expect);
    generate(json!({"rows": 3, "cols": 3, "moves": 32}), (422, "refused", None));
    generate(json!({"rows": 1, "cols": 3}), (400, "value", Some("rows")));
    generate(json!({"rows": 3, "cols": 3, "count": 101}), (400, "value", Some("count")));
    generate(json!({"rows": 3, "cols": 3, "goal": "1 2/3 0"}), (400, "value", Some("goal")));
}

#[test]
fn solutions_are_checked() {
    let server = TestServer::start();
    let board = "1 2 3/4 0 5/7 8 6";
    let answer = server.ask("/api/v1/check", json!({"board": board, "solution": "L R L U"}));
    assert_eq!((&answer["valid"], &answer["shortest"]), (&json!(true), &json!(false)));
    assert_eq!((&answer["lost"], &answer["lost_at"]), (&json!(2), &json!([2])));
    let answer = server.ask("/api/v1/check", json!({"board": board, "solution": "L"}));
    assert_eq!(answer["valid"], false);
    let wrong = json!({"board": board, "solution": "what?"});
    check_wrong(&server, "/api/v1/check", wrong, (400, "moves", Some("solution")));
    for solution in ["LR".repeat(50_001), "5\n".repeat(100_001), "LR".repeat(400_000)] {
        let long = json!({"board": board, "solution": solution});
        check_wrong(&server, "/api/v1/check", long, (422, "refused", Some("solution")));
    }
}

#[test]
fn searches_are_traced_as_the_library_traces_them() {
    let server = TestServer::start();
    for algorithm in ["astar", "wastar", "greedy", "uniform", "bfs", "ida"] {
        let question = json!({"board": BOARD, "algorithm": algorithm, "steps": 60});
        let answer = server.ask("/api/v1/trace", question);
        let tracer = npuzzle::teaching::Tracer {
            max_steps: 60,
            ..npuzzle::teaching::Tracer::new(algorithm.parse().unwrap())
        };
        let instance = BOARD.parse().unwrap();
        let trace = tracer.trace(&instance, &mut Tables::new(), &mut ()).unwrap();
        let record = npuzzle::record::TraceRecord::new(&tracer, &trace);
        assert_eq!(answer, serde_json::to_value(&record).unwrap());
        let steps = answer["steps"].as_array().unwrap();
        for (step, played) in steps.iter().zip(trace.replay()) {
            assert_eq!(step["after"].as_array().unwrap().len(), played.after.len());
        }
        assert_eq!(steps[0].get("bound").is_some(), algorithm == "ida");
    }
    let trace = |body, expect| check_wrong(&server, "/api/v1/trace", body, expect);
    trace(json!({"board": BOARD, "steps": 1001}), (400, "value", Some("steps")));
    trace(json!({"board": BOARD, "ties": "luck"}), (400, "value", Some("ties")));
    trace(json!({"board": BOARD, "duplicates": "some"}), (400, "value", Some("duplicates")));
    trace(json!({"board": BOARD, "algorithm": "table"}), (422, "refused", None));
    trace(json!({"board": BOARD, "algorithm": "bfs", "ties": "lifo"}), (422, "refused", None));
}

#[test]
fn algorithms_are_compared_by_their_counts() {
    let server = TestServer::start();
    let question = json!({
        "boards": [BOARD, "1 2 3/4 0 5/7 8 6"],
        "algorithms": ["astar", "ida", "bfs"],
        "heuristics": ["manhattan", "max(walking,inversion)"],
    });
    let answer = server.ask("/api/v1/compare", question);
    let rows = answer["rows"].as_array().unwrap();
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
    let compare = |body, expect| check_wrong(&server, "/api/v1/compare", body, expect);
    compare(json!({}), (400, "value", Some("board")));
    compare(json!({"boards": []}), (400, "value", Some("boards")));
    compare(json!({"board": BOARD, "algorithms": ["dfs"]}), (400, "value", Some("algorithms")));
    compare(json!({"boards": vec![BOARD; 100]}), (422, "refused", None));
}

#[test]
fn pictures_are_what_they_say() {
    let server = TestServer::start();
    let magic: [(&str, &str, &[u8]); 4] = [
        ("svg", "image/svg+xml", b"<svg "),
        ("png", "image/png", b"\x89PNG"),
        ("gif", "image/gif", b"GIF89a"),
        ("html", "text/html; charset=utf-8", b"<!DOCTYPE html>"),
    ];
    for (format, content_type, begins) in magic {
        for moves in [Value::Null, json!("R D"), json!("")] {
            let question = json!({"board": BOARD, "format": format, "moves": moves});
            let reply = server.post("/api/v1/render", &question);
            assert_eq!(reply.status, 200, "{}", reply.text());
            assert_eq!(reply.header("content-type"), Some(content_type));
            assert!(reply.body.starts_with(begins), "{format} {moves}");
        }
    }
    let render = |body, expect| check_wrong(&server, "/api/v1/render", body, expect);
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
    let limits = npuzzle_web::Limits { time: Duration::ZERO, ..npuzzle_web::Limits::default() };
    let question = json!({"board": BOARD, "format": "gif", "moves": "R D"});
    check_wrong(&TestServer::with(limits), "/api/v1/render", question, (422, "refused", None));
}
