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
        for name in ["editor", "share", "settings", "help"] {
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
