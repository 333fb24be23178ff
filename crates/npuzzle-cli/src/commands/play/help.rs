//! The list of all keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Widget};

use super::keys::Controls;
use crate::args::{Arrows, Letters};

/// Draws the list over the board; the last lines are left out if they do not fit.
pub(crate) fn draw(controls: Controls, area: Rect, buffer: &mut Buffer) {
    let lines = lines(controls);
    let longest = lines.iter().map(|(keys, what)| keys.chars().count().max(WIDTH) + what.len());
    let width = (longest.max().unwrap_or(0) + 4) as u16;
    let (width, height) = (width.min(area.width), (lines.len() as u16 + 2).min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let area = Rect { x, y, width, height };
    Clear.render(area, buffer);
    let frame = Block::bordered().title(" Keys ");
    let inner = frame.inner(area);
    frame.render(area, buffer);
    for ((keys, what), y) in lines.iter().zip(inner.top()..inner.bottom()) {
        let line = format!(" {keys:WIDTH$}{what}");
        buffer.set_stringn(inner.x, y, line, usize::from(inner.width), Style::new());
        let n_keys = (WIDTH as u16).min(inner.width);
        buffer.set_style(Rect { y, width: n_keys, height: 1, ..inner }, Modifier::BOLD);
    }
}

/// The width of the column of keys.
const WIDTH: usize = 16;

fn lines(controls: Controls) -> Vec<(String, &'static str)> {
    let key = |letter| controls.letters.key_of(letter).to_string();
    let arrows = match controls.letters {
        Letters::None => "arrows".to_owned(),
        letters => format!("arrows {}", letters.name()),
    };
    let slide = match controls.arrows {
        Arrows::Tile => "slide a tile in that direction",
        Arrows::Blank => "move the blank in that direction",
    };
    vec![
        (arrows, slide),
        ("Shift+arrows".to_owned(), "slide all tiles of the line"),
        ("click".to_owned(), "slide the tiles up to the blank"),
        ("u r, wheel".to_owned(), "undo, redo"),
        ("Home End".to_owned(), "go to the first, to the last move"),
        (key('h'), "hint: the best move"),
        ("m".to_owned(), "mark all best moves"),
        (key('s'), "solve, and play the solution"),
        ("space p".to_owned(), "play or pause the moves that follow"),
        ("+ -".to_owned(), "faster, slower"),
        ("n".to_owned(), "new puzzle of this kind"),
        ("e".to_owned(), "enter a size, a size and moves, or a board"),
        ("x".to_owned(), "switch arrows between tiles and blank"),
        ("c".to_owned(), "change the letters that slide"),
        ("Esc".to_owned(), "cancel"),
        ("q Ctrl-C".to_owned(), "quit"),
        ("12·".to_owned(), "a tile at its goal cell"),
        ("L2+1".to_owned(), "two slides left, which waste a move"),
    ]
}
