//! `npuzzle play` in a pseudo-terminal. Tests wait for screen contents, never for a time.

#![cfg(unix)]

pub(crate) mod terminal;

use crate::program::run;
use terminal::Terminal;

const EASY: &str = "1 2 3/4 0 5/7 8 6";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const END: &str = "\x1b[F";
const CTRL_C: &str = "\x03";

#[test]
fn play_without_terminal_fails() {
    let ran = run(["play", EASY]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(ran.stderr, "npuzzle: play requires a terminal as standard input and output\n");
}

#[test]
fn play_reports_a_bad_board_before_drawing() {
    let ran = run(["play", "1 2 3/4 5 6/7 8 9"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("tile 9 is out of range"), "{}", ran.stderr);
}

#[test]
fn play_by_keys() {
    let mut terminal = Terminal::start(&["play", EASY]);
    terminal.wait_for("Distance 2  Wasted 0");
    assert!(terminal.is_taken());
    terminal.send(RIGHT);
    terminal.wait_for("STM 1  MTM 1  Distance 3  Wasted 2");
    terminal.wait_for("R+2 ▸");
    terminal.send("u");
    terminal.wait_for("STM 0  MTM 0  Distance 2  Wasted 0");
    terminal.send("r");
    terminal.wait_for("STM 1");
    terminal.send("u");
    terminal.wait_for("STM 0");
    terminal.send("h");
    terminal.wait_for("Hint: 5 left.");
    terminal.wait_for("←5");
    // A letter acts as an arrow.
    terminal.send("a");
    terminal.wait_for("STM 1  MTM 1  Distance 1");
    terminal.send(UP);
    terminal.wait_for("Solved in 2 STM / 2 MTM");
    terminal.wait_for("; a shortest solution.");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_arrows_can_move_the_blank() {
    let mut terminal = Terminal::start(&["play", EASY, "--arrows", "blank", "--letters", "hjkl"]);
    terminal.wait_for("Distance 2");
    terminal.send("l");
    terminal.wait_for("STM 1  MTM 1  Distance 1");
    terminal.send("x");
    terminal.wait_for("Arrows move a tile.");
    terminal.send(LEFT);
    terminal.send("k");
    terminal.wait_for("Solved in 2 STM");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_click_slides_tiles_up_to_the_blank() {
    let mut terminal = Terminal::start(&["play", "0 1 2/4 5 3/7 8 6"]);
    terminal.wait_for("Distance 4");
    let (row, col) = terminal.place_of("│ 2 │");
    terminal.click(row, col + 2);
    terminal.wait_for("STM 2  MTM 1  Distance 2  Wasted 0");
    // Not in a row or column with the blank.
    let (row, col) = terminal.place_of("│ 5·│");
    terminal.click(row, col + 2);
    let (row, col) = terminal.place_of("│ 6 │");
    terminal.click(row, col + 2);
    terminal.wait_for("Solved in 4 STM / 2 MTM");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_shows_a_solution_to_its_end() {
    let board = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4";
    let mut terminal = Terminal::start(&["play", board]);
    terminal.wait_for("Distance 43");
    terminal.send("+++S");
    terminal.wait_for("Move 43 of 43: solved.");
    terminal.wait_for("STM 43 ");
    terminal.wait_for("Distance 0  Wasted 0");
    for row in ["│  1·││  2·││  3·││  4·│", "│ 13·││ 14·││ 15·│"]
    {
        terminal.wait_for(row);
    }
    // Single steps.
    terminal.send("u");
    terminal.wait_for("STM 42");
    terminal.send("\x1b[H");
    terminal.wait_for("STM 0");
    terminal.send("r");
    terminal.wait_for("STM 1 ");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_escape_or_move_cancels_a_search() {
    // A board of 80 moves, whose search takes longer than the timeout of the test.
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let mut terminal = Terminal::start(&["play", hard, "--no-cache"]);
    terminal.wait_for("Distance …");
    terminal.send("S");
    terminal.wait_for("Solving …");
    terminal.send("\x1b");
    terminal.wait_for("Cancelled.");
    terminal.send("S");
    terminal.wait_for("Solving …");
    terminal.send(UP);
    terminal.wait_for("STM 1");
    terminal.wait_until(|screen| !screen.contains("Solving"));
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_creates_new_puzzles() {
    let mut terminal = Terminal::start(&["play", "--size", "3x3", "--moves", "20", "--seed", "5"]);
    terminal.wait_for("Distance 20");
    let tiles = |screen: &str| screen.lines().filter(|line| line.contains('│')).collect::<String>();
    let first = tiles(&terminal.text());
    terminal.send("n");
    terminal.wait_until(|screen| tiles(screen) != first && screen.contains("Distance 20"));
    terminal.send("e2x3 7\r");
    terminal.wait_for("npuzzle 2x3");
    terminal.wait_for("Distance 7");
    terminal.send("e1 2 3/4 5 6/8 7 0\r");
    terminal.wait_for("Unsolvable");
    terminal.wait_for("Unsolvable: ");
    terminal.send("e9x9 nonsense\r");
    terminal.wait_for("is not a number of moves");
    terminal.send("?");
    terminal.wait_for("undo, redo");
    terminal.send("?");
    terminal.wait_until(|screen| !screen.contains("undo, redo"));
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_adapts_to_the_terminal_size() {
    let mut terminal = Terminal::start(&["play", "--size", "9x9", "--seed", "1"]);
    terminal.wait_for("npuzzle 9x9, goal last");
    assert!(!terminal.text().contains('┌'), "{}", terminal.text());
    terminal.resize(40, 100);
    terminal.wait_for("┌");
    terminal.resize(10, 30);
    terminal.wait_for("9x9, rows ");
    terminal.resize(4, 20);
    terminal.wait_for("20x4 is too small:");
    terminal.resize(24, 80);
    terminal.wait_for("npuzzle 9x9, goal last");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn play_help_scrolls_in_a_small_terminal() {
    let mut terminal = Terminal::start(&["play", EASY]);
    terminal.wait_for("Distance 2");
    terminal.resize(12, 40);
    terminal.wait_for("Dist 2");
    terminal.send("?");
    terminal.wait_for("Keys 1-10/");
    terminal.send(DOWN);
    terminal.wait_for("Keys 2-11/");
    terminal.send(END);
    terminal.wait_for("two slides left, which");
    // Scrolling back begins at once, although the list was at its end before.
    terminal.send(DOWN);
    terminal.send(UP);
    terminal.wait_for("enter a size, a size");
    // After a resize, the list is whole and every key closes it.
    terminal.resize(24, 80);
    terminal.wait_for("Esc closes");
    terminal.wait_for("arrows wasd   slide");
    terminal.send(DOWN);
    terminal.wait_until(|screen| !screen.contains("Keys"));
    terminal.wait_for("STM 0");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn control_c_restores_the_terminal() {
    let mut terminal = Terminal::start(&["play", EASY]);
    terminal.wait_for("Distance 2");
    terminal.send(CTRL_C);
    assert_eq!(terminal.end(), 130);
}

#[test]
fn play_ends_with_its_terminal() {
    assert_eq!(terminal::close_after(&["play", EASY], b"STM"), 130);
}

#[test]
fn signal_restores_the_terminal() {
    let mut terminal = Terminal::start(&["play", EASY]);
    terminal.wait_for("Distance 2");
    terminal.signal("-TERM");
    assert_eq!(terminal.end(), 130);
}
