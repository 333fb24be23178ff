//! Playing: scrambles, keys, clicks, drags, undo and redo.

use serde_json::json;

use crate::page::{Page, with_page};

const UP: &str = "\u{e013}";
const LEFT: &str = "\u{e012}";

#[test]
fn other_goal_replaces_an_unsolvable_generated_board() {
    with_page(|page| async move {
        let caption = "document.getElementById('caption').textContent";
        page.open("").await;
        for goal in ["snail", "first", "last", "snail", "first"] {
            page.fill("#goal", goal).await;
            page.wait(&format!(
                "{caption} === '' && document.getElementById('goal').value === '{goal}'"
            ))
            .await;
        }
        // A board of a link is kept, whether it can reach the goal or not.
        for (start, board) in
            [("1.2.3_4.5.6_7.0.8", "1 2 3/4 5 6/7 0 8"), ("1.2.3_4.5.6_8.0.7", "1 2 3/4 5 6/8 0 7")]
        {
            page.open(&format!("#start={start}")).await;
            page.fill("#goal", "snail").await;
            page.wait("document.getElementById('goal-thumbnail').firstElementChild").await;
            assert_eq!(page.board().await, board);
        }
    });
}

#[test]
fn first_visit_starts_on_an_easy_board_with_an_invitation() {
    with_page(|page| async move {
        page.open("").await;
        let length = length(&page).await;
        assert!((8..=14).contains(&length), "{length}");
        assert!(page.text("#invitation").await.starts_with("Slide the tiles into order."));
        let elsewhere = "performance.getEntriesByType('resource').map((entry) => entry.name) \
            .filter((name) => !name.startsWith(location.origin))";
        assert_eq!(page.value(elsewhere).await, json!([]), "loaded from elsewhere");
        page.click(".tile.movable").await;
        page.wait("document.getElementById('invitation').hidden").await;
        // A link needs no invitation.
        page.open("#start=1.2.3_4.5.6_7.0.8").await;
        assert_eq!(page.board().await, "1 2 3/4 5 6/7 0 8");
        assert_eq!(page.value("document.getElementById('invitation').hidden").await, json!(true));
    });
}

#[test]
fn chips_choose_size_and_level_for_the_next_visit() {
    with_page(|page| async move {
        page.open("").await;
        for (level, range) in [("medium", 21..=40), ("hard", 41..=52), ("easy", 10..=20)] {
            page.click(&format!("[data-level={level}]")).await;
            page.click("[data-size='4x4']").await;
            page.wait("document.getElementById('board').dataset.board.split(' ').length === 13")
                .await;
            page.wait("document.activeElement.id === 'board'").await;
            let length = length(&page).await;
            assert!(range.contains(&length), "{level}: {length}");
        }
        // Other sizes have levels by random moves, which are made in the page.
        page.click("[data-size='5x5']").await;
        page.wait("document.getElementById('board').dataset.board.split('/').length === 5").await;
        page.wait_solved(false).await;
        assert!(page.text("#level-note").await.starts_with("New puzzles are 50 random moves"));
        page.click("[data-level=random]").await;
        page.wait("document.getElementById('level-note').textContent.startsWith('New puzzles are random')")
            .await;
        page.wait("document.activeElement.id === 'board'").await;
        let board: npuzzle::Board = page.board().await.parse().expect("a board");
        let goal = &npuzzle::Goal::Last;
        assert!(npuzzle::Instance::new(board, goal).expect("fits").is_solvable());

        page.open("").await;
        let pressed = "[...document.querySelectorAll('#setup .segments [aria-pressed=true]')] \
            .map((chip) => chip.textContent)";
        assert_eq!(page.value(pressed).await, json!(["5×5", "Random"]));
        assert_eq!(page.board().await.split('/').count(), 5);
    });
}

#[test]
fn random_walk_ends_away_from_the_goal() {
    with_page(|page| async move {
        page.open("").await;
        let script = "const { randomWalk } = await import('/js/model/levels.js'); \
            const { makeGoal } = await import('/js/model/goal.js'); \
            const sizes = [[2, 2], [2, 5], [3, 4], [5, 5]]; \
            return sizes.flatMap(([rows, cols]) => Array.from({ length: 60 }, (_, n) => { \
              const goal = makeGoal('snail', rows, cols).board; \
              return [randomWalk(goal, n).toString(), goal.toString()]; }));";
        let walks = page.module(script).await;
        for walk in walks.as_array().expect("walks") {
            let [board, goal] = [&walk[0], &walk[1]].map(|text| text.as_str().expect("a board"));
            assert_ne!(board, goal);
            let goal = npuzzle::Goal::Board(goal.parse().expect("a goal"));
            let board = board.parse().expect("a board");
            assert!(npuzzle::Instance::new(board, &goal).expect("fits").is_solvable());
        }
    });
}

#[test]
fn scramble_has_the_requested_length() {
    with_page(|page| async move {
        page.open("").await;
        page.click("#more").await;
        page.fill("#exact", "17").await;
        page.click("#scramble").await;
        page.wait("document.getElementById('distance').textContent === '17'").await;
        assert_eq!(length(&page).await, 17);
    });
}

/// The length of a shortest solution of the board.
async fn length(page: &Page) -> usize {
    let report = npuzzle::solve(page.board().await.parse().expect("a board")).expect("solved");
    report.moves().expect("a solution").stm()
}

#[test]
fn keys_slide_tiles_or_the_blank() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_6.7.8").await;
        assert_eq!(page.text("#time").await, "0:00.00");
        page.keys("#board", UP).await;
        assert_eq!(page.board().await, "1 2 3/4 7 5/6 0 8");
        page.wait("document.getElementById('time').textContent > '0:00.50'").await;
        page.keys("#board", LEFT).await;
        assert_eq!(page.board().await, "1 2 3/4 7 5/6 8 0");
        // There is no tile below the blank.
        page.keys("#board", UP).await;
        assert_eq!(page.board().await, "1 2 3/4 7 5/6 8 0");
        counts(&page, "2", "2").await;

        page.click("#open-settings").await;
        page.fill("#keys", "blank").await;
        page.click("#settings .close").await;
        page.keys("#board", &(LEFT.to_owned() + UP)).await;
        assert_eq!(page.board().await, "1 2 3/4 0 5/6 7 8");
        counts(&page, "4", "4").await;

        page.keys("#board", "uu").await;
        assert_eq!(page.board().await, "1 2 3/4 7 5/6 8 0");
        page.keys("#board", "r").await;
        assert_eq!(page.board().await, "1 2 3/4 7 5/6 0 8");
        counts(&page, "3", "3").await;
    });
}

#[test]
fn keyboard_cursor_selects_a_tile() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.5.6_7.8.0").await;
        let shift = "\u{e008}";
        let shift_up = format!("{shift}{UP}{UP}{shift}");
        page.keys("#board", &shift_up).await;
        assert_eq!(page.value("document.querySelector('.cursor').dataset.cell").await, json!("2"));
        page.wait("document.getElementById('said').textContent.startsWith('3, row 1')").await;
        page.keys("#board", "\u{e007}").await;
        assert_eq!(page.board().await, "1 2 0/4 5 3/7 8 6");
        counts(&page, "2", "1").await;
    });
}

#[test]
fn click_slides_a_whole_row() {
    with_page(|page| async move {
        page.open("#start=0.1.2.3_5.6.7.4_9.10.11.8_13.14.15.12").await;
        page.click("[data-tile='3']").await;
        assert_eq!(page.board().await, "1 2 3 0/5 6 7 4/9 10 11 8/13 14 15 12");
        counts(&page, "3", "1").await;
        // A tile that is not in a row or column with the blank does not move.
        page.click("[data-tile='9']").await;
        counts(&page, "3", "1").await;
        page.click("[data-tile='12']").await;
        page.wait_solved(true).await;
        counts(&page, "6", "2").await;
        page.wait("document.getElementById('said').textContent.startsWith('Solved in 0:')").await;
        page.click("#back").await;
        assert_eq!(page.board().await, "1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12");
        page.click("#first").await;
        page.click("#last").await;
        page.wait_solved(true).await;
    });
}

#[test]
fn drag_and_touch_slide_tiles() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.5_6.7.8").await;
        drag(&page, 3, 0.8, "mouse").await;
        assert_eq!(page.board().await, "1 2 3/0 4 5/6 7 8");
        // Too short a drag: the tile returns.
        drag(&page, 4, -0.15, "mouse").await;
        assert_eq!(page.board().await, "1 2 3/0 4 5/6 7 8");
        drag(&page, 5, -0.9, "touch").await;
        assert_eq!(page.board().await, "1 2 3/4 5 0/6 7 8");
        counts(&page, "3", "2").await;
    });
}

/// Checks the numbers of slides and straight runs that the page shows.
async fn counts(page: &Page, stm: &str, mtm: &str) {
    let shown = "['stm', 'slides', 'mtm'].map((id) => document.getElementById(id).textContent)";
    assert_eq!(page.value(shown).await, json!([stm, stm, mtm]));
}

/// Drags from the center of a cell by this many cells to the right.
async fn drag(page: &Page, cell: usize, by: f64, kind: &str) {
    let script = format!(
        "const board = document.getElementById('board');
         const box = document.getElementById('cell-{cell}').getBoundingClientRect();
         const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
         board.setPointerCapture = () => {{}};
         const send = (type, share) => document.elementFromPoint(x, y).dispatchEvent(
           new PointerEvent(type, {{ bubbles: true, pointerId: 7, pointerType: '{kind}', button: 0,
             clientX: x + {by} * share * box.width, clientY: y }}));
         send('pointerdown', 0);
         for (const share of [0.3, 0.7, 1]) send('pointermove', share);
         send('pointerup', 1);"
    );
    page.run(&script).await;
}
