//! Splits, strata and answers of datasets.

use std::collections::{HashMap, HashSet};

use super::*;

fn spec(goal: &str, splits: &[&str]) -> DatasetSpec {
    let splits = splits.iter().map(|split| split.parse().unwrap()).collect();
    DatasetSpec { splits, ..DatasetSpec::new(goal.parse().unwrap()) }
}

fn tasks(spec: &DatasetSpec) -> Vec<DatasetTask> {
    let mut dataset = Dataset::new(spec.clone()).unwrap();
    std::iter::from_fn(|| dataset.next_task(&mut ()).unwrap()).collect()
}

const GOAL: &str = "1 2 3/4 5 6/7 8 0";

#[test]
fn splits_share_no_board_and_are_stratified() {
    let spec = spec(GOAL, &["test=62", "train=310", "hard=40@25..28"]);
    let tasks = tasks(&spec);
    let boards: HashSet<&Board> = tasks.iter().map(|task| task.puzzle.start()).collect();
    assert_eq!((tasks.len(), boards.len()), (412, 412));
    let mut counts: HashMap<(&str, Cost), u64> = HashMap::new();
    for task in &tasks {
        *counts.entry((&task.split, task.distance)).or_default() += 1;
    }
    // All boards of the distances 1 and 31 belong to the first split.
    assert_eq!([counts[&("test", 1)], counts[&("test", 31)], counts[&("test", 15)]], [2; 3]);
    assert_eq!(counts.get(&("train", 1)), None);
    assert_eq!((25..=28).map(|distance| counts[&("hard", distance)]).sum::<u64>(), 40);
    let ids: HashSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids.len(), 412);
}

#[test]
fn larger_last_split_leaves_the_others_unchanged() {
    let boards = |splits: &[&str], split: &str| -> Vec<Board> {
        let tasks = tasks(&spec(GOAL, splits));
        let of_split = tasks.into_iter().filter(|task| task.split == split);
        of_split.map(|task| task.puzzle.start().clone()).collect()
    };
    let small = boards(&["test=50", "train=20"], "test");
    assert_eq!(small, boards(&["test=50", "train=90"], "test"));
    assert_eq!(small.len(), 50);
}

#[test]
fn symmetric_boards_are_in_one_split_only() {
    for (goal, n_images) in [(GOAL, 2), ("1 2 3/8 0 4/7 6 5", 8)] {
        let spec = DatasetSpec { is_up_to_symmetry: true, ..spec(goal, &["test=60", "train=200"]) };
        let symmetries = Symmetries::new(&spec.goal);
        assert_eq!(symmetries.len(), n_images);
        let tasks = tasks(&spec);
        let classes: HashSet<_> =
            tasks.iter().map(|task| symmetries.representative(task.puzzle.start())).collect();
        assert_eq!(classes.len(), 260);
    }
}

#[test]
fn tasks_have_proved_distances_and_all_first_moves() {
    for metric in Metric::ALL {
        let spec = DatasetSpec { metric, seed: 3, ..spec(GOAL, &["all=60"]) };
        let table = FullTable::build(&spec.goal, metric).unwrap();
        for task in tasks(&spec) {
            let start = task.puzzle.start();
            assert_eq!(table.distance(start), Some(task.distance));
            assert_eq!(task.solution.len(metric) as Cost, task.distance);
            assert_eq!(task.solution.replay(start).as_ref(), Ok(&spec.goal));
            // The solutions that start with a move are shortest if it is listed, and only then.
            let options = Options { metric, all: Some(100_000), ..Options::default() };
            let report = options.solve(&task.puzzle).unwrap();
            let listed = report.optimal_solutions.unwrap().listed;
            let first = |moves: &Moves| {
                let (slide, n) = moves.runs().next().unwrap();
                (slide, if metric == Metric::Stm { 1 } else { n })
            };
            let expect: HashSet<_> = listed.iter().map(first).collect();
            let found: HashSet<_> = task.first_moves.iter().map(first).collect();
            assert_eq!((found, task.first_moves.len()), (expect.clone(), expect.len()));
        }
    }
}

#[test]
fn larger_boards_exhaust_small_distances() {
    let goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let spec = DatasetSpec { distances: Some(1..=12), ..spec(goal, &["test=24", "train=36"]) };
    let tasks = tasks(&spec);
    let boards: HashSet<&Board> = tasks.iter().map(|task| task.puzzle.start()).collect();
    assert_eq!(boards.len(), 60);
    assert_eq!(tasks.iter().filter(|task| task.distance == 1).count(), 2);
    assert_eq!(tasks.iter().filter(|task| task.distance == 2).count(), 4);
    let far = |count: &str| {
        Dataset::new(DatasetSpec { distances: Some(1..=1), ..self::spec(goal, &[count]) })
    };
    let error = far("test=3").unwrap().next_task(&mut ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "test: 3 boards requested, but only 2 are available at these distances"
    );
}

#[test]
fn prompts_state_the_notation() {
    for notation in Notation::ALL {
        for name in PromptTemplate::BUILT_IN {
            let template = PromptTemplate::named(name).unwrap();
            let spec = DatasetSpec { notation, template, ..spec("1 2/3 0", &["all=1"]) };
            let prompt = &tasks(&spec)[0].prompt;
            let words = match notation {
                Notation::Tile => "the tile slides",
                Notation::Blank => "the blank moves",
                Notation::Numbers => "number of the tile",
                Notation::Boards => "Write the board",
            };
            assert!(prompt.contains(words) && prompt.contains("<answer>"), "{prompt}");
        }
    }
}
