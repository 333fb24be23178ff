//! `npuzzle compare`: algorithms and heuristics side by side on a set of boards.

mod chart;
mod record;
mod table;

use npuzzle::format;
use npuzzle::teaching::{AlgorithmConfig, RunEnd, RunResult, korf100};
use npuzzle::{Goal, Instance, Limit, Limits, Options, Random, Tables};

use crate::args::{CompareArgs, OutputArg};
use crate::exit::{self, Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::report::progress::Progress;

/// A board of the set.
struct Entry {
    /// Where it came from, for people.
    source: String,
    /// What is wrong with it, if it is no board.
    instance: Result<Instance, String>,
}

/// Of random boards, which are all there at once: more would take hundreds of megabytes.
const MAX_TILES: u64 = 1 << 24;

/// What all contenders came to on all boards.
struct Comparison {
    entries: Vec<Entry>,
    contenders: Vec<AlgorithmConfig>,
    /// By contender, then by board; the last may be missing after Ctrl-C.
    trials: Vec<Vec<RunResult>>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let entries = entries(args)?;
    let cancel = crate::io::signals::cancel()?;
    output::keep_inputs(&args.inputs, &[&args.out, &args.chart])?;
    let [out, chart] = output::open_all([args.out.as_deref(), args.chart.as_deref()])?;
    let contenders = AlgorithmConfig::all(&args.algorithms, &args.heuristics.0);
    let options = Options {
        metric: args.metric,
        weight: args.weight,
        threads: args.threads,
        tables: args.tables,
        limits: Limits { time: args.time.at(), nodes: args.nodes.at(), memory: args.memory.at() },
        ..Options::default()
    };
    let mut progress = Progress::new(cancel, args.quiet, entries.len() * contenders.len());
    let mut trials: Vec<Vec<RunResult>> = contenders.iter().map(|_| Vec::new()).collect();
    let mut number = 0;
    let mut exit = Exit::Yes;
    for (contender, trials) in contenders.iter().zip(&mut trials) {
        // Nobody profits from what others have built.
        let mut tables = Tables::with_store(args.cache.store());
        for entry in &entries {
            if progress.is_cancelled() {
                break;
            }
            number += 1;
            progress.begin(number);
            let trial = match &entry.instance {
                Ok(instance) => contender.run(instance, &options, &mut tables, &mut progress),
                Err(reason) => RunResult::refused(reason.clone()),
            };
            exit = exit.worse(exit_of(&trial));
            trials.push(trial);
        }
        for warning in tables.take_warnings().into_iter().filter(|_| !args.quiet) {
            progress.suspend(|| exit::complain(format!("warning: {warning}")));
        }
    }
    if progress.is_cancelled() {
        exit = Exit::Interrupted;
    }
    drop(progress);
    let comparison = Comparison { entries, contenders, trials };
    let text = match args.output() {
        OutputArg::Text => table::write(args, &comparison).into_bytes(),
        OutputArg::Json => record::json(&comparison)?,
        OutputArg::Csv => record::csv(&comparison)?,
    };
    let mut output = out.map_or_else(|| Output::open(None), Ok)?;
    output.write(&text)?;
    output.end_batch(Ok(exit), "rows")?;
    if exit != Exit::Interrupted
        && let Some(file) = chart
    {
        file.write_all(chart::draw(args, &comparison).as_bytes())?;
    }
    Ok(exit)
}

fn exit_of(trial: &RunResult) -> Exit {
    match trial.end {
        RunEnd::Solved { .. } => Exit::Yes,
        RunEnd::Unsolvable => Exit::No,
        RunEnd::Stopped(Limit::Interrupted) => Exit::Interrupted,
        RunEnd::Stopped(_) => Exit::Limit,
        RunEnd::Refused(_) => Exit::Usage,
    }
}

fn entries(args: &CompareArgs) -> Result<Vec<Entry>, Failure> {
    if let Some(n) = args.korf {
        let boards = (1..).zip(korf100()).take(n.into());
        return Ok(boards
            .map(|(number, instance)| Entry {
                source: format!("korf {number}"),
                instance: Ok(instance),
            })
            .collect());
    }
    let asked = args.goal.clone().unwrap_or_default();
    if let Some(n) = args.random {
        let goal = asked.board(args.size).ok_or_else(|| {
            Failure::usage(format!("the goal is of another size: --size is {}", args.size))
        })?;
        let most = MAX_TILES / args.size.cells() as u64;
        if n > most {
            let message = format!("--random {n}: at most {most} boards of {}", args.size);
            return Err(Failure::usage(message));
        }
        let mut random = Random::new(args.seed);
        let entry = |number| Entry {
            source: format!("random {number}"),
            instance: Ok(random.instance(&goal, true)),
        };
        return Ok((1..=n).map(entry).collect());
    }
    let mut entries = Vec::new();
    for arg in &args.inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.format) {
            let (line, instance) = match entry {
                Ok(entry) => {
                    let goal = args.goal.clone().or(entry.goal.map(Goal::Board));
                    let instance = Instance::new(entry.board, &goal.unwrap_or_default());
                    (entry.line, instance.map_err(|error| error.to_string()))
                }
                Err(error) => {
                    exit::complain(error.render(&input.source));
                    (error.line(), Err(error.to_string()))
                }
            };
            let source = format!("{}:{line}", input.source);
            entries.push(Entry { source, instance });
        }
    }
    if entries.is_empty() {
        return Err(Failure::usage("no boards"));
    }
    Ok(entries)
}
