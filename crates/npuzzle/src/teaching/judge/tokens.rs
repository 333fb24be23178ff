//! Splits an answer into moves, numbers and words that are ignored.

use npuzzle_core::Slide;

use super::answer_block::is_arrow;
use super::answer_moves::{AnswerError, AnswerMoves, MAX_ANSWER_MOVES};

/// A part of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A number of slides in one direction.
    Direction(Slide, usize),
    /// A number that is not attached to a direction.
    Number(NumberToken),
}

/// A number in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NumberToken {
    /// Numbers that are too large for a tile are `u16::MAX`, which is no tile.
    value: u16,
    role: NumberRole,
}

/// The role of a number, by the words around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NumberRole {
    /// `1.` or `1)` at the start of a line, or `Step 1`.
    Step,
    /// `tile 5`, `slide 5`, `move 5`, or `5.` within a line: a tile or a step.
    Named,
    Plain,
}

/// The parts of an answer.
#[derive(Default)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    /// Directions that arrows show. In a text with other moves, arrows separate.
    arrows: Vec<Slide>,
    n_slides: usize,
    has_directions: bool,
}

impl Tokens {
    /// Reads an answer. Fails at the first word that is neither a move nor ignored.
    pub(super) fn read(text: &str) -> Result<Tokens, AnswerError> {
        let mut tokens = Tokens::default();
        for line in text.lines() {
            tokens.read_line(line)?;
        }
        Ok(tokens)
    }

    fn read_line(&mut self, line: &str) -> Result<(), AnswerError> {
        let mut is_first = true;
        let mut name = "";
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || is_arrow(c)) {
            let is_command = rest[..start].ends_with('\\');
            rest = &rest[start..];
            if let Some(slide) = rest.chars().next().and_then(arrow) {
                self.arrows.push(slide);
                self.count(1)?;
                rest = after_first_char(rest);
                continue;
            }
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            // A command of LaTeX, such as `\text` or `\rightarrow`.
            if !is_command {
                let item = is_item_end(after).then_some(is_first);
                self.read_word(word, name, item)?;
                (name, is_first) = (word, false);
            }
            rest = after;
        }
        Ok(())
    }

    /// Reads a word. `before` is the word before it. `item` is set if it can be the number of a list item, and says
    /// whether it is the first word of its line.
    fn read_word(
        &mut self,
        word: &str,
        before: &str,
        item: Option<bool>,
    ) -> Result<(), AnswerError> {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(before));
            let role = match () {
                () if item == Some(true) || is(&["step"]) => NumberRole::Step,
                () if item.is_some() || is(&["move", "tile", "slide"]) => NumberRole::Named,
                () => NumberRole::Plain,
            };
            let value = word.parse().unwrap_or(u16::MAX);
            self.tokens.push(Token::Number(NumberToken { value, role }));
            return self.count(1);
        }
        if IGNORED.iter().any(|ignored| ignored.eq_ignore_ascii_case(word)) {
            return Ok(());
        }
        if let Some((slide, n)) = direction_word(word) {
            return self.push_direction(slide, n);
        }
        let mut letters = word.bytes().peekable();
        while let Some(letter) = letters.next() {
            let slide = Slide::from_letter(letter as char).filter(|_| letter.is_ascii());
            let slide = slide.ok_or_else(|| unknown(word))?;
            let mut count = String::new();
            while let Some(digit) = letters.next_if(u8::is_ascii_digit) {
                count.push(digit as char);
            }
            let n = if count.is_empty() { 1 } else { count.parse().unwrap_or(usize::MAX) };
            if n == 0 {
                return Err(unknown(word));
            }
            self.push_direction(slide, n)?;
        }
        Ok(())
    }

    fn push_direction(&mut self, slide: Slide, n: usize) -> Result<(), AnswerError> {
        self.has_directions = true;
        self.tokens.push(Token::Direction(slide, n));
        self.count(n)
    }

    /// Counts moves, so that no answer takes more memory than the longest one allowed.
    fn count(&mut self, n: usize) -> Result<(), AnswerError> {
        self.n_slides = self.n_slides.saturating_add(n);
        if self.n_slides > MAX_ANSWER_MOVES { Err(AnswerError::TooLong) } else { Ok(()) }
    }

    /// Returns the moves: directions if there are any, else the tiles with these numbers.
    pub(super) fn into_moves(self) -> Result<AnswerMoves, AnswerError> {
        if self.has_directions || !self.arrows.is_empty() && !self.has_tiles() {
            return self.into_directions().map(AnswerMoves::Directions);
        }
        let tile = |token: &Token| match token {
            Token::Number(number) if number.role != NumberRole::Step => Some(number.value),
            _ => None,
        };
        let numbers: Vec<u16> = self.tokens.iter().filter_map(tile).collect();
        if numbers.is_empty() {
            Err(AnswerError::NotFound)
        } else {
            Ok(AnswerMoves::Numbers(numbers))
        }
    }

    fn has_tiles(&self) -> bool {
        let is_tile = |token: &Token| matches!(token, Token::Number(number) if number.role != NumberRole::Step);
        self.tokens.iter().any(is_tile)
    }

    fn into_directions(self) -> Result<Vec<Slide>, AnswerError> {
        if !self.has_directions {
            return Ok(self.arrows);
        }
        let mut slides = Vec::with_capacity(self.n_slides);
        for token in self.tokens {
            match token {
                Token::Direction(slide, n) => slides.extend(std::iter::repeat_n(slide, n)),
                Token::Number(number) if number.role == NumberRole::Plain => {
                    return Err(AnswerError::StrayNumber { number: number.value.to_string() });
                }
                Token::Number(_) => {}
            }
        }
        Ok(slides)
    }
}

/// Words without a meaning of their own. `blank` is not one of them: the sense of directions is that of the task.
const IGNORED: [&str; 9] = ["step", "move", "moves", "slide", "tile", "the", "then", "and", "to"];

fn direction_word(word: &str) -> Option<(Slide, usize)> {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let slide = match () {
        () if name.eq_ignore_ascii_case("up") => Slide::Up,
        () if name.eq_ignore_ascii_case("down") => Slide::Down,
        () if name.eq_ignore_ascii_case("left") => Slide::Left,
        () if name.eq_ignore_ascii_case("right") => Slide::Right,
        () => return None,
    };
    let count = &word[name.len()..];
    let n = if count.is_empty() { 1 } else { count.parse().unwrap_or(usize::MAX) };
    (n > 0).then_some((slide, n))
}

fn unknown(word: &str) -> AnswerError {
    AnswerError::UnknownWord { word: word.chars().take(20).collect() }
}

/// Whether the text after a number makes it the number of a list item: `1. L`, `1) L`, `1: L`.
fn is_item_end(after: &str) -> bool {
    let rest = after.strip_prefix(['.', ')', ':']);
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace) && !rest.trim().is_empty())
}

fn arrow(c: char) -> Option<Slide> {
    match c {
        '↑' | '⬆' => Some(Slide::Up),
        '↓' | '⬇' => Some(Slide::Down),
        '←' | '⬅' => Some(Slide::Left),
        '→' | '➡' => Some(Slide::Right),
        _ => None,
    }
}

fn after_first_char(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}
