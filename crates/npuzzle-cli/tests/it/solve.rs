//! `npuzzle solve` with one board.

use crate::program::{run, run_with};

/// Checks the exit code and the first line of the answer.
fn check(args: &[&str], code: i32, first_line: &str) {
    let ran = run(["solve"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stdout.lines().next().unwrap_or(""), first_line, "{args:?}");
}

const EIGHT: &str = "8 1 3/4 0 2/7 6 5";

#[test]
fn optimal_algorithms_find_a_shortest_solution() {
    for algorithm in ["auto", "table", "ida", "astar", "bfs", "uniform", "bidirectional"] {
        check(&[EIGHT, "--algorithm", algorithm, "--quiet", "--notation", "boards"], 0, EIGHT);
        let ran = run(["solve", EIGHT, "--algorithm", algorithm]);
        assert!(ran.stdout.starts_with("14 STM / "), "{algorithm}: {}", ran.stdout);
        assert!(ran.stdout.lines().next().unwrap().ends_with("(optimal)"), "{algorithm}");
    }
}

#[test]
fn every_heuristic_finds_a_shortest_solution() {
    let names = ["zero", "misplaced", "manhattan", "linear-conflict", "inversion", "walking"];
    for heuristic in names.into_iter().chain(["max(misplaced,zero)", "max(inversion,walking)"]) {
        let ran = run(["solve", EIGHT, "--heuristic", heuristic]);
        assert!(ran.stdout.starts_with("14 STM / "), "{heuristic}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(&format!("search: ida with {heuristic}, ")));
    }
}

#[test]
fn solution_line_names_its_notation() {
    let line = |notation: &str| {
        let ran = run(["solve", "1 2 3/4 0 6/7 5 8", "--notation", notation]);
        ran.stdout.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(line("tile"), "tile slides: U L");
    assert_eq!(line("blank"), "blank moves: D R");
    assert_eq!(line("numbers"), "tiles: 5 8");
    assert_eq!(line("boards"), "boards:");
}

#[test]
fn goal_is_a_name_or_a_board() {
    check(&["3 2 6/1 4 0/8 7 5", "--goal", "snail", "-q"], 0, "D R U L D R2 U2 L D L D R U");
    check(&["1 0 2/3 4 5/6 7 8", "--goal", "first", "-q"], 0, "R");
    check(&["1 0 2/3 4 5/6 7 8", "--goal", "1 2 0/3 4 5/6 7 8", "-q"], 0, "L");
    let ran = run(["solve", "1 2/3 0", "--goal", "1 2 3/4 5 0"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("the goal is 2x3, but the start is 2x2"), "{}", ran.stderr);
}

#[test]
fn solve_reports_both_metrics_and_minimizes_one() {
    check(&["8 6 7/2 5 4/3 0 1"], 0, "31 STM / 20 MTM (optimal)");
    let ran = run(["solve", "2 3 0/1 5 6/4 7 8", "--metric", "mtm"]);
    assert!(ran.stdout.starts_with("6 STM / 3 MTM (optimal)\n"), "{}", ran.stdout);
}

#[test]
fn unsolvable_board_exits_1_with_the_reason() {
    let ran = run(["solve", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("unsolvable: the permutation is odd"));
    assert_eq!(ran.stderr, "");
}

#[test]
fn limit_is_named_with_the_lower_bound() {
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1";
    for (flags, message) in [
        (["--nodes", "1000", "--algorithm", "ida"], "limit of 1000 nodes reached"),
        (["--time", "50ms", "--algorithm", "ida"], "time limit of 0.05 s reached"),
        (["--memory", "1M", "--algorithm", "astar"], "memory limit of 1 MiB reached"),
        (["--memory", "1M", "--algorithm", "bfs"], "memory limit of 1 MiB reached"),
    ] {
        let ran = run(["solve", hard].iter().chain(&flags));
        assert_eq!(ran.code, 3, "{flags:?}: {}", ran.stderr);
        assert!(ran.stdout.starts_with(&format!("not solved: {message}")), "{}", ran.stdout);
        assert!(ran.stdout.contains(" needed"), "{}", ran.stdout);
    }
}

#[test]
fn unproved_solution_shows_the_lower_bound() {
    let ran = run(["solve", "8 6 7/2 5 4/3 0 1", "--algorithm", "greedy"]);
    assert!(ran.stdout.contains("(a shortest solution has at least 2"), "{}", ran.stdout);
    let ran = run(["solve", "8 6 7/2 5 4/3 0 1", "--algorithm", "wastar", "--weight", "3"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn solve_rejects_impossible_requests() {
    let refused = |args: &[&str], why: &str| {
        let ran = run(["solve"].iter().chain(args));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    };
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15";
    refused(&[fifteen, "--algorithm", "table"], "up to 12 cells, and this one has 16");
    let goal: Vec<String> = (1..21 * 21).chain([0]).map(|tile| tile.to_string()).collect();
    refused(&[&goal.join(" "), "--notation", "boards"], "up to 400 cells, and this board has 441");
    refused(&[EIGHT, "--algorithm", "bfs", "--heuristic", "manhattan"], "bfs uses no heuristic");
    let large = "1 2 3 4 5 6 7 8 9/10 11 12 13 14 15 16 17 18/19 20 21 22 23 24 25 0 26";
    refused(&[large, "--heuristic", "pattern"], "boards of up to 25 cells");
    refused(&[EIGHT, "--weight", "2"], "only wastar takes a weight");
    refused(&[EIGHT, "--algorithm", "wastar", "--weight", "0.5"], "from 1 to 1000");
    refused(&[EIGHT, "--algorithm", "best"], "possible values: auto, table");
    refused(&[EIGHT, "--heuristic", "euclid"], "is not a heuristic: expected one of zero");
    refused(&[EIGHT, "--time", "soon"], "expected a time such as");
    refused(&[], "required");
}

#[test]
fn hexadecimal_is_a_board_and_other_words_are_files() {
    for board in ["fe169b4c0a73d852", "FE16/9B4C/0A73/D852", "f e 1 6/9 b 4 c/0 a 7 3/d 8 5 2"] {
        let ran = run(["solve", board, "--nodes", "1"]);
        assert_ne!(ran.code, 4, "{board}: {}", ran.stderr);
    }
    let ran = run(["solve", "8 1 3/4 ? 2/7 6 5"]);
    assert!(ran.code == 2 && ran.stderr.contains("<board>:1:9: "), "{}", ran.stderr);
    let ran = run(["solve", "puzzle"]);
    assert!(ran.code == 4 && ran.stderr.contains("does not look like a board"), "{}", ran.stderr);
}

#[test]
fn fifteen_puzzle_of_50_moves_needs_few_nodes() {
    // Korf's number 67, the hardest of his boards with 50 moves.
    let args = ["solve", "7 1 2 4/8 3 6 11/10 15 0 5/14 12 13 9", "--goal", "first", "--json"];
    let ran = run(args.iter().chain(&["--nodes", "1e6"]));
    assert!(ran.stdout.contains("\"moves\":50,"), "{}", ran.stdout);
}

#[test]
fn explain_prints_the_plan_on_stderr() {
    let ran = run(["solve", EIGHT, "--explain"]);
    assert!(ran.stderr.starts_with("plan: table: the full table"), "{}", ran.stderr);
}

#[test]
fn json_has_stable_names_in_order() {
    let ran = run(["solve", EIGHT, "--json", "--algorithm", "ida"]);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let expect = "schema status rows cols start goal solvable algorithm heuristic metric optimal \
                  moves moves_stm moves_mtm lower_bound upper_bound notation solution h_start \
                  expanded generated reopened max_open iterations peak_bytes ms limit_hit reason \
                  source line version";
    assert_eq!(names.join(" "), expect);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(value["start"], EIGHT);
    assert_eq!((&value["moves"], &value["optimal"]), (&14.into(), &true.into()));
    let rounds = value["iterations"].as_array().unwrap();
    let sum: u64 = rounds.iter().map(|round| round["expanded"].as_u64().unwrap()).sum();
    assert_eq!(value["expanded"].as_u64(), Some(sum));
    assert_eq!(rounds.last().unwrap()["bound"], 14);
}

#[test]
fn json_answers_are_readable_as_boards() {
    let first = run(["solve", EIGHT, "--json"]);
    let again = run_with(["solve", "-", "--json"], &first.stdout);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.contains("\"start\":\"8 1 3/4 0 2/7 6 5\""));
}

#[test]
fn json_lists_boards_on_request() {
    let ran = run(["solve", "1 2 3/4 5 6/7 0 8", "--json", "--notation", "boards"]);
    assert!(ran.stdout.contains("\"boards\":[\"1 2 3/4 5 6/7 0 8\",\"1 2 3/4 5 6/7 8 0\"]"));
}

#[test]
fn csv_rows_match_the_header() {
    let ran = run(["solve", EIGHT, "1 2 3/4 5 6/8 7 0", "--output", "csv", "--notation", "boards"]);
    assert_eq!(ran.stdout.lines().count(), 3);
    let mut reader = csv::Reader::from_reader(ran.stdout.as_bytes());
    assert_eq!(reader.headers().unwrap().get(1), Some("status"));
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let statuses: Vec<_> = rows.iter().map(|row| row.get(1).unwrap()).collect();
    assert_eq!((ran.code, &statuses[..]), (1, &["solved", "unsolvable"][..]));
}

#[test]
fn version_help_completions_and_man_work() {
    assert_eq!(run(["--version"]).stdout, format!("npuzzle {}\n", env!("CARGO_PKG_VERSION")));
    for command in ["solve", "course", "convert", "completions", "man"] {
        let ran = run([command, "--help"]);
        assert!(ran.code == 0 && ran.stdout.contains("Usage: npuzzle"), "{command}");
    }
    assert!(run(["completions", "bash"]).stdout.contains("_npuzzle()"));
    assert!(run(["man"]).stdout.contains(".TH npuzzle 1"));
}

#[test]
fn board_without_a_command_suggests_solve() {
    let ran = run(["8 1 3/4 0 2/7 6 5"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("run npuzzle solve \"8 1 3/4 0 2/7 6 5\""), "{}", ran.stderr);
    // A misspelled command does not.
    assert!(!run(["solv"]).stderr.contains("run npuzzle solve"));
}

#[test]
fn public_boards_are_solved_by_number_for_their_goal() {
    let lengths = |args: &[&str]| {
        let ran = run(["solve"].iter().chain(args));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let words = ran.stdout.lines().map(|line| line.split(": ").last().unwrap_or("").to_owned());
        (words.count(), ran.stdout)
    };
    let (n_lines, text) = lengths(&["--korf", "79,42", "--tables", "small"]);
    assert!(n_lines == 2 && text.matches("42 STM").count() == 2, "{text}");
    check(&["--set", "korf:79", "--tables", "small", "-q", "--goal", "first"], 2, "");
    let ran = run(["solve", "--korf24", "51"]);
    assert!(ran.stderr.contains("expected numbers from 1 to 50"), "{}", ran.stderr);
}

#[test]
fn order_of_moves_changes_textbook_searches_only() {
    let expanded = |order: &str| {
        let args = ["solve", EIGHT, "--algorithm", "a*", "--heuristic", "misplaced", "--json"];
        let ran = run(args.iter().chain(&["--order", order]));
        let record: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(record["optimal"], true, "{}", ran.stderr);
        record["expanded"].as_u64().unwrap()
    };
    assert_eq!(expanded("uldr"), 256);
    assert_ne!(expanded("rdlu"), 256);
    let refused = |args: &[&str], words: &str| {
        let ran = run(["solve", EIGHT].iter().chain(args));
        assert!(ran.code == 2 && ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    refused(&["--order", "ulrd"], "has no order of moves: name astar");
    refused(&["--order", "uudl", "--algorithm", "bfs"], "expected the letters u, d, l and r");
}

#[test]
fn unsolvable_boards_name_a_goal_they_can_reach() {
    let korf = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
    let ran = run(["solve", korf]);
    assert!(ran.stdout.ends_with("; the goal first can be reached\n"), "{}", ran.stdout);
    let json = run(["solve", korf, "--json"]).stdout;
    assert!(json.contains("the goal first can be reached\""), "{json}");
    let batch = run_with(["solve", "-"], &format!("{korf}\n{korf}\n"));
    assert!(batch.stderr.contains("add --goal first"), "{}", batch.stderr);
    // Not if one of them can reach its goal.
    let mixed = run_with(["solve", "-"], &format!("{korf}\n{EIGHT}\n"));
    assert!(!mixed.stderr.contains("--goal first"), "{}", mixed.stderr);
}
