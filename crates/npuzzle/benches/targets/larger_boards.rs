//! Short solutions of large boards: DeepCubeA's boards compared with its lengths, random boards
//! compared with their Manhattan distance.

use std::time::{Duration, Instant};

use npuzzle::{Algorithm, Effort, Instance, Limits, Options, Tables, Watch};
use npuzzle_testkit::data;
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::process;
use crate::table::{Figure, Row, Table};

/// The targets of a size: the length of the solutions relative to a reference.
struct Aim {
    side: u16,
    /// The time limit of each board.
    seconds: u64,
    max_ratio: f64,
    stretch_ratio: f64,
    /// The maximum number of boards.
    n_boards: usize,
}

const fn aim(side: u16, seconds: u64, max_ratio: f64, stretch_ratio: f64, n_boards: usize) -> Aim {
    Aim { side, seconds, max_ratio, stretch_ratio, n_boards }
}

/// DeepCubeA's boards, relative to its lengths; its first hundred boards of 5x5 have a mean of 89.48.
const SCRAMBLED: [Aim; 3] =
    [aim(5, 5, 89.5 / 89.48, 1.0, 100), aim(6, 10, 1.005, 1.0, 100), aim(7, 10, 1.01, 1.0, 100)];

/// Random boards, relative to their Manhattan distance.
const RANDOM: [Aim; 10] = [
    aim(8, 2, 1.33, 1.30, 10),
    aim(9, 2, 1.35, 1.30, 10),
    aim(10, 2, 1.375, 1.30, 10),
    aim(11, 2, 1.40, 1.30, 10),
    aim(12, 2, 1.42, 1.30, 10),
    aim(16, 5, 1.50, 1.40, 5),
    aim(24, 10, 1.50, 1.40, 3),
    aim(32, 10, 1.48, 1.40, 3),
    aim(64, 30, 1.60, 1.50, 2),
    aim(127, 30, 1.80, 1.60, 2),
];

/// Solutions with `--effort fast` within a second: the size, and the maximum length relative to the
/// Manhattan distance.
const FIRST: [(u16, f64); 2] = [(64, 3.0), (127, 3.0)];

/// The sizes for which a process gets a time limit of two seconds, which it may exceed by a tenth.
const TIMED: [u16; 8] = [5, 6, 8, 12, 16, 32, 64, 127];

/// The targets of a process that solves the largest board.
const MAX_SECONDS: f64 = 2.0;
const MAX_BYTES: f64 = 64e6;

pub(crate) fn scrambled(table: &mut Table, n_boards: usize) {
    table.part("larger boards: length relative to DeepCubeA's");
    for aim in SCRAMBLED {
        let boards = data::deepcubea(aim.side).into_iter().take(n_boards.min(aim.n_boards));
        let boards = boards.map(|scrambled| (Instance::from(scrambled.board), scrambled.found));
        let boards: Vec<(Instance, u32)> = boards.collect();
        let within = Duration::from_secs(aim.seconds);
        let solved = solve_all(&boards, within, Effort::Best, aim.max_ratio);
        solved.rows(table, &aim.name(boards.len()), within, aim.max_ratio, Some(aim.stretch_ratio));
    }
}

pub(crate) fn random(table: &mut Table, n_boards: usize) {
    table.part("larger boards: length relative to Manhattan distance");
    for aim in RANDOM {
        let boards = random_boards(aim.side, n_boards.min(aim.n_boards));
        let within = Duration::from_secs(aim.seconds);
        let solved = solve_all(&boards, within, Effort::Best, aim.max_ratio);
        solved.rows(table, &aim.name(boards.len()), within, aim.max_ratio, Some(aim.stretch_ratio));
    }
    table.part("larger boards: processes with --time 2s");
    for side in TIMED {
        let (board, _) = &random_boards(side, 1)[0];
        let text = board.start().slash().to_string();
        if let Some((time, _)) = process::run(&["-", "--time", "2s", "--json"], &text) {
            let name = format!("{side}x{side}");
            table.add(Row::time(&name, time).at_most(2.2));
        }
    }
    table.part("first solutions");
    for (side, max_ratio) in FIRST {
        let boards = random_boards(side, n_boards.min(3));
        let within = Duration::from_secs(1);
        let solved = solve_all(&boards, within, Effort::Fast, max_ratio);
        let name = format!("{side}x{side}, {} boards, --effort fast", boards.len());
        solved.rows(table, &name, within, max_ratio, None);
        if let Some(first) = solved.time_to_target {
            table.add(Row::time("  time until this length", first).at_most(within.as_secs_f64()));
        }
    }
    let (board, _) = &random_boards(127, 1)[0];
    let text = board.start().slash().to_string();
    if let Some((time, bytes)) = process::run(&["-", "--effort", "fast", "--json"], &text) {
        let name = "127x127, --effort fast --json, process";
        table.add(Row::time(name, time).at_most(MAX_SECONDS));
        let bytes = bytes
            .map(|bytes| Row::new("  peak memory of the process", Figure::Bytes(bytes as f64)));
        bytes.into_iter().for_each(|row| table.add(row.at_most(MAX_BYTES)));
    }
}

impl Aim {
    fn name(&self, n_boards: usize) -> String {
        let Aim { side, seconds, .. } = self;
        format!("{side}x{side}, {n_boards} boards, {seconds} s each")
    }
}

/// Random solvable boards, the same in every run, with their Manhattan distances.
fn random_boards(side: u16, n_boards: usize) -> Vec<(Instance, u32)> {
    let mut random = Random::new(u64::from(side));
    let size = format!("{side}x{side}");
    let board = |_| {
        let instance = Instance::from(random.board(dims(&size)));
        let instance = if instance.is_solvable() { instance } else { instance.twin() };
        let distance = instance.start().manhattan() as u32;
        (instance, distance)
    };
    (0..n_boards).map(board).collect()
}

/// The totals of several boards.
struct Totals {
    n: usize,
    length: u32,
    reference: u32,
    expanded: u64,
    bytes: u64,
    longest: Duration,
    all_time: Duration,
    n_proved: usize,
    /// The longest time until a solution was short enough; `None` if one never was.
    time_to_target: Option<Duration>,
}

/// Records when a solution is short enough.
struct TargetWatch {
    start: Instant,
    max_length: f64,
    reached: Option<Duration>,
}

impl Watch for TargetWatch {
    fn improved(&mut self, length: u32, _: u32) {
        if self.reached.is_none() && f64::from(length) <= self.max_length {
            self.reached = Some(self.start.elapsed());
        }
    }
}

/// Solves boards with a time limit for each.
fn solve_all(
    boards: &[(Instance, u32)],
    within: Duration,
    effort: Effort,
    max_ratio: f64,
) -> Totals {
    let limits = Limits { time: Some(within), ..Limits::default() };
    let mut tables = Tables::new();
    let n = boards.len();
    let mut totals = Totals {
        n,
        length: 0,
        reference: 0,
        expanded: 0,
        bytes: 0,
        longest: Duration::ZERO,
        all_time: Duration::ZERO,
        n_proved: 0,
        time_to_target: Some(Duration::ZERO),
    };
    for (instance, reference) in boards {
        let options = Options { limits, effort: Some(effort), ..Options::default() };
        let max_length = max_ratio * f64::from(*reference);
        let mut watch = TargetWatch { start: Instant::now(), max_length, reached: None };
        let report = options.solve_with(instance, &mut tables, &mut watch).expect("a plan");
        totals.length += report.upper_bound().expect("a solution");
        totals.reference += reference;
        totals.expanded += report.stats.expanded;
        // Large neighborhood search does not count its memory.
        if report.plan.as_ref().is_some_and(|plan| plan.algorithm == Algorithm::Beam) {
            totals.bytes = totals.bytes.max(report.stats.peak_bytes);
        }
        totals.longest = totals.longest.max(report.time);
        totals.all_time += report.time;
        totals.n_proved += usize::from(report.is_optimal());
        totals.time_to_target =
            totals.time_to_target.and_then(|longest| Some(longest.max(watch.reached?)));
    }
    totals
}

impl Totals {
    fn rows(
        &self,
        table: &mut Table,
        name: &str,
        within: Duration,
        max_ratio: f64,
        stretch_ratio: Option<f64>,
    ) {
        let ratio = f64::from(self.length) / f64::from(self.reference);
        let row = Row::new(name, Figure::Ratio(ratio)).at_most(max_ratio);
        let row = row.nodes(self.expanded);
        // Constructive search does not count its memory.
        table.add(if self.bytes > 0 { row.bytes(self.bytes) } else { row });
        let mean = |sum: u32| f64::from(sum) / self.n as f64;
        let proved = match self.n_proved {
            0 => String::new(),
            n => format!(", {n} proved shortest"),
        };
        table.note(&format!(
            "mean {:.2} slides, reference {:.2}, {:.2} s{proved}",
            mean(self.length),
            mean(self.reference),
            self.all_time.as_secs_f64() / self.n as f64
        ));
        if let Some(max) = stretch_ratio {
            table.add(Row::new("  stretch target", Figure::Ratio(ratio)).at_most(max));
        }
        table.add(Row::time("  maximum time", self.longest).at_most(within.as_secs_f64() * 1.1));
    }
}
