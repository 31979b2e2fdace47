//! `forest harvest status`: the status of feeds and sites.

use crate::cli::archived::archive_dir::ArchiveArgs;
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use forest_archive::{ArchiveReader, SiteSecrets};
use forest_harvest::report::{StatusReport, secret_rows};
use std::path::Path;

/// Show the status of feeds and sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of each feed the command shows its last and its next poll, its errors, the counts of its
items, pages and articles, and the status of their sites. Of each site it shows the wrapper,
the mean confidence of its newest articles, and the verdict with its time; if no wrapper is
in use, the reason and the remedy (in JSON `not_learned` and `remedy`):

  ok           the wrapper finds the articles
  degraded     it finds most of them, or has lost a field
  drift        it no longer fits the site
  blocked      something stands in the way of the articles: a status such as 403, a
               challenge, a login, robots.txt
  unreachable  there is no wrapper, and the pages do not come
  none yet     there is no wrapper yet, or no page of it was judged

Examples:
  forest harvest status
  forest harvest status --json | jq '.sites[] | select(.verdict == \"drift\")'")]
pub struct StatusArgs {
    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Warns of cookies that are not sent any more, and of a file of secrets that cannot be read.
fn warn_of_expired(dir: &Path, global: &Global) {
    let secrets = match SiteSecrets::of(dir) {
        Ok(secrets) => secrets,
        Err(error) => return global.warn(error),
    };
    let is_over = |end| end <= now();
    for row in secret_rows(&secrets)
        .iter()
        .filter(|row| row.expires.is_some_and(is_over))
    {
        let (site, name) = (&row.site, &row.name);
        global.warn(format_args!(
            "{site}: the cookie {name} has expired and is not sent: `forest harvest secret add` takes a new one"
        ));
    }
}

pub fn run(args: StatusArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let report = StatusReport::of(&ArchiveReader::open(&dir)?, &dir)?;
    warn_of_expired(&dir, global);
    if args.json {
        global.print_json(&report.json())?;
        return Ok(Exit::Done);
    }
    if report.has_no_feeds() {
        global.say("no feeds: add one with `forest harvest add`");
    }
    global.print(report.text().as_bytes())?;
    Ok(Exit::Done)
}
