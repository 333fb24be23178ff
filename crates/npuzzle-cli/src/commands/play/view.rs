//! Draws a frame. Everything is said by words and signs; colour only repeats it.

use std::time::Duration;

use npuzzle::{Board, Cell, Slide};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use super::geometry::{Geometry, n_digits};
use super::help;
use super::move_losses::{Entry, Ledger};
use super::session::{Overlay, Session};

/// A terminal that is smaller shows no game.
const MIN_WIDTH: u16 = 24;
const MIN_HEIGHT: u16 = 8;
/// The lines above and below the board.
const N_ABOVE: u16 = 2;
const N_BELOW: u16 = 3;
/// Moves ahead that are looked at for the line of moves.
const MOST_AHEAD: usize = 1000;
const PROMPT: &str = "New puzzle (4x4, 4x4 30, or a board): ";

/// Where the board is; `None` if the terminal is too small.
pub(crate) fn geometry(board: &Board, area: Rect) -> Option<Geometry> {
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        return None;
    }
    let height = area.height - N_ABOVE - N_BELOW;
    Some(Geometry::new(board, Rect { y: area.y + N_ABOVE, height, ..area }))
}

pub(crate) fn draw(frame: &mut Frame<'_>, session: &Session, now: Duration, is_coloured: bool) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let Some(geometry) = geometry(session.game().board(), area) else {
        return too_small(area, buffer);
    };
    let mut page = Page { area, buffer, is_coloured };
    let (moves, message, keys) = (area.bottom() - 3, area.bottom() - 2, area.bottom() - 1);
    page.line(area.y, &title(session, &geometry), Modifier::BOLD);
    page.line(area.y + 1, &status(session, now), Style::new());
    page.board(session, &geometry);
    page.moves(session, moves);
    page.line(keys, &legend(session), Modifier::DIM);
    match session.overlay() {
        Overlay::Prompt(text) => {
            let at = page.prompt(text, message);
            frame.set_cursor_position(at);
        }
        overlay => {
            page.line(message, &session.message(now), Modifier::BOLD);
            if *overlay == Overlay::Help {
                help::draw(session.controls(), area, page.buffer);
            }
        }
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let found = format!("{}x{} is too small:", area.width, area.height);
    let needed = format!("{MIN_WIDTH}x{MIN_HEIGHT} is needed.");
    for (y, words) in (area.top()..area.bottom()).zip([found, needed]) {
        buffer.set_stringn(area.x, y, words, usize::from(area.width), Style::new());
    }
}

fn title(session: &Session, geometry: &Geometry) -> String {
    let goal = match session.goal() {
        npuzzle::Goal::Board(_) => "of its own".to_owned(),
        named => named.to_string(),
    };
    let part = geometry.part().map_or_else(String::new, |part| format!(", {part}"));
    format!("npuzzle {}, goal {goal}{part}", session.game().board().dims())
}

fn status(session: &Session, now: Duration) -> String {
    let (game, ledger) = (session.game(), session.ledger());
    let time = game.clock().reading(now);
    let mut words = format!("Time {time}  STM {}  MTM {}", game.stm(), game.mtm());
    if !Ledger::covers(game.board()) {
        return words;
    }
    let number = |n: Option<u32>| n.map_or_else(|| "…".to_owned(), |n| n.to_string());
    if game.instance().is_solvable() {
        let (distance, lost) = (ledger.distance(game.board()), ledger.lost(game));
        words += &format!("  Distance {}  Lost {}", number(distance), number(lost));
    } else {
        words += "  Distance never";
    }
    words
}

/// The keys that are needed most.
fn legend(session: &Session) -> String {
    let letters = session.controls().letters;
    let [hint, solve] = ['h', 's'].map(|letter| letters.key_of(letter));
    format!(
        "? keys  q quit  u undo  r redo  {hint} hint  {solve} solve  space play  n new  e enter"
    )
}

struct Page<'a> {
    area: Rect,
    buffer: &'a mut Buffer,
    is_coloured: bool,
}

impl Page<'_> {
    fn line(&mut self, y: u16, words: &str, style: impl Into<Style>) {
        let width = usize::from(self.area.width);
        self.buffer.set_stringn(self.area.x, y, words, width, style);
    }

    fn coloured(&self, style: Style, colour: Color) -> Style {
        if self.is_coloured { style.fg(colour) } else { style }
    }

    /// What is typed, its end in any case, and where the cursor is.
    fn prompt(&mut self, text: &str, y: u16) -> Position {
        let width = usize::from(self.area.width) - 1;
        let words: Vec<char> = PROMPT.chars().chain(text.chars()).collect();
        let seen: String = words[words.len().saturating_sub(width)..].iter().collect();
        self.line(y, &seen, Modifier::BOLD);
        Position { x: self.area.x + words.len().min(width) as u16, y }
    }

    fn board(&mut self, session: &Session, geometry: &Geometry) {
        let board = session.game().board();
        let goal = session.game().instance().goal();
        let marked: Vec<(Cell, Slide)> = session
            .marks()
            .iter()
            .filter_map(|best| {
                let mut cell = board.blank();
                for _ in 0..best.count {
                    cell = board.dims().source(cell, best.slide)?;
                }
                Some((cell, best.slide))
            })
            .collect();
        for (cell, place) in geometry.cells() {
            let mark = marked.iter().find(|(marked, _)| *marked == cell).map(|(_, slide)| *slide);
            let is_home = board.tile(cell) == goal.tile(cell);
            self.tile(board, cell, Tile { mark, is_home }, geometry, place);
        }
    }

    fn tile(
        &mut self,
        board: &Board,
        cell: Cell,
        tile: Tile,
        geometry: &Geometry,
        Position { x, y }: Position,
    ) {
        let n_digits = n_digits(board.dims());
        let number = board.tile(cell);
        if number.is_blank() {
            if !geometry.is_boxes() {
                self.buffer.set_string(x, y, format!(" {:>n_digits$}", "_"), Modifier::DIM);
            }
            return;
        }
        let face = format!("{}{number:>n_digits$}{}", tile.arrow(), tile.dot());
        let style = match tile {
            Tile { mark: Some(_), .. } => self.coloured(
                Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED),
                Color::Yellow,
            ),
            Tile { is_home: true, .. } => self.coloured(Style::new(), Color::Green),
            Tile { .. } => Style::new().add_modifier(Modifier::BOLD),
        };
        if !geometry.is_boxes() {
            self.buffer.set_string(x, y, face, style);
            return;
        }
        let edge = "─".repeat(n_digits + 2);
        self.buffer.set_string(x, y, format!("┌{edge}┐"), style);
        self.buffer.set_string(x, y + 1, format!("│{face}│"), style);
        self.buffer.set_string(x, y + 2, format!("└{edge}┘"), style);
    }

    /// The moves made with what they lost, a sign for here, and the moves ahead.
    fn moves(&mut self, session: &Session, y: u16) {
        let game = session.game();
        let made: Vec<String> = session.ledger().entries(game).iter().map(written).collect();
        let width = usize::from(self.area.width);
        let ahead: npuzzle::Moves =
            game.line()[game.at()..].iter().copied().take(MOST_AHEAD).collect();
        let (made, ahead) = (made.join(" "), ahead.to_string());
        if made.is_empty() && ahead.is_empty() {
            return;
        }
        let n_ahead = ahead.chars().count().min(width / 3);
        let made = tail(&made, width - n_ahead - 3);
        let at = format!("{made} ▸ ");
        self.line(y, &at, Style::new());
        let x = self.area.x + at.chars().count() as u16;
        self.buffer.set_stringn(x, y, ahead, usize::from(self.area.right() - x), Modifier::DIM);
    }
}

/// How a tile looks, besides its number.
#[derive(Clone, Copy)]
struct Tile {
    mark: Option<Slide>,
    is_home: bool,
}

impl Tile {
    fn arrow(self) -> char {
        match self.mark {
            None => ' ',
            Some(Slide::Up) => '↑',
            Some(Slide::Down) => '↓',
            Some(Slide::Left) => '←',
            Some(Slide::Right) => '→',
        }
    }

    fn dot(self) -> char {
        if self.is_home { '·' } else { ' ' }
    }
}

/// `L2`, or `L2+1` if it lost a move.
fn written(entry: &Entry) -> String {
    let Entry { slide, count, loss } = *entry;
    let times = if count == 1 { String::new() } else { count.to_string() };
    let loss = loss.filter(|&loss| loss > 0).map_or_else(String::new, |loss| format!("+{loss}"));
    format!("{}{times}{loss}", slide.letter())
}

/// The end of a text, whole words, if it is too long.
fn tail(text: &str, width: usize) -> String {
    let n_chars = text.chars().count();
    if n_chars <= width {
        return text.to_owned();
    }
    let end: String = text.chars().skip(n_chars - width + 1).collect();
    let words = end.split_once(' ').map_or("", |(_, words)| words);
    format!("…{words}")
}

#[cfg(test)]
mod tests;
