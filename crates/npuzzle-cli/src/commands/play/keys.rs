//! The meaning of keys, clicks and the mouse wheel.

use npuzzle::{Cell, Slide};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::geometry::BoardGeometry;
use super::scroll::Scroll;
use crate::args::{Arrows, Letters};

/// The number of lines that a step of the mouse wheel scrolls.
const WHEEL_LINES: isize = 3;

/// An action of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// Slides one tile.
    Slide(Slide),
    /// Slides all tiles between the blank and the border.
    SlideAll(Slide),
    /// Slides the tiles between a cell and the blank.
    SlideTo(Cell),
    Undo,
    Redo,
    /// Goes to the start.
    First,
    /// Goes to the last move.
    Last,
    /// Plays or pauses the moves that follow.
    PlayPause,
    Faster,
    Slower,
    Hint,
    ToggleMarks,
    Solve,
    NewPuzzle,
    OpenPrompt,
    SwitchArrows,
    SwitchLetters,
    /// Shows the list of keys from this line on.
    Help(usize),
    Escape,
    Type(char),
    /// Pastes a text into the prompt.
    Paste(String),
    Erase,
    Enter,
    Quit,
    Interrupt,
}

/// The player's settings for keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Controls {
    pub(crate) arrows: Arrows,
    pub(crate) letters: Letters,
}

/// The part of the screen that receives keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Focus {
    Game,
    /// The list of keys, and its visible part.
    Help(Scroll),
    Prompt,
}

impl Arrows {
    pub(crate) fn other(self) -> Arrows {
        match self {
            Arrows::Tile => Arrows::Blank,
            Arrows::Blank => Arrows::Tile,
        }
    }
}

impl Letters {
    pub(crate) fn next(self) -> Letters {
        match self {
            Letters::Wasd => Letters::Hjkl,
            Letters::Hjkl => Letters::None,
            Letters::None => Letters::Wasd,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Letters::Wasd => "wasd",
            Letters::Hjkl => "hjkl",
            Letters::None => "",
        }
    }

    /// The key of an action: a capital letter if the small one acts as an arrow.
    pub(crate) fn key_of(self, letter: char) -> char {
        if self.name().contains(letter) { letter.to_ascii_uppercase() } else { letter }
    }

    fn arrow(self, letter: char) -> Option<Slide> {
        let arrows = match self {
            Letters::Wasd => {
                [('w', Slide::Up), ('s', Slide::Down), ('a', Slide::Left), ('d', Slide::Right)]
            }
            Letters::Hjkl => {
                [('k', Slide::Up), ('j', Slide::Down), ('h', Slide::Left), ('l', Slide::Right)]
            }
            Letters::None => return None,
        };
        arrows.into_iter().find(|(key, _)| *key == letter).map(|(_, arrow)| arrow)
    }
}

impl Controls {
    fn slide(self, arrow: Slide) -> Slide {
        match self.arrows {
            Arrows::Tile => arrow,
            Arrows::Blank => arrow.opposite(),
        }
    }

    fn letter(self, letter: char) -> Option<Action> {
        if let Some(arrow) = self.letters.arrow(letter) {
            return Some(Action::Slide(self.slide(arrow)));
        }
        Some(match letter.to_ascii_lowercase() {
            'u' | 'z' => Action::Undo,
            'r' | 'y' => Action::Redo,
            'p' | ' ' => Action::PlayPause,
            '+' | '=' => Action::Faster,
            '-' => Action::Slower,
            'h' => Action::Hint,
            'm' => Action::ToggleMarks,
            's' => Action::Solve,
            'n' => Action::NewPuzzle,
            'e' => Action::OpenPrompt,
            'x' => Action::SwitchArrows,
            'c' => Action::SwitchLetters,
            '?' => Action::Help(0),
            'q' => Action::Quit,
            _ => return None,
        })
    }
}

/// The action of an event, if any.
pub(crate) fn action(
    event: &Event,
    focus: Focus,
    controls: Controls,
    geometry: Option<&BoardGeometry>,
) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => match focus {
            Focus::Prompt => prompt_action(key),
            Focus::Help(scroll) => help_action(key, scroll, controls),
            Focus::Game => key_action(key, controls),
        },
        Event::Paste(text) => Some(Action::Paste(text.clone())),
        Event::Mouse(mouse) => match (focus, mouse.kind) {
            (Focus::Game, _) => mouse_action(mouse, geometry),
            (_, MouseEventKind::Down(_)) => Some(Action::Escape),
            (Focus::Help(scroll), MouseEventKind::ScrollUp) => {
                Some(Action::Help(scroll.by(-WHEEL_LINES)))
            }
            (Focus::Help(scroll), MouseEventKind::ScrollDown) => {
                Some(Action::Help(scroll.by(WHEEL_LINES)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c')
}

fn is_shortcut(key: &KeyEvent) -> bool {
    key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

fn key_action(key: &KeyEvent, controls: Controls) -> Option<Action> {
    if is_interrupt(key) {
        return Some(Action::Interrupt);
    }
    if is_shortcut(key) {
        return None;
    }
    let arrow = |arrow| {
        let slide = controls.slide(arrow);
        let is_all = key.modifiers.contains(KeyModifiers::SHIFT);
        if is_all { Action::SlideAll(slide) } else { Action::Slide(slide) }
    };
    Some(match key.code {
        KeyCode::Up => arrow(Slide::Up),
        KeyCode::Down => arrow(Slide::Down),
        KeyCode::Left => arrow(Slide::Left),
        KeyCode::Right => arrow(Slide::Right),
        KeyCode::Backspace => Action::Undo,
        KeyCode::Home => Action::First,
        KeyCode::End => Action::Last,
        KeyCode::Esc => Action::Escape,
        KeyCode::F(1) => Action::Help(0),
        KeyCode::Char(letter) => return controls.letter(letter),
        _ => return None,
    })
}

/// In the list of keys, keys scroll if it does not fit; others close it.
fn help_action(key: &KeyEvent, scroll: Scroll, controls: Controls) -> Option<Action> {
    let n_lines = match key.code {
        _ if !scroll.is_needed() || is_shortcut(key) => None,
        KeyCode::Up => Some(-1),
        KeyCode::Down => Some(1),
        KeyCode::PageUp => Some(-scroll.step()),
        KeyCode::PageDown | KeyCode::Char(' ') => Some(scroll.step()),
        KeyCode::Home => Some(isize::MIN),
        KeyCode::End => Some(isize::MAX),
        KeyCode::Char(letter) => match controls.letters.arrow(letter) {
            Some(Slide::Up) => Some(-1),
            Some(Slide::Down) => Some(1),
            _ => None,
        },
        _ => None,
    };
    match n_lines {
        Some(n_lines) => Some(Action::Help(scroll.by(n_lines))),
        None => key_action(key, controls).map(|action| match action {
            Action::Quit | Action::Interrupt => action,
            _ => Action::Escape,
        }),
    }
}

fn prompt_action(key: &KeyEvent) -> Option<Action> {
    if is_interrupt(key) {
        return Some(Action::Interrupt);
    }
    Some(match key.code {
        KeyCode::Esc => Action::Escape,
        KeyCode::Enter => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Char(letter) if !is_shortcut(key) => Action::Type(letter),
        _ => return None,
    })
}

fn mouse_action(mouse: &MouseEvent, geometry: Option<&BoardGeometry>) -> Option<Action> {
    let position = Position { x: mouse.column, y: mouse.row };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => geometry?.cell_at(position).map(Action::SlideTo),
        MouseEventKind::ScrollUp => Some(Action::Undo),
        MouseEventKind::ScrollDown => Some(Action::Redo),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Controls = Controls { arrows: Arrows::Tile, letters: Letters::None };

    fn pressed(code: KeyCode, modifiers: KeyModifiers, controls: Controls) -> Option<Action> {
        let event = Event::Key(KeyEvent::new(code, modifiers));
        action(&event, Focus::Game, controls, None)
    }

    fn key(code: KeyCode, controls: Controls) -> Option<Action> {
        pressed(code, KeyModifiers::NONE, controls)
    }

    #[test]
    fn arrows_follow_the_chosen_sense() {
        let blank = Controls { arrows: Arrows::Blank, ..PLAIN };
        assert_eq!(key(KeyCode::Up, PLAIN), Some(Action::Slide(Slide::Up)));
        assert_eq!(key(KeyCode::Up, blank), Some(Action::Slide(Slide::Down)));
        let all = pressed(KeyCode::Left, KeyModifiers::SHIFT, PLAIN);
        assert_eq!(all, Some(Action::SlideAll(Slide::Left)));
    }

    #[test]
    fn capital_letters_act_when_small_ones_slide() {
        for (letters, arrows) in [(Letters::Wasd, "wsad"), (Letters::Hjkl, "kjhl")] {
            let controls = Controls { letters, ..PLAIN };
            let slides = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];
            for (letter, slide) in arrows.chars().zip(slides) {
                assert_eq!(key(KeyCode::Char(letter), controls), Some(Action::Slide(slide)));
            }
        }
        for letters in [Letters::Wasd, Letters::Hjkl, Letters::None] {
            let controls = Controls { letters, ..PLAIN };
            for (letter, action) in [('h', Action::Hint), ('s', Action::Solve)] {
                let typed = letters.key_of(letter);
                assert_eq!(key(KeyCode::Char(typed), controls), Some(action.clone()));
                assert_eq!(key(KeyCode::Char(letter.to_ascii_uppercase()), controls), Some(action));
            }
        }
    }

    #[test]
    fn prompt_receives_letters_as_text() {
        let event = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let typed = |code| action(&event(code), Focus::Prompt, PLAIN, None);
        assert_eq!(typed(KeyCode::Char('q')), Some(Action::Type('q')));
        assert_eq!(typed(KeyCode::Enter), Some(Action::Enter));
    }

    #[test]
    fn help_scrolls_if_it_does_not_fit() {
        let event = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let wasd = Controls { letters: Letters::Wasd, arrows: Arrows::Blank };
        let helped = |code, page| {
            let scroll = Scroll::new(5, page, 30);
            action(&event(code), Focus::Help(scroll), wasd, None)
        };
        for (code, top) in [
            (KeyCode::Up, 4),
            (KeyCode::Down, 6),
            (KeyCode::Char('w'), 4),
            (KeyCode::Char('s'), 6),
            (KeyCode::PageUp, 0),
            (KeyCode::PageDown, 14),
            (KeyCode::Char(' '), 14),
            (KeyCode::Home, 0),
            (KeyCode::End, 20),
        ] {
            assert_eq!(helped(code, 10), Some(Action::Help(top)), "{code}");
        }
        for page in [10, 30] {
            assert_eq!(helped(KeyCode::Esc, page), Some(Action::Escape));
            assert_eq!(helped(KeyCode::Char('?'), page), Some(Action::Escape));
            assert_eq!(helped(KeyCode::Char('q'), page), Some(Action::Quit));
        }
        assert_eq!(helped(KeyCode::Down, 30), Some(Action::Escape), "all keys close a whole list");
        let wheel = |kind| {
            let mouse = MouseEvent { kind, column: 0, row: 0, modifiers: KeyModifiers::NONE };
            action(&Event::Mouse(mouse), Focus::Help(Scroll::new(5, 10, 30)), PLAIN, None)
        };
        assert_eq!(wheel(MouseEventKind::ScrollDown), Some(Action::Help(8)));
        assert_eq!(wheel(MouseEventKind::ScrollUp), Some(Action::Help(2)));
        assert_eq!(wheel(MouseEventKind::Down(MouseButton::Left)), Some(Action::Escape));
    }

    #[test]
    fn control_c_interrupts_in_every_focus() {
        let event = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        for focus in [Focus::Game, Focus::Help(Scroll::new(0, 5, 30)), Focus::Prompt] {
            assert_eq!(action(&event, focus, PLAIN, None), Some(Action::Interrupt));
        }
    }
}
