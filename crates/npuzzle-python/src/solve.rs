//! The functions `solve`, `solve_many`, `distance` and `heuristic`.

use npuzzle::format;
use npuzzle::teaching::NamedHeuristic;
use npuzzle::{Answer, Instance, Report, SolveError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arguments::{Arguments, SolveArguments};
use crate::error::{format_error, heuristic_error, input_error, limit_reached, solve_error};
use crate::report::PyReport;
use crate::watch::run_interruptible;

/// Solves a board.
///
/// >>> solve("8 1 3/4 0 2/7 6 5").solution
/// 'L U R2 D2 L U R U L D L U'
///
/// The board is a text in any format, rows of numbers, an array or a Board. Solutions of boards of up
/// to 16 cells are proved optimal, within a minute and 2 GiB by default. Larger boards get a short
/// solution and a lower bound within about two seconds. If a limit is reached, the report says so, or
/// with strict=True an exception is raised. Ctrl-C stops the search.
///
/// goal: 'last' (1 2 … 0), 'first' (0 1 2 …), 'snail', or a board.
/// metric: the length of a solution: 'stm' counts slides, 'mtm' counts straight runs of slides.
/// algorithm: auto, table, ida, astar, wastar, greedy, bfs, uniform, bidirectional, construct, beam.
/// heuristic: auto, zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern, max(a,b).
/// weight: the weight of the heuristic, for wastar.
/// order: the order in which the blank moves in a textbook search, such as 'ulrd'; 'uldr' by default.
/// time, nodes, memory: limits in seconds, expanded states and bytes; math.inf means no limit.
/// threads: the number of threads of a long search; all cores by default.
/// effort: fast, normal or best, for boards of more than 16 cells.
/// optimal: require an optimal solution of larger boards, too.
/// all: True counts all shortest solutions and lists up to 100; a number lists up to that many.
/// tables: the size of the pattern databases: auto, small or large.
/// cache: the folder for large tables: True for the user's cache folder, or a path; none by default.
/// strict: raise LimitReached if a limit is reached.
/// notation: the notation of `solution`: tile, blank, numbers or boards.
#[pyfunction]
#[pyo3(
    signature = (board, /, **options),
    text_signature = "(board, /, *, goal=None, metric='stm', algorithm='auto', heuristic='auto', \
                      weight=None, order=None, time=None, nodes=None, memory=None, threads=None, \
                      effort=None, optimal=False, all=None, tables='auto', cache=None, \
                      strict=False, notation='tile')"
)]
pub(crate) fn solve(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyReport> {
    let names = &SolveArguments::NAMES;
    let arguments = SolveArguments::new(&Arguments::new("solve", options, names)?)?;
    solve_one(py, board, &arguments)
}

fn solve_one(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    arguments: &SolveArguments,
) -> PyResult<PyReport> {
    let instance = arguments.instance(board)?;
    let options = &arguments.options;
    let report = run_interruptible(py, &arguments.store, |tables, watch| {
        options.solve_with(&instance, tables, watch)
    })?;
    report_or_error(py, report, arguments)
}

/// Returns the report, or `LimitReached` if `strict` was given.
fn report_or_error(
    py: Python<'_>,
    report: Result<Report, SolveError>,
    arguments: &SolveArguments,
) -> PyResult<PyReport> {
    let report =
        PyReport::new(report.map_err(solve_error)?, &arguments.options, arguments.notation);
    match report.stopped_by().filter(|_| arguments.is_strict) {
        Some(limit) => {
            let message = report.__str__();
            Err(limit_reached(message, limit, Some(Py::new(py, report)?.into_any())))
        }
        None => Ok(report),
    }
}

/// Solves many boards in parallel. The GIL is released.
///
/// >>> [report.moves for report in solve_many(["1 2 3/4 0 5/7 8 6", "1 2 3/4 5 0/7 8 6"])]
/// [2, 1]
///
/// The boards are an iterable of boards as for `solve`, or one text with many boards. The reports have
/// the order of the boards. The arguments are those of `solve`; limits apply to each board, and threads
/// is the number of boards that are solved at once. With errors='return' the list contains the
/// exception of a board that cannot be read or solved, and the other boards are solved. An exception has
/// the attribute `index`: the number of the board, from 0.
#[pyfunction]
#[pyo3(
    signature = (boards, /, **options),
    text_signature = "(boards, /, *, errors='raise', goal=None, metric='stm', algorithm='auto', \
                      heuristic='auto', weight=None, order=None, time=None, nodes=None, \
                      memory=None, threads=None, effort=None, optimal=False, all=None, tables='auto', \
                      cache=None, strict=False, notation='tile')"
)]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut names = vec!["errors"];
    names.extend(SolveArguments::NAMES);
    let arguments = Arguments::new("solve_many", options, &names)?;
    let returns_errors = returns_errors(&arguments)?;
    let arguments = SolveArguments::new(&arguments)?;
    let parsed = parse_many(boards, &arguments)?;
    let first_error =
        || parsed.iter().enumerate().find_map(|(n, board)| Some((n, board.as_ref().err()?)));
    if !returns_errors && let Some((index, error)) = first_error() {
        return Err(of_board(py, index, error.clone_ref(py), true));
    }
    let instances: Vec<Instance> = parsed.iter().flatten().cloned().collect();
    let options = &arguments.options;
    let solved = run_interruptible(py, &arguments.store, |tables, watch| {
        let mut solved = Vec::with_capacity(instances.len());
        // Only a signal stops the batch, and `run_interruptible` raises its exception.
        let _ = options.solve_many(&instances, tables, watch, &mut |_, report| solved.push(report));
        solved
    })?;
    let mut solved = solved.into_iter();
    let reports = PyList::empty(py);
    for (index, board) in parsed.into_iter().enumerate() {
        let report = match board {
            Err(error) => Err(error),
            Ok(_) => match solved.next() {
                Some(report) => report_or_error(py, report, &arguments),
                None => continue,
            },
        };
        match report {
            Ok(report) => reports.append(report)?,
            Err(error) if returns_errors => {
                reports.append(of_board(py, index, error, false).into_value(py))?;
            }
            Err(error) => return Err(of_board(py, index, error, true)),
        }
    }
    Ok(reports)
}

/// Adds the index of the board to an exception and, if `names` is set, to its message.
fn of_board(py: Python<'_>, index: usize, error: PyErr, names: bool) -> PyErr {
    let value = error.value(py);
    // An exception that takes no attributes is raised as it is.
    let _ = value.setattr("index", index);
    if names && let Ok(text) = value.str() {
        let _ = value.setattr("args", (format!("boards[{index}]: {text}"),));
    }
    error
}

fn returns_errors(arguments: &Arguments<'_, '_>) -> PyResult<bool> {
    match arguments.get("errors")?.map(|value| value.extract::<String>()).transpose()?.as_deref() {
        None | Some("raise") => Ok(false),
        Some("return") => Ok(true),
        Some(other) => {
            Err(input_error(format!("errors: unknown value {other:?}: expected raise or return")))
        }
    }
}

/// Parses every board, or returns its error.
fn parse_many(
    boards: &Bound<'_, PyAny>,
    arguments: &SolveArguments,
) -> PyResult<Vec<PyResult<Instance>>> {
    if let Ok(text) = boards.cast::<PyString>() {
        let entries = format::read(&text.to_cow()?, None).into_iter();
        return Ok(entries
            .map(|entry| match entry {
                Ok(entry) => arguments.with_goal(entry.board, entry.goal),
                Err(error) => Err(format_error(&error)),
            })
            .collect());
    }
    boards.try_iter()?.map(|board| Ok(arguments.instance(&board?))).collect()
}

/// Returns the proved length of the shortest solutions, or None if the board is unsolvable.
///
/// >>> distance("8 6 7/2 5 4/3 0 1")
/// 31
///
/// Boards of up to 12 cells are looked up in a table; boards of up to 16 cells nearly always take less
/// than a minute. Raises LimitReached if a limit is reached.
#[pyfunction]
#[pyo3(
    signature = (board, /, **options),
    text_signature = "(board, /, *, goal=None, metric='stm', time=None, nodes=None, memory=None, \
                      threads=None, cache=None)"
)]
pub(crate) fn distance(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<u32>> {
    let names = ["goal", "metric", "time", "nodes", "memory", "threads", "cache"];
    let mut arguments = SolveArguments::new(&Arguments::new("distance", options, &names)?)?;
    (arguments.is_strict, arguments.options.optimal) = (true, true);
    let report = solve_one(py, board, &arguments)?.report;
    Ok(match report.answer {
        Answer::Unsolvable => None,
        Answer::Solved(_) | Answer::Stopped(_) => report.lower_bound,
    })
}

/// Returns the value of a heuristic: an estimate of the number of slides to the goal.
///
/// >>> heuristic("8 1 3/4 0 2/7 6 5"), heuristic("8 1 3/4 0 2/7 6 5", "misplaced")
/// (10, 5)
///
/// The names are those of `solve`, and those of the deliberately buggy heuristics, such as
/// 'misplaced-with-blank'.
#[pyfunction]
#[pyo3(
    signature = (board, name = "manhattan", /, **options),
    text_signature = "(board, name='manhattan', /, *, goal=None)"
)]
pub(crate) fn heuristic(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    name: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<u32> {
    let arguments = SolveArguments::new(&Arguments::new("heuristic", options, &["goal"])?)?;
    let heuristic: NamedHeuristic = name.parse().map_err(input_error)?;
    let instance = arguments.instance(board)?;
    let estimate = run_interruptible(py, &arguments.store, |tables, watch| {
        heuristic.estimate(&instance, tables, watch)
    })?;
    estimate.map_err(heuristic_error)
}
