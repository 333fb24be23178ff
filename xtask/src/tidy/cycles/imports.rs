//! The paths that a Rust file names, from its tokens.

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

/// The imports of a file.
#[derive(Default)]
pub(super) struct Imports {
    /// Every path that starts with `crate`, `self` or `super`, with its line. Paths of `use` groups
    /// are expanded.
    pub(super) paths: Vec<(usize, Vec<String>)>,
    /// The names that `use` declarations bring into scope, and their paths.
    pub(super) names: Vec<(String, Vec<String>)>,
    /// Child modules in files of their own that exist only in tests.
    pub(super) test_modules: Vec<String>,
}

impl Imports {
    /// Items under `#[cfg(test)]` are left out.
    pub(super) fn parse(text: &str) -> Result<Imports, LexError> {
        let mut imports = Imports::default();
        imports.read(text.parse()?);
        Ok(imports)
    }

    /// Reads the tokens of a file or of a group.
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = &tokens[..];
        while let [first, after @ ..] = rest {
            rest = match (first, after) {
                (TokenTree::Punct(_), [TokenTree::Group(attribute), after @ ..])
                    if attribute.stream().to_string().replace(' ', "") == "cfg(test)" =>
                {
                    self.skip_test_item(after)
                }
                (TokenTree::Group(group), _) => {
                    self.read(group.stream());
                    after
                }
                // `pub(crate)` and `pub(in crate::a)` import nothing.
                (TokenTree::Ident(word), [TokenTree::Group(group), after @ ..])
                    if word == "pub" && group.delimiter() == Delimiter::Parenthesis =>
                {
                    after
                }
                // Not the `use<'a>` of a type.
                (TokenTree::Ident(word), [next, ..]) if word == "use" && !is(next, '<') => {
                    let end = after.iter().position(|token| is(token, ';')).unwrap_or(after.len());
                    self.declare(&after[..end]);
                    &after[end..]
                }
                (TokenTree::Ident(word), [colon, ..]) if is_keyword(word) && is(colon, ':') => {
                    self.add_path(rest)
                }
                _ => after,
            };
        }
    }

    /// Skips the item that follows `#[cfg(test)]`.
    fn skip_test_item<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        let is_brace = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let mut before_brace = tokens.iter().take_while(|token| !is_brace(token));
        // A `use` declaration ends after its braces.
        let is_use = before_brace.any(|token| token.to_string() == "use");
        let is_end = |token: &TokenTree| is(token, ';') || is_brace(token) && !is_use;
        let end = tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1);
        if let [.., keyword, name, semicolon] = &tokens[..end]
            && keyword.to_string() == "mod"
            && is(semicolon, ';')
        {
            self.test_modules.push(name.to_string());
        }
        &tokens[end..]
    }

    /// Records the paths and names of a `use` declaration.
    fn declare(&mut self, tokens: &[TokenTree]) {
        let mut leaves = vec![];
        expand(tokens, &[], &mut leaves);
        for (path, alias) in leaves {
            if path.first().is_some_and(is_keyword) {
                self.paths.push((line(&tokens[0]), path.clone()));
            }
            if let Some(name) = alias.or_else(|| path.last().cloned()) {
                self.names.push((name, path));
            }
        }
    }

    /// Records the path that the tokens begin with, and returns the tokens after it.
    fn add_path<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        let mut path = vec![tokens[0].to_string()];
        let mut rest = &tokens[1..];
        while let [colon, _, TokenTree::Ident(name), after @ ..] = rest
            && is(colon, ':')
        {
            path.push(name.to_string());
            rest = after;
        }
        self.paths.push((line(&tokens[0]), path));
        rest
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn is_keyword(word: &impl ToString) -> bool {
    matches!(word.to_string().as_str(), "crate" | "self" | "super")
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

/// Expands the use trees of a declaration or a group: the path of each leaf and the name after `as`.
fn expand(
    tokens: &[TokenTree],
    prefix: &[String],
    leaves: &mut Vec<(Vec<String>, Option<String>)>,
) {
    for tree in tokens.split(|token| is(token, ',')).filter(|tree| !tree.is_empty()) {
        let (mut path, mut alias) = (prefix.to_vec(), None);
        let mut tokens = tree.iter();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    alias = tokens.next().map(ToString::to_string);
                }
                // `a::{self, b}`.
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                // A glob brings no name that is known here.
                token if is(token, '*') => alias = Some("*".to_owned()),
                _ => {}
            }
        }
        match tree.last() {
            Some(TokenTree::Group(group)) => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                expand(&tokens, &path, leaves);
            }
            _ => leaves.push((path, alias)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(usize, &str)]) {
        let paths = Imports::parse(text).unwrap().paths;
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
        assert_eq!(
            Imports::parse("#[cfg(test)]\nmod tests;\nmod a;\n").unwrap().test_modules,
            ["tests"]
        );
    }

    #[test]
    fn names_are_those_after_as() {
        let names = Imports::parse("pub use a::{B, C as D, self};\n").unwrap().names;
        let names: Vec<_> = names.iter().map(|(name, path)| (&name[..], path.join("::"))).collect();
        let expect = [("B", "a::B"), ("D", "a::C"), ("a", "a")];
        assert_eq!(names, expect.map(|(name, path)| (name, path.to_owned())));
    }
}
