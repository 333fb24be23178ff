//! Serde support of the names of options; that of boards, goals and moves is in [`npuzzle_core`].

use super::{Algorithm, Effort, HeuristicChoice, HeuristicKind, TableSize};

npuzzle_core::as_text!(
    Algorithm: name => name,
    HeuristicKind: name => name,
    HeuristicChoice: name => name,
    Effort: name => name,
    TableSize: name => name,
);

#[cfg(test)]
mod tests {
    use npuzzle_core::{Board, Goal, Moves};
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Exercise {
        board: Board,
        goal: Goal,
        answers: Vec<Moves>,
        algorithm: Algorithm,
        heuristic: HeuristicChoice,
        effort: Option<Effort>,
    }

    #[test]
    fn structs_of_others_are_read_as_they_are_written() {
        let json = r#"{"board":"1 2 3/4 0 6/7 5 8","goal":"last","answers":["U L"],"algorithm":"ida","heuristic":"max(walking,inversion)","effort":"fast"}"#;
        let exercise: Exercise = serde_json::from_str(json).unwrap();
        assert!(exercise.answers[0].replay(&exercise.board).unwrap().is_goal());
        assert_eq!(serde_json::to_string(&exercise).unwrap(), json);
        assert!(serde_json::from_str::<Algorithm>("\"dfs\"").is_err());
    }
}
