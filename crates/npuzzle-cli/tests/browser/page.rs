//! A page in a browser, with helpers for tests.

use std::future::Future;
use std::time::{Duration, Instant};

use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::{driver, server};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub(crate) struct Page {
    client: Client,
    pub(crate) address: String,
}

/// Runs a test on the page of a new server, in a window of the default size.
pub(crate) fn with_page<F>(test: impl FnOnce(Page) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let (_server, address) = server::start();
    with_browser(address, 1280, 900, test);
}

/// Runs a test on any page. The browser is closed even if the test fails. Errors in the console fail the
/// test.
pub(crate) fn with_browser<F>(
    address: String,
    width: u32,
    height: u32,
    test: impl FnOnce(Page) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let profile = tempfile::tempdir().expect("a folder");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("tokio");
    runtime.block_on(async {
        let folder = profile.path().display().to_string();
        let (driver, client) = driver::start(width, height, &folder).await;
        let page = Page { client: client.clone(), address };
        let result = tokio::spawn(test(page.clone())).await;
        let errors = page.errors().await;
        client.close().await.expect("the browser closes");
        drop(driver);
        if let Err(failure) = result {
            eprintln!("console: {errors:?}");
            std::panic::resume_unwind(failure.into_panic());
        }
        assert!(errors.is_empty(), "errors in the console: {errors:#?}");
    });
}

impl Page {
    /// Opens the page with this fragment, and waits until it is ready.
    pub(crate) async fn open(&self, fragment: &str) {
        // From another page, because a new fragment does not reload the page.
        self.client.goto("about:blank").await.expect("a blank page");
        self.client.goto(&format!("{}{fragment}", self.address)).await.expect("the page");
        self.wait("document.documentElement.dataset.ready === 'true'").await;
    }

    /// Reloads the page, and waits until it is ready.
    pub(crate) async fn reload(&self) {
        self.client.refresh().await.expect("the page");
        self.wait("document.documentElement.dataset.ready === 'true'").await;
    }

    /// Opens the address without a fragment.
    pub(crate) async fn goto(&self) {
        self.client.goto(&self.address).await.expect("the page");
    }

    /// Runs a script, and returns its result.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap_or_else(|e| panic!("{script}: {e}"))
    }

    /// Runs an asynchronous script that may import modules of the page, and returns its result.
    pub(crate) async fn module(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             (async () => {{ {script} }})().then((value) => done({{ value }}), \
             (error) => done({{ error: String(error) }}));"
        );
        let mut answer = self.client.execute_async(&script, vec![]).await.expect("an answer");
        assert_eq!(answer["error"], Value::Null, "{script}");
        answer["value"].take()
    }

    /// The value of an expression.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};")).await
    }

    /// Waits until an expression is true.
    pub(crate) async fn wait(&self, expression: &str) {
        let begin = Instant::now();
        while !self.value(&format!("Boolean({expression})")).await.as_bool().unwrap_or(false) {
            if begin.elapsed() > PATIENCE {
                let body = self.value("document.body.innerText").await;
                panic!("waited in vain for {expression}\n{}", body.as_str().unwrap_or_default());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn click(&self, selector: &str) {
        self.element(selector).await.click().await.unwrap_or_else(|e| panic!("{selector}: {e}"));
    }

    /// Types into an element.
    pub(crate) async fn keys(&self, selector: &str, keys: &str) {
        self.element(selector).await.send_keys(keys).await.expect("keys");
    }

    /// Sets the value of a field, like pasting or choosing it.
    pub(crate) async fn fill(&self, selector: &str, value: &str) {
        let script = "const [field, value] = arguments; field.value = value; \
            for (const name of ['input', 'change']) \
            field.dispatchEvent(new Event(name, { bubbles: true }));";
        let field = self.element(selector).await;
        let field = serde_json::to_value(field).expect("an element");
        self.client.execute(script, vec![field, json!(value)]).await.expect("a value");
    }

    /// The text of an element as it is laid out; empty if it is hidden. WebDriver's own text is also empty for
    /// elements that are transparent, as dialogs are in the first frame of their animation.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let script = "const [element] = arguments; \
            return element.checkVisibility() ? element.innerText.trim() : '';";
        let element = serde_json::to_value(self.element(selector).await).expect("an element");
        let text = self.client.execute(script, vec![element]).await.expect("a text");
        text.as_str().expect("a text").to_owned()
    }

    async fn element(&self, selector: &str) -> fantoccini::elements::Element {
        let found = self.client.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|e| panic!("{selector}: {e}"))
    }

    /// The board as the page shows it, in slash form.
    pub(crate) async fn board(&self) -> String {
        let board = self.value("document.getElementById('board').dataset.board").await;
        board.as_str().expect("a board").to_owned()
    }

    /// Waits until the page shows the board as solved, or as unsolved.
    pub(crate) async fn wait_solved(&self, is_solved: bool) {
        self.wait(&format!("document.getElementById('board').dataset.solved === '{is_solved}'"))
            .await;
    }

    pub(crate) async fn devtools(&self, command: &str, params: Value) -> Value {
        driver::devtools(&self.client, command, params).await
    }

    /// Emulates a screen of this size.
    pub(crate) async fn resize(&self, width: u32, height: u32, scale: f64, is_mobile: bool) {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_mobile,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    pub(crate) async fn screenshot(&self) -> Vec<u8> {
        self.client.screenshot().await.expect("a screenshot")
    }

    /// The errors in the console. The browser also logs rejected requests, which are expected for texts that
    /// are not boards.
    pub(crate) async fn errors(&self) -> Vec<Value> {
        let is_refusal =
            |message: &str| message.contains("/api/v1/read") && message.contains("400");
        let log = driver::console(&self.client).await;
        let is_error = |entry: &Value| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default();
            text("level") == "SEVERE" && !is_refusal(text("message"))
        };
        log.into_iter().filter(is_error).collect()
    }
}
