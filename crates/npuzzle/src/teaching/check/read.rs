//! Reads a solution from the text that a person or a program has written.
//!
//! The text is first searched for boards of the puzzle's size, since most course programs print
//! them. A text without boards is read as directions (letters or words), then as tile numbers.
//! Directions may be those of the tiles or those of the blank. The sense that solves the puzzle is
//! chosen, otherwise the one with more legal moves.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Instance, Moves, Slide};

use super::CheckResult;
use super::find_boards::find_boards;
use super::move_words::{parse_directions, parse_tile_numbers};
use super::solution_error::SolutionError;

/// The form in which a solution is written.
///
/// ```
/// use npuzzle::teaching::SolutionForm;
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "5 6", &mut Tables::new(), &mut ())?;
/// assert_eq!(checked.form, SolutionForm::Numbers);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionForm {
    /// A sequence of boards.
    Boards,
    /// Directions, as letters or words.
    Letters(Sense),
    /// The numbers of the tiles that slide.
    Numbers,
    /// A number of moves without the moves.
    MoveCount,
    /// The claim that there is no solution.
    NoSolution,
}

/// Whose direction a letter names.
///
/// ```
/// use npuzzle::teaching::{Sense, SolutionForm};
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "R D", &mut Tables::new(), &mut ())?;
/// // As directions of tiles, these moves do not reach the goal.
/// assert_eq!(checked.form, SolutionForm::Letters(Sense::Blank));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sense {
    /// The direction in which the tile slides.
    Tile,
    /// The direction in which the blank moves.
    Blank,
}

/// Reads the solution of a puzzle from a text, up to its first error; its quality is open. `None` if the text has
/// neither boards nor moves nor a number of moves.
pub(super) fn read(text: &str, puzzle: &Instance) -> Option<CheckResult> {
    let claimed = claimed_moves(text);
    let reading = |form, (moves, error)| CheckResult { form, moves, error, claimed, quality: None };
    let boards = find_boards(text, puzzle.start().dims());
    if claims_unsolvable(text) && boards.len() <= 1 {
        return Some(reading(SolutionForm::NoSolution, (Moves::default(), None)));
    }
    if is_summary(&boards, puzzle) && claimed.is_some() {
        return Some(reading(SolutionForm::MoveCount, (Moves::default(), None)));
    }
    if !boards.is_empty() {
        return Some(reading(SolutionForm::Boards, slides_between(&boards, puzzle)));
    }
    let candidates = parse_directions(text);
    if !candidates.is_empty() {
        return Some(in_best_sense(&candidates, puzzle, reading));
    }
    if let Some(numbers) = parse_tile_numbers(&without_claim(text)) {
        return Some(reading(SolutionForm::Numbers, replay_numbers(&numbers, puzzle)));
    }
    claimed.map(|_| reading(SolutionForm::MoveCount, (Moves::default(), None)))
}

/// Finds the moves that [`Options::check`](crate::Options::check) reads in a text, up to the first
/// illegal one. Returns `None` if the text has neither boards nor moves.
///
/// ```
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let moves = npuzzle::teaching::find_moves("Solution: L U", &puzzle);
/// assert_eq!(moves.map(|moves| moves.stm()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_moves(text: &str, puzzle: &Instance) -> Option<Moves> {
    Some(read(text, puzzle)?.moves)
}

/// Tries each candidate in both senses. Returns the first that solves the puzzle, otherwise the one
/// with the most legal moves.
fn in_best_sense(
    candidates: &[Vec<Slide>],
    puzzle: &Instance,
    reading: impl Fn(SolutionForm, (Moves, Option<SolutionError>)) -> CheckResult,
) -> CheckResult {
    let mut best: Option<CheckResult> = None;
    for slides in candidates {
        let opposite: Vec<Slide> = slides.iter().map(|slide| slide.opposite()).collect();
        for (sense, slides) in [(Sense::Tile, slides), (Sense::Blank, &opposite)] {
            let read = reading(SolutionForm::Letters(sense), replay(slides, puzzle));
            if read.error.is_none() {
                return read;
            }
            if best.as_ref().is_none_or(|best| read.moves.stm() > best.moves.stm()) {
                best = Some(read);
            }
        }
    }
    best.unwrap_or_else(|| reading(SolutionForm::Letters(Sense::Tile), replay(&[], puzzle)))
}

/// Returns the slides between consecutive boards, up to the first pair that is not one slide apart.
fn slides_between(boards: &[(usize, Board)], puzzle: &Instance) -> (Moves, Option<SolutionError>) {
    let Some(first) = start_of_path(boards, puzzle) else {
        return (Moves::default(), Some(SolutionError::WrongStart { line: boards[0].0 }));
    };
    let mut slides = Vec::new();
    for pair in boards[first..].windows(2) {
        let ((_, before), (line, after)) = (&pair[0], &pair[1]);
        let Some(slide) = slide_between(before, after) else {
            let step = slides.len() + 1;
            return (slides.into(), Some(SolutionError::NotOneSlide { step, line: *line }));
        };
        slides.push(slide);
    }
    finish(slides, &boards[boards.len() - 1].1, puzzle)
}

fn slide_between(before: &Board, after: &Board) -> Option<Slide> {
    before.slides().find(|&slide| {
        let mut board = before.clone();
        board.slide(slide) && board == *after
    })
}

/// Returns the index of the first board of the path. Some programs print the start more than once,
/// or print the goal before the path.
fn start_of_path(boards: &[(usize, Board)], puzzle: &Instance) -> Option<usize> {
    let (start, goal) = (puzzle.start(), puzzle.goal());
    let n_goals = boards.iter().take_while(|(_, b)| b == goal && goal != start).count();
    let is_one_slide = slide_between(start, goal).is_some();
    let is_heading =
        |board: &Board| board == start || board == goal && !is_one_slide && goal != start;
    let rest = &boards[n_goals..];
    let n_headings = rest.iter().take_while(|(_, board)| is_heading(board)).count();
    let last = rest[..n_headings].iter().rposition(|(_, board)| board == start)?;
    Some(n_goals + last)
}

/// Replays slides, up to the first illegal one.
fn replay(slides: &[Slide], puzzle: &Instance) -> (Moves, Option<SolutionError>) {
    let mut board = puzzle.start().clone();
    for (index, &slide) in slides.iter().enumerate() {
        if !board.slide(slide) {
            let error = SolutionError::OffBoard { step: index + 1, slide };
            return (slides[..index].to_vec().into(), Some(error));
        }
    }
    finish(slides.to_vec(), &board, puzzle)
}

/// Slides the tiles with these numbers, up to the first that is not next to the blank.
fn replay_numbers(tiles: &[u16], puzzle: &Instance) -> (Moves, Option<SolutionError>) {
    let mut board = puzzle.start().clone();
    let mut slides = Vec::new();
    for &tile in tiles {
        let moves_tile = |&slide: &Slide| {
            let source = board.dims().source(board.blank(), slide);
            tile != 0 && source.is_some_and(|cell| board.tile(cell).number() == tile)
        };
        let Some(slide) = board.slides().find(moves_tile) else {
            let step = slides.len() + 1;
            return (slides.into(), Some(SolutionError::NotAdjacent { step, tile }));
        };
        board.slide(slide);
        slides.push(slide);
    }
    finish(slides, &board, puzzle)
}

/// Returns legal slides that end at a board, with an error if that is not the goal.
fn finish(slides: Vec<Slide>, end: &Board, puzzle: &Instance) -> (Moves, Option<SolutionError>) {
    let error = (end != puzzle.goal()).then(|| SolutionError::NotAtGoal { end: end.clone() });
    (slides.into(), error)
}

/// Returns whether a text has one of the phrases by which programs say that there is no solution.
fn claims_unsolvable(text: &str) -> bool {
    let text = text.to_lowercase();
    let phrases = ["no solution", "unsolvable", "not solvable", "could not find a solution"];
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// The phrases before the number of moves that a program claims to have found.
const CLAIMS: [&str; 7] = [
    "number of moves =",
    "number of moves:",
    "solution cost is:",
    "solution with",
    "found a path of",
    "moves required",
    "total moves",
];

/// Returns the number of moves that a program claims to have found.
fn claimed_moves(text: &str) -> Option<Cost> {
    let text = text.to_lowercase();
    let rest_of_line = CLAIMS.iter().find_map(|phrase| {
        let at = text.find(phrase)?;
        text[at + phrase.len()..].lines().next()
    })?;
    let digits = rest_of_line.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Returns the lines of a text that claim no number of moves, so that the number is not read as a tile.
fn without_claim(text: &str) -> String {
    let is_claim = |line: &&str| {
        let line = line.to_lowercase();
        CLAIMS.iter().any(|phrase| line.contains(phrase))
    };
    text.lines().filter(|line| !is_claim(line)).collect::<Vec<_>>().join("\n")
}

/// Returns whether a text shows start and goal instead of a path: the two come first, and are not
/// the path of a single slide.
fn is_summary(boards: &[(usize, Board)], puzzle: &Instance) -> bool {
    match boards {
        [(_, first), (_, second), rest @ ..] => {
            let is_path = rest.is_empty() && slide_between(first, second).is_some();
            first == puzzle.start() && second == puzzle.goal() && !is_path
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the form of a text and its slides, or its error.
    fn check(text: &str, expect: &str) {
        let puzzle: Instance = "1 2 3/4 0 5/7 8 6".parse().unwrap();
        let found = match read(text, &puzzle) {
            None => "unreadable".to_owned(),
            Some(CheckResult { form, moves, error: None, .. }) => format!("{form:?} {moves}"),
            Some(CheckResult { form, error: Some(error), .. }) => format!("{form:?}: {error}"),
        };
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn read_accepts_the_layouts_of_student_programs() {
        for text in [
            "Solution:\nLeft\nUp",
            "Step 1: left\nStep 2: up\nDone in 0.1 s",
            "2 STM / 2 MTM (optimal)\ntile slides: L U\nsearch: table, 2 expanded, 0 generated",
            "2 optimal solutions:\nL U\nL U",
        ] {
            check(text, "Letters(Tile) L U");
        }
        check("Moves of the blank: [right, down]", "Letters(Blank) L U");
        check("2 STM / 2 MTM (optimal)\ntiles: 5 6\nsearch: table, 2 expanded", "Numbers L U");
        for text in [
            "| 1 | 2 | 3 |\n| 4 |   | 5 |\n| 7 | 8 | 6 |\n\n| 1 | 2 | 3 |\n| 4 | 5 |   |\n| 7 | 8 | 6 |\n\n\
             | 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |   |",
            "+---+\n|1|2|3|\n+---+\n|4| |5|\n+---+\n|7|8|6|\n+---+\n|1|2|3|\n|4|5| |\n|7|8|6|\n-----\n\
             |1|2|3|\n|4|5|6|\n|7|8| |\n",
            "[[1,2,3],[4,0,5],[7,8,6]]\n[[1,2,3],[4,5,0],[7,8,6]]\n[[1,2,3],[4,5,6],[7,8,0]]",
            "[[[1,2,3],[4,0,5],[7,8,6]], [[1,2,3],[4,5,0],[7,8,6]], [[1,2,3],[4,5,6],[7,8,0]]]",
            "Path: [[1,2,3],[4,0,5],[7,8,6]]\nMove 1: [[1,2,3],[4,5,0],[7,8,6]]\n\
             Move 2: [[1,2,3],[4,5,6],[7,8,0]]",
            "1 2 3 4 0 5 7 8 6\n1 2 3 4 5 0 7 8 6\n1 2 3 4 5 6 7 8 0",
            "123405786\n123450786\n123456780",
            "Goal:\n1 2 3\n4 5 6\n7 8 0\nStart:\n1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 0\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0",
            "Start:\n1 2 3/4 0 5/7 8 6\nGoal:\n1 2 3/4 5 6/7 8 0\nPath:\n1 2 3/4 0 5/7 8 6\n1 2 3/4 5 0/7 8 6\n\
             1 2 3/4 5 6/7 8 0",
        ] {
            check(text, "Boards L U");
        }
        check("Minimum number of moves = 2", "MoveCount ");
        check("Number of moves: 2\ntime: fast", "MoveCount ");
        check("Number of moves: 2\n5 6", "Numbers L U");
        check("", "Letters(Tile): the moves end at 1 2 3/4 0 5/7 8 6, not at the goal");
        for text in ["---", "...\n***", "hello", "Solution:", "L U then the goal"] {
            check(text, "unreadable");
        }
        check("{\"start\":\"1 2 3/4 0 5/7 8 6\"}", "unreadable");
    }
}
