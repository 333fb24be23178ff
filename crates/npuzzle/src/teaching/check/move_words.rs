//! Moves written as letters, words or tile numbers in free text.

use npuzzle_core::{Moves, Slide};

/// Returns the sequences of directions that a text may mean, longest first.
///
/// If the whole text is directions, that is the only candidate. Otherwise each line that consists of
/// directions is a candidate, and so is each block of consecutive such lines. A label that ends with
/// a colon is not part of a line.
pub(super) fn parse_directions(text: &str) -> Vec<Vec<Slide>> {
    let text = text.trim();
    if matches!(text, "" | "[]") || text.to_lowercase().contains("already solved") {
        return vec![Vec::new()];
    }
    if let Some(slides) = only_directions(text) {
        return vec![slides];
    }
    let lines: Vec<Vec<Slide>> = text
        .lines()
        .map(without_label)
        .filter(|line| !line.is_empty())
        .map(|line| only_directions(line).unwrap_or_default())
        .collect();
    let blocks = lines.split(Vec::is_empty).map(<[_]>::concat);
    let mut candidates: Vec<Vec<Slide>> =
        blocks.chain(lines.clone()).filter(|slides| !slides.is_empty()).collect();
    candidates.sort_by_key(|slides| std::cmp::Reverse(slides.len()));
    candidates.dedup();
    candidates
}

/// Returns the tile numbers of a text that has nothing else, or of its longest line that has nothing
/// but a label and numbers.
pub(super) fn parse_tile_numbers(text: &str) -> Option<Vec<u16>> {
    let lines = text.lines().map(without_label).filter_map(only_numbers);
    only_numbers(text).or_else(|| lines.max_by_key(Vec::len))
}

/// Finds the first word of a text that is neither a direction nor a number. Returns its position in
/// characters, from 0.
///
/// ```
/// assert_eq!(npuzzle::teaching::first_unknown_token("U left3, X 5"), Some(9));
/// assert_eq!(npuzzle::teaching::first_unknown_token("U L2 D"), None);
/// ```
pub fn first_unknown_token(text: &str) -> Option<usize> {
    let mut position = 0;
    for part in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let direction = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_known = direction.is_empty() || only_directions(direction).is_some();
        if !is_known {
            return Some(position);
        }
        position += part.chars().count();
    }
    None
}

fn without_label(line: &str) -> &str {
    line.rsplit(':').next().unwrap_or(line).trim()
}

/// Parses a text that consists of one or more directions.
fn only_directions(text: &str) -> Option<Vec<Slide>> {
    if let Ok(moves) = text.parse::<Moves>() {
        return Some(moves.slides().to_vec()).filter(|slides| !slides.is_empty());
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slides: Option<Vec<Slide>> = words.map(parse_direction).collect();
    slides.filter(|slides| !slides.is_empty())
}

fn parse_direction(word: &str) -> Option<Slide> {
    match word.to_ascii_lowercase().as_str() {
        "up" | "u" | "north" => Some(Slide::Up),
        "down" | "d" | "south" => Some(Slide::Down),
        "left" | "l" | "west" => Some(Slide::Left),
        "right" | "r" | "east" => Some(Slide::Right),
        _ => None,
    }
}

/// Parses a text that consists of one or more numbers.
fn only_numbers(text: &str) -> Option<Vec<u16>> {
    let is_separator = |c: char| c.is_whitespace() || ",;[]()".contains(c);
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    let tiles: Option<Vec<u16>> = words.map(|word| word.parse().ok()).collect();
    tiles.filter(|tiles| !tiles.is_empty())
}
