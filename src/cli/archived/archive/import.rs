//! `forest archive import`: adds pages of other programs' web archives, with their dates.

use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::{Exit, Global};
use chrono::{DateTime, FixedOffset};
use forest_archive::Archive;
use forest_harvest::{HarvestOptions, ImportedPages, Importer};
use forest_html::error::counted;
use forest_sources::sources::{NamedReader, open_warc, warc_files};
use forest_sources::warc::WarcReader;
use std::fmt::Write;
use std::path::PathBuf;

/// Add the pages of WARC, ARC and WACZ files to the archive, with their dates
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each HTML page with status 200 is stored as if it had been harvested at its time in the
file. Its article is extracted by the wrapper of its site, or by one that is learned from
the imported pages. Files are read in the order of their first pages. A page that is older
than the newest one of its address is left out. The exit code is 3 if a part of a file could
not be read.

Examples:
  forest archive import crawl.warc.gz
  forest archive import monday.wacz tuesday.wacz --archive store")]
pub struct WarcImportArgs {
    /// Read these WARC and ARC files, packed or not, and WACZ files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Learn no wrappers: use those of the folder.
    #[arg(long)]
    no_learn: bool,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
}

pub fn run(args: WarcImportArgs, global: &Global) -> anyhow::Result<Exit> {
    // An unreadable file is an error before anything is written.
    let mut files = Vec::new();
    for path in &args.files {
        let mut begins = None;
        for file in warc_files(path)? {
            begins = begins_at(file?).into_iter().chain(begins).min();
        }
        files.push((begins, path));
    }
    files.sort();
    let dir = args.archive.dir(global)?;
    let mut archive = Archive::open(&dir, args.archive.options())?;
    let options = HarvestOptions::default().with_learning(!args.no_learn);
    let mut importer = Importer::new(&mut archive, options);
    let progress = global.progress("pages", None);
    let mut left_out = 0;
    for (_, path) in files {
        for file in warc_files(path)? {
            let (name, input) = file?;
            for page in open_warc(&name, input)? {
                match page {
                    Ok(page) if page.status.is_none_or(|status| status == 200) => {
                        importer.add(page)?;
                        progress.step();
                    }
                    Ok(_) => {}
                    Err(warning) => {
                        left_out += usize::from(!warning.is_mended());
                        global.warn(format_args!("{name}: {warning}"));
                    }
                }
            }
        }
    }
    let counts = importer.finish()?;
    drop(progress);
    report(&counts, left_out, &args.result, global)
}

/// The date of the first page of a file.
fn begins_at((_, input): NamedReader) -> Option<DateTime<FixedOffset>> {
    let mut pages = WarcReader::new(input).ok()?;
    pages.find_map(|page| page.ok()?.date)
}

fn report(
    counts: &ImportedPages,
    left_out: usize,
    result: &ResultArgs,
    global: &Global,
) -> anyhow::Result<Exit> {
    result.print(global, || {
        let mut json = json_of!(counts, pages, articles, versions, known);
        json["without_article"] = counts.nothing.into();
        json["older"] = counts.older.into();
        json["nameless"] = counts.nameless.into();
        json["wrappers"] = counts.wrappers.into();
        json["left_out"] = left_out.into();
        json
    })?;
    let mut line = format!(
        "{}: {}, {}, {} known, {} without an article; {} learned",
        counted(counts.pages, "page", "pages"),
        counted(counts.articles, "new article", "new articles"),
        counted(counts.versions, "new version", "new versions"),
        counts.known,
        counts.nothing,
        counted(counts.wrappers, "wrapper", "wrappers"),
    );
    if counts.older > 0 {
        let _ = write!(line, "; {} older than the archive's left out", counts.older);
    }
    if counts.nameless > 0 {
        let count = counts.nameless;
        let _ = write!(line, "; {count} without date or address left out");
    }
    global.say(line);
    Ok(match (counts.pages, left_out) {
        (0, _) => Exit::Nothing,
        (_, 0) => Exit::Done,
        _ => Exit::Partial,
    })
}
