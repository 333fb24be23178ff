//! Judges what somebody's program has answered to a board.
//!
//! Every shortest solution is right, or every valid one where the course asks for no more. What else
//! an answer shows is held to what it says of its own boards. Beside the verdict stands what was
//! [`Seen`], from which [`diagnose`](crate::diagnose) finds the likely mistake.

mod reported_values;

use std::error::Error;
use std::fmt;

use npuzzle::teaching::{CheckError, SolutionError, SolutionForm, find_boards};
use npuzzle::{Options, SolveError, Tables};
use npuzzle_core::format::{self, WriteError};
use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_core::{Board, Instance, Slide};

use crate::course::{Course, OutputSpec, ReadError, SolutionSpec};

/// A board for a program, as the course's file.
#[derive(Clone, Debug)]
pub struct Case {
    /// What reports call it.
    pub name: String,
    /// The puzzle.
    pub instance: Instance,
    /// The file.
    pub text: String,
}

impl Case {
    /// A board as the course writes it. A goal is for courses whose files carry one; others have
    /// their own, and take no other.
    pub fn new(
        course: &Course,
        name: impl Into<String>,
        board: &Board,
        goal: Option<&Board>,
    ) -> Result<Case, CaseError> {
        let format = course.grading.format;
        let last = npuzzle_core::Goal::Last.board(board.dims());
        let carried = match format {
            format::Format::Pair => goal.or(last.as_ref()),
            _ => None,
        };
        let text = format::write(board, carried, format).map_err(CaseError::Write)?;
        let instance = (course.read)(&text).map_err(CaseError::Read)?;
        if goal.is_some_and(|goal| goal != instance.goal()) {
            return Err(CaseError::Goal { course: course.name });
        }
        Ok(Case { name: name.into(), instance, text })
    }
}

/// Why a board cannot be given to a course's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseError {
    /// The course's format cannot hold it.
    Write(WriteError),
    /// The course does not take it.
    Read(ReadError),
    /// It comes with a goal that is not the course's.
    Goal {
        /// The course.
        course: &'static str,
    },
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Write(error) => error.fmt(f),
            CaseError::Read(error) => error.fmt(f),
            CaseError::Goal { course } => {
                write!(f, "{course} has a goal of its own, and this is another")
            }
        }
    }
}

impl Error for CaseError {}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It was ended when its time was up.
    Time,
    /// It was ended when it had taken too much memory.
    Memory,
    /// It was ended when it had written too much.
    Flood,
    /// It was ended when it had started too many processes.
    Processes,
    /// It never began, for this reason.
    NotStarted(std::io::ErrorKind),
}

/// What a program has left.
#[derive(Clone, Debug)]
pub struct Reply {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote as its answer.
    pub text: String,
    /// What it wrote on standard error.
    pub stderr: String,
}

/// What is to be said of a reply.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What is wrong with it; nothing if it passes.
    pub wrong: Option<Wrong>,
    /// What it has that makes it right, or what is not known about it.
    pub note: String,
    /// What tells mistakes apart.
    pub seen: Seen,
}

/// What is wrong with a reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It ended by other than itself.
    Ended(Ended),
    /// There is no answer in it.
    NoAnswer {
        /// The code it ended with.
        code: i32,
    },
    /// The solution is none.
    SolutionError(SolutionError),
    /// The solution is too long.
    TooLong {
        /// Its length.
        moves: Cost,
        /// What would do.
        shortest: Cost,
    },
    /// It does not say that there is no solution.
    Unsaid,
    /// A figure is not that of its board.
    Figure {
        /// The line.
        line: usize,
        /// `g` or `h`.
        name: &'static str,
        /// What it says.
        told: Cost,
        /// What is right.
        right: Cost,
    },
    /// A tile goes another way than it says.
    Way {
        /// The line.
        line: usize,
        /// The way that the tile goes.
        right: Slide,
    },
    /// The first states that left the queue cannot be these.
    States(&'static str),
    /// The exit code.
    ExitCode {
        /// The code.
        code: i32,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Ended(Ended::Code(code)) => write!(f, "ended with the exit code {code}"),
            Wrong::Ended(Ended::Signal(signal)) => write!(f, "crashed: ended by signal {signal}"),
            Wrong::Ended(Ended::Time) => f.write_str("no end within the time limit"),
            Wrong::Ended(Ended::Memory) => f.write_str("more memory than the limit"),
            Wrong::Ended(Ended::Flood) => f.write_str("more output than any answer has; cut off"),
            Wrong::Ended(Ended::Processes) => f.write_str("too many processes"),
            Wrong::Ended(Ended::NotStarted(why)) => write!(f, "cannot be started: {why}"),
            Wrong::NoAnswer { code: 0 } => f.write_str("no boards and no words in the answer"),
            Wrong::NoAnswer { code } => write!(f, "no answer, and the exit code {code}"),
            Wrong::SolutionError(fault) => fault.fmt(f),
            Wrong::TooLong { moves, shortest } => {
                write!(f, "{moves} moves, {} more than the shortest", moves - shortest)
            }
            Wrong::Unsaid => f.write_str("it does not say that this board has no solution"),
            Wrong::Figure { line, name, told, right } => {
                write!(f, "line {line}: {name} = {told}, and it is {right}")
            }
            Wrong::Way { line, right } => {
                write!(f, "line {line}: the tile goes {}", right.to_string().to_lowercase())
            }
            Wrong::States(why) => write!(f, "first states removed from the queue: {why}"),
            Wrong::ExitCode { code } => write!(f, "solved, but the exit code is {code}, not 0"),
        }
    }
}

/// What was seen of a program on a board, as much of it as tells mistakes apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// What it did.
    pub did: Behavior,
    /// Whether that passes.
    pub is_right: bool,
    /// The length of a shortest solution, if there is one and it is known.
    pub shortest: Option<Cost>,
    /// The estimates it shows, with their boards.
    pub estimates: Vec<(Board, Cost)>,
    /// It names ways, and all of them are opposite to those of the tiles.
    pub has_opposite_ways: bool,
    /// It tells the moves made so far, and all of them are one too many or one too few.
    pub has_shifted_moves: bool,
    /// Something is wrong about the states that left the queue.
    pub queue: Option<QueueSign>,
}

/// What a program did on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behavior {
    /// It found a way of so many moves, or says so.
    Found(Cost),
    /// It shows so many moves and says another number.
    Miscounted {
        /// What it says.
        claimed: Cost,
        /// What it shows.
        moves: Cost,
    },
    /// Its way begins one board late or ends one early.
    Short,
    /// It came to another board than the goal.
    Strayed(Board),
    /// It says that there is no solution.
    SaidNone,
    /// It came to no end within its limits.
    WentOn,
    /// Anything else.
    Other,
}

/// What is wrong about the states that left a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueSign {
    /// The goal was never taken out.
    GoalNotRemoved,
    /// The start was put in again by its children.
    StartAgain,
}

/// Judges a reply.
pub fn judge(
    course: &Course,
    case: &Case,
    reply: &Reply,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Judged, SolveError> {
    let instance = &case.instance;
    let judged = |did, wrong: Option<Wrong>, note: &str| {
        let is_right = wrong.is_none();
        let seen = Seen {
            did,
            is_right,
            shortest: None,
            estimates: Vec::new(),
            has_opposite_ways: false,
            has_shifted_moves: false,
            queue: None,
        };
        Judged { wrong, note: note.to_owned(), seen }
    };
    let code = match reply.ended {
        Ended::Code(_) if is_out_of_memory(reply) => {
            return Ok(judged(Behavior::WentOn, Some(Wrong::Ended(Ended::Memory)), ""));
        }
        Ended::Code(code) => code,
        ended @ (Ended::Time | Ended::Memory) => {
            return Ok(judged(Behavior::WentOn, Some(Wrong::Ended(ended)), ""));
        }
        ended => return Ok(judged(Behavior::Other, Some(Wrong::Ended(ended)), "")),
    };
    let boards = find_boards(&reply.text, instance.dims());
    if !instance.is_solvable() {
        let (did, wrong) = without_solution(course, instance, reply, code, &boards);
        return Ok(judged(did, wrong, "there is no solution, and none is given"));
    }
    if course.grading.shows == OutputSpec::FirstStates
        && let [(_, first), (_, end), ..] = &boards[..]
        && first == instance.start()
        && end != instance.goal()
    {
        let fault = SolutionError::NotAtGoal { end: end.clone() };
        return Ok(judged(Behavior::Strayed(end.clone()), Some(Wrong::SolutionError(fault)), ""));
    }
    let checked = match Options::default().check(instance, &reply.text, tables, watch) {
        Ok(checked) => checked,
        Err(CheckError::Solve(error)) => return Err(error),
        Err(_) => return Ok(judged(Behavior::Other, Some(Wrong::NoAnswer { code }), "")),
    };
    let shows_way = match course.grading.shows {
        OutputSpec::FirstStates => {
            matches!(checked.form, SolutionForm::MoveCount | SolutionForm::Boards)
        }
        // The start and the goal are all there is to show of a board that is solved.
        _ => checked.form == SolutionForm::Boards || instance.start() == instance.goal(),
    };
    if checked.form != SolutionForm::NoSolution && (boards.is_empty() || !shows_way) {
        return Ok(judged(Behavior::Other, Some(Wrong::NoAnswer { code }), ""));
    }
    if let Some(fault) = checked.error {
        let did = match &fault {
            SolutionError::ClaimsUnsolvable => Behavior::SaidNone,
            &SolutionError::WrongMoveCount { claimed, found } => {
                Behavior::Miscounted { claimed, moves: found }
            }
            SolutionError::WrongStart { .. } if is_late(&boards, instance) => Behavior::Short,
            SolutionError::NotAtGoal { end } if end.neighbors().any(|b| b == *instance.goal()) => {
                Behavior::Short
            }
            SolutionError::NotAtGoal { end } => Behavior::Strayed(end.clone()),
            _ => Behavior::Other,
        };
        let mut judged = judged(did, Some(Wrong::SolutionError(fault)), "");
        judged.seen.shortest = checked.quality.and_then(|quality| exact(&quality));
        reported_values::look(course, instance, reply, &boards, &mut judged.seen);
        return Ok(judged);
    }
    let Some(quality) = checked.quality else {
        return Ok(judged(Behavior::Other, Some(Wrong::NoAnswer { code }), ""));
    };
    let (moves, shortest) = (quality.length, exact(&quality));
    let is_too_long = course.grading.asks == SolutionSpec::Shortest && quality.upper_bound < moves;
    let mut judged = judged(Behavior::Found(moves), None, "");
    judged.seen.shortest = shortest;
    let figure = reported_values::look(course, instance, reply, &boards, &mut judged.seen);
    judged.wrong = if is_too_long {
        Some(Wrong::TooLong { moves, shortest: quality.upper_bound })
    } else if code != 0 && course.grading.ends_with_zero {
        Some(Wrong::ExitCode { code })
    } else {
        figure
    };
    judged.seen.is_right = judged.wrong.is_none();
    judged.note = match (shortest, quality.stopped) {
        (Some(shortest), _) if shortest == moves => {
            format!("{moves} move{}, shortest", if moves == 1 { "" } else { "s" })
        }
        (Some(shortest), _) => format!("{moves} moves; {shortest} would do"),
        (None, Some(Limit::Interrupted)) => "interrupted".to_owned(),
        (None, _) => {
            format!(
                "{moves} moves; at least {} are needed, so perhaps shortest",
                quality.lower_bound
            )
        }
    };
    Ok(judged)
}

fn exact(quality: &npuzzle::teaching::SolutionQuality) -> Option<Cost> {
    (quality.lower_bound == quality.upper_bound).then_some(quality.upper_bound)
}

/// Words of programs that die of their memory by themselves.
fn is_out_of_memory(reply: &Reply) -> bool {
    let words =
        ["OutOfMemoryError", "bad_alloc", "MemoryError", "memory allocation of", "GC overhead"];
    reply.ended != Ended::Code(0) && words.iter().any(|words| reply.stderr.contains(words))
}

/// Words of programs that end by an error they did not foresee, with a code that others choose.
fn has_crashed(reply: &Reply) -> bool {
    let words = [
        "Traceback (most recent call last)",
        "Exception in thread",
        "panicked at",
        "terminate called",
    ];
    reply.ended != Ended::Code(0) && words.iter().any(|words| reply.stderr.contains(words))
}

/// What a reply to a board without a solution is worth.
fn without_solution(
    course: &Course,
    instance: &Instance,
    reply: &Reply,
    code: i32,
    boards: &[(usize, Board)],
) -> (Behavior, Option<Wrong>) {
    let says_none = says_none(&reply.text) || !course.grading.says_none && says_none(&reply.stderr);
    let ways = boards.iter().filter(|(_, board)| board != instance.start()).count();
    match boards.last() {
        Some((_, end)) if ways > 0 && !says_none => {
            let is_summary = course.grading.shows == OutputSpec::FirstStates;
            let end = boards.get(1).filter(|_| is_summary).map_or(end, |(_, goal)| goal);
            (Behavior::Strayed(end.clone()), Some(Wrong::SolutionError(SolutionError::Unsolvable)))
        }
        _ if says_none => (Behavior::SaidNone, None),
        _ if course.grading.says_none => (Behavior::Other, Some(Wrong::Unsaid)),
        // Who need not say it may be silent, but not fall over it.
        _ if has_crashed(reply) => (Behavior::Other, Some(Wrong::NoAnswer { code })),
        _ => (Behavior::SaidNone, None),
    }
}

fn says_none(text: &str) -> bool {
    let text = text.to_lowercase();
    ["no solution", "unsolvable", "not solvable", "could not find a solution"]
        .iter()
        .any(|words| text.contains(words))
}

/// Whether boards go from one slide after the start to the goal.
fn is_late(boards: &[(usize, Board)], instance: &Instance) -> bool {
    let ends = boards.first().zip(boards.last());
    ends.is_some_and(|((_, first), (_, last))| {
        last == instance.goal() && instance.start().neighbors().any(|board| board == *first)
    })
}
