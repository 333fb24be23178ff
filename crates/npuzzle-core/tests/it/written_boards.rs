//! Boards as people write them: other signs for the blank, other separators, drawings.

use npuzzle_core::format::{Format, read, read_one};
use npuzzle_core::{Board, Dims};
use proptest::prelude::*;

/// Asserts that a text is this board, given with slashes, and nothing else.
fn assert_reads(text: &str, expect: &str) {
    match read_one(text, None) {
        Ok(entry) => assert_eq!(entry.board.slash().to_string(), expect, "{text:?}"),
        Err(error) => panic!("{}", error.render(text)),
    }
}

#[test]
fn blank_signs_are_read_in_every_format() {
    for sign in ["_", ".", "x", "X", "-", "*"] {
        for text in [
            format!("1 2 3/4 {sign} 5/7 8 6"),
            format!("1 2 3\n4 {sign} 5\n7 8 6\n"),
            format!("3\n1 2 3\n4 {sign} 5\n7 8 6\n"),
            format!("1 2 3 4 {sign} 5 7 8 6"),
            format!("1,2,3,4,{sign},5,7,8,6"),
            format!("1234{sign}5786"),
            format!("123/4{sign}5/786"),
            format!("123\n4{sign}5\n786\n"),
            format!("[[1,2,3],[4,\"{sign}\",5],[7,8,6]]"),
        ] {
            assert_reads(&text, "1 2 3/4 0 5/7 8 6");
        }
    }
    let pair = read_one("12\n3_\n_1\n23\n", None).unwrap();
    assert_eq!((pair.format, pair.goal.is_some()), (Format::Pair, true));
}

#[test]
fn json_null_and_empty_string_are_the_blank() {
    assert_reads("[[1,2,3],[4,null,5],[7,8,6]]", "1 2 3/4 0 5/7 8 6");
    assert_reads("[null,1,2,3]", "0 1/2 3");
    assert_reads("[[\"\",1],[2,3]]", "0 1/2 3");
    let flat = read("[[1,2,3,null],[null,1,2,3]]", None);
    assert_eq!(flat.iter().filter(|entry| entry.is_ok()).count(), 2);
}

#[test]
fn tuples_are_arrays() {
    for text in [
        "(1,2,3),(4,5,6),(7,8,0)",
        "(1, 2, 3),\n(4, 5, 6),\n(7, 8, None)\n",
        "((1,2,3),(4,5,6),(7,8,0))",
        "[(1,2,3),(4,5,6),(7,8,0)]",
        "[1,2,3],[4,5,6],[7,8,0]",
        "(1,2,3,4,5,6,7,8,0)",
        "\"(1,2,3),(4,5,6),(7,8,0)\"",
        "{\"board\": \"[[1,2,3],[4,5,6],[7,8,0]]\"}",
    ] {
        assert_reads(text, "1 2 3/4 5 6/7 8 0");
    }
}

#[test]
fn spaced_hexadecimal_tiles_are_read() {
    let expect = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    assert_reads("1 2 3 4/5 6 7 8/9 A B C/D E F 0", expect);
    assert_reads("1 2 3 4\n5 6 7 8\n9 a b c\nd e f .\n", expect);
    assert_reads("4\n1 2 3 4\n5 6 7 8\n9 A B C\nD E F 0\n", expect);
}

#[test]
fn bars_and_semicolons_separate_rows() {
    for text in [
        "1 2 3|4 5 6|7 8 0",
        "1 2 3 | 4 5 6 | 7 8 _",
        "|1 2 3|4 5 6|7 8 0|",
        "1 2 3; 4 5 6; 7 8 0",
        "123|456|780",
        "123;456;780",
    ] {
        assert_reads(text, "1 2 3/4 5 6/7 8 0");
    }
    assert_reads("12|30", "1 2/3 0");
    assert_reads("0 1 2 3; 4 5 6 7", "0 1 2 3/4 5 6 7");
    // A record has its board in one field.
    assert_reads("7 ; 1 2 3 0 ; 4 5", "1 2/3 0");
    assert_reads("1 2 3 0 ; 0 1 2 3", "1 2/3 0");
}

#[test]
fn size_and_rows_apart_are_one_board() {
    assert_reads("3\n\n1 2 3\n\n4 5 6\n\n7 8 0\n", "1 2 3/4 5 6/7 8 0");
    assert_reads("2 3\n\n1 2 3\n\n4 5 0\n", "1 2 3/4 5 0");
    assert_reads("3\n123\n\n456\n\n78_\n", "1 2 3/4 5 6/7 8 0");
    // A line that is no row of the size begins another board.
    let boards = read("3\n1 2 3\n\n4 5 6\n\n2\n1 2\n3 0\n", None);
    assert_eq!(boards.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    assert_eq!(boards[0].as_ref().unwrap_err().line(), 4);
}

#[test]
fn errors_point_into_a_drawing() {
    let position = |text: &str| {
        let error = read_one(text, None).unwrap_err();
        (error.line(), error.column(), error.message())
    };
    let ascii = "+---+---+\n| 1 | 2 |\n+---+---+\n| 2 |   |\n+---+---+\n";
    assert_eq!(position(ascii), (4, 3, "tile 2 appears twice; missing: 3".to_owned()));
    let drawn = "┌───┬───┐\n│ 1 │ 0 │\n├───┼───┤\n│ 3 │   │\n└───┴───┘\n";
    assert_eq!(position(drawn), (4, 6, "the blank appears twice; missing: 2".to_owned()));
    assert_eq!(position("1 2 3|4 5|7 8 0").1, 10);
    assert_eq!(position("(1,2),(3,q)").1, 10);
    // A minus sign before a digit belongs to the number.
    assert!(position("1 -2/3 0").2.contains("negative"));
}

#[test]
fn hexadecimal_letters_and_blanks_are_no_size() {
    assert_eq!(read_one("a\n\n1 2\n3 0\n", None).unwrap_err().line(), 1);
    assert_eq!(read_one("x 1 2 3 0", None).unwrap_err().column(), 1);
}

/// The lines of a frame: top, bar, middle, bottom.
#[derive(Clone, Copy, Debug)]
struct Frame {
    top: [char; 4],
    middle: [char; 4],
    bottom: [char; 4],
    bar: char,
    has_outer_bars: bool,
}

const FRAMES: [Frame; 4] = [
    Frame {
        top: ['+', '-', '+', '+'],
        middle: ['+', '-', '+', '+'],
        bottom: ['+', '-', '+', '+'],
        bar: '|',
        has_outer_bars: true,
    },
    Frame {
        top: ['┌', '─', '┬', '┐'],
        middle: ['├', '─', '┼', '┤'],
        bottom: ['└', '─', '┴', '┘'],
        bar: '│',
        has_outer_bars: true,
    },
    Frame {
        top: ['╔', '═', '╦', '╗'],
        middle: ['╠', '═', '╬', '╣'],
        bottom: ['╚', '═', '╩', '╝'],
        bar: '║',
        has_outer_bars: true,
    },
    Frame {
        top: ['-', '-', '-', '-'],
        middle: ['-', '-', '+', '-'],
        bottom: ['=', '=', '=', '='],
        bar: '|',
        has_outer_bars: false,
    },
];

/// Draws a board in cells, with this text for the blank.
fn draw(board: &Board, frame: Frame, blank: &str) -> String {
    let cols = board.dims().cols();
    let line = |[left, line, cross, right]: [char; 4]| {
        let cells = vec![line.to_string().repeat(7); cols].join(&cross.to_string());
        format!("{left}{cells}{right}\n")
    };
    let row = |row: &[npuzzle_core::Tile]| {
        let cell = |tile: &npuzzle_core::Tile| match tile.number() {
            0 => format!(" {blank:>5} "),
            number => format!(" {number:>5} "),
        };
        let cells = row.iter().map(cell).collect::<Vec<_>>().join(&frame.bar.to_string());
        let outer = if frame.has_outer_bars { frame.bar.to_string() } else { String::new() };
        format!("{outer}{cells}{outer}\n")
    };
    let rows = board.rows().map(row).collect::<Vec<_>>().join(&line(frame.middle));
    line(frame.top) + &rows + &line(frame.bottom)
}

fn random_board() -> impl Strategy<Value = Board> {
    (2..=7_usize, 2..=7_usize).prop_flat_map(|(rows, cols)| {
        let dims = Dims::new(rows, cols).unwrap();
        let tiles = Just((0..dims.cells() as u16).collect::<Vec<_>>()).prop_shuffle();
        tiles.prop_map(move |tiles| Board::new(dims, &tiles).unwrap())
    })
}

proptest! {
    #![proptest_config(super::cases(200))]

    #[test]
    fn drawn_boards_are_read(
        board in random_board(),
        frame in prop::sample::select(FRAMES.to_vec()),
        blank in prop::sample::select(vec!["", "_", "0", "."]),
    ) {
        let text = draw(&board, frame, blank);
        // Two drawings, one directly below the other, are two boards.
        let twice = format!("{text}{text}");
        let read = read(&twice, None).into_iter().map(|entry| entry.map(|entry| entry.board));
        prop_assert_eq!(read.collect::<Vec<_>>(), vec![Ok(board.clone()), Ok(board)]);
    }

    #[test]
    fn separated_boards_are_read(
        board in random_board(),
        separator in prop::sample::select(vec!["|", " | ", ";", "; ", "),(", "/"]),
        blank in prop::sample::select(vec!["0", "_", "x", "*"]),
    ) {
        let tile = |tile: &npuzzle_core::Tile| match tile.number() {
            0 if separator == "),(" => "None".to_owned(),
            0 => blank.to_owned(),
            number => number.to_string(),
        };
        let between = if separator == "),(" { "," } else { " " };
        let row = |row: &[npuzzle_core::Tile]| row.iter().map(tile).collect::<Vec<_>>().join(between);
        let text = board.rows().map(row).collect::<Vec<_>>().join(separator);
        let text = if separator == "),(" { format!("({text})") } else { text };
        let entry = read_one(&text, None).map_err(|e| TestCaseError::fail(e.render(&text)))?;
        prop_assert_eq!(entry.board, board);
    }
}
