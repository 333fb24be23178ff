//! Short solutions of boards from 5x5 to 12x12 by beams: DeepCubeA's boards beside its lengths,
//! random ones beside their Manhattan distance.

use std::time::Duration;

use npuzzle::{Algorithm, Instance, Limits, Options, Tables};
use npuzzle_testkit::data;
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::table::{Figure, Row, Table};

/// Sides of DeepCubeA's boards, the seconds for each, and how much longer than its own our solutions
/// may be.
const SCRAMBLED: [(u16, u64, f64); 3] = [(5, 5, 90.2 / 89.48), (6, 10, 1.02), (7, 10, 1.04)];

/// Seconds for random boards, and how many times the Manhattan distance their solutions may have.
const RANDOM: (u64, f64) = (2, 1.6);

pub(crate) fn run(table: &mut Table, n_boards: usize) {
    table.part("middle boards: length beside DeepCubeA's");
    for (side, seconds, most) in SCRAMBLED {
        let boards = data::deepcubea(side);
        let boards = boards.into_iter().take(n_boards);
        let boards = boards.map(|scrambled| (Instance::from(scrambled.board), scrambled.found));
        lengths(table, &format!("{side}x{side}"), boards.collect(), seconds, most);
    }
    table.part("middle boards: length beside Manhattan distance");
    let mut random = Random::new(812);
    for side in 8..=12 {
        let size = format!("{side}x{side}");
        let board = |_| {
            let instance = Instance::from(random.board(dims(&size)));
            let instance = if instance.is_solvable() { instance } else { instance.twin() };
            let distance = instance.start().manhattan() as u32;
            (instance, distance)
        };
        let boards = (0..n_boards.min(10)).map(board).collect();
        lengths(table, &size, boards, RANDOM.0, RANDOM.1);
    }
}

/// Solves boards and compares the sum of lengths.
fn lengths(table: &mut Table, size: &str, boards: Vec<(Instance, u32)>, seconds: u64, most: f64) {
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let options = Options { algorithm: Algorithm::Beam, limits, ..Options::default() };
    let mut tables = Tables::new();
    let (mut found, mut reference, mut expanded, mut bytes) = (0, 0, 0, 0);
    let mut longest = Duration::ZERO;
    for (instance, length) in &boards {
        let report = options.solve_with(instance, &mut tables, &mut ()).expect("a plan");
        found += report.upper_bound().expect("a solution");
        reference += length;
        expanded += report.stats.expanded;
        bytes = bytes.max(report.stats.peak_bytes);
        longest = longest.max(report.time);
    }
    let (n, mean) = (boards.len(), |sum: u32| f64::from(sum) / boards.len() as f64);
    let what = format!("{size}, {n} boards in {seconds} s each");
    let ratio = Figure::Ratio(f64::from(found) / f64::from(reference));
    table.add(Row::new(what, ratio).at_most(most).nodes(expanded).bytes(bytes));
    table.note(&format!("mean {:.2} slides beside {:.2}", mean(found), mean(reference)));
    let limit = seconds as f64 * 1.1;
    table.add(Row::time("  longest time", longest).at_most(limit));
}
