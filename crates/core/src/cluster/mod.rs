//! `cluster`: which pages of a site are made alike.
//!
//! Takes the [`PageTraits`] of each page: the shape of its address, a signature of its structural
//! patterns, its kind; 300 bytes, whatever the page. Gives [`Clustering`]: the clusters, and the
//! cluster of each page or none.
//!
//! - `traits`: what is kept of a page.
//! - `layout`: the structural patterns (element type, level) of a page as text, and their MinHash.
//! - `split`: the split of a group that makes its description shortest.
//!
//! **By a minimum description length**, as in Blanco, Dalvi and Machanavajjhala, "Highly efficient
//! algorithms for structural clustering of large websites" (WWW 2011). A page is a row of symbols: the
//! slots of its MinHash, and the parts of its address, which together weigh less. A cluster states a
//! symbol for each slot; its pages state where they differ from it. A group is split where the symbols
//! that this saves outnumber the cost of one more cluster, and of saying of each page of the smaller
//! part that it is in that: a third of its symbols ([`split`](mod@split)). A page differs from others
//! of its template in a figure, a box, the name of its section, in fewer symbols than that; so the
//! sections of a site that have one template are one cluster, and clusters whose symbols agree in two
//! thirds are merged.
//!
//! **Cost.** Linear in the pages: a split is searched on [`SPLIT_PAGES`] of a group, drawn by what the
//! pages are and not by where they stand, and each page is compared with both parts. The pages in any
//! order give the same clusters. A layout that fewer than one in a hundred pages of a group have may
//! not be seen.
//!
//! **Departures.** The paper clusters by addresses and the terms of pages in a tree of splits; here
//! the patterns of FOREST's definition 3 decide, and the kind of a cluster is that of most of its pages.

mod layout;
mod split;
mod traits;

pub use layout::{LayoutPatterns, layout_patterns};
pub use split::SPLIT_PAGES;
pub use traits::PageTraits;

use crate::kind::PageKind;
use split::{Centre, MIN_PAGES, split};

/// Clusters of a site at the most.
const MAX_CLUSTERS: usize = 64;

/// A page that agrees with its cluster in less than this share of the layout's slots fits none,
/// whatever its address.
const FITS: f64 = 0.25;

/// Pages that are made alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCluster {
    /// The number of its pages.
    pub pages: usize,
    /// The kind of most of them.
    pub kind: PageKind,
}

/// The clusters of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustering {
    /// Those of most pages first.
    pub clusters: Vec<PageCluster>,
    /// The cluster of each page; `None`: it fits none.
    pub of_page: Vec<Option<usize>>,
    /// Pages that were compared with a cluster, a comparison each: the work done.
    pub compared: u64,
}

/// The clusters of the pages of a site.
pub fn cluster(pages: &[PageTraits]) -> Clustering {
    let mut compared = 0;
    let mut whole: Vec<Vec<&PageTraits>> = vec![pages.iter().collect()];
    let mut centres: Vec<Centre> = Vec::new();
    while let Some(group) = whole.pop() {
        let may_split = centres.len() + whole.len() + 1 < MAX_CLUSTERS;
        let parts = split(&group).filter(|_| may_split).map(|(a, b)| {
            compared += 2 * group.len() as u64;
            let is_first = |page: &&PageTraits| !a.gives_to(&b, page);
            group.iter().copied().partition::<Vec<_>, _>(is_first)
        });
        match parts {
            Some((a, b)) if a.len().min(b.len()) >= MIN_PAGES => whole.extend([a, b]),
            _ => centres.push(Centre::of_some(&group)),
        }
    }
    let centres = merged(centres);
    let mut of_page: Vec<Option<usize>> = pages
        .iter()
        .map(|page| {
            compared += centres.len() as u64;
            let best = best_of(&centres, page)?;
            (centres[best].layout_agreement(page) >= FITS).then_some(best)
        })
        .collect();
    let mut sizes = vec![0; centres.len()];
    of_page.iter().flatten().for_each(|&at| sizes[at] += 1);
    if sizes.iter().any(|&size| size >= MIN_PAGES) {
        for of in &mut of_page {
            *of = of.filter(|&at| sizes[at] >= MIN_PAGES);
        }
    } else {
        // No two pages are alike: together they are what there is.
        of_page.fill(Some(0));
    }
    numbered(pages, of_page, &centres, compared)
}

/// The centre that a page agrees with most; of equal ones the first.
fn best_of(centres: &[Centre], page: &PageTraits) -> Option<usize> {
    let at = (0..centres.len()).rev();
    at.max_by(|&a, &b| {
        centres[a]
            .agreement(page)
            .total_cmp(&centres[b].agreement(page))
    })
}

/// The centres without those that say the same as an earlier one; in the order of their symbols.
fn merged(mut centres: Vec<Centre>) -> Vec<Centre> {
    centres.sort_by(|a, b| {
        b.pages
            .cmp(&a.pages)
            .then_with(|| a.symbols.cmp(&b.symbols))
    });
    let mut kept: Vec<Centre> = Vec::new();
    for centre in centres {
        if !kept.iter().any(|known| known.is_same(&centre)) {
            kept.push(centre);
        }
    }
    kept
}

/// The clusters that have pages, by their number of pages.
fn numbered(
    pages: &[PageTraits],
    of_page: Vec<Option<usize>>,
    centres: &[Centre],
    compared: u64,
) -> Clustering {
    let mut kinds = vec![[0_usize; PageKind::COUNT]; centres.len().max(1)];
    for (page, of) in pages.iter().zip(&of_page) {
        if let Some(at) = of {
            kinds[*at][page.kind() as usize] += 1;
        }
    }
    let size = |at: usize| kinds[at].iter().sum::<usize>();
    let mut order: Vec<usize> = (0..kinds.len()).filter(|&at| size(at) > 0).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(size(at)), at));
    let kind_of = |at: usize| {
        let counts = PageKind::ALL.into_iter().rev();
        let most = counts.max_by_key(|&kind| kinds[at][kind as usize]);
        most.unwrap_or(PageKind::Article)
    };
    let clusters = order.iter().map(|&at| PageCluster {
        pages: size(at),
        kind: kind_of(at),
    });
    let clusters = clusters.collect();
    let place = |at: usize| order.iter().position(|&of| of == at);
    let of_page = of_page.into_iter().map(|of| of.and_then(place)).collect();
    Clustering {
        clusters,
        of_page,
        compared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Page;

    fn traits(html: &str, address: &str) -> PageTraits {
        let page = Page::from_html(html);
        PageTraits::new(&layout_patterns(&page), Some(address), PageKind::Article)
    }

    /// A page of a template, with one of the things that not all of its pages have.
    fn page(template: &str, n: usize) -> String {
        let more = [
            "<figure><img></figure>",
            "<blockquote><p>b</p></blockquote>",
            "<ul><li>x</ul>",
        ];
        let frame = "<header class=top><nav class=menu><a>x</a></nav></header>";
        let body = match template {
            "story" => format!(
                "<main class=story><h1 class=head>T</h1><div class=by><span class=name>A</span></div>\
                 <div class=text><p>t <em>e</em></p>{}</div><aside class=more></aside></main>",
                more[n % 3]
            ),
            "dossier" => format!(
                "<section class=dossier><div class=lead><h2 class=title>T</h2></div>\
                 <article class=chapters><section class=chapter><h3>c</h3><p>t</p></section>{}</article>\
                 <div class=notes><ol class=list><li class=note>n</li></ol></div></section>",
                more[n % 3]
            ),
            _ => "<div class=teasers><div class=teaser><h2><a>t</a></h2><p class=sum>s</p></div></div>\
                  <div class=pager><a class=next>n</a></div>"
                .to_owned(),
        };
        format!("{frame}{body}<footer class=end><p>f</p></footer>")
    }

    fn site(templates: &[(&str, &str, usize)]) -> Vec<PageTraits> {
        let pages = templates.iter().flat_map(|&(template, section, pages)| {
            (0..pages).map(move |n| {
                let url = format!(
                    "https://a.example/{section}/2026/05/0{}/page-{n}",
                    n % 9 + 1
                );
                traits(&page(template, n), &url)
            })
        });
        pages.collect()
    }

    fn check(templates: &[(&str, &str, usize)], expected: &[usize]) -> Clustering {
        let found = cluster(&site(templates));
        let sizes: Vec<usize> = found.clusters.iter().map(|cluster| cluster.pages).collect();
        assert_eq!(sizes, expected, "{templates:?}");
        found
    }

    #[test]
    fn layouts_are_clusters_and_sections_are_not() {
        check(&[("story", "news", 6), ("story", "sport", 6)], &[12]);
        check(&[("story", "news", 300), ("story", "sport", 300)], &[600]);
        check(&[("story", "news", 8), ("dossier", "news", 5)], &[8, 5]);
        check(
            &[
                ("story", "news", 9),
                ("dossier", "long", 7),
                ("list", "tag", 3),
            ],
            &[9, 7, 3],
        );
        check(
            &[("story", "news", 900), ("dossier", "news", 30)],
            &[900, 30],
        );
        check(&[("story", "news", 1)], &[1]);
        check(&[("story", "news", 1), ("list", "tag", 1)], &[2]);
        check(&[], &[]);
    }

    #[test]
    fn a_page_unlike_all_fits_none() {
        let mut pages = site(&[("story", "news", 9)]);
        pages.push(traits(
            "<table><tr><td><font>old</font></table>",
            "https://a.example/~x/?p=1",
        ));
        let found = cluster(&pages);
        assert_eq!(found.clusters.len(), 1);
        assert_eq!(found.of_page[9], None);
        assert_eq!(found.of_page[..9], [Some(0); 9]);
    }

    #[test]
    fn the_kind_is_that_of_most_pages() {
        let mut pages = site(&[("story", "news", 5)]);
        pages[0].kind = PageKind::Listing;
        assert_eq!(cluster(&pages).clusters[0].kind, PageKind::Article);
        pages
            .iter_mut()
            .for_each(|page| page.kind = PageKind::Forum);
        assert_eq!(cluster(&pages).clusters[0].kind, PageKind::Forum);
    }

    #[test]
    fn any_order_gives_the_same_clusters() {
        let mut pages = site(&[
            ("list", "tag", 40),
            ("story", "news", 400),
            ("dossier", "x", 90),
        ]);
        let found = cluster(&pages);
        assert_eq!(found.clusters.len(), 3);
        pages.reverse();
        let mut turned = cluster(&pages);
        turned.of_page.reverse();
        assert_eq!(turned, found);
    }

    #[test]
    fn the_work_is_linear_in_the_pages() {
        let layouts = site(&[("story", "news", 27), ("dossier", "x", 27)]);
        let work = |pages: usize| {
            let all: Vec<PageTraits> = (0..pages).map(|n| layouts[n % 54].clone()).collect();
            let found = cluster(&all);
            assert_eq!(found.clusters.len(), 2);
            found.compared
        };
        let few = work(1_000);
        assert_eq!(work(100_000), 100 * few);
        assert!(few <= 8 * 1_000, "{few}");
    }
}
