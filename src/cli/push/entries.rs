//! Full texts in entries that a reader has already.

use crate::cli::Global;
use forest_core::extract::{Extractor, Options, Status};
use forest_core::wrapper::Wrapper;
use forest_exchange::reader_api::{FeedReader, Subscription, UnreadEntry};
use forest_html::text::text_size;
use forest_sources::sources::{PageRef, Sources, load};
use serde_json::{Value, json};
use std::fmt;

/// The means of filling entries.
#[derive(Clone, Copy)]
pub struct Fill<'a> {
    pub sources: &'a Sources,
    /// Entries at the most.
    pub most: usize,
    pub dry_run: bool,
    pub global: &'a Global,
}

/// The entries of a feed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EntryTally {
    filled: usize,
    /// As long as the article already.
    whole: usize,
    /// Without an article.
    failed: usize,
    /// The reader's interface does not change entries.
    refused: bool,
}

impl EntryTally {
    pub fn json(&self) -> Value {
        json!({"filled": self.filled, "whole": self.whole, "failed": self.failed})
    }
}

impl fmt::Display for EntryTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.refused {
            return f.write_str("entries: the reader's interface does not change them");
        }
        let EntryTally {
            filled,
            whole,
            failed,
            ..
        } = self;
        write!(
            f,
            "entries: {filled} filled, {whole} whole already, {failed} failed"
        )
    }
}

/// Writes the articles of a feed's unread entries into them, where they are longer than the
/// text that the reader has.
pub fn fill(
    reader: &dyn FeedReader,
    feed: &Subscription,
    wrapper: &Wrapper,
    with: Fill<'_>,
) -> anyhow::Result<EntryTally> {
    let Some(unread) = reader.unread(feed, with.most) else {
        return Ok(EntryTally {
            refused: true,
            ..EntryTally::default()
        });
    };
    let extractor = Extractor::new(wrapper.clone())?;
    let mut tally = EntryTally::default();
    for entry in unread? {
        match full_text(&entry, &extractor, with) {
            Ok(None) => tally.whole += 1,
            Ok(Some(html)) => {
                if !with.dry_run {
                    reader.write_entry(&entry, &html)?;
                }
                tally.filled += 1;
            }
            Err(error) => {
                with.global.warn(format_args!("{}: {error:#}", entry.url));
                tally.failed += 1;
            }
        }
    }
    Ok(tally)
}

/// The article of an entry as HTML; `None` if the reader's text is as long.
fn full_text(
    entry: &UnreadEntry,
    extractor: &Extractor,
    with: Fill<'_>,
) -> anyhow::Result<Option<String>> {
    let mut pages = with
        .sources
        .fetch(vec![Ok(PageRef::web(entry.url.clone()))])?;
    let page = pages.pop().expect("a page for each reference");
    let loaded =
        load(page, with.sources.page_limit()).map_err(|e| anyhow::anyhow!("{}", e.reason))?;
    let page = loaded.parse_for(extractor);
    let article = extractor.extract(&page, &Options::default().with_html(true));
    match article.html {
        Some(html) if article.status == Status::Ok => {
            let known = text_size(&forest_core::feed::plain_text(&entry.html));
            Ok((text_size(&article.text) > known).then_some(html))
        }
        _ => anyhow::bail!("no article was found ({})", article.status.name()),
    }
}
