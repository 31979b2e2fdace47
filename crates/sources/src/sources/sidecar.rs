//! The `.json` beside a page: its address, and its right text (gold).

use super::file::read_file;
use super::name::own_name;
use forest_html::page::MAX_PAGE_BYTES;
use serde::Deserialize;
use std::path::Path;
use url::Url;

#[derive(Deserialize)]
struct Sidecar {
    url: Option<String>,
    text: Option<String>,
    refs: Option<Vec<String>>,
}

/// The address of a page, from the `.json` beside it.
pub fn address_of(page: &Path) -> Option<String> {
    let url = sidecar(page)?.url;
    url.filter(|url| Url::parse(url).is_ok())
}

/// The right texts of a page, any of them, from the `.json` beside it.
pub fn gold_of(page: &Path) -> Option<Vec<String>> {
    let sidecar = sidecar(page)?;
    let refs = sidecar.refs.filter(|refs| !refs.is_empty());
    refs.or_else(|| Some(vec![sidecar.text?]))
}

fn sidecar(page: &Path) -> Option<Sidecar> {
    let mut name = own_name(page).to_owned();
    name.push(".json");
    let path = page.with_file_name(name);
    let bytes = path.is_file().then(|| read_file(&path, MAX_PAGE_BYTES));
    serde_json::from_slice(&bytes?.ok()?).ok()
}
