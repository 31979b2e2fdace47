//! The room for pictures: of a feed, by its rules or by the budget of all feeds, and on the disk.

use crate::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::Archive;
use forest_html::error::megabytes;
use std::collections::HashMap;

/// Time after which the bytes of pictures, and the free space, are looked at again.
const LOOK_AGAIN: TimeDelta = TimeDelta::hours(1);

/// Bytes that a picture is expected to have until it comes.
const EXPECTED_BYTES: u64 = 250_000;

/// The room that the pictures of an archive may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureBudget {
    feed_bytes: usize,
    disk_part: u64,
}

impl Default for PictureBudget {
    fn default() -> Self {
        PictureBudget {
            feed_bytes: Self::FEED_BYTES,
            disk_part: 10,
        }
    }
}

impl PictureBudget {
    /// Bytes of a feed's pictures, unless others are set.
    pub const FEED_BYTES: usize = 200_000_000;

    /// Days of which the versions of a feed's articles share its room.
    pub const DAYS: i64 = 30;

    /// Sets the bytes of a feed's pictures of [`DAYS`](Self::DAYS) days
    /// ([`FEED_BYTES`](Self::FEED_BYTES)). They are looked at before an article: its pictures may
    /// exceed them.
    #[must_use]
    pub fn with_feed_bytes(mut self, bytes: usize) -> Self {
        self.feed_bytes = bytes;
        self
    }

    /// Sets the part of the free space of the disk that all pictures may take: the tenth, for 10
    /// (10).
    #[must_use]
    pub fn with_disk_part(mut self, part: u64) -> Self {
        self.disk_part = part.max(1);
        self
    }
}

/// The rest of a budget.
#[derive(Debug)]
pub(super) struct PictureRoom {
    /// The room of feeds whose rules give none, and that on the disk; `None`: any.
    budget: Option<PictureBudget>,
    looked: Option<DateTime<Utc>>,
    /// Bytes that all pictures may take, and those that they take.
    disk: u64,
    taken: u64,
    /// Bytes of the pictures of feeds, by their numbers.
    spent: HashMap<i64, u64>,
}

impl PictureRoom {
    pub fn of(budget: Option<PictureBudget>) -> PictureRoom {
        PictureRoom {
            budget,
            looked: None,
            disk: 0,
            taken: 0,
            spent: HashMap::new(),
        }
    }

    /// The reason why there is no room for the pictures of an article of these feeds. Of several
    /// feeds one with room is enough.
    pub fn refusal(
        &mut self,
        archive: &Archive,
        feeds: &[i64],
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        if self.looked.is_none_or(|looked| now - looked >= LOOK_AGAIN) {
            if let Some(budget) = &self.budget {
                let (taken, free) = archive.requisite_space()?;
                (self.disk, self.taken) = (free / budget.disk_part, taken);
            }
            self.spent.clear();
            self.looked = Some(now);
        }
        if self.budget.is_some() && self.taken >= self.disk {
            return Ok(Some(
                "pictures take their part of the free disk space".to_owned(),
            ));
        }
        let mut refusals = Vec::new();
        for feed in feeds {
            refusals.push(self.refusal_of_feed(archive, *feed, now)?);
        }
        let all: Option<Vec<String>> = refusals.into_iter().collect();
        Ok(all.and_then(|all| all.into_iter().next()))
    }

    /// The reason why there is no room for further pictures of a feed.
    fn refusal_of_feed(
        &mut self,
        archive: &Archive,
        feed: i64,
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        let of_all = self.budget.as_ref().map(|budget| budget.feed_bytes as u64);
        let Some(room) = archive.picture_budget(feed)?.or(of_all) else {
            return Ok(None);
        };
        if room == 0 {
            return Ok(Some("no pictures of its feed are stored".to_owned()));
        }
        let spent = match self.spent.get(&feed) {
            Some(spent) => *spent,
            None => {
                let since = now - TimeDelta::days(PictureBudget::DAYS);
                let spent = archive.picture_bytes(feed, since)?;
                self.spent.insert(feed, spent);
                spent
            }
        };
        let why = || {
            let room = megabytes(usize::try_from(room).unwrap_or(usize::MAX));
            let days = PictureBudget::DAYS;
            format!("the pictures of its feed take {room} in {days} days")
        };
        Ok((spent >= room).then(why))
    }

    /// A picture of articles of these feeds is requested.
    pub fn expect(&mut self, feeds: &[i64]) {
        self.change(feeds, |bytes| bytes + EXPECTED_BYTES);
    }

    /// A requested picture has so many bytes; none if it did not come.
    pub fn take(&mut self, feeds: &[i64], bytes: u64) {
        self.change(feeds, |taken| taken.saturating_sub(EXPECTED_BYTES) + bytes);
    }

    fn change(&mut self, feeds: &[i64], change: impl Fn(u64) -> u64) {
        self.taken = change(self.taken);
        for feed in feeds {
            // Those of a feed with any room are not counted.
            if let Some(spent) = self.spent.get_mut(feed) {
                *spent = change(*spent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_and_what_came_takes_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(dir.path(), crate::archive_options()).expect("it opens");
        let start = DateTime::<Utc>::default();
        let budget = PictureBudget::default().with_feed_bytes(1_000_000);
        let mut room = PictureRoom::of(Some(budget.clone()));
        let refusal = |room: &mut PictureRoom, feeds: &[i64], hours| {
            let now = start + TimeDelta::hours(hours);
            room.refusal(&archive, feeds, now).expect("readable")
        };
        assert_eq!(refusal(&mut room, &[1], 0), None);
        for _ in 0..4 {
            assert_eq!(refusal(&mut room, &[1], 0), None);
            room.expect(&[1]);
        }
        let why = Some("the pictures of its feed take 1 MB in 30 days".to_owned());
        assert_eq!(refusal(&mut room, &[1], 0), why);
        // Another feed has room, and so has an article of both, and one of none.
        for feeds in [&[2][..], &[1, 2], &[]] {
            assert_eq!(refusal(&mut room, feeds, 0), None);
        }
        // One did not come, one is small.
        room.take(&[1], 0);
        room.take(&[1], 1000);
        assert_eq!(refusal(&mut room, &[1], 0), None);
        room.take(&[1], 2_000_000);
        assert_eq!(refusal(&mut room, &[1], 0), why);
        // The archive has none of them, as is seen an hour later.
        assert_eq!(refusal(&mut room, &[1], 1), None);
        let mut room = PictureRoom::of(Some(budget.with_disk_part(u64::MAX)));
        let why = refusal(&mut room, &[], 0).expect("a reason");
        assert!(why.contains("free disk space"), "{why}");
    }
}
