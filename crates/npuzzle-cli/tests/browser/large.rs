//! Large boards.

use serde_json::json;

use crate::page::with_page;

#[test]
fn largest_board_is_shown_and_played() {
    with_page(|page| async move {
        page.open("").await;
        page.fill("#rows", "127").await;
        page.fill("#cols", "127").await;
        page.wait("document.querySelector('#board canvas')").await;
        page.click("#scramble").await;
        page.wait_solved(false).await;
        // The canvas has more than one color.
        let colors = page
            .value("(() => { const canvas = document.querySelector('#board canvas'); \
                    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); \
                    return new Set(new Uint32Array(data.buffer)).size; })()")
            .await;
        assert!(colors.as_u64().is_some_and(|n| n > 100), "{colors}");
        page.keys("#board", "\u{e013}\u{e015}\u{e012}\u{e014}").await;
        page.wait("Number(document.getElementById('stm').textContent) >= 2").await;
        // The description is short: at most 24 tiles of five digits, with their positions.
        page.keys("#board", "b").await;
        page.wait(
            "document.getElementById('said').textContent.startsWith('Around the blank in row')",
        )
        .await;
        let words = page.value("document.getElementById('said').textContent.length < 220").await;
        assert_eq!(words, json!(true));
    });
}

#[test]
fn slow_generation_can_be_cancelled() {
    with_page(|page| async move {
        page.open("").await;
        page.click("[data-size='4x4']").await;
        page.wait("document.getElementById('board').dataset.board.split('/').length === 4").await;
        page.fill("#exact", "77").await;
        page.click("#scramble").await;
        page.keys("body", "\u{e00c}").await;
        page.wait("document.getElementById('toast').textContent === 'Cancelled.'").await;
        // Another puzzle is generated.
        page.fill("#exact", "20").await;
        page.click("#scramble").await;
        page.wait_solved(false).await;
    });
}

#[test]
fn ten_by_ten_board_is_solved() {
    with_page(|page| async move {
        page.open("").await;
        page.fill("#rows", "10").await;
        page.fill("#cols", "10").await;
        page.click("[data-level=random]").await;
        page.wait_solved(false).await;
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.includes('MTM')").await;
        page.click("#last").await;
        page.wait_solved(true).await;
        let length = page
            .value("Number(document.getElementById('stm').textContent.replaceAll(',', '')) > 200")
            .await;
        assert_eq!(length, json!(true));
    });
}
