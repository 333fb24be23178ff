//! Whole games without a terminal and without a thread: news are made on the spot.

use npuzzle::{Moves, Options, Tables};

use super::*;
use crate::commands::play::engine::News;
use crate::commands::play::keys::Letters;

const NOW: Duration = Duration::from_secs(1);

fn session(board: &str) -> Session {
    let controls = Controls { sense: Sense::Tile, letters: Letters::None };
    let maker = Maker { goal: Goal::Last, moves: None, random: Random::new(1) };
    Session::new(board.parse().unwrap(), Metric::Stm, controls, maker)
}

/// Answers everything that is wanted.
fn settle(session: &mut Session) {
    let mut tables = Tables::new();
    while let Some(task) = session.wanted() {
        let options = Options::default();
        let news = match task {
            Task::Analyse(instance) => {
                let analysis = options.analyse(&instance, &mut tables, &mut ()).unwrap();
                News::Analysed(instance.start().clone(), analysis)
            }
            Task::Solve(instance) | Task::Hint(instance) => {
                let report = options.solve_with(&instance, &mut tables, &mut ()).unwrap();
                News::Solved(Box::new(report))
            }
            Task::Make { goal, .. } => News::Generated(Random::new(2).instance(&goal, true)),
        };
        session.hear(news, NOW);
    }
}

fn moves(session: &mut Session, moves: &str) {
    for &slide in moves.parse::<Moves>().unwrap().slides() {
        assert_eq!(session.act(Command::Slide(slide), NOW), Next::GoOn);
    }
}

#[test]
fn distances_and_losses_follow_the_game() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    settle(&mut session);
    assert_eq!(session.ledger().distance(session.game().board()), Some(2));
    moves(&mut session, "R L");
    settle(&mut session);
    assert_eq!(session.ledger().lost(session.game()), Some(2));
    let losses: Vec<_> = session.ledger().entries(session.game()).iter().map(|e| e.loss).collect();
    assert_eq!(losses, [Some(2), Some(0)]);
}

#[test]
fn the_end_is_praised_with_the_shortest_there_is() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    moves(&mut session, "L U");
    assert_eq!(session.message(NOW), "Solved in 2 STM / 2 MTM, 0:00.");
    settle(&mut session);
    assert_eq!(session.message(NOW), "Solved in 2 STM / 2 MTM, 0:00: as short as can be.");
    session.act(Command::First, NOW);
    moves(&mut session, "R L L U");
    settle(&mut session);
    let praise = "Solved in 4 STM / 3 MTM, 0:00; a shortest solution has 2.";
    assert_eq!(session.message(NOW), praise);
}

#[test]
fn a_hint_marks_the_best_move_until_one_is_made() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    session.act(Command::Hint, NOW);
    assert!(session.message(NOW).starts_with("Looking for a hint"));
    assert!(session.marks().is_empty());
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 5 left.");
    assert_eq!(session.marks(), [Best { slide: Slide::Left, count: 1 }]);
    moves(&mut session, "L");
    assert!(session.marks().is_empty());
}

#[test]
fn large_boards_have_hints_too() {
    let goal = Goal::Last.board("5x5".parse().unwrap()).unwrap();
    let mut board = goal.clone();
    board.slide(Slide::Down);
    let mut session = session(&board.slash().to_string());
    assert_eq!(session.wanted(), None, "distances of large boards are not asked for");
    session.act(Command::Hint, NOW);
    assert!(matches!(session.wanted(), Some(Task::Hint(_))));
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 20 up.");
}

#[test]
fn a_solution_is_played_to_its_end() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Command::Solve, NOW);
    assert!(session.message(NOW).starts_with("Solving …"));
    settle(&mut session);
    let message = session.message(NOW);
    assert!(message.starts_with("Solution: 14 STM / "), "{message}");
    assert!(message.ends_with(" MTM, a shortest."), "{message}");
    assert_eq!((session.game().at(), session.game().line().len()), (0, 14));
    let mut now = NOW;
    while let Some(wait) = session.wait(now) {
        now += wait;
        session.tick(now);
    }
    assert!(session.game().is_solved());
    assert_eq!(session.message(now), "Move 14 of 14: solved.");
    assert_eq!(now, NOW + 14 * Duration::from_millis(300));
    session.act(Command::Back, now);
    session.act(Command::Run, now);
    assert!(session.wait(now).is_some());
    session.act(Command::Run, now);
    assert!(session.wait(now).is_none());
}

#[test]
fn a_move_ends_the_search_for_the_board_before() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Command::Solve, NOW);
    assert!(matches!(session.wanted(), Some(Task::Solve(_))));
    moves(&mut session, "U");
    assert!(matches!(session.wanted(), Some(Task::Analyse(_))));
    session.act(Command::Solve, NOW);
    session.act(Command::Escape, NOW);
    assert_eq!(session.message(NOW), "Cancelled.");
}

fn type_in(session: &mut Session, text: &str) {
    session.act(Command::Ask, NOW);
    for letter in text.chars() {
        session.act(Command::Type(letter), NOW);
    }
    session.act(Command::Enter, NOW);
}

#[test]
fn new_puzzles_are_of_the_size_and_difficulty_that_is_typed() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    type_in(&mut session, "2x4");
    assert_eq!(session.game().board().dims().to_string(), "2x4");
    type_in(&mut session, "3x3 20");
    let Some(Task::Make { goal, moves: 20, .. }) = session.wanted() else { panic!() };
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
fn scrambles_are_other_boards_that_can_be_solved() {
    let mut session = session("1 2 3/4 5 6/7 8 0");
    let mut seen = vec![session.game().board().clone()];
    for _ in 0..5 {
        session.act(Command::Scramble, NOW);
        assert!(session.game().instance().is_solvable());
        assert!(!seen.contains(session.game().board()));
        seen.push(session.game().board().clone());
    }
}

#[test]
fn a_board_without_a_solution_is_told_and_nothing_is_searched() {
    let mut session = session("1 2 3/4 5 6/8 7 0");
    assert!(session.message(NOW).starts_with("unsolvable:"));
    session.act(Command::Solve, NOW);
    session.act(Command::Hint, NOW);
    assert_eq!(session.wanted(), None);
}

#[test]
fn nothing_is_asked_of_a_solved_board() {
    let mut session = session("1 2 3/4 5 6/7 8 0");
    settle(&mut session);
    session.act(Command::Hint, NOW);
    assert_eq!(session.message(NOW), "The board is solved.");
    session.act(Command::Run, NOW);
    assert_eq!(session.message(NOW), "No moves to play yet: s solves.");
}

#[test]
fn quitting_and_interrupting_are_told_apart() {
    let mut session = session("1 2/0 3");
    assert_eq!(session.act(Command::Quit, NOW), Next::Quit);
    assert_eq!(session.act(Command::Interrupt, NOW), Next::Interrupt);
}

#[test]
fn what_nobody_waits_for_any_more_is_not_heard() {
    let mut session = session("8 1 3/4 0 2/7 6 5");
    session.act(Command::Solve, NOW);
    let Some(Task::Solve(instance)) = session.wanted() else { panic!() };
    let report = || News::Solved(Box::new(npuzzle::solve(instance.clone()).unwrap()));
    session.act(Command::Escape, NOW);
    session.hear(report(), NOW);
    assert!(session.game().line().is_empty());
    assert_eq!(session.message(NOW), "Cancelled.");
}

#[test]
fn hints_on_larger_boards_lead_along_one_way() {
    let mut session = session("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 0 18 19/21 22 23 24 20");
    for _ in 0..40 {
        if session.game().is_solved() {
            return;
        }
        session.act(Command::Hint, NOW);
        settle(&mut session);
        let [Best { slide, .. }] = session.marks()[..] else { panic!("{}", session.message(NOW)) };
        moves(&mut session, &slide.letter().to_string());
    }
    panic!("not solved: {}", session.game().board().slash());
}

#[test]
fn a_search_that_ran_out_of_time_forgets_no_distance_and_leaves_a_hint() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    settle(&mut session);
    let board = session.game().board().clone();
    let unknown = npuzzle::teaching::Analysis { distance: None, moves: vec![], stopped: None };
    session.hear(News::Analysed(board.clone(), unknown), NOW);
    assert_eq!(session.ledger().distance(&board), Some(2));
    session.act(Command::Hint, NOW);
    assert!(matches!(session.wanted(), Some(Task::Hint(_))));
    settle(&mut session);
    assert_eq!(session.message(NOW), "Hint: 5 left.");
}

#[test]
fn a_board_is_pasted_line_by_line() {
    let mut session = session("1 2 3/4 0 5/7 8 6");
    session.act(Command::Paste("5 1 3\n4 2 0\r\n7 8 6\n".to_owned()), NOW);
    assert_eq!(session.overlay(), &Overlay::Prompt("5 1 3/4 2 0/7 8 6".to_owned()));
    session.act(Command::Enter, NOW);
    assert_eq!(session.game().board().slash().to_string(), "5 1 3/4 2 0/7 8 6");
}
