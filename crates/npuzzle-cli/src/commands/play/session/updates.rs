//! How a session handles the updates of searches.

use std::time::Duration;

use npuzzle::{Answer, Report};

use super::{Hint, Request, Session};
use crate::commands::play::solution_path::SolutionPath;
use crate::commands::play::task_thread::Update;

impl Session {
    pub(crate) fn receive(&mut self, update: Update, now: Duration) {
        match update {
            Update::Progress(current) => match &mut self.request {
                Request::Solution(progress) | Request::Board { progress, .. } => {
                    *progress = current
                }
                Request::None | Request::Hint => {}
            },
            Update::Analyzed(board, analysis) => {
                self.losses.add(&board, &analysis);
                self.show_best_hint();
            }
            Update::Solved(report) => match std::mem::replace(&mut self.request, Request::None) {
                Request::Hint => self.receive_hint(&report),
                Request::Solution(_) => self.receive_solution(&report, now),
                other @ (Request::None | Request::Board { .. }) => self.request = other,
            },
            Update::Generated(instance) => self.load(instance),
            Update::Failed(reason) => {
                self.request = Request::None;
                self.hint = Hint::None;
                self.show(reason);
            }
        }
    }

    fn receive_hint(&mut self, report: &Report) {
        match report.moves() {
            Some(moves) => {
                self.path = Some(SolutionPath::new(report.instance.start(), moves.slides()));
                self.show_path_hint();
            }
            None => self.show("No hint was found in time.".to_owned()),
        }
    }

    fn receive_solution(&mut self, report: &Report, now: Duration) {
        let Some(moves) = report.moves() else {
            return self.show(match report.answer {
                Answer::Stopped(limit) => format!("Not solved: the limit of {limit} was reached."),
                _ => report.instance.solvability().to_string(),
            });
        };
        if report.is_optimal() {
            self.losses.add_solution(report.instance.start(), moves);
        }
        let proof = match report.lower_bound {
            _ if report.is_optimal() => "shortest".to_owned(),
            Some(bound) => format!("a shortest has at least {bound}"),
            None => "not proved shortest".to_owned(),
        };
        self.game.set_remaining(moves.slides(), now);
        self.show(format!("Solution: {} STM / {} MTM, {proof}.", moves.stm(), moves.mtm()));
        self.playback.start(now);
    }
}
