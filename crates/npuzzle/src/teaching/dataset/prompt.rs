//! Prompts: texts with placeholders.

use std::error::Error;
use std::fmt;

use npuzzle_core::format::{Format, write};
use npuzzle_core::{Board, Instance, Metric, Notation};

/// A text with placeholders for a task. In a text of your own, `{{` and `}}` stand for braces.
///
/// | placeholder | |
/// |---|---|
/// | `{board}`, `{goal}` | `8 1 3/4 0 2/7 6 5` |
/// | `{grid}`, `{goal_grid}` | one row per line |
/// | `{json}`, `{goal_json}` | `[[8,1,3],[4,0,2],[7,6,5]]` |
/// | `{rows}`, `{cols}` | the size |
/// | `{notation}` | a sentence that says how moves are written |
/// | `{metric}` | a sentence that says what counts as a move |
///
/// ```
/// use npuzzle::teaching::PromptTemplate;
/// use npuzzle::{Metric, Notation};
/// let template = PromptTemplate::new("Solve {board}. {notation}")?;
/// let prompt = template.write(&"1 2/0 3".parse()?, Metric::Stm, Notation::Numbers);
/// assert_eq!(prompt, "Solve 1 2/0 3. Write each move as the number of the tile that slides into the blank.");
/// let error = PromptTemplate::new("Solve {bord}").unwrap_err();
/// assert_eq!((error.line(), error.column()), (1, 7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PromptTemplate {
    parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug)]
enum Part {
    Text(String),
    /// An index into [`FIELDS`].
    Field(usize),
}

/// Writes the value of a placeholder.
type WriteField = fn(&PromptTask<'_>) -> String;

/// The values of the placeholders.
struct PromptTask<'a> {
    puzzle: &'a Instance,
    metric: Metric,
    notation: Notation,
}

const FIELDS: [(&str, WriteField); 10] = [
    ("board", |task| task.puzzle.start().slash().to_string()),
    ("goal", |task| task.puzzle.goal().slash().to_string()),
    ("grid", |task| grid(task.puzzle.start())),
    ("goal_grid", |task| grid(task.puzzle.goal())),
    ("json", |task| json(task.puzzle.start())),
    ("goal_json", |task| json(task.puzzle.goal())),
    ("rows", |task| task.puzzle.dims().rows().to_string()),
    ("cols", |task| task.puzzle.dims().cols().to_string()),
    ("notation", |task| notation_rule(task.notation, task.metric).to_owned()),
    ("metric", |task| metric_rule(task.metric).to_owned()),
];

/// The built-in templates and their names.
const BUILT_IN: [(&str, &str); 3] = [
    (
        "grid",
        "This is a sliding-tile puzzle with {rows} rows and {cols} columns. 0 is the blank. A move slides a tile that is \
         next to the blank into the blank.\n\nBoard:\n{grid}\n\nGoal:\n{goal_grid}\n\nFind a shortest sequence of \
         moves from the board to the goal. {metric} {notation}\n\nWrite the moves in order between <answer> and \
         </answer>.",
    ),
    (
        "line",
        "Sliding-tile puzzle, {rows}x{cols}, 0 is the blank. Board: {board}. Goal: {goal}. Find a shortest solution. \
         {metric} {notation} Write the moves in order between <answer> and </answer>.",
    ),
    (
        "json",
        "This is a sliding-tile puzzle. The rows of the board are {json}, and those of the goal are {goal_json}; 0 is the \
         blank. A move slides a tile that is next to the blank into the blank. Find a shortest sequence of moves from \
         the board to the goal. {metric} {notation} Write the moves in order between <answer> and </answer>.",
    ),
];

impl PromptTemplate {
    /// The names of the built-in templates. The first one is the default.
    pub const BUILT_IN: [&'static str; 3] = [BUILT_IN[0].0, BUILT_IN[1].0, BUILT_IN[2].0];

    /// Returns the built-in template with this name.
    pub fn named(name: &str) -> Option<PromptTemplate> {
        let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        PromptTemplate::new(text).ok()
    }

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// A placeholder is unknown, or a brace is missing.
    pub fn new(text: &str) -> Result<PromptTemplate, TemplateError> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let error = |found: &str| TemplateError::new(text, text.len() - rest.len() + at, found);
            literal += &rest[..at];
            let braces = &rest[at..];
            if braces.starts_with("{{") || braces.starts_with("}}") {
                literal += &braces[..1];
                rest = &braces[2..];
                continue;
            }
            let name = braces.strip_prefix('{').ok_or_else(|| error("}"))?;
            let end = name.find(['{', '}', '\n']).filter(|&end| name[end..].starts_with('}'));
            let end = end.ok_or_else(|| error("{"))?;
            let name = &name[..end];
            let field = FIELDS.iter().position(|(known, _)| *known == name);
            parts.push(Part::Text(std::mem::take(&mut literal)));
            parts.push(Part::Field(field.ok_or_else(|| error(&format!("{{{name}}}")))?));
            rest = &braces[end + 2..];
        }
        parts.push(Part::Text(literal + rest));
        Ok(PromptTemplate { parts })
    }

    /// Writes the prompt of a task.
    pub fn write(&self, puzzle: &Instance, metric: Metric, notation: Notation) -> String {
        let task = PromptTask { puzzle, metric, notation };
        let write = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Field(index) => FIELDS[*index].1(&task),
        };
        self.parts.iter().map(write).collect()
    }
}

/// The template `grid`.
impl Default for PromptTemplate {
    fn default() -> PromptTemplate {
        let default = PromptTemplate::named(PromptTemplate::BUILT_IN[0]);
        default.unwrap_or(PromptTemplate { parts: Vec::new() })
    }
}

fn grid(board: &Board) -> String {
    // A grid can be written for every board.
    write(board, None, Format::Grid).unwrap_or_default().trim_end().to_owned()
}

fn json(board: &Board) -> String {
    let row = |row: &[npuzzle_core::Tile]| {
        let tiles: Vec<String> = row.iter().map(ToString::to_string).collect();
        format!("[{}]", tiles.join(","))
    };
    format!("[{}]", board.rows().map(row).collect::<Vec<_>>().join(","))
}

fn notation_rule(notation: Notation, metric: Metric) -> &'static str {
    match (notation, metric) {
        (Notation::Tile, Metric::Stm) => {
            "Write each move as a letter for the direction in which the tile slides: U (up), D (down), L (left) or R \
             (right)."
        }
        (Notation::Tile, Metric::Mtm) => {
            "Write each move as a letter for the direction in which the tiles slide: U (up), D (down), L (left) or R \
             (right), followed by the number of tiles if it is more than one, such as L2."
        }
        (Notation::Blank, Metric::Stm) => {
            "Write each move as a letter for the direction in which the blank moves: U (up), D (down), L (left) or R \
             (right)."
        }
        (Notation::Blank, Metric::Mtm) => {
            "Write each move as a letter for the direction in which the blank moves: U (up), D (down), L (left) or R \
             (right), followed by the number of cells if it is more than one, such as L2."
        }
        (Notation::Numbers, Metric::Stm) => {
            "Write each move as the number of the tile that slides into the blank."
        }
        (Notation::Numbers, Metric::Mtm) => {
            "Write the number of every tile that slides into the blank, in order."
        }
        (Notation::Boards, _) => {
            "Write the board after every slide of a tile on a line of its own, with a slash between rows."
        }
    }
}

fn metric_rule(metric: Metric) -> &'static str {
    match metric {
        Metric::Stm => "Every slide of a tile counts as one move.",
        Metric::Mtm => "Consecutive slides in the same direction count as one move.",
    }
}

/// An error in a template.
///
/// ```
/// use npuzzle::teaching::PromptTemplate;
/// let error = PromptTemplate::new("{board}\n a {b c").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 4));
/// assert_eq!(error.to_string(), "line 2, column 4: a brace without its partner; write {{ or }} for a brace in the text");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError {
    line: usize,
    column: usize,
    message: String,
}

impl TemplateError {
    fn new(text: &str, at: usize, found: &str) -> TemplateError {
        let before = &text[..at];
        let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
        let message = match found {
            "{" | "}" => {
                "a brace without its partner; write {{ or }} for a brace in the text".to_owned()
            }
            found => {
                let found: String = found.chars().take(20).flat_map(char::escape_debug).collect();
                format!("{found} is not a placeholder: expected one of {}", names.join(", "))
            }
        };
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        TemplateError { line: before.matches('\n').count() + 1, column, message }
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Error for TemplateError {}
