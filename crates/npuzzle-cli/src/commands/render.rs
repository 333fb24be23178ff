//! `npuzzle render`: draws a board or a solution.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

use npuzzle::format::Entry;
use npuzzle::{Answer, Cancel, Goal, Instance, Limits, Moves, Options, Tables};
use npuzzle_draw::{DrawError, Picture, Replay, Style, Timing, gif, html, png, svg};

use crate::args::{KindArg, RenderArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::moves_input::MovesInput;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::report;
use crate::report::progress::SearchProgress;

/// The largest picture file.
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// The largest file with a solution: room for millions of moves.
const MAX_SOLUTION_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &RenderArgs) -> Result<Exit, Failure> {
    let kind = kind(args)?;
    if args.input == "-" && args.solution.as_deref() == Some("-") {
        return Err(Failure::usage("the board and the solution cannot both be standard input"));
    }
    let out = &args.out.out;
    output::check_inputs([&args.input].into_iter().chain(&args.solution), &[out])?;
    output::check_inputs(&args.picture, &[out])?;
    let subject = Subject::read(args)?;
    let style = style(args)?;
    // Only now: while input is read, Ctrl-C ends the program as usual.
    let cancel = signals::cancel()?;
    let subject = if args.solve { subject.solved(args, &cancel)? } else { subject };
    match draw(&subject, kind, &style, args, &cancel) {
        Err(_) if cancel.is_cancelled() => Ok(Exit::Interrupted),
        result => result.map(|()| Exit::Yes),
    }
}

/// The kind of picture: from the flag, or from the extension of the file.
fn kind(args: &RenderArgs) -> Result<KindArg, Failure> {
    let by_extension = |path: &Path| match path.extension()?.to_str()?.to_ascii_lowercase().as_str()
    {
        "svg" => Some(KindArg::Svg),
        "png" => Some(KindArg::Png),
        "gif" => Some(KindArg::Gif),
        "html" | "htm" => Some(KindArg::Html),
        _ => None,
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
    let kind = args.kind.or_else(|| by_extension(args.out.path()?)).ok_or_else(unknown)?;
    let is_binary = matches!(kind, KindArg::Png | KindArg::Gif);
    if args.out.path().is_none() && is_binary && io::stdout().is_terminal() {
        return Err(Failure::usage("standard output is a terminal: name a file with -o"));
    }
    Ok(kind)
}

/// What to draw.
enum Subject {
    /// A board, perhaps with a goal.
    Board(Entry),
    Solution(Replay),
}

impl Subject {
    fn read(args: &RenderArgs) -> Result<Subject, Failure> {
        let mut entry = Input::from_arg(&args.input)?.one_board(args.board.format)?;
        if let Some(goal) = &args.board.goal {
            let instance = Instance::new(entry.board, goal).map_err(Failure::usage)?;
            let (board, goal) = (instance.start().clone(), Some(instance.goal().clone()));
            entry = Entry { board, goal, ..entry };
        }
        let Some(moves) = moves_input(args)? else { return Ok(Subject::Board(entry)) };
        let moves = moves.read(args.notation(), &entry.board)?;
        Subject::solution(&instance(&entry)?, moves)
    }

    fn solution(instance: &Instance, moves: Moves) -> Result<Subject, Failure> {
        Replay::new(instance, moves).map(Subject::Solution).map_err(Failure::usage)
    }

    fn solved(self, args: &RenderArgs, cancel: &Cancel) -> Result<Subject, Failure> {
        let Subject::Board(entry) = self else { return Ok(self) };
        let instance = instance(&entry)?;
        let moves = solve(&instance, args, cancel)?;
        Subject::solution(&instance, moves)
    }
}

/// The moves of `--moves` or `--solution`, if given.
fn moves_input(args: &RenderArgs) -> Result<Option<MovesInput>, Failure> {
    Ok(match (&args.moves, args.solution.as_deref()) {
        (Some(text), _) => Some(MovesInput { source: "--moves".to_owned(), text: text.clone() }),
        (None, Some(path)) => {
            let Input { source, text } = match path {
                "-" => Input::from_arg(path)?,
                path => Input::from_file(Path::new(path), MAX_SOLUTION_BYTES)?,
            };
            Some(MovesInput { source, text })
        }
        (None, None) => None,
    })
}

/// The board with its goal, or with the default goal.
fn instance(entry: &Entry) -> Result<Instance, Failure> {
    let goal = entry.goal.clone().map(Goal::Board).unwrap_or_default();
    Instance::new(entry.board.clone(), &goal).map_err(Failure::usage)
}

fn solve(instance: &Instance, args: &RenderArgs, cancel: &Cancel) -> Result<Moves, Failure> {
    const MEMORY: u64 = 2 << 30;
    let limits = Limits { time: args.time.get(), memory: Some(MEMORY), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut tables = Tables::with_store(args.cache.store());
    let mut progress = SearchProgress::new(cancel.clone(), false, 1);
    let report = options.solve_with(instance, &mut tables, &mut progress);
    let report = report.map_err(Failure::usage)?;
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
    Ok(Style { tile: args.tile, theme: args.theme(), picture, numbers: args.numbers })
}

fn read_picture(path: &Path) -> Result<Picture, Failure> {
    let name = path.display();
    let read = || {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_PICTURE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: io::Error| Failure::io(name, &error))?;
    if bytes.len() as u64 > MAX_PICTURE_BYTES {
        let max_mib = MAX_PICTURE_BYTES >> 20;
        return Err(Failure::usage(format!("{}: more than {max_mib} MiB", path.display())));
    }
    Picture::read(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

fn draw(
    subject: &Subject,
    kind: KindArg,
    style: &Style,
    args: &RenderArgs,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let timing = Timing { per_move: args.delay, ..Timing::default() };
    let mut output = Output::open(args.out.path())?;
    let mut sink = Sink { output: &mut output, cancel, failure: None };
    let mut out = BufWriter::with_capacity(1 << 16, &mut sink);
    let result = write(subject, kind, style, timing, &mut out);
    drop(out);
    if let Some(failure) = sink.failure {
        return Err(failure);
    }
    result.map_err(|error| match error {
        DrawError::Io(error) => Failure::io("drawing", &error),
        error => Failure::usage(error),
    })?;
    output.finish()
}

fn write(
    subject: &Subject,
    kind: KindArg,
    style: &Style,
    timing: Timing,
    out: &mut impl Write,
) -> Result<(), DrawError> {
    match subject {
        Subject::Solution(replay) => match kind {
            KindArg::Svg => out.write_all(svg::sheet(replay, style)?.as_bytes())?,
            KindArg::Png => out.write_all(&png::sheet(replay, style)?)?,
            KindArg::Gif => gif::solution(replay, style, timing, &mut *out)?,
            KindArg::Html => write_page(replay, style, timing, out)?,
        },
        Subject::Board(entry) => {
            let instance = entry.goal.as_ref().and_then(|goal| {
                Instance::new(entry.board.clone(), &Goal::Board(goal.clone())).ok()
            });
            let scene = match &instance {
                Some(instance) => instance.into(),
                None => npuzzle_draw::Scene::from(&entry.board),
            };
            match kind {
                KindArg::Svg => out.write_all(svg::board(scene, style)?.as_bytes())?,
                KindArg::Png => out.write_all(&png::board(scene, style)?)?,
                KindArg::Gif => gif::board(scene, style, &mut *out)?,
                KindArg::Html => {
                    let title = format!("{} sliding puzzle", entry.board.dims());
                    out.write_all(html::board(scene, style, &title)?.as_bytes())?;
                }
            }
        }
    }
    Ok(out.flush()?)
}

fn write_page(
    replay: &Replay,
    style: &Style,
    timing: Timing,
    out: &mut impl Write,
) -> Result<(), DrawError> {
    let (dims, moves) = (replay.instance().dims(), replay.moves());
    let title = format!("{dims} sliding puzzle, {} STM / {} MTM", moves.stm(), moves.mtm());
    Ok(out.write_all(html::player(replay, style, timing, &title)?.as_bytes())?)
}

/// Writes a picture until it is cancelled.
struct Sink<'a> {
    output: &'a mut Output,
    cancel: &'a Cancel,
    failure: Option<Failure>,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        match self.output.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(failure) => {
                // The drawing ends with a generic error; this one names the file.
                self.failure = Some(failure);
                Err(io::Error::other("cannot write"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
