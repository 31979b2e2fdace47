//! The entries that a list shows: of a feed or a folder, unread, starred or all.

use chrono::{DateTime, Utc};
use forest_archive::{ArticleMark, ArticleMarks, EntryRange, FeedRow, ListPlace};
use forest_web::form_fields::FormFields;
use forest_web::links::coded;

/// Which entries, by their marks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShownMarks {
    #[default]
    Unread,
    Starred,
    All,
}

impl ShownMarks {
    /// All, with their names in addresses and for people.
    pub const NAMED: [(ShownMarks, &str, &str); 3] = [
        (ShownMarks::Unread, "", "Unread"),
        (ShownMarks::All, "all", "All"),
        (ShownMarks::Starred, "starred", "Starred"),
    ];

    fn of(name: &str) -> ShownMarks {
        let mut named = ShownMarks::NAMED.into_iter();
        let found = named.find(|(_, known, _)| *known == name);
        found.map(|(shown, ..)| shown).unwrap_or_default()
    }

    fn name(self) -> &'static str {
        let mut named = ShownMarks::NAMED.into_iter();
        let found = named.find(|(shown, ..)| *shown == self);
        found.map_or("", |(_, name, _)| name)
    }
}

/// The entries of a list.
#[derive(Debug, Clone, Default)]
pub struct EntryFilter {
    /// The address of their feed; empty: of any.
    pub feed: String,
    /// The folder of their feed, its names joined by slashes; empty: of any.
    pub folder: String,
    pub show: ShownMarks,
    /// Entries that stand after this place.
    pub after: Option<ListPlace>,
}

impl EntryFilter {
    /// The filter of a query or a form.
    pub fn of(asked: &FormFields) -> EntryFilter {
        EntryFilter {
            feed: asked.get("feed").to_owned(),
            folder: asked.get("folder").to_owned(),
            show: ShownMarks::of(asked.get("show")),
            after: asked.get("after").parse().ok(),
        }
    }

    /// The filter of an [address](Self::address).
    pub fn of_address(address: &str) -> EntryFilter {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        EntryFilter::of(&FormFields::read(query.as_bytes()))
    }

    /// The address of the list, from the level of `/reader`.
    pub fn address(&self) -> String {
        match self.query() {
            query if query.is_empty() => "reader".to_owned(),
            query => format!("reader?{query}"),
        }
    }

    /// The fields of the address that are not the usual ones.
    pub fn query(&self) -> String {
        let after = self.after.map(|after| after.to_string());
        let fields = [
            ("feed", &*self.feed),
            ("folder", &*self.folder),
            ("show", self.show.name()),
            ("after", after.as_deref().unwrap_or_default()),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let fields = fields.map(|(name, value)| format!("{name}={}", coded(value)));
        fields.collect::<Vec<String>>().join("&")
    }

    /// The address of these articles as a book, from the same level.
    pub fn book(&self) -> String {
        self.address().replacen("reader", "export.epub", 1)
    }

    /// The same list with other marks, from its beginning.
    pub fn showing(&self, show: ShownMarks) -> EntryFilter {
        EntryFilter {
            show,
            after: None,
            ..self.clone()
        }
    }

    /// The list of a feed.
    pub fn of_feed(url: &str) -> EntryFilter {
        EntryFilter {
            feed: url.to_owned(),
            ..EntryFilter::default()
        }
    }

    /// The list of a folder.
    pub fn of_folder(folder: &str) -> EntryFilter {
        EntryFilter {
            folder: folder.to_owned(),
            ..EntryFilter::default()
        }
    }

    /// True if the list is of all feeds.
    pub fn is_of_all(&self) -> bool {
        self.feed.is_empty() && self.folder.is_empty()
    }

    /// The addresses of the feeds whose entries are shown; `None`: of all, and of none.
    pub fn feeds(&self, all: &[FeedRow]) -> Option<Vec<String>> {
        let is_in = |feed: &&FeedRow| {
            let is_it = self.feed.is_empty() || feed.url == self.feed;
            is_it && (self.folder.is_empty() || folders_of(feed).any(|name| name == self.folder))
        };
        let shown = all.iter().filter(is_in).map(|feed| feed.url.clone());
        (!self.is_of_all()).then(|| shown.collect())
    }

    /// The entries in the archive's list.
    pub fn range(&self, all: &[FeedRow]) -> EntryRange {
        EntryRange {
            feeds: self.feeds(all),
            after: self.after,
            ..EntryRange::default()
        }
    }

    /// True if an entry with this key is shown.
    pub fn wants(&self, marks: &ArticleMarks, key: &str) -> bool {
        match self.show {
            ShownMarks::Unread => !marks.has(ArticleMark::Read, key),
            ShownMarks::Starred => marks.has(ArticleMark::Starred, key),
            ShownMarks::All => true,
        }
    }
}

/// The folders of a feed and those around them.
pub fn folders_of(feed: &FeedRow) -> impl Iterator<Item = String> {
    let paths = feed.folders.iter();
    paths.flat_map(|path| (1..=path.len()).map(|depth| path[..depth].join("/")))
}

/// A part of a list, to be marked as read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPart {
    Whole,
    /// From its beginning up to the entry at this place.
    UpTo(ListPlace),
    /// Entries published before the last so many days.
    Older(u16),
}

impl ListPart {
    /// The part that a form names.
    pub fn of(sent: &FormFields) -> Option<ListPart> {
        match (sent.get("upto"), sent.get("older")) {
            ("", "0") => Some(ListPart::Whole),
            ("", days) => days.parse().ok().map(ListPart::Older),
            (place, _) => place.parse().ok().map(ListPart::UpTo),
        }
    }

    /// Bounds a list to this part.
    pub fn bound(self, list: EntryRange, now: DateTime<Utc>) -> EntryRange {
        let whole = EntryRange {
            after: None,
            ..list
        };
        match self {
            ListPart::Whole => whole,
            ListPart::UpTo(place) => EntryRange {
                until: Some(place),
                ..whole
            },
            ListPart::Older(days) => EntryRange {
                after: Some(ListPlace::before(
                    now - chrono::TimeDelta::days(days.into()),
                )),
                ..whole
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_one_address() {
        let check = |address: &str| assert_eq!(EntryFilter::of_address(address).address(), address);
        check("reader");
        check("reader?feed=http%3A%2F%2Fa.example%2F%3Fb&show=all");
        check("reader?folder=News%2FNear+by&show=starred&after=12_3");
        let odd = "reader?show=x&after=y&feed=";
        assert_eq!(EntryFilter::of_address(odd).address(), "reader");
    }

    #[test]
    fn a_part_of_a_list_is_named_by_a_form() {
        let check = |fields: &str, expected: Option<ListPart>| {
            assert_eq!(
                ListPart::of(&FormFields::read(fields.as_bytes())),
                expected,
                "{fields}"
            );
        };
        check("older=0", Some(ListPart::Whole));
        check("older=30", Some(ListPart::Older(30)));
        let place = "12_3".parse().expect("a place");
        check("upto=12_3&older=0", Some(ListPart::UpTo(place)));
        check("upto=12&older=0", None);
        check("older=-1", None);
        check("older=4294967295", None);
        check("", None);
    }
}
