//! What is told of a harvest: while it runs, and in the end.

use super::Learning;
use crate::archive::Stored;
use crate::drift::Verdict;
use crate::extract::Status;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Feeds that were polled.
    pub feeds: u64,
    /// Of these, feeds that could not be had or read.
    pub feeds_failed: u64,
    /// Of these, feeds of which the server says that there is no such thing (404, 410).
    pub feeds_gone: u64,
    /// Items that were new, or of which a feed said another thing.
    pub items: u64,
    /// Pages that were visited.
    pub pages: u64,
    /// Of these, pages that could not be had, or showed no article.
    pub pages_failed: u64,
    /// Of these, pages of which the server says that there is no such thing (404, 410).
    pub pages_gone: u64,
    /// Of these, pages that were refused, or showed a wall.
    pub pages_blocked: u64,
    /// Of these, pages that came and showed no article.
    pub pages_empty: u64,
    /// Articles that were not there before.
    pub articles: u64,
    /// New versions of articles that were.
    pub versions: u64,
    /// Pictures that came.
    pub pictures: u64,
    /// Pictures that could not be had.
    pub pictures_failed: u64,
    /// Wrappers that came into force.
    pub wrappers: u64,
    /// Sites whose wrapper drifted.
    pub drifted: u64,
}

/// What happens, for whoever looks on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A feed was polled.
    Feed {
        /// Its address.
        url: &'a str,
        /// New items.
        new: usize,
        /// Items of which no page can be visited, since they have no address.
        without_address: usize,
        /// Why there is no feed.
        error: Option<&'a str>,
    },
    /// A page is in the archive: it is on the disk.
    Page {
        /// Its address.
        url: &'a str,
        /// Its site.
        site: &'a str,
        /// What was found on it.
        status: Status,
        /// What became of it.
        stored: Stored,
        /// Why there is no article.
        error: Option<&'a str>,
        /// The article's title.
        title: Option<&'a str>,
        /// The feed that names the page, where its article is new or another.
        feed: Option<&'a str>,
    },
    /// A feed has another address, at which it is polled from now on.
    FeedMoved {
        /// The address until now.
        url: &'a str,
        /// The new one.
        to: &'a str,
    },
    /// A feed is polled no more: its server says that it is gone for good.
    FeedEnded {
        /// Its address.
        url: &'a str,
        /// What the server says.
        why: &'a str,
    },
    /// A picture of an article came.
    Picture {
        /// Its address.
        url: &'a str,
        /// Why it did not.
        error: Option<&'a str>,
    },
    /// The verdict on a site has changed.
    Verdict {
        /// The site.
        site: &'a str,
        /// What it was.
        from: Verdict,
        /// What it is.
        to: Verdict,
        /// The page that made it so.
        url: &'a str,
    },
    /// A wrapper was learned, or not.
    Learning {
        /// The site.
        site: &'a str,
        /// What came of it.
        learning: &'a Learning,
    },
    /// So much is to be done still.
    Waiting {
        /// Visits that were not answered yet.
        visits: usize,
    },
}

/// Until when a harvest goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Until nothing is due.
    Idle,
    /// Until it is stopped.
    Stopped,
}
