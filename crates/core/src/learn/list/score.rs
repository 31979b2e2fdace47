//! How much a group of elements looks like the items of a page's main list.

use super::groups::ItemGroup;
use super::survey::ListPage;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use forest_html::page::NodeId;

/// Words of titles from which more say nothing.
const TITLE_WORDS: f32 = 5.0;

/// A factor of the score that is so many times another's is a reason.
const CLEARLY_LESS: f32 = 0.95;

/// Reasons that are given at the most.
const MAX_REASONS: usize = 3;

/// The figures of a group's items.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GroupFigures {
    /// Pages that its items link to, each once.
    pub targets: f32,
    /// Mean words of the items' links.
    pub words: f32,
    /// Share of the items whose link is a heading's.
    pub headings: f32,
    /// Share of the items with a date.
    pub dates: f32,
    /// Share of the items whose address looks like an article's.
    pub article_like: f32,
    /// Share of the items in navigation, side bars and feet.
    pub aside: f32,
    /// Mean number of further links of an item that may be items themselves.
    pub further: f32,
    /// Share of the elements that link to a page of their own.
    pub own: f32,
    /// Share of the page's text in the items.
    pub text: f32,
    /// Share of the links to articles that the items have.
    pub reach: f32,
    /// With several snapshots: the share of the targets that not all of them have.
    pub change: Option<f32>,
    /// Its name or heading says that it is a list beside the main one, whose changes say nothing:
    /// "most read".
    pub is_strip: bool,
}

/// Share of the items with a heading, or a date, from which those without are no items.
const USUAL: f32 = 0.6;

/// The items of a group on a page: each element with a link of its own, and that link's index.
/// Where most have a date, or a link in a heading, an element without is none: a link to the
/// next page, an advertisement.
pub(super) fn items(listed: &ListPage<'_>, elements: &[NodeId]) -> Vec<(NodeId, usize)> {
    let mut all = all_items(listed, elements);
    let heading = |&(_, at): &(NodeId, usize)| listed.links[at].in_heading;
    let date =
        |&(element, at): &(NodeId, usize)| listed.links[at].dated || listed.has_date(element);
    let is_usual = |has: &dyn Fn(&(NodeId, usize)) -> bool| {
        let with = all.iter().filter(|item| has(item)).count();
        with as f32 >= USUAL * all.len() as f32
    };
    let (headings, dates) = (is_usual(&heading), is_usual(&date));
    all.retain(|item| (!headings || heading(item)) && (!dates || date(item)));
    all
}

fn all_items(listed: &ListPage<'_>, elements: &[NodeId]) -> Vec<(NodeId, usize)> {
    let mut known = HashSet::new();
    let mut out = Vec::new();
    for &element in elements {
        if let Some(link) = main_link(listed, element)
            && known.insert(listed.links[link].target)
        {
            out.push((element, link));
        }
    }
    out
}

/// The link of an item: that which looks most like it; a page that is linked to more than
/// once counts more.
pub(super) fn main_link(listed: &ListPage<'_>, element: NodeId) -> Option<usize> {
    let range = listed.links_in(element);
    let mut times: HashMap<usize, f32> = HashMap::new();
    for link in &listed.links[range.clone()] {
        *times.entry(link.target).or_default() += 0.5;
    }
    let weight = |at: usize| {
        let link = &listed.links[at];
        link.weight + times[&link.target].min(2.0)
    };
    let best = range.clone().map(weight).fold(f32::MIN, f32::max);
    range.into_iter().find(|&at| weight(at) >= best)
}

impl GroupFigures {
    /// The figures over all pages.
    pub fn of(pages: &[ListPage<'_>], group: &ItemGroup<'_>) -> GroupFigures {
        let mut sum = GroupFigures::default();
        let (mut elements, mut found, mut counted) = (0.0_f32, 0.0_f32, 0.0_f32);
        let mut sets: Vec<HashSet<&str>> = Vec::new();
        for (listed, own) in pages.iter().zip(&group.elements) {
            let items = items(listed, own);
            elements += own.len() as f32;
            found += items.len() as f32;
            counted += 1.0;
            let mut bytes = 0;
            for &(element, at) in &items {
                let link = &listed.links[at];
                sum.words += link.words;
                sum.headings += f32::from(u8::from(link.in_heading));
                sum.dates += f32::from(u8::from(link.dated || listed.has_date(element)));
                sum.article_like += f32::from(u8::from(link.article_like));
                sum.aside += f32::from(u8::from(link.aside));
                bytes += listed.page.text(element).len();
                let others = &listed.links[listed.links_in(element)];
                let mut known = HashSet::from_iter([link.target]);
                let alike = others
                    .iter()
                    .filter(|other| other.weight >= link.weight - 0.5 && other.words >= 2.0);
                sum.further += alike
                    .filter(|other| known.insert(other.target))
                    .count()
                    .min(20) as f32;
            }
            sum.text += bytes as f32 / listed.text_bytes.max(1) as f32;
            let likely = |link: &&super::survey::SiteLink| {
                link.article_like && !link.aside && link.words >= 2.0
            };
            let all: HashSet<usize> = listed
                .links
                .iter()
                .filter(likely)
                .map(|link| link.target)
                .collect();
            let of_items: HashSet<usize> = items
                .iter()
                .map(|&(_, at)| listed.links[at].target)
                .collect();
            sum.reach += if all.is_empty() {
                1.0
            } else {
                all.intersection(&of_items).count() as f32 / all.len() as f32
            };
            sets.push(
                of_items
                    .iter()
                    .map(|&target| listed.targets[target].as_str())
                    .collect(),
            );
        }
        let items = found.max(1.0);
        GroupFigures {
            targets: found / counted.max(1.0),
            words: sum.words / items,
            headings: sum.headings / items,
            dates: sum.dates / items,
            article_like: sum.article_like / items,
            aside: sum.aside / items,
            further: sum.further / items,
            own: found / elements.max(1.0),
            text: (sum.text / counted.max(1.0)).min(1.0),
            reach: sum.reach / counted.max(1.0),
            change: change(&sets),
            is_strip: false,
        }
    }

    /// The score: the logarithm of the number of items, times what speaks for each of them.
    pub fn score(&self) -> f64 {
        if self.targets < 1.0 {
            return 0.0;
        }
        f64::from(
            self.factors()
                .iter()
                .map(|(_, factor)| factor)
                .product::<f32>(),
        )
    }

    /// The factors of the score, each with what a lower one means.
    fn factors(&self) -> [(&'static str, f32); 9] {
        let words = (self.words / TITLE_WORDS).min(1.0);
        [
            ("it links to fewer pages", (1.0 + self.targets).ln()),
            // Links without words are days of a calendar, numbers of pages, pictures.
            (
                "its links have fewer words",
                if self.words < 0.5 {
                    0.05
                } else {
                    0.2 + 0.8 * words
                },
            ),
            (
                "fewer of its items have a heading, a date or an address like an article's",
                1.0 + 0.4 * self.headings + 0.8 * self.dates + 0.5 * self.article_like,
            ),
            (
                "it is in navigation or beside the text",
                1.0 - 0.8 * self.aside,
            ),
            (
                "it has less of the page's text",
                0.5 + 0.5 * self.text.sqrt(),
            ),
            (
                "it has fewer of the page's links to articles",
                0.4 + 0.6 * self.reach,
            ),
            ("more of its elements have no page of their own", self.own),
            (
                "its items link to several pages",
                1.0 / (1.0 + self.further),
            ),
            (
                "its pages stay the same between the snapshots",
                self.change.map_or(1.0, |change| {
                    if change > 0.0 && !self.is_strip {
                        1.15
                    } else {
                        0.9
                    }
                }),
            ),
        ]
    }

    /// The reasons why another group was chosen, the weightiest first; none if this one is as
    /// good in all.
    pub fn less_than(&self, chosen: &GroupFigures) -> Vec<&'static str> {
        let both = self.factors().into_iter().zip(chosen.factors());
        let mut less: Vec<(&str, f32)> = both
            .map(|((name, own), (_, other))| (name, own / other))
            .filter(|(_, ratio)| *ratio < CLEARLY_LESS)
            .collect();
        less.sort_by(|a, b| a.1.total_cmp(&b.1));
        less.into_iter()
            .map(|(name, _)| name)
            .take(MAX_REASONS)
            .collect()
    }
}

/// The share of the pages linked to that not all snapshots link to.
fn change(sets: &[HashSet<&str>]) -> Option<f32> {
    let (first, rest) = sets.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let all: HashSet<&str> = sets.iter().flatten().copied().collect();
    let common = first
        .iter()
        .filter(|key| rest.iter().all(|set| set.contains(*key)))
        .count();
    Some(1.0 - common as f32 / all.len().max(1) as f32)
}
