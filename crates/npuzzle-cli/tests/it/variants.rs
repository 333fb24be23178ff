//! The courses on variants of the puzzle, on the command line: `course`, `check`, `generate`, `trace` and
//! `grade`.

use std::fs;
use std::process::Stdio;

use npuzzle_testkit::data;
use serde_json::Value;

use crate::program::{Folder, RunResult, command, run, run_with};

/// Runs UTA's program on its sample with more arguments.
fn uta(more: &[&str], stdin: &str) -> RunResult {
    let [start, goal] =
        ["start", "goal"].map(|name| data::path(&format!("courses/uta/{name}.txt")));
    let files = [start.to_str().unwrap(), goal.to_str().unwrap()];
    run_with(["course", "uta"].iter().chain(&files).chain(more), stdin)
}

#[test]
fn uta_program_takes_methods_and_asks_for_a_depth_limit() {
    let expected = data::text("courses/uta/astar.out");
    for more in [&[][..], &["a*"], &["a*", "false"], &["A*"]] {
        let ran = uta(more, "");
        assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, &*expected, ""), "{more:?}");
    }
    let ran = uta(&["dls"], "12\n");
    assert_eq!((ran.code, &*ran.stderr), (0, "Enter depth limit: "));
    assert!(ran.stdout.contains("Solution Found at depth 12 with cost of 63.\n"));
    let ran = uta(&["dls", "--depth-limit", "3"], "");
    assert_eq!((ran.code, &*ran.stderr), (1, "npuzzle: uta: no solution\n"));
    assert!(ran.stdout.ends_with("\nNo solution found.\n"), "{}", ran.stdout);
    let ran = uta(&["dls"], "");
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.ends_with("no depth-limit given: use --depth-limit\n"), "{}", ran.stderr);
    let ran = uta(&["best"], "");
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("\"best\" is not a method: expected bfs"), "{}", ran.stderr);
    let ran = uta(&["ids", "--time", "0s"], "");
    assert_eq!((ran.code, &*ran.stdout), (3, ""), "{}", ran.stderr);
}

#[test]
fn uta_files_that_are_missing_or_wrong_are_named() {
    let folder = Folder::new();
    let missing = folder.path().join("missing.txt");
    let wrong = folder.file("wrong.txt", "1 2 3\n4 5 5\n7 8 0\nEND OF FILE\n");
    let goal = data::path("courses/uta/goal.txt");
    let ran = run(["course".as_ref(), "uta".as_ref(), missing.as_os_str(), goal.as_os_str()]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("missing.txt: "), "{}", ran.stderr);
    let ran = run(["course".as_ref(), "uta".as_ref(), goal.as_os_str(), wrong.as_os_str()]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("wrong.txt:2:"), "{}", ran.stderr);
}

/// Runs UTA's program in a folder with a trace; returns the exit code, and the trace if there is one.
fn traced(folder: &Folder, method: &str, more: &[&str]) -> (i32, Option<String>) {
    let [start, goal] =
        ["start", "goal"].map(|name| data::path(&format!("courses/uta/{name}.txt")));
    let mut program = command();
    program.args(["course", "uta"]).args([start, goal]).args([method, "true"]).args(more);
    program.current_dir(folder.path()).stdin(Stdio::null());
    let output = program.output().unwrap();
    let names = folder.names();
    assert!(names.len() <= 1, "{names:?}");
    let trace = names.first().map(|name| {
        assert!(name.starts_with("trace-20") && name.ends_with(".txt"), "{name}");
        assert_eq!(name.len(), "trace-2026-11-18-20-31-05.txt".len(), "{name}");
        let said = format!("trace: {name}\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), said);
        fs::read_to_string(folder.path().join(name)).unwrap()
    });
    (output.status.code().unwrap(), trace)
}

#[test]
fn uta_trace_file_is_complete_or_missing() {
    let folder = Folder::new();
    let (code, trace) = traced(&folder, "greedy", &[]);
    let trace = trace.unwrap();
    assert_eq!(code, 0);
    assert_eq!(trace.matches("Generating successors to ").count(), 138);
    assert!(trace.contains(", 'greedy', 'true']\nMethod Selected: greedy\n"), "{trace:.200}");
    assert!(trace.ends_with("Max Fringe Size: 108\n"));
    // A search that reaches a limit leaves no file.
    let folder = Folder::new();
    assert_eq!(traced(&folder, "ids", &["--time", "0s"]), (3, None));
}

#[test]
fn uwmadison_program_reads_boards_and_files() {
    let board = "[3,4,6,0,0,1,7,2,5]";
    let expected = data::text("courses/uwmadison/test-file.cheaper.out");
    let ran = run(["course", "uwmadison", "solve", board]);
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, &*expected, ""));
    let folder = Folder::new();
    let file = folder.file("board.txt", board);
    let ran = run(["course", "uwmadison", "solve", file.to_str().unwrap()]);
    assert_eq!(ran.stdout, expected);
    let ran = run(["course", "uwmadison", "solve", "[4,3,0,5,1,6,7,2,0]", "--rule", "not-popped"]);
    assert_eq!(ran.stdout, data::text("courses/uwmadison/handout.not-popped.out"));
    let ran = run(["course", "uwmadison", "succ", "[6,0,0,3,5,1,7,2,4]"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 3));
    let unsolvable = "[1,2,3,4,5,6,8,7,0]";
    let ran = run(["course", "uwmadison", "solve", unsolvable, "--term", "state-check"]);
    assert_eq!((ran.code, &*ran.stdout), (1, "False\n"), "{}", ran.stderr);
    let ran = run(["course", "uwmadison", "solve", "[1,2,3]"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.starts_with("npuzzle: <board>: expected nine numbers"), "{}", ran.stderr);
}

#[test]
fn variant_solutions_are_checked_with_exit_codes() {
    let folder = Folder::new();
    let puzzle = data::text("courses/uta/start.txt") + &data::text("courses/uta/goal.txt");
    let puzzle = folder.file("puzzle.txt", puzzle);
    let check = |solution: &str, more: &[&str]| {
        let args = ["check", "--course", "uta", puzzle.to_str().unwrap(), solution];
        run(args.iter().chain(more))
    };
    let ran = check("L U R D L D R R U U L L", &[]);
    assert_eq!((ran.code, &*ran.stdout), (0, "valid: 12 moves, cost 63, cheapest\n"));
    let longer = "L R L U R D L D R R U U L L";
    assert_eq!(check(longer, &[]).code, 1);
    assert_eq!(check(longer, &["--any-length"]).code, 0);
    let ran = check(longer, &["--json"]);
    let record: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&record["cost"], &record["optimum"]), (&Value::from(77), &Value::from(63)));
    assert_eq!(record["optimal"], Value::from(false));
    let ran = check("hello", &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("<solution>: no moves such as"), "{}", ran.stderr);
    assert_eq!(check("L", &["--metric", "mtm"]).code, 2);
}

#[test]
fn variant_boards_are_generated_and_traced() {
    let generate = |course: &str, more: &[&str]| {
        run(["generate", "--course", course, "--seed", "5"].iter().chain(more))
    };
    let boards = generate("uwmadison", &["--moves", "9", "--count", "3"]);
    assert_eq!(boards.code, 0, "{}", boards.stderr);
    let lines: Vec<&str> = boards.stdout.lines().collect();
    assert_eq!(lines.len(), 3);
    for board in lines {
        let solved = run(["course", "uwmadison", "solve", board]).stdout;
        assert!(solved.contains("[1, 2, 3, 4, 5, 6, 7, 0, 0] h=0 moves: 9\n"), "{solved}");
    }
    assert_eq!(generate("uwmadison", &["--moves", "9", "--count", "3"]), boards);
    let board = generate("uta", &["--moves", "40..45"]).stdout;
    assert!(board.ends_with("\nEND OF FILE\n") && board.lines().count() == 4, "{board}");
    let impossible = generate("uta", &["--moves", "999"]);
    assert_eq!(impossible.code, 1);
    assert!(impossible.stderr.contains("the largest is "), "{}", impossible.stderr);
    assert_eq!(generate("uwmadison", &["--unsolvable"]).code, 1);
    assert_eq!(generate("uta", &["--unique"]).code, 2);

    let trace = run(["trace", "--course", "uwmadison", "[1,2,3,4,5,0,7,0,6]"]);
    let expected = "1: [1, 2, 3, 4, 5, 0, 7, 0, 6] f=1 g=0 h=1 queue: 0\n\
                    2: [1, 2, 3, 4, 5, 6, 7, 0, 0] f=1 g=1 h=0 queue: 5\n";
    assert_eq!((trace.code, &*trace.stdout), (0, expected), "{}", trace.stderr);
    let other = ["trace", "--course", "uwmadison", "[1,2,3,4,5,0,7,0,6]", "--algorithm", "bfs"];
    assert_eq!(run(other).code, 2);
    let start = data::path("courses/uta/start.txt");
    let start = start.to_str().unwrap();
    let trace = run(["trace", "--course", "uta", start, "--algorithm", "greedy"]).stdout;
    assert_eq!(trace.matches("Generating successors to ").count(), 138);
}

#[cfg(target_os = "linux")]
#[test]
fn variant_programs_are_graded() {
    let npuzzle = env!("CARGO_BIN_EXE_npuzzle");
    let grade = |course: &str, flags: &[&str], program: &[&str]| {
        let args = ["grade", "--course", course];
        run(args.iter().chain(flags).chain(&["--", npuzzle, "course", course]).chain(program))
    };
    let ran = grade("uta", &[], &["{input}", "{goal}", "a*"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("score: 100 of 100 points, 6 of 6 boards passed\n"));
    let ran = grade("uta", &[], &["{input}", "{goal}", "greedy"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("128 more than the cheapest, which has 63"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("likely bug"));
    let ran = grade("uwmadison", &["--seed", "1"], &["solve", "{board}"]);
    assert!(ran.stdout.contains("7 of 7 boards passed\n"), "{}", ran.stdout);

    let folder = Folder::new();
    let boards = folder.file("boards.txt", "[1,2,3,4,5,0,7,0,6]\n[4, 3, 0, 5, 1, 6, 7, 2, 0]\n");
    let results = folder.path().join("results.json");
    let flags = ["--boards", boards.to_str().unwrap(), "--json", results.to_str().unwrap()];
    let ran = grade("uwmadison", &flags, &["solve", "{input}", "--term", "2021"]);
    // Seven tiles are rejected in the term of eight.
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let record: Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    let board = &record["results"][1];
    assert_eq!(board["start"], Value::from("[4, 3, 0, 5, 1, 6, 7, 2, 0]"));
    assert_eq!(board["goal"], Value::from("[1, 2, 3, 4, 5, 6, 7, 0, 0]"));
    assert_eq!(board["verdict"], Value::from("no answer in the output, exit code 2"));
}
