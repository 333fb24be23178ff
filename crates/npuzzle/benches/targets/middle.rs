//! Short solutions of boards that are too large for shortest ones: DeepCubeA's boards beside its
//! lengths, random ones beside their Manhattan distance.

use std::time::{Duration, Instant};

use npuzzle::{Algorithm, Effort, Instance, Limits, Options, Tables, Watch};
use npuzzle_testkit::data;
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::process;
use crate::table::{Figure, Row, Table};

/// What solutions are to be, beside a reference: within so many seconds no more than so many times
/// as long; and what would be a wonder.
struct Aim {
    side: u16,
    seconds: u64,
    most: f64,
    wonder: f64,
    /// How many boards there are at most.
    n_boards: usize,
}

const fn aim(side: u16, seconds: u64, most: f64, wonder: f64, n_boards: usize) -> Aim {
    Aim { side, seconds, most, wonder, n_boards }
}

/// DeepCubeA's boards, beside its lengths; its first hundred of 5x5 have 89.48 slides on the mean.
const SCRAMBLED: [Aim; 3] =
    [aim(5, 5, 90.2 / 89.48, 1.0, 100), aim(6, 10, 1.02, 1.0, 100), aim(7, 10, 1.04, 1.0, 100)];

/// Random boards, beside their Manhattan distance.
const RANDOM: [Aim; 9] = [
    aim(8, 2, 1.6, 1.45, 10),
    aim(9, 2, 1.6, 1.45, 10),
    aim(10, 2, 1.6, 1.45, 10),
    aim(11, 2, 1.6, 1.45, 10),
    aim(12, 2, 1.6, 1.45, 10),
    aim(16, 5, 1.8, 1.55, 5),
    aim(32, 10, 1.8, 1.6, 3),
    aim(64, 30, 2.2, 1.7, 2),
    aim(127, 30, 2.2, 1.7, 2),
];

/// First answers, of `--effort fast`: how many times the Manhattan distance within a second.
const FIRST: [(u16, f64); 2] = [(64, 3.0), (127, 3.0)];

/// Sizes of which a process is given two seconds, which it is to keep within a tenth.
const TIMED: [u16; 8] = [5, 6, 8, 12, 16, 32, 64, 127];

/// What a process may take for the largest board, in seconds and bytes.
const MOST_SECONDS: f64 = 2.0;
const MOST_BYTES: f64 = 64e6;

pub(crate) fn scrambled(table: &mut Table, n_boards: usize) {
    table.part("larger boards: length beside DeepCubeA's");
    for aim in SCRAMBLED {
        let boards = data::deepcubea(aim.side).into_iter().take(n_boards.min(aim.n_boards));
        let boards = boards.map(|scrambled| (Instance::from(scrambled.board), scrambled.found));
        let boards: Vec<(Instance, u32)> = boards.collect();
        let within = Duration::from_secs(aim.seconds);
        let solved = solve_all(&boards, within, Effort::Best, aim.most);
        solved.rows(table, &aim.name(boards.len()), within, aim.most, Some(aim.wonder));
    }
}

pub(crate) fn random(table: &mut Table, n_boards: usize) {
    table.part("larger boards: length beside Manhattan distance");
    for aim in RANDOM {
        let boards = random_boards(aim.side, n_boards.min(aim.n_boards));
        let within = Duration::from_secs(aim.seconds);
        let solved = solve_all(&boards, within, Effort::Best, aim.most);
        solved.rows(table, &aim.name(boards.len()), within, aim.most, Some(aim.wonder));
    }
    table.part("larger boards: --time 2s, whole processes");
    for side in TIMED {
        let (board, _) = &random_boards(side, 1)[0];
        let text = board.start().slash().to_string();
        if let Some((time, _)) = process::whole(&["-", "--time", "2s", "--json"], &text) {
            let what = format!("{side}x{side}");
            table.add(Row::time(&what, time).at_most(2.2));
        }
    }
    table.part("first answers");
    for (side, most) in FIRST {
        let boards = random_boards(side, n_boards.min(3));
        let within = Duration::from_secs(1);
        let solved = solve_all(&boards, within, Effort::Fast, most);
        let what = format!("{side}x{side}, {} boards, --effort fast", boards.len());
        solved.rows(table, &what, within, most, None);
        if let Some(first) = solved.first {
            table.add(Row::time("  until that short", first).at_most(within.as_secs_f64()));
        }
    }
    let (board, _) = &random_boards(127, 1)[0];
    let text = board.start().slash().to_string();
    if let Some((time, bytes)) = process::whole(&["-", "--effort", "fast", "--json"], &text) {
        let what = "127x127, --effort fast --json, whole process";
        table.add(Row::time(what, time).at_most(MOST_SECONDS));
        let bytes = bytes.map(|bytes| Row::new("  its memory", Figure::Bytes(bytes as f64)));
        bytes.into_iter().for_each(|row| table.add(row.at_most(MOST_BYTES)));
    }
}

impl Aim {
    fn name(&self, n_boards: usize) -> String {
        let Aim { side, seconds, .. } = self;
        format!("{side}x{side}, {n_boards} boards in {seconds} s each")
    }
}

/// Boards that can be solved, the same ones always, and their Manhattan distances.
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

/// What came of some boards, all together.
struct Solved {
    n: usize,
    found: u32,
    reference: u32,
    expanded: u64,
    bytes: u64,
    longest: Duration,
    all_time: Duration,
    n_proved: usize,
    /// How long it took until a solution was short enough, the longest of all; nothing if one never was.
    first: Option<Duration>,
}

/// Takes note of when a solution is short enough.
struct First {
    begun: Instant,
    enough: f64,
    reached: Option<Duration>,
}

impl Watch for First {
    fn better(&mut self, length: u32, _: u32) {
        if self.reached.is_none() && f64::from(length) <= self.enough {
            self.reached = Some(self.begun.elapsed());
        }
    }
}

/// Solves boards within a time each.
fn solve_all(boards: &[(Instance, u32)], within: Duration, effort: Effort, most: f64) -> Solved {
    let limits = Limits { time: Some(within), ..Limits::default() };
    let mut tables = Tables::new();
    let n = boards.len();
    let mut all = Solved {
        n,
        found: 0,
        reference: 0,
        expanded: 0,
        bytes: 0,
        longest: Duration::ZERO,
        all_time: Duration::ZERO,
        n_proved: 0,
        first: Some(Duration::ZERO),
    };
    for (instance, reference) in boards {
        let is_small = instance.dims().cells() <= 256;
        let algorithm = if is_small { Algorithm::Beam } else { Algorithm::Construct };
        let options = Options { algorithm, limits, effort: Some(effort), ..Options::default() };
        let enough = most * f64::from(*reference);
        let mut first = First { begun: Instant::now(), enough, reached: None };
        let report = options.solve_with(instance, &mut tables, &mut first).expect("a plan");
        all.found += report.upper_bound().expect("a solution");
        all.reference += reference;
        all.expanded += report.stats.expanded;
        if is_small {
            all.bytes = all.bytes.max(report.stats.peak_bytes);
        }
        all.longest = all.longest.max(report.time);
        all.all_time += report.time;
        all.n_proved += usize::from(report.is_optimal());
        all.first = all.first.and_then(|longest| Some(longest.max(first.reached?)));
    }
    all
}

impl Solved {
    fn rows(
        &self,
        table: &mut Table,
        what: &str,
        within: Duration,
        most: f64,
        wonder: Option<f64>,
    ) {
        let ratio = f64::from(self.found) / f64::from(self.reference);
        let row = Row::new(what, Figure::Ratio(ratio)).at_most(most);
        let row = row.nodes(self.expanded);
        // Passes do not count their memory.
        table.add(if self.bytes > 0 { row.bytes(self.bytes) } else { row });
        let mean = |sum: u32| f64::from(sum) / self.n as f64;
        let proved = match self.n_proved {
            0 => String::new(),
            n => format!(", {n} proved shortest"),
        };
        table.note(&format!(
            "mean {:.2} slides beside {:.2}, {:.2} s{proved}",
            mean(self.found),
            mean(self.reference),
            self.all_time.as_secs_f64() / self.n as f64
        ));
        if let Some(wonder) = wonder {
            table.add(Row::new("  moonshot", Figure::Ratio(ratio)).at_most(wonder));
        }
        table.add(Row::time("  longest time", self.longest).at_most(within.as_secs_f64() * 1.1));
    }
}
