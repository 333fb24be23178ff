//! A heuristic chosen by name at run time, correct or deliberately wrong.
//!
//! The tools that examine heuristics (audit, trace) take one of these. The solver takes only a
//! [`HeuristicChoice`].

use std::fmt;
use std::str::FromStr;

use npuzzle_core::heuristic::Max;
use npuzzle_core::search::{Cost, Heuristic, Watch};
use npuzzle_core::{Arrangement, Board, Instance, NameError, Slide, Sliding};

use crate::engine::heuristic::{ChosenHeuristic, DynHeuristic, DynMemo};
use crate::engine::result::{EngineError, InternalError};
use crate::limits::Resources;
use crate::options::{HeuristicChoice, HeuristicKind, Options, ResolvedHeuristic};
use crate::plan::check_heuristic_size;
use crate::tables::cache::Tables;
use crate::teaching::buggy_heuristics::{BuggyEstimator, BuggyHeuristic};
use crate::teaching::heuristic_error::HeuristicError;

/// The heuristic that `auto` stands for.
const DEFAULT: HeuristicKind = HeuristicKind::Manhattan;

/// The name of a heuristic, correct or deliberately wrong.
///
/// ```
/// use npuzzle::teaching::{BuggyHeuristic, NamedHeuristic};
/// assert_eq!("misplaced-with-blank".parse(), Ok(NamedHeuristic::Buggy(BuggyHeuristic::MisplacedWithBlank)));
/// assert_eq!("max(walking,inversion)".parse::<NamedHeuristic>()?.to_string(), "max(walking,inversion)");
/// # Ok::<(), npuzzle::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NamedHeuristic {
    /// An admissible heuristic that the solver uses; `auto` stands for Manhattan distance.
    Sound(HeuristicChoice),
    /// A heuristic that overestimates.
    Buggy(BuggyHeuristic),
}

impl NamedHeuristic {
    /// Returns the estimate for the start of a puzzle, in slides. It is a lower bound on the distance
    /// to the goal if the heuristic is [sound](NamedHeuristic::Sound).
    ///
    /// `tables` receives the pattern databases that the heuristic needs. `watch` can interrupt their
    /// construction.
    ///
    /// # Errors
    ///
    /// The heuristic is not available for boards of this size, or `watch` stopped its construction.
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
    ) -> Result<Cost, HeuristicError> {
        let resources = Options::default().resources();
        let heuristic = self.build(instance.goal(), tables, resources, watch)?;
        let memo = Heuristic::<Sliding<Board>>::eval(&heuristic, instance.start());
        Ok(Heuristic::<Sliding<Board>>::value(&heuristic, &memo))
    }

    /// Builds the heuristic for a goal.
    pub(crate) fn build(
        self,
        goal: &Board,
        tables: &mut Tables,
        resources: Resources,
        watch: &mut dyn Watch,
    ) -> Result<NamedEstimator, HeuristicError> {
        let choice = match self {
            NamedHeuristic::Buggy(buggy) => {
                return Ok(NamedEstimator::Buggy(buggy.heuristic(goal)));
            }
            NamedHeuristic::Sound(choice) => choice,
        };
        check_heuristic_size(choice, goal.dims()).map_err(HeuristicError::Plan)?;
        let heuristic = choice.resolved().unwrap_or(ResolvedHeuristic::One(DEFAULT));
        match ChosenHeuristic::new(heuristic, goal, tables, &resources, watch) {
            Ok(ChosenHeuristic::One(one)) => Ok(NamedEstimator::Single(one)),
            Ok(ChosenHeuristic::Max(max)) => Ok(NamedEstimator::Max(max)),
            Err(EngineError::Limit(limit)) => Err(HeuristicError::Limit(limit)),
            Err(EngineError::Internal(InternalError(reason))) => {
                Err(HeuristicError::Internal { reason })
            }
        }
    }
}

impl From<HeuristicChoice> for NamedHeuristic {
    fn from(choice: HeuristicChoice) -> NamedHeuristic {
        NamedHeuristic::Sound(choice)
    }
}

impl From<BuggyHeuristic> for NamedHeuristic {
    fn from(buggy: BuggyHeuristic) -> NamedHeuristic {
        NamedHeuristic::Buggy(buggy)
    }
}

/// The name that [`str::parse`] accepts.
impl fmt::Display for NamedHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedHeuristic::Sound(HeuristicChoice::Auto) => DEFAULT.fmt(f),
            NamedHeuristic::Sound(choice) => choice.fmt(f),
            NamedHeuristic::Buggy(buggy) => buggy.fmt(f),
        }
    }
}

/// The names in addition to those of [`HeuristicKind`].
const OTHERS: &str =
    ", max(a,b), misplaced-with-blank, manhattan-with-blank, linear-conflict-pairs";

impl FromStr for NamedHeuristic {
    type Err = NameError;

    fn from_str(text: &str) -> Result<NamedHeuristic, NameError> {
        match text.parse() {
            Ok(buggy) => Ok(NamedHeuristic::Buggy(buggy)),
            Err(NameError { .. }) if text.starts_with("max(") => {
                text.parse().map(NamedHeuristic::Sound)
            }
            // Without `auto`: the solver's choice is not a heuristic to examine.
            Err(NameError { .. }) => match text.parse::<HeuristicKind>() {
                Ok(kind) => Ok(NamedHeuristic::Sound(HeuristicChoice::One(kind))),
                Err(error) => Err(error.with_others(OTHERS)),
            },
        }
    }
}

/// The heuristic of a [`NamedHeuristic`] for a goal.
pub(crate) enum NamedEstimator {
    Single(DynHeuristic),
    Max(Max<DynHeuristic, DynHeuristic>),
    Buggy(BuggyEstimator),
}

/// The memo of a [`NamedEstimator`], of the same variant.
#[derive(Clone)]
pub(crate) enum NamedMemo {
    Single(DynMemo),
    Max((DynMemo, DynMemo)),
    Buggy(Cost),
}

impl<A: Arrangement> Heuristic<Sliding<A>> for NamedEstimator {
    type Memo = NamedMemo;

    #[inline]
    fn eval(&self, state: &A) -> NamedMemo {
        match self {
            NamedEstimator::Single(h) => NamedMemo::Single(h.eval(state)),
            NamedEstimator::Max(h) => NamedMemo::Max(h.eval(state)),
            NamedEstimator::Buggy(h) => NamedMemo::Buggy(h.eval(state)),
        }
    }

    #[inline]
    fn step(&self, before: &NamedMemo, after: &A, slide: Slide) -> NamedMemo {
        match (self, before) {
            (NamedEstimator::Single(h), NamedMemo::Single(memo)) => {
                NamedMemo::Single(h.step(memo, after, slide))
            }
            (NamedEstimator::Max(h), NamedMemo::Max(memo)) => {
                NamedMemo::Max(h.step(memo, after, slide))
            }
            _ => self.eval(after),
        }
    }

    #[inline]
    fn value(&self, memo: &NamedMemo) -> Cost {
        match (self, memo) {
            (NamedEstimator::Single(h), NamedMemo::Single(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (NamedEstimator::Max(h), NamedMemo::Max(memo)) => {
                Heuristic::<Sliding<A>>::value(h, memo)
            }
            (_, NamedMemo::Buggy(value)) => *value,
            (_, NamedMemo::Single(_) | NamedMemo::Max(_)) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_error_lists_exactly_the_accepted_names() {
        let error = "auto".parse::<NamedHeuristic>().unwrap_err().to_string();
        let (_, names) = error.split_once("expected one of ").unwrap();
        let names: Vec<&str> = names.split(", ").filter(|name| *name != "max(a,b)").collect();
        assert!(names.iter().all(|name| name.parse::<NamedHeuristic>().is_ok()), "{error}");
        assert_eq!(names.len(), HeuristicKind::ALL.len() + BuggyHeuristic::ALL.len());
    }
}
