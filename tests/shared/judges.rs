//! Other programs that judge what is written here: from PyPI, found on the path.

use crate::needed::program;
use std::path::{Path, PathBuf};
use std::process::Command;

fn passes(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let erred = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{erred}");
    said
}

/// `warcio check` of all WARC files of an archive.
#[allow(dead_code, reason = "not every test asks every judge")]
pub fn warcio_check(archive: &Path) {
    let Some(warcio) = program(&["warcio"], "pip install warcio") else {
        return;
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(archive.join("warc"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let said = passes(Command::new(warcio).arg("check").args(&files));
    assert!(!said.contains("digest failed"), "{said}");
    println!("warcio check: {} files pass", files.len());
}

/// Every stored page of an archive replayed by pywb (`tests/replay/replay.py`).
#[allow(dead_code, reason = "not every test asks every judge")]
pub fn pywb_replays(archive: &Path) {
    let Some(wayback) = program(&["wayback"], "pip install pywb") else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replay/replay.py");
    let python = wayback.with_file_name("python");
    let said = passes(Command::new(python).arg(script).arg(archive));
    println!("{}", said.trim_end());
}

/// `wacz validate` of a file.
#[allow(dead_code, reason = "not every test asks every judge")]
pub fn wacz_validates(file: &Path) {
    let Some(wacz) = program(&["wacz"], "pip install wacz") else {
        return;
    };
    let said = passes(Command::new(wacz).args(["validate", "-f"]).arg(file));
    assert!(said.contains("is valid"), "{said}");
    println!("wacz validate: {} is valid", file.display());
}
