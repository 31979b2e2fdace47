//! `--notify`: who is told of what a harvest does.

use crate::cli::Global;
use crate::cli::net::NetArgs;
use anyhow::bail;
use forest::archive::Happening;
use forest::harvest::notify::Delivery;
use forest::harvest::{Notifier, NotifyOptions, Recipient};
use serde_json::{Value, json};
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the end of a harvest waits for notifications that are on their way.
const FAREWELL: Duration = Duration::from_secs(10);

/// Who is told, and of what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Notifications")]
pub struct NotifyArgs {
    /// Tell this address or program; may be given again. http:// and https:// get JSON in
    /// a POST, ntfy+https://HOST/TOPIC a message of ntfy, and anything else is a program
    /// with its arguments (run without a shell, killed after 30 s) that gets the JSON on
    /// standard input.
    #[arg(long, value_name = "URL|CMD", value_parser = recipient)]
    notify: Vec<Recipient>,
    /// Of what: new, edited, drift, relearned, blocked, feed-moved, feed-gone, or all
    /// [default: all but new and edited, which come by the hundred and need no hand].
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = kinds, requires = "notify")]
    notify_on: Vec<Kinds>,
}

/// One kind, or all.
#[derive(Debug, Clone)]
struct Kinds(Vec<Happening>);

fn kinds(name: &str) -> Result<Kinds, String> {
    match name.trim() {
        "all" => Ok(Kinds(Happening::ALL.to_vec())),
        name => match name.parse() {
            Ok(kind) => Ok(Kinds(vec![kind])),
            Err(known) => Err(format!("{known} and all")),
        },
    }
}

fn recipient(text: &str) -> Result<Recipient, String> {
    let recipient: Recipient = text.parse()?;
    match &recipient {
        Recipient::Program(words) if !words.first().is_some_and(|name| is_there(name)) => {
            let name = words.first().map_or("", |name| name);
            Err(format!("there is no program {name}"))
        }
        _ => Ok(recipient),
    }
}

/// Whether the system would find a program: at its path, or in a folder of `PATH`.
#[cfg(unix)]
fn is_there(name: &str) -> bool {
    let path = Path::new(name);
    if path.components().count() > 1 || name.starts_with('/') {
        return path.is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder: PathBuf| folder.join(name).is_file())
}

/// Elsewhere names have endings that the system adds.
#[cfg(not(unix))]
fn is_there(_: &str) -> bool {
    true
}

impl NotifyArgs {
    /// What tells them; `None` where nobody is to be told.
    pub fn notifier(&self, net: &NetArgs, global: &Global) -> anyhow::Result<Option<Notifier>> {
        if self.notify.is_empty() {
            return Ok(None);
        }
        let kinds = match self.notify_on.as_slice() {
            [] => Notifier::DEFAULT_KINDS.to_vec(),
            some => some.iter().flat_map(|kinds| kinds.0.clone()).collect(),
        };
        let mut options = NotifyOptions::default();
        if let Some(agent) = net.user_agent(global) {
            options = options.with_user_agent(agent);
        }
        Ok(Some(Notifier::new(self.notify.clone(), kinds, &options)?))
    }

    /// Fails where nobody would tell them: the harvest that runs has flags of its own.
    pub fn refuse(&self) -> anyhow::Result<()> {
        if !self.notify.is_empty() {
            bail!("--notify has no effect on the harvest that runs: give it to that one");
        }
        Ok(())
    }
}

/// Waits for what is on its way, but not for long, and says what did not arrive.
pub fn finish(notifier: Option<Notifier>, global: &Global) -> Vec<Delivery> {
    let Some(notifier) = notifier else {
        return Vec::new();
    };
    let progress = global.busy("notifying");
    let deliveries = notifier.finish(FAREWELL);
    drop(progress);
    for delivery in deliveries.iter().filter(|delivery| !delivery.is_whole()) {
        global.warn(delivery);
    }
    deliveries
}

/// What became of the notifications, as JSON.
pub fn as_json(deliveries: &[Delivery]) -> Value {
    let one = |of: &Delivery| {
        json!({
            "to": of.to, "sent": of.sent, "failed": of.failed,
            "dropped": of.dropped, "left": of.left, "error": of.why,
        })
    };
    deliveries.iter().map(one).collect()
}
