//! Entity tags of filtered pages (RFC 9110, 8.8.3). The tag of a filtered page is the page's
//! own with the name of the settings behind it, so that a browser can ask whether the page
//! has changed, and a change of the settings makes a new page.

use axum::http::header::{self, HeaderMap, HeaderValue};
use forest_web::header_list::list;

/// Stands between the tag of a page and the name of the settings.
const MARK: &str = "~forest-";

/// Gives an answer the tag of the filtered page.
pub(super) fn mark(headers: &mut HeaderMap, digest: &str) {
    let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    let marked = tag
        .and_then(|tag| tag.strip_suffix('"'))
        .and_then(|open| HeaderValue::try_from(format!("{open}{MARK}{digest}\"")).ok());
    match marked {
        Some(marked) => headers.insert(header::ETAG, marked),
        None => headers.remove(header::ETAG),
    };
}

/// Gives a request the tags of the pages themselves; true if it has one that was of a page
/// filtered by the active settings. Tags of other settings are left out.
pub(super) fn unmark(headers: &mut HeaderMap, digest: &str) -> bool {
    let mut was_marked = false;
    for name in [header::IF_NONE_MATCH, header::IF_MATCH, header::IF_RANGE] {
        let tags: Vec<String> = list(headers, &name).map(str::to_owned).collect();
        if !tags.iter().any(|tag| tag.contains(MARK)) {
            continue;
        }
        let ours = format!("{MARK}{digest}\"");
        let kept: Vec<String> = tags
            .into_iter()
            .filter_map(|tag| match tag.strip_suffix(&ours) {
                Some(open) => {
                    was_marked = true;
                    Some(format!("{open}\""))
                }
                None => (!tag.contains(MARK)).then_some(tag),
            })
            .collect();
        match HeaderValue::try_from(kept.join(", ")) {
            Ok(value) if !kept.is_empty() => headers.insert(name, value),
            _ => headers.remove(name),
        };
    }
    was_marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_goes_out_marked_and_comes_back_as_it_was() {
        let check = |tag: &'static str, marked: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ETAG, HeaderValue::from_static(tag));
            mark(&mut headers, "abc");
            let sent = headers.get(header::ETAG).cloned();
            let text = sent.as_ref().map(|tag| tag.to_str().expect("text"));
            assert_eq!(text, marked);
            let Some(sent) = sent else { return };
            let mut request = HeaderMap::new();
            request.insert(header::IF_NONE_MATCH, sent);
            let mut other = request.clone();
            assert!(unmark(&mut request, "abc"));
            assert_eq!(request[header::IF_NONE_MATCH], tag);
            assert!(!unmark(&mut other, "def"));
            assert!(
                other.is_empty(),
                "the settings are others: the page is a new one"
            );
        };
        check("\"x\"", Some("\"x~forest-abc\""));
        check("W/\"x\"", Some("W/\"x~forest-abc\""));
        check("broken", None);
    }

    #[test]
    fn tags_of_others_stay() {
        let mut headers = HeaderMap::new();
        let tags = HeaderValue::from_static("\"a\", \"b~forest-abc\", \"c~forest-old\"");
        headers.insert(header::IF_NONE_MATCH, tags);
        assert!(unmark(&mut headers, "abc"));
        assert_eq!(headers[header::IF_NONE_MATCH], "\"a\", \"b\"");
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static("*"));
        assert!(!unmark(&mut headers, "abc"));
        assert_eq!(headers[header::IF_NONE_MATCH], "*");
    }
}
