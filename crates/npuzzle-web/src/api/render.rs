//! `render`: a board or a solution as a picture, an animation or a web page.

use std::io::{self, Write};
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::{Instance, Limit, Stats, Watch};
use npuzzle_draw::{DrawError, Replay, Scene, Style, Theme, Timing, gif, html, png, svg};
use serde::Deserialize;

use super::{ApiRequest, ApiResponse, Operation};
use crate::budget::Buffer;
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::JobContext;
use crate::jobs::watch::JobWatch;
use crate::request::{self, parse_choice};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenderRequest {
    board: String,
    goal: Option<String>,
    moves: Option<String>,
    notation: Option<String>,
    format: String,
    tile: Option<NonZeroU16>,
    theme: Option<String>,
    delay_ms: Option<u64>,
}

#[derive(Clone, Copy)]
enum DrawFormat {
    Svg,
    Png,
    Gif,
    Html,
}

const FORMATS: &[(&str, DrawFormat)] = &[
    ("svg", DrawFormat::Svg),
    ("png", DrawFormat::Png),
    ("gif", DrawFormat::Gif),
    ("html", DrawFormat::Html),
];

const THEMES: &[(&str, Theme)] =
    &[("light", Theme::Light), ("dark", Theme::Dark), ("auto", Theme::Auto)];

pub(crate) struct RenderOperation {
    instance: Instance,
    /// Whether the drawing marks the tiles on their goal cells.
    has_goal: bool,
    replay: Option<Replay>,
    format: DrawFormat,
    style: Style,
    timing: Timing,
    time: Duration,
}

impl ApiRequest for RenderRequest {
    type Operation = RenderOperation;

    fn validate(self, limits: &Limits) -> Result<RenderOperation, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        let notation = request::parse_or_default("notation", self.notation.as_deref())?;
        let moves = self.moves.map(|text| request::moves(&text, notation, instance.start()));
        let replay = moves.transpose()?.map(|moves| Replay::new(&instance, moves));
        let replay = replay.transpose().map_err(|error| ApiError::moves("moves", error))?;
        let theme = self.theme.map(|name| parse_choice("theme", &name, THEMES)).transpose()?;
        Ok(RenderOperation {
            has_goal: self.goal.is_some(),
            instance,
            replay,
            format: parse_choice("format", &self.format, FORMATS)?,
            style: Style {
                tile: self.tile,
                theme: theme.unwrap_or(Theme::Auto),
                ..Style::default()
            },
            timing: timing(self.delay_ms)?,
            time: limits.max_time,
        })
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

impl Operation for RenderOperation {
    fn is_quick(&self) -> bool {
        self.replay.is_none()
    }

    fn run(self, job: &mut JobContext) -> Result<ApiResponse, ApiError> {
        job.set_time_limit(self.time);
        let buffer = job.buffer();
        let mut out = Sink { buffer, watch: &mut job.watch, error: None };
        let drawn = match &self.replay {
            Some(replay) => self.draw_moves(replay, &mut out),
            None => self.draw_board(&mut out),
        };
        let Sink { buffer, error, .. } = out;
        match error {
            Some(error) => return Err(error),
            None => drawn?,
        }
        let (content_type, name) = match self.format {
            DrawFormat::Svg => ("image/svg+xml", "puzzle.svg"),
            DrawFormat::Png => ("image/png", "puzzle.png"),
            DrawFormat::Gif => ("image/gif", "puzzle.gif"),
            DrawFormat::Html => ("text/html; charset=utf-8", "puzzle.html"),
        };
        Ok(ApiResponse::File { content_type, name, bytes: buffer.into_bytes() })
    }
}

impl RenderOperation {
    fn draw_moves(&self, replay: &Replay, out: &mut Sink<'_>) -> Result<(), DrawError> {
        let (style, timing) = (&self.style, self.timing);
        match self.format {
            DrawFormat::Svg => out.write_all(svg::sheet(replay, style)?.as_bytes())?,
            DrawFormat::Png => out.write_all(&png::sheet(replay, style)?)?,
            DrawFormat::Gif => gif::solution(replay, style, timing, out)?,
            DrawFormat::Html => {
                let (dims, moves) = (replay.instance().dims(), replay.moves());
                let (stm, mtm) = (moves.stm(), moves.mtm());
                let title = format!("{dims} sliding puzzle, {stm} STM / {mtm} MTM");
                out.write_all(html::player(replay, style, timing, &title)?.as_bytes())?;
            }
        }
        Ok(())
    }

    fn draw_board(&self, out: &mut Sink<'_>) -> Result<(), DrawError> {
        let scene = || match self.has_goal {
            true => Scene::from(&self.instance),
            false => Scene::from(self.instance.start()),
        };
        let style = &self.style;
        match self.format {
            DrawFormat::Svg => out.write_all(svg::board(scene(), style)?.as_bytes())?,
            DrawFormat::Png => out.write_all(&png::board(scene(), style)?)?,
            DrawFormat::Gif => gif::board(scene(), style, out)?,
            DrawFormat::Html => {
                let title = format!("{} sliding puzzle", self.instance.dims());
                out.write_all(html::board(scene(), style, &title)?.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// Buffers a drawing, and fails when the job must stop or the buffer is full.
struct Sink<'a> {
    buffer: Buffer,
    watch: &'a mut JobWatch,
    /// The reason why a write failed.
    error: Option<ApiError>,
}

impl Sink<'_> {
    fn try_write(&mut self, bytes: &[u8]) -> Result<usize, ApiError> {
        match self.watch.poll(&Stats::default()) {
            ControlFlow::Continue(()) => Ok(self.buffer.write(bytes)?),
            ControlFlow::Break(Limit::Time) => {
                Err(ApiError::refused("drawing takes too long: draw fewer moves or smaller tiles"))
            }
            ControlFlow::Break(_) => Err(ApiError::closing()),
        }
    }
}

impl Write for Sink<'_> {
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
