//! The bench of the grader: a hundred right and wrong programs, and the confusion matrix of their
//! diagnoses. No diagnosis may be wrong; a missing one is a line of the matrix.
//!
//! The programs are listed in `testdata/students/programs.txt`. The matrix is a part of
//! `docs/maintainers/grader.md`, which this test compares with what it measures.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use serde_json::Value;

use crate::grade::{grade, wrong_solver};
use crate::program::Folder;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const NPUZZLE: &str = env!("CARGO_BIN_EXE_npuzzle");
const MATRIX_HEAD: &str = "| true mistake | programs | named as |\n|---|---|---|\n";

/// A program of the bench.
struct Student {
    course: String,
    program: String,
    bug: String,
    limits: Vec<String>,
    /// The diagnoses that are true of it, the most exact one first.
    truths: Vec<String>,
}

impl Student {
    fn parse(line: &str) -> Student {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [course, program, limits, truths] = fields[..] else { panic!("{line}") };
        let (program, bug) = program.split_once(' ').unwrap();
        let truths = truths.split(',').map(str::trim).filter(|truth| *truth != "-");
        Student {
            course: course.to_owned(),
            program: program.to_owned(),
            bug: bug.to_owned(),
            limits: limits.split_whitespace().map(str::to_owned).collect(),
            truths: truths.map(str::to_owned).collect(),
        }
    }

    fn command(&self) -> Vec<String> {
        let script = format!("{ROOT}/testdata/students/{}.py", self.program);
        let (bug, course) = (self.bug.as_str(), self.course.as_str());
        let mut command = match self.program.as_str() {
            "npuzzle" => vec![NPUZZLE, "course", course, "{input}"],
            "wrong_solver" => vec![wrong_solver().to_str().unwrap(), bug, course, "{input}"],
            "astar" => vec![python(), "-S", "-E", &script, bug, course, "{input}"],
            _ => vec![python(), "-S", "-E", &script, bug, "{input}"],
        };
        command.extend((course == "cuhk").then_some("{output}"));
        command.into_iter().map(str::to_owned).collect()
    }

    /// The diagnosis of the grader, if it has one.
    fn diagnosis(&self) -> Option<String> {
        let folder = Folder::new();
        let json = folder.path().join("results.json");
        let mut flags: Vec<&str> = self.limits.iter().map(String::as_str).collect();
        if !flags.contains(&"--time") {
            // No result depends on the speed of the machine.
            flags.extend(["--time", "none"]);
        }
        flags.extend(["--quiet", "--json", json.to_str().unwrap()]);
        let command = self.command();
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let ran = grade(&self.course, &flags, &command);
        let text = fs::read_to_string(&json).unwrap_or_else(|_| panic!("{command:?}: {ran:?}"));
        let results: Value = serde_json::from_str(&text).unwrap();
        let name = |value: &Value| value.as_str().map(str::to_owned);
        name(&results["diagnoses"][0]["suspect"])
            .or_else(|| name(&results["common_symptom"]["symptom"]))
    }

    /// The row of the matrix.
    fn row(&self) -> &str {
        const RIGHT: [&str; 7] = [
            "none",
            "by-board",
            "debug-lines",
            "no-closed-list",
            "exhausts",
            "rows-only",
            "max-instead-of-sum",
        ];
        match self.truths.first() {
            Some(truth) => truth,
            None if RIGHT.contains(&self.bug.as_str()) => "right program",
            None => "a mistake without a name",
        }
    }
}

/// The interpreter itself: `python3` may be a slow script that looks for it.
fn python() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let path = ["-c", "import sys; print(sys.executable)"];
        let output = Command::new("python3").args(path).output().expect("this test needs python3");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    })
}

fn students() -> Vec<Student> {
    let text = fs::read_to_string(format!("{ROOT}/testdata/students/programs.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Student::parse).collect()
}

/// The diagnosis of every program, computed on a few threads.
fn diagnoses(students: &[Student]) -> Vec<Option<String>> {
    const N_THREADS: usize = 3;
    let next = Mutex::new(0..students.len());
    let found = Mutex::new(vec![None; students.len()]);
    std::thread::scope(|scope| {
        for _ in 0..N_THREADS {
            scope.spawn(|| {
                loop {
                    let Some(index) = next.lock().unwrap().next() else { return };
                    let diagnosis = students[index].diagnosis();
                    found.lock().unwrap()[index] = diagnosis;
                }
            });
        }
    });
    found.into_inner().unwrap()
}

fn matrix(students: &[Student], diagnoses: &[Option<String>]) -> String {
    let mut rows: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (student, diagnosis) in students.iter().zip(diagnoses) {
        let name = diagnosis.as_deref().unwrap_or("nothing");
        *rows.entry(student.row()).or_default().entry(name).or_default() += 1;
    }
    let row = |(truth, named): (&&str, &BTreeMap<&str, usize>)| {
        let n_programs: usize = named.values().sum();
        let named: Vec<String> = named.iter().map(|(name, n)| format!("{name} {n}")).collect();
        format!("| {truth} | {n_programs} | {} |\n", named.join(", "))
    };
    MATRIX_HEAD.to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn grade_never_names_a_wrong_mistake() {
    let students = students();
    let wrong = |student: &&Student| student.row() != "right program";
    assert!(students.iter().filter(wrong).count() >= 40);
    let diagnoses = diagnoses(&students);
    let mut errors = Vec::new();
    for (student, diagnosis) in students.iter().zip(&diagnoses) {
        let Student { course, program, bug, .. } = student;
        if diagnosis.as_ref().is_some_and(|name| !student.truths.contains(name)) {
            errors.push(format!("{course} {program} {bug}: {diagnosis:?}"));
        }
    }
    assert!(errors.is_empty(), "wrong diagnoses: {errors:#?}");
    let page = fs::read_to_string(format!("{ROOT}/docs/maintainers/grader.md")).unwrap();
    let measured = matrix(&students, &diagnoses);
    assert!(page.contains(&measured), "the matrix of docs/maintainers/grader.md is:\n{measured}");
}
