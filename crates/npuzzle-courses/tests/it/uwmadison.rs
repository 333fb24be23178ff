//! UW-Madison's course: boards with two blanks.

use npuzzle::Limits;
use npuzzle_courses::VariantEnding;
use npuzzle_testkit::data;

use crate::variants::{arguments, check, course, run, solve, try_run};

#[test]
fn uwmadison_print_succ_is_answered_byte_for_byte() {
    let mut n_boards = 0;
    let text = data::text("courses/uwmadison/succ.txt");
    let text: String = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    for block in text.split("\n\n") {
        let (board, expected) = block.trim_end().split_once('\n').unwrap();
        let run = run("uwmadison", &[("function", "print_succ"), ("board", board)]);
        assert_eq!(run.answer, format!("{expected}\n"));
        n_boards += 1;
    }
    assert_eq!(n_boards, 4);
}

#[test]
fn uwmadison_solve_samples_are_answered_byte_for_byte() {
    let expected = data::text("courses/uwmadison/test-file.cheaper.out");
    assert_eq!(solve("[3,4,6,0,0,1,7,2,5]", &[]).answer, expected);
    let expected = data::text("courses/uwmadison/handout.not-popped.out");
    assert_eq!(solve("[4,3,0,5,1,6,7,2,0]", &[("rule", "not-popped")]).answer, expected);
}

#[test]
fn uwmadison_queue_lengths_are_the_published_ones() {
    let known = data::text("courses/uwmadison/solve.txt");
    let mut n_boards = 0;
    for row in known.lines().filter(|line| !line.starts_with('#')) {
        let [board, moves, cheaper, not_popped] =
            row.split(' ').collect::<Vec<_>>().try_into().unwrap();
        for (rule, expected) in [("cheaper", cheaper), ("not-popped", not_popped)] {
            let answer = solve(board, &[("rule", rule)]).answer;
            let lines: Vec<&str> = answer.lines().collect();
            let [.., goal, queue] = lines[..] else { panic!("{answer}") };
            assert_eq!(goal, format!("[1, 2, 3, 4, 5, 6, 7, 0, 0] h=0 moves: {moves}"), "{board}");
            if expected != "-" {
                assert_eq!(queue, format!("Max queue length: {expected}"), "{board} {rule}");
            }
            let verdict = check("uwmadison", board, &answer);
            assert_eq!(verdict, format!("valid: {moves} moves, shortest"));
        }
        n_boards += 1;
    }
    assert_eq!(n_boards, 7);
}

/// The second and the last but one state of the published paths of 18 moves.
#[test]
fn uwmadison_paths_of_18_moves_match_the_test_files() {
    for (board, second, last_but_one) in [
        (
            "[6,0,0,3,5,1,7,2,4]",
            "[6, 0, 1, 3, 5, 0, 7, 2, 4] h=13 moves: 1",
            "[1, 2, 3, 4, 0, 6, 7, 5, 0] h=1 moves: 17",
        ),
        (
            "[0,4,7,1,3,0,6,2,5]",
            "[0, 4, 0, 1, 3, 7, 6, 2, 5] h=15 moves: 1",
            "[1, 2, 3, 4, 5, 0, 7, 0, 6] h=1 moves: 17",
        ),
    ] {
        let answer = solve(board, &[]).answer;
        let lines: Vec<&str> = answer.lines().collect();
        assert_eq!((lines[1], lines[17]), (second, last_but_one));
    }
}

#[test]
fn uwmadison_solved_board_has_an_empty_queue() {
    let answer = solve("[1, 2, 3, 4, 5, 6, 7, 0, 0]", &[]).answer;
    assert_eq!(answer, "[1, 2, 3, 4, 5, 6, 7, 0, 0] h=0 moves: 0\nMax queue length: 0\n");
}

#[test]
fn uwmadison_terms_differ_in_tiles_and_lines() {
    let eight = "[4,3,8,5,1,6,7,2,0]";
    let answer = solve(eight, &[("term", "2021")]).answer;
    assert!(answer.starts_with("[4, 3, 8, 5, 1, 6, 7, 2, 0] h=10 moves: 0\n"), "{answer}");
    assert!(answer.ends_with("[1, 2, 3, 4, 5, 6, 7, 8, 0] h=0 moves: 22\n"), "{answer}");
    let values = [("function", "print_succ"), ("board", "[8,7,6,5,4,3,2,1,0]"), ("term", "2021")];
    let expected = "[8, 7, 6, 5, 4, 0, 2, 1, 3] h=17\n[8, 7, 6, 5, 4, 3, 2, 0, 1] h=17\n";
    assert_eq!(run("uwmadison", &values).answer, expected);

    let newer = [("term", "state-check")];
    let answer = solve("[3,4,6,0,0,1,7,2,5]", &newer).answer;
    let rest = data::text("courses/uwmadison/test-file.cheaper.out");
    assert_eq!(answer, format!("True\n{rest}"));
    let unsolvable = solve("[1,2,3,4,5,6,8,7,0]", &newer);
    assert_eq!((&*unsolvable.answer, unsolvable.ending), ("False\n", VariantEnding::Unsolvable));
    let three = solve("[0,0,3,0,2,0,0,1,0]", &newer).answer;
    assert!(three.contains("\n[1, 2, 3, 0, 0, 0, 0, 0, 0] h=0 moves: "), "{three}");
    let old = solve("[1,2,3,4,5,6,8,7,0]", &[("term", "2021")]);
    assert_eq!((&*old.answer, old.ending), ("", VariantEnding::Unsolvable));

    let values = [("function", "solve"), ("board", eight)];
    let error = try_run("uwmadison", &values, Limits::default()).unwrap_err().to_string();
    let expected =
        "the board has 8 tiles, in this term it has 7; --term state-check accepts any number";
    assert_eq!(error, expected);
}

#[test]
fn uwmadison_rejects_what_is_not_a_board() {
    let error = |board: &str| {
        let values = [("function", "solve"), ("board", board)];
        try_run("uwmadison", &values, Limits::default()).unwrap_err().to_string()
    };
    let nine = "expected nine numbers such as [4, 3, 0, 5, 1, 6, 7, 2, 0], found";
    assert_eq!(error(""), format!("{nine} 0"));
    assert_eq!(error("[1,2,3]"), format!("{nine} 3"));
    assert_eq!(error("1 2 3 4 5 6 7 0 0 0"), format!("{nine} more"));
    assert_eq!(error("[1,2,x]"), "\"x\" is not a tile: expected 0 to 8");
    assert_eq!(error("[1,2,3,4,5,6,6,0,0]"), "tile 6 appears twice, at cells 5 and 6");
    assert_eq!(error("[0,0,0,0,0,0,0,0,0]"), "the board has no tile");
    let values = [("function", "get_succ"), ("board", "[1,2,3,4,5,6,7,0,0]")];
    let error = try_run("uwmadison", &values, Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "\"get_succ\" is not a function: expected print_succ or solve");
}

#[test]
fn uwmadison_solutions_are_checked_state_by_state() {
    let board = "[3,4,6,0,0,1,7,2,5]";
    let answer = data::text("courses/uwmadison/test-file.cheaper.out");
    let check = |solution: &str| check("uwmadison", board, solution);
    assert_eq!(check(&answer), "valid: 12 moves, shortest");
    assert_eq!(check(&answer.replace("h=10", "h=11")), "not valid: line 3: h is 11, expected 10");
    let shifted = answer.replace("moves: 3\n", "moves: 4\n");
    assert_eq!(check(&shifted), "not valid: line 4: moves is 4, expected 3");
    let without = |n: usize| {
        let lines = answer.lines().enumerate().filter(|(index, _)| *index != n);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let missing = check(&without(5));
    assert_eq!(missing, "not valid: line 6: not one move after the line before");
    let late = check(&without(0));
    assert_eq!(late, "not valid: line 1: the path does not begin at [3, 4, 6, 0, 0, 1, 7, 2, 5]");
    let short = check(&without(12));
    assert_eq!(short, "not valid: line 12: the path ends here, not at [1, 2, 3, 4, 5, 6, 7, 0, 0]");
    assert_eq!(check("False"), "not valid: there is a solution");
    let none = check("Traceback");
    assert_eq!(none, "error: no states such as `[1, 2, 3, 4, 5, 6, 7, 0, 0] h=0 moves: 0`");
}

#[test]
fn uwmadison_trace_shows_every_tuple_that_is_popped() {
    let course = course("uwmadison");
    let values = [("function", "solve"), ("board", "[3,4,6,0,0,1,7,2,5]")];
    let mut text = Vec::new();
    (course.trace)(&arguments(&course, &values), Limits::default(), &mut (), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1: [3, 4, 6, 0, 0, 1, 7, 2, 5] f=12 g=0 h=12 queue: 0");
    // 19 tuples, as in an independent re-implementation.
    assert_eq!(lines.len(), 19, "{text}");
    assert!(lines[18].starts_with("19: [1, 2, 3, 4, 5, 6, 7, 0, 0] f=12 g=12 h=0 queue: "));
}
