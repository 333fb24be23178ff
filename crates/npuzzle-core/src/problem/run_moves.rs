//! The sliding-tile puzzle in the multi-tile metric: a move is a straight run of slides.

use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::dims::Cell;
use crate::puzzle::instance::Instance;
use crate::puzzle::slide::Slide;
use crate::search::{Problem, TwoEnded};

/// The same slide so many times.
///
/// ```
/// use npuzzle_core::search::Problem;
/// use npuzzle_core::{Board, Instance, Runs};
/// let puzzle: Instance = "1 2/3 4/0 5".parse()?;
/// let problem = Runs::<Board>::new(&puzzle).expect("a board is an arrangement");
/// let start = problem.start();
/// let lengths = problem.actions(&start).map(|run| (run.slide().letter(), run.n_slides()));
/// assert!(lengths.eq([('D', 1), ('D', 2), ('L', 1)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    slide: Slide,
    n_slides: u8,
}

impl Run {
    /// The slide.
    #[inline]
    pub const fn slide(self) -> Slide {
        self.slide
    }

    /// How often; at least once.
    #[inline]
    pub const fn n_slides(self) -> usize {
        self.n_slides as usize
    }
}

/// The problem of sliding tiles from a start to a goal in as few straight runs as possible.
///
/// ```
/// use npuzzle_core::heuristic::{PerRun, Manhattan};
/// use npuzzle_core::search::{idastar, Budget, Outcome};
/// use npuzzle_core::{Instance, Packed, Runs};
///
/// let instance: Instance = "2 3 0/1 5 6/4 7 8".parse()?;
/// let problem = Runs::<Packed>::new(&instance).unwrap();
/// let h = PerRun::new(instance.dims(), Manhattan::new(instance.goal()));
/// let report = idastar(&problem, &h, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(runs) if runs.len() == 3));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Runs<A> {
    sliding: Sliding<A>,
    /// The legal runs for every place of the blank.
    runs: Vec<Vec<Run>>,
}

impl<A: Arrangement> Runs<A> {
    /// The problem of an instance; `None` if the boards do not fit the arrangement.
    pub fn new(instance: &Instance) -> Option<Runs<A>> {
        let dims = instance.dims();
        let along = |blank: Cell, slide: Slide| {
            let longest = match slide {
                Slide::Up => dims.rows() - 1 - dims.row(blank),
                Slide::Down => dims.row(blank),
                Slide::Left => dims.cols() - 1 - dims.col(blank),
                Slide::Right => dims.col(blank),
            };
            (1..=longest as u8).map(move |n_slides| Run { slide, n_slides })
        };
        let runs = |blank| Slide::COURSE_ORDER.into_iter().flat_map(move |s| along(blank, s));
        let cells = (0..dims.cells() as u16).map(Cell::new);
        let runs = cells.map(|blank| runs(blank).collect()).collect();
        Some(Runs { sliding: Sliding::new(instance)?, runs })
    }
}

impl<A: Arrangement> Problem for Runs<A> {
    type State = A;
    type Action = Run;

    fn start(&self) -> A {
        self.sliding.start()
    }

    #[inline]
    fn is_goal(&self, state: &A) -> bool {
        self.sliding.is_goal(state)
    }

    #[inline]
    fn actions(&self, state: &A) -> impl Iterator<Item = Run> {
        self.runs[state.blank().index()].iter().copied()
    }

    #[inline]
    fn apply(&self, state: &mut A, run: Run) {
        for _ in 0..run.n_slides {
            self.sliding.apply(state, run.slide);
        }
    }

    #[inline]
    fn inverse(&self, run: Run) -> Run {
        Run { slide: run.slide.opposite(), ..run }
    }

    fn state_bytes(&self) -> usize {
        self.sliding.state_bytes()
    }
}

impl<A: Arrangement> TwoEnded for Runs<A> {
    fn end(&self) -> A {
        self.sliding.end()
    }
}
