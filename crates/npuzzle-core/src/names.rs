//! Enums whose values have names, and the error for an unknown name.

use std::error::Error;
use std::fmt;

/// Declares an enum with a name for each variant: `ALL`, `name`, `Display` and `FromStr`. `FromStr` accepts
/// aliases, too. Not part of the public API.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $what:literal
        $(#[$meta:meta])*
        pub enum $type:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)+
        }
        $(aliases { $($alias:literal = $aliased:ident),+ })?
    ) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $type {
            /// All values.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// Further names that `FromStr` accepts.
            pub const ALIASES: &'static [(&'static str, $type)] =
                &[$($(($alias, $type::$aliased)),+)?];

            /// The name, in lower case.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        /// Writes the name.
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        /// Reads a name.
        impl ::std::str::FromStr for $type {
            type Err = $crate::NameError;

            fn from_str(text: &str) -> Result<$type, $crate::NameError> {
                match text {
                    $($name => Ok($type::$variant),)+
                    $($($alias => Ok($type::$aliased),)+)?
                    _ => Err($crate::NameError::new(text, $what, &[$($name),+])),
                }
            }
        }
    };
}

/// The error for a name that is not a value of an enum.
///
/// ```
/// let error = "qtm".parse::<npuzzle_core::Metric>().unwrap_err();
/// assert_eq!(error.to_string(), r#""qtm" is not a metric: expected one of stm, mtm"#);
/// let error = "-".repeat(1000).parse::<npuzzle_core::Notation>().unwrap_err();
/// assert!(error.to_string().starts_with("\"--------------------…\" is not a notation"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameError {
    found: String,
    what: &'static str,
    names: &'static [&'static str],
    /// Further values that are allowed.
    others: &'static str,
}

impl NameError {
    #[doc(hidden)]
    pub fn new(found: &str, what: &'static str, names: &'static [&'static str]) -> NameError {
        NameError { found: shorten(found), what, names, others: "" }
    }

    /// The same error with further values that are allowed. Not part of the public API.
    #[doc(hidden)]
    pub fn with_others(self, others: &'static str) -> NameError {
        NameError { others, ..self }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NameError { found, what, others, .. } = self;
        write!(f, "{found:?} is not {what}: expected one of {}{others}", self.names.join(", "))
    }
}

impl Error for NameError {}

/// The first 20 characters of a word, for an error message that quotes it.
pub(crate) fn shorten(word: &str) -> String {
    const MAX_CHARS: usize = 20;
    match word.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
