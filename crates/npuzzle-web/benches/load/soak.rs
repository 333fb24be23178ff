//! Clients who ask for all kinds of things, right and wrong, and others who leave, stop half way, talk
//! nonsense or take their answers in drops. Every answer is compared with what the library says.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use npuzzle::format::{self, Format};
use npuzzle::{
    Board, Dims, Goal, Instance, Limits, Metric, Moves, Options, Random, Report, TableSize, Tables,
};
use serde_json::{Value, json};

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Takes minutes, whatever the machine.
const ENDLESS: &str = "0 24 23 22 21/20 19 18 17 16/15 14 13 12 11/10 9 8 7 6/5 4 3 2 1";

/// What came of it.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    /// Right answers by what was asked, and faults by what was done.
    pub(crate) acts: BTreeMap<&'static str, u64>,
    /// Questions that were told to come again.
    pub(crate) n_refused: u64,
    /// Answers that are not true, or none, in words.
    pub(crate) wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &'static str, outcome: Outcome) {
        match outcome {
            Ok(Done::Right) => *self.acts.entry(name).or_default() += 1,
            Ok(Done::Refused) => self.n_refused += 1,
            Err(what) => self.wrong.push(format!("{name}: {what}")),
        }
    }

    fn merge(&mut self, other: Tally) {
        for (name, n) in other.acts {
            *self.acts.entry(name).or_default() += n;
        }
        self.n_refused += other.n_refused;
        self.wrong.extend(other.wrong);
    }
}

enum Done {
    Right,
    Refused,
}

/// How an act went; an error says what is wrong with the answer.
type Outcome = Result<Done, String>;

/// Something that somebody may do.
type Act = fn(&mut Client) -> Outcome;

/// All of it, each as often.
const ACTS: [(&str, Act); 16] = [
    ("small boards", Client::solve_small),
    ("small boards in runs", Client::solve_runs),
    ("15-puzzles", Client::solve_fifteen),
    ("large boards", Client::solve_large),
    ("generated", Client::generate),
    ("read", Client::read),
    ("analysed", Client::analyse),
    ("checked", Client::check),
    ("traced", Client::trace),
    ("drawn", Client::render),
    ("events", Client::stream),
    ("bad questions", Client::bad),
    ("fault: left", Client::leave),
    ("fault: half a question", Client::half),
    ("fault: nonsense", Client::nonsense),
    ("fault: in drops", Client::drops),
];

/// Lets clients do one thing after the other for so long.
pub(crate) fn soak(server: SocketAddr, n_clients: u64, time: Duration) -> Tally {
    let begun = Instant::now();
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let run = |number: u64| {
            let random = Random::new(5_000 + number);
            let mut client = Client { server, random, tables: Tables::new() };
            let mut tally = Tally::default();
            while begun.elapsed() < time {
                let (name, act) = ACTS[client.random.below(ACTS.len() as u64) as usize];
                tally.add(name, act(&mut client));
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
    /// What the library knows, kept from question to question.
    tables: Tables,
}

impl Client {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len() as u64) as usize]
    }

    /// A random board of one of these sizes, solvable or not, and one of the goals with names.
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

    fn solve_runs(&mut self) -> Outcome {
        self.solve(&["2x2", "2x4", "3x3"], Metric::Mtm)
    }

    fn solve(&mut self, sizes: &[&str], metric: Metric) -> Outcome {
        let instance = self.instance(sizes);
        let options = Options { metric, ..Options::default() };
        let known = self.known(&options, &instance);
        let mut question = asked(&instance);
        question["metric"] = json!(metric.to_string());
        let Some(answer) = self.ask("/api/v1/solve", &question)? else { return Ok(Done::Refused) };
        let Some(length) = known.upper_bound() else {
            return expect(answer["status"] == "unsolvable", &answer);
        };
        let moves = replayed(&instance, &answer)?;
        expect(answer["optimal"] == true && moves.len(metric) == length as usize, &answer)
    }

    fn solve_fifteen(&mut self) -> Outcome {
        let goal = Goal::Last.board("4x4".parse().expect("a size")).expect("named goals fit");
        let instance = Instance::from(self.random.walk(&goal, 60));
        // Whatever the machine is busy with, this is known in the end.
        let options =
            Options { limits: Limits::NONE, tables: TableSize::Small, ..Options::default() };
        let known = self.known(&options, &instance);
        let answer = self.ask("/api/v1/solve", &asked(&instance))?;
        let Some(answer) = answer else { return Ok(Done::Refused) };
        let n_moves = replayed(&instance, &answer)?.stm();
        expect(known.upper_bound() == Some(n_moves as u32) && answer["optimal"] == true, &answer)
    }

    fn solve_large(&mut self) -> Outcome {
        let instance = self.instance(&["5x5", "4x7", "9x9", "20x20"]);
        let mut question = asked(&instance);
        question["time_ms"] = json!(300);
        let Some(answer) = self.ask("/api/v1/solve", &question)? else { return Ok(Done::Refused) };
        if !instance.is_solvable() {
            return expect(answer["status"] == "unsolvable", &answer);
        }
        // On a busy machine there may be none within the time.
        if answer["solution"].is_null() {
            return expect(answer["status"] == "limit", &answer);
        }
        let n_moves = replayed(&instance, &answer)?.stm() as u64;
        expect(answer["lower_bound"].as_u64().is_some_and(|least| least <= n_moves), &answer)
    }

    fn generate(&mut self) -> Outcome {
        let seed = self.random.below(1 << 40);
        let (rows, cols) = (2 + self.random.below(5), 2 + self.random.below(5));
        let question = json!({"rows": rows, "cols": cols, "seed": seed, "count": 3});
        let first = self.ask("/api/v1/generate", &question)?;
        let second = self.ask("/api/v1/generate", &question)?;
        let (Some(first), Some(second)) = (first, second) else { return Ok(Done::Refused) };
        let n_boards = first["boards"].as_array().map(Vec::len);
        expect(first == second && n_boards == Some(3), &first)
    }

    fn read(&mut self) -> Outcome {
        let board = self.instance(&["2x2", "3x3", "4x4", "5x3"]).start().clone();
        let format = Format::ALL[self.random.below(Format::ALL.len() as u64) as usize];
        let Ok(text) = format::write(&board, None, format) else { return Ok(Done::Right) };
        let answer = self.ask("/api/v1/read", &json!({"text": text}))?;
        let Some(answer) = answer else { return Ok(Done::Refused) };
        expect(answer["boards"][0]["slash"] == board.slash().to_string(), &answer)
    }

    fn analyse(&mut self) -> Outcome {
        let instance = self.instance(&["2x3", "3x3"]);
        let known = self.known(&Options::default(), &instance);
        let Some(answer) = self.ask("/api/v1/analyse", &asked(&instance))? else {
            return Ok(Done::Refused);
        };
        let distance = answer["distance"].as_u64();
        expect(distance == known.upper_bound().map(u64::from), &answer)
    }

    fn check(&mut self) -> Outcome {
        let instance = self.instance(&["2x3", "3x3"]);
        let known = self.known(&Options::default(), &instance);
        let Some(moves) = known.moves().filter(|moves| !moves.is_empty()) else {
            return Ok(Done::Right);
        };
        let is_longer = self.random.below(2) == 0;
        let mut solution = moves.to_string();
        if is_longer {
            let slide = instance.start().slides().next().expect("every board has a move");
            let (there, back) = (slide.letter(), slide.opposite().letter());
            solution = format!("{there} {back} {solution}");
        }
        let mut question = asked(&instance);
        question["solution"] = json!(solution);
        let Some(answer) = self.ask("/api/v1/check", &question)? else { return Ok(Done::Refused) };
        expect(answer["valid"] == true && (answer["lost"] == 0) != is_longer, &answer)
    }

    fn trace(&mut self) -> Outcome {
        let instance = self.instance(&["3x3", "4x4"]);
        let mut question = asked(&instance);
        question["steps"] = json!(30);
        question["algorithm"] = json!(self.pick(&["astar", "greedy", "bfs", "ida"]));
        let Some(answer) = self.ask("/api/v1/trace", &question)? else { return Ok(Done::Refused) };
        let n_steps = answer["steps"].as_array().map_or(0, Vec::len);
        expect((1..=30).contains(&n_steps) && answer["end"].is_object(), &answer["end"])
    }

    fn render(&mut self) -> Outcome {
        let board = self.instance(&["3x3", "4x4", "6x6"]).start().slash().to_string();
        let question = json!({"board": board, "format": "svg"});
        match self.exchange(&post("/api/v1/render", &question.to_string()))? {
            (503, _) => Ok(Done::Refused),
            (status, body) => {
                expect(status == 200 && body.starts_with(b"<svg "), &json!({"status": status}))
            }
        }
    }

    fn stream(&mut self) -> Outcome {
        let instance = self.instance(&["3x3", "2x5"]);
        let question = post("/api/v1/solve/stream", &asked(&instance).to_string());
        let (status, body) = self.exchange(&question)?;
        let text = String::from_utf8_lossy(&body);
        let last = text.rsplit("event: ").next().unwrap_or_default();
        let is_refused = status == 503 || last.contains("\"busy\"");
        if is_refused {
            return Ok(Done::Refused);
        }
        let words = if instance.is_solvable() { "\"solved\"" } else { "\"unsolvable\"" };
        expect(last.starts_with("report") && last.contains(words), &json!(text))
    }

    /// Questions that are wrong, and the status that says so.
    fn bad(&mut self) -> Outcome {
        let bad = [
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
        let (question, expected) = &bad[self.random.below(bad.len() as u64) as usize];
        match self.exchange(question)? {
            (503, _) => Ok(Done::Refused),
            (status, body) if status == *expected => {
                let error: Value = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
                expect(error["error"]["message"].is_string(), &error)
            }
            (status, _) => Err(format!("{status} where {expected} was expected: {question}")),
        }
    }

    /// Asks for something that takes minutes, and leaves.
    fn leave(&mut self) -> Outcome {
        let question = json!({"board": ENDLESS, "optimal": true, "tables": "small"});
        let mut stream = self.connect()?;
        let _ = stream.write_all(post("/api/v1/solve", &question.to_string()).as_bytes());
        std::thread::sleep(Duration::from_millis(self.random.below(300)));
        Ok(Done::Right)
    }

    /// Says a part of a question, waits, and leaves.
    fn half(&mut self) -> Outcome {
        let question = post("/api/v1/solve", "{\"board\": \"1 2/3 0\"}");
        let n_bytes = self.random.below(question.len() as u64) as usize;
        let mut stream = self.connect()?;
        let _ = stream.write_all(&question.as_bytes()[..n_bytes]);
        std::thread::sleep(Duration::from_millis(self.random.below(300)));
        Ok(Done::Right)
    }

    fn nonsense(&mut self) -> Outcome {
        let bytes: Vec<u8> = (0..1000).map(|_| self.random.bits() as u8).collect();
        let mut stream = self.connect()?;
        let _ = stream.write_all(&bytes).and_then(|()| stream.write_all(b"\r\n\r\n"));
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        Ok(Done::Right)
    }

    /// Takes a part of an answer of some megabytes, in drops, and leaves.
    fn drops(&mut self) -> Outcome {
        let question = json!({"board": ENDLESS, "algorithm": "uniform", "steps": 300});
        let mut stream = self.connect()?;
        let _ = stream.write_all(post("/api/v1/trace", &question.to_string()).as_bytes());
        let mut drop = [0; 100];
        for _ in 0..self.random.below(50) {
            if !stream.read(&mut drop).is_ok_and(|n| n > 0) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Done::Right)
    }

    /// What the library says.
    fn known(&mut self, options: &Options, instance: &Instance) -> Report {
        options.solve_with(instance, &mut self.tables, &mut ()).expect("a plan for every board")
    }

    fn connect(&self) -> Result<TcpStream, String> {
        let stream = TcpStream::connect(self.server).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
        Ok(stream)
    }

    /// The answer to a question that has one; `None` if all places are taken.
    fn ask(&self, path: &str, question: &Value) -> Result<Option<Value>, String> {
        match self.exchange(&post(path, &question.to_string()))? {
            (503, _) => Ok(None),
            (200, body) => serde_json::from_slice(&body).map(Some).map_err(|e| e.to_string()),
            (status, body) => {
                Err(format!("{status} {question}: {}", String::from_utf8_lossy(&body)))
            }
        }
    }

    /// The status and the body of what is answered.
    fn exchange(&self, question: &str) -> Result<(u16, Vec<u8>), String> {
        let mut stream = self.connect()?;
        let told = |error: std::io::Error| format!("{error}: {question}");
        stream.write_all(question.as_bytes()).map_err(told)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(told)?;
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.ok_or_else(|| format!("no whole head: {question}"))?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or(head)?, bytes.split_off(end + 4)))
    }
}

fn head(method: &str, path: &str, more: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{more}\r\n")
}

fn post(path: &str, body: &str) -> String {
    let n_bytes = body.len();
    let more = "Host: localhost\r\nContent-Type: application/json\r\n";
    head("POST", path, &format!("{more}Content-Length: {n_bytes}\r\n")) + body
}

fn asked(instance: &Instance) -> Value {
    let slash = |board: &Board| board.slash().to_string();
    json!({"board": slash(instance.start()), "goal": slash(instance.goal())})
}

fn expect(is_right: bool, answer: &Value) -> Outcome {
    if is_right { Ok(Done::Right) } else { Err(answer.to_string()) }
}

/// The solution of an answer, if it is one.
fn replayed(instance: &Instance, answer: &Value) -> Result<Moves, String> {
    let moves: Option<Moves> = answer["solution"].as_str().and_then(|text| text.parse().ok());
    let leads = |moves: &Moves| moves.replay(instance.start()).as_ref() == Ok(instance.goal());
    moves.filter(leads).ok_or_else(|| format!("no solution: {answer}"))
}
