//! A census as a histogram: a column for each depth.

use std::fmt::Write as _;

use npuzzle::teaching::{Census, CensusResult};

use crate::report::chart::{Axis, begin, short, text};

/// In pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 55.0;

pub(super) fn draw(taker: &Census, census: &CensusResult) -> String {
    let most = census.counts.iter().max().copied().unwrap_or_default();
    let (floor, n_columns) = (HEIGHT - BOTTOM, census.counts.len().max(1));
    let up = Axis::linear(most as f64, floor..TOP);
    let step = (WIDTH - LEFT - RIGHT) / n_columns as f64;
    let mut svg = begin(WIDTH, HEIGHT);
    let (size, metric) = (taker.goal().dims(), taker.metric());
    let title = format!("Boards of {size} by their distance to {}", taker.goal().slash());
    text(&mut svg, (20.0, 28.0), "start", "font-size=\"17\"", &title);
    let scope = if census.is_complete { "" } else { ", not complete" };
    let mean = census.mean();
    let figures = format!("{metric}, {} boards{scope}, mean {mean:.3}", census.total());
    text(&mut svg, (20.0, 48.0), "start", "fill=\"#555\"", &figures);
    for tick in up.ticks() {
        let y = up.place(tick);
        // Writing to a string does not fail, here and below.
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
            WIDTH - RIGHT
        );
        text(&mut svg, (LEFT - 8.0, y + 4.0), "end", "fill=\"#555\"", &short(tick));
    }
    // Not more numbers than can be read.
    let every = n_columns.div_ceil(20).next_multiple_of(5).min(n_columns);
    let every = if n_columns <= 20 { 1 } else { every };
    for (depth, &count) in census.counts.iter().enumerate() {
        let x = LEFT + depth as f64 * step;
        let y = up.place(count as f64).min(floor - 1.0);
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
            text(&mut svg, (middle, floor + 18.0), "middle", "fill=\"#555\"", &depth.to_string());
        }
    }
    text(&mut svg, (WIDTH / 2.0, floor + 40.0), "middle", "fill=\"#555\"", "moves");
    svg += "</svg>\n";
    svg
}
