//! `cargo xtask test`: the steps, how they run, and how their tests are counted.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::browser;
use crate::bubblewrap;
use crate::msrv;
use crate::node;
use crate::package;
use crate::python;
use crate::tally::Tally;
use crate::tidy;
use crate::toolchain::{self, CLIPPY, Component, RUSTFMT};

/// All steps.
pub(crate) const FULL: &[Step] = &[
    FMT,
    Step {
        name: "clippy",
        needs: Some(CLIPPY),
        action: Action::Cargo(
            &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
            &[],
        ),
    },
    Step {
        name: "docs",
        needs: None,
        action: Action::Cargo(
            &["doc", "--workspace", "--no-deps", "--locked"],
            &[("RUSTDOCFLAGS", "-D warnings")],
        ),
    },
    BROWSER,
    BUBBLEWRAP,
    Step {
        name: "tests",
        needs: None,
        action: Action::CargoTest(&["--workspace", "--locked", "--no-fail-fast"]),
    },
    Step {
        name: "node",
        needs: None,
        action: Action::Counted("the WebAssembly module and the npm package", node::test),
    },
    Step { name: "python", needs: None, action: Action::Counted("pytest", python::test) },
    Step { name: "package", needs: None, action: Action::Counted("packages", package::check) },
    Step {
        name: "msrv",
        needs: None,
        action: Action::Counted("the oldest supported Rust", msrv::check),
    },
    TIDY,
];

/// The steps to run after every change.
pub(crate) const QUICK: &[Step] = &[
    FMT,
    BROWSER,
    BUBBLEWRAP,
    Step {
        name: "tests",
        needs: None,
        action: Action::CargoTest(&["--workspace", "--locked", "--no-fail-fast", "--tests"]),
    },
    TIDY,
];

/// The tidiness checks only.
pub(crate) const ONLY_TIDY: &[Step] = &[TIDY];

/// The variable that turns on the tests that take minutes.
pub(crate) const LONG: Envs = &[("NPUZZLE_LONG_TESTS", "1")];

/// Environment variables.
type Envs = &'static [(&'static str, &'static str)];

const FMT: Step = Step {
    name: "fmt",
    needs: Some(RUSTFMT),
    action: Action::Cargo(&["fmt", "--all", "--check"], &[]),
};

/// The tests need the browser, so this step precedes them.
const BROWSER: Step =
    Step { name: "browser", needs: None, action: Action::Check(browser::problems) };

/// The tests of the sandbox need bubblewrap.
const BUBBLEWRAP: Step =
    Step { name: "bubblewrap", needs: None, action: Action::Check(bubblewrap::problems) };

const TIDY: Step = Step { name: "tidy", needs: None, action: Action::Check(tidy::problems) };

/// A step of the run.
pub(crate) struct Step {
    name: &'static str,
    /// Installed before the step if it is missing.
    needs: Option<Component>,
    action: Action,
}

enum Action {
    /// `cargo` with these arguments and environment variables; counts as one test.
    Cargo(&'static [&'static str], Envs),
    /// `cargo test` with these arguments; each test counts.
    CargoTest(&'static [&'static str]),
    /// Other tests, with a name for the output; the function counts them.
    Counted(&'static str, fn(&Path) -> io::Result<Tally>),
    /// A check that returns a list of problems; counts as one test.
    Check(fn(&Path) -> io::Result<Vec<String>>),
}

/// The command as a user would type it.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Cargo(args, envs) => {
                envs.iter().try_for_each(|(name, value)| write!(f, "{name}=\"{value}\" "))?;
                write!(f, "cargo {}", args.join(" "))
            }
            Action::CargoTest(args) => write!(f, "cargo test {}", args.join(" ")),
            Action::Counted(what, _) => write!(f, "{what} (the commands follow)"),
            Action::Check(_) => f.write_str("(built in)"),
        }
    }
}

/// Runs every step, even after a failure, prints the total as the last line, and returns whether all
/// passed. `cargo test` gets the environment variables.
pub(crate) fn run(root: &Path, steps: &[Step], envs: Envs) -> io::Result<bool> {
    let mut total = Tally::default();
    let mut failed = Vec::new();
    for step in steps {
        println!("==> {}: {}", step.name, step.action);
        if let (Action::CargoTest(_), false) = (&step.action, envs.is_empty()) {
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
    let has_tests = steps.iter().any(|step| matches!(step.action, Action::CargoTest(_)));
    if has_tests && envs.is_empty() {
        println!(
            "tests that take minutes were shortened; `cargo xtask test --long` runs them in full"
        );
    }
    if !failed.is_empty() {
        println!("failed steps: {}", failed.join(", "));
    }
    println!("{total}");
    Ok(total.failed == 0)
}

impl Step {
    fn run(&self, root: &Path, test_envs: Envs) -> io::Result<Tally> {
        if let Some(component) = &self.needs {
            toolchain::ensure(component)?;
        }
        match self.action {
            Action::Cargo(args, envs) => {
                let status =
                    toolchain::cargo().current_dir(root).args(args).envs(envs.to_vec()).status()?;
                Ok(Tally::of_step(status.success()))
            }
            Action::CargoTest(args) => {
                let mut tests = toolchain::cargo();
                tests.current_dir(root).arg("test").args(args).envs(test_envs.to_vec());
                run_tests(&mut tests)
            }
            Action::Counted(_, run) => run(root),
            Action::Check(problems) => {
                let problems = problems(root)?;
                problems.iter().for_each(|problem| println!("{problem}"));
                Ok(Tally::of_step(problems.is_empty()))
            }
        }
    }
}

/// Runs `cargo test`, forwards its output line by line and adds up its result lines.
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
    // A compile error or an aborted test binary prints no result line.
    if !child.wait()?.success() && tally.failed == 0 {
        tally += Tally::FAILED;
    }
    Ok(tally)
}
