//! Lines of JSON with tasks and answers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use npuzzle::format::{self, Format};
use npuzzle::{Board, FormatError, Goal, Metric, Notation};
use serde_json::{Map, Value};

use crate::exit::Failure;

/// The longest line, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Reads a file line by line. It may be larger than the memory.
pub(super) struct LineReader {
    source: String,
    /// The number of the last line, from 1.
    line: usize,
    reader: Box<dyn BufRead>,
}

impl LineReader {
    /// Opens a file, or standard input for `-`.
    pub(super) fn open(arg: &str) -> Result<LineReader, Failure> {
        if arg == "-" {
            let reader = Box::new(BufReader::new(io::stdin()));
            return Ok(LineReader { source: "<stdin>".to_owned(), line: 0, reader });
        }
        let open = || {
            // Opening a folder succeeds on Unix, and reading it fails with an obscure message.
            if Path::new(arg).is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            File::open(arg)
        };
        let file = open().map_err(|error| Failure::io(arg, &error))?;
        Ok(LineReader { source: arg.to_owned(), line: 0, reader: Box::new(BufReader::new(file)) })
    }

    /// Returns the next line that is not empty. Bytes that are not UTF-8 are replaced.
    pub(super) fn next_line(&mut self) -> Result<Option<String>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let mut reader = self.reader.by_ref().take(MAX_LINE);
            let n_read = reader.read_until(b'\n', &mut bytes);
            let n_read = n_read.map_err(|error| Failure::io(&self.source, &error))?;
            if n_read == 0 {
                return Ok(None);
            }
            self.line += 1;
            if bytes.len() as u64 == MAX_LINE {
                return Err(self.failure(&format!("a line of more than {} MiB", MAX_LINE >> 20)));
            }
            let text = String::from_utf8_lossy(&bytes);
            if !text.trim().is_empty() {
                return Ok(Some(text.into_owned()));
            }
        }
    }

    /// A failure in the last line.
    pub(super) fn failure(&self, message: &str) -> Failure {
        Failure::usage(format!("{}:{}: {message}", self.source, self.line))
    }
}

/// A task or an answer.
pub(super) struct TaskLine {
    pub(super) id: Option<String>,
    pub(super) puzzle: Option<(Board, Option<Board>)>,
    pub(super) metric: Option<Metric>,
    pub(super) notation: Option<Notation>,
    fields: Map<String, Value>,
}

impl TaskLine {
    /// Reads a JSON object. Fields that are missing are `None`.
    pub(super) fn read(line: &str, format: Option<Format>) -> Result<TaskLine, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| {
            format!(
                "expected one JSON object per line, found an error at column {}",
                error.column()
            )
        })?;
        let Value::Object(fields) = value else {
            return Err("expected one JSON object per line".to_owned());
        };
        let text = |name: &str| fields.get(name).filter(|value| !value.is_null());
        let message =
            |name: &'static str| move |error: FormatError| format!("`{name}`: {}", error.message());
        let board = text("board").map(|value| read_board(value, format));
        let board = board.transpose().map_err(message("board"))?;
        let puzzle = match board {
            None => None,
            Some((board, own_goal)) => {
                let goal = text("goal").map(|value| read_goal(value, &board)).transpose()?;
                Some((board, goal.or(own_goal)))
            }
        };
        let name = |name: &str| text(name).map(|value| value.as_str().unwrap_or_default());
        let metric = name("metric").map(str::parse).transpose();
        let notation = name("notation").map(str::parse).transpose();
        Ok(TaskLine {
            id: text("id").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)),
            puzzle,
            metric: metric.map_err(|error: npuzzle::NameError| error.to_string())?,
            notation: notation.map_err(|error: npuzzle::NameError| error.to_string())?,
            fields,
        })
    }

    /// Removes a field with a text. `null` is the empty text: some models return nothing.
    pub(super) fn take_text(&mut self, field: &str) -> Result<String, String> {
        match self.fields.remove(field) {
            Some(Value::String(text)) => Ok(text),
            Some(Value::Null) => Ok(String::new()),
            Some(_) => Err(format!("the field `{field}` is not a text")),
            None => Err(format!("no field `{field}` (--field names another one)")),
        }
    }
}

/// Reads a board from a text in any format, or from arrays.
fn read_board(
    value: &Value,
    format: Option<Format>,
) -> Result<(Board, Option<Board>), FormatError> {
    let entry = match value {
        Value::String(text) => format::read_one(text, format)?,
        other => format::read_one(&other.to_string(), Some(Format::Json))?,
    };
    Ok((entry.board, entry.goal))
}

/// Reads a goal: the name of one, or a board.
fn read_goal(value: &Value, board: &Board) -> Result<Board, String> {
    let goal = match value {
        Value::String(text) => text.parse::<Goal>(),
        other => format::read_one(&other.to_string(), Some(Format::Json))
            .map(|entry| Goal::Board(entry.board)),
    };
    let goal = goal.map_err(|error| format!("`goal`: {}", error.message()))?;
    goal.board(board.dims()).ok_or_else(|| "the goal and the board have different sizes".to_owned())
}
