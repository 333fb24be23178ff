//! Canvases as PNG files.

use std::collections::HashMap;
use std::io;

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::canvas::Canvas;

/// Encodes a canvas as a PNG file: with a palette if it has at most 256 colors.
pub(crate) fn encode(canvas: &Canvas) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, canvas.width, canvas.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let data = match indexed(canvas) {
        Some((colors, indices)) => {
            encoder.set_color(ColorType::Indexed);
            encoder.set_filter(Filter::NoFilter);
            encoder
                .set_palette(colors.iter().flat_map(|c| [c[0], c[1], c[2]]).collect::<Vec<u8>>());
            // Transparent colors come first; unlisted ones are opaque.
            let clear: Vec<u8> = colors.iter().map(|c| c[3]).take_while(|&a| a < 255).collect();
            if !clear.is_empty() {
                encoder.set_trns(clear);
            }
            indices
        }
        None => {
            encoder.set_color(ColorType::Rgba);
            canvas.pixels.concat()
        }
    };
    encoder.write_header()?.write_image_data(&data)?;
    Ok(bytes)
}

/// The colors, the most transparent first, and the index of every pixel. `None` if there are more than 256.
fn indexed(canvas: &Canvas) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
    let mut index_of = HashMap::new();
    // Neighbors are mostly equal, and comparing two colors is faster than looking one up.
    for equal in canvas.pixels.chunk_by(|a, b| a == b) {
        index_of.insert(equal[0], 0);
        if index_of.len() > 256 {
            return None;
        }
    }
    let mut colors: Vec<[u8; 4]> = index_of.keys().copied().collect();
    colors.sort_unstable_by_key(|&[r, g, b, a]| [a, r, g, b]);
    index_of.extend(colors.iter().enumerate().map(|(i, &color)| (color, i as u8)));
    let equal = canvas.pixels.chunk_by(|a, b| a == b);
    let indices = equal.flat_map(|run| std::iter::repeat_n(index_of[&run[0]], run.len())).collect();
    Some((colors, indices))
}
