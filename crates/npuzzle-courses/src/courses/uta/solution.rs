//! Solutions as the assignment writes them: `Move 7 Left`, where the direction is that of the tile.

use npuzzle_core::search::Cost;
use npuzzle_core::{Instance, Moves, Slide, Tile};

use crate::variant::{VariantCheck, VariantError};

/// The tiles that a path moves, with their directions. The path must be legal.
pub(super) fn steps(instance: &Instance, path: &[Slide]) -> Vec<(Tile, Slide)> {
    let mut board = instance.start().clone();
    let mut step = |&slide: &Slide| {
        let blank = board.blank();
        board.slide(slide);
        // The moved tile is now where the blank was.
        (board.tile(blank), slide)
    };
    path.iter().map(&mut step).collect()
}

/// Checks a solution. It is a program's output, or moves in any notation that names directions of tiles.
pub(super) fn check(instance: &Instance, text: &str) -> Result<VariantCheck, VariantError> {
    let mut checked = VariantCheck {
        error: None,
        moves: None,
        cost: 0,
        optimum: None,
        stopped: None,
        unit: "cost",
    };
    let moves = moves_of(text);
    if moves.is_empty() && text.to_lowercase().contains("no solution") {
        if instance.is_solvable() {
            checked.error = Some("there is a solution".to_owned());
        }
        return Ok(checked);
    }
    let plain = text.parse::<Moves>().ok().filter(|_| moves.is_empty());
    let moves = match plain {
        Some(plain) => plain.slides().iter().map(|&slide| (None, slide)).collect(),
        None => moves,
    };
    if moves.is_empty() && !text.to_lowercase().contains("solution found") {
        let message = "no moves such as `Move 7 Left`".to_owned();
        return Err(VariantError::Input { argument: "solution", message });
    }
    checked.moves = Some(moves.len());
    match replay(instance, &moves) {
        Ok(cost) => checked.cost = cost,
        Err(error) => checked.error = Some(error),
    }
    if checked.error.is_none() {
        checked.error = wrong_claim(text, moves.len() as Cost, checked.cost);
    }
    Ok(checked)
}

/// A move, and the tile if the text names it.
type Move = (Option<u16>, Slide);

/// The moves of lines such as `Move 7 Left`.
fn moves_of(text: &str) -> Vec<Move> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let as_move = |words: &[String]| {
        let [verb, tile, direction] = words else { return None };
        Some((Some(tile.parse().ok().filter(|_| verb == "move")?), slide(direction)?))
    };
    words.windows(3).filter_map(as_move).collect()
}

fn slide(direction: &str) -> Option<Slide> {
    Slide::ALL.into_iter().find(|slide| slide.to_string().eq_ignore_ascii_case(direction))
}

/// Makes the moves; returns their cost, or what is wrong with them.
fn replay(instance: &Instance, moves: &[Move]) -> Result<Cost, String> {
    let mut board = instance.start().clone();
    let mut cost = 0;
    for (step, (tile, slide)) in (1..).zip(moves) {
        let blank = board.blank();
        let direction = slide.to_string().to_lowercase();
        if !board.slide(*slide) {
            return Err(format!("step {step}: no tile can move {direction}"));
        }
        let moved = board.tile(blank).number();
        if let Some(tile) = tile.filter(|&tile| tile != moved) {
            return Err(format!(
                "step {step}: tile {tile} cannot move {direction}, only tile {moved} can"
            ));
        }
        cost += Cost::from(moved);
    }
    if board != *instance.goal() {
        return Err(format!("the moves end at {}, not at the goal", board.slash()));
    }
    Ok(cost)
}

/// The error in the line `Solution Found at depth 12 with cost of 63.`, if the output has one.
fn wrong_claim(text: &str, moves: Cost, cost: Cost) -> Option<String> {
    let text = text.to_lowercase();
    let line = text.lines().find(|line| line.contains("solution found"))?;
    let claim = |name: &str| {
        let after = &line[line.find(name)? + name.len()..];
        let digits: String = after
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<Cost>().ok()
    };
    match (claim("depth"), claim("cost")) {
        (Some(claimed), _) if claimed != moves => {
            Some(format!("claims depth {claimed}, shows {moves} moves"))
        }
        (_, Some(claimed)) if claimed != cost => {
            Some(format!("claims cost {claimed}, the moves cost {cost}"))
        }
        _ => None,
    }
}
