//! The course programs on the command line: files, flags, messages and exit codes.
//!
//! Their answers are tested in `npuzzle-courses`.

use std::ffi::OsStr;
use std::fs;

use npuzzle_testkit::data;

use crate::program::{Folder, RunResult, command, run};

/// Runs a course with flags on a file with this text.
fn on(course: &[&str], text: &str) -> RunResult {
    let folder = Folder::new();
    let file = folder.file("board.txt", text);
    let args = ["course"].iter().chain(course).map(AsRef::as_ref).chain([file.as_os_str()]);
    run(args)
}

/// Runs CUHK's course on these files.
fn cuhk(initial: &OsStr, moves: &OsStr) -> RunResult {
    run(["course".as_ref(), "cuhk".as_ref(), initial, moves])
}

#[test]
fn course_prints_its_answer_and_returns_the_exit_code() {
    for (course, name, code) in [
        ("umbc", "sample", 0),
        ("auc", "sample", 0),
        ("princeton", "puzzle04", 0),
        ("princeton", "unsolvable", 1),
        ("bu", "input01", 0),
        ("bu", "unsolvable", 1),
        ("bu", "error01", 2),
        ("42", "sample", 0),
        ("42", "unsolvable", 1),
    ] {
        let input = data::path(&format!("courses/{course}/{name}.in"));
        let ran = run(["course".as_ref(), course.as_ref(), input.as_os_str()]);
        let expected = data::text(&format!("courses/{course}/{name}.out"));
        assert_eq!(ran.stdout, expected, "{course} {name}: {}", ran.stderr);
        assert_eq!(ran.code, code, "{course} {name}");
        assert_eq!(ran.stderr.contains("unsolvable: "), code == 1, "{course}: {}", ran.stderr);
    }
}

#[test]
fn unsolvable_board_without_an_answer_is_reported_on_stderr() {
    let unsolvable = "1 2 3\n4 5 6\n8 7 0\n";
    let with_goal = format!("{unsolvable}1 2 3\n4 5 6\n7 8 0\n");
    for (course, text) in [("umbc", with_goal), ("auc", format!("3\n{unsolvable}"))] {
        let ran = on(&[course], &text);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{course}");
        assert!(ran.stderr.contains("unsolvable: "), "{}", ran.stderr);
    }
}

#[test]
fn princeton_faithful_flags_print_counts_on_stderr() {
    let text = data::text("princeton/puzzle04.txt");
    let stderr = |flags: &[&str]| {
        let ran = on(&[&["princeton"], flags].concat(), &text);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(ran.stdout, data::text("courses/princeton/puzzle04.out"));
        ran.stderr
    };
    assert_eq!(stderr(&[]), "");
    assert_eq!(stderr(&["--faithful"]), "10 enqueued, 5 dequeued\n");
    assert_eq!(stderr(&["--heuristic", "manhattan"]), "10 enqueued, 5 dequeued\n");
    assert_eq!(stderr(&["--heuristic", "hamming"]), stderr(&["--heuristic", "misplaced"]));
    let both = stderr(&["--detect", "lockstep"]);
    assert!(both.starts_with("10 enqueued, 5 dequeued; twin: "), "{both}");
}

#[test]
fn bu_reads_input01_from_the_working_folder() {
    let folder = Folder::new();
    folder.file("input01.txt", data::text("courses/bu/input01.in"));
    let output = command().args(["course", "bu"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), data::text("courses/bu/input01.out"));
}

#[test]
fn bu_limit_flag_sets_the_node_limit() {
    let ran = on(&["bu", "--limit", "7"], "8 6 7\n2 5 4\n3 0 1\n");
    let sorry = "Sorry, I could not find a solution after looking at 7 nodes.\n";
    assert!(ran.stdout.ends_with(sorry), "{}", ran.stdout);
    assert_eq!(ran.code, 3);
}

#[test]
fn cuhk_writes_its_answer_to_a_file() {
    for name in ["sample", "joined", "mixed"] {
        let folder = Folder::new();
        let initial = data::path(&format!("courses/cuhk/{name}.in"));
        let moves = folder.path().join("moves.txt");
        let ran = cuhk(initial.as_os_str(), moves.as_os_str());
        assert_eq!(ran, RunResult { code: 0, stdout: String::new(), stderr: String::new() });
        let expected = data::text(&format!("courses/cuhk/{name}.out"));
        assert_eq!(fs::read_to_string(&moves).unwrap(), expected);
        assert_eq!(folder.names(), ["moves.txt"]);
    }
}

#[test]
fn cuhk_faithful_flag_finds_the_same_length() {
    let folder = Folder::new();
    let initial = folder.file("initial.txt", "8 6 7\n2 5 4\n3 0 1\n");
    for flags in [&[][..], &["--faithful"]] {
        let moves = folder.path().join("moves.txt");
        let args = ["course".as_ref(), "cuhk".as_ref(), initial.as_os_str(), moves.as_os_str()];
        let ran = run(args.into_iter().chain(flags.iter().map(AsRef::as_ref)));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&moves).unwrap().matches("\n\n").count(), 31);
    }
}

#[test]
fn cuhk_keeps_the_file_if_there_is_no_answer() {
    let folder = Folder::new();
    let moves = folder.file("moves.txt", "precious");
    for (text, code) in [("1 2 3\n4 5 6\n8 7 0\n", 1), ("1 2 3\n4 5 6\n7 8 8\n", 2), ("", 2)] {
        let initial = folder.file("initial.txt", text);
        let ran = cuhk(initial.as_os_str(), moves.as_os_str());
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&moves).unwrap(), "precious");
    }
}

#[test]
fn cuhk_does_not_overwrite_its_input() {
    let folder = Folder::new();
    let file = folder.file("board.txt", "0 1 3\n4 2 5\n7 8 6\n");
    let ran = cuhk(file.as_os_str(), file.as_os_str());
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "0 1 3\n4 2 5\n7 8 6\n");
}

#[test]
fn fortytwo_solves_random_boards() {
    let ran = run(["course", "42", "--random", "3", "--seed", "5"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "random 3x3, seed 5\n"));
    assert!(ran.stdout.ends_with("\n\n1 2 3\n8 0 4\n7 6 5\n"), "{}", ran.stdout);
    let ran = run(["course", "42", "--random", "17", "--seed", "5", "--unsolvable"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "This puzzle is unsolvable\n"));
    assert_eq!(run(["course", "42"]).code, 2);
    assert_eq!(run(["course", "42", "--random", "1"]).code, 2);
    assert_eq!(run(["course", "42", "--seed", "5", "board.txt"]).code, 2);
    assert_eq!(on(&["42", "--random", "3"], "3\n").code, 2);
}

#[test]
fn fortytwo_flags_select_the_search() {
    let text = data::text("courses/42/sample.in");
    let answers = [
        &["42"][..],
        &["42", "--heuristic", "linear-conflict"],
        &["42", "--heuristic", "hamming"],
        &["42", "--search", "uniform"],
    ]
    .map(|args| on(args, &text));
    assert!(answers.iter().all(|ran| ran.code == 0), "{answers:?}");
    assert!(answers.windows(2).all(|pair| pair[0].stdout != pair[1].stdout), "{answers:?}");
    assert_eq!(on(&["42", "--search", "dfs"], &text).code, 2);
    for flags in [&["42", "--unsolvable"][..], &["42", "--seed", "5"], &["42", "--random", "3"]] {
        let ran = on(flags, &text);
        assert_eq!(ran.code, 2, "{flags:?}: {}", ran.stdout);
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
    assert!(run(["course", "42"]).stderr.contains("<FILE|--random <SIDE>>"));
}

/// Runs Columbia's course in a folder.
fn columbia(folder: &Folder, args: &[&str]) -> RunResult {
    let mut command = command();
    let output =
        command.args(["course", "columbia"]).args(args).current_dir(folder.path()).output();
    RunResult::from(output.unwrap())
}

#[test]
fn columbia_writes_output_txt_into_the_working_folder() {
    let folder = Folder::new();
    for method in ["bfs", "DFS", "ast"] {
        let ran = columbia(&folder, &[method, "1,2,5,3,4,0,6,7,8"]);
        assert_eq!(ran, RunResult { code: 0, stdout: String::new(), stderr: String::new() });
        let answer = fs::read_to_string(folder.path().join("output.txt")).unwrap();
        assert!(answer.starts_with("path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\n"));
        assert_eq!(answer.lines().count(), 7);
    }
    assert_eq!(folder.names(), ["output.txt"]);
    let ran = columbia(&folder, &["bfs", "1,2,5,3,4,0,6,7,8", "--fringe"]);
    let answer = fs::read_to_string(folder.path().join("output.txt")).unwrap();
    assert!(ran.code == 0 && answer.contains("\nfringe_size: 11\nmax_fringe_size: 12\n"));
}

#[test]
fn columbia_without_a_solution_writes_no_file() {
    let folder = Folder::new();
    let ran = columbia(&folder, &["dfs", "8,1,2,0,4,3,7,6,5"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("unsolvable: "), "{}", ran.stderr);
    for args in [
        &["bfs", "0,1,2,3,4,5,6,7,7"][..],
        &["bfs", "0,1,2,3,4,5,6,7,8,9"],
        &["ida", "0,1,2,3,4,5,6,7,8"],
        &["bfs"],
        &[],
    ] {
        let ran = columbia(&folder, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}: {}", ran.stderr);
    }
    let ran = columbia(&folder, &["bfs", "0,8,7,6,5,4,3,2,1", "--memory", "100k"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(folder.names().is_empty());
}

#[test]
fn columbia_answers_pass_check() {
    let folder = Folder::new();
    let board = "6,1,8,4,0,2,7,3,5";
    for (method, flags) in [("ast", &[][..]), ("dfs", &["--any-length"])] {
        assert_eq!(columbia(&folder, &[method, board]).code, 0);
        let answer = folder.path().join("output.txt");
        let args = ["check", "--course", "columbia", board, answer.to_str().unwrap()];
        let ran = run(args.iter().chain(flags));
        assert_eq!(ran.code, 0, "{method}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn cs188_prints_the_transcript_without_waiting() {
    let ran = run(["course", "cs188", "0"]);
    assert_eq!(ran.stdout, data::text("courses/cs188/one-move.out"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let ran = run(["course", "cs188", "9"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("puzzle number from 0 to 5, found 9"), "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn cs188_waits_for_return_on_a_terminal() {
    use crate::play::terminal::Terminal;

    let prompt = "Press return for the next state...";
    let mut terminal = Terminal::start(&["course", "cs188", "3 1 2 4 0 5 6 7 8"]);
    terminal.wait_for(prompt);
    assert!(!terminal.text().contains("After 2 moves"), "{}", terminal.text());
    terminal.send("\r");
    terminal.wait_for("After 2 moves: up");
    terminal.send("\r");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(terminal.text().matches(prompt).count(), 2, "{}", terminal.text());

    let mut terminal = Terminal::start(&["course", "cs188", "0"]);
    terminal.wait_for(prompt);
    terminal.signal("-INT");
    assert_eq!(terminal.exit_code(), 130);
}

#[test]
fn cs188_without_a_puzzle_scrambles_one() {
    let ran = run(["course", "cs188", "--seed", "5"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "25 random moves, seed 5\n"));
    assert!(ran.stdout.starts_with("A random puzzle:\n-------------\n"), "{}", ran.stdout);
    assert_eq!(run(["course", "cs188", "--seed", "5"]).stdout, ran.stdout);
    let ran = run(["course", "cs188", "--seed", "5", "--moves", "0"]);
    assert_eq!(ran.stdout, data::text("courses/cs188/solved.out"));
    assert_eq!(run(["course", "cs188", "0", "--seed", "5"]).code, 2);
    assert_eq!(run(["course", "cs188", "0", "--moves", "5"]).code, 2);
}

#[test]
fn missing_files_and_wrong_numbers_of_arguments_are_bad_usage() {
    for course in ["umbc", "auc", "princeton", "bu"] {
        let ran = run(["course", course, "no-such-file.txt"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{course}");
        assert!(ran.stderr.starts_with("npuzzle: no-such-file.txt: "), "{}", ran.stderr);
        assert_eq!(run(["course", course, "a", "b"]).code, 2);
    }
    for course in ["umbc", "auc", "princeton", "cuhk"] {
        assert_eq!(run(["course", course]).code, 2, "{course}");
    }
    assert_eq!(run(["course", "yale", "x"]).code, 2);
}

#[test]
fn malformed_file_is_reported_with_its_position() {
    let ran = on(&["auc"], "3 // size\n1 2 3\n4 y 5 // middle\n7 8 6\n");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("board.txt:3:3: "), "{}", ran.stderr);
    for course in ["auc", "princeton", "42"] {
        let ran = on(&[course], "1 2 3\n4 5 6\n7 8 0\n");
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.ends_with("the first line must be the dimension\n"), "{}", ran.stderr);
    }
}

#[test]
fn limit_flags_stop_the_search_with_exit_code_3() {
    let text = data::text("princeton/puzzle4x4-78.txt");
    let ran = on(&["auc", "--memory", "16M"], &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("memory limit of 16 MiB reached"), "{}", ran.stderr);
    assert!(ran.stderr.contains(" needed"), "{}", ran.stderr);
    let ran = on(&["princeton", "--faithful", "--time", "1e19", "--memory", "4M"], &text);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn files_larger_than_any_board_are_not_read() {
    for course in ["umbc", "auc", "princeton", "bu"] {
        let ran = on(&[course], &"1 ".repeat(1 << 20));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{course}");
        assert!(ran.stderr.contains("more than 1 MiB of input"), "{}", ran.stderr);
    }
}

#[test]
fn list_has_a_line_for_each_course() {
    let ran = run(["course", "--list"]);
    let names: Vec<&str> = ran.stdout.lines().filter_map(|l| l.split_whitespace().next()).collect();
    let all =
        ["umbc", "auc", "princeton", "bu", "cuhk", "42", "columbia", "cs188", "uta", "uwmadison"];
    assert_eq!(names, all);
}
