//! Batches: many boards in one call.

use crate::program::{run, run_with};

#[test]
fn batch_reports_bad_board_and_continues_in_order() {
    let boards = "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/7 8 9\n# comment\n1 2 3/4 5 6/8 7 0\n1 2/0 3\n";
    let ran = run_with(["solve", "-"], boards);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "1: 1 STM / 1 MTM (optimal), tile slides: L");
    assert_eq!(lines[1], "2: error");
    assert!(lines[2].starts_with("3: unsolvable: "));
    assert_eq!((lines[3], lines.len()), ("4: 1 STM / 1 MTM (optimal), tile slides: L", 4));
    assert!(ran.stderr.starts_with("npuzzle: <stdin>:2:"), "{}", ran.stderr);
    assert_eq!(ran.code, 2);
}

#[test]
fn batch_json_has_a_line_for_a_bad_board() {
    let ran = run_with(["solve", "-", "--json"], "1 2 3/4 5 6/7 8 9\n1 2 3/4 5 6/7 0 8\n");
    let values: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&values[0]["status"], &values[1]["status"]), (&"error".into(), &"solved".into()));
    assert!(values[0]["reason"].as_str().unwrap().contains("out of range"));
}

#[test]
fn batch_exit_code_is_the_most_severe() {
    let code = |boards: &str| run_with(["solve", "-", "--nodes", "10"], boards).code;
    let (fine, never) = ("1 2/0 3\n", "2 1/3 0\n");
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1\n";
    assert_eq!(code(&[fine, fine].concat()), 0);
    assert_eq!(code(&[fine, never].concat()), 1);
    assert_eq!(code(&[never, hard].concat()), 3);
    assert_eq!(code(&[hard, "1 2/0 9\n"].concat()), 2);
}

#[test]
fn quiet_batch_prints_one_line_per_board() {
    let ran = run_with(["solve", "-", "-q"], "1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/8 7 0\n1 2/0 3\n");
    assert_eq!(ran.stdout, "L\nunsolvable\nL\n");
}

#[test]
fn several_arguments_are_one_batch() {
    let ran = run(["solve", "1 2/0 3", "1 2 3/4 0 5", "-q"]);
    assert_eq!(ran.stdout, "L\nL\n");
}

#[test]
fn unquoted_board_is_one_board() {
    let ran = run(["solve", "1", "2", "3", "4", "5", "6", "7", "0", "8", "-q"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "L\n"), "{}", ran.stderr);
}

#[test]
fn missing_file_does_not_stop_the_batch() {
    let ran = run(["solve", "1 2/0 3", "no-such-file.txt", "1 2/0 3", "-q"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, "L\nerror\nL\n"));
    assert!(ran.stderr.starts_with("npuzzle: no-such-file.txt: "), "{}", ran.stderr);
}

#[test]
fn one_word_boards_mix_with_other_formats() {
    let ran = run_with(["solve", "-", "-q"], "123456708\n1 2 3 4 5 6 7 0 8\nfe169b4c0a73d852\n");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((ran.code, lines.len(), &lines[..2]), (0, 3, &["L", "L"][..]), "{}", ran.stderr);
}

#[test]
fn two_grids_suggest_the_pair_format() {
    let pair = "1 2 3\n8 4 0\n7 6 5\n\n1 2 3\n8 0 4\n7 6 5\n";
    let ran = run_with(["solve", "-"], pair);
    assert!(ran.stderr.contains("add --format pair"), "{}", ran.stderr);
    let ran = run_with(["solve", "-", "--format", "pair", "-q"], pair);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("R\n", ""));
}

#[test]
fn korf_file_is_read_unchanged() {
    let file = npuzzle_testkit::data::path("korf100.txt");
    let flags = ["--goal", "first", "--json", "--nodes", "10"].map(std::ffi::OsStr::new);
    let ran = run(["solve".as_ref(), file.as_os_str()].into_iter().chain(flags));
    assert_eq!((ran.stdout.lines().count(), ran.code), (100, 3), "{}", ran.stderr);
}

#[test]
fn contradictory_flags_are_reported_once() {
    let check = |args: &[&str], message: &str| {
        let ran = run_with(["solve"].iter().chain(args), "1 2/0 3\n1 2 3/4 5 6/7 0 8\n");
        assert_eq!((ran.code, &ran.stdout[..]), (2, ""), "{args:?}");
        assert_eq!(ran.stderr, format!("npuzzle: {message}\n"), "{args:?}");
    };
    check(&["-", "--weight", "2"], "only wastar takes a weight, not auto");
    check(&["1 2/0 3", "--all", "5"], "5 is not a board; for --all write --all=5");
}

#[test]
fn standard_input_is_read_only_once() {
    for args in [
        &["compare", "-", "-"][..],
        &["check", "-", "-"],
        &["convert", "-", "--moves", "-"],
        &["solve", "-", "-"],
        &["render", "-", "--solution", "-", "--as", "svg"],
        &["trace", "diff", "-", "-"],
    ] {
        let ran = run_with(args, "1 2 3/4 5 6/7 0 8\n");
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stdout);
        assert!(ran.stderr.contains("only one argument can be -"), "{args:?}: {}", ran.stderr);
    }
}
