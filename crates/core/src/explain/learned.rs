//! The wrapper that was learned, and the reasons for it: lines, table, JSON.

use super::terminal::decision;
use crate::error::Result;
use crate::extract::Status;
use crate::learn::{ClusterReport, Learned, Method, SamplePage, SampleVerdict};
use crate::rank::{RankedPattern, jeffreys_density, unexpectedness};
use crate::wrapper::Wrapper;
use forest_html::error::counted;
use forest_html::text::{OneLine, word_count};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Patterns in the table.
const SHOWN: usize = 10;

/// Patterns in the JSON.
const EXPLAINED: usize = 100;

/// Characters of the first article that are shown.
const BEGINNING_CHARS: usize = 300;

/// Words that begin a page's line.
const FIRST_WORDS: usize = 8;

/// Characters of a line's first words at the most: some texts have no spaces.
const FIRST_CHARS: usize = 60;

/// A page's line: address, verdict, words, first words.
pub fn sample_line(page: &SamplePage, verdict: &SampleVerdict) -> String {
    let name = &page.name;
    let body = page.page.body();
    let text: String = body.map_or_else(String::new, |b| {
        let texts = page.page.content_texts(b);
        texts.flat_map(|n| [page.page.text(n), " "]).collect()
    });
    let words = word_count(&text);
    let first = first_words(&text);
    match verdict {
        // The verdict has the number of words.
        SampleVerdict::NearlyEmpty { .. } => format!("{name}: {verdict}{first}"),
        _ => format!(
            "{name}: {verdict}, {}{first}",
            counted(words, "word", "words")
        ),
    }
}

/// The first words of a text, behind a colon; an empty text without words.
fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(FIRST_WORDS).collect();
    match words.as_slice() {
        [] => String::new(),
        words => format!(": {}", clipped(&words.join(" "), FIRST_CHARS)),
    }
}

/// The first `chars` characters, with dots if there are more.
fn clipped(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// The report of a wrapper that was learned.
pub struct LearnReport<'a> {
    learned: &'a Learned,
    good: &'a [&'a SamplePage],
    ranked: Vec<RankedPattern<'a>>,
    clusters: Option<&'a ClusterReport>,
}

impl<'a> LearnReport<'a> {
    /// Ranks the patterns. `clusters`: those of the site, if it was learned by these.
    pub fn new(
        learned: &'a Learned,
        good: &'a [&'a SamplePage],
        clusters: Option<&'a ClusterReport>,
    ) -> LearnReport<'a> {
        LearnReport {
            learned,
            good,
            ranked: learned.induction.ranked(),
            clusters,
        }
    }

    /// The line of a page of the sample: the words of its article, and its template if the
    /// wrapper has several.
    pub fn line(&self, page: &SamplePage, verdict: &SampleVerdict) -> String {
        let name = &page.name;
        let at = self.good.iter().position(|good| good.name == *name);
        let Some(article) = at.and_then(|at| self.learned.articles.get(at)) else {
            return sample_line(page, verdict);
        };
        let Some(origin) = &article.wrapper else {
            return format!("{name}: good, but the wrapper selects nothing on it");
        };
        let several = self.learned.wrapper.templates.len() > 1;
        let template = several.then(|| format!("template {}, ", origin.template + 1));
        format!(
            "{name}: good, {}{}{}",
            template.unwrap_or_default(),
            counted(word_count(&article.text), "word", "words"),
            first_words(&article.text)
        )
    }

    /// The wrapper, what became of its file (`action`), and the beginning of the first article.
    pub fn summary(&self, site: &str, action: &str) -> String {
        let pages = counted(self.good.len(), "page", "pages");
        let mut out = format!("\n{site}: learned from {pages}\n");
        for template in &self.learned.wrapper.templates {
            for body in &template.body {
                let _ = writeln!(
                    out,
                    "  {body}\n  selects the article on {} of them",
                    template.pages
                );
            }
            if let Some(evidence) = &template.evidence
                && !evidence.strips.is_empty()
            {
                let words: usize = evidence.strips.iter().map(|strip| strip.words).sum();
                let rules = evidence.strips.len();
                let _ = writeln!(
                    out,
                    "  {} {} of these out",
                    counted(rules, "strip rule leaves", "strip rules leave"),
                    counted(words, "word", "words")
                );
            }
        }
        if let Some(clusters) = self.clusters {
            for line in clusters.to_string().lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
        let _ = writeln!(out, "  {action}");
        if let Some((title, text)) = self.beginning() {
            let _ = writeln!(out, "\n  {}\n", OneLine(title));
            // Indented, so that no line of the article looks like one of ours.
            for line in text.lines() {
                let _ = writeln!(out, "  {}", OneLine(line));
            }
        }
        out
    }

    /// The site and what became of its file, on a line.
    pub fn brief(&self, site: &str, action: &str) -> String {
        let pages = counted(self.good.len(), "page", "pages");
        format!("{site}: learned from {pages}, {action}\n")
    }

    /// Title and beginning of the first article.
    fn beginning(&self) -> Option<(&str, String)> {
        let first = self
            .learned
            .articles
            .iter()
            .find(|a| a.status == Status::Ok)?;
        let title = first.title.as_deref().unwrap_or("(no title)");
        Some((title, clipped(&first.text, BEGINNING_CHARS)))
    }

    /// The reasons for the templates, by the method that chose them; then the ranked
    /// patterns, as in FOREST's figure 3.
    ///
    /// # Errors
    ///
    /// As [`decision`].
    pub fn explanation(&self, sample: &[SamplePage]) -> Result<String> {
        let decision = decision(self.learned, sample)?;
        let method = self.learned.induction.method();
        let ranks = match method {
            Method::Forest => {
                "the ranking of the patterns, whose elements are candidates".to_owned()
            }
            _ => format!("the ranking of the patterns by method {method}"),
        };
        Ok(format!("{decision}{ranks}:\n{}", self.table()))
    }

    fn table(&self) -> String {
        let mut out = String::from("rank            R  level    p  pattern\n");
        for (i, ranked) in self.ranked.iter().take(SHOWN).enumerate() {
            let _ = writeln!(
                out,
                "{:>4} {:>12.3} {:>6} {:>4}  {}",
                i + 1,
                ranked.relevance,
                ranked.pattern.level,
                ranked.pages(),
                self.learned.induction.expression(ranked)
            );
            let dfs: Vec<String> = ranked.dfs_set().iter().map(u32::to_string).collect();
            let _ = writeln!(out, "{:32}dfs {{{}}}", "", dfs.join(", "));
            let _ = writeln!(
                out,
                "{:32}{:>4} {:>6} {:>5} {:>6} {:>5} {:>6} {:>9} {:>9}",
                "", "page", "dfs", "x", "y", "X", "Y", "J", "U"
            );
            for chosen in &ranked.chosen {
                let o = &chosen.occurrence;
                let (x, y) = (o.element.signifiers, o.element.others);
                let _ = writeln!(
                    out,
                    "{:32}{:>4} {:>6} {x:>5} {y:>6} {:>5} {:>6} {:>9.4} {:>9.4}",
                    "",
                    o.page + 1,
                    o.dfs.0,
                    o.page_counts.signifiers,
                    o.page_counts.others,
                    jeffreys_density(x, y),
                    unexpectedness(o.element, o.page_counts)
                );
            }
        }
        out.push_str("\npage  signifiers\n");
        for (i, words) in self.learned.induction.signifiers.iter().enumerate() {
            let name = &self.good[i].name;
            let _ = writeln!(out, "{:>4}  {}  ({name})", i + 1, words.join(" "));
        }
        for (i, refused) in self.learned.refused_strips.iter().enumerate() {
            if !refused.is_empty() {
                let _ = writeln!(out, "\nnot stripped from template {}", i + 1);
            }
            for strip in refused {
                let _ = writeln!(out, "  {strip}");
            }
        }
        out
    }

    /// The report as JSON, of the wrapper in the file at `path`.
    pub fn json(&self, wrapper: &Wrapper, path: &Path, explain: bool) -> Value {
        let mut out = json!({
            "site": wrapper.site,
            "file": path,
            "wrapper": wrapper,
            "sample": self.good.iter().zip(&self.learned.articles).map(|(page, article)| json!({
                "url": page.name,
                "status": article.status,
                "words": word_count(&article.text),
            })).collect::<Vec<_>>(),
        });
        if let Some(clusters) = self.clusters {
            out["clusters"] = json!(clusters.clusters);
            out["pages"] = json!(clusters.pages);
            out["unfit"] = json!(clusters.unfit);
        }
        if explain {
            let induction = &self.learned.induction;
            let ranking = self.ranked.iter().take(EXPLAINED).enumerate();
            let ranking = ranking.map(|(i, ranked)| {
                json!({
                    "rank": i + 1,
                    "relevance": ranked.relevance,
                    "level": ranked.pattern.level,
                    "pages": ranked.pages(),
                    "xpath": induction.expression(ranked),
                    "dfs": ranked.dfs_set(),
                    "explanation": ranked.explain(induction.measure(), induction.level_factor()),
                })
            });
            out["ranking"] = ranking.collect();
            out["signifiers"] = json!(induction.signifiers);
            out["refused_strips"] = json!(self.learned.refused_strips);
        }
        out
    }
}
