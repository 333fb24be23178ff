//! Is this a solution, is it shortest, and where were moves lost?

mod loss;
pub(crate) mod read;

use std::error::Error;
use std::fmt;

use npuzzle_core::search::{Cost, Limit, Watch};
use npuzzle_core::{Board, Instance, Metric, Moves, Slide};

use crate::options::Options;
use crate::solver::SolveError;
use crate::tables::cache::Tables;

pub use loss::Loss;
pub use read::{Form, Sense, boards_in, first_unknown_token, moves_in};

/// What is found of a solution that somebody has handed in.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "R D", &mut Tables::new(), &mut ())?;
/// assert!(checked.is_valid());
/// assert_eq!((checked.is_shortest(), checked.moves.to_string().as_str()), (Some(true), "L U"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// How it was read.
    pub form: Form,
    /// The slides, up to the fault if there is one.
    pub moves: Moves,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// How many moves it says it has, if it says so.
    pub claimed: Option<Cost>,
    /// How good it is; known if nothing is wrong.
    pub quality: Option<Quality>,
}

impl Checked {
    /// Whether it solves the puzzle, or rightly says that nothing does.
    pub fn is_valid(&self) -> bool {
        self.fault.is_none()
    }

    /// Whether it is shortest; `None` if that is not known.
    pub fn is_shortest(&self) -> Option<bool> {
        let quality = self.quality.as_ref()?;
        if quality.length <= quality.lower_bound {
            Some(true)
        } else {
            (quality.length > quality.upper_bound).then_some(false)
        }
    }
}

/// What is wrong with a solution.
///
/// ```
/// use npuzzle::teaching::Fault;
/// use npuzzle::{Options, Slide, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L L", &mut Tables::new(), &mut ())?;
/// assert_eq!(checked.fault, Some(Fault::Border { step: 2, slide: Slide::Left }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Its first board is another one.
    OtherStart {
        /// The line of that board.
        line: usize,
    },
    /// A board is not one slide from the one before.
    Jump {
        /// Which move, from 1.
        step: usize,
        /// The line of the board.
        line: usize,
    },
    /// A slide goes over the border.
    Border {
        /// Which move, from 1.
        step: usize,
        /// The way of the tile.
        slide: Slide,
    },
    /// A tile is not beside the blank.
    NotBeside {
        /// Which move, from 1.
        step: usize,
        /// The number that stands there.
        tile: u16,
    },
    /// It ends elsewhere.
    NotTheGoal {
        /// Where.
        end: Board,
    },
    /// It says another number of moves than it has, or than there are.
    Claim {
        /// What it says.
        claimed: Cost,
        /// What it has.
        found: Cost,
    },
    /// It says that there is no solution, and there is one.
    SaysNone,
    /// It gives moves to a puzzle that has no solution.
    HasNone,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OtherStart { line } => {
                write!(f, "line {line}: the first board is not the puzzle's")
            }
            Fault::Jump { step, line } => {
                write!(
                    f,
                    "move {step}, line {line}: this board is not one slide from the one before"
                )
            }
            Fault::Border { step, slide } => {
                let way = slide.letter();
                write!(f, "move {step}: no tile can slide that way there ({way})")
            }
            Fault::NotBeside { step, tile } => {
                write!(f, "move {step}: tile {tile} is not beside the blank")
            }
            Fault::NotTheGoal { end } => write!(f, "it ends at {}, not at the goal", end.slash()),
            Fault::Claim { claimed, found } => {
                write!(f, "it says {claimed} moves, and there are {found}")
            }
            Fault::SaysNone => f.write_str("it says that there is no solution, and there is one"),
            Fault::HasNone => f.write_str("this puzzle has no solution"),
        }
    }
}

/// How good a solution is.
///
/// ```
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
/// let quality = checked.quality.expect("it is a solution");
/// assert_eq!((quality.length, quality.upper_bound), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Quality {
    /// Its length in the metric.
    pub length: Cost,
    /// No solution is shorter than this.
    pub lower_bound: Cost,
    /// A shortest one is no longer than this.
    pub upper_bound: Cost,
    /// The moves that led away from all shortest ways, in order; known if the bounds are equal.
    pub losses: Vec<Loss>,
    /// The limit that was reached before all was known.
    pub stopped: Option<Limit>,
}

impl Options {
    /// Checks what somebody has handed in as a solution: boards as any course prints them, letters
    /// for the ways of tiles or of the blank, numbers of tiles.
    ///
    /// ```
    /// use npuzzle::{Options, Tables};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let checked = Options::default().check(&puzzle, "L R L U", &mut Tables::new(), &mut ())?;
    /// assert!(checked.is_valid());
    /// assert_eq!(checked.is_shortest(), Some(false));
    /// assert_eq!(checked.quality.map(|quality| quality.losses[0].step), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(
        &self,
        puzzle: &Instance,
        text: &str,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Checked, CheckError> {
        let reading = read::read(text, puzzle).ok_or(CheckError::Unreadable)?;
        let mut checked = Checked {
            form: reading.form,
            moves: reading.moves,
            fault: reading.fault,
            claimed: reading.claimed,
            quality: None,
        };
        let is_solvable = puzzle.is_solvable();
        match (checked.form, is_solvable) {
            (Form::None, true) => checked.fault = Some(Fault::SaysNone),
            (Form::None, false) => {}
            (_, false) => checked.fault = Some(Fault::HasNone),
            (Form::Claim, true) => self.check_claim(puzzle, &mut checked, tables, watch)?,
            (_, true) if checked.fault.is_none() => {
                checked.fault = wrong_number(&checked);
                let quality = self.judge(puzzle, &checked.moves, tables, watch)?;
                checked.quality = Some(quality);
            }
            (_, true) => {}
        }
        Ok(checked)
    }

    /// Of a text that has no more than a number of moves.
    fn check_claim(
        &self,
        puzzle: &Instance,
        checked: &mut Checked,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let report = self.solve_with(puzzle, tables, watch)?;
        let (Some(claimed), Some(lower_bound)) = (checked.claimed, report.lower_bound) else {
            return Ok(());
        };
        if claimed < lower_bound {
            checked.fault = Some(Fault::Claim { claimed, found: lower_bound });
        }
        let upper_bound = report.upper_bound().unwrap_or(claimed).min(claimed);
        checked.quality = Some(Quality {
            length: claimed,
            lower_bound,
            upper_bound,
            losses: Vec::new(),
            stopped: None,
        });
        Ok(())
    }
}

/// A number of moves that is said and is not that of the moves.
fn wrong_number(checked: &Checked) -> Option<Fault> {
    let claimed = checked.claimed?;
    let is_either = Metric::ALL.map(|metric| checked.moves.len(metric) as Cost).contains(&claimed);
    let found = checked.moves.stm() as Cost;
    (!is_either).then_some(Fault::Claim { claimed, found })
}

/// Why nothing can be said.
///
/// ```
/// use npuzzle::teaching::CheckError;
/// use npuzzle::{Options, Tables};
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let unread = Options::default().check(&puzzle, "?", &mut Tables::new(), &mut ());
/// assert_eq!(unread.err(), Some(CheckError::Unreadable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// The text has neither boards of the puzzle's size nor moves.
    Unreadable,
    /// The options cannot be, or a solution was broken.
    Solve(SolveError),
}

impl From<SolveError> for CheckError {
    fn from(error: SolveError) -> CheckError {
        CheckError::Solve(error)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unreadable => {
                f.write_str("found neither boards of the puzzle's size nor moves nor tile numbers")
            }
            CheckError::Solve(error) => error.fmt(f),
        }
    }
}

impl Error for CheckError {}
