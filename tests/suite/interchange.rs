//! Wrappers of whole collections, exported and imported: they extract the same.

use forest_core::extract::{ArticleWarning, Extractor, Options};
use forest_core::learn::SamplePage;
#[cfg(feature = "heavy")]
use forest_core::learn::{LearnOptions, LearnOutcome, Method, learn};
use forest_core::wrapper::Wrapper;
use forest_exchange::{UnsupportedPolicy, from_ftr, to_ftr};
use forest_html::page::{Page, Source};
use forest_sources::gold::{Collection, GoldSite};
#[cfg(feature = "heavy")]
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Pages that were compared, and those whose text differs.
#[derive(Default)]
struct Compared {
    pages: usize,
    with_text: usize,
    differing: Vec<String>,
}

impl Compared {
    fn add(mut self, other: Compared) -> Compared {
        self.pages += other.pages;
        self.with_text += other.with_text;
        self.differing.extend(other.differing);
        self
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn pages(collection: &Collection, site: &GoldSite) -> Vec<SamplePage> {
    let pages = collection.pages_of(site).iter();
    let parsed = pages.map(|page| {
        let source = Source {
            url: page.url.as_deref(),
            content_type: None,
        };
        let bytes = page.read().expect("a page");
        SamplePage::new(Page::parse(&bytes, source), page.id.clone())
    });
    parsed.collect()
}

/// The texts of a wrapper and of its imported export for each page. Rules of other programs have no
/// conditions: pages that a template is not for, and those on which a strip rule found what it does
/// not expect, are left out.
fn compare(wrapper: Wrapper, pages: &[SamplePage]) -> Compared {
    let name = wrapper.site.clone();
    let file =
        to_ftr(&wrapper, UnsupportedPolicy::Refused).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(!file.text.contains("@dfs"), "{name}");
    let read = from_ftr(file.text.as_bytes(), &name).expect("own file");
    assert_eq!(read.notes, [], "{name}");
    let extractors = [wrapper, read.wrapper].map(|w| Extractor::new(w).expect("compiles"));
    let mut compared = Compared::default();
    for page in pages {
        let [first, again] = extractors
            .each_ref()
            .map(|extractor| extractor.extract(&page.page, &Options::default()));
        compared.pages += 1;
        compared.with_text += usize::from(!first.text.is_empty());
        let is_condition = |warning: &ArticleWarning| {
            matches!(
                warning,
                ArticleWarning::StripsKept { .. } | ArticleWarning::Fallback { .. }
            )
        };
        if first.text != again.text && !first.warnings.iter().any(is_condition) {
            compared.differing.push(page.name.clone());
        }
    }
    compared
}

/// Learns a wrapper for each site of a collection and compares.
#[cfg(feature = "heavy")]
fn compare_collection(dir: &Path, method: &Method) -> Compared {
    let collection = Collection::open(dir).expect("a collection");
    let sites = collection.sites().par_iter().map(|site| {
        let pages = pages(&collection, site);
        let options = LearnOptions::default()
            .with_method(*method)
            .with_site(&site.name);
        match learn(&pages, &options) {
            LearnOutcome::Learned(learned) => compare(learned.wrapper, &pages),
            LearnOutcome::Abstained(_) => Compared::default(),
        }
    });
    sites.reduce(Compared::default, Compared::add)
}

#[test]
fn the_projects_own_wrappers_are_read_back_the_same() {
    let gold = Collection::open(root().join("gold")).expect("gold");
    let mut compared = Compared::default();
    for site in gold.sites() {
        let path = root().join("sites").join(format!("{}.yaml", site.name));
        let yaml = std::fs::read_to_string(&path).expect("a wrapper");
        let wrapper = Wrapper::from_yaml(&yaml).expect("a wrapper").wrapper;
        compared = compared.add(compare(wrapper, &pages(&gold, site)));
    }
    assert_eq!(compared.differing, [""; 0]);
    assert!(compared.with_text >= 100, "{}", compared.with_text);
}

/// On all pages of the development gold, with wrappers of the default method and of the one
/// whose expressions are the least common.
#[cfg(feature = "heavy")]
#[test]
fn learned_wrappers_come_back_the_same_on_the_development_gold() {
    let Some(shared) = crate::needed::shared("") else {
        return;
    };
    let pool = [
        "big9",
        "cleanportaleval",
        "daniel",
        "dragnet",
        "fundus_eval",
        "l3s_gn1",
        "xmu_zh",
    ];
    let mut collections: Vec<PathBuf> = pool.map(|name| shared.join("gold/pool").join(name)).into();
    collections.push(shared.join("feeds"));
    let methods = [Method::Forest, Method::PaperNoDfs];
    let dirs = collections.iter();
    for (dir, method) in dirs.flat_map(|dir| methods.iter().map(move |method| (dir, method))) {
        let compared = compare_collection(dir, method);
        println!(
            "{}, {method}: {} pages, {} with text, {} differ",
            dir.display(),
            compared.pages,
            compared.with_text,
            compared.differing.len()
        );
        assert_eq!(compared.differing, [""; 0], "{}", dir.display());
        assert!(compared.with_text * 2 > compared.pages, "{}", dir.display());
    }
}
