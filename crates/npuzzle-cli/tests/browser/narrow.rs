//! A phone 360 pixels wide: nothing overflows, and every control is large enough.

use serde_json::json;

use crate::page::{Page, with_page};

#[test]
fn every_view_fits_a_phone() {
    with_page(|page| async move {
        page.resize(360, 740, 1.0, true).await;
        for (view, is_there) in [
            ("play", "document.querySelector('#moves button')"),
            ("watch", "document.querySelector('.lane[data-step]')"),
            ("compare", "document.querySelector('#run-compare')"),
        ] {
            page.open(&format!("#start=8.1.3_4.0.2_7.6.5&moves=LURR&view={view}")).await;
            page.wait(is_there).await;
            fits(&page, view).await;
        }
        let board = "document.querySelector('#compare .puzzle .mini').checkVisibility()";
        assert_eq!(page.value(board).await, json!(true));
        page.click("#run-compare").await;
        page.wait("document.querySelector('.chart')").await;
        fits(&page, "compare").await;
    });
}

#[test]
fn every_dialog_fits_a_phone() {
    with_page(|page| async move {
        page.resize(360, 740, 1.0, true).await;
        page.open("#start=8.1.3_4.0.2_7.6.5").await;
        for name in ["editor", "share", "statistics", "settings", "help"] {
            page.click(&format!("#open-{name}")).await;
            page.wait(&format!("document.getElementById('{name}').open")).await;
            let sides = page
                .value(&format!(
                    "(() => {{ const dialog = document.getElementById('{name}'); \
                     const box = dialog.getBoundingClientRect(); \
                     return box.left >= 0 && box.right <= 360 && dialog.scrollWidth <= dialog.clientWidth; }})()"
                ))
                .await;
            assert_eq!(sides, json!(true), "{name}");
            assert_eq!(page.value(SMALL).await, json!([]), "{name}");
            page.click(&format!("#{name} .close")).await;
        }
    });
}

#[test]
fn board_and_main_buttons_are_on_the_first_screen() {
    with_page(|page| async move {
        for (width, height) in [(390, 844), (360, 740), (844, 390), (740, 360), (1280, 720)] {
            page.resize(width, height, 1.0, width < 1000).await;
            for start in ["1.2.3_4.5.6_0.7.8", "1.2.3.4_5.6.7.8_9.10.11.12_13.0.14.15"] {
                page.open(&format!("#start={start}")).await;
                let below = page
                    .value("['time', 'board', 'scramble', 'hint', 'solve'] \
                        .map((id) => [id, document.getElementById(id).getBoundingClientRect().bottom]) \
                        .filter(([, bottom]) => bottom > innerHeight)")
                    .await;
                assert_eq!(below, json!([]), "{width}×{height}");
            }
            if width > 1000 {
                let bottom = "document.getElementById('run').getBoundingClientRect().bottom";
                let bottom = page.value(bottom).await.as_f64().expect("a number");
                assert!(bottom <= f64::from(height), "the button Play ends at {bottom}");
            }
            let wide = page.value("document.documentElement.scrollWidth > innerWidth").await;
            assert_eq!(wide, json!(false), "{width}×{height}");
        }
    });
}

#[test]
fn finished_panel_is_on_the_first_screen() {
    with_page(|page| async move {
        for (width, height) in [(390, 844), (360, 740), (844, 390), (1280, 720)] {
            page.resize(width, height, 1.0, width < 1000).await;
            page.open("#start=1.2.3_4.5.6_7.0.8").await;
            page.keys("#board", "\u{e012}").await;
            page.wait("document.getElementById('result').textContent.endsWith('possible.')").await;
            let bottom =
                "document.getElementById('finished').getBoundingClientRect().bottom <= innerHeight";
            page.wait(bottom).await;
            assert_eq!(page.value("scrollY").await, json!(0), "{width}×{height}");
        }
    });
}

/// The controls that are less than 40 pixels wide or high; checkboxes and switches include their labels.
const SMALL: &str = "[...document.querySelectorAll('button, select, input, summary, textarea, .tile.movable')] \
    .filter((element) => element.checkVisibility() && !element.classList.contains('unseen')) \
    .map((element) => (['checkbox', 'file'].includes(element.type) ? element.closest('label') : element)) \
    .filter((element) => !element.closest('#skip') && (!document.querySelector('dialog[open]') || element.closest('dialog'))) \
    .map((element) => [element.id || element.textContent.trim(), element.getBoundingClientRect()]) \
    .filter(([, box]) => box.width < 40 || box.height < 40) \
    .map(([name, box]) => `${name}: ${box.width}x${box.height}`)";

async fn fits(page: &Page, view: &str) {
    let width = page.value("document.documentElement.scrollWidth").await;
    assert_eq!(width, json!(360), "{view} sticks out");
    assert_eq!(page.value(SMALL).await, json!([]), "{view}");
    // No control is outside the window.
    let beyond = page
        .value("[...document.querySelectorAll('button, select, input:not(.unseen), summary')] \
                .filter((element) => element.checkVisibility() && !element.closest('#skip, .forest, .queue')) \
                .filter((element) => { const box = element.getBoundingClientRect(); \
                  return box.left < 0 || box.right > 360; }).map((element) => element.id)")
        .await;
    assert_eq!(beyond, json!([]), "{view}");
}
