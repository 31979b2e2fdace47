//! What the sites of one publisher have in common, so that no fold sees one of them
//! and is measured on another.

use forest::gold::GoldPage;

/// What the sites of one publisher have in common: the name in front of the
/// public suffix, guessed; eras of a site have one.
pub fn brand(page: &GoldPage) -> String {
    let folder = page.id.split('/').next().unwrap_or_default();
    let era = folder.split("--").next().unwrap_or_default();
    let era = era.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let host = page
        .url
        .as_deref()
        .and_then(|url| url.split("://").nth(1)?.split(['/', ':']).next());
    let Some(host) = host.filter(|host| host.contains('.')) else {
        return era.to_owned();
    };
    let labels: Vec<&str> = host.split('.').filter(|label| *label != "www").collect();
    let suffix = match labels[..] {
        [.., "co" | "com" | "org" | "net" | "gov" | "ac", last] if last.len() == 2 => 2,
        // What many sites of one host are: the site's own name counts.
        [
            ..,
            "github" | "blogspot" | "wordpress" | "gitlab" | "netlify",
            _,
        ] => 2,
        _ => 1,
    };
    labels
        .iter()
        .rev()
        .nth(suffix)
        .map_or(era, |brand| brand)
        .to_owned()
}

/// FNV-1a, 64 bits.
pub fn hash(text: &str) -> u64 {
    forest::text::fnv1a(text.bytes())
}
