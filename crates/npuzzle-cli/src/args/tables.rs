//! The flags of `npuzzle tables`.

use clap::{Parser, Subcommand};

use super::groups::{TablesFolderArg, ThreadsArg};

/// List, build, verify and remove stored tables.
#[derive(Parser, Debug)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
Exit codes: 0 done · 1 a table is damaged, or named and missing (verify) · 2 bad usage or an unknown \
name · 4 the folder cannot be read or written · 130 interrupted"
)]
pub(crate) struct TablesArgs {
    #[command(flatten)]
    pub(crate) folder: TablesFolderArg,

    #[command(subcommand)]
    pub(crate) command: TablesCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// List all tables: state, size and purpose
    List {
        /// Print one JSON object per table and line
        #[arg(long)]
        json: bool,
    },
    /// Build tables that are missing or damaged
    Build {
        /// Names of tables, or all
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,

        #[command(flatten)]
        threads: ThreadsArg,
    },
    /// Check stored tables: their checksums, and with --deep every entry
    #[command(mut_arg("threads", |arg| arg.requires("deep")))]
    Verify {
        /// Names of tables, or all [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,

        /// Also recompute and compare every entry; takes longer than building the table, and up to 3 GB
        #[arg(long)]
        deep: bool,

        #[command(flatten)]
        threads: ThreadsArg,
    },
    /// Remove stored tables
    Remove {
        /// Names of tables, or all
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}
