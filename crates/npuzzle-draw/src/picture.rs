//! Pictures that are cut into tiles.

use std::error::Error;
use std::fmt;
use std::io::{self, Cursor};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageReader, Limits, RgbaImage,
};

use crate::error::DrawError;
use crate::raster::canvas::{Canvas, MAX_PIXELS};
use crate::raster::png_file;

/// The longest side of a picture, in pixels, and the memory of its decoder.
const MAX_SIDE: u32 = 1 << 14;
const MAX_BYTES: u64 = 256 << 20;

/// A picture that is cut into tiles. If its shape differs from the board's, the center is used.
#[derive(Clone)]
pub struct Picture(Arc<RgbaImage>);

impl Picture {
    /// Reads a PNG, JPEG, GIF (first frame) or WebP file, and applies its orientation.
    pub fn read(bytes: &[u8]) -> Result<Picture, PictureError> {
        let decoded = || {
            let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
            // A small file may claim to be larger than memory.
            let mut limits = Limits::default();
            limits.max_image_width = Some(MAX_SIDE);
            limits.max_image_height = Some(MAX_SIDE);
            limits.max_alloc = Some(MAX_BYTES);
            reader.limits(limits.clone());
            let mut decoder = reader.into_decoder()?;
            // Decoders count their own memory, but not the decoded image.
            limits.reserve(decoder.total_bytes())?;
            let orientation = decoder.orientation()?;
            let mut image = DynamicImage::from_decoder(decoder)?;
            if image.width().max(image.height()) > MAX_PIXELS {
                image = image.resize(MAX_PIXELS, MAX_PIXELS, FilterType::Triangle);
            }
            image.apply_orientation(orientation);
            Ok(image.into_rgba8())
        };
        let image = decoded().map_err(|error: ImageError| match error {
            ImageError::Limits(_) => PictureError::TooLarge,
            _ => PictureError::Unreadable,
        })?;
        Ok(Picture(Arc::new(image)))
    }

    /// The center of the picture, scaled to a size.
    pub(crate) fn fitted(&self, width: u32, height: u32) -> Canvas {
        let image = self.cut(width, height);
        let pixels = image.pixels().map(|pixel| pixel.0).collect();
        Canvas { width, height, pixels }
    }

    /// The same as a data URI: a JPEG, or a PNG if the picture has transparency.
    pub(crate) fn fitted_uri(&self, width: u32, height: u32) -> Result<String, DrawError> {
        const QUALITY: u8 = 85;
        let canvas = self.fitted(width, height);
        if canvas.pixels.iter().any(|pixel| pixel[3] < 255) {
            return Ok(data_uri("image/png", &png_file::encode(&canvas)?));
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

fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.0.width(), self.0.height())
    }
}

/// Why a file cannot be read as a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PictureError {
    /// It is not a picture in a known format, or it is damaged.
    Unreadable,
    /// It has too many pixels.
    TooLarge,
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PictureError::Unreadable => {
                f.write_str("not a picture that can be read (PNG, JPEG, GIF, WebP)")
            }
            PictureError::TooLarge => write!(
                f,
                "the picture is too large: the limits are {MAX_SIDE} pixels per side and {} MiB in \
                 memory",
                MAX_BYTES >> 20
            ),
        }
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
        Picture::read(&png_file::encode(&canvas).unwrap()).unwrap()
    }

    #[test]
    fn center_is_cut_out() {
        let square = stripes().fitted(20, 20);
        assert_eq!(square.pixels[0], [0, 255, 0, 255]);
        assert_eq!(square.pixels[19], [0, 0, 255, 255]);
        let wide = stripes().fitted(40, 10);
        assert_eq!((wide.pixels[2], wide.pixels[37]), ([255, 0, 0, 255], [255; 4]));
    }

    #[test]
    fn small_pictures_are_enlarged() {
        let large = stripes().fitted(400, 200);
        assert_eq!((large.width, large.height, large.pixels.len()), (400, 200, 80_000));
        assert_eq!((large.pixels[20], large.pixels[380]), ([255, 0, 0, 255], [255; 4]));
    }

    #[test]
    fn other_files_are_refused() {
        for bytes in [&b""[..], b"1 2 3", b"\x89PNG\r\n\x1a\n", b"GIF89a"] {
            assert_eq!(Picture::read(bytes).unwrap_err(), PictureError::Unreadable);
        }
    }

    /// 69 bytes that would decode to 800 MB of pixels.
    #[test]
    fn decompression_bomb_is_refused() {
        let huge =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0@\0\0\0@\0\x08\x02\0\0\0&\xaa\x87\xd3\0\0\0\x0cIDAT\
            x\x9ccph8\0\0\x02\x84\x01\x81&\x97\xa7+\0\0\0\0IEND\xaeB`\x82";
        assert_eq!(Picture::read(huge).unwrap_err(), PictureError::TooLarge);
    }

    #[test]
    fn opaque_pictures_are_jpeg_and_others_png() {
        assert!(stripes().fitted_uri(20, 20).unwrap().starts_with("data:image/jpeg;base64,/9j/"));
        let clear = Picture::read(&png_file::encode(&Canvas::clear(3, 3)).unwrap()).unwrap();
        assert!(clear.fitted_uri(20, 20).unwrap().starts_with("data:image/png;base64,iVBOR"));
    }
}
