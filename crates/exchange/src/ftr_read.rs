//! ftr-site-config to a wrapper.
//!
//! The format is that of the rule files of Full-Text RSS, which graby, wallabag and
//! others read too: `directive: value`, a line each, `#` before comments, named for
//! the host without `www.`, or `.example.org.txt` for all hosts below it
//! ([site patterns](http://help.fivefilters.org/customer/portal/articles/223153-site-patterns)).

use super::ftr_write::on_one_line;
use super::links::{GuardedLink, joined};
use super::note::{Note, NoteKind};
use crate::error::{ErrorKind, Result};
use forest_core::wrapper::expression::literal;
use forest_core::wrapper::xpath::XPath;
use forest_core::wrapper::{MAX_REPLACES, PageTest, Replace, Template, Wrapper, WrapperField};
use forest_html::text::BOM;
use std::borrow::Cow;

/// Directives for the parser, for cleaning and for guessing. They have no effect here, and
/// are not reported.
const WITHOUT_MEANING: [&str; 4] = ["tidy", "prune", "parser", "autodetect_on_failure"];

/// Other directives of the format that have no effect here.
const NOT_ACTED_ON: [&str; 17] = [
    "native_ad_clue",
    "single_page_link_in_feed",
    "insert_detected_image",
    "skip_json_ld",
    "src_lazy_load_attr",
    "wrap_in",
    "requires_login",
    "not_logged_in_xpath",
    "login_uri",
    "login_username_field",
    "login_password_field",
    "login_extra_fields",
    "dissolve",
    "footnotes",
    "strip_comments",
    "convert_double_br_tags",
    "skip_id_or_class",
];

/// A wrapper that was read from another format.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedWrapper {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// The parts of the file that the wrapper does not contain, by line.
    pub notes: Vec<Note>,
}

/// The site of an ftr-site-config file, by the file's name: its host, with a dot before it
/// if the file is for all hosts below. `None` if the name is not that of a host.
///
/// ```
/// use forest_exchange::site_of_file;
///
/// assert_eq!(site_of_file("Example.org.txt").as_deref(), Some("example.org"));
/// assert_eq!(site_of_file(".example.org.txt").as_deref(), Some(".example.org"));
/// assert_eq!(site_of_file("a b.txt"), None);
/// ```
pub fn site_of_file(name: &str) -> Option<String> {
    let site = name.strip_suffix(".txt").unwrap_or(name).to_lowercase();
    let host = site.strip_prefix('.').unwrap_or(&site);
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    let fits = !host.is_empty() && !host.starts_with('.') && host.len() <= 200;
    (fits && host.chars().all(allowed)).then_some(site)
}

/// Reads an ftr-site-config file for `site`. Alternatives stay in their order, and all
/// strips apply. A line that cannot be used is left out and noted; the others are read.
///
/// # Errors
///
/// If no line is a directive.
///
/// ```
/// use forest_exchange::from_ftr;
///
/// let read = from_ftr(b"body: //article\nstrip_id_or_class: share\nbody: //div[", "a.example")?;
/// assert_eq!(read.wrapper.templates[0].body, ["//article"]);
/// assert_eq!(read.wrapper.templates[0].strip[0].xpath, "//*[contains(@class, 'share') or contains(@id, 'share')]");
/// assert!(read.notes[0].to_string().starts_with("line 3, column 13: left out"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_ftr(bytes: &[u8], site: &str) -> Result<ImportedWrapper> {
    let mut reader = RuleReader::default();
    let text = decoded(bytes);
    if let Cow::Owned(_) = text {
        reader.note(0, NoteKind::Latin1);
    }
    let mut directives = 0;
    for (number, line) in (1..).zip(text.split('\n')) {
        // A carriage return that does not end a line is white space within the line.
        let line = line.replace('\r', " ");
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        match split(trimmed) {
            Some((name, value)) if is_name(name.trim()) => {
                directives += 1;
                // The start of the value: the column of a fault is counted from it.
                let value = value.trim();
                let at = value.as_ptr() as usize - line.as_ptr() as usize;
                let before = line[..at].chars().count();
                reader.read(
                    name.trim(),
                    value,
                    trimmed,
                    ValuePlace {
                        line: number,
                        before,
                    },
                );
            }
            _ => reader.note(number, NoteKind::NoDirective),
        }
    }
    if directives == 0 {
        let reason = "no line is a directive";
        return Err(ErrorKind::FtrFile { reason }.into());
    }
    Ok(reader.finish(site))
}

/// The text of UTF-8 without its byte order mark, or of ISO 8859-1.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// The directive and its value. The text in the parentheses of `replace_string()` may have
/// colons.
fn split(line: &str) -> Option<(&str, &str)> {
    if line.starts_with("replace_string(")
        && let Some(end) = line.find("):")
    {
        return Some((&line[..=end], &line[end + 2..]));
    }
    line.split_once(':')
}

/// `body`, `http_header(user-agent)`, `replace_string(<b class="x">)`.
fn is_name(name: &str) -> bool {
    let bare = name.split('(').next().unwrap_or(name);
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !bare.is_empty() && bare.chars().all(letters)
}

/// The place of a value.
#[derive(Clone, Copy)]
struct ValuePlace {
    line: usize,
    /// Characters of the line before it.
    before: usize,
}

#[derive(Default)]
struct RuleReader {
    wrapper: Wrapper,
    template: Template,
    single: Vec<GuardedLink>,
    next: Vec<GuardedLink>,
    /// Lines and texts of `find_string` and of `replace_string`.
    find: Vec<(usize, String)>,
    with: Vec<(usize, String)>,
    /// The latest `test_url`; true if its text has not been read yet.
    url: Option<(String, bool)>,
    notes: Vec<Note>,
}

impl RuleReader {
    fn note(&mut self, line: usize, kind: NoteKind) {
        let column = None;
        self.notes.push(Note { line, column, kind });
    }

    /// Strips elements by a text in their class or id, or pictures by one in their address.
    fn strip_by_text(&mut self, directive: &str, text: &str, place: ValuePlace) {
        let text = literal(text);
        let xpath = match directive {
            "strip_image_src" => format!("//img[contains(@src, {text})]"),
            _ => format!("//*[contains(@class, {text}) or contains(@id, {text})]"),
        };
        if let Some(xpath) = self.xpath(&xpath, place) {
            self.template.strip.push(xpath.source().into());
        }
    }

    /// A link to the next page, or to the article on one page.
    fn link(&mut self, directive: &str, value: &str, place: ValuePlace) {
        let Some(xpath) = self.xpath(value, place) else {
            return;
        };
        let links = match directive {
            "next_page_link" => &mut self.next,
            _ => &mut self.single,
        };
        links.push(GuardedLink {
            line: place.line,
            xpath,
            condition: None,
        });
    }

    /// A text of the page of the last `test_url`.
    fn test_text(&mut self, value: &str, line: usize) {
        let Some((url, open)) = &mut self.url else {
            let (directive, before) = ("test_contains", "test_url");
            return self.note(line, NoteKind::Without { directive, before });
        };
        *open = false;
        let url = url.clone();
        self.test(url, value);
    }

    /// A directive that is kept as it stands.
    fn foreign(&mut self, bare: &str, name: &str, whole: &str, line: usize) {
        let name = name.to_owned();
        match bare {
            _ if WITHOUT_MEANING.contains(&bare) => {}
            _ if NOT_ACTED_ON.contains(&bare) => self.note(line, NoteKind::NotActedOn(name)),
            _ => self.note(line, NoteKind::Unknown(name)),
        }
        self.wrapper.foreign.push(whole.to_owned());
    }

    /// One directive; `whole` is its line.
    fn read(&mut self, name: &str, value: &str, whole: &str, place: ValuePlace) {
        let ValuePlace { line, .. } = place;
        let (bare, inside) = match name.split_once('(') {
            Some((bare, rest)) => (bare, rest.strip_suffix(')')),
            None => (name, None),
        };
        let may_be_empty = ["find_string", "replace_string"].contains(&bare);
        if value.is_empty() && !may_be_empty {
            return self.note(line, NoteKind::Empty(name.to_owned()));
        }
        match (bare, inside) {
            ("body" | "title" | "author" | "date" | "strip" | "strip_attr", None) => {
                let Some(xpath) = self.xpath(value, place) else {
                    return;
                };
                let field = match bare {
                    "body" => WrapperField::Body,
                    "title" => WrapperField::Title,
                    "author" => WrapperField::Author,
                    "date" => WrapperField::Date,
                    _ => WrapperField::Strip,
                };
                self.template.add(field, xpath.source().to_owned());
            }
            ("strip_id_or_class" | "strip_image_src", None) => {
                // As the format has it: the quotes are not part of the text.
                let text: String = value.chars().filter(|c| !matches!(c, '"' | '\'')).collect();
                if text.trim().is_empty() {
                    return self.note(line, NoteKind::Empty(name.to_owned()));
                }
                self.strip_by_text(bare, &text, place);
            }
            ("single_page_link" | "next_page_link", None) => self.link(bare, value, place),
            ("if_page_contains", None) => self.condition(value, place),
            ("find_string", None) => self.find.push((line, value.to_owned())),
            ("replace_string", None) => self.with.push((line, value.to_owned())),
            ("replace_string", Some(find)) => {
                self.find.push((line, find.to_owned()));
                self.with.push((line, value.to_owned()));
            }
            ("http_header", Some(header)) => self.header(header, value, line),
            ("http_header", None) => match value.split_once(':') {
                Some((header, value)) => self.header(header, value, line),
                None => self.note(line, NoteKind::Header),
            },
            ("test_url", None) => {
                self.close_test();
                self.url = Some((value.to_owned(), true));
            }
            ("test_contains", None) => self.test_text(value, line),
            _ => self.foreign(bare, name, whole, line),
        }
    }

    /// The expression, if it can have a result.
    fn xpath(&mut self, source: &str, place: ValuePlace) -> Option<XPath> {
        let compiled = XPath::compile(source).and_then(|xpath| match on_one_line(source) {
            same if same == source => Ok(xpath),
            plain => XPath::compile(&plain),
        });
        let (reason, byte) = match compiled {
            Ok(xpath) => match xpath.unknown() {
                None => return Some(xpath),
                Some(reason) => (reason, None),
            },
            Err(fault) => (fault.reason, fault.byte),
        };
        let column = byte.map(|at| {
            let at = source.floor_char_boundary(at);
            place.before + source[..at].chars().count() + 1
        });
        self.notes.push(Note {
            line: place.line,
            column,
            kind: NoteKind::NotXPath {
                expression: source.chars().take(200).collect(),
                reason,
            },
        });
        None
    }

    /// `if_page_contains`: the condition of the latest link to the whole article, else of
    /// the latest link to the next page.
    fn condition(&mut self, value: &str, place: ValuePlace) {
        let Some(condition) = self.xpath(value, place) else {
            return;
        };
        let link = match self.single.last_mut() {
            Some(link) => Some(link),
            None => self.next.last_mut(),
        };
        match link {
            Some(link) => link.condition = Some(condition),
            None => self.note(
                place.line,
                NoteKind::Without {
                    directive: "if_page_contains",
                    before: "single_page_link",
                },
            ),
        }
    }

    fn header(&mut self, name: &str, value: &str, line: usize) {
        let name = name.trim().to_lowercase();
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let value = value.trim();
        if name.is_empty() || !name.chars().all(token) || value.is_empty() {
            return self.note(line, NoteKind::Header);
        }
        self.wrapper.headers.insert(name, value.to_owned());
    }

    /// A page without a text of its own: any text passes its test.
    fn close_test(&mut self) {
        if let Some((url, true)) = self.url.take() {
            self.test(url, "");
        }
    }

    /// A required text replaces the test for any text of the page named last.
    fn test(&mut self, url: String, contains: &str) {
        let tests = &mut self.wrapper.tests;
        if tests.last().is_some_and(|last| last.url == url) {
            if contains.is_empty() {
                return;
            }
            tests.pop_if(|last| last.contains.is_empty());
        }
        let contains = contains.to_owned();
        tests.push(PageTest { url, contains });
    }

    fn finish(mut self, site: &str) -> ImportedWrapper {
        self.close_test();
        for (links, single) in [
            (std::mem::take(&mut self.single), true),
            (std::mem::take(&mut self.next), false),
        ] {
            let (whole, left_out) = joined(&links);
            if single {
                self.wrapper.single_page = whole
            } else {
                self.wrapper.next_page = whole
            }
            for (line, what) in left_out {
                self.note(line, what);
            }
        }
        self.pair_replaces();
        if self.template.body.is_empty() {
            self.note(0, NoteKind::NoBody);
        }
        self.notes.sort_by_key(|note| note.line);
        self.wrapper.site = site.to_owned();
        self.wrapper.templates = vec![self.template];
        ImportedWrapper {
            wrapper: self.wrapper,
            notes: self.notes,
        }
    }

    /// As the format has it: the first with the first, and so on, whatever lines are between
    /// them.
    fn pair_replaces(&mut self) {
        let (find, with) = (
            std::mem::take(&mut self.find),
            std::mem::take(&mut self.with),
        );
        if find.len() != with.len() {
            let longer = if find.len() > with.len() {
                &find
            } else {
                &with
            };
            let (line, _) = longer[find.len().min(with.len())];
            return self.note(line, NoteKind::Unpaired);
        }
        for ((line, find), (_, with)) in find.into_iter().zip(with) {
            if find.is_empty() {
                self.note(line, NoteKind::Empty("find_string".to_owned()));
            } else if self.wrapper.replace.len() == MAX_REPLACES {
                self.note(line, NoteKind::TooManyReplaces);
            } else {
                self.wrapper.replace.push(Replace { find, with });
            }
        }
    }
}
