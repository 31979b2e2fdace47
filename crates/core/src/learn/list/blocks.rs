//! Further items of the main list, made in another way: a newspaper's first story above its
//! cards, and short rows below them.
//!
//! A group of elements is such a block if nearly all pages that it links to are new ones, with
//! addresses like those of the main list, and nothing around it says that it is a list of its
//! own ("most read").

use super::RankedGroup;
use super::groups::ItemGroup;
use super::score::{GroupFigures, items};
use super::survey::{ListPage, is_heading};
use foldhash::HashSet;
use forest_html::page::{NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;

/// Blocks beside the main one.
const MAX_BLOCKS: usize = 6;

/// Share of a block's items that must be as an item is.
const NEARLY_ALL: f32 = 0.8;

/// Mean words of the links of a block with headings or dates, and of one without.
const MIN_WORDS: (f32, f32) = (2.0, 4.0);

/// Share of a block's items that may stand in navigation or beside the text.
const MAX_ASIDE: f32 = 0.1;

/// Items of a block without headings and dates.
const MIN_ROWS: f32 = 3.0;

/// Elements before a block in which its heading may stand.
const BEFORE: usize = 3;

/// Levels above a block whose names and headings are looked at.
const ABOVE: usize = 4;

/// Parts of headings and names of lists that are not the main one, in lower case.
const OTHER_LISTS: [&str; 26] = [
    "most read",
    "most-read",
    "mostread",
    "most popular",
    "popular",
    "trending",
    "related",
    "recommend",
    "sponsor",
    "advert",
    "promo",
    "archive",
    "recent",
    "older",
    "partner",
    "newsletter",
    "meistgelesen",
    "beliebt",
    "empfohlen",
    "les plus lus",
    "populaire",
    "más leíd",
    "più lett",
    "mais lid",
    "meest gelezen",
    "popular",
];

/// Groups of which each is tried as the main one, the best by their scores.
const MAX_TRIED: usize = 6;

/// By so much the score of a group with its blocks must exceed that of the best single group.
const BETTER: f64 = 1.1;

/// The main group, as an index of `ranked`, and the groups that complete it: those with the
/// best score together, or the first group if that is about as good.
pub(super) fn chosen(pages: &[ListPage<'_>], ranked: &[RankedGroup<'_>]) -> (usize, Vec<usize>) {
    let mut best = (0, further(pages, ranked, 0));
    let mut most = match &*best.1 {
        [] => BETTER * ranked.first().map_or(0.0, |first| first.score),
        blocks => together(pages, ranked, 0, blocks),
    };
    for main in 1..ranked.len().min(MAX_TRIED) {
        let blocks = further(pages, ranked, main);
        let score = together(pages, ranked, main, &blocks);
        if !blocks.is_empty() && score > most {
            most = score;
            best = (main, blocks);
        }
    }
    best
}

/// The score of a group and its blocks as one.
fn together(
    pages: &[ListPage<'_>],
    ranked: &[RankedGroup<'_>],
    main: usize,
    blocks: &[usize],
) -> f64 {
    let mut all = ranked[main].group.clone();
    for &block in blocks {
        let others = &ranked[block].group.elements;
        for (own, others) in all.elements.iter_mut().zip(others) {
            own.extend(others);
        }
    }
    for own in &mut all.elements {
        own.sort_unstable();
    }
    GroupFigures::of(pages, &all).score()
}

/// The groups that complete a main one, the better ones first.
fn further(pages: &[ListPage<'_>], ranked: &[RankedGroup<'_>], main: usize) -> Vec<usize> {
    let Some(of_main) = ranked.get(main) else {
        return Vec::new();
    };
    let main_figures = &of_main.figures;
    // A strip beside the list is not completed by the list.
    if main_figures.aside > MAX_ASIDE
        || main_figures.article_like < NEARLY_ALL
        || is_other_list(pages, &of_main.group)
    {
        return Vec::new();
    }
    // An article may stand in another block on another day.
    let mut known: HashSet<(usize, &str)> = targets(pages, &of_main.group).collect();
    let forms = known.iter().map(|(_, key)| AddressForm::of(key));
    let forms: HashSet<AddressForm<'_>> = forms.collect();
    let mut chosen: Vec<usize> = vec![main];
    for (at, other) in ranked.iter().enumerate() {
        if chosen.len() > MAX_BLOCKS {
            break;
        }
        if !is_block(other, of_main) {
            continue;
        }
        let own: HashSet<(usize, &str)> = targets(pages, &other.group).collect();
        let is_most = |is_one: &dyn Fn(&(usize, &str)) -> bool| {
            let count = own.iter().filter(|target| is_one(target)).count();
            count as f32 >= NEARLY_ALL * own.len() as f32
        };
        let is_apart = |&chosen: &usize| are_apart(pages, &ranked[chosen].group, &other.group);
        if is_most(&|target| !known.contains(target))
            && is_most(&|(_, key)| forms.contains(&AddressForm::of(key)))
            && chosen.iter().all(is_apart)
            && are_in_one_region(pages, &of_main.group, &other.group)
            && are_in_one_region(pages, &other.group, &of_main.group)
            && !is_other_list(pages, &other.group)
        {
            known.extend(own);
            chosen.push(at);
        }
    }
    chosen.remove(0);
    chosen
}

/// The keys of the pages that a group's items link to, each with the index of its snapshot.
fn targets<'a>(
    pages: &'a [ListPage<'_>],
    group: &'a ItemGroup<'_>,
) -> impl Iterator<Item = (usize, &'a str)> {
    let each = pages.iter().zip(&group.elements).enumerate();
    each.flat_map(|(at, (listed, own))| {
        let items = items(listed, own).into_iter();
        items.map(move |(_, link)| (at, listed.targets[listed.links[link].target].as_str()))
    })
}

/// True if the figures of a group are those of items.
fn is_block(other: &RankedGroup<'_>, main: &RankedGroup<'_>) -> bool {
    let figures = &other.figures;
    let is_marked = figures.headings >= NEARLY_ALL || figures.dates >= NEARLY_ALL;
    let is_row = figures.targets >= MIN_ROWS && figures.words >= MIN_WORDS.1;
    let stays = |change: Option<f32>| change.is_some_and(|change| change <= 0.0);
    // A link without a date among dated ones leads to all of them, or says something else.
    let lacks_date = figures.targets < MIN_ROWS
        && main.figures.dates >= NEARLY_ALL
        && figures.dates < NEARLY_ALL;
    figures.words >= MIN_WORDS.0
        && (is_marked || is_row)
        && !lacks_date
        && figures.article_like >= NEARLY_ALL
        && figures.own >= NEARLY_ALL
        && figures.aside <= MAX_ASIDE
        && figures.further <= 0.2
        && (!stays(figures.change) || stays(main.figures.change))
}

/// True if no element of one group stands in one of the other.
fn are_apart(pages: &[ListPage<'_>], a: &ItemGroup<'_>, b: &ItemGroup<'_>) -> bool {
    let holds = |page: &Page, outer: &[NodeId], inner: &[NodeId]| {
        inner.iter().any(|&n| {
            let at = outer.partition_point(|&element| element <= n);
            at > 0 && page.contains(outer[at - 1], n)
        })
    };
    let mut each = pages.iter().zip(a.elements.iter().zip(&b.elements));
    each.all(|(listed, (a, b))| !holds(listed.page, a, b) && !holds(listed.page, b, a))
}

/// Names of the element with a page's main content.
const MAIN_NAMES: [&str; 6] = [
    "main",
    "content",
    "primary",
    "main-content",
    "maincontent",
    "page-content",
];

/// True if two groups stand in the same main content, where the page says which that is.
fn are_in_one_region(pages: &[ListPage<'_>], a: &ItemGroup<'_>, b: &ItemGroup<'_>) -> bool {
    let is_main = |page: &Page, n: NodeId| {
        let mut names = ["role", "id"]
            .into_iter()
            .filter_map(|name| page.attr(n, name));
        page.is(n, &local_name!("main"))
            || names.any(|name| MAIN_NAMES.contains(&name.to_ascii_lowercase().as_str()))
    };
    let mut each = pages.iter().zip(a.elements.iter().zip(&b.elements));
    each.all(|(listed, (a, b))| {
        let page = listed.page;
        let region = a
            .first()
            .and_then(|&n| page.ancestors(n).find(|&n| is_main(page, n)));
        region.is_none_or(|region| b.iter().all(|&n| page.contains(region, n)))
    })
}

/// True if a name around a group, or the heading before it, says that it is another list.
pub(super) fn is_other_list(pages: &[ListPage<'_>], group: &ItemGroup<'_>) -> bool {
    let says = |text: &str| {
        let text = fold(text).to_lowercase();
        text.len() <= 120 && OTHER_LISTS.iter().any(|part| text.contains(part))
    };
    let named = |page: &Page, n: NodeId| {
        let mut names = ["class", "id"]
            .into_iter()
            .filter_map(|name| page.attr(n, name));
        names.any(says)
    };
    let headed = |page: &Page, n: NodeId| {
        let Some(parent) = page.parent(n) else {
            return false;
        };
        let before: Vec<NodeId> = page
            .children(parent)
            .take_while(|&other| other < n)
            .collect();
        let heads = before
            .iter()
            .rev()
            .filter(|&&n| page.tag(n).is_some())
            .take(BEFORE);
        let mut headings = heads.filter_map(|&n| {
            let mut inside = page.subtree(n);
            inside.find(|&n| is_heading(page, n))
        });
        headings.any(|n| says(page.text(n)))
    };
    let mut each = pages.iter().zip(&group.elements);
    each.any(|(listed, own)| {
        let page = listed.page;
        own.first().is_some_and(|&first| {
            let mut around = page.ancestors(first).take(ABOVE + 1);
            around.any(|n| {
                Some(n) != page.body()
                    && page.tag(n).is_some()
                    && (named(page, n) || headed(page, n))
            })
        })
    })
}

/// The form of a page's key: its segments by kind.
#[derive(Debug, PartialEq, Eq, Hash)]
struct AddressForm<'k> {
    /// True for each segment of digits before the last.
    folders: Vec<bool>,
    /// Its last segment ends so: `.html`.
    ending: &'k str,
}

impl<'k> AddressForm<'k> {
    fn of(key: &'k str) -> AddressForm<'k> {
        let path = key.split(['?', '#']).next().unwrap_or_default();
        let mut segments: Vec<&str> = path.split('/').skip(1).filter(|s| !s.is_empty()).collect();
        let last = segments.pop().unwrap_or_default();
        let is_number = |segment: &&str| segment.bytes().all(|b| b.is_ascii_digit());
        AddressForm {
            folders: segments.iter().map(is_number).collect(),
            ending: last.rfind('.').map_or("", |at| &last[at..]),
        }
    }
}
