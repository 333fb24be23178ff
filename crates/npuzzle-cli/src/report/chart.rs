//! What charts have in common: the page, an axis, texts.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

/// A file for a chart: whoever asks for a picture of another kind would get what nothing can open.
pub(crate) fn file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(kind) if !kind.eq_ignore_ascii_case("svg") => Err("charts are SVG".to_owned()),
        _ => Ok(path),
    }
}

/// Figures farther apart than this are drawn on a logarithmic axis.
const FAR_APART: f64 = 50.0;

/// The beginning of a picture of this size, in pixels; `</svg>` ends it.
pub(crate) fn begin(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

/// A round number in a few letters: `10k`, `5M`.
pub(crate) fn short(value: f64) -> String {
    match value {
        1e12.. => format!("{}T", value / 1e12),
        1e9.. => format!("{}G", value / 1e9),
        1e6.. => format!("{}M", value / 1e6),
        1e4.. => format!("{}k", value / 1e3),
        _ => format!("{value}"),
    }
}

/// From figures to places.
pub(crate) struct Axis {
    is_log: bool,
    low: f64,
    high: f64,
    /// The places of the lowest and the highest figure, in pixels; upward the second is smaller.
    places: Range<f64>,
}

impl Axis {
    /// An axis for these figures: logarithmic as soon as they are far apart.
    pub(crate) fn new(values: impl Iterator<Item = f64>, places: Range<f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in values {
            high = high.max(value);
            if value > 0.0 {
                low = low.min(value);
            }
        }
        if high > 0.0 && high / low > FAR_APART {
            // Whole powers of ten, the bars of the smallest figures still to be seen.
            let low = 10f64.powf((low * 0.9).log10().floor());
            return Axis { is_log: true, low, high, places };
        }
        Axis::linear(high, places)
    }

    /// An axis from 0 up.
    pub(crate) fn linear(high: f64, places: Range<f64>) -> Axis {
        Axis { is_log: false, low: 0.0, high: if high > 0.0 { high } else { 1.0 }, places }
    }

    pub(crate) fn is_log(&self) -> bool {
        self.is_log
    }

    /// Where a figure is.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            value / self.high
        };
        let Range { start, end } = self.places;
        start + share.clamp(0.0, 1.0) * (end - start)
    }

    /// Round figures to be marked.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        if self.is_log {
            let mut ticks = Vec::new();
            let mut tick = self.low;
            while tick <= self.high * 1.0001 {
                ticks.push(tick);
                tick *= 10.0;
            }
            // Not more than can be read.
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

/// Writes a text, anchored at a place.
pub(crate) fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, style: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
    );
}
