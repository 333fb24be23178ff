//! Laws of boards and heuristics, on random boards of every size.

use std::fmt::Debug;

use npuzzle_core::heuristic::{Inversions, LinearConflict, Manhattan, Misplaced, WalkingDistance};
use npuzzle_core::search::{Heuristic, Problem};
use npuzzle_core::{Board, Cell, Dims, Goal, Instance, Metric, Packed, Slide, Sliding, Tile};
use npuzzle_testkit::naive;
use npuzzle_testkit::random::Random;
use proptest::prelude::*;

use crate::cases;

/// Sizes with sides of up to `max`.
pub(crate) fn dims(max: usize) -> impl Strategy<Value = Dims> {
    (2..=max, 2..=max).prop_map(|(rows, cols)| Dims::new(rows, cols).unwrap())
}

/// Boards of one size, solvable or not.
pub(crate) fn boards(dims: Dims) -> impl Strategy<Value = Board> {
    let tiles: Vec<u16> = (0..dims.cells() as u16).collect();
    Just(tiles).prop_shuffle().prop_map(move |tiles| Board::new(dims, &tiles).unwrap())
}

/// Named goals and arbitrary boards.
fn goals(dims: Dims) -> impl Strategy<Value = Goal> {
    prop_oneof![
        Just(Goal::Last),
        Just(Goal::First),
        Just(Goal::Snail),
        boards(dims).prop_map(Goal::Board),
    ]
}

/// A board with a goal.
fn instances(dims: impl Strategy<Value = Dims>) -> impl Strategy<Value = Instance> {
    let both = dims.prop_flat_map(|dims| (boards(dims), goals(dims)));
    both.prop_map(|(start, goal)| Instance::new(start, &goal).unwrap())
}

/// The slides of a random walk; each choice selects one of the legal slides.
pub(crate) fn walk(start: &Board, choices: &[u8]) -> Vec<Slide> {
    let mut board = start.clone();
    let choose = |&choice: &u8| {
        let legal: Vec<Slide> = board.slides().collect();
        let slide = legal[usize::from(choice) % legal.len()];
        assert!(board.slide(slide));
        slide
    };
    choices.iter().map(choose).collect()
}

/// Checks that a heuristic updated along a walk equals its value from scratch.
fn check_walk<H>(name: &str, h: &H, instance: &Instance, slides: &[Slide])
where
    H: Heuristic<Sliding<Board>, Memo: PartialEq + Debug>,
{
    let problem = Sliding::<Board>::new(instance).unwrap();
    let mut state = problem.start();
    let mut memo = h.eval(&state);
    for (step, &slide) in slides.iter().enumerate() {
        let before = h.value(&memo);
        problem.apply(&mut state, slide);
        memo = h.step(&memo, &state, slide);
        assert_eq!(memo, h.eval(&state), "{name} after step {step}, {slide}, of {instance:?}");
        assert!(before.abs_diff(h.value(&memo)) <= 1, "{name} at step {step} of {instance:?}");
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn heuristic_steps_along_a_walk_equal_evaluation(
        instance in instances(dims(12)),
        choices in prop::collection::vec(any::<u8>(), 40),
    ) {
        let slides = walk(instance.start(), &choices);
        with_every_heuristic!(instance.goal(), check_walk(&instance, &slides));
    }

    #[test]
    fn heuristics_match_their_definitions(instance in instances(dims(9))) {
        let (start, goal) = (instance.start(), instance.goal());
        fn value<H: Heuristic<Sliding<Board>>>(h: &H, board: &Board) -> u32 {
            h.value(&h.eval(board))
        }
        let (misplaced, manhattan) = (Misplaced::new(goal), Manhattan::new(goal));
        let (conflict, inversions) = (LinearConflict::new(goal), Inversions::new(goal));
        assert_eq!(value(&misplaced, goal) + value(&manhattan, goal) + value(&conflict, goal), 0);
        assert_eq!(value(&misplaced, start), naive::misplaced(start, goal));
        assert_eq!(value(&manhattan, start), naive::manhattan(start, goal));
        assert_eq!(value(&conflict, start), naive::linear_conflict(start, goal));
        assert_eq!(value(&inversions, goal), 0);
        assert_eq!(value(&inversions, start), naive::inversion(start, goal));
    }

    #[test]
    fn heuristics_never_exceed_the_length_of_a_walk(
        goal in dims(12).prop_flat_map(boards),
        choices in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        fn check<H: Heuristic<Sliding<Board>>>(name: &str, h: &H, board: &Board, n: usize) {
            assert!(h.value(&h.eval(board)) as usize <= n, "{name} of {board:?}");
        }
        let mut board = goal.clone();
        for slide in walk(&goal, &choices) {
            board.slide(slide);
        }
        with_every_heuristic!(&goal, check(&board, choices.len()));
    }

    #[test]
    fn slide_and_its_opposite_restore_the_board(start in dims(12).prop_flat_map(boards)) {
        for slide in Slide::ALL {
            let mut board = start.clone();
            if board.slide(slide) {
                assert_ne!(board, start);
                assert!(board.slide(slide.opposite()));
            } else {
                assert!(start.slides().all(|legal| legal != slide));
            }
            assert_eq!(board, start);
        }
    }

    #[test]
    fn slide_moves_the_expected_neighbor_of_the_blank(start in dims(12).prop_flat_map(boards)) {
        let (rows, cols) = (start.dims().rows(), start.dims().cols());
        let at = start.tiles().iter().position(|tile| tile.is_blank()).unwrap();
        let (row, col) = (at / cols, at % cols);
        assert_eq!(start.blank(), Cell::new(at as u16));
        let check = |slide, from: Option<usize>| {
            let mut board = start.clone();
            assert_eq!(board.slide(slide), from.is_some(), "{slide}");
            let mut tiles: Vec<Tile> = start.tiles().to_vec();
            if let Some(from) = from {
                tiles.swap(at, from);
            }
            assert_eq!(board.tiles(), tiles, "{slide}");
            assert!(board.tile(board.blank()).is_blank(), "{slide}");
        };
        check(Slide::Up, (row + 1 < rows).then_some(at + cols));
        check(Slide::Down, (row > 0).then(|| at - cols));
        check(Slide::Left, (col + 1 < cols).then_some(at + 1));
        check(Slide::Right, (col > 0).then(|| at - 1));
    }

    #[test]
    fn slides_have_the_course_order(start in dims(12).prop_flat_map(boards)) {
        // The blank moves up, left, down, right.
        let legal = |slide: &Slide| start.clone().slide(*slide);
        let order = [Slide::Down, Slide::Right, Slide::Up, Slide::Left];
        let expect: Vec<Slide> = order.into_iter().filter(legal).collect();
        assert_eq!(start.slides().len(), expect.len());
        assert_eq!(start.slides().collect::<Vec<_>>(), expect);
        let neighbors: Vec<Board> = start.neighbors().collect();
        let slid = expect.iter().map(|&slide| {
            let mut board = start.clone();
            board.slide(slide);
            board
        });
        assert_eq!(neighbors, slid.collect::<Vec<_>>());
    }

    #[test]
    fn solvability_matches_inversions_and_differs_for_the_twin(instance in instances(dims(12))) {
        let solvable = naive::is_solvable(instance.start(), instance.goal());
        assert_eq!(instance.is_solvable(), solvable);
        assert_eq!(instance.twin().is_solvable(), !solvable);
        assert_eq!(instance.twin().goal(), instance.goal());
        let (start, twin) = (instance.start(), instance.start().twin());
        assert_eq!(start.tiles().iter().zip(twin.tiles()).filter(|(a, b)| a != b).count(), 2);
        assert_eq!((twin.twin(), twin.blank()), (start.clone(), start.blank()));
    }

    #[test]
    fn walk_preserves_solvability(
        instance in instances(dims(12)),
        choices in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut board = instance.start().clone();
        for slide in walk(instance.start(), &choices) {
            board.slide(slide);
        }
        let walked = Instance::new(board, &Goal::Board(instance.goal().clone())).unwrap();
        assert_eq!(walked.is_solvable(), instance.is_solvable());
    }

    #[test]
    fn sizes_and_goals_round_trip(goal in dims(127).prop_flat_map(|dims| {
        // Shuffling large boards is slow and tests nothing more.
        let small = Dims::new(dims.rows().min(12), dims.cols().min(12)).unwrap();
        (Just(dims), goals(small))
    })) {
        let (dims, goal) = goal;
        assert_eq!(dims.to_string(), format!("{}x{}", dims.rows(), dims.cols()));
        assert_eq!(dims.to_string().parse(), Ok(dims));
        assert_eq!(goal.to_string().parse(), Ok(goal));
    }

    #[test]
    fn cells_round_trip_through_rows_and_columns(dims in dims(127)) {
        for cell in dims.all_cells() {
            let (row, col) = (dims.row(cell), dims.col(cell));
            assert_eq!((row, col), (cell.index() / dims.cols(), cell.index() % dims.cols()));
            assert_eq!(dims.cell(row, col), cell);
        }
    }
}

proptest! {
    // The reference search is slow on 4x4.
    #![proptest_config(cases(32))]

    #[test]
    fn walking_distance_matches_a_reference_search(instance in instances(dims(4))) {
        let (start, goal) = (instance.start(), instance.goal());
        let h = WalkingDistance::new(goal).unwrap();
        let memo = |board| Heuristic::<Sliding<Board>>::eval(&h, board);
        let value = |board| Heuristic::<Sliding<Board>>::value(&h, &memo(board));
        assert_eq!(value(goal), 0);
        assert_eq!(value(start), naive::walking(start, goal));
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn laws_hold_on_boards_of_up_to_127_rows_and_columns(
        instance in instances(prop_oneof![
            (100..=127usize, 100..=127usize),
            (2..=3usize, Just(127usize)),
            (Just(127usize), 2..=3usize),
        ].prop_map(|(rows, cols)| Dims::new(rows, cols).unwrap())),
        choices in prop::collection::vec(any::<u8>(), 60),
    ) {
        let slides = walk(instance.start(), &choices);
        with_every_heuristic!(instance.goal(), check_walk(&instance, &slides));
        assert_ne!(instance.is_solvable(), instance.twin().is_solvable());
    }
}

#[test]
fn linear_conflict_counts_lines_of_127_tiles() {
    // Rearranges the first row of a solved 2x127 board and the first column of a solved 127x2 board.
    let check = |rearrange: fn(&mut [u16]), manhattan: u32, n_leaving: u32| {
        let mut line: Vec<u16> = (1..=127).collect();
        rearrange(&mut line);
        let row: Vec<u16> = line.iter().copied().chain(128..254).chain([0]).collect();
        let pairs = line.iter().zip(1u16..).map(|(n, row)| [2 * n - 1, 2 * row % 254]);
        let column: Vec<u16> = pairs.flatten().collect();
        for (size, tiles) in [((2, 127), row), ((127, 2), column)] {
            let dims = Dims::new(size.0, size.1).unwrap();
            let (start, goal) =
                (Board::new(dims, &tiles).unwrap(), Goal::Last.board(dims).unwrap());
            let h = LinearConflict::new(&goal);
            let memo = Heuristic::<Sliding<Board>>::eval(&h, &start);
            let value = Heuristic::<Sliding<Board>>::value(&h, &memo);
            assert_eq!(value, manhattan + 2 * n_leaving, "{dims}");
        }
    };
    check(|_| {}, 0, 0);
    check(|line| line.reverse(), 2 * 63 * 64, 126);
    check(|line| line.rotate_left(1), 2 * 126, 1);
    check(|line| line.rotate_left(63), 2 * 63 * 64, 63);
    check(|line| line.swap(0, 126), 2 * 126, 2);
}

#[test]
fn packed_boards_slide_like_plain_boards() {
    let mut random = Random::new(16);
    let sizes = (2..=8).flat_map(|rows| (2..=8).map(move |cols| (rows, cols)));
    for (rows, cols) in sizes.filter(|(rows, cols)| rows * cols <= Packed::MAX_CELLS) {
        let dims = Dims::new(rows, cols).unwrap();
        for _ in 0..20 {
            let mut plain = random.board(dims);
            let mut packed = Packed::new(&plain).unwrap();
            for _ in 0..200 {
                let slide = Slide::ALL[random.below(4)];
                assert_eq!(packed.slide(dims, slide), plain.slide(slide), "{slide} {plain:?}");
                assert_eq!(packed.blank(), plain.blank(), "{plain:?}");
                assert_eq!(packed.to_board(dims), plain);
                assert_eq!(Packed::new(&plain), Some(packed), "{plain:?}");
            }
            for cell in dims.all_cells() {
                assert_eq!(packed.tile(cell), plain.tile(cell), "{plain:?}");
            }
        }
    }
}

#[test]
fn packed_rejects_boards_of_more_than_16_cells() {
    for size in ["2x9", "3x6", "5x4", "17x2"] {
        let board = Goal::Last.board(size.parse().unwrap()).unwrap();
        assert_eq!(Packed::new(&board), None, "{size}");
    }
}

#[test]
fn sizes_are_read_in_every_usual_spelling() {
    let check = |text: &str, expect: Option<(usize, usize)>| {
        let dims = text.parse::<Dims>().ok().map(|dims| (dims.rows(), dims.cols()));
        assert_eq!(dims, expect, "{text}");
    };
    check("3x4", Some((3, 4)));
    check("3X4", Some((3, 4)));
    check("3×4", Some((3, 4)));
    check("3 x 4", Some((3, 4)));
    check("4", Some((4, 4)));
    check("2x127", Some((2, 127)));
    for text in ["", "x", "3x", "x3", "1x3", "3x1", "128x3", "3x128", "0", "-3x4", "3x4x5", "axb"] {
        check(text, None);
    }
}

#[test]
fn instance_rejects_a_goal_of_another_size() {
    let start: Board = "1 2 3/4 5 0".parse().unwrap();
    let goal = Goal::Board("1 2/3 0".parse().unwrap());
    assert_eq!(
        Instance::new(start, &goal).unwrap_err().to_string(),
        "the goal is 2x2, but the start is 2x3"
    );
}

#[test]
fn metric_names_round_trip() {
    for metric in Metric::ALL {
        assert_eq!(metric.to_string().parse(), Ok(metric));
    }
    assert_eq!(
        "htm".parse::<Metric>().unwrap_err().to_string(),
        "\"htm\" is not a metric: expected one of stm, mtm"
    );
}
