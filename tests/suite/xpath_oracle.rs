//! Our XPath against sxd-xpath: an expression that was learned selects the same
//! nodes under both, on the project's own gold and, with `--features heavy`, on
//! the development gold.
//!
//! The oracle gets a document of elements, attributes and text, built from the [`Page`], in
//! which `@dfs` is an ordinary attribute. Known faults of the oracle are not tested: `!=` over
//! node sets, and numbers such as `1.` or `.5`.

use forest_core::learn::{LearnOptions, LearnOutcome, Method, SamplePage, learn};
use forest_core::wrapper::xpath::XPath;
use forest_html::page::{Kind, NodeId, Page, Source};
use forest_sources::gold::{Collection, GoldSite};
use html5ever::ns;
use std::collections::HashMap;
use std::path::Path;
use sxd_document::Package;
use sxd_document::dom::{Document, Element};
use sxd_xpath::nodeset::Node;
use sxd_xpath::{Context, Factory, Value};

/// Bytes of the stack for sxd-xpath: it recurses once for each level, and pages have up to
/// 512 levels.
const STACK_BYTES: usize = 64 << 20;

/// Patterns of a site whose expressions are compared, the winner first.
const PATTERNS: usize = 10;

/// The page for the oracle, and the page's node for each of its nodes.
#[expect(
    clippy::mutable_key_type,
    reason = "a node is hashed by its address, not by what is in it"
)]
fn build<'d>(document: Document<'d>, page: &Page) -> HashMap<Node<'d>, NodeId> {
    let mut elements: HashMap<NodeId, Element<'d>> = HashMap::new();
    let mut ours = HashMap::new();
    for n in page.nodes() {
        let parent = page.parent_element(n).map(|up| elements[&up]);
        match page.kind(n) {
            Kind::Element => {
                let name = page.name(n).expect("an element has a name");
                let element = document.create_element(&*name.local);
                for (name, value) in page.attrs(n) {
                    if name.ns == ns!() && &*name.local != "dfs" {
                        element.set_attribute_value(&*name.local, value);
                    }
                }
                if let Some(dfs) = page.dfs(n) {
                    element.set_attribute_value("dfs", &dfs.0.to_string());
                }
                match parent {
                    Some(parent) => parent.append_child(element),
                    None => document.root().append_child(element),
                }
                elements.insert(n, element);
                ours.insert(Node::Element(element), n);
            }
            Kind::Text => {
                let text = document.create_text(page.text(n));
                parent
                    .expect("text stands in an element")
                    .append_child(text);
                ours.insert(Node::Text(text), n);
            }
            _ => {}
        }
    }
    ours
}

/// Compares `expressions` over a page; returns the number of nodes that each selects.
#[expect(clippy::mutable_key_type, reason = "as for `build`")]
fn compare(name: &str, page: &Page, expressions: &[String]) -> Vec<usize> {
    let package = Package::new();
    let document = package.as_document();
    let ours = build(document, page);
    let factory = Factory::new();
    let context = Context::new();
    let mut counts = Vec::new();
    for source in expressions {
        let theirs = factory.build(source);
        let theirs = theirs.unwrap_or_else(|e| panic!("{source}: {e}"));
        let theirs = theirs.unwrap_or_else(|| panic!("{source}: empty"));
        let value = theirs.evaluate(&context, document.root());
        let Ok(Value::Nodeset(set)) = value else {
            panic!("{source}: {value:?}");
        };
        // If sxd-xpath selects an attribute, ours selects its element.
        let mut theirs: Vec<NodeId> = set
            .iter()
            .map(|node| match node {
                Node::Attribute(a) => ours[&Node::Element(a.parent().expect("has an owner"))],
                node => ours[&node],
            })
            .collect();
        theirs.sort_unstable();
        theirs.dedup();
        let own = XPath::parse(source).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(own.nodes(page), theirs, "{name}: {source}");
        counts.push(theirs.len());
    }
    counts
}

/// Runs `f` with enough stack for the oracle's recursion.
fn with_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let result = thread.spawn(f).expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

/// The numbers of compared expressions and pages, and of selected nodes.
#[derive(Debug, Default, Clone, Copy)]
struct Compared {
    expressions: usize,
    pages: usize,
    nodes: usize,
}

/// Learns a site by `paper` and `paper-nodfs` and compares the wrappers'
/// expressions, and those of the patterns behind them, over all its pages.
fn compare_site(collection: &Collection, site: &GoldSite, total: &mut Compared) {
    let sample: Vec<SamplePage> = collection
        .pages_of(site)
        .iter()
        .map(|page| {
            let bytes = page.read().expect("a readable page");
            let source = Source {
                url: page.url.as_deref(),
                content_type: None,
            };
            SamplePage::new(Page::parse(&bytes, source), page.id.clone())
        })
        .collect();
    let mut expressions: Vec<String> = Vec::new();
    for method in [Method::Paper, Method::PaperNoDfs] {
        let options = LearnOptions::default().with_method(method);
        let options = options.with_any_host(true).with_site(&site.name);
        let LearnOutcome::Learned(learned) = learn(&sample, &options) else {
            continue;
        };
        for template in &learned.wrapper.templates {
            expressions.extend(template.body.iter().cloned());
        }
        let ranked = learned.induction.ranked();
        let next = ranked.iter().take(PATTERNS);
        expressions.extend(next.map(|r| learned.induction.expression(r)));
    }
    expressions.sort();
    expressions.dedup();
    for page in &sample {
        let counts = compare(&page.name, &page.page, &expressions);
        total.nodes += counts.iter().sum::<usize>();
        total.pages += 1;
    }
    total.expressions += expressions.len();
}

fn compare_collection(folder: &Path) -> Compared {
    let collection = Collection::open(folder).unwrap_or_else(|e| panic!("{e}"));
    let mut total = Compared::default();
    for site in collection.sites() {
        compare_site(&collection, site, &mut total);
    }
    total
}

/// Checks that both select this number of nodes by each expression.
fn check(html: &str, expressions: &[(&str, usize)]) {
    let page = Page::from_html(html);
    let sources: Vec<String> = expressions.iter().map(|(x, _)| (*x).to_owned()).collect();
    let counts = compare("check", &page, &sources);
    for ((source, expected), found) in expressions.iter().zip(counts) {
        assert_eq!(found, *expected, "{source}");
    }
}

#[test]
fn what_wrapper_files_say() {
    check(
        "<body><div id=a1 class='post-12 wide'><p>One<p class=x>Two <b>three</b></div>\
         <div class=post-3><p itemprop=articleBody>Four</div><script>var five</script>\
         <template><p class=x>Six</template>",
        &[
            ("//p", 4),
            ("/html/body/div/p", 3),
            ("//div[@id='a1']//text()", 3),
            (
                "//div[contains(translate(@class,'0123456789',''),'post-')]",
                2,
            ),
            (
                "//div[contains(concat(' ', normalize-space(@class), ' '), ' wide ')]",
                1,
            ),
            ("//*[@dfs='4' or @dfs='5']", 2),
            ("//p[not(@class)]", 2),
            ("//p[@class='x'] | //p[@itemprop]", 3),
            ("//div/p[1]", 2),
            ("//p[last()]", 3),
            ("//p[position()=2]/b", 1),
            ("//b/ancestor::div", 1),
            ("//b/ancestor-or-self::*", 5),
            ("//p/following-sibling::p", 1),
            ("//div/following::p", 2),
            ("//p[@itemprop]/preceding::p", 2),
            ("//div[count(p) > 1]", 1),
            ("//p[starts-with(., 'T')]", 1),
            ("//p[string-length(.)=3]/..", 2),
            ("//*[name()='script']", 1),
            ("//script/@dfs", 0),
            ("//div/@class", 2),
        ],
    );
}

#[test]
fn tags_that_are_no_names_and_quotes() {
    check(
        "<a:b class='it&#39;s'>x</a:b><o@p>y</o@p><i title='say &quot;a&#39;b&quot;'>z</i>",
        &[
            ("//*[name()='o@p']", 1),
            ("//*[contains(@class,\"it's\")]", 1),
            ("//i[contains(@title,concat('say \"a',\"'\",'b\"'))]", 1),
        ],
    );
}

#[test]
fn what_was_learned_of_the_own_gold() {
    with_stack(|| {
        let total = compare_collection(&Path::new(env!("CARGO_MANIFEST_DIR")).join("gold"));
        println!("{total:?}");
        assert!(total.expressions >= 18 * PATTERNS, "{total:?}");
        assert!(total.pages >= 180, "{total:?}");
        assert!(total.nodes > total.pages, "{total:?}");
    });
}

#[test]
#[cfg(feature = "heavy")]
fn what_was_learned_of_the_development_gold() {
    use crate::needed::shared;
    let (Some(pool), Some(feeds)) = (shared("gold/pool"), shared("feeds")) else {
        return;
    };
    with_stack(move || {
        let entries = std::fs::read_dir(pool).expect("a readable folder");
        let mut folders: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
        folders.push(feeds);
        folders.sort();
        let mut pages = 0;
        for folder in folders {
            let total = compare_collection(&folder);
            println!("{}: {total:?}", folder.display());
            assert!(total.nodes > 0, "{}: {total:?}", folder.display());
            pages += total.pages;
        }
        assert!(pages > 1700, "only {pages} pages compared");
    });
}
