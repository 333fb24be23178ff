//! `npuzzle completions` and `npuzzle man`.

use std::fs;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::{Exit, Failure};
use crate::output::{self, Output};

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
    let write = |name: &str, command: &clap::Command| {
        output::write_file(&folder.join(format!("{name}.1")), &page(command)?)
    };
    write("npuzzle", &command)?;
    for verb in command.get_subcommands() {
        let name = format!("npuzzle-{}", verb.get_name());
        write(&name, &verb.clone().name(name.clone()))?;
    }
    Ok(Exit::Yes)
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let result = clap_mangen::Man::new(command.clone()).render(&mut text);
    result.map_err(|error| Failure::io("manual page", &error))?;
    Ok(text)
}
