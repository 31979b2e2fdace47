//! The pages that a model was trained on.

use sha2::{Digest, Sha256};
use std::fmt;

/// The first four bytes of the SHA-256 of a page's bytes: of a million other pages one
/// has a digest of a corpus of 4,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageDigest(u32);

impl PageDigest {
    /// The digest of a page's bytes.
    pub fn of(bytes: &[u8]) -> PageDigest {
        let hash = Sha256::digest(bytes);
        PageDigest(u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]))
    }
}

/// Eight hexadecimal digits.
impl fmt::Display for PageDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// The pages that a model was trained on; empty if its file does not name them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    digest: String,
    /// Ascending.
    pages: Vec<PageDigest>,
}

impl Corpus {
    /// The SHA-256 of the `pages` line, without its first word, in hexadecimal digits. A
    /// file without that line was trained on the pages of the file with this digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// True if the model was trained on this page.
    pub fn has(&self, page: PageDigest) -> bool {
        self.pages.binary_search(&page).is_ok()
    }

    pub(super) fn set_digest(&mut self, digest: &str) -> Result<(), String> {
        self.digest = digest.to_owned();
        Ok(())
    }

    pub(super) fn set_pages(&mut self, digits: &str) -> Result<(), String> {
        let digest = |eight: &[u8]| {
            let eight = str::from_utf8(eight).ok().filter(|text| text.len() == 8)?;
            u32::from_str_radix(eight, 16).ok().map(PageDigest)
        };
        let pages: Option<Vec<PageDigest>> = digits.as_bytes().chunks(8).map(digest).collect();
        self.pages = pages.ok_or("no digests of pages")?;
        if self.pages.is_sorted() {
            Ok(())
        } else {
            Err("digests of pages are not in order".to_owned())
        }
    }
}
