//! Finishes a line, tile by tile.

use std::cmp::Ordering;

use npuzzle_core::Slide;

use super::lookahead::Helpful;
use super::pair;
use super::{Rect, Ways};
use crate::anytime::working_board::WorkingBoard;

/// The outermost cells on one side of what is left, and which way the inside is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) first: usize,
    /// From one cell to the next.
    pub(crate) along: isize,
    /// From a cell to the one behind it.
    pub(crate) inward: isize,
    pub(crate) length: usize,
}

impl Line {
    /// The same from its other end.
    pub(crate) fn reversed(self) -> Line {
        Line { first: self.cell(self.length - 1, 0), along: -self.along, ..self }
    }

    /// The cell at a place along the line and so many lines behind it.
    pub(crate) fn cell(&self, at: usize, depth: usize) -> usize {
        let offset = at as isize * self.along + depth as isize * self.inward;
        self.first.wrapping_add_signed(offset)
    }
}

/// Moves tiles over the cells that are free, around those that are finished.
pub(crate) struct Builder {
    /// By cell.
    is_done: Vec<bool>,
    /// For searches: how far it is to the end of the way, by cell, and the cells where that is known.
    steps: Vec<u16>,
    seen: Vec<u16>,
    /// If ways are to be helpful.
    helpful: Option<Helpful>,
}

const UNSEEN: u16 = u16::MAX;

/// Up to this distance the blank's way is searched for.
const NEAR: usize = 4;

impl Builder {
    /// All cells outside of the rectangle are finished.
    pub(crate) fn new(field: &WorkingBoard, left: Rect, ways: Ways) -> Builder {
        let mut is_done = vec![true; field.n_cells()];
        left.cells(field).for_each(|cell| is_done[cell] = false);
        Builder {
            is_done,
            steps: vec![UNSEEN; field.n_cells()],
            seen: Vec::new(),
            helpful: (ways != Ways::Short).then(|| Helpful::new(field)),
        }
    }

    /// From now on ways are as short as can be.
    pub(crate) fn take_short_ways(&mut self) {
        self.helpful = None;
    }

    /// Brings the tiles of a line home.
    pub(crate) fn finish(&mut self, field: &mut WorkingBoard, line: &Line) {
        let n_single = line.length - 2;
        for at in 0..n_single {
            let cell = line.cell(at, 0);
            self.bring(field, cell, cell);
            self.is_done[cell] = true;
        }
        let [a, b] = [n_single, n_single + 1].map(|at| line.cell(at, 0));
        if field.cell(a) != a || field.cell(b) != b {
            self.finish_pair(field, line, [a, b]);
        }
        self.is_done[a] = true;
        self.is_done[b] = true;
    }

    /// Brings the last two tiles of a line home: first near the end of the line, then by search.
    fn finish_pair(&mut self, field: &mut WorkingBoard, line: &Line, [a, b]: [usize; 2]) {
        let block = pair::block(line);
        // Of the block's last two cells the tiles are kept away, so that the blank can enter there.
        let (near, entry) = block.split_at(4);
        if !near.contains(&field.cell(a)) {
            self.bring(field, a, a);
        }
        if !near.contains(&field.cell(b)) {
            // The other one must not be pushed away; in its place it is no obstacle.
            self.bring(field, a, a);
            self.is_done[a] = true;
            self.bring(field, b, line.cell(line.length - 1, 1));
            self.is_done[a] = false;
        }
        if !block.contains(&field.blank()) {
            let nearest = entry.iter().min_by_key(|&&cell| field.distance(cell, field.blank()));
            let tiles = [a, b].map(|label| field.cell(label));
            nearest.into_iter().for_each(|&cell| self.walk(field, cell, &tiles));
        }
        pair::solve(field, &block, [a, b]);
    }

    /// Brings a tile to a cell, step by step.
    pub(crate) fn bring(&mut self, field: &mut WorkingBoard, label: usize, target: usize) {
        let mut at = field.cell(label);
        while at != target {
            let nearer = field.beside(at).filter(|&(cell, _)| {
                !self.is_done[cell] && field.distance(cell, target) < field.distance(at, target)
            });
            let Some((next, slide)) = nearer.min_by_key(|&(cell, _)| detour(field, cell, at))
            else {
                unreachable!("free cells hang together, and a target is free")
            };
            self.walk(field, next, &[at]);
            // The blank goes the other way than from the tile to it.
            field.slide(at, slide.opposite());
            at = next;
        }
    }

    /// Keeps a cell as it is from now on.
    pub(crate) fn keep(&mut self, cell: usize) {
        self.is_done[cell] = true;
    }

    /// Moves the blank to a free cell without touching some tiles: straight on while it is far, then
    /// by search. Of cells that are as near the one is taken whose tile gains most.
    fn walk(&mut self, field: &mut WorkingBoard, to: usize, around: &[usize]) {
        // None of these is done, or it would not be walked around.
        around.iter().for_each(|&cell| self.is_done[cell] = true);
        let helpful = self.helpful.as_mut();
        if !helpful.is_some_and(|helpful| helpful.walk(field, to, &self.is_done)) {
            while let Some((cell, slide)) = self.straight_on(field, to) {
                field.slide(cell, slide);
            }
            self.search(field, to);
        }
        around.iter().for_each(|&cell| self.is_done[cell] = false);
    }

    /// The better of two steps of the blank to a cell that is far.
    #[inline]
    fn straight_on(&self, field: &WorkingBoard, to: usize) -> Option<(usize, Slide)> {
        let blank = field.blank();
        if field.distance(blank, to) <= NEAR {
            return None;
        }
        let down = match field.row(blank).cmp(&field.row(to)) {
            Ordering::Less => Some(Slide::Up),
            Ordering::Equal => None,
            Ordering::Greater => Some(Slide::Down),
        };
        let across = match field.col(blank).cmp(&field.col(to)) {
            Ordering::Less => Some(Slide::Left),
            Ordering::Equal => None,
            Ordering::Greater => Some(Slide::Right),
        };
        let free = |slide: Option<Slide>| {
            let cell = field.source(slide?);
            (!self.is_done[cell]).then_some((cell, slide?))
        };
        match (free(down), free(across)) {
            (Some(down), Some(across)) => {
                let is_down = loss(field, down.0) <= loss(field, across.0);
                Some(if is_down { down } else { across })
            }
            (down, across) => down.or(across),
        }
    }

    /// Moves the blank by a shortest way, found breadth-first from its end.
    fn search(&mut self, field: &mut WorkingBoard, to: usize) {
        self.seen.clear();
        self.seen.push(to as u16);
        self.steps[to] = 0;
        let mut at = 0;
        while self.steps[field.blank()] == UNSEEN {
            let Some(&cell) = self.seen.get(at) else { break };
            at += 1;
            let steps = self.steps[usize::from(cell)] + 1;
            field.for_each_beside(usize::from(cell), |before| {
                if self.steps[before] == UNSEEN && !self.is_done[before] {
                    self.steps[before] = steps;
                    self.seen.push(before as u16);
                }
            });
        }
        while field.blank() != to {
            let left = self.steps[field.blank()];
            let nearer = field.beside(field.blank()).filter(|&(cell, _)| self.steps[cell] < left);
            let Some((next, slide)) = nearer.min_by_key(|&(cell, _)| loss(field, cell)) else {
                unreachable!("the blank's cell has been reached, and so has every cell on its way")
            };
            field.slide(next, slide);
        }
        self.seen.iter().for_each(|&cell| self.steps[usize::from(cell)] = UNSEEN);
    }
}

/// How much further from home the tile in a cell beside the blank gets by a slide.
fn loss(field: &WorkingBoard, cell: usize) -> isize {
    let label = field.label(cell);
    field.distance(label, field.blank()) as isize - field.distance(label, cell) as isize
}

/// The slide that takes the blank to a cell beside it.
pub(super) fn step(field: &WorkingBoard, to: usize) -> Option<(usize, Slide)> {
    field.beside(field.blank()).find(|(cell, _)| *cell == to)
}

/// About how far the blank has to go around a tile to a cell beside it.
fn detour(field: &WorkingBoard, to: usize, tile: usize) -> usize {
    let blank = field.blank();
    let is_straight = field.row(blank) == field.row(to) && field.row(to) == field.row(tile)
        || field.col(blank) == field.col(to) && field.col(to) == field.col(tile);
    let is_behind = field.distance(blank, to) > field.distance(blank, tile);
    field.distance(blank, to) + if is_straight && is_behind { 2 } else { 0 }
}
