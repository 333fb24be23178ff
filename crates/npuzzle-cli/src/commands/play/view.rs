//! Draws a frame. All information is in text and symbols; color only repeats it.

use std::time::Duration;

use npuzzle::{Board, Cell, Moves, Slide};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::{Clear, Widget};

use super::geometry::{BoardGeometry, n_digits};
use super::help;
use super::keys::Focus;
use super::move_losses::{MoveLosses, RunLoss};
use super::session::{Overlay, Session};
use super::wrap;

/// The minimum size of the terminal.
const MIN_WIDTH: u16 = 20;
const MIN_HEIGHT: u16 = 8;
/// The title, and the lines below the board: moves, message and keys.
const N_TITLE: u16 = 1;
const N_BELOW: u16 = 3;
/// The number of following moves that are considered for the line of moves.
const MAX_FOLLOWING: usize = 1000;
const PROMPT: &str = "New puzzle (4x4, 4x4 30, or a board): ";
/// The columns for input without which the prompt is on lines of its own.
const MIN_INPUT: usize = 20;

/// The layout of the board; `None` if the terminal is too small.
pub(crate) fn geometry(session: &Session, now: Duration, area: Rect) -> Option<BoardGeometry> {
    Layout::new(session, now, area).map(|layout| layout.board)
}

/// The part of the screen that receives keys.
pub(crate) fn focus(session: &Session, area: Rect) -> Focus {
    match session.overlay() {
        Overlay::None => Focus::Game,
        Overlay::Help(top) => Focus::Help(help::scroll(session.controls(), *top, area)),
        Overlay::Prompt(_) => Focus::Prompt,
    }
}

/// The status lines, and the board below them.
struct Layout {
    status: Vec<String>,
    board: BoardGeometry,
}

impl Layout {
    /// The status has as many lines as it needs, unless the board would look different with them.
    fn new(session: &Session, now: Duration, area: Rect) -> Option<Layout> {
        if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
            return None;
        }
        let mut status = status(session, now, usize::from(area.width));
        let below = |n_status: usize| {
            let n_above = N_TITLE + n_status as u16;
            let height = area.height.saturating_sub(n_above + N_BELOW);
            BoardGeometry::new(session.game().board(), Rect { y: area.y + n_above, height, ..area })
        };
        let board = below(1);
        let lines = (1..=status.len()).map(|n_status| (n_status, below(n_status)));
        let (n_status, board) =
            lines.take_while(|(_, with)| with.looks_like(&board)).last().unwrap_or((1, board));
        status.truncate(n_status);
        Some(Layout { status, board })
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, session: &Session, now: Duration, is_colored: bool) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let Some(Layout { status, board }) = Layout::new(session, now, area) else {
        return too_small(area, buffer);
    };
    let mut screen = Screen { area, buffer, is_colored };
    let width = usize::from(area.width);
    screen.first_line(area.y, &title(session, &board, width), Modifier::BOLD);
    for (y, line) in (area.y + N_TITLE..).zip(&status) {
        screen.line(y, line, Style::new());
    }
    screen.board(session, &board);
    screen.moves(session, area.bottom() - 3);
    let keys = wrap::parts(&legend(session), "  ", width);
    screen.first_line(area.bottom() - 1, &keys, Modifier::DIM);
    match session.overlay() {
        Overlay::Prompt(text) => {
            let cursor = screen.prompt(text);
            frame.set_cursor_position(cursor);
        }
        Overlay::None => screen.message(&session.message(now)),
        Overlay::Help(top) => {
            screen.message(&session.message(now));
            help::draw(session.controls(), *top, area, screen.buffer);
        }
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let (width, height) = (area.width, area.height);
    let text = format!("{width}x{height} is too small: {MIN_WIDTH}x{MIN_HEIGHT} is needed.");
    for (y, line) in (area.top()..area.bottom()).zip(wrap::words(&text, usize::from(width))) {
        buffer.set_stringn(area.x, y, line, usize::from(width), Style::new());
    }
}

/// The title in lines, of which the first is shown. If it does not fit, the visible part is more important than the goal.
fn title(session: &Session, geometry: &BoardGeometry, width: usize) -> Vec<String> {
    let goal = match session.goal() {
        npuzzle::Goal::Board(_) => "goal custom".to_owned(),
        named => format!("goal {named}"),
    };
    let (dims, visible) = (session.game().board().dims(), geometry.visible_part());
    let long = [vec![format!("npuzzle {dims}"), goal.clone()], visible.clone()].concat();
    let long = wrap::parts(&long, ", ", width);
    if long.len() == 1 {
        return long;
    }
    wrap::parts(&[vec![dims.to_string()], visible, vec![goal]].concat(), ", ", width)
}

/// The status in lines: with short names if the long ones do not fit a line.
fn status(session: &Session, now: Duration, width: usize) -> Vec<String> {
    let long =
        wrap::parts(&status_parts(session, now, ["Time ", "Distance", "Wasted"]), "  ", width);
    if long.len() == 1 {
        return long;
    }
    wrap::parts(&status_parts(session, now, ["", "Dist", "Waste"]), "  ", width)
}

fn status_parts(session: &Session, now: Duration, names: [&str; 3]) -> Vec<String> {
    let (game, losses) = (session.game(), session.losses());
    let [time_name, distance_name, wasted_name] = names;
    let time = game.clock().reading(now);
    let mut parts = vec![
        format!("{time_name}{time}"),
        format!("STM {}", game.stm()),
        format!("MTM {}", game.mtm()),
    ];
    if !MoveLosses::covers(game.board()) {
        return parts;
    }
    let number = |n: Option<u32>| n.map_or_else(|| "…".to_owned(), |n| n.to_string());
    if game.instance().is_solvable() {
        let (distance, wasted) = (losses.distance(game.board()), losses.total(game));
        parts.push(format!("{distance_name} {}", number(distance)));
        parts.push(format!("{wasted_name} {}", number(wasted)));
    } else {
        parts.push("Unsolvable".to_owned());
    }
    parts
}

/// The most common keys.
fn legend(session: &Session) -> Vec<String> {
    if matches!(session.overlay(), Overlay::Prompt(_)) {
        return ["Enter ok", "Esc cancel"].map(str::to_owned).to_vec();
    }
    let letters = session.controls().letters;
    let [hint, solve] = ['h', 's'].map(|letter| letters.key_of(letter));
    let [hint, solve] = [format!("{hint} hint"), format!("{solve} solve")];
    ["? keys", "q quit", "u undo", "r redo", &hint, &solve, "space play", "n new", "e enter"]
        .map(str::to_owned)
        .to_vec()
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

    fn first_line(&mut self, y: u16, lines: &[String], style: impl Into<Style>) {
        self.line(y, lines.first().map_or("", String::as_str), style);
    }

    /// Draws a message. A long one has several lines, which cover the moves and the end of the board.
    fn message(&mut self, text: &str) {
        let lines = wrap::words(text, usize::from(self.area.width));
        self.lines_above(self.area.bottom() - 1, lines);
    }

    /// Draws lines that end above `bottom`. If they do not fit below the title, the last ones are left out.
    fn lines_above(&mut self, bottom: u16, mut lines: Vec<String>) {
        let n_free = usize::from(bottom - self.area.y - N_TITLE);
        if lines.len() > n_free {
            lines.truncate(n_free);
            if let Some(last) = lines.last_mut() {
                last.pop();
                last.push('…');
            }
        }
        for (line, y) in lines.iter().rev().zip((0..bottom).rev()) {
            let row = Rect { y, height: 1, ..self.area };
            Clear.render(row, self.buffer);
            self.line(y, line, Modifier::BOLD);
        }
    }

    /// Draws the prompt with the end of the input, and returns the position of the cursor.
    fn prompt(&mut self, text: &str) -> Position {
        let (width, y) = (usize::from(self.area.width) - 1, self.area.bottom() - 2);
        let is_narrow = width < PROMPT.len() + MIN_INPUT;
        if is_narrow {
            self.lines_above(y, wrap::words(PROMPT, width));
        }
        let prompt = if is_narrow { "" } else { PROMPT };
        let chars: Vec<char> = prompt.chars().chain(text.chars()).collect();
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
