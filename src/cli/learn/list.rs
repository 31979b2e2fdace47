//! `forest learn --list`: the wrapper of a page that lists articles, from snapshots of it.

use super::LearnArgs;
use crate::cli::when::{now, time};
use crate::cli::{Exit, Global, output, sites};
use anyhow::bail;
use forest_core::explain::list_html;
use forest_core::extract::list::ListExtractor;
use forest_core::learn::list::{LearnedList, ListOptions, learn};
use forest_core::wrapper::list::ListWrapper;
use forest_core::wrapper::names::list_path_of;
use forest_html::address::page_key;
use forest_html::error::counted;
use forest_html::page::Page;
use forest_sources::sources::{
    FoundPage, Html, PageError, PageRef, PageSource, Sources, address, load,
};
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use url::Url;

/// Items of the last snapshot that are shown.
const SHOWN: usize = 5;

/// Learns a list from its snapshots, in the order in which they were given, and writes its
/// wrapper.
///
/// # Errors
///
/// If a page cannot be read, or the file cannot be written.
pub fn run(args: &LearnArgs, hint: Option<&str>, global: &Global) -> anyhow::Result<Exit> {
    let sources = args.source.clone().sources(args.net.clone(), global)?;
    let pages = snapshots(args, &sources, global)?;
    let Some(last) = pages.last() else {
        bail!("no page to learn from");
    };
    let options = ListOptions {
        site: args.site.clone(),
        learned: Some(time(now())),
        hint: hint.map(str::to_owned),
        ..ListOptions::default()
    };
    let pages: Vec<&Page> = pages.iter().collect();
    let mut learned = learn(&pages, &options);
    if let Some(wrapper) = &learned.wrapper {
        let headlines = headlines(args, wrapper, last, &sources)?;
        if !headlines.is_empty() {
            learned = learn(
                &pages,
                &ListOptions {
                    headlines,
                    ..options
                },
            );
        }
    }
    if learned.cut > 0 {
        global.warn("the page has more links than are looked at: its first 10000 were");
    }
    if args.show.explain {
        explain(&learned, global)?;
    }
    let site = learned.wrapper.as_ref().map(|wrapper| &*wrapper.site);
    let site = site.or(args.site.as_deref()).unwrap_or("list");
    let report = || list_html(site, &learned, &pages);
    args.show.write_report(&format!("{site}.list"), report)?;
    let Some(wrapper) = learned.wrapper else {
        global.warn(match hint {
            Some(hint) => format!("nothing learned: no list has an item with the text {hint:?}"),
            None => "nothing learned: no group of links looks like a list of articles".to_owned(),
        });
        return Ok(Exit::Nothing);
    };
    if wrapper.site.is_empty() {
        bail!("the pages have no address: name the site with --site");
    }
    let path = list_path_of(&args.sites.dir(global), &wrapper.site);
    save(&path, &wrapper, args.force)?;
    show(args, &wrapper, last, &path, global)?;
    Ok(Exit::Done)
}

fn snapshots(args: &LearnArgs, sources: &Sources, global: &Global) -> anyhow::Result<Vec<Page>> {
    let mut out = Vec::new();
    for typed in &args.sources {
        for source in sources.open(typed, Html::List)? {
            let PageSource::Open(list) = source else {
                bail!("{typed}: give pages that list articles, not a list of feeds");
            };
            if list.by_feed {
                bail!(
                    "{typed}: its feed {} is as good as a list: learn from that",
                    list.name
                );
            }
            let parse = |_, page| Ok(load(page, sources.page_limit())?.parse());
            sources.for_each_page(list.pages, parse, |page: Result<Page, PageError>| {
                match page {
                    Ok(page) => out.push(page),
                    Err(error) => global.warn(format_args!("{}: {}", error.id, error.reason)),
                }
                Ok::<_, anyhow::Error>(())
            })?;
        }
    }
    Ok(out)
}

/// Pages of the list that are fetched for their headlines.
const WITNESSES: usize = 3;

/// The headlines of some pages that the list links to, by the keys of their addresses: of a
/// list from the web they are fetched, of files none are known.
fn headlines(
    args: &LearnArgs,
    wrapper: &ListWrapper,
    last: &Page,
    sources: &Sources,
) -> anyhow::Result<HashMap<String, String>> {
    let is_from_web = args.sources.iter().any(|typed| address(typed).is_some());
    let items = ListExtractor::new(wrapper.clone())?.apply(last).items;
    let urls = items.iter().filter(|_| is_from_web).take(WITNESSES);
    let urls = urls.filter_map(|item| Url::parse(&item.url).ok());
    let pages: Vec<FoundPage> = urls.map(|url| Ok(PageRef::web(url))).collect();
    let headline = |_, page| {
        let page = load(page, sources.page_limit()).ok()?.parse();
        Some((page_key(page.url()?), page.metadata().title.clone()?))
    };
    let mut named = HashMap::new();
    sources.for_each_page(Box::new(pages.into_iter()), headline, |one| {
        named.extend(one);
        Ok::<_, anyhow::Error>(())
    })?;
    Ok(named)
}

/// Writes the file, unless it says the same or somebody edited it.
fn save(path: &Path, wrapper: &ListWrapper, force: bool) -> anyhow::Result<()> {
    match sites::read_list(path) {
        Ok(Some(file)) if file.edited && !force => bail!(
            "{} was edited by hand and is left alone; --force replaces it",
            path.display()
        ),
        Ok(Some(file)) if !file.edited && wrapper.says_the_same(&file.wrapper) => return Ok(()),
        Ok(_) => {}
        Err(_) if force => {}
        Err(error) => return Err(error.context("not replaced without --force")),
    }
    if let Some(dir) = path.parent() {
        output::make_folder(dir)?;
    }
    output::write(path, wrapper.to_yaml().as_bytes())
}

fn explain(learned: &LearnedList, global: &Global) -> anyhow::Result<()> {
    let mut out = String::from("candidates for the items, by their score:\n");
    for candidate in &learned.candidates {
        out.push_str(&format!("{candidate}\n"));
    }
    Ok(global.print(out.as_bytes())?)
}

fn show(
    args: &LearnArgs,
    wrapper: &ListWrapper,
    last: &Page,
    path: &PathBuf,
    global: &Global,
) -> anyhow::Result<()> {
    let listed = ListExtractor::new(wrapper.clone())?.apply(last);
    if args.show.json {
        let line = json!({
            "site": wrapper.site, "path": path, "item": wrapper.item,
            "items": listed.items.len(), "evidence": wrapper.evidence,
        });
        return Ok(global.print_json(&line)?);
    }
    let items = counted(listed.items.len(), "item", "items");
    let mut out = format!("{}: {items}\n  {}\n", path.display(), wrapper.item);
    for item in listed.items.iter().take(SHOWN) {
        let day = item
            .date
            .as_deref()
            .map_or("no date   ", |date| &date[..date.len().min(10)]);
        let title = item.title.as_deref().unwrap_or("no title");
        out.push_str(&format!("  {day}  {title}\n              {}\n", item.url));
    }
    Ok(global.print(out.as_bytes())?)
}
