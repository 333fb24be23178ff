//! A finished game: the result, what to do next, and when there is no panel.

use serde_json::json;

use crate::page::{Page, with_page};

const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";

const SHOWN: &str = "!document.getElementById('finished').hidden";
const RESULT: &str = "document.getElementById('result').textContent";

#[test]
fn finished_game_is_compared_with_the_shortest_solution() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.0.8").await;
        page.run(COUNT_ANNOUNCEMENTS).await;
        // A detour of two moves.
        page.keys("#board", &format!("{RIGHT}{LEFT}")).await;
        assert_eq!(page.value(SHOWN).await, json!(false));
        page.keys("#board", LEFT).await;
        page.wait(&format!("{RESULT}.endsWith(', 3 moves; shortest is 1.')")).await;
        assert!(page.text("#result").await.starts_with("Solved in 0:"));
        assert_eq!(page.value("document.activeElement.id").await, json!("again"));
        page.wait("window.heard.length > 0").await;
        tokio::time::sleep(std::time::Duration::from_millis(1600)).await;
        // Once, and without the comparison if the engine needs longer than the announcement waits.
        let result = page.text("#result").await;
        let alone = result.replace("; shortest is 1", "");
        let heard = page.value("window.heard").await;
        assert!([json!([result]), json!([alone])].contains(&heard), "{heard}");

        page.keys("body", "\u{e00c}").await;
        assert_eq!(page.value(SHOWN).await, json!(false));
        assert_eq!(page.value("document.activeElement.id").await, json!("board"));
    });
}

/// Records the announcements of results to screen readers.
const COUNT_ANNOUNCEMENTS: &str = "window.heard = []; \
    new MutationObserver(() => { \
      const text = document.getElementById('said').textContent; \
      if (text.startsWith('Solved')) window.heard.push(text); \
    }).observe(document.getElementById('said'), { childList: true });";

#[test]
fn finished_game_is_replayed_shared_and_followed_by_another() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_0.7.8").await;
        // Slow enough to see the first position.
        page.fill("#speed", "0.5").await;
        page.keys("#board", &format!("{LEFT}{LEFT}")).await;
        page.wait(&format!("{RESULT}.endsWith(', 2 moves, the shortest possible.')")).await;
        page.click("#replay").await;
        page.wait("document.getElementById('stm').textContent === '0'").await;
        page.wait_solved(true).await;
        assert_eq!(page.value(SHOWN).await, json!(true));
        page.click("#share-result").await;
        page.wait("document.getElementById('share').open").await;
        page.click("#share .close").await;
        page.click("#again").await;
        page.wait_solved(false).await;
        assert_eq!(page.board().await.split('/').count(), 3);
        assert_eq!(page.value(SHOWN).await, json!(false));
    });
}

#[test]
fn solution_of_the_solver_has_no_panel() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_0.7.8").await;
        page.fill("#speed", "10").await;
        page.click("#solve").await;
        page.wait_solved(true).await;
        assert_eq!(page.value(SHOWN).await, json!(false));
        // The last move of a shown solution is not the player's result either.
        page.click("#back").await;
        page.keys("#board", LEFT).await;
        page.wait("document.getElementById('said').textContent === 'Solved.'").await;
        assert_eq!(page.value(SHOWN).await, json!(false));
    });
}

#[test]
fn large_board_is_finished_without_a_comparison() {
    with_page(|page| async move {
        page.open("#start=1.2.3.4.5_6.7.8.9.10_11.12.13.14.15_16.17.18.19.20_21.22.23.0.24").await;
        page.keys("#board", LEFT).await;
        page.wait(SHOWN).await;
        page.wait("document.getElementById('said').textContent.startsWith('Solved in')").await;
        assert!(page.text("#result").await.ends_with(", 1 move."));
    });
}

#[test]
fn moves_explain_both_metrics() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.8.0").await;
        page.keys("#board", &format!("{DOWN}{DOWN}{RIGHT}{UP}")).await;
        assert_eq!(page.text("#stm").await, "4");
        page.click("#explain-moves").await;
        let explanation = page.text("#metrics").await;
        assert!(
            explanation.contains("(STM): 4") && explanation.contains("(MTM): 3"),
            "{explanation}"
        );
        page.click("#explain-moves").await;
        assert_eq!(page.value("document.getElementById('metrics').hidden").await, json!(true));
    });
}

#[test]
fn moves_request_no_icons() {
    with_page(|page: Page| async move {
        page.open("#start=1.2.3_4.5.6_0.7.8&moves=LR").await;
        page.run("performance.clearResourceTimings();").await;
        page.keys("#board", &format!("{LEFT}{RIGHT}p")).await;
        page.click("#theme").await;
        let files = "performance.getEntriesByType('resource').map((entry) => entry.name) \
            .filter((name) => !name.includes('/api/'))";
        assert_eq!(page.value(files).await, json!([]));
        let missing = "[...document.querySelectorAll('use')].map((use) => use.getAttribute('href')) \
            .filter((href) => !document.querySelector(href))";
        assert_eq!(page.value(missing).await, json!([]));
    });
}
