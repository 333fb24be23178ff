//! From the result of an answer to a number between 0 and 1.

use super::judgment::{AnswerStatus, Judgment};

npuzzle_core::named_enum! {
    "a scoring"
    /// How the result of an answer becomes a number between 0 and 1.
    ///
    /// Let `D` be the length of a shortest solution, `n` the length of the answer, and `E` the distance to the goal
    /// after its legal moves. Graded scores are:
    ///
    /// | answer | score |
    /// |---|---|
    /// | a shortest solution | 1 |
    /// | a longer solution | ½ + ½ · D/n |
    /// | legal moves that do not end at the goal | ½ · (D − E)/D, at least 0 |
    /// | an illegal move | ¼ · (D − E)/D, at least 0 |
    /// | unreadable | 0 |
    ///
    /// So every solution scores more than ½, and everything else less. If `D` or `E` is not known, its fraction is 0.
    ///
    /// ```
    /// use npuzzle::teaching::{Judge, JudgeRules, Scoring};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let scores = Scoring::ALL.map(|scoring| {
    ///     let rules = JudgeRules { scoring, ..JudgeRules::default() };
    ///     Judge::default().judge(&rules, &puzzle, "L R L U", &mut ()).score
    /// });
    /// assert_eq!(scores, [0.75, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Scoring {
        /// The table above: partial credit for progress, and a part for the length.
        #[default]
        Graded = "graded",
        /// 1 for every solution, else 0.
        Solved = "solved",
        /// 1 for a shortest solution, else 0.
        Shortest = "shortest",
    }
}

impl Scoring {
    /// Returns the score of a judgment, from 0 to 1.
    pub(super) fn score(self, judgment: &Judgment) -> f64 {
        match self {
            Scoring::Graded => graded(judgment),
            Scoring::Solved => f64::from(u8::from(judgment.is_solved())),
            Scoring::Shortest => f64::from(u8::from(judgment.status == AnswerStatus::Shortest)),
        }
    }
}

fn graded(judgment: &Judgment) -> f64 {
    let fraction = |part: Option<u32>, whole: Option<u32>| match (part, whole) {
        (Some(part), Some(whole)) if whole > 0 => f64::from(part) / f64::from(whole),
        _ => 0.0,
    };
    let progress = || fraction(judgment.progress(), judgment.distance);
    match judgment.status {
        AnswerStatus::Shortest => 1.0,
        AnswerStatus::Solved => 0.5 + 0.5 * fraction(judgment.distance, Some(judgment.length)),
        // The goal itself is not a solution if the answer continues.
        AnswerStatus::Unsolved => 0.5 * progress(),
        AnswerStatus::Illegal => 0.25 * progress(),
        AnswerStatus::Unreadable => 0.0,
    }
}
