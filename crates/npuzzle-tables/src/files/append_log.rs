//! Text files that only grow, one line at a time.
//!
//! Each line ends with a space and the checksum of the text before it, 16 hexadecimal digits:
//!
//! ```text
//! npuzzle journal 2 d3a1f0b44c0e9b57
//! round 85 10012 21730 51e2a90ff1b3c86d
//! ```
//!
//! A process may be killed, or the disk may become full, while a line is written. So a last line
//! without its end is ignored, and cut off before the next line is appended. A line that is complete
//! but does not match its checksum was changed later: such a file is not modified.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::checksum::checksum;
use super::lock::{open, try_lock};

/// A text file that only grows. It is locked as long as it is open.
///
/// ```
/// use npuzzle_tables::files::{AppendLog, LogEnd};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log");
/// let mut log = AppendLog::open_or_create(&path)?;
/// log.start(&["a log of squares"])?;
/// log.append("1 1")?;
/// log.append("2 4")?;
/// drop(log); // the process may have been killed while it wrote a third line
/// let mut log = AppendLog::open(&path)?;
/// let content = log.read(1000)?;
/// assert_eq!(content.lines, ["a log of squares", "1 1", "2 4"]);
/// assert_eq!(content.end(), LogEnd::Intact);
/// log.resume(&content)?;
/// log.append("3 9")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AppendLog {
    file: File,
}

/// The content of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogContent {
    /// The intact lines, without their checksums, up to the first one that is not.
    pub lines: Vec<String>,
    n_intact: u64,
    /// The bytes after the intact lines.
    rest: Vec<u8>,
}

/// The end of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogEnd {
    /// All lines are intact.
    Intact,
    /// The last line was written in part.
    Torn,
    /// A complete line does not match its checksum.
    Damaged,
}

impl AppendLog {
    /// Opens and locks an existing file.
    pub fn open(path: &Path) -> io::Result<AppendLog> {
        AppendLog::lock(OpenOptions::new().read(true).write(true).open(path)?)
    }

    /// Opens and locks a file. If it does not exist, an empty one is created.
    pub fn open_or_create(path: &Path) -> io::Result<AppendLog> {
        AppendLog::lock(open(path)?)
    }

    fn lock(file: File) -> io::Result<AppendLog> {
        if try_lock(&file)? {
            return Ok(AppendLog { file });
        }
        let message = "another process is writing to it";
        Err(io::Error::new(io::ErrorKind::ResourceBusy, message))
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }

    /// Reads all lines. Fails if the file has more than `max_bytes` bytes.
    pub fn read(&mut self, max_bytes: u64) -> io::Result<LogContent> {
        let len = self.file.metadata()?.len();
        if len > max_bytes {
            let message = format!("{len} bytes: too large for a log");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut self.file).take(max_bytes).read_to_end(&mut text)?;
        Ok(LogContent::parse(text))
    }

    /// Replaces the whole content by these lines. If that fails, the file is empty.
    pub fn start(&mut self, lines: &[&str]) -> io::Result<()> {
        self.truncate(0)?;
        // One write, so that it is improbable that only some of the lines are written.
        let lines: String = lines.iter().map(|line| encode(line)).collect();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.sync());
        if written.is_err() {
            let _ = self.truncate(0);
        }
        written
    }

    /// Cuts off a torn last line, so that lines can be appended. `content` must be what
    /// [`read`](AppendLog::read) has returned.
    pub fn resume(&mut self, content: &LogContent) -> io::Result<()> {
        self.truncate(content.n_intact)
    }

    /// Appends a line. It survives the end of the process, but not a crash of the machine until
    /// [`sync`](AppendLog::sync).
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(encode(line).as_bytes())
    }

    /// Writes all lines to the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        if self.file.metadata()?.len() != len {
            self.file.set_len(len)?;
        }
        self.file.seek(SeekFrom::Start(len)).map(drop)
    }
}

impl LogContent {
    fn parse(text: Vec<u8>) -> LogContent {
        let (mut lines, mut n_intact) = (Vec::new(), 0);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let Some(decoded) = decode(line) else { break };
            lines.push(decoded.to_owned());
            n_intact += line.len();
        }
        LogContent { lines, n_intact: n_intact as u64, rest: text[n_intact..].to_vec() }
    }

    /// The end of the log.
    pub fn end(&self) -> LogEnd {
        match self.rest[..] {
            [] => LogEnd::Intact,
            _ if self.rest.contains(&b'\n') => LogEnd::Damaged,
            _ => LogEnd::Torn,
        }
    }

    /// Whether the file begins with this text, in an intact line or not.
    pub fn starts_with(&self, text: &str) -> bool {
        match self.lines.first() {
            Some(line) => line.starts_with(text),
            None => self.rest.starts_with(text.as_bytes()),
        }
    }

    /// Whether nothing but a part of this first line was written, or nothing at all.
    pub fn is_torn_start(&self, first_line: &str) -> bool {
        self.lines.is_empty() && encode(first_line).as_bytes().starts_with(&self.rest)
    }
}

/// A line with its checksum and its end.
fn encode(line: &str) -> String {
    format!("{line} {:016x}\n", checksum(line.as_bytes()))
}

/// The text of a line with its end, if it matches its checksum.
fn decode(line: &[u8]) -> Option<&str> {
    let (text, sum) = str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once(' ')?;
    (format!("{:016x}", checksum(text.as_bytes())) == sum).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LINES: [&str; 3] = ["a log", "", "0 \u{e9} 1"];

    fn written(path: &Path) -> Vec<u8> {
        let mut log = AppendLog::open_or_create(path).unwrap();
        assert!(log.is_empty().unwrap());
        log.start(&LINES[..1]).unwrap();
        LINES[1..].iter().for_each(|line| log.append(line).unwrap());
        log.sync().unwrap();
        let busy = AppendLog::open(path).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        drop(log);
        fs::read(path).unwrap()
    }

    #[test]
    fn log_cut_at_any_byte_resumes_with_its_intact_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let whole = written(&path);
        for len in 0..=whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            let mut log = AppendLog::open(&path).unwrap();
            let content = log.read(1000).unwrap();
            let n_lines = whole[..len].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(content.lines, LINES[..n_lines]);
            assert_eq!(content.is_torn_start(LINES[0]), n_lines == 0);
            assert!(content.end() != LogEnd::Damaged, "{len}");
            log.resume(&content).unwrap();
            log.append("more").unwrap();
            let content = log.read(1000).unwrap();
            assert_eq!((content.lines.len(), content.end()), (n_lines + 1, LogEnd::Intact));
        }
    }

    #[test]
    fn changed_byte_ends_the_intact_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let whole = written(&path);
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            let content = AppendLog::open(&path).unwrap().read(1000).unwrap();
            let n_lines = whole[..at].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(content.lines, LINES[..n_lines], "{at}");
            let is_last = at + 1 == whole.len();
            assert_eq!(content.end(), if is_last { LogEnd::Torn } else { LogEnd::Damaged });
            assert!(!content.is_torn_start(LINES[0]));
            assert_eq!(fs::read(&path).unwrap(), changed, "reading changes nothing");
        }
    }

    #[test]
    fn log_too_large_to_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let len = written(&path).len() as u64;
        let mut log = AppendLog::open(&path).unwrap();
        assert_eq!(log.read(len - 1).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(log.read(len).is_ok());
    }
}
