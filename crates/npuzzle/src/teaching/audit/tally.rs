//! The counts of an audit, and its first and worst counter-examples.

use std::cmp::Ordering;

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Arrangement, Cell, Dims};

use super::{Audit, AuditScope, Auditor, Inconsistency, Overestimate};

/// A board whose estimate exceeds its distance.
#[derive(Clone, Debug)]
struct Overestimated<S> {
    state: S,
    estimate: f64,
    distance: Cost,
}

/// A slide that changes the estimate by more than 1.
#[derive(Clone, Debug)]
struct InconsistentSlide<S> {
    states: [S; 2],
    estimates: [f64; 2],
    distance: Cost,
}

/// The counts of an audit. Tallies of parts can be [merged](Tally::merge) in any order, with the same
/// result.
#[derive(Clone, Debug)]
pub(super) struct Tally<S> {
    pub(super) n_boards: u64,
    sum_estimates: f64,
    sum_distances: u64,
    n_exact: u64,
    n_overestimates: u64,
    nearest: Option<Overestimated<S>>,
    worst: Option<Overestimated<S>>,
    n_slides: u64,
    pub(super) n_inconsistencies: u64,
    inconsistency: Option<InconsistentSlide<S>>,
}

impl<S> Default for Tally<S> {
    fn default() -> Self {
        Tally {
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
}

impl<S: Arrangement> Tally<S> {
    /// Counts a board.
    #[inline]
    pub(super) fn add_board(&mut self, state: &S, estimate: f64, distance: Cost) {
        self.n_boards += 1;
        self.sum_estimates += estimate;
        self.sum_distances += u64::from(distance);
        let exact = f64::from(distance);
        self.n_exact += u64::from(estimate == exact);
        if estimate > exact {
            self.n_overestimates += 1;
            self.keep_overestimate(Overestimated { state: state.clone(), estimate, distance });
        }
    }

    /// Counts a slide from a board at this distance.
    #[inline]
    pub(super) fn add_slide(&mut self, states: [&S; 2], estimates: [f64; 2], distance: Cost) {
        self.n_slides += 1;
        if (estimates[0] - estimates[1]).abs() > 1.0 {
            self.n_inconsistencies += 1;
            self.keep_inconsistency(InconsistentSlide {
                states: states.map(S::clone),
                estimates,
                distance,
            });
        }
    }

    fn keep_overestimate(&mut self, new: Overestimated<S>) {
        let order = |old: &Overestimated<S>| {
            new.distance.cmp(&old.distance).then_with(|| compare_tiles(&new.state, &old.state))
        };
        let is_nearer = self.nearest.as_ref().is_none_or(|old| order(old).is_lt());
        let is_worse = self.worst.as_ref().is_none_or(|old| {
            old.excess().total_cmp(&new.excess()).then_with(|| order(old)).is_lt()
        });
        if is_nearer {
            self.nearest = Some(new.clone());
        }
        if is_worse {
            self.worst = Some(new);
        }
    }

    fn keep_inconsistency(&mut self, new: InconsistentSlide<S>) {
        let order = |old: &InconsistentSlide<S>| {
            let from = || compare_tiles(&new.states[0], &old.states[0]);
            let to = || compare_tiles(&new.states[1], &old.states[1]);
            new.distance.cmp(&old.distance).then_with(from).then_with(to)
        };
        if self.inconsistency.as_ref().is_none_or(|old| order(old).is_lt()) {
            self.inconsistency = Some(new);
        }
    }

    /// Adds the counts of another tally, and keeps the first and the worst of both.
    pub(super) fn merge(&mut self, other: Tally<S>) {
        self.n_boards += other.n_boards;
        self.sum_estimates += other.sum_estimates;
        self.sum_distances += other.sum_distances;
        self.n_exact += other.n_exact;
        self.n_overestimates += other.n_overestimates;
        self.n_slides += other.n_slides;
        self.n_inconsistencies += other.n_inconsistencies;
        other.nearest.into_iter().chain(other.worst).for_each(|over| self.keep_overestimate(over));
        other.inconsistency.into_iter().for_each(|slide| self.keep_inconsistency(slide));
    }

    /// Replaces the first inconsistency by that of another tally.
    pub(super) fn replace_inconsistency(&mut self, other: Tally<S>) {
        self.inconsistency = other.inconsistency;
    }

    pub(super) fn into_audit(
        self,
        auditor: &Auditor,
        scope: AuditScope,
        stopped: Option<Limit>,
    ) -> Audit {
        let dims = auditor.goal.dims();
        let mean = |sum: f64| if self.n_boards == 0 { 0.0 } else { sum / self.n_boards as f64 };
        let knows_distances = scope != AuditScope::RandomWalks;
        Audit {
            scope,
            n_boards: self.n_boards,
            n_overestimates: self.n_overestimates,
            first_overestimate: self.nearest.map(|over| over.into_public(dims)),
            worst_overestimate: self.worst.map(|over| over.into_public(dims)),
            n_slides: self.n_slides,
            n_inconsistencies: self.n_inconsistencies,
            first_inconsistency: self
                .inconsistency
                .map(|inconsistency| inconsistency.into_public(dims)),
            mean_estimate: mean(self.sum_estimates),
            mean_distance: knows_distances.then(|| mean(self.sum_distances as f64)),
            share_exact: knows_distances.then(|| mean(self.n_exact as f64)),
            stopped,
        }
    }
}

impl<S: Arrangement> Overestimated<S> {
    fn excess(&self) -> f64 {
        self.estimate - f64::from(self.distance)
    }

    fn into_public(self, dims: Dims) -> Overestimate {
        let Overestimated { state, estimate, distance } = self;
        Overestimate { board: state.to_board(dims), estimate, distance }
    }
}

impl<S: Arrangement> InconsistentSlide<S> {
    fn into_public(self, dims: Dims) -> Inconsistency {
        let InconsistentSlide { states: [from, to], estimates, distance } = self;
        Inconsistency { from: from.to_board(dims), to: to.to_board(dims), estimates, distance }
    }
}

/// Compares the tiles of two boards of the same size lexicographically, cell by cell.
fn compare_tiles<S: Arrangement>(one: &S, other: &S) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    // The boards differ, so the search ends within the board.
    let cells = (0..).map(Cell::new);
    let mut orders = cells.map(|cell| one.tile(cell).number().cmp(&other.tile(cell).number()));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
