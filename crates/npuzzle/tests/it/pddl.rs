//! Planning tasks in PDDL, executed by a small interpreter.

use std::collections::BTreeSet;

use npuzzle::format::{pddl_domain, pddl_problem};
use npuzzle::{Board, Goal, Instance, Random, Slide};
use npuzzle_testkit::pddl::{Fact, PlanningTask};

/// The facts that describe the cells of a board.
fn facts(task: &PlanningTask, board: &Board) -> BTreeSet<Fact> {
    let is_cell = |fact: &&Fact| fact[0] == "at" || fact[0] == "blank";
    let fixed = task.init.iter().filter(|fact| !is_cell(fact)).cloned();
    let cells = board.dims().all_cells().map(|cell| {
        let name = format!("r{}c{}", board.dims().row(cell) + 1, board.dims().col(cell) + 1);
        match board.tile(cell).number() {
            0 => vec!["blank".to_owned(), name],
            tile => vec!["at".to_owned(), format!("t{tile}"), name],
        }
    });
    fixed.chain(cells).collect()
}

#[test]
fn pddl_actions_are_the_slides_of_the_board() {
    let mut random = Random::new(1);
    for (size, goal) in [("2x3", Goal::Last), ("3x3", Goal::Snail), ("3x4", Goal::First)] {
        let goal_board = goal.board(size.parse().unwrap()).unwrap();
        for _ in 0..4 {
            let puzzle = random.instance(&goal_board, true);
            let task = PlanningTask::read(pddl_domain(), &pddl_problem(&puzzle));
            assert_eq!(facts(&task, puzzle.start()), task.init);
            assert!(task.goal.is_subset(&facts(&task, puzzle.goal())));
            assert_eq!(task.goal.len(), puzzle.dims().cells() - 1);
            let successors: BTreeSet<_> = task.successors(&task.init).into_iter().collect();
            let slides: BTreeSet<_> = puzzle
                .start()
                .slides()
                .map(|slide| {
                    let mut board = puzzle.start().clone();
                    board.slide(slide);
                    (slide.to_string().to_lowercase(), facts(&task, &board))
                })
                .collect();
            assert_eq!(successors, slides);
        }
    }
}

#[test]
fn pddl_plans_are_solutions_in_the_notation_tile() {
    let puzzle: Instance = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    let task = PlanningTask::read(pddl_domain(), &pddl_problem(&puzzle));
    let moves = npuzzle::solve(puzzle.clone()).unwrap().moves().unwrap().clone();
    let mut state = task.init.clone();
    for slide in moves {
        let name = Slide::to_string(&slide).to_lowercase();
        let next = task.successors(&state).into_iter().find(|(action, _)| *action == name);
        assert!(!task.goal.is_subset(&state));
        state = next.unwrap().1;
    }
    assert!(task.goal.is_subset(&state));
}
