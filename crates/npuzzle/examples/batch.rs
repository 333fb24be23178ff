//! Solves the boards of a file on several threads and prints one line for each:
//! `cargo run --release -p npuzzle --example batch -- testdata/korf100.txt`.

use std::error::Error;
use std::fs;

use npuzzle::format;
use npuzzle::{Instance, Options, Report, SolveError, Tables};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: batch FILE")?;
    for line in lines(&fs::read_to_string(path)?, &Options::default()) {
        println!("{line}");
    }
    Ok(())
}

/// Returns a line for every board of a text, in order. An invalid board does not stop the batch.
pub fn lines(text: &str, options: &Options) -> Vec<String> {
    let entries = format::read(text, None);
    let (mut boards, mut lines) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            Ok(entry) => {
                boards.push(Instance::from(entry.board));
                lines.push(None);
            }
            Err(error) => lines.push(Some(error.to_string())),
        }
    }
    let mut solved = Vec::with_capacity(boards.len());
    let mut receive = |_: usize, report: Result<Report, SolveError>| solved.push(line(report));
    // The watch `()` never stops a batch.
    let _ = options.solve_many(&boards, &mut Tables::new(), &mut (), &mut receive);
    let mut solved = solved.into_iter();
    lines.into_iter().filter_map(|line| line.or_else(|| solved.next())).collect()
}

fn line(report: Result<Report, SolveError>) -> String {
    match report {
        Ok(report) => match (report.moves(), report.stopped_by()) {
            (Some(moves), _) => format!("{}: {moves}", moves.stm()),
            (None, Some(limit)) => format!("limit of {limit} reached"),
            (None, None) => "unsolvable".to_owned(),
        },
        Err(error) => error.to_string(),
    }
}
