//! Merging the tables of searches that ran concurrently.

use std::sync::Arc;

use npuzzle_tables::{PdbSet, ZeroAwareSet};

use super::{Tables, push_bounded};
use crate::tables::full::FullTable;

impl Tables {
    /// Adds the tables that the other cache has and this one lacks, so that tables built concurrently serve both.
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let (mut tables, mut others) = (Tables::new(), Tables::new());
    /// for (board, tables) in [("1 2/3 4/5 6/7 8/0 9", &mut tables), ("1 2 3 4/5 6 0 7", &mut others)] {
    ///     Options::default().solve_with(&board.parse()?, tables, &mut ())?;
    /// }
    /// let n_tables = tables.len() + others.len();
    /// tables.merge(others.clone());
    /// tables.merge(others);
    /// assert_eq!(tables.len(), n_tables);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: Tables) {
        let max = Tables::MAX;
        let is_same =
            |a: &FullTable, b: &FullTable| (a.goal(), a.metric()) == (b.goal(), b.metric());
        add_new(&mut self.full, max, other.full, is_same);
        let is_same = |a: &Arc<PdbSet>, b: &Arc<PdbSet>| a.partition() == b.partition();
        add_new(&mut self.small, max, other.small, is_same);
        let is_same = |a: &Arc<ZeroAwareSet>, b: &Arc<ZeroAwareSet>| a.partition() == b.partition();
        add_new(&mut self.small_zero_aware, max, other.small_zero_aware, is_same);
        other.stored.into_iter().for_each(|tier| self.keep_tier(tier));
        // Those of one goal are kept, the latest.
        if !other.mtm.is_empty() {
            self.mtm = other.mtm;
        }
        // The maximum, not the sum: both counters include the searches before the cache was cloned.
        for (space, n) in other.n_searched {
            match self.n_searched.iter_mut().find(|(known, _)| *known == space) {
                Some((_, known)) => *known = n.max(*known),
                None => push_bounded(&mut self.n_searched, max, (space, n)),
            }
        }
        for (kind, time) in other.time_without_best {
            match self.time_without_best.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, sum)) => *sum = time.max(*sum),
                None => push_bounded(&mut self.time_without_best, max, (kind, time)),
            }
        }
        // The other cache is newer: it may have rebuilt a damaged table.
        self.warnings = self.take_warnings();
        self.warnings.extend(other.warnings);
        self.damaged = other.damaged;
    }
}

/// Adds the items that a list lacks.
fn add_new<T>(list: &mut Vec<T>, max_len: usize, items: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
    for item in items {
        if !list.iter().any(|known| is_same(known, &item)) {
            push_bounded(list, max_len, item);
        }
    }
}
