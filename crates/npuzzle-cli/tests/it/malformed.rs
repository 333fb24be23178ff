//! The malformed inputs of `testdata/malformed`: message, place, exit code 2, and no output file.

use std::fs;

use npuzzle::format::{self, Format};
use npuzzle_testkit::data;

use crate::program::{Folder, run};

#[test]
fn malformed_input_reports_place_and_leaves_no_file() {
    let (mut n_checked, mut n_answered) = (0, 0);
    for entry in fs::read_dir(data::path("malformed")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".in") else { continue };
        // `07-name.FORMAT.in` is read in that format.
        let forced: Option<Format> = stem.rsplit_once('.').map(|(_, name)| name.parse().unwrap());
        let entries = format::read(&fs::read_to_string(&path).unwrap(), forced);
        if entries.iter().all(Result::is_ok) {
            // Malformed only where a single board is expected.
            continue;
        }
        let folder = Folder::new();
        let out = folder.path().join("out.txt");
        let mut args = vec!["solve".into(), "--quiet".into(), path.clone().into_os_string()];
        if let Some(forced) = forced {
            args.extend(["--format".into(), forced.to_string().into()]);
        }
        args.extend(["-o".into(), out.into_os_string()]);
        let ran = run(args);

        let expect = data::text(&format!("malformed/{stem}.err"));
        let expect = expect.replacen(&name, &path.display().to_string(), 1);
        assert_eq!(ran.stderr, format!("npuzzle: {expect}"), "{name}");
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}");
        // Valid boards of the same file are solved.
        let has_board = entries.iter().any(Result::is_ok);
        assert_eq!(folder.names(), &["out.txt"][..usize::from(has_board)], "{name}");
        n_answered += usize::from(has_board);
        n_checked += 1;
    }
    assert!(n_checked - n_answered >= 50, "{n_checked} malformed, {n_answered} answered");
}
