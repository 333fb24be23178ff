//! `cargo xtask fuzz`: the targets of `npuzzle-fuzz` under libFuzzer, which looks for inputs that take
//! new ways through the code.
//!
//! The compiler of every toolchain can count the ways (`sancov`), so no nightly one is needed, but a
//! C++ compiler is, for libFuzzer itself. What is found lies in `target/fuzz`: `corpus/TARGET` has the
//! inputs that took new ways, `found/` those that broke a promise.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::component;

/// What makes the compiler count the ways through the code.
const COUNTING: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16";

/// How long a target is fed unless it is said.
const TIME: Duration = Duration::from_secs(60);

/// What is asked for.
struct Asked<'a> {
    /// All of them if it is none.
    target: Option<&'a str>,
    time: Duration,
    /// Whether the inputs that take new ways are to be kept in the tree.
    keeps: bool,
}

pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let asked = match asked(args) {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match fuzz(root, &asked) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn asked<'a>(args: &[&'a str]) -> Result<Asked<'a>, String> {
    let mut asked = Asked { target: None, time: TIME, keeps: false };
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        match arg {
            "--time" => {
                let text = args.next().copied().unwrap_or_default();
                asked.time = time(text).ok_or(format!("{text:?} is no time such as 90s or 10m"))?;
            }
            "--keep" => asked.keeps = true,
            flag if flag.starts_with('-') => return Err(format!("unknown flag {flag}")),
            name if asked.target.is_none() => asked.target = Some(name),
            more => return Err(format!("one target or all: {more}")),
        }
    }
    Ok(asked)
}

/// `90s`, `10m`, `2h`.
pub(crate) fn time(text: &str) -> Option<Duration> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return None,
    };
    let number: u64 = text[..text.len() - 1].parse().ok()?;
    Some(Duration::from_secs(number.checked_mul(unit)?)).filter(|time| !time.is_zero())
}

/// Feeds the targets one after the other; whether all promises were kept.
fn fuzz(root: &Path, asked: &Asked<'_>) -> io::Result<bool> {
    let bench = Bench::build(root)?;
    let targets: Vec<String> = bench.targets()?;
    let chosen: Vec<&String> =
        targets.iter().filter(|name| asked.target.is_none_or(|target| target == *name)).collect();
    if chosen.is_empty() {
        return Err(io::Error::other(format!("no such target; there are {}", targets.join(", "))));
    }
    let mut rows = Vec::new();
    let mut is_kept = true;
    for target in chosen {
        let run = bench.feed(target, asked.time)?;
        is_kept &= run.found.is_none();
        if asked.keeps && run.found.is_none() {
            bench.keep(target)?;
        }
        rows.push((target, run));
    }
    println!("\n{:10} {:>12} {:>8} {:>8} {:>6}", "target", "inputs", "ways", "kept", "");
    for (target, Run { n_inputs, n_ways, n_new, found }) in &rows {
        let verdict = if found.is_some() { "BROKEN" } else { "ok" };
        println!("{target:10} {n_inputs:>12} {n_ways:>8} {n_new:>8} {verdict:>6}");
    }
    for (target, run) in &rows {
        if let Some(found) = &run.found {
            println!("\n{target}: a promise was broken. To see it again:");
            println!("cargo run -p npuzzle-fuzz -- try {target} {}", found.display());
        }
    }
    Ok(is_kept)
}

/// The programs, and where everything lies.
struct Bench<'a> {
    root: &'a Path,
    folder: PathBuf,
    libfuzzer: PathBuf,
    plain: PathBuf,
}

/// What became of a target.
struct Run {
    n_inputs: u64,
    n_ways: u64,
    n_new: usize,
    /// The input that broke a promise.
    found: Option<PathBuf>,
}

impl<'a> Bench<'a> {
    /// Only what has libFuzzer in it may count: nobody else knows the functions that are called for it.
    /// The plain program is the one of the tests.
    fn build(root: &'a Path) -> io::Result<Bench<'a>> {
        let host = component::host()?;
        let target = component::target_folder(root);
        let folder = target.join("fuzz");
        let build = |flags: &[&str], folder: &Path, counting: Option<&str>| {
            let mut build = component::cargo();
            build.current_dir(root).args(["build", "--locked", "--package", "npuzzle-fuzz"]);
            build.args(flags).arg("--target-dir").arg(folder);
            if let Some(counting) = counting {
                build.env("RUSTFLAGS", counting);
            }
            build.status().map(|status| status.success())
        };
        let flags = ["--bin", "libfuzzer", "--features", "libfuzzer", "--profile", "fuzz"];
        let flags = [&flags[..], &["--target", &host]].concat();
        if !build(&flags, &folder.join("build"), Some(COUNTING))? {
            return Err(io::Error::other(
                "the targets could not be built; libFuzzer takes a C++ compiler",
            ));
        }
        if !build(&["--bin", "npuzzle-fuzz"], &target, None)? {
            return Err(io::Error::other("npuzzle-fuzz could not be built"));
        }
        let libfuzzer = folder.join("build").join(host).join("fuzz").join("libfuzzer");
        Ok(Bench { root, folder, libfuzzer, plain: target.join("debug").join("npuzzle-fuzz") })
    }

    fn targets(&self) -> io::Result<Vec<String>> {
        let listed = self.plainly(&["list"])?;
        Ok(listed.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
    }

    /// What the plain program says.
    fn plainly(&self, args: &[&str]) -> io::Result<String> {
        let output = Command::new(&self.plain).args(args).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("npuzzle-fuzz {} failed", args.join(" "))));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Where the inputs of a target lie that took new ways.
    fn corpus(&self, target: &str) -> PathBuf {
        self.folder.join("corpus").join(target)
    }

    /// Feeds a target for so long, or until it breaks a promise.
    fn feed(&self, target: &str, time: Duration) -> io::Result<Run> {
        let (corpus, found) = (self.corpus(target), self.folder.join("found"));
        fs::create_dir_all(&found)?;
        self.plainly(&["unpack", target, &corpus.to_string_lossy()])?;
        let words = self.folder.join(format!("{target}.words"));
        fs::write(&words, self.plainly(&["words", target])?)?;
        let before = fs::read_dir(&corpus)?.count();
        println!("==> {target}: {} s, {before} inputs to begin with", time.as_secs());
        let mut fuzzer = self.fuzzer(target);
        fuzzer.arg(format!("-max_total_time={}", time.as_secs()));
        fuzzer.arg(format!("-dict={}", words.display()));
        fuzzer.arg(format!("-artifact_prefix={}/{target}-", found.display()));
        // The memory of a target is counted by itself; this is for what the counting does not see.
        fuzzer.args(["-timeout=20", "-rss_limit_mb=3000", "-max_len=4096", "-print_final_stats=1"]);
        let (output, is_kept) = listened(fuzzer.arg(&corpus))?;
        let number = |text: Option<&str>| text.and_then(|n| n.parse().ok()).unwrap_or(0);
        let ways = output.iter().rev().find_map(|line| line.split("cov: ").nth(1));
        let stat = |name: &str| output.iter().find_map(|line| line.strip_prefix(name));
        // The last: a slow one is written too, and what comes after it ends the run.
        let mut written = output.iter().rev();
        let artifact = written.find_map(|line| line.split("Test unit written to ").nth(1));
        Ok(Run {
            n_inputs: number(stat("stat::number_of_executed_units:").map(str::trim)),
            n_ways: number(ways.and_then(|rest| rest.split(' ').next())),
            n_new: fs::read_dir(&corpus)?.count(),
            found: (!is_kept).then(|| PathBuf::from(artifact.unwrap_or("(no file)"))),
        })
    }

    fn fuzzer(&self, target: &str) -> Command {
        let mut fuzzer = Command::new(&self.libfuzzer);
        fuzzer.current_dir(self.root).env("NPUZZLE_FUZZ_TARGET", target);
        fuzzer
    }

    /// Keeps the fewest inputs that take all ways in the tree, beside those that are there.
    fn keep(&self, target: &str) -> io::Result<()> {
        let fewest = self.folder.join("fewest").join(target);
        if fewest.exists() {
            fs::remove_dir_all(&fewest)?;
        }
        fs::create_dir_all(&fewest)?;
        let merge = ["-set_cover_merge=1", "-max_len=1024", "-timeout=20"];
        let (_, is_done) =
            listened(self.fuzzer(target).args(merge).arg(&fewest).arg(self.corpus(target)))?;
        if !is_done {
            return Err(io::Error::other(format!("the inputs of {target} could not be merged")));
        }
        print!("{}", self.plainly(&["pack", target, &fewest.to_string_lossy()])?);
        Ok(())
    }
}

/// Runs a fuzzer, which speaks on standard error: passes on what it finds, and returns its last lines
/// and whether it ended well.
fn listened(fuzzer: &mut Command) -> io::Result<(Vec<String>, bool)> {
    /// A fuzzer that runs for hours says a line for each new way.
    const MOST_LINES: usize = 10_000;
    let mut child = fuzzer.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut lines = Vec::new();
    if let Some(output) = child.stderr.take() {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            // Of the steps of a fuzzer, one in many is enough to see that it is alive.
            if !text.starts_with('#') || text.contains("pulse") {
                println!("{text}");
            }
            if lines.len() >= MOST_LINES {
                lines.drain(..MOST_LINES / 2);
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
    fn times_are_numbers_with_a_unit() {
        assert_eq!(time("90s"), Some(Duration::from_secs(90)));
        assert_eq!(time("10m"), Some(Duration::from_secs(600)));
        assert_eq!(time("2h"), Some(Duration::from_secs(7200)));
        for bad in ["", "s", "10", "0s", "-1s", "1.5m", "10 m", "99999999999999999999h"] {
            assert_eq!(time(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn one_target_and_its_flags_are_understood() {
        let all = asked(&[]).unwrap();
        assert_eq!((all.target, all.time, all.keeps), (None, TIME, false));
        let one = asked(&["boards", "--time", "10m", "--keep"]).unwrap();
        assert_eq!((one.target, one.time.as_secs(), one.keeps), (Some("boards"), 600, true));
        for bad in [&["a", "b"][..], &["--time"], &["--time", "x"], &["--fast"]] {
            assert!(asked(bad).is_err(), "{bad:?}");
        }
    }
}
