//! Solutions as the assignment writes them: one state per line, `[4, 3, 0, 5, 1, 6, 7, 2, 0] h=7 moves: 0`.

use npuzzle_core::heuristic::MultiBlankManhattan;
use npuzzle_core::search::{Cost, Heuristic, Problem, SingleGoal};
use npuzzle_core::{MultiBlankBoard, MultiBlankSliding};

use super::{list, read};
use crate::variant::{VariantCheck, VariantError};

/// A state of a solution.
struct Line<'a> {
    /// The number of the line, from 1.
    number: usize,
    board: MultiBlankBoard,
    /// The text after the list.
    rest: &'a str,
}

/// Checks the states of a program's output.
pub(super) fn check(problem: &MultiBlankSliding, text: &str) -> Result<VariantCheck, VariantError> {
    let mut checked = VariantCheck {
        error: None,
        moves: None,
        cost: 0,
        optimum: None,
        stopped: None,
        unit: "moves",
    };
    let lines = lines(text)?;
    if lines.is_empty() {
        if !claims_no_solution(text) {
            let message = "no states such as `[1, 2, 3, 4, 5, 6, 7, 0, 0] h=0 moves: 0`".to_owned();
            return Err(VariantError::Input { argument: "solution", message });
        }
        if problem.is_solvable() {
            checked.error = Some("there is a solution".to_owned());
        }
        return Ok(checked);
    }
    checked.moves = Some(lines.len() - 1);
    checked.cost = (lines.len() - 1) as Cost;
    checked.error = wrong_path(problem, &lines).or_else(|| wrong_value(problem, &lines));
    Ok(checked)
}

fn claims_no_solution(text: &str) -> bool {
    let text = text.to_lowercase();
    text.trim() == "false" || text.contains("no solution") || text.contains("unsolvable")
}

/// The lines that begin with a list.
fn lines(text: &str) -> Result<Vec<Line<'_>>, VariantError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((list, rest)) =
            line.trim_start().strip_prefix('[').and_then(|l| l.split_once(']'))
        else {
            continue;
        };
        let board = read("solution", list).map_err(|error| VariantError::Input {
            argument: "solution",
            message: format!("line {number}: {error}"),
        })?;
        lines.push(Line { number, board, rest });
    }
    Ok(lines)
}

/// The first error in the path.
fn wrong_path(problem: &MultiBlankSliding, lines: &[Line<'_>]) -> Option<String> {
    let (first, last) = (lines.first()?, lines.last()?);
    let start = problem.start();
    if first.board != start {
        return Some(format!("line {}: the path does not begin at {}", first.number, list(&start)));
    }
    for pair in lines.windows(2) {
        let (before, after) = (&pair[0].board, &pair[1]);
        let leads_to = |moved| {
            let mut board = before.clone();
            problem.apply(&mut board, moved);
            board == after.board
        };
        if !problem.actions(before).any(leads_to) {
            return Some(format!("line {}: not one move after the line before", after.number));
        }
    }
    let goal = problem.goal_state();
    (last.board != goal)
        .then(|| format!("line {}: the path ends here, not at {}", last.number, list(&goal)))
}

/// A value that is not that of its state: `h=7`, `moves: 0`.
fn wrong_value(problem: &MultiBlankSliding, lines: &[Line<'_>]) -> Option<String> {
    let h = MultiBlankManhattan::new(&problem.goal_state());
    let check = |(moves, line): (usize, &Line<'_>)| {
        let expected = [("h=", h.value(&h.eval(&line.board))), ("moves:", moves as Cost)];
        expected.into_iter().find_map(|(name, expected)| {
            let reported = value(line.rest, name).filter(|&reported| reported != expected)?;
            let name = name.trim_end_matches(['=', ':']);
            Some(format!("line {}: {name} is {reported}, expected {expected}", line.number))
        })
    };
    lines.iter().enumerate().find_map(check)
}

/// The number after a name.
fn value(text: &str, name: &str) -> Option<Cost> {
    let (_, after) = text.split_once(name)?;
    let digits: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
