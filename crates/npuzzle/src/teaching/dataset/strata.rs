//! How many boards of each distance a split gets.

use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};

use npuzzle_core::search::{Cost, Limit, Stats, Watch};
use npuzzle_core::{Board, Metric, Moves, Slide};

use super::error::DatasetError;
use super::{DatasetSpec, ExactDistances, SplitSpec};
use crate::tables::full::FullTable;

/// The boards of one distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stratum {
    pub(super) distance: Cost,
    /// The number of boards for each split, in their order.
    pub(super) quotas: Vec<u64>,
    /// All boards of the distance, if they were enumerated here.
    pub(super) boards: Option<Vec<Board>>,
}

/// Boards of more than this number at one distance are not enumerated: there are enough of them for random boards to
/// differ.
const MAX_ENUMERATED: usize = 10_000;

/// The default maximum distance of boards that have no table.
const DEFAULT_MAX: Cost = 30;

/// Divides the boards of every split as evenly as possible among its distances. Distances that have too few boards
/// contribute all that the earlier splits left. `n_images` is the number of mirror images that count as one board.
pub(super) fn plan(
    spec: &DatasetSpec,
    n_images: u64,
    distances: &mut ExactDistances,
    watch: &mut dyn Watch,
) -> Result<Vec<Stratum>, DatasetError> {
    let requested = spec.splits.iter().filter_map(SplitSpec::distances).chain(&spec.distances);
    let last = requested.map(|range| *range.end()).max().unwrap_or(DEFAULT_MAX);
    let mut levels = Vec::new();
    let counts = match distances.census(&spec.goal, spec.metric, watch) {
        Some(census) => census,
        None if spec.goal.dims().cells() <= FullTable::MAX_CELLS => {
            return Err(DatasetError::Limit(match watch.poll(&Stats::default()) {
                ControlFlow::Break(limit) => limit,
                ControlFlow::Continue(()) => Limit::Memory,
            }));
        }
        None => {
            levels = boards_near_goal(&spec.goal, spec.metric, last);
            levels.iter().map(|boards| boards.len() as u64).collect()
        }
    };
    let n_counted = counts.len() as Cost;
    let is_complete = spec.goal.dims().cells() <= FullTable::MAX_CELLS;
    let max = if is_complete { n_counted.saturating_sub(1) } else { last };
    // At least one in `n_images` boards is a representative.
    let available = |distance: Cost| match counts.get(distance as usize) {
        Some(count) => count.div_ceil(n_images),
        None => u64::MAX,
    };
    let default = spec.distances.clone().unwrap_or(1..=max);
    let mut left: Vec<u64> = (0..=max).map(available).collect();
    let mut quotas = Vec::new();
    for split in &spec.splits {
        let range = split.distances().unwrap_or(&default);
        let range = *range.start()..=max.min(*range.end());
        quotas.push(fill(split, range, &mut left)?);
    }
    let strata = (0..=max).map(|distance| Stratum {
        distance,
        quotas: quotas.iter().map(|quotas| quotas[distance as usize]).collect(),
        boards: levels.get_mut(distance as usize).map(std::mem::take),
    });
    Ok(strata.filter(|stratum| stratum.quotas.iter().any(|&n| n > 0)).collect())
}

/// Returns the boards of a split at each distance, and takes them from those that are left.
fn fill(
    split: &SplitSpec,
    range: RangeInclusive<Cost>,
    left: &mut [u64],
) -> Result<Vec<u64>, DatasetError> {
    let mut quotas = vec![0; left.len()];
    // Scarce distances first: what they lack is divided among the others.
    let mut order: Vec<usize> = range.map(|distance| distance as usize).collect();
    order.sort_by_key(|&distance| left[distance]);
    let mut n_missing = split.count();
    for (index, &distance) in order.iter().enumerate() {
        let share = n_missing / (order.len() - index) as u64;
        let quota = share.min(left[distance]);
        quotas[distance] = quota;
        left[distance] -= quota;
        n_missing -= quota;
    }
    match n_missing {
        0 => Ok(quotas),
        _ => Err(DatasetError::TooFew {
            split: split.name().to_owned(),
            requested: split.count(),
            available: split.count() - n_missing,
        }),
    }
}

/// Returns the boards at each distance from the goal, up to `max`, as long as they are few.
fn boards_near_goal(goal: &Board, metric: Metric, max: Cost) -> Vec<Vec<Board>> {
    let mut levels = vec![vec![goal.clone()]];
    let mut seen = HashSet::from([goal.clone()]);
    while levels.len() as Cost <= max {
        let mut next = Vec::new();
        for board in levels.iter().last().into_iter().flatten() {
            let after = moves(board, metric).map(|(_, board)| board);
            next.extend(after.filter(|board| seen.insert(board.clone())));
        }
        if next.len() > MAX_ENUMERATED {
            break;
        }
        levels.push(next);
    }
    levels
}

/// Returns the moves of a board in a metric, with the boards after them.
pub(super) fn moves(board: &Board, metric: Metric) -> impl Iterator<Item = (Moves, Board)> + '_ {
    let max_slides = match metric {
        Metric::Stm => 1,
        Metric::Mtm => usize::MAX,
    };
    Slide::ALL.into_iter().flat_map(move |slide| {
        let mut after = board.clone();
        let mut moves = Vec::new();
        while moves.len() < max_slides && after.slide(slide) {
            let n_slides = moves.len() + 1;
            let run: Moves = std::iter::repeat_n(slide, n_slides).collect();
            moves.push((run, after.clone()));
        }
        moves
    })
}
