//! `cargo xtask load`: many clients request solutions of random 15-puzzles from a server in its own
//! process. Prints throughput, latencies, wrong responses and the memory of the server.
//!
//! `cargo xtask load --hard N`: the latency of easy boards while N clients ask for proofs of 24-puzzles.
//!
//! `cargo xtask soak`: hours of requests of all kinds, and of clients that misbehave.

// A failed measurement may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

mod clients;
mod fairness;
mod server_process;
mod soak;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use server_process::{ServerProcess, serve};

/// Counts the bytes in use. The resident memory also contains what the allocator keeps free.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The tolerance for random differences of memory.
const TOLERANCE_KIB: u64 = 4 << 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--serve") {
        return serve(&ALLOCATED);
    }
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.map_or(default, |at| args[at + 1].parse().expect("a number"))
    };
    if args.iter().any(|arg| arg == "--soak") {
        return soak_for(Duration::from_secs(number("--seconds", 3600)), number("--clients", 40));
    }
    let (seconds, n_clients) = (number("--seconds", 30), number("--clients", 200));
    if args.iter().any(|arg| arg == "--hard") {
        let server = ServerProcess::start();
        fairness::measure(server.address, number("--hard", 30), Duration::from_secs(seconds));
        return server.shut_down();
    }
    let known = clients::known_puzzles(number("--known", 300) as usize, 2026);
    let server = ServerProcess::start();
    let address = server.address;
    // Warm-up: the first requests load embedded data.
    clients::run(address, 2, Duration::from_secs(1), &known);
    let before = server.resident_kib();
    println!("{n_clients} clients, {seconds} s, random 15-puzzles");
    let time = Duration::from_secs(seconds);
    let first = clients::run(address, n_clients as usize, time / 2, &known);
    let middle = server.resident_kib();
    let second = clients::run(address, n_clients as usize, time / 2, &known);
    let after = server.resident_kib();
    for (name, results) in [("first half", &first), ("second half", &second)] {
        let ms = |share| results.quantile(share).as_secs_f64() * 1e3;
        println!(
            "{name}: {} responses, {:.1} per second, p50 {:.0} ms, p99 {:.0} ms, max {:.0} ms, {} \
             errors, {} wrong",
            results.latencies.len(),
            results.rate(),
            ms(0.5),
            ms(0.99),
            ms(1.0),
            results.errors.len(),
            results.wrong.len()
        );
        for message in results.errors.iter().chain(&results.wrong).take(5) {
            println!("  {message}");
        }
    }
    println!(
        "memory of the server: {before} KiB at the start, {middle} KiB after the first half, {after} KiB at \
         the end"
    );
    server.shut_down();
    let is_clean =
        |results: &clients::LoadResults| results.errors.is_empty() && results.wrong.is_empty();
    assert!(is_clean(&first) && is_clean(&second), "some responses are missing or wrong");
    assert!(after <= middle + middle / 10 + TOLERANCE_KIB, "the server's memory grows");
}

/// Sends requests of all kinds for `time` and watches the memory of the server. Panics if a response
/// is wrong or the memory grows.
fn soak_for(time: Duration, n_clients: u64) {
    let mut server = ServerProcess::start();
    let address = server.address;
    println!("{n_clients} clients, {} s, requests of all kinds, and faults", time.as_secs());
    let is_over = AtomicBool::new(false);
    let (tally, quarters) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch_memory(&mut server, time, &is_over));
        let tally = soak::soak(address, n_clients, time);
        is_over.store(true, Ordering::Relaxed);
        (tally, watcher.join().unwrap())
    });
    for (name, n) in &tally.actions {
        println!("{name:24} {n:>10}");
    }
    println!("{:24} {:>10}", "refused (503)", tally.n_refused);
    println!("{:24} {:>10}", "wrong", tally.wrong.len());
    tally.wrong.iter().take(10).for_each(|message| println!("  {message}"));
    println!("memory of the server, quarter by quarter:");
    println!("  maximum resident: {:?} KiB", quarters.map(|q| q.resident));
    println!("  minimum allocated: {:?} KiB", quarters.map(|q| q.allocated));
    server.shut_down();
    assert!(tally.wrong.is_empty(), "some responses are wrong");
    let has_grown = |[_, second, third, last]: [u64; 4]| {
        let before = second.max(third);
        last > before + before / 10 + TOLERANCE_KIB
    };
    assert!(!has_grown(quarters.map(|q| q.resident)), "the resident memory of the server grows");
    assert!(!has_grown(quarters.map(|q| q.allocated)), "the allocated memory of the server grows");
}

/// The memory of the server during a quarter of the time, in KiB.
#[derive(Clone, Copy)]
struct Quarter {
    /// The maximum resident memory, which includes what the allocator keeps free.
    resident: u64,
    /// The minimum of the allocated memory: what is never freed.
    allocated: u64,
}

fn watch_memory(server: &mut ServerProcess, time: Duration, is_over: &AtomicBool) -> [Quarter; 4] {
    let started = Instant::now();
    let mut quarters = [Quarter { resident: 0, allocated: u64::MAX }; 4];
    while !is_over.load(Ordering::Relaxed) {
        let at = (started.elapsed().as_secs_f64() / time.as_secs_f64() * 4.0) as usize;
        let quarter = &mut quarters[at.min(3)];
        quarter.resident = quarter.resident.max(server.resident_kib());
        quarter.allocated = quarter.allocated.min(server.allocated_kib());
        std::thread::sleep(Duration::from_millis(50));
    }
    quarters
}
