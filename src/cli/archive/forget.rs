//! `forest archive forget`: addresses that are to be gone.

use super::{now, options};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::{Exit, Global};
use forest::archive::{Archive, ArchiveReader, paths, search::SearchIndex};
use forest::error::counted;
use serde_json::json;
use std::path::PathBuf;

/// Forget addresses with their articles, and never visit them again
#[derive(Debug, clap::Args)]
#[command(after_help = "\
All that the archive has of the article, under whatever address, leaves its WARC files,
which are written anew, its tables and its search index. Backups keep what they have. If
it is interrupted, run it again. A damaged file that verify --salvage kept is not read:
it is named, and the exit code is 3 until it is deleted.

Examples:
  forest archive forget https://news.example.org/2026/a-mistake")]
pub struct ForgetArgs {
    /// Addresses of articles.
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    /// The folder of the wrappers [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// What was forgotten, as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: ForgetArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    // There is nothing to forget where there is no archive.
    ArchiveReader::open(&dir)?;
    let archive = Archive::open(&dir, options(args.sites.as_deref()))?;
    let progress = global.busy("rewriting");
    let (archive, done) = archive.forget(&args.urls, now())?;
    SearchIndex::open(&paths::index(&dir))?.catch_up(&archive.reader()?)?;
    drop(progress);
    if args.json {
        let edited = done.edited.iter().map(|path| path.to_string_lossy());
        let damaged = done.damaged.iter().map(|path| path.to_string_lossy());
        let json = json!({
            "articles": done.articles,
            "addresses": done.addresses,
            "records": done.records,
            "files": done.files,
            "edited": edited.collect::<Vec<_>>(),
            "damaged": damaged.collect::<Vec<_>>(),
        });
        global.print(format!("{json}\n").as_bytes())?;
    }
    global.say(format_args!(
        "{} with {} forgotten: {} taken out of {}",
        counted(done.articles, "article", "articles"),
        counted(done.addresses, "address", "addresses"),
        counted(done.records, "record", "records"),
        counted(done.files, "file", "files")
    ));
    for path in &done.edited {
        global.warn(format_args!(
            "{} was edited by hand and names it still in its sample or its tests",
            path.display()
        ));
    }
    if done.articles == 0 {
        global.say("the archive had no such article; its address will not be visited");
    }
    for path in &done.damaged {
        global.warn(format_args!(
            "{} is kept since a salvage and may hold it still: delete this file",
            path.display()
        ));
    }
    match done.damaged.is_empty() {
        true => Ok(Exit::Done),
        false => Ok(Exit::Partial),
    }
}
