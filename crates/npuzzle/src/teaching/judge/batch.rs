//! Judges many answers on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;

use npuzzle_core::search::{Limit, Stats, Watch};
use npuzzle_core::{Board, Instance, Metric};
use npuzzle_tables::parallel::{StopFlag, for_each_job, n_threads};

use super::{Judge, JudgeRules, Judgment};
use crate::tables::cache::Tables;

/// An answer to be judged.
///
/// ```
/// use npuzzle::teaching::{Judge, JudgeRules, JudgeTask};
/// let puzzle = "1 2/0 3".parse()?;
/// let task = JudgeTask { rules: JudgeRules::default(), puzzle: &puzzle, text: "Answer: left" };
/// assert_eq!(Judge::default().judge(&task.rules, task.puzzle, task.text, &mut ()).score, 1.0);
/// # Ok::<(), npuzzle::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JudgeTask<'a> {
    /// The rules of the task.
    pub rules: JudgeRules,
    /// The board with its goal.
    pub puzzle: &'a Instance,
    /// The answer.
    pub text: &'a str,
}

/// The number of answers that a thread takes at once. Neighbors often answer the same task, so that distances that were
/// searched for are found again.
const CHUNK: usize = 64;

/// Judges answers on several threads, by default on all cores, and appends the judgments in order. `max_nodes` is the
/// node limit of a search, as for [`Judge::new`]. `tables` receives the tables that are built.
///
/// # Errors
///
/// `watch`, which is polled on the calling thread, stopped the batch. Nothing is appended.
///
/// ```
/// use npuzzle::teaching::{JudgeRules, JudgeTask, judge_many};
/// use npuzzle::Tables;
/// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
/// let task = |text| JudgeTask { rules: JudgeRules::default(), puzzle: &puzzle, text };
/// let tasks = [task("L U"), task("U"), task("?")];
/// let mut judgments = Vec::new();
/// let ended = judge_many(&tasks, 1_000, None, &mut Tables::new(), &mut (), &mut judgments);
/// assert_eq!(ended, Ok(()));
/// assert_eq!(judgments.iter().map(|j| j.score).collect::<Vec<_>>(), [1.0, 0.0, 0.0]);
/// # Ok::<(), npuzzle::FormatError>(())
/// ```
pub fn judge_many(
    tasks: &[JudgeTask<'_>],
    max_nodes: u64,
    threads: Option<NonZeroUsize>,
    tables: &mut Tables,
    watch: &mut dyn Watch,
    judgments: &mut Vec<Judgment>,
) -> Result<(), Limit> {
    let mut judge = Judge::new(std::mem::take(tables), max_nodes);
    build_tables(tasks, &mut judge, watch);
    let mut slots: Vec<Option<Judgment>> = tasks.iter().map(|_| None).collect();
    let chunks: Vec<_> = tasks.chunks(CHUNK).zip(slots.chunks_mut(CHUNK)).collect();
    let n_threads = n_threads(threads).clamp(1, chunks.len().max(1));
    // A judge keeps distances, so each thread continues with the one that it used last.
    let judges = Mutex::new(vec![judge.clone(); n_threads]);
    let take = || judges.lock().ok()?.pop();
    let ended = for_each_job(
        n_threads,
        chunks.into_iter(),
        || watch.poll(&Stats::default()),
        |(tasks, slots), stop| {
            let mut judge = take().unwrap_or_default();
            for (task, slot) in tasks.iter().zip(slots) {
                if stop.is_set() {
                    break;
                }
                let watch = &mut StopWatch { stop };
                *slot = Some(judge.judge(&task.rules, task.puzzle, task.text, watch));
            }
            if let Ok(mut judges) = judges.lock() {
                judges.push(judge);
            }
        },
    );
    *tables = judge.into_tables();
    ended?;
    judgments.extend(slots.into_iter().flatten());
    Ok(())
}

/// Builds the tables of the first answers before the threads start, so that they are built once.
fn build_tables(tasks: &[JudgeTask<'_>], judge: &mut Judge, watch: &mut dyn Watch) {
    let mut known: Vec<(&Board, Metric)> = Vec::new();
    for task in tasks {
        let key = (task.puzzle.goal(), task.rules.metric);
        if !known.contains(&key) && known.len() < MAX_GOALS {
            known.push(key);
            judge.judge(&task.rules, task.puzzle, "<answer></answer>", watch);
        }
    }
}

/// The maximum number of goals and metrics whose tables are shared.
const MAX_GOALS: usize = 8;

/// Stops the search of a worker when the batch stops.
struct StopWatch<'a, 'b> {
    stop: &'a StopFlag<'b>,
}

impl Watch for StopWatch<'_, '_> {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        if self.stop.is_set() {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}
