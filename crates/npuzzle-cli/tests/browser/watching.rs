//! Watching a search: the queue of the page agrees with the library.

use npuzzle::Tables;
use npuzzle::teaching::{NodeOutcome, TieBreak, TraceAlgorithm, Tracer};
use serde_json::json;

use crate::page::{Page, with_page};

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const LINK: &str = "#start=8.1.3_4.0.2_7.6.5&view=watch";

/// Whether the searches with the current options are shown, at their first step.
pub(crate) const LOADED: &str =
    "document.querySelector(\".lanes:not([data-loading]) .lane[data-step='0']\")";

#[test]
fn astar_steps_agree_with_the_library() {
    with_page(|page| async move {
        page.open(LINK).await;
        follow(&page, TraceAlgorithm::Astar, TieBreak::Lifo).await;
        page.wait(
            "document.querySelector('.lane .verdict').textContent.startsWith('Goal reached')",
        )
        .await;
        page.wait("document.querySelector('.forest').dataset.solution === '15'").await;
        // And back.
        page.click("#watch-first").await;
        assert_eq!(sizes(&page).await, json!(["0", "1", "0"]));
    });
}

#[test]
fn settings_change_the_search() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.wait(LOADED).await;
        page.fill(".lane label:nth-child(1) select", "uniform").await;
        page.fill(".lane label:nth-child(3) select", "fifo").await;
        page.wait(LOADED).await;
        let code = page.text(".lane .code").await;
        assert!(code.contains("smallest f = g"), "{code}");
        assert!(page.text(".lane .figures").await.contains("/ 100"));
        follow(&page, TraceAlgorithm::Uniform, TieBreak::Fifo).await;
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
        page.wait(LOADED).await;
        assert!(page.text(".lane:nth-child(2)").await.contains("Bound"));
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
        page.wait(LOADED).await;
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
        page.wait(LOADED).await;
        // Right, then End.
        for region in [".forest", ".queue"] {
            page.keys(region, "\u{e014}\u{e010}").await;
            assert_eq!(sizes(&page).await, json!(["0", "1", "0"]), "{region}");
        }
    });
}

#[test]
fn uninformed_searches_agree_with_the_library() {
    with_page(|page| async move {
        page.open(LINK).await;
        let searches = [
            (TraceAlgorithm::Bfs, TieBreak::Fifo, "append m to the queue"),
            (TraceAlgorithm::Dfs, TieBreak::Lifo, "push m onto the stack"),
            (TraceAlgorithm::Iddfs, TieBreak::Lifo, "limit ← limit + 1"),
        ];
        page.wait(LOADED).await;
        for (algorithm, tie_break, line) in searches {
            page.fill(".lane label:nth-child(1) select", algorithm.name()).await;
            page.wait(LOADED).await;
            assert!(page.text(".code").await.contains(line), "{algorithm}");
            let heuristic = "document.querySelector('.lane label:nth-child(2) select').disabled";
            assert_eq!(page.value(heuristic).await, json!(true), "{algorithm}");
            if !algorithm.is_deepening() {
                follow(&page, algorithm, tie_break).await;
            }
        }
        page.fill(".lane label:nth-child(1) select", "astar").await;
        page.wait("!document.querySelector('.lane label:nth-child(2) select').disabled").await;
    });
}

#[test]
fn heuristics_that_do_not_exist_for_the_size_are_disabled() {
    with_page(|page| async move {
        let disabled = "[...document.querySelectorAll('.lane label:nth-child(2) option')] \
            .filter((option) => option.disabled).map((option) => option.value)";
        page.open(LINK).await;
        page.wait(LOADED).await;
        assert_eq!(page.value(disabled).await, json!([]));
        page.open("#start=1.2.3.4.5_6.7.8.9.10_11.12.13.14.15_16.17.18.0.19&view=watch").await;
        page.wait(LOADED).await;
        assert_eq!(page.value(disabled).await, json!(["walking"]));
    });
}

#[test]
fn goal_test_and_depth_limit_are_part_of_the_link() {
    with_page(|page| async move {
        // With the goal test at generation, the search ends in the line that generates the goal.
        page.open("#start=1.2.3_4.0.5_7.8.6&view=watch&search=bfs.zero.fifo.generation.8").await;
        page.wait(LOADED).await;
        page.click("#watch-last").await;
        page.wait("document.querySelector('.lane .verdict').textContent.includes('2 moves')").await;
        let current = "document.querySelector('.code [aria-current]').textContent";
        assert_eq!(page.value(current).await, json!("if m is the goal: return its path"));
        page.fill(".lane label:nth-child(5) select", "3").await;
        page.wait("location.hash.includes('search=bfs.zero.fifo.generation.3')").await;
    });
}

#[test]
fn unsolvable_board_is_reported_without_a_search() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_8.7.0&view=watch").await;
        page.wait("document.querySelector('.lane .verdict').textContent.startsWith('Unsolvable')")
            .await;
        assert_eq!(page.value("document.getElementById('watch-next').disabled").await, json!(true));
    });
}

#[test]
fn links_open_watch_without_a_board_and_keep_a_solved_one() {
    with_page(|page| async move {
        page.open("#view=watch&search=bfs.zero.fifo").await;
        page.wait("!document.getElementById('watch').hidden").await;
        page.wait("document.querySelector('.lane select').value === 'bfs'").await;
        page.open("#start=1.2.3_4.5.6_7.8.0&view=watch").await;
        page.wait(LOADED).await;
        page.wait("document.querySelector('.lane .figures').textContent.includes('0 / 1')").await;
        assert_eq!(page.board().await, "1 2 3/4 5 6/7 8 0");
        // The same, if the link is opened in a tab that shows another board.
        page.open(LINK).await;
        page.wait(LOADED).await;
        page.run("location.hash = '#start=1.2.3_4.5.0_7.8.6&moves=U&at=1&view=watch';").await;
        page.wait("document.querySelector('.lane .figures').textContent.includes('0 / 1')").await;
        page.wait(LOADED).await;
        assert_eq!(page.board().await, "1 2 3/4 5 6/7 8 0");
    });
}

#[test]
fn view_fits_the_screen_with_one_and_two_searches() {
    with_page(|page| async move {
        for (width, height) in [(1280, 720), (1920, 1080)] {
            page.resize(width, height, 1.0, false).await;
            for second in ["", "&second=greedy.manhattan.lifo"] {
                page.open(&format!("{LINK}{second}")).await;
                page.wait(LOADED).await;
                page.click("#watch-last").await;
                let sizes = "[document.documentElement.scrollHeight <= innerHeight, \
                    document.documentElement.scrollWidth <= innerWidth, \
                    ...[...document.querySelectorAll('.code, .queue, .forest')].map((pane) => { \
                    const { bottom, height } = pane.getBoundingClientRect(); \
                    return bottom <= innerHeight && height > 90; })]";
                let fits = page.value(sizes).await;
                let fits = fits.as_array().expect("a list");
                assert!(fits.iter().all(|fits| *fits == json!(true)), "{width}{second}: {fits:?}");
            }
        }
    });
}

#[test]
fn end_of_a_search_does_not_move_the_tree() {
    with_page(|page| async move {
        page.resize(1280, 720, 1.0, false).await;
        for search in ["astar.manhattan.lifo", "bfs.zero.fifo", "ida.manhattan.lifo"] {
            page.open(&format!("{LINK}&search={search}")).await;
            page.wait("document.querySelector('.lane')?.dataset.step === '0'").await;
            let top = "document.querySelector('.forest').getBoundingClientRect().top";
            let before = page.value(top).await;
            page.click("#watch-last").await;
            page.wait("document.querySelector('.lane .verdict').textContent !== ''").await;
            assert_eq!(page.value(top).await, before, "{search}");
        }
    });
}

#[test]
fn new_children_are_not_below_the_zoom_buttons() {
    with_page(|page| async move {
        page.resize(1280, 720, 1.0, false).await;
        page.open(&format!("{LINK}&search=dfs.zero.lifo.expansion.20")).await;
        page.wait("document.querySelector('.lane')?.dataset.step === '0'").await;
        for step in 1..=15 {
            page.click("#watch-next").await;
            let covered = page
                .value("(() => { const zoom = document.querySelector('.zoom').getBoundingClientRect(); \
                    const queue = [...document.querySelectorAll('.queue .fresh')]; \
                    return queue.map((row) => document.querySelector(`.forest [data-node='${row.dataset.node}']`)) \
                        .filter((node) => { const box = node?.getBoundingClientRect(); \
                            return !box || (box.bottom > zoom.top && box.right > zoom.left); }).length; })()")
                .await;
            assert_eq!(covered, json!(0), "step {step}");
        }
    });
}

#[test]
fn tree_zooms_pans_and_fits() {
    with_page(|page| async move {
        page.open(&format!("{LINK}&search=bfs.zero.fifo&steps=1000")).await;
        page.wait(LOADED).await;
        let detail = "document.querySelector('.forest').dataset.detail";
        assert_eq!(page.value(detail).await, json!("boards"));
        page.click("#watch-last").await;
        page.wait("document.querySelector('.lane').dataset.step === '1000'").await;
        let n_drawn = "document.querySelectorAll('.forest [data-node]').length";
        let n_visible = page.value(n_drawn).await.as_u64().expect("a number");
        assert!((1..200).contains(&n_visible), "only visible nodes are drawn: {n_visible}");
        page.click(".zoom-fit").await;
        assert_eq!(page.value(detail).await, json!("dots"));
        let place = "document.querySelector('.forest .tree > g').getAttribute('transform')";
        let fitted = page.value(place).await;
        page.run(
            "const forest = document.querySelector('.forest'); \
             const { left, top, width, height } = forest.getBoundingClientRect(); \
             const [clientX, clientY] = [left + width / 2, top + height / 2]; \
             for (let i = 0; i < 12; i++) forest.dispatchEvent(new WheelEvent('wheel', \
             { deltaY: -120, clientX, clientY, cancelable: true }));",
        )
        .await;
        assert_eq!(page.value(detail).await, json!("values"));
        page.click(".zoom-in").await;
        let zoomed = page.value(place).await;
        assert_ne!(zoomed, fitted);
        page.run(
            "const forest = document.querySelector('.forest'); \
             forest.setPointerCapture = () => {}; \
             for (const [name, x] of [['down', 100], ['move', 160], ['up', 160]]) \
             forest.dispatchEvent(new PointerEvent(`pointer${name}`, { clientX: x, clientY: 300 }));",
        )
        .await;
        assert_ne!(page.value(place).await, zoomed, "a drag pans");
    });
}

#[test]
fn present_mode_hides_the_header() {
    with_page(|page| async move {
        page.open(LINK).await;
        page.wait(LOADED).await;
        let header = "document.querySelector('.top').offsetHeight > 0";
        let size = "parseFloat(getComputedStyle(document.querySelector('.code li')).fontSize)";
        let normal = page.value(size).await.as_f64().expect("a size");
        page.keys("body", "f").await;
        assert_eq!(page.value(header).await, json!(false));
        assert!(page.value(size).await.as_f64().expect("a size") > 1.2 * normal);
        page.keys("body", "\u{e00c}").await;
        assert_eq!(page.value(header).await, json!(true));
        page.click("#watch-present").await;
        assert_eq!(page.value(header).await, json!(false));
    });
}

/// Steps through a search, and compares the counts at each step.
async fn follow(page: &Page, algorithm: TraceAlgorithm, tie_break: TieBreak) {
    let tracer = Tracer { tie_break, ..Tracer::new(algorithm) };
    let instance = BOARD.parse().expect("a puzzle");
    let trace = tracer.trace(&instance, &mut Tables::new(), &mut ()).expect("a trace");
    page.wait(LOADED).await;
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
