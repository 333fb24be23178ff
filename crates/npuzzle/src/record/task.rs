//! The record of `npuzzle dataset`.

use serde::Serialize;

use super::SCHEMA;
use crate::teaching::dataset::DatasetTask;

/// A task of a dataset. `docs/json.md` describes the fields.
///
/// ```
/// use npuzzle::record::TaskRecord;
/// use npuzzle::teaching::{Dataset, DatasetSpec};
/// let splits = vec!["test=1@2..2".parse()?];
/// let spec = DatasetSpec { splits, ..DatasetSpec::new("1 2/3 0".parse()?) };
/// let task = Dataset::new(spec)?.next_task(&mut ())?.expect("there is one task");
/// let record = TaskRecord::new(&task);
/// assert_eq!((record.id.as_str(), record.distance, record.solution.len()), ("2x2-test-2-1", 2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Clone, Debug)]
#[non_exhaustive]
pub struct TaskRecord {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The size, the split, the distance and a number; unique in the dataset.
    pub id: String,
    /// The name of the split.
    pub split: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The board in slash form.
    pub board: String,
    /// The goal in slash form.
    pub goal: String,
    /// `stm` or `mtm`: the unit of the distance.
    pub metric: String,
    /// The length of a shortest solution.
    pub distance: u32,
    /// The notation of the moves: `tile`, `blank`, `numbers` or `boards`.
    pub notation: String,
    /// Every first move of a shortest solution.
    pub first_moves: Vec<String>,
    /// A shortest solution.
    pub solution: String,
    /// The text for the model.
    pub prompt: String,
    /// The seed of the dataset.
    pub seed: u64,
}

impl TaskRecord {
    /// Returns the record of a task.
    pub fn new(task: &DatasetTask) -> TaskRecord {
        let start = task.puzzle.start();
        // The moves are legal, so they can be written.
        let write =
            |moves: &npuzzle_core::Moves| moves.write(task.notation, start).unwrap_or_default();
        TaskRecord {
            schema: SCHEMA,
            id: task.id.clone(),
            split: task.split.clone(),
            rows: task.puzzle.dims().rows(),
            cols: task.puzzle.dims().cols(),
            board: start.slash().to_string(),
            goal: task.puzzle.goal().slash().to_string(),
            metric: task.metric.to_string(),
            distance: task.distance,
            notation: task.notation.to_string(),
            first_moves: task.first_moves.iter().map(write).collect(),
            solution: write(&task.solution),
            prompt: task.prompt.clone(),
            seed: task.seed,
        }
    }
}
