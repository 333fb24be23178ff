//! Execution of a plan: the one place that maps an engine to the code that runs it.

use crate::anytime::{self, AnytimeEngine};
use crate::engine::ida::journal::Journal;
use crate::engine::result::{EngineError, EngineResult, InternalError};
use crate::engine::solve_context::SolveContext;
use crate::engine::textbook::{ForwardSearch, Textbook, TextbookSearch};
use crate::engine::{full_table, mtm, pdb};
use crate::options::{HeuristicChoice, HeuristicKind, ResolvedHeuristic};
use crate::plan::{Engine, Plan};

/// Executes a plan on a solvable board. A limit that is reached before the search begins is a result, too.
pub(crate) fn execute(
    plan: &Plan,
    journal: Option<&mut Journal>,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, InternalError> {
    match run_engine(plan, journal, context) {
        Ok(result) => Ok(result),
        Err(EngineError::Limit(limit)) => {
            Ok(EngineResult::stopped(context.instance, plan.metric, limit))
        }
        Err(EngineError::Internal(error)) => Err(error),
    }
}

fn run_engine(
    plan: &Plan,
    journal: Option<&mut Journal>,
    context: &mut SolveContext<'_, '_>,
) -> Result<EngineResult, EngineError> {
    let budget = plan.budget(context.instance.dims(), context.options);
    let order = context.options.order.unwrap_or_default();
    let textbook =
        |search, heuristic| Textbook { search, heuristic, metric: plan.metric, order, budget };
    let resolved = |heuristic: HeuristicChoice| {
        heuristic.resolved().ok_or(InternalError("a plan does not name its heuristic"))
    };
    match plan.engine {
        Engine::Ida(heuristic) => {
            textbook(ForwardSearch::Ida.into(), resolved(heuristic)?).solve(context)
        }
        Engine::BestFirst(evaluation, heuristic) => {
            let search = ForwardSearch::BestFirst(evaluation).into();
            textbook(search, resolved(heuristic)?).solve(context)
        }
        Engine::HashDistributedAstar { heuristic, n_threads } => {
            let search = TextbookSearch::HashDistributed { n_threads };
            textbook(search, resolved(heuristic)?).solve(context)
        }
        Engine::BreadthFirst => {
            let zero = ResolvedHeuristic::One(HeuristicKind::Zero);
            textbook(ForwardSearch::BreadthFirst.into(), zero).solve(context)
        }
        Engine::Bidirectional(heuristic) => {
            textbook(TextbookSearch::Bidirectional, resolved(heuristic)?).solve(context)
        }
        Engine::Table => Ok(full_table::solve(plan.metric, context)?),
        Engine::PdbIda => pdb::solve(context.options.resources(), journal, context),
        Engine::MtmIda { n_classes } => mtm::solve(n_classes, context),
        Engine::Beam { proof } => Ok(anytime::solve(AnytimeEngine::Beam { proof }, context)),
        Engine::Construct => Ok(anytime::solve(AnytimeEngine::Constructive, context)),
    }
}
