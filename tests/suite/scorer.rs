//! The metrics against an independent scorer, `../shared/tools/score.py`, and
//! the metric tokens against Python, character by character.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::needed;
use forest_core::learn::{Method, SignifierSource};
use forest_eval::eval::{self, GoldTexts, MethodFigures, PageScore, Setup, Summary};
use forest_html::text::metric_tokens;
use forest_sources::gold::{Collection, Gold};

/// The project's folder with the shared data, if it and Python are there.
fn shared() -> Option<PathBuf> {
    needed::program(&["python3"], "apt-get install python3")?;
    needed::shared("gold/pool")?;
    needed::shared("tools/score.py")?;
    needed::shared("")
}

/// Standard output of Python with these arguments.
fn python(args: &[&std::ffi::OsStr]) -> String {
    let output = Command::new("python3").args(args).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The texts of an extractor with a kind of error. `None`: there is no line in the dump.
type Peer = fn(at: usize, golds: &[&Gold]) -> Option<String>;

const PEERS: [(&str, Peer); 4] = [
    // Cut at half, sometimes empty, one word, or absent.
    ("cut", |at, golds| match at % 9 {
        7 => None,
        8 => Some(" \n ".to_owned()),
        6 => golds[at].text.split(' ').next().map(str::to_owned),
        _ => {
            let text = &golds[at].text;
            Some(text[..text.floor_char_boundary(text.len() / 2)].to_owned())
        }
    }),
    // The headline before, the next page's text behind, in capitals.
    ("padded", |at, golds| {
        let next = &golds[(at + 1) % golds.len()].text;
        let title = golds[at].title.as_deref().unwrap_or_default();
        Some(format!("{title} {} {next}", golds[at].text).to_uppercase())
    }),
    // Lines in reverse, every fourth word lost.
    ("shuffled", |at, golds| {
        let lines: Vec<_> = golds[at].text.lines().rev().collect();
        let text = lines.join("\n");
        let words = text.split_inclusive(' ').enumerate();
        Some(words.filter(|(i, _)| i % 4 != 3).map(|(_, w)| w).collect())
    }),
    // Another page's text.
    ("other", |at, golds| {
        Some(golds[(at + 7) % golds.len()].text.clone())
    }),
];

/// All figures of a peer as score.py prints them, in its order.
fn figures(summary: &Summary) -> Vec<f64> {
    let mut all = vec![summary.pages as f64, summary.empty as f64];
    for measure in [summary.two_gram, summary.word_lcs] {
        let mean = measure.mean;
        all.extend([mean.precision, mean.recall, mean.f1]);
        all.extend(measure.f1_percentiles);
    }
    all
}

fn compare(shared: &Path, collection: &str) {
    let dir = shared.join("gold/pool").join(collection);
    let opened = Collection::open(&dir).unwrap();
    let (ids, golds): (Vec<&str>, Vec<&Gold>) = opened
        .pages()
        .iter()
        .filter_map(|page| Some((page.id.as_str(), page.gold.as_ref()?)))
        .unzip();
    let dump = tempfile::tempdir().unwrap();
    let mut args = vec![
        shared.join("tools/score.py").into_os_string(),
        dir.into_os_string(),
        "--by-site".into(),
    ];
    let mut ours = BTreeMap::new();
    let mut ours_by_site: BTreeMap<(String, String), f64> = BTreeMap::new();
    for (peer, extract) in PEERS {
        let path = dump.path().join(format!("{peer}.jsonl"));
        let mut out = BufWriter::new(File::create(&path).unwrap());
        let mut scores: Vec<PageScore> = Vec::new();
        for (at, (id, gold)) in ids.iter().zip(&golds).enumerate() {
            let text = extract(at, &golds);
            let mut gold = GoldTexts::new(gold.refs.iter().map(String::as_str));
            scores.push(gold.score(id, text.as_deref().unwrap_or_default()));
            if let Some(text) = text {
                let line = serde_json::json!({"id": id, "text": text});
                writeln!(out, "{line}").unwrap();
            }
        }
        out.flush().unwrap();
        args.push(path.into_os_string());
        for (site, summary) in eval::by_site(&scores) {
            let f1 = summary.two_gram.mean.f1;
            ours_by_site.insert((site.to_owned(), peer.to_owned()), f1);
        }
        ours.insert(peer, figures(&Summary::of(&scores).unwrap()));
    }
    agree_on_all(collection, &args, &ours, &ours_by_site);
}

/// score.py, called with these arguments, prints our figures.
fn agree_on_all(
    collection: &str,
    args: &[OsString],
    ours: &BTreeMap<&str, Vec<f64>>,
    ours_by_site: &BTreeMap<(String, String), f64>,
) {
    let args: Vec<_> = args.iter().map(|a| a.as_os_str()).collect();
    let printed = python(&args);
    let mut peers = 0;
    let mut sites = 0;
    for line in printed.lines().skip(1) {
        if line.contains('=') {
            for pair in line.split_whitespace().filter(|w| w.contains('=')) {
                let site = line.split_whitespace().next().unwrap();
                let (peer, theirs) = pair.split_once('=').unwrap();
                let ours = ours_by_site[&(site.to_owned(), peer.to_owned())];
                agree(&format!("{collection} {site} {peer}"), ours, theirs);
                sites += 1;
            }
            continue;
        }
        let mut words = line.split([' ', '/']).filter(|w| !w.is_empty());
        let peer = words.next().unwrap();
        let theirs: Vec<&str> = words.collect();
        assert_eq!(theirs.len(), ours[peer].len(), "{line}");
        for (at, (ours, theirs)) in ours[peer].iter().zip(theirs).enumerate() {
            agree(&format!("{collection} {peer}, figure {at}"), *ours, theirs);
        }
        peers += 1;
    }
    assert_eq!(peers, ours.len(), "{printed}");
    assert_eq!(sites, ours_by_site.len());
}

/// Ours, rounded to three decimals, is the printed figure.
fn agree(what: &str, ours: f64, theirs: &str) {
    let theirs: f64 = theirs.parse().unwrap();
    // Half of the last printed digit, and as much again for the sum's order.
    assert!(
        (ours - theirs).abs() <= 0.000_5 + 1e-9,
        "{what}: {ours} {theirs}"
    );
}

#[test]
fn figures_are_those_of_the_independent_scorer() {
    let Some(shared) = shared() else { return };
    for collection in ["daniel", "dragnet"] {
        compare(&shared, collection);
    }
}

/// The output of `--method paper --dump`, against the printed figures.
#[test]
fn a_dump_of_paper_is_scored_alike() {
    let Some(shared) = shared() else { return };
    for name in ["big9", "daniel"] {
        let dir = shared.join("gold/pool").join(name);
        let collection = Collection::open(&dir).unwrap();
        let setup = Setup::of(Method::Paper, SignifierSource::TfIdf);
        let pages = eval::run(&collection, std::slice::from_ref(&setup), &|| ()).unwrap();
        let dump = tempfile::tempdir().unwrap();
        let path = dump.path().join(format!("{}.jsonl", setup.file_stem()));
        fs::write(&path, eval::dump(&pages[0])).unwrap();
        let scores: Vec<PageScore> = pages[0].iter().map(|page| page.score.clone()).collect();
        let row = MethodFigures::of(setup.file_stem(), &scores).unwrap();
        let args = [
            shared.join("tools/score.py").into_os_string(),
            dir.into_os_string(),
            "--by-site".into(),
            path.into_os_string(),
        ];
        let label = row.label.clone();
        let sites = row.sites.iter();
        let sites = sites.map(|(site, s)| ((site.clone(), label.clone()), s.two_gram.mean.f1));
        let ours = BTreeMap::from([(row.label.as_str(), figures(&row.summary))]);
        agree_on_all(name, &args, &ours, &sites.collect());
    }
}

/// Every assigned character between two letters, split by score.py's own function.
const EVERY_CHARACTER: &str = r"
import sys, unicodedata
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import score
for c in range(0x110000):
    if unicodedata.category(chr(c)) not in ('Cn', 'Cs'):
        print('%x' % c, *score.toks('A' + chr(c) + 'b'))
";

#[test]
fn tokens_are_pythons_for_every_character() {
    let Some(shared) = shared() else { return };
    let tools = shared.join("tools");
    let printed = python(&["-c".as_ref(), EVERY_CHARACTER.as_ref(), tools.as_os_str()]);
    let mut characters = 0;
    for line in printed.lines() {
        let mut words = line.split(' ');
        let code = words.next().unwrap();
        let c = char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
        let theirs: Vec<_> = words.collect();
        let tokens = metric_tokens(&format!("A{c}b"));
        assert_eq!(tokens.iter().collect::<Vec<_>>(), theirs, "U+{code}");
        characters += 1;
    }
    assert!(characters > 250_000, "{characters}");
}

/// Two texts of a million words: bounded memory, and seconds.
#[test]
fn a_million_words_against_a_million() {
    let text = |seed: u64| -> Vec<u32> {
        let mut state = seed;
        (0..1_000_000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let uniform = (state >> 40) as f64 / (1_u64 << 24) as f64;
                30_000_f64.powf(uniform) as u32
            })
            .collect()
    };
    let (a, b) = (text(1), text(2));
    let start = Instant::now();
    let common = eval::word_lcs(&a, &b);
    println!("{common} words in common after {:?}", start.elapsed());
    assert!((100_000..500_000).contains(&common));
}

#[test]
fn the_dev_gold_opens_whole() {
    let Some(shared) = shared() else { return };
    let mut pages = 0;
    for entry in fs::read_dir(shared.join("gold/pool")).unwrap() {
        let collection = Collection::open(entry.unwrap().path()).unwrap();
        assert_eq!(collection.scored(), collection.pages().len());
        pages += collection.scored();
    }
    // The count in the gold's own description.
    assert_eq!(pages, 176 + 28 + 282 + 317 + 35 + 39 + 60);
    let feeds = Collection::open(shared.join("feeds")).unwrap();
    assert_eq!((feeds.scored(), feeds.pages().len()), (712, 829));
    assert!(feeds.sites().iter().all(|site| site.feed.is_some()));
    assert!(feeds.pages().iter().all(|page| page.url.is_some()));
    assert_eq!(feeds.corpus_hash().unwrap(), feeds.corpus_hash().unwrap());
}
