//! Links restore everything; pictures and pages are made of it.

use serde_json::json;

use crate::page::with_page;

#[test]
fn link_restores_position_moves_and_settings() {
    with_page(|page| async move {
        page.open("#start=1.2.3_8.0.5_4.7.6&goal=snail").await;
        page.fill("#notation", "numbers").await;
        page.click("[data-tile='8']").await;
        page.click("[data-tile='4']").await;
        page.click("#back").await;
        let board = page.board().await;
        page.click("#open-share").await;
        let link = page.value("document.getElementById('link').value").await;
        let link = link.as_str().expect("a link").to_owned();
        page.wait("location.href === document.getElementById('link').value").await;

        page.run("localStorage.clear();").await;
        page.open(&link[page.address.len()..]).await;
        assert_eq!(page.board().await, board);
        assert_eq!(page.text("#stm").await, "1");
        let words =
            "[...document.querySelectorAll('#moves button')].map((button) => button.textContent)";
        assert_eq!(page.value(words).await, json!(["8", "4"]));
        assert_eq!(page.value("document.getElementById('goal').value").await, json!("snail"));
        page.click("#first").await;
        assert_eq!(page.board().await, "1 2 3/8 0 5/4 7 6");
    });
}

#[test]
fn broken_link_is_told_of() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.4.5_6.7.8").await;
        page.wait("!document.getElementById('toast').hidden").await;
        assert_eq!(page.board().await, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
    });
}

#[test]
fn every_format_is_drawn() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6&moves=LU").await;
        page.click("#open-share").await;
        for format in ["svg", "png", "gif", "html"] {
            page.click(&format!("[data-format='{format}']")).await;
            let words = format!("Saved as npuzzle.{format}.");
            page.wait(&format!(
                "document.getElementById('share-verdict').textContent === '{words}'"
            ))
            .await;
        }
    });
}
