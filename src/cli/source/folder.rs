//! Folders of pages, and the pages of a local feed.

use super::items::{key, without_content};
use super::{Lead, Place, file};
use crate::cli::Global;
use anyhow::Context;
use forest::feed::{self, Item};
use forest::page::MAX_PAGE_BYTES;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use url::Url;

/// The feed in a folder of pages.
pub const FEED: &str = "feed.xml";

/// Ends of the names of pages.
const PAGE_ENDS: [&str; 6] = [
    ".html",
    ".htm",
    ".xhtml",
    ".html.gz",
    ".htm.gz",
    ".xhtml.gz",
];

/// Whether a file's name is that of a page.
pub fn is_page(path: &Path) -> bool {
    stem(path).is_some()
}

/// A page's name without what says that it is one.
fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    if name.starts_with('.') {
        return None;
    }
    PAGE_ENDS.iter().find_map(|end| {
        let at = name.len().checked_sub(end.len())?;
        let (stem, rest) = name.split_at_checked(at)?;
        (rest.eq_ignore_ascii_case(end) && !stem.is_empty()).then_some(stem)
    })
}

/// The name of a page's folder, whatever way leads there.
fn folder_name(path: &Path) -> Option<String> {
    let parent = path.parent()?;
    let named = match parent.file_name() {
        Some(name) => name.to_owned(),
        None => {
            let whole = std::fs::canonicalize(if parent.as_os_str().is_empty() {
                Path::new(".")
            } else {
                parent
            });
            whole.ok()?.file_name()?.to_owned()
        }
    };
    Some(named.to_string_lossy().into_owned())
}

/// The page in a file.
pub fn page_of(path: &Path) -> Lead {
    let stem = stem(path).map(str::to_owned);
    let stem = stem.or_else(|| Some(path.file_name()?.to_string_lossy().into_owned()));
    let folder = folder_name(path);
    let id = match (&folder, stem) {
        (Some(folder), Some(stem)) => format!("{folder}/{stem}"),
        _ => path.display().to_string(),
    };
    Lead {
        id: Some(id),
        folder,
        item: None,
        place: Place::File(path.to_owned()),
    }
}

/// The pages of a folder and of the folders in it, by folder and name.
pub fn pages(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in entries(dir)? {
        if path.is_dir() {
            let inner = entries(&path)?;
            found.extend(inner.into_iter().filter(|p| is_page(p) && p.is_file()));
        } else if is_page(&path) {
            found.push(path);
        }
    }
    // A page that is there with and without .gz is one page.
    found.dedup_by(|b, a| a.parent() == b.parent() && stem(a) == stem(b));
    Ok(found)
}

fn entries(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(dir)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let mut paths = read().with_context(|| format!("cannot read the folder {}", dir.display()))?;
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default();
        !name.as_encoded_bytes().starts_with(b".")
    });
    paths.sort();
    Ok(paths)
}

#[derive(Deserialize)]
struct Sidecar {
    url: Option<String>,
    text: Option<String>,
    refs: Option<Vec<String>>,
}

/// The address of a page, from the `.json` beside it.
pub fn address_of(page: &Path) -> Option<String> {
    let url = sidecar(page)?.url;
    url.filter(|url| Url::parse(url).is_ok())
}

/// The right texts of a page, any of them, from the `.json` beside it.
pub fn gold_of(page: &Path) -> Option<Vec<String>> {
    let sidecar = sidecar(page)?;
    let refs = sidecar.refs.filter(|refs| !refs.is_empty());
    refs.or_else(|| Some(vec![sidecar.text?]))
}

fn sidecar(page: &Path) -> Option<Sidecar> {
    let path = page.with_file_name(format!("{}.json", stem(page)?));
    let bytes = match path.is_file() {
        true => file::read(&path, MAX_PAGE_BYTES).ok()?,
        false => return None,
    };
    serde_json::from_slice(&bytes).ok()
}

/// The pages of a feed that are in a folder.
pub struct LocalPages {
    dir: PathBuf,
    by_url: HashMap<String, PathBuf>,
}

impl LocalPages {
    /// The pages of `dir` by their addresses, as far as these are known.
    pub fn of(dir: &Path) -> LocalPages {
        let dir = if dir.as_os_str().is_empty() {
            Path::new(".")
        } else {
            dir
        };
        let paths = entries(dir).unwrap_or_default();
        let by_url = paths.into_iter().filter(|path| is_page(path));
        let by_url = by_url.filter_map(|path| Some((key(&address_of(&path)?), path)));
        LocalPages {
            dir: dir.to_owned(),
            by_url: by_url.collect(),
        }
    }

    /// The page of that very address.
    pub fn at(&self, address: &str) -> Option<&Path> {
        self.by_url.get(&key(address)).map(PathBuf::as_path)
    }

    /// The page behind `link`: by its address, else by the path of the link.
    pub fn find(&self, link: &Url) -> Option<PathBuf> {
        let key = key(link.as_str());
        if let Some(path) = self.at(link.as_str()) {
            return Some(path.to_owned());
        }
        // What tells the page apart is not in the path.
        if key.contains('?') {
            return None;
        }
        let segments = segments(link)?;
        let last = segments.last()?;
        let whole: PathBuf = segments.iter().collect();
        let names = [
            whole.clone(),
            with_end(&whole, ".html"),
            whole.join("index.html"),
            PathBuf::from(last),
            with_end(Path::new(last), ".html"),
        ];
        let paths = names.into_iter().flat_map(|name| {
            let path = self.dir.join(name);
            [path.clone(), with_end(&path, ".gz")]
        });
        paths
            .into_iter()
            .find(|path| path.is_file() && is_page(path))
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    PathBuf::from(path)
}

/// The decoded segments of a link's path; none if they could lead out of a folder.
fn segments(link: &Url) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for segment in link.path_segments()? {
        let segment = percent_decoded(segment)?;
        match segment.as_str() {
            "" => {}
            "." | ".." => return None,
            s if s.contains(['/', '\\', ':', '\0']) => return None,
            _ => out.push(segment),
        }
    }
    Some(out)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let hex = |byte: u8| (byte as char).to_digit(16);
        match (first, after) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                let value = hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0);
                bytes.push(u8::try_from(value).ok()?);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}

/// The feeds in folders of pages: what they say of the pages there.
pub struct Feeds<'a> {
    global: &'a Global,
    folder: Option<PathBuf>,
    items: HashMap<PathBuf, Item>,
}

impl<'a> Feeds<'a> {
    pub fn new(global: &'a Global) -> Feeds<'a> {
        Feeds {
            global,
            folder: None,
            items: HashMap::new(),
        }
    }

    /// The lead of a page, with its item. Pages come folder by folder.
    pub fn lead(&mut self, path: PathBuf) -> Lead {
        let folder = path.parent().unwrap_or(Path::new("."));
        if self.folder.as_deref() != Some(folder) {
            self.items = self.read(folder);
            self.folder = Some(folder.to_owned());
        }
        let mut lead = page_of(&path);
        lead.item = self.items.remove(&path);
        lead
    }

    fn read(&self, folder: &Path) -> HashMap<PathBuf, Item> {
        let path = folder.join(FEED);
        if !path.is_file() {
            return HashMap::new();
        }
        let feed = file::read(&path, feed::MAX_FEED_BYTES)
            .and_then(|bytes| Ok(feed::parse(&bytes, None, None)?));
        let feed = match feed {
            Ok(feed) => feed,
            Err(error) => {
                self.global.warn(format_args!(
                    "{}: not used for the pages beside it: {error:#}",
                    path.display()
                ));
                return HashMap::new();
            }
        };
        let local = LocalPages::of(folder);
        let items = feed.items.iter().rev();
        let found = items.filter_map(|i| Some((local.find(i.link.as_ref()?)?, without_content(i))));
        found.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_never_leads_out_of_the_folder() {
        let check = |url: &str, expected: Option<&[&str]>| {
            let link = Url::parse(url).expect(url);
            let expected = expected.map(|e| e.iter().map(|s| (*s).to_owned()).collect());
            assert_eq!(segments(&link), expected, "{url}");
        };
        check("https://a.example/x/y%20z/", Some(&["x", "y z"]));
        check("https://a.example/%2e%2e/passwd", Some(&["passwd"]));
        check("https://a.example/..%2fpasswd", None);
        check("https://a.example/a%5Cb", None);
        check("https://a.example/%FF", None);
        check("https://a.example/%zz", Some(&["%zz"]));
    }

    #[test]
    fn stems_of_pages() {
        let check = |name: &str, expected| assert_eq!(stem(Path::new(name)), expected, "{name}");
        check("d/a.html", Some("a"));
        check("a.b.HTML.gz", Some("a.b"));
        check(".html", None);
        check("a.json", None);
    }

    #[test]
    fn pages_of_a_local_feed_by_address_then_by_path() {
        let dir = tempfile::tempdir().expect("a folder");
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        };
        put("1.html", "");
        put("1.json", r#"{"url": "https://a.example/one?x=1"}"#);
        put("two.html", "");
        put("x/three/index.html", "");
        put("four.html.gz", "");
        let local = LocalPages::of(dir.path());
        let check = |url: &str, expected: Option<&str>| {
            let found = local.find(&Url::parse(url).expect(url));
            assert_eq!(found, expected.map(|e| dir.path().join(e)), "{url}");
        };
        check("http://a.example/one?x=1&utm_source=rss", Some("1.html"));
        check("https://a.example/2011/two/", Some("two.html"));
        check("https://a.example/x/three", Some("x/three/index.html"));
        check("https://a.example/four.html", Some("four.html.gz"));
        check("https://a.example/two?p=7", None);
        check("https://a.example/", None);
        check("https://a.example/five", None);
    }
}
