//! The results as other programs read them: our JSON, JUnit's XML, Gradescope's results.json.

use serde::Serialize;
use serde_json::json;

use super::{Graded, Outcome, messages, verdict, words};
use crate::exit::Failure;

/// What `--json` writes; names are stable.
#[derive(Serialize)]
struct Record<'a> {
    schema: u32,
    course: &'a str,
    command: &'a str,
    passed: usize,
    boards: usize,
    score: f64,
    points: f64,
    time_limit_s: Option<f64>,
    memory_limit_bytes: Option<u64>,
    diagnoses: Vec<Found>,
    results: Vec<Row>,
    version: &'static str,
}

#[derive(Serialize)]
struct Found {
    suspect: &'static str,
    words: String,
    failed_explained: usize,
    failed: usize,
    passed_explained: usize,
    passed: usize,
    evidence: String,
    advice: &'static str,
}

#[derive(Serialize)]
struct Row {
    name: String,
    start: String,
    goal: String,
    solvable: bool,
    passed: bool,
    score: f64,
    points: f64,
    verdict: String,
    shortest: Option<u32>,
    ms: f64,
    memory_bytes: Option<u64>,
    stderr: String,
}

pub(super) fn json(course: &str, command: &str, graded: &Graded) -> Result<String, Failure> {
    let found = graded.diagnoses.iter().map(|found| Found {
        suspect: found.suspect.name(),
        words: found.suspect.to_string(),
        failed_explained: found.failed.0,
        failed: found.failed.1,
        passed_explained: found.passed.0,
        passed: found.passed.1,
        evidence: found.evidence.clone(),
        advice: found.suspect.advice(),
    });
    let row = |result: &Outcome| {
        let (score, points) = graded.points_of(result);
        let instance = &result.case.instance;
        Row {
            name: result.case.name.clone(),
            start: instance.start().slash().to_string(),
            goal: instance.goal().slash().to_string(),
            solvable: instance.is_solvable(),
            passed: result.judged.wrong.is_none(),
            score,
            points,
            verdict: verdict(result),
            shortest: result.judged.seen.shortest,
            ms: (result.ran.time.as_secs_f64() * 1e6).round() / 1e3,
            memory_bytes: result.ran.memory,
            stderr: messages(&result.ran),
        }
    };
    let record = Record {
        schema: 1,
        course,
        command,
        passed: graded.n_passed(),
        boards: graded.results.len(),
        score: graded.score(),
        points: graded.points,
        time_limit_s: graded.allowance.time.map(|time| time.as_secs_f64()),
        memory_limit_bytes: graded.allowance.memory,
        diagnoses: found.collect(),
        results: graded.results.iter().map(row).collect(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}

/// One suite with a test case for each board. A board that fails is a failure; a limit or a crash is an
/// error, as JUnit calls what is not an answer.
pub(super) fn junit(course: &str, graded: &Graded) -> String {
    let (n, n_passed) = (graded.results.len(), graded.n_passed());
    let is_error =
        |result: &Outcome| matches!(result.judged.wrong, Some(npuzzle_courses::Wrong::Ended(_)));
    let n_errors = graded.results.iter().filter(|result| is_error(result)).count();
    let n_failures = n - n_passed - n_errors;
    let seconds: f64 = graded.results.iter().map(|result| result.ran.time.as_secs_f64()).sum();
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    text += &format!(
        "  <testsuite name=\"npuzzle grade {course}\" tests=\"{n}\" failures=\"{n_failures}\" \
         errors=\"{n_errors}\" skipped=\"0\" time=\"{seconds:.3}\">\n"
    );
    for result in &graded.results {
        let (name, seconds) = (xml(&result.case.name), result.ran.time.as_secs_f64());
        text += &format!(
            "    <testcase classname=\"npuzzle.{course}\" name=\"{name}\" time=\"{seconds:.3}\""
        );
        if result.judged.wrong.is_none() {
            text += "/>\n";
            continue;
        }
        let element = if is_error(result) { "error" } else { "failure" };
        let (said, more) = (xml(&verdict(result)), xml(&details(result)));
        text += &format!(
            ">\n      <{element} message=\"{said}\">{more}</{element}>\n    </testcase>\n"
        );
    }
    let found = words::diagnosis(graded);
    if !found.is_empty() {
        text += &format!("    <system-out>{}</system-out>\n", xml(&found));
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// See <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
pub(super) fn gradescope(graded: &Graded) -> Result<String, Failure> {
    let test = |(number, result): (usize, &Outcome)| {
        let (score, most) = graded.points_of(result);
        let is_right = result.judged.wrong.is_none();
        let mut output = verdict(result) + "\n";
        if !is_right {
            output += &details(result);
        }
        json!({
            "number": (number + 1).to_string(),
            "name": result.case.name,
            "status": if is_right { "passed" } else { "failed" },
            "score": score,
            "max_score": most,
            "output": output,
            "output_format": "text",
            "visibility": "visible",
        })
    };
    let seconds: f64 = graded.results.iter().map(|result| result.ran.time.as_secs_f64()).sum();
    let tests: Vec<_> = graded.results.iter().enumerate().map(test).collect();
    let record = json!({
        "score": graded.score(),
        "execution_time": seconds.ceil() as u64,
        "output": words::summary(graded),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    });
    let text =
        serde_json::to_string_pretty(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(text + "\n")
}

/// What a student needs to see it again.
fn details(result: &Outcome) -> String {
    let mut text = format!("board:\n{}", result.case.text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let messages = messages(&result.ran);
    if !messages.is_empty() {
        text += &format!("stderr:\n{messages}");
    }
    text
}

/// Text for XML 1.0, which has no words for most control characters.
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
