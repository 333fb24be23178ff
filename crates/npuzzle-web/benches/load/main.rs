//! `cargo xtask load`: many clients at once, each solving random 15-puzzles, against a server in a
//! process of its own; how many answers, how soon, whether all are right, and what memory it took.
//!
//! `cargo xtask soak`: the same for hours, with questions of all kinds, and clients that misbehave.

// A measurement that cannot go on should stop where it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

mod crowd;
mod served;
mod soak;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use served::{Served, serve};

/// Counts what the server has allocated; the system counts what the allocator keeps, too.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What memory may differ by chance.
const SLACK_KIB: u64 = 4 << 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--serve") {
        return serve(&ALLOCATED);
    }
    let number = |name: &str, otherwise: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.map_or(otherwise, |at| args[at + 1].parse().expect("a number"))
    };
    if args.iter().any(|arg| arg == "--soak") {
        return soak_for(Duration::from_secs(number("--seconds", 3600)), number("--clients", 40));
    }
    let (seconds, n_clients) = (number("--seconds", 30), number("--clients", 200));
    let known = crowd::known_puzzles(number("--known", 300) as usize, 2026);
    let server = Served::start();
    let address = server.address;
    // The first answers load what the program brings along.
    crowd::crowd(address, 2, Duration::from_secs(1), &known);
    let before = server.resident_kib();
    println!("{n_clients} clients, {seconds} s, random 15-puzzles");
    let time = Duration::from_secs(seconds);
    let first = crowd::crowd(address, n_clients as usize, time / 2, &known);
    let middle = server.resident_kib();
    let second = crowd::crowd(address, n_clients as usize, time / 2, &known);
    let after = server.resident_kib();
    for (name, figures) in [("first half", &first), ("second half", &second)] {
        let ms = |share| figures.within(share).as_secs_f64() * 1e3;
        println!(
            "{name}: {} answers, {:.1} a second, p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms, {} \
             errors, {} wrong",
            figures.times.len(),
            figures.rate(),
            ms(0.5),
            ms(0.99),
            ms(1.0),
            figures.errors.len(),
            figures.wrong.len()
        );
        for what in figures.errors.iter().chain(&figures.wrong).take(5) {
            println!("  {what}");
        }
    }
    println!(
        "memory of the server: {before} KiB at first, {middle} KiB after one half, {after} KiB"
    );
    server.end();
    let is_clean = |figures: &crowd::Figures| figures.errors.is_empty() && figures.wrong.is_empty();
    assert!(is_clean(&first) && is_clean(&second), "not all answers are there and right");
    assert!(after <= middle + middle / 10 + SLACK_KIB, "the server's memory grows");
}

/// Asks for all kinds of things for so long, looks at the memory of the server all the while, and says
/// whether all answers were right and the memory did not grow.
fn soak_for(time: Duration, n_clients: u64) {
    let mut server = Served::start();
    let address = server.address;
    println!("{n_clients} clients, {} s, questions of all kinds, and faults", time.as_secs());
    let is_over = AtomicBool::new(false);
    let (tally, quarters) = std::thread::scope(|scope| {
        let looking = scope.spawn(|| look_on(&mut server, time, &is_over));
        let tally = soak::soak(address, n_clients, time);
        is_over.store(true, Ordering::Relaxed);
        (tally, looking.join().unwrap())
    });
    for (name, n) in &tally.acts {
        println!("{name:24} {n:>10}");
    }
    println!("{:24} {:>10}", "told to come again", tally.n_refused);
    println!("{:24} {:>10}", "wrong", tally.wrong.len());
    tally.wrong.iter().take(10).for_each(|what| println!("  {what}"));
    println!("memory of the server, quarter by quarter:");
    println!("  held at most, as the system counts: {:?} KiB", quarters.map(|q| q.resident));
    println!("  allocated at least: {:?} KiB", quarters.map(|q| q.allocated));
    server.end();
    assert!(tally.wrong.is_empty(), "not all answers are right");
    let has_grown = |[_, second, third, last]: [u64; 4]| {
        let before = second.max(third);
        last > before + before / 10 + SLACK_KIB
    };
    assert!(!has_grown(quarters.map(|q| q.resident)), "the server's memory grows");
    assert!(!has_grown(quarters.map(|q| q.allocated)), "the server keeps more and more");
}

/// Kibibytes of the server in a quarter of the time.
#[derive(Clone, Copy)]
struct Quarter {
    /// The most that the system has seen, what the allocator keeps for later included.
    resident: u64,
    /// The least that was allocated: what stays whatever is asked meanwhile.
    allocated: u64,
}

fn look_on(server: &mut Served, time: Duration, is_over: &AtomicBool) -> [Quarter; 4] {
    let begun = Instant::now();
    let mut quarters = [Quarter { resident: 0, allocated: u64::MAX }; 4];
    while !is_over.load(Ordering::Relaxed) {
        let at = (begun.elapsed().as_secs_f64() / time.as_secs_f64() * 4.0) as usize;
        let quarter = &mut quarters[at.min(3)];
        quarter.resident = quarter.resident.max(server.resident_kib());
        quarter.allocated = quarter.allocated.min(server.allocated_kib());
        std::thread::sleep(Duration::from_millis(50));
    }
    quarters
}
