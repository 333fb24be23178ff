//! `npuzzle grade`: runs a program on a set of boards, judges and scores its answers, and names the
//! likely bug.

mod exports;
mod program;
mod text;
mod variant;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use npuzzle::{Cancel, Limits, Tables, format};
use npuzzle_courses::{
    self as courses, AnswerTarget, Course, Defect, Diagnosis, ProcessEnd, ProgramOutput, TestCase,
    VariantCase, VariantCourse, Verdict,
};

use crate::args::{CourseChoice, GradeArgs, apply_choice};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output, SecondaryOutput};
use crate::io::signals;
use crate::messages::{self, escaped};
use crate::sandbox::{self, ProgramRun, Protection, ResourceLimits};

use program::GradedProgram;

/// The limits of courses that set none.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;
/// The largest file of boards, in bytes.
const MAX_BOARDS: u64 = 16 << 20;

/// A board, for reports.
struct GradedBoard {
    name: String,
    start: String,
    goal: String,
    is_solvable: bool,
    /// The text of the input file.
    text: String,
}

impl GradedBoard {
    fn of(case: &TestCase) -> GradedBoard {
        GradedBoard {
            name: case.name.clone(),
            start: case.instance.start().slash().to_string(),
            goal: case.instance.goal().slash().to_string(),
            is_solvable: case.instance.is_solvable(),
            text: case.text.clone(),
        }
    }
}

/// The run of the program on one board, and its grade.
struct BoardGrade {
    board: GradedBoard,
    run: ProgramRun,
    judged: Verdict,
}

impl BoardGrade {
    fn is_passed(&self) -> bool {
        self.judged.defect.is_none()
    }

    fn start_failure(&self) -> Option<&Defect> {
        let is_start =
            |defect: &&Defect| matches!(defect, Defect::Ended(ProcessEnd::NotStarted(_)));
        self.judged.defect.as_ref().filter(is_start)
    }

    /// The error in the answer, or a note on a right one, in one line.
    fn verdict(&self) -> String {
        let verdict = match &self.judged.defect {
            Some(wrong) => wrong.to_string(),
            None => self.judged.note.clone(),
        };
        match self.run.n_left {
            0 => verdict,
            1 => verdict + "; left 1 process running, which was killed",
            n => format!("{verdict}; left {n} processes running, which were killed"),
        }
    }

    /// Whether the program did not end by itself, or crashed.
    fn is_error(&self) -> bool {
        matches!(self.judged.defect, Some(Defect::Ended(_) | Defect::Crashed { .. }))
    }

    /// The first lines of the program's standard error. Characters that could control the terminal of
    /// the reader are escaped.
    fn stderr_excerpt(&self) -> String {
        const MAX_LINES: usize = 5;
        const MAX_CHARS: usize = 200;
        let lines = self.run.stderr.lines().filter(|line| !line.trim().is_empty());
        let cut = |line: &str| escaped(&line.chars().take(MAX_CHARS).collect::<String>()) + "\n";
        lines.take(MAX_LINES).map(cut).collect()
    }
}

/// The grades of all boards.
struct GradeReport {
    grades: Vec<BoardGrade>,
    /// The number of boards of the set; after an interrupt, fewer are graded.
    n_cases: usize,
    diagnosis: Option<Diagnosis>,
    limits: ResourceLimits,
    protections: Vec<Protection>,
    points: f64,
}

impl GradeReport {
    /// Adds a grade and prints its line, unless the program could not be started.
    fn add(&mut self, grade: BoardGrade, args: &GradeArgs, stdout: &mut SecondaryOutput) {
        self.grades.push(grade);
        if !args.quiet && self.start_failure().is_none() {
            stdout.write(&text::board_line(&self.grades));
        }
    }

    fn n_passed(&self) -> usize {
        self.grades.iter().filter(|grade| grade.is_passed()).count()
    }

    fn is_complete(&self) -> bool {
        self.grades.len() == self.n_cases
    }

    /// Why the program could not be started.
    fn start_failure(&self) -> Option<&Defect> {
        self.grades.iter().find_map(BoardGrade::start_failure)
    }

    fn score(&self) -> f64 {
        self.points * self.n_passed() as f64 / self.n_cases as f64
    }

    /// The score of one board, and its maximum.
    fn points_of(&self, grade: &BoardGrade) -> (f64, f64) {
        let max_points = self.points / self.n_cases as f64;
        (if grade.is_passed() { max_points } else { 0.0 }, max_points)
    }
}

pub(crate) fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    let boards = Boards::read(args)?;
    let cancel = signals::cancel_gently()?;
    let files = [&args.json, &args.junit, &args.gradescope];
    output::check_inputs(&args.boards, &files)?;
    let files = output::open_all(files.map(Option::as_deref))?;
    let request = args.sandbox.request(hidden_files(args))?;
    let program = GradedProgram::new(args, boards.answer_target(), &request)?;
    let mut stdout = SecondaryOutput::default();
    let report = match &boards {
        Boards::Standard(course, cases) => {
            grade_all(args, &program, course, cases, &mut stdout, &cancel)?
        }
        Boards::Variant(course, cases) => {
            variant::grade_all(args, &program, course, cases, &mut stdout, &cancel)?
        }
    };
    let (n_graded, n_cases) = (report.grades.len(), report.n_cases);
    if !report.is_complete() {
        messages::error(format!("interrupted: {n_graded} of {n_cases} boards were graded"));
    } else if !args.quiet {
        stdout.write(&text::summary(&report));
        if report.start_failure().is_none() {
            stdout.write(&format!("sandbox: {}\n", sandbox::names(&report.protections)));
        }
    }
    let command = args.command.join(&OsString::from(" "));
    let command = command.to_string_lossy();
    write_files(args, &command, &report, files)?;
    if !report.is_complete() {
        return Ok(Exit::Interrupted);
    }
    if let Some(defect) = report.start_failure() {
        messages::error(format!("{command}: {defect}"));
        return Ok(Exit::Usage);
    }
    stdout.end(if report.n_passed() == n_cases { Exit::Yes } else { Exit::No })
}

/// The course and its boards.
enum Boards {
    Standard(Box<Course>, Vec<TestCase>),
    Variant(VariantCourse, Vec<VariantCase>),
}

impl Boards {
    fn read(args: &GradeArgs) -> Result<Boards, Failure> {
        let method = args.method.as_deref();
        match args.course {
            CourseChoice::Standard(course) => {
                let course = Box::new(with_method(*course, method)?);
                let cases = cases(args, &course)?;
                Ok(Boards::Standard(course, cases))
            }
            CourseChoice::Variant(course) if method.is_some() => Err(without_method(course.name)),
            CourseChoice::Variant(course) => {
                Ok(Boards::Variant(course, variant::cases(args, &course)?))
            }
        }
    }

    /// Where the program's answer is.
    fn answer_target(&self) -> AnswerTarget {
        match self {
            Boards::Standard(course, _) => course.command_line.answer,
            Boards::Variant(..) => AnswerTarget::Stdout,
        }
    }
}

/// The course, with the method that is graded.
fn with_method(mut course: Course, method: Option<&str>) -> Result<Course, Failure> {
    let name = course.name;
    let choices = course.command_line.method.map_or(&[][..], |method| method.choices);
    match method {
        Some(_) if choices.is_empty() => Err(without_method(name)),
        Some(method) if choices.iter().any(|choice| choice.is_named(method)) => {
            apply_choice(choices, method, &mut course);
            Ok(course)
        }
        None if choices.is_empty() => Ok(course),
        _ => {
            let names = choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", ");
            Err(Failure::usage(format!("the course {name} needs --method with one of {names}")))
        }
    }
}

fn without_method(course: &str) -> Failure {
    Failure::usage(format!("--method: the course {course} is graded without a method"))
}

/// The files of boards and the results, which the program must not see.
fn hidden_files(args: &GradeArgs) -> Vec<PathBuf> {
    let results = [&args.json, &args.junit, &args.gradescope].into_iter().flatten();
    let mut hidden = args.boards.clone();
    for path in results {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        hidden.push(output::partial_path(&path));
        hidden.push(path);
    }
    hidden
}

/// The boards of the files, of the seed, or the standard set of the course.
fn cases(args: &GradeArgs, course: &Course) -> Result<Vec<TestCase>, Failure> {
    if let Some(seed) = args.seed {
        return courses::seeded_test_set(course, seed).map_err(Failure::usage);
    }
    if args.boards.is_empty() {
        return courses::default_test_set(course).map_err(Failure::usage);
    }
    let mut cases = Vec::new();
    for path in &args.boards {
        let input = Input::from_file(path, MAX_BOARDS)?;
        for entry in format::read(&input.text, args.format) {
            let entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
            let name = format!("{}:{}", input.source, entry.line);
            let case = TestCase::new(course, name.clone(), &entry.board, entry.goal.as_ref());
            cases.push(case.map_err(|error| Failure::usage(format!("{name}: {error}")))?);
        }
    }
    if cases.is_empty() {
        return Err(Failure::usage("no boards in the files"));
    }
    Ok(cases)
}

/// Runs and judges the program on every board, until it is interrupted.
fn grade_all(
    args: &GradeArgs,
    program: &GradedProgram,
    course: &Course,
    cases: &[TestCase],
    stdout: &mut SecondaryOutput,
    cancel: &Cancel,
) -> Result<GradeReport, Failure> {
    let limits = resource_limits(args, course.limits);
    let mut tables = Tables::new();
    let n_cases = cases.len();
    let (grades, diagnosis) = (Vec::new(), None);
    let (protections, points) = (program.protections().to_vec(), args.points);
    let mut report = GradeReport { grades, n_cases, diagnosis, limits, protections, points };
    // A program that cannot be started fails on every board for the same reason, which is reported once.
    let mut start_failure: Option<ErrorKind> = None;
    for (number, case) in (1..).zip(cases) {
        let result = match start_failure {
            Some(kind) => Ok((ProgramRun::not_started(kind), String::new())),
            None => {
                let board = case.instance.start().tiles().iter().map(ToString::to_string);
                let board = board.collect::<Vec<_>>().join(",");
                program.run_on(&[("{input}", &case.text)], &board, limits, cancel)
            }
        };
        let (run, answer) = match result {
            Ok(run) => run,
            Err(_) if cancel.is_cancelled() => return Ok(report),
            Err(failure) => {
                return Err(failure.with_suffix(&format!(" (board {number} of {n_cases})")));
            }
        };
        let Some(ended) = run.ended else { return Ok(report) };
        let reply = ProgramOutput { end: ended, text: answer, stderr: run.stderr.clone() };
        let judged = courses::judge(course, case, &reply, &mut tables, &mut cancel.clone())
            .map_err(Failure::usage)?;
        if cancel.is_cancelled() {
            return Ok(report);
        }
        if let ProcessEnd::NotStarted(kind) = ended {
            start_failure = Some(kind);
        }
        report.add(BoardGrade { board: GradedBoard::of(case), run, judged }, args, stdout);
    }
    if start_failure.is_some() {
        return Ok(report);
    }
    let observations = report.grades.iter().map(|grade| &grade.judged.observation);
    let seen = cases.iter().zip(observations);
    let seen: Vec<_> = seen.collect();
    // An interrupted diagnosis is left out; the grades are complete.
    let diagnosis = courses::diagnose(course, &seen, &mut cancel.clone());
    report.diagnosis = diagnosis.unwrap_or_default();
    Ok(report)
}

/// The limits of the flags, otherwise those of the course if it limits running time, otherwise ours.
fn resource_limits(args: &GradeArgs, limits: Limits) -> ResourceLimits {
    let course_time = limits.time.filter(|_| limits.memory.is_some_and(|memory| memory < MEMORY));
    ResourceLimits {
        time: args.time.unwrap_or(course_time.or(Some(TIME))),
        memory: args.memory.unwrap_or(limits.memory.or(Some(MEMORY))),
    }
}

fn write_files(
    args: &GradeArgs,
    command: &str,
    report: &GradeReport,
    [json, junit, gradescope]: [Option<Output>; 3],
) -> Result<(), Failure> {
    if report.grades.is_empty() {
        // Existing files stay as they are.
        return Ok(());
    }
    let course = args.course.name();
    let write = |file: Option<Output>, text: String| {
        let Some(mut file) = file else { return Ok(()) };
        file.write(text.as_bytes())?;
        let exit = if report.is_complete() { Exit::Yes } else { Exit::Interrupted };
        file.end_batch(Ok(exit), "grades").map(|_| ())
    };
    write(json, exports::json(course, command, report)?)?;
    write(junit, exports::junit(course, report))?;
    write(gradescope, exports::gradescope(report)?)
}
