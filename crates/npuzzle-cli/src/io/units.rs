//! Times, counts and sizes as users type and read them.

use std::time::Duration;

/// A limit; `None` for the word `none`. Clap takes a field of type `Option` for a flag that may be
/// missing, but not one of this type.
pub(crate) type Bound<T> = Option<T>;

/// `500ms`, `5s`, `2m`, `1h`, `5` (seconds) or `none`.
pub(crate) fn time(text: &str) -> Result<Bound<Duration>, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    bounded(text, &units, "a time such as 500ms, 5s, 2m, 1h or none", |seconds| {
        Duration::try_from_secs_f64(seconds).ok()
    })
}

/// `1000000`, `1e6`, `1M` or `none`.
pub(crate) fn count(text: &str) -> Result<Bound<u64>, String> {
    let units = [("k", 1e3), ("M", 1e6), ("G", 1e9), ("", 1.0)];
    bounded(text, &units, "a number such as 10000, 1e6, 5M or none", whole)
}

/// `512M`, `2G`, `1GiB`, `4096` (bytes) or `none`. Units are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<Bound<u64>, String> {
    const KI: f64 = 1024.0;
    let unit = text.strip_suffix("iB").or(text.strip_suffix('B')).unwrap_or(text);
    const MI: f64 = KI * KI;
    let units = [("K", KI), ("k", KI), ("M", MI), ("G", KI * MI), ("T", MI * MI), ("", 1.0)];
    bounded(unit, &units, "a size such as 512M, 2G or none", whole)
}

/// A size in decimal units: `393.1 kB`, `288.0 MB`.
pub(crate) fn size(n_bytes: u64) -> String {
    let bytes = n_bytes as f64;
    match bytes {
        ..1e3 => format!("{bytes} B"),
        ..1e6 => format!("{:.1} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// A count with its noun: `1 board`, `3 boards`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn whole(value: f64) -> Option<u64> {
    (value.fract() == 0.0 && (0.0..1e18).contains(&value)).then_some(value as u64)
}

fn bounded<T>(
    text: &str,
    units: &[(&str, f64)],
    expected: &str,
    convert: impl Fn(f64) -> Option<T>,
) -> Result<Bound<T>, String> {
    if text == "none" {
        return Ok(None);
    }
    let value = units.iter().find_map(|(unit, factor)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        (number >= 0.0).then(|| number * factor)
    });
    let is_huge = value.is_some_and(|value| value >= 1e18);
    value.and_then(convert).map(Some).ok_or_else(|| match is_huge {
        true => "the value is too large".to_owned(),
        false => format!("expected {expected}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_uses_decimal_units() {
        let sizes = [0, 999, 1000, 393_120, 288_000_000, 4_200_000_000].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "393.1 kB", "288.0 MB", "4.2 GB"]);
    }

    #[test]
    fn counted_has_a_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "board")), ["0 boards", "1 board", "2 boards"]);
    }

    #[test]
    fn units_are_parsed_or_rejected() {
        assert_eq!(time("1.5s"), Ok(Some(Duration::from_millis(1500))));
        assert_eq!(time("2m"), Ok(Some(Duration::from_secs(120))));
        assert_eq!(time("7"), Ok(Some(Duration::from_secs(7))));
        assert_eq!(time("none"), Ok(None));
        assert_eq!(count("1e6"), Ok(Some(1_000_000)));
        assert_eq!(count("5M"), Ok(Some(5_000_000)));
        assert_eq!(bytes("2G"), Ok(Some(2 << 30)));
        assert_eq!(bytes("64MiB"), Ok(Some(64 << 20)));
        for bad in ["", "s", "-1s", "1e999", "nan", "inf", "5 parsecs"] {
            assert!(time(bad).is_err(), "{bad}");
        }
        for huge in ["1e30", "1e999", "99999999999999999999G"] {
            assert_eq!(count(huge), Err("the value is too large".to_owned()));
        }
        for bad in ["", "1.5", "-3", "1e30", "many"] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }
}
