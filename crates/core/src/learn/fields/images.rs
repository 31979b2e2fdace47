//! Expressions for the pictures of articles outside of their bodies: a lead
//! picture in the header, above the text.
//!
//! **Measured** on the 179 sites of the development gold and the feeds, with bodies by
//! `forest`: four learn an expression. Of their 25 pages with an `og:image` 15 had it
//! among their pictures before, none with a caption, and 24 have it now, 14 with a
//! caption; no picture that is not the page's `og:image` came in addition. Most sites
//! need none: the body has the picture, or the metadata gives it.

use super::field::MAX_KEYS;
use super::selector::{FieldSelector, FieldStep};
use super::selector_set::SelectorSet;
use crate::learn::page::SamplePage;
use crate::wrapper::Trace;
use foldhash::{HashMap, HashSet};
use forest_html::page::{Mask, NodeId, Page};
use html5ever::local_name;
use std::cmp::Reverse;
use url::Url;

/// Pictures of a page that are looked at.
const MAX_HOLDERS: usize = 500;

/// Pictures that an expression may select on a page: more are a gallery of others'.
const MAX_SELECTED: usize = 3;

/// Pages that an expression must be right on, and to which it must bring a picture or
/// a caption that they would not have.
const MIN_RIGHT: usize = 2;

/// Of ten pages of which the picture is known and on which it selects something, so
/// many must be right.
const MIN_RIGHT_OF_TEN: usize = 8;

/// Of ten pages it must be right on so many.
const MIN_SHARE_OF_TEN: usize = 2;

/// Ancestors of a picture whose names are tried.
const MAX_OUTER: usize = 5;

/// Bytes of a picture's name from which on it tells pictures apart.
const MIN_NAME: usize = 5;

/// Expressions at the most.
const MAX_EXPRESSIONS: usize = 2;

/// A picture, or the `figure` around it.
struct PictureElement<'p> {
    node: NodeId,
    /// Its addresses as they stand there, those that a script would load first.
    sources: Vec<&'p str>,
    is_in_body: bool,
    has_caption: bool,
}

/// The pictures of a page, and the names of those that are the article's as its
/// metadata or the feed say.
struct PagePictures<'p> {
    page: &'p Page,
    holders: Vec<PictureElement<'p>>,
    names: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct PictureScore {
    right: usize,
    wrong: usize,
    /// Pages to which it brings a picture, or the caption of one, that they would not
    /// have.
    gained: Vec<usize>,
    /// Addresses of what it selects; one that comes again is no article's.
    seen: HashSet<String>,
    is_refused: bool,
}

/// Expressions of what holds an article's pictures outside of its body: right where
/// the picture is that which the page's metadata (`og:image`, JSON-LD) or the feed's
/// item names, and never one that other pages have, too. None where articles have these
/// pictures anyway: in their bodies or, without a caption, from the metadata.
pub(in crate::learn) fn learn(pages: &[&SamplePage], bodies: &[Option<Trace>]) -> Vec<String> {
    let pages: Vec<PagePictures<'_>> = of_sample(pages, bodies);
    let mut known = HashSet::default();
    let mut keys: Vec<FieldSelector<'_>> = Vec::new();
    for page in &pages {
        let finds = page
            .holders
            .iter()
            .filter(|h| !h.is_in_body && page.shows(h));
        for key in finds.flat_map(|holder| keys_of(page.page, holder.node)) {
            if keys.len() < MAX_KEYS && known.insert(key) {
                keys.push(key);
            }
        }
    }
    let selection = SelectorSet::new(keys);
    let judged = judge(&selection, &pages);
    let enough = MIN_RIGHT.max((pages.len() * MIN_SHARE_OF_TEN).div_ceil(10));
    let found = selection.keys.iter().zip(judged).filter(|(_, judged)| {
        !judged.is_refused
            && judged.right >= enough
            && judged.gained.len() >= MIN_RIGHT
            && 10 * judged.right >= MIN_RIGHT_OF_TEN * (judged.right + judged.wrong)
    });
    let mut found: Vec<(String, PictureScore)> = found.map(|(key, j)| (key.xpath(), j)).collect();
    found.sort_by_cached_key(|(xpath, judged)| {
        let figure = !xpath.contains("//figure");
        let score = Reverse(judged.gained.len() as isize - judged.wrong as isize);
        (score, figure, xpath.len(), xpath.clone())
    });
    let mut out: Vec<String> = Vec::new();
    let mut covered: HashSet<usize> = HashSet::default();
    for (xpath, judged) in found {
        let new = judged.gained.iter().filter(|page| !covered.contains(page));
        if out.len() < MAX_EXPRESSIONS && new.count() >= MIN_RIGHT {
            covered.extend(judged.gained);
            out.push(xpath);
        }
    }
    out
}

/// The pictures of each page. A name that the metadata of several pages has is the
/// site's, and no article's.
fn of_sample<'p>(pages: &[&'p SamplePage], bodies: &[Option<Trace>]) -> Vec<PagePictures<'p>> {
    let names = |sample: &&SamplePage| -> Vec<String> {
        let said = &sample.page.metadata().images;
        let image = sample.item.as_ref().and_then(|item| item.image.as_ref());
        let all = said.iter().map(String::as_str);
        all.chain(image.map(Url::as_str))
            .filter_map(name_of)
            .collect()
    };
    let names: Vec<Vec<String>> = pages.iter().map(names).collect();
    let mut times: HashMap<&str, usize> = HashMap::default();
    for page in &names {
        let once: HashSet<&str> = page.iter().map(String::as_str).collect();
        once.into_iter()
            .for_each(|name| *times.entry(name).or_default() += 1);
    }
    let own = |names: &Vec<String>| {
        let own = names.iter().filter(|name| times[&***name] == 1);
        own.cloned().collect()
    };
    let each = pages.iter().zip(bodies).zip(&names);
    let each = each.map(|((sample, body), names)| {
        let page = &sample.page;
        PagePictures {
            page,
            holders: holders(page, body.as_ref().map(|body| &body.found.kept)),
            names: own(names),
        }
    });
    each.collect()
}

fn holders<'p>(page: &'p Page, body: Option<&Mask>) -> Vec<PictureElement<'p>> {
    let is_picture = |n: &NodeId| {
        let tag = page.tag(*n);
        page.is_content(*n)
            && tag.is_some_and(|tag| *tag == local_name!("img") || **tag == *"amp-img")
    };
    let mut out = Vec::new();
    let mut figures: HashMap<NodeId, usize> = HashMap::default();
    for n in page.elements().filter(is_picture).take(MAX_HOLDERS) {
        let sources = || -> Vec<&str> {
            let named = |late: bool| {
                page.attrs(n).filter(move |(name, value)| {
                    let is_late = name.local.starts_with("data-") && value.contains('/');
                    let is_early = matches!(&*name.local, "src" | "srcset");
                    if late { is_late } else { is_early }
                })
            };
            let all = named(true).chain(named(false));
            all.map(|(_, value)| value).collect()
        };
        let is_in_body = body.is_some_and(|body| body.contains(n));
        let holder = |n: NodeId| PictureElement {
            node: n,
            sources: sources(),
            is_in_body,
            has_caption: page.is(n, &local_name!("figure"))
                && page
                    .subtree(n)
                    .any(|n| page.is(n, &local_name!("figcaption"))),
        };
        out.push(holder(n));
        let around = page
            .ancestors(n)
            .find(|&up| page.is(up, &local_name!("figure")));
        match around.map(|figure| (figure, figures.get(&figure))) {
            None => {}
            Some((_, Some(&known))) => {
                let known: &mut PictureElement<'_> = &mut out[known];
                known.sources.extend(sources());
                known.is_in_body |= is_in_body;
            }
            Some((figure, None)) => {
                figures.insert(figure, out.len());
                out.push(holder(figure));
            }
        }
    }
    out
}

impl PagePictures<'_> {
    /// True if a holder shows a picture that the metadata names.
    fn shows(&self, holder: &PictureElement<'_>) -> bool {
        let sources = || holder.sources.iter().map(|source| source.to_lowercase());
        self.names
            .iter()
            .any(|name| sources().any(|source| source.contains(&**name)))
    }
}

/// The expressions that a picture's holder is selected by.
fn keys_of<'p>(page: &'p Page, holder: NodeId) -> Vec<FieldSelector<'p>> {
    let key = |outer, inner| FieldSelector {
        outer,
        inner,
        attr: None,
    };
    let own = FieldStep::all(page, holder);
    let alone = own.iter().filter(|step| step.is_name());
    let mut out: Vec<FieldSelector<'p>> = alone.map(|&step| key(None, step)).collect();
    let above = page
        .ancestors(holder)
        .skip(1)
        .map(|up| FieldStep::all(page, up));
    let named = above.filter(|steps| {
        steps.iter().any(FieldStep::is_name) && !matches!(steps[0].tag, "html" | "body")
    });
    for outer in named.take(MAX_OUTER).flatten().filter(FieldStep::is_name) {
        out.extend(own.iter().map(|&inner| key(Some(outer), inner)));
    }
    out
}

fn judge(selection: &SelectorSet<'_>, pages: &[PagePictures<'_>]) -> Vec<PictureScore> {
    let mut judged = vec![PictureScore::default(); selection.keys.len()];
    for (number, page) in pages.iter().enumerate() {
        let by_node: HashMap<NodeId, &PictureElement<'_>> = page
            .holders
            .iter()
            .map(|holder| (holder.node, holder))
            .collect();
        let mut selected: Vec<Vec<&PictureElement<'_>>> = vec![Vec::new(); selection.keys.len()];
        selection.on(page.page, |at, n| {
            let known = selected[at].last().is_some_and(|last| last.node == n);
            selected[at].extend(by_node.get(&n).filter(|_| !known));
        });
        for (judged, holders) in judged.iter_mut().zip(&selected) {
            if !holders.is_empty() {
                judged.add(number, page, holders);
            }
        }
    }
    judged
}

impl PictureScore {
    /// The pictures that are selected on a page.
    fn add(&mut self, number: usize, page: &PagePictures<'_>, holders: &[&PictureElement<'_>]) {
        let firsts = holders.iter().filter_map(|holder| holder.sources.first());
        let urls: HashSet<String> = firsts.map(|&url| url.to_owned()).collect();
        self.is_refused |= holders.len() > MAX_SELECTED || !self.seen.is_disjoint(&urls);
        self.seen.extend(urls);
        if page.names.is_empty() {
            return;
        }
        let shown: Vec<_> = holders.iter().filter(|holder| page.shows(holder)).collect();
        if shown.is_empty() {
            self.wrong += 1
        } else {
            self.right += 1
        }
        // Where the body has no picture an article gets the metadata's, without caption.
        let is_known = if page.holders.iter().any(|h| h.is_in_body) {
            page.holders.iter().any(|h| h.is_in_body && page.shows(h))
        } else {
            shown.iter().all(|holder| !holder.has_caption)
        };
        if !shown.is_empty() && !is_known {
            self.gained.push(number);
        }
    }
}

/// The part of an address that identifies a picture, whatever its size: the name of its
/// file without its end and without `-640x480`, with the folder where it is short.
fn name_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let mut segments = url
        .path_segments()?
        .rev()
        .filter(|segment| !segment.is_empty());
    let file = segments.next()?.to_lowercase();
    let stem = file.rsplit_once('.').map_or(&*file, |(stem, _)| stem);
    let name = without_size(stem);
    match (name.len() >= MIN_NAME, segments.next()) {
        (true, _) => Some(name.to_owned()),
        (false, Some(folder)) => Some(format!("{}/{name}", folder.to_lowercase())),
        (false, None) => None,
    }
}

/// A name without `-640x480` at its end.
fn without_size(name: &str) -> &str {
    let Some((start, size)) = name.rsplit_once(['-', '_']) else {
        return name;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match size.split_once('x') {
        Some((width, height)) if is_number(width) && is_number(height) => start,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::{Template, Wrapper};
    use forest_html::page::Source;

    fn check(pages: &[String], expected: &[&str]) {
        let samples: Vec<SamplePage> = pages
            .iter()
            .enumerate()
            .map(|(n, html)| {
                let url = format!("https://a.example/{n}");
                let source = Source {
                    url: Some(&url),
                    ..Source::default()
                };
                SamplePage::new(Page::parse(html.as_bytes(), source), url.clone())
            })
            .collect();
        let template = Template {
            body: vec!["//main".to_owned()],
            ..Template::default()
        };
        let wrapper = Wrapper {
            templates: vec![template],
            ..Wrapper::default()
        };
        let matcher = wrapper.compile().expect("compiles");
        let bodies: Vec<_> = samples.iter().map(|s| matcher.trace(&s.page)).collect();
        let found = learn(&samples.iter().collect::<Vec<_>>(), &bodies);
        assert_eq!(found, expected, "{pages:?}");
    }

    /// Four pages: what stands in the head, above the body and in it.
    fn four(of: impl Fn(usize) -> [String; 3]) -> Vec<String> {
        let page = |n| {
            let [head, above, body] = of(n);
            format!(
                "{head}<header><img class=logo src=/site-logo.png></header>{above}<main>Text. {body}</main>"
            )
        };
        (0..4).map(page).collect()
    }

    fn og(n: usize) -> String {
        format!("<meta property=og:image content='/photos/picture{n}-1200x630.jpg'>")
    }

    const LEAD: &str = "//figure[contains(concat(' ',normalize-space(@class),' '),' lead ')]";

    #[test]
    fn a_lead_picture_above_the_body() {
        let lead = |n| {
            format!(
                "<figure class=lead><img src='/photos/picture{n}-640x480.jpg'><figcaption>c</figcaption></figure>"
            )
        };
        check(&four(|n| [og(n), lead(n), String::new()]), &[LEAD]);
        // By its late address, on some pages only.
        let late = |n| match n {
            0 => String::new(),
            _ => format!(
                "<figure class=lead><img src=wait.gif data-src='/photos/picture{n}.jpg'></figure>"
            ),
        };
        let other = |n| format!("<img src='/photos/another{n}.jpg'>");
        check(&four(|n| [og(n), late(n), other(n)]), &[LEAD]);
        let unnamed = |n| format!("<div class=top><p><img src='/photos/picture{n}.jpg'></p></div>");
        let top = "//div[contains(concat(' ',normalize-space(@class),' '),' top ')]//img";
        check(&four(|n| [og(n), unnamed(n), other(n)]), &[top]);
        // Where the body has none, it comes from the metadata.
        check(&four(|n| [og(n), unnamed(n), String::new()]), &[]);
    }

    #[test]
    fn nothing_where_the_body_has_the_pictures_or_nobody_names_them() {
        let picture = |n| format!("<figure class=lead><img src='/photos/picture{n}.jpg'></figure>");
        check(&four(|n| [og(n), String::new(), picture(n)]), &[]);
        check(&four(|n| [og(n), picture(n), picture(n)]), &[]);
        check(&four(|n| [String::new(), picture(n), String::new()]), &[]);
        let logo = || "<meta property=og:image content=/site-logo.png>".to_owned();
        check(&four(|_| [logo(), String::new(), String::new()]), &[]);
    }

    #[test]
    fn what_also_holds_other_articles_pictures_is_not_taken() {
        let list = |n: usize| -> String {
            let others = (0..5).map(|i| format!("<img class=p src='/photos/other{n}{i}.jpg'>"));
            let own = format!("<img class=p src='/photos/picture{n}.jpg'>");
            [own].into_iter().chain(others).collect()
        };
        check(&four(|n| [og(n), list(n), String::new()]), &[]);
    }

    #[test]
    fn names_of_pictures() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(
                name_of(&format!("https://a.example{path}")).as_deref(),
                expected
            );
        };
        check("/p/Storm-640x480.JPG?w=3", Some("storm"));
        check("/2024/1.jpg", Some("2024/1"));
        check("/1.jpg", None);
        check("/p/half-a-box.png", Some("half-a-box"));
    }
}
