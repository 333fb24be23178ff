//! Laws, checked on all arrangements of small boards.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault};

use npuzzle_core::heuristic::{Inversions, LinearConflict, Manhattan, Misplaced, WalkingDistance};
use npuzzle_core::search::{Cost, Heuristic, Problem};
use npuzzle_core::{Arrangement, Board, Goal, Instance, Packed, Sliding, WordHasher};
use npuzzle_testkit::space::{self, Space};
use npuzzle_testkit::{NAMED_GOALS, board, data, dims, naive};

#[test]
fn enumeration_is_complete_and_half_of_it_is_solvable() {
    for space in space::all() {
        let n: usize = (1..=space.goal.dims().cells()).product();
        assert_eq!(space.arrangements.len(), n);
        assert_eq!(space.oracle.n_boards(), n / 2);
    }
    let check = |size: &str, expect: [u32; 3]| {
        let deepest: Vec<u32> = space::of(size).map(|space| space.oracle.deepest()).collect();
        assert_eq!(deepest, expect, "{size}");
    };
    // The goal `snail` of 3x3 has the blank in the middle, that of 2x3 in a corner.
    check("2x2", [6, 6, 6]);
    check("2x3", [21, 21, 21]);
    check("2x4", [36, 36, 36]);
    check("3x3", [31, 31, 30]);
}

/// Checks all boards of a small space and boards around the goals of larger sizes. The sizes cover all
/// remainders of tiles after 16 or four have been hashed at a time.
#[test]
fn different_boards_have_different_hashes() {
    let hash = |board: &Board| BuildHasherDefault::<WordHasher>::new().hash_one(board);
    let distinct = |hashes: Vec<u64>| hashes.into_iter().collect::<HashSet<u64>>().len();
    let space = space::of("3x3").next().unwrap();
    let hashes: Vec<u64> = space.arrangements.iter().map(hash).collect();
    assert_eq!(distinct(hashes), space.arrangements.len());
    for size in ["4x5", "3x7", "5x5", "3x6", "8x8", "127x127"] {
        let goal = Goal::Last.board(dims(size)).unwrap();
        let mut seen = HashSet::from([goal.clone()]);
        let mut level = vec![goal];
        while seen.len() < 3_000 {
            let after = |board: &Board, slide| {
                let mut after = board.clone();
                assert!(after.slide(slide));
                after
            };
            let next = level.iter().flat_map(|board| board.slides().map(|s| after(board, s)));
            level = next.filter(|board| seen.insert(board.clone())).collect();
        }
        assert_eq!(distinct(seen.iter().map(hash).collect()), seen.len(), "{size}");
    }
}

#[test]
fn enumeration_has_the_published_counts_per_depth() {
    for size in ["2x2", "3x2", "4x2", "3x3"] {
        let known = data::census(&format!("{size}.stm"));
        let space = space::of(size).next().unwrap();
        let mut counts = vec![0; space.oracle.deepest() as usize + 1];
        for (_, distance) in space.solvable() {
            counts[distance as usize] += 1;
        }
        assert_eq!(counts, known, "{size}");
    }
}

#[test]
fn solvability_matches_reachability_on_all_small_boards() {
    for space in space::all() {
        for board in space.arrangements {
            let reached = space.oracle.distance(board).is_some();
            assert_eq!(space.instance(board).is_solvable(), reached, "{board:?} {:?}", space.goal);
        }
    }
}

#[test]
fn exactly_one_of_board_and_twin_reaches_the_goal() {
    for space in space::all() {
        for board in space.arrangements {
            let (one, other) = (space.oracle.distance(board), space.oracle.distance(&board.twin()));
            assert_ne!(one.is_some(), other.is_some(), "{board:?} {:?}", space.goal);
            assert_eq!(space.instance(board).twin().is_solvable(), other.is_some(), "{board:?}");
        }
    }
}

#[test]
fn solvability_message_names_both_parities() {
    let check = |text: &str, expect: &str| {
        let reason = Instance::from(board(text)).solvability().to_string();
        assert!(reason.starts_with(expect), "{reason}");
    };
    let is_even = "the blank's distance to its goal cell (0) is even;";
    let is_odd = "the blank's distance to its goal cell (1) is odd;";
    check("1 2 3/4 5 6/7 8 0", &format!("solvable: the permutation is even and {is_even}"));
    check("1 2 3/4 5 6/7 0 8", &format!("solvable: the permutation is odd and {is_odd}"));
    check("1 2 3/4 5 6/8 7 0", &format!("unsolvable: the permutation is odd but {is_even}"));
    check("1 2 3/4 5 6/8 0 7", &format!("unsolvable: the permutation is even but {is_odd}"));
}

#[test]
fn heuristics_are_admissible_and_consistent_on_small_boards() {
    fn check<H: Heuristic<Sliding<Packed>>>(name: &str, h: &H, space: &Space) {
        let problem = Sliding::<Packed>::new(&space.instance(&space.goal)).unwrap();
        let value = |state: &Packed| h.value(&h.eval(state));
        assert_eq!(value(&problem.start()), 0, "{name} at {:?}", space.goal);
        for board in space.arrangements {
            let mut state = Packed::new(board).unwrap();
            let here = value(&state);
            if let Some(distance) = space.oracle.distance(board) {
                assert!(here <= distance, "{name}: {here} for {board:?}, distance {distance}");
            }
            for slide in problem.actions(&state).collect::<Vec<_>>() {
                problem.apply(&mut state, slide);
                let there = value(&state);
                assert!(here.abs_diff(there) <= 1, "{name}: {here} to {there}, {slide} {board:?}");
                problem.apply(&mut state, slide.opposite());
            }
        }
    }
    for space in space::all() {
        with_every_heuristic!(&space.goal, check(space));
    }
}

/// Checks that `step` equals `eval` for every slide of every board of a space.
fn check_steps<A, H>(name: &str, h: &H, space: &Space)
where
    A: Arrangement,
    H: Heuristic<Sliding<A>>,
    H::Memo: PartialEq + Debug,
{
    let problem = Sliding::<A>::new(&space.instance(&space.goal)).unwrap();
    for board in space.arrangements {
        let mut state = A::from_board(board).unwrap();
        let memo = h.eval(&state);
        for slide in problem.actions(&state).collect::<Vec<_>>() {
            problem.apply(&mut state, slide);
            let stepped = h.step(&memo, &state, slide);
            assert_eq!(stepped, h.eval(&state), "{name}: {slide} from {board:?}");
            problem.apply(&mut state, slide.opposite());
        }
    }
}

#[test]
fn heuristic_steps_equal_evaluation_on_packed_boards() {
    fn check<H>(name: &str, h: &H, space: &Space)
    where
        H: Heuristic<Sliding<Packed>, Memo: PartialEq + Debug>,
    {
        check_steps::<Packed, H>(name, h, space);
    }
    for space in space::all() {
        with_every_heuristic!(&space.goal, check(space));
    }
}

#[test]
fn heuristic_steps_equal_evaluation_on_plain_boards() {
    fn check<H>(name: &str, h: &H, space: &Space)
    where
        H: Heuristic<Sliding<Board>, Memo: PartialEq + Debug>,
    {
        check_steps::<Board, H>(name, h, space);
    }
    for space in space::all() {
        with_every_heuristic!(&space.goal, check(space));
    }
}

/// Returns the value of a heuristic, which must be the same for packed and plain boards.
fn value<H>(h: &H, board: &Board) -> Cost
where
    H: Heuristic<Sliding<Board>> + Heuristic<Sliding<Packed>>,
{
    let plain = Heuristic::<Sliding<Board>>::eval(h, board);
    let plain = Heuristic::<Sliding<Board>>::value(h, &plain);
    let packed = Heuristic::<Sliding<Packed>>::eval(h, &Packed::new(board).unwrap());
    assert_eq!(plain, Heuristic::<Sliding<Packed>>::value(h, &packed), "{board:?}");
    plain
}

#[test]
fn heuristics_match_their_definitions_and_dominate_weaker_ones() {
    for space in space::all() {
        let goal = &space.goal;
        let (misplaced, manhattan) = (Misplaced::new(goal), Manhattan::new(goal));
        let (conflict, inversions) = (LinearConflict::new(goal), Inversions::new(goal));
        let walking = WalkingDistance::new(goal).unwrap();
        for board in space.arrangements {
            let (m, d, c) =
                (value(&misplaced, board), value(&manhattan, board), value(&conflict, board));
            assert_eq!(m, naive::misplaced(board, goal), "{board:?} {goal:?}");
            assert_eq!(d, naive::manhattan(board, goal), "{board:?} {goal:?}");
            assert_eq!(c, naive::linear_conflict(board, goal), "{board:?} {goal:?}");
            assert_eq!(
                value(&inversions, board),
                naive::inversion(board, goal),
                "{board:?} {goal:?}"
            );
            let w = value(&walking, board);
            assert!(m <= d && d <= c && d <= w, "{m} {d} {c} {w} {board:?}");
        }
    }
}

#[test]
fn board_hamming_and_manhattan_are_for_the_last_goal() {
    for space in space::all() {
        let last = Goal::Last.board(space.goal.dims()).unwrap();
        for board in space.arrangements {
            assert_eq!(board.hamming() as u32, naive::misplaced(board, &last), "{board:?}");
            assert_eq!(board.manhattan() as u32, naive::manhattan(board, &last), "{board:?}");
            assert_eq!(board.is_goal(), *board == last, "{board:?}");
        }
    }
}

#[test]
fn linear_conflict_adds_two_slides_per_tile_that_must_leave() {
    let check = |text: &str, manhattan: Cost, conflicts: Cost| {
        let start = board(text);
        let goal = Goal::Last.board(start.dims()).unwrap();
        assert_eq!(value(&Manhattan::new(&goal), &start), manhattan, "{text}");
        assert_eq!(value(&LinearConflict::new(&goal), &start), manhattan + conflicts, "{text}");
    };
    check("1 2 3/4 5 6/7 8 0", 0, 0);
    check("2 1 3/4 5 6/7 8 0", 2, 2);
    // Three tiles in reverse order: three pairs are in conflict, but only two tiles must leave.
    check("3 2 1/4 5 6/7 8 0", 4, 4);
    check("7 2 3/4 5 6/1 8 0", 4, 4);
    // Conflicts in a column and in a row.
    check("4 2 3/1 5 6/8 7 0", 4, 4);
    check("2 3 1/4 5 6/7 8 0", 4, 2);
    check("4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0", 8, 6);
    // The blank is in conflict with no tile.
    check("1 2 3/4 5 6/0 7 8", 2, 0);
}

#[test]
fn walking_distance_tables_have_the_known_sizes() {
    let check = |size: &str, expect: Option<(usize, usize)>| {
        for goal in NAMED_GOALS {
            let walking = WalkingDistance::new(&goal.board(dims(size)).unwrap());
            assert_eq!(walking.map(|h| h.n_states()), expect, "{size} {goal}");
        }
    };
    check("3x3", Some((105, 105)));
    check("4x4", Some((24_964, 24_964)));
    check("3x5", Some((525, 352_560)));
    check("6x2", Some((367_560, 12)));
    for size in ["2x7", "3x6", "5x4", "5x5", "127x127"] {
        check(size, None);
    }
}

#[test]
fn packing_and_unpacking_round_trip() {
    for space in space::all() {
        for board in space.arrangements {
            let packed = Packed::new(board).unwrap();
            assert_eq!(packed.blank(), board.blank(), "{board:?}");
            assert_eq!(packed.to_board(board.dims()), *board);
        }
    }
}
