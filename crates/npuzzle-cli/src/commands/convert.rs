//! `npuzzle convert`: converts boards between formats and moves between notations.

mod planning;

use npuzzle::format::{self, Entry, Format, WriteError};
use npuzzle::{Board, Moves, MovesError, Notation};

use super::check::read_solution;
use crate::args::{ConvertArgs, ConvertTarget, goal_board};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::messages;

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let notation = args.notation.map(Notation::from);
    let from = args.from.map(Notation::from);
    output::check_inputs(args.inputs.iter().chain(&args.moves), &[&args.out.out])?;
    if let Some(arg) = &args.moves {
        let input = read_solution(arg, "--moves")?;
        let moves = convert_moves(args, &input, from, notation.unwrap_or_default())?;
        return finish(args, &moves).map(|()| Exit::Yes);
    }
    if from == Some(Notation::Boards) {
        let moves = join_boards(args, notation.unwrap_or_default())?;
        return finish(args, &moves).map(|()| Exit::Yes);
    }
    if from.is_some() || notation.is_some() || args.compact {
        let message = "--from, --notation and --compact require --moves or --from boards";
        return Err(Failure::usage(message));
    }
    match args.to {
        ConvertTarget::Pddl => planning::convert(args),
        ConvertTarget::Format(_) if args.domain.is_some() => {
            Err(Failure::usage("--domain requires --to pddl"))
        }
        ConvertTarget::Format(format) => convert_boards(args, format),
    }
}

/// Converts all boards. Those that cannot be read or written are reported and left out.
fn convert_boards(args: &ConvertArgs, to: Format) -> Result<Exit, Failure> {
    let mut exit = Exit::Yes;
    let mut text = String::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.board.format) {
            let converted = entry.map_err(|error| error.render(&input.source)).and_then(|entry| {
                write_board(args, &entry, to)
                    .map_err(|error| format!("{}:{}: {error}", input.source, entry.line))
            });
            match converted {
                Ok(board) => {
                    // Boards of several lines are separated by empty lines.
                    if !text.is_empty() && board.trim_end().contains('\n') {
                        text.push('\n');
                    }
                    text.push_str(&board);
                }
                Err(message) => {
                    messages::error(message);
                    exit = Exit::Usage;
                }
            }
        }
    }
    if exit == Exit::Yes || !text.is_empty() {
        finish(args, &text)?;
    }
    Ok(exit)
}

fn write_board(args: &ConvertArgs, entry: &Entry, to: Format) -> Result<String, String> {
    let dims = entry.board.dims();
    let goal = match &args.board.goal {
        Some(goal) => Some(goal_board(goal, dims).map_err(|failure| failure.to_string())?),
        None => entry.goal.clone(),
    };
    // The goal of the input is dropped if the format has none; the goal of the flag is not.
    let written = match format::write(&entry.board, goal.as_ref(), to) {
        Err(WriteError::CarriesNoGoal { .. }) if args.board.goal.is_none() => {
            format::write(&entry.board, None, to)
        }
        written => written,
    };
    written.map_err(|error| error.to_string())
}

fn convert_moves(
    args: &ConvertArgs,
    input: &Input,
    from: Option<Notation>,
    to: Notation,
) -> Result<String, Failure> {
    let start = match &args.inputs[..] {
        [] => None,
        [arg] => Some(Input::from_arg(arg)?.one_board(args.board.format)?.board),
        _ => return Err(Failure::usage("--moves allows only one board, the start")),
    };
    if let (Some(notation), Some(start)) = (args.notation, &start) {
        notation.check(start.dims())?;
    }
    let start_missing = || {
        Failure::usage(
            "tile numbers, boards and --apply require the board at which the moves start",
        )
    };
    let invalid = |error: MovesError| input.error_at(error.column() - 1, error.message());
    let moves = match (from.unwrap_or_default(), &start) {
        (Notation::Boards, _) => {
            let message = "--from boards reads boards from the input, not from --moves";
            return Err(Failure::usage(message));
        }
        // Moves to be inverted may end at the start instead.
        (notation, Some(start)) if !args.inverse => input.moves(notation, start)?,
        (Notation::Tile, _) => input.text.parse().map_err(invalid)?,
        (Notation::Blank, _) => opposite(&input.text.parse().map_err(invalid)?),
        (Notation::Numbers, Some(start)) => {
            Moves::from_numbers(&input.text, start).map_err(invalid)?
        }
        (Notation::Numbers, None) => return Err(start_missing()),
    };
    let replayed = |moves: &Moves, start: Board| {
        moves.replay(&start).map_err(|error| Failure::usage(format!("--moves: {error}")))
    };
    let converted = if args.inverse { moves.inverse() } else { moves.clone() };
    if args.apply {
        let ConvertTarget::Format(format) = args.to else {
            return Err(Failure::usage("--apply writes a board: choose another format than pddl"));
        };
        let board = replayed(&converted, start.ok_or_else(start_missing)?)?;
        return format::write(&board, None, format).map_err(Failure::usage);
    }
    // The inverse starts where the moves end.
    let start = match start {
        Some(start) if args.inverse => Some(replayed(&moves, start)?),
        start => start,
    };
    let line = match (&start, to) {
        (Some(start), _) => converted
            .write(to, start)
            .map_err(|error| Failure::usage(format!("--moves: {error}")))?,
        (None, Notation::Tile) => converted.to_string(),
        (None, Notation::Blank) => opposite(&converted).to_string(),
        (None, Notation::Numbers | Notation::Boards) => return Err(start_missing()),
    };
    finished_line(args, line, to)
}

/// A line of moves, without spaces if requested.
fn finished_line(
    args: &ConvertArgs,
    mut line: String,
    notation: Notation,
) -> Result<String, Failure> {
    match notation {
        _ if !args.compact => {}
        Notation::Tile | Notation::Blank => line.retain(|letter| letter != ' '),
        Notation::Numbers | Notation::Boards => {
            return Err(Failure::usage("--compact works only for letters"));
        }
    }
    line.push('\n');
    Ok(line)
}

/// The moves between the boards of the input, each of which must be one slide from the previous one.
fn join_boards(args: &ConvertArgs, to: Notation) -> Result<String, Failure> {
    let mut boards = Vec::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.board.format) {
            let entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
            boards.push((format!("{}:{}", input.source, entry.line), entry.board));
        }
    }
    let mut slides = Vec::new();
    for pair in boards.windows(2) {
        let ((_, before), (source, after)) = (&pair[0], &pair[1]);
        let leads_to_next = |&slide: &npuzzle::Slide| {
            let mut board = before.clone();
            board.slide(slide) && board == *after
        };
        slides.push(before.slides().find(leads_to_next).ok_or_else(|| {
            Failure::usage(format!("{source}: this board is not one slide from the previous one"))
        })?);
    }
    let moves = Moves::from(slides);
    let line = moves.write(to, &boards[0].1).map_err(Failure::usage)?;
    finished_line(args, line, to)
}

/// Converts between directions of the tiles and directions of the blank.
fn opposite(moves: &Moves) -> Moves {
    moves.slides().iter().map(|slide| slide.opposite()).collect()
}

fn finish(args: &ConvertArgs, text: &str) -> Result<(), Failure> {
    let mut output = Output::open(args.out.path())?;
    output.write(text.as_bytes())?;
    output.finish()
}
