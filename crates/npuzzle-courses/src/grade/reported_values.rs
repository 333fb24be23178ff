//! The values that an answer reports: for its boards (`g = 2`, `h = 5`, `4 Left`) or for the search
//! (`nodes_expanded: 10`).
//!
//! One course writes the values of a board above it, another below. Each belongs to the nearest board
//! in that direction, and may be omitted. The values of a search must be those of the course's own
//! program.

use npuzzle::SolveError;
use npuzzle_core::search::{Cost, Watch};
use npuzzle_core::{Board, Instance, Slide};

use super::verdict::{Defect, Observation, QueueAnomaly};
use crate::course::{Course, OutputSpec};
use crate::run::run_search;

/// Checks all reported values of an answer: records them in the observation and returns the first defect.
/// `boards` are the boards of the answer in order, with their lines.
pub(super) fn check(
    course: &Course,
    instance: &Instance,
    text: &str,
    boards: &[(usize, Board)],
    reference: &str,
    observation: &mut Observation,
) -> Option<Defect> {
    match course.grading.output {
        OutputSpec::Nothing => None,
        OutputSpec::Moves(names) => names.iter().find_map(|name| check_line(name, text, reference)),
        OutputSpec::Levels => {
            let wrong_h = check_h(course, instance, text, boards, observation);
            let wrong_level = check_levels(text, boards, observation);
            first_of(wrong_h, wrong_level)
        }
        OutputSpec::FirstStates => {
            let wrong_h = check_h(course, instance, text, boards, observation);
            let (anomaly, wrong_states) = check_first_states(instance, boards);
            observation.queue_anomaly = anomaly;
            wrong_h.map(|(_, defect)| defect).or(wrong_states)
        }
    }
}

/// Returns the answer of the course's own program, if values of an answer are compared with it.
pub(super) fn reference(
    course: &Course,
    instance: &Instance,
    watch: &mut dyn Watch,
) -> Result<Option<String>, SolveError> {
    let OutputSpec::Moves([_, ..]) = course.grading.output else { return Ok(None) };
    let run = run_search(instance.clone(), course.search, course.limits, watch)?;
    let mut answer = Vec::new();
    let is_written = (course.write)(&run, &mut answer).is_ok();
    Ok(is_written.then(|| String::from_utf8_lossy(&answer).into_owned()))
}

/// Compares the value of a line `name: value` with that of the reference. A value that the reference
/// does not have is not checked.
fn check_line(name: &'static str, text: &str, reference: &str) -> Option<Defect> {
    let (_, expected) = named_value(reference, name)?;
    let Some((line, reported)) = named_value(text, name) else {
        return Some(Defect::MissingValue { name });
    };
    (reported != expected).then_some(Defect::Value { line, name, reported, expected })
}

/// The value of the first line `name: value`, and the number of the line.
fn named_value(text: &str, name: &str) -> Option<(usize, Cost)> {
    (1..).zip(text.lines()).find_map(|(line, words)| {
        let value = words.trim().strip_prefix(name)?.trim_start().strip_prefix(':')?;
        Some((line, value.trim().parse().ok()?))
    })
}

/// A defect and its line.
type DefectAt = (usize, Defect);

fn first_of(one: Option<DefectAt>, other: Option<DefectAt>) -> Option<Defect> {
    let defects = one.into_iter().chain(other);
    defects.min_by_key(|(line, _)| *line).map(|(_, defect)| defect)
}

/// The lines of an answer that belong to a board: their number, text, and the index of the board.
fn lines_of_boards<'a>(
    text: &'a str,
    boards: &'a [(usize, Board)],
    is_above: bool,
) -> impl Iterator<Item = (usize, &'a str, usize)> {
    (1..).zip(text.lines()).filter_map(move |(line, words)| {
        let index = if is_above {
            boards.partition_point(|(begin, _)| *begin <= line)
        } else {
            boards.partition_point(|(begin, _)| *begin < line).checked_sub(1)?
        };
        (index < boards.len()).then_some((line, words, index))
    })
}

/// Checks the reported heuristic values.
fn check_h(
    course: &Course,
    instance: &Instance,
    text: &str,
    boards: &[(usize, Board)],
    observation: &mut Observation,
) -> Option<DefectAt> {
    let is_above = course.grading.output == OutputSpec::Levels;
    let heuristic = course.search.heuristic();
    let mut first = None;
    for (line, words, index) in lines_of_boards(text, boards, is_above) {
        let Some(reported) = value_of(words, "h") else { continue };
        let board = &boards[index].1;
        observation.heuristic_values.push((board.clone(), reported));
        let expected = heuristic.estimate(board, instance.goal());
        if reported != expected {
            let defect = Defect::Value { line, name: "h", reported, expected };
            first.get_or_insert((line, defect));
        }
    }
    first
}

/// Checks the reported values of g and the reported directions.
fn check_levels(
    text: &str,
    boards: &[(usize, Board)],
    observation: &mut Observation,
) -> Option<DefectAt> {
    let mut first = None;
    let mut directions = Vec::new();
    let mut shifts = Vec::new();
    for (line, words, index) in lines_of_boards(text, boards, true) {
        let expected = index as Cost;
        if let Some(reported) = value_of(words, "g") {
            shifts.push(reported.abs_diff(expected));
            if reported != expected {
                let defect = Defect::Value { line, name: "g", reported, expected };
                first.get_or_insert((line, defect));
            }
        }
        if let (Some(reported), Some(expected)) = (direction(words), slide_to(boards, index)) {
            directions.push((reported, expected));
            if reported != expected {
                first.get_or_insert((line, Defect::Direction { line, expected }));
            }
        }
    }
    let is_reversed = |&(reported, expected): &(Slide, Slide)| reported == expected.opposite();
    observation.has_reversed_directions =
        !directions.is_empty() && directions.iter().all(is_reversed);
    observation.has_shifted_g = !shifts.is_empty() && shifts.iter().all(|&shift| shift == 1);
    first
}

/// Checks the states removed from the queue, which follow the start and the goal. The start is the
/// first and occurs once. The goal is removed last, so it is among them if there are fewer than
/// five.
fn check_first_states(
    instance: &Instance,
    boards: &[(usize, Board)],
) -> (Option<QueueAnomaly>, Option<Defect>) {
    let states = boards.get(2..).unwrap_or_default();
    let Some((_, last)) = states.last() else { return (None, None) };
    let n_starts = states.iter().filter(|(_, board)| board == instance.start()).count();
    if states[0].1 != *instance.start() {
        (None, Some(Defect::FirstStates("the first of them is not the start")))
    } else if n_starts > 1 {
        let why = "the start is among them twice, so a state inserts its own parent";
        (Some(QueueAnomaly::StartTwice), Some(Defect::FirstStates(why)))
    } else if states.len() < 5 && last != instance.goal() {
        let why = "the goal is not the last of them, so it was tested before it was removed";
        (Some(QueueAnomaly::GoalNotRemoved), Some(Defect::FirstStates(why)))
    } else {
        (None, None)
    }
}

/// The number after `NAME =`.
fn value_of(line: &str, name: &str) -> Option<Cost> {
    let (before, after) = line.split_once('=')?;
    if before.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty()) == Some(name) {
        let digits: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
        return digits.parse().ok();
    }
    value_of(after, name)
}

/// The direction after a tile's number: `4 Left`.
fn direction(line: &str) -> Option<Slide> {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if word.parse::<u16>().is_ok()
            && let Some(direction) = words.peek()
        {
            match direction.to_lowercase().as_str() {
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

/// The slide that leads to a board from the one before it.
fn slide_to(boards: &[(usize, Board)], index: usize) -> Option<Slide> {
    let before = &boards[index.checked_sub(1)?].1;
    before.slides().find(|&slide| {
        let mut board = before.clone();
        board.slide(slide) && board == boards[index].1
    })
}
