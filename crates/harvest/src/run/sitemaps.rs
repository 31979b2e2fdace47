//! Sitemaps, polled as feeds: the pages of one are the items of a feed; of an index, or of a
//! robots.txt that names sitemaps, the files that changed since the last poll are read, as the
//! further pages of a list are.

use super::lists::is_of_site;
use chrono::{DateTime, NaiveTime, Timelike, Utc};
use forest_core::feed::{
    Feed, FeedVersion, ROBOTS_PATH, Sitemap, SitemapFile, SitemapIndex, SniffedType,
    named_in_robots, names_sitemap, read_sitemap, sniff, sort_newest_first,
};
use forest_fetch::{Resource, Visited};
use forest_html::address::{bare_site, site_of};
use url::Url;

/// Files of an index that are read at a poll, at the most.
const MAX_FILES: usize = 10;

/// Items of a sitemap that are taken at a poll, at the most: the newest that are new or changed.
/// The next poll takes the others.
pub(super) const MAX_ITEMS: usize = 1_000;

/// Files of which a poll may have missed a change: days without a time of day, in any zone.
const OVERLAP: chrono::Duration = chrono::Duration::hours(38);

/// The kind of a request for a feed: a sitemap may be larger than a feed.
pub(super) fn resource_of(url: &Url, other: Resource) -> Resource {
    if names_sitemap(url) {
        Resource::Sitemap
    } else {
        other
    }
}

/// Returns true if a response is a sitemap, or may name sitemaps.
pub(super) fn is_sitemap(visited: &Visited) -> bool {
    sniff(&visited.body) == SniffedType::Sitemap || visited.url.path() == ROBOTS_PATH
}

/// The sitemap in a response: its pages, the newest first, or the files of its index, those of
/// the response's own site. A text of addresses is a sitemap, and a robots.txt that names sitemaps
/// an index. `None`, if it is something else.
pub(super) fn sitemap_in(visited: &Visited) -> Option<Sitemap> {
    match sniff(&visited.body) {
        SniffedType::Sitemap | SniffedType::UrlList => sitemap_of(visited),
        SniffedType::Text if visited.url.path() == ROBOTS_PATH => {
            let named = named_in_robots(&visited.body, Some(&visited.url));
            let files = named
                .into_iter()
                .map(|url| SitemapFile { url, changed: None });
            let files = files.filter(|file| bare_site(&file.url) == bare_site(&visited.url));
            let index = SitemapIndex {
                files: files.collect(),
                warnings: Vec::new(),
            };
            (!index.files.is_empty()).then_some(Sitemap::Index(index))
        }
        _ => None,
    }
}

/// Reads a response as a sitemap.
fn sitemap_of(visited: &Visited) -> Option<Sitemap> {
    let mut found = read_sitemap(&visited.body, Some(&visited.url)).ok()?;
    if let Sitemap::Pages(feed) = &mut found {
        sort_newest_first(&mut feed.items);
    }
    Some(found)
}

/// An index as a feed without items: they are in its files.
pub(super) fn feed_of_index(visited: &Visited, index: &SitemapIndex) -> Feed {
    Feed {
        format: FeedVersion::Sitemap,
        title: visited.url.host_str().unwrap_or_default().to_owned(),
        description: None,
        language: None,
        site: visited.url.join("/").ok(),
        image: None,
        ttl: None,
        items: Vec::new(),
        warnings: index.warnings.clone(),
    }
}

/// Returns true if a change of any file changes the index: each has a date with a time of day.
pub(super) fn shows_each_change(index: &SitemapIndex) -> bool {
    let is_midnight = |time: NaiveTime| time.num_seconds_from_midnight() == 0;
    let mut files = index.files.iter();
    files.all(|file| file.changed.is_some_and(|at| !is_midnight(at.time())))
}

/// The files of an index that are to be read: those that may have changed since the last
/// successful poll, the newest first.
pub(super) fn files_to_read(
    index: SitemapIndex,
    success: Option<DateTime<Utc>>,
) -> Vec<SitemapFile> {
    let since = success.map(|at| at - OVERLAP);
    let mut files = index.newest_first();
    files.retain(|file| match (file.changed, since) {
        (Some(changed), Some(since)) => changed.to_utc() >= since,
        _ => true,
    });
    files.truncate(MAX_FILES);
    files
}

/// The sitemap that a file of an index is, which may be a feed or a text of addresses, too; `None` if
/// it is none, or of another site than `feed`.
pub(super) fn file_in(visited: &Visited, feed: &str) -> Option<Sitemap> {
    let site = site_of(Some(feed))?;
    if !is_of_site(&visited.url, &site) {
        return None;
    }
    sitemap_in(visited).or_else(|| sitemap_of(visited))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(changed: Option<&str>) -> SitemapFile {
        SitemapFile {
            url: Url::parse("https://a.example/s.xml").expect("a URL"),
            changed: changed.map(|at| DateTime::parse_from_rfc3339(at).expect("a time")),
        }
    }

    fn index(dates: &[Option<&str>]) -> SitemapIndex {
        SitemapIndex {
            files: dates.iter().map(|at| file(*at)).collect(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn files_that_may_have_changed_are_read() {
        let dates = [
            Some("2026-01-01T00:00:00Z"),
            None,
            Some("2026-01-10T00:00:00Z"),
            Some("2026-01-09T06:00:00+02:00"),
        ];
        let success = Some("2026-01-10T12:00:00Z".parse().expect("a time"));
        let read = files_to_read(index(&dates), success);
        let read: Vec<Option<String>> = read
            .iter()
            .map(|file| file.changed.map(|at| at.to_rfc3339()))
            .collect();
        assert_eq!(
            read,
            [
                Some("2026-01-10T00:00:00+00:00".to_owned()),
                Some("2026-01-09T06:00:00+02:00".to_owned()),
                None
            ]
        );
        assert_eq!(files_to_read(index(&dates), None).len(), 4);
        assert_eq!(files_to_read(index(&[None; 99]), None).len(), MAX_FILES);
    }

    #[test]
    fn days_and_missing_dates_do_not_show_each_change() {
        let check = |dates: &[Option<&str>], expected| {
            assert_eq!(shows_each_change(&index(dates)), expected, "{dates:?}");
        };
        check(&[Some("2026-01-01T06:30:00Z")], true);
        check(&[Some("2026-01-01T00:00:00Z")], false);
        check(&[Some("2026-01-01T06:30:00Z"), None], false);
    }
}
