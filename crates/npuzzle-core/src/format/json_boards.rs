//! The format `json`: the boards among the values.

use std::borrow::Cow;

use super::Format;
use super::error::{Fault, Reason};
use super::found::{FoundBoard, StartAndGoal, exactly_one};
use super::json::{Node, Value, skip_space, unescape, value};
use super::lines::square;
use super::source::{Source, Span};
use super::tiles::{board, board_from_rows, count};
use super::token::{Token, require_numbers};
use super::words::find_in_words;
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::goal::Goal;

/// Appends the boards of the values that begin at `at`; returns the line after them.
///
/// As many values are read as begin on the line where the one before them ends.
pub(super) fn read(source: &Source<'_>, at: usize, found: &mut Vec<FoundBoard>) -> usize {
    let text = source.text;
    let push = |found: &mut Vec<FoundBoard>, span, boards| {
        found.push(FoundBoard { span, format: Format::Json, boards });
    };
    let mut at = skip_space(text, at);
    loop {
        let line = source.line_index(at);
        let value = match value(text, at) {
            Ok(value) => value,
            Err(fault) => {
                // Never back behind the fault, or the same lines would be read again and again.
                let next = line_after_bad_value(source, at);
                let next = next.max(source.line_index(fault.span.start));
                push(found, Span { start: at, end: at }, Err(fault));
                return next;
            }
        };
        match list(text, &value) {
            Some(items) => items.iter().for_each(|item| push(found, item.span, boards(text, item))),
            None => push(found, value.span, boards(text, &value)),
        }
        let end = value.span.end;
        at = skip_space(text, end);
        let line = source.line_index(end).max(line);
        if at == text.len() || source.line_index(at) > line {
            return line + 1;
        }
        if !matches!(text.as_bytes()[at], b'{' | b'[' | b'"') {
            // A value that was bad already says enough.
            if found.last().is_some_and(|found| found.boards.is_ok()) {
                let rest = Span { start: at, end: source.line(line).map_or(at, |line| line.end) };
                let reason = Reason::expected("the end of the line", &text[rest.start..rest.end]);
                push(found, rest, Err(Fault::new(reason, rest)));
            }
            return line + 1;
        }
    }
}

/// Where to go on after JSON that is none: where its brackets are closed, or before a line that is
/// blank or begins as it does (the next of JSON Lines).
fn line_after_bad_value(source: &Source<'_>, at: usize) -> usize {
    let opening = |line: Span| {
        let line = &source.text[line.start..line.end];
        let rest = line.trim_start_matches(['{', '[', '"']);
        (&line[..line.len() - rest.len()], rest.trim())
    };
    let first = source.line_index(at);
    let (opener, rest) = source.line(first).map_or(("", ""), opening);
    let mut depth = 0_usize;
    for index in first.. {
        let Some(line) = source.line(index) else { return index };
        let alike = !opener.is_empty() && !rest.is_empty() && opening(line).0 == opener;
        let blank = source.text[line.start..line.end].trim().is_empty();
        if index > first && (alike || blank) {
            return index;
        }
        let mut in_string = false;
        let mut bytes = source.text[line.start.max(at)..line.end].bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => in_string = !in_string,
                b'\\' if in_string => _ = bytes.next(),
                _ if in_string => {}
                b'#' => break,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 {
            return index + 1;
        }
    }
    first + 1
}

/// The items of an array of boards, as opposed to an array that is one.
fn list<'v>(text: &str, value: &'v Value) -> Option<&'v [Value]> {
    let Node::Array(items) = &value.node else { return None };
    let is_list = match &items.first()?.node {
        Node::Object(_) | Node::String => true,
        Node::Array(rows) => match rows.first().map(|row| &row.node) {
            Some(Node::Array(_)) => true,
            // Rows of one board, or boards of one row? As with lines: the blank decides.
            _ => items.iter().filter(|item| is_flat(text, item)).count() * 2 > items.len(),
        },
        _ => false,
    };
    is_list.then_some(items)
}

/// A square in one array, with a blank.
fn is_flat(text: &str, value: &Value) -> bool {
    let Node::Array(tiles) = &value.node else { return false };
    let is_blank = |tile: &Value| &text[tile.span.start..tile.span.end] == "0";
    Dims::square_of(tiles.len()).is_some() && tiles.iter().any(is_blank)
}

/// A start and perhaps a goal.
fn boards(text: &str, value: &Value) -> StartAndGoal {
    match &value.node {
        Node::Object(members) => {
            let get = |key: &str| {
                let is_key = |span: Span| text[span.start + 1..span.end - 1] == *key;
                // Of equal keys the last counts, as in most readers of JSON.
                members.iter().rev().find(|&&(span, _)| is_key(span)).map(|(_, value)| value)
            };
            let Some(start) = get("start").or_else(|| get("board")) else {
                let place = Span { start: value.span.start, end: value.span.start + 1 };
                return Err(Fault::new(Reason::NoBoardKey, place));
            };
            let shape = Shape::new(text, get("rows"), get("cols"))?;
            let (board, inner_goal) = shape.boards(text, start)?;
            let goal = match get("goal") {
                None | Some(Value { node: Node::Null, .. }) => inner_goal,
                Some(goal) => Some(shape.goal(text, goal, board.dims())?),
            };
            Ok((board, goal))
        }
        _ => Shape { rows: None, cols: None }.boards(text, value),
    }
}

/// What `rows` and `cols` say.
struct Shape {
    rows: Option<usize>,
    cols: Option<usize>,
}

impl Shape {
    fn new(text: &str, rows: Option<&Value>, cols: Option<&Value>) -> Result<Shape, Fault> {
        let number = |value: Option<&Value>| match value {
            None => Ok(None),
            Some(value) => {
                let token = token(text, value)?;
                require_numbers(text, &[token])?;
                Ok(token.number().map(|number| number as usize))
            }
        };
        Ok(Shape { rows: number(rows)?, cols: number(cols)? })
    }

    /// A value that is a board without keys.
    fn boards(&self, text: &str, value: &Value) -> StartAndGoal {
        let boards = match &value.node {
            Node::Array(items) => match items.first() {
                None => return Err(Fault::new(Reason::EmptyArray, value.span)),
                Some(Value { node: Node::Array(_), .. }) => (from_rows(text, items)?, None),
                Some(_) => (self.reshape(text, value.span, items)?, None),
            },
            Node::String => from_string(text, value.span)?,
            _ => return Err(expected("a board: an array or a string", text, value)),
        };
        self.check(value.span, boards.0.dims())?;
        Ok(boards)
    }

    fn goal(&self, text: &str, value: &Value, start: Dims) -> Result<Board, Fault> {
        let named = match value.node {
            Node::String => Goal::from_name(&unescape(text, value.span)),
            _ => None,
        };
        let goal = match named {
            Some(goal) => goal.fill(start),
            None => self.boards(text, value)?.0,
        };
        if goal.dims() == start {
            Ok(goal)
        } else {
            Err(Fault::new(Reason::GoalSize { start, goal: goal.dims() }, value.span))
        }
    }

    /// An array of numbers: a square, unless the shape says otherwise.
    fn reshape(&self, text: &str, span: Span, items: &[Value]) -> Result<Board, Fault> {
        let tiles = numbers(text, items)?;
        let (rows, cols) = match (self.rows, self.cols) {
            (None, None) => return square(text, &tiles, |found| Reason::NotSquareArray { found }),
            (Some(rows), Some(cols)) => (rows, cols),
            (Some(rows), None) => (rows, tiles.len() / rows.max(1)),
            (None, Some(cols)) => (tiles.len() / cols.max(1), cols),
        };
        let dims = Dims::new(rows, cols).map_err(|e| Fault::new(Reason::BadSize(e), span))?;
        if tiles.len() == dims.cells() {
            board(text, dims, &tiles)
        } else {
            Err(count(dims, &tiles))
        }
    }

    fn check(&self, span: Span, found: Dims) -> Result<(), Fault> {
        let differs = |name: &str, said: Option<usize>, is: usize| {
            let said = said.filter(|&said| said != is)?;
            let reason = Reason::SizeDiffers { announced: format!("`{name}` is {said}"), found };
            Some(Fault::new(reason, span))
        };
        let fault = differs("rows", self.rows, found.rows());
        fault.or_else(|| differs("cols", self.cols, found.cols())).map_or(Ok(()), Err)
    }
}

fn from_rows(text: &str, rows: &[Value]) -> Result<Board, Fault> {
    let row = |(index, row): (usize, &Value)| match &row.node {
        Node::Array(items) if items.is_empty() => {
            Err(Fault::new(Reason::EmptyRow { row: index + 1 }, row.span))
        }
        Node::Array(items) => numbers(text, items),
        _ => Err(expected("a row: an array of numbers", text, row)),
    };
    let rows: Vec<Vec<Token>> = rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
    let rows: Vec<&[Token]> = rows.iter().map(Vec::as_slice).collect();
    board_from_rows(text, &rows)
}

/// The text in a string, in any other format. Errors point into it unless escapes make its
/// characters differ from those of the source.
fn from_string(text: &str, span: Span) -> StartAndGoal {
    let content = unescape(text, span);
    let place = |inner: Span| match content {
        Cow::Borrowed(_) => inner.shifted(span.start + 1),
        Cow::Owned(_) => span,
    };
    let found = exactly_one(find_in_words(&Source::new(&content)));
    found.and_then(|found| found.boards).map_err(|fault| Fault {
        reason: fault.reason,
        span: place(fault.span),
        first: fault.first.map(place).filter(|&first| first != span),
    })
}

fn numbers(text: &str, items: &[Value]) -> Result<Vec<Token>, Fault> {
    items.iter().map(|item| token(text, item)).collect()
}

fn token(text: &str, value: &Value) -> Result<Token, Fault> {
    match value.node {
        Node::Number => Ok(Token::word(text, value.span)),
        _ => Err(expected("a number", text, value)),
    }
}

fn expected(what: &'static str, text: &str, found: &Value) -> Fault {
    Fault::new(Reason::expected(what, &text[found.span.start..found.span.end]), found.span)
}
