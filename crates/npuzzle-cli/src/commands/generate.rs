//! `npuzzle generate`: boards as somebody wishes them, with their answers in a file of their own.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use npuzzle::format;
use npuzzle::teaching::{GenerateError, GenerateSpec, Generated, Generator};
use npuzzle::{Answer, Board, Goal, Instance, Limit, Limits, Options, Random, Report, Tables};

use crate::args::GenerateArgs;
use crate::exit::{self, Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::report::progress::Progress;

/// More students than any course has.
const MAX_IDS: u64 = 16 << 20;

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let goal = args.goal.board(args.size).ok_or_else(|| {
        Failure::usage(format!("the goal is of another size: --size is {}", args.size))
    })?;
    // What cannot be written need not be made.
    let written = |board: &Board| format::write(board, goal_to_write(args, &goal), args.format);
    written(&goal).map_err(Failure::usage)?;
    let cancel = crate::io::signals::cancel()?;
    let ids = ids(args)?;
    output::keep_inputs(&args.for_each, &[&args.out, &args.key])?;
    let [out, key_file] = output::open_all([args.out.as_deref(), args.key.as_deref()])?;
    let mut output = out.map_or_else(|| Output::open(None), Ok)?;
    let seed = seed(args, &ids);
    let tables = Tables::with_store(args.cache.store());
    let mut generator = Generator::new(wish(args, &goal)).map_err(failure)?.with_tables(tables);
    let options = Options { limits: limits(args), metric: args.metric, ..Options::default() };
    let mut tables = Tables::with_store(args.cache.store());

    let n_boards = args.count.saturating_mul(ids.len().max(1) as u64);
    let mut progress = Progress::new(cancel, args.quiet, n_boards as usize);
    let mut key = Key::new(args.key.is_some());
    let mut seen = HashMap::new();
    let mut is_read = true;
    let mut n_open = 0;
    let mut number = 0;
    let named = ids.iter().map(|id| (Some(id.as_str()), Random::named(seed, id)));
    let nameless = ids.is_empty().then(|| (None, Random::new(seed)));
    let make_all = || {
        for (id, mut random) in named.chain(nameless) {
            generator.reset();
            for _ in 0..args.count {
                progress.begin(number + 1);
                let Generated { instance, report } = match generator
                    .generate(&mut random, &mut progress)
                {
                    Err(GenerateError::Limit(Limit::Interrupted)) => return Ok(Exit::Interrupted),
                    made => made.map_err(failure)?,
                };
                if progress.is_cancelled() {
                    return Ok(Exit::Interrupted);
                }
                let mut text = written(instance.start()).map_err(Failure::usage)?;
                if let (Some(id), true) = (id, ids.len() > 1) {
                    text = labelled(&text, id, args.format);
                }
                // Boards of several lines are told apart by blank ones.
                if number > 0 && text.trim_end().contains('\n') {
                    text.insert(0, '\n');
                }
                let report = match report {
                    None if key.is_wanted => {
                        let report = options.solve_with(&instance, &mut tables, &mut progress);
                        Some(report.map_err(Failure::usage)?)
                    }
                    report => report,
                };
                // A board has its answer, or is not there either.
                if progress.is_cancelled() {
                    return Ok(Exit::Interrupted);
                }
                if is_read && let Err(failure) = progress.suspend(|| output.write(text.as_bytes()))
                {
                    // Whoever had enough of the boards may still want the key.
                    if !(failure.is_closed_pipe() && key.is_wanted) {
                        return Err(failure);
                    }
                    is_read = false;
                }
                number += 1;
                if let (true, Some(report)) = (key.is_wanted, report) {
                    n_open += usize::from(matches!(report.answer, Answer::Stopped(_)));
                    key.add(number, id.unwrap_or_default(), &instance, &report);
                }
                if let Some(id) = id
                    && let Some(other) = seen.insert(instance.start().clone(), id)
                    && other != id
                    && !args.quiet
                {
                    progress.suspend(|| {
                        exit::complain(format!("warning: {other} and {id} have the same board"));
                    });
                }
            }
        }
        Ok(Exit::Yes)
    };
    let mut made = make_all();
    drop(progress);
    if n_open > 0 {
        exit::complain(format!("{n_open} of {number} boards were not solved within the limits"));
        made = made.map(|exit| if exit == Exit::Yes { Exit::Limit } else { exit });
    }
    if number == 0 {
        // Files that were there stay as they are.
        return made;
    }
    // A key without its boards would be of no use.
    let made = output.end_batch(made, "boards");
    let Some(mut file) = key_file else { return made };
    file.write(key.csv.as_bytes())?;
    file.end_batch(made, "answers")
}

/// Formats that carry a goal get it.
fn goal_to_write<'a>(args: &GenerateArgs, goal: &'a Board) -> Option<&'a Board> {
    let carries = matches!(args.format, format::Format::Pair)
        || matches!(args.format, format::Format::Json) && args.goal != Goal::Last;
    carries.then_some(goal)
}

fn ids(args: &GenerateArgs) -> Result<Vec<String>, Failure> {
    let ids = match &args.for_each {
        None => args.ids.clone(),
        Some(path) => ids_of_file(path)?,
    };
    let mut known = HashSet::new();
    for id in &ids {
        if id.trim().is_empty() || id.contains(char::is_control) {
            return Err(Failure::usage(format!("{id:?} is no name of a student")));
        }
        if !known.insert(id) && !args.quiet {
            exit::complain(format!("warning: {id} is there more than once, with the same boards"));
        }
    }
    Ok(ids)
}

/// A name on each line, without empty lines and those that begin with `#`.
fn ids_of_file(path: &Path) -> Result<Vec<String>, Failure> {
    let input = Input::from_file(path, MAX_IDS)?;
    let lines = input.text.lines().map(str::trim);
    let ids: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if ids.is_empty() {
        return Err(Failure::usage(format!("{}: no names", input.source)));
    }
    Ok(ids)
}

/// Boards for students have a seed that does not change; others can be had again by naming theirs.
fn seed(args: &GenerateArgs, ids: &[String]) -> u64 {
    match args.seed {
        Some(seed) => seed,
        None if !ids.is_empty() => 0,
        None => {
            let seed = crate::chosen_seed();
            if !args.quiet {
                exit::tell(format!("seed: {seed}"));
            }
            seed
        }
    }
}

fn limits(args: &GenerateArgs) -> Limits {
    Limits { time: args.time.at(), ..Limits::default() }
}

fn wish(args: &GenerateArgs, goal: &Board) -> GenerateSpec {
    GenerateSpec {
        is_solvable: !args.unsolvable,
        moves: args.moves.clone(),
        is_unique: args.unique,
        expanded: args.expanded.clone(),
        options: Options {
            metric: args.metric,
            algorithm: args.algorithm.unwrap_or_default(),
            heuristic: args.heuristic.unwrap_or_default(),
            limits: limits(args),
            ..Options::default()
        },
        ..GenerateSpec::any(goal.clone())
    }
}

/// Why there is no such board.
pub(crate) fn failure(error: GenerateError) -> Failure {
    let exit = match error {
        GenerateError::Limit(Limit::Interrupted) => Exit::Interrupted,
        GenerateError::Limit(_) | GenerateError::NotFound { .. } => Exit::Limit,
        GenerateError::TooLong { .. } | GenerateError::NoMatch { .. } => Exit::No,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The board with the student's name: a field of an object, else a comment, beside the board if it is
/// one line, above it if not.
fn labelled(text: &str, id: &str, format: format::Format) -> String {
    if let (format::Format::Json, Some(fields)) = (format, text.strip_prefix('{')) {
        return format!("{{\"id\":{},{fields}", serde_json::Value::from(id));
    }
    match text.trim_end().split_once('\n') {
        None => format!("{} # {id}\n", text.trim_end()),
        Some(_) => format!("# {id}\n{text}"),
    }
}

/// The answers, a line for each board.
struct Key {
    is_wanted: bool,
    csv: String,
}

impl Key {
    fn new(is_wanted: bool) -> Key {
        let csv = "number,id,start,goal,optimal,moves_stm,moves_mtm,solution\n".to_owned();
        Key { is_wanted, csv }
    }

    fn add(&mut self, number: usize, id: &str, instance: &Instance, report: &Report) {
        let (start, goal) = (instance.start().slash(), instance.goal().slash());
        let [stm, mtm, moves] = match report.moves() {
            Some(moves) => [moves.stm().to_string(), moves.mtm().to_string(), moves.to_string()],
            None => Default::default(),
        };
        let (id, optimal) = (quoted(id), report.is_optimal());
        self.csv += &format!("{number},{id},{start},{goal},{optimal},{stm},{mtm},{moves}\n");
    }
}

/// A field of CSV, whatever people are called.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
