//! The flags of `npuzzle serve`.

use std::net::IpAddr;
use std::time::Duration;

use clap::{Parser, value_parser};
use npuzzle_web::Config;

use super::CacheArgs;
use crate::io::units::{self, Bound};

/// Serve the page, and the HTTP interface behind it.
#[derive(Parser, Debug)]
#[command(after_help = "\
The address is printed when the server is ready; Ctrl-C ends it. What it answers is in docs/http.md.

Examples:
  npuzzle serve --open
  npuzzle serve --port 0
  npuzzle serve --host 0.0.0.0 --allow-host puzzles.example

Exit codes: 2 bad usage · 4 the port cannot be had · 130 interrupted")]
pub(crate) struct ServeArgs {
    /// The port; 0 for one that is free
    #[arg(long, value_name = "N", default_value_t = Config::PORT)]
    pub(crate) port: u16,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// The address to listen on; others than loopback let other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,

    /// A name by which the server may be called, besides localhost; may be given many times
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) allowed_hosts: Vec<String>,

    /// The longest time of a job
    #[arg(long, default_value = "60s", value_parser = limited_time)]
    pub(crate) time: Duration,

    /// The most memory of a job
    #[arg(long, default_value = "512M", value_parser = limited_bytes)]
    pub(crate) memory: u64,

    /// How many searches run at once, besides four that take longer than three seconds [default: as
    /// many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

/// A server without limits would not last.
fn limited<T>(bound: Result<Bound<T>, String>) -> Result<T, String> {
    bound?.at().ok_or_else(|| "a server has limits".to_owned())
}

fn limited_time(text: &str) -> Result<Duration, String> {
    limited(units::time(text))
}

fn limited_bytes(text: &str) -> Result<u64, String> {
    limited(units::bytes(text))
}
