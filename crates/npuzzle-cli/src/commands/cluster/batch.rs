//! `npuzzle cluster batch`.

use std::num::NonZeroUsize;

use npuzzle::{Instance, Notation, Options, format};
use npuzzle_cluster::{Batch, BatchBoard, Member, batch};
use serde::Deserialize;

use super::{failure, open_output, remove_work, share_progress};
use crate::args::{BoardArgs, ClusterBatchArgs, ProcessArgs};
use crate::exit::{Exit, Failure};
use crate::io::input::Input;

pub(super) fn run(
    member: &Member,
    processes: &ProcessArgs,
    args: &ClusterBatchArgs,
) -> Result<Exit, Failure> {
    let boards = read_boards(&args.inputs, &args.board)?;
    let file = args.work.folder.join("answers");
    let output = open_output(member, args.out.path())?;
    let job = Batch {
        boards,
        options: Options {
            metric: args.metric.metric,
            tables: args.tables.tables.unwrap_or_default(),
            threads: NonZeroUsize::new(1),
            limits: args.limits.get(),
            ..Options::default()
        },
        notation: Notation::Tile,
        threads: processes.threads.count(),
        store: args.cache.store(),
        file: file.clone(),
    };
    let (about, mut watch) = (job.about(), share_progress(member, processes, "boards answered"));
    let answers = member.run(&about, move |exchange| batch(exchange, &job, &mut *watch));
    let (Some(answers), Some(mut output)) = (answers.map_err(failure)?, output) else {
        return Ok(Exit::Yes);
    };
    let mut exit = Exit::Yes;
    for answer in answers {
        exit = exit.worse(exit_of(&answer));
        output.write((answer + "\n").as_bytes())?;
    }
    output.finish()?;
    remove_work(&file, &args.work);
    Ok(exit)
}

/// The boards of the arguments, in the same order in every process.
pub(super) fn read_boards(inputs: &[String], args: &BoardArgs) -> Result<Vec<BatchBoard>, Failure> {
    let mut boards = Vec::new();
    for arg in inputs {
        let input = Input::from_arg(arg)?;
        for entry in format::read(&input.text, args.format) {
            let source = input.source.clone();
            boards.push(match entry {
                Ok(entry) => {
                    let instance = Instance::new(entry.board, &args.goal_or(entry.goal));
                    let board = instance.map_err(|error| error.to_string());
                    BatchBoard { board, source, line: entry.line }
                }
                Err(error) => {
                    BatchBoard { board: Err(error.to_string()), source, line: error.line() }
                }
            });
        }
    }
    Ok(boards)
}

/// The exit code of a board's record.
fn exit_of(answer: &str) -> Exit {
    #[derive(Deserialize)]
    struct AnswerStatus {
        status: String,
    }
    match serde_json::from_str::<AnswerStatus>(answer).as_ref().map(|answer| answer.status.as_str())
    {
        Ok("solved") => Exit::Yes,
        Ok("unsolvable") => Exit::No,
        Ok("limit") => Exit::Limit,
        _ => Exit::Usage,
    }
}
