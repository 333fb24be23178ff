//! Many clients that request solutions of 15-puzzles at once and check every response.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use npuzzle::search::Heuristic;
use npuzzle::search::Sliding;
use npuzzle::search::heuristic::Manhattan;
use npuzzle::{Board, Goal, Instance, Metric, Moves, Options, Random};
use serde_json::{Value, json};

/// The results of all clients.
#[derive(Default, Debug)]
pub(crate) struct LoadResults {
    /// The latencies of the correct responses, sorted.
    pub(crate) latencies: Vec<Duration>,
    /// Failed requests.
    pub(crate) errors: Vec<String>,
    /// Wrong responses.
    pub(crate) wrong: Vec<String>,
    /// The duration of the whole run.
    pub(crate) elapsed: Duration,
}

impl LoadResults {
    /// Returns a quantile of the latencies, with `share` from 0 to 1.
    pub(crate) fn quantile(&self, share: f64) -> Duration {
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    }

    /// Returns the number of correct responses per second.
    pub(crate) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// A puzzle, and the length of its shortest solutions if it is known.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    instance: Instance,
    length: Option<usize>,
}

/// Returns random 15-puzzles with their lengths, computed by the library.
pub(crate) fn known_puzzles(n: usize, seed: u64) -> Vec<Puzzle> {
    let mut random = Random::new(seed);
    let solve = |_| {
        let instance = random_puzzle(&mut random);
        let report = Options::default().solve(&instance).expect("a plan for 15-puzzles");
        let length = report.moves().map(|moves| moves.stm()).filter(|_| report.is_optimal());
        Puzzle { instance, length }
    };
    (0..n).map(solve).collect()
}

fn random_puzzle(random: &mut Random) -> Instance {
    let goal = Goal::Last.board("4x4".parse().expect("a size")).expect("named goals fit");
    random.instance(&goal, true)
}

/// Runs clients that send one request after another for `time`. Half of the puzzles are `known`:
/// their lengths must be correct. Other solutions must reach the goal, be reported as optimal, and
/// have a possible length.
pub(crate) fn run(
    server: SocketAddr,
    n_clients: usize,
    time: Duration,
    known: &[Puzzle],
) -> LoadResults {
    let started = Instant::now();
    let n_requests = AtomicUsize::new(0);
    let mut all = LoadResults::default();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..n_clients as u64)
            .map(|number| {
                let client =
                    Client { server, number, started, time, known, n_requests: &n_requests };
                let thread = std::thread::Builder::new().stack_size(256 << 10);
                thread.spawn_scoped(scope, move || client.run()).expect("a thread")
            })
            .collect();
        for client in clients {
            let results = client.join().expect("clients do not panic");
            all.latencies.extend(results.latencies);
            all.errors.extend(results.errors);
            all.wrong.extend(results.wrong);
        }
    });
    all.elapsed = started.elapsed();
    all.latencies.sort_unstable();
    all
}

struct Client<'a> {
    server: SocketAddr,
    number: u64,
    started: Instant,
    time: Duration,
    known: &'a [Puzzle],
    /// The number of requests of all clients.
    n_requests: &'a AtomicUsize,
}

impl Client<'_> {
    fn run(self) -> LoadResults {
        let mut results = LoadResults::default();
        let mut random = Random::new(1_000 + self.number);
        let mut stream = None;
        while self.started.elapsed() < self.time {
            let next = self.n_requests.fetch_add(1, Ordering::Relaxed);
            let puzzle = match self.known.get(next / 2 % self.known.len().max(1)) {
                Some(puzzle) if next.is_multiple_of(2) => puzzle.clone(),
                _ => Puzzle { instance: random_puzzle(&mut random), length: None },
            };
            let sent = Instant::now();
            match solve(self.server, &mut stream, puzzle.instance.start()) {
                Ok(response) => match puzzle.mistake(&response) {
                    None => results.latencies.push(sent.elapsed()),
                    Some(mistake) => results.wrong.push(mistake),
                },
                Err(error) => {
                    results.errors.push(error);
                    stream = None;
                }
            }
        }
        results
    }
}

/// Sends a request over a persistent connection and returns the JSON of the response.
pub(crate) fn solve(
    server: SocketAddr,
    stream: &mut Option<BufReader<TcpStream>>,
    board: &Board,
) -> Result<Value, String> {
    let message = |error: std::io::Error| error.to_string();
    let reader = match stream {
        Some(reader) => reader,
        None => {
            let connected = TcpStream::connect(server).map_err(message)?;
            connected.set_nodelay(true).map_err(message)?;
            stream.insert(BufReader::new(connected))
        }
    };
    let body = json!({"board": board.slash().to_string()}).to_string();
    let request = format!(
        "POST /api/v1/solve HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    reader.get_mut().write_all(request.as_bytes()).map_err(message)?;
    let (mut head, mut n_bytes) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let line_start = head.len();
        if reader.read_line(&mut head).map_err(message)? == 0 {
            return Err("the connection was closed".to_owned());
        }
        let line = head[line_start..].to_lowercase();
        if let Some(length) = line.strip_prefix("content-length:") {
            n_bytes = length.trim().parse().unwrap_or(0);
        }
    }
    let mut bytes = vec![0; n_bytes];
    reader.read_exact(&mut bytes).map_err(message)?;
    let body = String::from_utf8_lossy(&bytes).into_owned();
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(body);
    }
    serde_json::from_str(&body).map_err(|error| error.to_string())
}

impl Puzzle {
    /// Describes what is wrong with a response, if anything.
    fn mistake(&self, response: &Value) -> Option<String> {
        let (start, goal) = (self.instance.start(), self.instance.goal());
        let mistake = |what: &str| Some(format!("{}: {what}: {response}", start.slash()));
        let Some(moves) = response["solution"].as_str().and_then(|text| text.parse::<Moves>().ok())
        else {
            return mistake("no solution");
        };
        if moves.replay(start).as_ref() != Ok(goal) {
            return mistake("not a solution");
        }
        let length = moves.len(Metric::Stm);
        if response["optimal"] != true || response["moves"] != length {
            return mistake("not reported as optimal");
        }
        let manhattan = Manhattan::new(goal);
        let memo = Heuristic::<Sliding<Board>>::eval(&manhattan, start);
        let lower_bound = Heuristic::<Sliding<Board>>::value(&manhattan, &memo) as usize;
        // Every 15-puzzle has a solution of at most 80 moves (Brüngger et al. 1999).
        if !(lower_bound..=80).contains(&length) || length % 2 != parity(start, goal) {
            return mistake("impossible length");
        }
        self.length.filter(|&known| known != length).and_then(|_| mistake("not the shortest"))
    }
}

/// Returns the parity of the length of all solutions, which is that of the blank's path.
fn parity(start: &Board, goal: &Board) -> usize {
    let n_cols = start.dims().cols();
    let color = |board: &Board| {
        let cell = board.blank().index();
        (cell / n_cols + cell % n_cols) % 2
    };
    (color(start) + color(goal)) % 2
}
