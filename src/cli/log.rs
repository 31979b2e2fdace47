//! The log on stderr: the program's messages and the events of its libraries, as lines of
//! text or as JSON with the time.

use forest_html::text::{OneLine, controls};
use indicatif::MultiProgress;
use std::fmt;
use std::io::{IsTerminal, Write};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{self, Format, Full, Writer, debug_fn};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;

/// The target of events that are messages for the user. In text only the message is shown,
/// in JSON its fields as well.
pub const TARGET: &str = "forest";

/// The format of the messages on stderr.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for a person.
    #[default]
    Text,
    /// An object a line, with the time, for a machine.
    Json,
}

impl LogFormat {
    /// Sets up the log of this process: messages up to the level `messages`, events of the
    /// library up to `library`. The first log stays; a second call changes nothing.
    pub fn begin(self, library: Level, messages: Level, bars: &MultiProgress) {
        let levels = levels(library, messages);
        let bars = bars.clone();
        let to = move || BesideBars(bars.clone());
        let _ = match self {
            LogFormat::Text => {
                let colours = std::io::stderr().is_terminal();
                tracing::subscriber::set_global_default(text(levels, colours, to))
            }
            LogFormat::Json => tracing::subscriber::set_global_default(json(levels, to)),
        };
    }
}

/// The levels by target. Other crates' events are shown from warnings on; at the level
/// TRACE from DEBUG on, which names the steps of connections.
fn levels(library: Level, messages: Level) -> Targets {
    let others = match library {
        Level::TRACE => Level::DEBUG,
        level => level.min(Level::WARN),
    };
    Targets::new()
        .with_default(others)
        .with_target("forest::", library)
        // The crates: `forest_fetch`.
        .with_target("forest_", library)
        .with_target(TARGET, messages)
}

/// Stderr beside progress bars. A failed write is passed over: nobody reads stderr then.
struct BesideBars(MultiProgress);

impl Write for BesideBars {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.suspend(|| std::io::stderr().lock().write_all(event));
        Ok(event.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Lines of text, the values of fields shown as [`OneLine`].
fn text<W: Write + 'static>(
    levels: Targets,
    colours: bool,
    to: impl Fn() -> W + Send + Sync + 'static,
) -> impl Subscriber {
    let field = debug_fn(|out, field, value| match field.name() {
        "message" => write!(out, "{}", OneLine(format_args!("{value:?}"))),
        name => write!(out, "{name}={}", OneLine(format_args!("{value:?}"))),
    });
    let lines = tracing_subscriber::fmt::layer()
        .fmt_fields(field.delimited(" "))
        .event_format(TextLine(format::format().without_time()))
        .with_writer(to)
        .with_ansi(colours);
    tracing_subscriber::registry().with(levels).with(lines)
}

/// Writes a message without its level, target and fields, and other events with them.
struct TextLine(Format<Full, ()>);

impl<S, N> FormatEvent<S, N> for TextLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        if event.metadata().target() != TARGET {
            return self.0.format_event(context, out, event);
        }
        if *event.metadata().level() == Level::ERROR {
            out.write_str("forest: ")?;
        }
        let mut written = Ok(());
        event.record(
            &mut |field: &tracing::field::Field, value: &dyn fmt::Debug| {
                if field.name() == "message" {
                    written = writeln!(out, "{}", OneLine(format_args!("{value:?}")));
                }
            },
        );
        written
    }
}

/// Objects, one a line, with the time in UTC.
fn json<W: Write + 'static>(
    levels: Targets,
    to: impl Fn() -> W + Send + Sync + 'static,
) -> impl Subscriber {
    let objects = tracing_subscriber::fmt::layer()
        .json()
        .with_current_span(false)
        .with_span_list(false)
        .with_writer(move || EscapedJson(to()));
    tracing_subscriber::registry().with(levels).with(objects)
}

/// Writes one event of JSON a call, as its formatter does, and escapes control characters.
struct EscapedJson<W>(W);

impl<W: Write> Write for EscapedJson<W> {
    fn write(&mut self, event: &[u8]) -> std::io::Result<usize> {
        let mut out = String::with_capacity(event.len());
        for c in String::from_utf8_lossy(event).chars() {
            match c {
                // Objects end with it; JSON's strings contain none.
                '\n' => out.push(c),
                // Only strings contain characters other than ASCII.
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

    /// A hostile title of a page.
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
        events(text(levels(Level::WARN, Level::WARN), false, move || {
            to.clone()
        }));
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
        events(text(levels(Level::WARN, Level::WARN), true, move || {
            to.clone()
        }));
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
        events(json(levels(Level::WARN, Level::WARN), move || to.clone()));
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
    fn libraries_events_are_shown_from_warnings_on() {
        let check = |level: Level, theirs: &[&str]| {
            let buffer = Buffer::default();
            let to = buffer.clone();
            tracing::subscriber::with_default(
                text(levels(level, level), false, move || to.clone()),
                || {
                    tracing::debug!("ours");
                    tracing::error!(target: "hyper::client", "e");
                    tracing::info!(target: "hyper::client", "i");
                    tracing::debug!(target: "hyper::client", "d");
                    tracing::trace!(target: "hyper::client", "t");
                },
            );
            let logged = buffer.text();
            let shown = |target: &str| -> Vec<String> {
                let lines = logged.lines().filter(|line| line.contains(target));
                lines
                    .map(|line| line.split(' ').next_back().expect("a word").to_owned())
                    .collect()
            };
            assert_eq!(shown("hyper"), theirs, "{level}");
            assert_eq!(shown("forest").len(), usize::from(level >= Level::DEBUG));
        };
        check(Level::WARN, &["e"]);
        check(Level::INFO, &["e"]);
        check(Level::DEBUG, &["e"]);
        check(Level::TRACE, &["e", "i", "d"]);
    }

    #[test]
    fn messages_stand_alone_in_text_and_have_their_fields_in_json() {
        let logged = |format: LogFormat, messages: Level| {
            let buffer = Buffer::default();
            let to = buffer.clone();
            let levels = levels(Level::WARN, messages);
            let events = || {
                tracing::error!(target: TARGET, "no such file");
                tracing::info!(target: TARGET, site = "a.example", "a.example: ok");
                tracing::debug!(target: TARGET, "a detail");
                tracing::info!(target: "forest_fetch", "of the library");
            };
            match format {
                LogFormat::Text => {
                    let text = text(levels, true, move || to.clone());
                    tracing::subscriber::with_default(text, events);
                }
                LogFormat::Json => {
                    let json = json(levels, move || to.clone());
                    tracing::subscriber::with_default(json, events);
                }
            }
            buffer.text()
        };
        let text = |messages| logged(LogFormat::Text, messages);
        assert_eq!(text(Level::WARN), "forest: no such file\n");
        assert_eq!(text(Level::INFO), "forest: no such file\na.example: ok\n");
        assert!(text(Level::DEBUG).ends_with("a.example: ok\na detail\n"));
        let json = logged(LogFormat::Json, Level::INFO);
        assert!(json.contains(r#""message":"no such file""#), "{json}");
        assert!(json.contains(r#""site":"a.example""#), "{json}");
        assert_eq!(json.lines().count(), 2, "{json}");
    }
}
