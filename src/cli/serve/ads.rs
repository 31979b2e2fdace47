//! The lists of advertisements while the server runs: those from the web are fetched again.

use crate::cli::ad_lists::{ReadLists, name_of, read_from, rules_of};
use crate::cli::when;
use chrono::{DateTime, TimeDelta, Utc};
use forest_fetch::{AdListFolder, ListAnswer, ListValidators};
use forest_serve::FilterPages;
use forest_web::ad_status::AdListStatus;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// Time after which a list is asked for again whose fetch failed.
const AFTER_FAILURE: TimeDelta = TimeDelta::hours(6);

/// The lists that are used, and when they are fetched again.
#[derive(Debug)]
pub struct AdListUpdates {
    pub folder: Option<AdListFolder>,
    /// Files of the user's.
    pub files: Vec<PathBuf>,
    /// Lists that are fetched again.
    pub urls: Vec<Url>,
    /// Days between two fetches, or as long as a list says that it holds.
    pub days: Option<u32>,
    /// The last failures, and the times from which on these lists are asked for again.
    pub failures: BTreeMap<PathBuf, (String, DateTime<Utc>)>,
}

/// The lists as they are now.
pub type ReadAds = (Arc<forest_text::filter::AdList>, Vec<AdListStatus>);

impl AdListUpdates {
    /// Fetches the lists that are due at a time; true if there was one. A list that cannot be
    /// fetched stays as it is.
    pub fn fetch_due(
        &mut self,
        now: DateTime<Utc>,
        ask: impl Fn(&Url, &ListValidators) -> anyhow::Result<ListAnswer>,
    ) -> bool {
        let Some(folder) = self.folder.clone() else {
            return false;
        };
        let due: Vec<Url> = { self.urls.iter() }
            .filter(|url| self.due(&folder, url).is_none_or(|due| due <= now))
            .cloned()
            .collect();
        for url in &due {
            let path = folder.path(url);
            match folder.update(url, now, rules_of, |known| ask(url, known)) {
                Ok(_) => self.failures.remove(&path),
                Err(error) => {
                    let failure = (format!("{error:#}"), now + AFTER_FAILURE);
                    self.failures.insert(path, failure)
                }
            };
        }
        !due.is_empty()
    }

    fn due(&self, folder: &AdListFolder, url: &Url) -> Option<DateTime<Utc>> {
        let failed = self
            .failures
            .get(&folder.path(url))
            .map(|(_, again)| *again);
        failed.or_else(|| folder.due(url, self.days))
    }

    /// The time from which on a list is due next.
    pub fn next(&self) -> Option<DateTime<Utc>> {
        let folder = self.folder.as_ref()?;
        let due = self.urls.iter().map(|url| self.due(folder, url));
        due.map(Option::unwrap_or_default).min()
    }

    /// Reads the lists.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn read(&self) -> anyhow::Result<ReadAds> {
        let ReadLists { ads, files } = read_from(self.folder.as_ref(), &self.files)?;
        let fetched = |path: &PathBuf| {
            let folder = self.folder.as_ref()?;
            let url = self.urls.iter().find(|url| folder.path(url) == *path)?;
            folder.fetched(url)
        };
        let mut lists: Vec<AdListStatus> = { files.iter() }
            .map(|(path, rules, _)| AdListStatus {
                name: name_of(path),
                rules: *rules,
                fetched: fetched(path),
                fault: self.failures.get(path).map(|(fault, _)| fault.clone()),
            })
            .collect();
        let is_read = |path: &PathBuf| files.iter().any(|(read, _, _)| read == path);
        let never = self.failures.iter().filter(|(path, _)| !is_read(path));
        lists.extend(never.map(|(path, (fault, _))| AdListStatus {
            name: name_of(path),
            rules: 0,
            fetched: None,
            fault: Some(fault.clone()),
        }));
        Ok((ads, lists))
    }
}

/// Fetches lists when they are due, and gives them to the pages, for as long as it is polled.
pub async fn keep_fresh(
    pages: FilterPages,
    mut updates: AdListUpdates,
    ask: impl Fn(&Url, &ListValidators) -> anyhow::Result<ListAnswer> + Clone + Send + 'static,
) {
    while let Some(next) = updates.next() {
        let wait = (next - when::now()).to_std().unwrap_or_default();
        tokio::time::sleep(wait).await;
        let ask = ask.clone();
        let fetched = tokio::task::spawn_blocking(move || {
            let is_new = updates.fetch_due(when::now(), ask);
            let read = if is_new { updates.read().ok() } else { None };
            (updates, read)
        });
        let Ok((again, read)) = fetched.await else {
            return;
        };
        updates = again;
        if let Some((ads, lists)) = read {
            pages.set_ads(ads, lists);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    fn at(day: u32, hour: u32) -> DateTime<Utc> {
        let text = format!("2026-03-{day:02}T{hour:02}:00:00Z");
        when::day_or_time(&text).expect("a time").to_utc()
    }

    #[test]
    fn a_list_is_fetched_again_when_it_is_due_and_offline_it_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("own.txt");
        std::fs::write(&file, "own.example\n").expect("written");
        let mut updates = AdListUpdates {
            folder: Some(AdListFolder::in_dir(dir.path().join("ads"))),
            files: vec![file],
            urls: vec!["https://lists.example/a".parse().expect("a URL")],
            days: None,
            failures: BTreeMap::new(),
        };
        let (asked, is_online) = (Cell::new(0), Cell::new(false));
        let list = RefCell::new("! Expires: 2 days\nads.example\n");
        let ask = |_: &Url, _: &ListValidators| {
            asked.set(asked.get() + 1);
            if !is_online.get() {
                anyhow::bail!("no answer");
            }
            Ok(ListAnswer {
                body: Some(list.borrow().as_bytes().to_vec()),
                validators: ListValidators::default(),
            })
        };
        let named = |updates: &AdListUpdates| {
            let (ads, lists) = updates.read().expect("read");
            let is_listed = |host: &str| ads.matches(&format!("https://{host}.example/"));
            (is_listed("ads"), is_listed("new"), is_listed("own"), lists)
        };
        // At first it is not there, and its server is not, either.
        assert!(updates.next().is_some_and(|next| next < at(1, 0)));
        assert!(updates.fetch_due(at(1, 0), ask));
        let (ads, _, own, lists) = named(&updates);
        assert!(!ads && own);
        let faults: Vec<_> = lists.iter().map(|list| list.fault.as_deref()).collect();
        assert_eq!(faults, [None, Some("no answer")]);
        assert!(!updates.fetch_due(at(1, 5), ask), "not before six hours");
        is_online.set(true);
        assert!(updates.fetch_due(at(1, 6), ask));
        let (ads, _, _, lists) = named(&updates);
        assert!(ads);
        assert_eq!(lists[0].fetched, Some(at(1, 6)));
        assert_eq!((lists[0].rules, &lists[0].fault), (1, &None));
        assert_eq!(updates.next(), Some(at(3, 6)));
        assert!(!updates.fetch_due(at(3, 5), ask));
        // Offline it goes on with what it has.
        is_online.set(false);
        assert!(updates.fetch_due(at(3, 6), ask));
        let (ads, _, _, lists) = named(&updates);
        assert!(ads && lists[0].fault.is_some());
        assert_eq!(lists[0].fetched, Some(at(1, 6)));
        *list.borrow_mut() = "new.example\n";
        is_online.set(true);
        assert!(updates.fetch_due(at(3, 12), ask));
        let (ads, new, own, _) = named(&updates);
        assert!(!ads && new && own);
        assert_eq!(updates.next(), Some(at(7, 12)), "four days");
        assert_eq!(asked.get(), 4);
    }
}
