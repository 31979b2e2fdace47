//! The wrappers' files, `sites/<site>.yaml`, and the raw pages to read again.

use super::arrival::{KnownRaw, LatestVersion};
use super::files::Folder;
use super::read::{RawPage, text_at};
use super::{Archive, ArchiveChange, Event, paths, write_failed};
use crate::error::Result;
use crate::warc::{RecordType, hex};
use crate::wrapper::names::{names_of, path_of};
use crate::wrapper::{Wrapper, WrapperFile};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A wrapper's file.
#[derive(Debug, Clone)]
pub struct SiteFile {
    /// What it says.
    pub file: WrapperFile,
    /// The text.
    pub yaml: String,
    /// SHA-256 of the text, in hex.
    pub sha256: String,
    /// Where it stands.
    pub path: PathBuf,
}

impl SiteFile {
    /// That it comes into force, and why.
    pub fn in_force(&self, site: &str, at: DateTime<Utc>, why: &str) -> ArchiveChange {
        let event = Event::Wrapper {
            site: site.to_owned(),
            sha256: self.sha256.clone(),
            yaml: self.yaml.clone(),
            why: why.to_owned(),
        };
        ArchiveChange::Event { at, event }
    }
}

impl Archive {
    /// The file of the wrapper of a host's pages; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If there is one that cannot be read.
    pub fn wrapper_file(&self, host: &str) -> Result<Option<SiteFile>> {
        for name in names_of(host) {
            let path = path_of(&self.sites, &name);
            if let Some((file, yaml)) = WrapperFile::read(&path, File::open(&path))? {
                return Ok(Some(SiteFile {
                    file,
                    sha256: digest(&yaml),
                    yaml,
                    path,
                }));
            }
        }
        Ok(None)
    }

    /// Writes a wrapper's file in place of the one that is there.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the old one stays.
    pub fn write_wrapper(&self, wrapper: &Wrapper) -> Result<SiteFile> {
        let path = path_of(&self.sites, &wrapper.site);
        let yaml = wrapper.to_yaml();
        self.disk
            .replace(&path, yaml.as_bytes())
            .map_err(|source| write_failed(&path, source))?;
        Ok(SiteFile {
            file: Wrapper::from_yaml(&yaml)?,
            sha256: digest(&yaml),
            yaml,
            path,
        })
    }

    /// The files of wrappers in force that cannot be read, and why; no reason: it is not
    /// there. One that `forest apply` brought has none here.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub(super) fn wrapper_damage(&self) -> Result<Vec<(PathBuf, String)>> {
        let mut damage = Vec::new();
        for (site, _) in self.wrappers_in_force()? {
            let path = path_of(&self.sites, &site);
            match self.wrapper_file(&site) {
                Ok(Some(_)) => {}
                Ok(None) => damage.push((path, String::new())),
                Err(error) => damage.push((path, error.to_string())),
            }
        }
        Ok(damage)
    }

    /// Puts the files of wrappers in force back that are not there, as the events have
    /// them; which they are.
    ///
    /// # Errors
    ///
    /// If the database cannot be read, or a file cannot be written.
    pub fn restore_wrappers(&self) -> Result<Vec<PathBuf>> {
        let mut restored = Vec::new();
        for (site, yaml) in self.wrappers_in_force()? {
            if matches!(self.wrapper_file(&site), Ok(None)) {
                let path = path_of(&self.sites, &site);
                self.disk
                    .replace(&path, yaml.as_bytes())
                    .map_err(|source| write_failed(&path, source))?;
                restored.push(path);
            }
        }
        Ok(restored)
    }

    /// Sites and their wrappers.
    fn wrappers_in_force(&self) -> Result<Vec<(String, String)>> {
        let sql = "SELECT site, yaml FROM wrappers WHERE until IS NULL AND why != 'applied' ORDER BY site";
        let mut rows = self.db.prepare(sql)?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Where raw pages are read.
    pub fn raw_pages(&self) -> RawPages {
        RawPages(self.folder.clone())
    }
}

/// Reads raw pages, from any thread.
#[derive(Debug, Clone)]
pub struct RawPages(Folder);

impl RawPages {
    /// The page that the archive knows.
    ///
    /// # Errors
    ///
    /// If the WARC file cannot be read there.
    pub fn read(&self, known: &KnownRaw) -> Result<RawPage> {
        let record = self.0.record(known.place)?;
        let body = match (record.kind, record.answer()) {
            (Some(RecordType::Resource), _) => record.block,
            (_, Some((_, _, payload))) => payload.to_vec(),
            (_, None) => {
                let file = known.place.file;
                return Err(self.0.broken(file, record.offset, "it is no page"));
            }
        };
        let at = DateTime::parse_from_rfc3339(&known.earlier.date);
        Ok(RawPage {
            url: known.earlier.url.clone(),
            at: at.map(|at| at.to_utc()).unwrap_or_default(),
            content_type: known.content_type.clone(),
            body,
        })
    }

    /// The text of the latest version of an article.
    pub(crate) fn text(&self, latest: &LatestVersion) -> Result<String> {
        text_at(&self.0, latest.text)
    }
}

fn digest(yaml: &str) -> String {
    hex(&Sha256::digest(yaml))
}

/// The folder of the wrappers unless another is named.
pub(crate) fn folder_of(dir: &Path, named: Option<PathBuf>) -> PathBuf {
    named.unwrap_or_else(|| paths::sites(dir))
}
