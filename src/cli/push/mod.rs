//! `forest push`: the selectors of learned wrappers in the settings of a feed reader.
//!
//! - `network`: requests to a reader.
//! - `entries`: full texts in entries that a reader has already.

mod entries;
mod network;

use super::learn::wrapper_of_feed;
use super::net::NetArgs;
use super::sites::{SitesArgs, WrapperFolders};
use super::source::SourceArgs;
use super::{Exit, Global};
use anyhow::{Context, bail};
use entries::EntryTally;
use forest_core::extract::WrapperSource;
use forest_core::wrapper::Wrapper;
use forest_exchange::UnsupportedPolicy;
use forest_exchange::reader_api::{
    FeedReader, FreshRss, Miniflux, PushOutcome, Service, Subscription,
};
use forest_sources::sources::Sources;
use network::ReaderFetcher;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use url::Url;

/// Unread entries of a feed that get their text at the most.
const MAX_ENTRIES: usize = 100;

/// Write the selectors of sites into the settings of a feed reader
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The feeds of the reader are read over its interface. A site without a wrapper is learned; its
selectors are written into the settings of its feeds, so that the reader itself fetches whole
articles. Selectors that somebody typed stay. A site whose wrapper CSS cannot express is named,
with the address of its feed as `forest serve` makes it whole.

Miniflux: --url is its address, --token a key made under Settings > API Keys.
FreshRSS: --url is that of its API (.../api/greader.php), --token the user's API password.

Examples:
  forest push miniflux --url https://reader.example.org --token-file key --dry-run
  forest push miniflux --url https://reader.example.org --token-file key --entries
  forest push freshrss --url https://rss.example.org/api/greader.php --user ann --token-file key")]
pub struct PushArgs {
    /// Write into this reader.
    #[arg(value_enum, value_name = "READER")]
    reader: ReaderKind,
    /// The reader's address.
    #[arg(long, value_name = "URL")]
    url: Url,
    /// The reader's key or password; other users of the machine may see it.
    #[arg(long, value_name = "TEXT", required_unless_present = "token_file")]
    token: Option<String>,
    /// Read the key or password from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// The user's name in FreshRSS.
    #[arg(long, value_name = "NAME", required_if_eq("reader", "freshrss"))]
    user: Option<String>,
    /// Write nothing; show the settings.
    #[arg(long)]
    dry_run: bool,
    /// Replace selectors that are not forest's.
    #[arg(long)]
    replace: bool,
    /// Leave out expressions that CSS does not have, and name them.
    #[arg(long)]
    lossy: bool,
    /// Also write the full text into unread entries (Miniflux).
    #[arg(long)]
    entries: bool,
    /// The address of `forest serve`, for feeds that it makes whole.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7878")]
    serve: Url,
    /// Write a line of JSON a feed.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sites: SitesArgs,
    #[command(flatten)]
    net: NetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ReaderKind {
    Miniflux,
    Freshrss,
}

impl PushArgs {
    fn token(&self) -> anyhow::Result<String> {
        let Some(file) = &self.token_file else {
            return Ok(self.token.clone().unwrap_or_default());
        };
        let text = std::fs::read_to_string(file);
        let text = text.with_context(|| file.display().to_string())?;
        Ok(text.trim().to_owned())
    }

    fn open<'a>(&self, network: &'a ReaderFetcher) -> anyhow::Result<Box<dyn FeedReader + 'a>> {
        let service = Service::new(network, self.url.clone());
        let token = self.token()?;
        Ok(match (self.reader, &self.user) {
            (ReaderKind::Miniflux, _) => Box::new(Miniflux::new(service, token)),
            (ReaderKind::Freshrss, user) => {
                let user = user.as_deref().unwrap_or_default();
                Box::new(FreshRss::log_in(service, user, &token)?)
            }
        })
    }

    fn policy(&self) -> UnsupportedPolicy {
        if self.lossy {
            UnsupportedPolicy::LeftOut
        } else {
            UnsupportedPolicy::Refused
        }
    }
}

/// Pushes to all feeds of the reader.
///
/// # Errors
///
/// If the reader cannot be read. The error of one feed is reported, and the others go on.
pub fn run(args: PushArgs, global: &Global) -> anyhow::Result<Exit> {
    if !matches!(args.url.scheme(), "http" | "https") {
        bail!("--url {}: give an address with http or https", args.url);
    }
    let network = ReaderFetcher::new(&args.url, &args.net, global)?;
    let reader = args.open(&network)?;
    let feeds = reader.subscriptions()?;
    let sources = SourceArgs::default().sources(args.net.clone(), global)?;
    let dir = args.sites.dir(global);
    let known = WrapperFolders(vec![dir.clone()]);
    let push = Push {
        by_feed: known.by_feed(),
        args: &args,
        reader: &*reader,
        sources,
        known,
        dir,
        global,
    };
    let mut good = 0;
    for feed in &feeds {
        match push.feed(feed) {
            Ok(is_good) => good += usize::from(is_good),
            Err(error) => global.warn_failed(&error.context(feed.url.to_string())),
        }
    }
    if feeds.is_empty() {
        global.warn("the reader has no feeds");
    }
    Ok(Exit::of(good, feeds.len()))
}

struct Push<'a> {
    args: &'a PushArgs,
    reader: &'a dyn FeedReader,
    sources: Sources,
    known: WrapperFolders,
    /// The sites by their feeds.
    by_feed: HashMap<String, String>,
    dir: PathBuf,
    global: &'a Global,
}

impl Push<'_> {
    /// Pushes to a feed; gives true if its entries will be whole in the reader.
    fn feed(&self, feed: &Subscription) -> anyhow::Result<bool> {
        self.sources.web().allow(&feed.url)?;
        let wrapper = self.wrapper(&feed.url)?;
        let outcome = self.outcome(feed, &wrapper);
        if let PushOutcome::Set(settings) = &outcome
            && !self.args.dry_run
        {
            self.reader.write(feed, settings)?;
        }
        let fill = || entries::fill(self.reader, feed, &wrapper, self.fill());
        let entries = self.args.entries.then(fill).transpose()?;
        self.show(feed, &wrapper, &outcome, entries.as_ref())?;
        Ok(!matches!(outcome, PushOutcome::Unsupported(_)))
    }

    fn fill(&self) -> entries::Fill<'_> {
        entries::Fill {
            sources: &self.sources,
            most: MAX_ENTRIES,
            dry_run: self.args.dry_run,
            global: self.global,
        }
    }

    /// The wrapper that was learned from a feed, or is now.
    fn wrapper(&self, feed: &Url) -> anyhow::Result<Wrapper> {
        if let Some(site) = self.by_feed.get(feed.as_str())
            && let Some(wrapper) = self.known.wrapper(site)?
        {
            return Ok(wrapper);
        }
        wrapper_of_feed(&self.sources, feed, &self.dir, self.global)
    }

    fn outcome(&self, feed: &Subscription, wrapper: &Wrapper) -> PushOutcome {
        let (policy, replace) = (self.args.policy(), self.args.replace);
        PushOutcome::of(self.reader, feed, wrapper, policy, replace, |what| {
            self.global
                .warn(format_args!("{}: left out: {what}", feed.url));
        })
    }

    fn show(
        &self,
        feed: &Subscription,
        wrapper: &Wrapper,
        outcome: &PushOutcome,
        entries: Option<&EntryTally>,
    ) -> anyhow::Result<()> {
        let address = feed.url.as_str();
        let served = served(&self.args.serve, &feed.url);
        if self.args.json {
            let settings = match outcome {
                PushOutcome::Set(settings) => settings.iter().map(pair).collect(),
                _ => serde_json::Map::new(),
            };
            let mut line = json!({
                "feed": address, "site": wrapper.site, "outcome": outcome.name(),
                "settings": settings, "dry_run": self.args.dry_run,
            });
            if let PushOutcome::Unsupported(why) = outcome {
                line["why"] = json!(why);
                line["served"] = json!(served.as_str());
            }
            if let Some(tally) = entries {
                line["entries"] = tally.json();
            }
            return Ok(self.global.print_json(&line)?);
        }
        let mut lines = match outcome {
            PushOutcome::Set(settings) => {
                let verb = if self.args.dry_run {
                    "would set"
                } else {
                    "set"
                };
                let each = settings.iter();
                let each: String = each
                    .map(|(name, value)| format!("  {name}: {value}\n"))
                    .collect();
                format!("{address}: {verb}\n{each}")
            }
            PushOutcome::Same => format!("{address}: is set already\n"),
            PushOutcome::Kept => {
                format!("{address}: has selectors of its own; --replace replaces them\n")
            }
            PushOutcome::Unsupported(why) => format!(
                "{address}: {why}\n  --lossy writes what CSS has; or subscribe to {served}\n"
            ),
        };
        if let Some(tally) = entries {
            lines.push_str(&format!("  {tally}\n"));
        }
        Ok(self.global.print(lines.as_bytes())?)
    }
}

fn pair((name, value): &(&'static str, String)) -> (String, Value) {
    ((*name).to_owned(), json!(value))
}

/// The address of a feed that `forest serve` makes whole.
fn served(serve: &Url, feed: &Url) -> Url {
    let mut served = serve.clone();
    served.set_path("/makefulltextfeed");
    served
        .query_pairs_mut()
        .clear()
        .append_pair("url", feed.as_str());
    served
}
