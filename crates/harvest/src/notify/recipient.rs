//! Recipients of notices, and the form that each gets.

use super::notice::Notice;
use super::options::NotifyOptions;
use super::program::Program;
use super::queue::NoticeQueue;
use crate::error::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forest_fetch::{Fetcher, Message, Verb, plain, reason};
use forest_html::address::is_web;
use std::fmt;
use std::str::FromStr;
use url::Url;

/// A recipient of notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// An address that gets the JSON in a POST.
    Web(Url),
    /// A topic of an ntfy server: a POST with the message as text, the heading in
    /// `Title` and the article's address in `Click`.
    Ntfy(Url),
    /// A program with its arguments that gets the JSON on standard input.
    Program(Vec<String>),
}

impl FromStr for Recipient {
    type Err = String;

    /// `http://` and `https://` are addresses, behind `ntfy+` those of a topic; anything
    /// else is a program. Its arguments stand apart by white space, but in quotes.
    fn from_str(text: &str) -> std::result::Result<Recipient, String> {
        let text = text.trim();
        let web = |address: &str| match Url::parse(address) {
            Ok(url) if is_web(&url) => Ok(url),
            Ok(url) => Err(format!("{}: give an http or https address", url.scheme())),
            Err(error) => Err(error.to_string()),
        };
        if let Some(address) = text.strip_prefix("ntfy+") {
            let url = web(address)?;
            return match url.path().trim_matches('/') {
                "" => Err("it names no topic: give ntfy+https://ntfy.example.org/topic".to_owned()),
                _ => Ok(Recipient::Ntfy(url)),
            };
        }
        let first = text.split_whitespace().next().unwrap_or_default();
        if first.contains("://") {
            return web(text).map(Recipient::Web);
        }
        let words = words(text)?;
        match words.first() {
            Some(program) if !program.is_empty() => Ok(Recipient::Program(words)),
            _ => Err("give an address or a program".to_owned()),
        }
    }
}

impl fmt::Display for Recipient {
    /// Without user name and password; of a program its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recipient::Web(url) => f.write_str(plain(url).as_str()),
            Recipient::Ntfy(url) => write!(f, "ntfy+{}", plain(url)),
            Recipient::Program(words) => f.write_str(words.first().map_or("", |name| name)),
        }
    }
}

/// The words of a command: apart by white space, but within `'` or `"`. No shell reads
/// them, so nothing else means anything.
fn words(text: &str) -> std::result::Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(format!("a {open} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// A recipient with the client that reaches it.
#[derive(Debug)]
pub(super) enum Sender {
    Web(Box<Fetcher>, Url),
    Ntfy(Box<Fetcher>, Url),
    Program(Program),
}

impl Sender {
    pub fn new(recipient: Recipient, options: &NotifyOptions) -> Result<Sender> {
        // A fetcher each: an address that the user typed opens no private host to another.
        let fetcher = |url: &Url| {
            let fetcher = Fetcher::new(options.fetch_options())?;
            fetcher.allow(url);
            Ok::<_, crate::Error>(Box::new(fetcher))
        };
        Ok(match recipient {
            Recipient::Web(url) => Sender::Web(fetcher(&url)?, url),
            Recipient::Ntfy(url) => Sender::Ntfy(fetcher(&url)?, url),
            Recipient::Program(words) => Sender::Program(Program::new(words, options)),
        })
    }

    /// Sends a notice, again and again if that may help. The error is the reason why it did
    /// not arrive.
    pub fn send(
        &mut self,
        notice: &Notice,
        queue: &NoticeQueue,
    ) -> std::result::Result<(), String> {
        let (fetcher, message) = match self {
            Sender::Program(program) => return program.run(&notice.json(), queue),
            Sender::Web(fetcher, url) => (fetcher, as_json(url, notice)),
            Sender::Ntfy(fetcher, url) => (fetcher, as_ntfy(url, notice)),
        };
        let sent = fetcher.send(&message);
        sent.map(drop).map_err(|error| reason(&error))
    }
}

fn as_json(url: &Url, notice: &Notice) -> Message {
    Message {
        verb: Verb::Post,
        answer_bytes: 0,
        url: url.clone(),
        headers: vec![("Content-Type", "application/json".to_owned())],
        body: notice.json().into_bytes(),
    }
}

fn as_ntfy(url: &Url, notice: &Notice) -> Message {
    let mut headers = vec![
        ("Content-Type", "text/plain; charset=utf-8".to_owned()),
        ("Title", header_text(&notice.heading())),
    ];
    // An address of the network's goes into no other header.
    let click = notice
        .address()
        .filter(|address| Url::parse(address).is_ok());
    headers.extend(click.map(|address| ("Click", header_text(address))));
    Message {
        verb: Verb::Post,
        answer_bytes: 0,
        url: url.clone(),
        headers,
        body: notice.message().as_bytes().to_vec(),
    }
}

/// A text as a header carries it: ASCII as it is, anything else as RFC 2047 has it.
fn header_text(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain {
        text.to_owned()
    } else {
        format!("=?UTF-8?B?{}?=", STANDARD.encode(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: std::result::Result<&str, &str>) {
        let read = text.parse::<Recipient>().map(|read| format!("{read:?}"));
        match (read, expected) {
            (Ok(read), Ok(part)) => assert!(read.contains(part), "{text}: {read}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
            (read, _) => panic!("{text}: {read:?}"),
        }
    }

    #[test]
    fn an_address_a_topic_or_a_program() {
        check("https://hooks.example.org/x?y=z", Ok("Web("));
        check("ntfy+https://ntfy.example.org/forest", Ok("Ntfy("));
        check("ntfy+http://localhost:8080/a", Ok("Ntfy("));
        check(
            "notify-send forest",
            Ok("Program([\"notify-send\", \"forest\"])"),
        );
        check(
            " mail -s 'it broke' me@example.org",
            Ok("[\"mail\", \"-s\", \"it broke\", \"me@"),
        );
        check(
            "a \"\" 'b'c\"d e\" $HOME;",
            Ok("[\"a\", \"\", \"bcd e\", \"$HOME;\"]"),
        );
        check("curl https://example.org/", Ok("Program"));
        check("", Err("give an address or a program"));
        check("''", Err("give an address or a program"));
        check("a 'b", Err("' is not closed"));
        check("ftp://example.org/", Err("http or https"));
        check("https://", Err("empty host"));
        check("ntfy+https://ntfy.example.org/", Err("no topic"));
        check("ntfy+mail", Err("relative URL"));
    }

    #[test]
    fn credentials_are_not_shown() {
        for text in [
            "http://me:secret@example.org/a",
            "ntfy+https://me:secret@example.org/a",
        ] {
            let shown = text.parse::<Recipient>().expect("one").to_string();
            assert!(shown.ends_with("//example.org/a"), "{shown}");
        }
        let program: Recipient = "send --key secret".parse().expect("one");
        assert_eq!(program.to_string(), "send");
    }

    #[test]
    fn headers_are_ascii() {
        assert_eq!(header_text("a.example: drift"), "a.example: drift");
        assert_eq!(header_text("Ä\n"), "=?UTF-8?B?w4QK?=");
    }
}
