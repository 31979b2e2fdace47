//! The words of the gold that strip rules take away.
//!
//! Text that a rule takes counts as gold's where it stands in the gold in runs of three
//! words (of all its words, if there are fewer), more often than in the text that is left.
//! Of several right texts of a page the one counts that loses least: a headline that is
//! stripped is no loss where one of them has none.

use super::run::SiteMethod;
use super::setup::{Setup, Split};
use super::site::EvalSite;
use crate::error::Result;
use foldhash::HashMap;
use forest_core::render;
use forest_core::wrapper::{Matcher, Trace, WrapperField};
use forest_html::error::counted;
use forest_html::page::{Mask, Page};
use forest_html::text::Interner;
use forest_sources::gold::Collection;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

/// Words of a run by which text is found in the gold.
const RUN: usize = 3;

/// A strip rule over the scored pages of its site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StripLoss {
    /// Its expression.
    pub xpath: String,
    /// Pages that it takes words from.
    pub pages: usize,
    /// Words that it takes.
    pub words: usize,
    /// Those of them that are the gold's.
    pub gold_words: usize,
}

/// The strip rules of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteStrips {
    /// The site.
    pub site: String,
    /// Words of the gold of its scored pages.
    pub gold_words: usize,
    /// Its rules, by template, in their order.
    pub rules: Vec<StripLoss>,
}

/// The strip rules of a collection's sites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StripTable {
    /// The collection.
    pub collection: String,
    /// The method.
    pub method: String,
    /// Its sites.
    pub sites: Vec<SiteStrips>,
}

/// Learns each site of a collection and counts what its strip rules take. `done` is called
/// after each site.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn strips(
    collection: &Collection,
    setup: &Setup,
    done: &(dyn Fn() + Sync),
) -> Result<StripTable> {
    let sites = collection.sites().par_iter().map(|site| {
        let read = EvalSite::read(collection, site)?;
        let of_site = of_site(&site.name, &read, setup);
        done();
        Ok(of_site)
    });
    Ok(StripTable {
        collection: collection.name().to_owned(),
        method: setup.label(),
        sites: sites.collect::<Result<_>>()?,
    })
}

fn of_site(name: &str, site: &EvalSite, setup: &Setup) -> SiteStrips {
    let mut out = SiteStrips {
        site: name.to_owned(),
        gold_words: 0,
        rules: Vec::new(),
    };
    let Split { train, test } = setup.split(site.samples().len());
    let method = site.learn(&train, setup);
    let SiteMethod::Wrapper(matcher) = &method else {
        return out;
    };
    let before = put_rules(matcher, &mut out.rules);
    for (sample, gold) in site.scored(test) {
        let of_json = method.page_of_json(&sample.page);
        let page = of_json.as_ref().unwrap_or(&sample.page);
        let Some(trace) = matcher.trace(page) else {
            continue;
        };
        let taken = taken_texts(page, &trace);
        let left = render::text(page, &trace.found.kept);
        let mut words = Interner::default();
        let taken: Vec<Vec<u32>> = taken.iter().map(|text| words.ids(text)).collect();
        let left = words.ids(&left);
        let losses = gold.refs.iter().map(|gold| {
            let gold = words.ids(gold);
            let of_rules: Vec<usize> = taken.iter().map(|t| lost(t, &gold, &left)).collect();
            (of_rules, gold.len())
        });
        let Some((losses, gold_words)) = losses.min_by_key(|(lost, _)| lost.iter().sum::<usize>())
        else {
            continue;
        };
        out.gold_words += gold_words;
        let rules = &mut out.rules[before[trace.found.template]..];
        for ((rule, taken), lost) in rules.iter_mut().zip(taken).zip(losses) {
            rule.pages += usize::from(!taken.is_empty());
            rule.words += taken.len();
            rule.gold_words += lost;
        }
    }
    out
}

/// Adds the rules of a wrapper; gives for each template the number of rules before its own.
fn put_rules(matcher: &Matcher, rules: &mut Vec<StripLoss>) -> Vec<usize> {
    let mut before = Vec::new();
    for expression in matcher.expressions() {
        before.resize(expression.template + 1, rules.len());
        if expression.field == WrapperField::Strip {
            rules.push(StripLoss {
                xpath: expression.xpath.to_owned(),
                pages: 0,
                words: 0,
                gold_words: 0,
            });
        }
    }
    before
}

/// The text that each rule takes from the body: none that an earlier one takes.
fn taken_texts(page: &Page, trace: &Trace) -> Vec<String> {
    let mut left = Mask::subtrees(page, &trace.found.nodes);
    let taken = trace.strips.iter().map(|nodes| {
        let mut rest = left.clone();
        for &n in nodes {
            rest.drop_subtree(page, n);
        }
        let mut of_rule = std::mem::replace(&mut left, rest);
        of_rule.subtract(&left);
        render::text(page, &of_rule)
    });
    taken.collect()
}

/// The words of a text that stand in the gold, and not in the text that is left.
fn lost(text: &[u32], gold: &[u32], left: &[u32]) -> usize {
    let run = RUN.min(text.len());
    if run == 0 {
        return 0;
    }
    let mut missing: HashMap<&[u32], i32> = HashMap::default();
    for of_gold in gold.windows(run) {
        *missing.entry(of_gold).or_default() += 1;
    }
    for of_left in left.windows(run) {
        if let Some(count) = missing.get_mut(of_left) {
            *count -= 1;
        }
    }
    let mut is_lost = vec![false; text.len()];
    for (at, of_text) in text.windows(run).enumerate() {
        if let Some(count) = missing.get_mut(of_text).filter(|count| **count > 0) {
            *count -= 1;
            is_lost[at..at + run].fill(true);
        }
    }
    is_lost.into_iter().filter(|is_lost| *is_lost).count()
}

impl SiteStrips {
    fn lost(&self) -> usize {
        self.rules.iter().map(|rule| rule.gold_words).sum()
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The rules, their words, and the share of the gold's words that they take, in percent; the
/// highest share that one rule takes of its site's.
impl fmt::Display for StripTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.sites.iter().flat_map(|site| &site.rules);
        let with_loss = rules.clone().filter(|rule| rule.gold_words > 0).count();
        let lost: usize = self.sites.iter().map(SiteStrips::lost).sum();
        let gold: usize = self.sites.iter().map(|site| site.gold_words).sum();
        let worst = self.sites.iter().flat_map(|site| {
            let of_rule = |rule: &StripLoss| percent(rule.gold_words, site.gold_words);
            site.rules.iter().map(of_rule)
        });
        writeln!(
            f,
            "{}, {}: {} on {}; {with_loss} of them take {lost} of {} of the gold, {:.2} %; the \
             worst {:.2} % of its site's",
            self.collection,
            self.method,
            counted(rules.count(), "strip rule", "strip rules"),
            counted(self.sites.len(), "site", "sites"),
            counted(gold, "word", "words"),
            percent(lost, gold),
            worst.fold(0.0, f64::max),
        )
    }
}

impl StripTable {
    /// A line a rule that takes words of the gold, by site.
    pub fn by_site(&self) -> impl fmt::Display {
        let lines = self.sites.iter().flat_map(|site| {
            let with_loss = site.rules.iter().filter(|rule| rule.gold_words > 0);
            with_loss.map(|rule| {
                let StripLoss {
                    words, gold_words, ..
                } = rule;
                let share = percent(*gold_words, site.gold_words);
                let pages = counted(rule.pages, "page", "pages");
                let (site, xpath) = (&site.site, &rule.xpath);
                format!("{site}: {share:.2} %, {gold_words} of {words} words on {pages}: {xpath}\n")
            })
        });
        lines.collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::learn::{Method, SignifierSource};
    use forest_core::wrapper::Wrapper;

    #[test]
    fn words_count_that_stand_in_the_gold_and_nowhere_in_what_is_left() {
        let check = |text: &str, gold: &str, left: &str, expected: usize| {
            let mut words = Interner::default();
            let [text, gold, left] = [text, gold, left].map(|t| words.ids(t));
            assert_eq!(lost(&text, &gold, &left), expected);
        };
        check("a b c d", "x a b c y", "x y", 3);
        check("a b c d", "x a b c y", "x a b c y", 0);
        check("a b c a b c", "a b c", "", 3);
        check("a b", "x a b", "x", 2);
        check("b a", "x a b", "x", 0);
        check("a", "x a y", "x y", 1);
        check("", "a", "a", 0);
    }

    #[test]
    fn the_rules_of_the_project_s_own_sites_take_nothing_of_the_gold() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gold");
        let collection = Collection::open(folder).expect("gold");
        let setup = Setup::of(Method::Forest, SignifierSource::TfIdf);
        let table = strips(&collection, &setup, &|| {}).expect("readable gold");
        assert!(table.sites.iter().all(|site| site.gold_words > 0));
        assert_eq!(table.by_site().to_string(), "");
        assert!(table.to_string().contains("0.00 %"), "{table}");
    }

    #[test]
    fn a_rule_takes_what_no_earlier_one_took() {
        let page =
            Page::from_html("<article><p>One <b>two</b> <i>three</i></p><p>Four</p></article>");
        let yaml =
            "format: 1\nsite: a\ntemplates:\n- body: [//article]\n  strip: ['//b', '//p[1]']\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let trace = wrapper
            .compile()
            .expect("compiles")
            .trace(&page)
            .expect("fits");
        assert_eq!(taken_texts(&page, &trace), ["two", "One three"]);
    }

    #[test]
    fn rules_with_a_loss_are_listed_with_its_share() {
        let rule = |xpath: &str, gold_words| StripLoss {
            xpath: xpath.to_owned(),
            pages: 2,
            words: 10,
            gold_words,
        };
        let table = StripTable {
            collection: "a".to_owned(),
            method: "forest".to_owned(),
            sites: vec![SiteStrips {
                site: "b".to_owned(),
                gold_words: 200,
                rules: vec![rule("//aside", 0), rule("//pre", 5)],
            }],
        };
        let all = table.to_string();
        assert!(
            all.contains("2 strip rules on 1 site; 1 of them take 5 of 200 words"),
            "{all}"
        );
        assert_eq!(
            table.by_site().to_string(),
            "b: 2.50 %, 5 of 10 words on 2 pages: //pre\n"
        );
    }
}
