//! Passages from era to era as tables.

use super::names::NameKind;
use super::passage::{Fate, Named, Passage, Tried};
use super::rewrites::Rewrite;
use forest_core::drift::Verdict;
use forest_eval::eval::six;
use forest_html::error::counted;
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Passages of any collections. [`fmt::Display`] is Markdown: the wrappers in the
/// next era, in the other half of the same era, and the names in the next era.
#[derive(Debug)]
pub struct EraTable<'a>(pub &'a [Passage]);

/// The number of expressions by fate.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fates {
    works: usize,
    partly: usize,
    nothing: usize,
    wrong: usize,
}

impl Fates {
    fn of(fates: impl Iterator<Item = Fate>) -> Fates {
        let mut out = Fates::default();
        for fate in fates {
            *match fate {
                Fate::Works => &mut out.works,
                Fate::Partly => &mut out.partly,
                Fate::Nothing => &mut out.nothing,
                Fate::Wrong => &mut out.wrong,
            } += 1;
        }
        out
    }

    fn all(&self) -> usize {
        self.works + self.partly + self.nothing + self.wrong
    }
}

impl fmt::Display for Fates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, works) = (self.all(), self.works);
        let percent = 100.0 * works as f64 / all.max(1) as f64;
        write!(
            f,
            "{all} | **{works}** ({percent:.0} %) | {} |",
            self.partly
        )?;
        write!(f, " {} | {} |", self.nothing, self.wrong)
    }
}

impl EraTable<'_> {
    /// The passages to another era, or to the other half of the same.
    fn passages(&self, to_next: bool) -> Vec<&Passage> {
        let all = self.0.iter();
        all.filter(|passage| passage.to.is_some() == to_next)
            .collect()
    }

    /// A line a wrapper.
    pub fn by_site(&self) -> String {
        let mut out = String::new();
        for passage in self.0 {
            let to = passage.to.as_deref().unwrap_or("its other half");
            let [own, next] = passage.pages;
            let _ = writeln!(out, "{} > {to}: {own} > {next} pages", passage.from);
            for tried in &passage.tried {
                let (own, next) = (tried.own, tried.next);
                let fate = format!("{:?}", tried.fate).to_lowercase();
                let way = tried.rewrite.to_string();
                let _ = write!(out, "  {way:34} {own:.3} > {next:.3} {fate:7}");
                let _ = writeln!(out, " check: {:8} {}", tried.verdict, tried.xpath);
            }
        }
        out
    }

    /// The passages as JSON.
    pub fn json(&self) -> Value {
        let passages = self.0.iter().map(|passage| {
            let tried = passage.tried.iter().map(|tried| {
                json!({
                    "way": tried.rewrite.to_string(),
                    "xpath": tried.xpath,
                    "own_f1": six(tried.own),
                    "next_f1": six(tried.next),
                    "fate": format!("{:?}", tried.fate).to_lowercase(),
                    "check": tried.verdict,
                })
            });
            let names = passage.names.iter().map(|named| {
                json!({
                    "kind": named.kind.to_string(),
                    "xpath": named.xpath,
                    "fate": format!("{:?}", named.fate).to_lowercase(),
                })
            });
            json!({
                "collection": passage.collection,
                "from": passage.from,
                "to": passage.to,
                "pages": passage.pages,
                "wrappers": tried.collect::<Vec<_>>(),
                "names": names.collect::<Vec<_>>(),
            })
        });
        Value::Array(passages.collect())
    }
}

/// The collections of passages, each once, in their order.
fn collections<'a>(passages: &[&'a Passage]) -> Vec<&'a str> {
    let mut names: Vec<&str> = passages.iter().map(|p| &*p.collection).collect();
    names.dedup();
    names
}

fn wrappers(f: &mut fmt::Formatter<'_>, passages: &[&Passage]) -> fmt::Result {
    let collections = collections(passages);
    write!(f, "| wrapper |")?;
    for name in &collections {
        write!(f, " {name} |")?;
    }
    writeln!(
        f,
        " tried | works | partly | nothing | wrong text | own F1 | next F1 \
         | check: lost, drift | wrong text, drift | works, drift |"
    )?;
    writeln!(f, "| --- |{}", " --- |".repeat(collections.len() + 10))?;
    let all = || passages.iter().flat_map(|passage| &passage.tried);
    let mut rewrites: Vec<&Rewrite> = Vec::new();
    for tried in all() {
        if !rewrites.contains(&&tried.rewrite) {
            rewrites.push(&tried.rewrite);
        }
    }
    for rewrite in rewrites {
        let of_rewrite = || all().filter(|tried| tried.rewrite == *rewrite);
        write!(f, "| {rewrite} |")?;
        for name in &collections {
            let here = passages
                .iter()
                .filter(|passage| passage.collection == *name);
            let tried = here.flat_map(|passage| &passage.tried);
            let fates = Fates::of(tried.filter(|t| t.rewrite == *rewrite).map(|t| t.fate));
            write!(f, " {}/{} |", fates.works, fates.all())?;
        }
        let fates = Fates::of(of_rewrite().map(|tried| tried.fate));
        let mean = |figure: fn(&Tried) -> f64| {
            of_rewrite().map(figure).sum::<f64>() / fates.all().max(1) as f64
        };
        write!(
            f,
            " {fates} {:.3} | {:.3} |",
            mean(|t| t.own),
            mean(|t| t.next)
        )?;
        let drifted = |fits: fn(Fate) -> bool| {
            let tried = of_rewrite().filter(|tried| fits(tried.fate));
            tried
                .filter(|tried| tried.verdict == Verdict::Drift)
                .count()
        };
        let lost = drifted(|fate| fate != Fate::Works);
        let wrong = drifted(|fate| fate == Fate::Wrong);
        let working = drifted(|fate| fate == Fate::Works);
        let of_lost = fates.all() - fates.works;
        write!(f, " {lost}/{of_lost} | {wrong}/{} |", fates.wrong)?;
        writeln!(f, " {working}/{} |", fates.works)?;
    }
    Ok(())
}

fn names(f: &mut fmt::Formatter<'_>, passages: &[&Passage]) -> fmt::Result {
    writeln!(
        f,
        "| name | tried | works | partly | nothing | wrong text |"
    )?;
    writeln!(f, "| --- | --- | --- | --- | --- | --- |")?;
    let all: Vec<&Named> = passages.iter().flat_map(|passage| &passage.names).collect();
    for kind in NameKind::ALL {
        let fates = Fates::of(all.iter().filter(|n| n.kind == kind).map(|n| n.fate));
        if fates.all() > 0 {
            writeln!(f, "| {kind} | {fates}")?;
        }
    }
    Ok(())
}

impl fmt::Display for EraTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.passages(true);
        let same = self.passages(false);
        let passages = counted(next.len(), "passage", "passages");
        writeln!(f, "In the next era ({passages}):\n")?;
        wrappers(f, &next)?;
        writeln!(f, "\nIn the other half of the same era ({}):\n", same.len())?;
        wrappers(f, &same)?;
        writeln!(f, "\nNames in the next era:\n")?;
        names(f, &next)
    }
}
