//! A* of this library and its plain twin, A* of the crate `pathfinding`, and bidirectional search on the same
//! boards with the same heuristic.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use npuzzle::search::heuristic::Manhattan;
use npuzzle::search::queue::BucketQueue;
use npuzzle::search::{
    BestFirst, Budget, Heuristic, Outcome, Problem, SearchReport, Settings, bidirectional,
};
use npuzzle::search::{Packed, Sliding};
use npuzzle::{Algorithm, HeuristicChoice, HeuristicKind, Instance, Limits, Options, Slide, Stats};
use npuzzle_testkit::data::{self, Known};

use crate::memory;
use crate::stopwatch::Stopwatch;
use crate::table::{Figure, Row, Table};

/// Princeton's boards of 32 to 49 moves.
const BOARDS: [&str; 8] = [
    "puzzle32",
    "puzzle36",
    "puzzle4x4-39",
    "puzzle4x4-41",
    "puzzle43",
    "puzzle45",
    "puzzle4x4-47",
    "puzzle4x4-49",
];

/// The total of one algorithm over all boards.
#[derive(Default)]
struct Total {
    time: Duration,
    generated: u64,
    expanded: u64,
    /// The counts of the board that took the most memory.
    largest: Stats,
}

impl Total {
    /// Adds a search that returns the length of a solution and its counters.
    fn add(&mut self, known: &Known, search: impl FnOnce() -> (u32, Stats)) {
        let start = Stopwatch::start();
        let (length, stats) = search();
        self.count(known, start.elapsed(), length, stats);
    }

    /// Like [`add`](Total::add), with the time that passes instead of the processor time of this thread.
    fn add_elapsed(&mut self, known: &Known, search: impl FnOnce() -> (u32, Stats)) {
        let start = Instant::now();
        let (length, stats) = search();
        self.count(known, start.elapsed(), length, stats);
    }

    fn count(&mut self, known: &Known, time: Duration, length: u32, stats: Stats) {
        self.time += time;
        assert_eq!(Some(length), known.optimal, "{}", known.name);
        self.generated += stats.generated;
        self.expanded += stats.expanded;
        if stats.peak_bytes > self.largest.peak_bytes {
            self.largest = stats;
        }
    }
}

pub(crate) fn run(table: &mut Table) {
    table.part("A* with Manhattan distance, eight 15-puzzles of 32 to 49 moves, processor time");
    let [mut ours, mut twin, mut both_ends] = [(); 3].map(|()| Total::default());
    let mut theirs = Duration::ZERO;
    let (mut two_threads, mut theirs_elapsed) = (Total::default(), Duration::ZERO);
    for known in BOARDS.map(board) {
        let instance = Instance::from(known.board.clone());
        let (problem, h) = problem(&instance);
        ours.add(&known, || astar(&instance));
        two_threads.add_elapsed(&known, || astar_on(&instance, NonZeroUsize::new(2)));
        twin.add(&known, || length_and_stats(plain_astar(&problem, &h)));
        let (start, start_elapsed) = (Stopwatch::start(), Instant::now());
        let cost = pathfinding_astar(&problem, &h);
        theirs += start.elapsed();
        theirs_elapsed += start_elapsed.elapsed();
        assert_eq!(cost, known.optimal);
        let to_start = Manhattan::new(instance.start());
        both_ends.add(&known, || {
            length_and_stats(bidirectional(&problem, &h, &to_start, Budget::NONE, &mut ()))
        });
    }
    assert_eq!((ours.generated, ours.expanded), (twin.generated, twin.expanded));
    table.add(Row::time("A*", ours.time).nodes(ours.generated).bytes(ours.largest.peak_bytes));
    let row = Row::rate("  generated per second", ours.generated, ours.time);
    table.add(row.at_least(10e6));
    let row = Row::time("its plain twin, the generic best-first search", twin.time);
    table.add(row.nodes(twin.generated).bytes(twin.largest.peak_bytes));
    table.add(Row::ratio("  time relative to ours", twin.time, ours.time));
    table.add(Row::time("the crate pathfinding", theirs));
    table.add(Row::ratio("  time relative to ours", theirs, ours.time).at_least(5.0));
    let row = Row::time("A* on two threads, elapsed time", two_threads.time);
    table.add(row.nodes(two_threads.generated).bytes(two_threads.largest.peak_bytes));
    let ratio = Row::ratio("  pathfinding, elapsed", theirs_elapsed, two_threads.time);
    table.add(ratio.at_least(8.0));
    bytes(table, &ours.largest);
    let row = Row::time("bidirectional search", both_ends.time);
    table.add(row.nodes(both_ends.generated).bytes(both_ends.largest.peak_bytes));
    let ratio = ours.expanded as f64 / both_ends.expanded as f64;
    table.add(Row::new("  expanded by A*, relative to bidirectional", Figure::Ratio(ratio)));
}

fn length_and_stats(report: SearchReport<Slide>) -> (u32, Stats) {
    let Outcome::Solved(path) = report.outcome else { panic!("no solution") };
    (path.len() as u32, report.stats)
}

/// Measures the memory of the largest board: the search's own count, and the resident memory of a
/// process that does nothing else.
fn bytes(table: &mut Table, largest: &Stats) {
    let n_states = largest.expanded + largest.open;
    let row = |name: &str, bytes: u64| {
        Row::new(name, Figure::Bytes(bytes as f64 / n_states as f64)).nodes(n_states).bytes(bytes)
    };
    table.add(row("bytes per stored state, own count", largest.peak_bytes).at_most(12.0));
    let (Some(ours), Some(theirs)) = (memory::of("astar"), memory::of("pathfinding")) else {
        return table.note("the system does not report the memory of a process");
    };
    table.add(row("  resident memory", ours).at_most(12.0));
    table.add(row("  the crate pathfinding", theirs));
    let ratio = Figure::Ratio(theirs as f64 / ours as f64);
    table.add(Row::new("  memory relative to ours", ratio).at_least(8.0));
}

fn board(name: &str) -> Known {
    let known = data::princeton_known().into_iter().find(|known| known.name == name);
    known.expect("a Princeton board")
}

pub(crate) fn problem(instance: &Instance) -> (Sliding<Packed>, Manhattan) {
    let problem = Sliding::<Packed>::new(instance).expect("16 cells fit");
    (problem, Manhattan::new(instance.goal()))
}

/// The board that takes the most memory.
pub(crate) fn largest() -> Instance {
    Instance::from(board(BOARDS[BOARDS.len() - 1]).board)
}

/// Solves a board with A* and Manhattan distance, as `npuzzle solve` does.
pub(crate) fn astar(instance: &Instance) -> (u32, Stats) {
    astar_on(instance, None)
}

/// Like [`astar`], on a number of threads.
fn astar_on(instance: &Instance, threads: Option<NonZeroUsize>) -> (u32, Stats) {
    let options = Options {
        threads,
        algorithm: Algorithm::Astar,
        heuristic: HeuristicChoice::One(HeuristicKind::Manhattan),
        limits: Limits::NONE,
        ..Options::default()
    };
    let report = options.solve(instance).expect("the options suit the board");
    (report.upper_bound().expect("a solution"), report.stats)
}

/// Solves a board with the generic best-first search.
fn plain_astar(problem: &Sliding<Packed>, h: &Manhattan) -> SearchReport<Slide> {
    BestFirst::<_, _, BucketQueue<_>>::new(problem, h, Settings::ASTAR).run(&mut (), &mut ())
}

/// Solves a board with A* of the crate `pathfinding`.
pub(crate) fn pathfinding_astar(problem: &Sliding<Packed>, h: &Manhattan) -> Option<u32> {
    let found = pathfinding::directed::astar::astar(
        &problem.start(),
        |state| {
            let next = |slide| {
                let mut next = *state;
                problem.apply(&mut next, slide);
                (next, 1u32)
            };
            problem.actions(state).map(next).collect::<Vec<_>>()
        },
        |state| Heuristic::<Sliding<Packed>>::value(h, &h.eval(state)),
        |state| problem.is_goal(state),
    );
    black_box(found).map(|(_, cost)| cost)
}
