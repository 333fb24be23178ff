//! The boards at one distance from the goal, any of which can be picked.

use npuzzle_core::search::{Limit, Watch};

use super::{FullSpace, Ranker, build};

/// So many words are counted together.
const CHUNK: usize = 512;

/// All boards of a space at one distance from the goal, numbered from 0.
///
/// ```
/// use npuzzle_core::{Cell, Dims, Metric};
/// use npuzzle_tables::{FullSpace, Level};
/// let space = FullSpace::new(Dims::new(3, 3)?, Cell::new(0), Metric::Stm).expect("nine cells fit");
/// let hardest = Level::search(space, 31, 1, &mut ()).expect("nobody stops it");
/// assert_eq!(hardest.map(|level| level.len()), Some(2));
/// # Ok::<(), npuzzle_core::DimsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    ranker: Ranker,
    /// One bit for every order, by cell of the blank.
    planes: Vec<Vec<u64>>,
    /// Orders that share a word.
    n_bits: usize,
    /// How many boards there are before each chunk of each plane.
    before: Vec<u64>,
    len: u64,
}

impl Level {
    /// Searches all boards up to this distance; `None` if there is none so far away.
    pub fn search(
        space: FullSpace,
        distance: usize,
        n_threads: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Level>, Limit> {
        let FullSpace { dims, home, metric } = space;
        let Some(planes) = build::search_level(dims, home, metric, distance, n_threads, watch)?
        else {
            return Ok(None);
        };
        let ranker = Ranker::new(space);
        let n_words = planes.first().map_or(1, Vec::len);
        let mut len = 0;
        let mut before = Vec::new();
        for chunk in planes.iter().flat_map(|plane| plane.chunks(CHUNK)) {
            before.push(len);
            len += chunk.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        Ok(Some(Level { ranker, n_bits: ranker.n_orders / n_words, planes, before, len }))
    }

    /// How many boards there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Never: a level has boards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The labels by cell of the board with this number.
    pub fn labels(&self, number: u64) -> Option<Vec<u8>> {
        if number >= self.len {
            return None;
        }
        let at = self.before.partition_point(|&before| before <= number) - 1;
        let n_chunks = self.planes.first()?.chunks(CHUNK).len();
        let (blank, chunk) = (at / n_chunks, at % n_chunks);
        let mut left = number - self.before[at];
        let words = self.planes.get(blank)?.iter().enumerate().skip(chunk * CHUNK);
        for (word, &bits) in words {
            let n_here = u64::from(bits.count_ones());
            if left >= n_here {
                left -= n_here;
                continue;
            }
            let set = (0..self.n_bits).filter(|bit| bits >> bit & 1 == 1).nth(left as usize)?;
            return Some(self.ranker.labels(blank, word * self.n_bits + set));
        }
        None
    }
}
