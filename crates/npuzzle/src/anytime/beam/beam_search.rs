//! One beam search, with a given width for each layer.
//!
//! Beam search is breadth-first search that keeps only the best boards of each layer. Layer `g + 1`
//! consists of the children of layer `g`, without duplicates and without boards of layer `g - 1`; if
//! there are more than the width allows, those with the smallest keys remain. The first layer that
//! contains the goal ends the search. A layer takes four steps:
//!
//! 1. Score. The parents are split into *chunks*. Children are scored but not created: a
//!    [`Candidate`](super::candidates::Candidate) is a key, a hash and a backpointer. Candidates worse
//!    than the threshold of the layer before are dropped here.
//! 2. Deduplicate. The leading bits of its hash assign a candidate to one of [`N_PARTITIONS`]
//!    *partitions*. Equal boards meet in the same partition, whose hash table fits into the cache.
//! 3. Select. A histogram of keys yields the threshold; nothing is sorted. Narrow layers have no histogram.
//! 4. Create. The boards of the selected candidates are created, partition by partition.
//!
//! All steps except the third run on several threads. The content and the order of chunks and
//! partitions do not depend on the number of threads, so neither does the result.

use std::ops::ControlFlow;

use npuzzle_core::Slide;
use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_tables::parallel::for_each_job;

use super::backpointers::{Backpointer, Backpointers};
use super::candidates::{BeamNode, Chunk, N_PARTITIONS, NO_SLIDE, Scoring, partition_of};
use super::evaluation::{Evaluator, Score};
use super::partition::{HashPartition, KeyThreshold, Quota};

/// The maximum number of chunks of a layer, and the minimum number of parents in a chunk unless the
/// layer has fewer.
const MAX_CHUNKS: usize = 64;
const MIN_PARENTS_PER_CHUNK: usize = 512;

/// Layers with fewer nodes are not worth starting threads.
const MIN_NODES_FOR_THREADS: usize = 2_000;

/// In layers with fewer candidates the keys are compared directly: the histograms would have more entries than there are
/// candidates.
const MIN_CANDIDATES_FOR_HISTOGRAM: usize = 20_000;

/// How a beam ended.
pub(super) enum BeamEnd {
    /// It reached the goal.
    Solved(Vec<Slide>),
    /// It did not reach the goal within its layer limit, or had no board left.
    Lost,
    /// It did not reach the goal although no board was dropped: there is no solution within the layer limit.
    Exhausted,
    /// A limit stopped it.
    Stopped(Limit),
}

/// The parameters of a beam, and the statistics it updates.
pub(super) struct BeamConfig<'a> {
    pub(super) evaluator: &'a Evaluator,
    /// Added to the key of a board when the blank turns.
    pub(super) turn_cost: i32,
    pub(super) n_threads: usize,
    /// Solutions must have fewer slides.
    pub(super) slide_limit: usize,
    /// The number of layers without a new smallest key after which the beam is given up.
    pub(super) max_stalled_layers: usize,
    /// The maximum number of boards expanded, including those already counted in `stats`.
    pub(super) max_expanded: Option<u64>,
    pub(super) stats: &'a mut Stats,
    pub(super) watch: &'a mut dyn Watch,
}

/// An estimate of the memory that a beam needs for each board of its width, in bytes. `size` is the
/// number of cells that a node has room for.
pub(super) const fn bytes_per_node(size: usize) -> usize {
    // Two layers of nodes, candidates in chunks and in partitions, two layers of hashes, the hash
    // tables, the backpointers of the last layers. Vectors grow by doubling.
    2 * (size + 32) + 2 * (3 * 24 + 3 * 24) + 2 * 16 + 64 + 24 * 4
}

/// Runs a beam. `width_at` returns the width of a layer, given the number of layers before it.
pub(super) fn beam_search<const S: usize>(
    start: &[u8],
    mut width_at: impl FnMut(usize) -> usize,
    config: BeamConfig<'_>,
) -> BeamEnd {
    let mut beam = BeamSearch::<S>::new(start, config);
    if beam.config.evaluator.score(start).hash == beam.goal_hash {
        return BeamEnd::Solved(Vec::new());
    }
    loop {
        if beam.backpointers.depth() + 1 >= beam.config.slide_limit {
            return beam.unsolved();
        }
        let width = width_at(beam.backpointers.depth());
        if let ControlFlow::Break(end) = beam.advance(width) {
            return end;
        }
    }
}

/// The state of a beam between two layers.
pub(super) struct BeamSearch<'a, const S: usize> {
    config: BeamConfig<'a>,
    goal_hash: u64,
    pub(super) nodes: Vec<BeamNode<S>>,
    /// Where the next layer is created.
    next_nodes: Vec<BeamNode<S>>,
    chunks: Vec<Chunk>,
    partitions: Vec<HashPartition>,
    backpointers: Backpointers,
    /// Candidates with larger keys are dropped when they are scored.
    max_key: i32,
    /// The smallest key of all layers, and the number of layers since it was found.
    best_key: i32,
    n_stalled_layers: usize,
    /// Whether no board has been dropped so far.
    is_complete: bool,
}

impl<'a, const S: usize> BeamSearch<'a, S> {
    pub(super) fn new(start: &[u8], config: BeamConfig<'a>) -> Self {
        let evaluator = config.evaluator;
        let mut labels = [0; S];
        labels[..start.len()].copy_from_slice(start);
        let score = evaluator.score(start);
        let blank =
            start.iter().position(|&label| label == evaluator.blank_label()).unwrap_or(0) as u8;
        let mut partitions: Vec<HashPartition> =
            (0..N_PARTITIONS).map(|_| HashPartition::default()).collect();
        partitions[partition_of(score.hash)].insert_start(score.hash);
        let goal: Vec<u8> = (0..start.len()).map(|cell| cell as u8).collect();
        BeamSearch {
            goal_hash: evaluator.score(&goal).hash,
            config,
            nodes: vec![BeamNode { labels, score, blank, reverse: NO_SLIDE }],
            next_nodes: Vec::new(),
            chunks: Vec::new(),
            partitions,
            backpointers: Backpointers::default(),
            max_key: i32::MAX,
            best_key: i32::MAX,
            n_stalled_layers: 0,
            is_complete: true,
        }
    }

    /// Replaces the layer by the next one.
    pub(super) fn advance(&mut self, width: usize) -> ControlFlow<BeamEnd> {
        self.score_children()?;
        // The cutoff is the threshold of the layer before, which may be too low for this one.
        let n_candidates = |chunks: &[Chunk]| -> usize { chunks.iter().map(Chunk::len).sum() };
        if self.max_key < i32::MAX && n_candidates(&self.chunks) < width / 2 {
            self.max_key = i32::MAX;
            self.score_children()?;
        }
        let stats = &mut *self.config.stats;
        stats.expanded += self.nodes.len() as u64;
        stats.generated += self.chunks.iter().map(|chunk| chunk.n_generated).sum::<u64>();
        if let Some(goal) = self.chunks.iter().find_map(|chunk| chunk.goal) {
            return ControlFlow::Break(BeamEnd::Solved(self.backpointers.path(goal)));
        }
        let key_ranges = self.chunks.iter().filter_map(|chunk| chunk.key_range);
        let Some(key_range) = key_ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return ControlFlow::Break(self.unsolved());
        };
        // A layer is never wider than the number of boards that may still be expanded.
        let max_expanded = self.config.max_expanded.unwrap_or(u64::MAX);
        let nodes_left = max_expanded.saturating_sub(self.config.stats.expanded);
        let width = (width as u64).min(nodes_left) as usize;
        if width == 0 {
            return ControlFlow::Break(BeamEnd::Stopped(Limit::Nodes));
        }
        let is_better = key_range.0 < self.best_key;
        self.n_stalled_layers = if is_better { 0 } else { self.n_stalled_layers + 1 };
        self.best_key = self.best_key.min(key_range.0);
        if self.n_stalled_layers > self.config.max_stalled_layers {
            return ControlFlow::Break(BeamEnd::Lost);
        }
        let has_histogram = n_candidates(&self.chunks) >= MIN_CANDIDATES_FOR_HISTOGRAM;
        let key_range = has_histogram.then_some(key_range);
        self.deduplicate(key_range)?;
        self.select(width, key_range)
    }

    /// Step 1: scores the children of all nodes.
    fn score_children(&mut self) -> ControlFlow<BeamEnd> {
        let per_chunk = self.nodes.len().div_ceil(MAX_CHUNKS).max(MIN_PARENTS_PER_CHUNK);
        let n_chunks = self.nodes.len().div_ceil(per_chunk);
        self.chunks.resize_with(n_chunks, Chunk::new);
        let scoring = Scoring {
            evaluator: self.config.evaluator,
            turn_cost: self.config.turn_cost,
            goal_hash: self.goal_hash,
            max_key: self.max_key,
        };
        let n_threads = self.n_threads();
        let jobs = self.chunks.iter_mut().zip(self.nodes.chunks(per_chunk)).enumerate();
        let work = |(at, (chunk, parents)): (usize, (&mut Chunk, &[BeamNode<S>]))| {
            chunk.fill(scoring, at * per_chunk, parents);
        };
        run_jobs(n_threads, jobs, work, &mut self.config)
    }

    /// Step 2: collects the candidates of each partition, without duplicates.
    fn deduplicate(&mut self, key_range: Option<(i32, i32)>) -> ControlFlow<BeamEnd> {
        let n_threads = self.n_threads();
        let chunks = &self.chunks;
        let work =
            |(at, partition): (usize, &mut HashPartition)| partition.collect(at, chunks, key_range);
        let jobs = self.partitions.iter_mut().enumerate();
        run_jobs(n_threads, jobs, work, &mut self.config)
    }

    /// Steps 3 and 4: selects the best candidates and creates their boards.
    fn select(&mut self, width: usize, key_range: Option<(i32, i32)>) -> ControlFlow<BeamEnd> {
        let threshold = KeyThreshold::new(&self.partitions, key_range, width);
        self.max_key = if threshold.selects_all() { i32::MAX } else { threshold.key };
        self.is_complete &= threshold.selects_all();
        let quotas = threshold.quotas(&self.partitions, key_range);
        let n_nodes: usize = quotas.iter().map(Quota::n_nodes).sum();
        if n_nodes == 0 {
            return ControlFlow::Break(self.unsolved());
        }
        self.create_layer(threshold.key, quotas, n_nodes)?;
        let bytes = (n_nodes * bytes_per_node(S) + self.backpointers.bytes()) as u64;
        let stats = &mut *self.config.stats;
        stats.peak_bytes = stats.peak_bytes.max(bytes);
        stats.max_open = stats.max_open.max(n_nodes as u64);
        ControlFlow::Continue(())
    }

    /// Step 4: creates the boards of the next layer.
    fn create_layer(
        &mut self,
        threshold: i32,
        quotas: Vec<Quota>,
        n_nodes: usize,
    ) -> ControlFlow<BeamEnd> {
        let n_threads = self.n_threads();
        let empty =
            BeamNode { labels: [0; S], score: Score::default(), blank: 0, reverse: NO_SLIDE };
        self.next_nodes.resize(n_nodes, empty);
        let mut backpointers = vec![Backpointer::default(); n_nodes];
        let (mut nodes_left, mut pointers_left) = (&mut self.next_nodes[..], &mut backpointers[..]);
        let jobs: Vec<_> = self
            .partitions
            .iter_mut()
            .zip(quotas)
            .map(|(partition, quota)| {
                let n = quota.n_nodes();
                let nodes = nodes_left.split_off_mut(..n).unwrap_or_default();
                let pointers = pointers_left.split_off_mut(..n).unwrap_or_default();
                (partition, quota.n_at, nodes, pointers)
            })
            .collect();
        let (evaluator, parents) = (self.config.evaluator, &self.nodes);
        type Job<'j, const S: usize> =
            (&'j mut HashPartition, usize, &'j mut [BeamNode<S>], &'j mut [Backpointer]);
        let work = |(partition, n_at, nodes, pointers): Job<'_, S>| {
            partition.create_nodes(evaluator, parents, threshold, n_at, nodes, pointers);
        };
        run_jobs(n_threads, jobs.into_iter(), work, &mut self.config)?;
        self.backpointers.push(backpointers);
        std::mem::swap(&mut self.nodes, &mut self.next_nodes);
        ControlFlow::Continue(())
    }

    fn unsolved(&self) -> BeamEnd {
        if self.is_complete { BeamEnd::Exhausted } else { BeamEnd::Lost }
    }

    fn n_threads(&self) -> usize {
        if self.nodes.len() < MIN_NODES_FOR_THREADS { 1 } else { self.config.n_threads }
    }
}

/// Runs `work` for each job on up to `n_threads` threads. Checks the watch and the node limit between
/// two jobs.
fn run_jobs<J: Send>(
    n_threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) + Sync,
    config: &mut BeamConfig<'_>,
) -> ControlFlow<BeamEnd> {
    let is_spent = config.max_expanded.is_some_and(|max| config.stats.expanded >= max);
    let poll = || match is_spent {
        true => ControlFlow::Break(Limit::Nodes),
        false => config.watch.poll(config.stats),
    };
    match for_each_job(n_threads, jobs, poll, |job, _| work(job)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(limit) => ControlFlow::Break(BeamEnd::Stopped(limit)),
    }
}
