//! The page of `npuzzle render`, opened from a file without a server.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::page::with_browser;

#[test]
fn rendered_page_plays_forward_and_back() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("player.html");
    let made = Command::new(env!("CARGO_BIN_EXE_npuzzle"))
        .args(["render", "8 1 3/4 0 2/7 6 5", "--solve", "--out"])
        .arg(&file)
        .status()
        .expect("npuzzle runs");
    assert!(made.success());
    with_browser(format!("file://{}", file.display()), 1280, 900, |page| async move {
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
