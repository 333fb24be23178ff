//! The game with everything around it: the engine's knowledge, hints, playback, new puzzles, what is
//! said. It knows neither terminal nor thread: commands, news and the time come in, and it says which
//! search it wants and how things are.

mod news;
#[cfg(test)]
mod tests;
mod words;

use std::time::Duration;

use npuzzle::search::Cost;
use npuzzle::{Dims, Goal, Instance, Metric, Random, Slide};

use super::engine::{Progress, Task};
use super::game::Game;
use super::keys::{Command, Controls, Listener, Sense};
use super::move_losses::{Best, Ledger};
use super::playback::Playback;
use super::prompt::Asked;
use super::solution_path::Way;

#[derive(Debug)]
pub(crate) struct Session {
    game: Game,
    ledger: Ledger,
    playback: Playback,
    controls: Controls,
    maker: Maker,
    asking: Asking,
    overlay: Overlay,
    /// Whether all best moves are marked.
    shows_best: bool,
    hint: Hint,
    /// The way of the last hint, if a search was made for it.
    way: Option<Way>,
    said: Said,
}

/// How new boards are made.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) goal: Goal,
    /// Of a shortest solution; `None` for random boards.
    pub(crate) moves: Option<Cost>,
    pub(crate) random: Random,
}

/// The search that the player waits for.
#[derive(Debug)]
enum Asking {
    Nothing,
    Solution(Progress),
    Hint,
    Board { task: Task, progress: Progress },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    None,
    /// As soon as the best moves are known.
    Wanted,
    Given(Best),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Overlay {
    None,
    Help,
    /// What is typed for a new puzzle.
    Prompt(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    Nothing,
    Words(String),
    /// Solved by the player's own moves.
    Won,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    GoOn,
    Quit,
    Interrupt,
}

impl Session {
    pub(crate) fn new(
        instance: Instance,
        metric: Metric,
        controls: Controls,
        maker: Maker,
    ) -> Session {
        let mut session = Session {
            game: Game::new(instance),
            ledger: Ledger::new(metric),
            playback: Playback::new(),
            controls,
            maker,
            asking: Asking::Nothing,
            overlay: Overlay::None,
            shows_best: false,
            hint: Hint::None,
            way: None,
            said: Said::Nothing,
        };
        session.greet();
        session
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn controls(&self) -> Controls {
        self.controls
    }

    pub(crate) fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.maker.goal
    }

    pub(crate) fn listener(&self) -> Listener {
        match self.overlay {
            Overlay::None => Listener::Game,
            Overlay::Help => Listener::Help,
            Overlay::Prompt(_) => Listener::Prompt,
        }
    }

    /// The moves that are marked on the board.
    pub(crate) fn marks(&self) -> Vec<Best> {
        match self.hint {
            Hint::Given(best) => vec![best],
            _ if self.shows_best => {
                self.ledger.best(self.game.board()).unwrap_or_default().to_vec()
            }
            _ => vec![],
        }
    }

    /// The search that is wanted now.
    pub(crate) fn wanted(&self) -> Option<Task> {
        match &self.asking {
            Asking::Solution(_) => Some(Task::Solve(self.game.remaining())),
            Asking::Hint => Some(Task::Hint(self.game.remaining())),
            Asking::Board { task, .. } => Some(task.clone()),
            Asking::Nothing => self.unknown().map(Task::Analyse),
        }
    }

    /// The board that is to be looked at next: this one, then those that were passed in a hurry. While
    /// moves are made by themselves, nobody asks.
    fn unknown(&self) -> Option<Instance> {
        let is_followed = Ledger::follows(&self.game) && self.game.instance().is_solvable();
        if !is_followed || self.playback.is_running() {
            return None;
        }
        if self.ledger.best(self.game.board()).is_none() {
            return Some(self.game.remaining());
        }
        let goal = Goal::Board(self.game.instance().goal().clone());
        Instance::new(self.ledger.unknown(&self.game)?, &goal).ok()
    }

    /// How long there is nothing to do but wait for events and news.
    pub(crate) fn wait(&self, now: Duration) -> Option<Duration> {
        self.playback.wait(now)
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self, now: Duration) {
        let n_moves = self.playback.take_due(now);
        if n_moves == 0 {
            return;
        }
        self.seek(self.game.at() + n_moves);
        if self.game.at() == self.game.line().len() {
            self.playback.stop();
            let (at, length) = (self.game.at(), self.game.line().len());
            let end = if self.game.is_solved() { "solved" } else { "the end of the moves" };
            self.say(format!("Move {at} of {length}: {end}."));
        }
    }

    pub(crate) fn act(&mut self, command: Command, now: Duration) -> Next {
        match command {
            Command::Slide(slide) => self.play(vec![slide], now),
            Command::SlideAll(slide) => {
                let dims = self.game.board().dims();
                self.play(vec![slide; dims.rows().max(dims.cols())], now);
            }
            Command::SlideTo(cell) => self.play(self.game.slides_to(cell), now),
            Command::Back => self.go(self.game.at().saturating_sub(1)),
            Command::On => self.go(self.game.at() + 1),
            Command::First => self.go(0),
            Command::Last => self.go(usize::MAX),
            Command::Run => self.run(now),
            Command::Faster => self.change_speed(Playback::faster),
            Command::Slower => self.change_speed(Playback::slower),
            Command::Hint => self.ask_hint(),
            Command::Marks => self.toggle_marks(),
            Command::Solve => self.ask_solution(),
            Command::Scramble => self.scramble(self.game.board().dims()),
            Command::Ask => self.overlay = Overlay::Prompt(String::new()),
            Command::Sense => self.change_sense(),
            Command::Letters => self.change_letters(),
            Command::Help => self.overlay = Overlay::Help,
            Command::Escape => self.escape(),
            Command::Type(letter) => self.edit(|text| text.push(letter)),
            Command::Paste(text) => self.paste(&text),
            Command::Erase => self.edit(|text| {
                text.pop();
            }),
            Command::Enter => self.enter(),
            Command::Quit => return Next::Quit,
            Command::Interrupt => return Next::Interrupt,
        }
        Next::GoOn
    }

    fn play(&mut self, slides: Vec<Slide>, now: Duration) {
        let was_solved = self.game.is_solved();
        if !self.game.play(slides, now) {
            return;
        }
        self.playback.stop();
        self.moved();
        if self.game.is_solved() && !was_solved {
            self.said = Said::Won;
        }
    }

    /// The player goes along the line.
    fn go(&mut self, to: usize) {
        self.playback.stop();
        self.seek(to);
    }

    fn seek(&mut self, to: usize) {
        if self.game.seek(to) {
            self.moved();
        }
    }

    /// What was asked or said of the board before is over.
    fn moved(&mut self) {
        self.hint = Hint::None;
        self.said = Said::Nothing;
        if matches!(self.asking, Asking::Solution(_) | Asking::Hint) {
            self.asking = Asking::Nothing;
        }
    }

    fn run(&mut self, now: Duration) {
        if self.playback.is_running() {
            return self.playback.stop();
        }
        if self.game.line().is_empty() {
            let key = self.controls.letters.key_of('s');
            return self.say(format!("No moves to play yet: {key} solves."));
        }
        if self.game.at() == self.game.line().len() {
            self.seek(0);
        }
        self.playback.start(now);
    }

    fn change_speed(&mut self, change: fn(&mut Playback)) {
        change(&mut self.playback);
        self.say(format!("Speed {}.", self.playback.speed()));
    }

    /// Whether there is nothing to search for, which is said.
    fn is_answered(&mut self) -> bool {
        let answer = if self.game.is_solved() {
            "The board is solved.".to_owned()
        } else if !self.game.instance().is_solvable() {
            self.game.instance().solvability().to_string()
        } else {
            return false;
        };
        self.say(answer);
        true
    }

    fn ask_hint(&mut self) {
        self.playback.stop();
        if self.is_answered() {
            return;
        }
        if Ledger::follows(&self.game) {
            self.hint = Hint::Wanted;
            self.give_hint();
        } else {
            self.hint_along_way();
        }
    }

    /// The next move of the last way that was found, else of a new one.
    fn hint_along_way(&mut self) {
        let board = self.game.board();
        match self.way.as_mut().and_then(|way| way.next(board)) {
            Some(slide) => self.hint_at(Best { slide, count: 1 }),
            None => self.asking = Asking::Hint,
        }
    }

    /// If the best moves are known by now.
    fn give_hint(&mut self) {
        if self.hint != Hint::Wanted {
            return;
        }
        match self.ledger.best(self.game.board()) {
            None => {}
            // None was found in time: a good one will do.
            Some([]) => {
                self.hint = Hint::None;
                self.hint_along_way();
            }
            Some(&[best, ..]) => self.hint_at(best),
        }
    }

    fn hint_at(&mut self, best: Best) {
        let board = self.game.board();
        let Some(source) = board.dims().source(board.blank(), best.slide) else { return };
        let tile = board.tile(source);
        let way = match best.slide {
            Slide::Up => "up",
            Slide::Down => "down",
            Slide::Left => "left",
            Slide::Right => "right",
        };
        let along = match best.count {
            0 | 1 => String::new(),
            n => format!(", {n} tiles at once"),
        };
        self.hint = Hint::Given(best);
        self.say(format!("Hint: {tile} {way}{along}."));
    }

    fn toggle_marks(&mut self) {
        self.shows_best = !self.shows_best;
        let covers = Ledger::covers(self.game.board());
        self.say(match (self.shows_best, covers) {
            (false, _) => "Best moves are no longer marked.".to_owned(),
            (true, true) => "Best moves are marked by arrows.".to_owned(),
            (true, false) => too_large(),
        });
    }

    fn ask_solution(&mut self) {
        self.playback.stop();
        if !self.is_answered() {
            self.hint = Hint::None;
            self.asking = Asking::Solution(Progress::default());
        }
    }

    fn scramble(&mut self, dims: Dims) {
        self.playback.stop();
        let Some(goal) = self.maker.goal.board(dims) else {
            return self.say(format!("The goal is of another size than {dims}."));
        };
        match self.maker.moves {
            None => {
                let instance = self.maker.random.instance(&goal, true);
                self.load(instance);
            }
            Some(moves) => {
                let task = Task::Make { goal, moves, seed: self.maker.random.bits() };
                self.asking = Asking::Board { task, progress: Progress::default() };
            }
        }
    }

    fn load(&mut self, instance: Instance) {
        if instance.goal() != self.game.instance().goal() {
            self.ledger = Ledger::new(self.ledger.metric());
        }
        self.game = Game::new(instance);
        self.way = None;
        self.playback.stop();
        self.asking = Asking::Nothing;
        self.moved();
        self.greet();
    }

    /// A board that cannot be solved is told at once.
    fn greet(&mut self) {
        let instance = self.game.instance();
        if !instance.is_solvable() {
            let why = instance.solvability().to_string();
            self.say(why);
        }
    }

    fn change_sense(&mut self) {
        self.controls.sense = self.controls.sense.other();
        let what = match self.controls.sense {
            Sense::Tile => "a tile",
            Sense::Blank => "the gap",
        };
        self.say(format!("Arrows move {what}."));
    }

    fn change_letters(&mut self) {
        self.controls.letters = self.controls.letters.next();
        self.say(match self.controls.letters.name() {
            "" => "Letters do not slide tiles.".to_owned(),
            name => format!("{name} slide tiles, as arrows do."),
        });
    }

    fn escape(&mut self) {
        if self.overlay != Overlay::None {
            self.overlay = Overlay::None;
            return;
        }
        self.playback.stop();
        self.hint = Hint::None;
        self.said = Said::Nothing;
        if !matches!(self.asking, Asking::Nothing) {
            self.asking = Asking::Nothing;
            self.say("Cancelled.".to_owned());
        }
    }

    /// Whatever is pasted is meant as a new puzzle; lines are rows.
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
        match Asked::read(&text) {
            Err(message) => self.say(message),
            Ok(Asked::Generated(dims, moves)) => {
                self.maker.moves = moves;
                self.scramble(dims);
            }
            Ok(Asked::Given(entry)) => {
                let goal = entry.goal.map_or_else(|| self.maker.goal.clone(), Goal::Board);
                match Instance::new(entry.board, &goal) {
                    Ok(instance) => {
                        self.maker.goal = goal;
                        self.load(instance);
                    }
                    Err(error) => self.say(error.to_string()),
                }
            }
        }
    }

    fn say(&mut self, words: String) {
        self.said = Said::Words(words);
    }
}

fn too_large() -> String {
    format!("Boards of up to {} cells are known exactly; this one is larger.", Ledger::MAX_CELLS)
}
