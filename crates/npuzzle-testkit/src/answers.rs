//! An independent judge of marked answers, written from the rules in `docs/datasets.md`.
//!
//! It shares no code with the library: it reads single moves from the last mark, replays them on plain numbers and looks
//! distances up in an [`Oracle`].

use npuzzle_core::{Board, Metric, Notation};

use crate::naive::Oracle;

/// The result of [`check`].
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedAnswer {
    /// `shortest`, `solved`, `unsolved`, `illegal` or `unreadable`.
    pub status: &'static str,
    /// The graded score.
    pub score: f64,
    /// The distance to the goal after the legal moves; `None` if the answer is unreadable.
    pub distance_after: Option<u32>,
    /// The moves more than the shortest solution; `None` if the answer is no solution.
    pub wasted: Option<u32>,
}

const UNREADABLE: CheckedAnswer =
    CheckedAnswer { status: "unreadable", score: 0.0, distance_after: None, wasted: None };

/// Judges an answer in `<answer>` or `\boxed{}`. Its moves are letters with an optional count, or tile numbers.
///
/// # Panics
/// If the oracle does not know the board.
pub fn check(
    text: &str,
    notation: Notation,
    start: &Board,
    goal: &Board,
    metric: Metric,
    oracle: &Oracle,
) -> CheckedAnswer {
    let Some(steps) = marked(text).and_then(|answer| steps(answer, notation)) else {
        return UNREADABLE;
    };
    let distance = |tiles: &[u16]| {
        let board = Board::new(start.dims(), tiles).unwrap_or_else(|error| panic!("{error}"));
        oracle.distance(&board).unwrap_or_else(|| panic!("{board:?} is not in the space"))
    };
    let (rows, cols) = (start.dims().rows(), start.dims().cols());
    let mut tiles: Vec<u16> = start.tiles().iter().map(|tile| tile.number()).collect();
    let first = distance(&tiles);
    let mut directions = Vec::new();
    let mut is_legal = true;
    for step in steps {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or_default();
        let (row, col) = ((blank / cols) as isize, (blank % cols) as isize);
        // Where the tile that slides comes from.
        let offsets = [('U', 1, 0), ('D', -1, 0), ('L', 0, 1), ('R', 0, -1)];
        let slid = offsets.into_iter().find(|&(letter, down, right)| {
            let (from_row, from_col) = (row + down, col + right);
            let is_inside =
                (0..rows as isize).contains(&from_row) && (0..cols as isize).contains(&from_col);
            is_inside
                && match step {
                    Step::Tile(tile) => tiles[from_row as usize * cols + from_col as usize] == tile,
                    Step::Direction(direction) => direction == letter,
                }
        });
        let Some((letter, down, right)) = slid else {
            is_legal = false;
            break;
        };
        tiles.swap(blank, (row + down) as usize * cols + (col + right) as usize);
        directions.push(letter);
    }
    let goal: Vec<u16> = goal.tiles().iter().map(|tile| tile.number()).collect();
    let after = distance(&tiles);
    let progress =
        if first == 0 { 0.0 } else { f64::from(first.saturating_sub(after)) / f64::from(first) };
    let checked = |status, score, wasted| CheckedAnswer {
        status,
        score,
        distance_after: Some(after),
        wasted,
    };
    if !is_legal {
        return checked("illegal", progress / 4.0, None);
    }
    if tiles != goal {
        return checked("unsolved", progress / 2.0, None);
    }
    let n_runs =
        (0..directions.len()).filter(|&i| i == 0 || directions[i] != directions[i - 1]).count();
    let length = if metric == Metric::Mtm { n_runs } else { directions.len() } as u32;
    if length == first {
        return checked("shortest", 1.0, Some(0));
    }
    checked("solved", 0.5 + 0.5 * f64::from(first) / f64::from(length), Some(length - first))
}

enum Step {
    /// The letter of the direction in which the tile slides.
    Direction(char),
    Tile(u16),
}

/// The text of the last mark.
fn marked(text: &str) -> Option<&str> {
    if let Some((_, rest)) = text.rsplit_once("<answer>") {
        return rest.split("</answer>").next();
    }
    text.rsplit_once("\\boxed{")?.1.split('}').next()
}

/// The moves of an answer; `None` if a word is not a move.
fn steps(answer: &str, notation: Notation) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for word in answer.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if let Ok(tile) = word.parse() {
            steps.push(Step::Tile(tile));
            continue;
        }
        let (letter, count) = word.split_at(1);
        let letter = letter.chars().next().filter(|&letter| "UDLR".contains(letter))?;
        let letter = match (notation, letter) {
            (Notation::Blank, 'U') => 'D',
            (Notation::Blank, 'D') => 'U',
            (Notation::Blank, 'L') => 'R',
            (Notation::Blank, 'R') => 'L',
            _ => letter,
        };
        let n: usize = if count.is_empty() { 1 } else { count.parse().ok()? };
        steps.extend((0..n).map(|_| Step::Direction(letter)));
    }
    Some(steps)
}
