//! Boards as values of fields.

use npuzzle::Goal;
use npuzzle::format::{self, Entry, Format};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{ApiError, ErrorKind};

/// A board or a goal: a text in any format, or numbers.
#[derive(Deserialize, Clone, Debug)]
#[serde(
    untagged,
    expecting = "expected a board: a text, an array of rows, or an array of the numbers of a square"
)]
pub(crate) enum BoardField {
    Text(String),
    Rows(Vec<Vec<Option<u64>>>),
    /// The numbers of a square, row by row. In an array, null is the blank.
    Numbers(Vec<Option<u64>>),
}

impl BoardField {
    /// Reads the board, and the goal if the text contains one.
    pub(crate) fn board(&self, field: &'static str) -> Result<Entry, ApiError> {
        match self {
            BoardField::Text(text) => {
                format::read_one(text, None).map_err(|error| ApiError::board(field, &error))
            }
            BoardField::Rows(rows) => read_array(field, rows),
            BoardField::Numbers(numbers) => read_array(field, numbers),
        }
    }

    /// Reads the name of a goal, or a board.
    pub(crate) fn goal(&self) -> Result<Goal, ApiError> {
        match self {
            BoardField::Text(text) => text.parse().map_err(|error| ApiError::board("goal", &error)),
            _ => Ok(Goal::Board(self.board("goal")?.board)),
        }
    }
}

/// Reads an array like the same array in a text. An error has no position, because the client has sent no text.
fn read_array(field: &'static str, array: &impl Serialize) -> Result<Entry, ApiError> {
    // In an object, an array of arrays is one board; without it, it may be a list of boards.
    let text = json!({ "start": array }).to_string();
    format::read_one(&text, Some(Format::Json))
        .map_err(|error| ApiError::new(ErrorKind::Board, error.message()).with_field(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<String, String> {
        let field: BoardField = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let entry = field.board("board").map_err(|error| format!("{:?}", error.record()))?;
        Ok(entry.board.slash().to_string())
    }

    #[test]
    fn board_is_a_text_or_an_array() {
        for json in ["\"1 2 3/4 0 5\"", "[[1, 2, 3], [4, 0, 5]]", "\"[[1,2,3],[4,0,5]]\""] {
            assert_eq!(read(json).as_deref(), Ok("1 2 3/4 0 5"), "{json}");
        }
        assert_eq!(read("[1, 2, 3, 0]").as_deref(), Ok("1 2/3 0"));
        assert_eq!(read("[[1, 2], [null, 3]]").as_deref(), Ok("1 2/0 3"));
        assert_eq!(read("[1, 2, 3, null]").as_deref(), Ok("1 2/3 0"));
        // A single row is not a square.
        for json in
            ["[[1, 2, 3, 0]]", "[]", "[[]]", "[[1, 2], [3]]", "[1, 2, 0]", "[[1, 2], [2, 0]]"]
        {
            assert!(
                read(json).is_err_and(|error| error.contains("Board")),
                "{json}: {:?}",
                read(json)
            );
        }
        for json in ["[[1, 2], 3]", "[-1, 0, 1, 2]", "[0.5]", "{}", "7", "[\"1 2/3 0\"]"] {
            assert!(read(json).is_err_and(|error| error.starts_with("expected a board")), "{json}");
        }
    }
}
