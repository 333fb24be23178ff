//! The targets, one file each.

mod answers;
mod boards;
mod census;
mod checkpoints;
mod courses;
mod grades;
mod hello;
mod hosts;
mod http;
mod journals;
mod judgments;
mod logs;
mod moves;
mod names;
mod payloads;
mod pictures;
mod requests;
mod solutions;
mod tables;
mod variants;

use std::ops::ControlFlow;

use npuzzle::{Limit, Stats, Watch};

use crate::Target;

/// Tokens of boards.
const BOARDS: &[&str] = &[
    "1 2 3/4 5 6/7 8 0",
    "123405786",
    "[[1,2],[3,0]]",
    "{\"start\":",
    "\"goal\":",
    "3\n",
    "2 2\n",
    "/",
    "\n\n",
    "#",
    ";",
    "0",
    "15",
    "99999999999",
    "\u{feff}",
    "é",
    "\r\n",
    "\t",
];

/// Tokens of solutions.
const SOLUTIONS: &[&str] = &[
    "U",
    "L2",
    "R126",
    "D",
    "left",
    "Up",
    "5 6",
    "1 2 3\n4 5 0\n7 8 6\n",
    "1 2 3/4 5 6/7 8 0\n",
    "no solution",
    "number of moves = 2",
    "total moves",
    "already solved",
    "Step 1: ",
    "|",
    "+---+\n",
    "\n",
    ",",
    "[[1,2,3],[4,5,6],[7,8,0]]",
    "123456780",
];

/// Tokens of answers of models.
const ANSWERS: &[&str] = &[
    "<answer>",
    "</answer>",
    "\\boxed{",
    "}",
    "Final answer: ",
    "The moves are ",
    "```\n",
    "</think>",
    "U",
    "L2",
    "R126",
    "left ",
    "5 ",
    "0",
    "1. ",
    "step 2 ",
    "→",
    "↑",
    "unsolvable",
    "none",
    "\n",
    "1 2 3/4 5 6/7 8 0\n",
    "[[1,2,3],[4,5,6],[7,8,0]]",
];

/// Tokens of the courses on variants of the puzzle.
const VARIANTS: &[&str] = &[
    "1 2 3\n4 5 6\n7 8 0\n",
    "END OF FILE\n",
    "[1, 2, 3, 4, 5, 6, 7, 0, 0]",
    " h=0 moves: 1\n",
    "Move 8 Left\n",
    "Solution Found at depth 1 with cost of 8.\n",
    "No solution found.",
    "False",
    "L",
    "/",
    ",",
    "0",
    "9",
    "99999999999",
];

/// Tokens of requests to the server.
const REQUESTS: &[&str] = &[
    "\"board\":",
    "\"text\":",
    "\"goal\":",
    "\"moves\":",
    "\"1 2 3/4 0 5/7 8 6\"",
    "\"time_ms\":",
    "\"algorithm\":",
    "\"astar\"",
    "\"ida\"",
    "\"metric\":\"mtm\"",
    "\"rows\":",
    "\"cols\":",
    "\"all\":",
    "\"count\":",
    "\"seed\":",
    "18446744073709551615",
    "-1",
    "1e308",
    "null",
    "true",
    "[",
    "{",
    "\"\\ud800\"",
];

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "boards",
        about: "boards in every format",
        run: boards::run,
        base_memory: 1 << 20,
        memory_per_byte: 1 << 11,
        n_mutations: 60,
        tokens: BOARDS,
    },
    Target {
        name: "moves",
        about: "moves in every notation",
        run: moves::run,
        base_memory: 1 << 16,
        memory_per_byte: 1 << 11,
        n_mutations: 100,
        tokens: SOLUTIONS,
    },
    Target {
        name: "names",
        about: "names of sizes, goals, metrics, algorithms, heuristics, tables",
        run: names::run,
        base_memory: 1 << 16,
        memory_per_byte: 1 << 9,
        n_mutations: 100,
        tokens: &[
            "max(",
            "manhattan",
            "127x127",
            "last",
            "pattern-4x4",
            "stm",
            ")",
            ",",
            "1 2/3 0",
            "numbers",
        ],
    },
    Target {
        name: "tables",
        about: "table files: header and payload",
        run: tables::run,
        base_memory: 1 << 20,
        memory_per_byte: 1 << 6,
        n_mutations: 60,
        tokens: &["\u{0}\u{0}\u{0}\u{0}", "fuzz-table"],
    },
    Target {
        name: "payloads",
        about: "table entries with valid checksums",
        run: payloads::run,
        base_memory: 1 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 100,
        tokens: &["\u{0}\u{0}\u{0}\u{0}", "\u{1b}", "\u{4e}", "\u{39}"],
    },
    Target {
        name: "checkpoints",
        about: "checkpoints of interrupted table builds",
        run: checkpoints::run,
        base_memory: 4 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 60,
        tokens: &["\u{0}\u{0}\u{0}\u{0}", "\u{7f}\u{7f}\u{7f}\u{7f}"],
    },
    Target {
        name: "journals",
        about: "journals of long searches",
        run: journals::run,
        base_memory: 16 << 20,
        memory_per_byte: 1 << 9,
        n_mutations: 40,
        tokens: &[
            "round 10 5 9\n",
            "cut 12 3 t 00000009\n",
            "slice 12 0 7 9\n",
            "18446744073709551615",
        ],
    },
    Target {
        name: "census",
        about: "census folders: the index file and the rank files",
        run: census::run,
        base_memory: 48 << 20,
        memory_per_byte: 1 << 10,
        n_mutations: 20,
        tokens: &[
            "level 0 1\n",
            "level 1 2\n",
            "done\n",
            "shards 0..1 of 1\n",
            "18446744073709551615",
            "\u{0}",
        ],
    },
    Target {
        name: "hosts",
        about: "host files of a cluster",
        run: hosts::run,
        base_memory: 1 << 16,
        memory_per_byte: 1 << 8,
        n_mutations: 60,
        tokens: &["node1:2101\n", "[::1]:80", ":0", "#", ":65536"],
    },
    Target {
        name: "hello",
        about: "handshakes of unknown callers with a cluster process",
        run: hello::run,
        base_memory: 16 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 6,
        tokens: &["npzclus2", "\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"],
    },
    Target {
        name: "answers",
        about: "answer files of a distributed batch",
        run: answers::run,
        base_memory: 16 << 20,
        memory_per_byte: 1 << 9,
        n_mutations: 12,
        tokens: &["npuzzle batch 2 ", "0 {}", "1 {}", "\n", "18446744073709551615"],
    },
    Target {
        name: "courses",
        about: "input files of the course programs",
        run: courses::run,
        base_memory: 8 << 20,
        memory_per_byte: 1 << 12,
        n_mutations: 30,
        tokens: BOARDS,
    },
    Target {
        name: "variants",
        about: "boards and solutions of the courses on variants of the puzzle",
        run: variants::run,
        base_memory: 8 << 20,
        memory_per_byte: 1 << 12,
        n_mutations: 30,
        tokens: VARIANTS,
    },
    Target {
        name: "solutions",
        about: "solutions to be checked",
        run: solutions::run,
        base_memory: 32 << 20,
        memory_per_byte: 1 << 13,
        n_mutations: 30,
        tokens: SOLUTIONS,
    },
    Target {
        name: "grades",
        about: "outputs of programs to be graded",
        run: grades::run,
        base_memory: 32 << 20,
        memory_per_byte: 1 << 13,
        n_mutations: 30,
        tokens: SOLUTIONS,
    },
    Target {
        name: "judgments",
        about: "answers of models to be judged",
        run: judgments::run,
        base_memory: 32 << 20,
        memory_per_byte: 1 << 13,
        n_mutations: 60,
        tokens: ANSWERS,
    },
    Target {
        name: "logs",
        about: "search logs to be explained",
        run: logs::run,
        base_memory: 4 << 20,
        memory_per_byte: 1 << 12,
        n_mutations: 30,
        tokens: SOLUTIONS,
    },
    Target {
        name: "pictures",
        about: "pictures to be cut into tiles",
        run: pictures::run,
        base_memory: 700 << 20,
        memory_per_byte: 1 << 16,
        n_mutations: 20,
        tokens: &["\u{89}PNG", "GIF89a", "RIFF", "IHDR"],
    },
    Target {
        name: "requests",
        about: "requests to the server: a path and a JSON body",
        run: requests::run,
        base_memory: 96 << 20,
        memory_per_byte: 1 << 14,
        n_mutations: 12,
        tokens: REQUESTS,
    },
    Target {
        name: "http",
        about: "bytes of a connection to the server",
        run: http::run,
        base_memory: 96 << 20,
        memory_per_byte: 1 << 14,
        n_mutations: 12,
        tokens: &[
            "GET / HTTP/1.1\r\n",
            "Host: localhost\r\n",
            "Content-Length: 5\r\n",
            "\r\n\r\n",
            "Transfer-Encoding: chunked\r\n",
            "POST /api/v1/read HTTP/1.1\r\n",
            "Expect: 100-continue\r\n",
            "Connection: close\r\n",
            "HEAD",
            "../..",
            "%2e%2e",
        ],
    },
];

/// Returns the target with this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Stops a search after this many polls.
struct MaxPolls(u32);

impl Watch for MaxPolls {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Time) } else { ControlFlow::Continue(()) }
    }
}
