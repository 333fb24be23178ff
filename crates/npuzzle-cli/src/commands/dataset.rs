//! `npuzzle dataset`: tasks for models that reason, one JSON object per line.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use npuzzle::record::TaskRecord;
use npuzzle::teaching::{
    Dataset, DatasetError, DatasetSpec, DatasetTask, PromptTemplate, SplitSpec,
};
use npuzzle::{Dims, Limit, Limits, Tables};

use super::{generate, new_seed};
use crate::args::DatasetArgs;
use crate::exit::{Exit, Failure};
use crate::io::input::Input;
use crate::io::output::Output;
use crate::io::signals;
use crate::messages;
use crate::report::json_line;
use crate::report::progress::SearchProgress;

/// The largest template, in bytes.
const MAX_TEMPLATE: u64 = 1 << 20;

pub(crate) fn run(args: &DatasetArgs) -> Result<Exit, Failure> {
    let template = read_template(&args.template)?;
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut datasets = Vec::new();
    for (index, &size) in args.size.iter().enumerate() {
        args.notation.check(size)?;
        if args.size[..index].contains(&size) {
            return Err(Failure::usage(format!("--size: {size} is listed twice")));
        }
        let spec = DatasetSpec { seed, ..spec(args, size, &template)? };
        let dataset = Dataset::new(spec).map_err(failure)?;
        datasets.push(dataset.with_tables(Tables::with_store(args.cache.store())));
    }
    let n_tasks: u64 = datasets.iter().map(Dataset::n_tasks).fold(0, u64::saturating_add);
    let cancel = signals::cancel()?;
    let mut outputs = TaskOutputs::open(args)?;
    if args.seed.is_none() && !args.quiet.quiet {
        // So that the tasks can be made again.
        messages::note(format!("seed: {seed}"));
    }
    let mut progress = SearchProgress::new(cancel, args.quiet.quiet, n_tasks as usize);
    let result = write_all(datasets, &mut outputs, &mut progress);
    drop(progress);
    outputs.finish(result)
}

fn spec(args: &DatasetArgs, size: Dims, template: &PromptTemplate) -> Result<DatasetSpec, Failure> {
    Ok(DatasetSpec {
        metric: args.metric.metric,
        distances: args.distances.clone(),
        splits: args.split.clone(),
        notation: args.notation.into(),
        template: template.clone(),
        is_up_to_symmetry: args.no_mirrors,
        limits: Limits { time: args.time.time, ..Limits::default() },
        ..DatasetSpec::new(args.goal.board(size)?)
    })
}

/// Returns the built-in template with this name, or the one in this file.
fn read_template(arg: &str) -> Result<PromptTemplate, Failure> {
    if let Some(template) = PromptTemplate::named(arg) {
        return Ok(template);
    }
    let names = PromptTemplate::BUILT_IN.join(", ");
    let file = Input::from_file(Path::new(arg), MAX_TEMPLATE)
        .map_err(|failure| failure.with_suffix(&format!(" (built-in templates: {names})")))?;
    let template = PromptTemplate::new(file.text.trim_end_matches('\n'));
    template.map_err(|error| Failure::usage(format!("{}: {error}", file.source)))
}

fn write_all(
    datasets: Vec<Dataset>,
    outputs: &mut TaskOutputs,
    progress: &mut SearchProgress,
) -> Result<Exit, Failure> {
    let mut n_written = 0;
    for mut dataset in datasets {
        loop {
            progress.begin(n_written + 1);
            match dataset.next_task(progress) {
                Ok(Some(task)) => progress.suspend(|| outputs.write(&task))?,
                Ok(None) => break,
                Err(DatasetError::Limit(Limit::Interrupted)) => return Ok(Exit::Interrupted),
                Err(error) => return Err(failure(error)),
            }
            n_written += 1;
        }
    }
    Ok(Exit::Yes)
}

fn failure(error: DatasetError) -> Failure {
    let exit = match error {
        DatasetError::Generate(error) => return generate::failure(error),
        DatasetError::Limit(limit) => limit.into(),
        DatasetError::TooFew { .. } | DatasetError::Exhausted { .. } => Exit::No,
        _ => Exit::Usage,
    };
    Failure::usage(error).with_exit(exit)
}

/// One output for all splits, or one file for each.
struct TaskOutputs {
    outputs: Vec<BufferedOutput>,
    /// The index of the output of each split.
    by_split: HashMap<String, usize>,
}

struct BufferedOutput {
    output: Output,
    /// Lines that are not written yet.
    lines: Vec<u8>,
}

impl BufferedOutput {
    /// Lines are written together, because a system call takes longer than making an easy task.
    const MAX_BYTES: usize = 1 << 16;

    fn open(path: Option<&Path>) -> Result<BufferedOutput, Failure> {
        Ok(BufferedOutput { output: Output::open(path)?, lines: Vec::new() })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() { Ok(()) } else { self.output.write(&lines) }
    }
}

impl TaskOutputs {
    fn open(args: &DatasetArgs) -> Result<TaskOutputs, Failure> {
        let names = args.split.iter().map(|split: &SplitSpec| split.name().to_owned());
        let Some(folder) = &args.out_dir else {
            let outputs = vec![BufferedOutput::open(args.out.path())?];
            return Ok(TaskOutputs { outputs, by_split: names.map(|name| (name, 0)).collect() });
        };
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        let open =
            |name: &String| BufferedOutput::open(Some(&folder.join(format!("{name}.jsonl"))));
        let by_split: HashMap<String, usize> = names.zip(0..).collect();
        let mut names: Vec<&String> = by_split.keys().collect();
        names.sort_by_key(|name| by_split[*name]);
        let outputs = names.into_iter().map(open).collect::<Result<_, _>>()?;
        Ok(TaskOutputs { outputs, by_split })
    }

    fn write(&mut self, task: &DatasetTask) -> Result<(), Failure> {
        let index = self.by_split.get(&task.split).copied().unwrap_or_default();
        let output = &mut self.outputs[index];
        output.lines.extend(json_line(&TaskRecord::new(task))?.as_bytes());
        if output.lines.len() < BufferedOutput::MAX_BYTES { Ok(()) } else { output.flush() }
    }

    /// Finishes every file. After an interrupt or a failure, the complete tasks stay in `.partial` files.
    fn finish(self, mut result: Result<Exit, Failure>) -> Result<Exit, Failure> {
        for mut output in self.outputs {
            let flushed = output.flush();
            result = output.output.end_batch(flushed.and(result), "tasks");
        }
        result
    }
}
