//! `cargo xtask fuzz`: runs the targets of `npuzzle-fuzz` under libFuzzer, which searches for inputs
//! that increase code coverage.
//!
//! The stable compiler can instrument code for coverage (`sancov`), so no nightly toolchain is needed.
//! libFuzzer itself needs a C++ compiler. The results are in `target/fuzz`: `corpus/TARGET` has the
//! inputs that increased coverage, `found` the inputs that broke a promise.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{toolchain, usage};

/// The compiler flags that instrument code for coverage.
const COVERAGE_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16";

/// How long a target runs by default.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// The command-line arguments.
struct FuzzArgs<'a> {
    /// `None` runs all targets.
    target: Option<&'a str>,
    time: Duration,
    /// Whether inputs that increase coverage are added to the committed corpus.
    keep: bool,
}

fn parse<'a>(words: &[&'a str]) -> io::Result<FuzzArgs<'a>> {
    let mut args = FuzzArgs { target: None, time: DEFAULT_TIME, keep: false };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--time" => {
                args.time = duration(words.next().copied().unwrap_or_default())?;
            }
            "--keep" => args.keep = true,
            flag if flag.starts_with('-') => return Err(usage(format!("unknown flag {flag}"))),
            name if args.target.is_none() => args.target = Some(name),
            more => return Err(usage(format!("more than one target: {more}"))),
        }
    }
    Ok(args)
}

/// Parses a time such as `90s`, `10m` or `2h`.
pub(crate) fn duration(text: &str) -> io::Result<Duration> {
    let units = [('s', 1), ('m', 60), ('h', 3600)];
    let seconds = units.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*seconds).filter(|&seconds| seconds > 0)
    });
    let invalid = || usage(format!("{text:?} is not a time such as 90s or 10m"));
    seconds.map(Duration::from_secs).ok_or_else(invalid)
}

/// Runs the targets one after the other and returns whether all promises held.
pub(crate) fn run(root: &Path, args: &[&str]) -> io::Result<bool> {
    let args = parse(args)?;
    let fuzzer = Fuzzer::build(root)?;
    let targets: Vec<String> = fuzzer.targets()?;
    let chosen: Vec<&String> =
        targets.iter().filter(|name| args.target.is_none_or(|target| target == *name)).collect();
    if chosen.is_empty() {
        return Err(io::Error::other(format!(
            "no such target; the targets are {}",
            targets.join(", ")
        )));
    }
    let mut rows = Vec::new();
    let mut is_success = true;
    for target in chosen {
        let result = fuzzer.run(target, args.time)?;
        is_success &= result.failing_input.is_none();
        if args.keep && result.failing_input.is_none() {
            fuzzer.keep(target)?;
        }
        rows.push((target, result));
    }
    println!("\n{:10} {:>12} {:>8} {:>8} {:>6}", "target", "inputs", "edges", "corpus", "");
    for (target, TargetResult { n_inputs, n_edges, n_corpus, failing_input }) in &rows {
        let verdict = if failing_input.is_some() { "FAILED" } else { "ok" };
        println!("{target:10} {n_inputs:>12} {n_edges:>8} {n_corpus:>8} {verdict:>6}");
    }
    for (target, result) in &rows {
        if let Some(path) = &result.failing_input {
            println!("\n{target}: a promise was broken. To reproduce:");
            println!("cargo run -p npuzzle-fuzz -- try {target} {}", path.display());
        }
    }
    Ok(is_success)
}

/// The two fuzz programs and their folder.
struct Fuzzer<'a> {
    root: &'a Path,
    /// `target/fuzz`.
    folder: PathBuf,
    libfuzzer: PathBuf,
    plain: PathBuf,
}

/// The result of running one target.
struct TargetResult {
    n_inputs: u64,
    /// Covered edges of the control flow.
    n_edges: u64,
    n_corpus: usize,
    /// The input that broke a promise.
    failing_input: Option<PathBuf>,
}

impl<'a> Fuzzer<'a> {
    /// Builds both programs. Only the one that links libFuzzer is instrumented: the instrumentation
    /// calls functions of libFuzzer. The plain one is shared with the tests.
    fn build(root: &'a Path) -> io::Result<Fuzzer<'a>> {
        let host = toolchain::host()?;
        let target = toolchain::target_folder(root);
        let folder = target.join("fuzz");
        let build = |flags: &[&str], folder: &Path, rustflags: Option<&str>| {
            let mut build = toolchain::cargo();
            build.current_dir(root).args(["build", "--locked", "--package", "npuzzle-fuzz"]);
            build.args(flags).arg("--target-dir").arg(folder);
            if let Some(rustflags) = rustflags {
                build.env("RUSTFLAGS", rustflags);
            }
            build.status().map(|status| status.success())
        };
        let flags = ["--bin", "libfuzzer", "--features", "libfuzzer", "--profile", "fuzz"];
        let flags = [&flags[..], &["--target", &host]].concat();
        if !build(&flags, &folder.join("build"), Some(COVERAGE_FLAGS))? {
            return Err(io::Error::other(
                "cargo could not build the targets; libFuzzer needs a C++ compiler",
            ));
        }
        if !build(&["--bin", "npuzzle-fuzz"], &target, None)? {
            return Err(io::Error::other("cargo could not build npuzzle-fuzz"));
        }
        let libfuzzer = folder.join("build").join(host).join("fuzz").join("libfuzzer");
        Ok(Fuzzer { root, folder, libfuzzer, plain: target.join("debug").join("npuzzle-fuzz") })
    }

    fn targets(&self) -> io::Result<Vec<String>> {
        let listed = self.plain(&["list"])?;
        Ok(listed.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
    }

    /// The output of the plain program.
    fn plain(&self, args: &[&str]) -> io::Result<String> {
        let output = Command::new(&self.plain).args(args).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("npuzzle-fuzz {} failed", args.join(" "))));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The folder of the inputs that increased the coverage of a target.
    fn corpus(&self, target: &str) -> PathBuf {
        self.folder.join("corpus").join(target)
    }

    /// Runs a target until the time is up or an input breaks a promise.
    fn run(&self, target: &str, time: Duration) -> io::Result<TargetResult> {
        let (corpus, found) = (self.corpus(target), self.folder.join("found"));
        fs::create_dir_all(&found)?;
        self.plain(&["unpack", target, &corpus.to_string_lossy()])?;
        let words = self.folder.join(format!("{target}.words"));
        fs::write(&words, self.plain(&["words", target])?)?;
        let before = fs::read_dir(&corpus)?.count();
        println!("==> {target}: {} s, {before} inputs in the corpus", time.as_secs());
        let mut fuzzer = self.command(target);
        fuzzer.arg(format!("-max_total_time={}", time.as_secs()));
        fuzzer.arg(format!("-dict={}", words.display()));
        fuzzer.arg(format!("-artifact_prefix={}/{target}-", found.display()));
        // Each target limits its own allocations; this limit covers memory from other allocators.
        fuzzer.args(["-timeout=20", "-rss_limit_mb=3000", "-max_len=4096", "-print_final_stats=1"]);
        let (output, is_success) = run_and_capture(fuzzer.arg(&corpus))?;
        let number = |text: Option<&str>| text.and_then(|n| n.parse().ok()).unwrap_or(0);
        let edges = output.iter().rev().find_map(|line| line.split("cov: ").nth(1));
        let stat = |name: &str| output.iter().find_map(|line| line.strip_prefix(name));
        // The last file: libFuzzer also writes slow inputs, but continues after them.
        let mut written = output.iter().rev();
        let artifact = written.find_map(|line| line.split("Test unit written to ").nth(1));
        Ok(TargetResult {
            n_inputs: number(stat("stat::number_of_executed_units:").map(str::trim)),
            n_edges: number(edges.and_then(|rest| rest.split(' ').next())),
            n_corpus: fs::read_dir(&corpus)?.count(),
            failing_input: (!is_success).then(|| PathBuf::from(artifact.unwrap_or("(no file)"))),
        })
    }

    fn command(&self, target: &str) -> Command {
        let mut fuzzer = Command::new(&self.libfuzzer);
        fuzzer.current_dir(self.root).env("NPUZZLE_FUZZ_TARGET", target);
        fuzzer
    }

    /// Adds a minimal set of inputs with the same coverage to the committed corpus.
    fn keep(&self, target: &str) -> io::Result<()> {
        let minimal = self.folder.join("minimal").join(target);
        if minimal.exists() {
            fs::remove_dir_all(&minimal)?;
        }
        fs::create_dir_all(&minimal)?;
        let merge = ["-set_cover_merge=1", "-max_len=1024", "-timeout=20"];
        let (_, is_success) = run_and_capture(
            self.command(target).args(merge).arg(&minimal).arg(self.corpus(target)),
        )?;
        if !is_success {
            return Err(io::Error::other(format!(
                "libFuzzer could not minimize the corpus of {target}"
            )));
        }
        print!("{}", self.plain(&["pack", target, &minimal.to_string_lossy()])?);
        Ok(())
    }
}

/// Runs libFuzzer, which writes to standard error. Prints its output except for the progress lines,
/// and returns the last lines and whether it succeeded.
fn run_and_capture(fuzzer: &mut Command) -> io::Result<(Vec<String>, bool)> {
    /// A run of hours prints a line for every input that increases coverage.
    const MAX_LINES: usize = 10_000;
    let mut child = fuzzer.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut lines = Vec::new();
    if let Some(output) = child.stderr.take() {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            // Lines that start with `#` report progress; a `pulse` comes at growing intervals.
            if !text.starts_with('#') || text.contains("pulse") {
                println!("{text}");
            }
            if lines.len() >= MAX_LINES {
                lines.drain(..MAX_LINES / 2);
            }
            lines.push(text);
            line.clear();
        }
    }
    Ok((lines, child.wait()?.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_with_a_unit() {
        assert_eq!(duration("90s").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("10m").unwrap(), Duration::from_secs(600));
        assert_eq!(duration("2h").unwrap(), Duration::from_secs(7200));
        for bad in ["", "s", "10", "0s", "-1s", "1.5m", "10 m", "99999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn arguments_are_parsed() {
        let all = parse(&[]).unwrap();
        assert_eq!((all.target, all.time, all.keep), (None, DEFAULT_TIME, false));
        let one = parse(&["boards", "--time", "10m", "--keep"]).unwrap();
        assert_eq!((one.target, one.time.as_secs(), one.keep), (Some("boards"), 600, true));
        for bad in [&["a", "b"][..], &["--time"], &["--time", "x"], &["--fast"]] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
