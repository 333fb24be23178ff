//! An audit of samples, for boards that are too many to enumerate.

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Packed, Random};

use crate::limits::Clock;
use crate::report::Answer;
use crate::tables::cache::Tables;
use crate::teaching::same_size;

use super::tally::Tally;
use super::{Audit, AuditError, AuditScope, Auditor, HeuristicFn};

/// The number of boards taken from one random walk.
const BOARDS_PER_WALK: u64 = 100;

/// A board with its distance, or with the length of the walk that led to it.
type Sample = (Board, Cost);

/// Audits samples, with up to `batch_cells` cells in a batch.
pub(super) fn audit(
    auditor: &Auditor,
    batch_cells: usize,
    heuristic: HeuristicFn<'_>,
    tables: &mut Tables,
    clock: &mut Clock<'_>,
) -> Result<Audit, AuditError> {
    let n_cells = auditor.goal.dims().cells();
    let is_solved = n_cells <= Packed::MAX_CELLS;
    let scope = if is_solved { AuditScope::Samples } else { AuditScope::RandomWalks };
    // The neighbors of a board, at most four, are evaluated with it.
    let max_batch = (batch_cells / (5 * n_cells)).max(1);
    let n_samples = auditor.samples.unwrap_or(Auditor::N_SAMPLES);
    let random = Random::new(auditor.seed);
    let mut sampler = Sampler { auditor, random, is_solved, n_samples, n_left: n_samples };
    let mut tally = Tally::new(auditor.goal.dims());
    let mut stopped = None;
    while sampler.n_left > 0 && stopped.is_none() {
        let batch;
        (batch, stopped) = sampler.batch(max_batch, tables, clock)?;
        // A walk may exceed the size of a batch.
        for chunk in batch.chunks(max_batch) {
            match examine(chunk, heuristic, &mut tally, clock) {
                Err(AuditError::Limit(limit)) => {
                    stopped = Some(limit);
                    break;
                }
                examined => examined?,
            }
        }
    }
    Ok(tally.into_audit(scope, stopped))
}

/// Draws the samples of an audit.
struct Sampler<'a> {
    auditor: &'a Auditor,
    random: Random,
    /// Whether samples are solved; otherwise they come from random walks.
    is_solved: bool,
    n_samples: u64,
    n_left: u64,
}

impl Sampler<'_> {
    /// Draws a batch of at least `max_batch` samples, or all that are left. Returns a smaller batch
    /// together with the limit if one is reached.
    fn batch(
        &mut self,
        max_batch: usize,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Result<(Vec<Sample>, Option<Limit>), AuditError> {
        let mut batch = Vec::new();
        while self.n_left > 0 && batch.len() < max_batch {
            let share = 1.0 - self.n_left as f64 / self.n_samples as f64;
            if let Some(limit) = clock.building(share).break_value() {
                return Ok((batch, Some(limit)));
            }
            if self.is_solved {
                match self.solved_sample(tables, clock)? {
                    Ok(sample) => batch.push(sample),
                    Err(limit) => return Ok((batch, Some(limit))),
                }
            } else {
                self.walk(&mut batch);
            }
        }
        Ok((batch, None))
    }

    /// Draws and solves a board: alternately a uniformly random one and one near the goal.
    fn solved_sample(
        &mut self,
        tables: &mut Tables,
        clock: &mut Clock<'_>,
    ) -> Result<Result<Sample, Limit>, AuditError> {
        let Auditor { goal, options, .. } = self.auditor;
        let mut instance = self.random.instance(goal, true);
        if self.n_left.is_multiple_of(2) {
            let n_slides = self.random.below(4 * goal.dims().cells() as u64) as usize;
            instance = same_size::instance(self.random.walk(goal, n_slides), goal);
        }
        self.n_left -= 1;
        let report = options.solve_with(&instance, tables, clock).map_err(AuditError::Solve)?;
        Ok(match report.answer {
            Answer::Solved(moves) => Ok((instance.start().clone(), moves.stm() as Cost)),
            Answer::Stopped(limit) => Err(limit),
            Answer::Unsolvable => unreachable!("samples are generated solvable"),
        })
    }

    /// Adds the boards of a random walk from the goal.
    fn walk(&mut self, batch: &mut Vec<Sample>) {
        let n_boards = self.n_left.min(BOARDS_PER_WALK);
        let mut n_slides = 0;
        let _ = self.random.walk_through(&self.auditor.goal, n_boards as usize - 1, |board| {
            batch.push((board.clone(), n_slides));
            n_slides += 1;
        });
        self.n_left -= n_boards;
    }
}

/// Evaluates samples and their neighbors, and adds them to the tally.
fn examine(
    samples: &[Sample],
    heuristic: HeuristicFn<'_>,
    tally: &mut Tally,
    clock: &mut Clock<'_>,
) -> Result<(), AuditError> {
    if samples.is_empty() {
        return Ok(());
    }
    let with_neighbors =
        |(board, _): &Sample| [vec![board.clone()], board.neighbors().collect()].concat();
    let boards: Vec<Board> = samples.iter().flat_map(with_neighbors).collect();
    let estimates = heuristic(&boards, clock)?;
    let mut evaluated = boards.iter().zip(estimates);
    for (board, distance) in samples {
        let Some((_, estimate)) = evaluated.next() else { break };
        tally.add_board(board, estimate, *distance);
        for (neighbor, other) in evaluated.by_ref().take(board.slides().count()) {
            tally.add_slide([board, neighbor], [estimate, other], *distance);
        }
    }
    let poll = clock.poll(&Stats { expanded: tally.n_boards, ..Stats::default() });
    poll.break_value().map_or(Ok(()), |limit| Err(AuditError::Limit(limit)))
}
