//! Finds the boards of a text, in a given format or in whatever format each of them has.

use super::block::{LineKind, TextBlock};
use super::detect::is_pair;
use super::found::{FoundBoard, at_least_one};
use super::json::{OPENERS, skip_space};
use super::source::Source;
use super::tiles::board_from_written_rows;
use super::words::WordReader;
use super::{Format, json_boards};

/// Returns all boards of a text, valid or not; at least one result.
pub(super) fn find(source: &Source<'_>, format: Option<Format>) -> Vec<FoundBoard> {
    let found = match format {
        None => find_in_any_format(source),
        Some(Format::Json) => find_in_json(source),
        Some(format) => find_in_blocks(source, format),
    };
    at_least_one(source, found)
}

pub(super) fn find_in_any_format(source: &Source<'_>) -> Vec<FoundBoard> {
    let mut reader = WordReader::new(source);
    let mut index = 0;
    while let Some(line) = source.line(index) {
        if line.of(source.text).trim_start().starts_with(OPENERS) {
            reader.end_block();
            index = json_boards::read(source, line.start, &mut reader.found);
        } else {
            reader.push_line(line);
            index += 1;
        }
    }
    reader.finish()
}

fn find_in_json(source: &Source<'_>) -> Vec<FoundBoard> {
    let mut found = Vec::new();
    let mut index = 0;
    while let Some(line) = source.line(index) {
        let at = skip_space(source.text, line.start);
        if at == source.text.len() {
            break;
        }
        index = json_boards::read(source, at, &mut found);
    }
    found
}

/// Reads every block in the given format, or all lines as one block if blank lines may separate
/// the rows of one board.
fn find_in_blocks(source: &Source<'_>, format: Format) -> Vec<FoundBoard> {
    let blocks = blocks(source);
    let is_grid = |block: &TextBlock| {
        board_from_written_rows(source.text, &block.lines().collect::<Vec<_>>()).is_ok()
    };
    let is_one_board = match format {
        Format::Dim => true,
        Format::Pair => !blocks.iter().all(is_pair),
        Format::Grid => {
            blocks.len() > 1 && !blocks.iter().all(is_grid) && is_grid(&joined(&blocks))
        }
        _ => false,
    };
    let mut reader = WordReader::new(source);
    if is_one_board {
        reader.read_block(format, &joined(&blocks));
    } else {
        blocks.iter().for_each(|block| reader.read_block(format, block));
    }
    reader.finish()
}

/// Returns the blocks between blank lines, whatever their lines contain.
fn blocks(source: &Source<'_>) -> Vec<TextBlock> {
    let mut blocks = Vec::new();
    let mut block = TextBlock::default();
    for line in source.lines() {
        match block.push(source.text, line) {
            LineKind::WholeBoard(tokens) => block.push_tokens(&tokens),
            LineKind::Blank => blocks.push(std::mem::take(&mut block)),
            LineKind::Words | LineKind::Comment | LineKind::Frame => {}
        }
    }
    blocks.push(block);
    blocks.retain(|block| block.len() > 0);
    blocks
}

/// Returns all lines of some blocks as one block.
fn joined(blocks: &[TextBlock]) -> TextBlock {
    let mut joined = TextBlock::default();
    for block in blocks {
        block.lines().for_each(|line| joined.push_tokens(line));
    }
    joined
}
