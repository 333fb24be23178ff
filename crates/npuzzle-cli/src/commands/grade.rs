//! `npuzzle grade`: somebody's program on a set of boards, judged, scored, and its mistake named.

mod files;
mod words;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use npuzzle::{Cancel, Limit, Tables, format};
use npuzzle_courses::{self as courses, Case, Diagnosis, Ended, Judged, Reply, Wrong};

use crate::args::GradeArgs;
use crate::exit::{self, Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Aside};
use crate::io::temp_dir::Folder;
use crate::sandbox::{self, Allowance, Ran};

/// For courses that set no limits.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 2 << 30;
/// More than the longest solution of a course takes.
const MAX_ANSWER: u64 = 8 << 20;
/// A file of boards.
const MAX_BOARDS: u64 = 16 << 20;
/// How long to try to start a program if the system has no room for it, and how often.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(100);

/// A program on a board.
struct Outcome {
    case: Case,
    ran: Ran,
    judged: Judged,
}

/// All of it.
struct Graded {
    results: Vec<Outcome>,
    diagnoses: Vec<Diagnosis>,
    allowance: Allowance,
    points: f64,
}

impl Graded {
    fn n_passed(&self) -> usize {
        self.results.iter().filter(|result| result.judged.wrong.is_none()).count()
    }

    /// Whether the program was never run on some board.
    fn was_not_started(&self) -> bool {
        let is_it = |wrong: &Wrong| matches!(wrong, Wrong::Ended(Ended::NotStarted(_)));
        self.results.iter().any(|result| result.judged.wrong.as_ref().is_some_and(is_it))
    }

    fn score(&self) -> f64 {
        self.points * self.n_passed() as f64 / self.results.len() as f64
    }

    /// Of one board, and the most it can have.
    fn points_of(&self, result: &Outcome) -> (f64, f64) {
        let most = self.points / self.results.len() as f64;
        (if result.judged.wrong.is_none() { most } else { 0.0 }, most)
    }
}

pub(crate) fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    let cases = cases(args)?;
    let cancel = crate::io::signals::cancel_gently()?;
    let allowance = allowance(args);
    let outputs = [&args.json, &args.junit, &args.gradescope];
    output::keep_inputs(&args.boards, &outputs)?;
    let paths = outputs.map(Option::as_deref);
    let [json, junit, gradescope] = output::open_all(paths)?;
    let mut tables = Tables::new();
    let mut results = Vec::new();
    let mut stdout = Aside::default();
    let n_cases = cases.len();
    for case in cases {
        let (ran, text) = match run_on(&case, &args.command, allowance, &cancel) {
            Ok(run) => run,
            Err(_) if cancel.is_cancelled() => return Ok(Exit::Interrupted),
            Err(failure) => {
                let place = format!(" (board {} of {n_cases})", results.len() + 1);
                return Err(failure.adding(&place));
            }
        };
        let Some(ended) = ran.ended else { return Ok(Exit::Interrupted) };
        let reply = Reply { ended, text, stderr: ran.stderr.clone() };
        let judged = courses::judge(&args.course, &case, &reply, &mut tables, &mut cancel.clone())
            .map_err(Failure::usage)?;
        if cancel.is_cancelled() {
            return Ok(Exit::Interrupted);
        }
        let result = Outcome { case, ran, judged };
        if !args.quiet {
            stdout.write(&words::line(results.len() + 1, &result));
        }
        results.push(result);
    }
    let seen: Vec<_> = results.iter().map(|result| (&result.case, &result.judged.seen)).collect();
    let diagnoses = match courses::diagnose(&args.course, &seen, &mut cancel.clone()) {
        Ok(diagnoses) => diagnoses,
        Err(Limit::Interrupted) => return Ok(Exit::Interrupted),
        Err(_) => Vec::new(),
    };
    let graded = Graded { results, diagnoses, allowance, points: args.points };
    if !args.quiet {
        stdout.write(&words::summary(&graded));
    }
    let command = args.command.join(&OsString::from(" "));
    let command = command.to_string_lossy();
    if let Some(file) = json {
        file.write_all(files::json(args.course.name, &command, &graded)?.as_bytes())?;
    }
    if let Some(file) = junit {
        file.write_all(files::junit(args.course.name, &graded).as_bytes())?;
    }
    if let Some(file) = gradescope {
        file.write_all(files::gradescope(&graded)?.as_bytes())?;
    }
    if graded.was_not_started() {
        exit::complain(format!("{command}: cannot be started"));
        return Ok(Exit::Usage);
    }
    stdout.end(if graded.n_passed() == graded.results.len() { Exit::Yes } else { Exit::No })
}

/// The boards of the files, those of the seed, or the usual ones.
fn cases(args: &GradeArgs) -> Result<Vec<Case>, Failure> {
    if let Some(seed) = args.seed {
        return courses::set_of_seed(&args.course, seed).map_err(Failure::usage);
    }
    if args.boards.is_empty() {
        return courses::usual_set(&args.course).map_err(Failure::usage);
    }
    let mut cases = Vec::new();
    for path in &args.boards {
        let input = Input::from_file(path, MAX_BOARDS)?;
        for entry in format::read(&input.text, args.format) {
            let entry = entry.map_err(|error| Failure::usage(error.render(&input.source)))?;
            let name = format!("{}:{}", input.source, entry.line);
            let case = Case::new(&args.course, name, &entry.board, entry.goal.as_ref());
            let place = |error| Failure::usage(format!("{}:{}: {error}", input.source, entry.line));
            cases.push(case.map_err(place)?);
        }
    }
    if cases.is_empty() {
        return Err(Failure::usage("no boards"));
    }
    Ok(cases)
}

/// What the flags say, else the course's own limits where it tells time, else ours.
fn allowance(args: &GradeArgs) -> Allowance {
    let limits = args.course.limits;
    let own = limits.time.filter(|_| limits.memory.is_some_and(|memory| memory < MEMORY));
    Allowance {
        time: args.time.map_or(own.or(Some(TIME)), units_at),
        memory: args.memory.map_or(limits.memory.or(Some(MEMORY)), units_at),
    }
}

fn units_at<T>(bound: crate::io::units::Bound<T>) -> Option<T> {
    bound.at()
}

/// Runs the program on a board; what it did, and its answer.
fn run_on(
    case: &Case,
    command: &[OsString],
    allowance: Allowance,
    cancel: &Cancel,
) -> Result<(Ran, String), Failure> {
    // One of its own for every board: whatever is done to it does not reach the next.
    let folder = Folder::create()?;
    let (input, output) = (folder.path("board.txt"), folder.path("answer.txt"));
    let failure = |path: &Path, error: std::io::Error| Failure::io(path.display(), &error);
    fs::write(&input, &case.text).map_err(|error| failure(&input, error))?;
    let writes_file = command.iter().any(|word| word.to_string_lossy().contains("{output}"));
    let words: Vec<OsString> = command.iter().map(|word| filled(word, &input, &output)).collect();
    let is_piped = words == command || writes_file && !names_input(command);
    let stdin = if is_piped { &input } else { Path::new(NOWHERE) };
    let program = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let patience = Instant::now() + PATIENCE;
    let ran = loop {
        let stdin = File::open(stdin).map_err(|error| failure(stdin, error))?;
        match sandbox::run(&words, stdin, allowance, &mut || cancel.is_cancelled()) {
            Ok(ran) => break ran,
            // No process or thread is to be had, which is not the program's fault.
            Err(error) if is_scarce(&error) => {
                if cancel.is_cancelled() || Instant::now() > patience {
                    return Err(Failure::io(program, &error));
                }
                std::thread::sleep(PAUSE);
                // Of a program that ran until we found no thread to read what it prints.
                let _ = fs::remove_file(&output);
            }
            Err(error) => break Ran::not_started(&program, &error),
        }
    };
    if !writes_file {
        let text = ran.stdout.clone();
        return Ok((ran, text));
    }
    let mut bytes = Vec::new();
    // A program that has written nothing has no answer.
    if let Some(file) = regular_file(&output) {
        let _ = file.take(MAX_ANSWER).read_to_end(&mut bytes);
    }
    Ok((ran, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Whether something failed since the system has too little left, now.
fn is_scarce(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
}

/// A file that is one: no link, which may lead anywhere, and no pipe, whose reader may wait for ever.
fn regular_file(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    options.open(path).ok().filter(|file| file.metadata().is_ok_and(|meta| meta.is_file()))
}

#[cfg(unix)]
const NOWHERE: &str = "/dev/null";
#[cfg(not(unix))]
const NOWHERE: &str = "NUL";

fn names_input(command: &[OsString]) -> bool {
    command.iter().any(|word| word.to_string_lossy().contains("{input}"))
}

/// A word of the command with the names of the files in it.
fn filled(word: &OsString, input: &Path, output: &Path) -> OsString {
    let Some(text) = word.to_str() else { return word.clone() };
    let named = |path: &Path| path.to_string_lossy().into_owned();
    text.replace("{input}", &named(input)).replace("{output}", &named(output)).into()
}

/// What the program had to say besides, cut to what people read.
fn messages(ran: &Ran) -> String {
    const MAX_LINES: usize = 5;
    let lines = ran.stderr.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES);
    lines.map(|line| line.chars().take(200).collect::<String>() + "\n").collect()
}

/// What was wrong, or what was right, in a line.
fn verdict(result: &Outcome) -> String {
    let said = match &result.judged.wrong {
        Some(wrong) => wrong.to_string(),
        None => result.judged.note.clone(),
    };
    match result.ran.n_left {
        0 => said,
        1 => said + "; left a process running, which was ended",
        n => format!("{said}; left {n} processes running, which were ended"),
    }
}
