//! Animated GIF.

use std::num::NonZeroU16;
use std::time::Duration;

use gif::{DecodeOptions, Repeat};
use npuzzle_core::{Dims, Instance, Moves, Slide};
use npuzzle_draw::{DrawError, Replay, Style, Theme, Timing, gif as draw, png};
use npuzzle_testkit::dims;
use npuzzle_testkit::random::Random;

use crate::pixels::Decoded;
use crate::{instance, nine_squares, pacing, replay, square_color};

/// A decoded GIF.
struct Played {
    width: usize,
    /// Every composed picture, with its time in hundredths of a second.
    pictures: Vec<(Vec<[u8; 3]>, u16)>,
    /// The number of stored pixels of each frame.
    stored: Vec<usize>,
    repeat: Repeat,
}

fn play(replay: &Replay, style: &Style, timing: Timing) -> Played {
    let mut bytes = Vec::new();
    draw::solution(replay, style, timing, &mut bytes).unwrap();
    decode(&bytes)
}

fn decode(bytes: &[u8]) -> Played {
    let mut decoder = DecodeOptions::new().read_info(bytes).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let palette = decoder.global_palette().unwrap().to_vec();
    let mut screen = vec![[0; 3]; width * height];
    let (mut pictures, mut stored) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (i, &index) in frame.buffer.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            let color = &palette[3 * usize::from(index)..][..3];
            screen[(top + y) * width + left + x].copy_from_slice(color);
        }
        pictures.push((screen.clone(), frame.delay));
        stored.push(frame.buffer.len());
    }
    Played { width, pictures, stored, repeat: decoder.repeat() }
}

/// A board as the PNG writer paints it, on the background.
fn painted(instance: &Instance, style: &Style) -> Vec<[u8; 3]> {
    let page = if style.theme == Theme::Dark { [0x0f, 0x14, 0x1a] } else { [255; 3] };
    let side = style.tile.map_or(80, NonZeroU16::get);
    let style = Style { tile: NonZeroU16::new(side), ..style.clone() };
    Decoded::read(&png::board(instance, &style).unwrap()).on(page)
}

fn moved(replay: &Replay) -> Instance {
    let board = replay.moves().replay(replay.instance().start()).unwrap();
    let goal = npuzzle_core::Goal::Board(replay.instance().goal().clone());
    Instance::new(board, &goal).unwrap()
}

fn random_walk(dims: Dims, n_slides: usize, seed: u64) -> Replay {
    let mut random = Random::new(seed);
    let goal = npuzzle_core::Goal::Last.board(dims).unwrap();
    let mut board = goal.clone();
    let mut slides: Vec<Slide> = Vec::new();
    while slides.len() < n_slides {
        let slide = Slide::ALL[random.below(4)];
        if slides.last() != Some(&slide.opposite()) && board.slide(slide) {
            slides.push(slide);
        }
    }
    let moves = Moves::from(slides).inverse();
    Replay::new(&Instance::from(board), moves).unwrap()
}

/// Asserts that colors differ by rounding only.
fn assert_alike(a: &[[u8; 3]], b: &[[u8; 3]], max_difference: u8) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(
            a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= max_difference),
            "pixel {i}: {a:?} {b:?}"
        );
    }
}

#[test]
fn frames_lead_from_start_to_end() {
    for (size, theme) in
        [("2x2", Theme::Light), ("4x4", Theme::Dark), ("3x5", Theme::Auto), ("6x2", Theme::Light)]
    {
        let replay = random_walk(dims(size), 40, 7);
        let style = Style { theme, tile: NonZeroU16::new(40), ..Style::default() };
        let played = play(&replay, &style, Timing::default());
        assert_alike(&played.pictures[0].0, &painted(replay.instance(), &style), 1);
        let last = &played.pictures.last().unwrap().0;
        assert_alike(last, &painted(&moved(&replay), &style), 1);
        assert!(moved(&replay).start().is_goal());
    }
}

#[test]
fn every_board_is_shown_at_rest() {
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let style = Style { tile: NonZeroU16::new(48), ..Style::default() };
    let played = play(&replay, &style, Timing::default());
    // Six frames each, and the start.
    assert_eq!(played.pictures.len(), 1 + 2 * 6);
    let middle = painted(&instance("1 2 3/4 5 6/7 0 8"), &style);
    assert_alike(&played.pictures[6].0, &middle, 1);
    // In motion the tile is between both cells.
    assert_ne!(played.pictures[3].0, played.pictures[0].0);
    assert_ne!(played.pictures[3].0, played.pictures[6].0);
}

#[test]
fn straight_run_is_one_motion() {
    let replay = replay("1 2 3/4 5 6/0 7 8", "L2");
    let style = Style { tile: NonZeroU16::new(48), ..Style::default() };
    let played = play(&replay, &style, Timing::default());
    assert_eq!(played.pictures.len(), 1 + 6);
    // Halfway, the last cell is half empty and the first one half full.
    let half_way = |x: usize| played.pictures[3].0[(6 + 2 * 51 + 4) * played.width + x];
    let (tray, tile) = ([0xc3, 0xcc, 0xd8], [0xfd, 0xfc, 0xf9]);
    assert_eq!(
        [10, 28, 34, 76, 85, 127, 133, 150].map(half_way),
        [tray, tray, tile, tile, tile, tile, tray, tray]
    );
    assert!(moved(&replay).start().is_goal());
    assert_alike(&played.pictures[6].0, &painted(&moved(&replay), &style), 1);
}

#[test]
fn only_the_changed_strip_is_stored() {
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let style = Style { tile: NonZeroU16::new(48), ..Style::default() };
    let played = play(&replay, &style, Timing::default());
    assert_eq!(played.stored[0], played.width * played.width);
    assert!(played.stored[1..].iter().all(|&pixels| pixels == 48 * (48 + 3 + 48)));
}

#[test]
fn animation_has_its_timing_and_repeats() {
    let ms = Duration::from_millis;
    let timing = Timing { per_move: ms(250), at_start: ms(700), at_end: ms(1500) };
    let played = play(&replay("1 2 3/4 0 6/7 5 8", "U L"), &Style::default(), timing);
    assert_eq!(played.repeat, Repeat::Infinite);
    let times: Vec<u16> = played.pictures.iter().map(|(_, time)| *time).collect();
    assert_eq!((times[0], *times.last().unwrap()), (70, 150));
    // The first move takes a quarter of a second, including its rest.
    let first: u16 = times[1..=(times.len() - 1) / 2].iter().sum();
    assert_eq!(first, 25);
}

#[test]
fn long_solutions_are_thinned_and_too_long_ones_refused() {
    let style = Style { tile: NonZeroU16::new(8), ..Style::default() };
    let played = play(&pacing("1 2/3 0", 4_000), &style, Timing::default());
    assert_eq!(played.pictures.len(), 1 + 4_000);
    let error = draw::solution(&pacing("1 2/3 0", 20_001), &style, Timing::default(), Vec::new());
    assert!(matches!(error, Err(DrawError::TooManyMoves { n_runs: 20_001, max: 20_000 })));
}

#[test]
fn picture_colors_are_close() {
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let style = Style {
        picture: Some(nine_squares()),
        tile: NonZeroU16::new(48),
        numbers: true,
        ..Style::default()
    };
    let played = play(&replay, &style, Timing::default());
    let expect = painted(&moved(&replay), &style);
    // Anti-aliased edges share colors; the three channels of a pixel are off by less than two in sum.
    assert_alike(&played.pictures.last().unwrap().0, &expect, 80);
    let off: u64 = played
        .pictures
        .last()
        .unwrap()
        .0
        .as_flattened()
        .iter()
        .zip(expect.as_flattened())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    assert!(off < 2 * expect.len() as u64, "{off} over {} pixels", expect.len());
}

#[test]
fn picture_is_complete_only_at_the_goal() {
    let style =
        Style { picture: Some(nine_squares()), tile: NonZeroU16::new(48), ..Style::default() };
    // The moves reach the goal, leave it, and reach it again.
    let replay = replay("1 2 3/4 5 6/7 0 8", "L R L");
    let played = play(&replay, &style, Timing::default());
    let last_cell = 6 + 2 * 51 + 24;
    let shown = |frame: usize| played.pictures[frame].0[last_cell * played.width + last_cell];
    let (piece, tile) = (square_color(2, 2), square_color(2, 1));
    let is = |frame: usize, color: [u8; 3]| {
        shown(frame).iter().zip(color).all(|(a, b)| a.abs_diff(b) < 8)
    };
    assert_eq!(played.pictures.len(), 1 + 3 * 6);
    for (frame, _) in played.pictures.iter().enumerate() {
        assert_eq!(is(frame, piece), [6, 18].contains(&frame), "frame {frame}: {:?}", shown(frame));
    }
    assert!(!is(6, tile));
    let expect = painted(&moved(&replay), &style);
    assert_alike(&played.pictures.last().unwrap().0, &expect, 80);
}

#[test]
fn still_board_is_one_frame() {
    let mut bytes = Vec::new();
    let puzzle = instance("8 1 3/4 0 2/7 6 5");
    draw::board(&puzzle, &Style::default(), &mut bytes).unwrap();
    let played = decode(&bytes);
    assert_eq!(played.pictures.len(), 1);
    assert_alike(&played.pictures[0].0, &painted(&puzzle, &Style::default()), 1);
}

#[test]
fn write_error_is_returned() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let error = draw::solution(&replay, &Style::default(), Timing::default(), Full).unwrap_err();
    assert!(matches!(error, DrawError::Io(e) if e.kind() == std::io::ErrorKind::StorageFull));
}
