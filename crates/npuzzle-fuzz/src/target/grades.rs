//! Outputs of programs to be graded.

use npuzzle::Board;
use npuzzle_courses::{ALL, Defect, ProcessEnd, ProgramOutput, TestCase, diagnose, judge};

use crate::assertions::{assert_line, assert_message, selector, text};

use super::MaxPolls;
use super::solutions::with_tables;

/// A board two moves from the goal, the goal, and an unsolvable board.
const BOARDS: [&str; 3] = ["1 2 3/4 0 5/7 8 6", "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/8 7 0"];

/// The first byte selects the course, the second the board and the exit code.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let Some((how, rest)) = selector(rest) else { return false };
    let course = ALL[which % ALL.len()];
    let board: Board = BOARDS[how % BOARDS.len()].parse().unwrap();
    let case = TestCase::new(&course, "case", &board, None).unwrap();
    let end = ProcessEnd::Code((how / BOARDS.len() % 2) as i32);
    let output = ProgramOutput { end, text: text(rest).into_owned(), stderr: String::new() };
    let judge = || with_tables(|_, tables| judge(&course, &case, &output, tables, &mut ()));
    let verdict = judge().unwrap();
    assert_eq!(verdict.observation.passed, verdict.defect.is_none());
    if let Some(defect) = &verdict.defect {
        assert_message(&defect.to_string());
    }
    if let Some(Defect::Value { line, .. } | Defect::Direction { line, .. }) = verdict.defect {
        assert_line(&output.text, line);
    }
    let again = judge().unwrap();
    assert_eq!((&verdict.defect, &verdict.note), (&again.defect, &again.note));
    // No output passes without showing the goal of a solvable board.
    let tiles = |text: &str| text.replace(|c: char| !('1'..='9').contains(&c), "");
    let goal = tiles(&case.instance.goal().slash().to_string());
    let shows_goal = tiles(&output.text).contains(&goal);
    let is_solvable = case.instance.is_solvable();
    assert!(verdict.defect.is_some() || shows_goal || !is_solvable, "{:?}", output.text);
    // A diagnosis terminates.
    let _ = diagnose(&course, &[(&case, &verdict.observation)], &mut MaxPolls(50));
    verdict.defect.is_none()
}
