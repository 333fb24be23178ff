//! Animated GIF files of solutions.
//!
//! A straight run is one motion: its tiles slide together by one cell. A motion has a few frames, each of
//! which covers only the strip of cells that changes. Only the tiles are kept in memory, so a long solution
//! takes no more memory than a short one.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use npuzzle_core::{Board, Cell, Slide, Tile};

use crate::error::DrawError;
use crate::layout::{BoardLayout, DefaultTile};
use crate::painter::{Look, Painter};
use crate::raster::palette::Palette;
use crate::scene::{Replay, Scene};
use crate::style::{Style, Timing};

/// All pixels are stored, so the tiles of large boards shrink early.
const DEFAULT_TILE: DefaultTile = DefaultTile { tile: 80, max_pixels: 1024 };
/// The maximum number of straight runs. The HTML player accepts longer solutions.
const MAX_RUNS: usize = 20_000;
/// The number of frames beyond which runs get fewer frames.
const MANY_FRAMES: usize = 3_000;
/// The maximum number of frames of a run.
const MAX_FRAMES_PER_RUN: usize = 6;
/// The time of a frame in motion, in hundredths of a second.
const FRAME_TIME: u16 = 3;
/// The shortest time of a frame. Many viewers slow down files with shorter ones.
const MIN_TIME: u16 = 2;

/// Writes an endless animation of a solution, with a pause at either end.
pub fn solution(
    replay: &Replay,
    style: &Style,
    timing: Timing,
    out: impl Write,
) -> Result<(), DrawError> {
    let n_runs = replay.moves().mtm();
    if n_runs > MAX_RUNS {
        return Err(DrawError::TooManyMoves { n_runs, max: MAX_RUNS });
    }
    let layout = BoardLayout::of_style(replay.dims(), style, DEFAULT_TILE).checked()?;
    let mut film = Film::new(Painter::new(layout, replay.goal_cells(), style), out)?;
    film.encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;

    let mut board = replay.instance().start().clone();
    film.show(&board, hundredths(timing.at_start))?;
    let per_run = hundredths(timing.per_move);
    let n_frames = frames_per_run(n_runs, per_run);
    for (at, (slide, n_slides)) in replay.moves().runs().enumerate() {
        let is_last = at + 1 == n_runs;
        let rest = per_run - FRAME_TIME * (n_frames - 1);
        let rest = if is_last { hundredths(timing.at_end) } else { rest };
        film.run(&mut board, slide, n_slides, n_frames, rest)?;
    }
    film.finish()
}

/// Writes a still board.
pub fn board<'a>(
    scene: impl Into<Scene<'a>>,
    style: &Style,
    out: impl Write,
) -> Result<(), DrawError> {
    let scene = scene.into();
    let layout = BoardLayout::of_style(scene.board().dims(), style, DEFAULT_TILE).checked()?;
    let mut film = Film::new(Painter::new(layout, scene.goal_cells(), style), out)?;
    film.show(scene.board(), 0)?;
    film.finish()
}

fn hundredths(time: Duration) -> u16 {
    let rounded = (time.as_millis() + 5) / 10;
    u16::try_from(rounded).unwrap_or(u16::MAX).max(MIN_TIME)
}

/// The frames of a run, the last one at rest. Tiles move for two thirds of the time.
fn frames_per_run(n_runs: usize, per_run: u16) -> u16 {
    let moving = usize::from(per_run) * 2 / 3 / usize::from(FRAME_TIME);
    let affordable = MANY_FRAMES / n_runs.max(1);
    moving.min(affordable).clamp(1, MAX_FRAMES_PER_RUN) as u16
}

/// The share of the distance after a share of the time: slow at both ends.
fn eased(time: f64) -> f64 {
    time * time * (3.0 - 2.0 * time)
}

struct Film<W: Write> {
    painter: Painter,
    palette: Palette,
    /// The palette index of the tray's color.
    tray: u8,
    /// Painted tiles, by number and look.
    tiles: Vec<Option<Box<[u8]>>>,
    encoder: Encoder<W>,
}

impl<W: Write> Film<W> {
    fn new(painter: Painter, out: W) -> Result<Film<W>, DrawError> {
        let layout = painter.layout;
        let n_tiles = layout.dims.cells() as u16;
        // A picture has a piece for the blank.
        let (first, looks): (u16, &[Look]) = if painter.has_picture() {
            (0, &[Look::Plain])
        } else {
            (1, &[Look::Plain, Look::Home])
        };
        let palette = Palette::of(|| {
            let tiles = (first..n_tiles).map(Tile::new);
            let tiles = tiles.flat_map(|tile| looks.iter().map(move |&look| (tile, look)));
            let tray = std::iter::once_with(|| painter.tray(Some(painter.colors.page)));
            tray.chain(tiles.map(|(tile, look)| painter.tile(tile, look)))
        });
        let tray = palette.nearest(painter.colors.tray.map(i32::from));
        let (width, height) = (layout.width() as u16, layout.height() as u16);
        let encoder = Encoder::new(out, width, height, &palette.bytes()).map_err(io_error)?;
        let tiles = vec![None; 2 * usize::from(n_tiles)];
        Ok(Film { painter, palette, tray, tiles, encoder })
    }

    /// Writes a frame of the whole board.
    fn show(&mut self, board: &Board, delay: u16) -> Result<(), DrawError> {
        let layout = self.painter.layout;
        let tray = self.painter.tray(Some(self.painter.colors.page));
        let pixels = self.palette.indices(&tray);
        let mut strip =
            Strip { x: 0, y: 0, width: layout.width(), height: layout.height(), pixels };
        let shows_blank = self.painter.shows_blank(board);
        for (cell, &tile) in (0..).map(Cell::new).zip(board.tiles()) {
            if !tile.is_blank() || shows_blank {
                let look = self.painter.look(tile, cell);
                strip.put(self.tile(tile, look), layout.side, layout.corner(cell));
            }
        }
        self.write(strip, delay)
    }

    /// Writes the frames of a straight run.
    fn run(
        &mut self,
        board: &mut Board,
        slide: Slide,
        n_slides: usize,
        n_frames: u16,
        rest: u16,
    ) -> Result<(), DrawError> {
        let from = board.blank();
        let mut moving = Vec::with_capacity(n_slides);
        for _ in 0..n_slides {
            let to = board.blank();
            board.slide(slide);
            moving.push((board.tile(to), to));
        }
        let blank = Strip::between(self.painter.layout, from, board.blank(), self.tray);
        let pitch = f64::from(self.painter.layout.pitch());
        for frame in 1..=n_frames {
            let is_last = frame == n_frames;
            let left = pitch - (eased(f64::from(frame) / f64::from(n_frames)) * pitch).round();
            let mut strip = blank.clone();
            for &(tile, to) in &moving {
                let look = if is_last { self.painter.look(tile, to) } else { Look::Plain };
                let place = behind(self.painter.layout.corner(to), slide, left as u32);
                let side = self.painter.layout.side;
                strip.put(self.tile(tile, look), side, place);
            }
            if is_last && self.painter.shows_blank(board) {
                let place = self.painter.layout.corner(board.blank());
                let side = self.painter.layout.side;
                strip.put(self.tile(Tile::BLANK, Look::Plain), side, place);
            }
            self.write(strip, if is_last { rest } else { FRAME_TIME })?;
        }
        Ok(())
    }

    fn tile(&mut self, tile: Tile, look: Look) -> &[u8] {
        let slot = 2 * tile.index() + usize::from(look == Look::Home);
        let (painter, palette) = (&self.painter, &self.palette);
        self.tiles[slot]
            .get_or_insert_with(|| palette.indices(&painter.tile(tile, look)).into_boxed_slice())
    }

    fn write(&mut self, strip: Strip, delay: u16) -> Result<(), DrawError> {
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: strip.x as u16,
            top: strip.y as u16,
            width: strip.width as u16,
            height: strip.height as u16,
            buffer: Cow::Owned(strip.pixels),
            ..Frame::default()
        };
        Ok(self.encoder.write_frame(&frame).map_err(io_error)?)
    }

    fn finish(self) -> Result<(), DrawError> {
        // Dropping the encoder would hide errors.
        let mut out = self.encoder.into_inner().map_err(io_error)?;
        Ok(out.flush()?)
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// A position `pixels` before the end of a slide.
fn behind((x, y): (u32, u32), slide: Slide, pixels: u32) -> (u32, u32) {
    match slide {
        Slide::Up => (x, y + pixels),
        Slide::Down => (x, y - pixels),
        Slide::Left => (x + pixels, y),
        Slide::Right => (x - pixels, y),
    }
}

/// A rectangle of the board, in palette indices.
#[derive(Clone)]
struct Strip {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Strip {
    /// The rectangle from one cell to another in the same row or column, in one color.
    fn between(layout: BoardLayout, a: Cell, b: Cell, color: u8) -> Strip {
        let (a, b) = (layout.corner(a.min(b)), layout.corner(a.max(b)));
        let (width, height) = (b.0 - a.0 + layout.side, b.1 - a.1 + layout.side);
        Strip { x: a.0, y: a.1, width, height, pixels: vec![color; (width * height) as usize] }
    }

    /// Copies a tile to a position on the board within the rectangle.
    fn put(&mut self, tile: &[u8], side: u32, (x, y): (u32, u32)) {
        let (left, top) = ((x - self.x) as usize, (y - self.y) as usize);
        for (row, pixels) in tile.chunks(side as usize).enumerate() {
            let at = (top + row) * self.width as usize + left;
            self.pixels[at..at + pixels.len()].copy_from_slice(pixels);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_solutions_have_fewer_frames_per_run() {
        assert_eq!(frames_per_run(50, 30), 6);
        assert_eq!(frames_per_run(1_000, 30), 3);
        assert_eq!(frames_per_run(20_000, 30), 1);
    }

    #[test]
    fn quick_moves_have_fewer_frames() {
        for per_run in [2, 3, 5, 8, 12, 20, 30, 100, u16::MAX] {
            let n_frames = frames_per_run(50, per_run);
            assert!(per_run > FRAME_TIME * (n_frames - 1), "{per_run}: {n_frames}");
        }
        assert_eq!(frames_per_run(50, 2), 1);
        assert_eq!(frames_per_run(50, 12), 2);
    }

    #[test]
    fn motions_begin_and_end_slowly() {
        assert_eq!((eased(0.0), eased(0.5), eased(1.0)), (0.0, 0.5, 1.0));
        assert!(eased(0.1) < 0.05 && eased(0.9) > 0.95);
    }
}
