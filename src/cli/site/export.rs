//! `forest site export`: wrappers as other programs' rules.

use super::rules::{files, read_any};
use crate::cli::net::NetArgs;
use crate::cli::source::{Html, Source, SourceArgs, Sources, load};
use crate::cli::{Exit, Global, output};
use anyhow::{Context, anyhow, bail};
use forest::address::bare_host;
use forest::extract::{Extractor, tests_of};
use forest::wrapper::Wrapper;
use forest::wrapper::exchange::{
    Exported, UnsupportedPolicy, fundus_module, to_crawl4ai, to_css, to_freshrss, to_ftr,
    to_fundus, to_miniflux,
};
use std::path::{Path, PathBuf};

/// Pages that are read for tests at the most.
const MAX_PAGES: usize = 20;

/// Write wrappers as other programs' rules
#[derive(Debug, clap::Args)]
#[command(after_help = "\
ftr is ftr-site-config, read by Full-Text RSS, wallabag and others. css and miniflux
give a line of JSON a wrapper, freshrss an OPML file, fundus a Python module with a
parser, crawl4ai a schema for its JsonXPathExtractionStrategy. ftr, fundus and crawl4ai
take XPath and so nearly all; css has not a selector for each expression. What a format
cannot say is refused with the expression and the reason, and nothing is written; with
--lossy it is left out, and named.

Examples:
  forest site export --to ftr sites/example.org.yaml
  forest site export --to ftr sites/example.org.yaml --pages saved/ --out rules/
  forest site export --to freshrss sites/*.yaml --out feeds.opml
  forest site export --to css --lossy sites/example.org.yaml | jq .
  forest site export --to fundus sites/ --out parsers/
  forest site export --to crawl4ai sites/example.org.yaml --out example.org.json")]
pub struct ExportArgs {
    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// Wrappers: files, or folders of them.
    #[arg(required = true, value_name = "WRAPPER")]
    wrappers: Vec<PathBuf>,
    /// Pages of the site, for test_url and test_contains of ftr.
    #[arg(long, value_name = "SOURCE")]
    pages: Option<String>,
    /// Write what the format can say, and name what is left out.
    #[arg(long)]
    lossy: bool,
    /// Write to this file; to a folder (one that is there, or a name that ends in
    /// a slash): a file a wrapper.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Ftr,
    Miniflux,
    Freshrss,
    Css,
    Fundus,
    Crawl4ai,
}

impl Format {
    /// A file holds one wrapper.
    fn is_a_file_a_wrapper(self) -> bool {
        matches!(self, Format::Ftr | Format::Fundus)
    }

    fn name(self) -> &'static str {
        match self {
            Format::Ftr => "ftr",
            Format::Miniflux => "miniflux",
            Format::Freshrss => "freshrss",
            Format::Css => "css",
            Format::Fundus => "fundus",
            Format::Crawl4ai => "crawl4ai",
        }
    }

    /// These wrappers: one, but of a format that has a file for all.
    fn written(self, wrappers: &[Wrapper], how: UnsupportedPolicy) -> forest::Result<Exported> {
        match (self, wrappers) {
            (Format::Ftr, [wrapper]) => to_ftr(wrapper, how),
            (Format::Miniflux, [wrapper]) => to_miniflux(wrapper, how),
            (Format::Css, [wrapper]) => to_css(wrapper, how),
            (Format::Fundus, [wrapper]) => to_fundus(wrapper, how),
            (Format::Crawl4ai, [wrapper]) => to_crawl4ai(wrapper, how),
            _ => to_freshrss(wrappers, how),
        }
    }
}

pub fn run(args: ExportArgs, global: &Global) -> anyhow::Result<Exit> {
    let mut wrappers: Vec<(PathBuf, Wrapper)> = Vec::new();
    for typed in &args.wrappers {
        for path in files(typed)? {
            let wrapper = read_any(&path, global)?;
            wrappers.push((path, wrapper));
        }
    }
    let folder = args.out.as_deref().filter(|out| output::is_folder(out));
    if args.to.is_a_file_a_wrapper() && wrappers.len() > 1 && folder.is_none() {
        bail!(
            "--to {} writes a file a wrapper, and there are {}: give a folder with --out",
            args.to.name(),
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
    if args.to == Format::Freshrss {
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
    match (&args.out, folder) {
        (_, Some(folder)) => {
            output::make_folder(folder)?;
            for (name, text) in &files {
                output::write(&folder.join(name), text.as_bytes())?;
            }
        }
        (out, None) => {
            let text: String = files.into_iter().map(|(_, text)| text).collect();
            match out {
                Some(path) if path.as_os_str() != "-" => output::write(path, text.as_bytes())?,
                _ => global.print(text.as_bytes())?,
            }
        }
    }
    Ok(Exit::Done)
}

/// Wrappers in the format; the remedy where it cannot say all.
fn exported(args: &ExportArgs, wrappers: &[Wrapper]) -> anyhow::Result<Exported> {
    let how = match args.lossy {
        true => UnsupportedPolicy::LeftOut,
        false => UnsupportedPolicy::Refused,
    };
    let refused = match args.to.written(wrappers, how) {
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

/// The name that other programs look for: the host without `www.`, with the dot of
/// all hosts below; a name that Python can import.
fn name_of(wrapper: &Wrapper, format: Format) -> String {
    let end = match format {
        Format::Fundus => return format!("{}.py", fundus_module(&wrapper.site)),
        Format::Ftr => "txt",
        _ => "json",
    };
    let site = bare_host(&wrapper.site);
    match site.strip_prefix('.') {
        Some(rest) => format!(".{}.{end}", output::file_name(rest)),
        None => format!("{}.{end}", output::file_name(site)),
    }
}

/// Adds pages with a text of their article, as far as the wrapper finds one.
fn add_tests(wrapper: &mut Wrapper, typed: &str, global: &Global) -> anyhow::Result<()> {
    let sources = Sources::new(SourceArgs::default(), NetArgs::default(), global)?;
    let extractor = Extractor::new(wrapper.clone())?;
    let mut pages = Vec::new();
    for source in sources.open(typed, Html::Page)? {
        let Source::Opened(opened) = source else {
            bail!("--pages {typed}: give pages, not a list of feeds");
        };
        let limit = sources.page_limit();
        let leads = sources.fetch(opened.leads.take(MAX_PAGES).collect(), || {})?;
        for loaded in leads
            .into_iter()
            .filter_map(|lead| lead.and_then(|lead| load(lead, limit)).ok())
        {
            pages.push(loaded.parse_for(&extractor));
        }
    }
    for test in tests_of(&extractor, &pages.iter().collect::<Vec<_>>()) {
        if !wrapper.tests.contains(&test) {
            wrapper.tests.push(test);
        }
    }
    Ok(())
}
