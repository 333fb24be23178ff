//! `npuzzle check`.

use crate::program::{Folder, run};

const PUZZLE: &str = "8 1 3/4 0 2/7 6 5";

fn check(args: &[&str], code: i32, words: &[&str]) {
    let ran = run(["check"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    let text = ran.stdout + &ran.stderr;
    for words in words {
        assert!(text.contains(words), "{args:?}: {text:?} has no {words:?}");
    }
}

fn solved(board: &str, more: &[&str]) -> String {
    let ran = run(["solve", board, "--quiet"].iter().chain(more));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.trim().to_owned()
}

#[test]
fn check_reads_every_notation_and_names_it() {
    let tile = solved(PUZZLE, &[]);
    check(&[PUZZLE, &tile], 0, &["valid: 14 STM", "shortest", "directions of the tiles"]);
    let blank = solved(PUZZLE, &["--notation", "blank"]);
    check(&[PUZZLE, &blank], 0, &["shortest", "directions of the blank"]);
    check(&["1 2 3/4 0 5/7 8 6", "Left, UP"], 0, &["valid: 2 STM", "shortest"]);
    check(&["1 2 3/4 5 6/0 7 8", "left left"], 0, &["valid: 2 STM", "shortest"]);
    let numbers = solved(PUZZLE, &["--notation", "numbers"]);
    check(&[PUZZLE, &numbers], 0, &["shortest", "numbers of tiles"]);
    let boards = solved(PUZZLE, &["--notation", "boards"]);
    check(&[PUZZLE, &boards], 0, &["shortest", "boards"]);
    // The full output of `solve`.
    for more in [&["--json"][..], &["--json", "--notation", "numbers"], &["--notation", "numbers"]]
    {
        let ran = run(["solve", PUZZLE].iter().chain(more));
        check(&[PUZZLE, &ran.stdout], 0, &["valid: 14 STM", "shortest"]);
    }
    // The empty solution of the solved board.
    check(&["1 2 3/4 5 6/7 8 0", ""], 0, &["valid: 0 STM", "shortest"]);
}

#[test]
fn check_accepts_answers_of_all_course_programs() {
    let folder = Folder::new();
    let answer = folder.path().join("answer");
    let answer = answer.to_str().unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/course-");
    for (course, file, verdict, read_as) in [
        ("umbc", "umbc.txt", "claimed: 5 moves, shortest\n", "a number of moves"),
        ("auc", "auc.txt", "shortest\n", "boards"),
        ("princeton", "princeton-puzzle04.txt", "valid: 4 STM / 4 MTM, shortest\n", "boards"),
        ("bu", "bu-input01.txt", "shortest\n", "boards"),
        ("cuhk", "cuhk-initial.txt", "valid: ", "boards"),
        ("42", "42.txt", "shortest\n", "boards"),
    ] {
        let file = format!("{examples}{file}");
        let to_file: &[&str] = if course == "cuhk" { &[answer] } else { &[] };
        let ran = run(["course", course, &file].iter().chain(to_file));
        assert_eq!(ran.code, 0, "{course}: {}", ran.stderr);
        if course != "cuhk" {
            std::fs::write(answer, ran.stdout).unwrap();
        }
        let read_as = format!("read as {read_as}");
        check(&["--course", course, &file, answer], 0, &[verdict, &read_as]);
        let goal: &[&str] = match course {
            "bu" => &["--goal", "first"],
            "42" => &["--goal", "snail"],
            _ => &[],
        };
        // Without the course, all are accepted but the one that shows no moves.
        let code = if course == "umbc" { 1 } else { 0 };
        check(&[&[&file, answer, "--any-length"], goal].concat(), code, &[&read_as]);
        if let [_, name] = goal {
            let hint = format!("the moves reach the goal `{name}`: --goal {name}?");
            check(&[&file, answer], 1, &[&hint]);
        }
    }
    let unsolvable = folder.file("unsolvable", "3\n1 2 3\n4 5 6\n8 7 0\n");
    let unsolvable = unsolvable.to_str().unwrap();
    check(&[unsolvable, "No solution possible"], 0, &["valid: there is no solution"]);
    check(&[PUZZLE, "No solution possible"], 1, &["but there is one"]);
    check(&[unsolvable, "U D"], 1, &["no solution"]);
}

#[test]
fn check_finds_wasted_moves() {
    let made = run(["generate", "--size", "4x4", "--moves", "36", "--seed", "4"]).stdout;
    let puzzle = made.trim();
    let shortest = solved(puzzle, &["--notation", "numbers"]);
    let mut tiles: Vec<&str> = shortest.split(' ').collect();
    // A move and its inverse after the twentieth move.
    let wasted = tiles[19];
    tiles.insert(20, wasted);
    tiles.insert(21, wasted);
    let longer = tiles.join(" ");
    let n = tiles.len();
    let words = [
        &format!("{n} STM")[..],
        "2 more than the shortest",
        "optimal up to move 20; not optimal: move 21",
    ];
    check(&[puzzle, &longer], 1, &words);
    check(&[puzzle, &longer, "--any-length"], 0, &["valid"]);
    check(&[puzzle, &longer, "--json"], 1, &["\"lost\":2", "\"lost_at\":[21]", "\"valid\":true"]);
}

#[test]
fn check_reports_errors_with_their_place() {
    check(&[PUZZLE, "U U U"], 1, &["not valid: move 2: no tile can slide in that direction"]);
    check(&[PUZZLE, "1 8 7"], 1, &["move 3: tile 7 is not next to the blank"]);
    check(&[PUZZLE, "U D"], 1, &["the moves end at 8 1 3/4 0 2/7 6 5, not at the goal"]);
    check(
        &[PUZZLE, "8 1 3/4 0 2/7 6 5\n8 1 3/0 4 2/7 6 5\n8 1 3/7 4 2/6 0 5"],
        1,
        &["move 2, line 3: this board is not one slide from the previous one"],
    );
    check(
        &[PUZZLE, "1 2 3/4 5 6/7 8 0"],
        1,
        &["line 1: the first board is not the start of the puzzle"],
    );
    let claim = "Minimum number of moves = 3\n3\n1 2 3\n4 0 5\n7 8 6\n3\n1 2 3\n4 5 0\n7 8 6\n3\n1 2 3\n4 5 6\n7 8 0\n";
    check(&["1 2 3/4 0 5/7 8 6", claim], 1, &["it claims 3 moves instead of 2"]);
    check(&[PUZZLE, "hello"], 2, &["<solution>:1:1: ", "neither boards"]);
    check(&[PUZZLE, "U L oops D"], 2, &["<solution>:1:5: ", "\n  |     ^"]);
    check(&[PUZZLE, "nosuch.txt"], 4, &["nosuch.txt: No such file"]);
    check(&[PUZZLE, "U L0 D"], 2, &["<solution>:1:3: \"0\" is not a valid run length"]);
    check(&[PUZZLE, "L100000000"], 2, &["<solution>:1:1: ", "is not a valid run length"]);
    check(&["-", "-"], 2, &[]);
    check(&[PUZZLE, "---"], 2, &["neither boards"]);
    check(&["1 2 3", "U"], 2, &[]);
    check(&["/no/such/file", "U"], 4, &["No such file"]);
}
