//! The time in file names.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the present time in UTC: `2026-11-18-20-31-05`.
#[expect(clippy::disallowed_methods, reason = "the name of a file has the time of the calendar")]
pub(super) fn now() -> String {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    text(since_epoch.map_or(0, |time| time.as_secs()))
}

/// The time this many seconds after 1970.
fn text(seconds: u64) -> String {
    let (day, seconds) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(day);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year}-{month:02}-{day:02}-{hours:02}-{minutes:02}-{seconds:02}")
}

/// The year, month and day this many days after 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01-00-00-00"),
            (951_782_399, "2000-02-28-23-59-59"),
            (951_782_400, "2000-02-29-00-00-00"),
            (951_868_800, "2000-03-01-00-00-00"),
            (1_798_761_599, "2026-12-31-23-59-59"),
            (4_107_542_400, "2100-03-01-00-00-00"),
        ] {
            assert_eq!(text(seconds), expected);
        }
    }
}
