//! `forest archive reextract`: extracts the archived pages again with the current wrappers.

use crate::cli::archived::archive_dir::WrittenArchiveArgs;
use crate::cli::archived::harvest::messages::log;
use crate::cli::archived::harvest::notify::{NotifyArgs, finish, send};
use crate::cli::archived::harvest::typed_feed::feed_url;
use crate::cli::archived::stored::nothing;
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest_archive::{Archive, ArchiveReader, ReextractOptions, UrgentRequest, request_now};
use forest_harvest::{HarvestOptions, HarvestProgress, relearn_drifted, report_edits};
use forest_html::address::site_of;
use forest_html::error::counted;
use serde_json::json;
use std::path::Path;

/// Extract the archived pages again with the current wrappers
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Wrappers in the folder that are new or were edited by hand become active. A page that the
current wrapper does not match keeps its text. After an interruption the command goes on
where it was. A doubtful reading, whose page was redesigned or edited, becomes a version if
the current wrapper finds other words there than in the version before. A wrapper that finds
no article on the newest pages is learned again. If a harvest runs, it does the work; then
--dry-run, --json and --no-learn are refused.

Examples:
  forest archive reextract --dry-run
  forest archive reextract --site news.example.org")]
pub struct ReextractArgs {
    /// Extract only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Extract only articles of this feed.
    #[arg(long, value_name = "FEED")]
    feed: Option<String>,
    /// Count the changes of texts and the edits, and store none; nothing is learned.
    #[arg(long)]
    dry_run: bool,
    /// Write a line of JSON a changed text, and one with the counts at the end.
    #[arg(long)]
    json: bool,
    /// Learn no wrapper again that has drifted on the newest pages.
    #[arg(long)]
    no_learn: bool,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
    #[command(flatten)]
    notify: NotifyArgs,
}

pub fn run(args: ReextractArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if let Some(site) = &args.site
        && !reader.sites()?.iter().any(|(name, _)| name == site)
    {
        return nothing("nothing read again", Some(site), &reader, global);
    }
    if let Some(feed) = &args.feed
        && !reader.feeds()?.iter().any(|row| row.url == feed_url(feed))
    {
        bail!("{feed}: no such feed: `forest harvest list` shows them");
    }
    drop(reader);
    let options = ReextractOptions {
        site: args.site.clone(),
        feed: args.feed.as_deref().map(feed_url),
        bad_only: false,
        dry_run: args.dry_run,
        receipt: None,
    };
    let notifier = args
        .notify
        .notifier(global.config().user_agent.as_deref(), global)?;
    let mut archive = match Archive::open(&dir, args.archive.options(global)) {
        Err(error) if error.is_archive_locked() && !args.dry_run => {
            return ask_other(&args, &dir, options, global);
        }
        opened => opened?,
    };
    let progress = global.progress("texts", None);
    let mut printed = Ok(());
    let report = archive.reextract(&options, now(), &mut |text| {
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
            printed = global.print_json(&json!({
                "url": text.url,
                "version": text.number,
                "words_before": text.words_before,
                "words_now": text.words_now,
            }));
        }
    })?;
    drop(progress);
    printed?;
    for why in &report.failed {
        global.warn(why);
    }
    let (mut wrappers, mut edits) = (0, report.edits.len() as u64);
    if !args.dry_run {
        let mut tell = |event: &HarvestProgress<'_>| {
            log(event);
            send(notifier.as_ref(), event, now());
        };
        for edit in &report.edits {
            let site = site_of(Some(&edit.url)).unwrap_or_default();
            report_edits(&archive, &site, std::slice::from_ref(edit), &mut tell)?;
        }
        if !args.no_learn {
            let sites = options.site.map_or_else(
                || archive.reader()?.sites_of(options.feed.as_deref()),
                |site| Ok(vec![site]),
            )?;
            let learning = HarvestOptions::default();
            let learned = relearn_drifted(&mut archive, &sites, &learning, now(), &mut tell)?;
            wrappers += learned.0;
            edits += learned.1;
        }
    }
    finish(notifier, global);
    if args.json {
        let mut json = json_of!(
            report,
            versions,
            read,
            changed,
            unmatched,
            without_page,
            wrappers,
            settled,
            doubtful,
            failed
        );
        json["edits"] = edits.into();
        json["relearned"] = wrappers.into();
        json["dry_run"] = args.dry_run.into();
        global.print_json(&json)?;
    }
    let would = if args.dry_run { "would be " } else { "" };
    global.say(format_args!(
        "{} of another wrapper: {} {would}read again, {} of them with another text; {} that \
         today's wrapper does not match, {} without a page; {} {would}newly active",
        counted(report.versions, "version", "versions"),
        report.read,
        report.changed,
        report.unmatched,
        report.without_page,
        counted(report.wrappers, "wrapper", "wrappers")
    ));
    if edits + report.settled + report.doubtful > 0 {
        global.say(format_args!(
            "{} {would}accepted; of the doubtful readings {} no edits, {} still doubtful",
            counted(edits, "edit", "edits"),
            report.settled,
            report.doubtful
        ));
    }
    Ok(Exit::Partial.unless(report.failed.is_empty()))
}

/// Asks the harvest that runs to read the versions again.
fn ask_other(
    args: &ReextractArgs,
    dir: &Path,
    options: ReextractOptions,
    global: &Global,
) -> anyhow::Result<Exit> {
    if args.json {
        bail!("--json tells what this process does, and another one harvests");
    }
    if args.no_learn {
        bail!("another process harvests, and it learns: end it, or leave out --no-learn");
    }
    request_now(dir, now(), UrgentRequest::Reextract(options))?;
    global.say("another process harvests: it reads the versions again now");
    Ok(Exit::Done)
}
