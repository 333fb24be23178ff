//! A self-contained HTML page that plays a solution: styles, script and picture are inside, nothing is loaded.

use npuzzle_core::{Board, Moves, Tile};

use crate::colors::{Colors, hex};
use crate::error::DrawError;
use crate::layout::BoardLayout;
use crate::scene::{GoalCells, Replay, Scene};
use crate::style::{Style, Timing};
use crate::svg::{board_title, escaped, named};

const STYLES: &str = include_str!("html/player.css");
const SCRIPT: &str = include_str!("html/player.js");
const BODY: &str = include_str!("html/player.html");

/// Only content of the file itself is allowed.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
/// The side of a tile of a small board and the longest side of a picture, in pixels.
const TILE: u16 = 160;
const MAX_PICTURE: u32 = 1024;

/// Draws a page that plays a solution. The title is plain text.
pub fn player(
    replay: &Replay,
    style: &Style,
    timing: Timing,
    title: &str,
) -> Result<String, DrawError> {
    let (start, goal_cells) = (replay.instance().start(), replay.goal_cells());
    PlayerPage { start, goal_cells, moves: replay.moves(), style, timing, title }.write()
}

/// Draws a page with a still board.
pub fn board<'a>(
    scene: impl Into<Scene<'a>>,
    style: &Style,
    title: &str,
) -> Result<String, DrawError> {
    let (scene, timing) = (scene.into(), Timing::default());
    let (start, goal_cells, moves) = (scene.board(), scene.goal_cells(), &Moves::default());
    PlayerPage { start, goal_cells, moves, style, timing, title }.write()
}

/// The content of a page.
struct PlayerPage<'a> {
    start: &'a Board,
    goal_cells: GoalCells,
    moves: &'a Moves,
    style: &'a Style,
    timing: Timing,
    title: &'a str,
}

impl PlayerPage<'_> {
    fn write(&self) -> Result<String, DrawError> {
        let title = escaped(self.title);
        let theme = self.style.theme.name();
        // The title comes last, so that placeholders in it are not replaced.
        let body = BODY
            .replace("{controls}", if self.moves.is_empty() { " hidden" } else { "" })
            .replace("{label}", &escaped(&board_title(self.start)))
            .replace("{last}", &self.moves.mtm().to_string())
            .replace("{noscript}", &self.without_script())
            .replace("{title}", &title);
        Ok(format!(
            "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"{theme}\">\n<head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <title>{title}</title>\n<style>\n{}{STYLES}{}</style>\n</head>\n{body}\
             <script type=\"application/json\" id=\"puzzle\">{}</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            variables(),
            self.picture_style()?,
            self.data(),
        ))
    }

    /// The text for browsers without scripts.
    fn without_script(&self) -> String {
        let board = format!("Scripts are needed to draw this board: {}.", self.start.slash());
        let moves = format!(" The moves of the tiles: {}.", self.moves);
        board + if self.moves.is_empty() { "" } else { &moves }
    }

    /// The style rule of the picture, if there is one.
    fn picture_style(&self) -> Result<String, DrawError> {
        let Some(picture) = &self.style.picture else { return Ok(String::new()) };
        let layout = BoardLayout::new(self.start.dims(), TILE);
        let (width, height) = (layout.inner_width(), layout.inner_height());
        let longest = width.max(height);
        let scale = |side: u32| (side * MAX_PICTURE.min(longest) / longest).max(1);
        let uri = picture.fitted_uri(scale(width), scale(height))?;
        Ok(format!(".tile>span{{background-image:url({uri})}}\n"))
    }

    /// The data of the script, as JSON without user-supplied text.
    fn data(&self) -> String {
        let dims = self.start.dims();
        let picture = match (&self.style.picture, self.style.numbers) {
            (None, _) => "none",
            (Some(_), false) => "plain",
            (Some(_), true) => "numbered",
        };
        let start = self.start.tiles().iter().map(|tile| tile.number());
        let goal_cells =
            (0..dims.cells() as u16).map(|tile| self.goal_cells.of(Tile::new(tile)).index());
        format!(
            "{{\"rows\":{},\"cols\":{},\"start\":{},\"home\":{},\"marks\":{},\"moves\":\"{}\",\
             \"delay\":{},\"picture\":\"{picture}\"}}",
            dims.rows(),
            dims.cols(),
            list(start),
            list(goal_cells),
            self.goal_cells.is_given(),
            self.moves,
            self.timing.per_move.as_millis(),
        )
    }
}

fn list(numbers: impl Iterator<Item = impl ToString>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// The colors of both themes.
fn variables() -> String {
    let of = |colors: &Colors| {
        let variables = named(colors).map(|(name, color)| format!("--{name}:{};", hex(color)));
        variables.concat()
    };
    let (light, dark) = (of(&Colors::LIGHT), of(&Colors::DARK));
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n\
         @media (prefers-color-scheme:dark){{:root[data-theme=auto]{{color-scheme:dark;{dark}}}}}\n"
    )
}
