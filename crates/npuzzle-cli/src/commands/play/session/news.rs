//! What a session makes of the news of searches.

use std::time::Duration;

use npuzzle::{Answer, Report};

use super::{Asking, Hint, Session};
use crate::commands::play::engine::News;
use crate::commands::play::solution_path::Way;

impl Session {
    /// A search has something to tell.
    pub(crate) fn hear(&mut self, news: News, now: Duration) {
        match news {
            News::Progress(now) => match &mut self.asking {
                Asking::Solution(progress) | Asking::Board { progress, .. } => *progress = now,
                Asking::Nothing | Asking::Hint => {}
            },
            News::Analysed(board, analysis) => {
                self.ledger.note(&board, &analysis);
                self.give_hint();
            }
            News::Solved(report) => match std::mem::replace(&mut self.asking, Asking::Nothing) {
                Asking::Hint => self.hear_hint(&report),
                Asking::Solution(_) => self.hear_solution(&report, now),
                other @ (Asking::Nothing | Asking::Board { .. }) => self.asking = other,
            },
            News::Generated(instance) => self.load(instance),
            News::Failed(why) => {
                self.asking = Asking::Nothing;
                self.hint = Hint::None;
                self.say(why);
            }
        }
    }

    fn hear_hint(&mut self, report: &Report) {
        match report.moves() {
            Some(moves) => {
                self.way = Some(Way::new(report.instance.start(), moves.slides()));
                self.hint_along_way();
            }
            None => self.say("No hint was found in time.".to_owned()),
        }
    }

    fn hear_solution(&mut self, report: &Report, now: Duration) {
        let Some(moves) = report.moves() else {
            return self.say(match report.answer {
                Answer::Stopped(limit) => format!("Not solved: the limit of {limit} was reached."),
                _ => report.instance.solvability().to_string(),
            });
        };
        if report.is_optimal() {
            self.ledger.note_solution(report.instance.start(), moves);
        }
        let proof = match report.lower_bound {
            _ if report.is_optimal() => "a shortest".to_owned(),
            Some(bound) => format!("a shortest has at least {bound}"),
            None => "not proved shortest".to_owned(),
        };
        self.game.set_ahead(moves.slides(), now);
        self.say(format!("Solution: {} STM / {} MTM, {proof}.", moves.stm(), moves.mtm()));
        self.playback.start(now);
    }
}
