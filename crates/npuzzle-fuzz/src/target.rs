//! All targets, one file each.

mod answers;
mod boards;
mod census;
mod courses;
mod drafts;
mod grades;
mod hello;
mod hosts;
mod http;
mod journals;
mod logs;
mod moves;
mod names;
mod payloads;
mod pictures;
mod questions;
mod solutions;
mod tables;

use std::ops::ControlFlow;

use npuzzle::{Limit, Stats, Watch};

use crate::Target;

/// Words that boards are made of.
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

/// Words that solutions are made of.
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

/// Words of the interface of the server.
const QUESTIONS: &[&str] = &[
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

/// All there are.
pub const TARGETS: &[Target] = &[
    Target {
        name: "boards",
        about: "boards in every format",
        feed: boards::feed,
        memory: 1 << 20,
        memory_per_byte: 1 << 11,
        n_mutations: 60,
        words: BOARDS,
    },
    Target {
        name: "moves",
        about: "moves in every notation",
        feed: moves::feed,
        memory: 1 << 16,
        memory_per_byte: 1 << 11,
        n_mutations: 100,
        words: SOLUTIONS,
    },
    Target {
        name: "names",
        about: "names of sizes, goals, metrics, algorithms, heuristics, tables",
        feed: names::feed,
        memory: 1 << 16,
        memory_per_byte: 1 << 9,
        n_mutations: 100,
        words: &[
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
        feed: tables::feed,
        memory: 1 << 20,
        memory_per_byte: 1 << 6,
        n_mutations: 60,
        words: &["\u{0}\u{0}\u{0}\u{0}", "fuzz-table"],
    },
    Target {
        name: "payloads",
        about: "entries of tables whose checksums are right",
        feed: payloads::feed,
        memory: 1 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 100,
        words: &["\u{0}\u{0}\u{0}\u{0}", "\u{1b}", "\u{4e}", "\u{39}"],
    },
    Target {
        name: "drafts",
        about: "drafts of tables whose build was cut off",
        feed: drafts::feed,
        memory: 4 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 60,
        words: &["\u{0}\u{0}\u{0}\u{0}", "\u{7f}\u{7f}\u{7f}\u{7f}"],
    },
    Target {
        name: "journals",
        about: "journals of long searches",
        feed: journals::feed,
        memory: 16 << 20,
        memory_per_byte: 1 << 9,
        n_mutations: 40,
        words: &[
            "round 10 5 9\n",
            "cut 12 3 t 00000009\n",
            "slice 12 0 7 9\n",
            "18446744073709551615",
        ],
    },
    Target {
        name: "census",
        about: "folders of a census: its text and its files of ranks",
        feed: census::feed,
        memory: 48 << 20,
        memory_per_byte: 1 << 10,
        n_mutations: 20,
        words: &[
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
        about: "addresses of a cluster",
        feed: hosts::feed,
        memory: 1 << 16,
        memory_per_byte: 1 << 8,
        n_mutations: 60,
        words: &["node1:2101\n", "[::1]:80", ":0", "#", ":65536"],
    },
    Target {
        name: "hello",
        about: "what strangers say to a process of a cluster",
        feed: hello::feed,
        memory: 16 << 20,
        memory_per_byte: 1 << 8,
        n_mutations: 6,
        words: &["npzclus2", "\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"],
    },
    Target {
        name: "answers",
        about: "answers of a batch over several processes",
        feed: answers::feed,
        memory: 16 << 20,
        memory_per_byte: 1 << 9,
        n_mutations: 12,
        words: &["npuzzle batch 2 ", "0 {}", "1 {}", "\n", "18446744073709551615"],
    },
    Target {
        name: "courses",
        about: "files of the courses, and their programs",
        feed: courses::feed,
        memory: 8 << 20,
        memory_per_byte: 1 << 12,
        n_mutations: 30,
        words: BOARDS,
    },
    Target {
        name: "solutions",
        about: "solutions that are checked",
        feed: solutions::feed,
        memory: 32 << 20,
        memory_per_byte: 1 << 13,
        n_mutations: 30,
        words: SOLUTIONS,
    },
    Target {
        name: "grades",
        about: "answers of programs that are graded",
        feed: grades::feed,
        memory: 32 << 20,
        memory_per_byte: 1 << 13,
        n_mutations: 30,
        words: SOLUTIONS,
    },
    Target {
        name: "logs",
        about: "logs of searches that are followed",
        feed: logs::feed,
        memory: 4 << 20,
        memory_per_byte: 1 << 12,
        n_mutations: 30,
        words: SOLUTIONS,
    },
    Target {
        name: "pictures",
        about: "pictures that are cut into tiles",
        feed: pictures::feed,
        memory: 700 << 20,
        memory_per_byte: 1 << 16,
        n_mutations: 20,
        words: &["\u{89}PNG", "GIF89a", "RIFF", "IHDR"],
    },
    Target {
        name: "questions",
        about: "questions to the server: a path and a body of JSON",
        feed: questions::feed,
        memory: 96 << 20,
        memory_per_byte: 1 << 14,
        n_mutations: 12,
        words: QUESTIONS,
    },
    Target {
        name: "http",
        about: "connections to the server, byte for byte",
        feed: http::feed,
        memory: 96 << 20,
        memory_per_byte: 1 << 14,
        n_mutations: 12,
        words: &[
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

/// The target with this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Ends what it watches after so many looks.
struct Soon(u32);

impl Watch for Soon {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Limit> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(Limit::Time) } else { ControlFlow::Continue(()) }
    }
}
