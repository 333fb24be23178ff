//! The trace: the fringe and the closed set after every expansion, in the layout of most student copies. The
//! parent of a node is shown by its state only; nested parents would make the file exponentially larger.
//!
//! The text is written while the search runs. Memory holds one node per entry of the fringe and of the
//! closed set.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;

use npuzzle::Limits;
use npuzzle_core::search::{Cost, Event, Limit, ObservedNode, Outcome, Stats, Watch};
use npuzzle_core::{Arrangement, Dims, Packed, Slide, Tile};

use super::search::{Found, Request};
use super::{Puzzle, counters};
use crate::variant::VariantError;

/// The largest trace, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Runs the search and writes its trace. Fails at a limit: a trace is complete or an error.
pub(super) fn write(
    request: &Request,
    command_line: &[String],
    limits: Limits,
    watch: &mut dyn Watch,
    out: &mut dyn Write,
) -> Result<(), VariantError> {
    let name = request.method.name();
    let arguments: Vec<String> = command_line.iter().map(|word| format!("'{word}'")).collect();
    let mut out = LimitedWriter { out, left: MAX_BYTES };
    writeln!(out, "Command-Line Arguments : [{}]", arguments.join(", "))?;
    writeln!(out, "Method Selected: {name}\nRunning {name}")?;
    let trace = RefCell::new(Trace::new(request, out));
    let mut observer = |event: Event<'_, Puzzle>| trace.borrow_mut().observe(&event);
    let mut watch = StopOnError { inner: watch, trace: &trace };
    let Found { outcome, stats } = request.search(limits, &mut watch, &mut observer);
    let mut trace = trace.into_inner();
    if let Some(error) = trace.error.take() {
        return Err(error.into());
    }
    trace.end(&outcome, &stats)
}

/// Stops the search when the trace cannot be written.
struct StopOnError<'a, 't> {
    inner: &'a mut dyn Watch,
    trace: &'a RefCell<Trace<'t>>,
}

impl Watch for StopOnError<'_, '_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Limit> {
        if self.trace.borrow().error.is_some() {
            return ControlFlow::Break(Limit::Interrupted);
        }
        self.inner.poll(stats)
    }
}

/// Fails when too much is written.
struct LimitedWriter<'a> {
    out: &'a mut dyn Write,
    left: u64,
}

impl Write for LimitedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            let gib = MAX_BYTES >> 30;
            let message = format!("the trace would be larger than {gib} GiB");
            return Err(io::Error::other(message));
        };
        self.out.write_all(bytes)?;
        self.left = left;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A node of the fringe.
#[derive(Clone, Copy)]
struct Node {
    state: Packed,
    /// The tile that was moved here, with its direction; `None` for the start.
    moved: Option<(Tile, Slide)>,
    g: Cost,
    depth: u32,
    f: Cost,
    parent: Option<Packed>,
}

/// The trace of a search in progress.
struct Trace<'a> {
    out: LimitedWriter<'a>,
    dims: Dims,
    is_last_in_first_out: bool,
    has_closed_set: bool,
    /// The nodes by their keys and the order of insertion.
    fringe: BTreeMap<(Cost, u64), Node>,
    closed: Vec<Packed>,
    /// The node that left the fringe last, and the number of its children.
    current: Option<(Node, u32)>,
    n_pushed: u64,
    n_searches: u32,
    error: Option<io::Error>,
}

impl<'a> Trace<'a> {
    fn new(request: &Request, out: LimitedWriter<'a>) -> Trace<'a> {
        Trace {
            out,
            dims: request.instance.dims(),
            is_last_in_first_out: request.method.is_last_in_first_out(),
            has_closed_set: !request.method.is_tree_search(),
            fringe: BTreeMap::new(),
            closed: Vec::new(),
            current: None,
            n_pushed: 0,
            n_searches: 0,
            error: None,
        }
    }

    fn observe(&mut self, event: &Event<'_, Puzzle>) {
        if self.error.is_none()
            && let Err(error) = self.try_observe(event)
        {
            self.error = Some(error);
        }
    }

    fn try_observe(&mut self, event: &Event<'_, Puzzle>) -> io::Result<()> {
        match event {
            Event::Push(node) if node.action.is_none() => self.begin(node),
            Event::Push(node) => {
                self.push(node);
                Ok(())
            }
            Event::Pop(_) => {
                self.write_expansion()?;
                let popped = match self.is_last_in_first_out {
                    true => self.fringe.pop_last(),
                    false => self.fringe.pop_first(),
                };
                self.current = popped.map(|(_, node)| (node, 0));
                Ok(())
            }
            // The node that has just left the fringe is in the closed set.
            Event::Duplicate(_) => {
                self.current = None;
                Ok(())
            }
        }
    }

    /// A search begins: the first, or the next one of iterative deepening.
    fn begin(&mut self, start: &ObservedNode<'_, Puzzle>) -> io::Result<()> {
        self.write_expansion()?;
        self.fringe.clear();
        self.current = None;
        if !self.has_closed_set && self.n_searches > 0 {
            writeln!(self.out, "Depth limit = {}", self.n_searches)?;
        }
        self.n_searches += 1;
        self.push(start);
        Ok(())
    }

    fn push(&mut self, node: &ObservedNode<'_, Puzzle>) {
        let parent = self.current.as_ref().map(|(parent, _)| *parent);
        let moved = node.action.map(|slide| (node.state.moved_tile(self.dims, slide).tile, slide));
        let cost = moved.map_or(0, |(tile, _)| Cost::from(tile.number()));
        let pushed = Node {
            state: *node.state,
            moved,
            g: parent.map_or(0, |parent| parent.g + cost),
            depth: parent.map_or(0, |parent| parent.depth + 1),
            f: node.f,
            parent: parent.map(|parent| parent.state),
        };
        self.fringe.insert((node.f, self.n_pushed), pushed);
        self.n_pushed += 1;
        if let Some((_, n_children)) = &mut self.current {
            *n_children += 1;
        }
    }

    /// Writes the expansion of the node that left the fringe last, if it was expanded.
    fn write_expansion(&mut self) -> io::Result<()> {
        let Some((node, n_children)) = self.current.take().filter(|(_, n)| *n > 0) else {
            return Ok(());
        };
        if self.has_closed_set {
            self.closed.push(node.state);
        }
        let (dims, out) = (self.dims, &mut self.out);
        writeln!(out, "Generating successors to {}:", NodeText(dims, &node))?;
        write!(out, "\t{n_children} successors generated\n\tClosed: [")?;
        for (index, state) in self.closed.iter().enumerate() {
            let before = if index == 0 { "" } else { ", " };
            write!(out, "{before}{}", StateText(dims, *state))?;
        }
        writeln!(out, "]\n\tFringe: [")?;
        for node in self.fringe.values() {
            writeln!(out, "\t\t{}", NodeText(dims, node))?;
        }
        writeln!(out, "\t]")
    }

    /// Writes the goal and the counters.
    fn end(mut self, outcome: &Outcome<Slide>, stats: &Stats) -> Result<(), VariantError> {
        match (outcome, self.current) {
            (Outcome::Stopped { limit, .. }, _) => return Err(VariantError::Limit(*limit)),
            (Outcome::Solved(_), Some((goal, _))) => {
                writeln!(self.out, "Goal Found: {}", NodeText(self.dims, &goal))?;
            }
            _ => {
                self.write_expansion()?;
                writeln!(self.out, "No solution found.")?;
            }
        }
        Ok(write!(self.out, "{}", counters(stats))?)
    }
}

/// A state as a nested list.
struct StateText(Dims, Packed);

impl fmt::Display for StateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in self.0.all_cells() {
            let before = match (self.0.row(cell), self.0.col(cell)) {
                (0, 0) => "[[",
                (_, 0) => "], [",
                _ => ", ",
            };
            write!(f, "{before}{}", self.1.tile(cell))?;
        }
        f.write_str("]]")
    }
}

/// A node with its action, costs and parent.
struct NodeText<'a>(Dims, &'a Node);

impl fmt::Display for NodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodeText(dims, node) = *self;
        write!(f, "< state = {}, action = {{", StateText(dims, node.state))?;
        match node.moved {
            Some((tile, slide)) => write!(f, "Move {tile} {slide}")?,
            None => f.write_str("Start")?,
        }
        let Node { g, depth, f: key, .. } = node;
        write!(f, "}} g(n) = {g}, d = {depth}, f(n) = {key}, Parent = Pointer to {{")?;
        match node.parent {
            Some(parent) => write!(f, "{}", StateText(dims, parent))?,
            None => f.write_str("None")?,
        }
        f.write_str("} >")
    }
}
