//! The result as Markdown: the paper's tables 1 to 3.

use super::tuned::Tuned;
use super::{charts, paper};
use crate::eval::{MethodTable, Overview};
use forest_html::error::counted;
use forest_text::pipeline::Setting;
use serde_json::Value;
use std::fmt::Write;

/// Parameters whose values stand in a column of a table at the most.
const FEW: usize = 5;

impl Tuned<'_> {
    /// The search in a line.
    pub fn summary(&self) -> String {
        let last = self.history.last();
        let generations = last.map_or(0, |one| one.proposal.generation + 1);
        format!(
            "{} by {}, seed {}: {} settings in {generations} generations, {} of {}, fitness {}",
            self.target,
            self.plan.optimiser.name(),
            self.plan.seed,
            self.history.len(),
            counted(self.places.len(), "page", "pages"),
            counted(self.collections.len(), "collection", "collections"),
            self.fitness,
        )
    }

    /// Tables 2 and 3: the fittest, and their figures over all pages.
    pub fn tables(&self, verified: &[MethodTable]) -> String {
        format!(
            "{}\n\n{}\nAll pages, mean F1 by 2-grams / by words:\n\n{}",
            self.summary(),
            self.table_2(),
            Overview(verified)
        )
    }

    /// The values of a setting, if it has few.
    pub fn values_in_one_line(&self, setting: &Setting) -> Option<String> {
        let values = self.blueprint.values(setting);
        let plain: Vec<String> = values.values().map(plain).collect();
        (plain.len() <= FEW).then(|| plain.join("; "))
    }

    fn table_2(&self) -> String {
        let parameters = self.blueprint.parameters();
        let names: Vec<&str> = parameters.iter().map(|p| &*p.name).collect();
        let few = names.len() <= FEW;
        let header = if few {
            names.join("; ")
        } else {
            "pipeline".to_owned()
        };
        let mut out = format!("| | {header} | fitness | generation |\n| --- | --- | --- | --- |\n");
        for (at, one) in self.fittest().into_iter().enumerate() {
            let setting = &one.proposal.setting;
            let values = self.values_in_one_line(setting).unwrap_or_else(|| {
                let pipeline = self.blueprint.pipeline("tuned", setting);
                format!("`{}`", pipeline.to_json())
            });
            let generation = one.proposal.generation;
            let _ = writeln!(
                out,
                "| fittest {} | {values} | {:.4} | {generation} |",
                at + 1,
                one.fitness
            );
        }
        out
    }

    /// Table 1: the collections and their sizes.
    fn table_1(&self) -> String {
        let mut out = "| collection | sites | pages | in the sample |\n\
                       | --- | --- | --- | --- |\n"
            .to_owned();
        for (at, collection) in self.collections.iter().enumerate() {
            let sampled = self.places.iter().filter(|place| place.collection == at);
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                collection.name(),
                collection.sites().len(),
                collection.scored(),
                sampled.count()
            );
        }
        out
    }

    /// Table 3 of the paper for this method, if it has one.
    fn of_the_paper(&self) -> String {
        let preset = self.target.preset();
        let rows = preset.map_or(&[] as &[_], paper::rows);
        if rows.is_empty() {
            return String::new();
        }
        let mut out = "\n## The paper's own figures\n\nMacro averages of F1 by words over its 14 \
                       collections (table 3).\n\n| setting | F1 |\n| --- | --- |\n"
            .to_owned();
        for (setting, f1) in rows {
            let _ = writeln!(out, "| {setting} | {f1:.3} |");
        }
        out
    }

    /// All files of the report, by name.
    pub fn report(&self, verified: &[MethodTable]) -> Vec<(String, String)> {
        let charts = charts::charts(self);
        let mut out = format!(
            "# {}\n\n{}.\n\n## Collections\n\n{}\n## The fittest\n\n{}\n## All pages\n\n\
             Mean F1 by 2-grams / by words.\n\n{}{}\n## Charts\n\n",
            self.target,
            self.summary(),
            self.table_1(),
            self.table_2(),
            Overview(verified),
            self.of_the_paper(),
        );
        for (name, _) in &charts {
            let _ = writeln!(out, "![{name}]({name})");
        }
        let mut files = vec![
            ("report.md".to_owned(), out),
            ("preset.yaml".to_owned(), self.preset()),
        ];
        files.extend(charts);
        files
    }
}

/// A value without quotes.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
