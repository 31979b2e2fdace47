//! `forest archive import`: adds the records of other programs' web archives, with their dates.

use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::archived::harvest::messages::log;
use crate::cli::archived::harvest::notify::{NotifyArgs, finish, send};
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use chrono::{DateTime, FixedOffset};
use forest_archive::Archive;
use forest_harvest::{HarvestOptions, HarvestProgress, ImportedPages, ImportedRecords, Importer};
use forest_html::error::counted;
use forest_sources::sources::{NamedReader, open_records, warc_files};
use forest_sources::warc::WarcReader;
use std::fmt::Write;
use std::path::PathBuf;

/// Add the records of WARC, ARC and WACZ files to the archive, with their dates
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every record is stored as it is in the file, with its id, its date and its bytes: requests,
responses of any type and status, revisits, resources, metadata. Cookies in them are stored,
too. A record that the archive holds already is not stored again, and one about a forgotten
address is left out. A `response` of another protocol than HTTP becomes a `resource` (that
of `dns:` stays), and records of ARC files become those of WARC files.

The article of each HTML page with status 200 is extracted by the wrapper of its site, or by
one that is learned from the imported pages. Files are read in the order of their first
pages. A page that is older than the newest one of its address gives no article. The exit
code is 3 if a part of a file could not be read.

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
    #[command(flatten)]
    notify: NotifyArgs,
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
    let mut archive = Archive::open(&dir, args.archive.options(global))?;
    let options = HarvestOptions::default().with_learning(!args.no_learn);
    let notifier = args
        .notify
        .notifier(global.config().user_agent.as_deref(), global)?;
    let mut tell = |event: &HarvestProgress<'_>| {
        log(event);
        send(notifier.as_ref(), event, now());
    };
    let mut importer = Importer::new(&mut archive, options).with_progress(&mut tell);
    let progress = global.progress("records", None);
    let mut left_out = 0;
    for (_, path) in files {
        for file in warc_files(path)? {
            let (name, input) = file?;
            for record in open_records(&name, input)? {
                match record {
                    Ok(record) => {
                        if let Err(warning) = &record.page {
                            left_out += 1;
                            let kept = "as a page; its record is kept";
                            global.warn(format_args!("{name}: {warning} {kept}"));
                        }
                        importer.add(record)?;
                        progress.step();
                    }
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
    finish(notifier, global);
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
        let records = counts.records.iter();
        let records = records.map(|(name, records)| {
            let records = json_of!(records, stored, held, forgotten);
            (name.clone(), records)
        });
        json["records"] = records.collect::<serde_json::Map<_, _>>().into();
        json
    })?;
    let sum = |of: fn(&ImportedRecords) -> u64| counts.records.values().map(of).sum::<u64>();
    let (stored, held) = (sum(|of| of.stored), sum(|of| of.held));
    let forgotten = sum(|of| of.forgotten);
    let kinds = counts.records.iter().filter(|(_, of)| of.stored > 0);
    let kinds: Vec<String> = kinds
        .map(|(name, of)| format!("{} {name}", of.stored))
        .collect();
    let mut records = counted(stored, "record", "records");
    if !kinds.is_empty() {
        let _ = write!(records, " ({})", kinds.join(", "));
    }
    let _ = write!(records, " stored, {held} already held");
    if forgotten > 0 {
        let _ = write!(records, ", {forgotten} of forgotten addresses left out");
    }
    global.say(records);
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
        let _ = write!(line, "; {} older than the archive's not read", counts.older);
    }
    if counts.nameless > 0 {
        let count = counts.nameless;
        let _ = write!(line, "; {count} without date or address not read");
    }
    global.say(line);
    Ok(match (stored + held, left_out) {
        (0, _) => Exit::Nothing,
        (_, 0) => Exit::Done,
        _ => Exit::Partial,
    })
}
