//! Tables of searches that ran side by side, put together.

use std::sync::Arc;

use npuzzle_tables::PdbSet;

use super::{Tables, keep};
use crate::tables::full::FullTable;

impl Tables {
    /// Takes over what others have and these have not, so that tables built side by side serve all.
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
    pub fn merge(&mut self, others: Tables) {
        let (max, max_large) = (Tables::MAX, Tables::MAX_LARGE);
        let is_same =
            |a: &FullTable, b: &FullTable| (a.goal(), a.metric()) == (b.goal(), b.metric());
        add_new(&mut self.full, max, others.full, is_same);
        let is_same =
            |a: &Arc<PdbSet>, b: &Arc<PdbSet>| (a.dims(), a.blank()) == (b.dims(), b.blank());
        add_new(&mut self.small, max, others.small, is_same);
        add_new(&mut self.large, max_large, others.large, is_same);
        // Those of one goal are kept, the latest.
        if !others.runs.is_empty() {
            self.runs = others.runs;
        }
        // What both counted before they parted would count twice, if this were a sum.
        for (space, n) in others.n_searched {
            match self.n_searched.iter_mut().find(|(known, _)| *known == space) {
                Some((_, known)) => *known = n.max(*known),
                None => keep(&mut self.n_searched, max, (space, n)),
            }
        }
        for (boards, time) in others.spent {
            match self.spent.iter_mut().find(|(known, _)| *known == boards) {
                Some((_, spent)) => *spent = time.max(*spent),
                None => keep(&mut self.spent, max, (boards, time)),
            }
        }
        // The latest word: what was damaged may have been built anew.
        self.warnings = self.take_warnings();
        self.warnings.extend(others.warnings);
        self.damaged = others.damaged;
    }
}

/// Adds what is not in a list yet.
fn add_new<T>(list: &mut Vec<T>, most: usize, items: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
    for item in items {
        if !list.iter().any(|known| is_same(known, &item)) {
            keep(list, most, item);
        }
    }
}
