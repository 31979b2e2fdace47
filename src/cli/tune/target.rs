//! The values of `--method` and `--sample`.

use super::super::methods::method;
use anyhow::{Context, bail};
use forest_eval::tune::{self, PagePlace, TuneTarget};
use forest_sources::gold::Collection;
use forest_text::pipeline::AnyMethod;
use std::path::PathBuf;
use std::str::FromStr;

/// The target of a method's name.
///
/// # Errors
///
/// If there is no such method, or it learns or reads a feed.
pub fn parse(name: &str) -> anyhow::Result<TuneTarget> {
    if name == "pipeline" {
        return Ok(TuneTarget::Structure);
    }
    Ok(match method(name)? {
        AnyMethod::OnePage(preset) => TuneTarget::Preset(preset),
        AnyMethod::Pipeline(pipeline) => TuneTarget::Pipeline(pipeline),
        other => bail!("{other} is no one-page method"),
    })
}

/// The pages of the sample.
#[derive(Debug, Clone)]
pub enum SampleArg {
    /// So many, drawn.
    Size(usize),
    /// Those of a list.
    List(PathBuf),
}

impl FromStr for SampleArg {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<SampleArg, Self::Err> {
        let size = text.parse().map(SampleArg::Size);
        Ok(size.unwrap_or_else(|_| SampleArg::List(PathBuf::from(text))))
    }
}

impl SampleArg {
    /// The pages.
    ///
    /// # Errors
    ///
    /// If the list cannot be read or names an unknown page, or there is no page.
    pub fn places(&self, collections: &[Collection], seed: u64) -> anyhow::Result<Vec<PagePlace>> {
        let places = match self {
            SampleArg::Size(size) => tune::sample(collections, *size, seed, |_, _| true),
            SampleArg::List(path) => {
                let shown = || path.display().to_string();
                let list = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the list of pages {}", shown()))?;
                tune::listed(collections, &list).with_context(shown)?
            }
        };
        if places.is_empty() {
            bail!("--sample: no page to measure on");
        }
        Ok(places)
    }
}
