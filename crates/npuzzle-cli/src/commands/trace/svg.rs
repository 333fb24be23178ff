//! The search tree as a picture: boards with the numbers of the steps that expanded them, the path to
//! the goal in green, nodes that are still queued in gray.
//!
//! Every leaf has its own column, and every other node is centered above its children.

use std::io::{self, Write};

use npuzzle::teaching::{Trace, TraceNode, Tracer};

/// In pixels.
const CELL: f64 = 20.0;
const GAP: f64 = 18.0;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 60.0;
/// The height of the costs below a board, and of the edges below them.
const COSTS: f64 = 16.0;
const EDGES: f64 = 44.0;
/// The minimum width of a node, which fits its costs.
const MIN_WIDTH: f64 = 92.0;

const GREEN: &str = "#228833";

pub(super) fn write(out: &mut dyn Write, tracer: &Tracer, trace: &Trace) -> io::Result<()> {
    let dims = trace.instance.dims();
    let (board_width, board_height) = (dims.cols() as f64 * CELL, dims.rows() as f64 * CELL);
    let (columns, n_columns) = layout(trace);
    let step_x = board_width.max(MIN_WIDTH) + GAP;
    let step_y = board_height + COSTS + EDGES;
    let deepest = trace.nodes.iter().filter(|node| !node.is_refused).map(|node| node.g).max();
    let n_rows = f64::from(deepest.unwrap_or(0)) + 1.0;
    let width = (n_columns * step_x + 2.0 * MARGIN).max(600.0);
    let height = HEAD + n_rows * step_y + MARGIN;
    let center = |number: usize| {
        let x = MARGIN + (columns[number] + 0.5) * step_x;
        (x, HEAD + MARGIN + f64::from(trace.nodes[number].g) * step_y)
    };
    let solution = trace.solution().unwrap_or_default();
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"26\" font-size=\"16\">{}</text>\n\
         <text x=\"{MARGIN}\" y=\"46\" fill=\"#555\">{}</text>\n",
        super::title(tracer, trace),
        super::ending(trace)
    )?;
    let nodes = || trace.nodes.iter().enumerate().filter(|(_, node)| !node.is_refused);
    for (number, node) in nodes() {
        let Some(parent) = node.parent else { continue };
        let ((x1, y1), (x2, y2)) = (center(parent), center(number));
        let is_solution = solution.contains(&number);
        let (color, width) = if is_solution { (GREEN, 4.0) } else { ("#999", 1.0) };
        let from = y1 + board_height + COSTS;
        writeln!(
            out,
            "<line x1=\"{x1:.1}\" y1=\"{from:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{color}\" stroke-width=\"{width}\"/>"
        )?;
    }
    for (number, node) in nodes() {
        let (x, y) = center(number);
        let corner = (x - board_width / 2.0, y);
        write_node(out, node, corner, solution.contains(&number))?;
    }
    writeln!(out, "</svg>")
}

fn write_node(
    out: &mut dyn Write,
    node: &TraceNode,
    (left, top): (f64, f64),
    is_solution: bool,
) -> io::Result<()> {
    let dims = node.board.dims();
    let (width, height) = (dims.cols() as f64 * CELL, dims.rows() as f64 * CELL);
    let fill = match (is_solution, node.expanded) {
        (true, _) => "#cceecc",
        (false, Some(_)) => "#fff6dd",
        (false, None) => "#eeeeee",
    };
    let (color, thick) = if is_solution { (GREEN, 3) } else { ("#555", 1) };
    writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"{fill}\" stroke=\"{color}\" stroke-width=\"{thick}\"/>"
    )?;
    let ink = if node.expanded.is_some() { "black" } else { "#777" };
    for (row, tiles) in node.board.rows().enumerate() {
        for (col, tile) in tiles.iter().enumerate().filter(|(_, tile)| !tile.is_blank()) {
            let (x, y) = (left + col as f64 * CELL, top + row as f64 * CELL);
            let inner = CELL - 3.0;
            writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{inner}\" height=\"{inner}\" rx=\"2\" \
                 fill=\"white\" stroke=\"#bbb\" stroke-width=\"0.7\"/><text x=\"{:.1}\" \
                 y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{tile}</text>",
                x + 1.5,
                y + 1.5,
                x + CELL / 2.0,
                y + CELL / 2.0 + 4.5
            )?;
        }
    }
    let (middle, below) = (left + width / 2.0, top + height + 13.0);
    let (g, h, f) = (node.g, node.h, node.f);
    writeln!(
        out,
        "<text x=\"{middle:.1}\" y=\"{below:.1}\" text-anchor=\"middle\" font-size=\"11\" \
         fill=\"{ink}\">g={g} h={h} f={f}</text>"
    )?;
    if let Some(step) = node.expanded {
        let badge = if is_solution { GREEN } else { "#4477aa" };
        let half = 9.0 + 3.0 * (step.to_string().len() as f64 - 1.0);
        writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"18\" rx=\"9\" \
             fill=\"{badge}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
             font-size=\"11\" fill=\"white\">{step}</text>",
            left - 2.0 * half + 3.0,
            top - 9.0,
            2.0 * half,
            left - half + 3.0,
            top + 4.0
        )?;
    }
    Ok(())
}

/// The column of every node, and the number of columns.
fn layout(trace: &Trace) -> (Vec<f64>, f64) {
    let mut children: Vec<Vec<usize>> = trace.nodes.iter().map(|_| Vec::new()).collect();
    for (number, node) in trace.nodes.iter().enumerate().filter(|(_, node)| !node.is_refused) {
        if let Some(parent) = node.parent {
            children[parent].push(number);
        }
    }
    let mut columns = vec![0.0; trace.nodes.len()];
    let mut n_columns = 0.0;
    // Depth first with an explicit stack, because traces may be deep. The rounds of iterative deepening
    // are separate trees, side by side.
    let roots = (0..trace.nodes.len()).rev().filter(|&number| trace.nodes[number].parent.is_none());
    let mut pending: Vec<usize> = roots.collect();
    while let Some(number) = pending.pop() {
        if children[number].is_empty() {
            columns[number] = n_columns;
            n_columns += 1.0;
        }
        pending.extend(children[number].iter().rev());
    }
    // Children have higher numbers than their parents.
    for number in (0..trace.nodes.len()).rev() {
        if let (Some(&first), Some(&last)) = (children[number].first(), children[number].last()) {
            columns[number] = (columns[first] + columns[last]) / 2.0;
        }
    }
    (columns, n_columns)
}
