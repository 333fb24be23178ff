//! The page of `npuzzle render`, opened from a file without a server.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::page::with_browser;

/// Renders a solution, and returns the address of the page.
fn render(name: &str, args: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let made = Command::new(env!("CARGO_BIN_EXE_npuzzle"))
        .arg("render")
        .args(args)
        .arg("--out")
        .arg(&file)
        .status()
        .expect("npuzzle runs");
    assert!(made.success());
    format!("file://{}", file.display())
}

#[test]
fn rendered_picture_is_complete_at_the_goal() {
    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/page.png");
    let args = ["1 2 3/4 0 6/7 5 8", "--moves", "U L", "--picture", picture];
    with_browser(render("picture.html", &args), 1280, 900, |page| async move {
        page.goto().await;
        let blank = "getComputedStyle(document.querySelector('.tile.blank')).opacity";
        assert_eq!(page.value(blank).await, "0");
        page.click("#last").await;
        page.wait(&format!("{blank} === '1'")).await;
        // The nine pieces are in nine places.
        page.wait(
            "new Set([...document.querySelectorAll('.tile')] \
             .map((tile) => JSON.stringify(tile.getBoundingClientRect()))).size === 9",
        )
        .await;
        page.click("#back").await;
        page.wait(&format!("{blank} === '0'")).await;
        // The moves also reach the goal step by step.
        page.click("#next").await;
        page.wait(&format!("{blank} === '1'")).await;
    });
}

#[test]
fn rendered_page_plays_forward_and_back() {
    let address = render("player.html", &["8 1 3/4 0 2/7 6 5", "--solve"]);
    with_browser(address, 1280, 900, |page| async move {
        page.goto().await;
        let homes = "document.querySelectorAll('.tile.home').length";
        assert_eq!(page.text("#stm").await, "0 / 14");
        page.keys("body", "\u{e014}").await;
        page.keys("body", "\u{e014}").await;
        assert_eq!(page.text("#stm").await, "2 / 14");
        page.click("#back").await;
        assert_eq!(page.text("#stm").await, "1 / 14");
        page.fill("#speed", "10").await;
        page.click("#play").await;
        page.wait("document.getElementById('stm').textContent === '14 / 14'").await;
        page.wait(&format!("{homes} === 8")).await;
        page.wait("document.getElementById('now').textContent.endsWith('Solved.')").await;
        assert_eq!(page.value("document.getElementById('next').disabled").await, json!(true));
        page.keys("body", "\u{e011}").await;
        assert_eq!(page.text("#stm").await, "0 / 14");
        page.fill("#place", "12").await;
        assert_eq!(page.text("#mtm").await, "12 / 12");
    });
}
