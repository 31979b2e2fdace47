//! The parts of a page: the posts of a thread, the items of a list.

use crate::kind::PageKind;
use crate::onepage::ScoredPage;
use crate::render::text;
use crate::repeat;
use forest_html::page::links::Base;
use forest_html::page::metadata::{Date, author_within};
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;
use serde::{Deserialize, Serialize};

/// Parts of a page at the most.
const MAX_PARTS: usize = 500;

/// The share of a page's kept words that its parts must have together.
const MIN_SHARE: f32 = 0.4;

/// Bytes of a name or of a title.
const MAX_LABEL_BYTES: usize = 300;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A post of a thread.
    Post,
    /// An item of a list.
    Item,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticlePart {
    /// What it is.
    pub kind: PartKind,
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
pub(super) fn parts(page: &ScoredPage<'_>, kind: PageKind, kept: &Mask) -> Vec<ArticlePart> {
    let kind = match kind {
        PageKind::Forum => PartKind::Post,
        PageKind::Listing | PageKind::Collection => PartKind::Item,
        _ => return Vec::new(),
    };
    let facts = page.facts();
    // Kept words before each block.
    let mut before = vec![0.0_f32];
    for block in &facts.layout.blocks {
        let is_kept = kept.contains(block.first) || kept.contains(block.last);
        let words = if is_kept { block.all.words } else { 0.0 };
        before.push(before[before.len() - 1] + words);
    }
    let all = before[before.len() - 1];
    let groups = repeat::groups(facts).into_iter().map(|group| {
        let members = group.members.into_iter().filter_map(|id| {
            let container = facts.layout.container(id);
            let words = before[container.blocks.end] - before[container.blocks.start];
            (words > 0.0).then_some((container.element, words))
        });
        members.collect::<Vec<(NodeId, f32)>>()
    });
    let words = |group: &[(NodeId, f32)]| group.iter().map(|(_, words)| words).sum::<f32>();
    let groups: Vec<_> = groups.filter(|group| group.len() > 1).collect();
    // The outermost of equals.
    let best = groups.iter().rev();
    let best = best.max_by(|a, b| words(a).total_cmp(&words(b)));
    let Some(best) = best.filter(|group| words(group) >= MIN_SHARE * all) else {
        return Vec::new();
    };
    let base = Base::of(page);
    let mut mask = Mask::none(page);
    let members = best.iter().take(MAX_PARTS);
    let parts = members.map(|&(member, _)| {
        let nodes = || page.subtree(member).filter(|&n| kept.contains(n));
        nodes().for_each(|n| mask.keep(n));
        let text = text(page, &mask);
        nodes().for_each(|n| mask.drop(n));
        part(page, &base, kind, member, text)
    });
    parts.collect()
}

/// The part that an element is.
fn part(page: &Page, base: &Base, kind: PartKind, member: NodeId, text: String) -> ArticlePart {
    let elements = || page.subtree(member).filter(|&n| page.tag(n).is_some());
    let heading = elements().find(|&n| {
        let is_heading = matches!(
            page.tag(n),
            Some(
                &local_name!("h1")
                    | &local_name!("h2")
                    | &local_name!("h3")
                    | &local_name!("h4")
                    | &local_name!("h5")
            )
        );
        is_heading && label(page, n).is_some()
    });
    let links = || elements().filter(|&n| page.is(n, &local_name!("a")) && href(page, n).is_some());
    let (title, url) = match kind {
        PartKind::Item => {
            let longest = links().max_by_key(|&n| (page.text(n).len(), std::cmp::Reverse(n)));
            let within = heading.and_then(|heading| {
                let inside = links().find(|n| page.subtree(heading).any(|at| at == *n));
                let around = || page.ancestors(heading).find(|&up| href(page, up).is_some());
                inside.or_else(around)
            });
            let link = within.or(longest);
            let title = heading.or(link).and_then(|n| label(page, n));
            (title, link.and_then(|n| href(page, n)))
        }
        PartKind::Post => (
            heading.and_then(|n| label(page, n)),
            permalink(page, member),
        ),
    };
    let date = elements().find_map(|n| {
        let is_time = page.is(n, &local_name!("time"));
        let said = page.attr(n, "datetime").filter(|_| is_time);
        said.and_then(|said| Date::read(said).rfc3339)
    });
    ArticlePart {
        kind,
        author: author_within(page, member),
        title,
        date,
        url: url.and_then(|url| base.resolve(&url).map(|url| url.into_owned())),
        text,
    }
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

/// The place of a post: its own `id`, or the first in it.
fn permalink(page: &Page, member: NodeId) -> Option<String> {
    let ids = page.subtree(member).filter_map(|n| page.attr(n, "id"));
    let id = ids.map(str::trim).find(|id| !id.is_empty())?;
    Some(format!("#{id}"))
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
        let html = format!("<ul>{}{}</ul>", item(1), item(2));
        check(
            PageKind::Listing,
            &html,
            &[
                [None, Some("Story 1"), None, Some("/s/1")],
                [None, Some("Story 2"), None, Some("/s/2")],
            ],
        );
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
