//! Reads text that is not JSON: gathers lines of words into blocks and reads each block.

use super::block::{LineKind, TextBlock};
use super::detect::detect;
use super::error::Fault;
use super::found::{FoundBoard, StartAndGoal, at_least_one};
use super::source::{Source, Span};
use super::tiles::board_from_written_rows;
use super::token::{Token, span};
use super::{Format, dim, lines, pair};
use crate::puzzle::board::Board;

/// Returns all boards of a text without JSON, each in its own format; at least one result.
pub(super) fn find_in_words(source: &Source<'_>) -> Vec<FoundBoard> {
    let mut reader = WordReader::new(source);
    source.lines().for_each(|line| reader.push_line(line));
    at_least_one(source, reader.finish())
}

/// Reads lines of words, block by block.
pub(super) struct WordReader<'s> {
    source: &'s Source<'s>,
    /// The lines since the last blank line.
    block: TextBlock,
    /// Whether a blank line follows a size and some of its rows. The block continues if another row
    /// follows.
    is_interrupted: bool,
    /// Whether the last line was the horizontal line of a frame.
    is_after_frame: bool,
    pub(super) found: Vec<FoundBoard>,
}

impl<'s> WordReader<'s> {
    pub(super) fn new(source: &'s Source<'s>) -> WordReader<'s> {
        WordReader {
            source,
            block: TextBlock::default(),
            is_interrupted: false,
            is_after_frame: false,
            found: Vec::new(),
        }
    }

    /// Adds a line to the current block, or ends the block.
    pub(super) fn push_line(&mut self, line: Span) {
        let text = self.source.text;
        let kind = self.block.push(text, line);
        let is_second_frame_line = self.is_after_frame && matches!(kind, LineKind::Frame);
        self.is_after_frame = matches!(kind, LineKind::Frame);
        match kind {
            LineKind::Words if self.is_interrupted => self.continue_block(),
            LineKind::Frame if is_second_frame_line => self.end_block(),
            LineKind::Words | LineKind::Comment | LineKind::Frame => {}
            LineKind::Blank if self.block.is_lone_size() => self.block.size_apart = true,
            LineKind::Blank if self.block.lacks_rows(text) => self.is_interrupted = true,
            LineKind::Blank => self.end_block(),
            LineKind::WholeBoard(tokens) => {
                self.end_block();
                let (format, board) = lines::whole_board(text, &tokens);
                self.push(span(&tokens), format, board.map(without_goal));
            }
        }
    }

    /// Decides whether the last line, which a blank line separates from the rows of a size before it, is
    /// another row of that size or begins a new block.
    fn continue_block(&mut self) {
        self.is_interrupted = false;
        if !self.block.ends_with_row(self.source.text) {
            let next = self.block.split_last_line();
            self.end_block();
            self.block = next;
        }
    }

    /// Reads the current block in the format it appears to have.
    pub(super) fn end_block(&mut self) {
        self.is_interrupted = false;
        let block = std::mem::take(&mut self.block);
        if block.len() > 0 {
            self.read_block(detect(self.source.text, &block), &block);
        }
    }

    pub(super) fn finish(mut self) -> Vec<FoundBoard> {
        self.end_block();
        self.found
    }

    /// Reads a block in a given format, which is not JSON.
    pub(super) fn read_block(&mut self, format: Format, block: &TextBlock) {
        if block.len() == 0 {
            return;
        }
        let text = self.source.text;
        let rows = || block.lines().collect::<Vec<_>>();
        let first_line = span(block.line(0));
        match format {
            Format::Flat => self.read_each_line(format, block, lines::flat),
            Format::Digits => self.read_each_line(format, block, lines::digits),
            Format::Slash => self.read_each_line(format, block, lines::slash),
            Format::Grid => {
                let board = board_from_written_rows(text, &rows());
                self.push(first_line, format, board.map(without_goal));
            }
            Format::Pair => {
                let boards = pair::pair(text, &rows());
                self.push(first_line, format, boards.map(|(start, goal)| (start, Some(goal))));
            }
            Format::Dim => {
                for (span, board) in dim::boards(text, block) {
                    self.push(span, format, board.map(without_goal));
                }
            }
            Format::Json => {}
        }
    }

    fn read_each_line(
        &mut self,
        format: Format,
        block: &TextBlock,
        read: fn(&str, &[Token]) -> Result<Board, Fault>,
    ) {
        for line in block.lines() {
            self.push(span(line), format, read(self.source.text, line).map(without_goal));
        }
    }

    fn push(&mut self, span: Span, format: Format, boards: StartAndGoal) {
        self.found.push(FoundBoard { span, format, boards });
    }
}

fn without_goal(board: Board) -> (Board, Option<Board>) {
    (board, None)
}
