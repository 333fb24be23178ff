//! The format `json`: boards in JSON values.

use std::borrow::Cow;

use super::Format;
use super::error::{Fault, Reason};
use super::found::{FoundBoard, StartAndGoal, exactly_one};
use super::json::{JsonKind, JsonValue, OPENERS, parse, skip_space, unescape};
use super::lines::square;
use super::source::{Source, Span};
use super::tiles::{board, board_from_rows, count};
use super::token::{Token, is_blank_sign, require_decimals};
use super::words::find_in_words;
use crate::puzzle::board::Board;
use crate::puzzle::dims::Dims;
use crate::puzzle::goal::Goal;

/// Appends the boards of the values that begin at `at` and returns the line after them.
///
/// After a value, further values are read only if they begin on the line where it ends.
pub(super) fn read(source: &Source<'_>, at: usize, found: &mut Vec<FoundBoard>) -> usize {
    let text = source.text;
    let push = |found: &mut Vec<FoundBoard>, span, boards| {
        found.push(FoundBoard { span, format: Format::Json, boards });
    };
    let mut at = skip_space(text, at);
    loop {
        let line = source.line_index(at);
        let value = match parse(text, at) {
            Ok(value) => value,
            Err(fault) => {
                // Reading must not continue before the fault, or it would take quadratic time.
                let next = line_after_invalid_value(source, at);
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
        if !text[at..].starts_with(OPENERS) {
            // After an invalid value, one error is enough.
            if found.last().is_some_and(|found| found.boards.is_ok()) {
                let rest = Span { start: at, end: source.line(line).map_or(at, |line| line.end) };
                let reason = Reason::expected("the end of the line", rest.of(text));
                push(found, rest, Err(Fault::new(reason, rest)));
            }
            return line + 1;
        }
    }
}

/// Returns the line at which reading continues after invalid JSON: after the line that closes its
/// brackets, or at the next line that is blank or begins with the same brackets (JSON Lines).
fn line_after_invalid_value(source: &Source<'_>, at: usize) -> usize {
    let opening = |line: Span| {
        let line = line.of(source.text);
        let rest = line.trim_start_matches(OPENERS);
        (&line[..line.len() - rest.len()], rest.trim())
    };
    let first = source.line_index(at);
    let (opener, rest) = source.line(first).map_or(("", ""), opening);
    let mut depth = 0_usize;
    for index in first.. {
        let Some(line) = source.line(index) else { return index };
        let alike = !opener.is_empty() && !rest.is_empty() && opening(line).0 == opener;
        let blank = line.of(source.text).trim().is_empty();
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
                b'{' | b'[' | b'(' => depth += 1,
                b'}' | b']' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 {
            return index + 1;
        }
    }
    first + 1
}

/// Returns the items of an array of boards; `None` if the array is itself a board.
fn list<'v>(text: &str, value: &'v JsonValue) -> Option<&'v [JsonValue]> {
    let JsonKind::Array(items) = &value.kind else { return None };
    let is_list = match &items.first()?.kind {
        _ if is_sign(text, items.first()?) => false,
        JsonKind::Object(_) | JsonKind::String => true,
        JsonKind::Array(rows) => match rows.first().map(|row| &row.kind) {
            Some(JsonKind::Array(_)) => true,
            // The items are the rows of one board, or boards of one array each. As with lines, the blanks
            // decide.
            _ => items.iter().filter(|item| is_flat(text, item)).count() * 2 > items.len(),
        },
        _ => false,
    };
    is_list.then_some(items)
}

/// Whether a value is an array with all tiles of a square board and a blank.
fn is_flat(text: &str, value: &JsonValue) -> bool {
    let JsonKind::Array(tiles) = &value.kind else { return false };
    let is_blank = |tile: &JsonValue| tile.span.of(text) == "0" || is_sign(text, tile);
    Dims::square_of(tiles.len()).is_some() && tiles.iter().any(is_blank)
}

/// Whether a value stands for the blank without being the number 0: `null`, or a string that is empty or
/// has the sign of a blank.
fn is_sign(text: &str, value: &JsonValue) -> bool {
    match value.kind {
        JsonKind::Null => true,
        JsonKind::String => match unescape(text, value.span).trim().as_bytes() {
            [] => true,
            &[sign] => is_blank_sign(sign),
            _ => false,
        },
        _ => false,
    }
}

/// Reads a start and an optional goal.
fn boards(text: &str, value: &JsonValue) -> StartAndGoal {
    match &value.kind {
        JsonKind::Object(members) => {
            let get = |key: &str| {
                let is_key = |span: Span| text[span.start + 1..span.end - 1] == *key;
                // The last of several equal keys counts, as in most JSON parsers.
                members.iter().rev().find(|&&(span, _)| is_key(span)).map(|(_, value)| value)
            };
            let Some(start) = get("start").or_else(|| get("board")) else {
                let place = Span { start: value.span.start, end: value.span.start + 1 };
                return Err(Fault::new(Reason::NoBoardKey, place));
            };
            let shape = Shape::new(text, get("rows"), get("cols"))?;
            let (board, inner_goal) = shape.boards(text, start)?;
            let goal = match get("goal") {
                None | Some(JsonValue { kind: JsonKind::Null, .. }) => inner_goal,
                Some(goal) => Some(shape.goal(text, goal, board.dims())?),
            };
            Ok((board, goal))
        }
        _ => Shape { rows: None, cols: None }.boards(text, value),
    }
}

/// The size given by the keys `rows` and `cols`.
struct Shape {
    rows: Option<usize>,
    cols: Option<usize>,
}

impl Shape {
    fn new(text: &str, rows: Option<&JsonValue>, cols: Option<&JsonValue>) -> Result<Shape, Fault> {
        let number = |value: Option<&JsonValue>| match value {
            None => Ok(None),
            Some(value) => {
                let token = token(text, value)?;
                require_decimals(text, &[token])?;
                Ok(token.decimal().map(|number| number as usize))
            }
        };
        Ok(Shape { rows: number(rows)?, cols: number(cols)? })
    }

    /// Reads a board from an array or a string.
    fn boards(&self, text: &str, value: &JsonValue) -> StartAndGoal {
        let boards = match &value.kind {
            JsonKind::Array(items) => match items.first() {
                None => return Err(Fault::new(Reason::EmptyArray, value.span)),
                Some(JsonValue { kind: JsonKind::Array(_), .. }) => (from_rows(text, items)?, None),
                Some(_) => (self.reshape(text, value.span, items)?, None),
            },
            JsonKind::String => from_string(text, value.span)?,
            _ => return Err(expected("a board: an array or a string", text, value)),
        };
        self.check(value.span, boards.0.dims())?;
        Ok(boards)
    }

    fn goal(&self, text: &str, value: &JsonValue, start: Dims) -> Result<Board, Fault> {
        let named = match value.kind {
            JsonKind::String => Goal::from_name(&unescape(text, value.span)),
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

    /// Reads a board from an array of numbers. It is square unless the shape is given.
    fn reshape(&self, text: &str, span: Span, items: &[JsonValue]) -> Result<Board, Fault> {
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
        let differs = |key: &str, announced: Option<usize>, actual: usize| {
            let announced = announced.filter(|&announced| announced != actual)?;
            let announced = format!("`{key}` is {announced}");
            Some(Fault::new(Reason::SizeDiffers { announced, found }, span))
        };
        let fault = differs("rows", self.rows, found.rows());
        fault.or_else(|| differs("cols", self.cols, found.cols())).map_or(Ok(()), Err)
    }
}

fn from_rows(text: &str, rows: &[JsonValue]) -> Result<Board, Fault> {
    let row = |(index, row): (usize, &JsonValue)| match &row.kind {
        JsonKind::Array(items) if items.is_empty() => {
            Err(Fault::new(Reason::EmptyRow { row: index + 1 }, row.span))
        }
        JsonKind::Array(items) => numbers(text, items),
        _ => Err(expected("a row: an array of numbers", text, row)),
    };
    let rows: Vec<Vec<Token>> = rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
    let rows: Vec<&[Token]> = rows.iter().map(Vec::as_slice).collect();
    board_from_rows(text, &rows)
}

/// Reads a string that holds a board in another format. Errors point into the string unless escapes
/// make its characters differ from those of the source.
fn from_string(text: &str, span: Span) -> StartAndGoal {
    let content = unescape(text, span);
    let in_source = |inner: Span| match content {
        Cow::Borrowed(_) => inner.shifted(span.start + 1),
        Cow::Owned(_) => span,
    };
    let boards = if content.trim_start().starts_with(['(', '[']) {
        from_array_text(&content)
    } else {
        exactly_one(find_in_words(&Source::new(&content))).and_then(|found| found.boards)
    };
    boards.map_err(|fault| Fault {
        reason: fault.reason,
        span: in_source(fault.span),
        first: fault.first.map(in_source).filter(|&first| first != span),
    })
}

/// Reads a text that is an array.
fn from_array_text(text: &str) -> StartAndGoal {
    let value = parse(text, skip_space(text, 0))?;
    let end = skip_space(text, value.span.end);
    if end < text.len() {
        let rest = Span { start: end, end: text.len() };
        return Err(Fault::new(Reason::expected("the end of the string", rest.of(text)), rest));
    }
    Shape { rows: None, cols: None }.boards(text, &value)
}

fn numbers(text: &str, items: &[JsonValue]) -> Result<Vec<Token>, Fault> {
    items.iter().map(|item| token(text, item)).collect()
}

fn token(text: &str, value: &JsonValue) -> Result<Token, Fault> {
    match value.kind {
        JsonKind::Number => Ok(Token::word(text, value.span)),
        _ if is_sign(text, value) => Ok(Token::blank(value.span)),
        _ => Err(expected("a number", text, value)),
    }
}

fn expected(what: &'static str, text: &str, found: &JsonValue) -> Fault {
    Fault::new(Reason::expected(what, found.span.of(text)), found.span)
}
