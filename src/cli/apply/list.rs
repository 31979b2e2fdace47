//! Items from pages that list articles, with the wrapper of a list.

use super::super::output::OutputSink;
use super::super::{Exit, Global};
use super::ApplyArgs;
use anyhow::bail;
use forest_core::extract::Status;
use forest_core::extract::list::{ListExtractor, ListItem, ListedItems};
use forest_core::wrapper::list::ListWrapper;
use forest_html::address::{page_key, site_of};
use forest_html::error::counted;
use forest_sources::sources::{FoundPage, Html, PageError, PageRef, Sources, address, load};
use forest_text::prose::RecordFormat;
use serde::Serialize;
use std::collections::HashSet;
use url::Url;

/// A line of the output.
#[derive(Debug, Serialize)]
struct ListLine<'a> {
    list: &'a str,
    #[serde(flatten)]
    item: &'a ListItem,
}

/// A page without items.
#[derive(Debug, Serialize)]
struct EmptyLine<'a> {
    list: &'a str,
    position: Option<usize>,
    status: Status,
    error: &'a str,
}

/// The items and pages so far.
#[derive(Debug, Default)]
struct ListTally {
    items: usize,
    good: usize,
    bad: usize,
}

/// Reads pages that list articles.
struct ListReader {
    extractor: ListExtractor,
    page_limit: usize,
}

/// A page that was read, with its items.
struct ListedPage {
    id: String,
    url: Option<String>,
    listed: ListedItems,
}

struct ListRun<'a> {
    sink: OutputSink<'a>,
    global: &'a Global,
    tally: ListTally,
}

/// Writes a line for each item of the sources' pages; for a page without items one with the
/// reason.
///
/// # Errors
///
/// If the arguments do not fit, or the output cannot be written.
pub fn run(args: &ApplyArgs, wrapper: ListWrapper, global: &Global) -> anyhow::Result<Exit> {
    if !matches!(args.output.format, None | Some(RecordFormat::Jsonl)) {
        bail!("the items of a list are written as --format jsonl");
    }
    let sources = args.source.clone().sources(args.net.clone(), global)?;
    let reader = ListReader {
        extractor: ListExtractor::new(wrapper)?,
        page_limit: sources.page_limit(),
    };
    let mut run = ListRun {
        sink: OutputSink::open(args.output.out.as_deref(), global)?,
        global,
        tally: ListTally::default(),
    };
    for typed in &args.sources {
        let opened = match sources.open(typed, Html::List) {
            Ok(opened) => opened,
            Err(error) => {
                run.tally.bad += 1;
                global.warn_failed(&error.into());
                continue;
            }
        };
        for source in opened {
            // The next pages of a file's page are not beside it.
            let most = match address(typed) {
                Some(_) => args.list_pages,
                None => 1,
            };
            let read = |_, page| reader.read(page);
            let pages = source.open(&sources)?.pages;
            sources.for_each_page(pages, read, |list| {
                run.add_pages(&sources, &reader, list, most)
            })?;
        }
    }
    let ListRun { sink, tally, .. } = run;
    sink.finish()?;
    let pages = counted(tally.good + tally.bad, "page", "pages");
    let items = counted(tally.items, "item", "items");
    global.say(format_args!("{items} on {pages}"));
    Ok(Exit::of(tally.good, tally.good + tally.bad))
}

impl ListReader {
    fn read(&self, page: FoundPage) -> Result<ListedPage, PageError> {
        let loaded = load(page, self.page_limit)?;
        Ok(ListedPage {
            listed: self.extractor.apply(&loaded.parse()),
            url: loaded.content.url.clone(),
            id: loaded.id,
        })
    }
}

impl ListRun<'_> {
    /// Adds a page and those that follow it, `most` in all, each once.
    fn add_pages(
        &mut self,
        sources: &Sources,
        reader: &ListReader,
        first: Result<ListedPage, PageError>,
        most: usize,
    ) -> anyhow::Result<()> {
        let mut known: HashSet<String> = HashSet::new();
        let mut list = first;
        loop {
            let page = match list {
                Ok(page) => page,
                Err(error) => {
                    let list = error.url.as_ref().unwrap_or(&error.id);
                    return self.none(list, Status::Error, &error.reason);
                }
            };
            let own = page.url.clone();
            known.extend(own.as_deref().map(page_key));
            let next = self.add(page)?.filter(|_| known.len() < most);
            let next = next.and_then(|next| Url::parse(&next).ok());
            let next = next.filter(|next| {
                site_of(Some(next.as_str())) == site_of(own.as_deref())
                    && !known.contains(&page_key(next.as_str()))
            });
            let Some(next) = next else { return Ok(()) };
            let fetched = sources.fetch(vec![Ok(PageRef::web(next))])?.pop();
            list = reader.read(fetched.expect("a page for each reference"));
        }
    }

    /// Writes the items of a page; gives the address of the next one.
    fn add(&mut self, page: ListedPage) -> anyhow::Result<Option<String>> {
        let (list, listed) = (page.url.as_deref().unwrap_or(&page.id), page.listed);
        for warning in &listed.warnings {
            self.global.warn(format_args!("{list}: {warning}"));
        }
        if listed.items.is_empty() {
            self.none(list, Status::Empty, "the wrapper selects no item")?;
            return Ok(None);
        }
        self.tally.good += 1;
        self.tally.items += listed.items.len();
        for item in &listed.items {
            self.line(&ListLine { list, item })?;
        }
        Ok(listed.next)
    }

    fn none(&mut self, list: &str, status: Status, error: &str) -> anyhow::Result<()> {
        self.tally.bad += 1;
        self.global.warn(format_args!("{list}: {error}"));
        self.line(&EmptyLine {
            list,
            position: None,
            status,
            error,
        })
    }

    fn line(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.sink.add(&bytes)
    }
}
