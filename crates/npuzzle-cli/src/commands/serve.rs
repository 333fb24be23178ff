//! `npuzzle serve`: the web page and its HTTP API.

use npuzzle_web::{Config, RequestLimits, Server, ServerLimits, ShutdownSignal};

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::io::signals;
use crate::messages;

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    let server = Server::bind(config(args)).map_err(|error| unavailable(args, &error))?;
    let address = server.address();
    if !address.ip().is_loopback() {
        messages::warning(format!(
            "anyone who can reach {address} can use this server, and its time and memory"
        ));
    }
    let url = format!("http://{address}/");
    Output::open(None)?.write(format!("{url}\n").as_bytes())?;
    if args.open
        && let Err(error) = open::that_detached(&url)
    {
        messages::warning(format!("cannot open a browser: {error}"));
    }
    let ended = server.run_until_signal(signals::is_hang_up_ignored());
    match ended.map_err(|error| Failure::io("serve", &error))? {
        ShutdownSignal::Interrupt => Ok(Exit::Interrupted),
        // A service manager counts other codes as failures.
        ShutdownSignal::Terminate => Ok(Exit::Yes),
    }
}

fn config(args: &ServeArgs) -> Config {
    let request =
        RequestLimits { max_time: args.time, max_memory: args.memory, ..RequestLimits::default() };
    let limits = ServerLimits { request, ..ServerLimits::default() };
    Config {
        host: args.host,
        port: args.port,
        allowed_hosts: args.allowed_hosts.clone(),
        allowed_origins: args.allowed_origins.clone(),
        public_address: args.public_address.clone(),
        store: args.cache.store(),
        limits: ServerLimits { jobs: args.jobs.map_or(limits.jobs, usize::from), ..limits },
    }
}

fn unavailable(args: &ServeArgs, error: &std::io::Error) -> Failure {
    let (host, port) = (args.host, args.port);
    let failure = Failure::io(std::net::SocketAddr::new(host, port), error);
    match error.kind() {
        std::io::ErrorKind::AddrInUse => failure.with_suffix(" (--port 0 selects a free port)"),
        _ => failure,
    }
}
