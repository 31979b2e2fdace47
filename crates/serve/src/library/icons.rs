//! The icons of sites that the archive has, as lists show them.

use crate::error::Result;
use forest_archive::ArchiveReader;
use forest_harvest::{icon_address, picture_type};
use maud::{Markup, html};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The icons of the sites of some pages, by their addresses: where they are served, from the level of
/// `/reader`.
#[derive(Debug, Default)]
pub struct SiteIcons(HashMap<String, String>);

impl SiteIcons {
    /// The icons of the sites of pages.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of<'p>(
        archive: &ArchiveReader,
        pages: impl IntoIterator<Item = &'p str>,
    ) -> Result<SiteIcons> {
        let mut icons = HashMap::new();
        for page in pages {
            let Some(Entry::Vacant(unknown)) = icon_address(page).map(|icon| icons.entry(icon))
            else {
                continue;
            };
            let known = archive.requisite(unknown.key())?;
            if let Some(known) = known.filter(|it| picture_type(&it.extension).is_some()) {
                unknown.insert(format!(
                    "archive/resource/{}.{}",
                    known.sha256, known.extension
                ));
            }
        }
        Ok(SiteIcons(icons))
    }

    /// The icon of a page's site, to stand beside its name.
    pub fn shown(&self, page: &str) -> Markup {
        let icon = icon_address(page).and_then(|icon| self.0.get(&icon));
        html! { @if let Some(at) = icon {
            img .icon src=(at) alt="" width="16" height="16" loading="lazy";
        } }
    }
}
