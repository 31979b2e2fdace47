//! Other programs that check written files: from PyPI, found on the path.

use crate::needed::program;
use std::path::{Path, PathBuf};
use std::process::Command;

fn passes(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    let erred = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{output_text}\n{erred}");
    output_text
}

/// `warcio check` of all WARC files of an archive.
#[allow(dead_code, reason = "not every test uses every judge")]
pub fn warcio_check(archive: &Path) {
    let Some(warcio) = program(&["warcio"], "pip install warcio") else {
        return;
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(archive.join("warc"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let output_text = passes(Command::new(warcio).arg("check").args(&files));
    assert!(!output_text.contains("digest failed"), "{output_text}");
    println!("warcio check: {} files pass", files.len());
}

/// Every stored page of an archive replayed by pywb (`tests/replay/replay.py`).
#[allow(dead_code, reason = "not every test uses every judge")]
pub fn pywb_replays(archive: &Path) {
    let Some(wayback) = program(&["wayback"], "pip install pywb") else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replay/replay.py");
    let python = wayback.with_file_name("python");
    let output_text = passes(Command::new(python).arg(script).arg(archive));
    println!("{}", output_text.trim_end());
}

/// Every record of the files is in the archive that they were imported into
/// (`tests/replay/account.py`).
#[allow(dead_code, reason = "not every test uses every judge")]
pub fn warcio_accounts(archive: &Path, files: &[PathBuf]) {
    let Some(warcio) = program(&["warcio"], "pip install warcio") else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replay/account.py");
    let python = warcio.with_file_name("python");
    let mut account = Command::new(python);
    let output_text = passes(account.arg(script).arg(archive).args(files));
    println!("{}", output_text.trim_end());
}

/// A WACZ that `wacz create` makes of WARC files.
#[allow(dead_code, reason = "not every test uses every judge")]
pub fn wacz_created(files: &[PathBuf], out: &Path) -> Option<()> {
    let wacz = program(&["wacz"], "pip install wacz")?;
    let mut create = Command::new(wacz);
    passes(create.args(["create", "-o"]).arg(out).args(files));
    Some(())
}

/// `wacz validate` of a file.
#[allow(dead_code, reason = "not every test uses every judge")]
pub fn wacz_validates(file: &Path) {
    let Some(wacz) = program(&["wacz"], "pip install wacz") else {
        return;
    };
    let output_text = passes(Command::new(wacz).args(["validate", "-f"]).arg(file));
    assert!(output_text.contains("is valid"), "{output_text}");
    println!("wacz validate: {} is valid", file.display());
}
