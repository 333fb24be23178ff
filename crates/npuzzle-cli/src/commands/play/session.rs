//! The state of play: the game, known distances, hints, playback, new puzzles and the message line.
//!
//! It uses neither the terminal nor threads. It receives actions, updates of searches and the time, and it
//! requests searches. The view reads it.

mod message;
#[cfg(test)]
mod tests;
mod updates;

use std::time::Duration;

use npuzzle::search::Cost;
use npuzzle::{Dims, Goal, Instance, Metric, Random, Slide};

use super::game::Game;
use super::keys::{Action, Controls};
use super::move_losses::{BestMove, MoveLosses};
use super::playback::Playback;
use super::prompt::NewPuzzle;
use super::solution_path::SolutionPath;
use super::task_thread::{Task, TaskProgress};
use crate::args::Arrows;

#[derive(Debug)]
pub(crate) struct Session {
    game: Game,
    losses: MoveLosses,
    playback: Playback,
    controls: Controls,
    new_boards: BoardSpec,
    request: Request,
    overlay: Overlay,
    /// Whether all best moves are marked.
    shows_best: bool,
    hint: Hint,
    /// The solution of the last hint that required a search.
    path: Option<SolutionPath>,
    message: Notice,
}

/// How new boards are generated.
#[derive(Debug)]
pub(crate) struct BoardSpec {
    pub(crate) goal: Goal,
    /// The length of a shortest solution; `None` for random boards.
    pub(crate) moves: Option<Cost>,
    pub(crate) random: Random,
}

/// The search that the player is waiting for.
#[derive(Debug)]
enum Request {
    None,
    Solution(TaskProgress),
    Hint,
    Board { task: Task, progress: TaskProgress },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    None,
    /// Shown as soon as the best moves are known.
    Requested,
    Shown(BestMove),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Overlay {
    None,
    /// The list of keys from this line on.
    Help(usize),
    /// The input for a new puzzle.
    Prompt(String),
}

/// Short enough for a narrow terminal.
const UNSOLVABLE: &str = "Unsolvable: the parities of tiles and blank differ.";

#[derive(Clone, PartialEq, Eq, Debug)]
enum Notice {
    None,
    Text(String),
    /// The player has solved the puzzle.
    Solved,
}

/// Whether the game continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Continue,
    Quit,
    Interrupt,
}

impl Session {
    pub(crate) fn new(
        instance: Instance,
        metric: Metric,
        controls: Controls,
        new_boards: BoardSpec,
    ) -> Session {
        let mut session = Session {
            game: Game::new(instance),
            losses: MoveLosses::new(metric),
            playback: Playback::new(),
            controls,
            new_boards,
            request: Request::None,
            overlay: Overlay::None,
            shows_best: false,
            hint: Hint::None,
            path: None,
            message: Notice::None,
        };
        session.report_unsolvable();
        session
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn losses(&self) -> &MoveLosses {
        &self.losses
    }

    pub(crate) fn controls(&self) -> Controls {
        self.controls
    }

    pub(crate) fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.new_boards.goal
    }

    /// The moves that are marked on the board.
    pub(crate) fn marks(&self) -> Vec<BestMove> {
        match self.hint {
            Hint::Shown(best) => vec![best],
            _ if self.shows_best => {
                self.losses.best(self.game.board()).unwrap_or_default().to_vec()
            }
            _ => vec![],
        }
    }

    /// The search that is requested now.
    pub(crate) fn requested(&self) -> Option<Task> {
        match &self.request {
            Request::Solution(_) => Some(Task::Solve(self.game.remaining())),
            Request::Hint => Some(Task::Hint(self.game.remaining())),
            Request::Board { task, .. } => Some(task.clone()),
            Request::None => self.unknown().map(Task::Analyze),
        }
    }

    /// The next board to analyze: the current one, then earlier ones that were skipped. During playback,
    /// none.
    fn unknown(&self) -> Option<Instance> {
        let is_followed = MoveLosses::follows(&self.game) && self.game.instance().is_solvable();
        if !is_followed || self.playback.is_running() {
            return None;
        }
        if self.losses.best(self.game.board()).is_none() {
            return Some(self.game.remaining());
        }
        let goal = Goal::Board(self.game.instance().goal().clone());
        Instance::new(self.losses.unknown(&self.game)?, &goal).ok()
    }

    /// The time until the next move of the playback; `None` if it is paused.
    pub(crate) fn wait(&self, now: Duration) -> Option<Duration> {
        self.playback.wait(now)
    }

    /// Makes the moves of the playback that are due.
    pub(crate) fn tick(&mut self, now: Duration) {
        let n_moves = self.playback.take_due(now);
        if n_moves == 0 {
            return;
        }
        self.seek(self.game.position() + n_moves);
        if self.game.position() == self.game.moves().len() {
            self.playback.stop();
            let n = self.game.moves().len();
            let end = if self.game.is_solved() { "solved" } else { "the last move" };
            self.show(format!("Move {n} of {n}: {end}."));
        }
    }

    pub(crate) fn act(&mut self, action: Action, now: Duration) -> Next {
        match action {
            Action::Slide(slide) => self.play(vec![slide], now),
            Action::SlideAll(slide) => {
                let dims = self.game.board().dims();
                self.play(vec![slide; dims.rows().max(dims.cols())], now);
            }
            Action::SlideTo(cell) => self.play(self.game.slides_to(cell), now),
            Action::Undo => self.go_to(self.game.position().saturating_sub(1)),
            Action::Redo => self.go_to(self.game.position() + 1),
            Action::First => self.go_to(0),
            Action::Last => self.go_to(usize::MAX),
            Action::PlayPause => self.play_pause(now),
            Action::Faster => self.change_speed(Playback::faster),
            Action::Slower => self.change_speed(Playback::slower),
            Action::Hint => self.request_hint(),
            Action::ToggleMarks => self.toggle_marks(),
            Action::Solve => self.request_solution(),
            Action::NewPuzzle => self.new_puzzle(self.game.board().dims()),
            Action::OpenPrompt => self.overlay = Overlay::Prompt(String::new()),
            Action::SwitchArrows => self.switch_arrows(),
            Action::SwitchLetters => self.switch_letters(),
            Action::Help(top) => self.overlay = Overlay::Help(top),
            Action::Escape => self.escape(),
            Action::Type(letter) => self.edit(|text| text.push(letter)),
            Action::Paste(text) => self.paste(&text),
            Action::Erase => self.edit(|text| {
                text.pop();
            }),
            Action::Enter => self.enter(),
            Action::Quit => return Next::Quit,
            Action::Interrupt => return Next::Interrupt,
        }
        Next::Continue
    }

    fn play(&mut self, slides: Vec<Slide>, now: Duration) {
        let was_solved = self.game.is_solved();
        if !self.game.play(slides, now) {
            return;
        }
        self.playback.stop();
        self.moved();
        if self.game.is_solved() && !was_solved {
            self.message = Notice::Solved;
        }
    }

    /// Pauses the playback, and goes to a position.
    fn go_to(&mut self, position: usize) {
        self.playback.stop();
        self.seek(position);
    }

    fn seek(&mut self, position: usize) {
        if self.game.seek(position) {
            self.moved();
        }
    }

    /// Discards hints, messages and requests for the previous board.
    fn moved(&mut self) {
        self.hint = Hint::None;
        self.message = Notice::None;
        if matches!(self.request, Request::Solution(_) | Request::Hint) {
            self.request = Request::None;
        }
    }

    fn play_pause(&mut self, now: Duration) {
        if self.playback.is_running() {
            return self.playback.stop();
        }
        if self.game.moves().is_empty() {
            let key = self.controls.letters.key_of('s');
            return self.show(format!("No moves to play yet: {key} solves."));
        }
        if self.game.position() == self.game.moves().len() {
            self.seek(0);
        }
        self.playback.start(now);
    }

    fn change_speed(&mut self, change: fn(&mut Playback)) {
        change(&mut self.playback);
        self.show(format!("Speed {}.", self.playback.speed()));
    }

    /// Shows why there is nothing to search for, if so.
    fn is_answered(&mut self) -> bool {
        let answer = if self.game.is_solved() {
            "The board is solved.".to_owned()
        } else if !self.game.instance().is_solvable() {
            UNSOLVABLE.to_owned()
        } else {
            return false;
        };
        self.show(answer);
        true
    }

    fn request_hint(&mut self) {
        self.playback.stop();
        if self.is_answered() {
            return;
        }
        if MoveLosses::follows(&self.game) {
            self.hint = Hint::Requested;
            self.show_best_hint();
        } else {
            self.show_path_hint();
        }
    }

    /// Shows the next move of the known solution, or requests a solution.
    fn show_path_hint(&mut self) {
        let board = self.game.board();
        match self.path.as_mut().and_then(|path| path.next(board)) {
            Some(slide) => self.show_hint(BestMove { slide, count: 1 }),
            None => self.request = Request::Hint,
        }
    }

    /// Shows the requested hint if the best moves are known by now.
    fn show_best_hint(&mut self) {
        if self.hint != Hint::Requested {
            return;
        }
        match self.losses.best(self.game.board()) {
            None => {}
            // The analysis timed out: any solution gives a hint.
            Some([]) => {
                self.hint = Hint::None;
                self.show_path_hint();
            }
            Some(&[best, ..]) => self.show_hint(best),
        }
    }

    fn show_hint(&mut self, best: BestMove) {
        let board = self.game.board();
        let Some(source) = board.dims().source(board.blank(), best.slide) else { return };
        let tile = board.tile(source);
        let direction = match best.slide {
            Slide::Up => "up",
            Slide::Down => "down",
            Slide::Left => "left",
            Slide::Right => "right",
        };
        let tiles = match best.count {
            0 | 1 => String::new(),
            n => format!(", {n} tiles at once"),
        };
        self.hint = Hint::Shown(best);
        self.show(format!("Hint: {tile} {direction}{tiles}."));
    }

    fn toggle_marks(&mut self) {
        self.shows_best = !self.shows_best;
        let is_covered = MoveLosses::covers(self.game.board());
        self.show(match (self.shows_best, is_covered) {
            (false, _) => "Best moves are no longer marked.".to_owned(),
            (true, true) => "Best moves are marked by arrows.".to_owned(),
            (true, false) => too_large(),
        });
    }

    fn request_solution(&mut self) {
        self.playback.stop();
        if !self.is_answered() {
            self.hint = Hint::None;
            self.request = Request::Solution(TaskProgress::default());
        }
    }

    fn new_puzzle(&mut self, dims: Dims) {
        self.playback.stop();
        let Some(goal) = self.new_boards.goal.board(dims) else {
            return self.show(format!("The goal is not a board of size {dims}."));
        };
        match self.new_boards.moves {
            None => {
                let instance = self.new_boards.random.instance(&goal, true);
                self.load(instance);
            }
            Some(moves) => {
                let task = Task::Generate { goal, moves, seed: self.new_boards.random.bits() };
                self.request = Request::Board { task, progress: TaskProgress::default() };
            }
        }
    }

    fn load(&mut self, instance: Instance) {
        if instance.goal() != self.game.instance().goal() {
            self.losses = MoveLosses::new(self.losses.metric());
        }
        self.game = Game::new(instance);
        self.path = None;
        self.playback.stop();
        self.request = Request::None;
        self.moved();
        self.report_unsolvable();
    }

    /// Shows immediately that a board is unsolvable.
    fn report_unsolvable(&mut self) {
        let instance = self.game.instance();
        if !instance.is_solvable() {
            self.show(UNSOLVABLE.to_owned());
        }
    }

    fn switch_arrows(&mut self) {
        self.controls.arrows = self.controls.arrows.other();
        let what = match self.controls.arrows {
            Arrows::Tile => "a tile",
            Arrows::Blank => "the blank",
        };
        self.show(format!("Arrows move {what}."));
    }

    fn switch_letters(&mut self) {
        self.controls.letters = self.controls.letters.next();
        self.show(match self.controls.letters.name() {
            "" => "Letters do not slide tiles.".to_owned(),
            name => format!("{name} slide tiles like arrows."),
        });
    }

    fn escape(&mut self) {
        if self.overlay != Overlay::None {
            self.overlay = Overlay::None;
            return;
        }
        self.playback.stop();
        self.hint = Hint::None;
        self.message = Notice::None;
        if !matches!(self.request, Request::None) {
            self.request = Request::None;
            self.show("Cancelled.".to_owned());
        }
    }

    /// Adds a pasted text to the prompt for a new puzzle; its lines are rows.
    fn paste(&mut self, pasted: &str) {
        if !matches!(self.overlay, Overlay::Prompt(_)) {
            self.overlay = Overlay::Prompt(String::new());
        }
        let rows: Vec<&str> = pasted.lines().map(str::trim).collect();
        self.edit(|text| text.push_str(rows.join("/").trim_matches('/')));
    }

    fn edit(&mut self, change: impl FnOnce(&mut String)) {
        if let Overlay::Prompt(text) = &mut self.overlay {
            change(text);
        }
    }

    fn enter(&mut self) {
        let Overlay::Prompt(text) = std::mem::replace(&mut self.overlay, Overlay::None) else {
            return;
        };
        if text.trim().is_empty() {
            return;
        }
        match NewPuzzle::parse(&text) {
            Err(message) => self.show(message),
            Ok(NewPuzzle::Generated(dims, moves)) => {
                self.new_boards.moves = moves;
                self.new_puzzle(dims);
            }
            Ok(NewPuzzle::Given(entry)) => {
                let goal = entry.goal.map_or_else(|| self.new_boards.goal.clone(), Goal::Board);
                match Instance::new(entry.board, &goal) {
                    Ok(instance) => {
                        self.new_boards.goal = goal;
                        self.load(instance);
                    }
                    Err(error) => self.show(error.to_string()),
                }
            }
        }
    }

    fn show(&mut self, text: String) {
        self.message = Notice::Text(text);
    }
}

fn too_large() -> String {
    format!("Best moves are known only up to {} cells.", MoveLosses::MAX_CELLS)
}
