//! Boards and solutions as files of any format.

use std::io::Write;

use crate::error::DrawError;
use crate::scene::{Replay, Scene};
use crate::style::{Style, Timing};
use crate::{gif, html, png, svg};

npuzzle_core::named_enum! {
    "a file format"
    /// The format of a file. Its name is the extension of file names.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum FileFormat {
        /// An SVG picture.
        Svg = "svg",
        /// A PNG picture.
        Png = "png",
        /// A GIF picture or animation.
        Gif = "gif",
        /// A self-contained web page.
        Html = "html",
    }
}

impl FileFormat {
    /// Writes a board.
    pub fn write_board<'a>(
        self,
        scene: impl Into<Scene<'a>>,
        style: &Style,
        out: &mut dyn Write,
    ) -> Result<(), DrawError> {
        let scene = scene.into();
        match self {
            FileFormat::Svg => out.write_all(svg::board(scene, style)?.as_bytes())?,
            FileFormat::Png => out.write_all(&png::board(scene, style)?)?,
            FileFormat::Gif => gif::board(scene, style, out)?,
            FileFormat::Html => {
                let title = format!("{} sliding puzzle", scene.board().dims());
                out.write_all(html::board(scene, style, &title)?.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes a solution: a sheet of boards, an animation, or a page with a player.
    pub fn write_solution(
        self,
        replay: &Replay,
        style: &Style,
        timing: Timing,
        out: &mut dyn Write,
    ) -> Result<(), DrawError> {
        match self {
            FileFormat::Svg => out.write_all(svg::sheet(replay, style)?.as_bytes())?,
            FileFormat::Png => out.write_all(&png::sheet(replay, style)?)?,
            FileFormat::Gif => gif::solution(replay, style, timing, out)?,
            FileFormat::Html => {
                let (dims, moves) = (replay.dims(), replay.moves());
                let (stm, mtm) = (moves.stm(), moves.mtm());
                let title = format!("{dims} sliding puzzle, {stm} STM / {mtm} MTM");
                out.write_all(html::player(replay, style, timing, &title)?.as_bytes())?;
            }
        }
        Ok(())
    }
}
