//! `npuzzle census`, in memory and on disk.

use std::process::Stdio;

use npuzzle_testkit::data;

#[cfg(unix)]
use crate::program::on_full_disk;
use crate::program::{Folder, RunResult, command, run};

fn check(args: &[&str], code: i32, words: &[&str]) -> RunResult {
    let ran = run(["census"].iter().chain(args));
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.stdout, ran.stderr);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    for words in words {
        assert!(text.contains(words), "{args:?}: {text:?} has no {words:?}");
    }
    ran
}

/// The published counts in the format of `--output csv`.
pub(crate) fn csv(name: &str) -> String {
    let counts = data::census(name).into_iter().enumerate();
    counts.fold("depth,states\n".to_owned(), |csv, (depth, n)| csv + &format!("{depth},{n}\n"))
}

#[test]
fn census_writes_text_csv_json_and_chart() {
    let text = [
        "boards of 3x3 that reach 1 2 3/4 5 6/7 8 0, by distance (stm)\n",
        "\n   31       2\n",
        "total  181440  all of them\n",
        "mean   21.972\n",
        "farthest:\n8 6 7/2 5 4/3 0 1\n6 4 7/8 5 0/3 2 1\n",
    ];
    check(&["3x3"], 0, &text);
    check(&["3x3", "--antipodes", "1"], 0, &["farthest, 1 of 2:\n8 6 7/2 5 4/3 0 1\n"]);
    assert_eq!(check(&["3x3", "--output", "csv"], 0, &[]).stdout, csv("3x3.stm"));
    let mtm = ["2x4", "--metric", "mtm", "--goal", "first", "--output", "csv"];
    assert_eq!(check(&mtm, 0, &[]).stdout, csv("4x2.mtm"));
    let json = [
        "\"states\":[1,2,4,8,16,20,",
        "\"complete\":true,\"total\":181440,",
        "\"max_depth\":31,\"antipodes\":[\"8 6 7/2 5 4/3 0 1\",",
        "\"limit_hit\":null",
    ];
    check(&["3x3", "--json"], 0, &json);
    let folder = Folder::new();
    let picture = folder.path().join("chart.svg");
    check(&["3x3", "--depth", "9", "--chart", picture.to_str().unwrap()], 0, &["so far"]);
    let svg = std::fs::read_to_string(picture).unwrap();
    assert!(svg.contains("<title>9: 152</title>") && svg.contains("not complete"), "{svg}");
    assert!(svg.ends_with("</svg>\n"));
}

#[test]
fn census_rejects_impossible_requests() {
    let folder = Folder::new();
    let path = folder.path().to_str().unwrap();
    check(&[], 2, &["<SIZE|--resume <DIR>>"]);
    check(&["5x5"], 2, &["5x5: a census works up to 16 cells"]);
    check(&["4x4"], 2, &["of more than 12 cells is taken on disk: name a folder"]);
    check(&["3x4", "--memory", "50M"], 2, &["more than --memory: name a folder"]);
    check(&["3x3", "--keep"], 2, &["--on-disk <DIR>|--resume <DIR>"]);
    check(&["3x3", "--goal", "1 2/3 0"], 2, &["not a board of size 3x3"]);
    check(&["--resume", path], 2, &["there is no census to resume"]);
    check(&["3x3", "--on-disk", path, "--memory", "9M"], 2, &["MiB of memory are needed"]);
    check(&["3x3", "--time", "0s"], 3, &["\"limit_hit\":\"time\""].map(|_| "so far"));
    let missing = folder.path().join("missing/chart.svg");
    let on_disk = ["3x3", "--on-disk", "levels", "--chart", missing.to_str().unwrap()];
    check(&on_disk, 4, &["chart.svg: No such file"]);
    let file = folder.file("file", "");
    check(&["3x3", "--on-disk", file.to_str().unwrap()], 4, &["file: "]);
}

#[test]
fn census_removes_its_folder_only_when_complete() {
    let folder = Folder::new();
    let path = folder.path().join("levels");
    let levels = path.to_str().unwrap();
    let stopped = ["3x3", "--depth", "7", "--on-disk", levels, "--time", "0s"];
    let hint = format!("time limit reached; continue with npuzzle census --resume {levels}\n");
    check(&stopped, 3, &[&hint]);
    // The folder knows the depth.
    for _ in 0..2 {
        let counted = check(&["--resume", levels, "--output", "csv"], 0, &[]);
        assert_eq!(counted.stdout.lines().count(), 1 + 8, "{}", counted.stdout);
    }
    check(&["--resume", levels, "--depth", "8"], 0, &["so far"]);
    check(&["3x3", "--on-disk", levels], 2, &["there is a census already; --resume"]);
    let all = ["--resume", levels, "--depth", "99", "--output", "csv", "--keep"];
    let ended = check(&all, 0, &[]);
    assert_eq!(ended.stdout, csv("3x3.stm"));
    // The census is complete.
    let again = check(&["--resume", levels, "--output", "csv"], 0, &[]);
    assert_eq!(again.stdout, csv("3x3.stm"));
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn killed_census_resumes_with_the_same_counts() {
    let folder = Folder::new();
    let path = folder.path().join("levels");
    let levels = path.to_str().unwrap();
    let mut args = vec!["census", "2x5", "--checkpoint", levels];
    for depth in [12, 30] {
        let mut child =
            command().args(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_counted = || {
            let text = std::fs::read_to_string(path.join("census")).unwrap_or_default();
            text.contains(&format!("level {depth} "))
        };
        while !is_counted() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert!(child.wait().unwrap().code().is_none(), "it ended before it was killed");
        args = vec!["census", "--resume", levels];
    }
    assert_eq!(check(&["--resume", levels, "--output", "csv"], 0, &[]).stdout, csv("5x2.stm"));
}

#[cfg(unix)]
#[test]
fn census_on_full_disk_resumes_later() {
    let folder = Folder::new();
    let levels = folder.path().join("levels");
    let levels = levels.to_str().unwrap();
    let mut census = command();
    census.args(["census", "2x5", "--on-disk", levels]);
    let limited = on_full_disk(64, &census).output().unwrap();
    let stderr = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("File too large"), "{stderr}");
    assert_eq!(check(&["--resume", levels, "--output", "csv"], 0, &[]).stdout, csv("5x2.stm"));
}
