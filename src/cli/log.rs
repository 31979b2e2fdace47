//! The log on stderr: lines of text, or JSON with the time.

use super::shown::{Shown, controls};
use std::io::{IsTerminal, Write};
use tracing::{Level, Subscriber};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;

/// How what is said on stderr looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Log {
    /// Lines for a person.
    #[default]
    Text,
    /// An object a line, with the time, for a machine.
    Json,
}

impl Log {
    /// Sets up the log of this process: what is of `level` at least, of libraries what
    /// is of [`of_others`]. The first stays; there is no other.
    pub fn begin(self, level: Level) {
        let _ = match self {
            Log::Text => {
                let colours = std::io::stderr().is_terminal();
                tracing::subscriber::set_global_default(text(level, colours, std::io::stderr))
            }
            Log::Json => tracing::subscriber::set_global_default(json(level, std::io::stderr)),
        };
    }
}

/// What is told of events of libraries: what went wrong, and steps of connections to
/// those who want to know everything.
fn of_others(level: Level) -> Level {
    match level {
        Level::TRACE => Level::DEBUG,
        level => level.min(Level::WARN),
    }
}

fn told(level: Level) -> Targets {
    Targets::new()
        .with_default(of_others(level))
        .with_target(super::global::TARGET, level)
}

/// Lines of text, the values of fields shown as [`Shown`].
fn text<W>(level: Level, colours: bool, to: W) -> impl Subscriber
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let field = debug_fn(|out, field, value| match field.name() {
        "message" => write!(out, "{}", Shown(format_args!("{value:?}"))),
        name => write!(out, "{name}={}", Shown(format_args!("{value:?}"))),
    });
    let lines = fmt::layer()
        .fmt_fields(field.delimited(" "))
        .with_writer(to)
        .with_ansi(colours)
        .without_time();
    tracing_subscriber::registry().with(told(level)).with(lines)
}

/// Objects, one a line, with the time in UTC.
fn json<W>(level: Level, to: W) -> impl Subscriber
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let objects = fmt::layer()
        .json()
        .with_current_span(false)
        .with_span_list(false)
        .with_writer(Plain(to));
    tracing_subscriber::registry()
        .with(told(level))
        .with(objects)
}

/// Gives writers of JSON in which characters that control are escaped.
struct Plain<M>(M);

impl<'w, M: MakeWriter<'w>> MakeWriter<'w> for Plain<M> {
    type Writer = PlainWriter<M::Writer>;

    fn make_writer(&'w self) -> Self::Writer {
        PlainWriter(self.0.make_writer())
    }
}

/// Writes one event of JSON a call, as its formatter does.
struct PlainWriter<W>(W);

impl<W: Write> Write for PlainWriter<W> {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        let mut out = String::with_capacity(event.len());
        for c in String::from_utf8_lossy(event).chars() {
            match c {
                // Between objects; within strings JSON has none.
                '\n' => out.push(c),
                // Only strings have others than ASCII.
                c if controls(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => out.push(c),
            }
        }
        self.0.write_all(out.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::sync::{Arc, Mutex};

    /// What a page may call itself.
    const TITLE: &str = "News\r\nforest: all is well\n WARN \u{1b}[2J\u{1b}[31mred\u{9b}0m \
                         \u{202e}txt.exe\u{2066} \u{2028}end\u{85}\"}\\";

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("not poisoned").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Buffer {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().expect("not poisoned").clone()).expect("UTF-8")
        }
    }

    /// Logs a title in every way that there is.
    fn events(subscriber: impl Subscriber + Send + Sync) {
        let error = std::io::Error::other(TITLE);
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!("{TITLE}");
            tracing::warn!(title = TITLE, "the title as text");
            tracing::warn!(title = %TITLE, "as it is shown");
            tracing::warn!(title = ?TITLE, "as it is written in code");
            tracing::warn!(error = &error as &dyn std::error::Error, "in an error");
            tracing::info!("{TITLE}");
        });
    }

    #[test]
    fn titles_do_not_forge_log_lines() {
        let buffer = Buffer::default();
        let to = buffer.clone();
        events(text(Level::WARN, false, move || to.clone()));
        let logged = buffer.text();
        let lines: Vec<&str> = logged.split_terminator('\n').collect();
        assert_eq!(lines.len(), 5, "{logged}");
        for line in lines {
            assert!(!line.contains(controls), "{line:?}");
            assert!(
                line.starts_with(" WARN forest::cli::log::tests: "),
                "{line}"
            );
            assert!(line.contains("forest: all is well"), "{line}");
        }
    }

    #[test]
    fn titles_do_not_forge_log_lines_in_colour() {
        let buffer = Buffer::default();
        let to = buffer.clone();
        events(text(Level::WARN, true, move || to.clone()));
        let logged = buffer.text();
        assert_eq!(logged.split_terminator('\n').count(), 5, "{logged}");
        // Our own codes are there, and none of the title's.
        assert!(logged.contains("\u{1b}[33m WARN\u{1b}[0m"), "{logged:?}");
        assert!(!logged.contains("\u{1b}[2J") && !logged.contains("\u{1b}[31m"));
        let others = |c| controls(c) && !matches!(c, '\n' | '\u{1b}');
        assert!(!logged.contains(others), "{logged:?}");
    }

    #[test]
    fn titles_do_not_forge_log_lines_in_json() {
        let buffer = Buffer::default();
        let to = buffer.clone();
        events(json(Level::WARN, move || to.clone()));
        let logged = buffer.text();
        let lines: Vec<&str> = logged.split_terminator('\n').collect();
        assert_eq!(lines.len(), 5, "{logged}");
        for (at, line) in lines.iter().enumerate() {
            assert!(!line.contains(controls), "{line:?}");
            let event: Value = serde_json::from_str(line).expect("an object a line");
            assert_eq!(event["level"], "WARN");
            assert_eq!(event["target"], "forest::cli::log::tests");
            let time = event["timestamp"].as_str().expect("a time");
            assert!(chrono::DateTime::parse_from_rfc3339(time).is_ok(), "{time}");
            assert!(time.ends_with('Z'), "{time}");
            // The title itself is not changed.
            match at {
                0 => assert_eq!(event["fields"]["message"], TITLE),
                1 | 2 => assert_eq!(event["fields"]["title"], TITLE),
                _ => {}
            }
        }
    }

    #[test]
    fn libraries_are_told_of_less() {
        let check = |level: Level, theirs: &[&str]| {
            let buffer = Buffer::default();
            let to = buffer.clone();
            tracing::subscriber::with_default(text(level, false, move || to.clone()), || {
                tracing::debug!("ours");
                tracing::error!(target: "hyper::client", "e");
                tracing::info!(target: "hyper::client", "i");
                tracing::debug!(target: "hyper::client", "d");
                tracing::trace!(target: "hyper::client", "t");
            });
            let logged = buffer.text();
            let told = |target: &str| -> Vec<String> {
                let lines = logged.lines().filter(|line| line.contains(target));
                lines
                    .map(|line| line.split(' ').next_back().expect("a word").to_owned())
                    .collect()
            };
            assert_eq!(told("hyper"), theirs, "{level}");
            assert_eq!(told("forest").len(), usize::from(level >= Level::DEBUG));
        };
        check(Level::WARN, &["e"]);
        check(Level::INFO, &["e"]);
        check(Level::DEBUG, &["e"]);
        check(Level::TRACE, &["e", "i", "d"]);
    }
}
