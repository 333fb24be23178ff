//! The function `generate`: random boards with given properties.

use std::hash::{BuildHasher, RandomState};

use npuzzle::teaching::{GenerateSpec, Generator};
use npuzzle::{Board, Dims, Random};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Arguments, SolveArguments};
use crate::board::{PyBoard, goal_board, to_dims};
use crate::error::{generate_error, input_error};
use crate::watch::run_interruptible;

/// Generates a board or, with `count`, a list of boards.
///
/// >>> generate("3x3", moves=31, seed=1)
/// Board('6 4 7/8 5 0/3 2 1')
///
/// Random boards are uniformly distributed. A seed always generates the same boards, which are those of
/// `npuzzle generate` with this seed.
///
/// size: '3x4' (rows x columns), a number for a square, or a pair.
/// moves: the length of the shortest solutions: a number or a pair (minimum, maximum).
/// unique: require exactly one shortest solution.
/// unsolvable: generate boards that cannot reach the goal.
/// expanded: the number of states that the algorithm and heuristic expand: a number or a pair.
/// name: the recipient of the boards; the same name and seed always give the same boards.
/// time: the time limit for each board, in seconds.
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
    let solve_arguments = SolveArguments::new(&arguments)?;
    let dims = match size {
        Some(size) => to_dims(size)?,
        None => Dims::new(4, 4).map_err(input_error)?,
    };
    let goal = goal_board(&arguments.goal()?.unwrap_or_default(), dims)?;
    let spec = GenerateSpec {
        is_solvable: !arguments.flag("unsolvable")?,
        moves: arguments.range("moves")?,
        is_unique: arguments.flag("unique")?,
        expanded: arguments.range("expanded")?,
        options: solve_arguments.options,
        ..GenerateSpec::any(goal)
    };
    let count: Option<usize> = arguments.integer("count")?;
    let mut random = random(&arguments)?;
    let generated = run_interruptible(py, &solve_arguments.store, |tables, watch| {
        let mut generator = Generator::new(spec)?.with_tables(tables.clone());
        let mut make = || Ok(generator.generate(&mut random, watch)?.instance.start().clone());
        (0..count.unwrap_or(1)).map(|_| make()).collect::<Result<Vec<Board>, _>>()
    })?;
    let mut boards = generated.map_err(generate_error)?.into_iter().map(PyBoard);
    match count {
        Some(_) => boards.collect::<Vec<_>>().into_bound_py_any(py),
        None => boards.next().into_bound_py_any(py),
    }
}

/// Returns the generator of a name or a seed; without both, of a random seed.
fn random(arguments: &Arguments<'_, '_>) -> PyResult<Random> {
    let seed: Option<u64> = arguments.integer("seed")?;
    let name: Option<String> = arguments.get("name")?.map(|name| name.extract()).transpose()?;
    Ok(match (name, seed) {
        (Some(name), seed) => Random::named(seed.unwrap_or(0), &name),
        (None, Some(seed)) => Random::new(seed),
        (None, None) => Random::new(RandomState::new().hash_one(0)),
    })
}
