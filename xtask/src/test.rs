//! `cargo xtask test`: the steps, and how they are run and counted.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::browser;
use crate::component::{self, CLIPPY, Component, RUSTFMT};
use crate::oldest;
use crate::package;
use crate::python;
use crate::tally::Tally;
use crate::tidy;

/// All there is.
pub(crate) const FULL: &[Step] = &[
    FMT,
    Step {
        name: "clippy",
        needs: Some(CLIPPY),
        work: Work::Cargo(
            &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
            &[],
        ),
    },
    Step {
        name: "docs",
        needs: None,
        work: Work::Cargo(
            &["doc", "--workspace", "--no-deps", "--locked"],
            &[("RUSTDOCFLAGS", "-D warnings")],
        ),
    },
    BROWSER,
    Step {
        name: "tests",
        needs: None,
        work: Work::CargoTest(&["--workspace", "--locked", "--no-fail-fast"]),
    },
    Step { name: "python", needs: None, work: Work::Counted("pytest", python::test) },
    Step { name: "package", needs: None, work: Work::Counted("packages", package::check) },
    Step { name: "oldest", needs: None, work: Work::Counted("the oldest Rust", oldest::check) },
    TIDY,
];

/// What is worth the wait after every change.
pub(crate) const QUICK: &[Step] = &[
    FMT,
    BROWSER,
    Step {
        name: "tests",
        needs: None,
        work: Work::CargoTest(&["--workspace", "--locked", "--no-fail-fast", "--tests"]),
    },
    TIDY,
];

/// What asks for the tests that take minutes.
pub(crate) const LONG: Envs = &[("NPUZZLE_LONG_TESTS", "1")];

/// Environment variables.
type Envs = &'static [(&'static str, &'static str)];

const FMT: Step = Step {
    name: "fmt",
    needs: Some(RUSTFMT),
    work: Work::Cargo(&["fmt", "--all", "--check"], &[]),
};

/// Before the tests, which need it.
const BROWSER: Step = Step { name: "browser", needs: None, work: Work::Check(browser::problems) };

const TIDY: Step = Step { name: "tidy", needs: None, work: Work::Check(tidy::problems) };

/// A row of the table.
pub(crate) struct Step {
    name: &'static str,
    /// Looked for, and installed if it is missing, before the work begins.
    needs: Option<Component>,
    work: Work,
}

enum Work {
    /// `cargo` with these arguments and environment variables, counted as one.
    Cargo(&'static [&'static str], Envs),
    /// `cargo test` with these arguments, its tests counted one by one.
    CargoTest(&'static [&'static str]),
    /// Tests of another kind, which are counted by whoever runs them; what people call them.
    Counted(&'static str, fn(&Path) -> io::Result<Tally>),
    /// A look at the workspace that lists what is wrong, counted as one.
    Check(fn(&Path) -> io::Result<Vec<String>>),
}

/// The command as one would type it.
impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Work::Cargo(args, envs) => {
                envs.iter().try_for_each(|(name, value)| write!(f, "{name}=\"{value}\" "))?;
                write!(f, "cargo {}", args.join(" "))
            }
            Work::CargoTest(args) => write!(f, "cargo test {}", args.join(" ")),
            Work::Counted(what, _) => write!(f, "{what} (what is run follows)"),
            Work::Check(_) => f.write_str("(built in)"),
        }
    }
}

/// Runs every step, also after one that failed, the tests with these environment variables, and
/// prints the sum as the last line.
pub(crate) fn run(root: &Path, steps: &[Step], envs: Envs) -> ExitCode {
    let mut total = Tally::default();
    let mut failed = Vec::new();
    for step in steps {
        println!("==> {}: {}", step.name, step.work);
        if let (Work::CargoTest(_), false) = (&step.work, envs.is_empty()) {
            println!("with {envs:?}");
        }
        let start = Instant::now();
        let tally = step.run(root, envs).unwrap_or_else(|error| {
            println!("error: {error}");
            Tally::FAILED
        });
        if tally.failed > 0 {
            failed.push(step.name);
        }
        let verdict = if tally.failed > 0 { "FAILED" } else { "ok" };
        println!("<== {}: {verdict} ({:.1} s)\n", step.name, start.elapsed().as_secs_f64());
        total += tally;
    }
    if envs.is_empty() {
        println!(
            "tests that would take minutes were cut short; `cargo xtask test --long` runs them whole"
        );
    }
    if !failed.is_empty() {
        println!("failed steps: {}", failed.join(", "));
    }
    println!("{total}");
    ExitCode::from(u8::from(total.failed > 0))
}

impl Step {
    fn run(&self, root: &Path, test_envs: Envs) -> io::Result<Tally> {
        if let Some(component) = &self.needs {
            component::ensure(component)?;
        }
        match self.work {
            Work::Cargo(args, envs) => {
                let status =
                    component::cargo().current_dir(root).args(args).envs(envs.to_vec()).status()?;
                Ok(Tally::of_whole(status.success()))
            }
            Work::CargoTest(args) => {
                let mut tests = component::cargo();
                tests.current_dir(root).arg("test").args(args).envs(test_envs.to_vec());
                run_tests(&mut tests)
            }
            Work::Counted(_, run) => run(root),
            Work::Check(problems) => {
                let problems = problems(root)?;
                problems.iter().for_each(|problem| println!("{problem}"));
                Ok(Tally::of_whole(problems.is_empty()))
            }
        }
    }
}

/// Passes the output on line by line, and counts the tests that it tells of.
fn run_tests(command: &mut Command) -> io::Result<Tally> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        // Bytes, not strings: a test may print anything.
        while output.read_until(b'\n', &mut line)? > 0 {
            io::stdout().write_all(&line)?;
            tally += Tally::of_result_line(&String::from_utf8_lossy(&line)).unwrap_or_default();
            line.clear();
        }
    }
    // Code that does not compile and a test that aborts leave no line behind.
    if !child.wait()?.success() && tally.failed == 0 {
        tally += Tally::FAILED;
    }
    Ok(tally)
}
