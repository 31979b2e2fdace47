//! `forest site export`: writes wrappers as other programs' rules.

use super::rules::{files, read_any};
use crate::cli::net::NetArgs;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global, output, sites};
use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forest_core::extract::{Extractor, Options, tests_of};
use forest_core::wrapper::Wrapper;
use forest_core::wrapper::list::ListWrapper;
use forest_exchange::{Exported, RuleFormat, UnsupportedPolicy};
use forest_sources::sources::load;
use std::path::{Path, PathBuf};

/// Pages that are read for tests at the most.
const MAX_PAGES: usize = 20;

/// Write wrappers as other programs' rules
#[derive(Debug, clap::Args)]
#[command(after_help = "\
ftr is ftr-site-config, read by Full-Text RSS, wallabag and others. css and miniflux
give a line of JSON a wrapper, freshrss an OPML file, fundus a Python module with a
parser, crawl4ai a schema for its JsonXPathExtractionStrategy. ftr, fundus and crawl4ai
take XPath and so nearly all; css has not a selector for each expression. An expression that
a format does not have is an error, and nothing is written; with --lossy it is left out, and
a message names it.

The wrapper of a list is written as freshrss (a feed of HTML and XPath), html2rss, or
rss-bridge: a query a line, to go behind the address of an RSS-Bridge.

Examples:
  forest site export --to ftr sites/example.org.yaml
  forest site export --to ftr sites/example.org.yaml --pages saved/ --out rules/
  forest site export --to freshrss sites/*.yaml --out feeds.opml
  forest site export --to css --lossy sites/example.org.yaml | jq .
  forest site export --to html2rss sites/example.org.list.yaml
  forest site export --to fundus sites/ --out parsers/
  forest site export --to crawl4ai sites/example.org.yaml --out example.org.json")]
pub struct RuleExportArgs {
    /// Write this format.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: RuleFormat,
    /// Export the wrappers in these files and folders.
    #[arg(required = true, value_name = "WRAPPER")]
    wrappers: Vec<PathBuf>,
    /// Write tests for these pages of the site (test_url and test_contains of ftr).
    #[arg(long, value_name = "SOURCE")]
    pages: Option<String>,
    /// Leave out expressions that the format does not have, and name them.
    #[arg(long)]
    lossy: bool,
    /// Write to this file, or a file a wrapper to this folder (one that exists, or a name
    /// that ends in a slash) [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// The formats by name.
fn formats() -> impl TypedValueParser<Value = RuleFormat> {
    let named = |name: String| {
        RuleFormat::ALL
            .into_iter()
            .find(|format| format.name() == name)
    };
    PossibleValuesParser::new(RuleFormat::ALL.map(RuleFormat::name))
        .try_map(move |name| named(name).ok_or("no such format"))
}

pub fn run(args: RuleExportArgs, global: &Global) -> anyhow::Result<Exit> {
    if let Some(lists) = lists(&args)? {
        return export_lists(&args, &lists, global);
    }
    let mut wrappers: Vec<(PathBuf, Wrapper)> = Vec::new();
    for typed in &args.wrappers {
        for path in files(typed)? {
            let wrapper = read_any(&path, global)?;
            wrappers.push((path, wrapper));
        }
    }
    let folder = args.out.as_deref().filter(|out| output::is_folder(out));
    if args.to.is_of_lists() {
        let format = args.to.name();
        bail!("{format} reads lists: give a wrapper of a list, as `forest learn --list` writes it");
    }
    if args.to.is_a_file_a_wrapper() && wrappers.len() > 1 && folder.is_none() {
        let format = args.to.name();
        bail!(
            "--to {format} writes a file a wrapper, and there are {}: give a folder with --out",
            wrappers.len()
        );
    }
    if let Some(pages) = &args.pages {
        for (_, wrapper) in &mut wrappers {
            add_tests(wrapper, pages, global)?;
        }
    }
    let mut files: Vec<(String, String)> = Vec::new();
    let say = |path: &Path, exported: Exported| {
        for what in exported.left_out {
            global.warn(format_args!("{}: left out: {what}", path.display()));
        }
        for omission in exported.omissions {
            global.warn(format_args!("{}: {omission}", path.display()));
        }
        exported.text
    };
    if args.to == RuleFormat::Freshrss {
        let (paths, all): (Vec<PathBuf>, Vec<Wrapper>) = wrappers.into_iter().unzip();
        let text = say(&paths[0], exported(&args, &all)?);
        files.push(("feeds.opml".to_owned(), text));
    } else {
        for (path, wrapper) in &wrappers {
            let exported = exported(&args, std::slice::from_ref(wrapper))
                .with_context(|| path.display().to_string())?;
            files.push((name_of(wrapper, args.to), say(path, exported)));
        }
    }
    if let Some(folder) = folder {
        output::make_folder(folder)?;
        for (name, text) in &files {
            output::write(&folder.join(name), text.as_bytes())?;
        }
    } else {
        let text: String = files.into_iter().map(|(_, text)| text).collect();
        output::put(args.out.as_deref(), &text, global)?;
    }
    Ok(Exit::Done)
}

/// The wrappers of lists, if the files are these.
fn lists(args: &RuleExportArgs) -> anyhow::Result<Option<Vec<ListWrapper>>> {
    let read: anyhow::Result<Vec<_>> = args
        .wrappers
        .iter()
        .map(|p| sites::read_if_list(p))
        .collect();
    let lists: Vec<ListWrapper> = read?.into_iter().flatten().collect();
    if lists.is_empty() {
        return Ok(None);
    }
    if lists.len() < args.wrappers.len() {
        bail!("wrappers of lists and of articles: export them one after the other");
    }
    Ok(Some(lists))
}

fn export_lists(
    args: &RuleExportArgs,
    lists: &[ListWrapper],
    global: &Global,
) -> anyhow::Result<Exit> {
    let mut text = String::new();
    let Some(exported) = args.to.written_lists(lists)? else {
        bail!("a list is written as --to freshrss, html2rss or rss-bridge");
    };
    for exported in exported {
        for what in exported.left_out {
            global.warn(format_args!("left out: {what}"));
        }
        text.push_str(&exported.text);
    }
    output::put(args.out.as_deref(), &text, global)?;
    Ok(Exit::Done)
}

/// The wrappers in the format; an error has the remedy.
fn exported(args: &RuleExportArgs, wrappers: &[Wrapper]) -> anyhow::Result<Exported> {
    let policy = if args.lossy {
        UnsupportedPolicy::LeftOut
    } else {
        UnsupportedPolicy::Refused
    };
    let refused = match args.to.written(wrappers, policy) {
        Ok(exported) => return Ok(exported),
        Err(refused) => refused,
    };
    let rest = args.to.written(wrappers, UnsupportedPolicy::LeftOut);
    let remedy = match rest {
        Ok(_) => "--lossy writes the rest and names what it leaves out",
        Err(_) => "--to ftr takes any XPath",
    };
    Err(anyhow!("{refused}; {remedy}"))
}

/// The name that other programs look for, as a file may be named.
fn name_of(wrapper: &Wrapper, format: RuleFormat) -> String {
    let name = format.file_name(&wrapper.site);
    match name.strip_prefix('.') {
        Some(rest) => format!(".{}", output::file_name(rest)),
        None => output::file_name(&name),
    }
}

/// Adds pages with a text of their article, as far as the wrapper finds one.
fn add_tests(wrapper: &mut Wrapper, typed: &str, global: &Global) -> anyhow::Result<()> {
    let sources = SourceArgs::default().sources(NetArgs::default(), global)?;
    let extractor = Extractor::new(wrapper.clone())?;
    let options = Options::default();
    let mut articles = Vec::new();
    let extract = |_, page| {
        let page = load(page, sources.page_limit()).ok()?;
        Some(extractor.extract(&page.parse_for(&extractor), &options))
    };
    for list in sources.open_pages(typed, "--pages ")? {
        let pages = Box::new(list.pages.take(MAX_PAGES));
        sources.for_each_page(pages, extract, |article| {
            articles.extend(article);
            Ok::<_, anyhow::Error>(())
        })?;
    }
    for test in tests_of(&articles) {
        if !wrapper.tests.contains(&test) {
            wrapper.tests.push(test);
        }
    }
    Ok(())
}
