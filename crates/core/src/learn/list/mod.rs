//! The wrapper of a page that lists articles, from one snapshot of it or several.
//!
//! A list repeats one template for each item, as a site repeats one for each article. Takes
//! snapshots of one list's page; gives a [`ListWrapper`], or the reason why there is none, and
//! the candidates with their figures.
//!
//! - `survey`: the links of a page within its site, its dates, and what stands beside the main
//!   text.
//! - `groups`: elements of the same name or path, in which links stand.
//! - `score`: how much such a group is the main list: the number of pages that it links to, the
//!   words of its links, headings, dates, addresses like an article's, its share of the page's
//!   text; against it that it stands in navigation or that one element links to many pages. With
//!   several snapshots: whether the pages that it links to have changed. Where the newest snapshot
//!   alone teaches another list, that one is it, unless it is a menu that stays the same.
//! - `fields`, `relative`: expressions of link, title, date, summary, picture and author with an
//!   item as their context.
//! - `blocks`: further items that are made in another way.
//! - `json`: lists in the JSON of their pages, as pages with an element a record.
//! - `next`: the link to the list's next page.
//!
//! **Departures.** The papers have no lists. As they do for articles, a template's repetition is
//! the evidence; the weights of `score` were set by hand on 40 sites (`docs/experiments.md`). Of groups that
//! are about as good the best name decides, and of a list of one item its `article`: on these sites, from one
//! snapshot, precision .970 to .972 and titles .968 to .969 (with the headings above a line, .983).

mod blocks;
mod fields;
mod groups;
mod json;
mod next;
mod relative;
mod score;
mod survey;
#[cfg(test)]
mod tests;

use crate::extract::list::{ListExtractor, language, list_address};
use crate::wrapper::list::{ListEvidence, ListRecords, ListRunnerUp, ListWrapper};
use fields::FieldChooser;
use forest_html::address::{page_key, site_of};
use forest_html::page::Page;
use forest_html::text::{Language, fold};
use groups::ItemGroup;
use html5ever::local_name;
use score::GroupFigures;
use std::collections::{HashMap, HashSet};
use std::fmt;
use survey::ListPage;

/// Candidates that are kept for an explanation.
const SHOWN: usize = 10;

/// Score below which nothing is a list of articles.
const MIN_SCORE: f64 = 0.25;

/// A group whose score is so many times the best one's is about as good.
const AS_GOOD: f64 = 0.98;

/// How to learn a list.
#[derive(Debug, Clone, Default)]
pub struct ListOptions {
    /// The name of the site; default: the host of the first page.
    pub site: Option<String>,
    /// When it is learned, RFC 3339.
    pub learned: Option<String>,
    /// A text of an item that tells which of several lists is meant.
    pub hint: Option<String>,
    /// Headlines of linked pages by the [`page_key`] of their
    /// addresses: they tell which text of an item is its title.
    pub headlines: HashMap<String, String>,
}

/// A candidate for the items of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListCandidate {
    /// The expression of its items.
    pub item: String,
    /// Its score.
    pub score: f64,
    /// The figures behind the score, in words.
    pub why: String,
    /// The reasons why another one was chosen, the weightiest first; none of the chosen one.
    pub against: Vec<&'static str>,
}

/// The result of learning a list.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedList {
    /// The wrapper; `None` if no group of elements is a list of articles.
    pub wrapper: Option<ListWrapper>,
    /// The best candidates, the chosen one first.
    pub candidates: Vec<ListCandidate>,
    /// Pages with more links than are looked at.
    pub cut: usize,
}

impl fmt::Display for ListCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:8.3}  {}\n          {}",
            self.score, self.item, self.why
        )?;
        match &*self.against {
            [] => Ok(()),
            against => write!(f, "\n          not chosen: {}", against.join("; ")),
        }
    }
}

/// Learns the wrapper of a list from snapshots of its page, the oldest first.
///
/// ```
/// use forest_core::learn::list::{ListOptions, learn};
/// use forest_html::page::{Page, Source};
///
/// let html = "<ul class=nav><li><a href=/a>Home</a><li><a href=/b>About us</a></ul>\
///     <ul class=news><li><a href=/2024/1/the-old-mill-burned>The old mill burned down</a> 3 May 2024\
///     <li><a href=/2024/1/the-ferry-is-late>The ferry is late again</a> 2 May 2024</ul>";
/// let source = Source { url: Some("https://a.example/"), ..Source::default() };
/// let page = Page::parse(html.as_bytes(), source);
/// let learned = learn(&[&page], &ListOptions::default());
/// let wrapper = learned.wrapper.expect("a list");
/// assert_eq!(wrapper.item, "//ul[contains(concat(' ',normalize-space(@class),' '),' news ')]/li");
/// ```
pub fn learn(snapshots: &[&Page], options: &ListOptions) -> LearnedList {
    let learner = ListLearner {
        snapshots,
        options,
        language: snapshots
            .first()
            .map_or(Language::Unknown, |page| language(page)),
    };
    let together = learner.learned_from(snapshots);
    match snapshots {
        [older @ .., newest] if !older.is_empty() => {
            let alone = learner.learned_from(&[*newest]);
            better(together, alone, older, newest)
        }
        _ => together,
    }
}

/// Of what several snapshots teach together and the newest teaches alone: the latter where they
/// differ, unless its items are a menu's, which have no dates and stay the same while those of the
/// others change.
fn better(
    together: LearnedList,
    alone: LearnedList,
    older: &[&Page],
    newest: &Page,
) -> LearnedList {
    let of = |learned: &LearnedList, page: &Page| -> HashSet<String> {
        let wrapper = learned.wrapper.clone();
        let extractor = wrapper.and_then(|wrapper| ListExtractor::new(wrapper).ok());
        let items = extractor.map_or_else(Vec::new, |found| found.apply(page).items);
        items.iter().map(|item| page_key(&item.url)).collect()
    };
    let (by_all, by_newest) = (of(&together, newest), of(&alone, newest));
    if by_newest.is_empty() || by_all == by_newest {
        return together;
    }
    let has_changed = |learned: &LearnedList, now: &HashSet<String>| {
        let mut before = older.iter().map(|page| of(learned, page));
        before.any(|before| !now.is_subset(&before))
    };
    let evidence = alone.wrapper.as_ref().and_then(|of| of.evidence.as_ref());
    let is_dated = evidence.is_some_and(|of| 2 * of.dated > of.items.iter().sum());
    let is_menu = !is_dated && !has_changed(&alone, &by_newest);
    if is_menu && has_changed(&together, &by_all) {
        together
    } else {
        alone
    }
}

struct ListLearner<'a> {
    snapshots: &'a [&'a Page],
    options: &'a ListOptions,
    language: Language,
}

impl ListLearner<'_> {
    fn pages<'p>(&self, pages: impl IntoIterator<Item = &'p Page>) -> Vec<ListPage<'p>> {
        let pages = pages.into_iter();
        pages
            .map(|page| ListPage::of(page, self.language))
            .collect()
    }

    fn ranked<'p>(&self, pages: &[ListPage<'p>]) -> Vec<RankedGroup<'p>> {
        ranked(pages, self.options.hint.as_deref())
    }

    /// The result from some of the snapshots: from the groups of their elements, or of their
    /// JSON.
    fn learned_from(&self, snapshots: &[&Page]) -> LearnedList {
        let shown = self.pages(snapshots.iter().copied());
        let ranked = self.ranked(&shown);
        let lists = json::lists(snapshots);
        let in_json = lists.iter().map(|list| {
            let pages = self.pages(&list.pages);
            let ranked = self.ranked(&pages);
            (list, pages, ranked)
        });
        let score = |ranked: &[RankedGroup<'_>]| ranked.first().map_or(0.0, |best| best.score);
        let best = in_json.max_by(|a, b| score(&a.2).total_cmp(&score(&b.2)));
        if let Some((list, pages, in_json)) = &best
            && let Some(found) = in_json.first()
            && json::outdoes((pages, found), (&shown, ranked.first()))
        {
            return self.learned(pages, in_json, Some(&list.records));
        }
        self.learned(&shown, &ranked, None)
    }

    /// The result from the groups of some pages: of the snapshots, or of their JSON.
    fn learned(
        &self,
        pages: &[ListPage<'_>],
        ranked: &[RankedGroup<'_>],
        records: Option<&ListRecords>,
    ) -> LearnedList {
        let place = records.map_or_else(String::new, |of| format!("{} {} ", of.script, of.path));
        let (main, blocks) = blocks::chosen(pages, ranked);
        let others = ranked.iter().enumerate().filter(|(at, _)| *at != main);
        let others = others.map(|(_, ranked)| ranked);
        let best = ranked.get(main).filter(|best| best.score >= MIN_SCORE);
        let in_order = ranked.get(main).into_iter().chain(others);
        let candidates = in_order.take(SHOWN).map(|ranked| ListCandidate {
            item: format!("{place}{}", ranked.group.path.xpath()),
            score: ranked.score,
            why: ranked.figures.to_string(),
            against: best.map_or_else(Vec::new, |best| ranked.less_than(best)),
        });
        let candidates: Vec<ListCandidate> = candidates.collect();
        let wrapper = best.map(|best| {
            let mut wrapper = self.fields(pages, best);
            let of_block = |&at: &usize| {
                let of_block = self.fields(pages, &ranked[at]);
                // Headings above complete the dates of the main items only.
                let has_period = of_block.period.is_some();
                let mut block = of_block.own_block();
                block.date.retain(|_| !has_period);
                block
            };
            wrapper.blocks = blocks.iter().map(of_block).collect();
            wrapper.json = records.cloned();
            wrapper.evidence = Some(evidence(&wrapper, self.snapshots, &candidates));
            wrapper
        });
        LearnedList {
            wrapper,
            candidates,
            cut: pages.iter().filter(|listed| listed.cut).count(),
        }
    }

    /// The wrapper with the items of a group.
    fn fields(&self, pages: &[ListPage<'_>], ranked: &RankedGroup<'_>) -> ListWrapper {
        let chooser = FieldChooser {
            pages,
            elements: &ranked.group.elements,
            language: self.language,
            headlines: &self.options.headlines,
        };
        let site = self.options.site.clone();
        let bare = ListWrapper {
            site: site
                .or_else(|| site_of(list_address(self.snapshots[0]).as_deref()))
                .unwrap_or_default(),
            pages: addresses(self.snapshots),
            learned: self.options.learned.clone(),
            by: Some(concat!("forest ", env!("CARGO_PKG_VERSION")).to_owned()),
            item: ranked.group.path.xpath(),
            next: next::expression(self.snapshots),
            ..ListWrapper::default()
        };
        chooser.choose(bare)
    }
}

struct RankedGroup<'p> {
    group: ItemGroup<'p>,
    figures: GroupFigures,
    score: f64,
}

impl RankedGroup<'_> {
    /// The reasons why another group was chosen; none for that group itself.
    fn less_than(&self, chosen: &RankedGroup<'_>) -> Vec<&'static str> {
        if std::ptr::eq(self, chosen) {
            return Vec::new();
        }
        match self.figures.less_than(&chosen.figures) {
            none if none.is_empty() => vec!["it is about as good, but has no better name"],
            reasons => reasons,
        }
    }
}

/// The groups by their score, the best first; with a hint those that have an item with it, and
/// of these not those with most of a better list that has none.
fn ranked<'p>(pages: &[ListPage<'p>], hint: Option<&str>) -> Vec<RankedGroup<'p>> {
    let mut ranked: Vec<RankedGroup<'p>> = groups::groups(pages)
        .into_iter()
        .map(|group| {
            let mut figures = GroupFigures::of(pages, &group);
            figures.is_strip = figures.change.is_some() && blocks::is_other_list(pages, &group);
            let score = figures.score();
            RankedGroup {
                group,
                figures,
                score,
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    prefer_name(&mut ranked);
    prefer_article(pages, &mut ranked);
    let Some(hint) = hint.map(fold) else {
        return ranked;
    };
    let has_hint = |group: &ItemGroup<'_>| {
        let mut elements = pages.iter().zip(&group.elements);
        elements.any(|(listed, own)| {
            own.iter()
                .any(|&n| fold(listed.page.text(n)).contains(&hint))
        })
    };
    let other = ranked.iter().find(|ranked| !has_hint(&ranked.group));
    let others = other.map_or_else(HashSet::new, |other| targets(pages, &other.group));
    ranked.retain(|ranked| {
        let own = targets(pages, &ranked.group);
        has_hint(&ranked.group) && 2 * own.intersection(&others).count() <= others.len()
    });
    ranked
}

/// Of groups that are about as good the one with the best name is the list: its elements were
/// made as its items.
fn prefer_name(ranked: &mut [RankedGroup<'_>]) {
    let Some(best) = ranked.first().map(|best| best.score) else {
        return;
    };
    let good = ranked.iter().take_while(|of| of.score >= AS_GOOD * best);
    let named = good.enumerate().min_by_key(|(_, of)| of.group.path.rank());
    if let Some((at, _)) = named {
        ranked[..=at].rotate_right(1);
    }
}

/// Of a list with one item many elements around it are alike, and the largest has the most of
/// the page's text: its `article` is the item, if it has one.
fn prefer_article<'p>(pages: &[ListPage<'p>], ranked: &mut [RankedGroup<'p>]) {
    let Some(best) = ranked.first().filter(|best| best.figures.targets <= 1.0) else {
        return;
    };
    let wanted = targets(pages, &best.group);
    let is_article = |group: &ItemGroup<'_>| {
        let mut elements = pages.iter().zip(&group.elements);
        elements.all(|(listed, own)| {
            let mut own = own.iter();
            own.all(|&n| listed.page.is(n, &local_name!("article")))
        })
    };
    let mut groups = ranked.iter();
    let article =
        groups.position(|of| is_article(&of.group) && targets(pages, &of.group) == wanted);
    if let Some(at) = article {
        ranked[..=at].rotate_right(1);
    }
}

/// The pages that the items of a group link to.
fn targets<'a>(pages: &'a [ListPage<'_>], group: &ItemGroup<'_>) -> HashSet<&'a str> {
    let elements = pages.iter().zip(&group.elements);
    let targets = elements.flat_map(|(listed, own)| {
        let items = score::items(listed, own).into_iter();
        items.map(|(_, link)| listed.targets[listed.links[link].target].as_str())
    });
    targets.collect()
}

/// The addresses of the pages, each once, that of the newest snapshot first.
fn addresses(snapshots: &[&Page]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for url in snapshots.iter().rev().filter_map(|page| list_address(page)) {
        if !out.contains(&url) {
            out.push(url);
        }
    }
    out
}

fn evidence(
    wrapper: &ListWrapper,
    snapshots: &[&Page],
    candidates: &[ListCandidate],
) -> ListEvidence {
    let mut evidence = ListEvidence {
        score: candidates.first().map_or(0.0, |best| round(best.score)),
        runner_up: candidates.get(1).map(|second| ListRunnerUp {
            item: second.item.clone(),
            score: round(second.score),
        }),
        ..ListEvidence::default()
    };
    let Ok(extractor) = ListExtractor::new(wrapper.clone()) else {
        return evidence;
    };
    let mut before: Option<Vec<String>> = None;
    for page in snapshots {
        let items = extractor.apply(page).items;
        evidence.items.push(items.len());
        evidence.titled += items.iter().filter(|item| item.title.is_some()).count();
        evidence.dated += items.iter().filter(|item| item.date.is_some()).count();
        let urls: Vec<String> = items.into_iter().map(|item| item.url).collect();
        if let Some(before) = &before {
            evidence.new = Some(urls.iter().filter(|url| !before.contains(url)).count());
        }
        before = Some(urls);
    }
    evidence
}

fn round(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

impl fmt::Display for GroupFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f32| format!("{:.0} %", 100.0 * share);
        write!(
            f,
            "pages linked to {:.0}, words of a link {:.1}; of the items in headings {}, dated {}, with an \
             address like an article's {}; of the page's text {}, of its links to articles {}",
            self.targets,
            self.words,
            percent(self.headings),
            percent(self.dates),
            percent(self.article_like),
            percent(self.text),
            percent(self.reach),
        )?;
        for (share, what) in [
            (self.aside, "in navigation or beside the text"),
            (1.0 - self.own, "without a page of their own"),
        ] {
            if share > 0.05 {
                write!(f, "; {} {what}", percent(share))?;
            }
        }
        if self.further > 0.2 {
            write!(f, "; further links like it in an item {:.1}", self.further)?;
        }
        match self.change {
            Some(change) => write!(
                f,
                "; {} of the pages changed between snapshots",
                percent(change)
            ),
            None => Ok(()),
        }
    }
}
