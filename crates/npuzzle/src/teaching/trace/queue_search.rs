//! Records the steps of a search with a queue: a priority queue, a queue or a stack.
//!
//! This is a plain version of [`BestFirst`](npuzzle_core::search::BestFirst) that stores every node. A
//! test compares their counts. As there, a state may be in the queue several times. The first of these
//! nodes that leaves is expanded, and the others are dropped when they leave.

use std::collections::HashMap;

use npuzzle_core::search::{Cost, DuplicateCheck, Duplicates, Heuristic, Problem, Watch};
use npuzzle_core::{Board, Slide, Sliding};

use super::node_queue::NodeQueue;
use super::step::{NodeOutcome, TraceEnd, TraceNode, TraceStep};
use super::{GoalTest, Trace, TraceAlgorithm, Tracer};

/// Traces a search with a queue. `trace` is empty.
pub(super) fn trace<H: Heuristic<Sliding<Board>>>(
    tracer: &Tracer,
    problem: &Sliding<Board>,
    heuristic: &H,
    trace: Trace,
    watch: &mut dyn Watch,
) -> Trace {
    let queue = NodeQueue::new(tracer.algorithm, tracer.tie_break);
    let (closed, entered) = (HashMap::new(), HashMap::new());
    let mut search =
        QueueSearch { tracer, problem, heuristic, trace, queue, closed, entered, n_dropped: 0 };
    let start = search.add_node(problem.start(), None, None);
    search.push(start);
    let end = loop {
        if let Some(end) = tracer.limit_reached(&search.trace, &search.trace.stats, watch) {
            break end;
        }
        if let Some(end) = search.step() {
            break end;
        }
    };
    Trace { end, ..search.trace }
}

/// The state of the search.
struct QueueSearch<'a, H> {
    tracer: &'a Tracer,
    problem: &'a Sliding<Board>,
    heuristic: &'a H,
    trace: Trace,
    queue: NodeQueue,
    /// The expanded states, each with its smallest cost so far. Empty without a closed list.
    closed: HashMap<Board, Cost>,
    /// The states that have entered the queue, each with its smallest cost. Empty unless children are
    /// compared with them.
    entered: HashMap<Board, Cost>,
    /// The number of nodes that left the queue as duplicates.
    n_dropped: u64,
}

impl<H: Heuristic<Sliding<Board>>> QueueSearch<'_, H> {
    /// Takes a node out of the queue and processes it. Returns the end of the search, if this is it.
    fn step(&mut self) -> Option<TraceEnd> {
        let Some(popped) = self.queue.pop() else { return Some(TraceEnd::Exhausted) };
        self.trace.stats.dequeued += 1;
        let node = &self.trace.nodes[popped];
        let outcome = if self.is_duplicate(&node.board, node.g) {
            NodeOutcome::Duplicate
        } else if self.problem.is_goal(&node.board) {
            NodeOutcome::Goal
        } else if self.tracer.depth_limit.is_some_and(|limit| node.g >= limit) {
            NodeOutcome::Pruned
        } else {
            NodeOutcome::Expanded
        };
        let (pushed, refused) = (Vec::new(), Vec::new());
        let mut step = TraceStep { popped, outcome, pushed, refused, back: None, goal: None };
        let number = self.trace.steps.len() + 1;
        match outcome {
            NodeOutcome::Duplicate => {
                self.trace.stats.duplicates += 1;
                self.n_dropped += 1;
            }
            NodeOutcome::Goal => self.trace.nodes[popped].expanded = Some(number),
            NodeOutcome::Pruned => {}
            NodeOutcome::Expanded => {
                self.trace.nodes[popped].expanded = Some(number);
                self.expand(&mut step);
            }
        }
        self.update_sizes();
        let is_goal = outcome == NodeOutcome::Goal || step.goal.is_some();
        self.trace.steps.push(step);
        is_goal.then_some(TraceEnd::Goal)
    }

    /// Generates the children of a node, up to the goal if it is tested at generation.
    fn expand(&mut self, step: &mut TraceStep) {
        let TraceNode { board, slide, parent, g, .. } = self.trace.nodes[step.popped].clone();
        self.trace.stats.expanded += 1;
        if self.tracer.duplicates == Duplicates::Closed
            && self.closed.insert(board.clone(), g).is_some()
        {
            self.trace.stats.reopened += 1;
        }
        let mut undo = None;
        if self.tracer.duplicates != Duplicates::None {
            step.back = parent;
            undo = slide.map(|slide| self.problem.inverse(slide));
        }
        let slides: Vec<Slide> = self.problem.actions(&board).collect();
        for slide in slides.into_iter().filter(|&slide| Some(slide) != undo) {
            let mut child = board.clone();
            self.problem.apply(&mut child, slide);
            self.trace.stats.generated += 1;
            let is_goal = self.problem.is_goal(&child);
            let is_refused = self.is_duplicate(&child, g + 1) || self.has_entered(&child, g + 1);
            let number = self.add_node(child, Some(slide), Some(step.popped));
            if self.tracer.goal_test == GoalTest::Generation && is_goal {
                step.goal = Some(number);
                return;
            }
            if is_refused {
                self.trace.nodes[number].is_refused = true;
                self.trace.stats.duplicates += 1;
                step.refused.push(number);
            } else {
                self.push(number);
                step.pushed.push(number);
            }
        }
    }

    /// Returns whether a state has been expanded before, by a path that need not be replaced.
    fn is_duplicate(&self, board: &Board, g: Cost) -> bool {
        // A depth limit makes short paths necessary, and priority queues with `g` in their key prefer
        // them. Only greedy search ignores the lengths of paths.
        let reopens = self.tracer.algorithm != TraceAlgorithm::Greedy;
        self.closed.get(board).is_some_and(|&known| !(reopens && g < known))
    }

    /// Returns whether a child is refused because its state has entered the queue before.
    fn has_entered(&self, board: &Board, g: Cost) -> bool {
        let reopens =
            !matches!(self.tracer.algorithm, TraceAlgorithm::Greedy | TraceAlgorithm::Dfs);
        self.entered.get(board).is_some_and(|&known| !(reopens && g < known))
    }

    /// Adds a node to the trace and returns its number.
    fn add_node(&mut self, board: Board, slide: Option<Slide>, parent: Option<usize>) -> usize {
        let g = parent.map_or(0, |parent| self.trace.nodes[parent].g + 1);
        let h = self.heuristic.value(&self.heuristic.eval(&board));
        // Depth-first search has no key; the depth takes its place.
        let f = self.tracer.evaluation().map_or(g, |evaluation| evaluation.key(g, h));
        let node = TraceNode { board, slide, parent, g, h, f, expanded: None, is_refused: false };
        self.trace.nodes.push(node);
        self.trace.nodes.len() - 1
    }

    fn push(&mut self, number: usize) {
        self.trace.stats.enqueued += 1;
        let node = &self.trace.nodes[number];
        self.queue.push(node.f, number);
        if self.tracer.duplicates == Duplicates::Closed && self.tracer.check == DuplicateCheck::Open
        {
            self.entered.insert(node.board.clone(), node.g);
        }
    }

    /// Updates the counters that measure the queue and the memory.
    fn update_sizes(&mut self) {
        let (stats, cells) = (&mut self.trace.stats, self.trace.instance.dims().cells());
        stats.open = self.queue.len() as u64;
        stats.max_open = stats.max_open.max(stats.open);
        stats.max_states = stats.max_states.max(stats.enqueued - self.n_dropped);
        // A hash table and a queue grow by doubling, and every board is an allocation.
        let per_state = 2 * size_of::<(Board, Cost)>() + 2 * cells + 16;
        let n_states = self.closed.len() + self.entered.len();
        let bytes = n_states * per_state + 2 * size_of::<(Cost, usize)>() * self.queue.len();
        stats.peak_bytes = stats.peak_bytes.max(bytes as u64);
    }
}
