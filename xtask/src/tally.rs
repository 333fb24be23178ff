//! Counts of passed and failed tests.

use std::fmt;
use std::ops::AddAssign;

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    pub(crate) const PASSED: Tally = Tally { passed: 1, failed: 0 };
    pub(crate) const FAILED: Tally = Tally { passed: 0, failed: 1 };

    /// The tally of a step that counts as one test.
    pub(crate) fn of_step(is_success: bool) -> Tally {
        if is_success { Tally::PASSED } else { Tally::FAILED }
    }

    /// The tally in the last line of a test binary, such as
    /// `test result: ok. 7 passed; 0 failed; 1 ignored; …`; `None` for any other line.
    pub(crate) fn of_result_line(line: &str) -> Option<Tally> {
        let counts = line.strip_prefix("test result: ")?;
        let words: Vec<&str> = counts.split_whitespace().collect();
        let count_of = |what| {
            let pair = words.windows(2).find(|pair| pair[1] == what)?;
            pair[0].parse().ok()
        };
        Some(Tally { passed: count_of("passed;")?, failed: count_of("failed;")? })
    }

    /// The tally in the attributes of the suites of a JUnit report; zero if the text is not a
    /// report.
    pub(crate) fn of_junit(xml: &str) -> Tally {
        let mut total = Tally::default();
        for suite in xml.split("<testsuite ").skip(1) {
            let head = suite.split('>').next().unwrap_or_default();
            let count_of = |what: &str| -> u64 {
                let value = head.split(&format!(" {what}=\"")).nth(1);
                value.and_then(|rest| rest.split('"').next()?.parse().ok()).unwrap_or(0)
            };
            let failed = count_of("failures") + count_of("errors");
            let passed = count_of("tests").saturating_sub(failed + count_of("skipped"));
            total += Tally { passed, failed };
        }
        total
    }

    /// The tally in the last lines of a report in the Test Anything Protocol by Node: `# pass 7` and `# fail 0`.
    pub(crate) fn of_tap(report: &str) -> Tally {
        let count_of = |what: &str| -> u64 {
            let mut counts =
                report.lines().filter_map(|line| line.strip_prefix(what)?.parse().ok());
            counts.next_back().unwrap_or(0)
        };
        Tally { passed: count_of("# pass "), failed: count_of("# fail ") }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// The last line of `cargo xtask test`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Option<(u64, u64)>) {
        let expect = expect.map(|(passed, failed)| Tally { passed, failed });
        assert_eq!(Tally::of_result_line(line), expect, "{line:?}");
    }

    #[test]
    fn result_lines_are_parsed() {
        check(
            "test result: ok. 27 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.41s\n",
            Some((27, 0)),
        );
        check(
            "test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 4 filtered out; finished in 1.00s\r\n",
            Some((3, 2)),
        );
        check("test result: \x1b[32mok\x1b[m. 1 passed; 0 failed; 0 ignored\n", Some((1, 0)));
    }

    #[test]
    fn other_lines_are_ignored() {
        check("", None);
        check("test result: ok.", None);
        check("test result: ok. many passed; 0 failed;", None);
        check("test tally::tests::other_lines_are_ignored ... ok", None);
        check("  test result: ok. 27 passed; 0 failed; 0 ignored", None);
        check("27 passed; 0 failed;", None);
    }

    #[test]
    fn junit_suites_are_summed() {
        let head = r#"<?xml version="1.0"?><testsuites name="all"><testsuite name="pytest" "#;
        let xml = format!(
            r#"{head}errors="1" failures="2" skipped="3" tests="20" time="1"><testcase tests="9" />"#
        );
        assert_eq!(Tally::of_junit(&xml), Tally { passed: 14, failed: 3 });
        assert_eq!(Tally::of_junit(""), Tally::default());
    }

    #[test]
    fn tap_totals_are_parsed() {
        let report = "TAP version 13\nok 1 - # pass 99\n1..2\n# tests 2\n# pass 1\n# fail 1\n";
        assert_eq!(Tally::of_tap(report), Tally { passed: 1, failed: 1 });
        assert_eq!(Tally::of_tap("Error: no such file"), Tally::default());
    }

    #[test]
    fn display_is_the_summary_line() {
        let mut total = Tally { passed: 40, failed: 0 };
        total += Tally::of_step(true);
        total += Tally::of_step(false);
        assert_eq!(total.to_string(), "41 passed, 1 failed");
    }
}
