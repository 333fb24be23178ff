//! The class `Board`, and the conversion of Python values to boards, goals and sizes.

use std::num::NonZeroU16;

use npuzzle::format::{self, Format};
use npuzzle::{Board, Dims, Goal, Instance, Slide};
use npuzzle_draw::{Style, png, svg};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString, PyTuple};

use crate::error::{format_error, input_error};

/// A board: the arrangement of the tiles; 0 is the blank. Boards are immutable.
///
/// >>> board = Board("8 1 3/4 0 2/7 6 5")
/// >>> board[0], board.slides()
/// ((8, 1, 3), ['D', 'R', 'U', 'L'])
///
/// The argument is a text in any format, rows of numbers, an array, or another board. A board is a
/// sequence of rows, so `list(board)` and `numpy.array(board)` work.
#[pyclass(name = "Board", module = "npuzzle", frozen, eq, hash, sequence)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard(pub(crate) Board);

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board, /))]
    fn new(board: &Bound<'_, PyAny>) -> PyResult<PyBoard> {
        Ok(PyBoard(board_and_goal(board)?.0))
    }

    /// The goal board of a size: 'last' (default), 'first' or 'snail'.
    ///
    /// >>> Board.goal_of("3x3", "snail")
    /// Board('1 2 3/8 0 4/7 6 5')
    #[staticmethod]
    #[pyo3(signature = (size, goal = None))]
    fn goal_of(size: &Bound<'_, PyAny>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        let goal = goal.map(to_goal).transpose()?.unwrap_or_default();
        goal_board(&goal, to_dims(size)?).map(PyBoard)
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.dims().rows()
    }

    /// The number of columns.
    #[getter]
    fn cols(&self) -> usize {
        self.0.dims().cols()
    }

    /// The row and the column of the blank, from 0.
    #[getter]
    fn blank(&self) -> (usize, usize) {
        let cell = self.0.blank().index();
        (cell / self.cols(), cell % self.cols())
    }

    /// The numbers of all tiles, row by row.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.tiles().iter().map(|tile| tile.number()))
    }

    /// The legal slides: 'U', 'D', 'L' or 'R', the direction in which a tile moves.
    fn slides(&self) -> Vec<char> {
        self.0.slides().map(Slide::letter).collect()
    }

    /// Returns the board after a tile has moved in a direction: 'U', 'D', 'L' or 'R'. Raises
    /// ValueError if no tile can move in this direction.
    fn slide(&self, direction: &str) -> PyResult<PyBoard> {
        let mut letters = direction.chars();
        let slide = match (letters.next().and_then(Slide::from_letter), letters.next()) {
            (Some(slide), None) => slide,
            _ => {
                let message = format!("unknown direction {direction:?}: expected U, D, L or R");
                return Err(input_error(message));
            }
        };
        let mut board = self.0.clone();
        if board.slide(slide) {
            Ok(PyBoard(board))
        } else {
            let (letter, board) = (slide.letter(), board.slash());
            Err(input_error(format!("no tile can move in the direction {letter} on {board}")))
        }
    }

    /// Whether the board can reach the goal.
    #[pyo3(signature = (goal = None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        Ok(self.instance(goal)?.is_solvable())
    }

    /// Explains why the board can or cannot reach the goal.
    #[pyo3(signature = (goal = None))]
    fn solvability(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.instance(goal)?.solvability().to_string())
    }

    /// Returns the rows as lists.
    fn to_list(&self) -> Vec<Vec<u16>> {
        self.0.rows().map(|row| row.iter().map(|tile| tile.number()).collect()).collect()
    }

    /// Returns an SVG drawing. With a goal, it marks the tiles on their goal cells.
    #[pyo3(signature = (goal = None))]
    fn to_svg(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let style = Style::default();
        let drawn = match goal {
            Some(_) => svg::board(&self.instance(goal)?, &style),
            None => svg::board(&self.0, &style),
        };
        drawn.map_err(input_error)
    }

    /// Returns the drawing as height, width and bytes (red, green, blue for each pixel), with tiles of this
    /// size in pixels.
    fn _rgb<'py>(
        &self,
        py: Python<'py>,
        goal: &Bound<'py, PyAny>,
        tile: NonZeroU16,
    ) -> PyResult<(u32, u32, Bound<'py, PyBytes>)> {
        let style = Style { tile: Some(tile), ..Style::default() };
        let instance = self.instance(Some(goal))?;
        let drawn = png::pixels(&instance, &style).map_err(input_error)?;
        Ok((drawn.height, drawn.width, PyBytes::new(py, &drawn.rgb)))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.to_svg(None)
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyTuple>> {
        let n_rows = self.rows() as isize;
        let index = if index < 0 { index + n_rows } else { index };
        let row = usize::try_from(index).ok().and_then(|index| self.0.rows().nth(index));
        let row = row.ok_or_else(|| PyIndexError::new_err("row index out of range"))?;
        PyTuple::new(py, row.iter().map(|tile| tile.number()))
    }

    fn __str__(&self) -> String {
        self.0.slash().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.0.slash())
    }

    /// For pickle and copy.
    fn __getnewargs__(&self) -> (String,) {
        (self.__str__(),)
    }
}

impl PyBoard {
    fn instance(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Instance> {
        let goal = goal.map(to_goal).transpose()?.unwrap_or_default();
        Instance::new(self.0.clone(), &goal).map_err(input_error)
    }
}

/// Converts a Python value to a goal: a name or a board.
pub(crate) fn to_goal(value: &Bound<'_, PyAny>) -> PyResult<Goal> {
    match value.cast::<PyString>() {
        Ok(text) => text.to_cow()?.parse().map_err(|error| format_error(&error)),
        Err(_) => Ok(Goal::Board(board_and_goal(value)?.0)),
    }
}

/// Converts a Python value to a size: `'3x4'`, the side of a square, or a pair.
pub(crate) fn to_dims(size: &Bound<'_, PyAny>) -> PyResult<Dims> {
    if let Ok(side) = size.extract::<usize>() {
        return Dims::new(side, side).map_err(input_error);
    }
    if let Ok((rows, cols)) = size.extract::<(usize, usize)>() {
        return Dims::new(rows, cols).map_err(input_error);
    }
    size.extract::<String>()?.parse().map_err(input_error)
}

/// Returns the goal board of this size.
pub(crate) fn goal_board(goal: &Goal, dims: Dims) -> PyResult<Board> {
    let expected = || input_error(format!("the goal does not have the size {dims}"));
    goal.board(dims).ok_or_else(expected)
}

/// Converts a Python value to a board, and to its goal if the value is a text that contains one.
pub(crate) fn board_and_goal(value: &Bound<'_, PyAny>) -> PyResult<(Board, Option<Board>)> {
    if let Ok(board) = value.cast::<PyBoard>() {
        return Ok((board.get().0.clone(), None));
    }
    if let Ok(text) = value.cast::<PyString>() {
        let entry =
            format::read_one(&text.to_cow()?, None).map_err(|error| format_error(&error))?;
        return Ok((entry.board, entry.goal));
    }
    // Arrays of numpy and torch, memoryviews and others: extracting from a list is faster.
    let (value_type, value) = match value.call_method0("tolist") {
        Ok(list) => (value.get_type(), list),
        Err(_) => (value.get_type(), value.clone()),
    };
    // None is the blank.
    let number = |tile: Option<i64>| tile.unwrap_or(0);
    if let Ok(rows) = value.extract::<Vec<Vec<Option<i64>>>>() {
        let rows: Vec<Vec<i64>> =
            rows.into_iter().map(|row| row.into_iter().map(number).collect()).collect();
        return Ok((from_rows(&rows)?, None));
    }
    match value.extract::<Vec<Option<i64>>>() {
        Ok(tiles) => {
            let tiles: Vec<i64> = tiles.into_iter().map(number).collect();
            Ok((from_json(&format!("[{}]", joined(&tiles)))?, None))
        }
        Err(_) => {
            let float = first_float(&value).map(|float| format!(" with {float}"));
            Err(input_error(format!(
                "expected a board as text, as rows of integers or as an array of integers, not {}{}",
                value_type.name()?,
                float.unwrap_or_default()
            )))
        }
    }
}

/// Returns the first floating-point number in nested lists.
fn first_float<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let rows: Vec<Bound<'py, PyAny>> = value.extract().ok()?;
    rows.into_iter().find_map(|item| match item.is_instance_of::<PyFloat>() {
        true => Some(item),
        false => first_float(&item),
    })
}

fn from_rows(rows: &[Vec<i64>]) -> PyResult<Board> {
    let cols = rows.first().map_or(0, Vec::len);
    let tiles: Option<Vec<u16>> = rows.iter().flatten().map(|&n| n.try_into().ok()).collect();
    let is_rectangle = rows.iter().all(|row| row.len() == cols);
    if let (true, Ok(dims), Some(tiles)) = (is_rectangle, Dims::new(rows.len(), cols), tiles)
        && let Ok(board) = Board::new(dims, &tiles)
    {
        return Ok(board);
    }
    let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", joined(row))).collect();
    from_json(&format!("[{}]", rows.join(",")))
}

/// Parses numbers as JSON, so that errors have the messages of the command line. The position in the
/// JSON text is omitted, because the caller has not seen this text.
fn from_json(json: &str) -> PyResult<Board> {
    let read = format::read_one(json, Some(Format::Json));
    read.map(|entry| entry.board).map_err(|error| input_error(error.message()))
}

fn joined(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}
