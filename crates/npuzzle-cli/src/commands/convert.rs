//! `npuzzle convert`: boards between formats, moves between notations.

use npuzzle::format::{self, Entry, WriteError};
use npuzzle::{Board, Moves, Notation};

use super::check::read_solution;
use crate::args::ConvertArgs;
use crate::exit::{self, Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let notation = args.notation.map(Notation::from);
    let from = args.from.map(Notation::from);
    // Boards that cannot be read are left out of what is written.
    output::keep_inputs(args.inputs.iter().chain(&args.moves), &[&args.out])?;
    if let Some(arg) = &args.moves {
        let text = read_solution(arg)?.text;
        let moves = convert_moves(args, &text, from, notation.unwrap_or_default())?;
        return finish(args, &moves).map(|()| Exit::Yes);
    }
    if from == Some(Notation::Boards) {
        let moves = join_boards(args, notation.unwrap_or_default())?;
        return finish(args, &moves).map(|()| Exit::Yes);
    }
    if from.is_some() || notation.is_some() || args.compact {
        return Err(Failure::usage("--from and --notation go with --moves, or with --from boards"));
    }
    convert_boards(args)
}

fn convert_boards(args: &ConvertArgs) -> Result<Exit, Failure> {
    let mut exit = Exit::Yes;
    let mut text = String::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.format) {
            let converted = entry.map_err(|error| error.render(&input.source)).and_then(|entry| {
                write_board(args, &entry)
                    .map_err(|why| format!("{}:{}: {why}", input.source, entry.line))
            });
            match converted {
                Ok(board) => {
                    // Boards of several lines are told apart by blank ones.
                    if !text.is_empty() && board.trim_end().contains('\n') {
                        text.push('\n');
                    }
                    text.push_str(&board);
                }
                Err(message) => {
                    exit::complain(message);
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

fn write_board(args: &ConvertArgs, entry: &Entry) -> Result<String, String> {
    let asked = match &args.goal {
        Some(goal) => Some(goal.board(entry.board.dims()).ok_or("the goal is of another size")?),
        None => entry.goal.clone(),
    };
    // A goal that came with the board may stay behind; one that was asked for may not.
    let written = match format::write(&entry.board, asked.as_ref(), args.to) {
        Err(WriteError::CarriesNoGoal { .. }) if args.goal.is_none() => {
            format::write(&entry.board, None, args.to)
        }
        written => written,
    };
    written.map_err(|error| error.to_string())
}

fn convert_moves(
    args: &ConvertArgs,
    text: &str,
    from: Option<Notation>,
    to: Notation,
) -> Result<String, Failure> {
    let start = match &args.inputs[..] {
        [] => None,
        [arg] => Some(read_board(args, arg)?),
        _ => return Err(Failure::usage("--moves takes one board to start from")),
    };
    if let (Some(notation), Some(start)) = (args.notation, &start) {
        notation.check(start.dims())?;
    }
    let needed = || {
        Failure::usage("tile numbers, boards and --apply need the board that the moves start from")
    };
    let bad = |error| Failure::usage(format!("--moves: {error}"));
    let moves = match from.unwrap_or_default() {
        Notation::Tile => text.parse().map_err(bad)?,
        Notation::Blank => opposite(&text.parse().map_err(bad)?),
        Notation::Numbers => {
            Moves::from_numbers(text, start.as_ref().ok_or_else(needed)?).map_err(bad)?
        }
        Notation::Boards => {
            return Err(Failure::usage(
                "--from boards reads boards from the input, not from --moves",
            ));
        }
    };
    let replayed = |moves: &Moves, start: Board| {
        moves.replay(&start).map_err(|error| Failure::usage(format!("--moves: {error}")))
    };
    let asked = if args.inverse { moves.inverse() } else { moves.clone() };
    if args.apply {
        let board = replayed(&asked, start.ok_or_else(needed)?)?;
        return format::write(&board, None, args.to).map_err(Failure::usage);
    }
    // Taken back they start where the moves end.
    let start = match start {
        Some(start) if args.inverse => Some(replayed(&moves, start)?),
        start => start,
    };
    let moves = asked;
    let line = match (&start, to) {
        (Some(start), _) => {
            moves.write(to, start).map_err(|error| Failure::usage(format!("--moves: {error}")))?
        }
        (None, Notation::Tile) => moves.to_string(),
        (None, Notation::Blank) => opposite(&moves).to_string(),
        (None, Notation::Numbers | Notation::Boards) => return Err(needed()),
    };
    as_asked(args, line, to)
}

/// A line of moves, with or without spaces.
fn as_asked(args: &ConvertArgs, mut line: String, notation: Notation) -> Result<String, Failure> {
    match notation {
        _ if !args.compact => {}
        Notation::Tile | Notation::Blank => line.retain(|letter| letter != ' '),
        Notation::Numbers | Notation::Boards => {
            return Err(Failure::usage("--compact is for letters"));
        }
    }
    line.push('\n');
    Ok(line)
}

/// The moves that lead through the boards of the input, each one slide from the one before.
fn join_boards(args: &ConvertArgs, to: Notation) -> Result<String, Failure> {
    let mut boards = Vec::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.format) {
            let entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
            boards.push((format!("{}:{}", input.source, entry.line), entry.board));
        }
    }
    let mut slides = Vec::new();
    for pair in boards.windows(2) {
        let ((_, before), (place, after)) = (&pair[0], &pair[1]);
        let leads_there = |&slide: &npuzzle::Slide| {
            let mut board = before.clone();
            board.slide(slide) && board == *after
        };
        slides.push(before.slides().find(leads_there).ok_or_else(|| {
            Failure::usage(format!("{place}: this board is not one slide from the one before it"))
        })?);
    }
    let moves = Moves::from(slides);
    let line = moves.write(to, &boards[0].1).map_err(Failure::usage)?;
    as_asked(args, line, to)
}

fn read_board(args: &ConvertArgs, arg: &str) -> Result<Board, Failure> {
    let input = Input::from_arg(arg)?;
    let entry = format::read_one(&input.text, args.format);
    entry.map(|entry| entry.board).map_err(|error| Failure::usage(error.render(&input.source)))
}

/// Ways of the blank for ways of the tiles, and back.
fn opposite(moves: &Moves) -> Moves {
    moves.slides().iter().map(|slide| slide.opposite()).collect()
}

fn finish(args: &ConvertArgs, text: &str) -> Result<(), Failure> {
    let mut output = Output::open(args.out.as_deref())?;
    output.write(text.as_bytes())?;
    output.finish()
}
