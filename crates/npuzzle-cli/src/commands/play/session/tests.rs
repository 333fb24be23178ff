//! Whole games without terminal and threads: searches are answered immediately.

use npuzzle::{Moves, Options, Tables};

use super::*;
use crate::args::Letters;
use crate::commands::play::task_thread::Update;

const NOW: Duration = Duration::from_secs(1);

fn session(board: &str) -> Session {
    let controls = Controls { arrows: Arrows::Tile, letters: Letters::None };
    let new_boards = BoardSpec { goal: Goal::Last, moves: None, random: Random::new(1) };
    Session::new(board.parse().unwrap(), Metric::Stm, controls, new_boards)
}

/// Answers all requests.
fn settle(session: &mut Session) {
    let mut tables = Tables::new();
    while let Some(task) = session.requested() {
        let options = Options::default();
        let update = match task {
            Task::Analyze(instance) => {
                let analysis = options.analyze(&instance, &mut tables, &mut ()).unwrap();
                Update::Analyzed(instance.start().clone(), analysis)
            }
            Task::Solve(instance) | Task::Hint(instance) => {
                let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
                Update::Solved(Box::new(report))
            }
            Task::Generate { goal, .. } => Update::Generated(Random::new(2).instance(&goal, true)),
        };
        session.receive(update, NOW);
    }
}

fn moves(session: &mut Session, moves: &str) {
    for &slide in moves.parse::<Moves>().unwrap().slides() {
        assert_eq!(session.act(Action::Slide(slide), NOW), Next::Continue);
    }
}

#[test]
fn distances_and_losses_follow_the_game() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    settle(&mut session);
    assert_eq!(session.losses().distance(session.game().board()), Some(2));
    moves(&mut session, "R L");
    settle(&mut session);
    assert_eq!(session.losses().total(session.game()), Some(2));
    let losses: Vec<_> = session.losses().runs(session.game()).iter().map(|run| run.loss).collect();
    assert_eq!(losses, [Some(2), Some(0)]);
}

#[test]
fn solved_message_names_the_shortest_length() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    moves(&mut session, "L U");
    assert_eq!(session.message(NOW), "Solved in 2 STM / 2 MTM, 0:00.");
    settle(&mut session);
    assert_eq!(session.message(NOW), "Solved in 2 STM / 2 MTM, 0:00; a shortest solution.");
    session.act(Action::First, NOW);
    moves(&mut session, "R L L U");
    settle(&mut session);
    let expect = "Solved in 4 STM / 3 MTM, 0:00; a shortest solution has 2.";
    assert_eq!(session.message(NOW), expect);
}

#[test]
fn hint_marks_the_best_move_until_a_move() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    session.act(Action::Hint, NOW);
    assert!(session.message(NOW).starts_with("Looking for a hint"));
    assert!(session.marks().is_empty());
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 5 left.");
    assert_eq!(session.marks(), [BestMove { slide: Slide::Left, count: 1 }]);
    moves(&mut session, "L");
    assert!(session.marks().is_empty());
}

#[test]
fn large_boards_have_hints() {
    let goal = Goal::Last.board("5x5".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    board.slide(Slide::Down);
    let mut session = session(&board.slash().to_string());
    assert_eq!(session.requested(), None, "distances of large boards are not requested");
    session.act(Action::Hint, NOW);
    assert!(matches!(session.requested(), Some(Task::Hint(_))));
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 20 up.");
}

#[test]
fn solution_plays_to_its_end() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Action::Solve, NOW);
    assert!(session.message(NOW).starts_with("Solving …"));
    settle(&mut session);
    let message = session.message(NOW);
    assert!(message.starts_with("Solution: 14 STM / "), "{message}");
    assert!(message.ends_with(" MTM, shortest."), "{message}");
    assert_eq!((session.game().position(), session.game().moves().len()), (0, 14));
    let mut now = NOW;
    while let Some(wait) = session.wait(now) {
        now += wait;
        session.tick(now);
    }
    assert!(session.game().is_solved());
    assert_eq!(session.message(now), "Move 14 of 14: solved.");
    assert_eq!(now, NOW + 14 * Duration::from_millis(300));
    session.act(Action::Undo, now);
    session.act(Action::PlayPause, now);
    assert!(session.wait(now).is_some());
    session.act(Action::PlayPause, now);
    assert!(session.wait(now).is_none());
}

#[test]
fn move_cancels_the_search_for_the_last_board() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Action::Solve, NOW);
    assert!(matches!(session.requested(), Some(Task::Solve(_))));
    moves(&mut session, "U");
    assert!(matches!(session.requested(), Some(Task::Analyze(_))));
    session.act(Action::Solve, NOW);
    session.act(Action::Escape, NOW);
    assert_eq!(session.message(NOW), "Cancelled.");
}

fn type_in(session: &mut Session, text: &str) {
    session.act(Action::OpenPrompt, NOW);
    for letter in text.chars() {
        session.act(Action::Type(letter), NOW);
    }
    session.act(Action::Enter, NOW);
}

#[test]
fn prompt_loads_sizes_lengths_and_boards() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    type_in(&mut session, "2x4");
    assert_eq!(session.game().board().dims().to_string(), "2x4");
    type_in(&mut session, "3x3 20");
    let Some(Task::Generate { goal, moves: 20, .. }) = session.requested() else { panic!() };
    assert_eq!(goal.slash().to_string(), "1 2 3/4 5 6/7 8 0");
    settle(&mut session);
    assert_eq!(session.game().board().dims().to_string(), "3x3");
    type_in(&mut session, "1 2 3/4 5 6/7 0 8");
    assert_eq!(session.game().board().slash().to_string(), "1 2 3/4 5 6/7 0 8");
    type_in(&mut session, "1 2 3/4 5 6/7 8 9");
    assert!(session.message(NOW).starts_with("tile 9 is out of range"), "{}", session.message(NOW));
    assert_eq!(session.game().board().slash().to_string(), "1 2 3/4 5 6/7 0 8");
}

#[test]
fn new_puzzles_differ_and_are_solvable() {
    let mut session = session("1 2 3/4 5 6/7 8 0");
    let mut seen = vec![session.game().board().clone()];
    for _ in 0..5 {
        session.act(Action::NewPuzzle, NOW);
        assert!(session.game().instance().is_solvable());
        assert!(!seen.contains(session.game().board()));
        seen.push(session.game().board().clone());
    }
}

#[test]
fn unsolvable_board_requests_no_search() {
    let mut session = session("1 2 3/4 5 6/8 7 0");
    assert!(session.message(NOW).starts_with("Unsolvable:"));
    session.act(Action::Solve, NOW);
    session.act(Action::Hint, NOW);
    assert_eq!(session.requested(), None);
}

#[test]
fn solved_board_requests_no_search() {
    let mut session = session("1 2 3/4 5 6/7 8 0");
    settle(&mut session);
    session.act(Action::Hint, NOW);
    assert_eq!(session.message(NOW), "The board is solved.");
    session.act(Action::PlayPause, NOW);
    assert_eq!(session.message(NOW), "No moves to play yet: s solves.");
}

#[test]
fn quit_and_interrupt_are_distinct() {
    let mut session = session("1 2/0 3");
    assert_eq!(session.act(Action::Quit, NOW), Next::Quit);
    assert_eq!(session.act(Action::Interrupt, NOW), Next::Interrupt);
}

#[test]
fn updates_of_cancelled_requests_are_ignored() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Action::Solve, NOW);
    let Some(Task::Solve(instance)) = session.requested() else { panic!() };
    let report = || Update::Solved(Box::new(npuzzle::solve(instance.clone()).unwrap()));
    session.act(Action::Escape, NOW);
    session.receive(report(), NOW);
    assert!(session.game().moves().is_empty());
    assert_eq!(session.message(NOW), "Cancelled.");
}

#[test]
fn hints_on_large_boards_follow_one_path() {
    let mut session = session("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 0 18 19/21 22 23 24 20");
    for _ in 0..40 {
        if session.game().is_solved() {
            return;
        }
        session.act(Action::Hint, NOW);
        settle(&mut session);
        let [BestMove { slide, .. }] = session.marks()[..] else {
            panic!("{}", session.message(NOW))
        };
        moves(&mut session, &slide.letter().to_string());
    }
    panic!("not solved: {}", session.game().board().slash());
}

#[test]
fn timed_out_analysis_keeps_distance_and_hint() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    settle(&mut session);
    let board = session.game().board().clone();
    let unknown = npuzzle::teaching::Analysis { distance: None, moves: vec![], stopped: None };
    session.receive(Update::Analyzed(board.clone(), unknown), NOW);
    assert_eq!(session.losses().distance(&board), Some(2));
    session.act(Action::Hint, NOW);
    assert!(matches!(session.requested(), Some(Task::Hint(_))));
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 5 left.");
}

#[test]
fn pasted_lines_become_rows() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    session.act(Action::Paste("5 1 3\n4 2 0\r\n7 8 6\n".to_owned()), NOW);
    assert_eq!(session.overlay(), &Overlay::Prompt("5 1 3/4 2 0/7 8 6".to_owned()));
    session.act(Action::Enter, NOW);
    assert_eq!(session.game().board().slash().to_string(), "5 1 3/4 2 0/7 8 6");
}
