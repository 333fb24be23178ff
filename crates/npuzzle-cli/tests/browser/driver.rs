//! ChromeDriver, one process per test, and its commands that fantoccini does not cover.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};

/// A child process, killed on drop.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const MISSING: &str = "chromedriver could not be started. `cargo xtask test` installs it on Debian as root; \
    elsewhere install Chromium or Chrome and the ChromeDriver of the same version";

/// Browser flags. The last ones disable update checks, which fail without a network.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The number of attempts to start a driver.
const N_STARTS: usize = 3;

/// Starts a driver on a free port, and a browser with a window of this size and its own profile.
pub(crate) async fn start(width: u32, height: u32, profile: &str) -> (Process, Client) {
    // The free port that a driver has chosen may be taken before the driver listens to it.
    let (driver, port) = (0..N_STARTS).find_map(|_| start_driver()).expect(MISSING);
    let mut args: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    args.push(format!("--window-size={width},{height}"));
    args.push(format!("--user-data-dir={profile}"));
    let mut options = json!({ "args": args });
    if let Some(browser) = browser() {
        options["binary"] = json!(browser);
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .expect("a browser: install Chromium or Chrome");
    (driver, client)
}

/// Starts a driver and reads its port from its output; `None` if it ends before it listens.
fn start_driver() -> Option<(Process, u16)> {
    let mut child = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect(MISSING);
    let output = child.stdout.take().expect("piped");
    let driver = Process(child);
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let port = lines.find_map(|line| port_of(&line))?;
    // Later output is read, too, so that the driver never blocks.
    std::thread::spawn(move || lines.for_each(drop));
    Some((driver, port))
}

/// `ChromeDriver was started successfully on port 12345.`
fn port_of(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

/// Debian's Chromium; elsewhere the driver finds the browser.
fn browser() -> Option<&'static str> {
    ["/usr/bin/chromium"].into_iter().find(|path| std::path::Path::new(path).exists())
}

/// A command of ChromeDriver: a path below the session, and a body.
#[derive(Debug)]
struct Own {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Own {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

/// Runs a command of the DevTools protocol.
pub(crate) async fn devtools(client: &Client, command: &str, params: Value) -> Value {
    let body = json!({ "cmd": command, "params": params });
    client.issue_cmd(Own { path: "goog/cdp/execute", body }).await.expect("DevTools answer")
}

/// The console messages of the page since the last call.
pub(crate) async fn console(client: &Client) -> Vec<Value> {
    let body = json!({ "type": "browser" });
    let log = client.issue_cmd(Own { path: "se/log", body }).await.expect("a log");
    log.as_array().cloned().unwrap_or_default()
}
