//! The pictures of a list that the archive has: the icons of sites, and by a setting one of each
//! article.

use crate::error::Result;
use forest_archive::{ArchiveReader, ListedEntry};
use forest_harvest::{icon_address, picture_type};
use maud::{Markup, html};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Where the pictures of a list are served, from the level of `/reader`.
#[derive(Debug, Default)]
pub struct ListPictures {
    /// Those of icons, by their own addresses.
    icons: HashMap<String, String>,
    /// Those of articles, by their numbers.
    thumbnails: HashMap<i64, String>,
}

impl ListPictures {
    /// The pictures of entries, those of articles with `thumbnails`.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read; so all of these.
    pub fn of<'e>(
        archive: &ArchiveReader,
        entries: impl IntoIterator<Item = &'e ListedEntry>,
        thumbnails: bool,
    ) -> Result<ListPictures> {
        let mut pictures = ListPictures::default();
        for entry in entries {
            pictures.find_icon(archive, &entry.url)?;
            if thumbnails && entry.has_article() {
                pictures.find_thumbnail(archive, entry.id)?;
            }
        }
        Ok(pictures)
    }

    /// The icons of the sites of pages.
    pub fn icons_of<'p>(
        archive: &ArchiveReader,
        pages: impl IntoIterator<Item = &'p str>,
    ) -> Result<ListPictures> {
        let mut pictures = ListPictures::default();
        for page in pages {
            pictures.find_icon(archive, page)?;
        }
        Ok(pictures)
    }

    fn find_icon(&mut self, archive: &ArchiveReader, page: &str) -> Result<()> {
        if let Some(Entry::Vacant(unknown)) = icon_address(page).map(|icon| self.icons.entry(icon))
        {
            let known = archive.requisite(unknown.key())?;
            if let Some(at) = known.and_then(|known| address(&known.sha256, &known.extension)) {
                unknown.insert(at);
            }
        }
        Ok(())
    }

    fn find_thumbnail(&mut self, archive: &ArchiveReader, article: i64) -> Result<()> {
        let first = archive.first_picture(article)?;
        let at = first.and_then(|(sha256, extension)| address(&sha256, &extension));
        self.thumbnails.extend(at.map(|at| (article, at)));
        Ok(())
    }

    /// The icon of a page's site, to stand beside its name.
    pub fn icon(&self, page: &str) -> Markup {
        let icon = icon_address(page).and_then(|icon| self.icons.get(&icon));
        html! { @if let Some(at) = icon {
            img .icon src=(at) alt="" width="16" height="16" loading="lazy";
        } }
    }

    /// The picture of an article.
    pub fn thumbnail(&self, article: i64) -> Markup {
        html! { @if let Some(at) = self.thumbnails.get(&article) {
            img .thumbnail src=(at) alt="" width="96" height="72" loading="lazy";
        } }
    }
}

/// Where a stored picture is served; `None` if browsers show none with this extension.
fn address(sha256: &str, extension: &str) -> Option<String> {
    picture_type(extension).map(|_| format!("archive/resource/{sha256}.{extension}"))
}
