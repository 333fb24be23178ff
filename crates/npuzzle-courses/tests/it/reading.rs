//! Valid and malformed input files.

use npuzzle_courses::{ALL, RandomBoard};
use npuzzle_testkit::{board, data};

use crate::{answer, course, n_moves, rejection};

#[test]
fn umbc_ignores_blank_lines() {
    let text = "\n1 3 4\n\n\n8 6 2\n7 0 5\n1 2 3\n\n8 0 4\n7 6 5\n\n";
    assert_eq!(answer(&course("umbc"), text).0, data::text("courses/umbc/sample.out"));
}

#[test]
fn umbc_requires_two_3x3_boards() {
    let (message, _) = rejection(&course("umbc"), "1 2\n3 0\n0 1\n2 3\n");
    assert!(message.starts_with("board.txt:1: this course solves 3x3 boards"), "{message}");
    let (message, _) = rejection(&course("umbc"), "1 2 3\n4 5 6\n7 8 0\n");
    assert!(message.starts_with("board.txt:"), "{message}");
}

#[test]
fn auc_error_gives_the_position_in_the_file() {
    let (message, _) = rejection(&course("auc"), "3 // size\n1 2 3\n4 y 5 // middle\n7 8 6\n");
    assert!(message.starts_with("board.txt:3:3: "), "{message}");
    assert!(message.contains("\n3 | 4 y 5\n"), "{message}");
}

#[test]
fn cuhk_reads_joined_and_separated_digits() {
    for text in ["\u{feff}013\n4 2 5\n786\n", "013 # top\n\n4 2 5\n\n# last\n786"] {
        assert_eq!(answer(&course("cuhk"), text).0, data::text("courses/cuhk/sample.out"));
    }
}

#[test]
fn princeton_reads_every_size_up_to_127() {
    let princeton = course("princeton");
    for n in 2..=127 {
        let mut tiles: Vec<String> = (1..n * n).map(|tile| tile.to_string()).collect();
        let (_, run) = answer(&princeton, &format!("{n}\n{} 0\n", tiles.join(" ")));
        assert_eq!(n_moves(&run), Some(0), "{n}");
        tiles.swap(0, 1);
        let (printed, _) = answer(&princeton, &format!("{n}\n{} 0\n", tiles.join(" ")));
        assert_eq!(printed, "No solution possible\n", "{n}");
    }
    let (message, _) = rejection(&princeton, "128\n0\n");
    assert!(message.starts_with("board.txt:1:1: "), "{message}");
}

#[test]
fn random_board_of_42_is_valid_input() {
    let fortytwo = course("42");
    let RandomBoard::OfSize(make) = fortytwo.command_line.random_board else {
        panic!("{:?}", fortytwo.command_line.random_board)
    };
    for (side, is_solvable) in [(2, true), (3, false), (17, true), (17, false)] {
        let dims = npuzzle_core::Dims::new(side, side).unwrap();
        let text = make(dims, is_solvable, &mut npuzzle_core::Random::new(5));
        let instance = (fortytwo.read)(&text).unwrap();
        assert_eq!((instance.dims(), instance.is_solvable()), (dims, is_solvable), "{text}");
    }
}

#[test]
fn malformed_files_are_rejected_by_every_course() {
    let malformed = ["", "\n\n", "3\n", "1 2 3\n4 5 6\n7 8 8\n", "3\n1 2 3\n4 5 6\n", "x", "3 4\n"];
    for course in ALL {
        // A single number may be the number of a puzzle.
        let is_valid = |text: &str| course.name == "cs188" && text == "3\n";
        for text in malformed.into_iter().filter(|text| !is_valid(text)) {
            let (message, printed) = rejection(&course, text);
            assert!(message.starts_with("board.txt:"), "{} {text:?}: {message}", course.name);
            // Only one assignment has a text for invalid input.
            assert_eq!(printed.is_empty(), course.name != "bu", "{} {text:?}", course.name);
        }
    }
}

#[test]
fn bu_rejection_is_bounded_and_printable() {
    let (_, printed) = rejection(&course("bu"), &"\u{1b}[2J junk\n".repeat(1000));
    assert!(printed.len() < 1000 && !printed.contains('\u{1b}'), "{printed}");
    assert!(printed.contains("\n?[2J junk\n"), "{printed}");
}

#[test]
fn written_boards_read_back_in_every_course() {
    let start = board("8 6 7/2 5 4/3 0 1");
    for course in ALL {
        let case = npuzzle_courses::TestCase::new(&course, "case", &start, None).unwrap();
        assert_eq!((course.read)(&case.text).unwrap(), case.instance, "{}", course.name);
        assert_eq!(*case.instance.start(), start);
    }
}
