//! The comparison view agrees with the library.

use std::process::Command;

use npuzzle::{Algorithm, Instance, Options};
use serde_json::json;

use crate::page::{Page, with_page};

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

/// Greedy search solves this board at once; IDA* with Manhattan distance takes minutes.
const HARD: &str = "#start=0.12.9.13_15.11.10.14_3.7.2.5_4.8.6.1&view=compare&compared=greedy.ida&guided=manhattan&each=20";

const VERDICT: &str = "document.querySelector('#compare .verdict').textContent";
const N_ROWS: &str = "document.querySelectorAll('#compare tbody tr').length";

#[test]
fn rows_appear_when_their_searches_end_and_survive_cancelling() {
    with_page(|page| async move {
        page.open(HARD).await;
        page.click("#run-compare").await;
        page.wait(&format!("{N_ROWS} === 1")).await;
        page.wait(&format!("{VERDICT} === 'Search 2 of 2: IDA*, Manhattan, at most 20 s.'")).await;
        page.click("#run-compare").await;
        page.wait(&format!("{VERDICT} === 'Cancelled after 1 of 2 searches.'")).await;
        assert_eq!(page.value(N_ROWS).await, json!(1));
        assert_eq!(page.text("#run-compare").await, "Compare");
    });
}

#[test]
fn search_that_reaches_its_time_limit_is_reported() {
    with_page(|page| async move {
        page.open(HARD).await;
        page.fill("#compare .choices select", "1").await;
        page.click("#run-compare").await;
        page.wait(&format!("{VERDICT} === '2 searches. 1 reached the time limit of 1 s.'")).await;
        assert!(page.text("#compare tbody tr:last-child").await.contains('≥'));
    });
}

#[test]
fn csv_is_that_of_the_command_line() {
    with_page(|page| async move {
        compare_nine(&page).await;
        page.run(
            "const make = URL.createObjectURL; \
             URL.createObjectURL = (blob) => { window.saved = blob; return make(blob); };",
        )
        .await;
        page.click("#save-csv").await;
        let saved = page.module("return window.saved.text();").await;
        let output = Command::new(env!("CARGO_BIN_EXE_npuzzle"))
            .args(["compare", "--output", "csv", "8 1 3/4 0 2/7 6 5"])
            .args(["--algorithms", "astar,ida,greedy"])
            .args(["--heuristics", "misplaced,manhattan,linear-conflict"])
            .output()
            .expect("npuzzle runs");
        let expected = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(table_of(saved.as_str().expect("text")), table_of(&expected));
    });
}

/// The fields of a CSV text, without those that depend on the run.
fn table_of(csv: &str) -> Vec<Vec<&str>> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let is_kept = |name: &str| !["source", "ms", "peak_bytes"].contains(&name);
    let kept = |line: Vec<_>| {
        let fields = line.into_iter().zip(&head).filter(|(_, name)| is_kept(name));
        fields.map(|(field, _)| field).collect()
    };
    let mut table: Vec<Vec<&str>> = lines.map(kept).collect();
    table.insert(0, head);
    table
}

async fn compare_nine(page: &Page) {
    page.open("#start=8.1.3_4.0.2_7.6.5&view=compare").await;
    page.click("#run-compare").await;
    page.wait(&format!("{VERDICT} === '9 searches.'")).await;
}

#[test]
fn heuristics_are_not_needed_for_uninformed_searches() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5&view=compare&compared=bfs.uniform").await;
        let enabled =
            "document.querySelectorAll('#compare fieldset:last-of-type input:enabled').length";
        assert_eq!(page.value(enabled).await, json!(0));
        page.click("#run-compare").await;
        page.wait(&format!("{VERDICT} === '2 searches.'")).await;
        page.run("document.querySelector('#compare [value=astar]').click();").await;
        assert_ne!(page.value(enabled).await, json!(0));
        // No pattern databases exist for 5×6 boards.
        page.open(
            "#view=compare&compared=astar&guided=pattern&start=\
            1.2.3.4.5.6_7.8.9.10.11.12_13.14.15.16.17.18_19.20.21.22.23.24_25.26.27.28.29.0",
        )
        .await;
        page.click("#run-compare").await;
        page.wait(&format!("{VERDICT} === 'Choose at least one heuristic.'")).await;
    });
}

#[test]
fn results_fit_desktops_and_phones() {
    with_page(|page| async move {
        for (width, height, is_phone) in
            [(1280, 720, false), (1920, 1080, false), (390, 844, true), (844, 390, true)]
        {
            page.resize(width, height, 1.0, is_phone).await;
            page.open(
                "#start=8.6.7_2.5.4_3.0.1&view=compare&compared=astar.bidirectional&\
                 guided=zero.misplaced.pattern",
            )
            .await;
            page.click("#run-compare").await;
            page.wait(&format!("{VERDICT}.endsWith('searches.') || {VERDICT}.includes('limit')"))
                .await;
            let clipped = page
                .value(
                    "[...document.querySelectorAll('#compare :is(th, td, .chart text)')] \
                     .filter((element) => element.checkVisibility()) \
                     .filter((element) => { const box = element.getBoundingClientRect(); \
                       const frame = element.closest('.card').getBoundingClientRect(); \
                       return box.left < frame.left || box.right > frame.right; }) \
                     .map((element) => element.textContent)",
                )
                .await;
            assert_eq!(clipped, json!([]), "{width}x{height}");
            let scrolls = "document.querySelector('.table-host').scrollWidth > \
                document.querySelector('.table-host').clientWidth";
            assert_eq!(page.value(scrolls).await, json!(false), "{width}x{height}");
        }
    });
}

#[test]
fn unsolvable_board_is_reported_instead_of_compared() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_8.7.0&view=compare").await;
        page.click("#run-compare").await;
        page.wait(&format!("{VERDICT} === 'This board has no solution.'")).await;
        assert_eq!(page.value("document.querySelector('.results').hidden").await, json!(true));
    });
}
