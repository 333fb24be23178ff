//! The search tree in the DOT language of Graphviz.

use std::fmt::Write as _;

use npuzzle::teaching::{Trace, TraceNode};

use super::sink::Sink;
use crate::exit::Failure;

pub(super) fn write(sink: &mut Sink, trace: &Trace) -> Result<(), Failure> {
    let solution = trace.solution().unwrap_or_default();
    let mut dot = String::from(
        "digraph search {\n  node [shape=plain, fontname=\"sans-serif\", fontsize=11];\n  edge \
         [arrowsize=0.6, color=\"#999999\"];\n",
    );
    for (number, node) in trace.nodes.iter().enumerate().filter(|(_, node)| !node.is_refused) {
        let is_solution = solution.contains(&number);
        // Writing to a string cannot fail.
        let _ = writeln!(dot, "  n{number} [label=<{}>];", label(node, is_solution));
        if let Some(parent) = node.parent {
            let style = if is_solution { " [color=\"#228833\", penwidth=3]" } else { "" };
            let _ = writeln!(dot, "  n{parent} -> n{number}{style};");
        }
        sink.put(&dot)?;
        dot.clear();
    }
    sink.put(&(dot + "}\n"))
}

fn label(node: &TraceNode, is_solution: bool) -> String {
    let fill = match (is_solution, node.expanded) {
        (true, _) => "#cceecc",
        (false, Some(_)) => "#ffffff",
        (false, None) => "#eeeeee",
    };
    let n_cols = node.board.dims().cols();
    let mut table =
        format!("<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" BGCOLOR=\"{fill}\">");
    if let Some(step) = node.expanded {
        let _ = write!(table, "<TR><TD COLSPAN=\"{n_cols}\" BORDER=\"0\"><B>{step}</B></TD></TR>");
    }
    for row in node.board.rows() {
        table += "<TR>";
        for tile in row {
            let tile = if tile.is_blank() { " ".to_owned() } else { tile.to_string() };
            let _ = write!(table, "<TD>{tile}</TD>");
        }
        table += "</TR>";
    }
    let (g, h, f) = (node.g, node.h, node.f);
    let costs = format!("g={g} h={h} f={f}");
    let _ = write!(table, "<TR><TD COLSPAN=\"{n_cols}\" BORDER=\"0\">{costs}</TD></TR></TABLE>");
    table
}
