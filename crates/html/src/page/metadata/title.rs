//! The title, without the site's name where the page proves what that is.

use super::super::NodeId;
use super::clean::name;
use super::collect::{Heading, MetadataFacts};
use crate::address::bare_host;
use crate::text::{fold, metric_tokens, metric_words, same_words};
use std::collections::HashSet;
use url::Url;

/// Marks between a title and the name of its site or section. A cut is only made
/// where the rest is known, so that the list can be long.
const SEPARATORS: &[char] = &[
    '|', '-', '–', '—', '―', '·', '•', '»', '«', '›', '‹', ':', '：', '_', '/', '>', '<', '~', '∙',
    '｜', '－', '+', '*', '#', ',',
];

/// Times that a site's name is cut off: title, section, site.
const MAX_CUTS: usize = 3;

/// Bytes of a heading that is part of a title, or of which the title is part.
const MIN_PART_BYTES: usize = 12;

/// Share of a title that a heading below the first level has at the least, in bytes.
const MIN_SHARE: f64 = 0.6;

/// Words that a title and a heading share at the least for the heading to be the title in
/// full: of the words of the longer.
const MIN_SHARED: f64 = 0.5;
const MIN_SHARED_WORDS: usize = 2;

/// Bytes of a heading that may be a title.
const MAX_HEADING_BYTES: usize = 400;

/// Words of a heading that says the title in words of its own, at the least.
const MIN_OWN_WORDS: usize = 3;

/// Words that such a heading shares with the title if that is most of the shorter.
const MIN_MOST_WORDS: usize = 3;

/// Letters by which words of one subject are known: `mirror`, `mirrors`.
const STEM_LETTERS: usize = 5;

/// The page's title: see [`Metadata::title`](super::Metadata::title).
pub(super) fn title(
    candidates: &[&str],
    facts: &MetadataFacts<'_>,
    site_name: Option<&str>,
    url: Option<&Url>,
) -> Option<String> {
    let links = facts.home_links.iter().filter_map(|text| name(text));
    let links: Vec<String> = links.collect();
    let host = url.and_then(Url::host_str);
    let sites = site_name
        .into_iter()
        .chain(host)
        .chain(host.map(bare_host))
        .chain(links.iter().map(String::as_str));
    let is_home = url.is_none_or(|url| url.path() == "/");
    let shown = ShownTitles::of(facts, sites.collect(), host, is_home);
    let told: Vec<String> = candidates.iter().filter_map(|text| name(text)).collect();
    let agreed = shown.agreed(&told).map(str::to_owned);
    agreed
        .or_else(|| told.iter().find_map(|title| shown.title_of(title, &told)))
        .or_else(|| shown.first_heading().map(str::to_owned))
        .or_else(|| told.into_iter().next())
}

/// The headings of a page, and the names of its site, which are no titles.
struct ShownTitles<'a> {
    sites: Vec<&'a str>,
    host: Option<&'a str>,
    /// Headings that may be titles, and whether they are of the first level.
    headings: Vec<(String, bool)>,
    /// The headings of the first level, if the page is not the home page.
    own: Vec<String>,
}

impl<'a> ShownTitles<'a> {
    fn of(
        facts: &MetadataFacts<'_>,
        sites: Vec<&'a str>,
        host: Option<&'a str>,
        is_home: bool,
    ) -> ShownTitles<'a> {
        let headings = facts.headings.iter().filter(|heading| !heading.leads_home);
        let headings = headings.filter_map(|heading| {
            let text = unmarked(&name(&heading.text)?).to_owned();
            Some((text, heading.first_level))
        });
        let headings: Vec<(String, bool)> = headings.collect();
        let own = headings.iter().filter(|(_, first)| *first && !is_home);
        let mut shown = ShownTitles {
            sites,
            host,
            own: own.map(|(text, _)| text.clone()).collect(),
            headings: Vec::new(),
        };
        let may_be_title = |(text, _): &(String, bool)| !shown.is_site(text) || shown.is_own(text);
        let headings = headings.into_iter().filter(may_be_title).collect();
        shown.headings = headings;
        shown
    }

    fn is_site(&self, text: &str) -> bool {
        self.sites.iter().any(|site| same(site, text))
    }

    /// True for what all first headings say. Whoever else is called so: a page but the home
    /// page shows its own title.
    fn is_own(&self, text: &str) -> bool {
        !self.own.is_empty() && self.own.iter().all(|heading| same(heading, text))
    }

    fn first_level(&self) -> impl Iterator<Item = &str> {
        let first_level = self.headings.iter().filter(|(_, first_level)| *first_level);
        first_level.map(|(text, _)| text.as_str())
    }

    fn first_heading(&self) -> Option<&str> {
        let first = self.headings.first().map(|(text, _)| text.as_str());
        self.first_level().next().or(first)
    }

    fn without_site<'t>(&self, title: &'t str) -> &'t str {
        without_host(cut(title, &self.sites), self.host)
    }

    /// The heading of the first level that is also told to others, if none is what they are told
    /// first. One that has all of that has a kicker, a section or the site's name, too.
    fn agreed(&self, told: &[String]) -> Option<&str> {
        let mut told = told.iter().map(|title| self.without_site(unmarked(title)));
        let first = metric_words(told.next()?);
        let has_first = |heading: &str| metric_words(heading).contains(&first);
        if self.first_level().any(has_first) {
            return None;
        }
        told.filter(|title| title.len() >= MIN_PART_BYTES && !self.is_site(title))
            .find_map(|title| {
                self.first_level()
                    .find(|heading| same_words(heading, title))
            })
    }

    /// A title that is told, as the page shows it; `None` for the site's name.
    fn title_of(&self, told: &str, all: &[String]) -> Option<String> {
        let whole = unmarked(told);
        if self.is_own(whole) {
            return Some(whole.to_owned());
        }
        let title = part_that_is_a_heading(whole, &self.headings)
            .unwrap_or_else(|| self.without_site(whole));
        if self.is_site(title) && !self.is_own(title) {
            return None;
        }
        let shown = self.in_full(title);
        let shown = shown.or_else(|| self.only_heading(title, all));
        Some(shown.unwrap_or(title).to_owned())
    }

    /// The first heading of the first level that says what the title says, in other words.
    fn in_full(&self, title: &str) -> Option<&str> {
        // A heading that has the whole title has a kicker, a section or the site's name, too.
        let said = metric_words(title);
        let is_cut = ["...", "…"].iter().any(|dots| title.ends_with(dots));
        let words = words_of(title);
        let texts: Vec<&str> = self
            .first_level()
            .filter(|text| text.len() <= MAX_HEADING_BYTES)
            .collect();
        let alike = texts.iter().copied().filter(|text| {
            let own = words_of(text);
            let shared = own.intersection(&words).count();
            let most = own.len().max(words.len());
            shared >= MIN_SHARED_WORDS
                && shared as f64 >= MIN_SHARED * most as f64
                && (is_cut || !metric_words(text).contains(&said))
        });
        let is_told = texts.iter().any(|text| same_words(text, title));
        (!is_told).then(|| alike.into_iter().next()).flatten()
    }

    /// The heading of the first level, if the page has one, where it says the title in other words:
    /// pages are shown under other titles than search engines and networks are told. A heading that
    /// has the whole title has more than it; one that stands in what they are told names a section,
    /// unless it shares most words with the title.
    fn only_heading(&self, title: &str, told: &[String]) -> Option<&str> {
        let mut first_level = self.first_level();
        let heading = first_level.next()?;
        if first_level.next().is_some() || heading.len() > MAX_HEADING_BYTES {
            return None;
        }
        let shown = metric_words(heading);
        if shown.contains(&metric_words(title)) {
            return None;
        }
        let (said, own) = (words_of(title), words_of(heading));
        let shared = said.intersection(&own).count();
        let is_most = shared >= MIN_MOST_WORDS && 2 * shared >= said.len().min(own.len());
        let is_of_subject = || !stems_of(&said).is_disjoint(&stems_of(&own));
        let is_named = || told.iter().any(|told| metric_words(told).contains(&shown));
        let is_title = is_most || own.len() >= MIN_OWN_WORDS && is_of_subject() && !is_named();
        is_title.then_some(heading)
    }
}

fn words_of(text: &str) -> HashSet<String> {
    metric_tokens(text).iter().map(str::to_owned).collect()
}

/// The beginnings of words by which a subject is known, without short words.
fn stems_of(words: &HashSet<String>) -> HashSet<&str> {
    let stem = |word: &'_ String| {
        word.char_indices()
            .nth(STEM_LETTERS)
            .map_or(word.len(), |(at, _)| at)
    };
    let long = words
        .iter()
        .filter(|word| word.chars().count() >= STEM_LETTERS);
    long.map(|word| &word[..stem(word)]).collect()
}

/// A title without the signs of links to it.
fn unmarked(title: &str) -> &str {
    title.trim_end_matches(['¶', '🔗', ' '])
}

/// Separators before or behind a site's name that only its host tells.
const WIDE_SEPARATORS: [&str; 9] = [
    " | ", " - ", " – ", " — ", " · ", " • ", " » ", " › ", " :: ",
];

/// Bytes of a host's label that may be a site's name, and the share of the name that it is.
const MIN_LABEL_BYTES: usize = 4;
const MIN_LABEL_SHARE: f64 = 0.5;

/// A title without a name at its end or its beginning that is written as the host is.
fn without_host<'a>(title: &'a str, host: Option<&str>) -> &'a str {
    let Some(label) = host.and_then(label_of) else {
        return title;
    };
    let is_name = |part: &str| {
        let part = squeezed(part);
        part.contains(&label) && label.len() as f64 >= MIN_LABEL_SHARE * part.len() as f64
    };
    let end = |separator: &&str| {
        title
            .rsplit_once(*separator)
            .filter(|(_, part)| is_name(part))
    };
    let start = |separator: &&str| {
        title
            .split_once(*separator)
            .filter(|(part, _)| is_name(part))
    };
    let separators = || WIDE_SEPARATORS.iter();
    let rest = separators().find_map(end).map(|(title, _)| title);
    let rest = rest.or_else(|| separators().find_map(start).map(|(_, title)| title));
    rest.map(str::trim)
        .filter(|rest| !rest.is_empty())
        .unwrap_or(title)
}

/// The longest label of a host but its last, if it may be a site's name.
fn label_of(host: &str) -> Option<String> {
    let (labels, _) = bare_host(host).rsplit_once('.')?;
    let label = labels.split('.').max_by_key(|label| label.len())?;
    Some(squeezed(label)).filter(|label| label.len() >= MIN_LABEL_BYTES)
}

/// True if a name begins as a site's host is written, or is mostly that.
pub(super) fn is_of_host(name: &str, host: &str) -> bool {
    let name = squeezed(name);
    label_of(host).is_some_and(|label| {
        let is_most = label.len() as f64 >= MIN_LABEL_SHARE * name.len() as f64;
        name.starts_with(&label) || name.contains(&label) && is_most
    })
}

/// The letters and digits of a name as a host writes them.
fn squeezed(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
    {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'ß' => out.push_str("ss"),
            c => out.push(c),
        }
    }
    out
}

/// The heading that has a page's title, else its first of the first level.
pub(super) fn heading_of(title: Option<&str>, facts: &MetadataFacts<'_>) -> Option<NodeId> {
    let is_title =
        |heading: &&Heading<'_>| title.is_some_and(|title| same_words(&heading.text, title));
    let first_level = || facts.headings.iter().filter(|heading| heading.first_level);
    // A lower heading may be that of a section.
    let share = |heading: &Heading<'_>| if heading.first_level { 0.0 } else { MIN_SHARE };
    let has_title = |heading: &&Heading<'_>| {
        let text = fold(&heading.text);
        let is_part = |title: &str| {
            let is_long = text.len() as f64 >= share(heading) * title.len() as f64;
            (title.contains(&text) || text.contains(title)) && is_long
        };
        text.len() >= MIN_PART_BYTES && title.is_some_and(is_part)
    };
    let headings = || facts.headings.iter();
    let part = first_level()
        .find(has_title)
        .or_else(|| headings().find(has_title));
    let heading = headings()
        .find(is_title)
        .or(part)
        .or_else(|| first_level().next());
    heading.map(|heading| heading.node)
}

/// The part of a title, between separators, that is a heading of the page. An
/// `h1` proves any part (the longest that one of them is), a lower heading only
/// the longest part: sections have headings too.
fn part_that_is_a_heading<'a>(whole: &'a str, headings: &[(String, bool)]) -> Option<&'a str> {
    let mut best: Option<&str> = None;
    for (heading, first_level) in headings {
        let Some(part) = part(whole, heading) else {
            continue;
        };
        if !first_level && 2 * part.len() <= whole.len() {
            continue;
        }
        if best.is_none_or(|best| part.len() > best.len()) {
            best = Some(part);
        }
    }
    best
}

/// `heading` in `whole`, if it stands there between separators or the ends.
fn part<'a>(whole: &'a str, heading: &str) -> Option<&'a str> {
    let starts = std::iter::once(0).chain(
        whole
            .char_indices()
            .filter(|&(_, c)| SEPARATORS.contains(&c))
            .map(|(at, c)| at + c.len_utf8()),
    );
    for start in starts {
        let rest = whole[start..].trim_start();
        let Some(found) = rest.get(..heading.len()) else {
            continue;
        };
        let after = rest[heading.len()..].trim_start();
        if same(found, heading) && (after.is_empty() || after.starts_with(SEPARATORS)) {
            return Some(found);
        }
    }
    None
}

/// `whole` without the sites' names at its ends.
fn cut<'a>(whole: &'a str, sites: &[&str]) -> &'a str {
    let mut title = whole;
    for _ in 0..MAX_CUTS {
        let shorter = sites.iter().find_map(|site| {
            let before = title
                .len()
                .checked_sub(site.len())
                .filter(|&at| title.is_char_boundary(at) && same(&title[at..], site))
                .map(|at| title[..at].trim_end())
                .filter(|before| before.ends_with(SEPARATORS));
            let after = title
                .get(..site.len())
                .filter(|start| same(start, site))
                .map(|start| title[start.len()..].trim_start())
                .filter(|after| after.starts_with(SEPARATORS));
            let separator = |c: char| c.is_whitespace() || SEPARATORS.contains(&c);
            before
                .map(|before| before.trim_end_matches(separator))
                .or_else(|| after.map(|after| after.trim_start_matches(separator)))
        });
        match shorter {
            Some(shorter) if !shorter.is_empty() => title = shorter,
            _ => break,
        }
    }
    title
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
