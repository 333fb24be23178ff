//! The puzzle as a search problem in the multi-tile metric: an action is a straight run of slides.

use crate::problem::sliding::{Arrangement, Sliding};
use crate::puzzle::dims::Cell;
use crate::puzzle::instance::Instance;
use crate::puzzle::move_order::MoveOrder;
use crate::puzzle::slide::Slide;
use crate::search::{Problem, SingleGoal};

/// A straight run: the same slide one or more times.
///
/// ```
/// use npuzzle_core::search::Problem;
/// use npuzzle_core::{Board, Instance, RunSliding};
/// let puzzle: Instance = "1 2/3 4/0 5".parse()?;
/// let problem = RunSliding::<Board>::new(&puzzle).expect("a board is an arrangement");
/// let start = problem.start();
/// let lengths = problem.actions(&start).map(|run| (run.slide().letter(), run.n_slides()));
/// assert!(lengths.eq([('D', 1), ('D', 2), ('L', 1)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RunMove {
    slide: Slide,
    n_slides: u8,
}

impl RunMove {
    /// The slide.
    #[inline]
    pub const fn slide(self) -> Slide {
        self.slide
    }

    /// The number of slides, at least 1.
    #[inline]
    pub const fn n_slides(self) -> usize {
        self.n_slides as usize
    }
}

/// The problem of sliding tiles from a start to a goal, over any [`Arrangement`], where every straight
/// run of slides costs 1.
///
/// ```
/// use npuzzle_core::heuristic::{PerRun, Manhattan};
/// use npuzzle_core::search::{idastar, Budget, Outcome};
/// use npuzzle_core::{Instance, Packed, RunSliding};
///
/// let instance: Instance = "2 3 0/1 5 6/4 7 8".parse()?;
/// let problem = RunSliding::<Packed>::new(&instance).unwrap();
/// let h = PerRun::new(instance.dims(), Manhattan::new(instance.goal()));
/// let report = idastar(&problem, &h, Budget::NONE, &mut ());
/// assert!(matches!(report.outcome, Outcome::Solved(runs) if runs.len() == 3));
/// # Ok::<(), npuzzle_core::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunSliding<A> {
    sliding: Sliding<A>,
    /// The legal runs by the cell of the blank.
    runs: Vec<Vec<RunMove>>,
}

impl<A: Arrangement> RunSliding<A> {
    /// The problem of an instance, with children in the default [`MoveOrder`]; `None` if the arrangement
    /// cannot represent its boards.
    pub fn new(instance: &Instance) -> Option<RunSliding<A>> {
        RunSliding::with_order(instance, MoveOrder::default())
    }

    /// Like [`new`](RunSliding::new), with children in the given order of directions.
    pub fn with_order(instance: &Instance, order: MoveOrder) -> Option<RunSliding<A>> {
        let dims = instance.dims();
        let along = |blank: Cell, slide: Slide| {
            let longest = match slide {
                Slide::Up => dims.rows() - 1 - dims.row(blank),
                Slide::Down => dims.row(blank),
                Slide::Left => dims.cols() - 1 - dims.col(blank),
                Slide::Right => dims.col(blank),
            };
            (1..=longest as u8).map(move |n_slides| RunMove { slide, n_slides })
        };
        let runs = |blank| order.slides().into_iter().flat_map(move |s| along(blank, s));
        let runs = dims.all_cells().map(|blank| runs(blank).collect()).collect();
        Some(RunSliding { sliding: Sliding::new(instance)?, runs })
    }
}

impl<A: Arrangement> Problem for RunSliding<A> {
    type State = A;
    type Action = RunMove;

    fn start(&self) -> A {
        self.sliding.start()
    }

    #[inline]
    fn is_goal(&self, state: &A) -> bool {
        self.sliding.is_goal(state)
    }

    #[inline]
    fn actions(&self, state: &A) -> impl Iterator<Item = RunMove> {
        self.runs[state.blank().index()].iter().copied()
    }

    #[inline]
    fn apply(&self, state: &mut A, run: RunMove) {
        for _ in 0..run.n_slides {
            self.sliding.apply(state, run.slide);
        }
    }

    #[inline]
    fn inverse(&self, run: RunMove) -> RunMove {
        RunMove { slide: run.slide.opposite(), ..run }
    }

    fn state_bytes(&self) -> usize {
        self.sliding.state_bytes()
    }
}

impl<A: Arrangement> SingleGoal for RunSliding<A> {
    fn goal_state(&self) -> A {
        self.sliding.goal_state()
    }
}
