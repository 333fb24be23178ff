//! What each part of the beam search gains: mean lengths of the solutions of DeepCubeA's boards, by evaluation and search.
//! Run by `cargo xtask bench ablation [BOARDS]`.

use std::process::ExitCode;
use std::time::Instant;

use npuzzle::Instance;
use npuzzle::learn::{BeamEvaluation, beam_length};
use npuzzle_tables::parallel::n_cores;
use npuzzle_testkit::data;

/// The widths of the beams, and whether there is one in each direction.
const SEARCHES: [(usize, bool); 4] =
    [(1_000, false), (1_000, true), (10_000, false), (10_000, true)];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n_boards = match &args[..] {
        [] => Some(20),
        [n_boards] => n_boards.parse().ok().filter(|&n| n > 0),
        _ => None,
    };
    let Some(n_boards) = n_boards else {
        eprintln!("usage: cargo xtask bench ablation [BOARDS]");
        return ExitCode::from(2);
    };
    for side in [5, 6, 7] {
        let boards: Vec<_> = data::deepcubea(side).into_iter().take(n_boards).collect();
        let n = boards.len() as f64;
        let found = boards.iter().map(|board| f64::from(board.found)).sum::<f64>() / n;
        println!("{side}x{side}, boards: {n}, DeepCubeA: {found:.2}");
        for (width, has_both_directions) in SEARCHES {
            for evaluation in BeamEvaluation::ALL {
                let (started, mut n_slides, mut n_missed, mut n_expanded) =
                    (Instant::now(), 0, 0, 0);
                for board in &boards {
                    let instance = Instance::from(board.board.clone());
                    let (length, expanded) =
                        beam_length(&instance, evaluation, width, has_both_directions, n_cores());
                    n_slides += length.unwrap_or(0);
                    n_missed += usize::from(length.is_none());
                    n_expanded += expanded;
                }
                let mean = match n_missed {
                    0 => format!("mean {:.2}", n_slides as f64 / n),
                    _ => format!("not solved: {n_missed}"),
                };
                let directions = if has_both_directions { 2 } else { 1 };
                println!(
                    "  {directions} x width {width}, {evaluation:?}: {mean}, {:.3} million boards and {:.3} s each",
                    n_expanded as f64 / 1e6 / n,
                    started.elapsed().as_secs_f64() / n
                );
            }
        }
    }
    ExitCode::SUCCESS
}
