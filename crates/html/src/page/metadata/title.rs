//! The title, without the site's name where the page proves what that is.

use super::clean::name;
use super::collect::MetadataFacts;
use crate::address::bare_host;
use url::Url;

/// Marks between a title and the name of its site or section. A cut is only made
/// where the rest is known, so that the list can be long.
const SEPARATORS: &[char] = &[
    '|', '-', '–', '—', '―', '·', '•', '»', '«', '›', '‹', ':', '：', '_', '/', '>', '<', '~', '∙',
    '｜', '－', '+', '*', '#', ',',
];

/// Times that a site's name is cut off: title, section, site.
const MAX_CUTS: usize = 3;

/// The page's title: see [`Metadata::title`](super::Metadata::title).
pub(super) fn title(
    candidates: &[&str],
    facts: &MetadataFacts<'_>,
    site_name: Option<&str>,
    url: Option<&str>,
) -> Option<String> {
    let host = url.and_then(|url| Url::parse(url).ok());
    let host = host.as_ref().and_then(Url::host_str);
    let links: Vec<String> = facts
        .home_links
        .iter()
        .filter_map(|text| name(text))
        .collect();
    let sites: Vec<&str> = site_name
        .into_iter()
        .chain(host)
        .chain(host.map(bare_host))
        .chain(links.iter().map(String::as_str))
        .collect();
    let headings: Vec<(String, bool)> = facts
        .headings
        .iter()
        .filter_map(|h| Some((name(h.text)?, h.first_level)))
        .filter(|(text, _)| !sites.iter().any(|site| same(site, text)))
        .collect();
    for candidate in candidates {
        let Some(whole) = name(candidate) else {
            continue;
        };
        let title =
            part_that_is_a_heading(&whole, &headings).unwrap_or_else(|| cut(&whole, &sites));
        // A text that is only the site's name is not a page's title.
        if !sites.iter().any(|site| same(site, title)) {
            return Some(title.to_owned());
        }
    }
    let first = headings.iter().find(|(_, first_level)| *first_level);
    first
        .or(headings.first())
        .map(|(text, _)| text.clone())
        .or_else(|| candidates.iter().find_map(|text| name(text)))
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
