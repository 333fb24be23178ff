//! The fields that several requests share.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use npuzzle::teaching::read_moves;
use npuzzle::{Board, Goal, Instance, Limits, Metric, Moves, Notation, Options};

use crate::board_field::BoardField;
use crate::error::{ApiError, TextSpan};
use crate::limits::RequestLimits;

/// The maximum number of slides of a move sequence.
pub(crate) const MAX_SLIDES: usize = 100_000;

/// Parses a board and its goal; also returns the line of the text on which the board begins.
pub(crate) fn instance(
    board: &BoardField,
    goal: Option<&BoardField>,
    limits: &RequestLimits,
) -> Result<(Instance, usize), ApiError> {
    let entry = board.board("board")?;
    check_size("board", &entry.board, limits.max_cells)?;
    let instance = with_goal(entry.board, entry.goal, goal)?;
    Ok((instance, entry.line))
}

/// Combines a board with the requested goal, else with the goal in its text, else with the default.
pub(crate) fn with_goal(
    board: Board,
    own: Option<Board>,
    requested: Option<&BoardField>,
) -> Result<Instance, ApiError> {
    let goal = match requested {
        Some(field) => field.goal()?,
        None => own.map(Goal::Board).unwrap_or_default(),
    };
    Instance::new(board, &goal).map_err(|error| ApiError::value("goal", error))
}

/// Refuses a board of more than `max_cells` cells.
pub(crate) fn check_size(
    field: &'static str,
    board: &Board,
    max_cells: usize,
) -> Result<(), ApiError> {
    let n_cells = board.dims().cells();
    if n_cells > max_cells {
        let message = format!("the board has {n_cells} cells: the maximum is {max_cells}");
        return Err(ApiError::refused(message).with_field(field));
    }
    Ok(())
}

/// Refuses more than `max_slides` slides.
pub(crate) fn check_slides(
    field: &'static str,
    n_slides: usize,
    max_slides: usize,
) -> Result<(), ApiError> {
    if n_slides > max_slides {
        let message = format!("too many slides: the maximum is {max_slides}");
        return Err(ApiError::refused(message).with_field(field));
    }
    Ok(())
}

/// Parses an optional field; a missing one has the default value.
pub(crate) fn parse_or_default<T>(field: &'static str, name: Option<&str>) -> Result<T, ApiError>
where
    T: FromStr<Err: Display> + Default,
{
    Ok(parse_optional(field, name)?.unwrap_or_default())
}

/// Parses an optional field.
pub(crate) fn parse_optional<T>(
    field: &'static str,
    name: Option<&str>,
) -> Result<Option<T>, ApiError>
where
    T: FromStr<Err: Display>,
{
    name.map(str::parse).transpose().map_err(|error| ApiError::value(field, error))
}

/// Returns the choice of this name.
pub(crate) fn parse_choice<T: Copy>(
    field: &'static str,
    name: &str,
    choices: &[(&str, T)],
) -> Result<T, ApiError> {
    let choice = choices.iter().find(|(known, _)| *known == name);
    choice.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
        let names = names.join(", ");
        ApiError::value(field, format!("unknown {field} {name:?}: expected one of {names}"))
    })
}

/// Parses moves that are legal from `start`.
pub(crate) fn moves(text: &str, notation: Notation, start: &Board) -> Result<Moves, ApiError> {
    if notation == Notation::Boards {
        return Err(ApiError::value("notation", "expected tile, blank or numbers"));
    }
    let moves = read_moves(text, notation, start).map_err(|error| {
        let (line, column) = error.line_and_column(text);
        ApiError::moves("moves", &error).with_span(TextSpan::new(line, column, 1))
    })?;
    check_slides("moves", moves.stm(), MAX_SLIDES)?;
    Ok(moves)
}

/// Returns the requested time limit, or else the default, but at most the allowed one.
pub(crate) fn time(
    requested_ms: Option<u64>,
    default: Duration,
    limits: &RequestLimits,
) -> Duration {
    requested_ms.map_or(default, Duration::from_millis).min(limits.max_time)
}

/// Returns the limits of a search; the memory is at most the allowed one.
pub(crate) fn search_limits(
    time: Duration,
    nodes: Option<u64>,
    memory: Option<u64>,
    limits: &RequestLimits,
) -> Limits {
    let memory = memory.map_or(limits.max_memory, |requested| requested.min(limits.max_memory));
    Limits { time: Some(time), nodes, memory: Some(memory) }
}

/// Returns the default options with this metric and time, for searches of shortest solutions.
pub(crate) fn optimal_options(
    metric: Option<&str>,
    time: Duration,
    limits: &RequestLimits,
) -> Result<Options, ApiError> {
    let metric: Metric = parse_or_default("metric", metric)?;
    let limits = search_limits(time, None, None, limits);
    Ok(Options { metric, limits, ..Options::default() })
}
