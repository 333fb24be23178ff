//! The browser that the tests of the web page run in, and the accessibility checks of these tests: found, or installed
//! where possible.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::node;
use crate::toolchain::{self, succeeds};

/// The WebDriver server that the tests start.
const DRIVER: &str = "chromedriver";

/// The npm package that checks accessibility.
const ACCESSIBILITY: &str = "axe-core@4";

/// Commands and paths of the browser.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];

/// The font makes the screenshots look the same on every machine.
const DEBIAN_PACKAGES: &[&str] = &["chromium", "chromium-driver", "fonts-inter"];

const INSTRUCTIONS: &str = "\
Install Chromium or Chrome and the ChromeDriver of the same version:
  Debian, Ubuntu   apt-get install chromium chromium-driver (as root)
  Fedora           dnf install chromium chromedriver
  Arch             pacman -S chromium
  macOS            brew install --cask google-chrome chromedriver
  Windows          winget install Google.Chrome Chromium.ChromeDriver";

/// The missing programs and packages, after an attempt to install them.
pub(crate) fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut missing = missing();
    if !missing.is_empty() && toolchain::is_debian_root() {
        println!("missing: {}; apt-get install {}", missing.join(", "), DEBIAN_PACKAGES.join(" "));
        toolchain::apt_install(DEBIAN_PACKAGES);
        missing = self::missing();
    }
    let mut problems = Vec::new();
    if !missing.is_empty() {
        problems.push(format!("missing: {}. {INSTRUCTIONS}", missing.join(", ")));
    }
    problems.extend(node::install(root, ACCESSIBILITY).err().map(|error| error.to_string()));
    Ok(problems)
}

fn missing() -> Vec<&'static str> {
    let mut missing = vec![];
    if !BROWSERS.iter().any(|browser| is_installed(browser)) {
        missing.push("chromium");
    }
    if !is_installed(DRIVER) {
        missing.push(DRIVER);
    }
    missing
}

fn is_installed(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

/// `cargo xtask pictures`: regenerates the screenshots of the docs with the test that takes them.
pub(crate) fn pictures(root: &Path) -> io::Result<bool> {
    let test = ["test", "-p", "npuzzle-cli", "--test", "browser", "--locked", "page_is_pictured"];
    let mut command = toolchain::cargo();
    command.current_dir(root).args(test).env("NPUZZLE_PICTURES", root.join("docs/images"));
    Ok(command.status()?.success())
}
