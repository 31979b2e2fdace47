//! Lists from the web in a folder: each a file, and beside it a record of its last fetch.

use crate::cli::{output, when};
use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use etcetera::BaseStrategy;
use forest_core::feed::sniff;
use forest_html::text::sha256_hex;
use forest_text::filter::AdList;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use url::Url;

/// Days after which a list that says nothing of it is fetched again: as EasyList says.
const DAYS: i64 = 4;

/// Days between two fetches at the most, whatever a list says.
const MAX_DAYS: i64 = 90;

/// Bytes at the begin of a list in which `! Expires:` stands.
const HEADER_BYTES: usize = 1024;

/// The form of a record; another number is not read.
const VERSION: u32 = 1;

/// The last fetch of a list.
#[derive(Debug, Serialize, Deserialize)]
struct AdListRecord {
    version: u32,
    url: String,
    /// RFC 3339.
    fetched: String,
    #[serde(flatten)]
    validators: ListValidators,
}

/// The conditions of the next request for a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListValidators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// The answer of a server that has a list.
#[derive(Debug)]
pub struct ListAnswer {
    /// `None` if the list has not changed.
    pub body: Option<Vec<u8>>,
    pub validators: ListValidators,
}

/// The folder of lists from the web.
#[derive(Debug, Clone)]
pub struct AdListFolder {
    dir: PathBuf,
}

impl AdListFolder {
    /// The folder of the user.
    ///
    /// # Errors
    ///
    /// If this machine has no folder for data.
    pub fn of_user() -> anyhow::Result<AdListFolder> {
        let base =
            etcetera::choose_base_strategy().context("there is no folder for user data here")?;
        let dir = base.data_dir().join("forest").join("ads");
        Ok(AdListFolder { dir })
    }

    /// A folder of a test.
    #[cfg(test)]
    pub fn in_dir(dir: PathBuf) -> AdListFolder {
        AdListFolder { dir }
    }

    /// The lists in the folder, by name.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn lists(&self) -> anyhow::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(error).context(format!("cannot read {}", self.dir.display()));
            }
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_list = |path: &PathBuf| path.extension().is_some_and(|end| end == "txt");
        let mut lists: Vec<PathBuf> = paths.filter(is_list).collect();
        lists.sort();
        Ok(lists)
    }

    /// The file of a list: its name has the host, and a digest of the address.
    pub fn path(&self, url: &Url) -> PathBuf {
        let digest = sha256_hex(url.as_str().as_bytes());
        let host = url.host_str().unwrap_or("list");
        self.dir.join(format!("{host}-{}.txt", &digest[..12]))
    }

    fn record(&self, url: &Url) -> Option<AdListRecord> {
        let text = fs::read(self.path(url).with_extension("json")).ok()?;
        let record: AdListRecord = serde_json::from_slice(&text).ok()?;
        (record.version == VERSION && record.url == url.as_str()).then_some(record)
    }

    /// The time when a list that is there was fetched, or last found unchanged.
    pub fn fetched(&self, url: &Url) -> Option<DateTime<Utc>> {
        let written = fs::metadata(self.path(url)).ok()?.modified().ok()?;
        let record = self.record(url);
        let record = record.and_then(|record| when::day_or_time(&record.fetched));
        Some(record.map_or(written.into(), |fetched| fetched.to_utc()))
    }

    /// The time from which on a list is fetched again: after `days`, or as long as the list
    /// itself says. `None` if it is not there.
    pub fn due(&self, url: &Url, days: Option<u32>) -> Option<DateTime<Utc>> {
        let given = days.map(|days| TimeDelta::days(i64::from(days)));
        let said = || {
            let text = fs::read(self.path(url)).ok()?;
            expires(&String::from_utf8_lossy(
                &text[..text.len().min(HEADER_BYTES)],
            ))
        };
        let span = given.or_else(said).unwrap_or(TimeDelta::days(DAYS));
        Some(self.fetched(url)? + span.min(TimeDelta::days(MAX_DAYS)))
    }

    /// Asks for a list, and writes it if it has changed. Gives the number of its hosts and
    /// rules.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none that is a list, or it cannot be written.
    pub fn update(
        &self,
        url: &Url,
        now: DateTime<Utc>,
        ask: impl FnOnce(&ListValidators) -> anyhow::Result<ListAnswer>,
    ) -> anyhow::Result<usize> {
        let path = self.path(url);
        let there = fs::read(&path).ok();
        // Without the list a server has to send it whole.
        let known = self.record(url).filter(|_| there.is_some());
        let known = known.map(|record| record.validators).unwrap_or_default();
        let answer = ask(&known)?;
        let is_new = answer.body.is_some();
        let Some(body) = answer.body.or(there) else {
            bail!("the server says that the list has not changed, and it is not there");
        };
        let (text, rules) = checked(&body)?;
        output::make_folder(&self.dir)?;
        if is_new {
            output::write(&path, text.as_bytes())?;
        }
        let record = AdListRecord {
            version: VERSION,
            url: url.to_string(),
            fetched: when::time(now),
            validators: if is_new { answer.validators } else { known },
        };
        output::write(&path.with_extension("json"), &serde_json::to_vec(&record)?)?;
        Ok(rules)
    }
}

/// The text of a list, and the number of its hosts and rules; an error for what is none.
fn checked(bytes: &[u8]) -> anyhow::Result<(String, usize)> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut list = AdList::default();
    list.add(&text);
    // A page in the place of the list, such as of a network that wants a login.
    let is_markup = text.trim_start().starts_with('<');
    if list.is_empty() || is_markup {
        let kind = sniff(bytes).name();
        bail!("this is {kind} without a host: give a hosts file, or rules such as `||host^`");
    }
    Ok((text, list.len()))
}

/// The time for which a list says that it holds: `! Expires: 4 days`, `12 hours`.
fn expires(header: &str) -> Option<TimeDelta> {
    let comments = header
        .lines()
        .map(|line| line.trim_start_matches(['!', '#', ' ']));
    let mut said = comments.filter_map(|line| line.split_once(':'));
    let (_, value) = said.find(|(name, _)| name.eq_ignore_ascii_case("expires"))?;
    let mut words = value.split_ascii_whitespace();
    let number: u16 = words.next()?.parse().ok()?;
    let number = i64::from(number.max(1));
    match words.next()?.trim_end_matches('s') {
        "day" => Some(TimeDelta::days(number)),
        "hour" => Some(TimeDelta::hours(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: u32, hour: u32) -> DateTime<Utc> {
        let text = format!("2026-03-{day:02}T{hour:02}:00:00Z");
        when::day_or_time(&text).expect("a time").to_utc()
    }

    fn answer(body: Option<&str>, etag: &str) -> anyhow::Result<ListAnswer> {
        Ok(ListAnswer {
            body: body.map(|body| body.as_bytes().to_vec()),
            validators: ListValidators {
                etag: Some(etag.to_owned()),
                last_modified: None,
            },
        })
    }

    #[test]
    fn a_list_says_how_long_it_holds() {
        let check = |header: &str, hours: Option<i64>| {
            assert_eq!(
                expires(header).map(|span| span.num_hours()),
                hours,
                "{header}"
            );
        };
        check(
            "[Adblock Plus 2.0]\n! Title: T\n! Expires: 4 days (update frequency)\n",
            Some(96),
        );
        check("! expires: 12 hours\n", Some(12));
        check("# Expires: 1 day\n", Some(24));
        check("! Expires: 0 days\n", Some(24));
        check("! Expires: soon\n", None);
        check("! Expires: 99999 days\n", None);
        check("||a.example^\n", None);
    }

    #[test]
    fn a_list_is_asked_for_with_its_validators_and_stays_without_an_answer() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = AdListFolder::in_dir(dir.path().join("ads"));
        let url: Url = "https://lists.example/hosts".parse().expect("a URL");
        assert_eq!((folder.fetched(&url), folder.due(&url, None)), (None, None));
        let first = folder.update(&url, at(1, 0), |known| {
            assert_eq!(known, &ListValidators::default());
            answer(Some("! Expires: 12 hours\nads.example\n"), "\"a\"")
        });
        assert_eq!(first.expect("a list"), 1);
        assert_eq!(folder.due(&url, None), Some(at(1, 12)));
        assert_eq!(folder.due(&url, Some(2)), Some(at(3, 0)));
        // Not changed: the file stays, and its age begins anew.
        let second = folder.update(&url, at(5, 0), |known| {
            assert_eq!(known.etag.as_deref(), Some("\"a\""));
            answer(None, "\"ignored\"")
        });
        assert_eq!(second.expect("a list"), 1);
        assert_eq!(folder.fetched(&url), Some(at(5, 0)));
        // Offline, and a page in the place of the list: nothing changes.
        let list = || fs::read_to_string(folder.path(&url)).expect("the list");
        let before = list();
        assert!(folder.update(&url, at(6, 0), |_| bail!("offline")).is_err());
        let page = folder.update(&url, at(6, 0), |_| answer(Some("<p>Pay"), "\"b\""));
        assert!(page.is_err());
        assert_eq!((list(), folder.fetched(&url)), (before, Some(at(5, 0))));
        folder
            .update(&url, at(7, 0), |known| {
                assert_eq!(known.etag.as_deref(), Some("\"a\""));
                answer(Some("ads.example\nb.example\n"), "\"c\"")
            })
            .expect("a list");
        assert_eq!(folder.due(&url, None), Some(at(11, 0)));
        // Without its file a list is asked for whole.
        fs::remove_file(folder.path(&url)).expect("removed");
        let gone = folder.update(&url, at(8, 0), |known| {
            assert_eq!(known, &ListValidators::default());
            answer(None, "\"c\"")
        });
        assert!(gone.is_err());
    }
}
