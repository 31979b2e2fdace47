//! The day of publication that a page shows: beside its title, else elsewhere.
//!
//! Read where the page's head has none. A day is not the page's if it stands in a menu, a side
//! bar, a footer, a comment, a quotation, a card that leads elsewhere, or a line about a change.

use super::super::{Kind, NodeId, Page};
use super::class_names::{begins_aside, holds_article, is_named, name_tokens, name_values, tokens};
use super::date::{Date, DateStyle};
use super::day_words::{DayLine, has_day, is_label, is_label_of_change};
use super::names::is_introduced;
use super::regions::Regions;
use crate::page::plain::text_without;
use foldhash::HashMap;
use html5ever::{LocalName, local_name};

/// Words of a class or an id that name the date of publication, and ends of words that do: in
/// English, German, Scandinavian and Slavic languages, Spanish, Italian, French, Portuguese,
/// Polish, Finnish, Turkish, Vietnamese, Indonesian.
const DATE: [&str; 34] = [
    "published",
    "pubdate",
    "date",
    "posted",
    "postdate",
    "dateline",
    "datetime",
    "timestamp",
    "created",
    "time",
    "publish",
    "publishing",
    "pubtime",
    "publishtime",
    "posttime",
    "datum",
    "dato",
    "erschienen",
    "veroeffentlicht",
    "fecha",
    "publicado",
    "publicacion",
    "publicacao",
    "pubblicato",
    "publie",
    "opublikowano",
    "julkaistu",
    "tarih",
    "yayin",
    "ngay",
    "tanggal",
    "tgl",
    "skapad",
    "kelt",
];
const DATE_ENDS: [&str; 4] = ["date", "datum", "fecha", "dato"];

/// Words that spoil it.
const NOT_A_DATE: &str = "\
    comment comments modified updated update lastupdate event events expires expiry today current now \
    clock deadline birth birthdate start end startdate enddate valid weather duration reading read \
    candidate validate mandate edited changed";

/// Beginnings of classes and ids of blocks with days of something else.
const ELSEWHERE: [&str; 18] = [
    "teaser",
    "tweet",
    "twitter",
    "instagram",
    "embed",
    "event",
    "next",
    "prev",
    "trending",
    "popular",
    "latest",
    "mostread",
    "most-read",
    "newsletter",
    "response",
    "discussion",
    "weather",
    "promo",
];

/// Attributes that hold a day for programs, the better first.
const DAY_ATTRS: [&str; 10] = [
    "datetime",
    "content",
    "data-published",
    "data-datetime",
    "data-date",
    "data-time",
    "data-publish-date",
    "data-timestamp",
    "data-utime",
    "title",
];

/// Bytes of text between the title and a day that stands beside it: behind it with a name or
/// a label, behind it without, before it. A headline's lead has some 300.
const BEHIND: usize = 1500;
const PLAIN_BEHIND: usize = 700;
const BEFORE: usize = 150;

/// Bytes of an element that is named for a date, at the most.
const MAX_NAMED_BYTES: usize = 160;

/// Words beside a date in a line that is beside a title and says nothing of it, in a line
/// without place, and in a link that leads to its own page.
const MAX_PLAIN_OTHERS: usize = 7;
const MAX_BARE_OTHERS: usize = 1;
const MAX_LINK_OTHERS: usize = 3;

/// Bytes of the beginning of a longer text, up to a mark, that may be its date.
const MAX_HEAD_BYTES: usize = 40;

/// Digits of a date at the least: `June 5, 2023`.
const MIN_DIGITS: usize = 5;

/// Bytes of a text that is a paragraph, and paragraphs between the title and a day beside it that
/// nothing names: the headline's lead.
const PARAGRAPH_BYTES: usize = 200;
const MAX_PARAGRAPHS: usize = 1;

/// Words of a class or an id of an element that names the day of a change.
const CHANGED: [&str; 3] = ["modif", "updat", "aktualisier"];

/// Days of a page that are looked at.
const MAX_DAYS: usize = 64;

/// The reason why a day is the page's, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DayKind {
    /// A `time`.
    Time,
    /// A class, an id or an attribute.
    Named,
    /// A label, or the author's line.
    Labelled,
    /// Hardly a word but the date.
    Bare,
    /// A short line.
    Plain,
}

/// The place of a day, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DayPlace {
    Behind,
    Before,
    Elsewhere,
}

/// A day that a page shows.
#[derive(Debug)]
pub(super) struct ShownDay {
    pub date: Date,
    /// It is that of a `time`.
    pub is_stated: bool,
    /// It stands beside the title, and something says what it is.
    pub is_sure: bool,
}

#[derive(Debug)]
struct DayCandidate {
    place: DayPlace,
    kind: DayKind,
    date: Date,
}

/// The day of publication that a page shows; `title` is the heading that has its title.
pub(super) fn find_day(page: &Page, title: Option<NodeId>, style: DateStyle) -> Option<ShownDay> {
    let mut days = DayWalk::new(page, title, style);
    days.walk();
    let has_place =
        |day: &&DayCandidate| day.place != DayPlace::Elsewhere || day.kind < DayKind::Bare;
    let best = days.found.iter().filter(has_place);
    // Of several days without place or name none is the page's.
    let lost = || {
        let mut lost = days.found.iter().filter(|day| day.kind == DayKind::Bare);
        let first = lost.next()?;
        let is_same = |day: &DayCandidate| day.date.days_from(&first.date) == Some(0);
        lost.all(is_same).then_some(first)
    };
    let best = best.min_by_key(|day| (day.is_weak(), day.place, day.kind));
    let day = best.or_else(lost)?;
    // The same day may stand elsewhere with its time.
    let is_same = |other: &&DayCandidate| {
        other.kind < DayKind::Bare
            && other.date.has_time()
            && other.date.days_from(&day.date) == Some(0)
    };
    let timed = days
        .found
        .iter()
        .find(is_same)
        .filter(|_| !day.date.has_time());
    Some(ShownDay {
        date: timed.unwrap_or(day).date.clone(),
        is_stated: day.kind == DayKind::Time,
        is_sure: day.place != DayPlace::Elsewhere && day.kind < DayKind::Bare,
    })
}

/// The day that a text is, without other words.
pub(super) fn day_alone(text: &str, style: DateStyle) -> Option<Date> {
    let line = DayLine::read(text, style)?;
    (line.begins && line.others == 0).then_some(line.date)
}

impl DayCandidate {
    /// Without a word for it, and before the title: after those that have one.
    fn is_weak(&self) -> bool {
        self.place == DayPlace::Before && self.kind >= DayKind::Bare
    }
}

struct DayWalk<'a> {
    page: &'a Page,
    title: Option<NodeId>,
    style: DateStyle,
    found: Vec<DayCandidate>,
    /// The last text before, if it is a label.
    label: Option<DayLabel>,
    /// The text of the last line: an author's line has several elements.
    line: String,
    /// Paragraphs behind the title so far.
    paragraphs: usize,
    /// By the value of a class or an id: many elements have the same.
    names: HashMap<&'a str, DayNames>,
}

/// The meaning of a class or an id.
#[derive(Debug, Clone, Copy, Default)]
struct DayNames {
    /// It is that of a block with days of something else.
    is_elsewhere: bool,
    /// It is that of a block with authors of something else, unless that is the article.
    is_aside: bool,
    /// It names the day of publication.
    is_day: bool,
}

impl DayNames {
    fn of(value: &str) -> DayNames {
        let begins = |token: &str, word: &str| {
            let start = token.as_bytes().get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        };
        let is_day = |token: &str| {
            is_named(token, &DATE, NOT_A_DATE) || (ends_as_date(token) && is_named_else(token))
        };
        DayNames {
            is_elsewhere: tokens(value)
                .any(|token| ELSEWHERE.iter().any(|word| begins(token, word))),
            is_aside: tokens(value).any(begins_aside),
            is_day: tokens(value).any(is_day),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayLabel {
    Published,
    Changed,
}

impl<'a> DayWalk<'a> {
    fn new(page: &'a Page, title: Option<NodeId>, style: DateStyle) -> DayWalk<'a> {
        DayWalk {
            page,
            title,
            style,
            found: Vec::new(),
            label: None,
            line: String::new(),
            paragraphs: 0,
            names: HashMap::default(),
        }
    }

    /// The meaning of an element's class and id.
    fn names(&mut self, n: NodeId) -> DayNames {
        let mut names = DayNames::default();
        for value in name_values(self.page, n) {
            let of_value = self
                .names
                .entry(value)
                .or_insert_with(|| DayNames::of(value));
            names.is_elsewhere |= of_value.is_elsewhere;
            names.is_aside |= of_value.is_aside;
            names.is_day |= of_value.is_day;
        }
        names
    }

    fn walk(&mut self) {
        let page = self.page;
        let mut regions = Regions::default();
        let mut nodes = page.walk(page.root());
        while let Some(n) = nodes.next() {
            if self.found.len() == MAX_DAYS {
                break;
            }
            match page.kind(n) {
                Kind::Element => {
                    let Some(tag) = page.tag(n) else { continue };
                    regions.enter(page, n, tag);
                    let holds_title = self.title.is_some_and(|title| page.contains(n, title));
                    let is_page = *tag == local_name!("html") || *tag == local_name!("body");
                    let is_beside = self.place(n) == DayPlace::Behind;
                    let is_side = regions.in_side(n) && !is_beside;
                    if !holds_title && !is_page && (is_side || self.is_elsewhere(n, tag)) {
                        nodes.pass_over(n);
                    } else if self.element(n, tag) {
                        self.label = None;
                        nodes.pass_over(n);
                    }
                }
                Kind::Text if page.is_content(n) => self.text(n),
                _ => {}
            }
        }
    }

    /// True if the days in an element are those of something else.
    fn is_elsewhere(&mut self, n: NodeId, tag: &LocalName) -> bool {
        let page = self.page;
        let names = self.names(n);
        let is_named_so = names.is_elsewhere && !self.is_line_of_title(n)
            || names.is_aside && !holds_article(page, n);
        let is_quoted = *tag == local_name!("blockquote") || *tag == local_name!("nav");
        let is_card = || {
            let text = page.text(n).trim();
            let line = DayLine::read(text, self.style);
            text.len() > MAX_NAMED_BYTES || line.is_some_and(|line| line.others > MAX_LINK_OTHERS)
        };
        is_quoted
            || is_named_so
            || self.is_change(n, tag)
            || (*tag == local_name!("a") && is_card())
    }

    /// True for a line right behind the title and on its level: where the title's block is named
    /// as a teaser, so is this.
    fn is_line_of_title(&self, n: NodeId) -> bool {
        /// Nodes between the two, none of them with text.
        const MAX_BETWEEN: usize = 8;
        let page = self.page;
        self.title.is_some_and(|title| {
            let between = page.end(title).0..n.0;
            page.end(title) <= n
                && between.len() <= MAX_BETWEEN
                && page.parent(n) == page.parent(title)
                && between.map(NodeId).all(|n| page.text(n).trim().is_empty())
                && page.text(n).trim().len() <= MAX_NAMED_BYTES
        })
    }

    /// True if a class or an id says that all of an element is about a change; many systems
    /// give the day of publication both names.
    fn is_change(&self, n: NodeId, tag: &LocalName) -> bool {
        let page = self.page;
        let has = |token: &str, words: &[&str]| {
            let lower = token.to_ascii_lowercase();
            // Microformats call the block of both days so.
            lower != "updated" && words.iter().any(|word| lower.contains(word))
        };
        *tag != local_name!("time")
            && page.text(n).len() <= MAX_NAMED_BYTES
            && has_day(page.text(n))
            && name_tokens(page, n).any(|token| has(token, &CHANGED))
            && !name_tokens(page, n).any(|token| has(token, &["publ"]))
    }

    /// Looks at an element; true if its text need not be looked at.
    fn element(&mut self, n: NodeId, tag: &LocalName) -> bool {
        let page = self.page;
        let text = page.text(n).trim();
        let is_time = *tag == local_name!("time") || &**tag == "relative-time";
        let is_abbr = *tag == local_name!("abbr") && self.place(n) != DayPlace::Elsewhere;
        if self.page.breaks_line(n) {
            self.line.clear();
        }
        // Most elements have neither digits nor attributes to read.
        let may_be_day = || has_day(text) || page.attr_range(n).len() > 1;
        if text.len() > MAX_NAMED_BYTES || !(is_time || is_abbr || may_be_day()) {
            return false;
        }
        let is_day = is_time || is_abbr || self.names(n).is_day;
        if is_day && self.label == Some(DayLabel::Changed) {
            return true;
        }
        // Of a block of several days each is looked at.
        let holds_time = || {
            let inner = page.subtree(n).skip(1);
            inner
                .take(MAX_NAMED_BYTES)
                .any(|inner| page.is(inner, &local_name!("time")))
        };
        if is_day && !holds_time() {
            let attrs = DAY_ATTRS.iter().filter_map(|attr| page.attr(n, attr));
            let stated = attrs
                .filter(|value| value.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS)
                .map(|value| Date::read_in(value, self.style.without_order()))
                .find(|date| date.rfc3339.is_some());
            if let Some(date) = stated {
                if is_label_of_change(text) || DayLine::is_change(text) {
                    return true;
                }
                let is_change = name_tokens(page, n).any(|token| token == "updated")
                    && !name_tokens(page, n).any(|token| token == "published");
                let kind = if is_change {
                    DayKind::Bare
                } else if is_time {
                    DayKind::Time
                } else {
                    DayKind::Named
                };
                self.push(n, kind, date);
                return true;
            }
            if let Some(line) = DayLine::read(&text_without(page, n, &|_| false), self.style) {
                let kind = if is_time {
                    DayKind::Time
                } else {
                    DayKind::Named
                };
                if line.others <= MAX_PLAIN_OTHERS {
                    self.push(n, kind, line.date);
                    return true;
                }
            }
        }
        false
    }

    fn text(&mut self, n: NodeId) {
        let text = self.page.text(n).trim();
        if text.is_empty() {
            return;
        }
        if text.len() >= PARAGRAPH_BYTES && self.place(n) == DayPlace::Behind {
            self.paragraphs += 1;
        }
        let label = self.label.take();
        if is_label_of_change(text) {
            self.label = Some(DayLabel::Changed);
            return;
        }
        if is_label(text) {
            self.label = Some(DayLabel::Published);
            return;
        }
        if label == Some(DayLabel::Changed) {
            return;
        }
        let before = self.line.len();
        if self.line.len() < MAX_NAMED_BYTES && text.len() < MAX_NAMED_BYTES {
            self.line.push_str(text);
            self.line.push(' ');
        }
        let place = self.place(n);
        let Some(line) = DayLine::read(text, self.style) else {
            if place != DayPlace::Elsewhere {
                self.head_of(n, text);
            }
            return;
        };
        let is_author_s = is_introduced(&self.line[..before]) || is_introduced(text);
        let is_sentence = text.ends_with(['.', '!', '?']) && line.others > MAX_BARE_OTHERS + 2;
        let is_labelled = line.is_labelled || is_author_s || label == Some(DayLabel::Published);
        if is_labelled && line.others <= 2 * MAX_PLAIN_OTHERS {
            self.push(n, DayKind::Labelled, line.date);
        } else if line.others <= MAX_BARE_OTHERS {
            self.push(n, DayKind::Bare, line.date);
        } else if !is_sentence && (line.begins || line.others <= MAX_PLAIN_OTHERS) {
            self.push(n, DayKind::Plain, line.date);
        }
    }

    /// Looks at the beginning of a longer text: `27.1.2022 - The council`.
    fn head_of(&mut self, n: NodeId, text: &str) {
        let marks = [" - ", " – ", " — ", " | ", ") ", ": "];
        let end = marks.iter().filter_map(|mark| text.find(mark)).min();
        let head = end
            .map(|end| &text[..end])
            .filter(|head| head.len() <= MAX_HEAD_BYTES);
        let line = head.and_then(|head| DayLine::read(head.trim_start_matches('('), self.style));
        if let Some(line) = line.filter(|line| line.others <= MAX_BARE_OTHERS) {
            self.push(n, DayKind::Plain, line.date);
        }
    }

    fn push(&mut self, n: NodeId, kind: DayKind, date: Date) {
        let mut place = self.place(n);
        let is_far = kind >= DayKind::Bare
            && (self.behind(n) > PLAIN_BEHIND || self.paragraphs > MAX_PARAGRAPHS);
        if place == DayPlace::Behind && is_far {
            place = DayPlace::Elsewhere;
        }
        self.found.push(DayCandidate { place, kind, date });
    }

    /// Bytes of text between the title and a node behind it.
    fn behind(&self, n: NodeId) -> usize {
        let end = self.title.map_or(0, |title| self.page.text_span(title).end);
        self.page.text_span(n).start.saturating_sub(end)
    }

    fn place(&self, n: NodeId) -> DayPlace {
        let Some(title) = self.title else {
            return DayPlace::Elsewhere;
        };
        let (title, own) = (self.page.text_span(title), self.page.text_span(n));
        if own.start >= title.start && self.behind(n) <= BEHIND {
            DayPlace::Behind
        } else if own.start < title.start && own.end + BEFORE >= title.start {
            DayPlace::Before
        } else {
            DayPlace::Elsewhere
        }
    }
}

/// True if a token of a class ends as a compound word for a date: `_publishingdate`.
fn ends_as_date(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    DATE_ENDS.iter().any(|end| lower.ends_with(end))
}

/// True if no word of a token spoils it.
fn is_named_else(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    !NOT_A_DATE
        .split_whitespace()
        .any(|word| lower.contains(word))
}
