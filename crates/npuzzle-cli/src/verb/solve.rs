//! `npuzzle solve`: boards in, reports out, one after the other.

use npuzzle::format::{self, Entry, FormatError};
use npuzzle::{Answer, Goal, Instance, Limit, Limits, Options, Tables};

use crate::args::SolveArgs;
use crate::exit::{self, Exit, Failure};
use crate::form::{Form, Item, Shown};
use crate::input::Input;
use crate::output::Output;
use crate::progress::Progress;

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let cancel = crate::cancel_on_signal()?;
    let inputs: Vec<Input> =
        args.inputs.iter().map(|arg| Input::from_arg(arg)).collect::<Result<_, _>>()?;
    let boards: Vec<(&str, Result<Entry, FormatError>)> = inputs
        .iter()
        .flat_map(|input| {
            let entries = format::read(&input.text, args.format);
            entries.into_iter().map(|entry| (input.source.as_str(), entry))
        })
        .collect();
    hint_at_pair(args, &boards);

    let shown =
        Shown { notation: args.notation.into(), quiet: args.quiet, is_batch: boards.len() > 1 };
    let mut form = Form::new(args.output(), shown);
    // A file is made only if there is something to put in it.
    let out = args.out.as_deref().filter(|_| boards.iter().any(|(_, entry)| entry.is_ok()));
    let mut output = match (out, &args.out) {
        (None, Some(_)) => None,
        _ => Some(Output::open(out)?),
    };
    let mut session = Session { args, options: options(args), tables: Tables::new() };
    let mut exit = Exit::Yes;
    for (number, (source, entry)) in (1..).zip(boards) {
        let mut progress = Progress::new(cancel.clone(), args.quiet);
        let (item, code) = session.solve(number, source, entry, &mut progress);
        drop(progress);
        exit = exit.worse(code);
        if let Some(output) = &mut output {
            output.write(&form.write(&item)?)?;
        }
        if cancel.is_cancelled() {
            exit = Exit::Interrupted;
            break;
        }
    }
    if let Some(output) = output {
        output.finish()?;
    }
    Ok(exit)
}

fn options(args: &SolveArgs) -> Options {
    Options {
        algorithm: args.algorithm,
        heuristic: args.heuristic,
        metric: args.metric(),
        weight: args.weight,
        limits: Limits { time: args.time.at(), nodes: args.nodes.at(), memory: args.memory.at() },
    }
}

/// What the boards of one call share.
struct Session<'a> {
    args: &'a SolveArgs,
    options: Options,
    tables: Tables,
}

impl Session<'_> {
    /// Solves a board; what is wrong with it is told at once, and the rest goes on.
    fn solve(
        &mut self,
        number: usize,
        source: &str,
        entry: Result<Entry, FormatError>,
        progress: &mut Progress,
    ) -> (Item, Exit) {
        let bad = |message: String| {
            exit::complain(&message);
            (Item::Bad { number, reason: message }, Exit::Usage)
        };
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                exit::complain(error.render(source));
                let reason = format!("{source}: {error}");
                return (Item::Bad { number, reason }, Exit::Usage);
            }
        };
        let line = entry.line;
        let asked = self.args.goal.clone().or(entry.goal.map(Goal::Board));
        let instance = match Instance::new(entry.board, &asked.unwrap_or_default()) {
            Ok(instance) => instance,
            Err(error) => return bad(format!("{source}:{line}: {error}")),
        };
        let report = match self.options.solve_with(&instance, &mut self.tables, progress) {
            Ok(report) => report,
            Err(error) => return bad(format!("{source}:{line}: {error}")),
        };
        if let (true, Some(plan)) = (self.args.explain, &report.plan) {
            exit::tell(format!("plan: {plan}"));
        }
        let exit = match report.answer {
            Answer::Solved(_) => Exit::Yes,
            Answer::Unsolvable => Exit::No,
            Answer::Stopped(Limit::Interrupted) => Exit::Interrupted,
            Answer::Stopped(_) => Exit::Limit,
        };
        (Item::Report { number, report: Box::new(report), limits: self.options.limits }, exit)
    }
}

/// Two grids with a blank line between them are two boards; somebody may have meant a pair.
fn hint_at_pair(args: &SolveArgs, boards: &[(&str, Result<Entry, FormatError>)]) {
    use npuzzle::format::Format::Grid;
    if let [(a, Ok(first)), (b, Ok(second))] = boards
        && a == b
        && args.format.is_none()
        && !args.quiet
        && (first.format, second.format) == (Grid, Grid)
        && first.board.dims() == second.board.dims()
    {
        exit::tell(format!(
            "note: {a} has two boards; if the second is the goal, add --format pair"
        ));
    }
}
