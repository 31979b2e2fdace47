//! The role of an element on the page, by its tag and the names in its attributes.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use foldhash::HashMap;
use forest_html::page::style;
use forest_html::page::tags;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;
use std::sync::LazyLock;

/// A role of an element, by its tag, its attributes or the names in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ContainerRole {
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
pub(crate) const ROLES: usize = ContainerRole::Heading as usize + 1;

/// A set of roles, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RoleSet(u64);

impl RoleSet {
    fn add(&mut self, role: ContainerRole) {
        self.0 |= 1 << role as u8;
    }

    fn add_all(&mut self, others: RoleSet) {
        self.0 |= others.0;
    }

    pub fn has(self, role: ContainerRole) -> bool {
        self.0 & (1 << role as u8) != 0
    }

    /// The roles as indices.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..ROLES).filter(move |role| self.0 & (1 << role) != 0)
    }
}

/// The roles that names can give, as `roles.txt` calls them.
const NAMED_ROLES: [(&str, ContainerRole); 19] = [
    ("comment", ContainerRole::Comment),
    ("menu", ContainerRole::Menu),
    ("foot", ContainerRole::Foot),
    ("side", ContainerRole::Side),
    ("related", ContainerRole::Related),
    ("share", ContainerRole::Share),
    ("advert", ContainerRole::Advert),
    ("subscribe", ContainerRole::Subscribe),
    ("meta", ContainerRole::Meta),
    ("caption", ContainerRole::Caption),
    ("title", ContainerRole::Title),
    ("lead", ContainerRole::Lead),
    ("body", ContainerRole::Body),
    ("content", ContainerRole::Content),
    ("pages", ContainerRole::Pages),
    ("list", ContainerRole::List),
    ("quote", ContainerRole::Quote),
    ("form", ContainerRole::Form),
    ("person", ContainerRole::Person),
];

/// The parts of names in `roles.txt`, each with its role.
fn name_parts() -> impl Iterator<Item = (&'static str, ContainerRole)> {
    let rows = include_str!("roles.txt").lines();
    let rows = rows.filter_map(|line| {
        let (name, parts) = line.split_once(": ")?;
        let (_, role) = NAMED_ROLES.into_iter().find(|(named, _)| *named == name)?;
        Some((parts, role))
    });
    rows.flat_map(|(parts, role)| parts.split(' ').map(move |part| (part, role)))
}

struct Lexicon {
    automaton: AhoCorasick,
    /// The role of each pattern.
    roles: Vec<ContainerRole>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let (patterns, roles): (Vec<&str>, Vec<ContainerRole>) = name_parts().unzip();
    Lexicon {
        automaton: AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(aho_corasick::AhoCorasickKind::DFA))
            .build(patterns)
            .expect("a few hundred short patterns fit an automaton"),
        roles,
    }
});

/// Bytes of an attribute that are read for names: longer ones are data.
const MAX_NAME_BYTES: usize = 256;

/// Reads the roles of a page's elements. Many of them have the same class.
#[derive(Debug)]
pub(crate) struct RoleReader<'a> {
    page: &'a Page,
    of_class: HashMap<&'a str, RoleSet>,
}

impl<'a> RoleReader<'a> {
    pub fn of(page: &'a Page) -> RoleReader<'a> {
        RoleReader {
            page,
            of_class: HashMap::default(),
        }
    }

    /// The roles of an element, by its tag and its attributes.
    pub fn read(&mut self, element: NodeId) -> RoleSet {
        let mut roles = RoleSet::default();
        if let Some(role) = tag_role(self.page, element) {
            roles.add(role);
        }
        for (name, value) in self.page.attrs(element) {
            match name.local {
                local_name!("class") => {
                    let of_class = self.of_class.entry(value);
                    roles.add_all(*of_class.or_insert_with(|| named_roles(value)));
                }
                local_name!("id") | local_name!("role") => roles.add_all(named_roles(value)),
                local_name!("itemprop") if value.eq_ignore_ascii_case("articleBody") => {
                    roles.add(ContainerRole::Body);
                }
                local_name!("hidden") => roles.add(ContainerRole::Hidden),
                local_name!("aria-hidden") if value == "true" => roles.add(ContainerRole::Hidden),
                local_name!("style") if style::hides(value) => roles.add(ContainerRole::Hidden),
                _ => {}
            }
        }
        roles
    }
}

/// The roles of the names in an attribute.
fn named_roles(value: &str) -> RoleSet {
    let mut roles = RoleSet::default();
    let read = &value.as_bytes()[..value.len().min(MAX_NAME_BYTES)];
    for found in LEXICON.automaton.find_overlapping_iter(read) {
        roles.add(LEXICON.roles[found.pattern().as_usize()]);
    }
    roles
}

fn tag_role(page: &Page, element: NodeId) -> Option<ContainerRole> {
    let tag = page.tag(element)?;
    Some(match *tag {
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
        local_name!("section") => ContainerRole::Section,
        _ if tags::has(tag, tags::HEADING) => ContainerRole::Heading,
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
        assert_eq!(RoleReader::of(&page).read(element), roles, "{html}");
    }

    #[test]
    fn every_line_of_the_table_has_a_role() {
        let lines = include_str!("roles.txt").lines();
        let rows = lines.filter(|line| !line.starts_with('#')).count();
        assert_eq!((rows, name_parts().count()), (NAMED_ROLES.len(), 296));
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
