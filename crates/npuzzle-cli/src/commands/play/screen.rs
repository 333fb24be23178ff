//! The alternate screen of the game. The terminal is restored when the game ends, also by a panic.

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

/// The alternate screen, left on drop.
pub(crate) struct Screen {
    /// Never dropped: its destructor would report an error to a closed terminal, and panic.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl Screen {
    pub(crate) fn enter() -> io::Result<Screen> {
        restore_on_panic();
        enable_raw_mode()?;
        IS_ACTIVE.store(true, Ordering::SeqCst);
        let entered = enter(&mut io::stdout());
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        let terminal = terminal.map(ManuallyDrop::new).inspect_err(|_| restore())?;
        Ok(Screen { terminal })
    }

    /// Draws a frame, and returns its area.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<Rect> {
        if !IS_ACTIVE.load(Ordering::SeqCst) {
            return Err(io::Error::other("restored after a panic of another thread"));
        }
        Ok(self.terminal.draw(draw)?.area)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn enter(out: &mut impl Write) -> io::Result<()> {
    execute!(out, EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, cursor::Hide)
}

fn leave(out: &mut impl Write) -> io::Result<()> {
    execute!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, cursor::Show)
}

/// Whether the alternate screen is active. After a panic of another thread has restored the terminal, it
/// is neither drawn on nor restored again, which would hide the message.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

/// Restores the terminal. Errors of a closed terminal are ignored.
fn restore() {
    if IS_ACTIVE.swap(false, Ordering::SeqCst) {
        let _ = leave(&mut io::stdout());
        let _ = disable_raw_mode();
    }
}

/// Restores the terminal before the message of a panic is printed.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print_message = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            print_message(info);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leave_reverts_enter() {
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
