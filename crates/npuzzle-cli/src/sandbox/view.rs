//! The files that a program in the sandbox can read.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use rustix::io::Errno;

/// Programs, libraries, and the configuration that interpreters need.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
];
/// Folders of which every program has its own version.
const PRIVATE: &[&str] = &["/dev", "/proc", "/sys"];
/// Prefixes of the names of configuration in `/etc`: a Java installation links to its part.
const CONFIGURATIONS: &[&str] = &["java", "python3"];

/// The files that a program can read.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// Files and folders of the system; some may not exist.
    pub(super) system: Vec<PathBuf>,
    /// Files and folders of the program, parents before children.
    pub(super) own: Vec<PathBuf>,
    /// Existing files among them that the program must not see.
    pub(super) hidden: Vec<PathBuf>,
    /// The current folder.
    pub(super) current: PathBuf,
}

impl View {
    /// What this command sees: the folders of its program and of the files that it names, or the current
    /// folder if it names none; and what the user allows. `hidden` files are left out, unless the
    /// command or the user names them.
    pub(super) fn of(
        command: &[OsString],
        allowed: &[PathBuf],
        hidden: &[PathBuf],
    ) -> io::Result<View> {
        let current = env::current_dir()?;
        // A program that does not exist fails when it is started.
        let program = command.first().and_then(|name| find_program(name).ok()).unwrap_or_default();
        let mut own = Vec::new();
        let named: Vec<PathBuf> =
            command.iter().filter_map(|arg| named_path(arg, &current)).collect();
        for path in &named {
            let folder = if path.is_dir() { Some(&**path) } else { path.parent() };
            own.extend(folder.map(Path::to_owned));
        }
        if named.is_empty() {
            own.push(current.clone());
        }
        if is_plain_name(command.first()) {
            own.extend(real_paths(&program).iter().filter_map(|path| installation(path)));
        }
        own.extend(allowed.iter().map(|path| current.join(path)));
        let mut own: Vec<PathBuf> = own.iter().flat_map(|path| real_paths(path)).collect();
        // The root folder would show everything.
        own.retain(|path| path.parent().is_some());
        own.sort();
        own.dedup();

        let is_named = |path: &PathBuf| {
            let named = named.iter().chain(allowed).chain([&program]);
            named.filter_map(|named| fs::canonicalize(named).ok()).any(|named| named == *path)
        };
        let mut view = View { system: system_paths(), own, hidden: Vec::new(), current };
        let hidden = hidden.iter().filter_map(|path| fs::canonicalize(path).ok());
        view.hidden = hidden.filter(|path| view.shows(path) && !is_named(path)).collect();
        Ok(view)
    }

    fn shows(&self, path: &Path) -> bool {
        self.system.iter().chain(&self.own).any(|shown| path.starts_with(shown))
    }
}

fn system_paths() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    for entry in fs::read_dir("/etc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        if CONFIGURATIONS
            .iter()
            .any(|prefix| name.as_encoded_bytes().starts_with(prefix.as_bytes()))
        {
            paths.push(entry.path());
        }
    }
    paths
}

/// The file of a program, searched in `PATH` like the system does.
pub(super) fn find_program(name: &OsStr) -> io::Result<PathBuf> {
    let mut error = Errno::NOENT;
    for path in candidates(name) {
        match fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.permissions().mode() & 0o111 != 0 => {
                return Ok(path);
            }
            Ok(_) => error = Errno::ACCESS,
            Err(found) if found.kind() == io::ErrorKind::PermissionDenied => error = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(error.into())
}

fn candidates(name: &OsStr) -> Vec<PathBuf> {
    if !is_plain_name(Some(&name.to_owned())) {
        return vec![PathBuf::from(name)];
    }
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    env::split_paths(&path).map(|folder| folder.join(name)).collect()
}

/// Whether a program is named without its folder.
fn is_plain_name(name: Option<&OsString>) -> bool {
    name.is_some_and(|name| !name.is_empty() && !name.as_encoded_bytes().contains(&b'/'))
}

/// The absolute path of an argument that names an existing file or folder outside of the system's.
fn named_path(arg: &OsStr, current: &Path) -> Option<PathBuf> {
    let path = current.join(arg);
    let is_shown = SYSTEM.iter().chain(PRIVATE).any(|system| path.starts_with(system));
    (!arg.is_empty() && path.exists() && !is_shown).then_some(path)
}

/// The folder that an interpreter is installed in: `/opt/jdk` for `/opt/jdk/bin/java`.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let is_bin = ["bin", "shims"].iter().any(|&name| folder.file_name() == Some(OsStr::new(name)));
    let home = env::var_os("HOME").map(PathBuf::from);
    let is_private = |path: &Path| path.parent().is_none() || home.as_deref() == Some(path);
    match folder.parent() {
        Some(prefix) if is_bin && !is_private(prefix) => Some(prefix.to_owned()),
        _ => Some(folder.to_owned()),
    }
}

/// A path as it is named and without links, if it exists.
fn real_paths(path: &Path) -> Vec<PathBuf> {
    let Ok(real) = fs::canonicalize(path) else { return Vec::new() };
    let is_direct = |path: &Path| {
        path.is_absolute() && path.components().all(|part| !matches!(part, Component::ParentDir))
    };
    // Without `.`, which the comparison of paths ignores.
    let plain: PathBuf = path.components().collect();
    if is_direct(&plain) && plain != real { vec![plain, real] } else { vec![real] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_shows_the_folders_of_named_files() {
        let class = tempfile::tempdir().unwrap();
        let path = |name: &str| fs::canonicalize(class.path()).unwrap().join(name);
        for name in ["ada", "bob"] {
            fs::create_dir(path(name)).unwrap();
            fs::write(path(name).join("solver.py"), "").unwrap();
        }
        let (script, key) = (path("ada/solver.py"), path("key"));
        fs::write(&key, "").unwrap();
        let command = ["/bin/sh".into(), script.clone().into_os_string(), "{input}".into()];
        let view = View::of(&command, &[], &[script.clone(), key.clone()]).unwrap();
        assert_eq!((view.own, view.hidden), (vec![path("ada")], vec![]));
        // An allowed folder shows a hidden file, which is then left out.
        let view = View::of(&command, &[path("")], std::slice::from_ref(&key)).unwrap();
        assert_eq!(
            (view.own, view.hidden),
            (vec![path(".").components().collect(), path("ada")], vec![key])
        );
        // Without a file, the current folder.
        let view = View::of(&["/bin/sh".into(), "Solver".into()], &[], &[]).unwrap();
        assert_eq!(view.own, [env::current_dir().unwrap()]);
    }

    #[test]
    fn program_is_found_like_the_system_finds_it() {
        assert!(find_program(OsStr::new("sh")).unwrap().ends_with("sh"));
        assert_eq!(
            find_program(OsStr::new("/bin")).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        let missing = find_program(OsStr::new("no-such-program")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        assert_eq!(installation(Path::new("/opt/jdk/bin/java")), Some("/opt/jdk".into()));
        assert_eq!(installation(Path::new("/opt/java")), Some("/opt".into()));
        assert_eq!(installation(Path::new("/bin/sh")), Some("/bin".into()));
    }
}
