//! The page's models of boards and goals agree with the library.

use npuzzle::{Board, Dims, Goal, Instance};
use serde_json::{Value, json};

use crate::page::{Page, with_page};

#[test]
fn goals_agree_with_the_library() {
    with_page(|page| async move {
        page.open("").await;
        for (rows, cols) in [(2, 2), (2, 5), (3, 3), (4, 3), (5, 2), (4, 6), (7, 7)] {
            let dims = Dims::new(rows, cols).expect("a size");
            for (name, goal) in
                [("last", Goal::Last), ("first", Goal::First), ("snail", Goal::Snail)]
            {
                let script = format!(
                    "const {{ makeGoal }} = await import('/js/model/goal.js'); \
                     return makeGoal('{name}', {rows}, {cols}).board.toString();"
                );
                let board = goal.board(dims).expect("of any size");
                assert_eq!(page.module(&script).await, json!(board.slash().to_string()), "{name}");
            }
        }
    });
}

#[test]
fn solvability_agrees_with_the_library() {
    with_page(|page| async move {
        page.open("").await;
        for seed in 0..40 {
            let (rows, cols) = [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)][seed as usize % 5];
            let board = permuted(rows, cols, seed);
            let goal = [Goal::Last, Goal::First, Goal::Snail][seed as usize % 3].clone();
            let name = ["last", "first", "snail"][seed as usize % 3];
            let instance = Instance::new(board.clone(), &goal).expect("fits");
            let found = is_solvable(&page, &board, name).await;
            assert_eq!(found, json!(instance.is_solvable()), "{board:?} {name}");
        }
    });
}

async fn is_solvable(page: &Page, board: &Board, goal: &str) -> Value {
    let slash = board.slash();
    page.module(&format!(
        "const {{ Board }} = await import('/js/model/board.js'); \
         const {{ isSolvable, makeGoal }} = await import('/js/model/goal.js'); \
         const board = Board.parse('{slash}'); \
         return isSolvable(board, makeGoal('{goal}', board.rows, board.cols));"
    ))
    .await
}

/// A random permutation of the tiles; half of them are unsolvable.
fn permuted(rows: usize, cols: usize, seed: u64) -> Board {
    let mut tiles: Vec<u64> = (0..(rows * cols) as u64).collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    for i in (1..tiles.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        tiles.swap(i, (state >> 33) as usize % (i + 1));
    }
    let rows = tiles.chunks(cols).map(|row| {
        let words: Vec<String> = row.iter().map(ToString::to_string).collect();
        words.join(" ")
    });
    rows.collect::<Vec<_>>().join("/").parse().expect("a board")
}

#[test]
fn links_and_moves_round_trip() {
    with_page(|page| async move {
        page.open("").await;
        let found = page
            .module(
                "const { Game } = await import('/js/model/game.js'); \
                 const { Board } = await import('/js/model/board.js'); \
                 const { readLink, writeLink } = await import('/js/model/link.js'); \
                 const { parseMoves, toWords } = await import('/js/model/moves.js'); \
                 const game = new Game(); \
                 game.load(Board.parse('1 2 3/4 0 5'), '0 2 1/3 4 5', parseMoves('R D L2 U U'), 2); \
                 const link = readLink(writeLink(game, { keys: 'blank' })); \
                 const words = (notation) => toWords(game.line, game.tiles, notation).map((word) => word.text); \
                 return [String(link.start), link.goal, link.slides.join(''), link.at, link.settings, \
                   game.stm, game.mtm, words('tile'), words('blank'), words('numbers'), \
                   parseMoves('l10').length];",
            )
            .await;
        // The second U is illegal and ends the moves.
        let expected = json!([
            "1 2 3/4 0 5", "0 2 1/3 4 5", "RDLLU", 2, { "keys": "blank" }, 2, 2,
            ["R", "D", "L2", "U"], ["L", "U", "R2", "D"], ["4", "1", "2", "3", "5"], 10
        ]);
        assert_eq!(found, expected);
    });
}

#[test]
fn only_named_goals_have_names() {
    with_page(|page| async move {
        page.open("").await;
        let found = page
            .module(
                "const { makeGoal } = await import('/js/model/goal.js'); \
                 const nameOf = (name) => { \
                   try { return makeGoal(name, 2, 3).name; } catch (error) { return error.name; } \
                 }; \
                 return ['1 2 3/4 5 0', '0 1 2/3 4 5', '1 2 3/0 5 4', '0 2 1/3 4 5', 'constructor', \
                   '__proto__'].map(nameOf);",
            )
            .await;
        let expected = ["last", "first", "snail", "0 2 1/3 4 5", "RangeError", "RangeError"];
        assert_eq!(found, json!(expected));
    });
}

#[test]
fn links_limit_the_number_of_moves() {
    with_page(|page| async move {
        page.open("").await;
        let found = page
            .module(
                "const { parseMoves } = await import('/js/model/moves.js'); \
                 const { readLink } = await import('/js/model/link.js'); \
                 const tried = (act) => { try { return act().length; } catch (error) { return error.name; } }; \
                 const link = (moves) => () => readLink(`#start=1.2_3.0&moves=${moves}`).slides; \
                 return [tried(() => parseMoves('R126')), tried(() => parseMoves('R127')), \
                   tried(link('R2')), tried(link('R100000000')), tried(link('R126L126'.repeat(5000)))];",
            )
            .await;
        assert_eq!(found, json!([126, "RangeError", 2, "RangeError", "RangeError"]));
    });
}
