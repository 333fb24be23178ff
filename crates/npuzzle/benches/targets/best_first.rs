//! A* through the generic traits and by the crate `pathfinding`, on the same boards with the same
//! heuristic; and what bidirectional search makes of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use npuzzle::search::heuristic::Manhattan;
use npuzzle::search::queue::BucketQueue;
use npuzzle::search::{
    BestFirst, Budget, Heuristic, Outcome, Problem, SearchReport, Settings, bidirectional,
};
use npuzzle::search::{Packed, Sliding};
use npuzzle::{Instance, Slide, Stats};
use npuzzle_testkit::data::{self, Known};

use crate::memory;
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

/// What one algorithm took for all boards.
#[derive(Default)]
struct Sum {
    time: Duration,
    generated: u64,
    expanded: u64,
    /// Of the board that took most memory.
    largest: Stats,
}

impl Sum {
    fn add(&mut self, known: &Known, search: impl FnOnce() -> SearchReport<Slide>) {
        let start = Instant::now();
        let report = search();
        self.time += start.elapsed();
        let Outcome::Solved(path) = report.outcome else { panic!("{}", known.name) };
        assert_eq!(Some(path.len() as u32), known.optimal, "{}", known.name);
        self.generated += report.stats.generated;
        self.expanded += report.stats.expanded;
        if report.stats.peak_bytes > self.largest.peak_bytes {
            self.largest = report.stats;
        }
    }
}

pub(crate) fn run(table: &mut Table) {
    table.part("A* with Manhattan distance, eight 15-puzzles of 32 to 49 moves");
    let (mut ours, mut both_ends, mut theirs) = (Sum::default(), Sum::default(), Duration::ZERO);
    for known in BOARDS.map(board) {
        let instance = Instance::from(known.board.clone());
        let (problem, h) = problem(&instance);
        ours.add(&known, || astar(&problem, &h));
        let start = Instant::now();
        let cost = pathfinding_astar(&problem, &h);
        theirs += start.elapsed();
        assert_eq!(cost, known.optimal);
        let to_start = Manhattan::new(instance.start());
        both_ends.add(&known, || bidirectional(&problem, &h, &to_start, Budget::NONE, &mut ()));
    }
    table.add(Row::time("A*", ours.time).nodes(ours.generated).bytes(ours.largest.peak_bytes));
    let row = Row::rate("  generated per second", ours.generated, ours.time);
    table.add(row.at_least(10e6));
    table.add(Row::time("the crate pathfinding", theirs));
    table.add(Row::ratio("  against ours", theirs, ours.time).at_least(8.0));
    bytes(table, &ours.largest);
    let row = Row::time("from both ends", both_ends.time);
    table.add(row.nodes(both_ends.generated).bytes(both_ends.largest.peak_bytes));
    let ratio = ours.expanded as f64 / both_ends.expanded as f64;
    table.add(Row::new("  expanded by A* against both ends", Figure::Ratio(ratio)));
}

/// What the largest of the boards takes: by the search's own count, and by the system's for a process
/// that does nothing else.
fn bytes(table: &mut Table, largest: &Stats) {
    let held = largest.expanded + largest.open;
    let row = |what: &str, bytes: u64| {
        Row::new(what, Figure::Bytes(bytes as f64 / held as f64)).nodes(held).bytes(bytes)
    };
    table.add(row("bytes per state held, by our count", largest.peak_bytes).at_most(16.0));
    let (Some(ours), Some(theirs)) = (memory::of("astar"), memory::of("pathfinding")) else {
        return table.note("the system does not tell what a process takes");
    };
    table.add(row("  by the system's count", ours).at_most(16.0));
    table.add(row("  the crate pathfinding", theirs));
    let ratio = Figure::Ratio(theirs as f64 / ours as f64);
    table.add(Row::new("  against ours", ratio).at_least(8.0));
}

fn board(name: &str) -> Known {
    let known = data::princeton_known().into_iter().find(|known| known.name == name);
    known.expect("a board of Princeton's")
}

fn problem(instance: &Instance) -> (Sliding<Packed>, Manhattan) {
    let problem = Sliding::<Packed>::new(instance).expect("16 cells fit");
    (problem, Manhattan::new(instance.goal()))
}

/// The board that takes most memory.
pub(crate) fn largest() -> (Sliding<Packed>, Manhattan) {
    problem(&Instance::from(board(BOARDS[BOARDS.len() - 1]).board))
}

/// Solves one board by A* with Manhattan distance.
pub(crate) fn astar(problem: &Sliding<Packed>, h: &Manhattan) -> SearchReport<Slide> {
    BestFirst::<_, _, BucketQueue<_>>::new(problem, h, Settings::ASTAR).run(&mut (), &mut ())
}

/// The same by the crate `pathfinding`.
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
