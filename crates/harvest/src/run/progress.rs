//! The report of a harvest: its events while it runs, and its counts in the end.

use super::feeds::PollReport;
use super::learning::Learning;
use super::write::WrittenPage;
use forest_archive::{Reextracted, SettledEdit, Stored};
use forest_core::drift::Verdict;
use forest_core::extract::Status;

/// The counts of a harvest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HarvestTally {
    /// Feeds that were polled.
    pub feeds: u64,
    /// Of these, feeds that could not be fetched or read.
    pub feeds_failed: u64,
    /// Of these, feeds that the server does not have (404, 410).
    pub feeds_gone: u64,
    /// Items that were new or changed, without those that had nothing but another link.
    pub items: u64,
    /// Pages that were visited.
    pub pages: u64,
    /// Of these, pages that could not be fetched, or showed no article.
    pub pages_failed: u64,
    /// Of these, pages that the server does not have (404, 410).
    pub pages_gone: u64,
    /// Of these, pages that were refused, or showed a wall.
    pub pages_blocked: u64,
    /// Of these, pages that were received and showed no article.
    pub pages_empty: u64,
    /// New articles.
    pub articles: u64,
    /// New versions of known articles.
    pub versions: u64,
    /// Readings of changed pages that are doubtful: they are edits, or a redesign.
    pub doubtful: u64,
    /// Pictures that were stored.
    pub pictures: u64,
    /// Pictures that could not be fetched.
    pub pictures_failed: u64,
    /// Wrappers that became active.
    pub wrappers: u64,
    /// Sites whose wrapper drifted.
    pub drifted: u64,
}

impl HarvestTally {
    pub(super) fn count_poll(&mut self, poll: &PollReport, status: Option<u16>) {
        self.feeds += 1;
        self.items += poll.new as u64;
        if poll.error.is_some() {
            self.feeds_failed += 1;
            self.feeds_gone += u64::from(is_gone(status));
        }
    }

    pub(super) fn count_page(&mut self, page: &WrittenPage) {
        self.pages += 1;
        self.drifted += u64::from(matches!(page.verdict, Some((_, Verdict::Drift))));
        let status = page.visit.status;
        match page.stored {
            Stored::New => self.articles += 1,
            Stored::Version => self.versions += 1,
            Stored::Doubtful => self.doubtful += 1,
            Stored::Nothing if !has_article(status) => {
                self.pages_failed += 1;
                match status {
                    _ if is_gone(page.visit.http_status) => self.pages_gone += 1,
                    Status::Blocked => self.pages_blocked += 1,
                    Status::Empty => self.pages_empty += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }

    pub(super) fn count_picture(&mut self, has_come: bool) {
        if has_come {
            self.pictures += 1;
        } else {
            self.pictures_failed += 1;
        }
    }
}

/// Returns true if a page shows at least a part of its article.
fn has_article(status: Status) -> bool {
    matches!(status, Status::Ok | Status::Degraded | Status::Fallback)
}

/// Returns true if a server says that it does not have a page.
fn is_gone(status: Option<u16>) -> bool {
    matches!(status, Some(404 | 410))
}

/// An event of a harvest.
#[derive(Debug)]
pub enum HarvestProgress<'a> {
    /// A feed was polled.
    Feed {
        /// Its address.
        url: &'a str,
        /// New items.
        new: usize,
        /// Items of which no page can be visited, since they have no address.
        without_address: usize,
        /// The reason why there is no feed.
        error: Option<&'a str>,
        /// The reason why items may be missing.
        warning: Option<&'a str>,
    },
    /// A page is in the archive: it is on the disk.
    Page {
        /// Its address.
        url: &'a str,
        /// Its site.
        site: &'a str,
        /// The status of its article.
        status: Status,
        /// The archive's result.
        stored: Stored,
        /// The reason why there is no article.
        error: Option<&'a str>,
        /// The article's title.
        title: Option<&'a str>,
        /// The feed that lists the page, if its article is new or was edited.
        feed: Option<&'a str>,
    },
    /// Versions of a site were read again, as another process asked.
    ReadAgain {
        /// The site.
        site: &'a str,
        /// The counts.
        report: &'a Reextracted,
    },
    /// A doubtful reading became a version: it is on the disk.
    Settled {
        /// Its site.
        site: &'a str,
        /// The version.
        edit: &'a SettledEdit,
        /// The feed that lists the page.
        feed: Option<&'a str>,
    },
    /// A feed has another address, at which it is polled from now on.
    FeedMoved {
        /// The address until now.
        url: &'a str,
        /// The new one.
        to: &'a str,
    },
    /// A feed is not polled any more: its server reports that it is gone for good.
    FeedEnded {
        /// Its address.
        url: &'a str,
        /// The server's response.
        why: &'a str,
    },
    /// A picture of an article was received, or not.
    Picture {
        /// Its address.
        url: &'a str,
        /// The reason of a failure.
        error: Option<&'a str>,
    },
    /// The verdict on a site has changed.
    Verdict {
        /// The site.
        site: &'a str,
        /// The former verdict.
        from: Verdict,
        /// The new verdict.
        to: Verdict,
        /// The page that changed it.
        url: &'a str,
    },
    /// A wrapper was learned, or not.
    Learning {
        /// The site.
        site: &'a str,
        /// The result.
        learning: &'a Learning,
    },
    /// Requests are still under way.
    Waiting {
        /// The number of requests that were not answered yet.
        visits: usize,
    },
}

/// The end of a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Until nothing is due.
    Idle,
    /// Until it is stopped.
    Stopped,
}
