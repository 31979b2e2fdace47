//! `forest site import`: makes wrappers of ftr-site-config files and schemas of crawl4ai.

use super::rules::{read_foreign, read_lists};
use crate::cli::sites::{self, SitesArgs};
use crate::cli::when::{now, time};
use crate::cli::{Exit, Global, output};
use anyhow::bail;
use forest_core::wrapper::Template;
use forest_core::wrapper::names::list_path_of;
use forest_exchange::{ImportedList, NoteKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Make wrappers of ftr-site-config files and crawl4ai's schemas
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE is named for its host, example.org.txt, or for all hosts below it,
.example.org.txt. Messages name the lines that cannot be used; the rest is imported.
A schema of crawl4ai is a .json; its file or its `name` is named for the host, and its
fields are recognised by their names (title, content, author, date ...). An .opml is FreshRSS's:
its feeds of HTML and XPath become wrappers of lists, and so do a .yml of html2rss and the
address of a feed of RSS-Bridge (XPathBridge, CssSelectorBridge), which is not asked.

Exit: 0 all lines, or fields, are in the wrappers, 3 some are not, 1 a file gave no wrapper that
finds anything.

Examples:
  forest site import example.org.txt
  forest site import schema.json --site www.example.org
  forest site import 'https://bridge.example/?bridge=XPathBridge&url=...&item=...'
  forest site import rules.txt --site www.example.org --sites wrappers/")]
pub struct RuleImportArgs {
    /// Read these ftr-site-config files (.txt) and schemas (.json).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Give the wrapper this site's name [default: the file's, without its ending].
    #[arg(long, value_name = "NAME", value_parser = sites::checked_name)]
    site: Option<String>,
    #[command(flatten)]
    sites: SitesArgs,
    /// Replace existing wrappers, which go to the history.
    #[arg(long)]
    force: bool,
}

/// The result of importing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ImportOutcome {
    Whole,
    Partial,
    Nothing,
    Failed,
}

pub fn run(args: RuleImportArgs, global: &Global) -> anyhow::Result<Exit> {
    if args.site.is_some() && args.files.len() > 1 {
        bail!(
            "--site names the site of one file, and there are {}",
            args.files.len()
        );
    }
    let dir = args.sites.dir(global);
    let mut worst = ImportOutcome::Whole;
    for file in &args.files {
        let outcome = import(file, &args, &dir, global).unwrap_or_else(|error| {
            global.warn_failed(&error);
            ImportOutcome::Failed
        });
        worst = worst.max(outcome);
    }
    Ok(match worst {
        ImportOutcome::Whole => Exit::Done,
        ImportOutcome::Partial => Exit::Partial,
        ImportOutcome::Nothing => Exit::Nothing,
        ImportOutcome::Failed => Exit::Error,
    })
}

fn import(
    file: &Path,
    args: &RuleImportArgs,
    dir: &Path,
    global: &Global,
) -> anyhow::Result<ImportOutcome> {
    if let Some(lists) = read_lists(file)? {
        return import_lists(file, lists, args, dir, global);
    }
    let read = read_foreign(file, args.site.as_deref(), global)?;
    let notes = &read.notes;
    let strips = |template: &Template| !template.strip.is_empty();
    let says_something = read.wrapper.templates.iter().any(strips);
    let no_body = notes.iter().any(|note| note.kind == NoteKind::NoBody);
    let outcome = if no_body && !says_something {
        ImportOutcome::Nothing
    } else if notes.iter().any(|note| note.is_loss()) {
        ImportOutcome::Partial
    } else {
        ImportOutcome::Whole
    };
    let mut wrapper = read.wrapper;
    for expression in wrapper.compile()?.growing() {
        global.warn(format_args!(
            "{}: `{expression}` may be too much for a large page, which it then selects nothing on: \
             its work grows with the square of the page",
            file.display()
        ));
    }
    let now = time(now());
    wrapper.by = Some(importer());
    wrapper.learned = Some(now.clone());
    let path = sites::path_of(dir, &wrapper.site);
    match sites::read(&path) {
        Ok(None) => {}
        Ok(Some(existing)) if wrapper.says_the_same(&existing.wrapper) => {
            global.say(format_args!("{}: the same as before", path.display()));
            return Ok(outcome);
        }
        Ok(Some(existing)) if args.force => wrapper = wrapper.succeed(existing.wrapper, &now),
        Err(_) if args.force => {}
        _ => bail!("{} is there already; --force replaces it", path.display()),
    }
    write(file, &path, &wrapper.to_yaml(), global)?;
    Ok(outcome)
}

fn write(file: &Path, path: &Path, yaml: &str, global: &Global) -> anyhow::Result<()> {
    if let Some(dir) = path.parent() {
        output::make_folder(dir)?;
    }
    output::write(path, yaml.as_bytes())?;
    let (file, path) = (file.display(), path.display());
    global.say(format_args!("{file}: imported to {path}"));
    Ok(())
}

/// The program that made an imported wrapper.
fn importer() -> String {
    concat!("forest ", env!("CARGO_PKG_VERSION"), " (imported)").to_owned()
}

/// Writes the wrappers of lists, the first of each site.
fn import_lists(
    file: &Path,
    lists: Vec<ImportedList>,
    args: &RuleImportArgs,
    dir: &Path,
    global: &Global,
) -> anyhow::Result<ImportOutcome> {
    let mut written = BTreeSet::new();
    let mut outcome = ImportOutcome::Whole;
    for ImportedList {
        mut wrapper,
        left_out,
    } in lists
    {
        for what in left_out {
            global.warn(format_args!("{}: {what}", file.display()));
            outcome = ImportOutcome::Partial;
        }
        wrapper.site = args.site.clone().unwrap_or(wrapper.site);
        wrapper.by = Some(importer());
        wrapper.learned = Some(time(now()));
        let path = list_path_of(dir, &wrapper.site);
        let is_known = || sites::read_list(&path).is_ok_and(|known| known.is_some());
        if !args.force && !written.contains(&path) && is_known() {
            bail!("{} is there already; --force replaces it", path.display());
        }
        if !written.insert(path.clone()) {
            let page = wrapper.pages.join(" ");
            global.warn(format_args!(
                "{page}: left out: a site has one list, and this is another"
            ));
            outcome = ImportOutcome::Partial;
            continue;
        }
        write(file, &path, &wrapper.to_yaml(), global)?;
    }
    Ok(outcome)
}
