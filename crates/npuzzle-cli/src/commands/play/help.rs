//! The list of all keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Widget};

use super::keys::Controls;
use super::scroll::Scroll;
use super::wrap;
use crate::args::{Arrows, Letters};

/// The width of the column of keys.
const KEYS_WIDTH: usize = 14;
/// The smallest width of the column of descriptions. Without room for it, a description is below its keys.
const MIN_WIDTH: usize = 18;
/// The indentation of descriptions below their keys.
const INDENT: usize = 2;
/// The borders and the space after the left one.
const BORDERS: u16 = 2;
const MARGIN: u16 = 1;

/// The visible part of the list in an area.
pub(crate) fn scroll(controls: Controls, top: usize, area: Rect) -> Scroll {
    List::new(controls, area).scroll(top, area)
}

/// Draws the list over the board, from the line `top` on. A list that does not fit says how to scroll.
pub(crate) fn draw(controls: Controls, top: usize, area: Rect, buffer: &mut Buffer) {
    let list = List::new(controls, area);
    let scroll = list.scroll(top, area);
    let (width, height) = (list.width(area), list.height(area));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let area = Rect { x, y, width, height };
    Clear.render(area, buffer);
    let frame = frame(scroll, width);
    let inner = frame.inner(area);
    frame.render(area, buffer);
    let x = inner.x + MARGIN;
    let lines = list.lines.iter().skip(scroll.top);
    for (line, y) in lines.zip(inner.top()..inner.bottom()) {
        let width = usize::from(inner.right().saturating_sub(x));
        buffer.set_stringn(x, y, &line.keys, width, Modifier::BOLD);
        let column = list.column.min(width);
        let x = x + column as u16;
        buffer.set_stringn(x, y, &line.text, width - column, Style::new());
    }
}

fn frame(scroll: Scroll, width: u16) -> Block<'static> {
    let Scroll { top, page, n_lines } = scroll;
    if !scroll.is_needed() {
        return Block::bordered().title(" Keys ").title_bottom(" Esc closes ");
    }
    let hints = [" ↑ ↓ PgUp PgDn scroll, Esc closes ", " ↑ ↓ scroll "];
    let fits = |hint: &&str| hint.chars().count() <= usize::from(width.saturating_sub(BORDERS));
    Block::bordered()
        .title(format!(" Keys {}-{}/{n_lines} ", top + 1, top + page))
        .title_bottom(hints.into_iter().find(fits).unwrap_or_default())
}

/// The list, wrapped for an area.
struct List {
    lines: Vec<HelpLine>,
    /// The column of the descriptions.
    column: usize,
}

struct HelpLine {
    keys: String,
    text: String,
}

impl List {
    fn new(controls: Controls, area: Rect) -> List {
        let width = usize::from(area.width.saturating_sub(BORDERS + MARGIN));
        let is_wide = width >= KEYS_WIDTH + MIN_WIDTH;
        let column = if is_wide { KEYS_WIDTH } else { INDENT };
        let mut lines = Vec::new();
        for (keys, what) in entries(controls) {
            let mut keys = Some(keys);
            if !is_wide {
                lines.push(HelpLine { keys: keys.take().unwrap_or_default(), text: String::new() });
            }
            for text in wrap::words(what, width.saturating_sub(column)) {
                lines.push(HelpLine { keys: keys.take().unwrap_or_default(), text });
            }
        }
        List { lines, column }
    }

    fn width(&self, area: Rect) -> u16 {
        let text = self.lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
        ((self.column + text) as u16 + BORDERS + 2 * MARGIN).min(area.width)
    }

    fn height(&self, area: Rect) -> u16 {
        (self.lines.len() as u16 + BORDERS).min(area.height)
    }

    fn scroll(&self, top: usize, area: Rect) -> Scroll {
        let page = self.height(area).saturating_sub(BORDERS);
        Scroll::new(top, usize::from(page), self.lines.len())
    }
}

fn entries(controls: Controls) -> Vec<(String, &'static str)> {
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
