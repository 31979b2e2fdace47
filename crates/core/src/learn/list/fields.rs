//! The expressions of an item's fields: those that give a value for most items.

use super::relative::names;
use super::score::items;
use super::survey::{ListPage, is_heading};
use crate::extract::list::{ListExtractor, ListItem, ListedItems, spaced_text, spoken};
use crate::learn::fields::ArticleField;
use crate::learn::fields::selector::FieldStep;
use crate::wrapper::DateField;
use crate::wrapper::list::ListWrapper;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use forest_html::address::page_key;
use forest_html::page::metadata::Date;
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::{Language, fold, same_words, text_size};
use html5ever::local_name;
use std::collections::BTreeSet;

/// Items of a page that name candidates.
const NAMING_ITEMS: usize = 60;

/// Expressions of a field that are tried.
const MAX_TRIED: usize = 24;

/// Share of the items from which an expression may be a field's.
const MIN_SHARE: f32 = 0.3;

/// Items whose days tell how days are written.
const DAYS_LOOKED_AT: usize = 5;

/// Bytes of a text that may be a date.
const MAX_DATE_BYTES: usize = 160;

/// Nodes before an item among which its heading may be: the paragraphs of its text.
const SIBLINGS_BEFORE: usize = 60;

/// Elements beside an item in which its date may stand.
const BESIDE: usize = 3;

/// Elements around an item above which its date may stand: a list below its day.
const MAX_ABOVE: usize = 2;

/// The pages and items on which fields are chosen.
pub(super) struct FieldChooser<'a, 'p> {
    pub pages: &'a [ListPage<'p>],
    pub elements: &'a [Vec<NodeId>],
    pub language: Language,
    /// Headlines of linked pages by the keys of their addresses.
    pub headlines: &'a std::collections::HashMap<String, String>,
}

impl FieldChooser<'_, '_> {
    /// Chooses all fields of a wrapper that has its items.
    pub fn choose(&self, mut wrapper: ListWrapper) -> ListWrapper {
        wrapper.link = self.links(&wrapper);
        wrapper.title = self.titles(&wrapper);
        self.dates(&mut wrapper);
        wrapper.image = self.images(&wrapper);
        wrapper.summary = self.summaries(&wrapper);
        wrapper.author = self.authors(&wrapper);
        wrapper
    }

    /// The items that name candidates: each with its page and its main link's node.
    fn naming(&self) -> impl Iterator<Item = (&ListPage<'_>, NodeId, NodeId)> {
        let pages = self.pages.iter().zip(self.elements);
        pages.flat_map(|(listed, elements)| {
            let items = items(listed, elements).into_iter().take(NAMING_ITEMS);
            items.map(move |(element, link)| (listed, element, listed.links[link].node))
        })
    }

    /// Expressions that name the nodes of `of` in the most items, the most frequent first; of
    /// those that are as frequent, the better name.
    fn candidates(&self, of: impl Fn(&ListPage<'_>, NodeId, NodeId) -> Vec<NodeId>) -> Vec<String> {
        let mut times: HashMap<String, (usize, usize)> = HashMap::new();
        let mut order = Vec::new();
        let mut all = 0;
        for (listed, item, link) in self.naming() {
            all += 1;
            let mut known = HashSet::new();
            for n in of(listed, item, link) {
                for (rank, name) in names(listed.page, item, n).into_iter().enumerate() {
                    if !known.insert(name.clone()) {
                        continue;
                    }
                    let entry = times.entry(name.clone()).or_insert_with(|| {
                        order.push(name);
                        (0, 0)
                    });
                    entry.0 += 1;
                    entry.1 += rank;
                }
            }
        }
        let share = |name: &String| times[name].0 as f32 / all.max(1) as f32;
        let rank = |name: &String| times[name].1 as f32 / times[name].0 as f32;
        order.retain(|name| share(name) >= MIN_SHARE);
        // Tenths, so that a good name outweighs an item or two.
        order.sort_by(|a, b| {
            let tenths = |name| (share(name) * 10.0).round() as i32;
            tenths(b).cmp(&tenths(a)).then(rank(a).total_cmp(&rank(b)))
        });
        order.truncate(MAX_TRIED);
        order
    }

    /// The items of all pages by a wrapper.
    fn applied(&self, wrapper: &ListWrapper) -> Vec<ListedItems> {
        let Ok(extractor) = ListExtractor::new(wrapper.clone()) else {
            return Vec::new();
        };
        let pages = self.pages.iter();
        pages.map(|listed| extractor.apply(listed.page)).collect()
    }

    fn links(&self, wrapper: &ListWrapper) -> Vec<String> {
        let wanted: Vec<HashSet<&str>> = self
            .pages
            .iter()
            .zip(self.elements)
            .map(|(listed, elements)| {
                let links = items(listed, elements).into_iter();
                links
                    .map(|(_, at)| listed.targets[listed.links[at].target].as_str())
                    .collect()
            })
            .collect();
        // Items that are right less those that are wrong.
        let right = |link: Vec<String>| -> isize {
            let tried = ListWrapper {
                link,
                ..wrapper.clone()
            };
            let listed = self.applied(&tried);
            let right = listed.iter().zip(&wanted).map(|(listed, wanted)| {
                let keys = listed.items.iter().map(|item| page_key(&item.url));
                let right = keys.filter(|key| wanted.contains(key.as_str())).count();
                2 * right as isize - listed.items.len() as isize
            });
            right.sum()
        };
        let mut candidates = self.candidates(|_, _, link| vec![link]);
        candidates.extend(["h1", "h2", "h3", "h4"].map(|heading| format!(".//a[.//{heading}]")));
        let most = wanted.iter().map(HashSet::len).sum::<usize>() as isize;
        let mut best: (isize, Option<String>) = (0, None);
        for candidate in &candidates {
            let found = right(vec![candidate.clone()]);
            if found > best.0 {
                best = (found, Some(candidate.clone()));
            }
            if found == most {
                break;
            }
        }
        match best {
            (found, Some(name)) if found < most => {
                // A second expression for items that are made in another way.
                let second = candidates
                    .into_iter()
                    .map(|other| (right(vec![name.clone(), other.clone()]), other));
                match second.max_by_key(|(found, _)| *found) {
                    Some((more, other)) if more > found => vec![name, other],
                    _ => vec![name],
                }
            }
            (_, name) => name.into_iter().collect(),
        }
    }

    fn titles(&self, wrapper: &ListWrapper) -> Vec<String> {
        let of = |listed: &ListPage<'_>, item: NodeId, link: NodeId| {
            let page = listed.page;
            let headings = page.subtree(item).filter(|&n| is_heading(page, n));
            let mut found: Vec<NodeId> = headings.take(2).collect();
            // A subtitle, or a date, in a heading is no part of the title.
            let texts = found.iter().flat_map(|&heading| {
                let parts: Vec<NodeId> = page.children(heading).collect();
                let has_element = parts.iter().any(|&n| page.kind(n) == Kind::Element);
                let is_text = move |n: &NodeId| {
                    has_element && page.kind(*n) == Kind::Text && !page.text(*n).trim().is_empty()
                };
                parts.into_iter().filter(is_text)
            });
            let texts: Vec<NodeId> = texts.collect();
            found.extend(texts);
            let named = page
                .subtree(item)
                .filter(|&n| is_named(page, n, ArticleField::Title));
            found.extend(named.take(3));
            found.push(link);
            if found.len() == 1 {
                found.extend(headings_before(page, item));
            }
            let target = listed
                .links
                .iter()
                .find(|of| of.node == link)
                .map(|of| of.target);
            let same = listed.links[listed.links_in(item)]
                .iter()
                .filter(|of| Some(of.target) == target);
            found.extend(same.map(|of| of.node).take(4));
            let in_link = page
                .subtree(link)
                .skip(1)
                .filter(|&n| page.kind(n) == Kind::Element);
            found.extend(in_link.take(6));
            found
        };
        let candidates = self.candidates(of);
        let mut best: Option<(f32, TitleTrial)> = None;
        for name in candidates {
            let tried = ListWrapper {
                title: vec![name.clone()],
                ..wrapper.clone()
            };
            let trial = TitleTrial::of(name, &self.applied(&tried), self.headlines);
            let score = trial.score();
            let better = match &best {
                None => score > 0.0,
                Some((known, other)) => trial.is_better(score, other, *known),
            };
            if better {
                best = Some((score, trial));
            }
        }
        // The link's text needs no expression.
        best.map(|(_, trial)| trial.name).into_iter().collect()
    }

    fn dates(&self, wrapper: &mut ListWrapper) {
        let of = |listed: &ListPage<'_>, item: NodeId, _: NodeId| self.dated(listed, item);
        let mut candidates = Vec::new();
        for name in self.candidates(of) {
            for end in ["/@datetime", "", "/@content", "/@title"] {
                candidates.push(format!("{name}{end}"));
            }
        }
        let base = date_figures(&self.applied(wrapper));
        let mut best = (base.worth(), None);
        for xpath in candidates {
            for format in [
                None,
                Some("%m/%d/%Y"),
                Some("%d/%m/%Y"),
                Some("%d.%m.%y"),
                Some("%m/%d/%y"),
            ] {
                if xpath.contains('@') && format.is_some() {
                    continue;
                }
                let field = DateField {
                    xpath: xpath.clone(),
                    format: format.map(str::to_owned),
                };
                let tried = ListWrapper {
                    date: vec![field.clone()],
                    ..wrapper.clone()
                };
                let figures = date_figures(&self.applied(&tried));
                // Where days stand between the items, the first or the last has none.
                let margin = if xpath.contains("-sibling::") {
                    0.0
                } else {
                    0.02
                };
                if figures.worth() > best.0 + margin {
                    best = (figures.worth(), Some(field));
                }
                if figures.share > 0.9 {
                    break;
                }
            }
        }
        wrapper.date = best.1.into_iter().collect();
        if best.0 < 0.5 {
            self.periods(wrapper, best.0);
        }
    }

    /// Headings with a year or a month that complete the dates of the items below them.
    fn periods(&self, wrapper: &mut ListWrapper, known: f32) {
        let days = |listed: &ListPage<'_>, item: NodeId, _: NodeId| -> Vec<NodeId> {
            let page = listed.page;
            let nodes = page.subtree(item).filter(|&n| page.is_content(n));
            let short = nodes.filter(|&n| {
                let text = page.text(n).trim();
                (1..=24).contains(&text.len()) && text.bytes().any(|b| b.is_ascii_digit())
            });
            short.take(4).collect()
        };
        let texts = self
            .naming()
            .take(DAYS_LOOKED_AT)
            .flat_map(|(listed, item, link)| {
                let days = days(listed, item, link).into_iter();
                days.map(|n| listed.page.text(n).trim())
            });
        let formats: BTreeSet<Option<&str>> = texts.flat_map(formats_below_year).collect();
        let of_day = |xpath: String| {
            let fields = formats.iter().map(move |format| DateField {
                xpath: xpath.clone(),
                format: format.map(str::to_owned),
            });
            fields.collect::<Vec<_>>()
        };
        let days = self.candidates(days).into_iter().take(8);
        let fields: Vec<DateField> = days.flat_map(of_day).collect();
        let mut best = known;
        let mut chosen = None;
        let years = self.period_names(has_year);
        let months = self.period_names(|text| !has_year(text) && self.has_month(text));
        let pairs = years.iter().flat_map(|year| {
            let months = months.iter().take(3);
            months.map(move |month| format!("{month} | {year}"))
        });
        for period in years.iter().cloned().chain(pairs) {
            for field in &fields {
                let tried = ListWrapper {
                    date: vec![field.clone()],
                    period: Some(period.clone()),
                    ..wrapper.clone()
                };
                let worth = date_figures(&self.applied(&tried)).worth();
                if worth > best + 0.02 {
                    best = worth;
                    chosen = Some(tried);
                }
            }
        }
        if let Some(chosen) = chosen {
            *wrapper = chosen;
        }
    }

    fn has_month(&self, text: &str) -> bool {
        let text = format!("1 {text} 2001");
        let page = self.pages.first().map(|listed| listed.page);
        let of_text = page.map_or(Language::Unknown, spoken);
        [self.language, of_text]
            .iter()
            .any(|language| Date::read_in(&text, *language).rfc3339.is_some())
    }

    /// Names of elements whose short text is of a kind.
    fn period_names(&self, is_period: impl Fn(&str) -> bool) -> Vec<String> {
        let mut times: HashMap<String, usize> = HashMap::new();
        for (listed, elements) in self.pages.iter().zip(self.elements) {
            let page = listed.page;
            let in_item = |n: NodeId| {
                let at = elements.partition_point(|&element| element <= n);
                at > 0 && page.contains(elements[at - 1], n)
            };
            for &n in page.content_elements() {
                let text = page.text(n).trim();
                if text.is_empty() || text.len() > 40 || in_item(n) || !is_period(text) {
                    continue;
                }
                let steps = FieldStep::all(page, n);
                for step in steps.into_iter().take(3) {
                    *times.entry(format!("//{}", step.step())).or_default() += 1;
                }
            }
        }
        let mut names: Vec<(String, usize)> = times.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        names.into_iter().take(8).map(|(name, _)| name).collect()
    }

    /// The nodes with a date in an item, the innermost ones; else beside it; else above what it
    /// stands in.
    fn dated(&self, listed: &ListPage<'_>, item: NodeId) -> Vec<NodeId> {
        let page = listed.page;
        let is_dated = |&n: &NodeId| self.is_dated(page, n);
        let in_item = page.subtree(item).filter(|&n| page.is_content(n));
        let all: Vec<NodeId> = in_item.filter(is_dated).take(8).collect();
        // The text around a date may have other numbers.
        let holds_day = |n: NodeId| {
            let mut inside = all.iter().filter(|&&other| other != n);
            inside.any(|&other| {
                let is_element = page.kind(other) == Kind::Element;
                is_element && page.contains(n, other) && self.reads_day(page, other)
            })
        };
        let mut found: Vec<NodeId> = all.iter().copied().filter(|&n| !holds_day(n)).collect();
        let mut around = Some(item);
        for _ in 0..=MAX_ABOVE {
            let Some((inner, parent)) = around.and_then(|n| Some((n, page.parent(n)?))) else {
                break;
            };
            if !found.is_empty() {
                break;
            }
            let siblings = page.children(parent);
            let siblings: Vec<NodeId> = siblings
                .filter(|&n| page.kind(n) == Kind::Element)
                .collect();
            let own = siblings
                .iter()
                .position(|&n| n == inner)
                .unwrap_or_default();
            let before = siblings[..own].iter().rev().take(SIBLINGS_BEFORE);
            found.extend(before.copied().filter(is_dated).take(BESIDE));
            if inner == item {
                let after = siblings.iter().skip(own + 1).take(BESIDE);
                found.extend(after.copied().filter(is_dated));
            }
            around = Some(parent);
        }
        found
    }

    /// True of a node with a text or an attribute that may be a date.
    fn is_dated(&self, page: &Page, n: NodeId) -> bool {
        let is_year = |text: &str| text.trim().len() < 24 && has_year(text);
        let may_read = |text: &str| is_year(text) || self.reads(text);
        page.attr(n, "datetime").is_some()
            || ["content", "title"]
                .iter()
                .any(|name| page.attr(n, name).is_some_and(may_read))
            || is_year(page.text(n))
            || self.reads_day(page, n)
    }

    /// True of an element whose text is a date.
    fn reads_day(&self, page: &Page, n: NodeId) -> bool {
        page.is(n, &local_name!("time"))
            || self.reads(page.text(n))
            || spaced_text(page, n).is_some_and(|text| self.reads(&text))
    }

    /// True of a text that is a date.
    fn reads(&self, text: &str) -> bool {
        let text = text.trim();
        let fits = text.len() <= MAX_DATE_BYTES && text.bytes().any(|b| b.is_ascii_digit());
        fits && Date::read_in(&fold(text), self.language).rfc3339.is_some()
    }

    fn images(&self, wrapper: &ListWrapper) -> Vec<String> {
        let of = |listed: &ListPage<'_>, item: NodeId, _: NodeId| {
            let page = listed.page;
            page.subtree(item)
                .find(|&n| page.is(n, &local_name!("img")))
                .into_iter()
                .collect()
        };
        let first = self.candidates(of).into_iter().next();
        let has_image = |name: &String| {
            let tried = ListWrapper {
                image: vec![name.clone()],
                ..wrapper.clone()
            };
            let items = self
                .applied(&tried)
                .into_iter()
                .flat_map(|listed| listed.items);
            let urls: Vec<Option<String>> = items.map(|item| item.image).collect();
            let distinct: HashSet<&String> = urls.iter().flatten().collect();
            distinct.len() as f32 >= MIN_SHARE * urls.len() as f32
        };
        first.filter(has_image).into_iter().collect()
    }

    fn summaries(&self, wrapper: &ListWrapper) -> Vec<String> {
        let of = |listed: &ListPage<'_>, item: NodeId, link: NodeId| {
            let page = listed.page;
            let blocks = page.subtree(item).filter(|&n| {
                page.tag(n)
                    .is_some_and(|tag| matches!(&**tag, "p" | "div" | "span" | "blockquote" | "dd"))
                    && !page.contains(n, link)
                    && !page.contains(link, n)
                    && page.is_content(n)
            });
            let words = |n: NodeId| text_size(page.text(n));
            let longest = blocks
                .map(|n| (n, words(n)))
                .filter(|(_, words)| *words >= 6.0);
            // The innermost of those that have the same words.
            let longest =
                longest.fold(None, |best: Option<(NodeId, f32)>, (n, words)| match best {
                    Some((_, most)) if words < most => best,
                    _ => Some((n, words)),
                });
            longest.map(|(n, _)| n).into_iter().collect()
        };
        let with = |summary: Vec<String>| ListWrapper {
            summary,
            ..wrapper.clone()
        };
        self.first_filled(of, |item| item.summary.is_some(), with)
    }

    fn authors(&self, wrapper: &ListWrapper) -> Vec<String> {
        let of = |listed: &ListPage<'_>, item: NodeId, link: NodeId| {
            let page = listed.page;
            let named = page
                .subtree(item)
                .filter(|&n| n != link && is_named(page, n, ArticleField::Author));
            named.take(2).collect()
        };
        let with = |author: Vec<String>| ListWrapper {
            author,
            ..wrapper.clone()
        };
        self.first_filled(of, |item| item.author.is_some(), with)
    }

    /// The first candidate that gives a value for enough items.
    fn first_filled(
        &self,
        of: impl Fn(&ListPage<'_>, NodeId, NodeId) -> Vec<NodeId>,
        is_filled: impl Fn(&ListItem) -> bool,
        with: impl Fn(Vec<String>) -> ListWrapper,
    ) -> Vec<String> {
        let candidates = self.candidates(of).into_iter().take(4);
        let mut filled_enough = candidates.filter(|name| {
            let applied = self.applied(&with(vec![name.clone()]));
            let items: Vec<&ListItem> = applied.iter().flat_map(|listed| &listed.items).collect();
            let filled = items.iter().filter(|item| is_filled(item)).count();
            filled as f32 >= MIN_SHARE * items.len() as f32 && filled > 0
        });
        filled_enough.next().into_iter().collect()
    }
}

/// The headings before an item among its siblings, the nearest first: where an item is the last
/// line of its article, the title stands above the text.
fn headings_before(page: &Page, item: NodeId) -> Vec<NodeId> {
    let Some(parent) = page.parent(item) else {
        return Vec::new();
    };
    let siblings: Vec<NodeId> = page.children(parent).take_while(|&n| n < item).collect();
    let near = siblings.iter().rev().take(SIBLINGS_BEFORE).copied();
    near.filter(|&n| is_heading(page, n)).take(2).collect()
}

/// True if an element has a name of the field.
fn is_named(page: &Page, n: NodeId, field: ArticleField) -> bool {
    FieldStep::all(page, n).iter().any(|step| step.names(field))
}

/// The ways to read a text with its year behind it: day and month in digits have no sure order.
fn formats_below_year(text: &str) -> impl Iterator<Item = Option<&'static str>> {
    let between = text.trim_matches(|c: char| c.is_ascii_digit());
    let formats: &[&str] = match between {
        "-" => &["%m-%d %Y", "%d-%m %Y"],
        "/" => &["%m/%d %Y", "%d/%m %Y"],
        "." => &["%m.%d %Y", "%d.%m %Y"],
        _ => &[],
    };
    let formats = formats.iter().map(|format| Some(*format));
    std::iter::once(None).chain(formats)
}

/// True of a text with a word in it: times (`09:12 PM`) and numbers are no titles.
fn has_word(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphabetic());
    letters.clone().any(|c| !c.is_ascii()) || letters.nth(2).is_some()
}

/// True if four digits of a text are a year of the Web.
fn has_year(text: &str) -> bool {
    let digits = text.split(|c: char| !c.is_ascii_digit());
    digits
        .into_iter()
        .any(|run| run.len() == 4 && (run.starts_with("19") || run.starts_with("20")))
}

/// The titles that an expression gives.
struct TitleTrial {
    name: String,
    share: f32,
    distinct: f32,
    words: f32,
    /// Share of the known headlines that are the titles.
    right: Option<f32>,
    texts: Vec<String>,
}

impl TitleTrial {
    fn of(
        name: String,
        applied: &[ListedItems],
        headlines: &std::collections::HashMap<String, String>,
    ) -> TitleTrial {
        let items: Vec<_> = applied.iter().flat_map(|listed| &listed.items).collect();
        let texts: Vec<String> = items
            .iter()
            .map(|item| item.title.clone().unwrap_or_default())
            .collect();
        let filled: Vec<&String> = texts.iter().filter(|text| has_word(text)).collect();
        let by_page: HashSet<&String> = filled.iter().copied().collect();
        let targets: HashSet<String> = items.iter().map(|item| page_key(&item.url)).collect();
        let known = items
            .iter()
            .filter_map(|item| Some((item, headlines.get(&page_key(&item.url))?)));
        let (mut all, mut right) = (0, 0);
        for (item, headline) in known {
            all += 1;
            right += usize::from(
                item.title
                    .as_ref()
                    .is_some_and(|title| same_words(title, headline)),
            );
        }
        let n = items.len().max(1) as f32;
        TitleTrial {
            name,
            share: filled.len() as f32 / n,
            distinct: by_page.len() as f32 / targets.len().max(1) as f32,
            words: filled
                .iter()
                .map(|text| text_size(text).min(12.0))
                .sum::<f32>()
                / n,
            right: (all > 0).then(|| right as f32 / all as f32),
            texts,
        }
    }

    fn score(&self) -> f32 {
        let own = self.share * self.distinct.min(1.0) * (0.3 + 0.7 * (self.words / 3.0).min(1.0));
        own * self.right.map_or(1.0, |right| 0.2 + right)
    }

    /// True if it is the better title: the score decides, and of two that are about as good the
    /// one whose texts are parts of the other's.
    fn is_better(&self, score: f32, other: &TitleTrial, known: f32) -> bool {
        if score > known * 1.15 {
            return true;
        }
        if score < known * 0.85 {
            return false;
        }
        let pairs = || self.texts.iter().zip(&other.texts);
        let shorter = pairs()
            .filter(|(own, other)| own.len() < other.len() && other.contains(own.as_str()))
            .count();
        2 * shorter > self.texts.len()
    }
}

/// The dates that a wrapper gives.
struct DateFigures {
    /// Share of the items with a date.
    share: f32,
    /// Share of the neighbours that are in the common order.
    sorted: f32,
    /// Share of different days among the dates.
    distinct: f32,
}

impl DateFigures {
    fn worth(&self) -> f32 {
        self.share * (0.6 + 0.3 * self.sorted + 0.1 * self.distinct)
    }
}

fn date_figures(applied: &[ListedItems]) -> DateFigures {
    let (mut items, mut dated, mut pairs) = (0, 0, [0_usize; 3]);
    let mut days = HashSet::new();
    for listed in applied {
        items += listed.items.len();
        let dates: Vec<&str> = listed
            .items
            .iter()
            .filter_map(|item| item.date.as_deref())
            .collect();
        dated += dates.len();
        days.extend(
            dates
                .iter()
                .map(|date| date[..date.len().min(10)].to_owned()),
        );
        for pair in dates.windows(2) {
            let order = pair[0].cmp(pair[1]) as i8 + 1;
            pairs[usize::try_from(order).unwrap_or(1)] += 1;
        }
    }
    let all = pairs.iter().sum::<usize>().max(1) as f32;
    DateFigures {
        share: dated as f32 / items.max(1) as f32,
        sorted: (pairs[0].max(pairs[2]) + pairs[1]) as f32 / all,
        distinct: days.len() as f32 / dated.max(1) as f32,
    }
}
