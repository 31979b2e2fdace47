//! `forest archive forget`: removes articles.

use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use forest_archive::{Archive, ArchiveReader, ForgetReport, paths, search::SearchIndex};
use forest_html::error::counted;
use serde_json::{Value, json};

/// Remove articles, and never visit their addresses again
#[derive(Debug, clap::Args)]
#[command(after_help = "\
All records of the article, under all its addresses, are removed from the WARC files, which
are written anew, from the tables and from the search index; its items are struck out of the
kept answers of feeds. All that is removed is named. Backups do not change, nor do feeds in
imported archives that name the page. If the command is interrupted, run it again. A damaged file that verify --salvage kept is not read:
a message names it, and the exit code is 3 until it is deleted.

Examples:
  forest archive forget https://news.example.org/2026/a-mistake")]
pub struct ForgetArgs {
    /// Remove the articles with these addresses.
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
}

pub fn run(args: ForgetArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    // An archive that does not exist is an error, and is not made.
    ArchiveReader::open(&dir)?;
    let archive = Archive::open(&dir, args.archive.options(global))?;
    let progress = global.busy("rewriting");
    let (archive, report) = archive.forget(&args.urls, now())?;
    SearchIndex::open_or_remake(&paths::index(&dir))?.catch_up(&archive.reader()?)?;
    drop(progress);
    args.result.print(global, || {
        let mut json = json_of!(report, articles, addresses, records, struck, files);
        json["removed"] = removed_json(&report);
        json["edited"] = report
            .edited
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        json["damaged"] = report
            .damaged
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        json
    })?;
    global.say(format_args!(
        "{} with {} forgotten: {} taken out of {}",
        counted(report.articles, "article", "articles"),
        counted(report.addresses, "address", "addresses"),
        counted(report.records, "record", "records"),
        counted(report.files, "file", "files")
    ));
    if report.struck > 0 {
        global.say(format_args!(
            "{} struck out of the kept answers of feeds",
            counted(report.struck, "item", "items")
        ));
    }
    for ((kind, url), count) in &report.removed {
        let of = if url.is_empty() {
            "without an address"
        } else {
            url
        };
        global.say(format_args!("removed: {count} {kind} {of}"));
    }
    for path in &report.edited {
        global.warn(format_args!(
            "{} was edited by hand and names it still in its sample or its tests",
            path.display()
        ));
    }
    if report.articles == 0 {
        global.say("the archive had no such article; its address will not be visited");
    }
    for path in &report.damaged {
        global.warn(format_args!(
            "{} is kept since a salvage and may hold it still: delete this file",
            path.display()
        ));
    }
    Ok(Exit::Partial.unless(report.damaged.is_empty()))
}

/// The removed records by type and address.
fn removed_json(report: &ForgetReport) -> Value {
    let removed = report.removed.iter();
    removed
        .map(|((kind, url), count)| json!({"type": kind, "url": Some(url).filter(|url| !url.is_empty()), "records": count}))
        .collect()
}
