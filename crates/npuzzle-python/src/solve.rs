//! Boards in, reports out: one, many, or no more than a number.

use npuzzle::format;
use npuzzle::teaching::NamedHeuristic;
use npuzzle::{Answer, Instance, Report, SolveError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arguments::{Arguments, Asked};
use crate::error::{bad_input, limit_reached, of_estimate, of_solve, unread};
use crate::report::PyReport;
use crate::watch::watched;

/// Solves a board.
///
/// >>> solve("8 1 3/4 0 2/7 6 5").solution
/// 'L U R2 D2 L U R U L D L U'
///
/// The board is a text in any format, rows of numbers, an array or a Board. Up to 16 cells the
/// solution is proved shortest, within a minute and 2 GiB; larger boards get a short solution within
/// about two seconds and a lower bound. A limit that is reached is told by the report, or with
/// strict=True by an exception. Ctrl-C stops it.
///
/// goal: 'last' (1 2 … 0), 'first' (0 1 2 …), 'snail', or a board.
/// metric: what shortest means: 'stm' counts slides, 'mtm' straight runs of slides.
/// algorithm: auto, table, ida, astar, wastar, greedy, bfs, uniform, bidirectional, construct, beam.
/// heuristic: auto, zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern, max(a,b).
/// weight: of the estimate, for wastar.
/// time, nodes, memory: limits in seconds, states and bytes; math.inf lifts them.
/// threads: how many a long search may use; all cores unless given.
/// effort: fast, normal or best, for boards of more than 16 cells.
/// optimal: whether larger boards are to be proved shortest too, or nothing.
/// all: True counts all shortest solutions and lists up to 100 of them, a number so many.
/// tables: which pattern databases to use: auto, small or large.
/// cache: where large tables are kept: True for the user's folder, or a path; nowhere unless given.
/// strict: raise LimitReached if a limit is reached.
#[pyfunction]
#[pyo3(
    signature = (board, /, **options),
    text_signature = "(board, /, *, goal=None, metric='stm', algorithm='auto', heuristic='auto', \
                      weight=None, time=None, nodes=None, memory=None, threads=None, effort=None, \
                      optimal=False, all=None, tables='auto', cache=None, strict=False)"
)]
pub(crate) fn solve(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyReport> {
    let asked = Asked::new(&Arguments::new("solve", options, &Asked::NAMES)?)?;
    let instance = asked.instance(board)?;
    let options = &asked.options;
    let report =
        watched(py, &asked.store, |tables, watch| options.solve_with(&instance, tables, watch))?;
    judged(py, report, &asked)
}

/// The report, or the exception that was asked for.
fn judged(py: Python<'_>, report: Result<Report, SolveError>, asked: &Asked) -> PyResult<PyReport> {
    let report = PyReport::new(report.map_err(of_solve)?, &asked.options);
    let stopped = report.stopped_by().filter(|_| asked.is_strict);
    match stopped {
        Some(limit) => Err(limit_reached(py, report.__str__(), limit, Some(report))),
        None => Ok(report),
    }
}

/// Solves many boards, several at a time, without the interpreter's lock.
///
/// >>> [report.moves for report in solve_many(["1 2 3/4 0 5/7 8 6", "1 2 3/4 5 0/7 8 6"])]
/// [2, 1]
///
/// The boards are an iterable of what `solve` takes, or one text with many boards. Reports come in the
/// order of the boards. Arguments are those of `solve`; limits are those of each board, and threads
/// says how many boards are solved at once. With errors='return' a board that cannot be read or
/// solved has its exception in its place, and the others are solved all the same.
#[pyfunction]
#[pyo3(
    signature = (boards, /, **options),
    text_signature = "(boards, /, *, errors='raise', goal=None, metric='stm', algorithm='auto', \
                      heuristic='auto', weight=None, time=None, nodes=None, memory=None, \
                      threads=None, effort=None, optimal=False, all=None, tables='auto', \
                      cache=None, strict=False)"
)]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut names = vec!["errors"];
    names.extend(Asked::NAMES);
    let arguments = Arguments::new("solve_many", options, &names)?;
    let returns_errors = returns_errors(&arguments)?;
    let asked = Asked::new(&arguments)?;
    let read = read_many(boards, &asked)?;
    if !returns_errors && let Some(error) = read.iter().find_map(|read| read.as_ref().err()) {
        return Err(error.clone_ref(py));
    }
    let instances: Vec<Instance> = read.iter().flatten().cloned().collect();
    let options = &asked.options;
    let solved = watched(py, &asked.store, |tables, watch| {
        let mut solved = Vec::with_capacity(instances.len());
        // The watch stops it for a signal alone, which has an exception of its own.
        let _ = options.solve_many(&instances, tables, watch, &mut |_, report| solved.push(report));
        solved
    })?;
    let mut solved = solved.into_iter();
    let answers = PyList::empty(py);
    for board in read {
        let report = match (board, returns_errors) {
            (Err(error), _) => Err(error),
            (Ok(_), _) => match solved.next() {
                Some(report) => judged(py, report, &asked),
                None => continue,
            },
        };
        match report {
            Ok(report) => answers.append(report)?,
            Err(error) if returns_errors => answers.append(error.into_value(py))?,
            Err(error) => return Err(error),
        }
    }
    Ok(answers)
}

fn returns_errors(arguments: &Arguments<'_, '_>) -> PyResult<bool> {
    match arguments.get("errors")?.map(|value| value.extract::<String>()).transpose()?.as_deref() {
        None | Some("raise") => Ok(false),
        Some("return") => Ok(true),
        Some(other) => Err(bad_input(format!("errors: {other:?} is neither 'raise' nor 'return'"))),
    }
}

/// Every board, or why it is none.
fn read_many(boards: &Bound<'_, PyAny>, asked: &Asked) -> PyResult<Vec<PyResult<Instance>>> {
    if let Ok(text) = boards.cast::<PyString>() {
        let entries = format::read(&text.to_cow()?, None).into_iter();
        return Ok(entries
            .map(|entry| match entry {
                Ok(entry) => asked.with_goal(entry.board, entry.goal),
                Err(error) => Err(unread(&error)),
            })
            .collect());
    }
    boards.try_iter()?.map(|board| Ok(asked.instance(&board?))).collect()
}

/// How many moves a shortest solution has, proved; None if there is none.
///
/// >>> distance("8 6 7/2 5 4/3 0 1")
/// 31
///
/// Up to 12 cells it is looked up in a table; up to 16 cells it is found within a minute nearly
/// always. If a limit comes first, LimitReached is raised.
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
    let mut asked = Asked::new(&Arguments::new("distance", options, &names)?)?;
    (asked.is_strict, asked.options.optimal) = (true, true);
    let instance = asked.instance(board)?;
    let options = &asked.options;
    let report =
        watched(py, &asked.store, |tables, watch| options.solve_with(&instance, tables, watch))?;
    let report = judged(py, report, &asked)?.report;
    Ok(match report.answer {
        Answer::Unsolvable => None,
        Answer::Solved(_) | Answer::Stopped(_) => report.lower_bound,
    })
}

/// What a heuristic says of a board: how many slides are left at least.
///
/// >>> heuristic("8 1 3/4 0 2/7 6 5"), heuristic("8 1 3/4 0 2/7 6 5", "misplaced")
/// (10, 5)
///
/// The names are those of `solve`, and of heuristics that are wrong on purpose, such as
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
    let asked = Asked::new(&Arguments::new("heuristic", options, &["goal"])?)?;
    let suspect: NamedHeuristic = name.parse().map_err(bad_input)?;
    let instance = asked.instance(board)?;
    let estimate =
        watched(py, &asked.store, |tables, watch| suspect.estimate(&instance, tables, watch))?;
    estimate.map_err(|error| of_estimate(py, error))
}
