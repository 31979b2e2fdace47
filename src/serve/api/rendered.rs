//! Feeds as they were served last: two hundred readers that poll read the archive once.

use super::conditional::DocumentValidators;
use crate::archive::ArchiveStamp;
use axum::body::Bytes;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Bytes of feeds that are kept at the most; all are forgotten at once.
const MAX_BYTES: usize = 64_000_000;

/// A feed, and the archive's stamp before it was read.
#[derive(Debug, Clone)]
struct RenderedFeed {
    stamp: ArchiveStamp,
    validators: DocumentValidators,
    text: Bytes,
}

/// See the file's page.
#[derive(Debug, Default)]
pub(super) struct RenderedFeeds(Mutex<HashMap<String, RenderedFeed>>);

impl RenderedFeeds {
    /// The feed with this name, if the archive was not written to since.
    pub(super) fn get(
        &self,
        name: &str,
        stamp: &Option<ArchiveStamp>,
    ) -> Option<(DocumentValidators, Bytes)> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(name)?;
        let is_same = stamp.as_ref() == Some(&found.stamp);
        is_same.then(|| (found.validators.clone(), found.text.clone()))
    }

    /// Keeps a feed that was read after the stamp was taken.
    pub(super) fn keep(
        &self,
        name: &str,
        stamp: Option<ArchiveStamp>,
        (validators, text): (&DocumentValidators, &Bytes),
    ) {
        let Some(stamp) = stamp else { return };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: usize = kept.values().map(|feed| feed.text.len()).sum();
        if bytes + text.len() > MAX_BYTES {
            kept.clear();
        }
        let feed = RenderedFeed {
            stamp,
            validators: validators.clone(),
            text: text.clone(),
        };
        kept.insert(name.to_owned(), feed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::api::conditional::ServedTimes;

    #[test]
    fn a_feed_is_kept_as_long_as_its_archive_is_the_same() {
        let feeds = RenderedFeeds::default();
        let stamp = Some(ArchiveStamp::default());
        let text = Bytes::from_static(b"<feed/>");
        let now = chrono::DateTime::UNIX_EPOCH;
        let validators = ServedTimes::default().validators("a", &text, now);
        feeds.keep("a", None, (&validators, &text));
        assert!(feeds.get("a", &stamp).is_none());
        feeds.keep("a", stamp.clone(), (&validators, &text));
        assert_eq!(feeds.get("a", &stamp), Some((validators.clone(), text)));
        assert!(feeds.get("a", &None).is_none() && feeds.get("b", &stamp).is_none());
        let large = Bytes::from(vec![0; MAX_BYTES]);
        feeds.keep("b", stamp.clone(), (&validators, &large));
        assert!(feeds.get("a", &stamp).is_none() && feeds.get("b", &stamp).is_some());
    }
}
