//! The authors that a page names beside its text.

use super::super::{Kind, NodeId, Page};
use super::borders::parted_text;
use super::class_names::{ClassMeaning, ClassReader, is_named, name_tokens};
use super::collect::{MAX_PROPERTIES, value};
use super::names::{is_introduced, is_introduced_name, is_introduction, names};
use super::regions::Regions;
use crate::text::fold;
use html5ever::{LocalName, local_name, ns};

/// Bytes of a byline; a longer text is about its author.
const MAX_BYLINE_BYTES: usize = 120;

/// Bylines of a page that are kept.
const MAX_BYLINES: usize = 64;

/// Names of a byline, and words of a name, at the most; beyond that it is a sentence.
const MAX_NAMES: usize = 6;
const MAX_NAME_WORDS: usize = 5;

/// Bytes of an abbreviation at the end of a name: `Ph.D.`
const MAX_TITLE_BYTES: usize = 5;

/// Nodes between two bylines of one article at the most: a comma, a picture, a list item.
const MAX_GAP: u32 = 4;

/// Bytes of the text of a card with another article's title and author.
const MAX_CARD_BYTES: usize = 300;

/// Bytes of text between the title and a byline beside it, behind the title and before it.
const NEAR: usize = 1500;
const NEAR_BEFORE: usize = 300;

/// Words of a class or an id, in lower case, that name an author.
const AUTHOR: [&str; 9] = [
    "author",
    "authors",
    "autor",
    "autoren",
    "autores",
    "auteur",
    "auteurs",
    "authorname",
    "autore",
];

/// Words of a class or an id that name a line with an author in it.
const BYLINE: [&str; 8] = [
    "byline",
    "byl",
    "writer",
    "postedby",
    "reporter",
    "autorenzeile",
    "authorbox",
    "itemposter",
];

/// Words that say that an author's name does not stand there alone.
const NOT_A_NAME: &str = "\
    archive avatar bio biography box card facebook feed flyout instagram linkedin rss twitter comment comments count date desc description email follow \
    image img job link links meta photo pic position posts role social title url";

/// The class of a name in a card (hCard).
const FORMATTED_NAME: [&str; 1] = ["fn"];

/// All of these words but those that spoil.
static NAMES: [&[&str]; 3] = [&AUTHOR, &BYLINE, &FORMATTED_NAME];

/// Directories of an address that hold pages of authors.
const AUTHOR_PAGES: [&str; 15] = [
    "writer",
    "writers",
    "editors",
    "contributors",
    "journalist",
    "reporter",
    "autore",
    "author",
    "authors",
    "autor",
    "autoren",
    "auteur",
    "autores",
    "contributor",
    "columnists",
];

/// The reason why a text is a byline, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BylineKind {
    /// `itemprop=author` or `rel=author`.
    Stated,
    /// A class or an id with a word of [`AUTHOR`].
    AuthorName,
    /// A link to a page of [`AUTHOR_PAGES`].
    AuthorLink,
    /// A class or an id with a word of [`BYLINE`].
    BylineName,
    /// A text such as `Posted by Jane Doe`.
    Line,
    /// The class `fn` of a card, which may be anybody's.
    FormattedName,
    /// [`BylineKind::Stated`] in a side bar, a footer or among comments.
    StatedAside,
}

#[derive(Debug)]
struct Byline {
    kind: BylineKind,
    /// Nodes of the page before it.
    place: u32,
    /// And up to its end.
    end: u32,
    is_near: bool,
    /// It stands below a heading of its own in a small block.
    is_card: bool,
    names: Vec<String>,
}

impl Byline {
    /// The better first: beside the title.
    fn rank(&self) -> (bool, BylineKind) {
        (!self.is_near, self.kind)
    }
}

/// The bylines of a page, in document order.
#[derive(Debug, Default)]
pub(super) struct Bylines {
    found: Vec<Byline>,
    /// The heading that has the page's title.
    title: Option<NodeId>,
    /// One past the last node of a block that names authors of something else.
    aside_end: NodeId,
    /// The last line with names in it, and one past its last node.
    line: Option<(BylineKind, NodeId)>,
}

impl Bylines {
    /// The bylines of a page; `title` is the heading that has its title.
    pub fn of(page: &Page, title: Option<NodeId>) -> Bylines {
        let mut bylines = Bylines {
            title,
            ..Bylines::default()
        };
        let mut regions = Regions::default();
        let mut classes = ClassReader::of(&NAMES);
        for n in page.nodes().filter(|&n| page.kind(n) == Kind::Element) {
            let Some(tag) = page.tag(n) else { continue };
            regions.enter(page, n, tag);
            let in_side = regions.in_side(n);
            bylines.element(page, n, in_side, classes.read(page, n));
            bylines.stated_by(page, n, tag, in_side);
        }
        bylines
    }

    /// Looks at an element; `in_side` is true in a side bar, a menu or a footer.
    fn element(&mut self, page: &Page, n: NodeId, in_side: bool, class: ClassMeaning) {
        // Some systems call the whole post a widget.
        let holds_title = self.title.is_some_and(|title| page.contains(n, title));
        if n >= self.aside_end && class.is_aside && !holds_title {
            self.aside_end = page.end(n);
        }
        let text = page.text(n);
        let is_page = page.is(n, &local_name!("html")) || page.is(n, &local_name!("body"));
        let is_elsewhere = in_side || n < self.aside_end || is_page || !page.is_content(n);
        if is_elsewhere || is_long(text) || text.trim_ascii().is_empty() {
            return;
        }
        let is_named_so = class.is_named;
        let kind = kind(page, n, text, is_named_so).or_else(|| {
            let is_line = self.is_near(page, n) && is_introduced_name(text);
            is_line.then_some(BylineKind::Line)
        });
        match (kind, self.line) {
            // A name in a line is better than the line.
            (Some(BylineKind::AuthorLink | BylineKind::FormattedName), Some((line, end)))
                if n < end =>
            {
                self.push(page, n, line, &parted_text(page, n));
            }
            (Some(BylineKind::FormattedName) | None, _) => {}
            (Some(kind), _) => {
                self.line = Some((kind, page.end(n)));
                self.push(page, n, kind, &parted_text(page, n));
            }
        }
    }

    /// Adds the text of an element whose attributes say that it is an author's.
    fn stated_by(&mut self, page: &Page, n: NodeId, tag: &LocalName, in_side: bool) {
        for attr in page.attr_range(n).iter().filter(|a| a.name.ns == ns!()) {
            let words = page.value(attr).split_ascii_whitespace();
            match attr.name.local {
                local_name!("itemprop") if *tag != local_name!("meta") => {
                    for _ in words.take(MAX_PROPERTIES).filter(|word| *word == "author") {
                        self.stated(page, n, author(page, n), in_side);
                    }
                }
                local_name!("rel") if *tag == local_name!("a") => {
                    for _ in words.filter(|word| *word == "author") {
                        self.stated(page, n, page.text(n), in_side);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the text of an element that is an author's by the markup itself.
    fn stated(&mut self, page: &Page, n: NodeId, text: &str, in_side: bool) {
        let kind = if in_side || n < self.aside_end {
            BylineKind::StatedAside
        } else {
            BylineKind::Stated
        };
        self.push(page, n, kind, text);
    }

    fn push(&mut self, page: &Page, n: NodeId, kind: BylineKind, text: &str) {
        let mut names = names(text);
        names.retain(|name| !is_introduction(name));
        let is_long = |name: &String| name.split(' ').count() > MAX_NAME_WORDS;
        let is_stated = matches!(kind, BylineKind::Stated | BylineKind::StatedAside);
        let is_sentence = !is_stated
            && (names.len() > MAX_NAMES || names.iter().any(is_long) || is_sentence(text));
        if names.is_empty() || is_sentence || self.found.len() == MAX_BYLINES {
            return;
        }
        let place = n.0;
        let around = |byline: &Byline| byline.kind == kind && place < byline.end;
        self.found.retain(|byline| !around(byline));
        self.found.push(Byline {
            kind,
            place,
            end: page.end(n).0,
            is_near: self.is_near(page, n),
            is_card: is_card(page, n, self.title),
            names,
        });
    }

    /// True if markup says who the authors are.
    pub fn are_stated(&self) -> bool {
        matches!(
            self.best(),
            Some((_, BylineKind::Stated | BylineKind::StatedAside))
        )
    }

    /// True if a node is beside the title.
    fn is_near(&self, page: &Page, n: NodeId) -> bool {
        self.title.is_some_and(|title| {
            let (title, own) = (page.text_span(title), page.text_span(n));
            own.start <= title.end + NEAR && title.start <= own.end + NEAR_BEFORE
        })
    }

    /// The place and the kind of the best byline.
    fn best(&self) -> Option<(bool, BylineKind)> {
        self.found.iter().map(Byline::rank).min()
    }

    /// True if the authors stand beside the title, or no heading shows one.
    pub fn are_near_title(&self) -> bool {
        self.title.is_none() || self.best().is_some_and(|(is_far, _)| !is_far)
    }

    /// True if the page has a title and its best byline stands beside it.
    pub fn are_beside_title(&self) -> bool {
        self.title.is_some() && self.are_near_title()
    }

    /// The names of the first byline of the best kind, and of those that follow at once.
    pub fn authors(&self) -> Vec<String> {
        let mut authors = Vec::new();
        let Some(best) = self.best() else {
            return authors;
        };
        let is_best = |byline: &&Byline| byline.rank() == best;
        // Cards of several other articles.
        let cards = || self.found.iter().filter(is_best);
        let is_other = |byline: &Byline| {
            cards()
                .next()
                .is_some_and(|first| first.names != byline.names)
        };
        if cards().all(|byline| byline.is_card) && cards().any(is_other) {
            return authors;
        }
        let mut end = None;
        for byline in self.found.iter().filter(is_best) {
            if end.is_some_and(|end| byline.place > end + MAX_GAP) {
                break;
            }
            end = Some(byline.end);
            for name in &byline.names {
                if !authors.contains(name) {
                    authors.push(name.clone());
                }
            }
        }
        authors
    }
}

/// Words of a class or an id that name the writer of a post.
const POSTER: [&str; 4] = ["username", "poster", "postauthor", "bigusername"];

/// Bytes of a name at the most, and names that are looked at: the first in a post is its writer's.
const MAX_POSTER_BYTES: usize = 60;
const MAX_POSTERS: usize = 3;

/// The name of who wrote a part of a page, such as a post, where its markup says it: by
/// microdata, `rel`, or a class or an id.
pub fn author_within(page: &Page, part: NodeId) -> Option<String> {
    let elements = page.subtree(part);
    let names = elements
        .filter(|&n| page.kind(n) == Kind::Element)
        .filter_map(|n| {
            let has = |attr: &str| {
                let said = page.attr(n, attr).unwrap_or_default();
                said.split_ascii_whitespace().any(|word| word == "author")
            };
            let is_named_so = || {
                let words: [&[&str]; 3] = [&AUTHOR, &BYLINE, &POSTER];
                let mut tokens = name_tokens(page, n);
                tokens.any(|token| words.iter().any(|words| is_named(token, words, NOT_A_NAME)))
            };
            let is_author = has("itemprop") || has("rel") || is_named_so();
            let name = is_author.then(|| fold(author(page, n)))?;
            (!name.is_empty() && name.len() <= MAX_POSTER_BYTES).then_some(name)
        });
    // Of the elements around a name the innermost has nothing else.
    names.take(MAX_POSTERS).min_by_key(String::len)
}

/// The name of a microdata author: its `name`, else all its text.
fn author(page: &Page, n: NodeId) -> &str {
    /// Nodes below an author that are looked at; an author's name is near.
    const MAX_NODES: usize = 64;
    let inner = page.subtree(n).skip(1).take(MAX_NODES);
    let name = inner
        .filter(|&inner| page.kind(inner) == Kind::Element)
        .find(|&inner| {
            let props = page.attr(inner, "itemprop").unwrap_or_default();
            props.split_ascii_whitespace().any(|prop| prop == "name")
        });
    value(page, name.unwrap_or(n))
}

/// The reason why a text is a byline; `is_named_so` is true if a class or id of its element has
/// a word of [`NAMES`].
fn kind(page: &Page, n: NodeId, text: &str, is_named_so: bool) -> Option<BylineKind> {
    let has = |words: &[&str]| {
        let mut tokens = name_tokens(page, n);
        is_named_so && tokens.any(|token| is_named(token, words, NOT_A_NAME))
    };
    if has(&AUTHOR) {
        Some(BylineKind::AuthorName)
    } else if page.is(n, &local_name!("a")) && is_author_page(page.attr(n, "href")?) {
        Some(BylineKind::AuthorLink)
    } else if has(&BYLINE) {
        Some(BylineKind::BylineName)
    } else if is_introduced(text) {
        Some(BylineKind::Line)
    } else {
        has(&FORMATTED_NAME).then_some(BylineKind::FormattedName)
    }
}

/// True if the block around an element is small and has a heading that is not the page's title.
fn is_card(page: &Page, n: NodeId, title: Option<NodeId>) -> bool {
    let Some(block) = page.parent_element(n) else {
        return false;
    };
    page.text(block).len() <= MAX_CARD_BYTES
        && !title.is_some_and(|title| page.contains(block, title))
        && page
            .subtree(block)
            .take_while(|&inner| inner < n)
            .any(|inner| {
                let heading = [local_name!("h2"), local_name!("h3"), local_name!("h4")];
                heading.iter().any(|tag| page.is(inner, tag))
            })
}

/// True if a text without its white space is longer than a byline.
fn is_long(text: &str) -> bool {
    /// Times that a byline may be as long with the white space between its tags.
    const MAX_SPACED: usize = 4;
    let words = || {
        text.split_ascii_whitespace()
            .map(|word| word.len() + 1)
            .sum::<usize>()
    };
    text.len() > MAX_BYLINE_BYTES
        && (text.len() > MAX_SPACED * MAX_BYLINE_BYTES || words() > MAX_BYLINE_BYTES + 1)
}

/// True if a text ends as sentences do and is longer than a name. `Jr.` and `M.D.` end none.
fn is_sentence(text: &str) -> bool {
    let text = text.trim();
    let last = text.rsplit(' ').next().unwrap_or_default();
    let is_title = last.starts_with(char::is_uppercase) && last.len() <= MAX_TITLE_BYTES;
    !is_title
        && text.ends_with(['.', '!', '?', '。'])
        && text.split_whitespace().count() > MAX_NAME_WORDS
}

/// True if an address has a directory of authors, and a name below it.
fn is_author_page(href: &str) -> bool {
    let mut rest = href.as_bytes();
    // The last part of a path is no directory.
    while let Some(at) = rest.iter().position(|b| matches!(b, b'/' | b'?' | b'#'))
        && rest[at] == b'/'
    {
        let (part, below) = (&rest[..at], &rest[at + 1..]);
        let is_it = |name: &&str| part.eq_ignore_ascii_case(name.as_bytes());
        if AUTHOR_PAGES.iter().any(is_it) {
            return !matches!(below.first(), None | Some(b'/' | b'?' | b'#'));
        }
        rest = below;
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::page::Page;

    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        assert_eq!(Page::from_html(html).metadata().authors, expected, "{html}");
    }

    #[test]
    fn a_class_names_the_author() {
        check(
            "<address class='vcard author'>\nBy\n <a class='url fn'>Jane Doe</a></address>",
            &["Jane Doe"],
        );
        check(
            "<p class=post__authorName>Jane Doe and John Roe</p>",
            &["Jane Doe", "John Roe"],
        );
        check(
            "<p class=byline>By Jane Doe | May 5, 2024</p>",
            &["Jane Doe"],
        );
        check("<p class=author-bio>Jane Doe</p>", &[]);
        check("<p class=authority>Jane Doe</p>", &[]);
        check("<h3 class=author>About the author</h3>", &[]);
        check(
            "<div class=author>Jane has a boat and a dog and writes.</div>",
            &[],
        );
    }

    #[test]
    fn a_name_in_a_line_is_better_than_the_line() {
        let edit = "<a href=/edit>Edit</a>";
        check(
            &format!("<p class=author>By <b class=fn>Jane Doe</b>\n{edit}"),
            &["Jane Doe"],
        );
        check(
            &format!(
                "<p class=byline><a href=/author/j>Jane</a>, <a href=/author/r>Roe</a>\n{edit}"
            ),
            &["Jane", "Roe"],
        );
        check("<b class=fn>Jane Doe</b>", &[]);
    }

    #[test]
    fn the_footer_of_a_section_is_no_side() {
        let footer = "<footer><p class=author>Jane Doe</p></footer>";
        check(&format!("<section>{footer}</section>"), &["Jane Doe"]);
        check(footer, &[]);
    }

    #[test]
    fn a_link_goes_to_the_author_s_page() {
        check("<a href=/blog/author/jane>Jane Doe</a>", &["Jane Doe"]);
        check("<a href=../author/jane.html>Jane Doe</a>", &["Jane Doe"]);
        check("<a href=/authors/>All authors</a>", &[]);
    }

    #[test]
    fn a_line_introduces_the_author() {
        check("<p>Posted by jane at June 3, 2006 09:07 AM</p>", &["jane"]);
        check("<p>By Jane Doe</p>", &["Jane Doe"]);
        check("<p>作者：张三</p>", &["张三"]);
        check("<p>By the river, in May</p>", &[]);
        check("<p>Von Anna Adler</p>", &[]);
    }

    #[test]
    fn authors_of_comments_and_of_other_articles_are_no_authors() {
        check(
            "<p class=author>Jane Doe</p><ol class=commentlist><p class=author>Bob</p></ol>",
            &["Jane Doe"],
        );
        check("<div id=comments><p>Posted by Bob</p></div>", &[]);
        check("<aside><p class=author>Bob</p></aside>", &[]);
        let teaser = "<h2>Other</h2><p>Rain</p><p>Sun</p><p>Wind</p>";
        check(
            &format!("<a rel=author>Jane Doe</a>{teaser}<a rel=author>Bob</a>"),
            &["Jane Doe"],
        );
        check(
            "<ul><li><a rel=author>Jane Doe</a><li><a rel=author>John Roe</a></ul>",
            &["Jane Doe", "John Roe"],
        );
    }

    #[test]
    fn the_better_reason_comes_first() {
        check(
            "<p>By Bob Poe</p><p class=byline>Ann Roe</p><b class=author>Jane Doe</b>",
            &["Jane Doe"],
        );
        check(
            "<p class=author>Bob</p><a rel=author>Jane Doe</a>",
            &["Jane Doe"],
        );
        check(
            "<meta name=author content='Jane Doe'><a rel=author>Bob</a>",
            &["Jane Doe"],
        );
    }

    #[test]
    fn the_site_is_its_author_only_where_no_other_is_named() {
        let site = "<meta property=og:site_name content='The Paper'><meta name=author content='The paper'>";
        check(&format!("{site}<p class=author>Jane Doe"), &["Jane Doe"]);
        check(site, &["The paper"]);
    }
}
