//! The wrapper's file: a new one, one that replaces an earlier one, or one more
//! template for a site with a second feed. A file that was edited stays, and so does
//! one that says the same.

use crate::cli::{output, sites};
use anyhow::{Context, bail};
use forest_core::learn::{Learned, SamplePage};
use forest_core::wrapper::Wrapper;
use forest_core::wrapper::history::Side;
use std::path::{Path, PathBuf};

/// A wrapper that is on the disk.
#[derive(Debug)]
pub struct Saved {
    pub path: PathBuf,
    pub wrapper: Wrapper,
    pub outcome: SaveOutcome,
}

impl Saved {
    /// The change of the file, and its path.
    pub fn action(&self) -> String {
        let action = match self.outcome {
            SaveOutcome::New => "written to",
            SaveOutcome::Replaced => "written, with the earlier wrapper in its history, to",
            SaveOutcome::Joined => "added for another feed of the site to",
            SaveOutcome::Same => "the same as before; left as it is:",
        };
        format!("{action} {}", self.path.display())
    }
}

/// The change of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    /// There was no file.
    New,
    /// The earlier wrapper is in the history.
    Replaced,
    /// The earlier wrapper got more templates.
    Joined,
    /// The earlier wrapper is the same and stays.
    Same,
}

/// Writes the wrapper that was learned from the pages `good`.
///
/// # Errors
///
/// If the file was edited by hand and not `force`, if it cannot be read, or if it
/// cannot be written.
pub fn save(
    dir: &Path,
    learned: &Learned,
    good: &[&SamplePage],
    force: bool,
) -> anyhow::Result<Saved> {
    let new = learned.wrapper.clone();
    let path = sites::path_of(dir, &new.site);
    let (wrapper, outcome) = match sites::read(&path) {
        Ok(None) => (new, SaveOutcome::New),
        Ok(Some(file)) if file.edited && !force => bail!(
            "{} was edited by hand and is left alone; --force replaces it",
            path.display()
        ),
        Ok(Some(file)) if !file.edited && new.says_the_same(&file.wrapper) => {
            let (wrapper, outcome) = (file.wrapper, SaveOutcome::Same);
            return Ok(Saved {
                path,
                wrapper,
                outcome,
            });
        }
        Ok(Some(file)) => {
            let old = file.wrapper;
            let other_feed = matches!((&old.feed, &new.feed), (Some(a), Some(b)) if a != b);
            if other_feed && !force {
                let side = side(&old, good)?;
                (new.join(old, side), SaveOutcome::Joined)
            } else {
                let until = new.learned.clone().unwrap_or_default();
                (new.succeed(old, &until), SaveOutcome::Replaced)
            }
        }
        Err(_) if force => (new, SaveOutcome::New),
        Err(error) => return Err(error.context("not replaced without --force")),
    };
    output::make_folder(dir)?;
    output::write(&path, wrapper.to_yaml().as_bytes())?;
    Ok(Saved {
        path,
        wrapper,
        outcome,
    })
}

/// Templates of another feed go before the known ones where these select something
/// on its pages too: behind them they would never be tried.
fn side(known: &Wrapper, good: &[&SamplePage]) -> anyhow::Result<Side> {
    let matcher = known.compile().context("the known wrapper")?;
    let taken = good.iter().any(|p| matcher.find(&p.page).is_some());
    Ok(if taken { Side::Front } else { Side::Behind })
}
