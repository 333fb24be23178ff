//! Execution of a plan: the one place that maps an engine to the code that runs it.

use npuzzle_core::Instance;

use crate::anytime::{self, AnytimeEngine};
use crate::engine::ida::journal::Journal;
use crate::engine::result::{EngineError, EngineResult, InternalError};
use crate::engine::textbook::{Textbook, TextbookSearch};
use crate::engine::{full_table, mtm, pdb};
use crate::limits::Clock;
use crate::options::{HeuristicChoice, HeuristicKind, Options};
use crate::plan::{Engine, Plan};
use crate::tables::cache::Tables;

/// Executes a plan on a solvable board. A limit that is reached before the search begins is a result, too.
pub(crate) fn execute(
    plan: &Plan,
    instance: &Instance,
    options: &Options,
    tables: &mut Tables,
    journal: Option<&mut Journal>,
    clock: &mut Clock<'_>,
) -> Result<EngineResult, InternalError> {
    match run_engine(plan, instance, options, tables, journal, clock) {
        Ok(result) => Ok(result),
        Err(EngineError::Limit(limit)) => Ok(EngineResult::stopped(instance, plan.metric, limit)),
        Err(EngineError::Internal(error)) => Err(error),
    }
}

fn run_engine(
    plan: &Plan,
    instance: &Instance,
    options: &Options,
    tables: &mut Tables,
    journal: Option<&mut Journal>,
    clock: &mut Clock<'_>,
) -> Result<EngineResult, EngineError> {
    let mut textbook = |search, heuristic: HeuristicChoice| {
        let budget = plan.budget(instance.dims(), options);
        let textbook = Textbook { search, heuristic, metric: plan.metric, budget };
        textbook.solve(instance, &options.resources(), tables, clock)
    };
    match plan.engine {
        Engine::Ida(heuristic) => textbook(TextbookSearch::Ida, heuristic),
        Engine::BestFirst(evaluation, heuristic) => {
            textbook(TextbookSearch::BestFirst(evaluation), heuristic)
        }
        Engine::BreadthFirst => textbook(TextbookSearch::BreadthFirst, HeuristicKind::Zero.into()),
        Engine::Bidirectional(heuristic) => textbook(TextbookSearch::Bidirectional, heuristic),
        Engine::Table(metric) => Ok(full_table::solve(instance, metric, options, tables, clock)?),
        Engine::PdbIda => {
            pdb::solve(instance, options, options.resources(), tables, journal, clock)
        }
        Engine::MtmIda { n_classes } => {
            mtm::solve(instance, n_classes, options, options.resources(), tables, clock)
        }
        Engine::Beam => Ok(anytime::solve(instance, AnytimeEngine::Beam, options, tables, clock)),
        Engine::Construct => {
            Ok(anytime::solve(instance, AnytimeEngine::Constructive, options, tables, clock))
        }
    }
}
