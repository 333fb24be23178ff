//! `npuzzle completions` and `npuzzle man`.

use std::fs;
use std::path::Path;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::{Exit, Failure};
use crate::io::output::{self, Output};

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "npuzzle", &mut script);
    Output::open(None)?.write(&script)?;
    Ok(Exit::Yes)
}

pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let command = Args::command();
    let Some(folder) = &args.out else {
        Output::open(None)?.write(&page(&command)?)?;
        return Ok(Exit::Yes);
    };
    fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
    write_pages(folder, &command)?;
    Ok(Exit::Yes)
}

/// Writes the page of a command and the pages of its subcommands, such as `npuzzle-course-umbc.1`.
fn write_pages(folder: &Path, command: &clap::Command) -> Result<(), Failure> {
    let name = command.get_name();
    output::write_file(&folder.join(format!("{name}.1")), &page(command)?)?;
    for subcommand in command.get_subcommands() {
        let full_name = format!("{name}-{}", subcommand.get_name());
        let usage = full_name.replace('-', " ");
        let subcommand = subcommand.clone().name(full_name).bin_name(usage);
        // The page shows the version, but only the program has the flag.
        let subcommand = subcommand.version(env!("CARGO_PKG_VERSION"));
        let mut subcommand = subcommand.disable_version_flag(true);
        // Adds the deferred arguments.
        subcommand.build();
        write_pages(folder, &subcommand)?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let result = clap_mangen::Man::new(command.clone()).render(&mut text);
    result.map_err(|error| Failure::io("manual page", &error))?;
    Ok(text)
}
