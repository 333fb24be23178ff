//! A census as a histogram with one column per depth.

use std::fmt::Write as _;

use npuzzle::teaching::{Census, CensusResult};

use crate::report::chart::{ChartAxis, begin, label, short_number};

/// In pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 55.0;

pub(super) fn draw(census: &Census, result: &CensusResult) -> String {
    let max_count = result.counts.iter().max().copied().unwrap_or_default();
    let (floor, n_columns) = (HEIGHT - BOTTOM, result.counts.len().max(1));
    let axis = ChartAxis::linear(max_count as f64, floor..TOP);
    let step = (WIDTH - LEFT - RIGHT) / n_columns as f64;
    let (size, metric) = (census.goal().dims(), census.metric());
    let title = format!("Boards of {size} by distance to {}", census.goal().slash());
    let scope = if result.is_complete { "" } else { ", not complete" };
    let mean = result.mean();
    let figures = format!("{metric}, {} boards{scope}, mean {mean:.3}", result.total());
    let mut svg = begin(WIDTH, HEIGHT, &title, &figures);
    for tick in axis.ticks() {
        let y = axis.position(tick);
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
            WIDTH - RIGHT
        );
        label(&mut svg, (LEFT - 8.0, y + 4.0), "end", "fill=\"#555\"", &short_number(tick));
    }
    // At most about twenty numbers.
    let every = n_columns.div_ceil(20).next_multiple_of(5).min(n_columns);
    let every = if n_columns <= 20 { 1 } else { every };
    for (depth, &count) in result.counts.iter().enumerate() {
        let x = LEFT + depth as f64 * step;
        let y = axis.position(count as f64).min(floor - 1.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#4477aa\">\
             <title>{depth}: {count}</title></rect>",
            x + 0.1 * step,
            0.8 * step,
            floor - y
        );
        if depth % every == 0 {
            let middle = x + step / 2.0;
            label(&mut svg, (middle, floor + 18.0), "middle", "fill=\"#555\"", &depth.to_string());
        }
    }
    label(&mut svg, (WIDTH / 2.0, floor + 40.0), "middle", "fill=\"#555\"", "moves");
    svg += "</svg>\n";
    svg
}
