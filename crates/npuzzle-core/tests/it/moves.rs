//! Sequences of slides: lengths, notations and replays.

use npuzzle_core::{Board, Dims, IllegalSlide, Metric, Moves, Notation, Slide};
use npuzzle_testkit::{board, naive};
use proptest::prelude::*;

use crate::cases;
use crate::laws::{boards, dims, walk};

/// A board and slides that are legal on it.
fn walks() -> impl Strategy<Value = (Board, Vec<Slide>)> {
    let start = dims(12).prop_flat_map(boards);
    (start, prop::collection::vec(any::<u8>(), 0..60)).prop_map(|(start, choices)| {
        let slides = walk(&start, &choices);
        (start, slides)
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_notation_round_trips((start, slides) in walks()) {
        let moves = Moves::from(slides);
        let write = |notation| moves.write(notation, &start).unwrap();
        assert_eq!(write(Notation::Tile), moves.to_string());
        assert_eq!(write(Notation::Tile).parse(), Ok(moves.clone()));
        let blank: Moves = write(Notation::Blank).parse().unwrap();
        let tile: Moves = blank.slides().iter().map(|slide| slide.opposite()).collect();
        assert_eq!(tile, moves);
        assert_eq!(Moves::from_numbers(&write(Notation::Numbers), &start), Ok(moves.clone()));
        let text = write(Notation::Boards);
        let boards: Vec<Board> = text.lines().map(board).collect();
        assert_eq!(boards, moves.boards(&start).unwrap().collect::<Vec<_>>());
    }

    #[test]
    fn inverse_leads_back_and_has_the_same_length((start, slides) in walks()) {
        let moves = Moves::from(slides);
        let end = moves.replay(&start).unwrap();
        assert_eq!(moves.inverse().replay(&end), Ok(start));
        assert_eq!(moves.inverse().inverse(), moves);
        assert_eq!(moves.inverse().mtm(), moves.mtm());
    }

    #[test]
    fn lengths_count_slides_and_straight_runs((_, slides) in walks()) {
        let moves = Moves::from(slides.clone());
        assert_eq!((moves.stm(), moves.mtm()), (slides.len(), naive::mtm(&slides)));
        assert_eq!(moves.len(Metric::Stm), moves.stm());
        assert_eq!(moves.len(Metric::Mtm), moves.mtm());
        assert_eq!(moves.is_empty(), slides.is_empty());
        let runs = moves.runs().flat_map(|(slide, n)| std::iter::repeat_n(slide, n));
        assert_eq!(runs.collect::<Vec<_>>(), slides);
        assert_eq!((&moves).into_iter().collect::<Vec<_>>(), slides);
        assert_eq!(moves.into_iter().collect::<Vec<_>>(), slides);
    }

    #[test]
    fn boards_of_moves_are_one_slide_apart((start, slides) in walks()) {
        let moves = Moves::from(slides.clone());
        let mut remaining = moves.boards(&start).unwrap();
        let boards: Vec<Board> = remaining.clone().collect();
        assert_eq!(boards.len(), slides.len() + 1);
        for n_left in (0..=boards.len()).rev() {
            assert_eq!((remaining.len(), remaining.next().is_some()), (n_left, n_left > 0));
        }
        assert_eq!((&boards[0], boards.last()), (&start, moves.replay(&start).ok().as_ref()));
        for (pair, &slide) in boards.windows(2).zip(&slides) {
            let mut next = pair[0].clone();
            assert!(next.slide(slide));
            assert_eq!(next, pair[1]);
        }
    }

    #[test]
    fn replay_reports_the_first_illegal_slide((start, slides) in walks()) {
        let end = Moves::from(slides.clone()).replay(&start).unwrap();
        for slide in Slide::ALL.into_iter().filter(|&slide| end.slides().all(|s| s != slide)) {
            let moves = Moves::from([&slides[..], &[slide, Slide::Up]].concat());
            let error = IllegalSlide { step: slides.len(), slide };
            assert_eq!(moves.replay(&start), Err(error));
            assert_eq!(moves.boards(&start).err(), Some(error));
            assert_eq!(moves.write(Notation::Tile, &start), Err(error));
        }
    }
}

#[test]
fn longest_run_of_the_largest_board_round_trips() {
    let dims = Dims::new(Dims::MAX, Dims::MAX).unwrap();
    let start = npuzzle_core::Goal::First.board(dims).unwrap();
    let moves = Moves::from(vec![Slide::Left; Dims::MAX - 1]);
    assert!(moves.replay(&start).is_ok());
    assert_eq!(moves.to_string(), "L126");
    assert_eq!("L126".parse(), Ok(moves));
    assert!("L127".parse::<Moves>().is_err());
}

#[test]
fn notations_write_the_same_moves_differently() {
    let start = board("1 2 3/4 0 6/7 5 8");
    let moves: Moves = "U L D2".parse().unwrap();
    let check = |notation: Notation, expect: &str| {
        assert_eq!(moves.write(notation, &start).as_deref(), Ok(expect), "{notation}");
    };
    check(Notation::Tile, "U L D2");
    check(Notation::Blank, "D R U2");
    check(Notation::Numbers, "5 8 6 3");
    check(
        Notation::Boards,
        "1 2 3/4 0 6/7 5 8\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/7 8 0\n1 2 3/4 5 0/7 8 6\n\
         1 2 0/4 5 3/7 8 6",
    );
}

#[test]
fn from_numbers_reports_the_column_of_a_bad_tile_number() {
    let start = board("1 2 3/4 0 6/7 5 8");
    let check = |text: &str, expect: &str| {
        assert_eq!(Moves::from_numbers(text, &start).unwrap_err().to_string(), expect);
    };
    check("5 7 1", "column 5: \"1\" is not next to the blank");
    check("5, x", "column 4: \"x\" is not a tile number");
    check("5 0", "column 3: \"0\" is not next to the blank");
    check("5 70000", "column 3: \"70000\" is not a tile number");
    check("é", "column 1: \"é\" is not a tile number");
}
