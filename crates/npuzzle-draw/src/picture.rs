//! A picture to be cut into tiles.

use std::error::Error;
use std::fmt;
use std::io::{self, Cursor};
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageReader, Limits, RgbaImage};

use crate::canvas::Canvas;
use crate::data_uri::data_uri;
use crate::error::DrawError;
use crate::layout::MAX_PIXELS;
use crate::png;

/// A picture to be cut into tiles, the middle of it if it is wider or higher than the board.
#[derive(Clone)]
pub struct Picture(Arc<RgbaImage>);

impl Picture {
    /// Reads a PNG, JPEG, GIF (its first frame) or WebP file, the right way up if it says how.
    pub fn read(bytes: &[u8]) -> Result<Picture, PictureError> {
        let decoded = || {
            let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
            // A file of a few bytes may claim to be larger than all memory.
            let mut limits = Limits::default();
            limits.max_image_width = Some(1 << 14);
            limits.max_image_height = Some(1 << 14);
            limits.max_alloc = Some(256 << 20);
            reader.limits(limits.clone());
            let mut decoder = reader.into_decoder()?;
            // Decoders count what they need themselves, not what they decode into.
            limits.reserve(decoder.total_bytes())?;
            let orientation = decoder.orientation()?;
            let mut image = DynamicImage::from_decoder(decoder)?;
            if image.width().max(image.height()) > MAX_PIXELS {
                image = image.resize(MAX_PIXELS, MAX_PIXELS, FilterType::Triangle);
            }
            image.apply_orientation(orientation);
            Ok(image.into_rgba8())
        };
        let image =
            decoded().map_err(|error: image::ImageError| PictureError(error.to_string()))?;
        Ok(Picture(Arc::new(image)))
    }

    /// The middle of the picture, of this shape and size.
    pub(crate) fn fitted(&self, width: u32, height: u32) -> Canvas {
        let image = self.cut(width, height);
        let pixels = image.pixels().map(|pixel| pixel.0).collect();
        Canvas { width, height, pixels }
    }

    /// The same as an address of data: small for photographs, clear where the picture is clear.
    pub(crate) fn fitted_uri(&self, width: u32, height: u32) -> Result<String, DrawError> {
        const QUALITY: u8 = 85;
        let canvas = self.fitted(width, height);
        if canvas.pixels.iter().any(|pixel| pixel[3] < 255) {
            return Ok(data_uri("image/png", &png::encode(&canvas)?));
        }
        let rgb: Vec<u8> = canvas.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, QUALITY)
            .encode(&rgb, width, height, ExtendedColorType::Rgb8)
            .map_err(io::Error::other)?;
        Ok(data_uri("image/jpeg", &bytes))
    }

    fn cut(&self, width: u32, height: u32) -> RgbaImage {
        let (full_width, full_height) = self.0.dimensions();
        let scaled = |side: u32, by: u32, over: u32| {
            let scaled = u64::from(side) * u64::from(by) / u64::from(over.max(1));
            u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
        };
        let cut_width = scaled(full_height, width, height).min(full_width);
        let cut_height = scaled(full_width, height, width).min(full_height);
        let (x, y) = ((full_width - cut_width) / 2, (full_height - cut_height) / 2);
        let part = imageops::crop_imm(&*self.0, x, y, cut_width, cut_height);
        imageops::resize(&*part, width, height, FilterType::CatmullRom)
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.0.width(), self.0.height())
    }
}

/// A file that is no picture, or none that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureError(String);

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a picture that can be read (PNG, JPEG, GIF, WebP): {}", self.0)
    }
}

impl Error for PictureError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four columns: red, green, blue, white.
    fn stripes() -> Picture {
        let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]];
        let pixels = colors.into_iter().flat_map(|color| [color; 10]).cycle().take(40 * 20);
        let canvas = Canvas { width: 40, height: 20, pixels: pixels.collect() };
        Picture::read(&png::encode(&canvas).unwrap()).unwrap()
    }

    #[test]
    fn the_middle_is_cut_out() {
        let square = stripes().fitted(20, 20);
        assert_eq!(square.pixels[0], [0, 255, 0, 255]);
        assert_eq!(square.pixels[19], [0, 0, 255, 255]);
        let wide = stripes().fitted(40, 10);
        assert_eq!((wide.pixels[2], wide.pixels[37]), ([255, 0, 0, 255], [255; 4]));
    }

    #[test]
    fn pictures_are_made_larger_too() {
        let large = stripes().fitted(400, 200);
        assert_eq!((large.width, large.height, large.pixels.len()), (400, 200, 80_000));
        assert_eq!((large.pixels[20], large.pixels[380]), ([255, 0, 0, 255], [255; 4]));
    }

    #[test]
    fn what_is_no_picture_is_told() {
        for bytes in [&b""[..], b"1 2 3", b"\x89PNG\r\n\x1a\n", b"GIF89a"] {
            let error = Picture::read(bytes).unwrap_err().to_string();
            assert!(error.starts_with("not a picture"), "{error}");
        }
    }

    /// Sixty-nine bytes that would be 800 megabytes of pixels.
    #[test]
    fn a_small_file_of_a_huge_picture_is_refused() {
        let huge =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0@\0\0\0@\0\x08\x02\0\0\0&\xaa\x87\xd3\0\0\0\x0cIDAT\
            x\x9ccph8\0\0\x02\x84\x01\x81&\x97\xa7+\0\0\0\0IEND\xaeB`\x82";
        let error = Picture::read(huge).unwrap_err().to_string();
        assert!(error.to_lowercase().contains("limit") || error.contains("memory"), "{error}");
    }

    #[test]
    fn photographs_are_written_as_jpeg_and_clear_pictures_as_png() {
        assert!(stripes().fitted_uri(20, 20).unwrap().starts_with("data:image/jpeg;base64,/9j/"));
        let clear = Picture::read(&png::encode(&Canvas::clear(3, 3)).unwrap()).unwrap();
        assert!(clear.fitted_uri(20, 20).unwrap().starts_with("data:image/png;base64,iVBOR"));
    }
}
