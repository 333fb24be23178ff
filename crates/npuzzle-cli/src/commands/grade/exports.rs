//! The results for other programs: our JSON, JUnit XML, Gradescope's `results.json`.

use npuzzle_courses::{CommonSymptom, Diagnosis, NamedMistake};
use serde_json::{Value, json};

use super::{BoardGrade, GradeReport, text};
use crate::exit::Failure;
use crate::report::json_line;

/// The object that `--json` writes; its names are stable.
pub(super) fn json(course: &str, command: &str, report: &GradeReport) -> Result<String, Failure> {
    let mistake = |found: &NamedMistake| {
        json!({
            "suspect": found.mutant.name(),
            "words": found.mutant.to_string(),
            "failed_explained": found.failed.0,
            "failed": found.failed.1,
            "passed_explained": found.passed.0,
            "passed": found.passed.1,
            "evidence": found.evidence,
            "advice": found.mutant.advice(),
        })
    };
    let common = |found: &CommonSymptom| {
        json!({
            "symptom": found.symptom.name(),
            "words": found.to_string(),
            "advice": found.advice(),
        })
    };
    let (mistakes, common_symptom) = match &report.diagnosis {
        None => (Vec::new(), Value::Null),
        Some(Diagnosis::Mistake(found)) => (vec![mistake(found)], Value::Null),
        Some(Diagnosis::CommonSymptom(found)) => (Vec::new(), common(found)),
    };
    let board = |grade: &BoardGrade| {
        let (score, points) = report.points_of(grade);
        json!({
            "name": grade.board.name,
            "start": grade.board.start,
            "goal": grade.board.goal,
            "solvable": grade.board.is_solvable,
            "passed": grade.is_passed(),
            "score": score,
            "points": points,
            "verdict": grade.verdict(),
            "shortest": grade.judged.observation.shortest,
            "ms": (grade.run.time.as_secs_f64() * 1e6).round() / 1e3,
            "memory_bytes": grade.run.memory,
            "stderr": grade.stderr_excerpt(),
        })
    };
    json_line(&json!({
        "schema": 1,
        "course": course,
        "command": command,
        "passed": report.n_passed(),
        "boards": report.n_cases,
        "score": report.score(),
        "points": report.points,
        "time_limit_s": report.limits.time.map(|time| time.as_secs_f64()),
        "memory_limit_bytes": report.limits.memory,
        "sandbox": report.protections.iter().map(|one| one.name()).collect::<Vec<_>>(),
        "diagnoses": mistakes,
        "common_symptom": common_symptom,
        "results": report.grades.iter().map(board).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

/// One suite with a test case per board. A wrong answer is a JUnit failure; a crash or a limit is a
/// JUnit error.
pub(super) fn junit(course: &str, report: &GradeReport) -> String {
    let (n, n_passed) = (report.grades.len(), report.n_passed());
    let n_errors = report.grades.iter().filter(|grade| grade.is_error()).count();
    let n_failures = n - n_passed - n_errors;
    let seconds = total_seconds(report);
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    text += &format!(
        "  <testsuite name=\"npuzzle grade {course}\" tests=\"{n}\" failures=\"{n_failures}\" \
         errors=\"{n_errors}\" skipped=\"0\" time=\"{seconds:.3}\">\n"
    );
    for grade in &report.grades {
        let (name, seconds) = (xml(&grade.board.name), grade.run.time.as_secs_f64());
        text += &format!(
            "    <testcase classname=\"npuzzle.{course}\" name=\"{name}\" time=\"{seconds:.3}\""
        );
        if grade.is_passed() {
            text += "/>\n";
            continue;
        }
        let element = if grade.is_error() { "error" } else { "failure" };
        let (verdict, details) = (xml(&grade.verdict()), xml(&details(grade)));
        text += &format!(
            ">\n      <{element} message=\"{verdict}\">{details}</{element}>\n    </testcase>\n"
        );
    }
    let diagnosis = text::diagnosis(report);
    if !diagnosis.is_empty() {
        text += &format!("    <system-out>{}</system-out>\n", xml(&diagnosis));
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// See <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
pub(super) fn gradescope(report: &GradeReport) -> Result<String, Failure> {
    let test = |(index, grade): (usize, &BoardGrade)| {
        let (score, max_score) = report.points_of(grade);
        let mut output = grade.verdict() + "\n";
        if !grade.is_passed() {
            output += &details(grade);
        }
        json!({
            "number": (index + 1).to_string(),
            "name": grade.board.name,
            "status": if grade.is_passed() { "passed" } else { "failed" },
            "score": score,
            "max_score": max_score,
            "output": output,
            "output_format": "text",
            "visibility": "visible",
        })
    };
    let tests: Vec<_> = report.grades.iter().enumerate().map(test).collect();
    let record = json!({
        "score": report.score(),
        "execution_time": total_seconds(report).ceil() as u64,
        "output": text::summary(report),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    });
    let text =
        serde_json::to_string_pretty(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(text + "\n")
}

fn total_seconds(report: &GradeReport) -> f64 {
    report.grades.iter().map(|grade| grade.run.time.as_secs_f64()).sum()
}

/// The board and the messages, with which a student can reproduce a failure.
fn details(grade: &BoardGrade) -> String {
    let mut text = format!("board:\n{}", grade.board.text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let stderr = grade.stderr_excerpt();
    if !stderr.is_empty() {
        text += &format!("stderr:\n{stderr}");
    }
    text
}

/// Text for XML 1.0, which cannot represent most control characters.
fn xml(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}
