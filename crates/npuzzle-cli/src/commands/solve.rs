//! `npuzzle solve`: boards in, reports out, one after the other.

use npuzzle::format::{self, Entry, Format, FormatError};
use npuzzle::search::{Journal, JournalError, PlanError};
use npuzzle::{Answer, Goal, Instance, Limit, Limits, Options, Report, Tables};

use crate::args::SolveArgs;
use crate::exit::{self, Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::report::progress::Progress;
use crate::report::{Form, Item, Place, Shown};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let journal = args.resume.as_ref().map(Journal::resume).transpose().map_err(no_journal)?;
    let boards = match &journal {
        Some(journal) => vec![from_journal(journal)],
        None => read_boards(args),
    };
    if args.checkpoint.is_some() && boards.len() > 1 {
        return Err(Failure::usage("--checkpoint is for one board, here are more"));
    }
    // While input is being read, Ctrl-C may end the program as it ends any other.
    let cancel = crate::io::signals::cancel()?;
    hint_at_pair(args, &boards);

    let is_batch = boards.len() > 1;
    let shown = Shown {
        notation: args.notation.into(),
        quiet: args.quiet,
        is_batch,
        counts_all: args.all.is_some(),
    };
    output::keep_inputs(&args.inputs, &[&args.out, &args.checkpoint])?;
    output::keep_inputs(&args.resume, &[&args.out])?;
    output::keep_apart(&args.out, &args.checkpoint)?;
    let mut output = open_output(args, &boards)?;
    let mut session = Session {
        args,
        options: options(args),
        tables: Tables::with_store(args.cache.store()),
        journal,
    };
    let mut progress = Progress::new(cancel.clone(), args.quiet, boards.len());
    let mut form = Form::new(args.output(), shown);
    let solve_all = || -> Result<Exit, Failure> {
        let mut exit = Exit::Yes;
        for (number, (source, board)) in (1..).zip(boards) {
            progress.begin(number);
            let (item, code) = session.solve(Place { number, source }, board, &mut progress);
            exit = exit.worse(code);
            if let Some(output) = &mut output {
                progress.suspend(|| form.write(&item, output))?;
            }
            if cancel.is_cancelled() {
                return Ok(Exit::Interrupted);
            }
        }
        Ok(exit)
    };
    let result = solve_all();
    drop(progress);
    match output {
        Some(output) => output.end_batch(result, "answers"),
        None => result,
    }
}

fn no_journal(error: JournalError) -> Failure {
    let exit = match error {
        JournalError::Io { .. } => Exit::File,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The board that a journal is about.
fn from_journal(journal: &Journal) -> (String, Read) {
    let instance = journal.instance();
    let entry = Entry {
        board: instance.start().clone(),
        goal: Some(instance.goal().clone()),
        line: 2,
        format: Format::Slash,
    };
    (journal.path().display().to_string(), Ok(entry))
}

/// A board as it was read, or why there is none.
type Read = Result<Entry, Unread>;

enum Unread {
    /// Something that is not a board.
    Board(FormatError),
    /// A file that cannot be read, which does not keep the others from being solved.
    File(Failure),
}

/// All boards of all arguments, each with the name of where it came from.
fn read_boards(args: &SolveArgs) -> Vec<(String, Read)> {
    let mut boards = Vec::new();
    for arg in joined(&args.inputs) {
        match Input::from_arg(&arg) {
            Ok(input) => {
                let entries = format::read(&input.text, args.format);
                let source = || input.source.clone();
                boards.extend(entries.into_iter().map(|e| (source(), e.map_err(Unread::Board))));
            }
            Err(failure) => boards.push((arg, Err(Unread::File(failure)))),
        }
    }
    boards
}

/// A board without quotes is many arguments: `solve 1 2 3 4 5 6 7 8 0`.
fn joined(args: &[String]) -> Vec<String> {
    let is_tile = |arg: &String| arg.len() <= 5 && arg.bytes().all(|byte| byte.is_ascii_digit());
    if args.len() > 1 && args.iter().all(is_tile) { vec![args.join(" ")] } else { args.to_vec() }
}

/// A file is made only if there is something to put in it.
fn open_output(args: &SolveArgs, boards: &[(String, Read)]) -> Result<Option<Output>, Failure> {
    let is_wanted = args.out.is_none() || boards.iter().any(|(_, board)| board.is_ok());
    if is_wanted { Output::open(args.out.as_deref()).map(Some) } else { Ok(None) }
}

fn options(args: &SolveArgs) -> Options {
    Options {
        algorithm: args.algorithm,
        heuristic: args.heuristic,
        metric: args.metric,
        all: args.all,
        weight: args.weight,
        threads: args.threads,
        tables: args.tables,
        effort: args.effort(),
        // What is written down are rounds, which prove.
        optimal: args.optimal || args.checkpoint.is_some(),
        limits: Limits { time: args.time(), nodes: args.nodes.at(), memory: args.memory.at() },
        bound: None,
    }
}

/// What the boards of one call share.
struct Session<'a> {
    args: &'a SolveArgs,
    options: Options,
    tables: Tables,
    journal: Option<Journal>,
}

impl Session<'_> {
    /// Solves a board; what is wrong with it is told at once, and the rest goes on.
    fn solve(&mut self, place: Place, board: Read, progress: &mut Progress) -> (Item, Exit) {
        let entry = match board {
            Ok(entry) => entry,
            Err(Unread::Board(error)) => {
                let line = Some(error.line());
                progress.suspend(|| exit::complain(error.render(&place.source)));
                return (Item::Bad { place, line, reason: error.to_string() }, Exit::Usage);
            }
            Err(Unread::File(failure)) => {
                progress.suspend(|| exit::complain(&failure));
                return (
                    Item::Bad { place, line: None, reason: failure.to_string() },
                    failure.exit(),
                );
            }
        };
        let line = entry.line;
        let asked = self.args.goal.clone().or(entry.goal.map(Goal::Board)).unwrap_or_default();
        let solved = match Instance::new(entry.board, &asked) {
            Ok(instance) => self.solve_instance(&instance, progress),
            Err(error) => Err(Failure::usage(error)),
        };
        self.warn(progress);
        let report = match solved {
            Ok(report) => report,
            Err(failure) => {
                let reason = failure.to_string();
                let message = format!("{}:{line}: {reason}", place.source);
                progress.suspend(|| exit::complain(message));
                return (Item::Bad { place, line: Some(line), reason }, failure.exit());
            }
        };
        if let (true, Some(plan)) = (self.args.explain, &report.plan) {
            progress.suspend(|| exit::tell(format!("plan: {plan}")));
            if !report.tables.is_empty() {
                let (names, why) = (report.tables.join(", "), report.tables_reason.as_deref());
                let why = why.map(|why| format!(": {why}")).unwrap_or_default();
                progress.suspend(|| exit::tell(format!("tables in the end: {names}{why}")));
            }
        }
        let stopped = match report.answer {
            Answer::Stopped(limit) => Some(limit),
            _ => report.optimal_solutions.as_ref().and_then(|optima| optima.stopped),
        };
        let exit = match (&report.answer, stopped) {
            (_, Some(Limit::Interrupted)) => Exit::Interrupted,
            (_, Some(_)) => Exit::Limit,
            (Answer::Unsolvable, None) => Exit::No,
            (_, None) => Exit::Yes,
        };
        let limits = self.options.limits;
        (Item::Report { place, line, report: Box::new(report), limits }, exit)
    }
}

impl Session<'_> {
    fn solve_instance(
        &mut self,
        instance: &Instance,
        progress: &mut Progress,
    ) -> Result<Report, Failure> {
        self.args.notation.check(instance.dims())?;
        if let Some(path) = &self.args.checkpoint
            && instance.is_solvable()
        {
            // No file is left by what cannot be done.
            let plan = npuzzle::search::plan(instance, &self.options).map_err(Failure::usage)?;
            if !plan.keeps_journal() {
                return Err(Failure::usage(PlanError::NoJournal(plan.algorithm)));
            }
            self.journal = Some(Journal::create(path, instance).map_err(no_journal)?);
        }
        let report = match &mut self.journal {
            Some(journal) => self.options.solve_on(journal, &mut self.tables, progress),
            None => self.options.solve_with(instance, &mut self.tables, progress),
        };
        report.map_err(Failure::usage)
    }

    /// Tells what the store and the journal have to say.
    fn warn(&mut self, progress: &Progress) {
        let warnings = self.tables.take_warnings();
        if !self.args.quiet {
            for warning in warnings {
                progress.suspend(|| exit::complain(format!("warning: {warning}")));
            }
        }
        if let Some(journal) = &mut self.journal
            && let Some(error) = journal.take_error()
        {
            let path = journal.path().display();
            let message = format!("warning: {path}: {error}: what came after is not written down");
            progress.suspend(|| exit::complain(message));
        }
    }
}

/// Two grids with a blank line between them are two boards; somebody may have meant a pair.
fn hint_at_pair(args: &SolveArgs, boards: &[(String, Read)]) {
    if let [(a, Ok(first)), (b, Ok(second))] = boards
        && a == b
        && args.format.is_none()
        && !args.quiet
        && (first.format, second.format) == (Format::Grid, Format::Grid)
        && first.board.dims() == second.board.dims()
    {
        exit::tell(format!(
            "note: {a} has two boards; if the second is the goal, add --format pair"
        ));
    }
}
