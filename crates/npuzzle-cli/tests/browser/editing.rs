//! The editor: boards in any format, and errors marked at their place.

use serde_json::json;

use crate::page::{Page, with_page};

#[test]
fn error_in_text_is_marked_at_its_place() {
    with_page(|page| async move {
        page.open("").await;
        page.click("#open-editor").await;
        page.fill("#text", "1 2 3\n4 2 6\n7 8 0").await;
        page.wait(
            "document.getElementById('text-verdict').textContent.startsWith('Line 2, column 3: ')",
        )
        .await;
        let marked = page.value("document.querySelector('#text-marks mark').textContent").await;
        assert_eq!(marked, json!("2"));
        // The mark is below the second number of the second line.
        let before =
            page.value("document.querySelector('#text-marks').firstChild.textContent").await;
        assert_eq!(before, json!("1 2 3\n4 "));
        assert_eq!(page.value("document.getElementById('take').disabled").await, json!(true));

        page.fill("#text", "1 2 3\n4 0 6\n7 5 8").await;
        page.wait("document.getElementById('text-verdict').textContent.includes('solvable')").await;
        assert_eq!(page.value("document.querySelector('#text-marks mark')").await, json!(null));
        page.click("#take").await;
        assert_eq!(page.board().await, "1 2 3/4 0 6/7 5 8");
        assert_eq!(page.value("document.getElementById('rows').value").await, json!("3"));
    });
}

#[test]
fn cells_are_validated_while_typing() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_6.7.8").await;
        page.keys("body", "e").await;
        page.wait("document.querySelectorAll('#cells input').length === 9").await;
        page.keys("#cells input:nth-child(2)", "9").await;
        page.wait("document.querySelector('#cells input:nth-child(2)').getAttribute('aria-invalid') === 'true'")
            .await;
        assert!(page.text("#text-verdict").await.contains("out of range"));
        // After swapping it with the third, every tile exists once, but the board is unsolvable.
        page.fill("#cells input:nth-child(2)", "3").await;
        page.fill("#cells input:nth-child(3)", "2").await;
        page.wait(
            "document.getElementById('text-verdict').textContent.includes('no solution') \
                   || document.getElementById('text-verdict').textContent.includes('solvable')",
        )
        .await;
        page.click("#take").await;
        assert_eq!(page.board().await, "1 3 2/4 0 5/6 7 8");
    });
}

#[test]
fn every_format_is_read_with_its_goal() {
    with_page(|page| async move {
        page.open("").await;
        for (text, board) in [
            ("123456780", "1 2 3/4 5 6/7 8 0"),
            ("2 3\n1 2 3\n4 0 5\n", "1 2 3/4 0 5"),
            ("[[1,2],[3,0]]", "1 2/3 0"),
            ("# a comment\n1,2,3/4,5,6/7,0,8", "1 2 3/4 5 6/7 0 8"),
        ] {
            page.click("#open-editor").await;
            page.fill("#text", text).await;
            page.wait("!document.getElementById('take').disabled").await;
            page.click("#take").await;
            assert_eq!(page.board().await, board, "{text}");
        }
        page.fill("#goal", "other").await;
        page.wait("document.getElementById('editor').open").await;
        page.fill("#text", "0 8 7/6 5 4/3 2 1").await;
        page.wait("document.getElementById('text-verdict').textContent.includes('valid goal')")
            .await;
        page.click("#take").await;
        assert_eq!(page.value("document.getElementById('goal').value").await, json!("other"));
        page.wait("location.hash.includes('goal=0.8.7_6.5.4_3.2.1')").await;
    });
}

#[test]
fn goal_is_kept_for_new_starts_and_sizes() {
    with_page(|page| async move {
        // The goal in the text takes precedence over the named goal of the game.
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        let pair = r#"{"start": "1 2 3/8 4 0/7 6 5", "goal": "0 8 7/6 5 4/3 2 1"}"#;
        take(&page, pair).await;
        assert_eq!(page.board().await, "1 2 3/8 4 0/7 6 5");
        assert_eq!(goal(&page).await, json!("other"));
        page.wait("location.hash.includes('goal=0.8.7_6.5.4_3.2.1')").await;
        // A new start keeps the goal.
        take(&page, "1 2 3\n8 0 4\n7 6 5").await;
        assert_eq!(page.board().await, "1 2 3/8 0 4/7 6 5");
        assert_eq!(goal(&page).await, json!("other"));
        page.wait("location.hash.includes('start=1.2.3_8.0.4')").await;
        page.wait("location.hash.includes('goal=0.8.7_6.5.4_3.2.1')").await;
        // A named goal applies to every size; a goal given as a board is recognized by its name.
        for (fragment, name) in [("", "last"), ("&goal=snail", "snail")] {
            page.open(&format!("#start=1.2.3_4.0.5_7.8.6{fragment}")).await;
            take(&page, "1 2 3 4/5 6 7 0").await;
            assert_eq!(page.board().await, "1 2 3 4/5 6 7 0");
            assert_eq!(goal(&page).await, json!(name));
        }
        take(&page, r#"{"start": "1 2/0 3", "goal": "1 2/3 0"}"#).await;
        assert_eq!(goal(&page).await, json!("last"));
    });
}

#[test]
fn cells_keep_the_goal_of_the_text() {
    with_page(|page| async move {
        page.open("").await;
        page.click("#open-editor").await;
        page.fill("#text", r#"{"start": "1 2/3 0", "goal": "3 2/1 0"}"#).await;
        page.wait("document.getElementById('text-verdict').textContent.includes('its own goal')")
            .await;
        page.fill("#cells input:nth-child(1)", "3").await;
        page.fill("#cells input:nth-child(3)", "1").await;
        page.wait("!document.getElementById('take').disabled").await;
        page.click("#take").await;
        assert_eq!(page.board().await, "3 2/1 0");
        page.wait_solved(true).await;
    });
}

async fn take(page: &Page, text: &str) {
    page.click("#open-editor").await;
    page.fill("#text", text).await;
    page.wait("!document.getElementById('take').disabled").await;
    page.click("#take").await;
}

async fn goal(page: &Page) -> serde_json::Value {
    page.value("document.getElementById('goal').value").await
}
