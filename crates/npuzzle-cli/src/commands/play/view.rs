//! Draws a frame. All information is in text and symbols; color only repeats it.

use std::time::Duration;

use npuzzle::{Board, Cell, Moves, Slide};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use super::geometry::{BoardGeometry, n_digits};
use super::help;
use super::move_losses::{MoveLosses, RunLoss};
use super::session::{Overlay, Session};

/// The minimum size of the terminal.
const MIN_WIDTH: u16 = 24;
const MIN_HEIGHT: u16 = 8;
/// The lines above and below the board.
const N_ABOVE: u16 = 2;
const N_BELOW: u16 = 3;
/// The number of following moves that are considered for the line of moves.
const MAX_FOLLOWING: usize = 1000;
const PROMPT: &str = "New puzzle (4x4, 4x4 30, or a board): ";

/// The layout of the board; `None` if the terminal is too small.
pub(crate) fn geometry(board: &Board, area: Rect) -> Option<BoardGeometry> {
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        return None;
    }
    let height = area.height - N_ABOVE - N_BELOW;
    Some(BoardGeometry::new(board, Rect { y: area.y + N_ABOVE, height, ..area }))
}

pub(crate) fn draw(frame: &mut Frame<'_>, session: &Session, now: Duration, is_colored: bool) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let Some(geometry) = geometry(session.game().board(), area) else {
        return too_small(area, buffer);
    };
    let mut screen = Screen { area, buffer, is_colored };
    let (moves, message, keys) = (area.bottom() - 3, area.bottom() - 2, area.bottom() - 1);
    screen.line(area.y, &title(session, &geometry), Modifier::BOLD);
    screen.line(area.y + 1, &status(session, now), Style::new());
    screen.board(session, &geometry);
    screen.moves(session, moves);
    screen.line(keys, &legend(session), Modifier::DIM);
    match session.overlay() {
        Overlay::Prompt(text) => {
            let cursor = screen.prompt(text, message);
            frame.set_cursor_position(cursor);
        }
        overlay => {
            screen.line(message, &session.message(now), Modifier::BOLD);
            if *overlay == Overlay::Help {
                help::draw(session.controls(), area, screen.buffer);
            }
        }
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let size = format!("{}x{} is too small:", area.width, area.height);
    let minimum = format!("{MIN_WIDTH}x{MIN_HEIGHT} is needed.");
    for (y, text) in (area.top()..area.bottom()).zip([size, minimum]) {
        buffer.set_stringn(area.x, y, text, usize::from(area.width), Style::new());
    }
}

fn title(session: &Session, geometry: &BoardGeometry) -> String {
    let goal = match session.goal() {
        npuzzle::Goal::Board(_) => "custom".to_owned(),
        named => named.to_string(),
    };
    let part = geometry.visible_part().map_or_else(String::new, |part| format!(", {part}"));
    format!("npuzzle {}, goal {goal}{part}", session.game().board().dims())
}

fn status(session: &Session, now: Duration) -> String {
    let (game, losses) = (session.game(), session.losses());
    let time = game.clock().reading(now);
    let mut text = format!("Time {time}  STM {}  MTM {}", game.stm(), game.mtm());
    if !MoveLosses::covers(game.board()) {
        return text;
    }
    let number = |n: Option<u32>| n.map_or_else(|| "…".to_owned(), |n| n.to_string());
    if game.instance().is_solvable() {
        let (distance, wasted) = (losses.distance(game.board()), losses.total(game));
        text += &format!("  Distance {}  Wasted {}", number(distance), number(wasted));
    } else {
        text += "  Unsolvable";
    }
    text
}

/// The most common keys.
fn legend(session: &Session) -> String {
    let letters = session.controls().letters;
    let [hint, solve] = ['h', 's'].map(|letter| letters.key_of(letter));
    format!(
        "? keys  q quit  u undo  r redo  {hint} hint  {solve} solve  space play  n new  e enter"
    )
}

struct Screen<'a> {
    area: Rect,
    buffer: &'a mut Buffer,
    is_colored: bool,
}

impl Screen<'_> {
    fn line(&mut self, y: u16, text: &str, style: impl Into<Style>) {
        let width = usize::from(self.area.width);
        self.buffer.set_stringn(self.area.x, y, text, width, style);
    }

    fn colored(&self, style: Style, color: Color) -> Style {
        if self.is_colored { style.fg(color) } else { style }
    }

    /// Draws the prompt with the end of the input, and returns the position of the cursor.
    fn prompt(&mut self, text: &str, y: u16) -> Position {
        let width = usize::from(self.area.width) - 1;
        let chars: Vec<char> = PROMPT.chars().chain(text.chars()).collect();
        let shown: String = chars[chars.len().saturating_sub(width)..].iter().collect();
        self.line(y, &shown, Modifier::BOLD);
        Position { x: self.area.x + chars.len().min(width) as u16, y }
    }

    fn board(&mut self, session: &Session, geometry: &BoardGeometry) {
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
        for (cell, position) in geometry.cells() {
            let mark = marked.iter().find(|(marked, _)| *marked == cell).map(|(_, slide)| *slide);
            let is_at_goal = board.tile(cell) == goal.tile(cell);
            self.tile(board, cell, TileLook { mark, is_at_goal }, geometry, position);
        }
    }

    fn tile(
        &mut self,
        board: &Board,
        cell: Cell,
        look: TileLook,
        geometry: &BoardGeometry,
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
        let face = format!("{}{number:>n_digits$}{}", look.arrow(), look.dot());
        let style = match look {
            TileLook { mark: Some(_), .. } => self.colored(
                Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED),
                Color::Yellow,
            ),
            TileLook { is_at_goal: true, .. } => self.colored(Style::new(), Color::Green),
            TileLook { .. } => Style::new().add_modifier(Modifier::BOLD),
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

    /// Draws the moves made with their losses, a mark for the position, and the moves that follow.
    fn moves(&mut self, session: &Session, y: u16) {
        let game = session.game();
        let made: Vec<String> = session.losses().runs(game).iter().map(run_text).collect();
        let width = usize::from(self.area.width);
        let following = game.moves()[game.position()..].iter().copied().take(MAX_FOLLOWING);
        let (made, following) = (made.join(" "), following.collect::<Moves>().to_string());
        if made.is_empty() && following.is_empty() {
            return;
        }
        let n_following = following.chars().count().min(width / 3);
        let made = format!("{} ▸ ", tail(&made, width - n_following - 3));
        self.line(y, &made, Style::new());
        let x = self.area.x + made.chars().count() as u16;
        self.buffer.set_stringn(x, y, following, usize::from(self.area.right() - x), Modifier::DIM);
    }
}

/// The look of a tile, apart from its number.
#[derive(Clone, Copy)]
struct TileLook {
    /// The direction of a best move.
    mark: Option<Slide>,
    is_at_goal: bool,
}

impl TileLook {
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
        if self.is_at_goal { '·' } else { ' ' }
    }
}

/// `L2`, or `L2+1` if the run wastes a move.
fn run_text(run: &RunLoss) -> String {
    let RunLoss { slide, count, loss } = *run;
    let times = if count == 1 { String::new() } else { count.to_string() };
    let loss = loss.filter(|&loss| loss > 0).map_or_else(String::new, |loss| format!("+{loss}"));
    format!("{}{times}{loss}", slide.letter())
}

/// The last whole words of a text that is too long.
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
