//! Frames as text.

use npuzzle::{Goal, Metric, Options, Random, Tables};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::args::{Arrows, Letters};
use crate::commands::play::keys::{Action, Controls};
use crate::commands::play::session::BoardSpec;
use crate::commands::play::task_thread::{Task, Update};

const NOW: Duration = Duration::from_secs(65);

fn session(board: &str, letters: Letters) -> Session {
    let controls = Controls { arrows: Arrows::Tile, letters };
    let new_boards = BoardSpec { goal: Goal::Last, moves: None, random: Random::new(1) };
    Session::new(board.parse().unwrap(), Metric::Stm, controls, new_boards)
}

/// Answers requests for analyses.
fn analyze(session: &mut Session) {
    while let Some(Task::Analyze(instance)) = session.requested() {
        let analysis = Options::default().analyze(&instance, &mut Tables::new(), &mut ()).unwrap();
        session.receive(Update::Analyzed(instance.start().clone(), analysis), NOW);
    }
}

fn buffer(session: &Session, width: u16, height: u16, is_colored: bool) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, session, NOW, is_colored)).unwrap();
    terminal.backend().buffer().clone()
}

/// The lines of a frame without trailing spaces.
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
fn board_in_boxes_with_counts_and_hint() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    analyze(&mut session);
    session.act(Action::Slide(Slide::Right), Duration::ZERO);
    analyze(&mut session);
    session.act(Action::Hint, NOW);
    check(
        &session,
        40,
        14,
        &[
            "npuzzle 3x3, goal last",
            "Time 1:05  STM 1  MTM 1  Distance 3  Was",
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
fn board_without_room_for_boxes_shows_numbers() {
    let session = session("1 2 3 4/5 6 7 8/9 10 0 11/13 14 15 12", Letters::None);
    check(
        &session,
        50,
        9,
        &[
            "npuzzle 4x4, goal last",
            "Time 0:00  STM 0  MTM 0  Distance …  Wasted …",
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
fn board_without_room_shows_part_around_the_blank() {
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
fn small_terminal_shows_the_minimum_size() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    check(&session, 23, 3, &["23x3 is too small:", "24x8 is needed.", ""]);
    for overlay in [None, Some(Action::Help), Some(Action::OpenPrompt)] {
        if let Some(action) = overlay {
            session.act(Action::Escape, NOW);
            session.act(action, NOW);
        }
        for (width, height) in (1..60).flat_map(|width| (1..26).map(move |height| (width, height)))
        {
            frame(&session, width, height);
        }
    }
}

#[test]
fn following_moves_come_after_the_mark() {
    let mut session = session("1 2 3/4 5 6/7 8 0", Letters::None);
    for _ in 0..20 {
        for slide in [Slide::Right, Slide::Down, Slide::Left, Slide::Up] {
            session.act(Action::Slide(slide), NOW);
        }
    }
    for _ in 0..60 {
        session.act(Action::Undo, NOW);
    }
    let moves = &frame(&session, 40, 20)[17];
    assert_eq!(moves, "…D L U R D L U R D L U ▸ R D L U R D L U");
    for _ in 0..20 {
        session.act(Action::Undo, NOW);
    }
    assert_eq!(frame(&session, 20 + 10, 20)[17], " ▸ R D L U R D L U R D L U R D");
}

#[test]
fn help_names_the_current_keys() {
    for (letters, solve) in [(Letters::Wasd, "S  "), (Letters::Hjkl, "s  ")] {
        let mut session = session("1 2 3/4 0 5/7 8 6", letters);
        session.act(Action::Help, NOW);
        let lines = frame(&session, 80, 24);
        let line = lines.iter().find(|line| line.contains("solve, and play")).unwrap();
        assert!(line.contains(&format!("│ {solve}")), "{line}");
    }
}

#[test]
fn no_color_draws_without_color() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::None);
    analyze(&mut session);
    session.act(Action::Hint, NOW);
    let n_colored = |is_colored| {
        let buffer = buffer(&session, 60, 20, is_colored);
        buffer.content().iter().filter(|cell| cell.fg != Color::Reset).count()
    };
    assert!(n_colored(true) > 0);
    assert_eq!(n_colored(false), 0);
}
