//! `npuzzle generate`: boards with given properties, and their answers in a separate file.

mod key;
mod students;

use std::collections::HashMap;

use npuzzle::format::{self, Format};
use npuzzle::teaching::{GenerateError, GenerateSpec, Generated, Generator};
use npuzzle::{Board, Goal, Instance, Limit, Limits, Options, Random, Report, Tables};

use npuzzle_courses::{Course, TestCase};

use crate::args::{CourseChoice, GenerateArgs, goal_board};
use crate::exit::{Exit, Failure};
use crate::io::output::{self, Output};
use crate::io::signals;
use crate::messages;
use crate::report::progress::SearchProgress;
use key::AnswerKey;
use students::{StudentFiles, student_ids};

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    if let Some(CourseChoice::Variant(course)) = &args.course {
        return super::variant::generate::run(args, course);
    }
    let goal = goal(args)?;
    // Fails early if the format cannot hold boards of this size.
    board_text(args, &goal, &goal)?;
    let cancel = signals::cancel()?;
    let ids = student_ids(args)?;
    output::check_inputs(&args.for_each, &[&args.out.out, &args.key])?;
    let files = StudentFiles::open(args, &ids)?;
    let [boards, key_file] = output::open_all([args.out.path(), args.key.as_deref()])?;
    let n_boards = args.count.saturating_mul(ids.len().max(1) as u64);
    let mut batch = GenerateRun {
        args,
        generator: Generator::new(spec(args, &goal))
            .map_err(failure)?
            .with_tables(Tables::with_store(args.cache.store())),
        tables: Tables::with_store(args.cache.store()),
        progress: SearchProgress::new(cancel, args.quiet.quiet, n_boards as usize),
        output: boards.map_or_else(|| Output::open(None), Ok)?,
        is_output_closed: false,
        key: args.key.is_some().then(AnswerKey::new).transpose()?,
        n_written: 0,
        n_unsolved: 0,
        owners: HashMap::new(),
        is_labeled: ids.len() > 1 && files.is_none(),
        files,
        goal,
    };
    let result = batch.generate_all(&ids, seed(args, &ids));
    batch.finish(result, key_file)
}

/// The course, unless it is on a variant of the puzzle.
fn course(args: &GenerateArgs) -> Option<&Course> {
    args.course.as_ref().and_then(CourseChoice::standard)
}

/// The goal of the course, or that of the flag.
fn goal(args: &GenerateArgs) -> Result<Board, Failure> {
    let Some(course) = course(args) else { return args.goal.board(args.size) };
    let any = goal_board(&Goal::Last, args.size)?;
    let case = TestCase::new(course, "", &any, None).map_err(Failure::usage)?;
    Ok(case.instance.goal().clone())
}

/// The text of a board, with the goal in formats that include one.
fn board_text(args: &GenerateArgs, board: &Board, goal: &Board) -> Result<String, Failure> {
    if let Some(course) = course(args) {
        let case = TestCase::new(course, "", board, None).map_err(Failure::usage)?;
        return Ok(case.text);
    }
    let has_goal = match args.format {
        Format::Pair => true,
        Format::Json => args.goal.goal != Goal::Last,
        _ => false,
    };
    format::write(board, has_goal.then_some(goal), args.format).map_err(Failure::usage)
}

/// The seed. Boards for students have a fixed default. Otherwise a new seed is printed, so that the
/// boards can be generated again.
fn seed(args: &GenerateArgs, ids: &[String]) -> u64 {
    match args.seed {
        Some(seed) => seed,
        None if !ids.is_empty() => 0,
        None => {
            let seed = super::new_seed();
            if !args.quiet.quiet {
                messages::note(format!("seed: {seed}"));
            }
            seed
        }
    }
}

fn limits(args: &GenerateArgs) -> Limits {
    Limits { time: args.time.time, ..Limits::default() }
}

fn spec(args: &GenerateArgs, goal: &Board) -> GenerateSpec {
    GenerateSpec {
        is_solvable: !args.unsolvable,
        moves: args.moves.clone(),
        is_unique: args.unique,
        expanded: args.expanded.clone(),
        options: Options {
            metric: args.metric.metric,
            algorithm: args.algorithm.unwrap_or_default(),
            heuristic: args.heuristic.unwrap_or_default(),
            limits: limits(args),
            ..Options::default()
        },
        ..GenerateSpec::any(goal.clone())
    }
}

pub(super) fn failure(error: GenerateError) -> Failure {
    let exit = match error {
        GenerateError::Limit(limit) => limit.into(),
        GenerateError::NotFound { .. } => Exit::Limit,
        GenerateError::TooLong { .. } | GenerateError::NoMatch { .. } => Exit::No,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// The boards of one student.
#[derive(Default)]
struct StudentBoards {
    text: String,
    answers: Vec<(Instance, Report)>,
}

/// The boards of one call.
struct GenerateRun<'a> {
    args: &'a GenerateArgs,
    goal: Board,
    generator: Generator,
    /// Tables to solve boards for the key.
    tables: Tables,
    progress: SearchProgress,
    output: Output,
    /// Whether the reader closed the pipe. The key is completed nevertheless.
    is_output_closed: bool,
    key: Option<AnswerKey>,
    n_written: usize,
    /// Boards of the students' own keys that were not solved within the limits.
    n_unsolved: usize,
    /// The first student of each board.
    owners: HashMap<Board, String>,
    /// Whether boards carry the names of their students.
    is_labeled: bool,
    /// The files of the students, instead of one output for all.
    files: Option<StudentFiles>,
}

impl GenerateRun<'_> {
    fn generate_all(&mut self, ids: &[String], seed: u64) -> Result<Exit, Failure> {
        let named = ids.iter().map(|id| (Some(id.as_str()), Random::named(seed, id)));
        let unnamed = ids.is_empty().then(|| (None, Random::new(seed)));
        for (id, mut random) in named.chain(unnamed) {
            self.generator.reset();
            let mut student = StudentBoards::default();
            for _ in 0..self.args.count {
                match self.generate(&mut random)? {
                    Some((instance, report)) => self.write(id, &instance, report, &mut student)?,
                    None => return Ok(Exit::Interrupted),
                }
            }
            self.write_files(id.unwrap_or_default(), &student)?;
        }
        Ok(Exit::Yes)
    }

    /// Writes the files of a student whose boards are complete.
    fn write_files(&mut self, id: &str, student: &StudentBoards) -> Result<(), Failure> {
        let Some(files) = &self.files else { return Ok(()) };
        let mut key = files.has_keys().then(AnswerKey::new).transpose()?;
        if let Some(key) = &mut key {
            for (number, (instance, report)) in (1..).zip(&student.answers) {
                key.add(number, id, instance, report)?;
            }
            // With a key for all students, that one counts.
            self.n_unsolved += if self.key.is_none() { key.n_unsolved } else { 0 };
        }
        let key = key.map(AnswerKey::into_csv).transpose()?;
        files.write(id, &student.text, key.as_deref())
    }

    fn needs_answers(&self) -> bool {
        self.key.is_some() || self.files.as_ref().is_some_and(StudentFiles::has_keys)
    }

    /// Generates a board, and solves it for the key; `None` if interrupted.
    fn generate(
        &mut self,
        random: &mut Random,
    ) -> Result<Option<(Instance, Option<Report>)>, Failure> {
        self.progress.begin(self.n_written + 1);
        let Generated { instance, mut report } =
            match self.generator.generate(random, &mut self.progress) {
                Err(GenerateError::Limit(Limit::Interrupted)) => return Ok(None),
                generated => generated.map_err(failure)?,
            };
        if report.is_none() && self.needs_answers() {
            let (limits, metric) = (limits(self.args), self.args.metric.metric);
            let options = Options { limits, metric, ..Options::default() };
            let solved = options.solve_with(&instance, &mut self.tables, &mut self.progress);
            report = Some(solved.map_err(Failure::usage)?);
        }
        // A board without its answer is dropped.
        Ok((!self.progress.is_cancelled()).then_some((instance, report)))
    }

    /// Writes a board, and adds its answer to the key.
    fn write(
        &mut self,
        id: Option<&str>,
        instance: &Instance,
        report: Option<Report>,
        student: &mut StudentBoards,
    ) -> Result<(), Failure> {
        let mut text = board_text(self.args, instance.start(), &self.goal)?;
        if let Some(id) = id.filter(|_| self.is_labeled) {
            text = labeled(&text, id, self.args.format);
        }
        // Boards of several lines are separated by empty lines.
        let is_first =
            if self.files.is_some() { student.text.is_empty() } else { self.n_written == 0 };
        if !is_first && text.trim_end().contains('\n') {
            text.insert(0, '\n');
        }
        match self.files {
            Some(_) => student.text += &text,
            None => self.print(&text)?,
        }
        self.n_written += 1;
        if let (Some(key), Some(report)) = (&mut self.key, &report) {
            key.add(self.n_written, id.unwrap_or_default(), instance, report)?;
        }
        student.answers.extend(report.map(|report| (instance.clone(), report)));
        if let Some(id) = id {
            self.warn_if_shared(id, instance.start());
        }
        Ok(())
    }

    fn print(&mut self, text: &str) -> Result<(), Failure> {
        if self.is_output_closed {
            return Ok(());
        }
        let output = &mut self.output;
        match self.progress.suspend(|| output.write(text.as_bytes())) {
            Err(failure) if failure.is_closed_pipe() && self.key.is_some() => {
                self.is_output_closed = true;
                Ok(())
            }
            result => result,
        }
    }

    fn warn_if_shared(&mut self, id: &str, board: &Board) {
        if let Some(other) = self.owners.insert(board.clone(), id.to_owned())
            && other != id
            && !self.args.quiet.quiet
        {
            self.progress
                .suspend(|| messages::warning(format!("{other} and {id} have the same board")));
        }
    }

    fn finish(
        self,
        mut result: Result<Exit, Failure>,
        key_file: Option<Output>,
    ) -> Result<Exit, Failure> {
        let GenerateRun { progress, output, key, n_written, mut n_unsolved, .. } = self;
        drop(progress);
        n_unsolved += key.as_ref().map_or(0, |key| key.n_unsolved);
        if n_unsolved > 0 {
            messages::error(format!(
                "{n_unsolved} of {n_written} boards could not be solved within the limits"
            ));
            result = result.map(|exit| exit.worse(Exit::Limit));
        }
        if n_written == 0 {
            // Existing files stay as they are.
            return result;
        }
        // The key is of no use without its boards.
        let result = output.end_batch(result, "boards");
        let (Some(mut file), Some(key)) = (key_file, key) else { return result };
        file.write(&key.into_csv()?)?;
        file.end_batch(result, "answers")
    }
}

/// The board with the student's name: a field of a JSON object; otherwise a comment after a board of one
/// line, or above a board of several lines.
fn labeled(text: &str, id: &str, format: Format) -> String {
    if let (Format::Json, Some(fields)) = (format, text.strip_prefix('{')) {
        return format!("{{\"id\":{},{fields}", serde_json::Value::from(id));
    }
    match text.trim_end().split_once('\n') {
        None => format!("{} # {id}\n", text.trim_end()),
        Some(_) => format!("# {id}\n{text}"),
    }
}
