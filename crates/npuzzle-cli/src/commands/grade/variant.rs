//! Grades programs for courses on variants of the puzzle. There is no diagnosis of likely bugs: the mistakes
//! that are simulated are those of other puzzles.

use std::io::ErrorKind;

use npuzzle::Cancel;
use npuzzle_courses::{
    ProcessEnd, ProgramOutput, VariantCase, VariantCourse, VariantError, judge_variant,
    seeded_variant_test_set,
};

use super::{BoardGrade, GradeReport, GradedBoard, GradedProgram, MAX_BOARDS, resource_limits};
use crate::args::GradeArgs;
use crate::exit::Failure;
use crate::io::input::Input;
use crate::io::output::SecondaryOutput;
use crate::sandbox::ProgramRun;

/// The boards of the files, of the seed, or the standard set of the course.
pub(super) fn cases(args: &GradeArgs, course: &VariantCourse) -> Result<Vec<VariantCase>, Failure> {
    if let Some(seed) = args.seed {
        return seeded_variant_test_set(course, seed, &mut ()).map_err(Failure::usage);
    }
    if args.boards.is_empty() {
        return Ok((course.test_set)());
    }
    let mut cases = Vec::new();
    for path in &args.boards {
        let input = Input::from_file(path, MAX_BOARDS)?;
        let source = &input.source;
        let read = (course.read_cases)(&input.text).map_err(|error| match error {
            VariantError::Read { error, .. } => Failure::usage(error.render(source)),
            error => Failure::usage(format!("{source}: {error}")),
        })?;
        let named =
            |case: VariantCase| VariantCase { name: format!("{source}: {}", case.name), ..case };
        cases.extend(read.into_iter().map(named));
    }
    if cases.is_empty() {
        return Err(Failure::usage("no boards in the files"));
    }
    Ok(cases)
}

/// Runs and judges the program on every board, until it is interrupted.
pub(super) fn grade_all(
    args: &GradeArgs,
    program: &GradedProgram,
    course: &VariantCourse,
    cases: &[VariantCase],
    stdout: &mut SecondaryOutput,
    cancel: &Cancel,
) -> Result<GradeReport, Failure> {
    let (limits, n_cases) = (resource_limits(args, course.limits), cases.len());
    let (grades, diagnosis) = (Vec::new(), None);
    let (protections, points) = (program.protections().to_vec(), args.points);
    let mut report = GradeReport { grades, n_cases, diagnosis, limits, protections, points };
    // A program that cannot be started fails on every board for the same reason, which is reported once.
    let mut start_failure: Option<ErrorKind> = None;
    for (number, case) in (1..).zip(cases) {
        let files: Vec<(&str, &str)> =
            case.files.iter().map(|(placeholder, text)| (*placeholder, text.as_str())).collect();
        let result = match start_failure {
            Some(kind) => Ok((ProgramRun::not_started(kind), String::new())),
            None => program.run_on(&files, &case.board, limits, cancel),
        };
        let (run, text) = match result {
            Ok(run) => run,
            Err(_) if cancel.is_cancelled() => return Ok(report),
            Err(failure) => {
                return Err(failure.with_suffix(&format!(" (board {number} of {n_cases})")));
            }
        };
        let Some(end) = run.ended else { return Ok(report) };
        if let ProcessEnd::NotStarted(kind) = end {
            start_failure = Some(kind);
        }
        let output = ProgramOutput { end, text, stderr: run.stderr.clone() };
        let judged = judge_variant(course, case, &output, &mut cancel.clone());
        if cancel.is_cancelled() {
            return Ok(report);
        }
        let judged = judged.map_err(Failure::usage)?;
        let board = GradedBoard {
            name: case.name.clone(),
            start: case.board.clone(),
            goal: case.goal.clone(),
            is_solvable: case.is_solvable,
            text: case.text.clone(),
        };
        report.add(BoardGrade { board, run, judged }, args, stdout);
    }
    Ok(report)
}
