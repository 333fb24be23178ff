//! A beam search followed by a proof: iterative deepening, in the time that the beam search leaves.

use npuzzle_core::search::{Cost, Limit, Outcome, Watch};

use crate::dispatch;
use crate::engine::result::{EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::limits::Clock;
use crate::options::{Limits, Options};
use crate::plan::Plan;

/// Executes the plan of a beam search and then the proof, both within the time of the effort.
pub(super) fn execute(
    plan: &Plan,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, InternalError> {
    let SolveContext { instance, options, tables, clock, .. } = context;
    let time = options.effort.unwrap_or_default().time(clock.time_left());
    let mut clock = Clock::start(time, *clock);
    let mut context =
        SolveContext { instance, options, tables, clock: &mut clock, upper_bound: None };
    let mut result = dispatch::execute(plan, None, &mut context)?;
    if let Outcome::Solved(path) = &result.outcome
        && Some(path.len() as Cost) > result.lower_bound
    {
        let length = path.len() as Cost;
        prove(&mut result, length, &mut context)?;
    }
    Ok(result)
}

/// Searches below the length of the solution until it is proved shortest, a shorter one is found, or a limit
/// is reached.
fn prove(
    result: &mut EngineResult,
    length: Cost,
    context: &mut SolveContext<'_, '_>,
) -> Result<(), InternalError> {
    let SolveContext { instance, options, tables, clock, .. } = context;
    let nodes = options.limits.nodes.map(|max| max.saturating_sub(result.stats.expanded));
    let limits = Limits { nodes, ..options.limits };
    let options = &Options { bound: Some(length), limits, ..(*options).clone() };
    // The solver's clock reports the completed rounds; the one in which the proof ends stays with this clock.
    let mut proof_clock = Clock::start(clock.time_left(), *clock);
    let clock_of_proof = &mut proof_clock;
    let mut context =
        SolveContext { instance, options, tables, clock: clock_of_proof, upper_bound: None };
    let plan = Plan::pdb_ida("the proof of a solution");
    let proof = dispatch::execute(&plan, None, &mut context)?;
    result.stats.expanded += proof.stats.expanded;
    result.stats.generated += proof.stats.generated;
    result.tables = proof.tables;
    result.tables_reason = proof.tables_reason;
    result.lower_bound = result.lower_bound.max(proof.lower_bound);
    match proof.outcome {
        Outcome::Solved(shortest) => {
            let length = shortest.len() as Cost;
            clock.improved(length, length);
            result.outcome = Outcome::Solved(shortest);
        }
        Outcome::Stopped { limit: Limit::Interrupted, .. } => result.interrupt(),
        Outcome::Stopped { .. } | Outcome::Unsolvable => {}
    }
    Ok(())
}
