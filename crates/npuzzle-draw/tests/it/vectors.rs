//! SVG.

use npuzzle_core::Goal;
use npuzzle_draw::{DrawError, Style, Theme, svg};
use npuzzle_testkit::{board, dims};

use crate::{instance, nine_squares, pacing, replay};

/// Every element is closed, in order, and every attribute is quoted.
fn assert_well_formed(text: &str) {
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("no end of <{part}"));
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

const LIGHT: Style = Style { tile: None, theme: Theme::Light, picture: None, numbers: false };

#[test]
fn small_board_snapshot() {
    let font = "system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
    let style = Style { tile: std::num::NonZeroU16::new(32), ..LIGHT };
    let expect = format!(
        "\
<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"74\" height=\"74\" viewBox=\"0 0 74 74\" role=\"img\">
<title>2x2 sliding puzzle: 1 3/2 0</title>
<rect width=\"74\" height=\"74\" rx=\"8\" fill=\"#c3ccd8\"/>
<g fill=\"#fdfcf9\"><rect x=\"38\" y=\"4\" width=\"32\" height=\"32\" rx=\"4\"/><rect x=\"4\" y=\"38\" width=\"32\" height=\"32\" rx=\"4\"/></g>
<g fill=\"#dcecf9\"><rect x=\"4\" y=\"4\" width=\"32\" height=\"32\" rx=\"4\"/></g>
<g font-family=\"{font}\" font-size=\"16\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#222b38\"><text x=\"54\" y=\"25.7\">3</text><text x=\"20\" y=\"59.7\">2</text></g>
<g font-family=\"{font}\" font-size=\"16\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#0a4a80\"><text x=\"20\" y=\"25.7\">1</text></g>
<g fill=\"#0072b2\"><circle cx=\"20\" cy=\"31.7\" r=\"1.1\"/></g>
</svg>
"
    );
    assert_eq!(svg::board(&instance("1 3/2 0"), &style).unwrap(), expect);
}

#[test]
fn tiles_are_marked_only_with_a_goal() {
    let puzzle = instance("1 2 3/4 5 6/7 0 8");
    let marked = svg::board(&puzzle, &LIGHT).unwrap();
    assert_eq!(marked.matches("<circle ").count(), 7);
    let plain = svg::board(puzzle.start(), &LIGHT).unwrap();
    assert_eq!(plain.matches("<circle ").count(), 0);
    for picture in [marked, plain] {
        assert_well_formed(&picture);
        assert_eq!(picture.matches("<text ").count(), 8);
        assert_eq!(picture.matches("<rect ").count(), 1 + 8);
    }
}

#[test]
fn colors_match_the_theme() {
    let picture = |theme| svg::board(&board("1 2/3 0"), &Style { theme, ..LIGHT }).unwrap();
    let [light, dark, auto] = [Theme::Light, Theme::Dark, Theme::Auto].map(picture);
    assert!(light.contains("#fdfcf9") && !light.contains("#394554") && !light.contains("<style>"));
    assert!(dark.contains("#394554") && !dark.contains("#fdfcf9") && !dark.contains("<style>"));
    // Light attributes, and styles for both.
    assert!(auto.contains("class=\"np-tile\" fill=\"#fdfcf9\""));
    assert!(auto.contains("@media(prefers-color-scheme:dark){.np-auto{"));
    assert!(auto.contains("--np-tile:#fdfcf9") && auto.contains("--np-tile:#394554"));
    assert_well_formed(&auto);
}

#[test]
fn every_size_can_be_drawn() {
    for size in ["2x2", "2x127", "11x3", "127x127"] {
        let board = Goal::Last.board(dims(size)).unwrap();
        let picture = svg::board(&board, &Style::default()).unwrap();
        assert_eq!(picture.matches("<text ").count(), board.dims().cells() - 1, "{size}");
        assert_well_formed(&picture);
    }
}

#[test]
fn sheet_numbers_boards_and_marks_slides() {
    let replay = replay("1 2 3/4 0 6/7 5 8", "U L");
    let sheet = svg::sheet(&replay, &LIGHT).unwrap();
    assert_well_formed(&sheet);
    for caption in [">0</text>", ">1 U</text>", ">2 L</text>"] {
        assert!(sheet.contains(caption), "{caption}");
    }
    assert_eq!(sheet.matches("stroke=\"#d55e00\"").count(), 2);
    assert_eq!(sheet.matches("<text ").count(), 3 + 3 * 8);
    assert!(sheet.contains("<title>A 3x3 sliding puzzle in 2 slides: U L</title>"));
}

#[test]
fn sheet_of_too_many_boards_is_refused() {
    let long = pacing("1 2/3 0", 30_000);
    let error = svg::sheet(&long, &LIGHT).unwrap_err();
    assert!(matches!(error, DrawError::TooManyBoards { n_boards: 30_001, max: 25_000 }), "{error}");
}

#[test]
fn picture_is_embedded_once() {
    let style = Style { picture: Some(nine_squares()), ..LIGHT };
    let picture = svg::board(&board("1 2 3/4 0 6/7 5 8"), &style).unwrap();
    assert_well_formed(&picture);
    assert_eq!(picture.matches("data:image/jpeg;base64,").count(), 1);
    assert_eq!(picture.matches("<use ").count(), 8);
    assert_eq!(picture.matches("<text ").count(), 0);
    // Tile 5 is in the last row and shows the center.
    assert!(picture.contains("<g transform=\"translate(95 180)\""), "{picture}");
    assert!(picture.contains(" x=\"-85\" y=\"-85\"/>"));
    let numbered = svg::board(&board("1 2/0 3"), &Style { numbers: true, ..style }).unwrap();
    assert_eq!(numbered.matches("<text ").count(), 3);
    assert_well_formed(&numbered);
}

#[test]
fn picture_of_the_goal_is_complete() {
    let style = Style { picture: Some(nine_squares()), numbers: true, ..LIGHT };
    let last = "<g transform=\"translate(180 180)\"";
    let solved = svg::board(&board("1 2 3/4 5 6/7 8 0"), &style).unwrap();
    assert_well_formed(&solved);
    // All pieces of the picture, and numbers on the tiles only.
    assert_eq!((solved.matches("<use ").count(), solved.matches("<text ").count()), (9, 8));
    assert!(solved.contains(last) && solved.contains(" x=\"-170\" y=\"-170\"/>"), "{solved}");
    assert!(!svg::board(&instance("1 2 3/4 5 6/8 7 0"), &style).unwrap().contains(last));
    let sheet = svg::sheet(&replay("1 2 3/4 0 6/7 5 8", "U L"), &style).unwrap();
    assert_eq!(sheet.matches("<use ").count(), 8 + 8 + 9);
}
