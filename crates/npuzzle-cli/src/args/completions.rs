//! The flags of `npuzzle completions` and `npuzzle man`.

use std::path::PathBuf;

use clap::Parser;

/// Print a shell completion script.
#[derive(Parser, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page, or write the pages of all commands to a folder.
#[derive(Parser, Debug)]
pub(crate) struct ManArgs {
    /// Write npuzzle.1, npuzzle-solve.1, … to this folder
    #[arg(short, long = "out", value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}
