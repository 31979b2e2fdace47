//! Lists in the JSON of their pages: each as pages with an element a record.

use super::survey::ListPage;
use super::{MIN_SCORE, RankedGroup, targets};
use crate::wrapper::list::ListRecords;
use forest_html::page::Page;
use forest_html::page::json::{JsonRecordPlace, PageRecords};
use std::collections::{BTreeMap, HashSet};
use url::Url;

/// Links by which the form of an address is told.
const MAX_LINKS: usize = 2000;

/// A list in the JSON of the snapshots.
#[derive(Debug)]
pub(super) struct JsonList {
    pub records: ListRecords,
    /// A page with the records as its elements for each snapshot.
    pub pages: Vec<Page>,
}

/// The lists in the JSON of the newest snapshot, those with the most records first.
pub(super) fn lists(snapshots: &[&Page]) -> Vec<JsonList> {
    let read: Vec<PageRecords<'_>> = snapshots.iter().map(|page| PageRecords::of(page)).collect();
    let Some(newest) = read.last() else {
        return Vec::new();
    };
    let list = |place: JsonRecordPlace| {
        let names = newest.names(&place);
        let address = match &*names {
            [] => None,
            names => Some(address_of(snapshots, names)?),
        };
        let page = |records: &PageRecords<'_>| {
            let made = records.page(&place, address.as_deref());
            made.unwrap_or_else(|| Page::from_html(""))
        };
        Some(JsonList {
            pages: read.iter().map(page).collect(),
            records: ListRecords {
                script: place.script,
                path: place.path,
                address,
            },
        })
    };
    newest.places().into_iter().filter_map(list).collect()
}

/// True if the list of a page's JSON is better than what its elements show: it has a higher
/// score, and the elements do not show the greater part of its articles.
pub(super) fn outdoes(
    own: (&[ListPage<'_>], &RankedGroup<'_>),
    shown: (&[ListPage<'_>], Option<&RankedGroup<'_>>),
) -> bool {
    let (pages, best) = own;
    let Some(of_elements) = shown.1 else {
        return best.score >= MIN_SCORE;
    };
    let own = targets(pages, &best.group);
    let known: HashSet<&str> = targets(shown.0, &of_elements.group);
    best.score > of_elements.score && 2 * own.intersection(&known).count() < own.len()
}

/// The address of a record with `{}` for its name: as the links of the pages have it; else, of
/// names in words, below the list's own.
fn address_of(snapshots: &[&Page], names: &[String]) -> Option<String> {
    let names: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut forms: BTreeMap<String, HashSet<&str>> = BTreeMap::new();
    for page in snapshots {
        let links = page.elements().filter_map(|n| page.attr(n, "href"));
        for href in links.take(MAX_LINKS) {
            let parts = href.split(['/', '?', '=', '&', '#']);
            let mut names_in = parts.filter_map(|part| {
                let stem = part.split('.').next().unwrap_or_default();
                [part, stem].into_iter().find_map(|part| names.get(part))
            });
            if let Some(name) = names_in.next_back() {
                let form = href.replacen(name, "{}", 1);
                forms.entry(form).or_default().insert(name);
            }
        }
    }
    let in_words = |name: &str| name.contains(char::is_alphabetic);
    let is_sure = |known: &HashSet<&str>| {
        known.len() > 1
            || known
                .iter()
                .any(|name| name.contains('-') && in_words(name))
    };
    let sure = forms.into_iter().filter(|(_, known)| is_sure(known));
    let best = sure.max_by_key(|(_, known)| known.len());
    best.map(|(form, _)| form).or_else(|| {
        let url = Url::parse(snapshots.last()?.url()?).ok()?;
        let path = url.path();
        let folder = match path.rsplit_once('/') {
            Some((above, last)) if last.contains('.') => above,
            _ => path.trim_end_matches('/'),
        };
        let all_in_words = names.iter().all(|name| in_words(name));
        all_in_words.then(|| format!("{folder}/{{}}"))
    })
}
