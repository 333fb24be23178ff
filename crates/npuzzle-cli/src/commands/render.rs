//! `npuzzle render`: draws a board or a solution.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use npuzzle::{Answer, Cancel, Instance, Limits, Moves, Options, Tables};
use npuzzle_draw::{DrawError, FileFormat, Picture, Replay, Style, Timing};

use crate::args::RenderArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::{self, Input};
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::messages;
use crate::report;
use crate::report::progress::SearchProgress;

/// The largest picture file.
const MAX_PICTURE_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &RenderArgs) -> Result<Exit, Failure> {
    let format = format(args)?;
    let out = &args.out.out;
    output::check_inputs([&args.input].into_iter().chain(&args.solution), &[out])?;
    output::check_inputs(&args.picture, &[out])?;
    let mut subject = Subject::read(args)?;
    let style = style(args)?;
    // Only now: while input is read, Ctrl-C ends the program as usual.
    let cancel = signals::cancel()?;
    if args.solve {
        let moves = solve(&subject.instance, args, &cancel)?;
        subject.replay = Some(replay(&subject.instance, moves)?);
    }
    match draw(&subject, format, &style, args, &cancel) {
        Err(_) if cancel.is_cancelled() => Ok(Exit::Interrupted),
        result => result.map(|()| Exit::Yes),
    }
}

/// The format: from the flag, or from the extension of the file.
fn format(args: &RenderArgs) -> Result<FileFormat, Failure> {
    let by_extension = |path: &Path| {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if extension == "htm" { Some(FileFormat::Html) } else { extension.parse().ok() }
    };
    let unknown = || {
        Failure::usage(match args.out.path() {
            Some(path) => format!(
                "{}: the extension is not svg, png, gif or html; name the kind with --as",
                path.display()
            ),
            None => "name a file with -o FILE.svg (png, gif, html), or a kind with --as".to_owned(),
        })
    };
    let format = args.kind.or_else(|| by_extension(args.out.path()?)).ok_or_else(unknown)?;
    let is_binary = matches!(format, FileFormat::Png | FileFormat::Gif);
    if args.out.path().is_none() && is_binary && io::stdout().is_terminal() {
        return Err(Failure::usage("standard output is a terminal: name a file with -o"));
    }
    Ok(format)
}

/// What to draw.
struct Subject {
    instance: Instance,
    /// Whether the goal was given; otherwise it is the default one.
    has_goal: bool,
    /// The solution to show, if any.
    replay: Option<Replay>,
}

impl Subject {
    fn read(args: &RenderArgs) -> Result<Subject, Failure> {
        let entry = Input::from_arg(&args.input)?.one_board(args.board.format)?;
        let has_goal = args.board.goal.is_some() || entry.goal.is_some();
        let goal = args.board.goal_or(entry.goal);
        let instance = Instance::new(entry.board, &goal).map_err(Failure::usage)?;
        let moves = moves_input(args)?;
        let moves =
            moves.map(|input| input.moves(args.notation(), instance.start())).transpose()?;
        let replay = moves.map(|moves| replay(&instance, moves)).transpose()?;
        Ok(Subject { instance, has_goal, replay })
    }

    fn write(
        &self,
        format: FileFormat,
        style: &Style,
        timing: Timing,
        out: &mut dyn Write,
    ) -> Result<(), DrawError> {
        match &self.replay {
            Some(replay) => format.write_solution(replay, style, timing, out),
            None if self.has_goal => format.write_board(&self.instance, style, out),
            None => format.write_board(self.instance.start(), style, out),
        }
    }
}

fn replay(instance: &Instance, moves: Moves) -> Result<Replay, Failure> {
    Replay::new(instance, moves).map_err(Failure::usage)
}

/// The moves of `--moves` or `--solution`, if given.
fn moves_input(args: &RenderArgs) -> Result<Option<Input>, Failure> {
    match (&args.moves, args.solution.as_deref()) {
        (Some(text), _) => Ok(Some(Input { source: "--moves".to_owned(), text: text.clone() })),
        (None, Some(file)) => Input::from_file_arg(file).map(Some),
        (None, None) => Ok(None),
    }
}

fn solve(instance: &Instance, args: &RenderArgs, cancel: &Cancel) -> Result<Moves, Failure> {
    const MEMORY: u64 = 2 << 30;
    let limits = Limits { time: args.time.time, memory: Some(MEMORY), ..Limits::default() };
    let options = Options { limits, metric: args.metric.metric, ..Options::default() };
    let mut tables = Tables::with_store(args.cache.store());
    let mut progress = SearchProgress::new(cancel.clone(), false, 1);
    let report = options.solve_with(instance, &mut tables, &mut progress);
    let report = report.map_err(Failure::usage)?;
    drop(progress);
    if !report.is_optimal()
        && let (Some(moves), Some(bound)) = (report.moves(), report.lower_bound)
    {
        let n_moves = moves.len(args.metric.metric);
        messages::note(format!("{n_moves} moves; a shortest solution has at least {bound}"));
    }
    match report.answer {
        Answer::Solved(moves) => Ok(moves),
        Answer::Unsolvable => Err(Failure::usage(instance.solvability()).with_exit(Exit::No)),
        Answer::Stopped(limit) => {
            let message = report::limit_message(limit, &limits, &report.stats);
            Err(Failure::usage(message).with_exit(limit.into()))
        }
    }
}

fn style(args: &RenderArgs) -> Result<Style, Failure> {
    let picture = args.picture.as_deref().map(read_picture).transpose()?;
    Ok(Style { tile: args.tile, theme: args.theme, picture, numbers: args.numbers })
}

fn read_picture(path: &Path) -> Result<Picture, Failure> {
    let bytes = input::read_file(path, MAX_PICTURE_BYTES)?;
    Picture::read(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

fn draw(
    subject: &Subject,
    format: FileFormat,
    style: &Style,
    args: &RenderArgs,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let timing = Timing { per_move: args.delay, ..Timing::default() };
    let mut output = Output::open(args.out.path())?;
    let mut refused = None;
    let written = output.write_until_cancelled(cancel, &mut |out| {
        subject.write(format, style, timing, out).map_err(|error| match error {
            DrawError::Io(error) => error,
            error => io::Error::other(refused.insert(Failure::usage(error)).to_string()),
        })
    });
    refused.map_or(written, Err)?;
    output.finish()
}
