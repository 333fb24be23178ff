//! The figures that the README claims, in one run: `cargo xtask bench`.
//!
//! Machines are noisy, so what counts are node counts, bytes and ratios within one run. Prints a
//! table; fails only if an answer is wrong.

// A figure that cannot be taken must not be printed.
#![allow(clippy::expect_used)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use npuzzle::heuristic::Manhattan;
use npuzzle::queue::BucketQueue;
use npuzzle::search::{
    BestFirst, Budget, Heuristic, Outcome, Problem, SearchReport, Settings, bidirectional,
};
use npuzzle::{
    Board, Cell, Dims, FullTable, Goal, Instance, Limits, Metric, Options, Packed, Report, Slide,
    Sliding, Tables,
};
use npuzzle_tables::{Automaton, FullSpace, PatternSet};
use npuzzle_testkit::data::{self, Known};
use npuzzle_testkit::random::Random;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let is_asked = |flag: &str| args.iter().any(|arg| arg == flag);
    // The bench runs itself to see how large it becomes.
    if is_asked("--grow-ours") {
        return grow(|problem, h| assert_ne!(astar(problem, h).outcome, Outcome::Unsolvable));
    }
    if is_asked("--grow-pathfinding") {
        return grow(|problem, h| assert_ne!(pathfinding_astar(problem, h), None));
    }
    let is_quick = is_asked("--quick");
    println!("{:44} {:>12} {:>16} {:>12}", "what", "time", "generated", "bytes");
    eight_puzzles();
    let alone = korf(1);
    let together = korf(0);
    println!("{:44} {:>11.2}x", "  all cores against one", ratio(alone, together));
    best_first();
    builds();
    whole_spaces();
    if is_quick {
        println!("(the boards of 80 moves are left out: without --quick)");
    } else {
        hardest(1);
        hardest(0);
    }
}

fn row(what: &str, time: Duration, generated: Option<u64>, bytes: Option<u64>) {
    let count = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let time = if time < Duration::from_millis(1) {
        format!("{} ns", time.as_nanos())
    } else {
        format!("{:.1} ms", time.as_secs_f64() * 1e3)
    };
    println!("{what:44} {time:>12} {:>16} {:>12}", count(generated), count(bytes));
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The table that is part of the program, and boards answered from it; a table that is built.
fn eight_puzzles() {
    let dims = Dims::new(3, 3).expect("a size");
    let goal = Goal::Last.board(dims).expect("a goal");
    let start = Instant::now();
    let table = FullTable::build(&goal, Metric::Stm).expect("nine cells fit");
    row("3x3: best moves, embedded", start.elapsed(), None, Some(table.bytes() as u64));
    let boards = solvable(dims, 100_000);
    let start = Instant::now();
    let slides: usize = boards.iter().filter_map(|b| table.path(b)).map(|path| path.len()).sum();
    row("  path of a board, mean of 100000", start.elapsed() / 100_000, None, None);
    assert!(slides > 2_000_000);
    let (options, mut tables) = (Options::default(), Tables::new());
    let instances: Vec<_> = boards.into_iter().map(Instance::from).collect();
    let start = Instant::now();
    for instance in &instances {
        black_box(options.solve_with(instance, &mut tables, &mut ()).expect("a plan"));
    }
    row("  the same as a report, replayed", start.elapsed() / 100_000, None, None);
}

fn solvable(dims: Dims, n_boards: usize) -> Vec<Board> {
    let mut random = Random::new(1);
    let boards = std::iter::repeat_with(|| random.board(dims));
    boards.filter(|board| Instance::from(board.clone()).is_solvable()).take(n_boards).collect()
}

/// All boards of twelve cells searched, on one thread and two.
fn whole_spaces() {
    let sizes =
        [("3x3", "1 thread"), ("5x2", "1 thread"), ("4x3", "1 thread"), ("4x3", "2 threads")];
    for metric in Metric::ALL {
        for (size, threads) in sizes {
            let dims: Dims = size.parse().expect("a size");
            let space = FullSpace::new(dims, Cell::new(0), metric).expect("twelve cells fit");
            let n_threads = if threads == "1 thread" { 1 } else { 2 };
            let start = Instant::now();
            let table = npuzzle_tables::FullTable::build(space, n_threads, &mut ());
            let (table, time) = (table.expect("nobody stops it"), start.elapsed());
            let what = format!("{size}: all distances, {metric}, {threads}");
            row(&what, time, Some(space.n_boards() as u64), Some(table.bytes().len() as u64));
            if space.n_boards() > 10_000_000 {
                let per_second = space.n_boards() as f64 / 1e6 / time.as_secs_f64();
                println!("{:44} {per_second:>11.0}M", "  boards per second");
                println!(
                    "{:44} {:>42}",
                    "  most bytes while it is built",
                    space.build_bytes(n_threads)
                );
                if n_threads == 1 {
                    walks(&table, dims);
                }
            }
        }
    }
}

/// Random boards answered from a table that no cache holds.
fn walks(table: &npuzzle_tables::FullTable, dims: Dims) {
    let goal = Goal::First.board(dims).expect("a goal");
    let table = FullTable::from_table(&goal, table.clone()).expect("a goal of these boards");
    let mut random = Random::new(2);
    let boards: Vec<Board> = (0..20_000).map(|_| random.board(dims)).collect();
    let start = Instant::now();
    let n_solved = boards.iter().filter_map(|board| table.path(board)).count() as u32;
    row("  path of a board, mean of 10000", start.elapsed() / n_solved, None, None);
}

fn solve(known: &Known, goal: &Goal, threads: usize, tables: &mut Tables) -> Report {
    let options = Options {
        limits: Limits::NONE,
        threads: std::num::NonZeroUsize::new(threads),
        ..Options::default()
    };
    let instance = Instance::new(known.board.clone(), goal).expect("goals by name fit");
    let report = options.solve_with(&instance, tables, &mut ()).expect("default options suit all");
    assert_eq!(report.upper_bound(), known.optimal, "{}", known.name);
    report
}

fn threads_name(threads: usize) -> String {
    if threads == 0 { "all cores".to_owned() } else { format!("{threads} thread") }
}

/// Korf's hundred boards; 0 threads are as many as there are cores.
fn korf(threads: usize) -> Duration {
    let mut tables = Tables::new();
    let boards = data::korf100();
    let start = Instant::now();
    let reports: Vec<Report> =
        boards.iter().map(|known| solve(known, &Goal::First, threads, &mut tables)).collect();
    let time = start.elapsed();
    let generated = reports.iter().map(|report| report.stats.generated).sum();
    row(&format!("4x4: Korf's 100, {}", threads_name(threads)), time, Some(generated), None);
    let mut times: Vec<Duration> = reports.iter().map(|report| report.time).collect();
    times.sort();
    row("  median board", times[50], None, None);
    time
}

fn hardest(threads: usize) {
    let text = data::text("antipodes_4x4_80.txt");
    let boards = npuzzle::format::read(&text, None);
    for (number, entry) in (1..).zip(boards) {
        let board = entry.expect("a board").board;
        let known = Known { name: format!("antipode {number}"), board, optimal: Some(80) };
        let report = solve(&known, &Goal::Last, threads, &mut Tables::new());
        let what = format!("4x4: 80 moves, number {number}, {}", threads_name(threads));
        row(&what, report.time, Some(report.stats.generated), None);
    }
}

/// Princeton's boards on which A* is compared: 30 to 49 moves.
const BEST_FIRST: [&str; 8] = [
    "puzzle32",
    "puzzle36",
    "puzzle4x4-39",
    "puzzle4x4-41",
    "puzzle43",
    "puzzle45",
    "puzzle4x4-47",
    "puzzle4x4-49",
];

/// Solves one board by A* with Manhattan distance.
fn astar(problem: &Sliding<Packed>, h: &Manhattan) -> SearchReport<Slide> {
    BestFirst::<_, _, BucketQueue<_>>::new(problem, h, Settings::ASTAR).run(&mut (), &mut ())
}

/// The same by the crate `pathfinding`.
fn pathfinding_astar(problem: &Sliding<Packed>, h: &Manhattan) -> Option<u32> {
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

fn best_first_board(name: &str) -> Known {
    let known = data::princeton_known().into_iter().find(|known| known.name == name);
    known.expect("a board of Princeton's")
}

/// A* through the generic traits, and by the crate `pathfinding`, on the same boards with the same
/// heuristic; and what bidirectional search makes of them.
fn best_first() {
    let (mut ours, mut theirs, mut both_ends) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let (mut generated, mut from_both_ends) = (0, 0);
    let (mut expanded, mut expanded_from_both_ends) = (0, 0);
    let (mut peak, mut held) = (0, 0);
    for known in BEST_FIRST.map(best_first_board) {
        let instance = Instance::from(known.board.clone());
        let problem = Sliding::<Packed>::new(&instance).expect("16 cells fit");
        let h = Manhattan::new(instance.goal());
        let start = Instant::now();
        let report = astar(&problem, &h);
        ours += start.elapsed();
        let Outcome::Solved(path) = report.outcome else { panic!("{}", known.name) };
        assert_eq!(Some(path.len() as u32), known.optimal);
        generated += report.stats.generated;
        expanded += report.stats.expanded;
        if report.stats.peak_bytes > peak {
            peak = report.stats.peak_bytes;
            held = report.stats.expanded + report.stats.open;
        }

        let start = Instant::now();
        let cost = pathfinding_astar(&problem, &h);
        theirs += start.elapsed();
        assert_eq!(cost, known.optimal);

        let to_start = Manhattan::new(instance.start());
        let start = Instant::now();
        let report = bidirectional(&problem, &h, &to_start, Budget::NONE, &mut ());
        both_ends += start.elapsed();
        let Outcome::Solved(path) = report.outcome else { panic!("{}", known.name) };
        assert_eq!(Some(path.len() as u32), known.optimal);
        from_both_ends += report.stats.generated;
        expanded_from_both_ends += report.stats.expanded;
    }
    let n_boards = BEST_FIRST.len();
    row(&format!("4x4: A*, Manhattan, {n_boards} boards"), ours, Some(generated), Some(peak));
    println!(
        "{:44} {:>11.1}M",
        "  generated per second",
        generated as f64 / 1e6 / ours.as_secs_f64()
    );
    row("  the same by the crate pathfinding", theirs, None, None);
    println!("{:44} {:>11.2}x", "  pathfinding against ours", ratio(theirs, ours));
    memory(peak, held);
    row("  the same from both ends", both_ends, Some(from_both_ends), None);
    println!(
        "{:44} {:>11.2}x",
        "  states expanded by A* against both ends",
        expanded as f64 / expanded_from_both_ends as f64
    );
}

/// What the largest of the boards takes: by the search's own count, and by the system's for a process
/// that does nothing else.
fn memory(peak: u64, held: u64) {
    let per_state = |bytes: u64| format!("{:.1}", bytes as f64 / held as f64);
    let line =
        |what: &str, bytes: u64| println!("{what:44} {:>12} {:>29}", per_state(bytes), bytes);
    println!("  bytes per state held, open or closed ({held})");
    line("    by the search's own count", peak);
    let (Some(ours), Some(theirs)) = (grown("--grow-ours"), grown("--grow-pathfinding")) else {
        println!("    (the system does not tell what a process takes)");
        return;
    };
    line("    by the system's count", ours);
    line("    the crate pathfinding", theirs);
    println!("{:44} {:>11.2}x", "  pathfinding against ours", theirs as f64 / ours as f64);
}

/// The bytes by which a process of its own grows while it solves the largest board.
fn grown(how: &str) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = std::process::Command::new(program).arg(how).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Solves the largest board and prints by how much the process has grown.
fn grow(search: impl Fn(&Sliding<Packed>, &Manhattan)) {
    let known = best_first_board(BEST_FIRST[BEST_FIRST.len() - 1]);
    let instance = Instance::from(known.board);
    let problem = Sliding::<Packed>::new(&instance).expect("16 cells fit");
    let h = Manhattan::new(instance.goal());
    let Some(before) = resident() else { return };
    search(&problem, &h);
    if let Some(after) = resident() {
        println!("{}", after - before);
    }
}

/// The most bytes that this process has had in memory, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

fn builds() {
    let start = Instant::now();
    let automaton = Automaton::new(10);
    let bytes = automaton.bytes().len() as u64;
    row("automaton of depth 10", start.elapsed(), None, Some(bytes));
    for (size, blank) in [("3x4", 0), ("3x5", 0), ("4x4", 5)] {
        let dims: Dims = size.parse().expect("a size");
        let start = Instant::now();
        let set = PatternSet::new(dims, Cell::new(blank)).expect("up to 16 cells");
        let bytes = set.tables().iter().map(|(_, excess)| excess.bytes().len() as u64).sum();
        let what = format!("{size}: patterns, blank at {blank}");
        row(&what, start.elapsed(), None, Some(bytes));
    }
}
