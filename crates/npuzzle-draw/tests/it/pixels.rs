//! PNG.

use std::num::NonZeroU16;

use npuzzle_core::{Goal, Instance};
use npuzzle_draw::{DrawError, Style, Theme, png as draw};
use npuzzle_testkit::{board, dims};

use crate::{instance, nine_squares, pacing, replay, square_color};

/// A decoded file: width, height, and red, green, blue, opacity of every pixel.
pub(crate) struct Decoded {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 4]>,
}

impl Decoded {
    pub(crate) fn read(bytes: &[u8]) -> Decoded {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        let (pixels, rest) = data.as_chunks::<4>();
        assert!(rest.is_empty());
        let (width, height) = (info.width as usize, info.height as usize);
        Decoded { width, height, pixels: pixels.to_vec() }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.pixels[y * self.width + x]
    }

    /// The pixels over a backbackground color.
    pub(crate) fn on(&self, background: [u8; 3]) -> Vec<[u8; 3]> {
        let seen = |&[r, g, b, a]: &[u8; 4]| {
            let part = f64::from(a) / 255.0;
            let mix =
                |c: u8, g: u8| (f64::from(c) * part + f64::from(g) * (1.0 - part)).round() as u8;
            [mix(r, background[0]), mix(g, background[1]), mix(b, background[2])]
        };
        self.pixels.iter().map(seen).collect()
    }
}

fn style(tile: u16, theme: Theme) -> Style {
    Style { tile: NonZeroU16::new(tile), theme, ..Style::default() }
}

#[test]
fn pixels_have_theme_colors() {
    // Tiles of 80 pixels, gaps of 5, a border of 10: cells begin at 10, 95, 180.
    for (theme, tray, tile, home) in [
        (Theme::Light, [0xc3, 0xcc, 0xd8], [0xfd, 0xfc, 0xf9], [0xdc, 0xec, 0xf9]),
        (Theme::Dark, [0x1c, 0x24, 0x2e], [0x39, 0x45, 0x54], [0x1b, 0x4b, 0x6e]),
    ] {
        let bytes = draw::board(&instance("1 2 3/4 0 6/7 5 8"), &style(80, theme)).unwrap();
        let picture = Decoded::read(&bytes);
        assert_eq!((picture.width, picture.height), (270, 270));
        let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
        // Transparent outside the round corners; the tray in the border, the gaps and the blank.
        assert_eq!(picture.at(0, 0)[3], 0);
        assert_eq!(picture.at(135, 2), opaque(tray));
        assert_eq!(picture.at(92, 50), opaque(tray));
        assert_eq!(picture.at(135, 135), opaque(tray));
        // Tile 1 is in its goal cell and tile 5 is not; the point is above the number.
        assert_eq!(picture.at(50, 20), opaque(home));
        assert_eq!(picture.at(135, 190), opaque(tile));
        // The corner of a tile is cut off.
        assert_eq!(picture.at(10, 10), opaque(tray));
    }
}

#[test]
fn numbers_are_centered() {
    let bytes = draw::board(&board("8 1 3/4 0 2/7 6 5"), &style(80, Theme::Light)).unwrap();
    let picture = Decoded::read(&bytes);
    let ink = [0x22, 0x2b, 0x38, 255];
    let inked = |left: usize, top: usize| {
        let places = (0..80).flat_map(|y| (0..80).map(move |x| (x, y)));
        places.filter(|&(x, y)| picture.at(left + x, top + y) == ink).collect::<Vec<_>>()
    };
    for (left, top) in [(10, 10), (180, 10), (95, 180)] {
        let inked = inked(left, top);
        let middle = |of: fn(&(usize, usize)) -> usize| {
            let (least, most) = (inked.iter().map(of).min(), inked.iter().map(of).max());
            (least.unwrap() + most.unwrap()) as f64 / 2.0
        };
        assert!((middle(|p| p.0) - 39.5).abs() <= 1.0, "{left} {top}");
        assert!((middle(|p| p.1) - 39.5).abs() <= 1.0, "{left} {top}");
        let share = inked.len() as f64 / 6400.0;
        assert!((0.02..0.12).contains(&share), "{share}");
    }
    assert!(inked(95, 95).is_empty());
}

#[test]
fn every_size_can_be_drawn() {
    for (size, tile) in [("2x2", None), ("2x127", None), ("127x127", Some(8)), ("3x4", Some(1))] {
        let board = Goal::Last.board(dims(size)).unwrap();
        let style = Style { tile: tile.and_then(NonZeroU16::new), ..Style::default() };
        let picture = Decoded::read(&draw::board(&board, &style).unwrap());
        assert!(picture.width.max(picture.height) <= 4096, "{size}");
    }
}

#[test]
fn too_large_picture_is_refused_with_largest_tile() {
    let board = Goal::Last.board(dims("127x127")).unwrap();
    let error = draw::board(&board, &style(100, Theme::Light)).unwrap_err();
    assert!(matches!(error, DrawError::TooLarge { largest_tile: Some(_), .. }));
    let message = error.to_string();
    assert!(message.contains("use tiles of at most 31 pixels"), "{message}");
    assert!(draw::board(&board, &style(65_535, Theme::Light)).is_err());
}

#[test]
fn picture_tiles_show_their_part() {
    let picture = Style { picture: Some(nine_squares()), ..style(80, Theme::Light) };
    let decoded = Decoded::read(&draw::board(&board("5 1 2/3 0 4/8 7 6"), &picture).unwrap());
    for (tile, (row, col)) in [(5, (0, 0)), (1, (0, 1)), (6, (2, 2)), (4, (1, 2)), (7, (2, 1))] {
        let [r, g, b] = square_color((tile - 1) / 3, (tile - 1) % 3);
        let seen = decoded.at(10 + 85 * col + 40, 10 + 85 * row + 40);
        assert_eq!(seen, [r, g, b, 255], "{tile}");
    }
    // The goal decides which part, if there is one.
    let puzzle = Instance::new(board("1 5 2/3 0 4/8 7 6"), &Goal::First).unwrap();
    let decoded = Decoded::read(&draw::board(&puzzle, &picture).unwrap());
    let [r, g, b] = square_color(0, 1);
    assert_eq!(decoded.at(50, 50), [r, g, b, 255]);
}

#[test]
fn picture_of_the_goal_is_complete() {
    let picture = Style { picture: Some(nine_squares()), ..style(80, Theme::Light) };
    let numbered = Style { numbers: true, ..picture.clone() };
    let painted = |puzzle: &Instance, style: &Style, row: usize, col: usize| {
        let decoded = Decoded::read(&draw::board(puzzle, style).unwrap());
        decoded.at(10 + 85 * col + 40, 10 + 85 * row + 40)
    };
    let piece = |row, col| {
        let [r, g, b] = square_color(row, col);
        [r, g, b, 255]
    };
    let tray = [0xc3, 0xcc, 0xd8, 255];
    let solved = instance("1 2 3/4 5 6/7 8 0");
    assert_eq!(painted(&solved, &picture, 2, 2), piece(2, 2));
    assert_eq!(
        painted(&solved, &style(80, Theme::Light), 2, 2),
        tray,
        "numbers have no last piece"
    );
    assert_eq!(painted(&instance("1 2 3/4 5 6/7 0 8"), &picture, 2, 1), tray);
    // The blank has a piece, but no number.
    let decoded = Decoded::read(&draw::board(&solved, &numbered).unwrap());
    let has_label = |col: usize| {
        let left = 10 + 85 * col;
        (left + 5..left + 75).any(|x| decoded.at(x, 195) != piece(2, col))
    };
    assert_eq!([0, 1, 2].map(has_label), [true, true, false]);
    // Another goal has its blank elsewhere.
    let first = Instance::new(board("0 1 2/3 4 5/6 7 8"), &Goal::First).unwrap();
    assert_eq!(painted(&first, &picture, 0, 0), piece(0, 0));
    let snail = Instance::new(board("1 2 3/8 0 4/7 6 5"), &Goal::Snail).unwrap();
    assert_eq!(painted(&snail, &picture, 1, 1), piece(1, 1));
}

#[test]
fn picture_sheet_ends_complete() {
    let picture = Style { picture: Some(nine_squares()), ..style(32, Theme::Light) };
    let n_last = |moves| {
        let decoded =
            Decoded::read(&draw::sheet(&replay("1 2 3/4 0 6/7 5 8", moves), &picture).unwrap());
        let [r, g, b] = square_color(2, 2);
        decoded.pixels.iter().filter(|&&pixel| pixel == [r, g, b, 255]).count()
    };
    assert_eq!(n_last("U"), 0);
    assert!(n_last("U L") > 30 * 30, "{}", n_last("U L"));
}

#[test]
fn picture_numbers_are_in_the_corner() {
    let plain = Style { picture: Some(nine_squares()), ..style(80, Theme::Light) };
    let numbered = Style { numbers: true, ..plain.clone() };
    let board = board("1 2 3/4 5 6/7 8 0");
    let [plain, numbered] =
        [plain, numbered].map(|style| Decoded::read(&draw::board(&board, &style).unwrap()));
    let differs = |x, y| plain.at(x, y) != numbered.at(x, y);
    assert!((10..40).any(|x| differs(x, 25)));
    assert!((10..90).all(|x| !differs(x, 60)));
}

#[test]
fn sheet_has_many_boards() {
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let decoded = Decoded::read(&draw::sheet(&replay, &style(32, Theme::Light)).unwrap());
    let moved = [0xd5, 0x5e, 0x00, 255];
    let n_marked = decoded.pixels.iter().filter(|&&pixel| pixel == moved).count();
    assert!(n_marked > 2 * 4 * 20, "{n_marked}");
    assert_eq!(decoded.at(0, 0), [255; 4]);
    assert!(draw::sheet(&pacing("1 2/3 0", 20_000), &Style::default()).is_err());
}
