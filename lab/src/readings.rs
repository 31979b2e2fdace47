//! `forest-lab readings`: other readings of Gottron's papers, beside those that
//! `forest` chose.
//!
//! - A `serial` pipeline hands on what is left of the page; the other reading runs each
//!   extractor on the whole page and keeps what all keep.
//! - ACCB leaves out links with their text; the other reading counts their text.

use crate::collections::GoldArgs;
use forest_core::baseline::blurring::{self, Blurring, LinkTreatment};
use forest_core::render;
use forest_eval::eval::GoldTexts;
use forest_html::page::{Mask, Page, Source, View};
use forest_sources::gold::{Collection, GoldPage};
use forest_text::pipeline::Pipeline;
use rayon::prelude::*;

/// Compare other readings of Gottron's papers with those that forest chose
///
/// Mean F1 by set of word 2-grams over each collection, and the mean of these.
#[derive(Debug, clap::Args)]
pub struct ReadingArgs {
    #[command(flatten)]
    gold: GoldArgs,
}

/// An extractor under the name of its reading.
struct Reading {
    name: String,
    extractor: Box<dyn Fn(&Page) -> Mask + Sync>,
}

impl Reading {
    /// A pipeline, by the YAML of its root.
    fn pipeline(name: &str, root: &str) -> anyhow::Result<Reading> {
        let pipeline = Pipeline::parse(name, &format!("format: 1\npipeline: {root}\n"))?;
        Ok(Reading {
            name: name.to_owned(),
            extractor: Box::new(move |page| pipeline.article(page)),
        })
    }

    fn blurring(name: &str, blurring: Blurring) -> Reading {
        Reading {
            name: name.to_owned(),
            extractor: Box::new(move |page| blurring::article(&View::whole(page), &blurring)),
        }
    }
}

fn readings() -> anyhow::Result<Vec<Reading>> {
    let mut readings = Vec::new();
    for (name, both) in [
        ("LQF, then TTR", "[lqf, ttr]"),
        ("LQF, then BTE", "[lqf, bte]"),
        ("LQF, then ACCB", "[lqf, accb]"),
        ("LQF, then boilerpipe", "[lqf, boilerpipe]"),
    ] {
        for node in ["serial", "intersection"] {
            let root = format!("{{{node}: {both}}}");
            readings.push(Reading::pipeline(&format!("{name}: {node}"), &root)?);
        }
    }
    for node in ["serial", "intersection"] {
        let of = format!("[boilerpipe, {{{node}: [lqf, ttr]}}, bte]");
        let root = format!("{{vote: {{at_least: 2, of: {of}}}}}");
        readings.push(Reading::pipeline(&format!("`balanced`: {node}"), &root)?);
    }
    readings.push(Reading::blurring("ACCB: links left out", Blurring::accb()));
    let counted = Blurring::accb().with_links(LinkTreatment::TextOnly);
    readings.push(Reading::blurring("ACCB: only their tags left out", counted));
    Ok(readings)
}

/// Runs the command.
pub fn run(args: &ReadingArgs) -> anyhow::Result<()> {
    let collections = args.gold.open()?;
    let readings = readings()?;
    let of_collections: forest_eval::Result<Vec<Vec<f64>>> = collections
        .iter()
        .map(|collection| means(collection, &readings))
        .collect();
    let of_collections = of_collections?;
    let names: Vec<&str> = collections.iter().map(Collection::name).collect();
    println!("| reading | {} | mean |", names.join(" | "));
    println!("| --- |{}", " --- |".repeat(names.len() + 1));
    for (at, reading) in readings.iter().enumerate() {
        let f1: Vec<f64> = of_collections.iter().map(|means| means[at]).collect();
        let shown: Vec<String> = f1.iter().map(|f1| format!("{f1:.3}")).collect();
        let mean = f1.iter().sum::<f64>() / f1.len() as f64;
        println!(
            "| {} | {} | **{mean:.3}** |",
            reading.name,
            shown.join(" | ")
        );
    }
    Ok(())
}

/// The mean F1 of each reading over a collection.
fn means(collection: &Collection, readings: &[Reading]) -> forest_eval::Result<Vec<f64>> {
    let of_page = |page: &GoldPage| -> forest_eval::Result<Option<Vec<f64>>> {
        let Some(gold) = &page.gold else {
            return Ok(None);
        };
        let source = Source {
            url: page.url.as_deref(),
            content_type: None,
        };
        let parsed = Page::parse(&page.read()?, source);
        let mut texts = GoldTexts::new(gold.refs.iter().map(String::as_str));
        let f1 = readings.iter().map(|reading| {
            let text = render::text(&parsed, &(reading.extractor)(&parsed));
            texts.score(&page.id, &text).two_gram.f1
        });
        Ok(Some(f1.collect()))
    };
    let pages = collection.pages().par_iter().map(of_page);
    let pages: forest_eval::Result<Vec<Option<Vec<f64>>>> = pages.collect();
    let pages: Vec<Vec<f64>> = pages?.into_iter().flatten().collect();
    let mean = |at: usize| pages.iter().map(|f1| f1[at]).sum::<f64>() / pages.len() as f64;
    Ok((0..readings.len()).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reading_is_a_pipeline_that_can_be_read() {
        let readings = readings().expect("readings");
        assert_eq!(readings.len(), 12);
        let page = Page::from_html("<p>One two three.");
        for reading in readings {
            assert!((reading.extractor)(&page).nodes().count() <= 1);
        }
    }
}
