//! The terminal as the game has it, and as it was before: given back when the game ends, however it
//! ends.

use std::io::{self, Stdout, Write};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};

/// The terminal, until it is dropped.
pub(crate) struct Screen {
    /// Never dropped: it would tell of a terminal that has gone, to that terminal, and panic.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl Screen {
    pub(crate) fn take() -> io::Result<Screen> {
        give_back_on_panic();
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        let entered = enter(&mut io::stdout());
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        let terminal = terminal.map(ManuallyDrop::new).inspect_err(|_| give_back())?;
        Ok(Screen { terminal })
    }

    /// Draws a frame; the area that it has.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<Rect> {
        if !IS_TAKEN.load(Ordering::SeqCst) {
            return Err(io::Error::other("given back since a part of the program has failed"));
        }
        Ok(self.terminal.draw(draw)?.area)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(out: &mut impl Write) -> io::Result<()> {
    execute!(out, EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, cursor::Hide)
}

fn leave(out: &mut impl Write) -> io::Result<()> {
    execute!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, cursor::Show)
}

/// Whether the terminal is ours. What is given back by the panic of another thread is neither drawn on
/// nor given back again, which would lose the message.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Nothing can be done about a terminal that has gone.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = leave(&mut io::stdout());
        let _ = disable_raw_mode();
    }
}

/// The message of a panic is for the screen that stays.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            told(info);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_taken_is_given_back() {
        let mut terminal = vt100::Parser::default();
        let state = |terminal: &vt100::Parser| {
            let screen = terminal.screen();
            let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            [screen.alternate_screen(), screen.hide_cursor(), mouse, screen.bracketed_paste()]
        };
        let mut bytes = vec![];
        enter(&mut bytes).unwrap();
        terminal.process(&bytes);
        assert_eq!(state(&terminal), [true; 4]);
        bytes.clear();
        leave(&mut bytes).unwrap();
        terminal.process(&bytes);
        assert_eq!(state(&terminal), [false; 4]);
    }
}
