//! `cargo xtask load`: many clients at once, each solving random 15-puzzles, against a server in a
//! process of its own; how many answers, how soon, whether all are right, and what memory it took.
//!
//! `cargo xtask soak`: the same for hours, with questions of all kinds, and clients that misbehave.

// A measurement that cannot go on should stop where it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

mod crowd;
mod soak;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use npuzzle_web::{Config, Server};

/// What memory may differ by chance.
const SLACK_KIB: u64 = 4 << 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--serve") {
        return serve();
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
    let (mut child, address) = start();
    // The first answers load what the program brings along.
    crowd::crowd(address, 2, Duration::from_secs(1), &known);
    let before = memory(&child);
    println!("{n_clients} clients, {seconds} s, random 15-puzzles");
    let time = Duration::from_secs(seconds);
    let first = crowd::crowd(address, n_clients as usize, time / 2, &known);
    let middle = memory(&child);
    let second = crowd::crowd(address, n_clients as usize, time / 2, &known);
    let after = memory(&child);
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
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success(), "the server ends in good order");
    let is_clean = |figures: &crowd::Figures| figures.errors.is_empty() && figures.wrong.is_empty();
    assert!(is_clean(&first) && is_clean(&second), "not all answers are there and right");
    assert!(after <= middle + middle / 10 + SLACK_KIB, "the server's memory grows");
}

/// Asks for all kinds of things for so long, looks at the memory of the server all the while, and says
/// whether all answers were right and the memory did not grow.
fn soak_for(time: Duration, n_clients: u64) {
    let (mut child, address) = start();
    println!("{n_clients} clients, {} s, questions of all kinds, and faults", time.as_secs());
    let is_over = AtomicBool::new(false);
    let (tally, held) = std::thread::scope(|scope| {
        let looking = scope.spawn(|| memory_by_quarter(&child, time, &is_over));
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
    println!("memory of the server at most, quarter by quarter: {held:?} KiB");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success(), "the server ends in good order");
    assert!(tally.wrong.is_empty(), "not all answers are right");
    let [_, second, third, last] = held;
    let before = second.max(third);
    assert!(last <= before + before / 10 + SLACK_KIB, "the server's memory grows");
}

/// The most that the server holds in each quarter of the time.
fn memory_by_quarter(child: &Child, time: Duration, is_over: &AtomicBool) -> [u64; 4] {
    let begun = Instant::now();
    let mut held = [0; 4];
    while !is_over.load(Ordering::Relaxed) {
        let quarter = (begun.elapsed().as_secs_f64() / time.as_secs_f64() * 4.0) as usize;
        let most = &mut held[quarter.min(3)];
        *most = memory(child).max(*most);
        std::thread::sleep(Duration::from_millis(200));
    }
    held
}

/// Serves until standard input is closed, as it is when the clients have gone, however they went.
fn serve() {
    let server = Server::bind(Config { port: 0, ..Config::default() }).unwrap();
    println!("{}", server.address());
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        drop(end);
    });
    let until = async {
        let _ = ended.await;
        Ok(())
    };
    server.run(until).unwrap();
}

/// This program once more, as the server.
fn start() -> (Child, std::net::SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("--serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().parse().unwrap())
}

/// Kibibytes that a process holds; 0 where that is not told.
fn memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
