//! Solutions that people and programs hand in.

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
fn every_notation_is_read_and_its_sense_is_told() {
    let tile = solved(PUZZLE, &[]);
    check(&[PUZZLE, &tile], 0, &["valid: 14 STM", "shortest", "ways of the tiles"]);
    let blank = solved(PUZZLE, &["--notation", "blank"]);
    check(&[PUZZLE, &blank], 0, &["shortest", "ways of the blank"]);
    let words = tile.replace('U', "up ").replace('D', "DOWN,").replace('L', "Left ");
    let words = words.replace('R', "right ");
    if !words.contains(|c: char| c.is_ascii_digit()) {
        check(&[PUZZLE, &words], 0, &["shortest"]);
    }
    let numbers = solved(PUZZLE, &["--notation", "numbers"]);
    check(&[PUZZLE, &numbers], 0, &["shortest", "numbers of tiles"]);
    let boards = solved(PUZZLE, &["--notation", "boards"]);
    check(&[PUZZLE, &boards], 0, &["shortest", "boards"]);
    // The solved board needs nothing.
    check(&["1 2 3/4 5 6/7 8 0", ""], 0, &["valid: 0 STM", "shortest"]);
}

#[test]
fn the_answers_of_all_course_programs_are_accepted() {
    let folder = Folder::new();
    let (pair, dim, grid) = (
        folder.file("pair", "1 3 4\n8 6 2\n7 0 5\n\n1 2 3\n8 0 4\n7 6 5\n"),
        folder.file("dim", "3\n8 1 3\n4 0 2\n7 6 5\n"),
        folder.file("grid", "1 4 2\n3 7 5\n6 8 0\n"),
    );
    let answer = folder.path().join("answer");
    for (course, file, format, goal, code) in [
        ("umbc", &pair, "pair", None, 0),
        ("auc", &dim, "dim", None, 0),
        ("princeton", &dim, "dim", None, 0),
        ("bu", &grid, "grid", Some("first"), 0),
        ("cuhk", &dim, "dim", None, 0),
    ] {
        let file = file.to_str().unwrap();
        if course == "cuhk" {
            let input = folder.file("input", "8 1 3\n4 0 2\n7 6 5\n");
            let ran = run(["course", course, input.to_str().unwrap(), answer.to_str().unwrap()]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        } else {
            let ran = run(["course", course, file]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            std::fs::write(&answer, ran.stdout).unwrap();
        }
        let mut args = vec![file, answer.to_str().unwrap(), "--format", format, "--any-length"];
        if let Some(goal) = goal {
            args.extend(["--goal", goal]);
        }
        check(&args, code, &[]);
    }
    let unsolvable = folder.file("unsolvable", "3\n1 2 3\n4 5 6\n8 7 0\n");
    let unsolvable = unsolvable.to_str().unwrap();
    check(&[unsolvable, "No solution possible"], 0, &["right: there is none"]);
    check(&[PUZZLE, "No solution possible"], 1, &["and there is one"]);
    check(&[unsolvable, "U D"], 1, &["no solution"]);
}

#[test]
fn lost_moves_are_found_where_they_are() {
    let made = run(["generate", "--size", "4x4", "--moves", "36", "--seed", "4"]).stdout;
    let puzzle = made.trim();
    let shortest = solved(puzzle, &["--notation", "numbers"]);
    let mut tiles: Vec<&str> = shortest.split(' ').collect();
    // There and back after the twentieth move.
    let wasted = tiles[19];
    tiles.insert(20, wasted);
    tiles.insert(21, wasted);
    let longer = tiles.join(" ");
    let n = tiles.len();
    let words = [
        &format!("{n} STM")[..],
        "2 more than the shortest",
        "optimal up to move 20; lost at move 21",
    ];
    check(&[puzzle, &longer], 1, &words);
    check(&[puzzle, &longer, "--any-length"], 0, &["valid"]);
    check(&[puzzle, &longer, "--json"], 1, &["\"lost\":2", "\"lost_at\":[21]", "\"valid\":true"]);
}

#[test]
fn faults_are_told_with_their_place() {
    check(&[PUZZLE, "U U U"], 1, &["not valid: move 2: no tile can slide that way there"]);
    check(&[PUZZLE, "1 8 7"], 1, &["move 3: tile 7 is not beside the blank"]);
    check(&[PUZZLE, "U D"], 1, &["it ends at 8 1 3/4 0 2/7 6 5, not at the goal"]);
    check(
        &[PUZZLE, "8 1 3/4 0 2/7 6 5\n8 1 3/0 4 2/7 6 5\n8 1 3/7 4 2/6 0 5"],
        1,
        &["move 2, line 3: this board is not one slide from the one before"],
    );
    check(&[PUZZLE, "1 2 3/4 5 6/7 8 0"], 1, &["line 1: the first board is not the puzzle's"]);
    let claim = "Minimum number of moves = 3\n3\n1 2 3\n4 0 5\n7 8 6\n3\n1 2 3\n4 5 0\n7 8 6\n3\n1 2 3\n4 5 6\n7 8 0\n";
    check(&["1 2 3/4 0 5/7 8 6", claim], 1, &["it says 3 moves, and there are 2"]);
    check(&[PUZZLE, "hello"], 2, &["neither boards"]);
    check(&["1 2 3", "U"], 2, &[]);
    check(&["/no/such/file", "U"], 4, &["No such file"]);
}
