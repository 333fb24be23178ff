//! The comparison as a chart: a bar for each configuration, a dot for each board.
//!
//! Search effort grows exponentially, so the axis is logarithmic if the ratio of the values is large. A
//! pale bar with a dashed border includes stopped searches.

use std::fmt::Write as _;

use npuzzle::teaching::{RunResult, RunSummary};

use super::Comparison;
use super::table::time;
use crate::args::{CompareArgs, CountersArg, Figure};
use crate::io::units;
use crate::report::chart::{ChartAxis, begin, label, short_number};

/// In pixels.
const WIDTH: f64 = 900.0;
const LABELS: f64 = 250.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 70.0;
const ROW: f64 = 34.0;
const BOTTOM: f64 = 50.0;

const COLORS: [&str; 8] =
    ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777", "#994f00"];

pub(super) fn draw(args: &CompareArgs, comparison: &Comparison) -> String {
    let figure = args.chart_of;
    let values: Vec<Vec<f64>> = comparison
        .trials
        .iter()
        .map(|trials| {
            let searches = trials.iter().filter(|trial| trial.is_search());
            searches.map(|trial| value(trial, figure)).collect()
        })
        .collect();
    let axis = ChartAxis::new(values.iter().flatten().copied(), LABELS..WIDTH - RIGHT);
    let n_rows = comparison.configs.len() as f64;
    let height = TOP + n_rows * ROW + BOTTOM;
    let n_boards = comparison.boards.len();
    let boards = units::counted(n_boards as u64, "board");
    let scale = if axis.is_log() { ", logarithmic scale" } else { "" };
    let means = if n_boards == 1 { "" } else { "; bars: means, dots: boards" };
    let subtitle = format!("{boards}{means}{scale}");
    let mut svg = begin(WIDTH, height, title(figure, args.counters), &subtitle);
    for tick in axis.ticks() {
        let x = axis.position(tick);
        let (top, bottom) = (TOP, TOP + n_rows * ROW);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>"
        );
        label(&mut svg, (x, bottom + 18.0), "middle", "fill=\"#555\"", &tick_text(tick, figure));
    }
    let algorithms: Vec<_> = {
        let mut all: Vec<_> = comparison.configs.iter().map(|c| c.algorithm).collect();
        all.dedup();
        all
    };
    for (row, (config, trials)) in comparison.configs.iter().zip(&comparison.trials).enumerate() {
        let y = TOP + row as f64 * ROW;
        let middle = y + ROW / 2.0;
        let name = config.to_string();
        label(&mut svg, (LABELS - 10.0, middle + 4.0), "end", "", &name);
        let color = algorithms.iter().position(|&a| a == config.algorithm).unwrap_or(0);
        let color = COLORS[color % COLORS.len()];
        bar(&mut svg, &axis, y, color, trials, &values[row], figure);
    }
    svg += "</svg>\n";
    svg
}

fn bar(
    svg: &mut String,
    axis: &ChartAxis,
    y: f64,
    color: &str,
    trials: &[RunResult],
    values: &[f64],
    figure: Figure,
) {
    let middle = y + ROW / 2.0;
    let summary = RunSummary::of(trials);
    if values.is_empty() {
        let reason = match (summary.n_boards, summary.n_unsolvable) {
            (0, _) => "not run",
            (_, 0) => "not possible",
            _ => "no solution",
        };
        label(svg, (LABELS + 6.0, middle + 4.0), "start", "fill=\"#a00\"", reason);
        return;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let (x, top, height) = (axis.position(mean), y + 6.0, ROW - 12.0);
    let is_complete = summary.is_complete();
    let style = if is_complete { "" } else { " stroke-dasharray=\"4 3\"" };
    let opacity = if is_complete { 0.75 } else { 0.35 };
    let width = (x - LABELS).max(1.0);
    let _ = writeln!(
        svg,
        "<rect x=\"{LABELS}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"{color}\" fill-opacity=\"{opacity}\" stroke=\"{color}\"{style}/>"
    );
    let mut end = x;
    if trials.len() > 1 {
        for &value in values {
            let x = axis.position(value);
            end = end.max(x);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{middle:.1}\" r=\"2.5\" fill=\"black\" \
                 fill-opacity=\"0.45\"/>"
            );
        }
    }
    let at_least = if is_complete { "" } else { "≥ " };
    let mut text = format!("{at_least}{}", value_text(mean, figure));
    let n_stopped: usize = summary.stopped.iter().map(|(_, n)| n).sum();
    if n_stopped > 0 {
        text += &format!(" ({n_stopped} stopped)");
    }
    label(svg, (end + 8.0, middle + 4.0), "start", "", &text);
}

fn value(trial: &RunResult, figure: Figure) -> f64 {
    match figure {
        Figure::Expanded => trial.stats.expanded as f64,
        Figure::Generated => trial.stats.generated as f64,
        Figure::MaxOpen => trial.stats.max_open as f64,
        Figure::Time => trial.time.as_secs_f64() * 1e3,
        Figure::Memory => trial.stats.peak_bytes as f64,
    }
}

fn title(figure: Figure, counters: CountersArg) -> &'static str {
    match (figure, counters) {
        (Figure::Expanded, CountersArg::Ours) => "States expanded",
        (Figure::Expanded, _) => "States expanded (dequeued, without the goal and duplicates)",
        (Figure::Generated, _) => "States generated",
        (Figure::MaxOpen, CountersArg::Princeton) => "Largest priority queue",
        (Figure::MaxOpen, _) => "Largest open list",
        (Figure::Time, _) => "Time",
        (Figure::Memory, _) => "Memory of states",
    }
}

fn value_text(value: f64, figure: Figure) -> String {
    match figure {
        Figure::Time => time(std::time::Duration::from_secs_f64(value / 1e3)),
        Figure::Memory => units::size(value as u64),
        Figure::Expanded | Figure::Generated | Figure::MaxOpen => format!("{value:.0}"),
    }
}

/// The label of a tick: `10k`, `1 ms`.
fn tick_text(value: f64, figure: Figure) -> String {
    match figure {
        Figure::Time if value < 1e3 => format!("{value} ms"),
        Figure::Time => format!("{} s", value / 1e3),
        Figure::Memory => units::size(value as u64),
        _ => short_number(value),
    }
}
