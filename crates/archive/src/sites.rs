//! The wrappers' files, `sites/<site>.yaml`.

use super::change::ArchiveChange;
use super::disk::{Disk, make_folder, write_failed};
use super::event::Event;
use super::handle::Archive;
use super::paths;
use super::raw::RawPages;
use super::sql::Sql;
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_core::wrapper::list::{ListWrapper, ListWrapperFile};
use forest_core::wrapper::names::{list_path_of, names_of, path_of};
use forest_core::wrapper::{Wrapper, WrapperFile};
use forest_html::text::sha256_hex;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A wrapper's file.
#[derive(Debug, Clone)]
pub struct SiteFile {
    /// The wrapper in it.
    pub file: WrapperFile,
    /// The text.
    pub yaml: String,
    /// SHA-256 of the text, in hex.
    pub sha256: String,
    /// Its path.
    pub path: PathBuf,
}

impl SiteFile {
    /// The event that it becomes active, with the reason.
    pub fn activation(&self, site: &str, at: DateTime<Utc>, why: &str) -> ArchiveChange {
        let event = Event::Wrapper {
            site: site.to_owned(),
            sha256: self.sha256.clone(),
            yaml: self.yaml.clone(),
            why: why.to_owned(),
        };
        ArchiveChange::Event { at, event }
    }
}

/// The file in a folder of wrappers with the wrapper of a host's pages; `None` if there is none.
///
/// # Errors
///
/// If there is one that cannot be read.
pub fn wrapper_file(sites: &Path, host: &str) -> Result<Option<SiteFile>> {
    for name in names_of(host) {
        let path = path_of(sites, &name);
        if let Some((file, yaml)) = WrapperFile::read(&path, File::open(&path))? {
            return Ok(Some(SiteFile {
                file,
                sha256: sha256_hex(&yaml),
                yaml,
                path,
            }));
        }
    }
    Ok(None)
}

/// The file in a folder of wrappers with the wrapper of a host's list of articles; `None` if
/// there is none.
///
/// # Errors
///
/// If there is one that cannot be read.
pub fn list_file(sites: &Path, host: &str) -> Result<Option<ListWrapperFile>> {
    for name in names_of(host) {
        let path = list_path_of(sites, &name);
        if let Some((file, _)) = ListWrapperFile::read(&path, File::open(&path))? {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Writes the file of a list's wrapper in an archive's folder, without the archive's lock.
///
/// # Errors
///
/// If it cannot be written; the old one stays.
pub fn replace_list(dir: &Path, wrapper: &ListWrapper) -> Result<()> {
    let path = list_path_of(&paths::sites(dir), &wrapper.site);
    replace(&path, &wrapper.to_yaml())
}

fn replace(path: &Path, yaml: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let put = Disk::default().replace(path, yaml.as_bytes());
    put.map_err(|source| write_failed(path, source))
}

/// Writes a wrapper's file in an archive's folder, without the archive's lock: a harvest that
/// runs finds it as one that a person put there. A file `by_hand` counts as edited by hand.
///
/// # Errors
///
/// If it cannot be written; the old one stays.
pub fn replace_wrapper(dir: &Path, wrapper: &Wrapper, by_hand: bool) -> Result<()> {
    let path = path_of(&paths::sites(dir), &wrapper.site);
    let yaml = if by_hand {
        wrapper.to_yaml_by_hand()
    } else {
        wrapper.to_yaml()
    };
    replace(&path, &yaml)
}

impl Archive {
    /// The file of the wrapper of a host's pages; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If there is one that cannot be read.
    pub fn wrapper_file(&self, host: &str) -> Result<Option<SiteFile>> {
        wrapper_file(&self.sites, host)
    }

    /// The wrapper of a host's list of articles.
    pub fn list_file(&self, host: &str) -> Result<Option<ListWrapperFile>> {
        list_file(&self.sites, host)
    }

    /// Writes the file of a list's wrapper, in place of an old one.
    pub fn write_list(&self, wrapper: &ListWrapper) -> Result<()> {
        let path = list_path_of(&self.sites, &wrapper.site);
        self.put_wrapper(&path, &wrapper.to_yaml())
    }

    /// Writes a wrapper's file, in place of an old one.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the old one stays.
    pub fn write_wrapper(&self, wrapper: &Wrapper) -> Result<SiteFile> {
        let path = path_of(&self.sites, &wrapper.site);
        let yaml = wrapper.to_yaml();
        self.put_wrapper(&path, &yaml)?;
        Ok(SiteFile {
            file: Wrapper::from_yaml(&yaml)?,
            sha256: sha256_hex(&yaml),
            yaml,
            path,
        })
    }

    /// The files of active wrappers that cannot be read, with the reason; no reason: the file
    /// is missing. A wrapper from `forest apply` has no file here.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub(super) fn wrapper_damage(&self) -> Result<Vec<(PathBuf, String)>> {
        let mut damage = Vec::new();
        for (site, _) in self.active_wrappers()? {
            let path = path_of(&self.sites, &site);
            match self.wrapper_file(&site) {
                Ok(Some(_)) => {}
                Ok(None) => damage.push((path, String::new())),
                Err(error) => damage.push((path, error.to_string())),
            }
        }
        Ok(damage)
    }

    /// Restores the missing files of active wrappers from the events; returns them.
    ///
    /// # Errors
    ///
    /// If the database cannot be read, or a file cannot be written.
    pub fn restore_wrappers(&self) -> Result<Vec<PathBuf>> {
        let mut restored = Vec::new();
        for (site, yaml) in self.active_wrappers()? {
            if matches!(self.wrapper_file(&site), Ok(None)) {
                let path = path_of(&self.sites, &site);
                self.put_wrapper(&path, &yaml)?;
                restored.push(path);
            }
        }
        Ok(restored)
    }

    /// Sites and their wrappers.
    fn active_wrappers(&self) -> Result<Vec<(String, String)>> {
        let sql = "SELECT site, yaml FROM wrappers WHERE until IS NULL AND why != 'applied' ORDER BY site";
        self.db.all(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The reader of raw pages.
    pub fn raw_pages(&self) -> RawPages {
        RawPages(self.folder.clone())
    }

    /// Writes a wrapper's file.
    fn put_wrapper(&self, path: &Path, yaml: &str) -> Result<()> {
        let put = self.disk.replace(path, yaml.as_bytes());
        put.map_err(|source| write_failed(path, source))
    }
}
