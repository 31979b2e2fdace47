//! The folder of wrappers, `<sites>/<site>.yaml`.

use super::Global;
use forest_core::Result;
use forest_core::extract::WrapperSource;
use forest_core::wrapper::list::{ListWrapper, ListWrapperFile};
pub use forest_core::wrapper::names::path_of;
use forest_core::wrapper::{MAX_FILE_BYTES, Wrapper, WrapperFile};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The folder of wrappers of a command.
#[derive(Debug, Clone, clap::Args)]
pub struct SitesArgs {
    /// Write wrappers to this folder [default: sites].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
}

impl SitesArgs {
    /// The folder, see [`dir`].
    pub fn dir(&self, global: &Global) -> PathBuf {
        dir(self.sites.as_ref(), global)
    }
}

/// The folder of wrappers: the named one, that of the config file, or `sites`.
pub fn dir(named: Option<&PathBuf>, global: &Global) -> PathBuf {
    let dir = named.or(global.config().sites.as_ref());
    dir.cloned().unwrap_or_else(|| "sites".into())
}

/// Checks that a `--site` can be the name of a file.
pub fn checked_name(site: &str) -> std::result::Result<String, String> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    if site.is_empty() || site.starts_with('.') || !site.chars().all(allowed) || site.len() > 200 {
        return Err(
            "a site's name has letters, digits, `.`, `-`, `_` and `:` and does not begin with a dot"
                .to_owned(),
        );
    }
    Ok(site.to_owned())
}

/// The wrapper in a file; `None` if there is no such file.
pub fn read(path: &Path) -> anyhow::Result<Option<WrapperFile>> {
    let found = WrapperFile::read(path, File::open(path))?;
    Ok(found.map(|(file, _)| file))
}

/// The wrapper of a list in a file; `None` if there is no such file.
pub fn read_list(path: &Path) -> anyhow::Result<Option<ListWrapperFile>> {
    let found = ListWrapperFile::read(path, File::open(path))?;
    Ok(found.map(|(file, _)| file))
}

/// The wrapper in a file if it is that of a list; `None` of other files.
pub fn read_if_list(path: &Path) -> anyhow::Result<Option<ListWrapper>> {
    let mut text = Vec::new();
    match File::open(path) {
        Ok(file) if path.is_file() => file.take(MAX_FILE_BYTES).read_to_end(&mut text)?,
        _ => return Ok(None),
    };
    if !ListWrapper::is_in(&String::from_utf8_lossy(&text)) {
        return Ok(None);
    }
    Ok(read_list(path)?.map(|file| file.wrapper))
}

/// Folders of wrappers; the first that has one gives a site's wrapper.
#[derive(Debug)]
pub struct WrapperFolders(pub Vec<PathBuf>);

impl WrapperSource for WrapperFolders {
    fn wrapper(&self, name: &str) -> Result<Option<Wrapper>> {
        for dir in &self.0 {
            let path = path_of(dir, name);
            if let Some((file, _)) = WrapperFile::read(&path, File::open(&path))? {
                return Ok(Some(file.wrapper));
            }
        }
        Ok(None)
    }

    fn by_feed(&self) -> HashMap<String, String> {
        // Those of the first folder are taken last, and stay.
        let wrappers = self.0.iter().rev().flat_map(|dir| all(dir));
        let pairs = wrappers.filter_map(|wrapper| Some((wrapper.feed?, wrapper.site)));
        pairs.collect()
    }

    fn place(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|dir| dir.display().to_string()).collect();
        names.join(" or ")
    }
}

/// The readable wrappers of a folder, by file name. An unreadable one is left out: the
/// first page of its site reports it.
fn all(dir: &Path) -> Vec<Wrapper> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| Some(read(&path).ok()??.wrapper);
    paths.into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leads_out_of_the_folder() {
        for bad in ["../x", "a/b", "a\\b", "", ".x", "a b", "a\0"] {
            assert!(checked_name(bad).is_err(), "{bad}");
        }
        assert_eq!(checked_name("a.example:80"), Ok("a.example:80".to_owned()));
    }
}
