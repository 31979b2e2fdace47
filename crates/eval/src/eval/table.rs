//! Figures of several methods over a collection, as a table and as JSON.

use super::{
    Distribution, MeanInterval, PageScore, RESAMPLES, Summary, bootstrap_over_sites, by_site,
};
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Where the bootstrap's draws begin: any number, but always the same.
const SEED: u64 = 1;

/// The figures of a method over a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodFigures {
    /// The label of the method.
    pub label: String,
    /// The figures over all pages.
    pub summary: Summary,
    /// 95 % interval of the mean 2-gram F1, over sites.
    pub two_gram: MeanInterval,
    /// 95 % interval of the mean word-LCS F1, over sites.
    pub word_lcs: MeanInterval,
    /// The figures of each site, by name.
    pub sites: Vec<(String, Summary)>,
}

/// Several methods over one collection. [`fmt::Display`] is a line a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodTable {
    /// The collection.
    pub name: String,
    /// The methods, in the order in which they were asked for.
    pub rows: Vec<MethodFigures>,
}

impl MethodFigures {
    /// The figures of a method; `None` if it has no page.
    pub fn of(label: impl Into<String>, pages: &[PageScore]) -> Option<MethodFigures> {
        let interval = |f1: fn(&PageScore) -> f64| bootstrap_over_sites(pages, f1, RESAMPLES, SEED);
        Some(MethodFigures {
            label: label.into(),
            summary: Summary::of(pages)?,
            two_gram: interval(|p| p.two_gram.f1)?,
            word_lcs: interval(|p| p.word_lcs.f1)?,
            sites: by_site(pages)
                .into_iter()
                .map(|(name, summary)| (name.to_owned(), summary))
                .collect(),
        })
    }
}

impl MethodTable {
    /// The figures of every site: a line a site, a column a method, the mean
    /// 2-gram F1.
    pub fn by_site(&self) -> String {
        let mut out = String::new();
        let Some(first) = self.rows.first() else {
            return out;
        };
        let names = first.sites.iter().map(|(name, _)| name.chars().count());
        let width = names.max().unwrap_or(0).max(self.name.len() + 6);
        let _ = write!(out, "{:width$} pages", format!("{} sites", self.name));
        for row in &self.rows {
            let _ = write!(out, "  {}", row.label);
        }
        out.push('\n');
        for (at, (site, summary)) in first.sites.iter().enumerate() {
            let _ = write!(out, "{site:width$} {:5}", summary.pages);
            for row in &self.rows {
                let f1 = row.sites[at].1.two_gram.mean.f1;
                let _ = write!(out, "  {f1:>width$.3}", width = row.label.len());
            }
            out.push('\n');
        }
        out
    }

    /// The table as JSON. Figures have six decimals.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "methods": self.rows.iter().map(MethodFigures::json).collect::<Vec<_>>(),
        })
    }
}

impl MethodFigures {
    fn json(&self) -> Value {
        let sites: Vec<Value> = self
            .sites
            .iter()
            .map(|(name, s)| {
                json!({
                    "site": name,
                    "pages": s.pages,
                    "empty": s.empty,
                    "two_gram_f1": six(s.two_gram.mean.f1),
                    "word_lcs_f1": six(s.word_lcs.mean.f1),
                })
            })
            .collect();
        json!({
            "method": self.label,
            "pages": self.summary.pages,
            "empty": self.summary.empty,
            "crashed": self.summary.crashed,
            "two_gram": measure(&self.summary.two_gram, self.two_gram),
            "word_lcs": measure(&self.summary.word_lcs, self.word_lcs),
            "sites": sites,
        })
    }
}

fn measure(d: &Distribution, interval: MeanInterval) -> Value {
    let [p9, p25, p50, p75, p91] = d.f1_percentiles.map(six);
    json!({
        "precision": six(d.mean.precision),
        "recall": six(d.mean.recall),
        "f1": six(d.mean.f1),
        "f1_interval": [six(interval.low), six(interval.high)],
        "f1_percentiles": {"9": p9, "25": p25, "50": p50, "75": p75, "91": p91},
    })
}

/// Six decimals: more than any figure means, and no trace of the order of sums.
pub fn six(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl fmt::Display for MethodTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.rows.iter().map(|row| row.label.chars().count());
        let width = labels.max().unwrap_or(0).max(self.name.chars().count());
        let measure = "     P     R    F1  95% of sites    9%   25%   50%   75%   91%";
        writeln!(
            f,
            "{:width$} pages empty crashed | 2-grams{:54} | word LCS",
            self.name, ""
        )?;
        writeln!(f, "{:width$} {:19} |{measure} |{measure}", "", "")?;
        for row in &self.rows {
            let s = &row.summary;
            write!(f, "{:width$} {:5} {:5}", row.label, s.pages, s.empty)?;
            write!(f, " {:7} |", s.crashed.len())?;
            cells(f, &s.two_gram, row.two_gram)?;
            f.write_str(" |")?;
            cells(f, &s.word_lcs, row.word_lcs)?;
            writeln!(f)?;
        }
        for row in &self.rows {
            for id in &row.summary.crashed {
                writeln!(f, "{:width$} crashed on {id}", row.label)?;
            }
        }
        Ok(())
    }
}

fn cells(f: &mut fmt::Formatter<'_>, d: &Distribution, interval: MeanInterval) -> fmt::Result {
    let mean = d.mean;
    write!(
        f,
        " {:5.3} {:5.3} {:5.3}",
        mean.precision, mean.recall, mean.f1
    )?;
    write!(f, "  {:5.3}-{:5.3}", interval.low, interval.high)?;
    for value in d.f1_percentiles {
        write!(f, " {value:5.3}")?;
    }
    Ok(())
}
