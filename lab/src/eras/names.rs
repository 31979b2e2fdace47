//! The names of an element: its attributes and its tag, as expressions.

use forest_core::wrapper::expression::literal;
use forest_html::page::{NodeId, Page};
use std::fmt;

/// Characters of a name at the most.
const MAX_NAME_CHARS: usize = 80;

/// Letters that the beginning of a name needs to be one.
const MIN_START: usize = 4;

/// The parts of a name that are a sign of the article.
const ROLES: [&str; 11] = [
    "article", "story", "body", "content", "text", "post", "entry", "main", "artikel", "news",
    "copy",
];

/// A kind of expression for an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// The tag alone, `article` or `main`.
    Tag,
    /// `itemprop` or `role`, with its value.
    Role,
    /// The id, which has a word such as `article` or `content` in it.
    RoleId,
    /// Another id.
    Id,
    /// The beginning of an id, before its first digit.
    IdStart,
    /// A token of the class with such a word.
    RoleClass,
    /// Another token of the class.
    Class,
    /// The beginning of a token of the class, before its first digit.
    ClassStart,
    /// The whole class, as `@class='...'`.
    WholeClass,
    /// A token of the class, as `contains(@class,'...')`.
    PartOfClass,
    /// A look of the element: `width`, `align`, `bgcolor` and the like.
    Looks,
    /// The position: tags and places from the root.
    Path,
}

impl NameKind {
    /// All kinds.
    pub const ALL: [NameKind; 12] = [
        NameKind::Tag,
        NameKind::Role,
        NameKind::RoleId,
        NameKind::Id,
        NameKind::IdStart,
        NameKind::RoleClass,
        NameKind::Class,
        NameKind::ClassStart,
        NameKind::WholeClass,
        NameKind::PartOfClass,
        NameKind::Looks,
        NameKind::Path,
    ];

    /// It names what the element is, not how it looks, where it stands or all that
    /// its class says.
    pub(super) fn is_name(self) -> bool {
        self <= NameKind::ClassStart
    }

    /// A whole token of the class.
    pub(super) fn is_token(self) -> bool {
        matches!(self, NameKind::RoleClass | NameKind::Class)
    }

    /// The names that a person writes into a rule file, in the order in which it is tried:
    /// the id, the class as it stands, a part of it.
    pub(super) fn by_hand(self) -> Option<u8> {
        match self {
            NameKind::RoleId | NameKind::Id => Some(0),
            NameKind::WholeClass => Some(1),
            NameKind::PartOfClass => Some(2),
            _ => None,
        }
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Role => "`itemprop` or `role`",
            NameKind::RoleId => "id with a role word",
            NameKind::Id => "other id",
            NameKind::IdStart => "beginning of an id",
            NameKind::RoleClass => "class token with a role word",
            NameKind::Class => "other class token",
            NameKind::ClassStart => "beginning of a class token",
            NameKind::WholeClass => "`@class='...'`",
            NameKind::PartOfClass => "`contains(@class,'...')`",
            NameKind::Tag => "`article` or `main` alone",
            NameKind::Looks => "a look (`width='600'`)",
            NameKind::Path => "position from the root",
        })
    }
}

/// The expressions that name an element, its position left out.
pub(super) fn of_element(page: &Page, n: NodeId) -> Vec<(NameKind, String)> {
    let Some(tag) = page.tag(n).filter(|tag| is_name(tag)) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    if matches!(&**tag, "article" | "main") {
        names.push((NameKind::Tag, format!("//{tag}")));
    }
    for (name, value) in page.attrs(n) {
        let value = value.trim();
        if value.is_empty() || value.chars().count() > MAX_NAME_CHARS {
            continue;
        }
        let name = &*name.local;
        let whole = |kind| (kind, format!("//{tag}[@{name}={}]", literal(value)));
        match name {
            "id" => {
                names.push(whole(either(value, NameKind::RoleId, NameKind::Id)));
                if let Some(start) = start(value) {
                    let start = literal(start);
                    names.push((
                        NameKind::IdStart,
                        format!("//{tag}[starts-with(@id,{start})]"),
                    ));
                }
            }
            "class" => {
                names.push(whole(NameKind::WholeClass));
                for token in value.split_ascii_whitespace() {
                    names.extend(of_token(tag, token));
                }
            }
            "itemprop" | "role" => names.push(whole(NameKind::Role)),
            "width" | "height" | "align" | "valign" | "bgcolor" | "border" | "cellpadding"
            | "cellspacing" => names.push(whole(NameKind::Looks)),
            _ => {}
        }
    }
    names
}

fn of_token(tag: &str, token: &str) -> Vec<(NameKind, String)> {
    let padded = "concat(' ',normalize-space(@class),' ')";
    let asked = literal(&format!(" {token} "));
    let kind = either(token, NameKind::RoleClass, NameKind::Class);
    let mut names = vec![
        (kind, format!("//{tag}[contains({padded},{asked})]")),
        (
            NameKind::PartOfClass,
            format!("//{tag}[contains(@class,{})]", literal(token)),
        ),
    ];
    if let Some(start) = start(token) {
        let asked = literal(&format!(" {start}"));
        let begins = format!("//{tag}[contains({padded},{asked})]");
        names.push((NameKind::ClassStart, begins));
    }
    names
}

fn either(name: &str, role: NameKind, other: NameKind) -> NameKind {
    let name = name.to_lowercase();
    if ROLES.iter().any(|word| name.contains(word)) {
        role
    } else {
        other
    }
}

/// The part before the first digit, if there is a digit and enough before it.
fn start(name: &str) -> Option<&str> {
    let start = &name[..name.find(|c: char| c.is_ascii_digit())?];
    let letters = start.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= MIN_START).then_some(start)
}

/// True if a tag can be written as a step.
fn is_name(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The position of an element: `/html/body/div[2]`, a place among the siblings of
/// its tag where there are several.
pub(super) fn path(page: &Page, n: NodeId) -> Option<String> {
    let mut steps = Vec::new();
    let mut at = Some(n);
    while let Some(element) = at {
        let tag = page.tag(element).filter(|tag| is_name(tag))?;
        let parent = page.parent(element)?;
        let same = page.children(parent).filter(|&child| page.is(child, tag));
        let before = page.children(parent).take_while(|&child| child != element);
        let place = before.filter(|&child| page.is(child, tag)).count() + 1;
        steps.push(match same.count() {
            1 => tag.to_string(),
            _ => format!("{tag}[{place}]"),
        });
        at = page.parent_element(element);
    }
    steps.reverse();
    Some(format!("/{}", steps.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the first element of the body.
    fn check(html: &str, expected: &[(NameKind, &str)]) {
        let page = Page::from_html(html);
        let body = page.body().expect("body");
        let element = page.children(body).next().expect("an element");
        let names = of_element(&page, element);
        let names: Vec<(NameKind, &str)> = names.iter().map(|(kind, x)| (*kind, &**x)).collect();
        assert_eq!(names, expected, "{html}");
        for (_, xpath) in names {
            let xpath = forest_core::wrapper::xpath::XPath::parse(xpath).expect("an expression");
            assert!(xpath.nodes(&page).contains(&element), "{xpath:?}");
        }
    }

    #[test]
    fn elements_have_names() {
        check("<div>x", &[]);
        check("<article>x", &[(NameKind::Tag, "//article")]);
        check(
            "<div id=post-17 itemprop=articleBody>x",
            &[
                (NameKind::RoleId, "//div[@id='post-17']"),
                (NameKind::IdStart, "//div[starts-with(@id,'post-')]"),
                (NameKind::Role, "//div[@itemprop='articleBody']"),
            ],
        );
        check(
            "<table id=c2 width=600><td>x</table>",
            &[
                (NameKind::Id, "//table[@id='c2']"),
                (NameKind::Looks, "//table[@width='600']"),
            ],
        );
        let padded = "concat(' ',normalize-space(@class),' ')";
        check(
            "<div class='wide  Story'>x",
            &[
                (NameKind::WholeClass, "//div[@class='wide  Story']"),
                (
                    NameKind::Class,
                    &format!("//div[contains({padded},' wide ')]"),
                ),
                (NameKind::PartOfClass, "//div[contains(@class,'wide')]"),
                (
                    NameKind::RoleClass,
                    &format!("//div[contains({padded},' Story ')]"),
                ),
                (NameKind::PartOfClass, "//div[contains(@class,'Story')]"),
            ],
        );
        check(
            "<div class=left3x>x",
            &[
                (NameKind::WholeClass, "//div[@class='left3x']"),
                (
                    NameKind::Class,
                    &format!("//div[contains({padded},' left3x ')]"),
                ),
                (NameKind::PartOfClass, "//div[contains(@class,'left3x')]"),
                (
                    NameKind::ClassStart,
                    &format!("//div[contains({padded},' left')]"),
                ),
            ],
        );
    }

    #[test]
    fn a_position_counts_among_its_tag() {
        let page = Page::from_html("<p>a</p><div>b</div><div><p>c</p></div>");
        let at = |text: &str| {
            let is_text = |&n: &NodeId| page.tag(n).is_none() && page.text(n) == text;
            let node = page.nodes().rev().find(is_text).expect("a text");
            path(&page, page.parent_element(node).expect("an element"))
        };
        assert_eq!(at("a").as_deref(), Some("/html/body/p"));
        assert_eq!(at("b").as_deref(), Some("/html/body/div[1]"));
        assert_eq!(at("c").as_deref(), Some("/html/body/div[2]/p"));
    }
}
