//! The comparison view agrees with the library.

use npuzzle::{Algorithm, Instance, Options};
use serde_json::json;

use crate::page::with_page;

#[test]
fn chart_and_table_show_the_same_searches() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5&view=compare").await;
        page.click("#run-compare").await;
        page.wait("document.querySelectorAll('#compare tbody tr').length === 9").await;
        assert_eq!(
            page.value("document.querySelectorAll('#compare .chart .name').length").await,
            json!(9)
        );
        let instance: Instance = "8 1 3/4 0 2/7 6 5".parse().expect("a puzzle");
        let heuristic = "manhattan".parse().expect("a name");
        let options = Options { algorithm: Algorithm::Astar, heuristic, ..Options::default() };
        let expanded = options.solve(&instance).expect("solved").stats.expanded;
        let row = page
            .value(
                "[...document.querySelectorAll('#compare tbody tr')].find((row) => \
                    row.textContent.startsWith('A*, Manhattan')).cells[2].textContent",
            )
            .await;
        assert_eq!(row, json!(expanded.to_string()));
        page.fill("#compare .card-head select", "moves").await;
        page.wait(
            "document.querySelector('#compare .chart title').textContent.startsWith('solution length')",
        )
        .await;
    });
}
