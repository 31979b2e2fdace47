//! Short inputs on stdin, and other files of bounded length.

use anyhow::Context;
use std::io::{self, BufRead, BufReader, Read};

/// The first line of stdin, without its end: at most `limit` bytes.
///
/// # Errors
///
/// If it cannot be read, or is no text.
pub fn first_line(limit: usize) -> anyhow::Result<String> {
    let mut line = String::new();
    BufReader::new(io::stdin().lock().take(limit as u64))
        .read_line(&mut line)
        .context("stdin")?;
    line.truncate(line.trim_end_matches(['\r', '\n']).len());
    Ok(line)
}

/// Reads at most `limit` bytes, and one more if there are more.
///
/// # Errors
///
/// If they cannot be read.
pub fn read_limited(input: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
