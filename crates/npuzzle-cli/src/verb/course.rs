//! `npuzzle course`: the course programs with their own arguments, words and limits.

use std::path::Path;

use npuzzle::{Limit, Limits};
use npuzzle_courses::{
    self as courses, Course, Detect, Ending, Priority, Run, RunError, princeton,
};

use crate::args::{CourseArg, CourseArgs, DetectArg, PriorityArg};
use crate::exit::{self, Exit, Failure};
use crate::input::Input;
use crate::output::{self, Output};
use crate::progress::Progress;

pub(crate) fn run(args: &CourseArgs) -> Result<Exit, Failure> {
    match &args.course {
        None => list(),
        Some(CourseArg::Umbc { file }) => print(&courses::umbc::COURSE, file),
        Some(CourseArg::Auc { file }) => print(&courses::auc::COURSE, file),
        Some(CourseArg::Princeton { file, faithful, heuristic, detect, memory, time }) => {
            let limits = Limits { memory: memory.at(), time: time.at(), nodes: None };
            let own_search = *faithful || heuristic.is_some() || detect.is_some();
            if !own_search {
                return print(&Course { limits, ..princeton::COURSE }, file);
            }
            let heuristic = match heuristic {
                Some(PriorityArg::Hamming) => Priority::Misplaced,
                Some(PriorityArg::Manhattan) | None => Priority::Manhattan,
            };
            let detect = match detect {
                Some(DetectArg::Lockstep) => Detect::Lockstep,
                Some(DetectArg::Parity) | None => Detect::Parity,
            };
            let course = Course { limits, ..princeton::faithful(heuristic, detect) };
            let (run, exit) = answer(&course, file)?;
            let stats = run.stats;
            exit::tell(format!("{} enqueued, {} dequeued", stats.enqueued, stats.dequeued));
            Ok(exit)
        }
        Some(CourseArg::Bu { file, limit }) => {
            let limits = Limits { nodes: Some(*limit), ..courses::bu::COURSE.limits };
            let (text, run) = solve(&Course { limits, ..courses::bu::COURSE }, file)?;
            Output::open(None)?.write(&text)?;
            match &run.ending {
                Ending::Solved(steps) => {
                    let n = steps.len() - 1;
                    exit::tell(format!(
                        "{n} moves; found by Manhattan distance alone, so perhaps not shortest"
                    ));
                    Ok(Exit::Yes)
                }
                // The search does not know what parity does.
                Ending::Stopped(Limit::Nodes, _) if !run.instance.is_solvable() => {
                    Ok(verdict(&Run { ending: Ending::Unsolvable, ..run }, file))
                }
                _ => Ok(verdict(&run, file)),
            }
        }
        Some(CourseArg::Cuhk { initial, moves }) => {
            let (text, run) = solve(&courses::cuhk::COURSE, initial)?;
            if matches!(run.ending, Ending::Solved(_)) {
                output::write_file(moves, &text)?;
            }
            Ok(verdict(&run, initial))
        }
    }
}

fn list() -> Result<Exit, Failure> {
    let mut output = Output::open(None)?;
    for course in courses::ALL {
        output.write(format!("{:10} {}\n", course.name, course.about).as_bytes())?;
    }
    Ok(Exit::Yes)
}

/// Runs a course and prints its answer.
fn print(course: &Course, file: &Path) -> Result<Exit, Failure> {
    answer(course, file).map(|(_, exit)| exit)
}

fn answer(course: &Course, file: &Path) -> Result<(Run, Exit), Failure> {
    let (text, run) = solve(course, file)?;
    Output::open(None)?.write(&text)?;
    let exit = verdict(&run, file);
    Ok((run, exit))
}

/// The course's answer as text. A file that cannot be read is bad input here, as in the courses.
fn solve(course: &Course, file: &Path) -> Result<(Vec<u8>, Run), Failure> {
    let input = Input::from_file(file).map_err(|failure| failure.with_exit(Exit::Usage))?;
    let mut progress = Progress::new(crate::cancel_on_signal()?, false);
    let result = courses::run(course, &input.text, course.limits, &mut progress);
    drop(progress);
    let mut text = Vec::new();
    let in_memory = |error: std::io::Error| Failure::io("answer", &error);
    match result {
        Ok(run) => {
            (course.write)(&run, &mut text).map_err(in_memory)?;
            Ok((text, run))
        }
        Err(RunError::Read(error)) => {
            (course.reject)(&input.text, &mut text).map_err(in_memory)?;
            Output::open(None)?.write(&text)?;
            Err(Failure::usage(error.render(&input.source)))
        }
        Err(RunError::Solve(error)) => Err(Failure::usage(error)),
    }
}

/// The exit code, and on stderr what the course may have no words for.
fn verdict(run: &Run, file: &Path) -> Exit {
    let file = file.display();
    let say = |message: &str| exit::complain(format!("{file}: {message}"));
    match run.ending {
        Ending::Solved(_) => Exit::Yes,
        Ending::Unsolvable => {
            say(&run.instance.solvability().to_string());
            Exit::No
        }
        Ending::Stopped(limit, bound) => {
            let bound = bound.map_or(String::new(), |n| format!("; at least {n} moves are needed"));
            say(&format!("gave up: {}{bound}", crate::form::limit(limit, &run.limits, &run.stats)));
            if limit == Limit::Interrupted { Exit::Interrupted } else { Exit::Limit }
        }
    }
}
