//! Reads the body of a question, and the fields that questions share.

use std::fmt::Display;
use std::io::Write;
use std::str::FromStr;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use npuzzle::format;
use npuzzle::teaching::read_moves;
use npuzzle::{Board, Goal, Instance, Moves, Notation};

use crate::budget::Buffer;
use crate::config::Limits;
use crate::error::{ApiError, Place};

/// More slides than anybody looks at.
pub(crate) const MAX_SLIDES: usize = 100_000;

/// Of what is not kept, so much is thrown away, since few listen before they have spoken.
const MAX_IGNORED: usize = 64 << 20;

/// The bytes of a body that is JSON, short enough and in time.
pub(crate) async fn body(
    request: Request,
    limits: &Limits,
    buffer: Buffer,
) -> Result<Bytes, ApiError> {
    let (head, body) = request.into_parts();
    if !is_json(&head.headers) {
        return Err(ApiError::not_json());
    }
    let mut kept = Ok(buffer);
    let n_announced = body.size_hint().lower();
    if n_announced > limits.body as u64 {
        let error = ApiError::body_too_long(limits.body);
        // Whoever waits for leave to speak listens.
        if n_announced > MAX_IGNORED as u64 || head.headers.contains_key(header::EXPECT) {
            return Err(error);
        }
        kept = Err(error);
    }
    let collected = collect(body, limits.body, &mut kept);
    let in_time = tokio::time::timeout(limits.patience, collected).await;
    // What is wrong with it comes before that it is slow.
    let buffer = kept?;
    in_time.unwrap_or_else(|_| Err(ApiError::slow()))?;
    Ok(buffer.into_bytes())
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// Hears a body to its end, and keeps it as long as nothing is wrong with it.
async fn collect(
    mut body: Body,
    most: usize,
    kept: &mut Result<Buffer, ApiError>,
) -> Result<(), ApiError> {
    let mut n_bytes = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::broken_body())?;
        let Ok(data) = frame.into_data() else { continue };
        n_bytes += data.len();
        if n_bytes > most {
            *kept = Err(ApiError::body_too_long(most));
            if n_bytes > MAX_IGNORED {
                break;
            }
        } else if let Ok(buffer) = kept
            && let Err(error) = buffer.write_all(&data)
        {
            *kept = Err(error.into());
        }
    }
    Ok(())
}

/// A board with its goal, and the line of the text where it begins.
pub(crate) fn instance(
    board: &str,
    goal: Option<&str>,
    limits: &Limits,
) -> Result<(Instance, usize), ApiError> {
    let entry = format::read_one(board, None).map_err(|error| ApiError::board("board", &error))?;
    small_enough(&entry.board, limits.cells)?;
    let instance = with_goal(entry.board, entry.goal, goal)?;
    Ok((instance, entry.line))
}

/// A board with the goal that is asked for, else with its own, else with the usual one.
pub(crate) fn with_goal(
    board: Board,
    own: Option<Board>,
    asked: Option<&str>,
) -> Result<Instance, ApiError> {
    let goal = match asked {
        Some(text) => read_goal(text)?,
        None => own.map(Goal::Board).unwrap_or_default(),
    };
    Instance::new(board, &goal).map_err(|error| ApiError::value("goal", error))
}

pub(crate) fn read_goal(text: &str) -> Result<Goal, ApiError> {
    text.parse().map_err(|error| ApiError::board("goal", &error))
}

pub(crate) fn small_enough(board: &Board, most: usize) -> Result<(), ApiError> {
    let n_cells = board.dims().cells();
    if n_cells > most {
        let message = format!("the board has {n_cells} cells, and {most} is the most here");
        return Err(ApiError::refused(message).of("board"));
    }
    Ok(())
}

/// What a field names; the default if there is none.
pub(crate) fn named<T>(field: &'static str, name: Option<&str>) -> Result<T, ApiError>
where
    T: FromStr<Err: Display> + Default,
{
    Ok(maybe_named(field, name)?.unwrap_or_default())
}

/// What a field names, if it does.
pub(crate) fn maybe_named<T>(field: &'static str, name: Option<&str>) -> Result<Option<T>, ApiError>
where
    T: FromStr<Err: Display>,
{
    name.map(str::parse).transpose().map_err(|error| ApiError::value(field, error))
}

/// Moves that are legal from a board.
pub(crate) fn moves(text: &str, notation: Notation, start: &Board) -> Result<Moves, ApiError> {
    if notation == Notation::Boards {
        return Err(ApiError::value("notation", "moves are letters or numbers, not boards"));
    }
    let moves = read_moves(text, notation, start).map_err(|error| {
        let (line, column) = error.line_and_column(text);
        ApiError::moves("moves", &error).at(Place::new(line, column, 1))
    })?;
    if moves.stm() > MAX_SLIDES {
        return Err(ApiError::refused(format!("more than {MAX_SLIDES} slides")).of("moves"));
    }
    Ok(moves)
}

/// The time that is asked for, if that is granted.
pub(crate) fn time(asked_ms: Option<u64>, otherwise: Duration, limits: &Limits) -> Duration {
    asked_ms.map_or(otherwise, Duration::from_millis).min(limits.time)
}
