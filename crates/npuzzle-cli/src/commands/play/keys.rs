//! Keys, clicks and the wheel: what they ask for.

use npuzzle::{Cell, Slide};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::geometry::Geometry;

/// What the player asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// One tile.
    Slide(Slide),
    /// All tiles of a line.
    SlideAll(Slide),
    /// The tiles between a cell and the gap.
    SlideTo(Cell),
    Back,
    On,
    First,
    Last,
    /// The moves ahead, by themselves.
    Run,
    Faster,
    Slower,
    Hint,
    Marks,
    Solve,
    Scramble,
    Ask,
    Sense,
    Letters,
    Help,
    Escape,
    Type(char),
    /// Something from elsewhere, for a new puzzle.
    Paste(String),
    Erase,
    Enter,
    Quit,
    Interrupt,
}

/// What keys mean to the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Controls {
    pub(crate) sense: Sense,
    pub(crate) letters: Letters,
}

/// What goes the way of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sense {
    Tile,
    Blank,
}

/// Letters that stand for arrows. A command whose letter is among them has the capital one alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Letters {
    Wasd,
    Hjkl,
    None,
}

/// Who the keys are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listener {
    Game,
    Help,
    Prompt,
}

impl Sense {
    pub(crate) fn other(self) -> Sense {
        match self {
            Sense::Tile => Sense::Blank,
            Sense::Blank => Sense::Tile,
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

    /// The key of a command, as it is to be typed with these letters.
    pub(crate) fn key_of(self, letter: char) -> char {
        if self.name().contains(letter) { letter.to_ascii_uppercase() } else { letter }
    }

    fn arrow(self, letter: char) -> Option<Slide> {
        let ways = match self {
            Letters::Wasd => {
                [('w', Slide::Up), ('s', Slide::Down), ('a', Slide::Left), ('d', Slide::Right)]
            }
            Letters::Hjkl => {
                [('k', Slide::Up), ('j', Slide::Down), ('h', Slide::Left), ('l', Slide::Right)]
            }
            Letters::None => return None,
        };
        ways.into_iter().find(|(key, _)| *key == letter).map(|(_, way)| way)
    }
}

impl Controls {
    fn slide(self, arrow: Slide) -> Slide {
        match self.sense {
            Sense::Tile => arrow,
            Sense::Blank => arrow.opposite(),
        }
    }

    fn letter(self, letter: char) -> Option<Command> {
        if let Some(arrow) = self.letters.arrow(letter) {
            return Some(Command::Slide(self.slide(arrow)));
        }
        Some(match letter.to_ascii_lowercase() {
            'u' | 'z' => Command::Back,
            'r' | 'y' => Command::On,
            'p' | ' ' => Command::Run,
            '+' | '=' => Command::Faster,
            '-' => Command::Slower,
            'h' => Command::Hint,
            'm' => Command::Marks,
            's' => Command::Solve,
            'n' => Command::Scramble,
            'e' => Command::Ask,
            'x' => Command::Sense,
            'c' => Command::Letters,
            '?' => Command::Help,
            'q' => Command::Quit,
            _ => return None,
        })
    }
}

/// What an event asks for, if anything.
pub(crate) fn command(
    event: &Event,
    listener: Listener,
    controls: Controls,
    geometry: Option<&Geometry>,
) -> Option<Command> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => match listener {
            Listener::Prompt => typed(key),
            Listener::Help => key_command(key, controls).map(|command| match command {
                Command::Quit | Command::Interrupt => command,
                _ => Command::Escape,
            }),
            Listener::Game => key_command(key, controls),
        },
        Event::Paste(text) => Some(Command::Paste(text.clone())),
        Event::Mouse(mouse) if listener == Listener::Game => mouse_command(mouse, geometry),
        Event::Mouse(MouseEvent { kind: MouseEventKind::Down(_), .. }) => Some(Command::Escape),
        _ => None,
    }
}

fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c')
}

fn is_shortcut(key: &KeyEvent) -> bool {
    key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

fn key_command(key: &KeyEvent, controls: Controls) -> Option<Command> {
    if is_interrupt(key) {
        return Some(Command::Interrupt);
    }
    if is_shortcut(key) {
        return None;
    }
    let arrow = |arrow| {
        let slide = controls.slide(arrow);
        let is_all = key.modifiers.contains(KeyModifiers::SHIFT);
        if is_all { Command::SlideAll(slide) } else { Command::Slide(slide) }
    };
    Some(match key.code {
        KeyCode::Up => arrow(Slide::Up),
        KeyCode::Down => arrow(Slide::Down),
        KeyCode::Left => arrow(Slide::Left),
        KeyCode::Right => arrow(Slide::Right),
        KeyCode::Backspace => Command::Back,
        KeyCode::Home => Command::First,
        KeyCode::End => Command::Last,
        KeyCode::Esc => Command::Escape,
        KeyCode::F(1) => Command::Help,
        KeyCode::Char(letter) => return controls.letter(letter),
        _ => return None,
    })
}

fn typed(key: &KeyEvent) -> Option<Command> {
    if is_interrupt(key) {
        return Some(Command::Interrupt);
    }
    Some(match key.code {
        KeyCode::Esc => Command::Escape,
        KeyCode::Enter => Command::Enter,
        KeyCode::Backspace => Command::Erase,
        KeyCode::Char(letter) if !is_shortcut(key) => Command::Type(letter),
        _ => return None,
    })
}

fn mouse_command(mouse: &MouseEvent, geometry: Option<&Geometry>) -> Option<Command> {
    let place = Position { x: mouse.column, y: mouse.row };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => geometry?.cell_at(place).map(Command::SlideTo),
        MouseEventKind::ScrollUp => Some(Command::Back),
        MouseEventKind::ScrollDown => Some(Command::On),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Controls = Controls { sense: Sense::Tile, letters: Letters::None };

    fn pressed(code: KeyCode, modifiers: KeyModifiers, controls: Controls) -> Option<Command> {
        let event = Event::Key(KeyEvent::new(code, modifiers));
        command(&event, Listener::Game, controls, None)
    }

    fn key(code: KeyCode, controls: Controls) -> Option<Command> {
        pressed(code, KeyModifiers::NONE, controls)
    }

    #[test]
    fn arrows_go_in_the_chosen_sense() {
        let blank = Controls { sense: Sense::Blank, ..PLAIN };
        assert_eq!(key(KeyCode::Up, PLAIN), Some(Command::Slide(Slide::Up)));
        assert_eq!(key(KeyCode::Up, blank), Some(Command::Slide(Slide::Down)));
        let all = pressed(KeyCode::Left, KeyModifiers::SHIFT, PLAIN);
        assert_eq!(all, Some(Command::SlideAll(Slide::Left)));
    }

    #[test]
    fn letters_that_slide_leave_the_capital_ones_to_commands() {
        for (letters, ways) in [(Letters::Wasd, "wsad"), (Letters::Hjkl, "kjhl")] {
            let controls = Controls { letters, ..PLAIN };
            let slides = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];
            for (letter, slide) in ways.chars().zip(slides) {
                assert_eq!(key(KeyCode::Char(letter), controls), Some(Command::Slide(slide)));
            }
        }
        for letters in [Letters::Wasd, Letters::Hjkl, Letters::None] {
            let controls = Controls { letters, ..PLAIN };
            for (letter, command) in [('h', Command::Hint), ('s', Command::Solve)] {
                let typed = letters.key_of(letter);
                assert_eq!(key(KeyCode::Char(typed), controls), Some(command.clone()));
                assert_eq!(
                    key(KeyCode::Char(letter.to_ascii_uppercase()), controls),
                    Some(command)
                );
            }
        }
    }

    #[test]
    fn while_text_is_typed_letters_are_letters() {
        let event = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let typed = |code| command(&event(code), Listener::Prompt, PLAIN, None);
        assert_eq!(typed(KeyCode::Char('q')), Some(Command::Type('q')));
        assert_eq!(typed(KeyCode::Enter), Some(Command::Enter));
        let helped = |code| command(&event(code), Listener::Help, PLAIN, None);
        assert_eq!(helped(KeyCode::Up), Some(Command::Escape));
        assert_eq!(helped(KeyCode::Char('q')), Some(Command::Quit));
    }

    #[test]
    fn control_c_interrupts_whoever_listens() {
        let event = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        for listener in [Listener::Game, Listener::Help, Listener::Prompt] {
            assert_eq!(command(&event, listener, PLAIN, None), Some(Command::Interrupt));
        }
    }
}
