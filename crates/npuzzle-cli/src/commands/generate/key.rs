//! The answer key.

use npuzzle::{Answer, Instance, Report};

use crate::exit::Failure;

/// The answers, one line of CSV per board.
pub(super) struct AnswerKey {
    csv: csv::Writer<Vec<u8>>,
    /// Boards that were not solved within the limits.
    pub(super) n_unsolved: usize,
}

impl AnswerKey {
    pub(super) fn new() -> Result<AnswerKey, Failure> {
        let mut key = AnswerKey { csv: csv::Writer::from_writer(Vec::new()), n_unsolved: 0 };
        key.write([
            "number",
            "id",
            "start",
            "goal",
            "optimal",
            "moves_stm",
            "moves_mtm",
            "solution",
        ])?;
        Ok(key)
    }

    pub(super) fn add(
        &mut self,
        number: usize,
        id: &str,
        instance: &Instance,
        report: &Report,
    ) -> Result<(), Failure> {
        self.n_unsolved += usize::from(matches!(report.answer, Answer::Stopped(_)));
        let [stm, mtm, moves] = match report.moves() {
            Some(moves) => [moves.stm().to_string(), moves.mtm().to_string(), moves.to_string()],
            None => Default::default(),
        };
        let [start, goal] = [instance.start(), instance.goal()].map(|b| b.slash().to_string());
        // Solutions are optimal or not; an unsolvable board has none.
        let optimal = report.moves().map(|_| report.is_optimal().to_string()).unwrap_or_default();
        let number = number.to_string();
        self.write([&number, &neutral(id), &start, &goal, &optimal, &stm, &mtm, &moves])
    }

    fn write(&mut self, fields: [&str; 8]) -> Result<(), Failure> {
        self.csv.write_record(fields).map_err(|error| Failure::io("CSV", &error))
    }

    /// The text of the file.
    pub(super) fn into_csv(self) -> Result<Vec<u8>, Failure> {
        self.csv.into_inner().map_err(|error| Failure::io("CSV", &error))
    }
}

/// A name as a field that spreadsheets do not run as a formula: they do so if it begins with one of these
/// characters, and a quote before them is not shown.
fn neutral(id: &str) -> String {
    match id.starts_with(['=', '+', '-', '@']) {
        true => format!("'{id}"),
        false => id.to_owned(),
    }
}
