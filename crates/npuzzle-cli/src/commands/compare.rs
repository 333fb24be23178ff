//! `npuzzle compare`: algorithms and heuristics on a set of boards.

mod chart;
mod record;
mod table;

use npuzzle::format;
use npuzzle::teaching::{AlgorithmConfig, PublishedBoard, RunEnd, RunResult};
use npuzzle::{Algorithm, Cancel, Instance, Options, Random, Tables};

use crate::args::{CompareArgs, OutputFormat, goal_board};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::messages;
use crate::report::progress::SearchProgress;

/// A board of the set.
struct BoardEntry {
    /// Where it comes from, for messages.
    source: String,
    /// The board, or why there is none.
    instance: Result<Instance, String>,
    /// The node count that was published for the board.
    published: Option<u64>,
}

/// The largest number of tiles of all random boards together, which take hundreds of megabytes.
const MAX_TILES: u64 = 1 << 24;

/// The results of all configurations on all boards.
struct Comparison {
    boards: Vec<BoardEntry>,
    configs: Vec<AlgorithmConfig>,
    /// By configuration, then by board. After an interrupt, the last ones are missing.
    trials: Vec<Vec<RunResult>>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    if args.weight.weight.is_some() && !args.algorithms.contains(&Algorithm::Wastar) {
        return Err(Failure::usage("only wastar takes a weight: add it to --algorithms"));
    }
    let boards = read_boards(args)?;
    let cancel = signals::cancel()?;
    let (out, chart) = (&args.output.file.out, &args.chart.chart);
    output::check_inputs(&args.inputs, &[out, chart])?;
    let [out, chart] = output::open_all([out.as_deref(), chart.as_deref()])?;
    let (comparison, exit) = compare(args, boards, cancel);
    let text = match args.output.format() {
        OutputFormat::Text => table::text(args, &comparison).into_bytes(),
        OutputFormat::Json => record::json(&comparison)?,
        OutputFormat::Csv => record::csv(&comparison)?,
    };
    let mut output = out.map_or_else(|| Output::open(None), Ok)?;
    output.write(&text)?;
    output.end_batch(Ok(exit), "rows")?;
    if let Some(file) = chart.filter(|_| exit != Exit::Interrupted) {
        file.write_all(chart::draw(args, &comparison).as_bytes())?;
    }
    Ok(exit)
}

/// Runs every configuration on every board.
fn compare(args: &CompareArgs, boards: Vec<BoardEntry>, cancel: Cancel) -> (Comparison, Exit) {
    let configs = AlgorithmConfig::all(&args.algorithms, &args.heuristics.0);
    let options = Options {
        metric: args.metric.metric,
        weight: args.weight.weight,
        order: args.order(),
        ..args.resources.options(args.time.time)
    };
    let quiet = args.quiet.quiet;
    let mut progress = SearchProgress::new(cancel, quiet, boards.len() * configs.len());
    let mut trials: Vec<Vec<RunResult>> = configs.iter().map(|_| Vec::new()).collect();
    let mut number = 0;
    let mut exit = Exit::Yes;
    for (config, trials) in configs.iter().zip(&mut trials) {
        // New tables, so that no configuration profits from the work of another.
        let mut tables = Tables::with_store(args.resources.cache.store());
        for board in &boards {
            if progress.is_cancelled() {
                break;
            }
            number += 1;
            progress.begin(number);
            let trial = match &board.instance {
                Ok(instance) => config.run(instance, &options, &mut tables, &mut progress),
                Err(reason) => RunResult::refused(reason.clone()),
            };
            exit = exit.worse(exit_of(&trial));
            trials.push(trial);
        }
        for warning in tables.take_warnings().into_iter().filter(|_| !quiet) {
            progress.suspend(|| messages::warning(warning));
        }
    }
    if progress.is_cancelled() {
        exit = Exit::Interrupted;
    }
    (Comparison { boards, configs, trials }, exit)
}

fn exit_of(trial: &RunResult) -> Exit {
    match trial.end {
        RunEnd::Solved { .. } => Exit::Yes,
        RunEnd::Unsolvable => Exit::No,
        RunEnd::Stopped(limit) => limit.into(),
        RunEnd::Refused(_) => Exit::Usage,
    }
}

fn read_boards(args: &CompareArgs) -> Result<Vec<BoardEntry>, Failure> {
    match (args.sets.boards(), args.random) {
        (Some(boards), _) => {
            let board = |(source, board): (String, PublishedBoard)| BoardEntry {
                source,
                instance: Ok(board.instance),
                published: board.nodes,
            };
            Ok(boards.into_iter().map(board).collect())
        }
        (None, Some(n)) => random_boards(args, n),
        (None, None) => boards_of_files(args),
    }
}

fn random_boards(args: &CompareArgs, n: u64) -> Result<Vec<BoardEntry>, Failure> {
    let goal = goal_board(&args.board.goal.clone().unwrap_or_default(), args.size)?;
    let max_boards = MAX_TILES / args.size.cells() as u64;
    if n > max_boards {
        let message = format!("--random {n}: at most {max_boards} boards of {}", args.size);
        return Err(Failure::usage(message));
    }
    let mut random = Random::new(args.seed);
    let board = |number| BoardEntry {
        source: format!("random {number}"),
        instance: Ok(random.instance(&goal, true)),
        published: None,
    };
    Ok((1..=n).map(board).collect())
}

fn boards_of_files(args: &CompareArgs) -> Result<Vec<BoardEntry>, Failure> {
    let mut boards = Vec::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.board.format) {
            let (line, instance) = match entry {
                Ok(entry) => {
                    let instance = Instance::new(entry.board, &args.board.goal_or(entry.goal));
                    (entry.line, instance.map_err(|error| error.to_string()))
                }
                Err(error) => {
                    messages::error(error.render(&input.source));
                    (error.line(), Err(error.to_string()))
                }
            };
            let source = format!("{}:{line}", input.source);
            boards.push(BoardEntry { source, instance, published: None });
        }
    }
    if boards.is_empty() {
        return Err(Failure::usage("no boards in the input"));
    }
    Ok(boards)
}
