//! Solving: progress, cancellation, playback, the engine, hints.

use serde_json::json;

use crate::page::{with_browser, with_page};
use crate::server;

/// A board of 43 moves, solved immediately.
const FIFTEEN: &str = "7.11.6.3_1.5.2.15_12.14.8.0_13.10.9.4";
/// The first of Korf's 24-puzzles, which takes longer than minutes to prove.
const HARD: &str = "14.5.9.2.18_8.23.19.12.17_15.0.10.20.4_6.11.21.1.7_24.3.16.22.13";

#[test]
fn fifteen_puzzle_solution_plays_to_its_end() {
    with_page(|page| async move {
        page.open(&format!("#start={FIFTEEN}&goal=last")).await;
        page.fill("#speed", "40").await;
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.includes('proved optimal')")
            .await;
        page.wait_solved(true).await;
        let start = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse().expect("a board");
        let best = npuzzle::solve(start).expect("solved").moves().map(|moves| moves.stm());
        assert_eq!(page.text("#stm").await.parse().ok(), best);
        page.wait("document.getElementById('distance').textContent === '0'").await;
        page.wait("document.getElementById('losses').textContent.startsWith('All ')").await;

        // Back and forth along the solution.
        page.click("#first").await;
        page.wait_solved(false).await;
        page.fill("#place", "10").await;
        assert_eq!(page.text("#stm").await, "10");
        page.click("#next").await;
        assert_eq!(page.text("#stm").await, "11");
        page.click("#moves button:last-child").await;
        page.wait_solved(true).await;
    });
}

#[test]
fn engine_agrees_with_the_proof_in_both_metrics() {
    with_page(|page| async move {
        for (metric, moves) in [("stm", 43), ("mtm", 28)] {
            page.open(&format!("#start={FIFTEEN}&metric={metric}")).await;
            page.fill("#speed", "40").await;
            page.click("#solve").await;
            page.wait_solved(true).await;
            let all = format!("All {moves} moves were optimal.");
            page.wait(&format!("document.getElementById('losses').textContent === '{all}'")).await;
        }
    });
}

#[test]
fn lost_server_is_reported_with_an_offer_to_retry() {
    let (server, address) = server::start();
    with_browser(address, 1280, 900, |page| async move {
        page.open(&format!("#start={HARD}&goal=first&answer=optimal")).await;
        page.click("#solve").await;
        page.wait("document.getElementById('figures').textContent.includes('Expanded')").await;
        drop(server);
        page.wait("document.getElementById('verdict').textContent.includes('npuzzle serve')").await;
        page.click("#retry").await;
        page.wait("document.getElementById('verdict').textContent.includes('cannot be reached')")
            .await;
        page.wait("document.getElementById('retry')").await;
        // The browser logs the requests that fail.
        page.errors().await;
    });
}

#[test]
fn hard_search_can_be_cancelled() {
    with_page(|page| async move {
        page.open(&format!("#start={HARD}&goal=first")).await;
        let board = page.board().await;
        page.fill("#algorithm", "ida").await;
        page.fill("#limit", "60").await;
        page.click("#solve").await;
        page.wait("document.getElementById('figures').textContent.includes('Expanded')").await;
        assert_eq!(page.text("#solve").await, "Cancel");
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent === 'Cancelled.'").await;
        assert_eq!(page.text("#solve").await, "Solve");
        assert_eq!(page.board().await, board);
        // And the server has let go of it.
        page.run(
            "const ask = async () => { \
               const status = await (await fetch('api/v1/status')).json(); \
               if (status.running === 0 && status.cancelled === 1) window.isIdle = true; \
               else setTimeout(ask, 50); }; \
             ask();",
        )
        .await;
        page.wait("window.isIdle").await;
    });
}

#[test]
fn unsolvable_board_is_reported() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_8.7.0").await;
        assert!(page.text("#caption").await.contains("cannot be solved"));
        page.wait("document.getElementById('distance').textContent === '∞'").await;
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.startsWith('This board has no solution: ')").await;
    });
}

#[test]
fn engine_shows_the_cost_of_every_move() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.wait("document.getElementById('distance').textContent === '2'").await;
        page.click("[data-tile='4']").await;
        page.wait("document.getElementById('distance').textContent === '3'").await;
        page.wait(
            "document.getElementById('losses').textContent === '1 of 1 move not optimal: 2 moves wasted.'",
        )
        .await;
        page.wait(
            "document.querySelector('#moves .lost') && document.querySelector('.graph .lost')",
        )
        .await;
        page.click("#marks").await;
        page.wait("document.querySelector(\"[data-best='L']\")?.dataset.tile === '4'").await;
        page.wait("document.querySelectorAll('[data-best]').length === 1").await;
        page.click("[data-tile='4']").await;
        page.wait("document.querySelector('[data-best]')?.dataset.tile === '5'").await;
    });
}

#[test]
fn costs_are_computed_or_explained() {
    with_page(|page| async move {
        let losses = "document.getElementById('losses').textContent";
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.wait(&format!("{losses} === 'Play to see the cost of every move.'")).await;
        let moves = "LR".repeat(1001);
        page.open(&format!("#start=1.2.3_4.0.5_7.8.6&moves={moves}&at=1")).await;
        page.wait(&format!("{losses} === 'Games of up to 2,000 moves are analyzed.'")).await;
        page.open("#start=1.2.3_4.5.6_8.7.0&moves=RD&at=2").await;
        page.wait(&format!("{losses} === 'No moves lead to the goal.'")).await;
    });
}

#[test]
fn best_moves_are_all_marked_and_a_hint_marks_one() {
    with_page(|page| async move {
        // According to the library, two moves are best.
        let board = "0 3 2/7 1 6/4 8 5";
        page.open("#start=0.3.2_7.1.6_4.8.5").await;
        page.keys("body", "m").await;
        page.wait("document.querySelector('[data-best]')").await;
        let marked = page
            .value("[...document.querySelectorAll('[data-best]')].map((tile) => tile.dataset.tile)")
            .await;
        let best = best_tiles(board);
        assert_eq!(best.len(), 2);
        assert_eq!(marked, serde_json::json!(best));
        page.keys("body", "m").await;
        page.wait("!document.querySelector('[data-best]')").await;
        page.keys("body", "h").await;
        page.wait("document.querySelectorAll('[data-best]').length === 1").await;
        page.wait("document.getElementById('said').textContent.startsWith('Hint: ')").await;
    });
}

/// The tiles whose moves lead closer to the goal, ordered by cell.
fn best_tiles(board: &str) -> Vec<String> {
    let board: npuzzle::Board = board.parse().expect("a board");
    let length = |board: npuzzle::Board| {
        let report =
            npuzzle::solve(npuzzle::Instance::new(board, &npuzzle::Goal::Last).expect("fits"));
        report.expect("solved").moves().expect("a solution").stm()
    };
    let here = length(board.clone());
    let slides = npuzzle::Slide::ALL.into_iter().filter_map(|slide| {
        let mut next = board.clone();
        if !next.slide(slide) {
            return None;
        }
        let moved = next.tiles()[board.blank().index()].number();
        (length(next) < here).then_some(moved)
    });
    let mut tiles: Vec<u16> = slides.collect();
    let place = |tile: &u16| board.tiles().iter().position(|other| other.number() == *tile);
    tiles.sort_by_key(place);
    tiles.iter().map(ToString::to_string).collect()
}

#[test]
fn heuristic_that_does_not_apply_is_disabled_and_not_requested() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.6_7.5.8&algorithm=astar&heuristic=walking").await;
        let select = "document.getElementById('heuristic')";
        assert_eq!(page.value(&format!("{select}.value")).await, json!("walking"));
        page.fill("#algorithm", "bfs").await;
        assert_eq!(page.value(&format!("{select}.disabled")).await, json!(true));
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.includes('proved optimal')")
            .await;
        // The choice returns with an algorithm that can use it.
        page.fill("#algorithm", "ida").await;
        assert_eq!(page.value(&format!("{select}.value")).await, json!("walking"));

        page.open("#start=1.2.3.4.5_6.7.8.9.10_11.12.13.14.0&algorithm=ida&heuristic=walking")
            .await;
        assert_eq!(page.value(&format!("{select}.value")).await, json!("walking"));
        page.fill("#rows", "5").await;
        assert_eq!(page.value(&format!("{select}.value")).await, json!(""));
        let walking = "document.querySelector('#heuristic [value=walking]').disabled";
        assert_eq!(page.value(walking).await, json!(true));
    });
}

#[test]
fn time_choices_respect_the_server_limit() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6&limit=300").await;
        page.wait("document.getElementById('limit').options.length === 4").await;
        assert_eq!(page.value("document.getElementById('limit').value").await, json!(""));
    });
}

#[test]
fn proof_shows_its_time_and_names_the_limit_that_stopped_it() {
    with_page(|page| async move {
        page.open(&format!("#start={HARD}&goal=first&answer=optimal&limit=10")).await;
        page.click("#solve").await;
        page.wait("/Time\\s*[1-9]\\d* s/.test(document.getElementById('figures').textContent)")
            .await;
        page.wait("document.getElementById('verdict').textContent !== ''").await;
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains("not proved: the time limit of 10 s was reached"), "{verdict}");
        assert!(verdict.contains(", lower bound "), "{verdict}");
    });
}
