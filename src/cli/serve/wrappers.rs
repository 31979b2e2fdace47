//! The wrappers of the sites.

use crate::cli::sites::path_of;
use crate::error::Result;
use crate::serve::WrapperSource;
use crate::wrapper::{Wrapper, WrapperFile};
use std::fs::File;
use std::path::PathBuf;

/// A folder of wrappers, read for each page: another process may learn them again.
#[derive(Debug)]
pub struct SiteFolder(pub PathBuf);

impl WrapperSource for SiteFolder {
    fn wrapper(&self, name: &str) -> Result<Option<Wrapper>> {
        let path = path_of(&self.0, name);
        let found = WrapperFile::read(&path, File::open(&path))?;
        Ok(found.map(|(file, _)| file.wrapper))
    }
}
