//! Lists of advertisements from the web in a folder: each a file, and beside it a record of its
//! last fetch. What is a list is known to the caller.

use crate::error::{Error, ErrorKind, Result};
use crate::whole_file::write_whole;
use crate::{Fetcher, Resource, VisitRequest};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use etcetera::BaseStrategy;
use forest_html::text::sha256_hex;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
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
    pub fn of_user() -> Result<AdListFolder> {
        let base = etcetera::choose_base_strategy().map_err(|_| ErrorKind::NoDataFolder)?;
        let dir = base.data_dir().join("forest").join("ads");
        Ok(AdListFolder { dir })
    }

    /// The folder at `dir`, which need not exist yet.
    pub fn in_dir(dir: PathBuf) -> AdListFolder {
        AdListFolder { dir }
    }

    /// The lists in the folder, by name.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn lists(&self) -> Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => {
                let path = self.dir.clone();
                return Err(ErrorKind::ReadLists { path, source }.into());
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
        let record = record.and_then(|record| DateTime::parse_from_rfc3339(&record.fetched).ok());
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

    /// Asks for a list, and writes it if it has changed. Gives what `check` finds in it.
    ///
    /// # Errors
    ///
    /// If there is no answer, or `check` refuses it, or it cannot be written.
    pub fn update<T, E: From<Error>>(
        &self,
        url: &Url,
        now: DateTime<Utc>,
        check: impl FnOnce(&[u8]) -> Result<T, String>,
        ask: impl FnOnce(&ListValidators) -> Result<ListAnswer, E>,
    ) -> Result<T, E> {
        let path = self.path(url);
        let there = fs::read(&path).ok();
        // Without the list a server has to send it whole.
        let known = self.record(url).filter(|_| there.is_some());
        let known = known.map(|record| record.validators).unwrap_or_default();
        let answer = ask(&known)?;
        let is_new = answer.body.is_some();
        let body = answer.body.or(there);
        let body = body.ok_or_else(|| Error::from(ErrorKind::ListGone))?;
        let found = check(&body).map_err(|reason| Error::from(ErrorKind::NotAList { reason }))?;
        let record = AdListRecord {
            version: VERSION,
            url: url.to_string(),
            fetched: now.to_rfc3339_opts(SecondsFormat::Secs, true),
            validators: if is_new { answer.validators } else { known },
        };
        self.write(&path, is_new.then_some(&body), &record)?;
        Ok(found)
    }

    /// Writes a list, if it is new, and its record.
    fn write(&self, path: &Path, body: Option<&Vec<u8>>, record: &AdListRecord) -> Result<()> {
        fs::create_dir_all(&self.dir).map_err(|source| {
            let path = self.dir.clone();
            ErrorKind::ListFolder { path, source }
        })?;
        if let Some(body) = body {
            self.replace(path, body)?;
        }
        let record = serde_json::to_vec(record).expect("a record has string keys only");
        self.replace(&path.with_extension("json"), &record)
    }

    /// Writes a file whole or not at all.
    fn replace(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let written = write_whole(&self.dir, path, bytes);
        Ok(written.map_err(|source| {
            let path = path.to_owned();
            ErrorKind::WriteList { path, source }
        })?)
    }
}

impl Fetcher {
    /// Asks for a list, if it has changed.
    ///
    /// # Errors
    ///
    /// If the answer is another than the list, or that it has not changed.
    pub fn visit_list(&self, url: &Url, known: &ListValidators) -> Result<ListAnswer> {
        let visited = self.visit(&VisitRequest {
            etag: known.etag.clone(),
            last_modified: known.last_modified.clone(),
            with_failure: false,
            ..VisitRequest::new(url.clone(), Resource::Page)
        })?;
        // Validators belong to the address that gave them.
        let is_direct = visited.hops.is_empty();
        let body = match visited.status {
            200 => Some(visited.body),
            304 if is_direct => None,
            status => return Err(ErrorKind::ListStatus { status }.into()),
        };
        let mut validators = ListValidators::default();
        if is_direct {
            validators.etag = visited.etag;
            validators.last_modified = visited.last_modified;
        }
        Ok(ListAnswer { body, validators })
    }
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
        text.parse().expect("a time")
    }

    /// Lines of a list.
    fn check(bytes: &[u8]) -> Result<usize, String> {
        let text = String::from_utf8_lossy(bytes);
        match text.starts_with('<') {
            true => Err("a page".to_owned()),
            false => Ok(text.lines().filter(|line| !line.starts_with('!')).count()),
        }
    }

    fn answer(body: Option<&str>, etag: &str) -> Result<ListAnswer> {
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
        let says = |header: &str, hours: Option<i64>| {
            assert_eq!(
                expires(header).map(|span| span.num_hours()),
                hours,
                "{header}"
            );
        };
        says(
            "[Adblock Plus 2.0]\n! Title: T\n! Expires: 4 days (update frequency)\n",
            Some(96),
        );
        says("! expires: 12 hours\n", Some(12));
        says("# Expires: 1 day\n", Some(24));
        says("! Expires: 0 days\n", Some(24));
        says("! Expires: soon\n", None);
        says("! Expires: 99999 days\n", None);
        says("||a.example^\n", None);
    }

    #[test]
    fn a_list_is_asked_for_with_its_validators_and_stays_without_an_answer() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = AdListFolder::in_dir(dir.path().join("ads"));
        let url: Url = "https://lists.example/hosts".parse().expect("a URL");
        assert_eq!((folder.fetched(&url), folder.due(&url, None)), (None, None));
        let first = folder.update(&url, at(1, 0), check, |known| {
            assert_eq!(known, &ListValidators::default());
            answer(Some("! Expires: 12 hours\nads.example\n"), "\"a\"")
        });
        assert_eq!(first.expect("a list"), 1);
        assert_eq!(folder.due(&url, None), Some(at(1, 12)));
        assert_eq!(folder.due(&url, Some(2)), Some(at(3, 0)));
        // Not changed: the file stays, and its age begins anew.
        let second = folder.update(&url, at(5, 0), check, |known| {
            assert_eq!(known.etag.as_deref(), Some("\"a\""));
            answer(None, "\"ignored\"")
        });
        assert_eq!(second.expect("a list"), 1);
        assert_eq!(folder.fetched(&url), Some(at(5, 0)));
        // Offline, and a page in the place of the list: nothing changes.
        let list = || fs::read_to_string(folder.path(&url)).expect("the list");
        let before = list();
        assert!(
            folder
                .update(&url, at(6, 0), check, |_| Err(Error::client(
                    "offline".to_owned()
                )))
                .is_err()
        );
        let page = folder.update(&url, at(6, 0), check, |_| answer(Some("<p>Pay"), "\"b\""));
        assert!(page.is_err());
        assert_eq!((list(), folder.fetched(&url)), (before, Some(at(5, 0))));
        folder
            .update(&url, at(7, 0), check, |known| {
                assert_eq!(known.etag.as_deref(), Some("\"a\""));
                answer(Some("ads.example\nb.example\n"), "\"c\"")
            })
            .expect("a list");
        assert_eq!(folder.due(&url, None), Some(at(11, 0)));
        // Without its file a list is asked for whole.
        fs::remove_file(folder.path(&url)).expect("removed");
        let gone = folder.update(&url, at(8, 0), check, |known| {
            assert_eq!(known, &ListValidators::default());
            answer(None, "\"c\"")
        });
        assert!(gone.is_err());
    }
}
