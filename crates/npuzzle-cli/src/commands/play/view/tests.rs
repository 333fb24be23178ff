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
            "1:05  STM 1  MTM 1  Dist 3  Waste 2",
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
            "? keys  q quit  u undo  r redo  h hint  s solve",
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
    check(&session, 19, 3, &["19x3 is too small:", "20x8 is needed.", ""]);
    for overlay in [None, Some(Action::Help(0)), Some(Action::OpenPrompt)] {
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
        session.act(Action::Help(0), NOW);
        let lines = frame(&session, 80, 24);
        let line = lines.iter().find(|line| line.contains("solve, and play")).unwrap();
        assert!(line.contains(&format!("│ {solve}")), "{line}");
    }
}

#[test]
fn help_of_a_narrow_terminal_wraps_and_scrolls() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    session.act(Action::Help(0), NOW);
    let lines = frame(&session, 40, 12);
    assert!(lines[0].starts_with("┌ Keys 1-10/"), "{}", lines.join("\n"));
    assert!(lines[11].contains(" ↑ ↓ PgUp PgDn scroll, Esc closes "), "{}", lines.join("\n"));
    session.act(Action::Help(usize::MAX), NOW);
    let text = frame(&session, 40, 12).join("\n");
    assert!(text.contains("│ L2+1") && text.contains("waste a move"), "{text}");
    assert!(frame(&session, 20, 8)[7].contains(" ↑ ↓ scroll "));
}

#[test]
fn help_is_complete_at_every_size() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::Wasd);
    session.act(Action::Help(0), NOW);
    let inner = |line: &String| line.trim_matches(['│', ' ']).to_owned();
    for (width, height) in [(20, 8), (24, 8), (33, 10), (40, 12), (60, 16), (80, 24)] {
        let mut seen: Vec<String> = Vec::new();
        let area = Rect::new(0, 0, width, height);
        loop {
            let Focus::Help(scroll) = focus(&session, area) else { panic!() };
            let lines = frame(&session, width, height);
            let is_help = |line: &&String| line.trim_start().starts_with('│');
            let shown: Vec<String> = lines.iter().filter(is_help).map(inner).collect();
            assert_eq!(shown.len(), scroll.page);
            seen.truncate(scroll.top);
            seen.extend(shown);
            let next = scroll.by(scroll.step());
            if next == scroll.top {
                break;
            }
            session.act(Action::Help(next), NOW);
        }
        let words = seen.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        for entry in ["arrows wasd slide a tile", "e enter a size, a size and moves, or a board"] {
            assert!(words.contains(entry), "{width}x{height}: {words}");
        }
        assert!(words.ends_with("L2+1 two slides left, which waste a move"), "{words}");
        session.act(Action::Help(0), NOW);
    }
}

#[test]
fn long_message_is_wrapped_above_the_keys() {
    let session = session("1 2 3/4 5 6/8 7 0", Letters::None);
    check(
        &session,
        40,
        12,
        &[
            "npuzzle 3x3, goal last",
            "Time 0:00  STM 0  MTM 0  Unsolvable",
            "",
            "",
            "                1· 2· 3·",
            "                4· 5· 6·",
            "                8  7  _",
            "",
            "",
            "Unsolvable: the parities of tiles and",
            "blank differ.",
            "? keys  q quit  u undo  r redo  h hint",
        ],
    );
    check(
        &session,
        20,
        8,
        &[
            "3x3, goal last",
            "0:00  STM 0  MTM 0",
            "      1· 2· 3·",
            "      4· 5· 6·",
            "Unsolvable: the",
            "parities of tiles",
            "and blank differ.",
            "? keys  q quit",
        ],
    );
}

#[test]
fn message_without_room_ends_with_an_ellipsis() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::None);
    session.receive(Update::Failed("reason ".repeat(40)), NOW);
    let lines = frame(&session, 20, 8);
    assert_eq!(lines[0], "3x3, goal last");
    assert_eq!(lines[1..6], ["reason reason reason"; 5]);
    assert_eq!(lines[6], "reason reason reaso…");
    assert_eq!(lines[7], "? keys  q quit");
}

#[test]
fn status_takes_a_second_line_if_the_board_keeps_its_look() {
    let board = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4";
    let session = session(board, Letters::None);
    let lines = frame(&session, 24, 10);
    assert_eq!(lines[1..3], ["0:00  STM 0  MTM 0", "Dist …  Waste …"]);
    assert_eq!(lines[3], "      7  11   6   3");
    let lines = frame(&session, 24, 9);
    assert_eq!(lines[1..3], ["0:00  STM 0  MTM 0", "      7  11   6   3"]);
    assert_eq!(frame(&session, 20, 8)[0], "4x4, rows 2-4");
}

#[test]
fn narrow_prompt_is_above_its_input() {
    let mut session = session("1 2 3/4 0 5/7 8 6", Letters::None);
    session.act(Action::OpenPrompt, NOW);
    session.act(Action::Paste("1 2 3/4 5 6/7 0 8".to_owned()), NOW);
    let lines = frame(&session, 20, 12);
    assert_eq!(
        lines[7..],
        [
            "New puzzle (4x4,",
            "4x4 30, or a",
            "board):",
            "1 2 3/4 5 6/7 0 8",
            "Enter ok  Esc cancel"
        ]
    );
    let lines = frame(&session, 80, 24);
    assert_eq!(lines[22], "New puzzle (4x4, 4x4 30, or a board): 1 2 3/4 5 6/7 0 8");
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
