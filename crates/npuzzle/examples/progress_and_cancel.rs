//! A long search that tells what it is doing, and that another thread may stop.

use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use npuzzle::{Cancel, Instance, Limit, Options, Report, Stats, Tables, Watch};

fn main() -> Result<(), Box<dyn Error>> {
    let hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
    let cancel = Cancel::new();
    let other = cancel.clone();
    thread::Builder::new().spawn(move || {
        thread::sleep(Duration::from_secs(3)); // a button, a signal, a closed connection
        other.cancel();
    })?;
    let report = watched(&hard, cancel, &mut io::stdout())?;
    match report.moves() {
        Some(moves) => println!("solved: {moves}"),
        None => {
            let least = report.lower_bound.unwrap_or(0);
            println!("stopped; a solution has at least {least} slides");
        }
    }
    Ok(())
}

/// Solves a board, with a line for every round of iterative deepening.
pub fn watched(
    puzzle: &Instance,
    cancel: Cancel,
    out: &mut dyn Write,
) -> Result<Report, Box<dyn Error>> {
    let options = Options::default().without_limits();
    Ok(options.solve_with(puzzle, &mut Tables::new(), &mut Told { cancel, out })?)
}

/// Tells of rounds, and hands on what the other thread says.
struct Told<'a> {
    cancel: Cancel,
    out: &'a mut dyn Write,
}

impl Watch for Told<'_> {
    fn round(&mut self, bound: u32, stats: &Stats) {
        // Nothing is lost if nobody reads it.
        let _ = writeln!(self.out, "no solution of {bound} slides: {} states", stats.expanded);
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        self.cancel.poll(stats)
    }
}
