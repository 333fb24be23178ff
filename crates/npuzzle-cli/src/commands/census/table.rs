//! A census as text, CSV and JSON.

use npuzzle::teaching::{Census, CensusResult};
use serde_json::json;

use crate::exit::Failure;
use crate::report::json_line;

pub(super) fn text(census: &Census, result: &CensusResult) -> String {
    let (size, goal, metric) = (census.goal().dims(), census.goal().slash(), census.metric());
    let mut text = format!("boards of {size} that reach {goal}, by distance ({metric})\n");
    let width = result.counts.iter().max().map_or(1, |max| max.to_string().len()).max(6);
    text += &format!("depth  {:>width$}\n", "states");
    for (depth, count) in result.counts.iter().enumerate() {
        text += &format!("{depth:>5}  {count:>width$}\n");
    }
    let scope = if result.is_complete { "all of them" } else { "so far" };
    text += &format!("total  {:>width$}  {scope}\n", result.total());
    text += &format!("mean   {:>width$.3}\n", result.mean());
    if !result.antipodes.is_empty() {
        let n_farthest = result.counts.last().copied().unwrap_or_default();
        let n_listed = result.antipodes.len();
        let listed = if n_listed as u64 == n_farthest {
            String::new()
        } else {
            format!(", {n_listed} of {n_farthest}")
        };
        text += &format!("farthest{listed}:\n");
        for board in &result.antipodes {
            text += &format!("{}\n", board.slash());
        }
    }
    text
}

pub(super) fn csv(result: &CensusResult) -> String {
    let rows = result.counts.iter().enumerate();
    rows.fold("depth,states\n".to_owned(), |csv, (depth, count)| {
        csv + &format!("{depth},{count}\n")
    })
}

/// The object that `--json` prints; its names are stable.
pub(super) fn json(census: &Census, result: &CensusResult) -> Result<String, Failure> {
    let dims = census.goal().dims();
    let antipodes: Vec<String> =
        result.antipodes.iter().map(|board| board.slash().to_string()).collect();
    json_line(&json!({
        "schema": 1,
        "rows": dims.rows(),
        "cols": dims.cols(),
        "goal": census.goal().slash().to_string(),
        "metric": census.metric().to_string(),
        "states": result.counts,
        "complete": result.is_complete,
        "total": result.total(),
        "mean": result.mean(),
        "max_depth": result.is_complete.then(|| result.counts.len() - 1),
        "antipodes": antipodes,
        "limit_hit": result.stopped.map(|limit| limit.to_string()),
    }))
}
