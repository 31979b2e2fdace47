//! Several methods over several collections in one table, as Gottron's table 3.

use super::{MethodTable, Summary};
use std::fmt;

/// A line a method, a column a collection: mean F1 by 2-grams and by word-LCS, and
/// the macro averages, that is the means of the collections' means. The method with
/// the highest comes first. Collections without a page to score are left out.
///
/// [`fmt::Display`] is Markdown.
#[derive(Debug)]
pub struct Overview<'a>(pub &'a [MethodTable]);

impl Overview<'_> {
    /// The methods with their figures for each collection, best first.
    fn lines(&self) -> Vec<(&str, Vec<&Summary>)> {
        let tables = self.tables();
        let Some(first) = tables.first() else {
            return Vec::new();
        };
        let of_method = |at: usize| {
            let summaries = tables.iter().map(|table| &table.rows[at].summary);
            (first.rows[at].label.as_str(), summaries.collect())
        };
        let mut lines: Vec<(&str, Vec<&Summary>)> = (0..first.rows.len()).map(of_method).collect();
        lines.sort_by(|a, b| average(&b.1, two_gram).total_cmp(&average(&a.1, two_gram)));
        lines
    }

    fn tables(&self) -> Vec<&MethodTable> {
        let scored = |table: &&MethodTable| !table.rows.is_empty();
        self.0.iter().filter(scored).collect()
    }
}

fn two_gram(summary: &Summary) -> f64 {
    summary.two_gram.mean.f1
}

fn word_lcs(summary: &Summary) -> f64 {
    summary.word_lcs.mean.f1
}

/// The mean of a figure of the collections; 0 for none.
fn average(summaries: &[&Summary], figure: impl Fn(&Summary) -> f64) -> f64 {
    let sum: f64 = summaries.iter().map(|summary| figure(summary)).sum();
    sum / summaries.len().max(1) as f64
}

impl fmt::Display for Overview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.tables();
        f.write_str("| method |")?;
        for table in &tables {
            let pages = table.rows.first().map_or(0, |row| row.summary.pages);
            write!(f, " {} ({pages}) |", table.name)?;
        }
        writeln!(f, " macro P | R | F1 |")?;
        writeln!(f, "| --- |{}", " --- |".repeat(tables.len() + 3))?;
        for (label, summaries) in self.lines() {
            write!(f, "| `{label}` |")?;
            for summary in &summaries {
                write!(f, " {:.3} / {:.3} |", two_gram(summary), word_lcs(summary))?;
            }
            let part = |figure: fn(&Summary) -> f64| average(&summaries, figure);
            let precision = part(|s| s.two_gram.mean.precision);
            let recall = part(|s| s.two_gram.mean.recall);
            let [two_gram, word_lcs] = [part(two_gram), part(word_lcs)];
            writeln!(
                f,
                " {precision:.3} | {recall:.3} | **{two_gram:.3}** / {word_lcs:.3} |"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{MethodFigures, PageScore, Score};

    fn row(label: &str, [precision, recall, f1]: [f64; 3], lcs: f64) -> MethodFigures {
        let page = PageScore {
            id: "s/1".to_owned(),
            two_gram: Score {
                precision,
                recall,
                f1,
            },
            word_lcs: Score {
                precision: lcs,
                recall: lcs,
                f1: lcs,
            },
            empty: false,
            crash: None,
        };
        MethodFigures::of(label, &[page]).expect("a page")
    }

    #[test]
    fn macro_averages_and_the_best_first() {
        let table = |name: &str, rows: Vec<MethodFigures>| MethodTable {
            name: name.to_owned(),
            rows,
        };
        let tables = [
            table(
                "a",
                vec![
                    row("low", [0.2, 0.4, 0.3], 0.1),
                    row("high", [1.0, 0.8, 0.9], 0.7),
                ],
            ),
            table("none", Vec::new()),
            table(
                "b",
                vec![
                    row("low", [0.4, 0.6, 0.5], 0.3),
                    row("high", [0.5, 0.5, 0.5], 0.5),
                ],
            ),
        ];
        assert_eq!(
            Overview(&tables).to_string(),
            "| method | a (1) | b (1) | macro P | R | F1 |\n\
             | --- | --- | --- | --- | --- | --- |\n\
             | `high` | 0.900 / 0.700 | 0.500 / 0.500 | 0.750 | 0.650 | **0.700** / 0.600 |\n\
             | `low` | 0.300 / 0.100 | 0.500 / 0.300 | 0.300 | 0.500 | **0.400** / 0.200 |\n"
        );
        assert!(
            Overview(&[])
                .to_string()
                .starts_with("| method | macro P |")
        );
    }
}
