//! What a session says, in words.

use std::time::Duration;

use npuzzle::search::Cost;

use super::{Asking, Hint, Said, Session};
use crate::commands::play::engine::Progress;

impl Session {
    /// What there is to say.
    pub(crate) fn message(&self, now: Duration) -> String {
        match (&self.asking, &self.said) {
            (Asking::Solution(progress), _) => searching("Solving", *progress),
            (Asking::Board { progress, .. }, _) => searching("Making a board", *progress),
            (Asking::Hint, _) => searching("Looking for a hint", Progress::default()),
            (Asking::Nothing, _) if self.hint == Hint::Wanted => {
                searching("Looking for a hint", Progress::default())
            }
            (Asking::Nothing, Said::Words(words)) => words.clone(),
            (Asking::Nothing, Said::Won) => self.praise(now),
            (Asking::Nothing, Said::Nothing) if self.playback.is_running() => {
                let (at, length) = (self.game.at(), self.game.line().len());
                format!("Move {at} of {length} at speed {}.", self.playback.speed())
            }
            (Asking::Nothing, Said::Nothing) => String::new(),
        }
    }

    fn praise(&self, now: Duration) -> String {
        let (stm, mtm) = (self.game.stm(), self.game.mtm());
        let time = self.game.clock().reading(now);
        let made = self.game.n_moves(self.ledger.metric()) as Cost;
        let verdict = match self.ledger.distance(self.game.instance().start()) {
            Some(least) if made <= least => ": as short as can be".to_owned(),
            Some(least) => format!("; a shortest solution has {least}"),
            None => String::new(),
        };
        format!("Solved in {stm} STM / {mtm} MTM, {time}{verdict}.")
    }
}

fn searching(what: &str, progress: Progress) -> String {
    let mut words = format!("{what} …");
    if let Some(built) = progress.built {
        words += &format!(" building tables: {built} %");
    }
    if let Some(best) = progress.best {
        words += &format!(" best so far {best} moves");
    }
    if let Some(bound) = progress.bound {
        words += &format!(" more than {bound} moves");
    }
    if progress.expanded > 0 {
        words += &format!(", {:.1} M states", progress.expanded as f64 / 1e6);
    }
    words + " (Esc cancels)"
}
