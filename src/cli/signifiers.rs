//! `--signifiers`, as `learn` and `eval` take it.

use anyhow::Context;
use forest_core::learn::SignifierSource;
use std::path::PathBuf;

/// The source of signifiers; a file of words is read when it is needed.
#[derive(Debug, Clone)]
pub enum SignifierArg {
    Known(SignifierSource),
    Words(PathBuf),
}

impl std::str::FromStr for SignifierArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(SignifierArg::Known(match text {
            "tfidf" => SignifierSource::TfIdf,
            "feed" => SignifierSource::Feed,
            "metadata" => SignifierSource::Metadata,
            _ => {
                let file = text.strip_prefix("words:").filter(|f| !f.is_empty());
                let file = file.ok_or("give tfidf, feed, metadata or words:FILE")?;
                return Ok(SignifierArg::Words(PathBuf::from(file)));
            }
        }))
    }
}

impl SignifierArg {
    /// The source for the learner.
    pub fn source(&self) -> anyhow::Result<SignifierSource> {
        match self {
            SignifierArg::Known(known) => Ok(known.clone()),
            SignifierArg::Words(file) => {
                let words = std::fs::read_to_string(file).with_context(|| {
                    format!("--signifiers: cannot read the words in {}", file.display())
                })?;
                Ok(SignifierSource::Words(words))
            }
        }
    }
}
