//! The students, and their files.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::args::GenerateArgs;
use crate::exit::Failure;
use crate::io::input::Input;
use crate::io::output;
use crate::messages;

/// The largest file of students, in bytes.
const MAX_IDS: u64 = 16 << 20;

/// The names of the flags or of the file.
pub(super) fn student_ids(args: &GenerateArgs) -> Result<Vec<String>, Failure> {
    let ids = match &args.for_each {
        None => args.ids.clone(),
        Some(path) => read_ids(path)?,
    };
    let mut known = HashSet::new();
    for id in &ids {
        if id.trim().is_empty() || id.contains(char::is_control) {
            return Err(Failure::usage(format!("{id:?} is not a valid student name")));
        }
        if !known.insert(id) && !args.quiet.quiet {
            messages::warning(format!("{id} is listed more than once and gets the same boards"));
        }
    }
    Ok(ids)
}

/// One name per line, without empty lines and those that start with `#`.
fn read_ids(path: &Path) -> Result<Vec<String>, Failure> {
    let input = Input::from_file(path, MAX_IDS)?;
    let lines = input.text.lines().map(str::trim);
    let ids: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if ids.is_empty() {
        return Err(Failure::usage(format!("{}: no student names", input.source)));
    }
    Ok(ids)
}

/// The files of the students in a folder.
pub(super) struct StudentFiles {
    boards: PathBuf,
    keys: Option<PathBuf>,
}

impl StudentFiles {
    /// The folders of the flags, which are created. Fails if two students have the same file, before
    /// any is written.
    pub(super) fn open(
        args: &GenerateArgs,
        ids: &[String],
    ) -> Result<Option<StudentFiles>, Failure> {
        let Some(boards) = args.out_dir.clone() else { return Ok(None) };
        if ids.is_empty() {
            return Err(Failure::usage("--out-dir needs students: --for or --for-each"));
        }
        let mut owners: HashMap<String, &String> = HashMap::new();
        for id in ids {
            // Some file systems ignore the case of names.
            let known = owners.insert(stem(id).to_lowercase(), id);
            if let Some(other) = known.filter(|other| *other != id) {
                let message = format!("{other} and {id} would have the same file: {}", stem(id));
                return Err(Failure::usage(message));
            }
        }
        let keys = args.key_dir.clone();
        for folder in [Some(&boards), keys.as_ref()].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        }
        Ok(Some(StudentFiles { boards, keys }))
    }

    pub(super) fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Writes the boards of a student, and their key if there is one.
    pub(super) fn write(&self, id: &str, boards: &str, key: Option<&[u8]>) -> Result<(), Failure> {
        let path = |folder: &Path, ending: &str| folder.join(stem(id) + ending);
        if let (Some(folder), Some(key)) = (&self.keys, key) {
            output::write_file(&path(folder, ".csv"), key)?;
        }
        output::write_file(&path(&self.boards, ".txt"), boards.as_bytes())
    }
}

/// A file name without its ending: the name, with an underscore for every character that file systems or
/// shells treat specially.
fn stem(id: &str) -> String {
    const MAX_CHARS: usize = 60;
    let is_plain = |c: char| c.is_alphanumeric() || "-_.@+ ".contains(c);
    let plain: String =
        id.chars().map(|c| if is_plain(c) { c } else { '_' }).take(MAX_CHARS).collect();
    match plain.strip_prefix(['.', '-']) {
        Some(rest) => format!("_{rest}"),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stem_is_a_name_in_one_folder() {
        let check = |id: &str, expect: &str| assert_eq!(stem(id), expect);
        check("ada", "ada");
        check("Grace Hopper", "Grace Hopper");
        check("../../etc/passwd", "_._.._etc_passwd");
        check("-rf", "_rf");
        check("Łukasz|x:y", "Łukasz_x_y");
        assert!(stem(&"ł".repeat(500)).len() < 250);
    }
}
