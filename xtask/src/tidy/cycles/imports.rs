//! The paths that a Rust file names, from its tokens.

/// The imports of a file.
#[derive(Default)]
pub(super) struct Imports {
    /// Every path that starts with `crate`, `self` or `super`, with its line. Paths of `use` groups
    /// are expanded.
    pub(super) paths: Vec<(usize, Vec<String>)>,
    /// The names that `use` declarations bring into scope.
    pub(super) names: Vec<Name>,
    /// Child modules in files of their own that exist only in tests.
    pub(super) test_modules: Vec<String>,
}

/// A name that a `use` declaration brings into scope.
pub(super) struct Name {
    pub(super) name: String,
    pub(super) path: Vec<String>,
}

impl Imports {
    /// Items under `#[cfg(test)]` are left out.
    pub(super) fn parse(text: &str) -> Imports {
        let tokens = tokens(text);
        let mut imports = Imports::default();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(item) = after_test_attribute(&tokens[at..]) {
                at += item;
                if let [Token { text: "mod", .. }, name, Token { text: ";", .. }, ..] = tokens[at..]
                {
                    imports.test_modules.push(name.text.to_owned());
                }
                at += item_length(&tokens[at..]);
            } else if tokens[at].text == "use" {
                let length = item_length(&tokens[at..]);
                imports.declare(&tokens[at + 1..at + length]);
                at += length;
            } else {
                at += imports.expression(&tokens, at);
            }
        }
        imports
    }

    /// Records the paths of a `use` declaration.
    fn declare(&mut self, tokens: &[Token<'_>]) {
        let Some(first) = tokens.first() else { return };
        let mut leaves = vec![];
        tree(tokens, &mut 0, &[], &mut leaves);
        for (path, alias) in leaves {
            let is_relative = is_keyword(path.first().map_or("", String::as_str));
            if is_relative {
                self.paths.push((first.line, path.clone()));
            }
            if let Some(name) = alias.or_else(|| path.last().cloned()) {
                self.names.push(Name { name, path });
            }
        }
    }

    /// Records the path that starts at a token, if one does, and returns how many tokens to skip.
    fn expression(&mut self, tokens: &[Token<'_>], at: usize) -> usize {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        let is_path = is_keyword(tokens[at].text)
            && tokens.get(at + 1).is_some_and(|token| token.text == "::")
            // A later part of a path, and `pub(in crate::a)`.
            && before != "::"
            && before != "in";
        if !is_path {
            return 1;
        }
        let mut path = vec![tokens[at].text.to_owned()];
        let mut end = at + 1;
        while let [Token { text: "::", .. }, name, ..] = &tokens[end..] {
            if !is_word(name.text) {
                break;
            }
            path.push(name.text.to_owned());
            end += 2;
        }
        self.paths.push((tokens[at].line, path));
        end - at
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "crate" | "self" | "super")
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads a use tree: the path of each leaf and the name after `as`.
fn tree(
    tokens: &[Token<'_>],
    at: &mut usize,
    prefix: &[String],
    leaves: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(*at) {
        *at += 1;
        match token.text {
            "::" => {}
            "{" => {
                while tokens.get(*at).is_some_and(|token| token.text != "}") {
                    tree(tokens, at, &path, leaves);
                    if tokens.get(*at).is_some_and(|token| token.text == ",") {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            // A glob brings no name that is known here.
            "*" => return leaves.push((path, Some("*".to_owned()))),
            "as" => {
                let alias = tokens.get(*at).map(|token| token.text.to_owned());
                *at += 1;
                return leaves.push((path, alias));
            }
            // `a::{self, b}`.
            "self" if !path.is_empty() => {}
            word if is_word(word) => path.push(word.to_owned()),
            _ => {
                *at -= 1;
                break;
            }
        }
    }
    leaves.push((path, None));
}

/// The number of tokens up to the item that `#[cfg(test)]` applies to, if the tokens begin with it.
fn after_test_attribute(tokens: &[Token<'_>]) -> Option<usize> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let is_test = tokens.iter().map(|token| token.text).take(TEST.len()).eq(TEST);
    if !is_test {
        return None;
    }
    let mut at = TEST.len();
    while let [Token { text: "#", .. }, Token { text: "[", .. }, ..] = tokens[at..] {
        at += 1 + group_length(&tokens[at + 1..]);
    }
    // A visibility.
    if tokens.get(at).is_some_and(|token| token.text == "pub") {
        at += 1;
        if tokens.get(at).is_some_and(|token| token.text == "(") {
            at += group_length(&tokens[at..]);
        }
    }
    Some(at)
}

/// The number of tokens of the item that the tokens begin with: to its `;` or its block.
fn item_length(tokens: &[Token<'_>]) -> usize {
    let ends_with_block = tokens.first().is_some_and(|token| token.text != "use");
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" => return at + 1,
            "{" if ends_with_block => return at + group_length(&tokens[at..]),
            "{" | "(" | "[" => at += group_length(&tokens[at..]),
            _ => at += 1,
        }
    }
    at
}

/// The number of tokens from an opening bracket to the one that closes it.
fn group_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

#[derive(Clone, Copy)]
struct Token<'a> {
    /// A word, `::`, or one other character. Literals and comments are no tokens.
    text: &'a str,
    line: usize,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = vec![];
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let skipped = comment_or_literal(rest);
        let length = if skipped > 0 {
            skipped
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let length = token_length(rest);
            tokens.push(Token { text: &rest[..length], line });
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

fn token_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if text.starts_with("::") {
        2
    } else if text.starts_with(is_part) {
        text.find(|c| !is_part(c)).unwrap_or(text.len())
    } else {
        text.chars().next().map_or(0, char::len_utf8)
    }
}

/// The length of the comment, string, character or lifetime that the text begins with; 0 if none.
fn comment_or_literal(text: &str) -> usize {
    let to = |end: Option<usize>| end.unwrap_or(text.len());
    if text.starts_with("//") {
        return to(text.find('\n'));
    }
    if text.starts_with("/*") {
        return to(text.find("*/").map(|at| at + 2));
    }
    let body = text.strip_prefix('b').unwrap_or(text);
    let n_prefix = text.len() - body.len();
    if let Some(raw) = body.strip_prefix('r') {
        let n_hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[n_hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(n_hashes));
            let begin = n_prefix + 1 + n_hashes + 1;
            return to(text[begin..].find(&end).map(|at| begin + at + end.len()));
        }
    }
    if body.starts_with('"') {
        return n_prefix + quoted_length(body, '"');
    }
    let mut chars = body.chars();
    if chars.next() == Some('\'') {
        let is_character = match chars.next() {
            Some('\\') => true,
            Some(_) => chars.next() == Some('\''),
            None => false,
        };
        // A lifetime: the quote, then its name, which is never looked at.
        return if is_character {
            n_prefix + quoted_length(body, '\'')
        } else {
            1 + token_length(&text[1..])
        };
    }
    0
}

/// The length of a literal between quotes with escapes.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !is_escaped && c == quote {
            return at + 1;
        }
        is_escaped = !is_escaped && c == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(usize, &str)]) {
        let paths = Imports::parse(text).paths;
        let paths: Vec<_> = paths.iter().map(|(line, path)| (*line, path.join("::"))).collect();
        let paths: Vec<_> = paths.iter().map(|(line, path)| (*line, path.as_str())).collect();
        assert_eq!(paths, expect, "{text}");
    }

    #[test]
    fn groups_are_expanded() {
        check(
            "use crate::{a, b::{self, C as D, E}};\nuse super::*;\n",
            &[
                (1, "crate::a"),
                (1, "crate::b"),
                (1, "crate::b::C"),
                (1, "crate::b::E"),
                (2, "super"),
            ],
        );
        check("use std::{fs, io};\nuse serde::de::{self, Error};\n", &[]);
    }

    #[test]
    fn paths_in_expressions_are_found() {
        check(
            "fn f(x: &crate::a::B) -> super::C {\n    self.y();\n    self::g::<crate::d::D>(x)\n}\n",
            &[(1, "crate::a::B"), (1, "super::C"), (3, "self::g"), (3, "crate::d::D")],
        );
        check("pub(in crate::a) fn f() {}\npub(crate) fn g() {}\n", &[]);
    }

    #[test]
    fn comments_and_literals_are_skipped() {
        check("// crate::a::B\n/* crate::a::B */ /// [`crate::a::B`]\n", &[]);
        check("const A: &str = \"\\\" crate::a::B\";\nconst B: &str = r#\"crate::a \" \"#;\n", &[]);
        check(
            "fn f<'a>(x: &'a u8) { if x == '\\'' || y == '\"' { crate::a::b() } }\nconst C: u8 = b'\"';\nuse crate::d;\n",
            &[(1, "crate::a::b"), (3, "crate::d")],
        );
    }

    #[test]
    fn test_items_are_skipped() {
        check(
            "#[cfg(test)]\nuse crate::{a, b};\n#[cfg(test)]\npub(crate) fn f() { crate::c() }\n",
            &[],
        );
        check(
            "#[cfg(test)]\n#[allow(x)]\nmod tests {\n    use crate::a;\n}\nuse crate::b;\n",
            &[(6, "crate::b")],
        );
        check("#[cfg(unix)]\nuse crate::a;\n", &[(2, "crate::a")]);
        assert_eq!(Imports::parse("#[cfg(test)]\nmod tests;\nmod a;\n").test_modules, ["tests"]);
    }

    #[test]
    fn names_are_those_after_as() {
        let names = Imports::parse("pub use a::{B, C as D, self};\n").names;
        let names: Vec<_> =
            names.iter().map(|name| (&name.name[..], name.path.join("::"))).collect();
        let expect = [("B", "a::B"), ("D", "a::C"), ("a", "a")];
        assert_eq!(names, expect.map(|(name, path)| (name, path.to_owned())));
    }
}
