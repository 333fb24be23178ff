//! Boards as somebody wishes them.

use std::hash::{BuildHasher, RandomState};

use npuzzle::teaching::{GenerateSpec, Generator};
use npuzzle::{Board, Dims, Random};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Arguments, Asked};
use crate::board::{PyBoard, goal_board, read_size};
use crate::error::{bad_input, of_wish};
use crate::watch::watched;

/// Makes a board; with a count, a list of so many.
///
/// >>> generate("3x3", moves=31, seed=1)
/// Board('6 4 7/8 5 0/3 2 1')
///
/// Random boards are each equally likely. A seed means the same boards for ever, those of
/// `npuzzle generate` with this seed.
///
/// size: '3x4' (rows x columns), a number for a square, or a pair.
/// moves: the length of shortest solutions: a number, or a pair of the least and the most.
/// unique: whether there is to be one shortest solution alone.
/// unsolvable: boards that cannot reach the goal.
/// expanded: how many states the algorithm and heuristic are to expand; a number or a pair.
/// name: boards for somebody, always the same for the same name and seed.
/// time: seconds for each board.
#[pyfunction]
#[pyo3(
    signature = (size = None, /, **options),
    text_signature = "(size='4x4', /, *, count=None, seed=None, name=None, goal=None, moves=None, \
                      metric='stm', unique=False, unsolvable=False, expanded=None, \
                      algorithm='auto', heuristic='auto', time=None, cache=None)"
)]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    size: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = [
        "count",
        "seed",
        "name",
        "goal",
        "moves",
        "metric",
        "unique",
        "unsolvable",
        "expanded",
        "algorithm",
        "heuristic",
        "time",
        "cache",
    ];
    let arguments = Arguments::new("generate", options, &names)?;
    let asked = Asked::new(&arguments)?;
    let dims = match size {
        Some(size) => read_size(size)?,
        None => Dims::new(4, 4).map_err(bad_input)?,
    };
    let goal = goal_board(&arguments.goal()?.unwrap_or_default(), dims)?;
    let wish = GenerateSpec {
        is_solvable: !arguments.flag("unsolvable")?,
        moves: arguments.range("moves")?,
        is_unique: arguments.flag("unique")?,
        expanded: arguments.range("expanded")?,
        options: asked.options,
        ..GenerateSpec::any(goal)
    };
    let count: Option<usize> = arguments.whole("count")?;
    let mut random = random(&arguments)?;
    let made = watched(py, &asked.store, |tables, watch| {
        let mut generator = Generator::new(wish)?.with_tables(tables.clone());
        let mut make = || Ok(generator.generate(&mut random, watch)?.instance.start().clone());
        (0..count.unwrap_or(1)).map(|_| make()).collect::<Result<Vec<Board>, _>>()
    })?;
    let mut boards = made.map_err(|error| of_wish(py, error))?.into_iter().map(PyBoard);
    match count {
        Some(_) => boards.collect::<Vec<_>>().into_bound_py_any(py),
        None => boards.next().into_bound_py_any(py),
    }
}

/// Boards for somebody have a seed that does not change; others are new unless theirs is given.
fn random(arguments: &Arguments<'_, '_>) -> PyResult<Random> {
    let seed: Option<u64> = arguments.whole("seed")?;
    let name: Option<String> = arguments.get("name")?.map(|name| name.extract()).transpose()?;
    Ok(match (name, seed) {
        (Some(name), seed) => Random::named(seed.unwrap_or(0), &name),
        (None, Some(seed)) => Random::new(seed),
        (None, None) => Random::new(RandomState::new().hash_one(0)),
    })
}
