//! A page that plays a solution: one file with styles, script and picture inside, which loads
//! nothing and works from a disk.

use npuzzle_core::{Board, Moves, Tile};

use crate::error::DrawError;
use crate::layout::Layout;
use crate::scene::{Homes, Replay, Scene};
use crate::style::{Colors, Style, Theme, Timing, hex};
use crate::svg::{board_title, escaped, named};

const STYLES: &str = include_str!("html/player.css");
const SCRIPT: &str = include_str!("html/player.js");
const BODY: &str = include_str!("html/player.html");

/// Nothing but what is in the file itself.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
/// The pixels of a tile of a small board, and of the longest side of a picture.
const TILE: u16 = 160;
const MAX_PICTURE: u32 = 1024;

/// The page that plays a solution. The title is plain text.
pub fn player(
    replay: &Replay,
    style: &Style,
    timing: Timing,
    title: &str,
) -> Result<String, DrawError> {
    let (start, homes) = (replay.instance().start(), replay.homes());
    Page { start, homes, moves: replay.moves(), style, timing, title }.write()
}

/// A page with a board, without a player.
pub fn board<'a>(
    scene: impl Into<Scene<'a>>,
    style: &Style,
    title: &str,
) -> Result<String, DrawError> {
    let (scene, timing) = (scene.into(), Timing::default());
    let (start, homes, moves) = (scene.board(), scene.homes(), &Moves::default());
    Page { start, homes, moves, style, timing, title }.write()
}

/// What there is to show.
struct Page<'a> {
    start: &'a Board,
    homes: Homes,
    moves: &'a Moves,
    style: &'a Style,
    timing: Timing,
    title: &'a str,
}

impl Page<'_> {
    fn write(&self) -> Result<String, DrawError> {
        let title = escaped(self.title);
        let theme = match self.style.theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Auto => "auto",
        };
        // The title comes last: whatever it says is not looked at again.
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

    /// For those whose browser runs no script.
    fn without_script(&self) -> String {
        let board = format!("This board needs scripts to be drawn: {}.", self.start.slash());
        let moves = format!(" The moves, tile slides: {}.", self.moves);
        board + if self.moves.is_empty() { "" } else { &moves }
    }

    /// The picture of the tiles, if there is one.
    fn picture_style(&self) -> Result<String, DrawError> {
        let Some(picture) = &self.style.picture else { return Ok(String::new()) };
        let layout = Layout::new(self.start.dims(), TILE);
        let (width, height) = (layout.inner_width(), layout.inner_height());
        let longest = width.max(height);
        let scale = |side: u32| (side * MAX_PICTURE.min(longest) / longest).max(1);
        let uri = picture.fitted_uri(scale(width), scale(height))?;
        Ok(format!(".tile>span{{background-image:url({uri})}}\n"))
    }

    /// What the script is told, as JSON without a text of others in it.
    fn data(&self) -> String {
        let dims = self.start.dims();
        let picture = match (&self.style.picture, self.style.numbers) {
            (None, _) => "none",
            (Some(_), false) => "plain",
            (Some(_), true) => "numbered",
        };
        let start = self.start.tiles().iter().map(|tile| tile.number());
        let homes = (0..dims.cells() as u16).map(|tile| self.homes.of(Tile::new(tile)).index());
        format!(
            "{{\"rows\":{},\"cols\":{},\"start\":{},\"home\":{},\"marks\":{},\"moves\":\"{}\",\
             \"delay\":{},\"picture\":\"{picture}\"}}",
            dims.rows(),
            dims.cols(),
            list(start),
            list(homes),
            self.homes.is_given(),
            self.moves,
            self.timing.per_move.as_millis(),
        )
    }
}

fn list(numbers: impl Iterator<Item = impl ToString>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// The colours of both themes.
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
