//! The role of an element on the page, by its tag and the names in its attributes.

use crate::page::{NodeId, Page};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use html5ever::local_name;
use std::sync::LazyLock;

/// A role of an element, by its tag, its attributes or the names in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ContainerRole {
    /// Readers' comments.
    Comment,
    /// Navigation; `nav`.
    Menu,
    /// The page's foot; `footer`.
    Foot,
    /// A side bar; `aside`.
    Side,
    /// Teasers of other articles.
    Related,
    /// Buttons to share.
    Share,
    /// Advertisements.
    Advert,
    /// Newsletters, log-ins, consent.
    Subscribe,
    /// Author, date, keywords.
    Meta,
    /// Pictures and their captions; `figure`, `figcaption`.
    Caption,
    /// Titles.
    Title,
    /// Leads and summaries.
    Lead,
    /// The body of an article; `itemprop=articleBody`.
    Body,
    /// Content of some sort.
    Content,
    /// Links to the next page.
    Pages,
    /// Lists of entries.
    List,
    /// Pull quotes and call-outs.
    Quote,
    /// About the author.
    Person,
    /// Forms; `form`, `fieldset`.
    Form,
    /// Out of sight.
    Hidden,
    /// `article`.
    Article,
    /// `main`.
    Main,
    /// `section`.
    Section,
    /// Lists and their items.
    ListTag,
    /// `h1` to `h6`.
    Heading,
}

/// Number of roles.
pub(super) const ROLES: usize = ContainerRole::Heading as usize + 1;

/// A set of roles, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RoleSet(u64);

impl RoleSet {
    fn add(&mut self, role: ContainerRole) {
        self.0 |= 1 << role as u8;
    }

    pub fn has(self, role: ContainerRole) -> bool {
        self.0 & (1 << role as u8) != 0
    }

    /// The roles as indices.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..ROLES).filter(move |role| self.0 & (1 << role) != 0)
    }
}

/// Parts of the names that the web's templates give to classes and ids, by what
/// they hold. A part counts wherever it stands in a name: `articleBody`,
/// `post-body`, `page__comments`.
const NAMES: [(ContainerRole, &[&str]); 19] = [
    (
        ContainerRole::Comment,
        &[
            "comment",
            "disqus",
            "reply",
            "respond",
            "discuss",
            "livefyre",
            "kommentar",
            "koment",
            "thread",
            "feedback",
            "opinions",
        ],
    ),
    (
        ContainerRole::Menu,
        &[
            "nav",
            "menu",
            "breadcrumb",
            "topbar",
            "toolbar",
            "tabs",
            "sitemap",
            "skip",
            "crumb",
            "dropdown",
        ],
    ),
    (
        ContainerRole::Foot,
        &[
            "foot",
            "copyright",
            "legal",
            "imprint",
            "colophon",
            "bottom",
            "disclaimer",
            "licen",
        ],
    ),
    (
        ContainerRole::Side,
        &[
            "sidebar",
            "side-",
            "-side",
            "side_",
            "_side",
            "aside",
            "rail",
            "widget",
            "secondary",
            "rightcol",
            "leftcol",
            "right-col",
            "left-col",
            "complementary",
            "module",
            "rcol",
            "lcol",
            "gutter",
            "sticky",
        ],
    ),
    (
        ContainerRole::Related,
        &[
            "related",
            "recommend",
            "more-",
            "more_",
            "-more",
            "_more",
            "readmore",
            "morefrom",
            "popular",
            "trending",
            "latest",
            "recent",
            "outbrain",
            "taboola",
            "teaser",
            "promo",
            "card",
            "readnext",
            "similar",
            "also",
            "mostread",
            "most-",
            "seealso",
            "hot",
            "next-",
            "ranking",
            "recirc",
        ],
    ),
    (
        ContainerRole::Share,
        &[
            "share", "social", "follow", "facebook", "twitter", "addthis", "sns", "sharing",
            "bookmark", "email", "print", "tools", "whatsapp", "likes", "addtoany",
        ],
    ),
    (
        ContainerRole::Advert,
        &[
            "advert",
            "sponsor",
            "ad-",
            "-ad",
            "_ad",
            "ad_",
            "ads-",
            "dfp",
            "gpt",
            "adsense",
            "adbox",
            "commercial",
            "partner",
            "publicid",
            "werbung",
            "reklam",
            "affiliate",
        ],
    ),
    (
        ContainerRole::Subscribe,
        &[
            "newsletter",
            "subscri",
            "signup",
            "sign-up",
            "login",
            "signin",
            "regist",
            "paywall",
            "modal",
            "popup",
            "pop-up",
            "cookie",
            "consent",
            "gdpr",
            "donat",
            "overlay",
            "cta",
            "promo-box",
            "alert",
            "notice",
            "member",
            "join",
        ],
    ),
    (
        ContainerRole::Meta,
        &[
            "byline", "author", "date", "time", "publish", "meta", "info", "posted", "tags",
            "tag-", "categor", "source", "credit", "dateline", "keywords", "topics", "views",
            "location", "stamp",
        ],
    ),
    (
        ContainerRole::Caption,
        &[
            "caption", "figure", "image", "photo", "gallery", "slide", "media", "video", "thumb",
            "picture", "img", "player", "audio", "embed",
        ],
    ),
    (
        ContainerRole::Title,
        &[
            "title", "headline", "heading", "hed", "titel", "titulo", "titre",
        ],
    ),
    (
        ContainerRole::Lead,
        &[
            "lead",
            "summary",
            "intro",
            "excerpt",
            "standfirst",
            "deck",
            "-dek",
            "abstract",
            "subhead",
            "chapo",
            "kicker",
            "subtitle",
            "teasertext",
            "description",
            "highlights",
            "keypoints",
            "strapline",
            "perex",
        ],
    ),
    (
        ContainerRole::Body,
        &[
            "articlebody",
            "article-body",
            "article_body",
            "article__body",
            "entry-content",
            "entrycontent",
            "entry-body",
            "post-content",
            "post_content",
            "postcontent",
            "post-body",
            "postbody",
            "post-entry",
            "post__content",
            "post-text",
            "story-body",
            "storybody",
            "story_body",
            "storytext",
            "story-text",
            "story-content",
            "articletext",
            "article-text",
            "article_text",
            "article-content",
            "article_content",
            "articlecontent",
            "article__content",
            "article-container",
            "content-body",
            "contentbody",
            "content__body",
            "body-text",
            "bodytext",
            "body-copy",
            "bodycopy",
            "text-body",
            "e-content",
            "news-content",
            "news-text",
            "newstext",
            "newsbody",
            "news-body",
            "blog-content",
            "blog-post",
            "maintext",
            "main-text",
            "richtext",
            "rich-text",
            "single-content",
            "td-post",
            "the-content",
            "c-content",
            "wysiwyg",
            "prose",
            "markdown",
        ],
    ),
    (
        ContainerRole::Content,
        &[
            "content",
            "article",
            "story",
            "post",
            "entry",
            "text",
            "main",
            "body",
            "copy",
            "artikel",
            "inhalt",
            "contenu",
            "detail",
            "hentry",
            "paragraph",
            "column",
        ],
    ),
    (
        ContainerRole::Pages,
        &[
            "paginat", "pager", "prev", "page-nav", "pagenav", "next", "older", "newer",
        ],
    ),
    (
        ContainerRole::List,
        &[
            "list", "archive", "index", "grid", "feed", "items", "carousel", "stream", "links",
            "toc",
        ],
    ),
    (ContainerRole::Quote, &["quote", "pull", "callout"]),
    (
        ContainerRole::Form,
        &[
            "form", "search", "input", "poll", "quiz", "vote", "button", "btn", "rating",
        ],
    ),
    (
        ContainerRole::Person,
        &[
            "bio",
            "profile",
            "avatar",
            "aboutauthor",
            "about",
            "contributor",
            "vcard",
        ],
    ),
];

struct Lexicon {
    automaton: AhoCorasick,
    /// The role of each pattern.
    roles: Vec<ContainerRole>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let patterns = NAMES.iter().flat_map(|(_, parts)| parts.iter());
    let roles = NAMES
        .iter()
        .flat_map(|(role, parts)| parts.iter().map(|_| *role));
    Lexicon {
        automaton: AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(aho_corasick::AhoCorasickKind::DFA))
            .build(patterns)
            .expect("a few hundred short patterns fit an automaton"),
        roles: roles.collect(),
    }
});

/// Bytes of an attribute that are read for names: longer ones are data.
const MAX_NAME_BYTES: usize = 256;

/// The roles of an element, by its tag and its attributes.
pub(super) fn roles_of(page: &Page, element: NodeId) -> RoleSet {
    let mut roles = RoleSet::default();
    if let Some(role) = tag_role(page, element) {
        roles.add(role);
    }
    let lexicon = &*LEXICON;
    for (name, value) in page.attrs(element) {
        match name.local {
            local_name!("class") | local_name!("id") | local_name!("role") => {
                let read = &value.as_bytes()[..value.len().min(MAX_NAME_BYTES)];
                for found in lexicon.automaton.find_overlapping_iter(read) {
                    roles.add(lexicon.roles[found.pattern().as_usize()]);
                }
            }
            local_name!("itemprop") if value.eq_ignore_ascii_case("articleBody") => {
                roles.add(ContainerRole::Body);
            }
            local_name!("hidden") => roles.add(ContainerRole::Hidden),
            local_name!("aria-hidden") if value == "true" => roles.add(ContainerRole::Hidden),
            local_name!("style") if hides(value) => roles.add(ContainerRole::Hidden),
            _ => {}
        }
    }
    roles
}

/// True if a style takes an element out of sight.
fn hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        rule.split_once(':').is_some_and(|(property, value)| {
            let (property, value) = (property.trim(), value.trim());
            property.eq_ignore_ascii_case("display")
                && value
                    .get(..4)
                    .is_some_and(|v| v.eq_ignore_ascii_case("none"))
                || property.eq_ignore_ascii_case("visibility")
                    && value
                        .get(..6)
                        .is_some_and(|v| v.eq_ignore_ascii_case("hidden"))
        })
    })
}

fn tag_role(page: &Page, element: NodeId) -> Option<ContainerRole> {
    Some(match *page.tag(element)? {
        local_name!("article") => ContainerRole::Article,
        local_name!("main") => ContainerRole::Main,
        local_name!("aside") => ContainerRole::Side,
        local_name!("nav") => ContainerRole::Menu,
        local_name!("footer") => ContainerRole::Foot,
        local_name!("form") | local_name!("fieldset") => ContainerRole::Form,
        local_name!("figure") | local_name!("figcaption") => ContainerRole::Caption,
        local_name!("ul") | local_name!("ol") | local_name!("li") | local_name!("dl") => {
            ContainerRole::ListTag
        }
        local_name!("h1")
        | local_name!("h2")
        | local_name!("h3")
        | local_name!("h4")
        | local_name!("h5")
        | local_name!("h6") => ContainerRole::Heading,
        local_name!("section") => ContainerRole::Section,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[ContainerRole]) {
        let page = Page::from_html(html);
        let body = page.body().expect("body");
        let element = page.children(body).next().expect("an element");
        let mut roles = RoleSet::default();
        expected.iter().for_each(|&role| roles.add(role));
        assert_eq!(roles_of(&page, element), roles, "{html}");
    }

    #[test]
    fn parts_of_names_in_any_case() {
        check(
            "<div class='x ArticleBody__w3'>",
            &[ContainerRole::Body, ContainerRole::Content],
        );
        check("<p id=byline>", &[ContainerRole::Meta]);
        check("<div class=xyz>", &[]);
    }

    #[test]
    fn tags_and_attributes() {
        check("<nav>", &[ContainerRole::Menu]);
        check("<div itemprop=articleBody>", &[ContainerRole::Body]);
        check("<div hidden>", &[ContainerRole::Hidden]);
        check(
            "<div style='color:red; DISPLAY : none'>",
            &[ContainerRole::Hidden],
        );
        check("<div style='display:block'>", &[]);
    }

    #[test]
    fn long_attributes_are_read_at_their_beginning() {
        let class = format!("comment {} article", "x".repeat(MAX_NAME_BYTES));
        check(&format!("<div class='{class}'>"), &[ContainerRole::Comment]);
    }
}
