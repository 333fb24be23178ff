//! `npuzzle solve`: reads boards, solves one after the other, and reports each.

use std::io;

use npuzzle::format::{self, Entry, Format, FormatError};
use npuzzle::search::{Journal, JournalError, PlanError};
use npuzzle::teaching::PublishedBoard;
use npuzzle::{Answer, Goal, Instance, Options, Report, Tables};

use crate::args::SolveArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::messages;
use crate::report::progress::SearchProgress;
use crate::report::{BoardResult, BoardSource, ReportStyle, ReportWriter};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    refuse_bad_flags(args)?;
    let journal = args.resume.as_ref().map(Journal::resume).transpose().map_err(journal_failure)?;
    let boards = match &journal {
        Some(journal) => vec![board_of(journal)],
        None => read_boards(args),
    };
    if args.checkpoint.is_some() && boards.len() > 1 {
        return Err(Failure::usage("--checkpoint works for a single board"));
    }
    // Only now: while input is read, Ctrl-C ends the program as usual.
    let cancel = signals::cancel()?;
    suggest_pair_format(args, &boards);
    let output = open_output(args, &boards)?;
    let progress = SearchProgress::new(cancel, args.quiet, boards.len());
    let style = ReportStyle {
        notation: args.notation.into(),
        quiet: args.quiet,
        is_batch: boards.len() > 1,
        counts_all: args.all().is_some(),
    };
    SolveCommand {
        args,
        options: match journal.as_ref().and_then(Journal::options) {
            Some(before) => args.resources.or_as_before(before, options(args)),
            None => options(args),
        },
        tables: Tables::with_store(args.resources.cache.store()),
        journal,
        progress,
        writer: ReportWriter::new(args.output.format(), style),
        reachable: None,
    }
    .solve_batch(boards, output)
}

/// Fails if the flags contradict each other on every board, so that the error is reported once.
fn refuse_bad_flags(args: &SolveArgs) -> Result<(), Failure> {
    let is_number = |arg: &&String| arg.parse::<usize>().is_ok();
    if args.all().is_some()
        && let [_, _] = &args.inputs[..]
        && let Some(n) = args.inputs.iter().find(is_number)
    {
        return Err(Failure::usage(format!("{n} is not a board; for --all write --all={n}")));
    }
    let smallest = "1 2/3 0".parse().map_err(Failure::usage)?;
    match npuzzle::search::plan(&smallest, &options(args)) {
        Err(
            error @ (PlanError::Weight(_)
            | PlanError::NotAll(_)
            | PlanError::NoProof(_)
            | PlanError::NoHeuristic { .. }
            | PlanError::NoOrder(_)
            | PlanError::OneEnd),
        ) => Err(Failure::usage(error)),
        _ => Ok(()),
    }
}

fn journal_failure(error: JournalError) -> Failure {
    match &error {
        JournalError::Io { error: io, .. } if io.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("{error}; --resume continues a search");
            Failure::usage(message).with_exit(Exit::File)
        }
        JournalError::Io { .. } => Failure::usage(error).with_exit(Exit::File),
        _ => Failure::usage(error),
    }
}

/// A board as it was read, and the name of its source.
struct BoardInput {
    source: String,
    entry: Result<Entry, InputError>,
}

enum InputError {
    /// The text is not a board.
    Board(FormatError),
    /// The file cannot be read. The other boards are still solved.
    File(Failure),
}

/// The board of a journal.
fn board_of(journal: &Journal) -> BoardInput {
    let instance = journal.instance();
    let entry = Entry {
        board: instance.start().clone(),
        goal: Some(instance.goal().clone()),
        line: 2,
        format: Format::Slash,
    };
    BoardInput { source: journal.path().display().to_string(), entry: Ok(entry) }
}

/// A board of a public set.
fn board_of_set((source, board): (String, PublishedBoard)) -> BoardInput {
    let (start, goal) = (board.instance.start().clone(), board.instance.goal().clone());
    let entry = Entry { board: start, goal: Some(goal), line: 1, format: Format::Slash };
    BoardInput { source, entry: Ok(entry) }
}

/// All boards of all arguments.
fn read_boards(args: &SolveArgs) -> Vec<BoardInput> {
    if let Some(boards) = args.sets.boards() {
        return boards.into_iter().map(board_of_set).collect();
    }
    let mut boards = Vec::new();
    for arg in joined(&args.inputs) {
        match Input::from_arg(&arg) {
            Ok(input) => {
                let entries = format::read(&input.text, args.board.format);
                boards.extend(entries.into_iter().map(|entry| BoardInput {
                    source: input.source.clone(),
                    entry: entry.map_err(InputError::Board),
                }));
            }
            Err(failure) => {
                boards.push(BoardInput { source: arg, entry: Err(InputError::File(failure)) });
            }
        }
    }
    boards
}

/// Joins the tiles of a board without quotes: `solve 1 2 3 4 5 6 7 8 0`.
fn joined(args: &[String]) -> Vec<String> {
    let is_tile = |arg: &String| arg.len() <= 5 && arg.bytes().all(|byte| byte.is_ascii_digit());
    if args.len() > 1 && args.iter().all(is_tile) { vec![args.join(" ")] } else { args.to_vec() }
}

/// Opens the output. A file is created only if there is a board to solve.
fn open_output(args: &SolveArgs, boards: &[BoardInput]) -> Result<Option<Output>, Failure> {
    let out = &args.output.file.out;
    output::check_inputs(&args.inputs, &[out, &args.checkpoint])?;
    output::check_inputs(&args.resume, &[out])?;
    output::check_distinct(out, &args.checkpoint)?;
    let is_needed = out.is_none() || boards.iter().any(|board| board.entry.is_ok());
    if is_needed { Output::open(out.as_deref()).map(Some) } else { Ok(None) }
}

fn options(args: &SolveArgs) -> Options {
    Options {
        algorithm: args.algorithm,
        heuristic: args.heuristic,
        metric: args.metric.metric,
        all: args.all(),
        weight: args.weight.weight,
        order: args.order.order,
        effort: args.effort(),
        // A journal records rounds of iterative deepening, which prove the solution shortest.
        optimal: args.optimal || args.checkpoint.is_some(),
        ..args.resources.options(args.time())
    }
}

/// The state that the boards of one call share.
struct SolveCommand<'a> {
    args: &'a SolveArgs,
    options: Options,
    tables: Tables,
    journal: Option<Journal>,
    progress: SearchProgress,
    writer: ReportWriter,
    /// The named goals that every board so far can reach, although it cannot reach its own; `None` before
    /// the first board.
    reachable: Option<Vec<Goal>>,
}

impl SolveCommand<'_> {
    fn solve_batch(
        mut self,
        boards: Vec<BoardInput>,
        mut output: Option<Output>,
    ) -> Result<Exit, Failure> {
        let result = self.solve_all(boards, &mut output);
        drop(self);
        match output {
            Some(output) => output.end_batch(result, "answers"),
            None => result,
        }
    }

    fn solve_all(
        &mut self,
        boards: Vec<BoardInput>,
        output: &mut Option<Output>,
    ) -> Result<Exit, Failure> {
        let mut exit = Exit::Yes;
        let is_batch = boards.len() > 1;
        for (number, BoardInput { source: name, entry }) in (1..).zip(boards) {
            self.progress.begin(number);
            let (result, code) = self.solve(BoardSource { number, name }, entry);
            exit = exit.worse(code);
            if let Some(output) = output {
                let writer = &mut self.writer;
                self.progress.suspend(|| writer.write(&result, output))?;
            }
            if self.progress.is_cancelled() {
                return Ok(Exit::Interrupted);
            }
        }
        if is_batch && !self.args.quiet {
            self.suggest_goal();
        }
        Ok(exit)
    }

    /// Prints a hint if no board of a batch can reach its goal, and all of them can reach another one.
    fn suggest_goal(&self) {
        if let Some(goal) = self.reachable.iter().flatten().next() {
            self.progress.suspend(|| {
                messages::note(format!(
                    "note: every board is unsolvable for its goal, and can reach the goal {goal}: add --goal {goal}"
                ));
            });
        }
    }

    /// Keeps the goals that this board can reach, too.
    fn note_solvability(&mut self, report: &Report) {
        let goals = report.instance.solvability().other_goals();
        match &mut self.reachable {
            None => self.reachable = Some(goals),
            Some(reachable) => reachable.retain(|goal| goals.contains(goal)),
        }
    }

    /// Solves a board. Errors are printed immediately, and the batch continues.
    fn solve(
        &mut self,
        source: BoardSource,
        entry: Result<Entry, InputError>,
    ) -> (BoardResult, Exit) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(InputError::Board(error)) => {
                let (message, reason) = (error.render(&source.name), error.to_string());
                self.progress.suspend(|| messages::error(message));
                let line = Some(error.line());
                return (BoardResult::Invalid { source, line, reason }, Exit::Usage);
            }
            Err(InputError::File(failure)) => {
                self.progress.suspend(|| messages::error(&failure));
                let reason = failure.to_string();
                return (BoardResult::Invalid { source, line: None, reason }, failure.exit());
            }
        };
        let line = entry.line;
        let goal = self.args.board.goal_or(entry.goal);
        let instance = Instance::new(entry.board, &goal).map_err(Failure::usage);
        let report = instance.and_then(|instance| self.solve_instance(&instance));
        self.print_warnings();
        match report {
            Ok(report) => {
                self.note_solvability(&report);
                self.explain(&report);
                let exit = exit_of(&report);
                let (report, limits) = (Box::new(report), self.options.limits);
                (BoardResult::Report { source, line, report, limits }, exit)
            }
            Err(failure) => {
                let reason = failure.to_string();
                let message = format!("{}:{line}: {reason}", source.name);
                self.progress.suspend(|| messages::error(message));
                (BoardResult::Invalid { source, line: Some(line), reason }, failure.exit())
            }
        }
    }

    fn solve_instance(&mut self, instance: &Instance) -> Result<Report, Failure> {
        self.args.notation.check(instance.dims())?;
        if let Some(path) = &self.args.checkpoint
            && instance.is_solvable()
        {
            // Checked first, so that an impossible request leaves no file.
            let plan = npuzzle::search::plan(instance, &self.options).map_err(Failure::usage)?;
            if !plan.keeps_journal() {
                return Err(Failure::usage(PlanError::NoJournal(plan.algorithm)));
            }
            self.journal = Some(Journal::create(path, instance).map_err(journal_failure)?);
        }
        let report = match &mut self.journal {
            Some(journal) => self.options.solve_on(journal, &mut self.tables, &mut self.progress),
            None => self.options.solve_with(instance, &mut self.tables, &mut self.progress),
        };
        report.map_err(Failure::usage)
    }

    /// Prints the plan of a search, if requested.
    fn explain(&self, report: &Report) {
        let Some(plan) = report.plan.as_ref().filter(|_| self.args.explain) else { return };
        self.progress.suspend(|| messages::note(format!("plan: {plan}")));
        if !report.tables.is_empty() {
            let (names, reason) = (report.tables.join(", "), report.tables_reason.as_deref());
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            self.progress.suspend(|| messages::note(format!("tables used: {names}{reason}")));
        }
        if let Some(length) = report.incumbent {
            let proof = format!(
                "proof: a beam search found {length} moves, and the rounds with smaller bounds found \
                 no shorter solution"
            );
            self.progress.suspend(|| messages::note(proof));
        }
    }

    /// Prints the warnings of the table store and the journal.
    fn print_warnings(&mut self) {
        for warning in self.tables.take_warnings() {
            if !self.args.quiet {
                self.progress.suspend(|| messages::warning(warning));
            }
        }
        if let Some(journal) = &mut self.journal
            && let Some(error) = journal.take_error()
        {
            let path = journal.path().display();
            let message = format!("{path}: {error}: the rest of the search is not logged");
            self.progress.suspend(|| messages::warning(message));
        }
    }
}

fn exit_of(report: &Report) -> Exit {
    let stopped = match report.answer {
        Answer::Stopped(limit) => Some(limit),
        _ => report.optimal_solutions.as_ref().and_then(|all| all.stopped),
    };
    match (&report.answer, stopped) {
        (_, Some(limit)) => limit.into(),
        (Answer::Unsolvable, None) => Exit::No,
        (_, None) => Exit::Yes,
    }
}

/// Prints a hint if two grids, separated by an empty line, may be meant as start and goal.
fn suggest_pair_format(args: &SolveArgs, boards: &[BoardInput]) {
    if let [BoardInput { source: a, entry: Ok(first) }, BoardInput { source: b, entry: Ok(second) }] =
        boards
        && a == b
        && args.board.format.is_none()
        && !args.quiet
        && (first.format, second.format) == (Format::Grid, Format::Grid)
        && first.board.dims() == second.board.dims()
    {
        messages::note(format!(
            "note: {a} has two boards; if the second is the goal, add --format pair"
        ));
    }
}
