//! `forest archive import`: pages of other programs' web archives, with their dates.

use super::options;
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::source::{Input, Named, wacz_files};
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use chrono::{DateTime, FixedOffset};
use forest::archive::Archive;
use forest::error::counted;
use forest::feed::Kind;
use forest::harvest::{HarvestOptions, ImportedPages, Importer};
use forest::warc::Reader;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Take the pages of WARC and WACZ files into the archive, with their dates
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each HTML page with status 200 is read and stored as if it had been harvested at the time
that the file says: by its site's wrapper, or by one that is learned of what came. Files are
taken in the order of their first pages. A page that is older than what the archive has of
its address is left out. The exit code is 3 if something of a file could not be read.

Examples:
  forest archive import crawl.warc.gz
  forest archive import monday.wacz tuesday.wacz --archive store")]
pub struct ImportArgs {
    /// WARC files, packed or not, and WACZ files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Learn no wrappers: use those that are there.
    #[arg(long)]
    no_learn: bool,
    /// What was done, as JSON.
    #[arg(long)]
    json: bool,
    /// The folder of the wrappers [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: ImportArgs, global: &Global) -> anyhow::Result<Exit> {
    // What cannot be read is told before anything is written.
    let mut files = Vec::new();
    for path in &args.files {
        let begins = opened(path)?.into_iter().filter_map(begins_at).min();
        files.push((begins, path));
    }
    files.sort();
    let dir = args.archive.dir(global)?;
    let mut archive = Archive::open(&dir, options(args.sites.as_deref()))?;
    let how = HarvestOptions::default().with_learning(!args.no_learn);
    let mut importer = Importer::new(&mut archive, how);
    let progress = global.progress("pages", None);
    let mut left_out = 0;
    for (_, path) in files {
        for (name, input) in opened(path)? {
            let reader = Reader::new(input).with_context(|| name.clone())?;
            for page in reader {
                match page {
                    Ok(page) if page.status.is_none_or(|status| status == 200) => {
                        importer.add(page)?;
                        progress.step();
                    }
                    Ok(_) => {}
                    Err(warning) => {
                        left_out += 1;
                        global.warn(format_args!("{name}: {warning}"));
                    }
                }
            }
        }
    }
    let done = importer.finish()?;
    drop(progress);
    tell(&done, left_out, &args, global)
}

/// The WARC files that a path stands for.
fn opened(path: &Path) -> anyhow::Result<Vec<Named>> {
    let name = path.display().to_string();
    let input = Input::open(path)?;
    match input.kind() {
        Kind::Warc => Ok(vec![(name, Box::new(input.all()))]),
        Kind::Zip => wacz_files(&name, path),
        other => bail!("{name}: this is {}: give WARC or WACZ files", other.name()),
    }
}

/// The date of the first page of a file.
fn begins_at((_, input): Named) -> Option<DateTime<FixedOffset>> {
    let mut pages = Reader::new(input).ok()?;
    pages.find_map(|page| page.ok()?.date)
}

fn tell(
    done: &ImportedPages,
    left_out: usize,
    args: &ImportArgs,
    global: &Global,
) -> anyhow::Result<Exit> {
    if args.json {
        let json = json!({
            "pages": done.pages,
            "articles": done.articles,
            "versions": done.versions,
            "known": done.known,
            "without_article": done.nothing,
            "older": done.older,
            "nameless": done.nameless,
            "wrappers": done.wrappers,
            "left_out": left_out,
        });
        global.print(format!("{json}\n").as_bytes())?;
    }
    let number = |count: u64, one, many| counted(count as usize, one, many);
    let mut said = format!(
        "{}: {}, {}, {} known, {} without an article; {} learned",
        number(done.pages, "page", "pages"),
        number(done.articles, "new article", "new articles"),
        number(done.versions, "new version", "new versions"),
        done.known,
        done.nothing,
        number(done.wrappers, "wrapper", "wrappers"),
    );
    if done.older > 0 {
        said.push_str(&format!(
            "; {} older than the archive's left out",
            done.older
        ));
    }
    if done.nameless > 0 {
        said.push_str(&format!(
            "; {} without date or address left out",
            done.nameless
        ));
    }
    global.say(said);
    Ok(match (done.pages, left_out) {
        (0, _) => Exit::Nothing,
        (_, 0) => Exit::Done,
        _ => Exit::Partial,
    })
}
