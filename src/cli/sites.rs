//! The folder of wrappers, `<sites>/<site>.yaml`.

use super::output;
use anyhow::{Context, bail};
pub use forest::wrapper::names::names_of;
use forest::wrapper::{Wrapper, WrapperFile};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder unless another is named.
pub const DEFAULT: &str = "sites";

/// Bytes of a wrapper file at the most: thousands of templates.
const MAX_BYTES: u64 = 10_000_000;

/// Refuses a `--site` that is no name of a file.
pub fn checked_name(site: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    if site.is_empty() || site.starts_with('.') || !site.chars().all(allowed) || site.len() > 200 {
        return Err(
            "a site's name has letters, digits, `.`, `-`, `_` and `:` and does not begin with a dot"
                .to_owned(),
        );
    }
    Ok(site.to_owned())
}

/// The file of a site's wrapper.
pub fn path_of(dir: &Path, site: &str) -> PathBuf {
    dir.join(format!("{}.yaml", output::file_name(site)))
}

/// The wrapper in a file; `None` if there is no such file.
pub fn read(path: &Path) -> anyhow::Result<Option<WrapperFile>> {
    let shown = || format!("cannot read the wrapper {}", path.display());
    match std::fs::metadata(path) {
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(e) => return Err(e).with_context(shown),
        Ok(found) if found.len() > MAX_BYTES => {
            bail!("{} is too large for a wrapper", path.display())
        }
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(path).with_context(shown)?;
    let file = Wrapper::from_yaml(&text).with_context(shown)?;
    Ok(Some(file))
}

/// All wrappers of a folder that can be read, by file name; what cannot be read is
/// passed over, it will be named when its site comes.
pub fn all(dir: &Path) -> Vec<Wrapper> {
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
