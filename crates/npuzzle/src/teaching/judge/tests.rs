//! Answers in every form, against an independent checker.

use npuzzle_core::Random;
use npuzzle_testkit::answers;
use npuzzle_testkit::naive::Oracle;

use super::*;
use crate::options::Options;

const PUZZLE: &str = "1 2 3/4 0 5/7 8 6";

fn judge(rules: &JudgeRules, puzzle: &str, text: &str) -> Judgment {
    Judge::default().judge(rules, &puzzle.parse().unwrap(), text, &mut ())
}

fn any() -> JudgeRules {
    JudgeRules { notation: None, ..JudgeRules::default() }
}

fn in_notation(notation: Notation) -> JudgeRules {
    JudgeRules { notation: Some(notation), ..JudgeRules::default() }
}

#[test]
fn answers_are_found_in_free_text() {
    for (mark, text) in [
        ("tag", "<answer>L U</answer>"),
        ("tag", "<think>Answer: D D D</think> Done.\n<Answer>\nleft, up\n</ANSWER> bye"),
        ("tag", "<answer>R</answer> No, wait. <answer>L U"),
        ("tag", "<answer>Moves: L, U</answer>"),
        ("tag", "<answer>\n```\nL\nU\n```\n</answer>"),
        ("tag", "<answer>\\boxed{L, U}</answer>"),
        ("tag", "<answer>1. Left\n2. Up</answer>"),
        ("tag", "<answer>Step 1: move tile 5 left; Step 2: move tile 6 up.</answer>"),
        ("tag", "<answer>[\"L\", \"U\"]</answer>"),
        ("tag", "<answer>L -> U</answer>"),
        ("tag", "<answer>←↑</answer>"),
        ("tag", "<answer>5, 6</answer>"),
        ("tag", "<answer>Move 5, then move 6</answer>"),
        ("tag", "<answer>1 2 3/4 5 0/7 8 6\n1 2 3/4 5 6/7 8 0</answer>"),
        ("boxed", r"So $\boxed{\text{L} \rightarrow \text{U}}$."),
        ("boxed", r"\boxed{D} or rather \boxed{LU}"),
        ("label", "Let me think. U? No.\n**Final answer:** L U\n\nI hope that helps."),
        ("label", "Answer:\n\n```\nL\nU\n```\nThat is 2 moves."),
        ("label", "Tile 5 has to go left, then 6 up. **Answer:** L U"),
        ("label", "Answer: D? No! Answer: 1. L 2. U"),
        ("label", "Solution: L U\nMoves: 2"),
        ("label", "Solution: L U\nAnswer: see above"),
        ("label", "So the shortest solution is: left, up."),
        ("fence", "First try:\n```\nD\n```\nBetter:\n```text\nL U\n```\n"),
        ("lines", "I would go\nLeft\nUp\n"),
        ("lines", "D\n\nNo. Better:\n\nL\nU"),
        ("lines", "LU"),
    ] {
        let judgment = judge(&JudgeRules::default(), PUZZLE, text);
        assert_eq!(judgment.score, 1.0, "{text:?}: {judgment}");
        assert_eq!(judgment.mark.map(AnswerMark::name), Some(mark), "{text:?}");
    }
}

#[test]
fn texts_without_moves_are_unreadable() {
    for (text, reason) in [
        ("", "no answer found"),
        ("I do not know.", "no answer found"),
        ("The solution has 2 moves.\n1 2 3\n4 5 6\n7 8 0\n", "no answer found"),
        ("Moves: 2", "no answer found"),
        ("LU is good, is it not?", "no answer found"),
        ("<answer>L or U</answer>", "\"or\" in the answer is not a move"),
        ("<answer>blank left, blank up</answer>", "\"blank\" in the answer is not a move"),
        ("<answer>L 7 U</answer>", "the number 7 in the answer is neither a tile nor a step"),
        ("<answer>L0 U</answer>", "\"L0\" in the answer is not a move"),
        ("<answer>L999999 U</answer>", "more than 100000 moves"),
        (r"\boxed{14 \text{ moves and more}}", "\"more\" in the answer is not a move"),
    ] {
        let judgment = judge(&JudgeRules::default(), PUZZLE, text);
        assert_eq!((judgment.score, judgment.to_string().as_str()), (0.0, reason), "{text:?}");
        assert_eq!(judgment.status, AnswerStatus::Unreadable);
    }
}

#[test]
fn notation_decides_the_sense_of_directions() {
    let score = |rules: JudgeRules, text| judge(&rules, PUZZLE, text).score;
    let [tile, blank] = [Notation::Tile, Notation::Blank].map(in_notation);
    let (as_tile, as_blank) = ("<answer>L U</answer>", "<answer>R D</answer>");
    assert_eq!([score(tile, as_tile), score(blank, as_blank)], [1.0; 2]);
    assert_eq!([score(any(), as_tile), score(any(), as_blank)], [1.0; 2]);
    assert!(score(tile, as_blank) < 0.5 && score(blank, as_tile) < 0.5);
    let hint = judge(&tile, PUZZLE, as_blank);
    assert!(hint.other_sense_solves && hint.to_string().contains("in the other sense"), "{hint}");
    for notation in [Notation::Numbers, Notation::Boards] {
        let refused = judge(&in_notation(notation), PUZZLE, as_tile);
        assert_eq!(refused.unreadable, Some(AnswerError::Directions));
    }
    // Tile numbers and boards have one meaning only.
    for notation in Notation::ALL {
        assert_eq!(score(in_notation(notation), "<answer>5 6</answer>"), 1.0);
    }
    assert_eq!(score(in_notation(Notation::Numbers), "I slide\n5\n6\n"), 1.0);
    let boards = "From\n1 2 3\n4 0 5\n7 8 6\nto\n1 2 3\n4 5 0\n7 8 6\nand\n1 2 3\n4 5 6\n7 8 0\n";
    assert_eq!(score(in_notation(Notation::Boards), boards), 1.0);
}

#[test]
fn claims_about_solvability_are_judged() {
    let unsolvable = "1 2 3/4 5 6/8 7 0";
    let rules = JudgeRules::default();
    assert_eq!(judge(&rules, unsolvable, "<answer>unsolvable</answer>").score, 1.0);
    assert_eq!(judge(&rules, PUZZLE, "<answer>no solution</answer>").score, 0.0);
    let moves = judge(&rules, unsolvable, "<answer>R L</answer>");
    assert_eq!((moves.score, moves.status), (0.0, AnswerStatus::Unsolved));
    assert_eq!(moves.to_string(), "not solved after 2 moves; there is no solution");
    let solved = "1 2 3/4 5 6/7 8 0";
    for text in ["<answer></answer>", "Answer: none", "<answer>already solved</answer>"] {
        assert_eq!(judge(&rules, solved, text).score, 1.0, "{text}");
    }
    assert_eq!(judge(&rules, solved, "<answer>R L</answer>").score, 0.5);
}

#[test]
fn multi_tile_moves_are_counted_as_runs() {
    let rules = JudgeRules { metric: Metric::Mtm, ..JudgeRules::default() };
    let judgment = judge(&rules, "2 3 0/1 5 6/4 7 8", "<answer>R2 U2 L2</answer>");
    assert_eq!((judgment.score, judgment.length, judgment.moves.stm()), (1.0, 3, 6));
    let first = |text| judge(&rules, "2 3 0/1 5 6/4 7 8", text).is_first_optimal;
    assert_eq!(
        [first("R2"), first("R"), first("U"), first("D")],
        [Some(true), Some(false), Some(false), None]
    );
}

#[test]
fn boards_beyond_tables_are_searched_within_limits() {
    let puzzle = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4".parse().unwrap();
    let solution = Options::default().solve(&puzzle).unwrap().moves().unwrap().to_string();
    let rules = JudgeRules::default();
    let scores = |max_nodes, text: &str| {
        Judge::new(Tables::new(), max_nodes).judge(&rules, &puzzle, text, &mut ()).score
    };
    assert_eq!(scores(1_000_000, &solution), 1.0);
    let detour = format!("{solution} R L");
    assert_eq!(scores(1_000_000, &detour), 0.5 + 0.5 * 43.0 / 45.0);
    // Within ten nodes no distance is known, so that no part of the score can depend on one.
    assert_eq!([scores(10, &solution), scores(10, "D")], [0.5, 0.0]);
}

/// Words that models write around an answer.
const NOISE: [&str; 4] = [
    "",
    "Let me see: the 5 must go up first.\n",
    "<think>L U? No, D.</think>\n",
    "1 2 3\n4 5 6\n7 8 0\n\n",
];

/// An answer of a random kind: a solution with or without detours, a random walk, or random words.
fn random_moves(puzzle: &Instance, notation: Notation, random: &mut Random) -> Vec<String> {
    let solution = Options::default().solve(puzzle).unwrap().moves().unwrap().clone();
    let mut slides = solution.slides().to_vec();
    match random.below(5) {
        0 => {}
        1 => slides.truncate(random.below(slides.len() as u64 + 1) as usize),
        2 => {
            let at = random.below(slides.len() as u64 + 1) as usize;
            let mut board = puzzle.start().clone();
            assert!(slides[..at].iter().all(|&slide| board.slide(slide)));
            let there = board.slides().next().unwrap();
            slides.splice(at..at, [there, there.opposite()]);
        }
        _ => {
            let at = random.below(slides.len() as u64 + 1) as usize;
            slides.insert(at, npuzzle_core::Slide::ALL[random.below(4) as usize]);
        }
    }
    let moves = Moves::from(slides);
    let written = match moves.write(notation, puzzle.start()) {
        Ok(written) => written,
        // Illegal moves have no tile numbers.
        Err(_) if notation == Notation::Numbers => format!("{} 1 1", puzzle.dims().cells() - 1),
        Err(_) if notation == Notation::Blank => {
            moves.iter().map(|slide| slide.opposite()).collect::<Moves>().to_string()
        }
        Err(_) => moves.to_string(),
    };
    written.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn random_answers_agree_with_an_independent_checker() {
    let mut random = Random::new(24);
    let spaces = ["1 2 3/4 5 6/7 8 0", "0 1 2/3 4 5"].map(|goal| {
        let goal: Board = goal.parse().unwrap();
        let oracles = Metric::ALL.map(|metric| (metric, Oracle::new(&goal, metric)));
        (goal, oracles)
    });
    let mut seen = std::collections::BTreeMap::<&str, u32>::new();
    for n in 0..400 {
        let (goal, oracles) = &spaces[n % 2];
        let (metric, oracle) = &oracles[n / 2 % 2];
        let puzzle = random.instance(goal, true);
        let notation =
            [Notation::Tile, Notation::Blank, Notation::Numbers][random.below(3) as usize];
        let mut words = random_moves(&puzzle, notation, &mut random);
        if random.below(8) == 0 {
            words.push("maybe".to_owned());
        }
        let noise = NOISE[random.below(4) as usize];
        let moves = words.join([" ", ", ", "\n", " -> "][random.below(4) as usize]);
        let text = match random.below(3) {
            0 => format!("{noise}<answer>{moves}</answer>"),
            1 => format!("<answer>U</answer>\n{noise}<answer>\n{moves}\n</answer>\nDone."),
            _ => format!("{noise}\\boxed{{{moves}}}"),
        };
        let rules =
            JudgeRules { metric: *metric, notation: Some(notation), scoring: Scoring::Graded };
        let judgment = Judge::default().judge(&rules, &puzzle, &text, &mut ());
        let expect = answers::check(&text, notation, puzzle.start(), goal, *metric, oracle);
        assert_eq!(judgment.status.name(), expect.status, "{text}: {judgment}");
        assert!((judgment.score - expect.score).abs() < 1e-12, "{text}: {judgment}, {expect:?}");
        assert_eq!(
            (judgment.distance_after, judgment.wasted()),
            (expect.distance_after, expect.wasted),
            "{text}"
        );
        *seen.entry(expect.status).or_default() += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|&n| n >= 20), "{seen:?}");
}

#[test]
fn batches_equal_single_judgments_on_any_threads() {
    let mut random = Random::new(5);
    let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
    let puzzles: Vec<Instance> = (0..300).map(|_| random.instance(&goal, true)).collect();
    let texts: Vec<String> =
        puzzles.iter().map(|p| random_moves(p, Notation::Tile, &mut random).join(" ")).collect();
    let rules = JudgeRules::default();
    let task = |(puzzle, text): (_, &'static str)| JudgeTask { rules, puzzle, text };
    let texts: Vec<&'static str> = texts.into_iter().map(|text| &*text.leak()).collect();
    let tasks: Vec<JudgeTask<'_>> = puzzles.iter().zip(texts).map(task).collect();
    let mut judge = Judge::default();
    let single: Vec<Judgment> =
        tasks.iter().map(|task| judge.judge(&rules, task.puzzle, task.text, &mut ())).collect();
    for threads in [1, 3] {
        let mut judged = Vec::new();
        let threads = std::num::NonZeroUsize::new(threads);
        judge_many(&tasks, 1_000, threads, &mut Tables::new(), &mut (), &mut judged).unwrap();
        assert_eq!(judged, single);
    }
}

/// Random texts of pieces that the reader knows, and of arbitrary characters.
fn random_text(random: &mut Random) -> String {
    const PIECES: [&str; 28] = [
        "<answer>",
        "</answer>",
        "\\boxed{",
        "}",
        "{",
        "Answer:",
        "moves are ",
        "\n",
        "```",
        "L",
        "U2",
        "R126",
        "left",
        "5",
        "6",
        "0",
        " ",
        ", ",
        "1. ",
        "step 3 ",
        "→",
        "↑",
        "1 2 3/4 5 0/7 8 6",
        "[[1,2,3],[4,5,6],[7,8,0]]",
        "</think>",
        "no solution",
        "é\u{301}",
        "99999999999999999999",
    ];
    let n_pieces = random.below(30);
    (0..n_pieces)
        .map(|_| match random.below(8) {
            0 => char::from_u32(random.below(0x11_0000) as u32).unwrap_or('\u{fffd}').to_string(),
            _ => PIECES[random.below(PIECES.len() as u64) as usize].to_owned(),
        })
        .collect()
}

#[test]
fn every_text_has_a_judgment_between_0_and_1() {
    let mut random = Random::new(9);
    let mut judge = Judge::default();
    let puzzles: Vec<Instance> =
        [PUZZLE, "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/8 7 0"].map(|p| p.parse().unwrap()).into();
    let mut n_readable = 0;
    for n in 0..20_000 {
        let text = random_text(&mut random);
        let notation =
            [None, Some(Notation::Tile), Some(Notation::Numbers), Some(Notation::Boards)][n % 4];
        let rules = JudgeRules { notation, ..JudgeRules::default() };
        let puzzle = &puzzles[n % 3];
        let judgment = judge.judge(&rules, puzzle, &text, &mut ());
        assert!(
            (0.0..=1.0).contains(&judgment.score) && !judgment.to_string().is_empty(),
            "{text:?}"
        );
        let end = judgment.moves.replay(puzzle.start()).unwrap();
        assert!(
            !judgment.is_solved() || !puzzle.is_solvable() || end == *puzzle.goal(),
            "{text:?}"
        );
        n_readable += usize::from(judgment.unreadable.is_none());
    }
    assert!(n_readable > 2_000, "{n_readable}");
}

#[test]
fn longest_texts_are_read_to_their_end() {
    let text = "L ".repeat(2_000_000) + "\nAnswer: L U";
    assert_eq!(judge(&JudgeRules::default(), PUZZLE, &text).score, 1.0);
    let lines = "Answer:\n".repeat(200_000) + "L U";
    assert_eq!(judge(&JudgeRules::default(), PUZZLE, &lines).score, 1.0);
}
