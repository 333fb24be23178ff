//! The counts of an audit, and its first and worst counter-examples.

use std::cmp::Ordering;

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Arrangement, Board, Cell, Dims};

use super::{Audit, AuditScope, Inconsistency, Overestimate};

/// The counts of an audit. Tallies of parts can be [merged](Tally::merge) in any order, with the same
/// result.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    dims: Dims,
    pub(super) n_boards: u64,
    sum_estimates: f64,
    sum_distances: u64,
    n_exact: u64,
    n_overestimates: u64,
    nearest: Option<Overestimate>,
    worst: Option<Overestimate>,
    n_slides: u64,
    pub(super) n_inconsistencies: u64,
    inconsistency: Option<Inconsistency>,
}

impl Tally {
    /// An empty tally for boards of a size.
    pub(super) fn new(dims: Dims) -> Tally {
        Tally {
            dims,
            n_boards: 0,
            sum_estimates: 0.0,
            sum_distances: 0,
            n_exact: 0,
            n_overestimates: 0,
            nearest: None,
            worst: None,
            n_slides: 0,
            n_inconsistencies: 0,
            inconsistency: None,
        }
    }

    /// Counts a board.
    #[inline]
    pub(super) fn add_board(&mut self, state: &impl Arrangement, estimate: f64, distance: Cost) {
        self.n_boards += 1;
        self.sum_estimates += estimate;
        self.sum_distances += u64::from(distance);
        let exact = f64::from(distance);
        self.n_exact += u64::from(estimate == exact);
        if estimate > exact {
            self.n_overestimates += 1;
            self.keep_overestimate(state, estimate, distance);
        }
    }

    /// Counts a slide from a board at this distance.
    #[inline]
    pub(super) fn add_slide<S: Arrangement>(
        &mut self,
        states: [&S; 2],
        estimates: [f64; 2],
        distance: Cost,
    ) {
        self.n_slides += 1;
        if (estimates[0] - estimates[1]).abs() > 1.0 {
            self.n_inconsistencies += 1;
            self.keep_inconsistency(states, estimates, distance);
        }
    }

    fn keep_overestimate(&mut self, state: &impl Arrangement, estimate: f64, distance: Cost) {
        let order = |old: &Overestimate| {
            distance.cmp(&old.distance).then_with(|| compare_tiles(state, &old.board))
        };
        let excess = |estimate: f64, distance: Cost| estimate - f64::from(distance);
        let is_nearer = self.nearest.as_ref().is_none_or(|old| order(old).is_lt());
        let is_worse = self.worst.as_ref().is_none_or(|old| {
            let by_excess =
                excess(old.estimate, old.distance).total_cmp(&excess(estimate, distance));
            by_excess.then_with(|| order(old)).is_lt()
        });
        let new = || Overestimate { board: state.to_board(self.dims), estimate, distance };
        if is_nearer {
            self.nearest = Some(new());
        }
        if is_worse {
            self.worst = Some(new());
        }
    }

    fn keep_inconsistency<S: Arrangement>(
        &mut self,
        [from, to]: [&S; 2],
        estimates: [f64; 2],
        distance: Cost,
    ) {
        let order = |old: &Inconsistency| {
            let by_from = || compare_tiles(from, &old.from);
            let by_to = || compare_tiles(to, &old.to);
            distance.cmp(&old.distance).then_with(by_from).then_with(by_to)
        };
        if self.inconsistency.as_ref().is_none_or(|old| order(old).is_lt()) {
            let [from, to] = [from, to].map(|state| state.to_board(self.dims));
            self.inconsistency = Some(Inconsistency { from, to, estimates, distance });
        }
    }

    /// Adds the counts of another tally, and keeps the first and the worst of both.
    pub(super) fn merge(&mut self, other: Tally) {
        self.n_boards += other.n_boards;
        self.sum_estimates += other.sum_estimates;
        self.sum_distances += other.sum_distances;
        self.n_exact += other.n_exact;
        self.n_overestimates += other.n_overestimates;
        self.n_slides += other.n_slides;
        self.n_inconsistencies += other.n_inconsistencies;
        for Overestimate { board, estimate, distance } in other.nearest.iter().chain(&other.worst) {
            self.keep_overestimate(board, *estimate, *distance);
        }
        if let Some(Inconsistency { from, to, estimates, distance }) = &other.inconsistency {
            self.keep_inconsistency([from, to], *estimates, *distance);
        }
    }

    /// Replaces the first inconsistency by that of another tally.
    pub(super) fn replace_inconsistency(&mut self, other: Tally) {
        self.inconsistency = other.inconsistency;
    }

    pub(super) fn into_audit(self, scope: AuditScope, stopped: Option<Limit>) -> Audit {
        let mean = |sum: f64| if self.n_boards == 0 { 0.0 } else { sum / self.n_boards as f64 };
        let knows_distances = scope != AuditScope::RandomWalks;
        Audit {
            scope,
            n_boards: self.n_boards,
            n_overestimates: self.n_overestimates,
            mean_estimate: mean(self.sum_estimates),
            mean_distance: knows_distances.then(|| mean(self.sum_distances as f64)),
            share_exact: knows_distances.then(|| mean(self.n_exact as f64)),
            first_overestimate: self.nearest,
            worst_overestimate: self.worst,
            n_slides: self.n_slides,
            n_inconsistencies: self.n_inconsistencies,
            first_inconsistency: self.inconsistency,
            stopped,
        }
    }
}

/// Compares the tiles of two boards of the same size lexicographically, cell by cell.
fn compare_tiles(state: &impl Arrangement, board: &Board) -> Ordering {
    let cells = (0..).map(Cell::new);
    let tiles = cells.zip(board.tiles()).map(|(cell, tile)| (state.tile(cell), tile));
    let mut orders = tiles.map(|(one, other)| one.number().cmp(&other.number()));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
