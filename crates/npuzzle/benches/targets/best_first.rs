//! A* of this library, A* of the crate `pathfinding`, and bidirectional search on the same boards with
//! the same heuristic.

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
    let (mut ours, mut bidirectional_total, mut theirs) =
        (Total::default(), Total::default(), Duration::ZERO);
    for known in BOARDS.map(board) {
        let instance = Instance::from(known.board.clone());
        let (problem, h) = problem(&instance);
        ours.add(&known, || astar(&problem, &h));
        let start = Instant::now();
        let cost = pathfinding_astar(&problem, &h);
        theirs += start.elapsed();
        assert_eq!(cost, known.optimal);
        let to_start = Manhattan::new(instance.start());
        bidirectional_total
            .add(&known, || bidirectional(&problem, &h, &to_start, Budget::NONE, &mut ()));
    }
    table.add(Row::time("A*", ours.time).nodes(ours.generated).bytes(ours.largest.peak_bytes));
    let row = Row::rate("  generated per second", ours.generated, ours.time);
    table.add(row.at_least(10e6));
    table.add(Row::time("the crate pathfinding", theirs));
    table.add(Row::ratio("  time relative to ours", theirs, ours.time).at_least(8.0));
    bytes(table, &ours.largest);
    let row = Row::time("bidirectional search", bidirectional_total.time);
    table.add(
        row.nodes(bidirectional_total.generated).bytes(bidirectional_total.largest.peak_bytes),
    );
    let ratio = ours.expanded as f64 / bidirectional_total.expanded as f64;
    table.add(Row::new("  expanded by A*, relative to bidirectional", Figure::Ratio(ratio)));
}

/// Measures the memory of the largest board: the search's own count, and the resident memory of a
/// process that does nothing else.
fn bytes(table: &mut Table, largest: &Stats) {
    let n_states = largest.expanded + largest.open;
    let row = |name: &str, bytes: u64| {
        Row::new(name, Figure::Bytes(bytes as f64 / n_states as f64)).nodes(n_states).bytes(bytes)
    };
    table.add(row("bytes per stored state, own count", largest.peak_bytes).at_most(16.0));
    let (Some(ours), Some(theirs)) = (memory::of("astar"), memory::of("pathfinding")) else {
        return table.note("the system does not report the memory of a process");
    };
    table.add(row("  resident memory", ours).at_most(16.0));
    table.add(row("  the crate pathfinding", theirs));
    let ratio = Figure::Ratio(theirs as f64 / ours as f64);
    table.add(Row::new("  memory relative to ours", ratio).at_least(8.0));
}

fn board(name: &str) -> Known {
    let known = data::princeton_known().into_iter().find(|known| known.name == name);
    known.expect("a Princeton board")
}

fn problem(instance: &Instance) -> (Sliding<Packed>, Manhattan) {
    let problem = Sliding::<Packed>::new(instance).expect("16 cells fit");
    (problem, Manhattan::new(instance.goal()))
}

/// The board that takes the most memory.
pub(crate) fn largest() -> (Sliding<Packed>, Manhattan) {
    problem(&Instance::from(board(BOARDS[BOARDS.len() - 1]).board))
}

/// Solves a board with A* and Manhattan distance.
pub(crate) fn astar(problem: &Sliding<Packed>, h: &Manhattan) -> SearchReport<Slide> {
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
