//! All fifty 24-puzzles of Korf and Felner (2002), in the order of their published node counts:
//! `cargo xtask bench korf24 [--boards LIST] [--resume]`.
//!
//! Every board has a journal, and solved boards are listed in a file, so that the run can be stopped at any time
//! and continued with `--resume`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use npuzzle::search::Journal;
use npuzzle::{Goal, Report, Stats, Watch};
use npuzzle_testkit::data::{self, TwentyFour};

use crate::Effort;
use crate::solving::{Solving, instance};
use crate::stored;

/// The arguments.
pub(crate) struct Korf24 {
    /// The numbers of the boards; empty for all.
    boards: Vec<usize>,
    resume: bool,
}

impl Korf24 {
    /// Parses the arguments after `korf24`. Returns `None` if they are not valid.
    pub(crate) fn parse(args: &[&str]) -> Option<Korf24> {
        let mut parsed = Korf24 { boards: Vec::new(), resume: false };
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            match arg {
                "--resume" => parsed.resume = true,
                "--boards" => {
                    let numbers = args.next()?.split(',').map(|number| number.parse().ok());
                    parsed.boards = numbers.collect::<Option<_>>()?;
                    parsed.boards.iter().all(|number| (1..=50).contains(number)).then_some(())?;
                }
                _ => return None,
            }
        }
        Some(parsed)
    }

    pub(crate) fn run(&self) -> io::Result<()> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("korf24");
        if !self.resume && folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let is_wanted = |number: usize| self.boards.is_empty() || self.boards.contains(&number);
        let mut boards: Vec<(usize, TwentyFour)> =
            (1..).zip(data::korf24()).filter(|&(number, _)| is_wanted(number)).collect();
        boards.sort_by_key(|(_, board)| board.nodes_2018);
        let results = Results::read(&folder)?;
        boards.retain(|(number, _)| !results.numbers.contains(number));
        println!("{} boards, {} are solved already", boards.len(), results.numbers.len());
        let mut solving = Solving::large(&stored::folder(Effort::Quick), 0);
        let mut speed = Speed::default();
        for (at, (number, board)) in boards.iter().enumerate() {
            let Solved { report, time, is_resumed } = solve(&mut solving, *number, board, &folder)?;
            results.append(*number, &report, time, is_resumed)?;
            speed.add(board, time);
            let rest: u64 = boards[at + 1..].iter().map(|(_, board)| board.nodes_2018).sum();
            println!("  {}; about {} for the rest", described(&report, time), speed.estimate(rest));
        }
        Ok(())
    }
}

/// A solved board.
struct Solved {
    report: Report,
    /// The time of this run, without that of earlier ones.
    time: Duration,
    is_resumed: bool,
}

/// Solves one board, starting where its journal ends.
fn solve(
    solving: &mut Solving,
    number: usize,
    board: &TwentyFour,
    folder: &Path,
) -> io::Result<Solved> {
    println!("board {number}, {} moves", board.known.optimal.unwrap_or_default());
    let path = folder.join(format!("{number}.journal"));
    // A run that was killed while it created the journal leaves an empty file.
    let is_resumed = fs::metadata(&path).is_ok_and(|metadata| metadata.len() > 0);
    let opened = if is_resumed {
        Journal::resume(&path)
    } else {
        Journal::create(&path, &instance(&board.known, &Goal::First))
    };
    let mut journal = opened.map_err(io::Error::other)?;
    let started = Instant::now();
    let mut progress = Progress { started, expanded: 0 };
    let Solving { options, tables } = solving;
    let report = options.solve_on(&mut journal, tables, &mut progress).map_err(io::Error::other)?;
    assert!(report.is_optimal(), "board {number}");
    assert_eq!(report.upper_bound(), board.known.optimal, "board {number}");
    Ok(Solved { report, time: started.elapsed(), is_resumed })
}

/// The length, the nodes and the time of a board, and how its proof ended.
fn described(report: &Report, time: Duration) -> String {
    let proof = match report.incumbent {
        Some(_) => "found by a beam search",
        None => "found by the last round",
    };
    format!(
        "{} moves, {proof}, {} expanded, {} generated, {:.1} s",
        report.upper_bound().unwrap_or_default(),
        report.stats.expanded,
        report.stats.generated,
        time.as_secs_f64()
    )
}

/// Prints the completed rounds and the solutions of the beam searches.
struct Progress {
    started: Instant,
    expanded: u64,
}

impl Watch for Progress {
    fn round(&mut self, bound: u32, stats: &Stats) {
        let nodes = stats.expanded - self.expanded;
        self.expanded = stats.expanded;
        let seconds = self.started.elapsed().as_secs_f64();
        println!("  bound {bound}: {nodes} expanded, at {seconds:.1} s");
    }

    fn improved(&mut self, length: u32, lower_bound: u32) {
        println!("  a beam search found {length} moves; at least {lower_bound}");
    }
}

/// The time per published node, to estimate the boards that follow.
#[derive(Default)]
struct Speed {
    nodes: u64,
    time: Duration,
}

impl Speed {
    fn add(&mut self, board: &TwentyFour, time: Duration) {
        self.nodes += board.nodes_2018;
        self.time += time;
    }

    fn estimate(&self, nodes: u64) -> String {
        let hours = self.time.as_secs_f64() * nodes as f64 / self.nodes as f64 / 3600.0;
        format!("{hours:.1} h")
    }
}

/// The file of solved boards: number, length, expanded, generated, seconds, `beam` or `round`, and
/// `resumed` if the time of earlier runs is missing.
struct Results {
    path: PathBuf,
    /// The boards that were solved before.
    numbers: Vec<usize>,
}

impl Results {
    fn read(folder: &Path) -> io::Result<Results> {
        let path = folder.join("solved.txt");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        let number = |line: &str| line.split(' ').next()?.parse().ok();
        Ok(Results { path, numbers: text.lines().filter_map(number).collect() })
    }

    fn append(
        &self,
        number: usize,
        report: &Report,
        time: Duration,
        is_resumed: bool,
    ) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        let how = if report.incumbent.is_some() { "beam" } else { "round" };
        let (length, stats) = (report.upper_bound().unwrap_or_default(), &report.stats);
        let (expanded, generated) = (stats.expanded, stats.generated);
        let seconds = time.as_secs_f64();
        let resumed = if is_resumed { " resumed" } else { "" };
        let line =
            format!("{number} {length} {expanded} {generated} {seconds:.1} {how}{resumed}\n");
        // In one call, so that a stopped run leaves no part of a line.
        file.write_all(line.as_bytes())
    }
}
