//! `forest eval`: methods on collections with gold.

use super::methods::{Methods, method};
use super::output::{file_name, make_folder, write};
use super::progress::WorkProgress;
use super::signifiers::SignifierArg;
use super::{Exit, Global};
use anyhow::{Context, bail};
use forest_core::learn::Method;
use forest_eval::eval::{
    self, Floors, GateFault, ListTable, MethodFigures, MethodTable, Overview, PageScore,
    PinnedLists, ScoredText, Setup,
};
use forest_html::error::counted;
use forest_sources::gold::Collection;
use forest_text::pipeline::{AnyMethod, Pipeline};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Measure methods on collections of pages whose right text is known.
///
/// A collection is a folder with <site>/<page>.html or .html.gz and, beside each
/// page that is scored, <page>.json with its text. Without --learn-on a method
/// learns from all pages of a site and is scored on them, as FOREST was.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest eval gold
  forest eval gold --method paper --method boilerpipe --by-site
  forest eval gold --method paper --signifiers feed --learn-on 5 --dump out
  forest eval gold ../other --method bte --method pipeline:precise --overview
  forest eval --gate gold/floors.toml")]
pub struct EvalArgs {
    /// The collections. With --gate and none, all that the file names.
    #[arg(value_name = "GOLD", required_unless_present = "gate")]
    gold: Vec<PathBuf>,
    /// A method; several can be given. pipeline:FILE is a pipeline of one-page
    /// extractors in a file.
    #[arg(short, long = "method", value_name = "M", value_parser = Methods::All)]
    methods: Vec<AnyMethod>,
    /// Where signifiers come from: tfidf, feed, metadata or words:FILE.
    #[arg(long, value_name = "S", default_value = "tfidf")]
    signifiers: SignifierArg,
    /// Learn from the first N pages of a site by id and score the others (three
    /// where a site has five).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    learn_on: Option<u32>,
    /// The figures of each site, too.
    #[arg(long)]
    by_site: bool,
    /// One table of methods by collections, with macro averages, as Markdown.
    #[arg(long, conflicts_with_all = ["json", "by_site"])]
    overview: bool,
    /// The share of right titles, dates and authors, from the pages' metadata alone
    /// and with the wrapper that the method learns, on pages that were not learned from:
    /// --learn-on is 5 if it is not given. The learner sees the site's feed, no gold.
    #[arg(long, conflicts_with_all = ["overview", "dump", "gate"])]
    fields: bool,
    /// The words of the gold that the strip rules of learned wrappers take away; with
    /// --by-site each rule that takes some.
    #[arg(long, conflicts_with_all = ["overview", "dump", "gate", "fields"])]
    strips: bool,
    /// Pages by kind, each read by itself: how many are named right, and the text of each kind.
    /// With --by-site the pages that are named wrong.
    #[arg(long, conflicts_with_all = ["overview", "dump", "gate", "fields", "strips", "methods"])]
    kinds: bool,
    /// The items, titles and dates of list pages, whose wrappers are learned from one snapshot
    /// and from two: folders with <site>/<snapshot>/<page>.html and truth.json. With --by-site
    /// the pages that were not right.
    #[arg(long, conflicts_with_all = ["overview", "dump", "fields", "strips", "kinds"])]
    lists: bool,
    /// Write what was extracted, for other scorers:
    /// DIR/<collection>/<method>-<signifiers>.jsonl.
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// In each line of the dump the page's blocks, with the probability that the model gives
    /// each: why a block was kept, or was not.
    #[arg(long, requires = "dump")]
    blocks: bool,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
    /// Fail (exit code 1) where a figure is below its floor in FILE, or the
    /// collection is another.
    #[arg(long, value_name = "FILE", conflicts_with = "learn_on")]
    gate: Option<PathBuf>,
    /// Pin the figures of this run in the file of --gate instead of comparing.
    #[arg(long, requires = "gate")]
    write_floors: bool,
}

const UNICODE: &str = "a path in floors must be Unicode";

/// Pages of a site that fields are learned from where `--learn-on` says nothing.
const FIELDS_LEARN_ON: usize = 5;

/// A collection that was asked for.
pub struct OpenedCollection {
    path: PathBuf,
    pub collection: Collection,
}

pub fn run(args: EvalArgs, global: &Global) -> anyhow::Result<Exit> {
    let floors = match &args.gate {
        Some(path) => Some(read_floors(path, args.write_floors)?),
        None => None,
    };
    if args.lists {
        return lists(&args, floors, global);
    }
    let opened = open(&args, floors.as_ref())?;
    if args.fields {
        side_tables(&args, &opened, global, eval::fields, |table| {
            (table.to_string(), table.by_site().to_string())
        })
    } else if args.strips {
        side_tables(&args, &opened, global, eval::strips, |table| {
            (table.to_string(), table.by_site().to_string())
        })
    } else if args.kinds {
        let kinds =
            |collection: &_, _: &Setup, done: &(dyn Fn() + Sync)| eval::kinds(collection, done);
        side_tables(&args, &opened, global, kinds, |table| {
            (table.to_string(), table.by_site().to_string())
        })
    } else {
        compare(&args, &opened, floors, global)
    }
}

fn lists(args: &EvalArgs, floors: Option<Floors>, global: &Global) -> anyhow::Result<Exit> {
    let mut dirs = args.gold.clone();
    if let (true, Some(floors)) = (dirs.is_empty(), &floors) {
        let pinned = floors.lists.iter();
        dirs = pinned.map(|c| PathBuf::from(&c.path)).collect();
    }
    let tables = list_tables(&dirs)?;
    if args.json {
        let tables: Vec<_> = tables.iter().map(|table| table.json()).collect();
        global.print_json(&serde_json::json!({ "collections": tables }))?;
    } else {
        for table in &tables {
            global.print(table.to_string().as_bytes())?;
            if args.by_site {
                global.print(table.by_site().as_bytes())?;
            }
        }
    }
    match (&args.gate, floors) {
        (Some(path), Some(mut floors)) if args.write_floors => {
            for (dir, table) in dirs.iter().zip(&tables) {
                let dir = dir.to_str().context(UNICODE)?;
                floors.pin_lists(PinnedLists::of(dir, table));
            }
            write(path, floors.to_string().as_bytes())?;
            Ok(Exit::Done)
        }
        (Some(_), Some(floors)) => {
            let faults = list_faults(&floors, &dirs, &tables, global);
            Ok(verdict(faults, dirs.len(), global))
        }
        _ => Ok(Exit::Done),
    }
}

fn list_tables(dirs: &[PathBuf]) -> anyhow::Result<Vec<ListTable>> {
    let tables: Result<Vec<_>, _> = dirs.iter().map(|dir| eval::lists(dir)).collect();
    Ok(tables?)
}

/// Warns of the figures of lists that fell; returns their number.
fn list_faults(floors: &Floors, dirs: &[PathBuf], tables: &[ListTable], global: &Global) -> usize {
    let tables = dirs.iter().zip(tables);
    let faults =
        tables.map(|(dir, table)| warn_of(dir, &floors.list_faults_of(dir, table), global));
    faults.sum()
}

/// Warns of faults; returns their number.
fn warn_of(path: &Path, faults: &[GateFault], global: &Global) -> usize {
    for fault in faults {
        global.warn(format_args!("gate: {}: {fault}", path.display()));
    }
    faults.len()
}

fn open(args: &EvalArgs, floors: Option<&Floors>) -> anyhow::Result<Vec<OpenedCollection>> {
    let mut paths = args.gold.clone();
    if let (true, Some(floors)) = (paths.is_empty(), floors) {
        paths = floors
            .collections
            .iter()
            .map(|c| PathBuf::from(&c.path))
            .collect();
    }
    if paths.is_empty() {
        bail!("no collections: name them, as in `forest eval gold --gate FILE --write-floors`");
    }
    open_all(paths)
}

/// Opens collections, which must have names of their own.
pub fn open_all(paths: Vec<PathBuf>) -> anyhow::Result<Vec<OpenedCollection>> {
    let mut names = BTreeSet::new();
    let mut out = Vec::new();
    for path in paths {
        let collection = Collection::open(&path)?;
        if !names.insert(collection.name().to_owned()) {
            bail!(
                "two collections are named `{}`: give one at a time",
                collection.name()
            );
        }
        out.push(OpenedCollection { path, collection });
    }
    Ok(out)
}

/// Tables of methods, dumps and the gate.
fn compare(
    args: &EvalArgs,
    opened: &[OpenedCollection],
    floors: Option<Floors>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let setups = setups(args, opened, floors.as_ref())?;
    let progress = progress(opened, global);
    let mut tables = Vec::new();
    for OpenedCollection { collection, .. } in opened {
        let texts = eval::run(collection, &setups, &|| progress.step())?;
        if let Some(dir) = &args.dump {
            dump(&dir.join(collection.name()), &setups, &texts)?;
        }
        for (setup, texts) in setups.iter().zip(&texts) {
            note_trained_on(collection, setup, texts, global);
        }
        let rows = setups.iter().zip(texts).filter_map(|(setup, texts)| {
            let scores: Vec<PageScore> = texts.into_iter().map(|text| text.score).collect();
            MethodFigures::of(setup.label(), &scores)
        });
        tables.push(MethodTable {
            name: collection.name().to_owned(),
            rows: rows.collect(),
        });
    }
    drop(progress);
    print(args, &tables, global)?;
    match (&args.gate, floors) {
        (Some(path), Some(floors)) if args.write_floors => {
            write_floors(path, floors, opened, &tables)?;
            Ok(Exit::Done)
        }
        (Some(_), Some(floors)) => gate(args, &floors, opened, &tables, global),
        _ => Ok(Exit::Done),
    }
}

/// Notes the number of pages that the method's trees were trained on.
fn note_trained_on(collection: &Collection, setup: &Setup, texts: &[ScoredText], global: &Global) {
    let seen = texts.iter().filter(|text| text.is_trained_on).count();
    if seen > 0 {
        global.say(format_args!(
            "note: the trees of {} were trained on {seen} of {} pages of {}: \
             its figures there are too good",
            setup.label(),
            texts.len(),
            collection.name()
        ));
    }
}

/// A table a collection and method: as text, and its rows by site.
fn side_tables<T: Serialize>(
    args: &EvalArgs,
    opened: &[OpenedCollection],
    global: &Global,
    measure: impl Fn(&Collection, &Setup, &(dyn Fn() + Sync)) -> forest_eval::Result<T>,
    shown: impl Fn(&T) -> (String, String),
) -> anyhow::Result<Exit> {
    let setups = setups(args, opened, None)?;
    let progress = progress(opened, global);
    let mut tables = Vec::new();
    for OpenedCollection { collection, .. } in opened {
        for setup in &setups {
            tables.push(measure(collection, setup, &|| progress.step())?);
        }
    }
    drop(progress);
    let mut out = String::new();
    if args.json {
        out = serde_json::to_string_pretty(&serde_json::json!({ "collections": tables }))?;
        out.push('\n');
    } else {
        for (at, table) in tables.iter().enumerate() {
            let (table, by_site) = shown(table);
            let gap = if at > 0 { "\n" } else { "" };
            write!(out, "{gap}{table}")?;
            if args.by_site {
                write!(out, "\n{by_site}")?;
            }
        }
    }
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

/// The methods that were asked for, and those that have a floor.
fn setups(
    args: &EvalArgs,
    opened: &[OpenedCollection],
    floors: Option<&Floors>,
) -> anyhow::Result<Vec<Setup>> {
    let source = args.signifiers.source()?;
    let mut setups: Vec<Setup> = Vec::new();
    let chosen = args.methods.iter().cloned();
    let chosen = chosen.map(|m| Setup::of(m, source.clone()));
    let pinned = floors.into_iter().flat_map(|f| &f.collections);
    let pinned = pinned.filter(|c| opened.iter().any(|o| o.path == Path::new(&c.path)));
    let labels: BTreeSet<&String> = pinned.flat_map(|c| c.floors.keys()).collect();
    // A label that no setup has is reported by the gate.
    let mut pinned = Vec::new();
    for label in labels {
        match Pipeline::name_in(label) {
            Some(_) => pinned.push(Setup::of(method(label)?, source.clone())),
            None => pinned.extend(Setup::by_label(label)),
        }
    }
    for setup in chosen.chain(pinned) {
        if setups.iter().all(|s| s.label() != setup.label()) {
            setups.push(setup);
        }
    }
    if setups.is_empty() {
        setups.push(Setup::of(Method::default(), source));
    }
    for setup in &mut setups {
        let unseen = args.fields.then_some(FIELDS_LEARN_ON);
        setup.blocks = args.blocks;
        setup.learn_on = args.learn_on.map(|n| n as usize).or(unseen);
    }
    Ok(setups)
}

fn dump(dir: &Path, setups: &[Setup], texts: &[Vec<ScoredText>]) -> anyhow::Result<()> {
    make_folder(dir)?;
    for (setup, pages) in setups.iter().zip(texts) {
        let name = file_name(&setup.file_stem());
        let path = dir.join(format!("{name}.jsonl"));
        write(&path, eval::dump(pages).as_bytes())?;
    }
    Ok(())
}

fn print(args: &EvalArgs, tables: &[MethodTable], global: &Global) -> anyhow::Result<()> {
    let mut out = String::new();
    if args.json {
        let tables: Vec<_> = tables.iter().map(MethodTable::json).collect();
        out = serde_json::to_string_pretty(&serde_json::json!({ "collections": tables }))?;
        out.push('\n');
    } else if args.overview {
        write!(out, "{}", Overview(tables))?;
    } else {
        for (at, table) in tables.iter().enumerate() {
            let gap = if at > 0 { "\n" } else { "" };
            write!(out, "{gap}{table}")?;
            if args.by_site {
                write!(out, "\n{}", table.by_site())?;
            }
        }
    }
    Ok(global.print(out.as_bytes())?)
}

/// The floors in `path`; no floors if they are to be written for the first time.
fn read_floors(path: &Path, to_write: bool) -> anyhow::Result<Floors> {
    match std::fs::read_to_string(path) {
        Ok(text) => Floors::parse(&text).with_context(|| path.display().to_string()),
        Err(e) if to_write && e.kind() == std::io::ErrorKind::NotFound => Ok(Floors::none()),
        Err(e) => Err(e).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn gate(
    args: &EvalArgs,
    floors: &Floors,
    opened: &[OpenedCollection],
    tables: &[MethodTable],
    global: &Global,
) -> anyhow::Result<Exit> {
    let mut faults = 0;
    for (OpenedCollection { path, collection }, table) in opened.iter().zip(tables) {
        faults += warn_of(path, &floors.faults_of(path, collection, table)?, global);
    }
    // Without collections all that the file names are checked.
    let mut lists = Vec::new();
    if args.gold.is_empty() {
        lists.extend(floors.lists.iter().map(|c| PathBuf::from(&c.path)));
        faults += list_faults(floors, &lists, &list_tables(&lists)?, global);
    }
    Ok(verdict(faults, opened.len() + lists.len(), global))
}

fn verdict(faults: usize, checked: usize, global: &Global) -> Exit {
    if faults > 0 {
        return Exit::Nothing;
    }
    let checked = counted(checked, "collection", "collections");
    global.say(format_args!("gate: {checked}, no figure below its floor"));
    Exit::Done
}

fn write_floors(
    path: &Path,
    mut floors: Floors,
    opened: &[OpenedCollection],
    tables: &[MethodTable],
) -> anyhow::Result<()> {
    for (OpenedCollection { path, collection }, table) in opened.iter().zip(tables) {
        floors.pin_figures(path.to_str().context(UNICODE)?, collection, table)?;
    }
    write(path, floors.to_string().as_bytes())
}

/// Progress by sites.
fn progress(opened: &[OpenedCollection], global: &Global) -> WorkProgress {
    let sites = opened.iter().map(|o| o.collection.sites().len()).sum();
    global.progress("sites", Some(sites))
}
