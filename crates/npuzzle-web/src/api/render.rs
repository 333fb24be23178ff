//! `render`: a board or moves as a picture, an animation, a page.

use std::io::{self, Write};
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::time::Duration;

use npuzzle::{Instance, Limit, Stats, Watch};
use npuzzle_draw::{DrawError, Replay, Scene, Style, Theme, Timing, gif, html, png, svg};
use serde::Deserialize;

use super::{Answer, Question, Task};
use crate::budget::Buffer;
use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::Job;
use crate::request;
use crate::watch::JobWatch;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenderQuestion {
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
enum Format {
    Svg,
    Png,
    Gif,
    Html,
}

pub(crate) struct RenderTask {
    instance: Instance,
    /// Whether tiles that are in their places are marked.
    has_goal: bool,
    replay: Option<Replay>,
    format: Format,
    style: Style,
    timing: Timing,
    time: Duration,
}

impl Question for RenderQuestion {
    type Task = RenderTask;

    fn understand(self, limits: &Limits) -> Result<RenderTask, ApiError> {
        let (instance, _) = request::instance(&self.board, self.goal.as_deref(), limits)?;
        let notation = request::named("notation", self.notation.as_deref())?;
        let moves = self.moves.map(|text| request::moves(&text, notation, instance.start()));
        let replay = moves.transpose()?.map(|moves| Replay::new(&instance, moves));
        let replay = replay.transpose().map_err(|error| ApiError::moves("moves", error))?;
        let theme = theme(self.theme.as_deref())?;
        Ok(RenderTask {
            has_goal: self.goal.is_some(),
            instance,
            replay,
            format: format(&self.format)?,
            style: Style { tile: self.tile, theme, ..Style::default() },
            timing: timing(self.delay_ms)?,
            time: limits.time,
        })
    }
}

fn format(name: &str) -> Result<Format, ApiError> {
    match name {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        "gif" => Ok(Format::Gif),
        "html" => Ok(Format::Html),
        _ => Err(ApiError::value("format", format!("{name:?} is none of svg, png, gif, html"))),
    }
}

fn theme(name: Option<&str>) -> Result<Theme, ApiError> {
    match name {
        None | Some("auto") => Ok(Theme::Auto),
        Some("light") => Ok(Theme::Light),
        Some("dark") => Ok(Theme::Dark),
        Some(name) => {
            Err(ApiError::value("theme", format!("{name:?} is none of light, dark, auto")))
        }
    }
}

fn timing(delay_ms: Option<u64>) -> Result<Timing, ApiError> {
    let legal = 20..=60_000;
    match delay_ms {
        None => Ok(Timing::default()),
        Some(ms) if legal.contains(&ms) => {
            Ok(Timing { per_move: Duration::from_millis(ms), ..Timing::default() })
        }
        Some(_) => Err(ApiError::value("delay_ms", "expected a number from 20 to 60000")),
    }
}

impl Task for RenderTask {
    fn is_quick(&self) -> bool {
        self.replay.is_none()
    }

    fn run(self, job: &mut Job) -> Result<Answer, ApiError> {
        job.end_after(self.time);
        let buffer = job.buffer();
        let mut out = Sink { buffer, watch: &mut job.watch, stopped: None };
        let drawn = match &self.replay {
            Some(replay) => self.draw_moves(replay, &mut out),
            None => self.draw_board(&mut out),
        };
        let Sink { buffer, stopped, .. } = out;
        match stopped {
            Some(error) => return Err(error),
            None => drawn?,
        }
        let (content_type, name) = match self.format {
            Format::Svg => ("image/svg+xml", "puzzle.svg"),
            Format::Png => ("image/png", "puzzle.png"),
            Format::Gif => ("image/gif", "puzzle.gif"),
            Format::Html => ("text/html; charset=utf-8", "puzzle.html"),
        };
        Ok(Answer::File { content_type, name, bytes: buffer.into_bytes() })
    }
}

impl RenderTask {
    fn draw_moves(&self, replay: &Replay, out: &mut Sink<'_>) -> Result<(), DrawError> {
        let (style, timing) = (&self.style, self.timing);
        match self.format {
            Format::Svg => out.write_all(svg::sheet(replay, style)?.as_bytes())?,
            Format::Png => out.write_all(&png::sheet(replay, style)?)?,
            Format::Gif => gif::solution(replay, style, timing, out)?,
            Format::Html => {
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
            Format::Svg => out.write_all(svg::board(scene(), style)?.as_bytes())?,
            Format::Png => out.write_all(&png::board(scene(), style)?)?,
            Format::Gif => gif::board(scene(), style, out)?,
            Format::Html => {
                let title = format!("{} sliding puzzle", self.instance.dims());
                out.write_all(html::board(scene(), style, &title)?.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// Takes a picture while somebody waits for it, and there are place and time for it.
struct Sink<'a> {
    buffer: Buffer,
    watch: &'a mut JobWatch,
    /// Why no more is taken.
    stopped: Option<ApiError>,
}

impl Sink<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, ApiError> {
        match self.watch.poll(&Stats::default()) {
            ControlFlow::Continue(()) => Ok(self.buffer.write(bytes)?),
            ControlFlow::Break(Limit::Time) => Err(ApiError::refused("to draw it takes too long")),
            ControlFlow::Break(_) => Err(ApiError::closing()),
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take(bytes).map_err(|error| {
            self.stopped = Some(error);
            io::Error::other("no more is taken")
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
