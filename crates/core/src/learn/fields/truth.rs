//! The right values of each page of a sample, and their source.

use super::field::ArticleField;
use crate::feed::FeedItem;
use crate::learn::page::SamplePage;
use crate::wrapper::WrapperField;
use chrono::{DateTime, Datelike, Duration, FixedOffset};
use forest_html::page::Page;
use forest_html::page::metadata::{Date, DateStyle, Metadata, names, same_day};
use forest_html::text::{first_of_tokens, metric_words};
use std::collections::BTreeSet;

/// Bytes of a text that may be a title, and of one that may be a byline, a date or
/// a tag.
pub(super) const MAX_VALUE_BYTES: usize = 600;
const MAX_LINE_BYTES: usize = 200;

/// Bytes of a text of which all is read as a date.
const MAX_DAY_BYTES: usize = 60;

/// Forms of dates that [`Date::read_in`] does not read by themselves, as they leave
/// open which number is which: the order that fits the sample is learned.
const FORMATS: [&str; 9] = [
    "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y",
    "%y-%m-%d",
];

/// Pages with a value from a source from which on worse sources do not say what is right on
/// the others.
const MIN_BY_SOURCE: usize = 2;

/// Pages from which on one date or author beside all texts is the site's.
const MIN_SHARED: usize = 3;

/// The source of a right value, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TruthSource {
    Feed,
    Metadata,
    /// Metadata from a class, a link or a line in the body.
    BesideText,
}

/// Pages from which on the same end of all titles is the site's name.
const MIN_TITLES: usize = 3;

/// Tags from which on those that all pages name are the site's: a site of one subject
/// gives all of its articles a tag or two.
const MIN_COMMON_TAGS: usize = 4;

/// The right values of a page.
#[derive(Debug)]
pub(super) struct Truth {
    /// The title's words.
    title: Option<String>,
    authors: BTreeSet<String>,
    /// The first author's name as the feed writes it.
    written_author: Option<String>,
    /// The last word of the first author, as it may be written.
    author_words: Vec<String>,
    published: Option<DateTime<FixedOffset>>,
    /// The numbers of the days from two before to two after that.
    days: [u32; 5],
    tags: BTreeSet<String>,
    /// The first token of each.
    tag_starts: Vec<char>,
    /// How the page writes dates.
    date_style: DateStyle,
    /// The metadata's value of each field.
    said: MetadataValues,
    /// The fields whose right value is the feed's.
    by_feed: Vec<ArticleField>,
    /// The fields that the metadata has from a class, a link or a line in the body alone.
    beside_text: Vec<ArticleField>,
    /// The authors stand beside the title.
    are_authors_near: bool,
}

/// The metadata's values.
#[derive(Debug, Default)]
struct MetadataValues {
    title: Option<String>,
    authors: Vec<String>,
    published: Option<String>,
    tags: Vec<String>,
}

/// The right values on the pages of a sample.
#[derive(Debug)]
pub(super) struct SampleTruth {
    /// By page.
    pub truths: Vec<Truth>,
    /// The tags that the metadata of all pages names, which are no page's.
    pub tags_of_site: Vec<String>,
    /// Date and authors that are the same beside all texts, and the site's.
    pub shared: Vec<WrapperField>,
}

impl SampleTruth {
    /// The truth of each page: what the feed says, else the metadata, else what stands beside
    /// the text. Where a source has enough pages, worse ones say nothing of the others.
    pub fn of(pages: &[&SamplePage]) -> SampleTruth {
        let mut all: Vec<Metadata> = pages
            .iter()
            .map(|sample| sample.page.metadata().clone())
            .collect();
        let tags_of_site = common_tags(&all);
        for meta in &mut all {
            meta.tags.retain(|tag| !tags_of_site.contains(tag));
        }
        let titles: Vec<&str> = all
            .iter()
            .filter_map(|meta| meta.title.as_deref())
            .collect();
        let site = common_end(&titles).to_owned();
        let truths = pages.iter().zip(all);
        let truths = truths.map(|(sample, meta)| Truth::of(sample, meta, &site));
        let mut truths: Vec<Truth> = truths.collect();
        for field in ArticleField::ALL {
            let up_to = |source| {
                truths
                    .iter()
                    .filter(move |truth| truth.knows_by(field, source))
            };
            let is_enough = |source: &TruthSource| up_to(*source).count() >= MIN_BY_SOURCE;
            let mut sources = [TruthSource::Feed, TruthSource::Metadata].into_iter();
            if let Some(source) = sources.find(is_enough) {
                for truth in truths.iter_mut().filter(|t| !t.knows_by(field, source)) {
                    truth.forget(field);
                }
            }
        }
        let fields = [
            (ArticleField::Author, WrapperField::Author),
            (ArticleField::Date, WrapperField::Date),
        ];
        let mut shared = Vec::new();
        for (field, of_wrapper) in fields {
            if is_shared(&truths, field) {
                truths.iter_mut().for_each(|truth| truth.forget(field));
                shared.push(of_wrapper);
            }
        }
        SampleTruth {
            truths,
            tags_of_site,
            shared,
        }
    }
}

/// True if a field has one value on all pages that have any, from beside the text, and on
/// enough of them.
fn is_shared(truths: &[Truth], field: ArticleField) -> bool {
    let mut known = truths.iter().filter(|truth| truth.knows(field));
    let Some(first) = known.next() else {
        return false;
    };
    let is_same = |truth: &Truth| match field {
        ArticleField::Author => truth.authors == first.authors,
        _ => truth.published == first.published,
    };
    // A line of the author below each title is that of a site with one author.
    let is_line = |truth: &Truth| field == ArticleField::Author && truth.are_authors_near;
    let is_beside = |truth: &Truth| {
        truth.beside_text.contains(&field) && !truth.is_by_feed(field) && !is_line(truth)
    };
    let others: Vec<&Truth> = known.collect();
    others.len() + 1 >= MIN_SHARED
        && is_beside(first)
        && others
            .iter()
            .all(|truth| is_beside(truth) && is_same(truth))
}

impl Truth {
    /// True if it is known what is right from a source, or from a better one.
    fn knows_by(&self, field: ArticleField, source: TruthSource) -> bool {
        let own = if self.is_by_feed(field) {
            TruthSource::Feed
        } else if self.beside_text.contains(&field) {
            TruthSource::BesideText
        } else {
            TruthSource::Metadata
        };
        self.knows(field) && own <= source
    }

    /// Leaves open what is right.
    fn forget(&mut self, field: ArticleField) {
        match field {
            ArticleField::Title => self.title = None,
            ArticleField::Author => self.authors.clear(),
            ArticleField::Date => self.published = None,
            ArticleField::Tags => self.tags.clear(),
        }
    }

    /// The name of the only author, by the feed, as it is written there.
    pub fn only_author(&self) -> Option<&str> {
        let is_one = self.authors.len() == 1 && self.is_by_feed(ArticleField::Author);
        self.written_author.as_deref().filter(|_| is_one)
    }

    fn of(sample: &SamplePage, meta: Metadata, site: &str) -> Truth {
        let no_item = FeedItem::default();
        let item = sample.item.as_ref().unwrap_or(&no_item);
        let item_title = Some(metric_words(&item.title));
        let item_title = item_title.filter(|title| !title.is_empty());
        let item_authors = name_set(&item.authors);
        let item_tags = tag_set(&item.categories);
        let moment = |raw: &str| DateTime::parse_from_rfc3339(raw).ok();
        let item_date = item.date();
        let item_date = item_date.and_then(|date| moment(&Date::read(&date.to_string()).rfc3339?));
        let by_feed = [
            (ArticleField::Title, item_title.is_some()),
            (ArticleField::Author, !item_authors.is_empty()),
            (ArticleField::Date, item_date.is_some()),
            (ArticleField::Tags, !item_tags.is_empty()),
        ];
        let by_feed = by_feed.into_iter().filter(|(_, is_there)| *is_there);
        let by_feed = by_feed.map(|(field, _)| field).collect();
        let beside_text = [
            (ArticleField::Author, meta.authors_beside_text),
            (ArticleField::Date, meta.date_beside_text),
        ];
        let beside_text = beside_text.into_iter().filter(|(_, is_beside)| *is_beside);
        let beside_text = beside_text.map(|(field, _)| field).collect();
        let said_title = meta.title.as_deref();
        let own_title = |title: &str| metric_words(title.strip_suffix(site).unwrap_or(title));
        let title = item_title.or_else(|| said_title.map(own_title));
        let said_date = meta.date_published.as_ref();
        let said_date = said_date.and_then(|date| date.rfc3339.clone());
        let published = item_date.or_else(|| said_date.as_deref().and_then(moment));
        let first_of = |item: BTreeSet<String>, said: BTreeSet<String>| {
            if item.is_empty() { said } else { item }
        };
        let authors = first_of(item_authors, name_set(&meta.authors));
        let tags = first_of(item_tags, tag_set(&meta.tags));
        let date_style = DateStyle::of(meta.language.as_deref(), sample.page.url());
        Truth {
            title: title.filter(|title| !title.is_empty()),
            written_author: item.authors.iter().flat_map(|line| names(line)).next(),
            author_words: spellings(&authors, &item.authors),
            authors,
            published,
            days: published.map_or([0; 5], |right| {
                [-2, -1, 0, 1, 2].map(|by| (right + Duration::days(by)).day())
            }),
            tag_starts: tags.iter().filter_map(|tag| first_of_tokens(tag)).collect(),
            tags,
            date_style,
            said: MetadataValues {
                title: meta.title,
                authors: meta.authors,
                published: said_date,
                tags: meta.tags,
            },
            by_feed,
            beside_text,
            are_authors_near: meta.authors_near_title,
        }
    }

    /// True if it is known what is right.
    pub fn knows(&self, field: ArticleField) -> bool {
        match field {
            ArticleField::Title => self.title.is_some(),
            ArticleField::Author => !self.authors.is_empty(),
            ArticleField::Date => self.published.is_some(),
            ArticleField::Tags => !self.tags.is_empty(),
        }
    }

    /// True if the feed says what is right.
    pub fn is_by_feed(&self, field: ArticleField) -> bool {
        self.by_feed.contains(&field)
    }

    /// Something that tells the right values of two pages apart.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// True if one text says what is right, or of a list a part of it.
    pub fn is_find(&self, field: ArticleField, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_VALUE_BYTES || !self.knows(field) {
            return false;
        }
        match field {
            ArticleField::Title => self.title.as_deref().is_some_and(|title| {
                text.len() <= 3 * title.len() + 20
                    && 4 * text.len() >= title.len()
                    && says(text, title)
            }),
            _ if text.len() > MAX_LINE_BYTES => false,
            ArticleField::Author => {
                let is_there = |word: &String| text.contains(&**word);
                self.author_words.iter().any(is_there) && {
                    let found = name_set(&[text]);
                    !found.is_empty() && found.is_subset(&self.authors)
                }
            }
            ArticleField::Date if !self.may_be_day(text, 1) => false,
            ArticleField::Date => {
                let mut formats = FORMATS.iter().filter(|_| is_open_form(text));
                self.reads(text, None) || formats.any(|f| self.reads(text, Some(f)))
            }
            ArticleField::Tags => self.may_be_tag(text) && self.tags.contains(&metric_words(text)),
        }
    }

    /// True if values are right, dates in a format of [`Truth::formats`].
    pub fn is_right(&self, field: ArticleField, values: &[&str], format: Option<&str>) -> bool {
        match field {
            ArticleField::Title => {
                let said = values.first().zip(self.title());
                said.is_some_and(|(value, title)| says(value, title))
            }
            // The first wrong name ends it: most lists of links are none of authors.
            ArticleField::Author => {
                let mut found = BTreeSet::new();
                let mut sets = values.iter().map(|byline| name_set(&[byline]));
                sets.all(|names| {
                    let right = names.is_subset(&self.authors);
                    found.extend(names);
                    right
                }) && found == self.authors
            }
            // The days of two moments of one day differ by two at the most, as each may
            // be written in a zone of its own.
            ArticleField::Date => values.first().is_some_and(|raw| {
                let may_be = raw.len() > MAX_DAY_BYTES || self.may_be_day(raw, 2);
                may_be && self.reads(raw, format)
            }),
            ArticleField::Tags => self.are_tags(values),
        }
    }

    /// True if values are the tags by an F1 of 0.8: a category of its own beside the tags
    /// is not wrong.
    fn are_tags(&self, values: &[&str]) -> bool {
        let of = self.tags.len();
        // Both bounds follow from the last line, as no more is common than of either.
        let may_be = values.iter().filter(|tag| self.may_be_tag(tag));
        if 3 * may_be.take(of).count() < 2 * of {
            return false;
        }
        let mut found = BTreeSet::new();
        for tag in values {
            found.insert(metric_words(tag));
            if 2 * found.len() > 3 * of {
                return false;
            }
        }
        let common = found.intersection(&self.tags).count();
        10 * common >= 4 * (found.len() + of)
    }

    /// True if the metadata says anything of a field outside of the body's text, and true if
    /// that is right.
    pub fn said(&self, field: ArticleField) -> (bool, bool) {
        if self.beside_text.contains(&field) {
            return (false, false);
        }
        let said = &self.said;
        let values: Vec<&str> = match field {
            ArticleField::Title => said.title.iter().map(String::as_str).collect(),
            ArticleField::Author => said.authors.iter().map(String::as_str).collect(),
            ArticleField::Date => said.published.iter().map(String::as_str).collect(),
            ArticleField::Tags => said.tags.iter().map(String::as_str).collect(),
        };
        let given = !values.is_empty();
        (
            given,
            given && self.knows(field) && self.is_right(field, &values, None),
        )
    }

    /// The formats that a field's values may be in; `None` needs none.
    pub fn formats(field: ArticleField) -> impl Iterator<Item = Option<&'static str>> {
        let others = (field == ArticleField::Date).then_some(FORMATS);
        [None]
            .into_iter()
            .chain(others.into_iter().flatten().map(Some))
    }

    /// True if a text begins as one of the tags does.
    fn may_be_tag(&self, text: &str) -> bool {
        first_of_tokens(text).is_some_and(|first| self.tag_starts.contains(&first))
    }

    /// True if a text has the number of the day in it, or of one so many before or after
    /// (time zones; two at most), or digits that may be a whole date.
    fn may_be_day(&self, text: &str, away: usize) -> bool {
        if self.published.is_none() {
            return false;
        }
        if self.date_style.may_differ_in(text) {
            return true;
        }
        let days = &self.days[2 - away..=2 + away];
        let runs = text
            .as_bytes()
            .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
        let mut numbers = runs.filter(|run| run[0].is_ascii_digit());
        numbers.any(|run| match run {
            [one] => days.contains(&u32::from(one - b'0')),
            [ten, one] => days.contains(&(u32::from(ten - b'0') * 10 + u32::from(one - b'0'))),
            _ => run.len() >= 8,
        })
    }

    fn reads(&self, raw: &str, format: Option<&str>) -> bool {
        let read = self.moment(raw, format);
        read.zip(self.published)
            .is_some_and(|(read, right)| same_day(right, read))
    }

    /// The moment that a text says, read in a format of [`Truth::formats`].
    pub fn moment(&self, raw: &str, format: Option<&str>) -> Option<DateTime<FixedOffset>> {
        let date = match format {
            None => Date::read_in(raw, self.date_style),
            Some(format) => Date::read_as(raw, format),
        };
        DateTime::parse_from_rfc3339(&date.rfc3339?).ok()
    }
}

/// True if a text's [`metric_words`] are these.
fn says(text: &str, expected: &str) -> bool {
    first_of_tokens(text) == first_of_tokens(expected) && metric_words(text) == expected
}

fn name_set<S: AsRef<str>>(bylines: &[S]) -> BTreeSet<String> {
    let all = bylines.iter().flat_map(|byline| names(byline.as_ref()));
    all.map(|name| metric_words(&name))
        .filter(|name| !name.is_empty())
        .collect()
}

fn tag_set(tags: &[String]) -> BTreeSet<String> {
    let tags = tags.iter().map(|tag| metric_words(tag));
    tags.filter(|tag| !tag.is_empty()).collect()
}

/// A word of each name as it is written, in lower case, in capitals and with one: a
/// text without any of them holds none of the names.
fn spellings(names: &BTreeSet<String>, as_written: &[String]) -> Vec<String> {
    let names = names.iter().chain(as_written);
    let words = names.filter_map(|name| name.split_whitespace().next_back());
    let spelled = words.flat_map(|word| {
        let mut chars = word.chars();
        let first: String = chars
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        [word.to_owned(), word.to_uppercase(), first + chars.as_str()]
    });
    spelled.collect()
}

/// True if the first number of a text begins `05/06/2013`, `05.06.13` or the like.
fn is_open_form(text: &str) -> bool {
    let Some(at) = text.find(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let mut parts = text[at..].splitn(3, ['/', '.', '-']);
    let mut short = || {
        parts.next().is_some_and(|part| {
            matches!(part.len(), 1 | 2) && part.bytes().all(|b| b.is_ascii_digit())
        })
    };
    short()
        && short()
        && parts
            .next()
            .is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
}

/// The common end of all titles, from a mark on: the site's name. Empty if there are
/// few titles, or some without it.
fn common_end<'a>(titles: &[&'a str]) -> &'a str {
    let Some((&first, others)) = titles.split_first() else {
        return "";
    };
    if titles.len() < MIN_TITLES || others.iter().all(|&title| title == first) {
        return "";
    }
    let marks = first.char_indices().filter(|(_, c)| {
        matches!(
            c,
            '|' | '-' | '–' | '—' | '·' | '•' | '»' | '«' | ':' | '_' | '/'
        )
    });
    let ends = marks.map(|(at, _)| &first[first[..at].trim_end().len()..]);
    let mut ends = ends.filter(|end| end.len() < first.len());
    ends.find(|end| {
        others
            .iter()
            .all(|title| title.len() > end.len() && title.ends_with(end))
    })
    .unwrap_or("")
}

/// The tags that all pages with tags name, if they are enough for a list of the site's.
fn common_tags(all: &[Metadata]) -> Vec<String> {
    let tagged: Vec<&[String]> = all.iter().map(|meta| &*meta.tags).collect();
    let mut tagged = tagged.into_iter().filter(|tags| !tags.is_empty());
    let others: Vec<&[String]> = tagged.clone().skip(1).collect();
    let first = tagged.next().unwrap_or_default();
    let are_all = |tag: &&String| others.iter().all(|tags| tags.contains(tag));
    let common: Vec<String> = first.iter().filter(are_all).cloned().collect();
    if others.len() + 1 >= MIN_TITLES && common.len() >= MIN_COMMON_TAGS {
        common
    } else {
        Vec::new()
    }
}

/// The values that a node holds: its text, and attributes that hold such values,
/// with the attribute's name.
pub(super) fn readings(
    page: &Page,
    n: forest_html::page::NodeId,
) -> impl Iterator<Item = (Option<&'static str>, &str)> {
    let tag = page.tag(n).map_or("", |tag| &**tag);
    let text = page.is_content(n).then(|| (None, page.text(n)));
    let attr = match tag {
        "time" => Some("datetime"),
        "meta" => Some("content"),
        "abbr" => Some("title"),
        _ => page.attr(n, "itemprop").map(|_| "content"),
    };
    let attr = attr.and_then(|name| Some((Some(name), page.attr(n, name)?)));
    text.into_iter().chain(attr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_all_titles_is_the_site() {
        let check = |titles: &[&str], expected: &str| assert_eq!(common_end(titles), expected);
        check(&["A - B | News", "C | News", "D - E | News"], " | News");
        check(
            &["A - x | News", "C - x | News", "D - x | News"],
            " - x | News",
        );
        check(&["A | News", "C"], "");
        check(&["A | News", "C | News", "News"], "");
        check(&["A | News", "A | News", "A | News"], "");
    }

    #[test]
    fn tags_of_all_pages_are_the_site_s() {
        let check = |pages: &[&str], expected: &[&str]| {
            let of = |tags: &&str| Metadata {
                tags: tags.chars().map(String::from).collect(),
                ..Metadata::default()
            };
            let pages: Vec<Metadata> = pages.iter().map(of).collect();
            assert_eq!(common_tags(&pages), expected);
        };
        check(&["abcd", "", "dcba", "abcd"], &["a", "b", "c", "d"]);
        check(&["xabcd", "dcybaz", "abcd"], &["a", "b", "c", "d"]);
        check(&["abcd", "abcd"], &[]);
        check(&["abc", "abc", "abc"], &[]);
        check(&["abcd", "abcd", "x"], &[]);
        check(&[], &[]);
    }
}
