//! `npuzzle convert --to pddl`: a puzzle as a planning task.

use npuzzle::format::{pddl_domain, pddl_problem};
use npuzzle::{Board, Instance};

use crate::args::ConvertArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};

/// Writes the problem of the only board, and the domain to its own file or before the problem.
pub(super) fn convert(args: &ConvertArgs) -> Result<Exit, Failure> {
    let [arg] = &args.inputs[..] else {
        return Err(Failure::usage(
            "--to pddl converts one board, because a problem has its own file",
        ));
    };
    output::check_inputs(&args.inputs, &[&args.out.out, &args.domain])?;
    let entry = Input::from_arg(arg)?.one_board(args.board.format)?;
    let puzzle = instance(args, entry.board, entry.goal)?;
    let [problem_file, domain_file] = output::open_all([args.out.path(), args.domain.as_deref()])?;
    let mut problem = pddl_problem(&puzzle);
    match domain_file {
        Some(file) => file.write_all(pddl_domain().as_bytes())?,
        None => problem.insert_str(0, pddl_domain()),
    }
    let output = problem_file.map_or_else(|| Output::open(None), Ok)?;
    output.write_all(problem.as_bytes())?;
    Ok(Exit::Yes)
}

fn instance(args: &ConvertArgs, board: Board, goal: Option<Board>) -> Result<Instance, Failure> {
    Instance::new(board, &args.board.goal_or(goal)).map_err(Failure::usage)
}
