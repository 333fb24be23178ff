//! Any heuristic that has a name, right or wrong, chosen at run time: for tools that look at
//! heuristics instead of solving with them.

use std::fmt;
use std::str::FromStr;

use npuzzle_core::heuristic::{Max, WalkingDistance};
use npuzzle_core::search::{Cost, Heuristic, Limit, Watch};
use npuzzle_core::{Arrangement, Board, Dims, Instance, Slide, Sliding};
use npuzzle_tables::PdbSet;

use crate::engine::heuristic::{ChosenHeuristic, DynHeuristic, DynMemo};
use crate::engine::result::EngineError;
use crate::limits::Resources;
use crate::options::{HeuristicChoice, HeuristicKind, NameError, Options};
use crate::plan::PlanError;
use crate::tables::cache::Tables;
use crate::teaching::audit::AuditError;
use crate::teaching::buggy_heuristics::{BuggyEstimator, BuggyHeuristic};

/// A heuristic by name, right or wrong.
///
/// ```
/// use npuzzle::teaching::{BuggyHeuristic, NamedHeuristic};
/// assert_eq!("misplaced-with-blank".parse(), Ok(NamedHeuristic::Buggy(BuggyHeuristic::MisplacedWithBlank)));
/// assert_eq!("max(walking,inversion)".parse::<NamedHeuristic>()?.to_string(), "max(walking,inversion)");
/// # Ok::<(), npuzzle::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NamedHeuristic {
    /// One of those that searches use; `auto` means Manhattan distance.
    Sound(HeuristicChoice),
    /// One that is wrong.
    Buggy(BuggyHeuristic),
}

impl NamedHeuristic {
    /// What it says of a board: how many slides are left to the goal, at least if it is sound.
    ///
    /// ```
    /// use npuzzle::teaching::NamedHeuristic;
    /// use npuzzle::Tables;
    /// let manhattan: NamedHeuristic = "manhattan".parse()?;
    /// let estimate = manhattan.estimate(&"8 1 3/4 0 2/7 6 5".parse()?, &mut Tables::new(), &mut ())?;
    /// assert_eq!(estimate, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(
        self,
        instance: &Instance,
        tables: &mut Tables,
        watch: &mut dyn Watch,
    ) -> Result<Cost, AuditError> {
        self.fits(instance.dims()).map_err(AuditError::Plan)?;
        let effort = Options::default().resources();
        let heuristic = self.heuristic(instance.goal(), tables, effort, watch);
        let heuristic = heuristic.map_err(AuditError::Limit)?;
        let memo = Heuristic::<Sliding<Board>>::eval(&heuristic, instance.start());
        Ok(Heuristic::<Sliding<Board>>::value(&heuristic, &memo))
    }

    /// An error if there is no such heuristic for boards of this size.
    pub(crate) fn fits(self, dims: Dims) -> Result<(), PlanError> {
        let names =
            |estimate| matches!(self, NamedHeuristic::Sound(choice) if choice.names(estimate));
        if names(HeuristicKind::Walking) && !WalkingDistance::fits(dims) {
            return Err(PlanError::NoWalking);
        }
        if names(HeuristicKind::Pattern) && dims.cells() > PdbSet::MAX_CELLS {
            return Err(PlanError::NoPatterns);
        }
        Ok(())
    }

    /// The heuristic for a goal that it [fits](NamedHeuristic::fits).
    pub(crate) fn heuristic(
        self,
        goal: &Board,
        tables: &mut Tables,
        effort: Resources,
        watch: &mut dyn Watch,
    ) -> Result<AnySuspect, Limit> {
        let choice = match self {
            NamedHeuristic::Buggy(faulty) => {
                return Ok(AnySuspect::BuggyHeuristic(faulty.heuristic(goal)));
            }
            NamedHeuristic::Sound(choice) => choice,
        };
        let choice = match choice {
            HeuristicChoice::Auto => HeuristicChoice::One(HeuristicKind::Manhattan),
            named => named,
        };
        match ChosenHeuristic::new(choice, goal, tables, &effort, watch) {
            Ok(ChosenHeuristic::One(one)) => Ok(AnySuspect::One(one)),
            Ok(ChosenHeuristic::Max(max)) => Ok(AnySuspect::Larger(max)),
            Err(EngineError::Limit(limit)) => Err(limit),
            Err(EngineError::Internal(reason)) => unreachable!("{reason}"),
        }
    }
}

impl From<HeuristicChoice> for NamedHeuristic {
    fn from(choice: HeuristicChoice) -> NamedHeuristic {
        NamedHeuristic::Sound(choice)
    }
}

impl From<BuggyHeuristic> for NamedHeuristic {
    fn from(faulty: BuggyHeuristic) -> NamedHeuristic {
        NamedHeuristic::Buggy(faulty)
    }
}

/// The name.
impl fmt::Display for NamedHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedHeuristic::Sound(HeuristicChoice::Auto) => HeuristicKind::Manhattan.fmt(f),
            NamedHeuristic::Sound(choice) => choice.fmt(f),
            NamedHeuristic::Buggy(faulty) => faulty.fmt(f),
        }
    }
}

impl FromStr for NamedHeuristic {
    type Err = NameError;

    fn from_str(text: &str) -> Result<NamedHeuristic, NameError> {
        match text.parse() {
            Ok(faulty) => Ok(NamedHeuristic::Buggy(faulty)),
            Err(NameError { .. }) => text.parse().map(NamedHeuristic::Sound),
        }
    }
}

/// The heuristic of a [`NamedHeuristic`] for a goal.
pub(crate) enum AnySuspect {
    One(DynHeuristic),
    Larger(Max<DynHeuristic, DynHeuristic>),
    BuggyHeuristic(BuggyEstimator),
}

#[derive(Clone)]
pub(crate) enum SuspectMemo {
    One(DynMemo),
    Larger((DynMemo, DynMemo)),
    BuggyHeuristic(Cost),
}

impl<A: Arrangement> Heuristic<Sliding<A>> for AnySuspect {
    type Memo = SuspectMemo;

    #[inline]
    fn eval(&self, state: &A) -> SuspectMemo {
        match self {
            AnySuspect::One(h) => SuspectMemo::One(h.eval(state)),
            AnySuspect::Larger(h) => SuspectMemo::Larger(h.eval(state)),
            AnySuspect::BuggyHeuristic(h) => SuspectMemo::BuggyHeuristic(h.eval(state)),
        }
    }

    #[inline]
    fn step(&self, before: &SuspectMemo, after: &A, slide: Slide) -> SuspectMemo {
        match (self, before) {
            (AnySuspect::One(h), SuspectMemo::One(memo)) => {
                SuspectMemo::One(h.step(memo, after, slide))
            }
            (AnySuspect::Larger(h), SuspectMemo::Larger(memo)) => {
                SuspectMemo::Larger(h.step(memo, after, slide))
            }
            _ => self.eval(after),
        }
    }

    #[inline]
    fn value(&self, memo: &SuspectMemo) -> Cost {
        match (self, memo) {
            (AnySuspect::One(h), SuspectMemo::One(memo)) => Heuristic::<Sliding<A>>::value(h, memo),
            (AnySuspect::Larger(h), SuspectMemo::Larger(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (_, SuspectMemo::BuggyHeuristic(value)) => *value,
            (_, SuspectMemo::One(_) | SuspectMemo::Larger(_)) => 0,
        }
    }
}
