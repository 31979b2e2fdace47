//! `forest site relearn`: learns a site's wrapper again from its newest archived pages.

use super::archive_dir::ArchiveArgs;
use super::stored::{line, nothing};
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use forest_archive::ArchiveReader;
use forest_harvest::{Relearned, relearn_site};

/// Learn a site's wrapper again from its newest archived pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The newest pages teach, whatever the present wrapper finds on them. The new wrapper takes its
place if it is worth no less on them; the old one goes to the history, and `forest site
rollback` brings it back. Articles that were read badly are read again, and doubtful readings
become versions or go. If a harvest runs, it does the latter.

Exit: 0 done, 1 no other wrapper was learned: the reason is shown.

Examples:
  forest site relearn news.example.org
  forest site relearn news.example.org --archive ~/news --json")]
pub struct RelearnArgs {
    /// Learn the wrapper of this site.
    #[arg(value_name = "SITE")]
    site: String,
    /// Write the result as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: RelearnArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if reader.latest_pages(&args.site, 1)?.is_empty() {
        return nothing("nothing to learn from", Some(&args.site), &reader, global);
    }
    drop(reader);
    let progress = global.busy("learning");
    let relearned = relearn_site(&dir, &args.site, now())?;
    drop(progress);
    if args.json {
        let (why, edits) = match &relearned {
            Relearned::Kept(why) => (Some(why), 0),
            Relearned::Done(report) => (None, report.edits.len()),
            Relearned::LeftToHarvest => (None, 0),
        };
        global.print_json(&serde_json::json!({
            "site": args.site,
            "learned": why.is_none(),
            "why": why,
            "waits_for_harvest": relearned == Relearned::LeftToHarvest,
            "versions": edits,
        }))?;
    } else {
        global.say(format_args!("{}: {relearned}", line(&args.site)));
    }
    Ok(match relearned {
        Relearned::Kept(_) => Exit::Nothing,
        _ => Exit::Done,
    })
}
