//! The settings that a feed of a reader is to get from a wrapper.

use super::service::{FeedReader, Subscription};
use crate::readers::ReaderSettings;
use crate::unsupported::UnsupportedPolicy;
use forest_core::wrapper::Wrapper;

/// The result for a feed.
pub enum PushOutcome {
    /// These settings were written, or with `--dry-run` are to be.
    Set(Vec<(&'static str, String)>),
    /// They are there already.
    Same,
    /// It has selectors that somebody typed.
    Kept,
    /// CSS cannot express its wrapper; the reasons.
    Unsupported(String),
}

impl PushOutcome {
    /// The settings of `feed` by `wrapper`. With `replace` those that somebody typed do not stay.
    /// `leave_out` gets what the reader's selectors cannot say.
    pub fn of(
        reader: &dyn FeedReader,
        feed: &Subscription,
        wrapper: &Wrapper,
        policy: UnsupportedPolicy,
        replace: bool,
        leave_out: impl FnMut(&String),
    ) -> PushOutcome {
        let new = match reader.settings(wrapper, policy) {
            Ok(new) => new,
            Err(why) => return PushOutcome::Unsupported(why.to_string()),
        };
        new.left_out.iter().for_each(leave_out);
        if !replace && is_typed(reader, feed, wrapper, &new) {
            return PushOutcome::Kept;
        }
        let merged = reader.merged(feed, &new);
        if merged.is_empty() {
            PushOutcome::Same
        } else {
            PushOutcome::Set(merged)
        }
    }

    /// The name of the outcome in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            PushOutcome::Set(_) => "set",
            PushOutcome::Same => "same",
            PushOutcome::Kept => "kept",
            PushOutcome::Unsupported(_) => "unsupported",
        }
    }
}

/// Returns true if the feed has selectors that neither the wrapper gives nor an earlier
/// one of its site gave.
fn is_typed(
    reader: &dyn FeedReader,
    feed: &Subscription,
    wrapper: &Wrapper,
    new: &ReaderSettings,
) -> bool {
    let old = feed.setting(reader.body_setting());
    let gives = |settings: &ReaderSettings| settings.values.iter().any(|(_, v)| v == old);
    if old.is_empty() || gives(new) {
        return false;
    }
    let earlier = wrapper
        .history
        .iter()
        .map(|retired| retired.restored(wrapper));
    let mut earlier = earlier.filter_map(|wrapper| {
        let policy = UnsupportedPolicy::LeftOut;
        reader.settings(&wrapper, policy).ok()
    });
    !earlier.any(|settings| gives(&settings))
}
