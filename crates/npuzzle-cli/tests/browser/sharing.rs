//! Sharing: links, pictures and pages.

use serde_json::json;

use crate::page::{with_browser, with_page};
use crate::server;

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

/// The values of all lists, and the checked boxes.
const CHOSEN: &str = "[...document.querySelectorAll('#play .options select, #watch select, \
    #compare select, #compare input:checked')].map((field) => field.value)";

#[test]
fn link_restores_search_settings() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5&view=watch").await;
        page.click("#watch-two").await;
        for (field, value) in [
            (".watch-choices label:not(#watch-speed) select", "30"),
            (".lane:nth-child(1) label:nth-child(1) select", "uniform"),
            (".lane:nth-child(1) label:nth-child(3) select", "fifo"),
            (".lane:nth-child(2) label:nth-child(2) select", "misplaced"),
            ("#compare .choices select", "20"),
            ("#compare .card-head select", "moves"),
            ("#algorithm", "ida"),
            ("#heuristic", "manhattan"),
            ("#metric", "mtm"),
            ("#answer", "optimal"),
            ("#limit", "10"),
        ] {
            page.fill(field, value).await;
        }
        for value in ["greedy", "bfs", "manhattan"] {
            page.run(&format!("document.querySelector('#compare [value={value}]').click();")).await;
        }
        let expected = json!([
            "ida",
            "manhattan",
            "mtm",
            "optimal",
            "10",
            "1000",
            "30",
            "uniform",
            "manhattan",
            "fifo",
            "expansion",
            "none",
            "greedy",
            "misplaced",
            "lifo",
            "expansion",
            "none",
            "astar",
            "ida",
            "bfs",
            "misplaced",
            "linear-conflict",
            "20",
            "moves"
        ]);
        assert_eq!(page.value(CHOSEN).await, expected);
        page.click("#open-share").await;
        let link = page.value("document.getElementById('link').value").await;
        let link = link.as_str().expect("a link").to_owned();

        page.open(&link[page.address.len()..]).await;
        assert_eq!(page.value(CHOSEN).await, expected);
        page.wait("document.querySelectorAll('.lane[data-step]').length === 2").await;
        assert_eq!(page.value("document.getElementById('watch').hidden").await, json!(false));
    });
}

#[test]
fn invalid_link_settings_fall_back_to_defaults() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        let usual = page.value(CHOSEN).await;
        page.open(
            "#start=1.2.3_4.0.5_7.8.6&algorithm=constructor&limit=7&steps=1e9&metric=toString\
             &search=astar.constructor.lifo&second=astar&compared=astar.nothing&measure=__proto__",
        )
        .await;
        assert_eq!(page.value(CHOSEN).await, usual);
    });
}

#[test]
fn link_does_not_change_stored_settings() {
    with_page(|page| async move {
        page.open("").await;
        page.fill("#notation", "blank").await;
        page.open("#start=1.2.3_4.0.5_7.8.6&notation=numbers&marks=1").await;
        assert_eq!(page.value("document.getElementById('notation').value").await, json!("numbers"));
        page.fill("#speed", "4").await;
        let kept = page.value("JSON.parse(localStorage.getItem('npuzzle'))").await;
        let found = [&kept["notation"], &kept["marks"], &kept["speed"]];
        assert_eq!(found, [&json!("blank"), &json!(false), &json!("4")]);
    });
}

#[test]
fn broken_link_is_reported() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.4.5_6.7.8").await;
        page.wait("!document.getElementById('toast').hidden").await;
        // As without a link, the page starts on an easy board.
        assert_eq!(page.board().await.split('/').count(), 3);
        page.wait_solved(false).await;
    });
}

#[test]
fn link_without_a_board_opens_its_view_on_an_easy_board() {
    with_page(|page| async move {
        page.open("#view=compare").await;
        assert_eq!(page.value("document.getElementById('compare').hidden").await, json!(false));
        assert_eq!(page.board().await.split('/').count(), 3);
        page.wait_solved(false).await;
    });
}

#[test]
fn public_address_adds_a_second_link() {
    let public = "https://course.example/npuzzle/";
    let (_server, address) = server::start_with(&["--public-address", public]);
    with_browser(address, 1280, 900, move |page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.wait("!document.getElementById('public-field').hidden").await;
        page.click("#open-share").await;
        let links = "['link', 'public-link'].map((id) => document.getElementById(id).value)";
        let fragment = "#start=1.2.3_4.0.5_7.8.6";
        let expected = [format!("{}{fragment}", page.address), format!("{public}{fragment}")];
        assert_eq!(page.value(links).await, json!(expected));
        assert!(page.text("#share").await.contains("Copy link for others"));
    });
}

#[test]
fn every_picture_format_is_drawn() {
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
