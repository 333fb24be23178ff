//! Records the steps of a best-first search.

use std::collections::HashMap;

use npuzzle_core::queue::{ArrayHeap, BucketQueue, FifoHeap, MinQueue};
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Duplicates, Event, Heuristic, OpenNode, Settings, Step, Watch,
};
use npuzzle_core::{Board, Instance, Slide, Sliding};

use crate::tables::cache::Tables;

use super::node_queue::NodeQueue;
use super::step::{NodeOutcome, TraceEnd, TraceNode, TraceStep};
use super::{TieBreak, Trace, TraceError, Tracer};

/// Traces a search with a queue.
pub(super) fn trace(
    tracer: &Tracer,
    instance: &Instance,
    tables: &mut Tables,
    watch: &mut dyn Watch,
) -> Result<Trace, TraceError> {
    let evaluation = tracer.evaluation()?;
    let settings = Settings { evaluation, duplicates: tracer.duplicates, budget: Budget::NONE };
    let h = tracer.build_heuristic(instance, tables, watch)?;
    type Open = OpenNode<Slide>;
    Ok(match tracer.tie_break {
        TieBreak::Fifo => run::<_, FifoHeap<Cost, Open>>(tracer, instance, &h, settings, watch),
        TieBreak::Lifo => run::<_, BucketQueue<Open>>(tracer, instance, &h, settings, watch),
        TieBreak::Heap => run::<_, ArrayHeap<Cost, Open>>(tracer, instance, &h, settings, watch),
    })
}

fn run<H, Q>(
    tracer: &Tracer,
    instance: &Instance,
    heuristic: &H,
    settings: Settings,
    watch: &mut dyn Watch,
) -> Trace
where
    H: Heuristic<Sliding<Board>>,
    Q: MinQueue<Cost, OpenNode<Slide>>,
{
    let Some(problem) = Sliding::<Board>::new(instance) else {
        unreachable!("a board of any size is an arrangement")
    };
    let mut search = BestFirst::<_, _, Q>::new(&problem, heuristic, settings);
    let mut recorder = Recorder::new(instance.clone(), tracer.tie_break, tracer.duplicates);
    let end = loop {
        if let Some(end) = tracer.limit_reached(&recorder.trace, search.stats(), watch) {
            break end;
        }
        let mut events = Vec::new();
        let step = search.step(&mut |event: Event<'_, Sliding<Board>>| {
            events.push(RecordedEvent::new(event));
        });
        recorder.record(events, step);
        match step {
            Step::Expanded | Step::Dropped => {}
            Step::Goal => break TraceEnd::Goal,
            Step::Exhausted => break TraceEnd::Exhausted,
            Step::Stopped(limit) => break TraceEnd::Stopped(limit),
        }
    };
    Trace { end, stats: *search.stats(), ..recorder.trace }
}

#[derive(Clone, Copy)]
enum EventKind {
    Push,
    Pop,
    Duplicate,
}

/// An event of the search that outlives the step.
struct RecordedEvent {
    kind: EventKind,
    /// The node, whose parent is not known yet.
    node: TraceNode,
    /// The index of the parent among the expanded states.
    parent: Option<u32>,
}

impl RecordedEvent {
    fn new(event: Event<'_, Sliding<Board>>) -> RecordedEvent {
        let (kind, node) = match event {
            Event::Push(node) => (EventKind::Push, node),
            Event::Pop(node) => (EventKind::Pop, node),
            Event::Duplicate(node) => (EventKind::Duplicate, node),
        };
        let trace_node = TraceNode {
            board: node.state.clone(),
            slide: node.action,
            parent: None,
            g: node.g,
            h: node.h,
            f: node.f,
            expanded: None,
            is_refused: matches!(kind, EventKind::Duplicate),
        };
        RecordedEvent { kind, node: trace_node, parent: node.parent }
    }
}

/// Builds a trace from the events of a search.
struct Recorder {
    trace: Trace,
    queue: NodeQueue,
    /// Whether the search keeps a closed list, so that a state expanded again keeps its index.
    duplicates: Duplicates,
    /// The last node of each expanded state, in the order of the first expansions.
    expanded: Vec<usize>,
    /// The index of each state in `expanded`.
    indices: HashMap<Board, usize>,
}

impl Recorder {
    fn new(instance: Instance, tie_break: TieBreak, duplicates: Duplicates) -> Recorder {
        let trace = Trace::empty(instance, tie_break);
        let queue = NodeQueue::new(tie_break);
        Recorder { trace, queue, duplicates, expanded: Vec::new(), indices: HashMap::new() }
    }

    /// Records the events of a step.
    fn record(&mut self, events: Vec<RecordedEvent>, step: Step) {
        let outcome = match step {
            Step::Expanded => NodeOutcome::Expanded,
            Step::Dropped => NodeOutcome::Duplicate,
            Step::Goal => NodeOutcome::Goal,
            Step::Exhausted | Step::Stopped(_) => return,
        };
        let mut current = None;
        for event in events {
            match (event.kind, &mut current) {
                (EventKind::Pop, _) => current = Some(self.pop(outcome)),
                // The start is pushed before the first node is popped.
                (_, None) => {
                    self.add_node(event);
                }
                (EventKind::Push, Some(step)) => step.pushed.push(self.add_node(event)),
                (EventKind::Duplicate, Some(_)) if outcome == NodeOutcome::Duplicate => {}
                (EventKind::Duplicate, Some(step)) => step.refused.push(self.add_node(event)),
            }
        }
        self.trace.steps.extend(current);
    }

    /// Takes the next node out of the queue and starts its step.
    fn pop(&mut self, outcome: NodeOutcome) -> TraceStep {
        let Some(popped) = self.queue.pop() else {
            unreachable!("a node that leaves the queue has entered it")
        };
        let number = self.trace.steps.len() + 1;
        let node = &mut self.trace.nodes[popped];
        if outcome != NodeOutcome::Duplicate {
            node.expanded = Some(number);
        }
        let mut back = None;
        if outcome == NodeOutcome::Expanded {
            back = node.parent.filter(|_| self.duplicates != Duplicates::None);
            let n_expanded = self.expanded.len();
            let index = *self.indices.entry(node.board.clone()).or_insert(n_expanded);
            match self.expanded.get_mut(index).filter(|_| self.duplicates == Duplicates::Closed) {
                Some(last) => *last = popped,
                None => self.expanded.push(popped),
            }
        }
        TraceStep { popped, outcome, pushed: Vec::new(), refused: Vec::new(), back }
    }

    /// Adds a node and returns its number.
    fn add_node(&mut self, RecordedEvent { node, parent, .. }: RecordedEvent) -> usize {
        let number = self.trace.nodes.len();
        if !node.is_refused {
            self.queue.push(node.f, number);
        }
        let parent = parent.and_then(|parent| self.expanded.get(parent as usize).copied());
        self.trace.nodes.push(TraceNode { parent, ..node });
        number
    }
}
