//! `render`: a board or a solution as a picture, an animation or a web page.

use std::io::{self, Write};
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::{Instance, Limit, NameError, Stats};
use npuzzle_draw::{FileFormat, Replay, Style, Theme, Timing};
use serde::Deserialize;

use crate::board_field::BoardField;
use crate::error::ApiError;
use crate::fields;
use crate::job::AnswerKind;
use crate::job::{Job, JobWatch};
use crate::limits::RequestLimits;
use crate::operation::{ExpectedTime, Operation, Request};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenderRequest {
    board: BoardField,
    goal: Option<BoardField>,
    moves: Option<String>,
    notation: Option<String>,
    format: String,
    tile: Option<NonZeroU16>,
    theme: Option<String>,
    delay_ms: Option<u64>,
}

/// A valid request.
struct Drawing {
    instance: Instance,
    /// Whether the drawing marks the tiles on their goal cells.
    has_goal: bool,
    replay: Option<Replay>,
    format: FileFormat,
    style: Style,
    timing: Timing,
}

impl Request for RenderRequest {
    fn validate(self, limits: &RequestLimits) -> Result<Operation, ApiError> {
        let (instance, _) = fields::instance(&self.board, self.goal.as_ref(), limits)?;
        let notation = fields::parse_or_default("notation", self.notation.as_deref())?;
        let moves = self.moves.map(|text| fields::moves(&text, notation, instance.start()));
        let replay = moves.transpose()?.map(|moves| Replay::new(&instance, moves));
        let replay = replay.transpose().map_err(|error| ApiError::moves("moves", error))?;
        let theme: Theme = fields::parse_or_default("theme", self.theme.as_deref())?;
        let format =
            self.format.parse().map_err(|error: NameError| ApiError::value("format", error))?;
        let drawing = Drawing {
            has_goal: self.goal.is_some(),
            instance,
            replay,
            format,
            style: Style { tile: self.tile, theme, ..Style::default() },
            timing: timing(self.delay_ms)?,
        };
        let max_time = limits.max_time;
        let expected_time = match drawing.replay {
            None => ExpectedTime::Instant,
            Some(_) => ExpectedTime::Short,
        };
        Ok(Operation::new(expected_time, move |job| {
            job.watch.set_time_limit(max_time);
            drawing.draw(job)
        }))
    }
}

fn timing(delay_ms: Option<u64>) -> Result<Timing, ApiError> {
    let range = 20..=60_000;
    match delay_ms {
        None => Ok(Timing::default()),
        Some(ms) if range.contains(&ms) => {
            Ok(Timing { per_move: Duration::from_millis(ms), ..Timing::default() })
        }
        Some(_) => Err(ApiError::value("delay_ms", "expected a number from 20 to 60000")),
    }
}

impl Drawing {
    fn draw(&self, job: &mut Job<'_>) -> Result<AnswerKind, ApiError> {
        let mut out = WatchedOutput { out: &mut *job.out, watch: &mut *job.watch, error: None };
        let Drawing { instance, style, format, .. } = self;
        let drawn = match &self.replay {
            Some(replay) => format.write_solution(replay, style, self.timing, &mut out),
            None if self.has_goal => format.write_board(instance, style, &mut out),
            None => format.write_board(instance.start(), style, &mut out),
        };
        match out.error {
            Some(error) => return Err(error),
            None => drawn?,
        }
        let content_type = match format {
            FileFormat::Svg => "image/svg+xml",
            FileFormat::Png => "image/png",
            FileFormat::Gif => "image/gif",
            FileFormat::Html => "text/html; charset=utf-8",
        };
        Ok(AnswerKind::File { content_type, name: format!("puzzle.{format}") })
    }
}

/// Passes a drawing on, and fails when the job must stop.
struct WatchedOutput<'a> {
    out: &'a mut dyn Write,
    watch: &'a mut dyn JobWatch,
    /// The reason why a write failed.
    error: Option<ApiError>,
}

impl WatchedOutput<'_> {
    fn try_write(&mut self, bytes: &[u8]) -> Result<usize, ApiError> {
        match self.watch.poll(&Stats::default()) {
            ControlFlow::Continue(()) => Ok(self.out.write(bytes)?),
            ControlFlow::Break(Limit::Time) => {
                Err(ApiError::refused("drawing takes too long: draw fewer moves or smaller tiles"))
            }
            ControlFlow::Break(_) => Err(ApiError::closing()),
        }
    }
}

impl Write for WatchedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.try_write(bytes).map_err(|error| {
            self.error = Some(error);
            io::Error::other("the drawing was stopped")
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
