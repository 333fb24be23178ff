//! One beam search of a given width.
//!
//! Layer `g + 1` is made of the children of layer `g`, without those that are in layer `g - 1` or
//! there already, and of the rest as many as the width allows, those with the least keys. The first
//! layer with the goal ends it.
//!
//! 1. The parents are cut into *chunks*. For each, children are ranked without being made; what is
//!    kept of a child is its hash, its key and its parent. Children that would have been too many a
//!    layer ago are dropped here.
//! 2. By its hash a child falls into one of [`N_PARTS`] *parts*, so that equal ones meet in the same
//!    part, whose hash table fits into the cache.
//! 3. A histogram of keys has the threshold. Nothing is sorted.
//! 4. The children below it are made, part by part.
//!
//! All steps but the third are done by several threads. What belongs to which chunk and part, and in
//! what order, does not hang on their number, nor then does the result.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_tables::parallel::for_each_job;

use super::backpointers::{Link, Tree};
use super::evaluation::{Guide, Rank};

/// A board of a layer, of up to `S` cells.
#[derive(Clone, Copy)]
struct Node<const S: usize> {
    labels: [u8; S],
    rank: Rank,
    blank: u8,
    /// The number of the slide that would lead straight back; 4 for the start.
    back: u8,
}

/// A child that may become a node.
#[derive(Clone, Copy)]
struct Child {
    rank: Rank,
    link: Link,
}

/// What leads a beam: the ranks of boards, and what it costs to turn.
#[derive(Clone, Copy)]
struct Lead<'a> {
    guide: &'a Guide,
    turn: i32,
}

/// The children of some parents, by part.
struct Chunk {
    parts: Vec<Vec<Child>>,
    n_generated: u64,
    goal: Option<Link>,
    /// The least and the greatest key.
    keys: Option<(i32, i32)>,
}

/// The children whose hashes begin alike.
#[derive(Default)]
struct Part {
    /// Without duplicates.
    children: Vec<Child>,
    /// Hashes of the nodes of the layer, and of the one before it.
    hashes: Vec<u64>,
    older: Vec<u64>,
    /// A hash table; 0 is free.
    seen: Vec<u64>,
    /// How many children have each key, from the least on.
    histogram: Vec<u32>,
}

const PART_BITS: u32 = 6;

/// How many parts there are.
const N_PARTS: usize = 1 << PART_BITS;

/// The most chunks of a layer, and the fewest parents of a chunk unless the layer is smaller.
const MAX_CHUNKS: usize = 64;
const MIN_PARENTS: usize = 512;

/// Layers of fewer nodes are not worth starting threads for.
const MIN_NODES_FOR_THREADS: usize = 2_000;

/// How a beam ended.
pub(super) enum Ended {
    /// At the goal.
    Solved(Vec<Slide>),
    /// Without getting there in the given number of layers, or with no board left.
    Lost,
    /// The same, though every board found room: there is no shorter solution to be found.
    Exhausted,
    /// By a limit.
    Stopped(Limit),
}

/// What a beam may use.
pub(super) struct Means<'a> {
    pub(super) guide: &'a Guide,
    /// What is added to the key of a board when the blank turns.
    pub(super) turn: i32,
    pub(super) n_threads: usize,
    /// The most layers.
    pub(super) longest: usize,
    /// How many layers may go by without a board that is better than all before.
    pub(super) patience: usize,
    /// The most states to expand, all beams together.
    pub(super) max_expanded: Option<u64>,
    pub(super) stats: &'a mut Stats,
    pub(super) watch: &'a mut dyn Watch,
}

/// About how many bytes a beam takes for each board of its width, `S` being the size of a board.
pub(super) const fn bytes_per_node(size: usize) -> usize {
    // Two layers, children in chunks and in parts, two layers of hashes and their table, the crown
    // of the tree; vectors grow by doubling.
    2 * (size + 32) + 2 * (3 * 24 + 3 * 24) + 2 * 16 + 64 + 24 * 4
}

/// Searches with a width for each layer, by the number of layers before it.
pub(super) fn run<const S: usize>(
    start: &[u8],
    mut width_at: impl FnMut(usize) -> usize,
    means: Means<'_>,
) -> Ended {
    let mut beam = Beam::<S>::new(start, means);
    if beam.means.guide.rank(start).hash == beam.goal {
        return Ended::Solved(Vec::new());
    }
    loop {
        if beam.tree.depth() + 1 >= beam.means.longest {
            return beam.lost();
        }
        match beam.advance(width_at(beam.tree.depth())) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(ended) => return ended,
        }
    }
}

struct Beam<'a, const S: usize> {
    means: Means<'a>,
    /// The hash of the goal.
    goal: u64,
    nodes: Vec<Node<S>>,
    /// Where the next layer is made.
    spare: Vec<Node<S>>,
    chunks: Vec<Chunk>,
    parts: Vec<Part>,
    tree: Tree,
    /// Greater keys are dropped at once.
    cut: i32,
    /// The least key of all layers, and how many layers ago it was found.
    least: i32,
    n_since_least: usize,
    /// Whether every child has found room so far.
    is_whole: bool,
}

impl<'a, const S: usize> Beam<'a, S> {
    fn new(start: &[u8], means: Means<'a>) -> Self {
        let guide = means.guide;
        let mut labels = [0; S];
        labels[..start.len()].copy_from_slice(start);
        let rank = guide.rank(start);
        let blank = start.iter().position(|&label| label == guide.home()).unwrap_or(0) as u8;
        let mut parts: Vec<Part> = (0..N_PARTS).map(|_| Part::default()).collect();
        parts[part_of(rank.hash)].hashes.push(rank.hash);
        let goal: Vec<u8> = (0..start.len()).map(|cell| cell as u8).collect();
        Beam {
            goal: guide.rank(&goal).hash,
            means,
            nodes: vec![Node { labels, rank, blank, back: 4 }],
            spare: Vec::new(),
            chunks: Vec::new(),
            parts,
            tree: Tree::default(),
            cut: i32::MAX,
            least: i32::MAX,
            n_since_least: 0,
            is_whole: true,
        }
    }

    /// From a layer to the next one.
    fn advance(&mut self, width: usize) -> ControlFlow<Ended> {
        self.generate()?;
        // The cut is a guess, and may have been too low.
        let n_children = |chunks: &[Chunk]| -> usize { chunks.iter().map(Chunk::len).sum() };
        if self.cut < i32::MAX && n_children(&self.chunks) < width / 2 {
            self.cut = i32::MAX;
            self.generate()?;
        }
        self.means.stats.expanded += self.nodes.len() as u64;
        self.means.stats.generated +=
            self.chunks.iter().map(|chunk| chunk.n_generated).sum::<u64>();
        if let Some(link) = self.chunks.iter().find_map(|chunk| chunk.goal) {
            return ControlFlow::Break(Ended::Solved(self.tree.path(link)));
        }
        let keys = self.chunks.iter().filter_map(|chunk| chunk.keys);
        let Some(keys) = keys.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return ControlFlow::Break(self.lost());
        };
        // No layer is wider than what is left to expand.
        let most = self.means.max_expanded.unwrap_or(u64::MAX);
        let width = (width as u64).min(most.saturating_sub(self.means.stats.expanded)) as usize;
        if width == 0 {
            return ControlFlow::Break(Ended::Stopped(Limit::Nodes));
        }
        self.n_since_least = if keys.0 < self.least { 0 } else { self.n_since_least + 1 };
        self.least = self.least.min(keys.0);
        if self.n_since_least > self.means.patience {
            return ControlFlow::Break(Ended::Lost);
        }
        self.gather(keys)?;
        self.select(width, keys)
    }

    /// Ranks the children of all nodes.
    fn generate(&mut self) -> ControlFlow<Ended> {
        let per_chunk = self.nodes.len().div_ceil(MAX_CHUNKS).max(MIN_PARENTS);
        let n_chunks = self.nodes.len().div_ceil(per_chunk);
        self.chunks.resize_with(n_chunks, Chunk::new);
        let (goal, cut) = (self.goal, self.cut);
        let lead = Lead { guide: self.means.guide, turn: self.means.turn };
        let n_threads = self.n_threads();
        let jobs = self.chunks.iter_mut().zip(self.nodes.chunks(per_chunk)).enumerate();
        let work = |(at, (chunk, parents)): (usize, (&mut Chunk, &[Node<S>]))| {
            chunk.fill(lead, at * per_chunk, parents, goal, cut);
        };
        let go_on = poll(&mut self.means);
        share(n_threads, jobs, work, go_on).map_break(Ended::Stopped)
    }

    /// Brings the children of each part together, without duplicates.
    fn gather(&mut self, keys: (i32, i32)) -> ControlFlow<Ended> {
        let n_threads = self.n_threads();
        let chunks = &self.chunks;
        let work = |(at, part): (usize, &mut Part)| part.gather(at, chunks, keys);
        let jobs = self.parts.iter_mut().enumerate();
        share(n_threads, jobs, work, poll(&mut self.means)).map_break(Ended::Stopped)
    }

    /// Makes the next layer of the best.
    fn select(&mut self, width: usize, keys: (i32, i32)) -> ControlFlow<Ended> {
        let n_threads = self.n_threads();
        let threshold = Threshold::new(&self.parts, keys, width);
        let is_whole = threshold.n_at == usize::MAX;
        self.cut = if is_whole { i32::MAX } else { threshold.key };
        self.is_whole &= is_whole;
        let shares = threshold.shares(&self.parts, keys.0);
        let n_nodes: usize = shares.iter().map(|share| share.n_below + share.n_at).sum();
        if n_nodes == 0 {
            return ControlFlow::Break(self.lost());
        }
        let blank = Node { labels: [0; S], rank: Rank::default(), blank: 0, back: 4 };
        self.spare.resize(n_nodes, blank);
        let mut links = vec![Link::default(); n_nodes];
        let (mut nodes_left, mut links_left) = (&mut self.spare[..], &mut links[..]);
        let jobs: Vec<_> = self
            .parts
            .iter_mut()
            .zip(shares)
            .map(|(part, share)| {
                let n = share.n_below + share.n_at;
                let nodes = nodes_left.split_off_mut(..n).unwrap_or_default();
                let links = links_left.split_off_mut(..n).unwrap_or_default();
                (part, share, nodes, links)
            })
            .collect();
        let (guide, parents) = (self.means.guide, &self.nodes);
        let work =
            |(part, share, nodes, links): (&mut Part, Share, &mut [Node<S>], &mut [Link])| {
                part.make(guide, parents, threshold.key, share.n_at, nodes, links);
            };
        share(n_threads, jobs.into_iter(), work, poll(&mut self.means))
            .map_break(Ended::Stopped)?;
        self.tree.push(links);
        std::mem::swap(&mut self.nodes, &mut self.spare);
        let bytes = (n_nodes * bytes_per_node(S) + self.tree.bytes()) as u64;
        self.means.stats.peak_bytes = self.means.stats.peak_bytes.max(bytes);
        self.means.stats.max_open = self.means.stats.max_open.max(n_nodes as u64);
        ControlFlow::Continue(())
    }

    fn lost(&self) -> Ended {
        if self.is_whole { Ended::Exhausted } else { Ended::Lost }
    }

    fn n_threads(&self) -> usize {
        if self.nodes.len() < MIN_NODES_FOR_THREADS { 1 } else { self.means.n_threads }
    }
}

/// Runs `work` for each job on up to `n_threads` threads, and polls between two jobs.
fn share<J: Send>(
    n_threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) + Sync,
    poll: impl FnMut() -> ControlFlow<Limit>,
) -> ControlFlow<Limit> {
    match for_each_job(n_threads, jobs, poll, |job, _| work(job)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(limit) => ControlFlow::Break(limit),
    }
}

/// Asks the watch, and counts nodes, between two jobs.
fn poll(means: &mut Means<'_>) -> impl FnMut() -> ControlFlow<Limit> {
    let is_spent = means.max_expanded.is_some_and(|most| means.stats.expanded >= most);
    let (watch, stats) = (&mut *means.watch, *means.stats);
    move || if is_spent { ControlFlow::Break(Limit::Nodes) } else { watch.poll(&stats) }
}

fn part_of(hash: u64) -> usize {
    (hash >> (u64::BITS - PART_BITS)) as usize
}

impl Chunk {
    fn new() -> Chunk {
        Chunk { parts: vec![Vec::new(); N_PARTS], n_generated: 0, goal: None, keys: None }
    }

    fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Ranks the children of some parents, the first of which has this number.
    fn fill<const S: usize>(
        &mut self,
        Lead { guide, turn }: Lead<'_>,
        first: usize,
        parents: &[Node<S>],
        goal: u64,
        cut: i32,
    ) {
        self.parts.iter_mut().for_each(Vec::clear);
        (self.n_generated, self.goal) = (0, None);
        let (mut least, mut greatest) = (i32::MAX, i32::MIN);
        for (number, parent) in (first..).zip(parents) {
            let ahead = Slide::ALL.get(usize::from(parent.back)).map(|back| back.opposite());
            for slide in 0..Slide::ALL.len() {
                let Some(from) = guide.source(parent.blank, slide) else { continue };
                if slide == usize::from(parent.back) {
                    continue;
                }
                let mut rank = guide.step(parent.rank, &parent.labels, parent.blank, from);
                if ahead != Some(Slide::ALL[slide]) {
                    rank.key += turn;
                }
                self.n_generated += 1;
                let link = Link::new(number, slide);
                if rank.hash == goal && self.goal.is_none() {
                    self.goal = Some(link);
                }
                if rank.key <= cut {
                    (least, greatest) = (least.min(rank.key), greatest.max(rank.key));
                    self.parts[part_of(rank.hash)].push(Child { rank, link });
                }
            }
        }
        self.keys = (least <= greatest).then_some((least, greatest));
    }
}

impl Part {
    /// Takes its children out of the chunks, each board once and none of two layers ago.
    fn gather(&mut self, at: usize, chunks: &[Chunk], (least, greatest): (i32, i32)) {
        self.children.clear();
        self.histogram.clear();
        self.histogram.resize(greatest.abs_diff(least) as usize + 1, 0);
        let n_most: usize = chunks.iter().map(|chunk| chunk.parts[at].len()).sum();
        let n_slots = (2 * (n_most + self.older.len())).next_power_of_two();
        self.seen.clear();
        self.seen.resize(n_slots, 0);
        for &hash in &self.older {
            is_new(&mut self.seen, hash);
        }
        for child in chunks.iter().flat_map(|chunk| &chunk.parts[at]) {
            if is_new(&mut self.seen, child.rank.hash) {
                self.children.push(*child);
                self.histogram[child.rank.key.abs_diff(least) as usize] += 1;
            }
        }
    }

    /// Makes the children below the threshold, and so many at it.
    fn make<const S: usize>(
        &mut self,
        guide: &Guide,
        parents: &[Node<S>],
        threshold: i32,
        mut n_at: usize,
        nodes: &mut [Node<S>],
        links: &mut [Link],
    ) {
        std::mem::swap(&mut self.older, &mut self.hashes);
        self.hashes.clear();
        let mut slots = nodes.iter_mut().zip(links);
        for child in &self.children {
            let is_taken = child.rank.key < threshold || child.rank.key == threshold && n_at > 0;
            if !is_taken {
                continue;
            }
            n_at -= usize::from(child.rank.key == threshold);
            let Some((node, link)) = slots.next() else { return };
            *node = parents[child.link.parent()];
            let slide = child.link.slide();
            // There is such a slide, or there would be no such child.
            let from = guide.source(node.blank, slide).unwrap_or(node.blank);
            node.labels[usize::from(node.blank)] = node.labels[usize::from(from)];
            node.labels[usize::from(from)] = guide.home();
            node.blank = from;
            node.back = Slide::ALL[slide].opposite() as u8;
            node.rank = child.rank;
            *link = child.link;
            self.hashes.push(child.rank.hash);
        }
    }
}

/// Puts a hash into a table of a power of two slots, half of them free; whether it was not there.
#[inline(always)]
fn is_new(seen: &mut [u64], hash: u64) -> bool {
    let mask = seen.len() - 1;
    // A hash of 0 would be a free slot.
    let hash = hash.max(1);
    let mut at = hash as usize & mask;
    loop {
        match seen[at] {
            0 => {
                seen[at] = hash;
                return true;
            }
            known if known == hash => return false,
            _ => at = (at + 1) & mask,
        }
    }
}

/// Up to which key children are taken.
struct Threshold {
    key: i32,
    /// How many of those that have exactly this key.
    n_at: usize,
}

/// What a part takes.
struct Share {
    n_below: usize,
    n_at: usize,
}

impl Threshold {
    fn new(parts: &[Part], (least, greatest): (i32, i32), width: usize) -> Threshold {
        let mut n_left = width;
        for (key, at) in (least..=greatest).zip(0..) {
            let n_here: usize = parts.iter().map(|part| part.histogram[at] as usize).sum();
            if n_here > n_left {
                return Threshold { key, n_at: n_left };
            }
            n_left -= n_here;
        }
        Threshold { key: greatest, n_at: usize::MAX }
    }

    /// Those at the threshold are taken from the first parts.
    fn shares(&self, parts: &[Part], least: i32) -> Vec<Share> {
        let at = self.key.abs_diff(least) as usize;
        let mut n_left = self.n_at;
        let share = |part: &Part| {
            let n_below = part.histogram[..at].iter().map(|&n| n as usize).sum();
            let n_at = n_left.min(part.histogram[at] as usize);
            n_left -= n_at;
            Share { n_below, n_at }
        };
        parts.iter().map(share).collect()
    }
}
