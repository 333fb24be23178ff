//! The browser that the tests of the page run in: found, or installed where that can be done.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the tests start, and where else than by its name a browser is found.
const DRIVER: &str = "chromedriver";
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];

/// The font is there for the screenshots alone, so that they look the same everywhere.
const DEBIAN_PACKAGES: &[&str] = &["chromium", "chromium-driver", "fonts-inter"];

const HOW_TO: &str = "\
Install Chromium or Chrome and the ChromeDriver of the same version:
  Debian, Ubuntu   apt-get install chromium chromium-driver (as root)
  Fedora           dnf install chromium chromedriver
  Arch             pacman -S chromium
  macOS            brew install --cask google-chrome chromedriver
  Windows          winget install Google.Chrome Chromium.ChromeDriver";

/// What is still missing after it was installed where that is possible.
pub(crate) fn problems(_root: &Path) -> io::Result<Vec<String>> {
    let mut missing = missing();
    if !missing.is_empty() && is_debian_root() {
        println!("missing: {}; apt-get install {}", missing.join(", "), DEBIAN_PACKAGES.join(" "));
        install();
        missing = self::missing();
    }
    if missing.is_empty() {
        return Ok(vec![]);
    }
    Ok(vec![format!("missing: {}. {HOW_TO}", missing.join(", "))])
}

fn missing() -> Vec<&'static str> {
    let mut missing = vec![];
    if !BROWSERS.iter().any(|browser| answers(browser)) {
        missing.push("chromium");
    }
    if !answers(DRIVER) {
        missing.push(DRIVER);
    }
    missing
}

fn answers(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

fn is_debian_root() -> bool {
    let is_debian = Path::new("/etc/debian_version").exists();
    let user = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    is_debian && user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}

/// The lists of packages are fetched only if they are missing or old.
fn install() {
    let apt_get = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        succeeds(&mut command)
    };
    let packages: Vec<&str> = ["install", "-y", "--no-install-recommends"]
        .iter()
        .chain(DEBIAN_PACKAGES)
        .copied()
        .collect();
    if !apt_get(&packages) && apt_get(&["update"]) {
        apt_get(&packages);
    }
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Makes the screenshots of the docs anew, by the test that makes them in every run.
pub(crate) fn pictures(root: &Path) -> std::process::ExitCode {
    let test = ["test", "-p", "npuzzle-cli", "--test", "browser", "--locked", "page_is_pictured"];
    let mut command = crate::component::cargo();
    command.current_dir(root).args(test).env("NPUZZLE_PICTURES", root.join("docs/images"));
    match command.status() {
        Ok(status) => std::process::ExitCode::from(u8::from(!status.success())),
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
