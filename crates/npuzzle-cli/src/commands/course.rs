//! `npuzzle course`: the course programs with their own arguments, words and limits.

use std::path::Path;

use npuzzle::search::{Cost, Evaluation};
use npuzzle::{Dims, Goal, Limit, Limits, Random, Stats};
use npuzzle_courses::{self as courses, Course, CourseRun, Detect, Ending, Priority, RunError};

use crate::args::{CourseArg, CourseArgs, DetectArg, FortyTwoArgs, SearchArg};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::{self, Output};
use crate::messages;
use crate::report::progress::SearchProgress;

/// Several times the largest board, so that no file eats the machine.
const MAX_BYTES: u64 = 1 << 20;

/// What is to be said of a path longer than its estimate.
const DOUBT: &str = "; found by Manhattan distance alone, so perhaps not shortest";

pub(crate) fn run(args: &CourseArgs) -> Result<Exit, Failure> {
    match &args.course {
        None => list(),
        Some(CourseArg::Umbc { file, limits }) => {
            print(&Course { limits: limits.get(), ..courses::courses::umbc::COURSE }, file)
        }
        Some(CourseArg::Auc { file, limits }) => {
            print(&Course { limits: limits.get(), ..courses::courses::auc::COURSE }, file)
        }
        Some(CourseArg::Princeton { file, faithful, heuristic, detect, limits }) => {
            let limits = limits.get();
            let own_search = *faithful || heuristic.is_some() || detect.is_some();
            if !own_search {
                return print(&Course { limits, ..courses::courses::princeton::COURSE }, file);
            }
            let heuristic = heuristic.map_or(Priority::Manhattan, Priority::from);
            let detect = match detect {
                Some(DetectArg::Lockstep) => Detect::Lockstep,
                Some(DetectArg::Parity) | None => Detect::Parity,
            };
            let course =
                Course { limits, ..courses::courses::princeton::faithful(heuristic, detect) };
            let (run, exit) = answer(&course, file)?;
            let counts =
                |stats: &Stats| format!("{} enqueued, {} dequeued", stats.enqueued, stats.dequeued);
            let twin = run.twin_stats.as_ref();
            let twin = twin.map_or(String::new(), |stats| format!("; twin: {}", counts(stats)));
            messages::note(counts(&run.stats) + &twin);
            Ok(exit)
        }
        Some(CourseArg::Bu { file, limit }) => {
            let limits = Limits { nodes: Some(*limit), ..courses::courses::bu::COURSE.limits };
            let (text, run) = solve(&Course { limits, ..courses::courses::bu::COURSE }, file)?;
            Output::open(None)?.write(&text)?;
            match &run.ending {
                Ending::Solved(steps) => {
                    let n = steps.len() - 1;
                    let doubt = if n as Cost == steps[0].h { "" } else { DOUBT };
                    messages::note(format!("{n} moves{doubt}"));
                    Ok(Exit::Yes)
                }
                // The search does not know what parity does.
                Ending::Stopped(Limit::Nodes, _) if !run.instance.is_solvable() => {
                    Ok(verdict(&CourseRun { ending: Ending::Unsolvable, ..run }, &limits, file))
                }
                _ => Ok(verdict(&run, &limits, file)),
            }
        }
        Some(CourseArg::Cuhk { initial, moves, faithful }) => {
            if is_same_file(initial, moves) {
                return Err(Failure::usage(format!("{}: this is the input", moves.display())));
            }
            let course = if *faithful {
                courses::courses::cuhk::FAITHFUL
            } else {
                courses::courses::cuhk::COURSE
            };
            let (text, run) = solve(&course, initial)?;
            if matches!(run.ending, Ending::Solved(_)) {
                output::write_file(moves, &text)?;
            }
            Ok(verdict(&run, &course.limits, initial))
        }
        Some(CourseArg::FortyTwo(args)) => forty_two(args),
    }
}

fn forty_two(args: &FortyTwoArgs) -> Result<Exit, Failure> {
    let evaluation = match args.search {
        SearchArg::Astar => Evaluation::AStar,
        SearchArg::Uniform => Evaluation::Uniform,
        SearchArg::Greedy => Evaluation::Greedy,
    };
    let course = courses::courses::fortytwo::with(evaluation, args.heuristic.into());
    let course = Course { limits: args.limits.get(), ..course };
    if let Some(file) = &args.file {
        return print(&course, file);
    }
    let side = usize::from(args.random.unwrap_or(3));
    let dims = Dims::new(side, side).map_err(Failure::usage)?;
    let Some(goal) = Goal::Snail.board(dims) else { unreachable!("a named goal fits every size") };
    let seed = args.seed.unwrap_or_else(super::new_seed);
    let board = Random::new(seed).instance(&goal, !args.unsolvable).start().clone();
    let source = format!("random {dims}, seed {seed}");
    messages::note(&source);
    let (text, run) =
        solve_text(&course, Input { source: source.clone(), text: board.to_string() })?;
    Output::open(None)?.write(&text)?;
    Ok(verdict(&run, &course.limits, Path::new(&source)))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(a).is_some() && real(a) == real(b)
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

fn answer(course: &Course, file: &Path) -> Result<(CourseRun, Exit), Failure> {
    let (text, run) = solve(course, file)?;
    Output::open(None)?.write(&text)?;
    let exit = verdict(&run, &course.limits, file);
    Ok((run, exit))
}

/// The course's answer as text. A file that cannot be read is bad input here, as in the courses.
fn solve(course: &Course, file: &Path) -> Result<(Vec<u8>, CourseRun), Failure> {
    let input =
        Input::from_file(file, MAX_BYTES).map_err(|failure| failure.with_exit(Exit::Usage))?;
    solve_text(course, input)
}

fn solve_text(course: &Course, input: Input) -> Result<(Vec<u8>, CourseRun), Failure> {
    let mut progress = SearchProgress::new(crate::io::signals::cancel()?, false, 1);
    let result = courses::run(course, &input.text, &mut progress);
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
fn verdict(run: &CourseRun, limits: &Limits, file: &Path) -> Exit {
    let file = file.display();
    let say = |message: &str| messages::error(format!("{file}: {message}"));
    match run.ending {
        Ending::Solved(_) => Exit::Yes,
        Ending::Unsolvable => {
            say(&run.instance.solvability().to_string());
            Exit::No
        }
        Ending::Stopped(limit, bound) => {
            let bound = bound.map_or(String::new(), |n| format!("; at least {n} moves are needed"));
            say(&format!(
                "gave up: {}{bound}",
                crate::report::limit_message(limit, limits, &run.stats)
            ));
            if limit == Limit::Interrupted { Exit::Interrupted } else { Exit::Limit }
        }
    }
}
