//! Watching a search: the queue of the page agrees with the library.

use npuzzle::teaching::{NodeOutcome, TieBreak, Tracer};
use npuzzle::{Algorithm, Tables};
use serde_json::json;

use crate::page::{Page, with_page};

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const LINK: &str = "#start=8.1.3_4.0.2_7.6.5&view=watch";

#[test]
fn astar_steps_agree_with_the_library() {
    with_page(|page| async move {
        page.open(LINK).await;
        follow(&page, Algorithm::Astar, TieBreak::Lifo).await;
        page.wait(
            "document.querySelector('.lane .verdict').textContent.startsWith('Goal reached')",
        )
        .await;
        page.wait("document.querySelectorAll('.forest .node.solution').length === 15").await;
        // And back.
        page.click("#watch-first").await;
        assert_eq!(sizes(&page).await, json!(["0", "1", "0"]));
    });
}

#[test]
fn settings_change_the_search() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.wait("document.querySelector('.lane').dataset.step === '0'").await;
        page.fill(".lane label:nth-child(1) select", "uniform").await;
        page.fill(".lane label:nth-child(3) select", "fifo").await;
        page.wait("document.querySelector('.lane .code').textContent.includes('f = g from')").await;
        page.wait("document.querySelector('.lane .figures').textContent.includes('/ 100')").await;
        follow(&page, Algorithm::Uniform, TieBreak::Fifo).await;
        page.wait(
            "document.querySelector('.lane .verdict').textContent.startsWith('Not finished')",
        )
        .await;
    });
}

#[test]
fn two_searches_are_shown_side_by_side() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.click("#watch-two").await;
        page.wait("document.querySelectorAll('.lane[data-step]').length === 2").await;
        page.fill(".lane:nth-child(2) label:nth-child(1) select", "ida").await;
        page.wait("document.querySelector('.lane:nth-child(2)').textContent.includes('Bound')")
            .await;
        page.click("#watch-next").await;
        page.keys("body", "\u{e014}").await;
        let steps = page
            .value("[...document.querySelectorAll('.lane')].map((lane) => lane.dataset.step)")
            .await;
        assert_eq!(steps, json!(["2", "2"]));
        page.wait("document.querySelector('.lane:nth-child(2) .code [aria-current]')").await;
    });
}

#[test]
fn keys_navigate_tree_and_queue() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.wait("document.querySelector('.lane').dataset.step === '0'").await;
        page.click("#watch-next").await;
        // Down to the first child, right to the second, up to the start.
        let chosen = "document.querySelector('.forest .node.chosen').dataset.node";
        for (key, node) in [("\u{e015}", "1"), ("\u{e014}", "2"), ("\u{e013}", "0")] {
            page.keys(".forest", key).await;
            assert_eq!(page.value(chosen).await, json!(node));
        }
        let queue =
            "[...document.querySelectorAll('.queue tbody tr')].map((row) => row.dataset.node)";
        let first = page.value(&format!("{queue}[0]")).await;
        page.keys(".queue", "\u{e015}").await;
        assert_eq!(page.value(chosen).await, first);
        page.wait("document.querySelector('#said').textContent.startsWith('State ')").await;
        assert_eq!(sizes(&page).await, json!(["1", "4", "1"]));
    });
}

#[test]
fn scrollable_areas_keep_their_keys() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.wait("document.querySelector('.lane').dataset.step === '0'").await;
        // Right, then End.
        for region in [".forest", ".queue"] {
            page.keys(region, "\u{e014}\u{e010}").await;
            assert_eq!(sizes(&page).await, json!(["0", "1", "0"]), "{region}");
        }
    });
}

/// Steps through a search, and compares the counts at each step.
async fn follow(page: &Page, algorithm: Algorithm, tie_break: TieBreak) {
    let tracer = Tracer { tie_break, ..Tracer::new(algorithm) };
    let instance = BOARD.parse().expect("a puzzle");
    let trace = tracer.trace(&instance, &mut Tables::new(), &mut ()).expect("a trace");
    page.wait("document.querySelector('.lane').dataset.step === '0'").await;
    let mut closed = std::collections::HashSet::new();
    for played in trace.replay() {
        page.click("#watch-next").await;
        if played.step.outcome == NodeOutcome::Expanded {
            closed.insert(trace.nodes[played.step.popped].board.clone());
        }
        let [step, open, closed] =
            [played.number, played.after.len(), closed.len()].map(|n| n.to_string());
        assert_eq!(sizes(page).await, json!([step, open, closed]), "{algorithm}");
    }
    assert_eq!(page.value("document.getElementById('watch-next').disabled").await, json!(true));
}

/// The step, and the numbers of open and closed states that the page shows.
async fn sizes(page: &Page) -> serde_json::Value {
    page.value(
        "(() => { const { step, open, closed } = document.querySelector('.lane').dataset; \
         return [step, open, closed]; })()",
    )
    .await
}
