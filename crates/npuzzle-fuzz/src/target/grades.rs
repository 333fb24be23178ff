//! Answers of programs that are graded.

use npuzzle::Board;
use npuzzle_courses::{ALL, Case, Ended, Reply, Wrong, diagnose, judge};

use crate::place::{assert_line, assert_words, choice, text};

use super::Soon;
use super::solutions::with_tables;

/// Two slides from the goal, a goal, one without a solution.
const BOARDS: [&str; 3] = ["1 2 3/4 0 5/7 8 6", "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/8 7 0"];

/// The first byte names the course, the second the board and how the program ended.
pub(super) fn feed(bytes: &[u8]) -> bool {
    let Some((which, rest)) = choice(bytes) else { return false };
    let Some((how, rest)) = choice(rest) else { return false };
    let course = ALL[which % ALL.len()];
    let board: Board = BOARDS[how % BOARDS.len()].parse().unwrap();
    let case = Case::new(&course, "case", &board, None).unwrap();
    let text = text(rest).into_owned();
    let ended = Ended::Code((how / BOARDS.len() % 2) as i32);
    let reply = Reply { ended, text, stderr: String::new() };
    let judged = with_tables(|_, tables| judge(&course, &case, &reply, tables, &mut ())).unwrap();
    assert_eq!(judged.seen.is_right, judged.wrong.is_none());
    if let Some(wrong) = &judged.wrong {
        assert_words(&wrong.to_string());
    }
    if let Some(Wrong::Figure { line, .. } | Wrong::Way { line, .. }) = judged.wrong {
        assert_line(&reply.text, line);
    }
    let again = with_tables(|_, tables| judge(&course, &case, &reply, tables, &mut ())).unwrap();
    assert_eq!((&judged.wrong, &judged.note), (&again.wrong, &again.note));
    // Nothing is right that does not show the goal, unless there is no way to it.
    let tiles = |text: &str| text.replace(|c: char| !('1'..='9').contains(&c), "");
    let shows_goal = tiles(&reply.text).contains(&tiles(&case.instance.goal().slash().to_string()));
    let is_solvable = case.instance.is_solvable();
    assert!(judged.wrong.is_some() || shows_goal || !is_solvable, "{:?}", reply.text);
    // What is seen of it leads to a likely mistake, or to none, in few steps.
    let _ = diagnose(&course, &[(&case, &judged.seen)], &mut Soon(50));
    judged.wrong.is_none()
}
