//! Text formats of boards: detection, reading, writing and error messages.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;

use npuzzle_core::format::{Format, WriteError, read, read_one, write};
use npuzzle_core::{Board, Dims};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Reads a text and compares every entry with `FORMAT LINE BOARD`, followed by `-> GOAL` if there is a
/// goal, or with `error LINE:COLUMN`.
fn check(text: &str, expect: &[&str]) {
    check_as(text, None, expect);
}

fn check_as(text: &str, format: Option<Format>, expect: &[&str]) {
    let entries = read(text, format);
    let shown: Vec<String> = entries
        .iter()
        .map(|entry| match entry {
            Ok(entry) => {
                let goal = entry.goal.as_ref().map(|goal| format!(" -> {}", goal.slash()));
                let goal = goal.unwrap_or_default();
                format!("{} {} {}{goal}", entry.format, entry.line, entry.board.slash())
            }
            Err(error) => format!("error {}:{}", error.line(), error.column()),
        })
        .collect();
    assert_eq!(shown, expect, "reading {text:?} as {format:?}: {entries:#?}");
}

#[test]
fn every_format_is_detected() {
    let board = "3 1 2 3/4 5 6/7 8 0";
    check("1 2 3/4 5 6/7 8 0", &["slash 1 1 2 3/4 5 6/7 8 0"]);
    check(" 1,2,3 / 4,5,6 / 7,8,0 ", &["slash 1 1 2 3/4 5 6/7 8 0"]);
    check("123/456/780", &["slash 1 1 2 3/4 5 6/7 8 0"]);
    check("1234/5678/9abc/DEF0", &["slash 1 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"]);
    check("# one\n\n1 2 3\n4,5,6\n7\t8\t0", &[&format!("grid {board}")]);
    check("013\r\n425\r\n786\r\n", &["grid 1 0 1 3/4 2 5/7 8 6"]);
    check("0123\n4567\n", &["grid 1 0 1 2 3/4 5 6 7"]);
    check("\u{feff}3\n 1  2  3 \n 4  5  6 \n 7  8  0 \n", &["dim 1 1 2 3/4 5 6/7 8 0"]);
    check("2 3\n1 2 3\n4 5 0\n", &["dim 1 1 2 3/4 5 0"]);
    check("3\n013\n425\n786\n", &["dim 1 0 1 3/4 2 5/7 8 6"]);
    check("1 2\n3 0\n0 1\n2 3\n", &["pair 1 1 2/3 0 -> 0 1/2 3"]);
    check("123\n456\n780\n012\n345\n678", &["pair 1 1 2 3/4 5 6/7 8 0 -> 0 1 2/3 4 5/6 7 8"]);
    check("1 2 3 4 5 6 7 8 0", &["flat 1 1 2 3/4 5 6/7 8 0"]);
    check("17 1 2 3 0", &["flat 1 1 2/3 0"]);
    check("1 ; 1 2 3 0 ; 5 ; -", &["flat 1 1 2/3 0"]);
    check("1 ; 1 2/3 0 ; 5", &["slash 1 1 2/3 0"]);
    check("1230", &["digits 1 1 2/3 0"]);
    check("123456789abcDEF0", &["digits 1 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"]);
    check("[[1,2,3],[4,5,0]]", &["json 1 1 2 3/4 5 0"]);
}

#[test]
fn json_boards_are_read_in_every_form() {
    check("[1,2,3,0]", &["json 1 1 2/3 0"]);
    check("\"12/30\"", &["json 1 1 2/3 0"]);
    check("{\"board\": \"1 2\\n3 0\\n\", \"goal\": null}", &["json 1 1 2/3 0"]);
    check("{\"start\": [1,2,3,4,5,0], \"cols\": 3}", &["json 1 1 2 3/4 5 0"]);
    check("{\"start\": [1,2,3,4,5,0], \"rows\": 3, \"cols\": 2}", &["json 1 1 2/3 4/5 0"]);
    check("{\"start\": \"1230\", \"goal\": [[0,1],[2,3]]}", &["json 1 1 2/3 0 -> 0 1/2 3"]);
    check("{\"start\": \"1230\", \"goal\": \"snail\"}", &["json 1 1 2/3 0 -> 1 2/0 3"]);
    let solved = r#"{"schema":1,"rows":2,"cols":2,"start":"1 2/0 3","goal":"1 2/3 0","moves":1}"#;
    check(solved, &["json 1 1 2/0 3 -> 1 2/3 0"]);
    check("[[1,2,3,0],[0,1,2,3]]", &["json 1 1 2/3 0", "json 1 0 1/2 3"]);
    check("[[1,2,3,4],[5,6,7,0]]", &["json 1 1 2 3 4/5 6 7 0"]);
    check(
        "[\n\"1 2/3 0\", # one\n{\"board\": [0,1,2,3]},\n[[1,2],[0,3]], 4]\n",
        &["json 2 1 2/3 0", "json 3 0 1/2 3", "json 4 1 2/0 3", "error 4:16"],
    );
}

#[test]
fn consecutive_boards_are_read_in_order() {
    check(
        "1 2/3 0\n1203\n0 1 2 3\n\n1 2\n0 3\n[0,2,1,3]\n2\n0 1\n2 3\n",
        &["slash 1 1 2/3 0", "error 2:1", "grid 5 1 2/0 3", "json 7 0 2/1 3", "dim 8 0 1/2 3"],
    );
    check("2\n1 2\n3 0\n3 2\n1 2\n3 4\n5 0\n", &["dim 1 1 2/3 0", "dim 4 1 2/3 4/5 0"]);
    check("3 2\n1 2\n3 4\n5 0\n3 2\n0 2\n3 4\n5 1\n", &["dim 1 1 2/3 4/5 0", "dim 5 0 2/3 4/5 1"]);
    check("1230\n\n0123\n", &["digits 1 1 2/3 0", "digits 3 0 1/2 3"]);
    check("1 2\n3 0\n\n0 1\n2 3\n", &["grid 1 1 2/3 0", "grid 4 0 1/2 3"]);
}

#[test]
fn reading_continues_after_an_invalid_board() {
    check("1 2 3 0\n1 2 3 q\n0 1 2 3\n", &["flat 1 1 2/3 0", "error 2:7", "flat 3 0 1/2 3"]);
    check("2\n1 2\n2\n1 2\n3 0\n", &["error 2:4", "dim 3 1 2/3 0"]);
    check("3\n1 2 3\n4 5\n6 7 0\n\n1 2/3 0", &["error 3:4", "slash 6 1 2/3 0"]);
    check("[[1,2],\n[3,x]]\n1 2/3 0\n", &["error 2:4", "slash 3 1 2/3 0"]);
    check("{\"start\":\n[[1,2],[3,0]]\n\n12/30\n", &["error 2:14", "slash 4 1 2/3 0"]);
    check("[1,2,3,0\n[1,2,0,3]\n[2,1,3,0]\n", &["error 1:9", "json 2 1 2/0 3", "json 3 2 1/3 0"]);
}

/// The rules are in docs/formats.md.
#[test]
fn ambiguous_texts_are_read_as_documented() {
    // Two numbers on the first line are a size if it fits and a grid of two columns does not.
    check("3 2\n1 2\n3 4\n5 0\n", &["dim 1 1 2/3 4/5 0"]);
    check("3 2\n1 4\n5 0\n", &["grid 1 3 2/1 4/5 0"]);
    check("3 2\n1 0\n3 1\n2 0\n", &["pair 1 3 2/1 0 -> 3 1/2 0"]);
    // Lines with a square number of tiles are one board each if most of them have a blank.
    check("1 2 3 4\n5 6 7 0\n", &["grid 1 1 2 3 4/5 6 7 0"]);
    check("1 2 3 0\n0 1 2 3\n", &["flat 1 1 2/3 0", "flat 2 0 1/2 3"]);
    check("1 2 3 4 0\n5 6 7 8 9\n", &["grid 1 1 2 3 4 0/5 6 7 8 9"]);
    check("1234\n5670\n", &["grid 1 1 2 3 4/5 6 7 0"]);
    check("1230\n0123\n", &["digits 1 1 2/3 0", "digits 2 0 1/2 3"]);
    // A blank line may follow a size. A comment line is not a blank line.
    check("# n\n3\n\n1 2 3\n# the middle\n4 5 6 # here\n7 8 0\n", &["dim 2 1 2 3/4 5 6/7 8 0"]);
    check("2 3\n\n1 2 3\n4 5 0\n", &["dim 1 1 2 3/4 5 0"]);
    // The tiles of dim need not be aligned.
    check("3\n1 2 3 4\n5 6 7 8 0\n", &["dim 1 1 2 3/4 5 6/7 8 0"]);
    check("2\n1\n2\n3\n0\n", &["dim 1 1 2/3 0"]);
}

#[test]
fn forced_format_overrides_detection() {
    let umbc = "1 2\n\n\n3 0\n0 1\n\n2 3\n\n";
    check_as(umbc, Some(Format::Pair), &["pair 1 1 2/3 0 -> 0 1/2 3"]);
    let pairs = "1 2\n3 0\n0 1\n2 3\n\n1 2\n0 3\n0 1\n2 3\n";
    let expect = ["pair 1 1 2/3 0 -> 0 1/2 3", "pair 6 1 2/0 3 -> 0 1/2 3"];
    check(pairs, &expect);
    check_as(pairs, Some(Format::Pair), &expect);
    let loose = "\n3 1 2\n3 4 5\n\n6 7 8 0\n2 2\n\n1\n2 3\n0\n";
    check_as(loose, Some(Format::Dim), &["dim 2 1 2 3/4 5 6/7 8 0", "dim 6 1 2/3 0"]);
    check_as("1 2\n3 0\n\n0 1\n2 3", Some(Format::Grid), &["grid 1 1 2/3 0", "grid 4 0 1/2 3"]);
    check_as(
        "[1,2,3,0] [0,1,2,3]\n\n\"12/30\"",
        Some(Format::Json),
        &["json 1 1 2/3 0", "json 1 0 1/2 3", "json 3 1 2/3 0"],
    );
    check_as("1 ; 1 2 3 0 ; 2\n1 2 3 0", Some(Format::Flat), &["flat 1 1 2/3 0", "flat 2 1 2/3 0"]);
    check_as("1 2 3 0", Some(Format::Slash), &["error 1:1"]);
}

#[test]
fn malformed_files_give_the_expected_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/malformed");
    let mut n_files = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "in") {
            continue;
        }
        n_files += 1;
        let name = path.file_name().unwrap().to_str().unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let format = stem.rsplit_once('.').map(|(_, format)| format.parse().unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let expect = fs::read_to_string(path.with_extension("err")).unwrap();
        let error = read_one(&text, format).expect_err(name);
        assert_eq!(error.render(name), expect);
    }
    assert!(n_files >= 50, "only {n_files} malformed files");
}

#[test]
fn write_rejects_boards_the_format_cannot_represent() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    let (wide, square) = (board("1 2 3/4 5 0"), board("1 2/3 0"));
    let check = |result: Result<String, WriteError>, expect: &str| {
        assert_eq!(result.unwrap_err().to_string(), expect);
    };
    check(
        write(&wide, None, Format::Flat),
        "a 2x3 board cannot be written as flat, which is for squares",
    );
    check(
        write(
            &board("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 0"),
            None,
            Format::Digits,
        ),
        "a 5x5 board cannot be written as digits, which is for at most 16 cells",
    );
    check(write(&square, None, Format::Pair), "a board without a goal cannot be written as pair");
    check(
        write(&square, Some(&square), Format::Slash),
        "a goal cannot be written as slash: use pair or json",
    );
    check(write(&square, Some(&wide), Format::Json), "the goal is 2x3, but the start is 2x2");
}

#[test]
fn largest_board_round_trips() {
    let dims = Dims::new(127, 127).unwrap();
    let tiles: Vec<u16> = (0..dims.cells() as u16).rev().collect();
    let board = Board::new(dims, &tiles).unwrap();
    for format in Format::ALL {
        round_trip(&board, None, format).unwrap();
        round_trip(&board, Some(&board), format).unwrap();
    }
}

/// Writes a board and reads it back, with and without the format given.
fn round_trip(board: &Board, goal: Option<&Board>, format: Format) -> Result<(), TestCaseError> {
    let Ok(text) = write(board, goal, format) else { return Ok(()) };
    prop_assert!(text.ends_with('\n'));
    for forced in [None, Some(format)] {
        let entry = match read_one(&text, forced) {
            Ok(entry) => entry,
            Err(error) => return Err(TestCaseError::fail(error.render(&text))),
        };
        prop_assert_eq!(&entry.board, board);
        prop_assert_eq!(entry.goal.as_ref(), goal);
        prop_assert_eq!((entry.line, entry.format), (1, format));
    }
    Ok(())
}

fn boards() -> impl Strategy<Value = (Board, Board)> {
    (2..=12_usize, 2..=12_usize).prop_flat_map(|(rows, cols)| {
        let dims = Dims::new(rows, cols).unwrap();
        let tiles = Just((0..dims.cells() as u16).collect::<Vec<_>>());
        let board = move |tiles: Vec<u16>| Board::new(dims, &tiles).unwrap();
        (tiles.clone().prop_shuffle().prop_map(board), tiles.prop_shuffle().prop_map(board))
    })
}

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

/// Two boards as text, with a few random edits.
fn mutated() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "\t",
        ",",
        "/",
        ";",
        "#",
        "0",
        "1",
        "9",
        "-1",
        "99999999999",
        "x",
        "g",
        "|",
        "│",
        "+--+",
        "(",
        ")",
        "null",
        "_",
        "é",
        "五",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "\\",
        "\\u12",
        ":",
        "\"start\":",
        "\u{feff}",
    ]);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..3_usize, piece), 0..6);
    (boards(), formats(), formats(), edits).prop_map(|((board, goal), first, second, edits)| {
        let text = |format| {
            let with_goal = write(&board, Some(&goal), format);
            with_goal.or_else(|_| write(&board, None, format)).unwrap_or_default()
        };
        let mut chars: Vec<char> = (text(first) + &text(second)).chars().collect();
        for (at, n_removed, piece) in edits {
            let at = at.index(chars.len() + 1);
            let end = (at + n_removed).min(chars.len());
            chars.splice(at..end, piece.chars());
        }
        chars.into_iter().collect()
    })
}

/// Reads a text in every format and checks that all results have positions within the text and that
/// all errors can be rendered.
fn check_reading(text: &str) -> Result<(), TestCaseError> {
    for format in [None].into_iter().chain(Format::ALL.map(Some)) {
        let entries = read(text, format);
        prop_assert!(!entries.is_empty());
        let n_lines = text.matches('\n').count() + 1;
        let mut previous = 1;
        for entry in &entries {
            match entry {
                Ok(entry) => {
                    prop_assert!((previous..=n_lines).contains(&entry.line));
                    previous = entry.line;
                }
                Err(error) => {
                    let line = text.split('\n').nth(error.line() - 1).unwrap_or_default();
                    prop_assert!((1..=n_lines).contains(&error.line()));
                    prop_assert!((1..=line.chars().count() + 1).contains(&error.column()));
                    let rendered = error.render("text");
                    prop_assert!(rendered.contains('^') && rendered.ends_with('\n'));
                    prop_assert!(rendered.chars().all(|c| c == '\n' || !c.is_control()));
                }
            }
        }
        let one = read_one(text, format);
        let good = entries.iter().filter(|entry| entry.is_ok()).count();
        prop_assert_eq!(one.is_ok(), good == 1 && entries.len() == 1);
    }
    Ok(())
}

proptest! {
    #[test]
    fn boards_round_trip((board, goal) in boards(), format in formats()) {
        round_trip(&board, None, format)?;
        round_trip(&board, Some(&goal), format)?;
    }

    #[test]
    fn any_text_can_be_read(text in any::<String>()) {
        check_reading(&text)?;
    }

    #[test]
    fn text_of_valid_characters_can_be_read(text in "[0-9a-f ,/;#x|+=_.*()│─\\n\\t\\[\\]{}\":\\\\é-]{0,120}") {
        check_reading(&text)?;
    }

    #[test]
    fn slightly_invalid_text_can_be_read(text in mutated()) {
        check_reading(&text)?;
    }
}
