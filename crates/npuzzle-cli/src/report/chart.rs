//! The parts that SVG charts share: the page, an axis, labels.

use std::fmt::Write as _;
use std::ops::Range;

/// Values with a larger ratio than this are drawn on a logarithmic axis.
const MAX_LINEAR_RATIO: f64 = 50.0;

/// The start of a chart of this size in pixels, with two lines of text at the top; `</svg>` ends it.
pub(crate) fn begin(width: f64, height: f64, title: &str, subtitle: &str) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    label(&mut svg, (20.0, 28.0), "start", "font-size=\"17\"", title);
    label(&mut svg, (20.0, 48.0), "start", "fill=\"#555\"", subtitle);
    svg
}

/// A round number in a few characters: `10k`, `5M`.
pub(crate) fn short_number(value: f64) -> String {
    match value {
        1e12.. => format!("{}T", value / 1e12),
        1e9.. => format!("{}G", value / 1e9),
        1e6.. => format!("{}M", value / 1e6),
        1e4.. => format!("{}k", value / 1e3),
        _ => format!("{value}"),
    }
}

/// A mapping from values to pixels.
pub(crate) struct ChartAxis {
    is_log: bool,
    low: f64,
    high: f64,
    /// The positions of `low` and `high` in pixels. On a vertical axis the second is smaller.
    pixels: Range<f64>,
}

impl ChartAxis {
    /// An axis for these values, logarithmic if their ratio is large.
    pub(crate) fn new(values: impl Iterator<Item = f64>, pixels: Range<f64>) -> ChartAxis {
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in values {
            high = high.max(value);
            if value > 0.0 {
                low = low.min(value);
            }
        }
        if high > 0.0 && high / low > MAX_LINEAR_RATIO {
            // A power of ten, low enough that the bar of the smallest value is visible.
            let low = 10f64.powf((low * 0.9).log10().floor());
            return ChartAxis { is_log: true, low, high, pixels };
        }
        ChartAxis::linear(high, pixels)
    }

    /// A linear axis from 0 to `high`.
    pub(crate) fn linear(high: f64, pixels: Range<f64>) -> ChartAxis {
        ChartAxis { is_log: false, low: 0.0, high: if high > 0.0 { high } else { 1.0 }, pixels }
    }

    pub(crate) fn is_log(&self) -> bool {
        self.is_log
    }

    /// The position of a value in pixels.
    pub(crate) fn position(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            value / self.high
        };
        let Range { start, end } = self.pixels;
        start + share.clamp(0.0, 1.0) * (end - start)
    }

    /// Round values to label.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        if self.is_log {
            let mut ticks = Vec::new();
            let mut tick = self.low;
            while tick <= self.high * 1.0001 {
                ticks.push(tick);
                tick *= 10.0;
            }
            // At most nine labels.
            let step = ticks.len().div_ceil(9);
            return ticks.into_iter().step_by(step).collect();
        }
        let rough = self.high / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|&s| s >= rough);
        let step = step.unwrap_or(rough);
        (0..).map(|n| f64::from(n) * step).take_while(|&tick| tick <= self.high * 1.0001).collect()
    }
}

/// Appends a label, anchored at a position in pixels.
pub(crate) fn label(svg: &mut String, (x, y): (f64, f64), anchor: &str, style: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
    );
}
