//! The message line of a session.

use std::time::Duration;

use npuzzle::search::Cost;

use super::{Hint, Notice, Request, Session};
use crate::commands::play::task_thread::TaskProgress;
use crate::io::units::counted;

impl Session {
    pub(crate) fn message(&self, now: Duration) -> String {
        match (&self.request, &self.message) {
            (Request::Solution(progress), _) => searching("Solving", *progress),
            (Request::Board { progress, .. }, _) => searching("Generating a board", *progress),
            (Request::Hint, _) => searching("Looking for a hint", TaskProgress::default()),
            (Request::None, _) if self.hint == Hint::Requested => {
                searching("Looking for a hint", TaskProgress::default())
            }
            (Request::None, Notice::Text(text)) => text.clone(),
            (Request::None, Notice::Solved) => self.solved_message(now),
            (Request::None, Notice::None) if self.playback.is_running() => {
                let (position, n) = (self.game.position(), self.game.moves().len());
                format!("Move {position} of {n} at speed {}.", self.playback.speed())
            }
            (Request::None, Notice::None) => String::new(),
        }
    }

    fn solved_message(&self, now: Duration) -> String {
        let (stm, mtm) = (self.game.stm(), self.game.mtm());
        let time = self.game.clock().reading(now);
        let n_made = self.game.n_moves(self.losses.metric()) as Cost;
        let verdict = match self.losses.distance(self.game.instance().start()) {
            Some(shortest) if n_made <= shortest => "; a shortest solution".to_owned(),
            Some(shortest) => format!("; a shortest solution has {shortest}"),
            None => String::new(),
        };
        format!("Solved in {stm} STM / {mtm} MTM, {time}{verdict}.")
    }
}

fn searching(what: &str, progress: TaskProgress) -> String {
    let mut parts = Vec::new();
    if let Some(percent) = progress.built {
        parts.push(format!("building tables: {percent} %"));
    }
    if let Some(length) = progress.incumbent {
        parts.push(format!("best so far {}", counted(u64::from(length), "move")));
    }
    if let Some(bound) = progress.bound {
        parts.push(format!("more than {}", counted(u64::from(bound), "move")));
    }
    if progress.expanded > 0 {
        parts.push(format!("{:.1} M states", progress.expanded as f64 / 1e6));
    }
    let parts = parts.join(", ");
    let space = if parts.is_empty() { "" } else { " " };
    format!("{what} …{space}{parts} (Esc cancels)")
}
