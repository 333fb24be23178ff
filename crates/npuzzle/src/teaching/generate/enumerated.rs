//! Boards of an exact length where all of them can be enumerated: each is equally likely, and none
//! repeats until all have been used.

use std::collections::{HashMap, HashSet};

use npuzzle_core::search::{Cost, Limit};
use npuzzle_core::{Instance, Random};
use npuzzle_tables::{FullSpace, Level};

use crate::limits::Clock;
use crate::tables::canonical::CanonicalForm;
use crate::tables::full::FullTable;

use super::Generator;
use super::error::GenerateError;

/// The boards at each length requested so far, and which of them have been drawn.
#[derive(Debug, Default)]
pub(super) struct Levels {
    known: Vec<(Cost, Level)>,
    drawn: HashMap<Cost, HashSet<u64>>,
}

impl Levels {
    /// Returns the number of boards of a length, if they have been enumerated.
    pub(super) fn n_boards(&self, length: Cost) -> Option<u64> {
        self.get(length).map(Level::len)
    }

    /// Makes all boards available again.
    pub(super) fn reset(&mut self) {
        self.drawn.clear();
    }

    fn get(&self, length: Cost) -> Option<&Level> {
        self.known.iter().find(|(known, _)| *known == length).map(|(_, level)| level)
    }

    /// Drops levels until another one can be searched within `max_bytes`.
    fn make_room(
        &mut self,
        space: FullSpace,
        n_threads: usize,
        max_bytes: u64,
    ) -> Result<(), GenerateError> {
        let n_bytes =
            |n_levels: usize| space.build_bytes(n_threads) + (n_levels + 1) * space.level_bytes();
        while n_bytes(self.known.len()) as u64 > max_bytes {
            self.known.pop().ok_or(GenerateError::Limit(Limit::Memory))?;
        }
        Ok(())
    }

    /// Draws a board that has not been drawn since the last reset. Starts over when all boards of the
    /// length have been drawn.
    fn draw(&mut self, length: Cost, random: &mut Random) -> Option<Vec<u8>> {
        let drawn = self.drawn.entry(length).or_default();
        let (_, level) = self.known.iter().find(|(known, _)| *known == length)?;
        if drawn.len() as u64 >= level.len() {
            drawn.clear();
        }
        loop {
            let index = random.below(level.len());
            if drawn.insert(index) {
                return level.labels(index);
            }
        }
    }
}

/// Returns a board of this length. The goal has at most 12 cells.
pub(super) fn board_of_length(
    generator: &mut Generator,
    length: Cost,
    random: &mut Random,
    clock: &mut Clock<'_>,
) -> Result<Instance, GenerateError> {
    let (goal, metric) = (&generator.spec.goal, generator.spec.options.metric);
    let (Some(space), Some(canonical)) = (FullTable::space(goal, metric), CanonicalForm::new(goal))
    else {
        unreachable!("boards of up to 12 cells have full tables")
    };
    if generator.levels.get(length).is_none() {
        let level = search_level(generator, space, length, clock)?;
        generator.levels.known.push((length, level));
    }
    let labels = generator.levels.draw(length, random);
    match labels.and_then(|labels| canonical.board(&labels)) {
        Some(start) => Ok(generator.instance(start)),
        None => unreachable!("every label of a level is a board"),
    }
}

fn search_level(
    generator: &mut Generator,
    space: FullSpace,
    length: Cost,
    clock: &mut Clock<'_>,
) -> Result<Level, GenerateError> {
    let options = &generator.spec.options;
    let n_threads = options.resources().threads;
    if let Some(max_bytes) = options.limits.memory {
        generator.levels.make_room(space, n_threads, max_bytes)?;
    }
    let level = Level::search(space, length as usize, n_threads, clock);
    if let Some(level) = level.map_err(GenerateError::Limit)? {
        return Ok(level);
    }
    let table = generator.tables.full_within(&generator.spec.goal, options.metric, options, clock);
    let table = table.map_err(GenerateError::Limit)?;
    let max_length = table.map_or(0, |table| table.census().len() as Cost - 1);
    Err(GenerateError::TooLong { length, max_length })
}
