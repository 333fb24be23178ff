//! Reads the moves of an answer.

use npuzzle_core::{Board, Dims, Notation};

use super::answer_block::{
    AnswerMark, boxed, fenced, is_arrow, labeled, tagged, without_reasoning,
};
use super::answer_moves::{AnswerError, AnswerMoves};
use super::tokens::Tokens;
use crate::teaching::check::find_boards;

/// An answer that was found in a text.
pub(super) struct FoundAnswer {
    pub(super) mark: AnswerMark,
    pub(super) moves: Result<AnswerMoves, AnswerError>,
}

/// Finds and reads the answer of a text. `notation` is that of the task, if it is known.
pub(super) fn read(text: &str, dims: Dims, notation: Option<Notation>) -> Option<FoundAnswer> {
    let reader = Reader { dims, notation };
    let text = without_reasoning(text);
    let strong = tagged(text).map(|block| (AnswerMark::Tag, block));
    let strong = strong.or_else(|| boxed(text).map(|block| (AnswerMark::Boxed, block)));
    if let Some((mark, block)) = strong {
        return Some(FoundAnswer { mark, moves: reader.strong(block) });
    }
    let (mark, moves) = reader.weak(text)?;
    Some(FoundAnswer { mark, moves: Ok(moves) })
}

struct Reader {
    dims: Dims,
    notation: Option<Notation>,
}

impl Reader {
    /// Reads the contents of a tag or box. It may have a label or a code block of its own.
    fn strong(&self, block: &str) -> Result<AnswerMoves, AnswerError> {
        let block = boxed(block).unwrap_or(block);
        let inner = labeled(block).into_iter().next();
        let block = inner.or_else(|| fenced(block).into_iter().next()).unwrap_or(block);
        self.block(block, AnswerMark::Tag)
    }

    /// Returns the last label, else the last code block, else the last lines that can be read.
    fn weak(&self, text: &str) -> Option<(AnswerMark, AnswerMoves)> {
        let read = |mark, blocks: Vec<&str>| {
            let mut moves = blocks.into_iter().map(|block| self.block(block, mark));
            Some((mark, moves.find_map(Result::ok)?))
        };
        read(AnswerMark::Label, labeled(text))
            .or_else(|| read(AnswerMark::Fence, fenced(text)))
            .or_else(|| Some((AnswerMark::Lines, self.last_lines(text)?)))
    }

    /// Reads a marked part of a text.
    fn block(&self, block: &str, mark: AnswerMark) -> Result<AnswerMoves, AnswerError> {
        if block.contains(|c: char| c.is_ascii_digit()) {
            let boards = find_boards(block, self.dims);
            if !boards.is_empty() {
                return Ok(AnswerMoves::Boards(boards.into_iter().map(|(_, b)| b).collect()));
            }
        }
        if claims_unsolvable(block) {
            return Ok(AnswerMoves::NoSolution);
        }
        if says_no_moves(block) {
            return match mark.is_strong() || block.contains(char::is_alphanumeric) {
                true => Ok(AnswerMoves::Directions(Vec::new())),
                false => Err(AnswerError::NotFound),
            };
        }
        let moves = Tokens::read(block)?.into_moves()?;
        match &moves {
            AnswerMoves::Directions(_) if !self.accepts_directions() => {
                Err(AnswerError::Directions)
            }
            // `Moves: 14` is a length unless the task asks for tile numbers.
            AnswerMoves::Numbers(numbers)
                if numbers.len() == 1
                    && !mark.is_strong()
                    && self.notation != Some(Notation::Numbers) =>
            {
                Err(AnswerError::StrayNumber { number: numbers[0].to_string() })
            }
            _ => Ok(moves),
        }
    }

    fn accepts_directions(&self) -> bool {
        !matches!(self.notation, Some(Notation::Numbers | Notation::Boards))
    }

    /// Returns the last block of lines that have nothing but moves in the notation of the task.
    fn last_lines(&self, text: &str) -> Option<AnswerMoves> {
        if self.notation == Some(Notation::Boards) {
            let boards = find_boards(text, self.dims);
            let boards: Vec<Board> = boards.into_iter().map(|(_, board)| board).collect();
            return (!boards.is_empty()).then_some(AnswerMoves::Boards(boards));
        }
        let wants_numbers = self.notation == Some(Notation::Numbers);
        let read = |line: &str| {
            let has_moves = line.contains(|c: char| c.is_alphanumeric() || is_arrow(c));
            let moves = Tokens::read(line).ok().filter(|_| has_moves)?.into_moves().ok()?;
            let fits = matches!(
                (&moves, wants_numbers),
                (AnswerMoves::Numbers(_), true) | (AnswerMoves::Directions(_), false)
            );
            fits.then_some(moves)
        };
        let mut block: Vec<AnswerMoves> = Vec::new();
        for line in text.lines().rev() {
            match read(line) {
                Some(moves) => block.push(moves),
                None if block.is_empty() => {}
                None if is_board_row(&block) => block.clear(),
                None => break,
            }
        }
        if is_board_row(&block) {
            return None;
        }
        block.reverse();
        joined(block)
    }
}

/// Whether a block of numbers contains the blank, so that it is a part of a board.
fn is_board_row(block: &[AnswerMoves]) -> bool {
    let has_blank = |moves: &AnswerMoves| matches!(moves, AnswerMoves::Numbers(numbers) if numbers.contains(&0));
    block.iter().any(has_blank)
}

/// Joins the moves of consecutive lines, which are of one kind.
fn joined(lines: Vec<AnswerMoves>) -> Option<AnswerMoves> {
    let mut lines = lines.into_iter();
    let mut all = lines.next()?;
    for line in lines {
        match (&mut all, line) {
            (AnswerMoves::Directions(all), AnswerMoves::Directions(more)) => all.extend(more),
            (AnswerMoves::Numbers(all), AnswerMoves::Numbers(more)) => all.extend(more),
            _ => return None,
        }
    }
    Some(all).filter(|all| !all.is_too_long())
}

/// The longest answer that is searched for phrases. They have no other purpose than to be the answer.
const MAX_PHRASE: usize = 100;

fn claims_unsolvable(block: &str) -> bool {
    let phrases = ["unsolvable", "no solution", "not solvable", "impossible", "cannot be solved"];
    has_phrase(block, &phrases)
}

/// Whether an answer says that no moves are needed: it is empty, or a phrase.
fn says_no_moves(block: &str) -> bool {
    let has_text = block.contains(|c: char| c.is_alphanumeric() || is_arrow(c));
    let words = block.trim_matches(|c: char| !c.is_alphanumeric());
    !has_text
        || words.eq_ignore_ascii_case("none")
        || has_phrase(block, &["no moves", "already solved"])
}

fn has_phrase(block: &str, phrases: &[&str]) -> bool {
    let block = block.trim();
    if block.len() > MAX_PHRASE {
        return false;
    }
    let block = block.to_lowercase();
    phrases.iter().any(|phrase| block.contains(phrase))
}
