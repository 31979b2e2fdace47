//! `forest archive reextract`: today's wrappers on yesterday's pages.

use super::{now, options};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::stored::nothing;
use crate::cli::{Exit, Global};
use forest::archive::{Archive, ArchiveReader, ReextractOptions};
use forest::error::counted;
use serde_json::json;
use std::path::PathBuf;

/// Read the archived pages again with the wrappers of today
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Wrappers that were edited by hand, or put into the folder, come into force. A page that
today's wrapper does not match keeps its text. Interrupted, it goes on where it was.

Examples:
  forest archive reextract --dry-run
  forest archive reextract --site news.example.org")]
pub struct ReextractArgs {
    /// Only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Say what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// A line of JSON a text that changes, and one with the counts at the end.
    #[arg(long)]
    json: bool,
    /// The folder of the wrappers [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: ReextractArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if let Some(site) = &args.site
        && !reader.sites()?.iter().any(|(name, _)| name == site)
    {
        return nothing("nothing read again", Some(site), &reader, global);
    }
    drop(reader);
    let mut archive = Archive::open(&dir, options(args.sites.as_deref()))?;
    let options = ReextractOptions {
        site: args.site,
        dry_run: args.dry_run,
    };
    let progress = global.progress("texts", None);
    let mut printed = Ok(());
    let done = archive.reextract(&options, now(), &mut |text| {
        let Some(text) = text else {
            return progress.step();
        };
        if !args.json {
            global.detail(format_args!(
                "{}, version {}: {}, before {}",
                text.url,
                text.number,
                counted(text.words_now, "word", "words"),
                text.words_before
            ));
        } else if printed.is_ok() {
            let json = json!({
                "url": text.url,
                "version": text.number,
                "words_before": text.words_before,
                "words_now": text.words_now,
            });
            printed = global.print(format!("{json}\n").as_bytes());
        }
    })?;
    drop(progress);
    printed?;
    for why in &done.failed {
        global.warn(why);
    }
    if args.json {
        let json = json!({
            "versions": done.versions,
            "read": done.read,
            "changed": done.changed,
            "unmatched": done.unmatched,
            "without_page": done.without_page,
            "wrappers": done.wrappers,
            "failed": done.failed,
            "dry_run": args.dry_run,
        });
        global.print(format!("{json}\n").as_bytes())?;
    }
    let would = if args.dry_run { "would be " } else { "" };
    global.say(format_args!(
        "{} of another wrapper: {} {would}read again, {} of them with another text; {} that \
         today's wrapper does not match, {} without a page; {} {would}new in force",
        counted(done.versions, "version", "versions"),
        done.read,
        done.changed,
        done.unmatched,
        done.without_page,
        counted(done.wrappers, "wrapper", "wrappers")
    ));
    Ok(match done.failed.is_empty() {
        true => Exit::Done,
        false => Exit::Partial,
    })
}
