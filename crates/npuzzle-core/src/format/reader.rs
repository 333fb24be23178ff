//! The way through a text, from line to line and from board to board.

use super::block::{Block, Line, span};
use super::detect::{detect, is_pair};
use super::error::{Fault, FormatError, Reason};
use super::json::skip_space;
use super::source::{Source, Span};
use super::tiles::board_from_written_rows;
use super::token::Token;
use super::{Entry, Format, dim, json_boards, lines, pair};
use crate::puzzle::board::Board;

/// A start and perhaps a goal.
pub(super) type Boards = Result<(Board, Option<Board>), Fault>;

/// A board, good or bad, and the place where it begins.
pub(super) struct Found {
    pub(super) span: Span,
    pub(super) format: Format,
    pub(super) boards: Boards,
}

impl Found {
    pub(super) fn entry(self, source: &Source<'_>) -> Result<Entry, FormatError> {
        let (board, goal) = self.boards.map_err(|fault| FormatError::new(source, fault))?;
        let line = source.line_index(self.span.start) + 1;
        Ok(Entry { board, goal, line, format: self.format })
    }
}

/// What to look for.
#[derive(Clone, Copy)]
pub(super) enum Search {
    Any,
    /// Any but JSON, whose strings must not hold JSON again.
    Words,
    Only(Format),
}

impl Search {
    pub(super) fn new(format: Option<Format>) -> Search {
        format.map_or(Search::Any, Search::Only)
    }
}

pub(super) fn find_one(source: &Source<'_>, search: Search) -> Result<Found, Fault> {
    let mut all = find(source, search);
    if let Some(bad) = all.iter().position(|found| found.boards.is_err()) {
        return Ok(all.swap_remove(bad));
    }
    match all.get(1) {
        Some(second) => Err(Fault::new(Reason::TooManyBoards { found: all.len() }, second.span)),
        None => Ok(all.swap_remove(0)),
    }
}

/// Everything that is a board or ought to be one; at least one.
pub(super) fn find(source: &Source<'_>, search: Search) -> Vec<Found> {
    let mut reader = Reader { source, found: Vec::new() };
    match search {
        Search::Any => reader.any(true),
        Search::Words => reader.any(false),
        Search::Only(format) => reader.only(format),
    }
    let mut found = reader.found;
    if found.is_empty() {
        let start = source.line(0).map_or(0, |line| line.start);
        let is_empty = source.text[start..].trim().is_empty();
        let reason = if is_empty { Reason::Empty } else { Reason::OnlyComments };
        let span = Span { start, end: start };
        found.push(Found { span, format: Format::Grid, boards: Err(Fault::new(reason, span)) });
    }
    found
}

struct Reader<'s> {
    source: &'s Source<'s>,
    found: Vec<Found>,
}

impl Reader<'_> {
    /// Every board in the format that it is in.
    fn any(&mut self, json: bool) {
        let (source, text) = (self.source, self.source.text);
        let mut block = Block::default();
        let mut index = 0;
        while let Some(line) = source.line(index) {
            if json && text[line.start..line.end].trim_start().starts_with(['{', '[', '"']) {
                self.block(std::mem::take(&mut block));
                index = json_boards::read(source, line.start, &mut self.found);
                continue;
            }
            index += 1;
            match block.push(text, line) {
                Line::Words | Line::Comment => {}
                Line::Blank if block.is_lone_size() => block.size_apart = true,
                Line::Blank => self.block(std::mem::take(&mut block)),
                Line::Marked(tokens) => {
                    self.block(std::mem::take(&mut block));
                    let (format, board) = lines::marked(text, &tokens);
                    self.push(span(&tokens), format, board.map(alone));
                }
            }
        }
        self.block(block);
    }

    /// A block in the format that it is in.
    fn block(&mut self, block: Block) {
        if block.len() > 0 {
            self.block_as(detect(self.source.text, &block), &block);
        }
    }

    fn block_as(&mut self, format: Format, block: &Block) {
        if block.len() == 0 {
            return;
        }
        let text = self.source.text;
        let rows = || block.lines().collect::<Vec<_>>();
        match format {
            Format::Flat => self.each_line(format, block, lines::flat),
            Format::Digits => self.each_line(format, block, lines::digits),
            Format::Slash => self.each_line(format, block, lines::slash),
            Format::Grid => {
                let board = board_from_written_rows(text, &rows());
                self.push(span(block.line(0)), format, board.map(alone));
            }
            Format::Pair => {
                let boards = pair::pair(text, &rows());
                self.push(
                    span(block.line(0)),
                    format,
                    boards.map(|(start, goal)| (start, Some(goal))),
                );
            }
            Format::Dim => {
                for (span, board) in dim::boards(text, block) {
                    self.push(span, format, board.map(alone));
                }
            }
            // Never asked of a block.
            Format::Json => {}
        }
    }

    fn each_line(
        &mut self,
        format: Format,
        block: &Block,
        read: fn(&str, &[Token]) -> Result<Board, Fault>,
    ) {
        for line in block.lines() {
            self.push(span(line), format, read(self.source.text, line).map(alone));
        }
    }

    /// Every board in this format, whatever it looks like.
    fn only(&mut self, format: Format) {
        match format {
            Format::Json => self.json(),
            Format::Dim => self.block_as(format, &self.whole()),
            Format::Pair => {
                // Several pairs, or one with blank lines in it.
                let blocks = self.blocks();
                if blocks.iter().all(is_pair) {
                    blocks.iter().for_each(|block| self.block_as(format, block));
                } else {
                    self.block_as(format, &self.whole());
                }
            }
            Format::Grid => {
                // Several boards, or one with blank lines in it.
                let (blocks, whole) = (self.blocks(), self.whole());
                if blocks.len() > 1
                    && !blocks.iter().all(|b| self.is_grid(b))
                    && self.is_grid(&whole)
                {
                    self.block_as(format, &whole);
                } else {
                    blocks.iter().for_each(|block| self.block_as(format, block));
                }
            }
            _ => self.blocks().iter().for_each(|block| self.block_as(format, block)),
        }
    }

    fn is_grid(&self, block: &Block) -> bool {
        board_from_written_rows(self.source.text, &block.lines().collect::<Vec<_>>()).is_ok()
    }

    fn json(&mut self) {
        let (source, text) = (self.source, self.source.text);
        let mut index = 0;
        while let Some(line) = source.line(index) {
            let at = skip_space(text, line.start);
            if at == text.len() {
                break;
            }
            index = json_boards::read(source, at, &mut self.found);
        }
    }

    /// The blocks, with no regard to what is in them.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut block = Block::default();
        for line in (0..).map_while(|index| self.source.line(index)) {
            match block.push(self.source.text, line) {
                Line::Marked(tokens) => block.push_tokens(&tokens),
                Line::Blank => blocks.push(std::mem::take(&mut block)),
                Line::Words | Line::Comment => {}
            }
        }
        blocks.push(block);
        blocks.retain(|block| block.len() > 0);
        blocks
    }

    /// All lines as one block.
    fn whole(&self) -> Block {
        let mut whole = Block::default();
        for block in self.blocks() {
            block.lines().for_each(|line| whole.push_tokens(line));
        }
        whole
    }

    fn push(&mut self, span: Span, format: Format, boards: Boards) {
        self.found.push(Found { span, format, boards });
    }
}

fn alone(board: Board) -> (Board, Option<Board>) {
    (board, None)
}
