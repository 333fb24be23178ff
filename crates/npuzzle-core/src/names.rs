//! Enums whose values have names, and how the library quotes a name that it does not know.

/// Gives every value of an enum a name: defines `ALL` and `name`, implements `Display` and `FromStr`,
/// and defines the error of `FromStr`.
macro_rules! named_values {
    (
        $type:ident is a $kind:literal: $($value:ident => $name:literal),+ $(,)?;
        $(#[$error_doc:meta])*
        $error:ident
    ) => {
        impl $type {
            /// All values.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// The name, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),+
                }
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
            type Err = $error;

            fn from_str(name: &str) -> Result<$type, $error> {
                let named = $type::ALL.into_iter().find(|value| value.name() == name);
                named.ok_or_else(|| $error { found: $crate::names::shorten(name) })
            }
        }

        $(#[$error_doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $error {
            found: String,
        }

        impl ::std::fmt::Display for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let names = $type::ALL.map($type::name).join(", ");
                write!(f, "{:?} is not a {}: expected one of {names}", self.found, $kind)
            }
        }

        impl ::std::error::Error for $error {}
    };
}

pub(crate) use named_values;

/// The first 20 characters of a word, for an error message that quotes it.
pub(crate) fn shorten(word: &str) -> String {
    const MAX_CHARS: usize = 20;
    match word.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
