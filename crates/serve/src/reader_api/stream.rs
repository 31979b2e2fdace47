//! Which entries a request means: a stream, what it must be in (`it`) and must not (`xt`), and
//! times.

use super::fault::AppFault;
use super::listed_feeds::ListedFeeds;
use super::request::AppRequest;
use crate::api::id_of_url;
use forest_archive::{ArticleMark, ArticleMarks, EntryOrder, EntryQuery};

/// All entries.
pub(super) const READING_LIST: &str = "user/-/state/com.google/reading-list";

/// Read entries.
pub(super) const READ: &str = "user/-/state/com.google/read";

/// Starred entries.
pub(super) const STARRED: &str = "user/-/state/com.google/starred";

/// A stream of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntryStream {
    All,
    Read,
    Unread,
    Starred,
    /// Of a feed, by its id here or its address.
    Feed(String),
    /// Of the feeds in a folder.
    Folder(String),
    /// Of a state that no entry has here, as shared ones.
    Nothing,
}

impl EntryStream {
    /// The stream of this name.
    pub(super) fn of(name: &str) -> Option<EntryStream> {
        if let Some(feed) = name.strip_prefix("feed/") {
            return Some(EntryStream::Feed(feed.to_owned()));
        }
        // FreshRSS shows this one without its user.
        if name == "reading-list" {
            return Some(EntryStream::All);
        }
        // Some apps say the user's name, others `-`.
        let (_, rest) = name.strip_prefix("user/")?.split_once('/')?;
        if let Some(folder) = rest.strip_prefix("label/") {
            return Some(EntryStream::Folder(folder.to_owned()));
        }
        Some(match rest.strip_prefix("state/com.google/")? {
            "reading-list" => EntryStream::All,
            "read" => EntryStream::Read,
            "kept-unread" | "unread" | "fresh" => EntryStream::Unread,
            "starred" => EntryStream::Starred,
            _ => EntryStream::Nothing,
        })
    }

    fn is_of_marks(&self, marks: &ArticleMarks, key: &str) -> bool {
        match self {
            EntryStream::Read => marks.has(ArticleMark::Read, key),
            EntryStream::Unread => !marks.has(ArticleMark::Read, key),
            EntryStream::Starred => marks.has(ArticleMark::Starred, key),
            EntryStream::Nothing => false,
            EntryStream::All | EntryStream::Feed(_) | EntryStream::Folder(_) => true,
        }
    }

    /// True if it has the entries of a feed, whatever their marks.
    fn has_feed(&self, feeds: &ListedFeeds, url: &str) -> bool {
        match self {
            EntryStream::Feed(name) => name == url || *name == id_of_url(url),
            EntryStream::Folder(name) => feeds.is_in(url, name),
            _ => true,
        }
    }

    fn is_of_feeds(&self) -> bool {
        matches!(self, EntryStream::Feed(_) | EntryStream::Folder(_))
    }
}

/// Streams that narrow another one.
const MAX_STREAMS: usize = 50;

/// The entries that a request means.
#[derive(Debug)]
pub(super) struct StreamSelection {
    within: Vec<EntryStream>,
    without: Vec<EntryStream>,
    query: EntryQuery,
}

impl StreamSelection {
    /// The entries of a stream, and how the request narrows it.
    pub(super) fn of(name: &str, request: &AppRequest) -> Result<StreamSelection, AppFault> {
        let stream =
            |name: &str| EntryStream::of(name).ok_or(AppFault::Bad("there is no such stream"));
        let streams = |name| {
            request
                .all(name)
                .filter(|name| !name.is_empty())
                .map(stream)
        };
        if streams("it").chain(streams("xt")).count() > MAX_STREAMS {
            return Err(AppFault::Bad("too many streams narrow this one"));
        }
        let mut within = vec![stream(name)?];
        within.extend(streams("it").collect::<Result<Vec<_>, _>>()?);
        let after = match request.get("c") {
            "" => None,
            c => Some(
                c.parse()
                    .map_err(|_| AppFault::Bad("no list goes on there: `c` is not ours"))?,
            ),
        };
        Ok(StreamSelection {
            within,
            without: streams("xt").collect::<Result<_, _>>()?,
            query: EntryQuery {
                feeds: None,
                after,
                order: match request.get("r") {
                    "o" => EntryOrder::OldestFirst,
                    _ => EntryOrder::NewestFirst,
                },
                since: request.time("ot")?,
                until: request.time("nt")?,
            },
        })
    }

    /// The entries of a stream up to a time.
    pub(super) fn until(name: &str, request: &AppRequest) -> Result<StreamSelection, AppFault> {
        let stream = EntryStream::of(name).ok_or(AppFault::Bad("there is no such stream"))?;
        Ok(StreamSelection {
            within: vec![stream],
            without: Vec::new(),
            query: EntryQuery {
                until: request.time("ts")?,
                ..EntryQuery::default()
            },
        })
    }

    /// The same as a query, of these feeds.
    pub(super) fn query(&self, feeds: &ListedFeeds) -> EntryQuery {
        let mut all = self.within.iter().chain(&self.without);
        if !all.any(EntryStream::is_of_feeds) {
            return self.query.clone();
        }
        let urls = feeds.rows().map(|row| row.url.as_str()).filter(|url| {
            let mut without = self.without.iter().filter(|stream| stream.is_of_feeds());
            self.within.iter().all(|stream| stream.has_feed(feeds, url))
                && !without.any(|stream| stream.has_feed(feeds, url))
        });
        EntryQuery {
            feeds: Some(urls.map(str::to_owned).collect()),
            ..self.query.clone()
        }
    }

    /// True if the marks of an article do not keep it out.
    pub(super) fn wants(&self, marks: &ArticleMarks, key: &str) -> bool {
        let mut without = self.without.iter().filter(|stream| !stream.is_of_feeds());
        self.within
            .iter()
            .all(|stream| stream.is_of_marks(marks, key))
            && !without.any(|stream| stream.is_of_marks(marks, key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_have_names() {
        let check = |name: &str, expected: Option<EntryStream>| {
            assert_eq!(EntryStream::of(name), expected, "{name}");
        };
        check(READING_LIST, Some(EntryStream::All));
        check("reading-list", Some(EntryStream::All));
        check(STARRED, Some(EntryStream::Starred));
        check("user/owner/state/com.google/read", Some(EntryStream::Read));
        check(
            "user/-/state/com.google/broadcast",
            Some(EntryStream::Nothing),
        );
        check(
            "user/-/label/News/Sport",
            Some(EntryStream::Folder("News/Sport".into())),
        );
        check(
            "feed/http://a.example/feed",
            Some(EntryStream::Feed("http://a.example/feed".into())),
        );
        for odd in [
            "",
            "x",
            "user",
            "user/",
            "user/-",
            "user/-/x",
            "user/-/state/x",
        ] {
            check(odd, None);
        }
    }
}
