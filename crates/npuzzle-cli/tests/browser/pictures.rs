//! Screenshots of the page. If `NPUZZLE_PICTURES` is set, they are saved to that folder; `cargo xtask
//! pictures` does so for the docs.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::page::{Page, with_page};
use crate::watching::LOADED;

/// A solution with a detour that wastes two moves.
const GAME: &str = "#start=12.1.10.2_7.11.4.14_5.0.9.15_8.13.6.3&at=20&\
    moves=LULRLD2RU2RD2RDL2U2LDR3U2L2DR2UL2DRD2L2U2R2D2L2U2RUL";

/// The largest picture for the docs, in bytes.
const MAX_BYTES: usize = 180_000;

#[test]
fn page_is_pictured() {
    with_page(|page| async move {
        page.resize(1280, 900, 1.0, false).await;
        page.open(GAME).await;
        ready(&page).await;
        keep(&page, "page").await;

        page.run("document.documentElement.dataset.theme = 'dark';").await;
        page.click("#marks").await;
        page.wait("document.querySelector('[data-best]')").await;
        keep(&page, "page-dark").await;

        page.resize(1280, 1190, 1.0, false).await;
        page.open("#start=8.1.3_4.0.2_7.6.5&view=watch").await;
        page.run("document.documentElement.dataset.theme = 'light';").await;
        page.wait(LOADED).await;
        for _ in 0..10 {
            page.keys("body", "\u{e014}").await;
        }
        keep(&page, "page-watch").await;

        page.resize(1280, 890, 1.0, false).await;
        page.open("#start=8.1.3_4.0.2_7.6.5&view=compare").await;
        page.keys("#run-compare", "\u{e007}").await;
        page.wait("document.querySelector('#compare .verdict').textContent === '9 searches.'")
            .await;
        keep(&page, "page-compare").await;

        page.resize(360, 740, 2.0, true).await;
        page.open(GAME).await;
        ready(&page).await;
        keep(&page, "page-phone").await;
    });
}

/// Waits until distances are shown and nothing moves.
async fn ready(page: &Page) {
    page.wait("Number(document.getElementById('distance').textContent) > 0").await;
    page.wait("document.querySelectorAll('.graph .here').length === 1").await;
    page.wait("document.getElementById('losses').textContent.includes('optimal')").await;
}

async fn keep(page: &Page, name: &str) {
    page.wait("document.getAnimations().length === 0").await;
    page.run("document.activeElement.blur(); scrollTo(0, 0);").await;
    let png = page.screenshot().await;
    assert!(png.len() < MAX_BYTES, "{name}: {} bytes", png.len());
    let folder = std::env::var_os("NPUZZLE_PICTURES").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("page"));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name).with_extension("png"), png).expect("written");
    let errors = page.errors().await;
    assert_eq!(json!(errors), json!([]));
}
