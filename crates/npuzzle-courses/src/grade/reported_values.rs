//! The figures that answers show of their boards: `g = 2`, `h = 5`, `4 Left`.
//!
//! One course writes them above a board, another below. They are taken for the nearest board there,
//! and nothing is asked of answers that show none.

use npuzzle_core::search::Cost;
use npuzzle_core::{Board, Instance, Slide};

use super::{QueueSign, Reply, Seen, Wrong};
use crate::course::{Course, OutputSpec, Priority, Search};
use crate::run;

/// Looks at all figures of a reply: notes what tells mistakes apart, and returns the first that is
/// wrong.
pub(super) fn look(
    course: &Course,
    instance: &Instance,
    reply: &Reply,
    boards: &[(usize, Board)],
    seen: &mut Seen,
) -> Option<Wrong> {
    let is_above = match course.grading.shows {
        OutputSpec::Nothing => return None,
        OutputSpec::Levels => true,
        OutputSpec::FirstStates => false,
    };
    let priority = match course.search {
        Search::BestFirst { heuristic, .. } => heuristic,
        Search::Free => Priority::Manhattan,
    };
    let mut wrong = None;
    let mut ways = Vec::new();
    let mut shifts = Vec::new();
    for (line, words) in (1..).zip(reply.text.lines()) {
        let at = if is_above {
            boards.iter().position(|(begin, _)| *begin > line)
        } else {
            boards.iter().rposition(|(begin, _)| *begin < line)
        };
        let Some(at) = at else { continue };
        let board = &boards[at].1;
        if let Some(told) = figure(words, "h") {
            seen.estimates.push((board.clone(), told));
            let right = run::estimate(priority, board, instance.goal());
            if told != right {
                wrong.get_or_insert(Wrong::Figure { line, name: "h", told, right });
            }
        }
        if !is_above {
            continue;
        }
        let g = at as Cost;
        if let Some(told) = figure(words, "g") {
            shifts.push(told.abs_diff(g));
            if told != g {
                wrong.get_or_insert(Wrong::Figure { line, name: "g", told, right: g });
            }
        }
        if let (Some(told), Some(right)) = (way(words), slide_to(boards, at)) {
            ways.push((told, right));
            if told != right {
                wrong.get_or_insert(Wrong::Way { line, right });
            }
        }
    }
    let is_opposite = |&(told, right): &(Slide, Slide)| told == right.opposite();
    seen.has_opposite_ways = !ways.is_empty() && ways.iter().all(is_opposite);
    seen.has_shifted_moves = !shifts.is_empty() && shifts.iter().all(|&shift| shift == 1);
    if course.grading.shows == OutputSpec::FirstStates {
        let (sign, why) = states(instance, boards);
        seen.queue = sign;
        wrong = wrong.or(why);
    }
    wrong
}

/// The states that left the queue, after start and goal: the start is the first and comes only once;
/// the goal is the last, so that it is there if there are less than five.
fn states(instance: &Instance, boards: &[(usize, Board)]) -> (Option<QueueSign>, Option<Wrong>) {
    let states = boards.get(2..).unwrap_or_default();
    let Some((_, last)) = states.last() else { return (None, None) };
    let n_starts = states.iter().filter(|(_, board)| board == instance.start()).count();
    if states[0].1 != *instance.start() {
        (None, Some(Wrong::States("the first of them is not the start")))
    } else if n_starts > 1 {
        let why = "the start is among them twice, so a state's own parent is not refused";
        (Some(QueueSign::StartAgain), Some(Wrong::States(why)))
    } else if states.len() < 5 && last != instance.goal() {
        let why = "the goal is not the last of them, so it was found before it was removed";
        (Some(QueueSign::GoalNotRemoved), Some(Wrong::States(why)))
    } else {
        (None, None)
    }
}

/// The number after `NAME =`.
fn figure(line: &str, name: &str) -> Option<Cost> {
    let (before, after) = line.split_once('=')?;
    if before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty()) == Some(name) {
        let digits: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
        return digits.parse().ok();
    }
    figure(after, name)
}

/// The way after a tile's number: `4 Left`.
fn way(line: &str) -> Option<Slide> {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if word.parse::<u16>().is_ok()
            && let Some(way) = words.peek()
        {
            match way.to_lowercase().as_str() {
                "up" => return Some(Slide::Up),
                "down" => return Some(Slide::Down),
                "left" => return Some(Slide::Left),
                "right" => return Some(Slide::Right),
                _ => {}
            }
        }
    }
    None
}

/// The slide that leads to a board from the one before.
fn slide_to(boards: &[(usize, Board)], at: usize) -> Option<Slide> {
    let before = &boards[at.checked_sub(1)?].1;
    before.slides().find(|&slide| {
        let mut board = before.clone();
        board.slide(slide) && board == boards[at].1
    })
}
