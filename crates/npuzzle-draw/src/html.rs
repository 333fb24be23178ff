//! A page that plays a solution: one file with styles, script and picture inside, which loads
//! nothing and works from a disk.

use std::fmt::Write;

use npuzzle_core::{Board, Moves};

use crate::error::DrawError;
use crate::layout::Layout;
use crate::scene::Replay;
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

/// The page. The title is plain text.
pub fn player(
    replay: &Replay,
    style: &Style,
    timing: Timing,
    title: &str,
) -> Result<String, DrawError> {
    let (start, moves) = (replay.instance().start(), replay.moves());
    let theme = match style.theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Auto => "auto",
    };
    let body = BODY
        .replace("{controls}", if moves.is_empty() { " hidden" } else { "" })
        .replace("{label}", &escaped(&board_title(start)))
        .replace("{last}", &moves.mtm().to_string())
        .replace("{moves}", &moves_text(moves))
        .replace("{title}", &escaped(title));
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"{theme}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{}</title>\n\
         <style>\n{}{STYLES}{}</style>\n</head>\n{body}\
         <script type=\"application/json\" id=\"puzzle\">{}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(title),
        variables(),
        picture_style(replay, style)?,
        data(replay, style, timing),
    ))
}

/// For those whose browser runs no script.
fn moves_text(moves: &Moves) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.to_string() }
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

/// The picture of the tiles, if there is one.
fn picture_style(replay: &Replay, style: &Style) -> Result<String, DrawError> {
    let Some(picture) = &style.picture else { return Ok(String::new()) };
    let layout = Layout::new(replay.dims(), TILE);
    let (width, height) = (layout.inner_width(), layout.inner_height());
    let longest = width.max(height);
    let scale = |side: u32| (side * MAX_PICTURE.min(longest) / longest).max(1);
    let uri = picture.fitted_uri(scale(width), scale(height))?;
    Ok(format!(".tile>span{{background-image:url({uri})}}\n"))
}

/// What the script is told, as JSON without a text of others in it.
fn data(replay: &Replay, style: &Style, timing: Timing) -> String {
    let (instance, dims) = (replay.instance(), replay.dims());
    let picture = match (&style.picture, style.numbers) {
        (None, _) => "none",
        (Some(_), false) => "plain",
        (Some(_), true) => "numbered",
    };
    format!(
        "{{\"rows\":{},\"cols\":{},\"start\":{},\"goal\":{},\"moves\":\"{}\",\"delay\":{},\"picture\":\"{picture}\"}}",
        dims.rows(),
        dims.cols(),
        tiles(instance.start()),
        tiles(instance.goal()),
        replay.moves(),
        timing.per_move.as_millis(),
    )
}

fn tiles(board: &Board) -> String {
    let mut list = String::from("[");
    for (i, tile) in board.tiles().iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(list, "{}{tile}", if i > 0 { "," } else { "" });
    }
    list + "]"
}
