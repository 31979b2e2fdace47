//! `--signifiers`, as `learn` and `eval` take it.

use anyhow::Context;
use forest::learn::SignifierSource;
use std::path::PathBuf;

/// Where signifiers come from; words are read when they are needed.
#[derive(Debug, Clone)]
pub enum Signifiers {
    Known(SignifierSource),
    Words(PathBuf),
}

impl std::str::FromStr for Signifiers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Signifiers::Known(match text {
            "tfidf" => SignifierSource::TfIdf,
            "feed" => SignifierSource::Feed,
            "metadata" => SignifierSource::Metadata,
            _ => {
                let file = text.strip_prefix("words:").filter(|f| !f.is_empty());
                let file = file.ok_or("give tfidf, feed, metadata or words:FILE")?;
                return Ok(Signifiers::Words(PathBuf::from(file)));
            }
        }))
    }
}

impl Signifiers {
    /// What the learner takes.
    pub fn source(&self) -> anyhow::Result<SignifierSource> {
        match self {
            Signifiers::Known(known) => Ok(known.clone()),
            Signifiers::Words(file) => {
                let words = std::fs::read_to_string(file).with_context(|| {
                    format!("--signifiers: cannot read the words in {}", file.display())
                })?;
                Ok(SignifierSource::Words(words))
            }
        }
    }
}
