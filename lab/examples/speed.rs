//! The project's speed in ratios, which other work on the same machine disturbs
//! less than times: `cargo run --release -p forest-lab --example speed`.
//!
//! The compared work runs in turn, page by page. Printed is the median of the rounds'
//! ratios, with the lowest and the highest. A parse is `Page::parse`.
//!
//! `-- apply learn` measures these parts alone; the parts are `apply`, `onepage`,
//! `text`, `learn`, `growth` and `tables`.

#[path = "../benches/pages/mod.rs"]
mod pages;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use forest_core::extract::{Extractor, Options};
use forest_core::learn::{DEFAULT_SAMPLE, LearnOptions, LearnOutcome, Method, SamplePage, learn};
use forest_html::page::{Mask, Page};
use forest_text::pipeline::AnyMethod;
use forest_text::prose::xhtml::xhtml;
use forest_text::prose::{TableStyle, TextOptions, prose};
use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::RcDom;
use pages::{Bytes, SitePages};
use rayon::prelude::*;

/// Times that everything is measured.
const ROUNDS: usize = 15;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |part: &str| asked.is_empty() || asked.iter().any(|name| name == part);
    let mut news: Vec<Vec<[Duration; 2]>> = Vec::new();
    for (name, pages_a_site) in [("fundus_eval", usize::MAX), ("big9", DEFAULT_SAMPLE)] {
        println!("{}", pages::folder(name).display());
        let sites = pages::sites(name, pages_a_site);
        if is_asked("apply") {
            news.push(apply(&sites));
        }
        if is_asked("onepage") {
            one_page(&sites);
        }
        if is_asked("text") {
            as_text(&sites);
        }
        if is_asked("learn") && pages_a_site == DEFAULT_SAMPLE {
            learning(&sites);
        }
    }
    if let [one, other] = &*news {
        let both = one.iter().zip(other);
        let of_round = |([a, b], [c, d]): (&[Duration; 2], &[Duration; 2])| ratio(*a + *c, *b + *d);
        println!("both");
        let ratios = both.map(of_round).collect();
        tell("apply / html5ever into RcDom", ratios);
    }
    if is_asked("apply") {
        for name in ["feeds", "daniel", "l3s_gn1"] {
            println!("{}", pages::folder(name).display());
            apply(&pages::sites(name, DEFAULT_SAMPLE));
        }
    }
    if is_asked("growth") {
        println!("pages of one shape");
        growth();
    }
    if is_asked("tables") {
        println!("tables");
        tables();
    }
}

/// How long `f` takes.
fn time<T>(f: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(f());
    start.elapsed()
}

/// Prints the ratios' median and range.
fn tell(what: &str, mut ratios: Vec<f64>) {
    ratios.sort_by(f64::total_cmp);
    let (low, high) = (ratios[0], ratios[ratios.len() - 1]);
    let median = ratios[ratios.len() / 2];
    println!("  {what}: {median:.2} ({low:.2} to {high:.2})");
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// `apply` with `forest`'s wrappers, strips, fields and confidence against the bare
/// parse, and on all cores against one. Gives the times of `apply` and of html5ever in each round.
fn apply(sites: &[SitePages]) -> Vec<[Duration; 2]> {
    let mut work: Vec<(Extractor, &Bytes)> = Vec::new();
    for site in sites {
        let sample: Vec<SamplePage> = site.pages.iter().map(Bytes::sample).collect();
        let options = LearnOptions::default().with_site(&site.name);
        let options = options.with_method(Method::Forest);
        if let LearnOutcome::Learned(learned) = learn(&sample, &options) {
            let extractor = Extractor::new(learned.wrapper).expect("a learned wrapper compiles");
            work.extend(site.pages.iter().map(|page| (extractor.clone(), page)));
        }
    }
    let bytes: usize = work.iter().map(|(_, page)| page.bytes.len()).sum();
    let options = Options::default();
    let one = |(extractor, page): &(Extractor, &Bytes)| extractor.extract(&page.parse(), &options);
    let mut reads = Vec::new();
    let (mut ratios, mut of_rcdom, mut to_rcdom) = (Vec::new(), Vec::new(), Vec::new());
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let [mut parse, mut apply, mut rcdom] = [Duration::ZERO; 3];
        for item in &work {
            // What is timed first would pay for a page and trees that no cache has.
            std::hint::black_box(one(item));
            parse += time(|| item.1.parse());
            apply += time(|| one(item));
            rcdom += time(|| into_rcdom(item.1));
        }
        ratios.push(ratio(apply, parse));
        of_rcdom.push(ratio(rcdom, parse));
        to_rcdom.push(ratio(apply, rcdom));
        reads.push([apply, rcdom]);
        fastest = [fastest[0].min(parse), fastest[1].min(apply)];
    }
    println!(
        "  {} pages, {} bytes on average",
        work.len(),
        bytes / work.len()
    );
    for (what, time) in ["parse", "apply"].iter().zip(fastest) {
        let a_second = work.len() as f64 / time.as_secs_f64();
        println!("  {what}: {a_second:.0} pages a second, one core, fastest round");
    }
    tell("apply / parse", ratios);
    tell("html5ever into RcDom / parse", of_rcdom);
    tell("apply / html5ever into RcDom", to_rcdom);

    let threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
        pool.expect("a thread pool")
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (single, all) = (threads(1), threads(cores));
    let run = || work.par_iter().map(one).collect::<Vec<_>>();
    let ratios = (0..ROUNDS).map(|_| {
        let alone = time(|| single.install(run));
        ratio(alone, time(|| all.install(run)))
    });
    tell(&format!("apply on one core / on {cores}"), ratios.collect());
    reads
}

/// The page in html5ever's own tree, dropped as well.
fn into_rcdom(page: &Bytes) {
    let parser = html5ever::parse_document(RcDom::default(), Default::default());
    drop(parser.from_utf8().one(&*page.bytes));
}

/// Each one-page extractor and pipeline, the parse included, against the bare parse.
fn one_page(sites: &[SitePages]) {
    let methods: Vec<AnyMethod> = AnyMethod::all().filter(is_of_one_page).collect();
    let pages: Vec<&Bytes> = sites.iter().flat_map(|site| &site.pages).collect();
    let mut ratios = vec![Vec::new(); methods.len()];
    for _ in 0..ROUNDS {
        let mut parse = Duration::ZERO;
        let mut alone = vec![Duration::ZERO; methods.len()];
        for bytes in &pages {
            parse += time(|| bytes.parse());
            let page = bytes.parse();
            for (method, alone) in methods.iter().zip(&mut alone) {
                *alone += time(|| method.of_one_page(&page));
            }
        }
        for (ratios, alone) in ratios.iter_mut().zip(alone) {
            ratios.push(ratio(parse + alone, parse));
        }
    }
    for (method, ratios) in methods.iter().zip(ratios) {
        tell(&format!("{method}, parse included / parse"), ratios);
    }
}

/// `forest text`: parse and prose against the bare parse, page by page and XHTML.
fn as_text(sites: &[SitePages]) {
    let pages: Vec<&Bytes> = sites.iter().flat_map(|site| &site.pages).collect();
    let options = TextOptions::default();
    let (mut texts, mut documents) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let [mut parse, mut text, mut document] = [Duration::ZERO; 3];
        for bytes in &pages {
            parse += time(|| bytes.parse());
            let page = bytes.parse();
            text += time(|| prose(&page, &Mask::all(&page), &options));
            document += time(|| xhtml(&page));
        }
        texts.push(ratio(parse + text, parse));
        documents.push(ratio(parse + document, parse));
    }
    tell("text, parse included / parse", texts);
    tell("xhtml, parse included / parse", documents);
}

/// The time of a data table of 50,000 cells in each style, without its parse, and how
/// it grows from an eighth of it: 1 is linear.
fn tables() {
    let table = |rows: usize| {
        let mut html = "<table><tr><th>name<th>length<th>width<th>depth<th>weight".to_owned();
        for row in 0..rows {
            let _ = write!(
                html,
                "<tr><th>thing {row}<td>{row} m<td>2 m<td>3 m<td>{row} kg"
            );
        }
        Page::from_html(&html)
    };
    let pages = [1_250, 10_000].map(table);
    for style in [
        TableStyle::Clause,
        TableStyle::Sentence,
        TableStyle::Markdown,
    ] {
        let options = TextOptions {
            table_style: style,
            ..TextOptions::default()
        };
        let run = |page: &Page| time(|| prose(page, &Mask::all(page), &options));
        let mut fastest = Duration::MAX;
        let ratios = (0..ROUNDS).map(|_| {
            let [short, long] = pages.each_ref().map(run);
            fastest = fastest.min(long);
            ratio(long, short) / 8.0
        });
        let ratios = ratios.collect();
        println!(
            "  50,000 cells, {style:?}: {} ms, fastest round",
            fastest.as_millis()
        );
        tell("growth", ratios);
    }
}

fn is_of_one_page(method: &AnyMethod) -> bool {
    method.of_one_page(&Page::from_html("")).is_some()
}

/// How each one-page extractor and pipeline grows: the time that a page of a
/// hostile shape takes against one an eighth as long, by length. 1 is linear, 8
/// quadratic.
fn growth() {
    let paragraph = |n| "<p>a".repeat(n);
    let block = |n| "word and ".repeat(n);
    let links = |n| "<a href=/>x</a> ".repeat(n);
    let giant = |n| "x".repeat(8 * n);
    let tags = |n| "<b></b>".repeat(n);
    let shapes: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("blocks of a letter", &paragraph),
        ("one block", &block),
        ("links", &links),
        ("one word", &giant),
        ("tags", &tags),
    ];
    for method in AnyMethod::all().filter(is_of_one_page) {
        let mut worst = (0.0, "");
        for (name, shape) in &shapes {
            let pages = [20_000, 160_000].map(|n| Page::from_html(&shape(n)));
            let mut ratios: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    let [short, long] = pages.each_ref().map(|p| time(|| method.of_one_page(p)));
                    ratio(long, short) / 8.0
                })
                .collect();
            ratios.sort_by(f64::total_cmp);
            let median = ratios[ratios.len() / 2];
            if median > worst.0 {
                worst = (median, name);
            }
        }
        println!(
            "  {method}: {:.2} at most, by length ({})",
            worst.0, worst.1
        );
    }
}

/// `learn` from ten pages against html5ever's parse of them.
fn learning(sites: &[SitePages]) {
    let full = sites.iter().filter(|s| s.pages.len() == DEFAULT_SAMPLE);
    let full: Vec<&SitePages> = full.collect();
    // Of each site, and of all together, a round's time of html5ever, to parse and to learn.
    let mut rounds = vec![vec![[Duration::ZERO; 3]; ROUNDS]; full.len()];
    let mut together = vec![[Duration::ZERO; 3]; ROUNDS];
    for round in 0..ROUNDS {
        for (site, rounds) in full.iter().zip(&mut rounds) {
            let options = LearnOptions::default().with_site(&site.name);
            let parse = time(|| site.pages.iter().map(Bytes::parse).collect::<Vec<_>>());
            let sample: Vec<SamplePage> = site.pages.iter().map(Bytes::sample).collect();
            let learn = time(|| learn(&sample, &options));
            let rcdom = time(|| site.pages.iter().for_each(into_rcdom));
            rounds[round] = [rcdom, parse, learn];
            for (sum, own) in together[round].iter_mut().zip(rounds[round]) {
                *sum += own;
            }
        }
    }
    let whole = |[rcdom, parse, learn]: &[Duration; 3]| ratio(*parse + *learn, *rcdom);
    println!("  {} sites of {DEFAULT_SAMPLE} pages", full.len());
    tell(
        "learn, parse included / html5ever into RcDom",
        together.iter().map(whole).collect(),
    );
    let alone = |[rcdom, _, learn]: &[Duration; 3]| ratio(*learn, *rcdom);
    tell(
        "learn, parse not included / html5ever into RcDom",
        together.iter().map(alone).collect(),
    );
    for (site, rounds) in full.iter().zip(&rounds) {
        tell(
            &format!("{}, parse included / html5ever into RcDom", site.name),
            rounds.iter().map(whole).collect(),
        );
    }
}
