//! The screening of a sample: the pages that are good to learn from.

use super::page::{SamplePage, SampleVerdict, Screening, WordPairs};
use crate::extract::of_json;
use crate::onepage::ScoredPage;
use foldhash::{HashMap, HashSet};
use forest_html::address::{most_frequent, site_of};
use forest_html::page::Page;
use forest_html::text::{fnv1a, metric_tokens};
use std::cell::LazyCell;

/// Words (metric tokens) in the body below which a page is nearly empty: a
/// headline and a menu, an error message, the shell of a page made by scripts.
const MIN_WORDS: usize = 25;

/// Share of 2-grams of words in common from which two pages are near-identical,
/// their template included. Two short articles in a long template share some 0.9.
const SAME: f64 = 0.98;

/// 2-grams that near-identical pages may differ in then: a date, a counter.
const SAME_DIFFERENCE: usize = 40;

/// The same share where the template can be told from the article: 2-grams on more
/// than half of the pages are left out. Different articles share less than 0.05,
/// but short ones of one day share up to 0.85 with their side bars; so the titles
/// must be the same too.
const SAME_ARTICLE: f64 = 0.8;

/// Pages from which on the template can be told from the article.
const TEMPLATE_PAGES: usize = 4;

/// 2-grams of its own that a page needs to be compared without the template.
const OWN_PAIRS: usize = 50;

/// The site's name and a verdict for each page. The site is `site` where it is
/// given, else the most frequent host (the first of them on a tie), else empty;
/// pages without an address belong to any site, and all pages do with `any_host`.
pub fn sort_out(
    pages: &[&SamplePage],
    site: Option<&str>,
    any_host: bool,
) -> (String, Vec<SampleVerdict>) {
    let hosts: Vec<Option<String>> = pages.iter().map(|p| site_of(p.page.url())).collect();
    let main = most_frequent(&hosts);
    let mut screened: Vec<Result<&WordPairs, SampleVerdict>> = pages
        .iter()
        .zip(&hosts)
        .map(|(sample, host)| match (host, &main) {
            (Some(host), Some(main)) if host != main && !any_host => {
                Err(SampleVerdict::OtherHost { host: host.clone() })
            }
            _ => sample.screened(),
        })
        .collect();
    refuse_lists(pages, &mut screened);
    refuse_copies(pages, &mut screened);
    let verdicts = screened
        .into_iter()
        .map(|pairs| pairs.err().unwrap_or(SampleVerdict::Good))
        .collect();
    let name = site.map(str::to_owned).or(main).unwrap_or_default();
    (name, verdicts)
}

/// Leaves `want` good pages of a sample that grows, and gives how many there are; calls
/// `left_out` for those that teach nothing. Pages of other hosts stay until all are there:
/// they may be the most yet. Pages whose text stands in their own JSON are good ones.
pub fn keep_good(
    pages: &mut Vec<SamplePage>,
    want: usize,
    mut left_out: impl FnMut(&SamplePage, &SampleVerdict),
) -> usize {
    let (_, verdicts) = sort_out(&pages.iter().collect::<Vec<_>>(), None, false);
    let mut verdicts = verdicts.into_iter();
    let mut good = 0;
    pages.retain(|page| match verdicts.next() {
        Some(SampleVerdict::Good) => {
            good += 1;
            good <= want
        }
        Some(SampleVerdict::OtherHost { .. }) | None => true,
        Some(verdict) if verdict.is_of_shell() && of_json(&page.page).is_some() => {
            good += 1;
            good <= want
        }
        Some(verdict) => {
            left_out(page, &verdict);
            false
        }
    });
    good.min(want)
}

impl SamplePage {
    /// The screening of the page alone, computed once.
    fn screened(&self) -> Result<&WordPairs, SampleVerdict> {
        let screening = self.screening.get_or_init(|| screen(&self.page));
        screening.as_ref().map_err(Clone::clone)
    }
}

fn screen(page: &ScoredPage<'_>) -> Screening {
    if !is_html(page) {
        return Err(SampleVerdict::NotHtml);
    }
    if let Some(refusal) = &page.article().refusal {
        return Err(SampleVerdict::NoArticle { kind: refusal.kind });
    }
    let text = body_text(page);
    let tokens = metric_tokens(&text);
    let words = tokens.len();
    if words < MIN_WORDS {
        return Err(SampleVerdict::NearlyEmpty { words });
    }
    let hashes: Vec<u64> = tokens.iter().map(|token| fnv1a(token.bytes())).collect();
    Ok(hashes
        .windows(2)
        .map(|w| w[0].rotate_left(21) ^ w[1])
        .collect())
}

/// Refuses the pages that list others. Where a feed points to lists for the most part, they are
/// what its site publishes.
fn refuse_lists(pages: &[&SamplePage], judged: &mut [Result<&WordPairs, SampleVerdict>]) {
    let is_list = |at: usize, judged: &[Result<&WordPairs, SampleVerdict>]| {
        judged[at].is_ok() && pages[at].page.page_kind().kind().is_list()
    };
    let good = judged.iter().filter(|verdict| verdict.is_ok()).count();
    let lists: Vec<usize> = (0..pages.len()).filter(|&at| is_list(at, judged)).collect();
    let of_feed = lists.iter().filter(|&&at| pages[at].item.is_some());
    if 2 * of_feed.count() > good {
        return;
    }
    for at in lists {
        judged[at] = Err(SampleVerdict::List);
    }
}

/// Refuses the pages that say the same as an earlier one.
fn refuse_copies(pages: &[&SamplePage], judged: &mut [Result<&WordPairs, SampleVerdict>]) {
    let candidates: Vec<Option<&WordPairs>> = judged
        .iter()
        .map(|pairs| pairs.as_ref().ok().copied())
        .collect();
    // Most samples have no two pages with the same title.
    let own = LazyCell::new(|| without_template(&candidates));
    let title = |at: usize| &pages[at].page.metadata().title;
    for i in 1..judged.len() {
        let Ok(pairs) = judged[i] else { continue };
        let copied = (0..i).find(|&e| {
            judged[e].as_ref().is_ok_and(|&earlier| {
                let same_title = || title(i).is_some() && title(i) == title(e);
                same(pairs, earlier) || same_title() && same_article(&own[i], &own[e])
            })
        });
        if let Some(e) = copied {
            let of = pages[e].name.clone();
            judged[i] = Err(SampleVerdict::NearDuplicate { of });
        }
    }
}

/// The 2-grams of each page that are not the template's; none of a page that teaches
/// nothing.
fn without_template(pages: &[Option<&WordPairs>]) -> Vec<WordPairs> {
    let candidates = pages.iter().flatten().count();
    let mut on_pages: HashMap<u64, usize> = HashMap::default();
    for &pair in pages.iter().copied().flatten().flatten() {
        *on_pages.entry(pair).or_default() += 1;
    }
    let of_template = |pair: &u64| candidates >= TEMPLATE_PAGES && 2 * on_pages[pair] > candidates;
    let own = |pairs: &Option<&WordPairs>| {
        let pairs = pairs.iter().copied().flatten().copied();
        pairs.filter(|pair| !of_template(pair)).collect()
    };
    pages.iter().map(own).collect()
}

fn same(a: &HashSet<u64>, b: &HashSet<u64>) -> bool {
    // Sizes first: most pages differ in them already.
    if a.len().abs_diff(b.len()) > SAME_DIFFERENCE {
        return false;
    }
    let (common, union) = overlap(a, b);
    union - common <= SAME_DIFFERENCE && common as f64 >= SAME * union as f64
}

fn same_article(a: &HashSet<u64>, b: &HashSet<u64>) -> bool {
    let (less, more) = (a.len().min(b.len()), a.len().max(b.len()));
    if less < OWN_PAIRS || (less as f64) < SAME_ARTICLE * more as f64 {
        return false;
    }
    let (common, union) = overlap(a, b);
    common as f64 >= SAME_ARTICLE * union as f64
}

fn overlap(a: &HashSet<u64>, b: &HashSet<u64>) -> (usize, usize) {
    let common = a.iter().filter(|pair| b.contains(pair)).count();
    (common, a.len() + b.len() - common)
}

/// A parser makes `html`, `head` and `body` of anything; a page has more than
/// these.
fn is_html(page: &Page) -> bool {
    page.elements().any(|n| {
        !matches!(
            page.tag(n).map(|t| &**t),
            Some("html" | "head" | "body" | "pre")
        )
    })
}

fn body_text(page: &Page) -> String {
    let mut text = String::new();
    for n in page.body().into_iter().flat_map(|b| page.content_texts(b)) {
        text.push_str(page.text(n));
        text.push(' ');
    }
    text
}
