//! Many clients who solve 15-puzzles at once, and check every answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use npuzzle::search::Heuristic;
use npuzzle::search::Sliding;
use npuzzle::search::heuristic::Manhattan;
use npuzzle::{Board, Goal, Instance, Metric, Moves, Options, Random};
use serde_json::{Value, json};

/// What came of it.
#[derive(Default, Debug)]
pub(crate) struct Figures {
    /// How long the right answers took, sorted.
    pub(crate) times: Vec<Duration>,
    /// What went wrong, in words.
    pub(crate) errors: Vec<String>,
    /// Answers that are not true.
    pub(crate) wrong: Vec<String>,
    /// All the time.
    pub(crate) elapsed: Duration,
}

impl Figures {
    /// The time within which this share of the answers came.
    pub(crate) fn within(&self, share: f64) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    }

    /// Answers in a second.
    pub(crate) fn rate(&self) -> f64 {
        self.times.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// A puzzle, and the length of its shortest solutions if it was found out before.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    instance: Instance,
    length: Option<usize>,
}

/// Random 15-puzzles whose lengths are found out by the library.
pub(crate) fn known_puzzles(n: usize, seed: u64) -> Vec<Puzzle> {
    let mut random = Random::new(seed);
    let solved = |_| {
        let instance = random_puzzle(&mut random);
        let report = Options::default().solve(&instance).expect("a plan for 15-puzzles");
        let length = report.moves().map(|moves| moves.stm()).filter(|_| report.is_optimal());
        Puzzle { instance, length }
    };
    (0..n).map(solved).collect()
}

fn random_puzzle(random: &mut Random) -> Instance {
    let goal = Goal::Last.board("4x4".parse().expect("a size")).expect("named goals fit");
    random.instance(&goal, true)
}

/// Lets clients ask one question after the other for so long. Half of the puzzles are known ones,
/// whose lengths must be right; of the others, solutions must lead to the goal, be called shortest,
/// and not be shorter than can be.
pub(crate) fn crowd(
    server: SocketAddr,
    n_clients: usize,
    time: Duration,
    known: &[Puzzle],
) -> Figures {
    let begun = Instant::now();
    let asked = AtomicUsize::new(0);
    let mut all = Figures::default();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..n_clients as u64)
            .map(|number| {
                let client = Client { server, number, begun, time, known, asked: &asked };
                let thread = std::thread::Builder::new().stack_size(256 << 10);
                thread.spawn_scoped(scope, move || client.run()).expect("a thread")
            })
            .collect();
        for client in clients {
            let figures = client.join().expect("clients do not panic");
            all.times.extend(figures.times);
            all.errors.extend(figures.errors);
            all.wrong.extend(figures.wrong);
        }
    });
    all.elapsed = begun.elapsed();
    all.times.sort_unstable();
    all
}

struct Client<'a> {
    server: SocketAddr,
    number: u64,
    begun: Instant,
    time: Duration,
    known: &'a [Puzzle],
    asked: &'a AtomicUsize,
}

impl Client<'_> {
    fn run(self) -> Figures {
        let mut figures = Figures::default();
        let mut random = Random::new(1_000 + self.number);
        let mut stream = None;
        while self.begun.elapsed() < self.time {
            let next = self.asked.fetch_add(1, Ordering::Relaxed);
            let puzzle = match self.known.get(next / 2 % self.known.len().max(1)) {
                Some(puzzle) if next.is_multiple_of(2) => puzzle.clone(),
                _ => Puzzle { instance: random_puzzle(&mut random), length: None },
            };
            let asked = Instant::now();
            match ask(self.server, &mut stream, puzzle.instance.start()) {
                Ok(answer) => match puzzle.mistake(&answer) {
                    None => figures.times.push(asked.elapsed()),
                    Some(mistake) => figures.wrong.push(mistake),
                },
                Err(error) => {
                    figures.errors.push(error);
                    stream = None;
                }
            }
        }
        figures
    }
}

/// Asks over a connection that stays open.
fn ask(
    server: SocketAddr,
    stream: &mut Option<BufReader<TcpStream>>,
    board: &Board,
) -> Result<Value, String> {
    let told = |error: std::io::Error| error.to_string();
    let reader = match stream {
        Some(reader) => reader,
        None => {
            let connected = TcpStream::connect(server).map_err(told)?;
            connected.set_nodelay(true).map_err(told)?;
            stream.insert(BufReader::new(connected))
        }
    };
    let body = json!({"board": board.slash().to_string()}).to_string();
    let request = format!(
        "POST /api/v1/solve HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    reader.get_mut().write_all(request.as_bytes()).map_err(told)?;
    let (mut head, mut n_bytes) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") {
        let begins = head.len();
        if reader.read_line(&mut head).map_err(told)? == 0 {
            return Err("the connection was closed".to_owned());
        }
        let line = head[begins..].to_lowercase();
        if let Some(length) = line.strip_prefix("content-length:") {
            n_bytes = length.trim().parse().unwrap_or(0);
        }
    }
    let mut bytes = vec![0; n_bytes];
    reader.read_exact(&mut bytes).map_err(told)?;
    let answer = String::from_utf8_lossy(&bytes).into_owned();
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(answer);
    }
    serde_json::from_str(&answer).map_err(|error| error.to_string())
}

impl Puzzle {
    /// What is not true of an answer.
    fn mistake(&self, answer: &Value) -> Option<String> {
        let (start, goal) = (self.instance.start(), self.instance.goal());
        let told = |what: &str| Some(format!("{}: {what}: {answer}", start.slash()));
        let Some(moves) = answer["solution"].as_str().and_then(|text| text.parse::<Moves>().ok())
        else {
            return told("no solution");
        };
        if moves.replay(start).as_ref() != Ok(goal) {
            return told("not a solution");
        }
        let length = moves.len(Metric::Stm);
        if answer["optimal"] != true || answer["moves"] != length {
            return told("not called shortest");
        }
        let manhattan = Manhattan::new(goal);
        let memo = Heuristic::<Sliding<Board>>::eval(&manhattan, start);
        let least = Heuristic::<Sliding<Board>>::value(&manhattan, &memo) as usize;
        // More than 80 moves no 15-puzzle needs (Brüngger and others, 1999).
        if !(least..=80).contains(&length) || length % 2 != parity(start, goal) {
            return told("not a length");
        }
        self.length.filter(|&known| known != length).and_then(|_| told("not the shortest"))
    }
}

/// Whether solutions have an even or an odd number of moves: as the blank's way has.
fn parity(start: &Board, goal: &Board) -> usize {
    let n_cols = start.dims().cols();
    let colour = |board: &Board| {
        let cell = board.blank().index();
        (cell / n_cols + cell % n_cols) % 2
    };
    (colour(start) + colour(goal)) % 2
}
