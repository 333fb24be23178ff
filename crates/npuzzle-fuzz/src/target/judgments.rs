//! Answers of models to be judged.

use std::cell::RefCell;

use npuzzle::record::JudgmentRecord;
use npuzzle::teaching::{AnswerStatus, Judge, JudgeRules, Scoring};
use npuzzle::{Instance, Metric, Notation, Tables};

use crate::assertions::{assert_message, selector, text};

/// The puzzles; the last one is unsolvable.
const PUZZLES: [&str; 4] =
    ["1 2 3/4 0 5/7 8 6", "1 2/3 0", "1 2 3 4/5 6 7 8/9 0 10 12/13 14 11 15", "1 2 3/4 5 6/8 7 0"];

const NOTATIONS: [Option<Notation>; 5] = [
    None,
    Some(Notation::Tile),
    Some(Notation::Blank),
    Some(Notation::Numbers),
    Some(Notation::Boards),
];

/// The first byte selects the puzzle, the notation and the metric.
pub(super) fn run(bytes: &[u8]) -> bool {
    let Some((which, rest)) = selector(bytes) else { return false };
    let puzzle: Instance = PUZZLES[which % 4].parse().unwrap();
    let rules = JudgeRules {
        // The tables of the multi-tile metric take 130 MB for the 15-puzzle.
        metric: if which % 4 == 2 { Metric::Stm } else { Metric::ALL[which / 4 % 2] },
        notation: NOTATIONS[which / 8 % NOTATIONS.len()],
        scoring: Scoring::Graded,
    };
    let text = &*text(rest);
    let judgment = with_judge(|judge| judge.judge(&rules, &puzzle, text, &mut ()));
    assert_message(&judgment.to_string());
    assert!((0.0..=1.0).contains(&judgment.score), "{judgment:?}");
    let end = judgment.moves.replay(puzzle.start()).unwrap();
    let is_solution = end == *puzzle.goal();
    assert!(!judgment.is_solved() || is_solution || !puzzle.is_solvable(), "{judgment:?}");
    assert_eq!(
        judgment.score > 0.5 || judgment.status == AnswerStatus::Solved,
        judgment.is_solved()
    );
    assert_eq!(judgment.score == 1.0, judgment.status == AnswerStatus::Shortest);
    let record = serde_json::to_value(JudgmentRecord::new(&judgment)).unwrap();
    assert_eq!(record["status"], judgment.status.name());
    assert_marks_agree(
        &rules,
        &puzzle,
        &judgment.moves.to_string(),
        judgment.is_solved() && is_solution,
    );
    judgment.unreadable.is_none()
}

/// Asserts that the moves are judged the same in every mark.
fn assert_marks_agree(rules: &JudgeRules, puzzle: &Instance, moves: &str, is_solved: bool) {
    let rules = JudgeRules { notation: Some(Notation::Tile), ..*rules };
    for marked in [format!("<answer>{moves}</answer>"), format!("x \\boxed{{{moves}}} y")] {
        let again = with_judge(|judge| judge.judge(&rules, puzzle, &marked, &mut ()));
        assert!(again.is_legal() && (!is_solved || again.is_solved()), "{marked:?}: {again:?}");
        assert_eq!(again.moves.to_string(), moves);
    }
}

/// A judge with few nodes for each search, and tables that are reused.
fn with_judge<T>(work: impl FnOnce(&mut Judge) -> T) -> T {
    thread_local! {
        static JUDGE: RefCell<Judge> = RefCell::new(Judge::new(Tables::new(), 500));
    }
    JUDGE.with_borrow_mut(work)
}
