//! The shape of a page, in one pass over its nodes: its amount of prose and of links, its
//! headlines, its claims about itself.

use super::claims::Claims;
use super::target::{LinkTarget, PageAddress};
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;

/// Words from which a text node outside of links is prose: labels, bylines and
/// copyright lines are shorter.
const PROSE_WORDS: u32 = 8;

/// Words from which a linked text is prose: a teaser that is wholly a link, not a headline.
const LINKED_PROSE_WORDS: u32 = 15;

/// Words of prose from which a page is not a wall, an error or a shell. Consent pages of large
/// portals have some 150 to 300; an error page can have ten teasers.
const MAX_WALL_PROSE: u32 = 600;

/// Kept words outside of links from which a page is not one of these either.
const MAX_WALL_KEPT: u32 = 400;

/// The same if the page has a headline or claims to be an article.
const MAX_ARTICLE_KEPT: u32 = 120;

/// Maximum number of headings.
const MAX_HEADS: usize = 200;

/// Maximum number of bytes of a title, a heading or a label.
const MAX_LABEL_BYTES: usize = 500;

/// Words of a text and how many of them are linked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinkedWords {
    pub words: u32,
    pub linked: u32,
}

impl LinkedWords {
    /// Linked words to all words, 0 without words.
    pub fn link_quota(self) -> f64 {
        f64::from(self.linked) / f64::from(self.words.max(1))
    }
}

/// A heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageHeading<'a> {
    pub text: &'a str,
    /// 1 to 6.
    pub level: u8,
    pub target: LinkTarget<'a>,
}

/// See the module's page. Words are estimates: see [`words`].
#[derive(Debug, Default)]
pub(super) struct Shape<'a> {
    pub title: &'a str,
    pub heads: Vec<PageHeading<'a>>,
    /// The shown text.
    pub body: LinkedWords,
    /// The kept text.
    pub kept: LinkedWords,
    /// Words of text nodes that are prose.
    pub prose: u32,
    pub buttons: Vec<NodeId>,
    pub noscripts: Vec<NodeId>,
    pub scripts: Vec<NodeId>,
    pub has_password: bool,
    pub has_frames: bool,
    pub claims: Claims<'a>,
}

impl<'a> Shape<'a> {
    pub fn of(page: &'a Page, kept: &Mask) -> Shape<'a> {
        let mut shape = Shape::default();
        let mut pass = ShapePass {
            in_body: false,
            link_end: page.root(),
            href: "",
            head_end: page.root(),
        };
        let mut nodes = page.walk(page.root());
        while let Some(n) = nodes.next() {
            match page.kind(n) {
                Kind::Element => {
                    shape.element(page, n, &mut pass);
                    if !page.is_content(n) {
                        nodes.pass_over(n);
                    }
                }
                Kind::Text if page.is_content(n) => shape.text(page, n, kept, &mut pass),
                _ => {}
            }
        }
        shape.claims.described(page);
        shape.settle(&shape.claims.address(page));
        shape
    }

    fn element(&mut self, page: &'a Page, n: NodeId, pass: &mut ShapePass<'a>) {
        let Some(tag) = page.tag(n) else { return };
        match *tag {
            local_name!("title") if self.title.is_empty() => {
                self.title = label(page, n);
            }
            local_name!("meta") => self.claims.meta(page, n),
            local_name!("link") => self.claims.link(page, n),
            local_name!("script") => self.scripts.push(n),
            local_name!("noscript") => self.noscripts.push(n),
            local_name!("body") => {
                self.claims.body(page, n);
                pass.in_body = true;
            }
            local_name!("frameset") => self.has_frames = true,
            local_name!("button") => self.buttons.push(n),
            local_name!("input") => self.input(page, n),
            local_name!("a") => self.anchor(page, n, pass),
            local_name!("h1") => self.heading(page, n, 1, pass),
            local_name!("h2") => self.heading(page, n, 2, pass),
            local_name!("h3") => self.heading(page, n, 3, pass),
            local_name!("h4") => self.heading(page, n, 4, pass),
            local_name!("h5") => self.heading(page, n, 5, pass),
            local_name!("h6") => self.heading(page, n, 6, pass),
            _ => {}
        }
    }

    fn input(&mut self, page: &'a Page, n: NodeId) {
        match page.attr(n, "type") {
            Some(t) if t.eq_ignore_ascii_case("password") => self.has_password = true,
            Some(t) if t.eq_ignore_ascii_case("submit") => self.buttons.push(n),
            _ => {}
        }
    }

    fn anchor(&mut self, page: &'a Page, n: NodeId, pass: &mut ShapePass<'a>) {
        if let Some(href) = page.attr(n, "href") {
            pass.link_end = page.end(n);
            pass.href = href;
            if n < pass.head_end {
                self.link_head(href);
            }
        }
    }

    fn link_head(&mut self, href: &'a str) {
        let target = LinkTarget::Unsettled(href);
        if let Some(head) = self.heads.last_mut() {
            head.target = target;
        }
    }

    fn heading(&mut self, page: &'a Page, n: NodeId, level: u8, pass: &mut ShapePass<'a>) {
        let text = label(page, n);
        if text.is_empty() || self.heads.len() == MAX_HEADS {
            return;
        }
        self.heads.push(PageHeading {
            text,
            level,
            target: LinkTarget::None,
        });
        pass.head_end = page.end(n);
        if n < pass.link_end {
            self.link_head(pass.href);
        }
    }

    fn text(&mut self, page: &'a Page, n: NodeId, kept: &Mask, pass: &mut ShapePass<'a>) {
        if !pass.in_body {
            return;
        }
        let words = words(page.text(n));
        if words == 0 {
            return;
        }
        let linked = n < pass.link_end;
        let is_kept = kept.contains(n);
        for (amount, counts) in [(&mut self.body, true), (&mut self.kept, is_kept)] {
            amount.words += if counts { words } else { 0 };
            amount.linked += if counts && linked { words } else { 0 };
        }
        let prose_words = if linked {
            LINKED_PROSE_WORDS
        } else {
            PROSE_WORDS
        };
        let is_prose = words >= prose_words && n >= pass.head_end;
        if is_prose {
            self.prose += words;
        }
    }

    /// Sets the targets of headings.
    fn settle(&mut self, own: &PageAddress<'_>) {
        let title = lower(self.title);
        // Some pages link their own headline, to an address that is not known.
        let settled = |target: LinkTarget<'a>, headline: &str| match target.settled(own) {
            LinkTarget::Elsewhere if names(&title, headline) => LinkTarget::Own,
            target => target,
        };
        for head in &mut self.heads {
            head.target = settled(head.target, head.text);
        }
    }

    /// True if its phrases can make the page a wall, an error or a shell.
    pub fn may_be_a_wall(&self) -> bool {
        let kept = self.kept.words - self.kept.linked;
        let claims = || self.claims.article > 0 || self.claims.published || self.has_headline();
        self.prose < MAX_WALL_PROSE
            && kept < MAX_WALL_KEPT
            && !(kept >= MAX_ARTICLE_KEPT && claims())
    }

    /// True if the title names a headline that does not lead to another page.
    pub fn has_headline(&self) -> bool {
        let title = lower(self.title);
        self.heads
            .iter()
            .filter(|head| {
                head.level <= 2 && matches!(head.target, LinkTarget::None | LinkTarget::Own)
            })
            .take(10)
            .any(|head| names(&title, head.text))
    }
}

/// True if a title in lower case names a headline.
fn names(title: &str, headline: &str) -> bool {
    is_headline(headline) && title.contains(&lower(headline))
}

fn lower(text: &str) -> String {
    fold(text).to_lowercase()
}

/// The text of a title, heading or button.
pub(super) fn label(page: &Page, n: NodeId) -> &str {
    let text = page.text(n);
    text[..text.floor_char_boundary(MAX_LABEL_BYTES)].trim()
}

/// True if a heading is longer than a name.
fn is_headline(text: &str) -> bool {
    words(text) >= 3 && (!text.is_ascii() || text.contains(char::is_whitespace))
}

/// The state of the pass.
#[derive(Debug)]
struct ShapePass<'a> {
    in_body: bool,
    link_end: NodeId,
    href: &'a str,
    head_end: NodeId,
}

/// Words of a text node, estimated from its length by the script of its first
/// letter: six bytes a word and space in Latin and for two Chinese characters,
/// eleven in scripts of two bytes.
pub(super) fn words(text: &str) -> u32 {
    let text = text.trim_ascii();
    let a_word = match text.as_bytes() {
        [] => return 0,
        [0xce..=0xdf, ..] => 11,
        _ => 6,
    };
    text.len().div_ceil(a_word) as u32
}
