//! The links between the pages of an article, where they stand in its body: "Page 1
//! 2 3 Next".

use crate::extract::Extractor;
use foldhash::HashSet;
use forest_html::page::{Mask, NodeId, Page};

/// Links that are looked at.
const MAX_LINKS: usize = 100;

/// Bytes of what holds the links and little else.
const MAX_TEXT: usize = 200;

/// Letters beside the links that it may have: "Page", "Seite", "of".
const MAX_LETTERS: usize = 12;

/// Levels from a link to what holds all of them.
const MAX_LEVELS: usize = 6;

/// The kept nodes of a page without the links to other pages of its article, and
/// without what stands around them; `None` where it has none.
pub(super) fn without_marks(extractor: &Extractor, page: &Page, kept: &Mask) -> Option<Mask> {
    let matcher = extractor.matcher();
    let expressions = matcher.next_page().into_iter().chain(matcher.single_page());
    let links: HashSet<NodeId> = expressions
        .flat_map(|xpath| xpath.nodes(page).into_iter().take(MAX_LINKS))
        .filter(|&n| kept.contains(n) && page.text(n).len() <= MAX_TEXT)
        .collect();
    let mut out: Option<Mask> = None;
    for &link in &links {
        let around = page.ancestors(link).skip(1).take(MAX_LEVELS);
        let holder = around.take_while(|&up| kept.contains(up) && is_marks(page, up, &links));
        let top = holder.last().unwrap_or(link);
        out.get_or_insert_with(|| kept.clone())
            .drop_subtree(page, top);
    }
    out
}

/// True if an element holds links, numbers and hardly anything else.
fn is_marks(page: &Page, n: NodeId, links: &HashSet<NodeId>) -> bool {
    if page.text(n).len() > MAX_TEXT {
        return false;
    }
    let is_prose = |n: NodeId| {
        let tag = page.tag(n).map_or("", |tag| &**tag);
        matches!(
            tag,
            "p" | "h1" | "h2" | "h3" | "h4" | "blockquote" | "pre" | "img"
        )
    };
    // A paragraph of links is none of prose.
    if page.subtree(n).skip(1).any(is_prose) {
        return false;
    }
    let beside = page.content_texts(n).filter(|&text| {
        let mut above = page.ancestors(text).take_while(|&up| up > n);
        !above.any(|up| links.contains(&up))
    });
    let letters = beside.flat_map(|text| page.text(text).chars());
    letters.filter(|c| c.is_alphabetic()).count() <= MAX_LETTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::text;
    use crate::wrapper::Wrapper;

    fn check(html: &str, expected: Option<&str>) {
        let yaml = "format: 1\nsite: a\nnext_page: //a[@class='n']/@href\ntemplates: []\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let extractor = Extractor::new(wrapper).expect("compiles");
        let page = Page::from_html(html);
        let found = without_marks(&extractor, &page, &Mask::all(&page));
        assert_eq!(
            found.map(|mask| text(&page, &mask)).as_deref(),
            expected,
            "{html}"
        );
    }

    #[test]
    fn links_go_with_what_stands_around_them() {
        let two = "<a class=n href=2>2</a>";
        let both = format!("{two} <a class=n href=3>Next page</a>");
        check("<div>One.</div>", None);
        check(
            &format!("<div><p>One.<p>Page 1 of 3: {both}</div>"),
            Some("One."),
        );
        check(
            &format!("<div><p>One.<ul><li>1<li>{two}</ul></div>"),
            Some("One."),
        );
        check(
            &format!("<p>The first part of it all.<br>{two}"),
            Some("The first part of it all."),
        );
        check(
            &format!("<p>It is told in {two} parts, of which this is the first."),
            Some("It is told in parts, of which this is the first."),
        );
        check(
            &format!("<h1>Title</h1><div class=pages><b>1</b> {both}</div>"),
            Some("Title"),
        );
    }
}
