//! The function `dataset`: tasks for models that reason.

use std::hash::{BuildHasher, RandomState};

use npuzzle::Dims;
use npuzzle::record::TaskRecord;
use npuzzle::teaching::{Dataset, DatasetError, DatasetSpec, PromptTemplate, SplitSpec};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::Arguments;
use crate::board::{goal_board, to_dims};
use crate::error::{dataset_error, input_error};
use crate::json::to_python;
use crate::watch::run_interruptible;

/// Makes tasks for models that reason, as a list of dictionaries.
///
/// >>> tasks = dataset("3x3", splits={"test": 31, "train": 62}, seed=7)
/// >>> len(tasks), tasks[0]["split"], tasks[0]["distance"], len(tasks[0]["first_moves"])
/// (93, 'test', 1, 1)
///
/// A dictionary is a line of `npuzzle dataset`: id, split, rows, cols, board, goal, metric, distance,
/// notation, first_moves, solution, prompt, seed. The boards of a split are divided evenly among the
/// distances, and no board is in two splits. A seed always makes the same tasks.
///
/// size: '3x4' (rows x columns), a number for a square, or a pair.
/// splits: the numbers of boards by name; {'hard': '100@20..31'} has distances of its own.
/// distances: a number or a pair (minimum, maximum); all up to 12 cells by default, else 1 to 30.
/// notation: the notation that the prompt asks for: 'tile', 'blank', 'numbers' or 'boards'.
/// template: 'grid', 'line', 'json', or a text with placeholders such as {grid} and {notation}.
/// mirrors: False leaves out mirror images of boards.
/// time: the time limit for each board, in seconds.
#[pyfunction]
#[pyo3(
    signature = (size = None, /, **options),
    text_signature = "(size='3x3', /, *, splits=None, distances=None, goal=None, metric='stm', \
                      notation='tile', template='grid', mirrors=True, seed=None, time=None, cache=None)"
)]
pub(crate) fn dataset<'py>(
    py: Python<'py>,
    size: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = [
        "splits",
        "distances",
        "goal",
        "metric",
        "notation",
        "template",
        "mirrors",
        "seed",
        "time",
        "cache",
    ];
    let arguments = Arguments::new("dataset", options, &names)?;
    let dims = size.map_or_else(|| Dims::new(3, 3).map_err(input_error), to_dims)?;
    let goal = goal_board(&arguments.goal()?.unwrap_or_default(), dims)?;
    let spec = DatasetSpec {
        metric: arguments.parsed("metric")?.unwrap_or_default(),
        distances: arguments.range("distances")?,
        splits: splits(&arguments)?,
        seed: arguments.integer("seed")?.unwrap_or_else(|| RandomState::new().hash_one(0)),
        notation: arguments.parsed("notation")?.unwrap_or_default(),
        template: template(&arguments)?,
        is_up_to_symmetry: arguments.get("mirrors")?.is_some() && !arguments.flag("mirrors")?,
        limits: npuzzle::Limits { time: arguments.time()?, ..npuzzle::Limits::default() },
        ..DatasetSpec::new(goal)
    };
    let made = run_interruptible(py, &arguments.store()?, |tables, watch| {
        let mut dataset = Dataset::new(spec)?.with_tables(tables.clone());
        let mut records = Vec::new();
        while let Some(task) = dataset.next_task(watch)? {
            records.push(TaskRecord::new(&task));
        }
        Ok::<_, DatasetError>(records)
    })?;
    to_python(py, &made.map_err(dataset_error)?)
}

/// Returns the splits of a dictionary; its values are numbers, or texts such as `'100@20..31'`.
fn splits(arguments: &Arguments<'_, '_>) -> PyResult<Vec<SplitSpec>> {
    let texts = match arguments.get("splits")? {
        None => vec!["test=100".to_owned(), "train=900".to_owned()],
        Some(given) => {
            let expected = || input_error("splits: expected a dictionary, such as {'test': 100}");
            let given = given.cast::<PyDict>().map_err(|_| expected())?;
            let split = |(name, count): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                Ok(format!("{}={}", name.str()?, count.str()?))
            };
            given.iter().map(split).collect::<PyResult<_>>()?
        }
    };
    let parse = |text: &String| {
        text.parse().map_err(|error: String| input_error(format!("splits: {error}")))
    };
    texts.iter().map(parse).collect()
}

/// Returns the built-in template with a name, or the template with a text.
fn template(arguments: &Arguments<'_, '_>) -> PyResult<PromptTemplate> {
    let Some(value) = arguments.get("template")? else { return Ok(PromptTemplate::default()) };
    let text = value.cast::<PyString>()?.to_cow()?.into_owned();
    match PromptTemplate::named(&text) {
        Some(template) => Ok(template),
        None if !text.contains('{') => {
            let names = PromptTemplate::BUILT_IN.join(", ");
            Err(input_error(format!(
                "template: expected one of {names}, or a text with placeholders such as {{board}}"
            )))
        }
        None => {
            PromptTemplate::new(&text).map_err(|error| input_error(format!("template: {error}")))
        }
    }
}
