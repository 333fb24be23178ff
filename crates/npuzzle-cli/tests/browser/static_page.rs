//! The static page of `cargo xtask page`: the engine is the WebAssembly module, and a plain file server serves the files
//! under a sub-path.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::json;

use crate::driver::Process;
use crate::page::{Page, with_browser};
use crate::watching::LOADED;

/// A 15-puzzle of 80 moves, the maximum.
const HARDEST: &str = "0.12.9.13_15.11.10.14_3.7.2.5_4.8.6.1";

/// Builds the page and the npm package, once, and returns the folder that contains both.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo).current_dir(&root).args(["xtask", "page"]).output();
        let built = built.expect("cargo starts");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let output = String::from_utf8_lossy(&built.stdout);
        let folder = output.lines().find_map(|line| line.strip_prefix("page: "));
        let folder = Path::new(folder.expect("the command names the folder"));
        folder.parent().expect("the target folder").to_owned()
    })
}

/// Runs a test on the page under a sub-path of a file server.
fn with_static_page<F>(test: impl FnOnce(Page) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let site = tempfile::tempdir().expect("a folder");
    copy(&folder().join("page"), &site.path().join("games/npuzzle"));
    copy(&folder().join("npm"), &site.path().join("npm"));
    let (_server, port) = serve(site.path());
    with_browser(format!("http://127.0.0.1:{port}/games/npuzzle/"), 1280, 900, test);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Starts Python's file server on a free port.
fn serve(folder: &Path) -> (Process, u16) {
    let mut child = Command::new("python3")
        .args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 starts");
    let output = child.stdout.take().expect("piped");
    let server = Process(child);
    // `Serving HTTP on 127.0.0.1 port 45123 (http://127.0.0.1:45123/) ...`
    let line = BufReader::new(output).lines().next().expect("a line").expect("text");
    let port = line.split(" port ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    (server, port.expect("the server names its port"))
}

#[test]
fn static_page_solves_the_hardest_fifteen_puzzle() {
    with_static_page(|page| async move {
        page.open(&format!("#start={HARDEST}")).await;
        page.fill("#speed", "40").await;
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.includes('proved optimal')")
            .await;
        assert!(page.text("#verdict").await.starts_with("80 "), "{}", page.text("#verdict").await);
        page.wait_solved(true).await;
    });
}

#[test]
fn static_page_plays_analyses_watches_compares_and_saves() {
    with_static_page(|page| async move {
        page.open("#start=8.6.7_2.5.4_3.0.1").await;
        page.wait("document.getElementById('distance').textContent === '31'").await;
        page.click("#hint").await;
        page.wait("document.querySelector('[data-best]')").await;
        page.click("#scramble").await;
        page.wait("document.getElementById('board').dataset.board !== '8 6 7/2 5 4/3 0 1'").await;
        page.open("#start=1.2.3_4.0.6_7.5.8&view=watch").await;
        page.wait(LOADED).await;
        page.open("#start=1.2.3_4.0.6_7.5.8&view=compare").await;
        page.click("#run-compare").await;
        page.wait("document.querySelectorAll('#compare tbody tr').length > 3").await;
        let size = "const { postForFile } = await import('./js/api.js'); \
            return (await postForFile('render', { board: '1 2 3/4 5 6/7 0 8', format: 'gif' })).size;";
        assert!(page.module(size).await.as_u64() > Some(100));
    });
}

#[test]
fn static_page_names_the_command_for_large_boards() {
    with_static_page(|page| async move {
        page.open("#start=8.6.7_2.5.4_3.0.1").await;
        assert_eq!(page.text("#native").await, "");
        page.open("#start=0.1.2.3.4_5.6.7.8.9_10.11.12.13.14_15.16.17.18.19_20.21.22.24.23&goal=first&answer=optimal")
            .await;
        let note = page.text("#native").await;
        assert!(note.contains("npuzzle solve --optimal --goal \"first\" \"0 1 2 3 4/"), "{note}");
    });
}

#[test]
fn hint_on_the_hardest_board_is_a_move_of_a_shortest_solution() {
    with_static_page(|page| async move {
        page.open(&format!("#start={HARDEST}")).await;
        page.click("#hint").await;
        page.wait("document.querySelectorAll('[data-best]').length === 1").await;
        assert_ne!(page.text("#toast").await, "This board has no solution.");
    });
}

#[test]
fn static_search_can_be_cancelled_and_followed_by_another() {
    with_static_page(|page| async move {
        page.open(&format!("#start={HARDEST}")).await;
        page.click("#solve").await;
        page.wait("document.getElementById('figures').textContent.includes('Expanded')").await;
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent === 'Cancelled.'").await;
        page.open("#start=1.2.3_4.0.6_7.5.8").await;
        page.click("#solve").await;
        page.wait_solved(true).await;
    });
}

#[test]
fn npm_package_solves_in_a_page_and_in_a_worker() {
    with_static_page(|page| async move {
        page.open("").await;
        let solve = "const { solve } = await import('/npm/index.js'); \
            return (await solve([[8, 6, 7], [2, 5, 4], [3, 0, 1]])).moves;";
        assert_eq!(page.module(solve).await, json!(31));
        let worker = "const code = `import { solve } from '${location.origin}/npm/index.js'; \
            postMessage((await solve('8 6 7/2 5 4/3 0 1')).moves);`; \
            const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' })); \
            const worker = new Worker(url, { type: 'module' }); \
            return new Promise((done, fail) => { \
                worker.onmessage = ({ data }) => done(data); worker.onerror = fail; });";
        assert_eq!(page.module(worker).await, json!(31));
    });
}

#[test]
fn links_of_the_static_page_open_there() {
    with_static_page(|page| async move {
        page.open("#start=1.2.3_4.0.6_7.5.8").await;
        page.click("#open-share").await;
        let link = page.value("document.getElementById('link').value").await;
        let address = format!("{}#start=1.2.3_4.0.6_7.5.8", page.address);
        assert_eq!(link, json!(address));
    });
}
