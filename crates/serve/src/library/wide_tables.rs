//! Tables that are wider than their page.

use memchr::{memchr, memchr2};

/// Begins the box. It has no quotes: wherever it came to stand, it could not end a value.
const BOX: &str = "<div class=scroll>";

/// Clean HTML with a box around each table that stands in no other, so that the table scrolls and
/// not the page.
pub(super) fn wrap_tables(html: &str) -> String {
    let mut wrapped = String::with_capacity(html.len());
    let (mut rest, mut depth) = (html, 0_usize);
    while let Some(start) = memchr(b'<', rest.as_bytes()) {
        let tag = &rest[start..start + tag_len(&rest[start..])];
        let (before, after) = (&rest[..start], &rest[start + tag.len()..]);
        wrapped.push_str(before);
        rest = after;
        let (is_start, is_end) = (is_of(tag, "<table"), is_of(tag, "</table"));
        if is_start && depth == 0 {
            wrapped.push_str(BOX);
        }
        wrapped.push_str(tag);
        if is_end && depth == 1 {
            wrapped.push_str("</div>");
        }
        depth = (depth + usize::from(is_start)).saturating_sub(is_end.into());
    }
    wrapped.push_str(rest);
    wrapped
}

fn is_of(tag: &str, start: &str) -> bool {
    let rest = tag.strip_prefix(start);
    rest.is_some_and(|rest| rest.starts_with(['>', ' ']))
}

/// The length of a tag, whose values stand in double quotes and may have a `>`.
fn tag_len(html: &str) -> usize {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(next) = memchr2(b'>', b'"', &bytes[at..]) {
        at += next + 1;
        if bytes[at - 1] == b'>' {
            return at;
        }
        match memchr(b'"', &bytes[at..]) {
            Some(end) => at += end + 1,
            None => break,
        }
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outer_tables_have_a_box() {
        let check = |html: &str, expected: &str| assert_eq!(wrap_tables(html), expected, "{html}");
        check("", "");
        check(
            "<p>one &lt;table&gt; two</p>",
            "<p>one &lt;table&gt; two</p>",
        );
        check(
            "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table><p>c</p>",
            "<p>a</p><div class=scroll><table><tbody><tr><td>b</td></tr></tbody></table></div><p>c</p>",
        );
        check(
            "<table lang=\"de\"><tr><td><table></table></td></tr></table><table></table>",
            "<div class=scroll><table lang=\"de\"><tr><td><table></table></td></tr></table></div>\
             <div class=scroll><table></table></div>",
        );
        // What only looks like one has none.
        for same in [
            "<img alt=\"> <table> </table>\">",
            "<tablet></tablet>",
            "</table>",
            "<",
            "<p title=\"",
        ] {
            check(same, same);
        }
    }
}
