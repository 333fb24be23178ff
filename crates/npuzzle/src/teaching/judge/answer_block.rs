//! Finds the part of a free text that is meant as the answer.
//!
//! A model that reasons writes a long text, and marks its answer in one of several ways. The marks are tried in the
//! order of [`AnswerMark`]; of the marks of one kind the last one counts. Everything is found in one pass per kind, so
//! the time is linear in the length of the text.

use std::ops::Range;

npuzzle_core::named_enum! {
    "a mark"
    /// What marks an answer in a text.
    ///
    /// ```
    /// use npuzzle::teaching::{AnswerMark, Judge, JudgeRules};
    /// let puzzle = "1 2 3/4 0 5/7 8 6".parse()?;
    /// let text = "First 5, then 6. <answer>L U</answer>";
    /// let judgment = Judge::default().judge(&JudgeRules::default(), &puzzle, text, &mut ());
    /// assert_eq!(judgment.mark, Some(AnswerMark::Tag));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum AnswerMark {
        /// `<answer>…</answer>`; the closing tag may be missing.
        Tag = "tag",
        /// `\boxed{…}`
        Boxed = "boxed",
        /// A line or sentence that begins with `Answer:`, `Solution:`, `Moves:` or a similar label.
        Label = "label",
        /// A code block between lines of three backticks.
        Fence = "fence",
        /// No mark: the last lines that consist of moves.
        Lines = "lines",
    }
}

impl AnswerMark {
    /// Whether the mark has no other purpose than to mark an answer.
    pub(super) fn is_strong(self) -> bool {
        matches!(self, AnswerMark::Tag | AnswerMark::Boxed)
    }
}

/// Only this many bytes at the end of a text are read.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Returns the end of a text, without the reasoning before a closing tag of models that think.
pub(super) fn without_reasoning(text: &str) -> &str {
    let mut start = text.len().saturating_sub(MAX_BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let text = &text[start..];
    let lower = text.to_ascii_lowercase();
    let ends = ["</think>", "</thinking>", "</reasoning>"].into_iter();
    let end = ends.filter_map(|tag| Some(lower.rfind(tag)? + tag.len())).max();
    &text[end.unwrap_or(0)..]
}

/// Returns the contents of the last `<answer>`.
pub(super) fn tagged(text: &str) -> Option<&str> {
    const OPEN: &str = "<answer>";
    let lower = text.to_ascii_lowercase();
    let start = lower.rfind(OPEN)? + OPEN.len();
    let n_bytes = lower[start..].find("</answer").unwrap_or(text.len() - start);
    Some(&text[start..start + n_bytes])
}

/// Returns the contents of the last `\boxed{`, up to its closing brace.
pub(super) fn boxed(text: &str) -> Option<&str> {
    const OPEN: &str = "\\boxed{";
    let inner = &text[text.rfind(OPEN)? + OPEN.len()..];
    let mut depth = 1;
    let end = inner.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    });
    Some(&inner[..end.unwrap_or(inner.len())])
}

/// Returns what the labels of a text introduce, the last one first: the rest of the line or, if that is empty, the
/// code block or the paragraph after it.
pub(super) fn labeled(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    // The label whose line has nothing else, and the part after it.
    let mut open: Option<Paragraph> = None;
    for line in lines(text) {
        let content = &text[line.clone()];
        if let Some(rest) = after_last_label(content) {
            found.extend(open.take().and_then(|paragraph| paragraph.text(text)));
            match rest.contains(char::is_alphanumeric) || rest.contains(is_arrow) {
                true => found.push(rest),
                false => open = Some(Paragraph::default()),
            }
        } else if open.as_mut().is_some_and(|paragraph| paragraph.ends_before(content, &line)) {
            found.extend(open.take().and_then(|paragraph| paragraph.text(text)));
        }
    }
    found.extend(open.and_then(|paragraph| paragraph.text(text)));
    found.reverse();
    found
}

/// The lines after a label.
#[derive(Default)]
struct Paragraph {
    lines: Option<Range<usize>>,
    is_fenced: bool,
}

impl Paragraph {
    /// Adds a line, unless the paragraph ends before it.
    fn ends_before(&mut self, content: &str, line: &Range<usize>) -> bool {
        let (is_empty, is_fence) = (content.trim().is_empty(), is_fence(content));
        match &mut self.lines {
            None if is_fence => {
                self.is_fenced = true;
                self.lines = Some(line.end..line.end);
            }
            None if is_empty => {}
            None => self.lines = Some(line.clone()),
            Some(_) if is_fence || is_empty && !self.is_fenced => return true,
            Some(lines) => lines.end = line.end,
        }
        false
    }

    fn text(self, text: &str) -> Option<&str> {
        let lines = self.lines?;
        // A fence is the last line of the text.
        text.get(lines)
    }
}

/// Returns the contents of the code blocks of a text, the last one first. The last block may have no end.
pub(super) fn fenced(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut start = None;
    for line in lines(text) {
        if is_fence(&text[line.clone()]) {
            match start.take() {
                None => start = Some(line.end),
                Some(start) => blocks.push(&text[start..line.start]),
            }
        }
    }
    blocks.extend(start.map(|start| &text[start..]));
    blocks.reverse();
    blocks
}

/// The lines of a text as ranges of bytes, with their line breaks.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.split_inclusive('\n').scan(0, |start, line| {
        let from = *start;
        *start += line.len();
        Some(from..*start)
    })
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

pub(super) fn is_arrow(c: char) -> bool {
    "↑↓←→⬆⬇⬅➡".contains(c)
}

/// The words that may precede the last word of a label.
const BEFORE: [&str; 16] = [
    "the",
    "my",
    "a",
    "one",
    "so",
    "thus",
    "hence",
    "therefore",
    "final",
    "shortest",
    "optimal",
    "complete",
    "full",
    "correct",
    "best",
    "is",
];

/// The last words of labels.
const LABELS: [&str; 6] = ["answer", "solution", "moves", "sequence", "path", "result"];

/// The maximum number of words before a colon.
const MAX_WORDS: usize = 6;

/// Returns the rest of a line after the last label that begins the line or a sentence.
fn after_last_label(line: &str) -> Option<&str> {
    let sentences = line.match_indices(['.', '!', '?']).map(|(end, _)| &line[end + 1..]);
    let sentences = sentences.filter(|rest| rest.starts_with(char::is_whitespace));
    std::iter::once(line).chain(sentences).filter_map(after_label).next_back()
}

/// Returns the rest of a text that begins with a label: `**Final answer:** L U`, `The answer is L U`.
fn after_label(line: &str) -> Option<&str> {
    let mut rest = line;
    let mut has_label = false;
    for _ in 0..MAX_WORDS {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "*_#>-`".contains(c));
        if let Some(content) = rest.strip_prefix([':', '=']).filter(|_| has_label) {
            return Some(content.trim_start_matches(['*', '_', ' ']));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let word = rest[..end].to_ascii_lowercase();
        let after = &rest[end..];
        match word.as_str() {
            "is" | "are" if has_label => return Some(after.trim_start_matches([':', ' ', '*'])),
            word if LABELS.contains(&word) => has_label = true,
            word if BEFORE.contains(&word) && !has_label => {}
            _ => return None,
        }
        rest = after;
        // A comma may follow an introduction: `So, the answer is`.
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_label_accepts_usual_labels_only() {
        for (line, expect) in [
            ("Answer: L U", Some("L U")),
            ("**Final Answer:** L U", Some("L U")),
            ("**Final answer**: L U", Some("L U")),
            ("### Solution:", Some("")),
            ("So, the shortest solution is: L U", Some("L U")),
            ("The answer is L U", Some("L U")),
            ("The moves are L, U", Some("L, U")),
            ("answer = L U", Some("L U")),
            ("Number of moves: 14", None),
            ("total moves: 2", None),
            ("The solution moves the tile", None),
            ("This answer: L", None),
            (":", None),
            ("", None),
        ] {
            assert_eq!(after_label(line), expect, "{line:?}");
        }
    }

    #[test]
    fn marks_find_the_last_answer() {
        assert_eq!(tagged("<answer>L</answer> no: <ANSWER>\nU\n</Answer>"), Some("\nU\n"));
        assert_eq!(tagged("<answer>L U"), Some("L U"));
        assert_eq!(boxed(r"\boxed{L} or \boxed{\text{L} U} end"), Some(r"\text{L} U"));
        assert_eq!(boxed(r"\boxed{L U"), Some("L U"));
        assert_eq!(fenced("```\nL\n```\nor\n```text\nU\n```\n"), ["U\n", "L\n"]);
        assert_eq!(fenced("```\nL U"), ["L U"]);
        let text = "Answer: D\nAnswer:\n```\nL\n\nU\n```\nMoves:\n\nL\nU\n\nDone.\nSolution:";
        assert_eq!(labeled(text), ["L\nU\n", "L\n\nU\n", "D\n"]);
        assert_eq!(without_reasoning("<think>Answer: L</THINK>U"), "U");
        assert_eq!(without_reasoning(&("é".repeat(MAX_BYTES) + "U")).len(), MAX_BYTES - 1);
    }
}
