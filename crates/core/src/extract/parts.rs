//! The parts of a page: the posts of a thread, the items of a list.

use crate::blocks::ContainerId;
use crate::kind::PageKind;
use crate::onepage::ScoredPage;
use crate::render::text;
use crate::repeat;
use forest_html::page::links::Base;
use forest_html::page::metadata::{Date, author_within};
use forest_html::page::{Kind, Mask, NodeId, Page, tags};
use forest_html::text::fold;
use html5ever::local_name;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Parts of a page at the most.
const MAX_PARTS: usize = 500;

/// The share of a page's kept words that its parts must have together.
const MIN_SHARE: f32 = 0.4;

/// Posts of a thread, and items of a list, at the least.
const MIN_POSTS: usize = 2;
const MIN_ITEMS: usize = 3;

/// Bytes of a title.
const MAX_LABEL_BYTES: usize = 300;

/// Bytes of a text that is a date, its digits at the least, and texts that are looked at.
const MAX_DATE_BYTES: usize = 40;
const DATE_DIGITS: usize = 5;
const MAX_DATES: usize = 8;

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PagePartKind {
    /// A post of a thread.
    Post,
    /// An item of a list.
    Item,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PagePart {
    /// A post or an item.
    pub kind: PagePartKind,
    /// Who wrote it.
    pub author: Option<String>,
    /// Its headline.
    pub title: Option<String>,
    /// When it was published, RFC 3339.
    pub date: Option<String>,
    /// Its own address: of a post the place on the page, of an item the page that it leads to.
    pub url: Option<String>,
    /// Its text, a line a block.
    pub text: String,
}

/// The posts of a thread or the items of a list in document order, as far as they are siblings
/// that are made alike and hold most of what is `kept`; none of other pages.
pub(super) fn parts(page: &ScoredPage<'_>, kind: PageKind, kept: &Mask) -> Vec<PagePart> {
    let kind = match kind {
        PageKind::Forum => PagePartKind::Post,
        PageKind::Listing | PageKind::Collection => PagePartKind::Item,
        _ => return Vec::new(),
    };
    let base = Base::of(page);
    let mut mask = Mask::none(page);
    let members = members(page, kind, kept).into_iter().take(MAX_PARTS);
    let parts = members.map(|member| {
        let nodes = || page.subtree(member).filter(|&n| kept.contains(n));
        nodes().for_each(|n| mask.keep(n));
        let text = text(page, &mask);
        nodes().for_each(|n| mask.drop(n));
        match kind {
            PagePartKind::Post => post(page, member, text),
            PagePartKind::Item => item(page, &base, member, text),
        }
    });
    parts.collect()
}

/// The elements of the parts: the group of alike siblings with most of the kept words, of equals
/// the outermost, if that is a good share of all.
fn members(page: &ScoredPage<'_>, kind: PagePartKind, kept: &Mask) -> Vec<NodeId> {
    let facts = page.facts();
    // Kept words before each block.
    let mut before = vec![0.0_f32];
    for block in &facts.layout.blocks {
        let is_kept = kept.contains(block.first) || kept.contains(block.last);
        let words = if is_kept { block.all.words } else { 0.0 };
        before.push(before[before.len() - 1] + words);
    }
    let words = |&id: &ContainerId| {
        let container = facts.layout.container(id);
        before[container.blocks.end] - before[container.blocks.start]
    };
    let can_be = |id: &ContainerId| {
        let element = facts.layout.container(*id).element;
        let links = facts.container(*id).sums.linked();
        words(id) > 0.0
            && match kind {
                // The paragraphs of one post are no posts.
                PagePartKind::Post => !is_text_element(page, element),
                PagePartKind::Item => links > 0.0,
            }
    };
    let least = match kind {
        PagePartKind::Post => MIN_POSTS,
        PagePartKind::Item => MIN_ITEMS,
    };
    let groups = repeat::groups(page, facts).into_iter().map(|group| {
        let members = group.members.into_iter().filter(can_be);
        members.collect::<Vec<ContainerId>>()
    });
    let groups: Vec<_> = groups.filter(|group| group.len() >= least).collect();
    let sum = |group: &[ContainerId]| group.iter().map(words).sum::<f32>();
    let best = groups.iter().rev();
    let best = best.max_by(|a, b| sum(a).total_cmp(&sum(b)));
    let best = best.filter(|group| sum(group) >= MIN_SHARE * before[before.len() - 1]);
    let elements = best.into_iter().flatten();
    elements
        .map(|&id| facts.layout.container(id).element)
        .collect()
}

/// True for an element that holds a piece of text, not pieces.
fn is_text_element(page: &Page, n: NodeId) -> bool {
    let tag = page.tag(n);
    tag.is_some_and(|tag| tags::has(tag, tags::HEADING) || matches!(&**tag, "p" | "pre"))
}

/// A post. Headings in posts are names and numbers more often than titles, so it has none.
fn post(page: &Page, member: NodeId, text: String) -> PagePart {
    PagePart {
        kind: PagePartKind::Post,
        author: author_within(page, member),
        title: None,
        date: stated_date(page, member),
        url: permalink(page, member),
        text,
    }
}

/// An item, with the title and the address of its heading, else of its longest link.
fn item(page: &Page, base: &Base, member: NodeId, text: String) -> PagePart {
    let is_link = |&n: &NodeId| page.is(n, &local_name!("a")) && href(page, n).is_some();
    let links = || page.subtree(member).filter(is_link);
    let is_heading = |&n: &NodeId| {
        let tag = page.tag(n);
        tag.is_some_and(|tag| tags::has(tag, tags::HEADING)) && label(page, n).is_some()
    };
    let heading = page.subtree(member).find(is_heading);
    let of_heading = heading.and_then(|heading| {
        let inside = page.subtree(heading).find(is_link);
        inside.or_else(|| page.ancestors(heading).find(is_link))
    });
    let longest = || links().max_by_key(|&n| (page.text(n).len(), Reverse(n)));
    let link = of_heading.or_else(longest);
    let url = link.and_then(|n| href(page, n));
    PagePart {
        kind: PagePartKind::Item,
        author: author_within(page, member),
        title: heading.or(link).and_then(|n| label(page, n)),
        date: stated_date(page, member).or_else(|| date_in_text(page, member)),
        url: url.and_then(|url| base.resolve(&url).map(|url| url.into_owned())),
        text,
    }
}

/// The day of the first `time` that says it.
fn stated_date(page: &Page, member: NodeId) -> Option<String> {
    let mut times = page
        .subtree(member)
        .filter(|&n| page.is(n, &local_name!("time")))
        .filter_map(|n| page.attr(n, "datetime"));
    times.find_map(|said| Date::read(said).rfc3339)
}

/// The day of the first text that is one.
fn date_in_text(page: &Page, member: NodeId) -> Option<String> {
    let texts = page
        .subtree(member)
        .filter(|&n| page.kind(n) == Kind::Text)
        .map(|n| page.text(n).trim())
        .filter(|text| {
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            text.len() <= MAX_DATE_BYTES && digits >= DATE_DIGITS
        });
    texts
        .take(MAX_DATES)
        .find_map(|text| Date::read(text).rfc3339)
}

fn href(page: &Page, n: NodeId) -> Option<String> {
    let href = page.attr(n, "href")?.trim();
    (!href.is_empty() && !href.starts_with("javascript:")).then(|| href.to_owned())
}

/// The text of an element on one line, if it is short enough for a label.
fn label(page: &Page, n: NodeId) -> Option<String> {
    let text = fold(page.text(n));
    (!text.is_empty() && text.len() <= MAX_LABEL_BYTES).then_some(text)
}

/// The place of a post on its page: its own `id`, or that of the element around it or of the
/// first in it.
fn permalink(page: &Page, member: NodeId) -> Option<String> {
    let near = [
        Some(member),
        page.parent(member),
        page.children(member).next(),
    ];
    let ids = near
        .into_iter()
        .flatten()
        .filter_map(|n| page.attr(n, "id"));
    let id = ids.map(str::trim).find(|id| !id.is_empty())?;
    let own = page.url().unwrap_or_default();
    let own = own.split('#').next().unwrap_or_default();
    Some(format!("{own}#{id}"))
}

#[cfg(test)]
mod tests {
    use crate::kind::PageKind;
    use crate::onepage::ScoredPage;
    use forest_html::page::{Mask, Page};

    fn check(kind: PageKind, html: &str, expected: &[[Option<&str>; 4]]) {
        let page = ScoredPage::from(Page::from_html(html));
        let found = super::parts(&page, kind, &Mask::all(&page));
        let of = |text: &Option<String>| text.as_deref().map(str::to_owned);
        let found: Vec<[Option<String>; 4]> = found
            .iter()
            .map(|part| {
                [
                    of(&part.author),
                    of(&part.title),
                    of(&part.date),
                    of(&part.url),
                ]
            })
            .collect();
        let expected: Vec<[Option<String>; 4]> = expected
            .iter()
            .map(|part| part.map(|text| text.map(str::to_owned)))
            .collect();
        assert_eq!(found, expected, "{html}");
    }

    const THREAD: &str = "<div class=post-1 id=p1><b class=username>Ann</b><time datetime=2024-05-06T07:08:09Z>\
        </time><p>The ferry did not come on Monday, has anybody seen it since then?</div>\
        <div class=post-2 id=p2><b class=username>Bob</b><p>It lies in the yard, and waits for its engine.</div>";

    #[test]
    fn the_posts_of_a_thread() {
        check(
            PageKind::Forum,
            THREAD,
            &[
                [Some("Ann"), None, Some("2024-05-06T07:08:09Z"), Some("#p1")],
                [Some("Bob"), None, None, Some("#p2")],
            ],
        );
    }

    #[test]
    fn the_items_of_a_list() {
        let item = |n: usize| {
            format!(
                "<li><img src=x><h3><a href=/s/{n}>Story {n}</a></h3><p>What it is about.<a href=/all>All of our many stories</a>"
            )
        };
        let html = format!("<ul>{}{}{}</ul>", item(1), item(2), item(3));
        check(
            PageKind::Listing,
            &html,
            &[
                [None, Some("Story 1"), None, Some("/s/1")],
                [None, Some("Story 2"), None, Some("/s/2")],
                [None, Some("Story 3"), None, Some("/s/3")],
            ],
        );
    }

    #[test]
    fn the_days_of_items_are_read_in_their_text() {
        let item =
            |n: usize| format!("<p class=x><a href=/s/{n}>Story {n}</a> <i>2024-05-0{n}</i>");
        let html = format!("{}{}{}", item(1), item(2), item(3));
        let day = |n: usize| format!("2024-05-0{n}T00:00:00Z");
        let page = ScoredPage::from(Page::from_html(&html));
        let found = super::parts(&page, PageKind::Listing, &Mask::all(&page));
        let days: Vec<_> = found.into_iter().filter_map(|part| part.date).collect();
        assert_eq!(days, [day(1), day(2), day(3)]);
    }

    #[test]
    fn posts_of_two_writers_are_alike_and_their_paragraphs_are_no_posts() {
        let text = "<p>The ferry did not come on Monday.<p>It lies in the yard.<p>It waits.";
        let post = |class: &str, name: &str| {
            format!(
                "<div class='post {class}'><h4>{name}</h4><span class=username>{name}</span>{text}</div>"
            )
        };
        let html = format!(
            "{}{}{}",
            post("own", "Ann"),
            post("other", "Bob"),
            post("own", "Ann")
        );
        let of = |name| [Some(name), None, None, None];
        check(PageKind::Forum, &html, &[of("Ann"), of("Bob"), of("Ann")]);
    }

    #[test]
    fn other_pages_have_none() {
        check(PageKind::Article, THREAD, &[]);
        let prose = "Nobody had told the baker, who waited at the pier for an hour. ".repeat(9);
        check(PageKind::Forum, &format!("{THREAD}<p>{prose}"), &[]);
    }

    #[test]
    fn each_part_has_its_text() {
        let page = ScoredPage::from(Page::from_html(THREAD));
        let parts = super::parts(&page, PageKind::Forum, &Mask::all(&page));
        assert!(parts[0].text.starts_with("Ann") && parts[0].text.ends_with("since then?"));
        assert!(parts[1].text.ends_with("its engine."));
    }
}
