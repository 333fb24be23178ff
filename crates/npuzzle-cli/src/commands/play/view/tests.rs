//! Frames as text.

use npuzzle::{Goal, Metric, Options, Random, Tables};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::commands::play::engine::{News, Task};
use crate::commands::play::keys::{Command, Controls, Letters, Sense};
use crate::commands::play::session::Maker;

const NOW: Duration = Duration::from_secs(65);

fn session(board: &str, letters: Letters) -> Session {
    let controls = Controls { sense: Sense::Tile, letters };
    let maker = Maker { goal: Goal::Last, moves: None, random: Random::new(1) };
    Session::new(board.parse().unwrap(), Metric::Stm, controls, maker)
}

/// Distances as the engine finds them.
fn look(session: &mut Session) {
    while let Some(Task::Analyse(instance)) = session.wanted() {
        let analysis = Options::default().analyse(&instance, &mut Tables::new(), &mut ()).unwrap();
        session.hear(News::Analysed(instance.start().clone(), analysis), NOW);
    }
}

fn buffer(session: &Session, width: u16, height: u16, is_coloured: bool) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, session, NOW, is_coloured)).unwrap();
    terminal.backend().buffer().clone()
}

/// The lines of a frame without the spaces at their ends.
fn frame(session: &Session, width: u16, height: u16) -> Vec<String> {
    let buffer = buffer(session, width, height, true);
    let line = |y| {
        let symbols: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        symbols.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

fn check(session: &Session, width: u16, height: u16, expect: &[&str]) {
    let found = frame(session, width, height);
    assert_eq!(found, expect, "\n{}", found.join("\n"));
}

#[test]
fn a_board_in_boxes_with_its_counts_and_a_hint() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    look(&mut session);
    session.act(Command::Slide(Slide::Right), Duration::ZERO);
    look(&mut session);
    session.act(Command::Hint, NOW);
    check(
        &session,
        40,
        14,
        &[
            "npuzzle 3x3, goal last",
            "Time 1:05  STM 1  MTM 1  Distance 3  Los",
            "            ┌───┐┌───┐┌───┐",
            "            │ 1·││ 2·││ 3·│",
            "            └───┘└───┘└───┘",
            "                 ┌───┐┌───┐",
            "                 │←4 ││ 5 │",
            "                 └───┘└───┘",
            "            ┌───┐┌───┐┌───┐",
            "            │ 7·││ 8·││ 6 │",
            "            └───┘└───┘└───┘",
            "R+2 ▸",
            "Hint: 4 left.",
            "? keys  q quit  u undo  r redo  h hint",
        ],
    );
}

#[test]
fn a_board_that_has_no_room_for_boxes_shrinks_to_numbers() {
    let session = session("1 2 3 4/5 6 7 8/9 10 0 11/13 14 15 12", Letters::None);
    check(
        &session,
        50,
        9,
        &[
            "npuzzle 4x4, goal last",
            "Time 0:00  STM 0  MTM 0  Distance …  Lost …",
            "                   1·  2·  3·  4·",
            "                   5·  6·  7·  8·",
            "                   9· 10·  _  11",
            "                  13· 14· 15· 12",
            "",
            "",
            "? keys  q quit  u undo  r redo  h hint  s solve  s",
        ],
    );
}

#[test]
fn a_board_that_has_no_room_at_all_shows_the_part_around_the_gap() {
    let goal = Goal::Last.board("20x20".parse().unwrap()).unwrap();
    let session = session(&goal.slash().to_string(), Letters::None);
    check(
        &session,
        60,
        8,
        &[
            "npuzzle 20x20, goal last, rows 18-20, columns 9-20",
            "Time 0:00  STM 0  MTM 0",
            " 349· 350· 351· 352· 353· 354· 355· 356· 357· 358· 359· 360·",
            " 369· 370· 371· 372· 373· 374· 375· 376· 377· 378· 379· 380·",
            " 389· 390· 391· 392· 393· 394· 395· 396· 397· 398· 399·   _",
            "",
            "",
            "? keys  q quit  u undo  r redo  h hint  s solve  space play",
        ],
    );
}

#[test]
fn a_small_terminal_says_so_and_none_is_too_small_to_draw_on() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    check(&session, 23, 3, &["23x3 is too small:", "24x8 is needed.", ""]);
    for overlay in [None, Some(Command::Help), Some(Command::Ask)] {
        if let Some(command) = overlay {
            session.act(Command::Escape, NOW);
            session.act(command, NOW);
        }
        for (width, height) in (1..60).flat_map(|width| (1..26).map(move |height| (width, height)))
        {
            frame(&session, width, height);
        }
    }
}

#[test]
fn the_moves_ahead_stand_behind_the_sign_and_old_ones_give_way() {
    let mut session = session("1 2 3/4 5 6/7 8 0", Letters::None);
    for _ in 0..20 {
        for slide in [Slide::Right, Slide::Down, Slide::Left, Slide::Up] {
            session.act(Command::Slide(slide), NOW);
        }
    }
    for _ in 0..60 {
        session.act(Command::Back, NOW);
    }
    let moves = &frame(&session, 40, 20)[17];
    assert_eq!(moves, "…D L U R D L U R D L U ▸ R D L U R D L U");
    for _ in 0..20 {
        session.act(Command::Back, NOW);
    }
    assert_eq!(frame(&session, 20 + 10, 20)[17], " ▸ R D L U R D L U R D L U R D");
}

#[test]
fn help_names_the_keys_as_they_are() {
    for (letters, solve) in [(Letters::Wasd, "S  "), (Letters::Hjkl, "s  ")] {
        let mut session = session("1 2 3/4 0 5/7 8 6", letters);
        session.act(Command::Help, NOW);
        let lines = frame(&session, 80, 24);
        let line = lines.iter().find(|line| line.contains("solve, and play")).unwrap();
        assert!(line.contains(&format!("│ {solve}")), "{line}");
    }
}

#[test]
fn without_colour_there_is_none() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::None);
    look(&mut session);
    session.act(Command::Hint, NOW);
    let n_coloured = |is_coloured| {
        let buffer = buffer(&session, 60, 20, is_coloured);
        buffer.content().iter().filter(|cell| cell.fg != Color::Reset).count()
    };
    assert!(n_coloured(true) > 0);
    assert_eq!(n_coloured(false), 0);
}
