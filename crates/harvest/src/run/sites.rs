//! The sites of a harvest: their active wrappers, their watches, and when a wrapper is
//! learned.

use super::active::ActiveWrapper;
use super::learning::{FirstSample, Learning, LearningCause, first, next, sample_page, sign_of};
use super::options::HarvestOptions;
use super::page_result::SiteSign;
use super::state::SiteState;
use crate::clock::rfc3339;
use crate::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{
    Archive, ArchiveChange, DoubtsOf, Event, RereadBy, SettledEdit, SiteFile, Stored,
};
use forest_core::drift::{REMEMBERED, RUN, Verdict};
use forest_core::extract::{Extractor, Status};
use forest_core::learn::{LearnOptions, MIN_PAGES};
use forest_html::text::sha256_hex;
use std::collections::HashMap;
use std::sync::Arc;

/// A site that is kept in memory.
#[derive(Debug, Default)]
struct TrackedSite {
    wrapper: Option<Arc<ActiveWrapper>>,
    state: SiteState,
    /// The state must be written.
    is_changed: bool,
    learning: LearningSchedule,
    /// The time at which its file was last looked at.
    looked: Option<DateTime<Utc>>,
    /// The doubtful readings that are to be settled.
    settles: Option<DoubtsOf>,
}

/// When to try to learn a site's wrapper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LearningSchedule {
    /// Pages with an article at the last try; 0: no try, or a wrapper was learned since.
    tried_at: u64,
    /// Pages since then.
    pages_since: usize,
    /// There was a page since the last look.
    is_stirred: bool,
}

impl LearningSchedule {
    /// Returns true if it is time to learn the first wrapper: there are enough articles for
    /// a sample, or no page is waiting any more; and again with half as many more articles.
    fn learns_first(&self, articles: u64, waiting: u64, sample: usize) -> bool {
        let enough = articles >= sample as u64 || waiting == 0;
        let more = articles >= self.tried_at + self.tried_at.div_ceil(2);
        enough && (self.tried_at == 0 || more) && articles >= MIN_PAGES as u64
    }

    /// Returns true if it is time to learn a drifted wrapper again. After an alarm it is tried
    /// again every [`RUN`] pages: they may complete the sample.
    fn learns_again(&self, articles: u64) -> bool {
        (self.tried_at == 0 || self.pages_since >= RUN) && articles >= MIN_PAGES as u64
    }
}

/// Time after which a wrapper's file is looked at again: a person may have edited it.
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(1);

/// The result of trying to learn a wrapper, and the doubtful readings that became versions by it.
#[derive(Debug)]
pub(super) struct LearningTry {
    pub learning: Learning,
    pub edits: Vec<SettledEdit>,
}

/// The number of sites that are loaded before idle ones are dropped from memory, where each
/// takes some 7 kB. A dropped site is loaded again for its next page.
const MAX_SITES: usize = 1000;

/// The sites in memory.
#[derive(Debug, Default)]
pub(super) struct Sites {
    map: HashMap<String, TrackedSite>,
    /// The number of sites loaded since some were dropped.
    loaded: usize,
}

impl Sites {
    /// Begins to track a site, as the last harvest left it.
    fn track(&mut self, archive: &Archive, host: &str) -> Result<()> {
        self.loaded += 1;
        if self.loaded > MAX_SITES {
            self.drop_idle();
        }
        let state = archive.watch(host)?;
        let state = state.and_then(|json| SiteState::from_json(&json));
        let state = match (state, archive.active_wrapper(host)?) {
            (Some(state), _) => state,
            (None, Some(_)) => SiteState::default(),
            (None, None) => SiteState::bare(),
        };
        let site = TrackedSite {
            state,
            ..TrackedSite::default()
        };
        self.map.insert(host.to_owned(), site);
        Ok(())
    }

    /// The active wrapper of a site. A file that is not the active one (a person edited it,
    /// or put it there) becomes active; `changes` gets the changes that follow.
    pub fn wrapper(
        &mut self,
        archive: &Archive,
        host: &str,
        now: DateTime<Utc>,
        changes: &mut Vec<ArchiveChange>,
    ) -> Result<Option<Arc<ActiveWrapper>>> {
        let fresh = |looked: DateTime<Utc>| (now - looked).abs() < LOOK_AGAIN;
        if let Some(site) = self.map.get(host)
            && site.looked.is_some_and(fresh)
        {
            return Ok(site.wrapper.clone());
        }
        if !self.map.contains_key(host) {
            self.track(archive, host)?;
        }
        let site = self.map.entry(host.to_owned()).or_default();
        site.looked = Some(now);
        let in_use = |file: &SiteFile, used: &ActiveWrapper| used.sha256 == file.sha256;
        let file = archive.wrapper_file(host).map_err(crate::Error::from);
        let usable = file.and_then(|file| match file {
            Some(file)
                if site
                    .wrapper
                    .as_ref()
                    .is_some_and(|used| in_use(&file, used)) =>
            {
                Ok(None)
            }
            Some(file) => {
                let extractor = Extractor::new(file.file.wrapper.clone())?;
                Ok(Some((file, extractor)))
            }
            None => {
                site.wrapper = None;
                if !site.state.watch.is_bare() {
                    site.state.watch.lost(now);
                    site.state.of = None;
                    site.is_changed = true;
                    let why = "its wrapper's file is gone";
                    changes.extend(site.judged(archive, host, now, why)?);
                }
                Ok(None)
            }
        });
        match usable {
            Ok(found) => {
                site.is_usable();
                if let Some((file, extractor)) = found {
                    site.use_file(archive, host, now, file, extractor, changes)?;
                }
            }
            // A broken file disables its site's wrapper, not the harvest.
            Err(error) => site.is_unusable(host, error.to_string()),
        }
        Ok(site.wrapper.clone())
    }

    /// Allows a site without a wrapper, or whose wrapper has drifted since it was last learned, to
    /// be learned though it had no page.
    pub fn stir(
        &mut self,
        archive: &Archive,
        host: &str,
        now: DateTime<Utc>,
        changes: &mut Vec<ArchiveChange>,
    ) -> Result<()> {
        let is_bare = self.wrapper(archive, host, now, changes)?.is_none();
        let site = self.map.entry(host.to_owned()).or_default();
        let state = &site.state;
        let drifted = state.watch.verdict() == Verdict::Drift && state.not_learned.is_none();
        site.learning.is_stirred |= is_bare || drifted;
        Ok(())
    }

    /// Judges a site with a wrapper by its newest stored pages. A site that has drifted on them may
    /// be learned. If its watch has not seen that, it has now: gives the verdict before, and the
    /// address of the newest page.
    pub fn rejudge(
        &mut self,
        archive: &mut Archive,
        name: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<(Verdict, String)>> {
        let mut changes = Vec::new();
        let Some(active) = self.wrapper(archive, name, now, &mut changes)? else {
            archive.write(changes)?;
            return Ok(None);
        };
        let pages = archive.reader()?.latest_pages(name, REMEMBERED)?;
        let site = self.map.entry(name.to_owned()).or_default();
        let mut watch = site.state.watch.clone();
        watch.relearned(now);
        for page in pages.iter().rev() {
            watch.see(page.raw.at, sign_of(&active.extractor, &sample_page(page)));
        }
        let has_drifted = watch.verdict() == Verdict::Drift;
        site.learning.is_stirred |= has_drifted;
        let before = site.state.watch.verdict();
        let is_new = has_drifted && before != Verdict::Drift;
        if is_new {
            site.state.watch = watch;
            site.is_changed = true;
            changes.extend(site.judged(archive, name, now, "read again")?);
            changes.extend(self.watches());
        }
        archive.write(changes)?;
        let newest = pages.into_iter().next().filter(|_| is_new);
        Ok(newest.map(|newest| (before, newest.raw.url)))
    }

    /// Takes the evidence of a site's page; returns the verdict before and after, if it changed.
    pub fn see(
        &mut self,
        host: &str,
        at: DateTime<Utc>,
        sign: Option<SiteSign>,
        stored: Stored,
    ) -> Option<(Verdict, Verdict)> {
        // Before its wrapper was looked up, a site does not count as one without a wrapper.
        let site = self.map.get_mut(host)?;
        if stored != Stored::Forgotten {
            site.learning.is_stirred = true;
            site.learning.pages_since += 1;
        }
        let sign = sign?;
        if stored == Stored::Doubtful && sign.of_page.fits {
            // The wrapper finds the article that another one had read.
            site.settles.get_or_insert(DoubtsOf::OtherWrappers);
        }
        let sha256 =
            |wrapper: &Option<Arc<ActiveWrapper>>| wrapper.as_ref().map(|w| w.sha256.clone());
        // A page that was fetched before another wrapper became active is no evidence for that one.
        if sign.of_page.worth.is_some() && sha256(&site.wrapper) != sha256(&sign.wrapper) {
            return None;
        }
        site.is_changed = true;
        site.state.failure = sign.failure;
        // A page that was not received is no evidence for a wrapper, and must not displace one
        // that is.
        if sign.of_page.status == Status::Error && !site.state.watch.is_bare() {
            return None;
        }
        let change = site.state.watch.see(at, sign.of_page);
        if site.state.watch.runs_well() {
            site.settles = Some(DoubtsOf::All);
        }
        change.map(|change| (change.from, change.to))
    }

    /// The watches that changed and must be written.
    pub fn watches(&mut self) -> Vec<ArchiveChange> {
        let mut names: Vec<&String> = self
            .map
            .iter()
            .filter(|(_, site)| site.is_changed)
            .map(|(name, _)| name)
            .collect();
        names.sort();
        let names: Vec<String> = names.into_iter().cloned().collect();
        let watch = |name: String| {
            let site = self.map.get_mut(&name)?;
            site.is_changed = false;
            let state = serde_json::to_string(&site.state).ok()?;
            Some(ArchiveChange::Watch { site: name, state })
        };
        names.into_iter().filter_map(watch).collect()
    }

    /// Drops the sites that nothing waits for.
    fn drop_idle(&mut self) {
        self.loaded = 0;
        self.map.retain(|_, site| {
            // A site without a wrapper may be waiting to learn one.
            let Some(wrapper) = &site.wrapper else {
                return true;
            };
            let is_settled = site.settles != Some(DoubtsOf::OtherWrappers);
            let is_written = !site.is_changed && site.learning.tried_at == 0 && is_settled;
            let is_quiet = site.state.watch.verdict() != Verdict::Drift;
            // A page that is being read holds its wrapper, until it is written.
            let is_idle = Arc::strong_count(wrapper) == 1;
            !(is_written && is_quiet && is_idle)
        });
    }

    /// The names of sites whose wrapper may be learned now.
    pub fn ready(&mut self, archive: &Archive, options: &HarvestOptions) -> Result<Vec<String>> {
        let mut ready = Vec::new();
        for (name, site) in &mut self.map {
            if !std::mem::take(&mut site.learning.is_stirred) || name.is_empty() {
                continue;
            }
            // A file that a person has not finished editing is left alone.
            if site.state.unusable.is_some() {
                continue;
            }
            let drifted = site.state.watch.verdict() == Verdict::Drift;
            let (articles, waiting) = archive.page_counts(name)?;
            let is_time = match site.wrapper {
                Some(_) => drifted && site.learning.learns_again(articles),
                None => (site.learning).learns_first(articles, waiting, options.sample()),
            };
            if is_time {
                ready.push(name.clone());
            }
        }
        ready.sort();
        Ok(ready)
    }

    /// Learns a site's wrapper from its newest pages, for the first time or again, and makes
    /// it active if it is good. `None`: the sample waits for further pages.
    pub fn learn(
        &mut self,
        archive: &mut Archive,
        name: &str,
        options: &HarvestOptions,
        now: DateTime<Utc>,
    ) -> Result<Option<LearningTry>> {
        let (articles, waiting) = archive.page_counts(name)?;
        let site = self.map.entry(name.to_owned()).or_default();
        (site.learning.tried_at, site.learning.pages_since) = (articles, 0);
        let at = rfc3339(now);
        let learn_options = LearnOptions::default().with_site(name).with_learned(&at);
        if let Err(why) = ours_to_write(archive, name, site.wrapper.as_deref()) {
            return self.kept(archive, name, why);
        }
        let learned = match &site.wrapper {
            None => {
                let sample = FirstSample::of(&archive.reader()?, name, options.sample())?;
                // Unusable pages make room for new ones.
                let is_short = sample.good < options.sample() && waiting > 0;
                if is_short && articles < 2 * options.sample() as u64 {
                    site.learning.tried_at = 0;
                    return Ok(None);
                }
                first(sample, learn_options)?
            }
            Some(old) => next(
                &archive.reader()?,
                name,
                options,
                (&learn_options, &at),
                (old, LearningCause::Drift),
            )?,
        };
        let (wrapper, learning) = match learned {
            Ok(learned) => learned,
            Err(why) => return self.kept(archive, name, why),
        };
        let why = match learning {
            Learning::Relearned => "relearned",
            _ => "learned",
        };
        let used = Arc::new(ActiveWrapper {
            sha256: sha256_hex(wrapper.to_yaml()),
            extractor: Arc::new(Extractor::new(wrapper)?),
        });
        // The wrapper becomes active only after the pages that had none, or a bad one, were
        // read again. A harvest that is killed before that learns it once more.
        let by = RereadBy {
            site: name,
            extractor: &used.extractor,
            sha256: &used.sha256,
            bad_only: true,
            feed: None,
            is_edited: false,
        };
        let edits = archive.read_again(by, now)?.edits;
        // Learning took a while.
        let before = self.map.get(name).and_then(|site| site.wrapper.as_deref());
        if let Err(why) = ours_to_write(archive, name, before) {
            return self.kept(archive, name, why);
        }
        let file = archive.write_wrapper(used.extractor.wrapper())?;
        let mut changes = vec![file.activation(name, now, why)];
        let site = self.map.entry(name.to_owned()).or_default();
        site.wrapper = Some(Arc::clone(&used));
        site.is_watched_anew(&used.sha256, now);
        site.learning.tried_at = 0;
        changes.extend(site.judged(archive, name, now, why)?);
        changes.extend(self.watches());
        archive.write(changes)?;
        Ok(Some(LearningTry { learning, edits }))
    }

    /// Settles the doubtful readings of sites whose wrapper was replaced, or finds the articles
    /// of their other pages; returns those that became versions, by site.
    pub fn settle(
        &mut self,
        archive: &mut Archive,
        now: DateTime<Utc>,
    ) -> Result<Vec<(String, Vec<SettledEdit>)>> {
        let mut settled = Vec::new();
        for (name, site) in &mut self.map {
            let (Some(doubts), Some(active)) = (site.settles.take(), &site.wrapper) else {
                continue;
            };
            if archive.has_doubts(name)? {
                let by = RereadBy {
                    site: name,
                    extractor: &active.extractor,
                    sha256: &active.sha256,
                    bad_only: true,
                    feed: None,
                    is_edited: false,
                };
                settled.push((name.clone(), archive.settle((by, doubts), now)?));
            }
        }
        settled.sort();
        Ok(settled)
    }

    /// Stores the reason why no wrapper became active.
    fn kept(
        &mut self,
        archive: &mut Archive,
        name: &str,
        why: String,
    ) -> Result<Option<LearningTry>> {
        let site = self.map.entry(name.to_owned()).or_default();
        site.state.not_learned = Some(why.clone());
        site.is_changed = true;
        archive.write(self.watches())?;
        Ok(Some(LearningTry {
            learning: Learning::Kept(why),
            edits: Vec::new(),
        }))
    }
}

impl TrackedSite {
    /// Takes a wrapper's file into use, and watches it.
    fn use_file(
        &mut self,
        archive: &Archive,
        host: &str,
        now: DateTime<Utc>,
        file: SiteFile,
        extractor: Extractor,
        changes: &mut Vec<ArchiveChange>,
    ) -> Result<()> {
        let active = archive.active_wrapper(host)?;
        if active.as_ref() != Some(&file.sha256) {
            changes.push(file.activation(host, now, "found"));
            if archive.has_doubts(host)? {
                self.settles = Some(DoubtsOf::OtherWrappers);
            }
        }
        // It may have become active without a harvest.
        let watched = self.state.of.as_ref().or(active.as_ref());
        if watched != Some(&file.sha256) || self.state.watch.is_bare() {
            self.is_watched_anew(&file.sha256, now);
        }
        changes.extend(self.judged(archive, host, now, "found")?);
        self.wrapper = Some(Arc::new(ActiveWrapper {
            extractor: Arc::new(extractor),
            sha256: file.sha256,
        }));
        Ok(())
    }

    fn is_watched_anew(&mut self, sha256: &str, now: DateTime<Utc>) {
        self.state.watch.relearned(now);
        self.state.of = Some(sha256.to_owned());
        self.state.not_learned = None;
        self.is_changed = true;
    }

    /// The event of the verdict, if it differs from the archive's.
    fn judged(
        &self,
        archive: &Archive,
        host: &str,
        at: DateTime<Utc>,
        why: &str,
    ) -> Result<Option<ArchiveChange>> {
        let verdict = self.state.watch.verdict().to_string();
        if archive.last_verdict(host)?.as_ref() == Some(&verdict) {
            return Ok(None);
        }
        let event = Event::Judged {
            site: host.to_owned(),
            verdict,
            why: why.to_owned(),
        };
        Ok(Some(ArchiveChange::Event { at, event }))
    }

    fn is_usable(&mut self) {
        self.is_changed |= self.state.unusable.take().is_some();
    }

    /// Notes that the file of its wrapper cannot be read or used; it is logged once.
    fn is_unusable(&mut self, host: &str, why: String) {
        self.wrapper = None;
        if self.state.unusable.as_ref() != Some(&why) {
            tracing::warn!(site = host, error = %why, "its wrapper's file cannot be used and is left as it is");
            self.state.unusable = Some(why);
            self.is_changed = true;
        }
    }
}

/// Returns `Ok` if a site's file may be written: there is no file, or it is the active one
/// that a harvest wrote. Any other file is a person's work; then the error says so.
fn ours_to_write(
    archive: &Archive,
    site: &str,
    used: Option<&ActiveWrapper>,
) -> std::result::Result<(), String> {
    match (archive.wrapper_file(site), used) {
        (Ok(None), _) => Ok(()),
        (Ok(Some(file)), Some(used)) if !file.file.edited && file.sha256 == used.sha256 => Ok(()),
        (Ok(Some(_)), Some(_)) => Err("its wrapper was edited by hand".to_owned()),
        (Ok(Some(_)), None) => Err("somebody put a wrapper there".to_owned()),
        (Err(error), _) => Err(format!("its wrapper's file cannot be used: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::wrapper::Wrapper;

    #[test]
    fn a_wrapper_is_learned_of_a_sample_and_again_of_half_as_many_pages_more() {
        let learns = |tried_at, articles, waiting| {
            let schedule = LearningSchedule {
                tried_at,
                ..LearningSchedule::default()
            };
            schedule.learns_first(articles, waiting, 10)
        };
        assert!(!learns(0, 9, 1), "the sample waits");
        assert!(learns(0, 9, 0) && learns(0, 10, 1));
        assert!(!learns(0, MIN_PAGES as u64 - 1, 0));
        assert!(!learns(11, 16, 5) && learns(11, 17, 5));
        let again = |tried_at, pages_since| {
            let schedule = LearningSchedule {
                tried_at,
                pages_since,
                ..LearningSchedule::default()
            };
            schedule.learns_again(20)
        };
        assert!(again(0, 0) && again(20, RUN) && !again(20, RUN - 1));
    }

    #[test]
    fn many_sites_are_let_go_but_those_that_something_waits_for() {
        let dir = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(dir.path(), crate::archive_options()).expect("it opens");
        let now = "2026-01-02T03:04:05Z".parse().expect("a date");
        let mut sites = Sites::default();
        let get = |sites: &mut Sites, host: &str| {
            let got = sites.wrapper(&archive, host, now, &mut Vec::new());
            got.expect("it is read")
        };
        for host in ["quiet", "read", "seen", "tried"] {
            let yaml = format!("format: 1\nsite: {host}\ntemplates:\n- body: ['//article']\n");
            let wrapper = Wrapper::from_yaml(&yaml).expect("YAML").wrapper;
            archive.write_wrapper(&wrapper).expect("written");
            assert!(get(&mut sites, host).is_some());
        }
        assert!(get(&mut sites, "none").is_none());
        assert_eq!(sites.watches().len(), 4);
        let read = get(&mut sites, "read");
        sites.map.get_mut("seen").expect("a site").is_changed = true;
        sites
            .map
            .get_mut("tried")
            .expect("a site")
            .learning
            .tried_at = 5;
        assert_eq!(sites.map.len(), 5);
        let left = |sites: &mut Sites| {
            sites.drop_idle();
            let mut left: Vec<String> = sites.map.keys().cloned().collect();
            left.sort_unstable();
            left
        };
        assert_eq!(left(&mut sites), ["none", "read", "seen", "tried"]);
        drop(read);
        assert_eq!(sites.watches().len(), 1);
        assert_eq!(left(&mut sites), ["none", "tried"]);
        // It is read back unchanged.
        assert!(get(&mut sites, "quiet").is_some());
    }

    #[test]
    fn a_site_more_than_enough_makes_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(dir.path(), crate::archive_options()).expect("it opens");
        let now = "2026-01-02T03:04:05Z".parse().expect("a date");
        let yaml = "format: 1\nsite: first\ntemplates:\n- body: ['//article']\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("YAML").wrapper;
        archive.write_wrapper(&wrapper).expect("written");
        let mut sites = Sites::default();
        let mut changes = Vec::new();
        let got = sites.wrapper(&archive, "first", now, &mut changes);
        assert!(got.expect("it is read").is_some());
        assert_eq!(sites.watches().len(), 1);
        for n in 1..MAX_SITES {
            let host = n.to_string();
            let got = sites.wrapper(&archive, &host, now, &mut changes);
            assert!(got.expect("it is read").is_none());
        }
        assert!(sites.map.contains_key("first"));
        let got = sites.wrapper(&archive, "one more", now, &mut changes);
        assert!(got.expect("it is read").is_none());
        assert!(!sites.map.contains_key("first"));
    }
}
