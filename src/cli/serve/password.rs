//! The file with the hash of the password.

use crate::cli::{Exit, Global, output};
use crate::serve::hash_of;
use anyhow::Context;
use std::io::{BufRead, Read};
use std::path::Path;

/// Bytes of a line with a password that are read.
const MAX_LINE_BYTES: u64 = 4_096;

/// The hash in a file.
pub fn read(path: &Path) -> anyhow::Result<String> {
    let make = "make it with `forest serve --new-password`";
    std::fs::read_to_string(path)
        .with_context(|| format!("--password-file {}: {make}", path.display()))
}

/// Reads a password from the first line of stdin and writes its hash.
pub fn write(path: &Path, global: &Global) -> anyhow::Result<Exit> {
    global.say("give the password, then Enter:");
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_LINE_BYTES)
        .read_line(&mut line)
        .context("stdin")?;
    let hash = hash_of(line.trim_end_matches(['\r', '\n']))?;
    output::write(path, format!("{hash}\n").as_bytes())?;
    global.say(format_args!("{}: written", path.display()));
    Ok(Exit::Done)
}
