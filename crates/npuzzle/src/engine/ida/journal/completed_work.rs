//! The completed work that the lines of a journal record.

use std::collections::HashSet;

use npuzzle_core::search::Cost;
use npuzzle_core::{Instance, Moves};

use super::{CompletedRound, CompletedSubtree, CurrentRound, JournalOptions};
use crate::engine::ida::bounded_dfs::NodeCounts;
use crate::engine::upper_bound::KnownSolution;

/// The maximum bound: searches with a journal are of boards of up to 25 cells.
const MAX_BOUND: Cost = 1 << 10;

/// The maximum number of states: more than any search generates, and far from an overflow.
const MAX_STATES: u64 = 1 << 60;

/// The completed work that the lines of a journal record.
#[derive(Default)]
pub(super) struct CompletedWork {
    pub(super) rounds: Vec<CompletedRound>,
    pub(super) current: Option<CurrentRound>,
    pub(super) known: KnownSolution,
    pub(super) options: Option<JournalOptions>,
    /// The indices of the completed subtrees of the current round.
    indices: HashSet<usize>,
    /// The number of all states.
    n_states: u64,
}

impl CompletedWork {
    /// Adds a line of the search of this instance. Returns `None` if no search writes such a line. Unknown lines,
    /// of a later version, are ignored.
    pub(super) fn add(&mut self, line: &str, instance: &Instance) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let bound = |at: usize| {
            let bound: Cost = words.get(at)?.parse().ok()?;
            Some(bound).filter(|&bound| bound <= MAX_BOUND)
        };
        match words[0] {
            "round" => {
                let (bound, counts) = (bound(1)?, self.counts(words.get(2..)?)?);
                self.known
                    .moves
                    .as_ref()
                    .is_none_or(|known| (bound as usize) < known.stm())
                    .then_some(())?;
                self.rounds.push(CompletedRound { bound, counts });
                self.current = None;
            }
            "cut" => {
                let n_subtrees = words.get(2)?.parse().ok()?;
                let tables = words.get(3)?.to_string();
                let checksum = u32::from_str_radix(words.get(4)?, 16).ok()?;
                let (bound, completed) = (bound(1)?, Vec::new());
                self.current =
                    Some(CurrentRound { bound, n_subtrees, checksum, tables, completed });
                self.indices.clear();
            }
            "slice" => {
                let (bound, index) = (bound(1)?, words.get(2)?.parse().ok()?);
                let counts = self.counts(words.get(3..)?)?;
                if let Some(round) = self.current.as_mut().filter(|round| round.bound == bound) {
                    if index >= round.n_subtrees {
                        return None;
                    }
                    if self.indices.insert(index) {
                        round.completed.push(CompletedSubtree { index, counts });
                    }
                }
            }
            "options" => {
                let value = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
                // Values of a later version are ignored.
                let tables = value("tables=").and_then(|name| name.parse().ok());
                let threads = value("threads=").and_then(|number| number.parse().ok());
                let tables = tables.unwrap_or_default();
                self.options = Some(JournalOptions { tables, threads });
            }
            "incumbent" => {
                let moves: Moves = words.get(2..)?.concat().parse().ok()?;
                let moves = Some(moves).filter(|moves| !moves.is_empty());
                // The completed rounds have proved that no solution is shorter.
                let proved = self.rounds.last().map_or(0, |round| round.bound as usize);
                let is_solution = |moves: &Moves| {
                    moves.stm() > proved
                        && moves.replay(instance.start()).as_ref() == Ok(instance.goal())
                };
                moves.as_ref().is_none_or(is_solution).then_some(())?;
                self.known = KnownSolution { moves, width: words.get(1)?.parse().ok()? };
            }
            _ => {}
        }
        Some(())
    }

    /// The counts of a completed round or subtree.
    fn counts(&mut self, words: &[&str]) -> Option<NodeCounts> {
        let [expanded, generated] = [words.first()?.parse().ok()?, words.get(1)?.parse().ok()?];
        let n_states = self.n_states.checked_add(expanded)?.checked_add(generated)?;
        self.n_states = Some(n_states).filter(|&n| n <= MAX_STATES)?;
        Some(NodeCounts { expanded, generated })
    }
}
