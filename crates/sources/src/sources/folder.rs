//! Folders of pages, and the pages of a local feed.

use super::file::read_file;
use super::name::{may_be_host, own_name, unpacked};
use super::pages::{FoundPage, PageError, PageLocation, PageRef};
use super::sidecar::address_of;
use super::walk::{EntryKind, FolderWalk, entries, holds_page};
use super::warning::{SourceWarning, WarningSink};
use crate::error::{Result, SourceFault};
use forest_core::feed::{self, FeedItem};
use forest_html::address::{is_reserved, page_key};
use forest_html::error::with_causes;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use url::Url;

/// The feed in a folder of pages.
pub const FEED: &str = "feed.xml";

/// A page in a folder.
pub struct FolderPage {
    path: PathBuf,
    id: String,
}

/// The walk through a folder and all folders below it.
pub fn walk(dir: &Path) -> Result<FolderWalk> {
    FolderWalk::through(dir).map_err(|source| cannot_read(dir, source).into())
}

/// The pages of a walk with their ids.
pub fn pages(dir: &Path, pages: Vec<PathBuf>) -> impl Iterator<Item = FolderPage> + use<> {
    let ids = ids(dir, &pages);
    let found = pages.into_iter().zip(ids);
    found.map(|(path, id)| FolderPage { path, id })
}

/// A folder below that cannot be read.
pub fn unread(dir: &Path, error: std::io::Error) -> PageError {
    PageError {
        id: dir.display().to_string(),
        url: None,
        reason: with_causes(&cannot_read(dir, error)),
    }
}

fn cannot_read(dir: &Path, source: std::io::Error) -> SourceFault {
    let path = dir.to_owned();
    SourceFault::Folder { path, source }
}

/// A folder; the current one for an empty path.
fn or_current(dir: &Path) -> &Path {
    if dir.as_os_str().is_empty() {
        return Path::new(".");
    }
    dir
}

/// The name of a folder, by any path to it.
fn name_of(dir: &Path) -> Option<String> {
    let named = match dir.file_name() {
        Some(name) => name.to_owned(),
        None => or_current(dir).canonicalize().ok()?.file_name()?.to_owned(),
    };
    Some(named.to_string_lossy().into_owned())
}

/// The names of the folders between `dir` and a page in it.
fn between(dir: &Path, page: &Path) -> Vec<String> {
    let below = page.strip_prefix(dir).ok().and_then(Path::parent);
    let names = below.into_iter().flat_map(Path::components);
    let names = names.map(|name| name.as_os_str().to_string_lossy().into_owned());
    names.collect()
}

/// The id of a page in `dir`, where its file's name counts as `name`: the path to it
/// from `dir`, `2026/11/story`; if it is directly in `dir`, with the name of `dir`.
fn id_of(dir: &Path, page: &Path, name: &OsStr) -> String {
    let mut way = between(dir, page);
    if way.is_empty() {
        match name_of(dir) {
            Some(dir) => way.push(dir),
            None => return page.display().to_string(),
        }
    }
    way.push(name.to_string_lossy().into_owned());
    way.join("/")
}

/// An id for each page of `dir`, no two of them the same. Where several would have
/// one, the first has it; in those of the others the page's name keeps its end.
fn ids(dir: &Path, pages: &[PathBuf]) -> Vec<String> {
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut ids = Vec::with_capacity(pages.len());
    for page in pages {
        let id = id_of(dir, page, own_name(page));
        let is_first = used.insert(id.clone(), 1).is_none();
        ids.push(is_first.then_some(id));
    }
    // Names that are found now do not take an id that another page has.
    let ids = ids.into_iter().zip(pages).map(|(id, page)| {
        id.unwrap_or_else(|| {
            let whole = unpacked(page);
            let whole = id_of(dir, page, whole.file_name().unwrap_or_default());
            let mut free = whole.clone();
            while let Some(times) = used.get_mut(&free) {
                *times += 1;
                free = format!("{whole}-{times}");
            }
            used.insert(free.clone(), 1);
            free
        })
    });
    ids.collect()
}

/// The name of the folder that may have that of the page's site: its own, if that is
/// `dir` or directly in `dir`. On the way to a page that is further down it is the one
/// that is directly in `dir`, as in `mirror/a.example/2026/11/story.html`; but `dir`
/// where only its name can be a host's, as in `a.example/2026/11/story.html`.
fn site_folder(dir: &Path, page: &Path) -> Option<String> {
    let way = between(dir, page);
    let Some(first) = way.first() else {
        return name_of(dir);
    };
    let own = || name_of(dir).filter(|own| may_be_host(own));
    let is_deep = way.len() > 1 && !may_be_host(first);
    is_deep.then(own).flatten().or_else(|| Some(first.clone()))
}

/// The page in a file.
pub fn page_of(path: &Path) -> PageRef {
    page_in(path.parent().unwrap_or(Path::new("")), path)
}

/// The page in a file in `dir`.
fn page_in(dir: &Path, path: &Path) -> PageRef {
    PageRef {
        id: Some(id_of(dir, path, own_name(path))),
        folder: site_folder(dir, path),
        item: None,
        location: PageLocation::File(path.to_owned()),
    }
}

/// The pages of a feed that are in a folder.
pub struct LocalPages {
    dir: PathBuf,
    by_url: HashMap<String, PathBuf>,
}

impl LocalPages {
    /// The pages of `dir` by their addresses, as far as these are known.
    pub fn of(dir: &Path) -> LocalPages {
        let dir = or_current(dir);
        let entries = entries(dir).unwrap_or_default().into_iter();
        let files = entries.filter_map(|(path, kind)| (kind == EntryKind::File).then_some(path));
        // Few files have an address: it is cheaper to test that first.
        let by_url = files.filter_map(|path| Some((page_key(&address_of(&path)?), path)));
        let by_url = by_url.filter(|(_, path)| holds_page(path));
        LocalPages {
            dir: dir.to_owned(),
            by_url: by_url.collect(),
        }
    }

    /// The page of that very address.
    pub fn at(&self, address: &str) -> Option<&Path> {
        self.by_url.get(&page_key(address)).map(PathBuf::as_path)
    }

    /// The reference of a page in the folder.
    pub fn page_ref(&self, page: &Path) -> PageRef {
        page_in(&self.dir, page)
    }

    /// The page behind `link`: by its address, else by the path of the link.
    pub fn find(&self, link: &Url) -> Option<PathBuf> {
        let key = page_key(link.as_str());
        if let Some(path) = self.at(link.as_str()) {
            return Some(path.to_owned());
        }
        // A query identifies the page, and is not in the path.
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
            .find(|path| path.is_file() && holds_page(path))
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
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.ok().map(Cow::into_owned)
}

/// The pages that the items of a feed link to, each once: in `local`, if they are there,
/// else on the web. Of a feed beside its pages, a page of a [reserved host](is_reserved) that
/// is not there is nowhere.
pub fn pages_of_items(items: &[FeedItem], local: Option<LocalPages>) -> Vec<FoundPage> {
    let (mut seen, mut used) = (HashSet::new(), HashSet::new());
    let mut pages = Vec::new();
    for item in items {
        let Some(link) = &item.link else { continue };
        if !seen.insert(page_key(link.as_str())) {
            continue;
        }
        let found = local.as_ref().and_then(|local| {
            let file = local.find(link)?;
            used.insert(file.clone()).then(|| local.page_ref(&file))
        });
        let page = match found {
            None if local.is_some() && is_reserved(link) => {
                Err(PageError::at(link, &SourceFault::Nowhere.into()))
            }
            found => Ok(PageRef {
                item: Some(item.without_content()),
                ..found.unwrap_or_else(|| PageRef::web(link.clone()))
            }),
        };
        pages.push(page);
    }
    pages
}

/// The feeds in folders of pages, whose items describe the pages.
pub struct FolderFeeds {
    warn: WarningSink,
    dir: PathBuf,
    /// The items for the pages of each folder that has been read.
    folders: HashMap<PathBuf, HashMap<PathBuf, FeedItem>>,
}

impl FolderFeeds {
    /// For the pages that are found in `dir`.
    pub fn in_folder(dir: &Path, warn: &WarningSink) -> FolderFeeds {
        FolderFeeds {
            warn: WarningSink::clone(warn),
            dir: dir.to_owned(),
            folders: HashMap::new(),
        }
    }

    /// The reference of a page, with its item.
    pub fn page_ref(&mut self, page: FolderPage) -> PageRef {
        let folder = page.path.parent().unwrap_or(Path::new("."));
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.to_owned(), self.read(folder));
        }
        let items = self.folders.get_mut(folder);
        PageRef {
            id: Some(page.id),
            folder: site_folder(&self.dir, &page.path),
            item: items.and_then(|items| items.remove(&page.path)),
            location: PageLocation::File(page.path),
        }
    }

    fn read(&self, folder: &Path) -> HashMap<PathBuf, FeedItem> {
        let path = folder.join(FEED);
        if !path.is_file() {
            return HashMap::new();
        }
        let feed = read_file(&path, feed::MAX_FEED_BYTES)
            .and_then(|bytes| Ok(feed::parse(&bytes, None, None)?));
        let feed = match feed {
            Ok(feed) => feed,
            Err(error) => {
                (self.warn)(&SourceWarning::FeedUnread { path, error });
                return HashMap::new();
            }
        };
        let local = LocalPages::of(folder);
        let items = feed.items.iter().rev();
        let found =
            items.filter_map(|i| Some((local.find(i.link.as_ref()?)?, i.without_content())));
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
    fn the_folder_that_may_be_named_for_the_site() {
        let check = |dir: &str, page: &str, expected: &str| {
            let folder = site_folder(Path::new(dir), &Path::new(dir).join(page));
            assert_eq!(folder.as_deref(), Some(expected), "{dir} {page}");
        };
        check("a.example", "1.html", "a.example");
        check("gold", "brand_2019/1.html", "brand_2019");
        check("a.example", "about/1.html", "about");
        check("gold", "brand_2019/x/1.html", "brand_2019");
        check("mirror", "a.example/2026/11/1.html", "a.example");
        check("mirror", "a.example:8080/2026/11/1.html", "a.example:8080");
        check("saved.html", "a.example/2026/11/1.html", "a.example");
        check("a.example", "2026/11/1.html", "a.example");
        check("mirror-2.11", "2026/11/1.html", "2026");
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
