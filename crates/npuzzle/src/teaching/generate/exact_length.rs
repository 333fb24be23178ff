//! Boards of an exact length that are too many to enumerate.
//!
//! It suffices to find a board at least that far from the goal: the boards of its shortest solution
//! include one of the exact length. So the problem is to get far enough. Most boards of 16 cells are
//! about 53 slides from the goal; toward the maximum of 80 they become rare. For the usual goals of
//! the 15-puzzle the hardest boards are known, and a walk of k slides from one of them ends at least
//! 80 - k slides from the goal. For other goals, a random walk that prefers larger distances climbs
//! from a random board.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Instance, Metric, Moves, Random};

use crate::limits::Clock;
use crate::plan::MAX_PROVED_CELLS;
use crate::report::Report;
use crate::tables::canonical::CanonicalForm;

use super::Generator;
use super::error::GenerateError;

/// Random boards of 16 cells are often at least this far from the goal.
const COMMON_LENGTH: Cost = 58;

/// The maximum number of walks of a climb.
const MAX_STEPS: usize = 2_000;

/// Six of the seventeen boards of the 15-puzzle that take 80 slides, for the goal with the blank in the last
/// cell; their mirror images are others. Brüngger, Marzetta, Fukuda and Nievergelt (1999) proved that no board
/// takes more, and Korf and Schultze (2005) counted them.
const HARDEST: [&str; 6] = [
    "0 11 9 13/12 15 10 14/3 7 6 2/4 8 5 1",
    "0 12 9 13/15 8 10 14/11 7 6 2/4 3 5 1",
    "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1",
    "0 12 9 13/15 11 10 14/3 7 5 6/4 8 2 1",
    "0 12 9 13/15 11 10 14/3 7 6 2/4 8 5 1",
    "0 12 9 13/15 11 10 14/7 8 5 6/4 3 2 1",
];

/// The length of the hardest boards.
const MAX_LENGTH: Cost = 80;

/// Returns a board of this length, and its solution if it has been solved.
pub(super) fn board_of_length(
    generator: &mut Generator,
    length: Cost,
    random: &mut Random,
    clock: &mut Clock<'_>,
) -> Result<(Instance, Option<Report>), GenerateError> {
    let goal = generator.spec.goal.clone();
    let metric = generator.spec.options.metric;
    let hardest = if metric == Metric::Stm { hardest(&goal) } else { Vec::new() };
    if !hardest.is_empty() && length > MAX_LENGTH {
        return Err(GenerateError::TooLong { length, max_length: MAX_LENGTH });
    }
    let mut start = if !hardest.is_empty() && length > COMMON_LENGTH {
        let from = &hardest[random.below(hardest.len() as u64) as usize];
        random.walk(from, (MAX_LENGTH - length) as usize)
    } else if goal.dims().cells() <= MAX_PROVED_CELLS {
        random.instance(&goal, true).start().clone()
    } else {
        random.walk(&goal, length as usize)
    };
    let mut farthest: Option<(Board, Cost)> = None;
    for _ in 0..MAX_STEPS {
        let instance = generator.instance(start);
        let report = generator.solve(&instance, false, clock)?;
        let Some(moves) = report.moves() else { break };
        let found = moves.len(metric) as Cost;
        if found == length {
            return Ok((instance, Some(report)));
        }
        if found > length {
            let nearer = board_after(&instance, moves, metric, found - length);
            return Ok((generator.instance(nearer), None));
        }
        // A slightly nearer board is accepted, too, to leave local maxima.
        let is_accepted = |(_, far): &(Board, Cost)| found + random.below(3) as Cost >= *far;
        if farthest.as_ref().is_none_or(is_accepted) {
            farthest = Some((instance.start().clone(), found));
        }
        let Some((from, distance)) = &farthest else { break };
        let n_slides = 1 + random.below(u64::from(2 * (length - distance) + 6));
        start = random.walk(from, n_slides as usize);
    }
    Err(GenerateError::NotFound { n_tries: MAX_STEPS })
}

/// Returns the board after the first `n_moves` moves of a solution.
fn board_after(instance: &Instance, moves: &Moves, metric: Metric, n_moves: Cost) -> Board {
    let mut board = instance.start().clone();
    let n_slides = match metric {
        Metric::Stm => n_moves as usize,
        Metric::Mtm => moves.runs().take(n_moves as usize).map(|(_, n)| n).sum(),
    };
    for &slide in &moves.slides()[..n_slides] {
        board.slide(slide);
    }
    board
}

/// Returns the hardest boards for this goal, or none if they are not known.
fn hardest(goal: &Board) -> Vec<Board> {
    let Some(canonical) = CanonicalForm::new(goal) else { return Vec::new() };
    let is_known = goal.dims().is_square() && goal.dims().cells() == 16;
    if !is_known || canonical.blank().index() != 0 {
        return Vec::new();
    }
    let boards = HARDEST.iter().filter_map(|text| text.parse::<Instance>().ok());
    // In canonical form, all goals with the blank in a corner have the same boards, and mirror images
    // have the same distance.
    let labels = boards.filter_map(|i| Some(CanonicalForm::new(i.goal())?.labels(i.start())));
    let both = labels.flat_map(|labels| [mirrored(&labels), labels]);
    both.filter_map(|labels| canonical.board(&labels)).collect()
}

/// Returns the mirror image: rows and columns are swapped in the cells, and in the labels, which are
/// goal cells.
fn mirrored(labels: &[u8]) -> Vec<u8> {
    let transposed = |cell: usize| cell % 4 * 4 + cell / 4;
    let label = |cell| transposed(usize::from(labels[transposed(cell)])) as u8;
    (0..labels.len()).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_core::Goal;

    #[test]
    fn hardest_boards_are_solvable_for_every_corner_goal() {
        let dims = "4x4".parse().unwrap();
        for goal in [Goal::Last, Goal::First] {
            let goal = goal.board(dims).unwrap();
            let boards = hardest(&goal);
            assert_eq!(boards.len(), 12);
            for board in boards {
                let instance = Instance::new(board, &Goal::Board(goal.clone())).unwrap();
                assert!(instance.is_solvable());
            }
        }
        assert!(hardest(&Goal::Snail.board(dims).unwrap()).is_empty());
    }
}
