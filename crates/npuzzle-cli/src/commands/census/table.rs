//! A census as text, CSV and JSON.

use npuzzle::teaching::{Census, CensusResult};
use serde::Serialize;

use crate::exit::Failure;

pub(crate) fn text(taker: &Census, census: &CensusResult) -> String {
    let (size, goal, metric) = (taker.goal().dims(), taker.goal().slash(), taker.metric());
    let mut text = format!("boards of {size} that reach {goal}, by their distance ({metric})\n");
    let width = census.counts.iter().max().map_or(1, |most| most.to_string().len()).max(6);
    text += &format!("depth  {:>width$}\n", "states");
    for (depth, count) in census.counts.iter().enumerate() {
        text += &format!("{depth:>5}  {count:>width$}\n");
    }
    let scope = if census.is_complete { "all of them" } else { "so far" };
    text += &format!("total  {:>width$}  {scope}\n", census.total());
    text += &format!("mean   {:>width$.3}\n", census.mean());
    if !census.antipodes.is_empty() {
        let n_last = census.counts.last().copied().unwrap_or_default();
        let n_listed = census.antipodes.len();
        let listed = if n_listed as u64 == n_last {
            String::new()
        } else {
            format!(", {n_listed} of {n_last}")
        };
        text += &format!("farthest{listed}:\n");
        for board in &census.antipodes {
            text += &format!("{}\n", board.slash());
        }
    }
    text
}

pub(crate) fn csv(census: &CensusResult) -> String {
    let rows = census.counts.iter().enumerate();
    rows.fold("depth,states\n".to_owned(), |csv, (depth, count)| {
        csv + &format!("{depth},{count}\n")
    })
}

/// What `--json` prints; names are stable.
#[derive(Serialize)]
struct Record<'a> {
    schema: u32,
    rows: usize,
    cols: usize,
    goal: String,
    metric: String,
    states: &'a [u64],
    complete: bool,
    total: u64,
    mean: f64,
    max_depth: Option<usize>,
    antipodes: Vec<String>,
    limit_hit: Option<String>,
}

pub(crate) fn json(taker: &Census, census: &CensusResult) -> Result<String, Failure> {
    let dims = taker.goal().dims();
    let record = Record {
        schema: 1,
        rows: dims.rows(),
        cols: dims.cols(),
        goal: taker.goal().slash().to_string(),
        metric: taker.metric().to_string(),
        states: &census.counts,
        complete: census.is_complete,
        total: census.total(),
        mean: census.mean(),
        max_depth: census.is_complete.then(|| census.counts.len() - 1),
        antipodes: census.antipodes.iter().map(|board| board.slash().to_string()).collect(),
        limit_hit: census.stopped.map(|limit| limit.to_string()),
    };
    let line = serde_json::to_string(&record).map_err(|error| Failure::io("json", &error))?;
    Ok(line + "\n")
}
