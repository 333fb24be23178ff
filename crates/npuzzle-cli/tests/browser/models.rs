//! The page's models of boards and goals agree with the library.

use npuzzle::{Algorithm, Board, Dims, Goal, HeuristicKind, Instance, Options};
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
fn heuristics_apply_where_the_library_accepts_them() {
    with_page(|page| async move {
        page.open("").await;
        let algorithms = Algorithm::ALL.iter().map(|algorithm| algorithm.name());
        let heuristics = HeuristicKind::ALL.iter().map(|heuristic| heuristic.name());
        let script = format!(
            "const {{ applies }} = await import('/js/model/heuristics.js'); \
             const [sizes, algorithms, heuristics] = [{}, {}, {}]; \
             return sizes.map(([rows, cols]) => algorithms.map((algorithm) => heuristics.map((heuristic) => \
               applies(heuristic, algorithm === 'auto' ? '' : algorithm, {{ rows, cols }}))));",
            json!(SIZES),
            json!(algorithms.collect::<Vec<_>>()),
            json!(heuristics.collect::<Vec<_>>()),
        );
        let found = page.module(&script).await;
        for (i, (rows, cols)) in SIZES.into_iter().enumerate() {
            let board = Goal::Last.board(Dims::new(rows, cols).expect("a size")).expect("a goal");
            let instance = Instance::new(board, &Goal::Last).expect("fits");
            for (j, &algorithm) in Algorithm::ALL.iter().enumerate() {
                for (k, &heuristic) in HeuristicKind::ALL.iter().enumerate() {
                    let options =
                        Options { algorithm, heuristic: heuristic.into(), ..Options::default() };
                    // Searches without a heuristic accept the name `zero`, which changes nothing.
                    let is_accepted = npuzzle::search::plan(&instance, &options).is_ok();
                    let expected = is_accepted && algorithm.uses_heuristic();
                    let name = format!("{rows}x{cols} {algorithm} {heuristic}");
                    assert_eq!(found[i][j][k], json!(expected), "{name}");
                }
            }
        }
    });
}

/// Sizes on both sides of the limits of heuristics.
const SIZES: [(usize, usize); 9] =
    [(2, 2), (3, 3), (4, 4), (3, 5), (2, 6), (2, 7), (4, 5), (5, 5), (5, 6)];

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

#[test]
fn averages_leave_out_the_best_and_worst() {
    with_page(|page| async move {
        page.open("").await;
        // Times between 0 and 99, with many ties.
        let times: Vec<u64> = (0..230u64).map(|i| i * i * 31 % 97 * 1000).collect();
        for (n, n_trimmed) in [(5, 1), (12, 1), (100, 5)] {
            let expected = times.windows(n).map(|window| {
                let mut sorted = window.to_vec();
                sorted.sort_unstable();
                let counted = &sorted[n_trimmed..n - n_trimmed];
                counted.iter().sum::<u64>() as f64 / counted.len() as f64
            });
            let script = format!(
                "const {{ averages, lastAverage }} = await import('/js/model/records.js'); \
                 const times = {times:?}; \
                 return [averages(times, {n}), lastAverage(times, {n}), lastAverage(times.slice(1, {n}), {n})];"
            );
            let expected: Vec<f64> = expected.collect();
            let found = page.module(&script).await;
            let found_all: Vec<f64> = serde_json::from_value(found[0].clone()).expect("numbers");
            assert_eq!(found_all, expected, "{n}");
            assert_eq!(found[1].as_f64(), expected.last().copied(), "{n}");
            assert_eq!(found[2], Value::Null, "{n}");
        }
    });
}

#[test]
fn imported_results_are_checked_and_merged() {
    with_page(|page| async move {
        page.open("").await;
        let found = page
            .module(
                "const { MAX_RESULTS, merge, readResults, writeResults } = await import('/js/model/records.js'); \
                 const good = { date: 5, ms: 1234, stm: 9, mtm: 9, start: '1 2 3/4 5 6/0 7 8', goal: 'last', \
                   solution: 'L2' }; \
                 const read = (text) => { try { return readResults(text); } catch (error) { return error.message; } }; \
                 const readOne = (changes) => read(writeResults([good, { ...good, ...changes }])); \
                 const many = Array.from({ length: MAX_RESULTS + 2 }, (_, i) => ({ ...good, date: i })); \
                 return [read(writeResults([good])), read('{'), read('[1]'), readOne({ date: 'x' }), readOne({ ms: -1 }), \
                   readOne({ start: '1 1' }), readOne({ goal: 'first' }), readOne({ solution: 'L' }), \
                   readOne({ solution: 'R9' }), merge([good], [good]).length, \
                   merge(many, []).length, merge(many, [])[0].date];",
            )
            .await;
        // The counts are those of the solution.
        let good = json!({
            "date": 5, "ms": 1234, "stm": 2, "mtm": 1, "start": "1 2 3/4 5 6/0 7 8", "goal": "last",
            "solution": "L2"
        });
        let bad = |reason: &str| {
            format!("Nothing was imported, because result 2 is not valid: {reason}.")
        };
        let expected = json!([
            [good],
            "This is not a file of npuzzle results.",
            "This is not a file of npuzzle results.",
            bad("its date is missing"),
            bad("its time is missing"),
            bad("not a board"),
            bad("its solution does not reach the goal"),
            bad("its solution does not reach the goal"),
            bad("its solution does not reach the goal"),
            1,
            10_000,
            2
        ]);
        assert_eq!(found, expected);
    });
}

#[test]
fn pasted_solves_are_parsed() {
    with_page(|page| async move {
        page.open("").await;
        let board = "1 2 3/4 0 5/7 8 6";
        for (text, expected) in [
            ("L U", json!([board, "LU", null, null])),
            (
                "Scramble: 8 1 3/4 0 2/7 6 5\nMoves: l u r2\nTime: 1:02.5",
                json!(["8 1 3/4 0 2/7 6 5", "LURR", null, 62_500]),
            ),
            ("1 2 3\n4 0 5\n7 8 6\n5 6", json!([board, "LU", null, null])),
            ("1,2,3/4,0,5/7,8,6 LU", json!([board, "LU", null, null])),
            ("L(0.5) U(0.25)\n9.5", json!([board, "LU", [500, 750], 750])),
            ("L@0.5 U@0.75", json!([board, "LU", [500, 750], 750])),
            ("L U\n12.5 s", json!([board, "LU", null, 12_500])),
            ("L@0.5 U@0.25", json!("Move 2 has an earlier time than the move before it.")),
            ("L U(1)", json!("Either every move has a time, or none.")),
            ("LX", json!("Move 2: “X” is not a move.")),
            ("LL", json!("Move 2, L, is not possible.")),
            (
                "1 2/2 0 L",
                json!(
                    "The scramble is not a board: every number from 0 must occur once, 0 is the blank."
                ),
            ),
            ("", json!("The text contains no moves.")),
        ] {
            let script = format!(
                "const {{ Board }} = await import('/js/model/board.js'); \
                 const {{ parseSolve }} = await import('/js/model/reconstruction.js'); \
                 try {{ const {{ start, slides, times, totalMs }} = parseSolve({}, Board.parse('{board}')); \
                   return [String(start), slides.join(''), times, totalMs]; \
                 }} catch (error) {{ return error.message; }}",
                json!(text)
            );
            assert_eq!(page.module(&script).await, expected, "{text}");
        }
    });
}

#[test]
fn times_are_formatted_with_cut_off_digits() {
    with_page(|page| async move {
        page.open("").await;
        let found = page
            .module(
                "const { formatTime } = await import('/js/model/clock.js'); \
                 return [0, 7319, 59_999, 3_723_310].map((ms) => formatTime(ms)).concat(formatTime(12_345, 3));",
            )
            .await;
        assert_eq!(found, json!(["0:00.00", "0:07.31", "0:59.99", "1:02:03.31", "0:12.345"]));
    });
}
