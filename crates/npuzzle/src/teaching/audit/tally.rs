//! What is counted while boards go by, and the first and the worst of what is wrong.

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Arrangement, Cell, Dims};

use super::{Audit, Auditor, Inconsistency, Overestimate, Scope};

/// An estimate that is too large.
#[derive(Clone, Debug)]
struct Over<S> {
    state: S,
    estimate: f64,
    distance: Cost,
}

/// A slide along which an estimate changes by more than 1.
#[derive(Clone, Debug)]
struct Leap<S> {
    states: [S; 2],
    estimates: [f64; 2],
    distance: Cost,
}

/// Counts, which can be added up in any order to the same result.
#[derive(Clone, Debug)]
pub(super) struct Tally<S> {
    pub(super) n_boards: u64,
    sum_estimates: f64,
    sum_distances: u64,
    n_exact: u64,
    n_over: u64,
    least: Option<Over<S>>,
    worst: Option<Over<S>>,
    n_slides: u64,
    pub(super) n_leaps: u64,
    leap: Option<Leap<S>>,
}

impl<S> Default for Tally<S> {
    fn default() -> Self {
        Tally {
            n_boards: 0,
            sum_estimates: 0.0,
            sum_distances: 0,
            n_exact: 0,
            n_over: 0,
            least: None,
            worst: None,
            n_slides: 0,
            n_leaps: 0,
            leap: None,
        }
    }
}

impl<S: Arrangement> Tally<S> {
    /// Counts a board.
    #[inline]
    pub(super) fn see(&mut self, state: &S, estimate: f64, distance: Cost) {
        self.n_boards += 1;
        self.sum_estimates += estimate;
        self.sum_distances += u64::from(distance);
        let exact = f64::from(distance);
        self.n_exact += u64::from(estimate == exact);
        if estimate > exact {
            self.n_over += 1;
            self.keep_over(Over { state: state.clone(), estimate, distance });
        }
    }

    /// Counts a slide from a board with this distance.
    #[inline]
    pub(super) fn see_slide(&mut self, states: [&S; 2], estimates: [f64; 2], distance: Cost) {
        self.n_slides += 1;
        if (estimates[0] - estimates[1]).abs() > 1.0 {
            self.n_leaps += 1;
            self.keep_leap(Leap { states: states.map(S::clone), estimates, distance });
        }
    }

    fn keep_over(&mut self, over: Over<S>) {
        let is_nearer = self.least.as_ref().is_none_or(|least| {
            over.distance < least.distance
                || over.distance == least.distance && comes_first(&over.state, &least.state)
        });
        let excess = |over: &Over<S>| over.estimate - f64::from(over.distance);
        let is_worse = self.worst.as_ref().is_none_or(|worst| {
            let (new, old) = (excess(&over), excess(worst));
            new > old
                || new == old
                    && (over.distance < worst.distance
                        || over.distance == worst.distance
                            && comes_first(&over.state, &worst.state))
        });
        if is_nearer {
            self.least = Some(over.clone());
        }
        if is_worse {
            self.worst = Some(over);
        }
    }

    fn keep_leap(&mut self, leap: Leap<S>) {
        let is_first = self.leap.as_ref().is_none_or(|known| {
            let [from, to] = &leap.states;
            let [known_from, known_to] = &known.states;
            leap.distance < known.distance
                || leap.distance == known.distance
                    && (comes_first(from, known_from)
                        || from == known_from && comes_first(to, known_to))
        });
        if is_first {
            self.leap = Some(leap);
        }
    }

    /// Puts what another has counted to this.
    pub(super) fn add(&mut self, other: Tally<S>) {
        self.n_boards += other.n_boards;
        self.sum_estimates += other.sum_estimates;
        self.sum_distances += other.sum_distances;
        self.n_exact += other.n_exact;
        self.n_over += other.n_over;
        self.n_slides += other.n_slides;
        self.n_leaps += other.n_leaps;
        other.least.into_iter().chain(other.worst).for_each(|over| self.keep_over(over));
        other.leap.into_iter().for_each(|leap| self.keep_leap(leap));
    }

    /// Takes the first leap of another, whatever has been counted here.
    pub(super) fn take_leap(&mut self, other: Tally<S>) {
        self.leap = other.leap;
    }

    pub(super) fn into_audit(
        self,
        auditor: &Auditor,
        scope: Scope,
        stopped: Option<Limit>,
    ) -> Audit {
        let dims = auditor.goal.dims();
        let mean = |sum: f64| if self.n_boards == 0 { 0.0 } else { sum / self.n_boards as f64 };
        let knows_distances = scope != Scope::Walks;
        Audit {
            scope,
            n_boards: self.n_boards,
            n_overestimates: self.n_over,
            overestimate: self.least.map(|over| over.shown(dims)),
            worst: self.worst.map(|over| over.shown(dims)),
            n_slides: self.n_slides,
            n_jumps: self.n_leaps,
            jump: self.leap.map(|leap| leap.shown(dims)),
            mean_estimate: mean(self.sum_estimates),
            mean_distance: knows_distances.then(|| mean(self.sum_distances as f64)),
            share_exact: knows_distances.then(|| mean(self.n_exact as f64)),
            stopped,
        }
    }
}

impl<S: Arrangement> Over<S> {
    fn shown(self, dims: Dims) -> Overestimate {
        let Over { state, estimate, distance } = self;
        Overestimate { board: state.to_board(dims), estimate, distance }
    }
}

impl<S: Arrangement> Leap<S> {
    fn shown(self, dims: Dims) -> Inconsistency {
        let Leap { states: [from, to], estimates, distance } = self;
        Inconsistency { from: from.to_board(dims), to: to.to_board(dims), estimates, distance }
    }
}

/// Whether the tiles of one board come before those of another of the same size, cell by cell.
fn comes_first<S: Arrangement>(one: &S, other: &S) -> bool {
    if one == other {
        return false;
    }
    // They differ somewhere.
    let cells = (0..).map(Cell::new);
    let mut differences = cells.map(|cell| one.tile(cell).number().cmp(&other.tile(cell).number()));
    differences.find(|order| order.is_ne()).is_some_and(|order| order.is_lt())
}
