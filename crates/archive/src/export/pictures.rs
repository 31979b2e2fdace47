//! Feeds with served pictures.

use super::super::ArchiveReader;
use super::articles::names_at;
use crate::error::Result;
use forest_core::feed::write::Channel;
use forest_core::render::name_pictures;
use url::Url;

/// Replaces the addresses of stored pictures in the entries of a feed of articles by those at
/// which they are served, `<base>/<sha256>.<extension>`. Other pictures keep their addresses.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn serve_pictures(archive: &ArchiveReader, channel: &mut Channel, base: &Url) -> Result<()> {
    let mut at = base.to_string();
    if !at.ends_with('/') {
        at.push('/');
    }
    for entry in &mut channel.entries {
        let Some(url) = &entry.url else { continue };
        let names = names_at(&archive.latest_pictures(url.as_str())?, &at);
        if names.is_empty() {
            continue;
        }
        let lead = entry
            .image
            .as_ref()
            .and_then(|lead| names.get(lead.as_str()));
        if let Some(served) = lead.and_then(|served| Url::parse(served).ok()) {
            entry.image = Some(served);
        }
        entry.html = name_pictures(&entry.html, names);
    }
    Ok(())
}
