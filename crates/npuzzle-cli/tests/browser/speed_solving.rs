//! Speed-solving: the clock, results, controls, pasted solves, and the undo of a replaced game.

use serde_json::{Value, json};

use crate::page::{Page, with_page};
use crate::watching::LOADED;

const RESULTS: &str = "JSON.parse(localStorage['npuzzle results 3x3 last'] ?? '[]')";
const CTRL: &str = "\u{e009}";
const UP: &str = "\u{e013}";
const DOWN: &str = "\u{e015}";

/// Opens a random 8-puzzle.
async fn scramble(page: &Page) {
    page.open("#start=1.2.3_4.5.6_7.8.0").await;
    page.click("[data-level=random]").await;
    page.wait_solved(false).await;
}

/// The arrow keys of a shortest solution of the current board.
async fn solution(page: &Page) -> Vec<&'static str> {
    let report = npuzzle::solve(page.board().await.parse().expect("a board")).expect("solved");
    let slides = report.moves().expect("a solution").slides();
    slides.iter().map(|&slide| arrow(slide)).collect()
}

fn arrow(slide: npuzzle::Slide) -> &'static str {
    match slide {
        npuzzle::Slide::Up => UP,
        npuzzle::Slide::Down => DOWN,
        npuzzle::Slide::Left => "\u{e012}",
        npuzzle::Slide::Right => "\u{e014}",
    }
}

/// The time that the page shows, in seconds.
async fn seconds(page: &Page) -> f64 {
    let text = page.text("#time").await;
    let (minutes, seconds) = text.split_once(':').expect("a time");
    minutes.parse::<f64>().expect("minutes") * 60.0 + seconds.parse::<f64>().expect("seconds")
}

#[test]
fn clock_and_moves_survive_a_reload() {
    with_page(|page| async move {
        scramble(&page).await;
        let keys = solution(&page).await.concat();
        page.keys("#board", &keys).await;
        page.wait_solved(true).await;
        let before = [page.text("#time").await, page.text("#stm").await];
        page.reload().await;
        assert_eq!([page.text("#time").await, page.text("#stm").await], before);

        // A running clock continues, and the solve counts.
        page.click("#scramble").await;
        page.wait_solved(false).await;
        let keys = solution(&page).await;
        let (last, first) = keys.split_last().expect("moves");
        page.keys("#board", &first.concat()).await;
        let before = seconds(&page).await;
        page.reload().await;
        assert_eq!(page.text("#stm").await, first.len().to_string());
        assert!(seconds(&page).await > before);
        page.keys("#board", last).await;
        page.wait_solved(true).await;
        assert_eq!(page.value(&format!("{RESULTS}.length")).await, json!(2));
    });
}

#[test]
fn clock_continues_when_play_passes_the_goal() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.0_7.8.6").await;
        page.keys("#board", UP).await;
        page.wait_solved(true).await;
        let solved_at = page.text("#time").await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert_eq!(page.text("#time").await, solved_at);
        page.keys("#board", DOWN).await;
        page.wait(&format!("document.getElementById('time').textContent > '{solved_at}'")).await;
        page.keys("#board", UP).await;
        page.wait_solved(true).await;
        let stopped_at = page.text("#time").await;
        assert!(stopped_at > solved_at, "{stopped_at} {solved_at}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert_eq!(page.text("#time").await, stopped_at);
    });
}

#[test]
fn unassisted_scramble_is_recorded_once() {
    with_page(|page| async move {
        scramble(&page).await;
        let start = page.board().await;
        let keys = solution(&page).await;
        page.keys("#board", &keys.concat()).await;
        page.wait_solved(true).await;
        // Leaving the goal and reaching it again is not another result.
        page.keys("#board", &[DOWN, UP].concat()).await;
        page.wait_solved(true).await;
        let results = page.value(RESULTS).await;
        assert_eq!(results.as_array().map(Vec::len), Some(1), "{results}");
        assert_eq!(results[0]["start"], json!(start));
        assert_eq!(results[0]["stm"], json!(keys.len()));
        let shown = page.text("#pace").await;
        assert!(shown.contains("moves/s · best 0:"), "{shown}");

        // A hint disqualifies; so does an edited board.
        page.click("#again").await;
        page.wait_solved(false).await;
        page.click("#hint").await;
        page.wait("document.querySelector('[data-best]')").await;
        let keys = solution(&page).await.concat();
        page.keys("#board", &keys).await;
        page.wait_solved(true).await;
        page.open("#start=1.2.3_4.5.0_7.8.6").await;
        page.keys("#board", UP).await;
        page.wait_solved(true).await;
        assert_eq!(page.value(&format!("{RESULTS}.length")).await, json!(1));
    });
}

#[test]
fn statistics_list_export_and_import_results() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.8.0").await;
        let result = |i: u64| {
            json!({
                "date": 1_700_000_000_000_u64 + i, "ms": 1000 * (i + 1), "stm": 2, "mtm": 1,
                "start": "1 2 3/4 5 6/0 7 8", "goal": "last", "solution": "L2"
            })
        };
        let results: Value = (0..60).map(result).collect();
        page.run(&format!(
            "localStorage['npuzzle results 3x3 last'] = JSON.stringify({results}); \
             URL.createObjectURL = (blob) => {{ window.saved = blob; return '#'; }};"
        ))
        .await;
        page.click("#open-statistics").await;
        let rows = "[...document.querySelectorAll('#records tr')].map((row) => row.innerText)";
        let expected = [
            "Time\t1:00.000\t0:01.000",
            "ao5\t0:58.000\t0:03.000",
            "ao12\t0:54.500\t0:06.500",
            "ao100\t–\t–",
            "Moves (STM)\t2\t2",
            "Moves (MTM)\t1\t1",
            "Moves per second\t0.03\t2.00",
        ];
        assert_eq!(page.value(rows).await, json!(expected));
        let listed = "document.querySelectorAll('#results tr').length";
        assert_eq!(page.value(listed).await, json!(50));
        page.click("#more-results").await;
        assert_eq!(page.value(listed).await, json!(60));

        page.run("document.getElementById('results-table').scrollTop = 0;").await;

        page.click("#export-results").await;
        let exported = page.module("return window.saved.text();").await;
        let exported = exported.as_str().expect("a text");
        page.click("#results tr:first-child button[aria-label='Delete solve 60']").await;
        assert_eq!(page.text("#n-results").await, "59 solves");
        page.click("#restore-result").await;
        assert_eq!(page.text("#n-results").await, "60 solves");
        page.click("#results tr:first-child button[aria-label='Delete solve 60']").await;

        let folder = tempfile::tempdir().expect("a folder");
        for (name, text, verdict, n_solves) in [
            ("bad.json", "{}", "This is not a file of npuzzle results.", "59 solves"),
            ("good.json", exported, "60 results in the file, 1 new.", "60 solves"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            page.keys("#import-results", &path.display().to_string()).await;
            page.wait(&format!(
                "document.getElementById('results-verdict').textContent === '{verdict}'"
            ))
            .await;
            assert_eq!(page.text("#n-results").await, n_solves);
        }
        page.click("#results tr:first-child button[aria-label='Replay solve 60']").await;
        page.wait_solved(true).await;
        assert_eq!(page.text("#time").await, "1:00.000");
        assert_eq!(page.value(&format!("{RESULTS}.length")).await, json!(60));
    });
}

#[test]
fn replaced_game_can_be_restored() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.keys("#board", UP).await;
        let board = page.board().await;
        let is_new = format!("document.getElementById('board').dataset.board !== '{board}'");
        page.keys("body", "n").await;
        page.wait(&is_new).await;
        page.click("#toast button").await;
        assert_eq!(page.board().await, board);
        assert_eq!(page.text("#stm").await, "1");

        // Ctrl-Z returns to the game, then undoes its move; Ctrl-Y repeats it.
        page.keys("body", "n").await;
        page.wait(&is_new).await;
        page.keys("body", &[CTRL, "z"].concat()).await;
        assert_eq!(page.board().await, board);
        page.keys("body", &[CTRL, "z"].concat()).await;
        assert_eq!(page.board().await, "1 2 3/4 0 5/7 8 6");
        page.keys("body", &[CTRL, "y"].concat()).await;
        assert_eq!(page.board().await, board);

        page.click("#tab-watch").await;
        page.wait(LOADED).await;
        page.click("#watch-example").await;
        page.wait(&is_new).await;
        page.click("#toast button").await;
        assert_eq!(page.board().await, board);
    });
}

#[test]
fn letters_and_mouse_slide_tiles() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.click("#open-settings").await;
        page.fill("#letters", "WAS").await;
        assert_eq!(
            page.value("document.getElementById('letters').ariaInvalid").await,
            json!("true")
        );
        page.fill("#letters", "WASD").await;
        assert_eq!(
            page.value("document.getElementById('letters').ariaInvalid").await,
            json!("false")
        );
        page.click("#hover").await;
        page.click("#settings .close").await;
        page.keys("#board", "wa").await;
        assert_eq!(page.board().await, "1 2 3/4 8 5/7 6 0");
        page.keys("#board", "sd").await;
        assert_eq!(page.board().await, "1 2 3/4 0 8/7 6 5");
        // The shortcut needs Shift.
        page.keys("#board", "S").await;
        page.wait("document.getElementById('verdict').textContent.includes('MTM')").await;

        page.open("#start=1.2.3_4.0.5_7.8.6").await;
        page.run(
            "const board = document.getElementById('board'); \
             const box = board.getBoundingClientRect(); \
             const at = (row, col) => board.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, \
               pointerType: 'mouse', clientX: box.left + (col + 0.5) * box.width / 3, \
               clientY: box.top + (row + 0.5) * box.height / 3 })); \
             at(1, 2); at(1, 2); at(2, 2); at(0, 0); at(2, 0);",
        )
        .await;
        assert_eq!(page.board().await, "1 2 3/4 5 6/0 7 8");
        assert_eq!(page.text("#stm").await, "4");
    });
}

#[test]
fn limited_inspection_starts_the_clock() {
    with_page(|page| async move {
        scramble(&page).await;
        assert_eq!(page.text("#time").await, "0:00.00");
        page.fill("#inspection", "15").await;
        page.click("#scramble").await;
        // The seconds that remain.
        page.wait("Number(document.getElementById('time').textContent) > 0").await;
        page.run("const now = performance.now.bind(performance); performance.now = () => now() + 20_000;")
            .await;
        page.wait("document.getElementById('time').textContent.startsWith('0:')").await;
        let before = seconds(&page).await;
        assert!(before < 15.0);
        page.wait(&format!("document.getElementById('time').textContent > '0:{before:05.2}'"))
            .await;

        page.fill("#inspection", "off").await;
        let board = page.board().await;
        page.click("#scramble").await;
        page.wait(&format!("document.getElementById('board').dataset.board !== '{board}'")).await;
        page.wait("document.getElementById('time').textContent > '0:00.20'").await;
    });
}

#[test]
fn pasted_solve_is_replayed_with_its_times() {
    with_page(|page| async move {
        page.open("").await;
        page.run(
            "const data = new DataTransfer(); \
             data.setData('text', 'Scramble: 1 2 3/4 0 6/7 5 8\\nL@0.1 R@0.2 U@0.3 L@0.4'); \
             document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: data }));",
        )
        .await;
        page.wait_solved(true).await;
        assert_eq!(page.text("#time").await, "0:00.400");
        page.wait("document.getElementById('pace').textContent === '10.00 moves/s'").await;
        page.wait("document.getElementById('losses').textContent.includes('2 moves wasted')").await;
        let wasted = "[...document.querySelectorAll('#moves button')].map((button) => button.dataset.wasted)";
        assert_eq!(page.value(wasted).await, json!(["2", "0", "0", "0"]));
        page.click("#back").await;
        assert_eq!(page.text("#time").await, "0:00.300");

        page.click("#open-statistics").await;
        page.click("#statistics summary").await;
        page.fill("#solve-text", "L L L L").await;
        page.click("#replay-solve").await;
        assert_eq!(page.text("#solve-verdict").await, "Move 2, L, is not possible.");
    });
}
