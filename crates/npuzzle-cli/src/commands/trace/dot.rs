//! The search tree in the DOT language of Graphviz.

use std::fmt::Write as _;
use std::io::{self, Write};

use npuzzle::teaching::{Trace, TraceNode};

pub(super) fn write(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let solution = trace.solution().unwrap_or_default();
    writeln!(
        out,
        "digraph search {{\n  node [shape=plain, fontname=\"sans-serif\", fontsize=11];\n  edge \
         [arrowsize=0.6, color=\"#999999\"];"
    )?;
    for (number, node) in trace.nodes.iter().enumerate().filter(|(_, node)| !node.is_refused) {
        let is_solution = solution.contains(&number);
        writeln!(out, "  n{number} [label=<{}>];", label(node, is_solution))?;
        if let Some(parent) = node.parent {
            let style = if is_solution { " [color=\"#228833\", penwidth=3]" } else { "" };
            writeln!(out, "  n{parent} -> n{number}{style};")?;
        }
    }
    writeln!(out, "}}")
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
        // Writing to a string cannot fail, here and below.
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
