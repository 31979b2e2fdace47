//! `forest search`: finds articles of the archive by their words.

use super::archive_dir::ArchiveArgs;
use super::stored::{colours, line, nothing, status};
use crate::cli::when::{When, time};
use crate::cli::{Exit, Global};
use forest_archive::search::{CaughtUp, DEFAULT_LIMIT, Query, SearchHit, SearchIndex};
use forest_archive::{ArchiveReader, paths};
use forest_core::extract::Status;
use forest_html::text::{Language, visible};
use serde_json::{Value, json};
use std::fmt::Write;

/// Find articles of the archive by their words
#[derive(Debug, clap::Args)]
#[command(after_help = "\
All words must be there, in the title or in the text: in whatever form the language of
the article gives them. \"words in a row\" stand in a row, and -word must not be there.
Words that begin with a hyphen go behind --. Without words, all articles that pass the
filters are found, the newest first.

Examples:
  forest search harbour ferry
  forest search '\"night ferry\"' --site news.example.org --since 30d
  forest search --json --limit 100 -- snow -rain | jq -r .url")]
pub struct SearchArgs {
    /// Find these words.
    #[arg(value_name = "WORDS", required_unless_present_any = ["site", "since", "until", "status"])]
    words: Vec<String>,
    /// Find only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Find only articles that were published (if that is unknown: first seen) from this
    /// time on: a day, a time, or a span before now (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: Option<When>,
    /// Find only articles that were published before this time.
    #[arg(long, value_name = "WHEN")]
    until: Option<When>,
    /// Find only articles of this status; may be given again.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Vec<Status>,
    /// Read the words in this language (en, de, zh ...) [default: all of the archive].
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// Show this number of hits at the most.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: usize,
    /// Skip this number of better hits.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Write a line of JSON a hit.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: SearchArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let archive = ArchiveReader::open(&dir)?;
    let mut index = SearchIndex::open(&paths::index(&dir))?;
    let progress = global.busy("indexing");
    match index.catch_up(&archive) {
        Ok(CaughtUp::Added(_)) => {}
        Ok(CaughtUp::Busy) => tracing::debug!("another process writes to the index"),
        // What was indexed before can still be searched.
        Err(error) => global.warn(format_args!("the newest articles are not found: {error}")),
    }
    drop(progress);
    let query = Query {
        words: args.words.join(" "),
        sites: args.site.clone().map(|site| vec![site]),
        articles: None,
        since: args.since.map(When::time),
        until: args.until.map(When::time),
        statuses: args.status,
        language: args.lang.as_deref().map(Language::from_tag),
        limit: args.limit,
        offset: args.offset,
    };
    let found = index.search(&query)?;
    if !found.has_condition {
        global.say(
            "nothing to look for: give a word that must be there; words as common as \
             \"the\" do not count",
        );
        return Ok(Exit::Nothing);
    }
    if found.hits.is_empty() {
        return nothing("nothing found", args.site.as_deref(), &archive, global);
    }
    let colours = colours();
    let mut out = String::new();
    for hit in &found.hits {
        if args.json {
            let _ = writeln!(out, "{}", json(hit));
        } else {
            text(hit, colours, &mut out);
        }
    }
    global.print(out.as_bytes())?;
    let last = query.offset + found.hits.len();
    if last < found.total {
        global.say(format_args!(
            "{last} of {} found; more with --offset {last}",
            found.total
        ));
    }
    Ok(Exit::Done)
}

/// Title, address, snippet, and an empty line.
fn text(hit: &SearchHit, colours: bool, out: &mut String) {
    let title = match hit.title.trim() {
        "" => "(no title)".to_owned(),
        title => line(title),
    };
    let snippet = &hit.snippet;
    let mut words = String::new();
    let mut at = 0;
    for mark in &snippet.marks {
        words.push_str(&visible(&snippet.text[at..mark.start]));
        let marked = visible(&snippet.text[mark.clone()]);
        let [begin, end] = if colours {
            ["\u{1b}[1m", "\u{1b}[0m"]
        } else {
            [""; 2]
        };
        words.push_str(&format!("{begin}{marked}{end}"));
        at = mark.end;
    }
    words.push_str(&visible(&snippet.text[at..]));
    let before = if snippet.cut_before { "… " } else { "" };
    let after = if snippet.cut_after { " …" } else { "" };
    let day = hit.date.format("%Y-%m-%d");
    let url = line(&hit.url);
    // Writing to a string does not fail.
    let _ = writeln!(out, "{title}\n{day}  {url}\n  {before}{words}{after}\n");
}

/// A hit as JSON; its highlights are counted in characters, as most languages do.
fn json(hit: &SearchHit) -> Value {
    let text = &hit.snippet.text;
    let chars = |at: usize| text[..at].chars().count();
    let marks = &hit.snippet.marks;
    let highlights: Vec<[usize; 2]> = marks
        .iter()
        .map(|mark| [chars(mark.start), chars(mark.end)])
        .collect();
    json!({
        "url": hit.url,
        "site": hit.site,
        "title": hit.title,
        "date": time(hit.date),
        "status": hit.status,
        "language": hit.language,
        "score": hit.score,
        "snippet": text,
        "highlights": highlights,
    })
}
