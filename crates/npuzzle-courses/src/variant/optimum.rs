//! Cheapest solutions of any problem, and the costs of all its states.

use std::ops::RangeInclusive;

use npuzzle::Limits;
use npuzzle::search::Clock;
use npuzzle_core::heuristic::Zero;
use npuzzle_core::queue::BucketQueue;
use npuzzle_core::search::{
    BestFirst, Budget, Cost, Evaluation, Event, Heuristic, Limit, Outcome, Problem, Settings, Watch,
};
use npuzzle_core::{Random, search};

use super::{VariantError, VariantSpec};

/// The memory that the enumeration of a space may use: several times what boards of nine cells need.
const MAX_BYTES: u64 = 1 << 30;

/// The budget of a search with these limits.
pub(crate) fn budget(limits: Limits) -> Budget {
    Budget { nodes: limits.nodes, bytes: limits.memory, ..Budget::NONE }
}

/// Returns the cost of a cheapest solution; `None` if there is none. The heuristic must be admissible.
pub(crate) fn cheapest<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Option<Cost>, Limit> {
    let settings = Settings { budget: budget(limits), ..Settings::ASTAR };
    let mut clock = Clock::start(limits.time, watch);
    let search = BestFirst::<_, _, BucketQueue<_>>::new(problem, heuristic, settings);
    match search.run(&mut clock, &mut ()).outcome {
        Outcome::Solved(path) => Ok(Some(cost(problem, &path))),
        Outcome::Unsolvable => Ok(None),
        Outcome::Stopped { limit, .. } => Err(limit),
    }
}

/// Returns the cost of a path from the start.
pub(crate) fn cost<P: Problem>(problem: &P, path: &[P::Action]) -> Cost {
    let mut state = problem.start();
    let mut step = |&action: &P::Action| {
        problem.apply(&mut state, action);
        problem.cost(&state, action)
    };
    path.iter().map(&mut step).sum()
}

/// A problem whose start is never a goal, so that a search enumerates all states.
struct Exhaustive<'a, P>(&'a P);

impl<P: Problem> Problem for Exhaustive<'_, P> {
    type State = P::State;
    type Action = P::Action;

    fn start(&self) -> P::State {
        self.0.start()
    }

    fn is_goal(&self, _: &P::State) -> bool {
        false
    }

    fn actions(&self, state: &P::State) -> impl Iterator<Item = P::Action> {
        self.0.actions(state)
    }

    fn apply(&self, state: &mut P::State, action: P::Action) {
        self.0.apply(state, action);
    }

    fn inverse(&self, action: P::Action) -> P::Action {
        self.0.inverse(action)
    }

    fn cost(&self, after: &P::State, action: P::Action) -> Cost {
        self.0.cost(after, action)
    }

    fn state_bytes(&self) -> usize {
        self.0.state_bytes()
    }
}

/// Selects a state whose cost from the start is in the range of the specification, each with the same
/// probability. The start of the problem is the goal of the puzzle: actions can be undone at the same
/// cost.
pub(crate) fn random_state<P: Problem>(
    from_goal: &P,
    spec: &VariantSpec,
    random: &mut Random,
    watch: &mut dyn Watch,
) -> Result<(P::State, Cost), VariantError> {
    let states = all_costs(from_goal, watch).map_err(VariantError::Limit)?;
    let max = states.iter().map(|(_, cost)| *cost).max().unwrap_or_default();
    let range = spec.cost.clone().unwrap_or(0..=Cost::MAX);
    let mut states: Vec<_> = states.into_iter().filter(|(_, cost)| range.contains(cost)).collect();
    if states.is_empty() {
        return Err(VariantError::NoPuzzle(no_such_cost(&range, max)));
    }
    Ok(states.swap_remove(random.below(states.len() as u64) as usize))
}

fn no_such_cost(range: &RangeInclusive<Cost>, max: Cost) -> String {
    let (from, to) = (range.start(), range.end());
    let wanted = if from == to { from.to_string() } else { format!("{from}..{to}") };
    format!("no board of this course has a solution of {wanted}: the largest is {max}")
}

/// The states that can be reached from the start, with their costs.
fn all_costs<P: Problem>(
    problem: &P,
    watch: &mut dyn Watch,
) -> Result<Vec<(P::State, Cost)>, Limit> {
    let problem = Exhaustive(problem);
    let budget = Budget { bytes: Some(MAX_BYTES), ..Budget::NONE };
    let settings = Settings { evaluation: Evaluation::Uniform, budget, ..Settings::ASTAR };
    let mut states: Vec<(P::State, Cost)> = Vec::new();
    let mut last_g = None;
    let mut observer = |event: Event<'_, Exhaustive<'_, P>>| match event {
        Event::Pop(node) => {
            last_g = Some(node.g);
            states.push((node.state.clone(), node.g));
        }
        // The node that has just been removed, and not one of its children, which cost more or the same.
        Event::Duplicate(node)
            if last_g == Some(node.g) && states.last().is_some_and(|(s, _)| s == node.state) =>
        {
            states.pop();
            last_g = None;
        }
        _ => {}
    };
    let search = BestFirst::<_, _, BucketQueue<_>>::new(&problem, &Zero, settings);
    let mut watch = watch;
    match search.run(&mut watch, &mut observer).outcome {
        search::Outcome::Stopped { limit, .. } => Err(limit),
        _ => Ok(states),
    }
}
