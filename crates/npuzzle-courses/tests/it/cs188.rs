//! Berkeley's `eightpuzzle.py`.

use npuzzle_core::Random;
use npuzzle_courses::RandomBoard;
use npuzzle_testkit::data;

use crate::{answer, course, rejection};

#[test]
fn cs188_solves_the_six_puzzles_of_the_course() {
    let text = data::text("courses/cs188/puzzles.txt");
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [number, tiles, n_moves, path] = fields[..] else { panic!("{row}") };
        let (text, _) = answer(&course("cs188"), number);
        let names: Vec<String> = path.split(' ').map(|name| format!("'{name}'")).collect();
        let line = format!("BFS found a path of {n_moves} moves: [{}]", names.join(", "));
        assert_eq!(text.lines().nth(8), Some(line.as_str()));
        assert_eq!(answer(&course("cs188"), tiles).0, text, "{row}");
    }
}

#[test]
fn cs188_reads_tiles_in_several_forms() {
    let course = course("cs188");
    let expected = answer(&course, "0").0;
    for text in
        ["1,0,2,3,4,5,6,7,8", "[1, 0, 2, 3, 4, 5, 6, 7, 8]", "102345678", "1 0 2\n3 4 5\n6 7 8\n"]
    {
        assert_eq!(answer(&course, text).0, expected, "{text}");
    }
    let (message, _) = rejection(&course, "6");
    let expected = "board.txt:1: expected nine tiles or a puzzle number from 0 to 5, found 6";
    assert_eq!(message, expected);
}

#[test]
fn cs188_scrambles_the_goal_by_random_moves() {
    let course = course("cs188");
    let RandomBoard::Scrambled { n_moves: 25, make } = course.command_line.random_board else {
        panic!("{:?}", course.command_line.random_board)
    };
    let mut lengths = Vec::new();
    for seed in 0..40 {
        let text = make(25, &mut Random::new(seed));
        assert_eq!(text, make(25, &mut Random::new(seed)));
        lengths.push(crate::n_moves(&answer(&course, &text).1).unwrap());
    }
    // An odd number of moves; moves that undo the last are allowed, so most paths are much shorter.
    assert!(lengths.iter().all(|length| length % 2 == 1 && *length <= 25), "{lengths:?}");
    assert!(lengths.iter().filter(|length| **length < 15).count() > 20, "{lengths:?}");
    assert_eq!(make(0, &mut Random::new(1)), "0 1 2 3 4 5 6 7 8\n");
}
