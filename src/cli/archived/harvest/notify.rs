//! `--notify`: the notifications of a harvest.

use crate::cli::Global;
use anyhow::{anyhow, bail};
use chrono::{DateTime, Utc};
use forest_archive::EventKind;
use forest_harvest::notify::Delivery;
use forest_harvest::{HarvestProgress, Notice, Notifier, NotifyOptions, Recipient};
use serde_json::{Value, json};
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time that the end of a harvest waits for notifications on their way.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// The receivers of notifications, and the events to notify of.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Notifications")]
pub struct NotifyArgs {
    /// Notify this address or program; may be given again. http:// and https:// get JSON
    /// in a POST, ntfy+https://HOST/TOPIC gets a message of ntfy. Anything else is a program
    /// with its arguments (run without a shell, killed after 30 s), which gets the JSON on
    /// standard input [default: those of `notify` in the config file].
    #[arg(long, value_name = "URL|CMD", value_parser = recipient)]
    notify: Vec<Recipient>,
    /// Notify of these events: new, edited, drift, relearned, blocked, feed-moved,
    /// feed-gone, or all [default: all but new and edited, which come by the hundred].
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = kinds)]
    notify_on: Vec<NoticeKinds>,
}

/// One kind of event, or all.
#[derive(Debug, Clone)]
struct NoticeKinds(Vec<EventKind>);

fn kinds(name: &str) -> Result<NoticeKinds, String> {
    match name.trim() {
        "all" => Ok(NoticeKinds(EventKind::ALL.to_vec())),
        name => match name.parse() {
            Ok(kind) => Ok(NoticeKinds(vec![kind])),
            Err(known) => Err(format!("{known} and all")),
        },
    }
}

fn recipient(text: &str) -> Result<Recipient, String> {
    let recipient: Recipient = text.parse()?;
    match &recipient {
        Recipient::Program(words) if !words.first().is_some_and(|name| is_program(name)) => {
            let name = words.first().map_or("", |name| name);
            Err(format!("there is no program {name}"))
        }
        _ => Ok(recipient),
    }
}

/// Returns true if the system would find a program: at its path, or in a folder of `PATH`.
#[cfg(unix)]
fn is_program(name: &str) -> bool {
    let path = Path::new(name);
    if path.components().count() > 1 || name.starts_with('/') {
        return path.is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder: PathBuf| folder.join(name).is_file())
}

/// On other systems names have endings that the system adds.
#[cfg(not(unix))]
fn is_program(_: &str) -> bool {
    true
}

impl NotifyArgs {
    /// The notifier; `None` without receivers.
    pub fn notifier(
        &self,
        user_agent: Option<&str>,
        global: &Global,
    ) -> anyhow::Result<Option<Notifier>> {
        let receivers = match self.notify.as_slice() {
            [] => configured(&global.config().notify, "notify", recipient)?,
            named => named.to_vec(),
        };
        if receivers.is_empty() {
            if !self.notify_on.is_empty() {
                bail!("--notify-on needs a receiver: --notify, or `notify` in the config file");
            }
            return Ok(None);
        }
        let chosen = match self.notify_on.as_slice() {
            [] => configured(&global.config().notify_on, "notify_on", kinds)?,
            named => named.to_vec(),
        };
        let kinds = match chosen.as_slice() {
            [] => Notifier::DEFAULT_KINDS.to_vec(),
            some => some.iter().flat_map(|kinds| kinds.0.clone()).collect(),
        };
        let mut options = NotifyOptions::default();
        if let Some(agent) = user_agent {
            options = options.with_user_agent(agent);
        }
        Ok(Some(Notifier::new(receivers, kinds, &options)?))
    }

    /// Refuses receivers: the harvest that runs has flags of its own.
    pub fn refuse(&self) -> anyhow::Result<()> {
        if !self.notify.is_empty() {
            bail!("--notify has no effect on the harvest that runs: give it to that one");
        }
        Ok(())
    }
}

/// Reads the values of a key of the config file.
fn configured<T>(
    values: &[String],
    key: &str,
    read: fn(&str) -> Result<T, String>,
) -> anyhow::Result<Vec<T>> {
    let values = values.iter().map(|value| read(value));
    let values: Result<Vec<T>, String> = values.collect();
    values.map_err(|why| anyhow!("{key} in the config file: {why}"))
}

/// Sends the notice of an event, if there is one.
pub fn send(notifier: Option<&Notifier>, event: &HarvestProgress<'_>, at: DateTime<Utc>) {
    if let Some(notifier) = notifier
        && let Some(notice) = Notice::of(event, at)
    {
        notifier.send(notice);
    }
}

/// Waits for notifications on their way, ten seconds at the most, and warns of those that
/// did not arrive.
pub fn finish(notifier: Option<Notifier>, global: &Global) -> Vec<Delivery> {
    let Some(notifier) = notifier else {
        return Vec::new();
    };
    let progress = global.busy("notifying");
    let deliveries = notifier.finish(LAST_WAIT);
    drop(progress);
    for delivery in deliveries.iter().filter(|delivery| !delivery.is_whole()) {
        global.warn(delivery);
    }
    deliveries
}

/// The deliveries as JSON.
pub fn deliveries_json(deliveries: &[Delivery]) -> Value {
    let one = |of: &Delivery| {
        json!({
            "to": of.to, "sent": of.sent, "failed": of.failed,
            "dropped": of.dropped, "left": of.left, "error": of.why,
        })
    };
    deliveries.iter().map(one).collect()
}
