//! The file of the password: its hash, and the key of the feeds. Both are secrets, so nobody but
//! the file's owner may read it.

use crate::cli::stdin::first_line;
use crate::cli::{Exit, Global, output};
use anyhow::{Context, bail};
use forest_web::access::{hash_of, new_feed_key};
use std::io::{IsTerminal, Read};
use std::path::Path;

/// Bytes of a line with a password that are read.
const MAX_LINE_BYTES: usize = 4_096;

/// Bytes of the file that are read.
const MAX_FILE_BYTES: u64 = 4_096;

/// The begin of the line with the key of the feeds.
const FEED_KEY: &str = "feed-key ";

/// A hash, and the key of the feeds.
#[derive(Debug, PartialEq, Eq)]
pub struct PasswordFile {
    pub hash: String,
    /// The key of the feeds; `None` in a file that was made before it had one.
    pub feed_key: Option<String>,
}

impl PasswordFile {
    /// The hash in the first line, and the key in the second one, if there is one.
    fn parse(text: &str) -> Option<PasswordFile> {
        let mut lines = text.trim().lines();
        let hash = lines.next()?.trim().to_owned();
        let feed_key = match lines.next() {
            Some(line) => Some(line.strip_prefix(FEED_KEY)?.trim().to_owned()),
            None => None,
        };
        lines
            .next()
            .is_none()
            .then_some(PasswordFile { hash, feed_key })
    }

    fn read(option: &str, path: &Path) -> anyhow::Result<PasswordFile> {
        let make = "make it with `forest serve --new-password`";
        let at = || format!("{option} {}: {make}", path.display());
        let mut text = String::new();
        let file = std::fs::File::open(path).with_context(at)?;
        file.take(MAX_FILE_BYTES)
            .read_to_string(&mut text)
            .with_context(at)?;
        PasswordFile::parse(&text).with_context(|| {
            format!(
                "{option} {}: line 2 is no `{FEED_KEY}KEY`, or there is a third: {make}",
                path.display()
            )
        })
    }

    /// Writes the file with a new key of the feeds.
    fn write(path: &Path, hash: &str) -> anyhow::Result<()> {
        let text = format!("{hash}\n{FEED_KEY}{}\n", new_feed_key());
        output::write_private(path, text.as_bytes())
    }
}

/// Reads the file of the option `--password-file`. Warns of one that others may read.
///
/// # Errors
///
/// If it cannot be read, or has other lines.
pub fn read(path: &Path, global: &Global) -> anyhow::Result<PasswordFile> {
    let file = PasswordFile::read("--password-file", path)?;
    output::warn_if_readable("--password-file", path, global);
    Ok(file)
}

/// Reads a password, from the terminal or the first line of stdin, and writes its hash.
///
/// # Errors
///
/// If it cannot be read, is too short, or cannot be written.
pub fn write(path: &Path, global: &Global) -> anyhow::Result<Exit> {
    let password = if std::io::stdin().is_terminal() {
        typed()?
    } else {
        global.say("give the password, then Enter:");
        first_line(MAX_LINE_BYTES)?
    };
    PasswordFile::write(path, &hash_of(&password)?)?;
    global.say(format_args!("{}: written", path.display()));
    Ok(Exit::Done)
}

/// Writes the file again with a new key of the feeds, and the password that it has.
///
/// # Errors
///
/// If it cannot be read or written.
pub fn renew_feed_key(path: &Path, global: &Global) -> anyhow::Result<Exit> {
    let file = PasswordFile::read("--new-feed-key", path)?;
    PasswordFile::write(path, &file.hash)?;
    global.say(format_args!(
        "{}: written; the addresses of feeds are new when the server is started again",
        path.display()
    ));
    Ok(Exit::Done)
}

/// A password typed twice, without being shown.
fn typed() -> anyhow::Result<String> {
    let ask = |prompt: &str| rpassword::prompt_password(prompt).context("the terminal");
    let password = ask("the new password: ")?;
    if ask("the same again: ")? != password {
        bail!("these are two passwords: give the same one twice");
    }
    Ok(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_hash_and_may_have_a_key() {
        let check = |text: &str, expected: Option<(&str, Option<&str>)>| {
            let expected = expected.map(|(hash, key)| PasswordFile {
                hash: hash.to_owned(),
                feed_key: key.map(str::to_owned),
            });
            assert_eq!(PasswordFile::parse(text), expected, "{text:?}");
        };
        check("$hash\n", Some(("$hash", None)));
        check(" $hash \r\n\r\n", Some(("$hash", None)));
        check("$hash\nfeed-key abc\n", Some(("$hash", Some("abc"))));
        check("", None);
        check("$hash\nabc\n", None);
        check("$hash\nfeed-key abc\nfeed-key def\n", None);
    }
}
