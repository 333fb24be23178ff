//! Clients that send requests of all kinds, valid and invalid, and clients that disconnect, send half a
//! request, send random bytes or read slowly. Every response is compared with the library's result.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use npuzzle::format::{self, Format};
use npuzzle::{
    Board, Dims, Goal, Instance, Limits, Metric, Moves, Options, Random, Report, TableSize, Tables,
};
use serde_json::{Value, json};

/// Longer than any response takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A board whose search takes minutes on any machine.
const ENDLESS: &str = "0 24 23 22 21/20 19 18 17 16/15 14 13 12 11/10 9 8 7 6/5 4 3 2 1";

/// The outcomes of all actions.
#[derive(Default, Debug)]
pub(crate) struct SoakCounts {
    /// The number of correct responses and of faults, by the name of the action.
    pub(crate) actions: BTreeMap<&'static str, u64>,
    /// The number of requests refused with status 503.
    pub(crate) n_refused: u64,
    /// Wrong or missing responses.
    pub(crate) wrong: Vec<String>,
}

impl SoakCounts {
    fn add(&mut self, name: &'static str, outcome: Outcome) {
        match outcome {
            Ok(Success::Correct) => *self.actions.entry(name).or_default() += 1,
            Ok(Success::Refused) => self.n_refused += 1,
            Err(message) => self.wrong.push(format!("{name}: {message}")),
        }
    }

    fn merge(&mut self, other: SoakCounts) {
        for (name, n) in other.actions {
            *self.actions.entry(name).or_default() += n;
        }
        self.n_refused += other.n_refused;
        self.wrong.extend(other.wrong);
    }
}

enum Success {
    Correct,
    Refused,
}

/// The outcome of an action; the error describes a wrong response.
type Outcome = Result<Success, String>;

type Action = fn(&mut Client) -> Outcome;

/// All actions, which are chosen with equal probability.
const ACTIONS: [(&str, Action); 16] = [
    ("small boards", Client::solve_small),
    ("small boards in mtm", Client::solve_mtm),
    ("15-puzzles", Client::solve_fifteen),
    ("large boards", Client::solve_large),
    ("generated", Client::generate),
    ("read", Client::read),
    ("analysed", Client::analyse),
    ("checked", Client::check),
    ("traced", Client::trace),
    ("drawn", Client::render),
    ("events", Client::stream),
    ("invalid requests", Client::invalid),
    ("fault: disconnect", Client::disconnect),
    ("fault: half a request", Client::half_request),
    ("fault: random bytes", Client::random_bytes),
    ("fault: slow reader", Client::read_slowly),
];

/// Runs clients that perform one random action after another for `time`.
pub(crate) fn soak(server: SocketAddr, n_clients: u64, time: Duration) -> SoakCounts {
    let started = Instant::now();
    let mut all = SoakCounts::default();
    std::thread::scope(|scope| {
        let run = |number: u64| {
            let random = Random::new(5_000 + number);
            let mut client = Client { server, random, tables: Tables::new() };
            let mut tally = SoakCounts::default();
            while started.elapsed() < time {
                let (name, action) = ACTIONS[client.random.below(ACTIONS.len() as u64) as usize];
                tally.add(name, action(&mut client));
            }
            tally
        };
        let clients: Vec<_> =
            (0..n_clients).map(|number| scope.spawn(move || run(number))).collect();
        for client in clients {
            all.merge(client.join().expect("clients do not panic"));
        }
    });
    all
}

struct Client {
    server: SocketAddr,
    random: Random,
    /// The library's tables, kept between actions.
    tables: Tables,
}

impl Client {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len() as u64) as usize]
    }

    /// Returns a random instance of one of these sizes, solvable or not, with a named goal.
    fn instance(&mut self, sizes: &[&str]) -> Instance {
        let dims: Dims = self.pick(sizes).parse().expect("a size");
        let goal = [Goal::Last, Goal::First, Goal::Snail][self.random.below(3) as usize].clone();
        let goal = goal.board(dims).expect("named goals fit");
        let is_solvable = self.random.below(8) > 0;
        self.random.instance(&goal, is_solvable)
    }

    fn solve_small(&mut self) -> Outcome {
        self.solve(&["2x2", "2x3", "3x2", "2x4", "3x3", "2x5"], Metric::Stm)
    }

    fn solve_mtm(&mut self) -> Outcome {
        self.solve(&["2x2", "2x4", "3x3"], Metric::Mtm)
    }

    fn solve(&mut self, sizes: &[&str], metric: Metric) -> Outcome {
        let instance = self.instance(sizes);
        let options = Options { metric, ..Options::default() };
        let expected = self.expected(&options, &instance);
        let mut request = request_body(&instance);
        request["metric"] = json!(metric.to_string());
        let Some(response) = self.request("/api/v1/solve", &request)? else {
            return Ok(Success::Refused);
        };
        let Some(length) = expected.upper_bound() else {
            return expect(response["status"] == "unsolvable", &response);
        };
        let moves = replayed(&instance, &response)?;
        expect(response["optimal"] == true && moves.len(metric) == length as usize, &response)
    }

    fn solve_fifteen(&mut self) -> Outcome {
        let goal = Goal::Last.board("4x4".parse().expect("a size")).expect("named goals fit");
        let instance = Instance::from(self.random.walk(&goal, 60));
        // Without limits the library finds the length even on a busy machine.
        let options =
            Options { limits: Limits::NONE, tables: TableSize::Small, ..Options::default() };
        let expected = self.expected(&options, &instance);
        let response = self.request("/api/v1/solve", &request_body(&instance))?;
        let Some(response) = response else { return Ok(Success::Refused) };
        let n_moves = replayed(&instance, &response)?.stm();
        expect(
            expected.upper_bound() == Some(n_moves as u32) && response["optimal"] == true,
            &response,
        )
    }

    fn solve_large(&mut self) -> Outcome {
        let instance = self.instance(&["5x5", "4x7", "9x9", "20x20"]);
        let mut request = request_body(&instance);
        request["time_ms"] = json!(300);
        let Some(response) = self.request("/api/v1/solve", &request)? else {
            return Ok(Success::Refused);
        };
        if !instance.is_solvable() {
            return expect(response["status"] == "unsolvable", &response);
        }
        // A busy machine may find no solution within the time limit.
        if response["solution"].is_null() {
            return expect(response["status"] == "limit", &response);
        }
        let n_moves = replayed(&instance, &response)?.stm() as u64;
        expect(response["lower_bound"].as_u64().is_some_and(|bound| bound <= n_moves), &response)
    }

    fn generate(&mut self) -> Outcome {
        let seed = self.random.below(1 << 40);
        let (rows, cols) = (2 + self.random.below(5), 2 + self.random.below(5));
        let request = json!({"rows": rows, "cols": cols, "seed": seed, "count": 3});
        let first = self.request("/api/v1/generate", &request)?;
        let second = self.request("/api/v1/generate", &request)?;
        let (Some(first), Some(second)) = (first, second) else { return Ok(Success::Refused) };
        let n_boards = first["boards"].as_array().map(Vec::len);
        expect(first == second && n_boards == Some(3), &first)
    }

    fn read(&mut self) -> Outcome {
        let board = self.instance(&["2x2", "3x3", "4x4", "5x3"]).start().clone();
        let format = Format::ALL[self.random.below(Format::ALL.len() as u64) as usize];
        let Ok(text) = format::write(&board, None, format) else { return Ok(Success::Correct) };
        let response = self.request("/api/v1/read", &json!({"text": text}))?;
        let Some(response) = response else { return Ok(Success::Refused) };
        expect(response["boards"][0]["slash"] == board.slash().to_string(), &response)
    }

    fn analyse(&mut self) -> Outcome {
        let instance = self.instance(&["2x3", "3x3"]);
        let expected = self.expected(&Options::default(), &instance);
        let Some(response) = self.request("/api/v1/analyse", &request_body(&instance))? else {
            return Ok(Success::Refused);
        };
        let distance = response["distance"].as_u64();
        expect(distance == expected.upper_bound().map(u64::from), &response)
    }

    fn check(&mut self) -> Outcome {
        let instance = self.instance(&["2x3", "3x3"]);
        let expected = self.expected(&Options::default(), &instance);
        let Some(moves) = expected.moves().filter(|moves| !moves.is_empty()) else {
            return Ok(Success::Correct);
        };
        let is_longer = self.random.below(2) == 0;
        let mut solution = moves.to_string();
        if is_longer {
            let slide = instance.start().slides().next().expect("every board has a move");
            let (there, back) = (slide.letter(), slide.opposite().letter());
            solution = format!("{there} {back} {solution}");
        }
        let mut request = request_body(&instance);
        request["solution"] = json!(solution);
        let Some(response) = self.request("/api/v1/check", &request)? else {
            return Ok(Success::Refused);
        };
        expect(response["valid"] == true && (response["lost"] == 0) != is_longer, &response)
    }

    fn trace(&mut self) -> Outcome {
        let instance = self.instance(&["3x3", "4x4"]);
        let mut request = request_body(&instance);
        request["steps"] = json!(30);
        request["algorithm"] = json!(self.pick(&["astar", "greedy", "bfs", "ida"]));
        let Some(response) = self.request("/api/v1/trace", &request)? else {
            return Ok(Success::Refused);
        };
        let n_steps = response["steps"].as_array().map_or(0, Vec::len);
        // An unsolvable board is not searched.
        let min_steps = usize::from(instance.is_solvable());
        expect((min_steps..=30).contains(&n_steps) && response["end"].is_object(), &response["end"])
    }

    fn render(&mut self) -> Outcome {
        let board = self.instance(&["3x3", "4x4", "6x6"]).start().slash().to_string();
        let request = json!({"board": board, "format": "svg"});
        match self.exchange(&post("/api/v1/render", &request.to_string()))? {
            (503, _) => Ok(Success::Refused),
            (status, body) => {
                expect(status == 200 && body.starts_with(b"<svg "), &json!({"status": status}))
            }
        }
    }

    fn stream(&mut self) -> Outcome {
        let instance = self.instance(&["3x3", "2x5"]);
        let request = post("/api/v1/solve/stream", &request_body(&instance).to_string());
        let (status, body) = self.exchange(&request)?;
        let text = String::from_utf8_lossy(&body);
        let last = text.rsplit("event: ").next().unwrap_or_default();
        let is_refused = status == 503 || last.contains("\"busy\"");
        if is_refused {
            return Ok(Success::Refused);
        }
        let words = if instance.is_solvable() { "\"solved\"" } else { "\"unsolvable\"" };
        expect(last.starts_with("report") && last.contains(words), &json!(text))
    }

    /// Sends an invalid request and checks the status.
    fn invalid(&mut self) -> Outcome {
        let requests = [
            (post("/api/v1/solve", "{\"board\": \"1 2 3\"}"), 400),
            (post("/api/v1/solve", "{\"board\": \"1 2/3 0\", \"goul\": \"last\"}"), 400),
            (post("/api/v1/solve", "[[[[[["), 400),
            (post("/api/v1/generate", "{\"rows\": 1000000, \"cols\": 3}"), 400),
            (
                post("/api/v1/trace", &json!({"board": ENDLESS, "steps": 1_000_000}).to_string()),
                400,
            ),
            (post("/api/v1/nothing", "{}"), 404),
            (head("GET", "/../../etc/passwd", "Host: localhost\r\n"), 404),
            (head("GET", "/", "Host: rebound.example\r\n"), 403),
        ];
        let (request, expected) = &requests[self.random.below(requests.len() as u64) as usize];
        match self.exchange(request)? {
            (503, _) => Ok(Success::Refused),
            (status, body) if status == *expected => {
                let error: Value = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                expect(error["error"]["message"].is_string(), &error)
            }
            (status, _) => Err(format!("{status} instead of {expected}: {request}")),
        }
    }

    /// Requests a search that takes minutes, and disconnects.
    fn disconnect(&mut self) -> Outcome {
        let request = json!({"board": ENDLESS, "optimal": true, "tables": "small"});
        let mut stream = self.connect()?;
        let _ = stream.write_all(post("/api/v1/solve", &request.to_string()).as_bytes());
        std::thread::sleep(Duration::from_millis(self.random.below(300)));
        Ok(Success::Correct)
    }

    /// Sends a part of a request, waits, and disconnects.
    fn half_request(&mut self) -> Outcome {
        let request = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
        let n_bytes = self.random.below(request.len() as u64) as usize;
        let mut stream = self.connect()?;
        let _ = stream.write_all(&request.as_bytes()[..n_bytes]);
        std::thread::sleep(Duration::from_millis(self.random.below(300)));
        Ok(Success::Correct)
    }

    fn random_bytes(&mut self) -> Outcome {
        let bytes: Vec<u8> = (0..1000).map(|_| self.random.bits() as u8).collect();
        let mut stream = self.connect()?;
        let _ = stream.write_all(&bytes).and_then(|()| stream.write_all(b"\r\n\r\n"));
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        Ok(Success::Correct)
    }

    /// Reads a part of a response of some megabytes in small pieces, and disconnects.
    fn read_slowly(&mut self) -> Outcome {
        let request = json!({"board": ENDLESS, "algorithm": "uniform", "steps": 300});
        let mut stream = self.connect()?;
        let _ = stream.write_all(post("/api/v1/trace", &request.to_string()).as_bytes());
        let mut piece = [0; 100];
        for _ in 0..self.random.below(50) {
            if !stream.read(&mut piece).is_ok_and(|n| n > 0) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Success::Correct)
    }

    /// Returns the library's result.
    fn expected(&mut self, options: &Options, instance: &Instance) -> Report {
        options.solve_with(instance, &mut self.tables, &mut ()).expect("a plan for every board")
    }

    fn connect(&self) -> Result<TcpStream, String> {
        let stream = TcpStream::connect(self.server).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(TIMEOUT)).map_err(|error| error.to_string())?;
        Ok(stream)
    }

    /// Sends a valid request and returns its JSON, or `None` if the server refused it as busy.
    fn request(&self, path: &str, body: &Value) -> Result<Option<Value>, String> {
        match self.exchange(&post(path, &body.to_string()))? {
            (503, _) => Ok(None),
            (200, json) => serde_json::from_slice(&json).map(Some).map_err(|e| e.to_string()),
            (status, error) => Err(format!("{status} {body}: {}", String::from_utf8_lossy(&error))),
        }
    }

    /// Sends a request and returns the status and the body of the response.
    fn exchange(&self, request: &str) -> Result<(u16, Vec<u8>), String> {
        let mut stream = self.connect()?;
        let message = |error: std::io::Error| format!("{error}: {request}");
        stream.write_all(request.as_bytes()).map_err(message)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(message)?;
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.ok_or_else(|| format!("incomplete head: {request}"))?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or(head)?, bytes.split_off(end + 4)))
    }
}

fn head(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n")
}

fn post(path: &str, body: &str) -> String {
    let n_bytes = body.len();
    let headers = "Host: localhost\r\nContent-Type: application/json\r\n";
    head("POST", path, &format!("{headers}Content-Length: {n_bytes}\r\n")) + body
}

fn request_body(instance: &Instance) -> Value {
    let slash = |board: &Board| board.slash().to_string();
    json!({"board": slash(instance.start()), "goal": slash(instance.goal())})
}

fn expect(is_correct: bool, response: &Value) -> Outcome {
    if is_correct { Ok(Success::Correct) } else { Err(response.to_string()) }
}

/// Returns the solution of a response if it reaches the goal.
fn replayed(instance: &Instance, response: &Value) -> Result<Moves, String> {
    let moves: Option<Moves> = response["solution"].as_str().and_then(|text| text.parse().ok());
    let reaches_goal =
        |moves: &Moves| moves.replay(instance.start()).as_ref() == Ok(instance.goal());
    moves.filter(reaches_goal).ok_or_else(|| format!("no solution: {response}"))
}
