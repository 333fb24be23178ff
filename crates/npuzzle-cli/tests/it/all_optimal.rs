//! `--all`: every shortest solution.

use crate::program::{RunResult, run};

/// A board with two shortest solutions in runs and six in slides.
const BOARD: &str = "3 2 1/4 5 6/8 7 0";
const SOLVED: &str = "1 2 3/4 5 6/7 8 0";
const UNSOLVABLE: &str = "1 2 3/4 5 6/8 7 0";

fn all(args: &[&str]) -> RunResult {
    run(["solve"].iter().chain(args))
}

/// Checks the output without the line that contains the time.
fn check(args: &[&str], code: i32, expect: &[&str]) {
    let ran = all(args);
    assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    let lines = ran.stdout.lines().filter(|line| !line.starts_with("search: "));
    assert_eq!(lines.collect::<Vec<_>>(), expect, "{args:?}");
}

const FIRST: &str = "D2 R2 U L U R D L2 D R U L U R2 D2 L U2 L";
const SECOND: &str = "D2 R2 U L2 D R U2 R D L2 U R2 D2 L U2 L";

#[test]
fn all_lists_solutions_as_text() {
    let (head, found) = ("24 STM / 18 MTM (optimal)", format!("tile slides: {FIRST}"));
    let (first, second) = (FIRST, SECOND);
    check(
        &[BOARD, "--all=2"],
        0,
        &[head, &found, "6 optimal solutions, 2 of them:", first, second],
    );
    check(&[BOARD, "--all=0"], 0, &[head, &found, "6 optimal solutions"]);
    check(&[BOARD, "--all=2", "-q"], 0, &[first, second]);
    check(&[BOARD, "--all=0", "-q"], 0, &["6"]);
    let ran = all(&[BOARD, "--all"]);
    assert!(ran.stdout.contains("\n6 optimal solutions:\n"), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 10);
    let solved = ["0 STM / 0 MTM (optimal)", "already solved", "1 optimal solution"];
    check(&[SOLVED, "--all"], 0, &solved);
    let batch =
        format!("1: {head}, 6 optimal solutions, 2 of them, tile slides: {first}; {second}");
    let no = all(&[UNSOLVABLE]).stdout;
    let no = format!("2: {}", no.trim_end());
    check(&[BOARD, UNSOLVABLE, "--all=2"], 1, &[&batch, &no]);
}

#[test]
fn all_separates_solutions_as_boards() {
    let ran = all(&[BOARD, "--all=2", "-q", "--notation", "boards"]);
    let solutions: Vec<&str> = ran.stdout.split("\n\n").collect();
    assert_eq!(solutions.len(), 2);
    for solution in solutions {
        assert_eq!(solution.lines().count(), 25);
        assert!(solution.starts_with(BOARD) && solution.trim_end().ends_with(SOLVED));
    }
}

fn json(args: &[&str]) -> Vec<serde_json::Value> {
    let ran = all(args);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn all_lists_solutions_as_json() {
    let values = json(&[BOARD, SOLVED, UNSOLVABLE, "1 2/3 3", "--json", "--all=2"]);
    let count = |at: usize| values[at]["optimal_solutions"].clone();
    let listed = |at: usize| values[at]["solutions"].clone();
    assert_eq!((count(0), listed(0)), (6.into(), [FIRST, SECOND].as_slice().into()));
    assert_eq!((count(1), listed(1)), (1.into(), [""].as_slice().into()));
    assert_eq!((count(2), listed(2)), (0.into(), serde_json::json!([])));
    assert!(count(3).is_null() && listed(3).is_null());
    for value in &values {
        let fields = value.as_object().unwrap();
        assert!(fields.contains_key("optimal_solutions") && fields.contains_key("solutions"));
    }
    let runs = json(&[BOARD, "--json", "--all=2", "--metric", "mtm", "--notation", "numbers"]);
    assert_eq!(runs[0]["optimal_solutions"], 2);
    assert!(runs[0]["solutions"][0].as_str().unwrap().starts_with("6 1 "), "{}", runs[0]);
    let without = json(&[BOARD, "--json"]);
    assert!(!without[0].as_object().unwrap().contains_key("optimal_solutions"));
}

#[test]
fn all_lists_solutions_as_csv() {
    let ran = all(&[BOARD, UNSOLVABLE, "1 2/3 3", "--output", "csv", "--all=2"]);
    let mut reader = csv::Reader::from_reader(ran.stdout.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| rows.iter().map(|row| row[at(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(column("optimal_solutions"), ["6", "0", ""]);
    assert_eq!(column("solutions"), [&format!("{FIRST};{SECOND}"), "", ""]);
}

#[test]
fn all_keeps_solution_when_counting_is_stopped() {
    let fifteen = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4";
    let found = all(&[fifteen, "-q"]).stdout;
    // Only counting takes memory.
    let ran = all(&[fifteen, "--memory", "1K", "--all"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "43 STM / 29 MTM (optimal)");
    assert_eq!(lines[1], format!("tile slides: {}", found.trim_end()));
    let expect = "at least 1 optimal solution (memory limit reached before all were counted)";
    assert_eq!(lines[3], expect);
    let value = &json(&[fifteen, "--memory", "1K", "--all", "--json"])[0];
    assert_eq!((&value["status"], &value["limit_hit"]), (&"solved".into(), &"memory".into()));
    assert!(value["optimal_solutions"].is_null() && value["optimal"] == true);
    assert_eq!(value["solutions"], serde_json::json!([found.trim_end()]));
}

#[test]
fn all_rejects_algorithms_without_proof() {
    let ran = all(&[BOARD, "--algorithm", "greedy", "--all"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("and greedy proves none"), "{}", ran.stderr);
    assert_eq!(all(&[BOARD, "--all=many"]).code, 2);
}
