//! Sites of the shared data: their pages, their feeds, and manually checked texts.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use forest_core::feed;
use serde_json::Value;
use url::Url;

use crate::harvest_life::press::{Fate, Press, Story};

/// Sites of which the data has two layouts; `--old1` is the earlier one.
const REDESIGNED: [&str; 3] = [
    "0xrick-0xrick-github-io",
    "1ambda-1ambda-github-io",
    "danhakimi-dresscode",
];

/// The first `count` sites with ten stories or more, by name, of the folder
/// with the feeds.
pub fn sites(folder: &Path, count: usize) -> Vec<Press> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("readable").file_name())
        .filter_map(|name| name.into_string().ok())
        .filter(|name| !name.contains("--old") && folder.join(name).is_dir())
        .collect();
    names.sort();
    let mut sites: Vec<Press> = Vec::new();
    for name in names {
        let mut stories = stories(&folder.join(&name));
        let fate = match sites.len() {
            _ if REDESIGNED.contains(&&*name) => Fate::Redesigned { at: 36 },
            10 => Fate::Down { from: 24, to: 48 },
            20 => Fate::Hostile { from: 36 },
            _ => Fate::Quiet,
        };
        if matches!(fate, Fate::Redesigned { .. }) {
            stories = with_old(
                stories,
                self::stories(&folder.join(format!("{name}--old1"))),
            );
        }
        if stories.len() >= 10 && sites.len() < count {
            sites.push(Press::new(&name, stories, fate));
        }
    }
    sites
}

/// The stories of both layouts. A story in both is one story; the other stories of the old
/// layout are the oldest.
fn with_old(new: Vec<Story>, old: Vec<Story>) -> Vec<Story> {
    let paths: BTreeSet<String> = new.iter().map(|story| story.path.clone()).collect();
    let (both, mut all): (Vec<Story>, Vec<Story>) = old
        .into_iter()
        .partition(|story| paths.contains(&story.path));
    all.extend(new.into_iter().map(|mut story| {
        let before = both.iter().find(|before| before.path == story.path);
        story.before = before.map(|before| before.html.clone());
        story
    }));
    all
}

/// The stories of a site, the oldest first.
fn stories(folder: &Path) -> Vec<Story> {
    let site: Value = json(&folder.join("site.json")).expect("a list of pages");
    let feed = fs::read(folder.join("feed.xml")).expect("a feed");
    let items = feed::parse(&feed, None, None)
        .map(|feed| feed.items)
        .unwrap_or_default();
    let mut stories = Vec::new();
    let mut paths = BTreeSet::new();
    for page in site["pages"].as_array().expect("pages") {
        let n = page["n"].as_u64().expect("a number");
        let Some(html) = unzipped(&folder.join(format!("{n}.html.gz"))) else {
            continue;
        };
        let at = page["url"].as_str().expect("a URL");
        let base = Url::parse("http://a.example/").expect("a URL");
        let url = base.join(at).expect("a URL");
        let path = url[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
        if !paths.insert(path.clone()) {
            continue;
        }
        let title = page["title"].as_str().unwrap_or_default();
        let item = items.iter().find(|item| {
            item.title == title || item.link.as_ref().is_some_and(|link| link.as_str() == at)
        });
        let gold = json(&folder.join(format!("{n}.json")));
        stories.push(Story {
            path,
            title: title.to_owned(),
            summary: item.map_or_else(String::new, |item| item.summary.clone()),
            is_article: !only_leads_elsewhere(&html),
            html,
            before: None,
            gold: gold.map_or_else(Vec::new, |gold| texts(&gold)),
        });
    }
    stories.reverse();
    stories
}

/// A page of a few bytes that sends a browser to another address.
fn only_leads_elsewhere(html: &[u8]) -> bool {
    html.len() < 1000 && String::from_utf8_lossy(html).contains("http-equiv=\"refresh\"")
}

fn texts(gold: &Value) -> Vec<String> {
    let refs = gold["refs"].as_array().into_iter().flatten();
    let texts = refs.chain(std::iter::once(&gold["text"]));
    texts
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

fn json(path: &PathBuf) -> Option<Value> {
    let bytes = fs::read(path).ok()?;
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}

fn unzipped(path: &Path) -> Option<Vec<u8>> {
    let file = fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    MultiGzDecoder::new(file)
        .read_to_end(&mut bytes)
        .expect("gzip");
    Some(bytes)
}
