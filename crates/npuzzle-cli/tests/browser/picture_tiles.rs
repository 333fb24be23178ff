//! Picture tiles: built-in pictures and files, the last piece, the thumbnail of the goal.

use serde_json::json;

use crate::page::{Page, with_page};

const BACKGROUND: &str = "document.querySelector(\"[data-tile='5']\").style.backgroundImage";
const LAST_PIECE: &str = "getComputedStyle(document.querySelector('#board .piece')).opacity";

#[test]
fn built_in_picture_is_stored_and_completed() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.0.8").await;
        let n_pictures = "document.querySelectorAll('[data-picture] canvas').length";
        assert_eq!(page.value(n_pictures).await, json!(6));
        page.click("[data-picture=island]").await;
        page.wait(&format!("{BACKGROUND}.includes('blob:')")).await;
        assert_eq!(page.value(LAST_PIECE).await, json!("0"));
        page.open("#start=1.2.3_4.5.6_7.0.8").await;
        page.wait(&format!("{BACKGROUND}.includes('blob:')")).await;
        page.wait("document.querySelector('#goal-thumbnail img')").await;
        let pressed = "document.querySelector('[data-picture=island]').ariaPressed";
        assert_eq!(page.value(pressed).await, json!("true"));
        page.keys("#board", "\u{e012}").await;
        page.wait(&format!("{LAST_PIECE} === '1'")).await;

        page.click("#no-picture").await;
        page.wait(&format!("{BACKGROUND} === ''")).await;
        assert_eq!(page.value("document.getElementById('goal-cell').hidden").await, json!(true));
    });
}

#[test]
fn every_piece_of_a_built_in_picture_is_different() {
    with_page(|page| async move {
        page.open("").await;
        // Pieces of 4×4 boards are compared by the colors of 8×8 points.
        let script = "const { PICTURES, drawPicture } = await import('/js/pictures/pictures.js'); \
            return PICTURES.map(([name]) => { \
              const data = drawPicture(name, 32).getContext('2d').getImageData(0, 0, 32, 32).data; \
              const piece = (row, col) => Array.from({ length: 64 }, (_, i) => 4 * ((8 * row + (i >> 3)) * 32 + 8 * col + (i & 7))) \
                .flatMap((at) => [data[at], data[at + 1], data[at + 2]]); \
              const pieces = Array.from({ length: 16 }, (_, i) => piece(i >> 2, i & 3)); \
              const difference = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length; \
              const least = Math.min(...pieces.flatMap((a, i) => pieces.slice(i + 1).map((b) => difference(a, b)))); \
              return [name, least]; });";
        let differences = page.module(script).await;
        for difference in differences.as_array().expect("differences") {
            assert!(difference[1].as_f64().expect("a number") > 5.0, "{difference}");
        }
    });
}

#[test]
fn file_is_cut_into_tiles_and_stored() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_6.7.8").await;
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-picture.png");
        let mut render = std::process::Command::new(env!("CARGO_BIN_EXE_npuzzle"));
        let made = render.args(["render", "1 2/3 0", "--out"]).arg(&file).status();
        assert!(made.is_ok_and(|status| status.success()));
        page.keys("#picture", &file.display().to_string()).await;
        page.wait(&format!("{BACKGROUND}.includes('blob:')")).await;
        page.open("#start=1.2.3_4.0.5_6.7.8").await;
        page.wait(&format!("{BACKGROUND}.includes('blob:')")).await;
        let n_bytes = page.value("localStorage.getItem('npuzzle-picture').length").await;
        assert!(n_bytes.as_u64().is_some_and(|n| n < 1_000_000), "{n_bytes}");
        page.click("#no-picture").await;
        page.wait(&format!("{BACKGROUND} === ''")).await;
    });
}

#[test]
fn unusual_goal_has_a_thumbnail() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.0.8").await;
        assert_eq!(goal(&page).await, json!(null));
        page.open("#start=1.2.3_8.4.0_7.6.5&goal=snail").await;
        assert_eq!(goal(&page).await, json!("1 2 3; 8 0 4; 7 6 5"));
        page.click("#more").await;
        page.fill("#goal", "first").await;
        assert_eq!(goal(&page).await, json!("0 1 2; 3 4 5; 6 7 8"));
    });
}

async fn goal(page: &Page) -> serde_json::Value {
    page.value(
        "document.getElementById('goal-cell').hidden ? null \
        : document.querySelector('#goal-thumbnail svg').ariaLabel",
    )
    .await
}
