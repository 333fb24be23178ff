//! `npuzzle render`: a board or a solution as a picture.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

use npuzzle::format::{self, Entry};
use npuzzle::{Answer, Cancel, Goal, Instance, Limit, Limits, Moves, Options, Tables};
use npuzzle_draw::{DrawError, Picture, Replay, Style, Timing, gif, html, png, svg};

use crate::args::{KindArg, RenderArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::moves_input::Written;
use crate::io::output::{self, Output};
use crate::report;
use crate::report::progress::Progress;

/// Larger files are no pictures, or none for tiles.
const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// A few million moves.
const MAX_SOLUTION_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &RenderArgs) -> Result<Exit, Failure> {
    let kind = kind(args)?;
    if args.input == "-" && args.solution.as_deref() == Some("-") {
        return Err(Failure::usage("the board and the solution cannot both be standard input"));
    }
    output::keep_inputs([&args.input].into_iter().chain(&args.solution), &[&args.out])?;
    output::keep_inputs(&args.picture, &[&args.out])?;
    let drawn = Drawn::read(args)?;
    let style = style(args)?;
    // While input is being read, Ctrl-C may end the program as it ends any other.
    let cancel = crate::io::signals::cancel()?;
    let drawn = if args.solve { drawn.solved(args, &cancel)? } else { drawn };
    match draw(&drawn, kind, &style, args, &cancel) {
        Err(_) if cancel.is_cancelled() => Ok(Exit::Interrupted),
        drawn => drawn.map(|()| Exit::Yes),
    }
}

/// What is drawn: as asked for, or as the file is called.
fn kind(args: &RenderArgs) -> Result<KindArg, Failure> {
    let ending = |path: &Path| match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "svg" => Some(KindArg::Svg),
        "png" => Some(KindArg::Png),
        "gif" => Some(KindArg::Gif),
        "html" | "htm" => Some(KindArg::Html),
        _ => None,
    };
    let unknown = || {
        Failure::usage(match &args.out {
            Some(path) => format!(
                "{}: the ending is none of svg, png, gif, html; say which with --as",
                path.display()
            ),
            None => "say where to draw: -o FILE.svg (png, gif, html), or --as KIND".to_owned(),
        })
    };
    let kind = args.kind.or_else(|| ending(args.out.as_deref()?)).ok_or_else(unknown)?;
    let is_binary = matches!(kind, KindArg::Png | KindArg::Gif);
    if args.out.is_none() && is_binary && io::stdout().is_terminal() {
        return Err(Failure::usage("a terminal shows no pictures: name a file with -o"));
    }
    Ok(kind)
}

/// What there is to draw.
enum Drawn {
    /// A board, which may have a goal.
    Board(Entry),
    Solution(Replay),
}

impl Drawn {
    fn read(args: &RenderArgs) -> Result<Drawn, Failure> {
        let input = Input::from_arg(&args.input)?;
        let entry = format::read_one(&input.text, args.format);
        let mut entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
        if let Some(goal) = &args.goal {
            let instance = Instance::new(entry.board, goal).map_err(Failure::usage)?;
            let (board, goal) = (instance.start().clone(), Some(instance.goal().clone()));
            entry = Entry { board, goal, ..entry };
        }
        let Some(written) = written(args)? else { return Ok(Drawn::Board(entry)) };
        let moves = written.read(args.notation(), &entry.board)?;
        Drawn::solution(&instance(&entry)?, moves)
    }

    fn solution(instance: &Instance, moves: Moves) -> Result<Drawn, Failure> {
        Replay::new(instance, moves).map(Drawn::Solution).map_err(Failure::usage)
    }

    fn solved(self, args: &RenderArgs, cancel: &Cancel) -> Result<Drawn, Failure> {
        let Drawn::Board(entry) = self else { return Ok(self) };
        let instance = instance(&entry)?;
        let moves = solve(&instance, args, cancel)?;
        Drawn::solution(&instance, moves)
    }
}

/// The moves that were given, if they were.
fn written(args: &RenderArgs) -> Result<Option<Written>, Failure> {
    Ok(match (&args.moves, args.solution.as_deref()) {
        (Some(text), _) => Some(Written { source: "--moves".to_owned(), text: text.clone() }),
        (None, Some(path)) => {
            let Input { source, text } = match path {
                "-" => Input::from_arg(path)?,
                path => Input::from_file(Path::new(path), MAX_SOLUTION_BYTES)?,
            };
            Some(Written { source, text })
        }
        (None, None) => None,
    })
}

/// The board with its goal, or the usual one.
fn instance(entry: &Entry) -> Result<Instance, Failure> {
    let goal = entry.goal.clone().map(Goal::Board).unwrap_or_default();
    Instance::new(entry.board.clone(), &goal).map_err(Failure::usage)
}

fn solve(instance: &Instance, args: &RenderArgs, cancel: &Cancel) -> Result<Moves, Failure> {
    const MEMORY: u64 = 2 << 30;
    let limits = Limits { time: args.time.at(), memory: Some(MEMORY), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut tables = Tables::with_store(args.cache.store());
    let mut progress = Progress::new(cancel.clone(), false, 1);
    let report = options.solve_with(instance, &mut tables, &mut progress);
    let report = report.map_err(Failure::usage)?;
    match report.answer {
        Answer::Solved(moves) => Ok(moves),
        Answer::Unsolvable => {
            let why = instance.solvability().to_string();
            Err(Failure::usage(why).with_exit(Exit::No))
        }
        Answer::Stopped(limit) => {
            let exit = if limit == Limit::Interrupted { Exit::Interrupted } else { Exit::Limit };
            Err(Failure::usage(report::limit(limit, &limits, &report.stats)).with_exit(exit))
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
        let most = MAX_PICTURE_BYTES >> 20;
        return Err(Failure::usage(format!("{}: more than {most} MiB", path.display())));
    }
    Picture::read(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

fn draw(
    drawn: &Drawn,
    kind: KindArg,
    style: &Style,
    args: &RenderArgs,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let timing = Timing { per_move: args.delay, ..Timing::default() };
    let mut output = Output::open(args.out.as_deref())?;
    let mut sink = Sink { output: &mut output, cancel, failure: None };
    let mut out = BufWriter::with_capacity(1 << 16, &mut sink);
    let result = write(drawn, kind, style, timing, &mut out);
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
    drawn: &Drawn,
    kind: KindArg,
    style: &Style,
    timing: Timing,
    out: &mut impl Write,
) -> Result<(), DrawError> {
    match drawn {
        Drawn::Solution(replay) => match kind {
            KindArg::Svg => out.write_all(svg::sheet(replay, style)?.as_bytes())?,
            KindArg::Png => out.write_all(&png::sheet(replay, style)?)?,
            KindArg::Gif => gif::solution(replay, style, timing, &mut *out)?,
            KindArg::Html => write_page(replay, style, timing, out)?,
        },
        Drawn::Board(entry) => {
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

/// Where a picture goes while nobody has asked to stop.
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
                // The drawing ends with an error of its own; this one knows the file.
                self.failure = Some(failure);
                Err(io::Error::other("cannot write"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
