//! The report in a real browser: headless Chromium.

use super::{faults, learned, report, small};
use crate::needed::program;
use forest_core::learn::Method;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Chromium's tree of a page as HTML, and its log.
struct Seen {
    tree: String,
    log: String,
}

/// The browser's path here, if there is one.
fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    program(&names, "apt-get install chromium")
}

fn see(browser: &Path, dir: &Path, html: &str, width: u32) -> Seen {
    let path = dir.join("page.html");
    std::fs::write(&path, html).expect("written");
    let output = Command::new("timeout")
        .arg("120")
        .arg(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--enable-logging=stderr", "--hide-scrollbars", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.join("profile").display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("it runs");
    Seen {
        tree: String::from_utf8_lossy(&output.stdout).into_owned(),
        log: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_browser_has_nothing_to_refuse_and_nothing_is_wider_than_the_screen() {
    let Some(browser) = browser() else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let sample = small();
    let outcome = learned("paper.example", &sample, Method::Forest);
    let html = report("paper.example", &sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
    let refused = |seen: &Seen| seen.log.contains("Content Security Policy");
    let seen = see(&browser, dir.path(), &html, 1200);
    assert!(seen.tree.contains("paper.example"), "{}", seen.log);
    assert!(!refused(&seen), "{}", seen.log);
    // The browser would log a violation.
    let bad = html.replace("<main>", "<main style='color:red'><script>1</script>");
    assert!(refused(&see(&browser, dir.path(), &bad, 1200)));
    // A script of the test's measures what the style makes of the page.
    let measured = html
        .replacen("Content-Security-Policy", "x-nothing", 1)
        .replace("<details", "<details open")
        .replace(
            "</main>",
            "</main><script>document.body.setAttribute('data-wide', \
             [...document.querySelectorAll('*')].filter(e => \
             e.getBoundingClientRect().right > innerWidth + 1).length)</script>",
        );
    for width in [500, 1200] {
        let seen = see(&browser, dir.path(), &measured, width);
        assert!(
            seen.tree.contains("data-wide=\"0\""),
            "{width}: {}",
            seen.tree
        );
    }
}
