//! Execution of a plan: the one place that maps an engine to the code that runs it.

use npuzzle_core::Instance;
use npuzzle_core::search::Evaluation;

use crate::anytime::{self, AnytimeEngine};
use crate::engine::ida::journal::Journal;
use crate::engine::result::{EngineError, EngineResult};
use crate::engine::textbook::{Textbook, TextbookSearch};
use crate::engine::{full_table, mtm, pdb};
use crate::limits::Clock;
use crate::options::{Algorithm, HeuristicChoice, Options};
use crate::plan::{Engine, Plan};
use crate::tables::cache::Tables;

/// Runs the engine of a plan on a solvable board.
pub(crate) fn execute(
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
    let result = match plan.engine {
        Engine::Ida(heuristic) => textbook(TextbookSearch::Ida, heuristic),
        Engine::BestFirst(Evaluation::Uniform, heuristic) if plan.algorithm == Algorithm::Bfs => {
            textbook(TextbookSearch::BreadthFirst, heuristic)
        }
        Engine::BestFirst(evaluation, heuristic) => {
            textbook(TextbookSearch::BestFirst(evaluation), heuristic)
        }
        Engine::Bidirectional(heuristic) => textbook(TextbookSearch::Bidirectional, heuristic),
        Engine::Table(metric) => {
            full_table::solve(instance, metric, options, tables, clock).map_err(EngineError::from)
        }
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
    };
    match result {
        Err(EngineError::Limit(limit)) => Ok(EngineResult::stopped(instance, plan.metric, limit)),
        other => other,
    }
}
