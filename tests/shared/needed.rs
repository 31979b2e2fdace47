//! What tests need that Rust does not bring: data and programs. Where something is not
//! there, a test says so and ends; but the heavy tests of a run in CI fail.

use std::path::{Path, PathBuf};

/// `found`; where it is `None`, `what` is missing.
pub fn needed<T>(found: Option<T>, what: &str) -> Option<T> {
    let must = cfg!(feature = "heavy") && std::env::var_os("CI").is_some();
    assert!(found.is_some() || !must, "{what} is not there");
    if found.is_none() {
        println!("skipped, since {what} is not there");
    }
    found
}

/// A file or folder of the shared data.
#[allow(dead_code, reason = "not every suite has tests that need it")]
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(name);
    needed(path.exists().then_some(path), &format!("../shared/{name}"))
}

/// The first of these programs that is on the path; `how` says how it is installed.
#[allow(dead_code, reason = "not every suite has tests that need it")]
pub fn program(names: &[&str], how: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = { files }.find(|file| file.is_file());
    needed(found, &format!("{} ({how})", names.join(" or ")))
}
