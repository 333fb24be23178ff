//! Boards: from texts, nested lists and arrays, and back.

use npuzzle::format::{self, Format};
use npuzzle::{Board, Dims, Goal, Instance, Slide};
use npuzzle_draw::{Style, svg};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString, PyTuple};

use crate::error::{bad_input, unread};

/// An arrangement of tiles on a rectangle; 0 is the blank. It does not change: a slide makes another.
///
/// >>> board = Board("8 1 3/4 0 2/7 6 5")
/// >>> board[0], board.slides()
/// ((8, 1, 3), ['D', 'R', 'U', 'L'])
///
/// It is made of a text in any format, rows of numbers, an array, or another board. It is a sequence
/// of rows, so that `list(board)` and `numpy.array(board)` work.
#[pyclass(name = "Board", module = "npuzzle", frozen, eq, hash, sequence)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard(pub(crate) Board);

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board, /))]
    fn new(board: &Bound<'_, PyAny>) -> PyResult<PyBoard> {
        Ok(PyBoard(read(board)?.0))
    }

    /// The goal with this name on boards of a size: 'last', 'first' or 'snail'.
    ///
    /// >>> Board.goal_of("3x3", "snail")
    /// Board('1 2 3/8 0 4/7 6 5')
    #[staticmethod]
    #[pyo3(signature = (size, goal = None))]
    fn goal_of(size: &Bound<'_, PyAny>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        let goal = goal.map(read_goal).transpose()?.unwrap_or_default();
        goal_board(&goal, read_size(size)?).map(PyBoard)
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

    /// Where the blank is: row and column, from 0.
    #[getter]
    fn blank(&self) -> (usize, usize) {
        let cell = self.0.blank().index();
        (cell / self.cols(), cell % self.cols())
    }

    /// All numbers, row by row.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.tiles().iter().map(|tile| tile.number()))
    }

    /// The legal slides, as letters for the way the tile goes.
    fn slides(&self) -> Vec<char> {
        self.0.slides().map(Slide::letter).collect()
    }

    /// The board after a slide: U, D, L or R, the way the tile goes. A ValueError if there is no tile
    /// to make it.
    fn slide(&self, way: &str) -> PyResult<PyBoard> {
        let mut letters = way.chars();
        let slide = match (letters.next().and_then(Slide::from_letter), letters.next()) {
            (Some(slide), None) => slide,
            _ => return Err(bad_input(format!("{way:?} is not a slide: U, D, L, R"))),
        };
        let mut board = self.0.clone();
        if board.slide(slide) {
            Ok(PyBoard(board))
        } else {
            let (way, board) = (slide.letter(), board.slash());
            Err(bad_input(format!("no tile can slide that way there ({way}) on {board}")))
        }
    }

    /// Whether the goal can be reached.
    #[pyo3(signature = (goal = None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        Ok(self.instance(goal)?.is_solvable())
    }

    /// Why the goal can be reached, or cannot, in words.
    #[pyo3(signature = (goal = None))]
    fn solvability(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.instance(goal)?.solvability().to_string())
    }

    /// The rows as lists.
    fn to_list(&self) -> Vec<Vec<u16>> {
        self.0.rows().map(|row| row.iter().map(|tile| tile.number()).collect()).collect()
    }

    /// A picture. With a goal, tiles that are where they belong are marked.
    #[pyo3(signature = (goal = None))]
    fn to_svg(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let style = Style::default();
        let drawn = match goal {
            Some(_) => svg::board(&self.instance(goal)?, &style),
            None => svg::board(&self.0, &style),
        };
        drawn.map_err(bad_input)
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
        let row = row.ok_or_else(|| PyIndexError::new_err("no such row"))?;
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
        let goal = goal.map(read_goal).transpose()?.unwrap_or_default();
        Instance::new(self.0.clone(), &goal).map_err(bad_input)
    }
}

/// What Python has for a goal: a name or a board.
pub(crate) fn read_goal(value: &Bound<'_, PyAny>) -> PyResult<Goal> {
    match value.cast::<PyString>() {
        Ok(text) => text.to_cow()?.parse().map_err(|error| unread(&error)),
        Err(_) => Ok(Goal::Board(read(value)?.0)),
    }
}

/// What Python has for a size: `'3x4'`, the side of a square, or a pair.
pub(crate) fn read_size(size: &Bound<'_, PyAny>) -> PyResult<Dims> {
    if let Ok(side) = size.extract::<usize>() {
        return Dims::new(side, side).map_err(bad_input);
    }
    if let Ok((rows, cols)) = size.extract::<(usize, usize)>() {
        return Dims::new(rows, cols).map_err(bad_input);
    }
    size.extract::<String>()?.parse().map_err(bad_input)
}

/// The goal as a board of this size.
pub(crate) fn goal_board(goal: &Goal, dims: Dims) -> PyResult<Board> {
    let expected = || bad_input(format!("the goal is of another size: the size is {dims}"));
    goal.board(dims).ok_or_else(expected)
}

/// What Python has for a board, and for its goal if that is a text with both.
pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<(Board, Option<Board>)> {
    if let Ok(board) = value.cast::<PyBoard>() {
        return Ok((board.get().0.clone(), None));
    }
    if let Ok(text) = value.cast::<PyString>() {
        let entry = format::read_one(&text.to_cow()?, None).map_err(|error| unread(&error))?;
        return Ok((entry.board, entry.goal));
    }
    // Arrays of numpy, torch, memoryview and others: lists are faster to read than their numbers.
    let (given, value) = match value.call_method0("tolist") {
        Ok(list) => (value.get_type(), list),
        Err(_) => (value.get_type(), value.clone()),
    };
    if let Ok(rows) = value.extract::<Vec<Vec<i64>>>() {
        return Ok((from_rows(&rows)?, None));
    }
    match value.extract::<Vec<i64>>() {
        Ok(tiles) => Ok((in_words(&format!("[{}]", joined(&tiles)))?, None)),
        Err(_) => {
            let of = match float_in(&value) {
                Some(float) => format!(" of {float}"),
                None => String::new(),
            };
            Err(bad_input(format!(
                "a board is a text, rows of whole numbers or an array of them, not {}{of}",
                given.name()?
            )))
        }
    }
}

/// The first number in rows of them that is no whole one, which may look like one.
fn float_in<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let rows: Vec<Bound<'py, PyAny>> = value.extract().ok()?;
    rows.into_iter().find_map(|item| match item.is_instance_of::<PyFloat>() {
        true => Some(item),
        false => float_in(&item),
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
    in_words(&format!("[{}]", rows.join(",")))
}

/// What is wrong with numbers is said as the command line says it of JSON; but nobody has seen the
/// text, so its lines and columns are nothing.
fn in_words(json: &str) -> PyResult<Board> {
    let read = format::read_one(json, Some(Format::Json));
    read.map(|entry| entry.board).map_err(|error| bad_input(error.message()))
}

fn joined(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}
