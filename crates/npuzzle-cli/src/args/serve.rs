//! The flags of `npuzzle serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Parser;
use npuzzle_web::{Config, PageAddress, SiteOrigin};

use super::groups::CacheArgs;
use super::values;
use crate::io::units::{self, Bound};

/// Serve the web page and its HTTP API.
#[derive(Parser, Debug)]
#[command(after_help = "\
The server prints its address when it is ready; Ctrl-C ends it. docs/http.md describes the API.

Examples:
  npuzzle serve --open
  npuzzle serve --port 0
  npuzzle serve --host 0.0.0.0 --allow-host puzzles.example
  npuzzle serve --allow-origin https://course.example

Exit codes: 2 bad usage · 4 the port is not available · 130 interrupted")]
pub(crate) struct ServeArgs {
    /// Port; 0 selects a free one
    #[arg(long, value_name = "N", default_value_t = Config::PORT, value_parser = values::number::<u16>(0..=u16::MAX))]
    pub(crate) port: u16,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Address to listen on; any address but loopback lets other machines connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    pub(crate) host: IpAddr,

    /// Accept requests for this host name, in addition to localhost; may be repeated
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) allowed_hosts: Vec<String>,

    /// Let pages of this site send requests and embed the page, such as https://example.org; may be repeated
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) allowed_origins: Vec<SiteOrigin>,

    /// Address of the static page, for links that other people can open
    #[arg(long, value_name = "URL")]
    pub(crate) public_address: Option<PageAddress>,

    /// Time limit of a job
    #[arg(long, default_value = "60s", value_parser = limited_time)]
    pub(crate) time: Duration,

    /// Memory limit of a job
    #[arg(long, default_value = "512M", value_parser = limited_bytes)]
    pub(crate) memory: u64,

    /// Number of concurrent searches of easy boards; other searches have slots of their own
    /// [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = values::number(1_u16..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

fn address(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    text.parse()
        .map_err(|_| "expected localhost or an IP address such as 0.0.0.0 or ::1".to_owned())
}

/// Rejects `none`: without limits a single request could exhaust the server.
fn limited<T>(bound: Result<Bound<T>, String>) -> Result<T, String> {
    bound?.ok_or_else(|| "a server needs a limit".to_owned())
}

fn limited_time(text: &str) -> Result<Duration, String> {
    limited(units::time(text))
}

fn limited_bytes(text: &str) -> Result<u64, String> {
    limited(units::bytes(text))
}
