//! Columbia's `driver.py`: published counters, and a plain implementation of its three searches.

use std::collections::{BTreeSet, HashMap, VecDeque};

use npuzzle::Tables;
use npuzzle_core::Random;
use npuzzle_courses::{
    Course, Ending, ProcessEnd, ProgramOutput, TestCase, default_test_set, judge, run,
};
use npuzzle_testkit::data;

use crate::{answer, course, with_flag};

/// The course with this method.
fn columbia(method: &str) -> Course {
    let mut course = course("columbia");
    let methods = course.command_line.method.unwrap().choices;
    (methods.iter().find(|choice| choice.is_named(method)).unwrap().apply)(&mut course);
    course
}

/// What the answer file says about a search.
#[derive(PartialEq, Eq, Debug)]
struct Counters {
    /// The first letters of the directions.
    path: String,
    cost: usize,
    expanded: usize,
    depth: usize,
    max_depth: usize,
}

/// The value of a line `name: value`.
fn value<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {text}"))
}

fn counters(method: &str, board: &str) -> Counters {
    let (text, _) = answer(&columbia(method), board);
    let number = |name| value(&text, name).parse().unwrap();
    Counters {
        path: value(&text, "path_to_goal").chars().filter(char::is_ascii_uppercase).collect(),
        cost: number("cost_of_path"),
        expanded: number("nodes_expanded"),
        depth: number("search_depth"),
        max_depth: number("max_search_depth"),
    }
}

type Cells = [u8; 9];

/// A node of the plain search.
struct Node {
    cells: Cells,
    parent: usize,
    letter: char,
    depth: usize,
}

/// The states one move away, with the blank moving up, down, left, right.
fn successors(cells: Cells) -> Vec<(char, Cells)> {
    let blank = cells.iter().position(|&tile| tile == 0).unwrap();
    let (row, col) = (blank / 3, blank % 3);
    let moves = [
        ('U', row > 0, blank.wrapping_sub(3)),
        ('D', row < 2, blank + 3),
        ('L', col > 0, blank.wrapping_sub(1)),
        ('R', col < 2, blank + 1),
    ];
    let legal = moves.into_iter().filter(|(_, is_legal, _)| *is_legal);
    let moved = |(letter, _, to): (char, bool, usize)| {
        let mut cells = cells;
        cells.swap(blank, to);
        (letter, cells)
    };
    legal.map(moved).collect()
}

fn manhattan(cells: &Cells) -> usize {
    let distance = |(cell, tile): (usize, usize)| {
        (cell / 3).abs_diff(tile / 3) + (cell % 3).abs_diff(tile % 3)
    };
    let tiles = cells.iter().enumerate().map(|(cell, &tile)| (cell, tile.into()));
    tiles.filter(|(_, tile)| *tile != 0).map(distance).sum()
}

/// The frontier of the plain search.
enum Frontier {
    Queue(VecDeque<usize>),
    Stack(Vec<usize>),
    /// The f, the order of insertion, and the node.
    Sorted(BTreeSet<(usize, usize, usize)>, HashMap<usize, (usize, usize, usize)>),
}

impl Frontier {
    fn push(&mut self, node: usize, f: usize, order: usize) {
        match self {
            Frontier::Queue(queue) => queue.push_back(node),
            Frontier::Stack(stack) => stack.push(node),
            Frontier::Sorted(entries, known) => {
                if let Some(before) = known.insert(node, (f, order, node)) {
                    entries.remove(&before);
                }
                entries.insert((f, order, node));
            }
        }
    }

    fn pop(&mut self) -> Option<usize> {
        match self {
            Frontier::Queue(queue) => queue.pop_front(),
            Frontier::Stack(stack) => stack.pop(),
            Frontier::Sorted(entries, _) => Some(entries.pop_first()?.2),
        }
    }
}

/// The search as the course describes it.
fn plain(method: &str, start: Cells) -> Counters {
    let mut nodes = vec![Node { cells: start, parent: 0, letter: ' ', depth: 0 }];
    let mut known = HashMap::from([(start, 0)]);
    let mut frontier = match method {
        "bfs" => Frontier::Queue(VecDeque::new()),
        "dfs" => Frontier::Stack(Vec::new()),
        _ => Frontier::Sorted(BTreeSet::new(), HashMap::new()),
    };
    let (mut expanded, mut max_depth, mut order) = (0, 0, 0);
    frontier.push(0, manhattan(&start), order);
    while let Some(at) = frontier.pop() {
        if nodes[at].cells == [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            let mut path = String::new();
            let (mut node, depth) = (at, nodes[at].depth);
            while node != 0 {
                path.insert(0, nodes[node].letter);
                node = nodes[node].parent;
            }
            return Counters { path, cost: depth, expanded, depth, max_depth };
        }
        expanded += 1;
        let depth = nodes[at].depth + 1;
        let mut children = successors(nodes[at].cells);
        if method == "dfs" {
            children.reverse();
        }
        for (letter, cells) in children {
            let node = Node { cells, parent: at, letter, depth };
            let child = match known.get(&cells) {
                None => {
                    nodes.push(node);
                    known.insert(cells, nodes.len() - 1);
                    nodes.len() - 1
                }
                Some(&child) if method == "ast" && depth < nodes[child].depth => {
                    nodes[child] = node;
                    child
                }
                Some(_) => continue,
            };
            max_depth = max_depth.max(depth);
            order += 1;
            frontier.push(child, depth + manhattan(&cells), order);
        }
    }
    panic!("unsolvable")
}

#[test]
fn columbia_counters_match_the_published_ones() {
    let mut n_rows = 0;
    let text = data::text("courses/columbia/counters.txt");
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [board, method, path, cost, expanded, depth, max_depth, _] = fields[..] else {
            panic!("{row}")
        };
        let found = counters(method, board);
        let (begin, end) = path.split_once("...").unwrap_or((path, path));
        assert!(found.path.starts_with(begin) && found.path.ends_with(end), "{row}");
        assert_eq!(found.path.len(), found.cost, "{row}");
        let numbers = [cost, expanded, depth, max_depth].map(|number| number.parse().unwrap());
        assert_eq!([found.cost, found.expanded, found.depth, found.max_depth], numbers, "{row}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 20);
}

#[test]
fn columbia_searches_equal_plain_ones() {
    let goal = npuzzle_core::Goal::First.board(npuzzle_testkit::dims("3x3")).unwrap();
    let mut random = Random::new(1);
    for _ in 0..6 {
        let start = random.instance(&goal, true).start().clone();
        let cells: Vec<u8> = start.tiles().iter().map(|tile| tile.number() as u8).collect();
        let text: Vec<String> = cells.iter().map(ToString::to_string).collect();
        for method in ["bfs", "dfs", "ast"] {
            let expected = plain(method, cells.clone().try_into().unwrap());
            assert_eq!(counters(method, &text.join(",")), expected, "{method} {text:?}");
        }
    }
}

#[test]
fn columbia_answer_has_the_published_form() {
    let sample = data::text("courses/columbia/example.txt");
    let (text, _) = answer(&columbia("bfs"), "1,2,5,3,4,0,6,7,8");
    let exact = |text: &str| text.lines().take(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(exact(&text), exact(&sample));
    let form = |text: &str| -> Vec<String> {
        let digits = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "0");
        text.lines().skip(5).map(digits).collect()
    };
    assert_eq!(form(&text), form(&sample), "{text}");
}

#[test]
fn columbia_fringe_flag_adds_the_two_lines() {
    let course = with_flag(columbia("bfs"), "fringe", "");
    let (text, _) = answer(&course, "1,2,5,3,4,0,6,7,8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[3..5], ["fringe_size: 11", "max_fringe_size: 12"]);
    assert_eq!((lines.len(), lines[5]), (9, "search_depth: 3"));
}

#[test]
fn columbia_unsolvable_board_has_no_answer() {
    for method in ["bfs", "dfs", "ast"] {
        let course = columbia(method);
        let run = run(&course, "8,1,2,0,4,3,7,6,5", &mut ()).unwrap();
        assert_eq!((&run.ending, run.stats.expanded), (&Ending::Unsolvable, 0));
        let mut text = Vec::new();
        (course.write)(&run, &mut text).unwrap();
        assert!(text.is_empty());
    }
}

#[test]
fn columbia_requires_a_square_number_of_tiles() {
    for text in ["0,1,2,3,4,5,6,7,8,9", "1,0,1,2,3,4,5,6,7,8", "0,1,2,3", "0,1,2,3,4,5,6,7,7", "x"]
    {
        let read = (course("columbia").read)(text);
        assert_eq!(read.is_ok(), text == "0,1,2,3", "{text}: {read:?}");
    }
}

/// The defect of an answer, as it is reported; empty if the program passes.
fn defect(course: &Course, case: &TestCase, text: &str) -> String {
    let (end, text) = (ProcessEnd::Code(0), text.to_owned());
    let output = ProgramOutput { end, text, stderr: String::new() };
    let verdict = judge(course, case, &output, &mut Tables::new(), &mut ()).unwrap();
    verdict.defect.map_or(String::new(), |defect| defect.to_string())
}

#[test]
fn columbia_grader_passes_our_answers_of_every_method() {
    for method in ["bfs", "dfs", "ast"] {
        let course = columbia(method);
        for case in default_test_set(&course).unwrap() {
            assert_eq!(defect(&course, &case, &answer(&course, &case.text).0), "", "{method}");
        }
    }
}

#[test]
fn columbia_grader_names_what_is_wrong() {
    let board = npuzzle_testkit::board("1 2 5/3 4 0/6 7 8");
    let (bfs, dfs, ast) = (columbia("bfs"), columbia("dfs"), columbia("ast"));
    let case = TestCase::new(&bfs, "case", &board, None).unwrap();
    let right = answer(&bfs, &case.text).0;
    let check = |course: &Course, text: &str, expected: &str| {
        assert_eq!(defect(course, &case, text), expected, "{text}");
    };
    check(&bfs, "", "no answer in the output");
    check(
        &bfs,
        &right.replace("nodes_expanded: 10", "nodes_expanded: 11"),
        "line 3: nodes_expanded = 11, expected 10",
    );
    check(
        &bfs,
        &right.replace("nodes_expanded: 10\n", ""),
        "the line `nodes_expanded: NUMBER` is missing",
    );
    check(
        &bfs,
        &right.replace("cost_of_path: 3", "cost_of_path: 4"),
        "line 2: cost_of_path = 4, expected 3",
    );
    let tiles = right.replace("Up", "Down").replace("Left", "Right");
    check(&bfs, &tiles, "the directions are those of the tiles, not of the blank");
    let detour = right.replace("['Up', ", "['Left', 'Right', 'Up', ");
    check(&bfs, &detour, "5 moves, 2 more than the shortest");
    // Depth-first search may return any path, but its counters are fixed; those of A* are not.
    check(&dfs, &right, "line 3: nodes_expanded = 10, expected 181437");
    check(&ast, &right, "");
}
