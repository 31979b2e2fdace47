//! The clean HTML of an article as a page of ours shows it: its tables scroll alone, its stored
//! pictures are loaded when they come into view, and so are those that the server brings; the
//! others, which nothing may load from elsewhere, are links.

use memchr::{memchr, memchr2};
use std::ops::Range;

/// Begins the box of a table. It has no quotes: wherever it came to stand, it could not end a value.
const BOX: &str = "<div class=scroll>";

/// The HTML as it is shown. Stored pictures have addresses that begin with `stored_at`; `brought_at`
/// gives the address, as it stands in HTML, at which the server brings another one.
pub(super) fn shown_html(
    html: &str,
    stored_at: &str,
    brought_at: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut shown = ShownHtml {
        out: String::with_capacity(html.len()),
        stored_at,
        brought_at,
        tables: 0,
        links: 0,
    };
    let mut rest = html;
    while let Some(start) = memchr(b'<', rest.as_bytes()) {
        let tag = &rest[start..start + tag_len(&rest[start..])];
        shown.out.push_str(&rest[..start]);
        rest = &rest[start + tag.len()..];
        shown.tag(tag);
    }
    shown.out + rest
}

struct ShownHtml<'a> {
    out: String,
    stored_at: &'a str,
    brought_at: &'a dyn Fn(&str) -> Option<String>,
    /// Open tables.
    tables: usize,
    /// Open links.
    links: usize,
}

impl ShownHtml<'_> {
    fn tag(&mut self, tag: &str) {
        if is_of(tag, "<img") {
            return self.picture(tag);
        }
        let (is_start, is_end) = (is_of(tag, "<table"), is_of(tag, "</table"));
        if is_start && self.tables == 0 {
            self.out.push_str(BOX);
        }
        self.out.push_str(tag);
        if is_end && self.tables == 1 {
            self.out.push_str("</div>");
        }
        let steps = |open: usize, start: bool, end: bool| {
            (open + usize::from(start)).saturating_sub(end.into())
        };
        self.tables = steps(self.tables, is_start, is_end);
        self.links = steps(self.links, is_of(tag, "<a"), is_of(tag, "</a"));
    }

    fn picture(&mut self, tag: &str) {
        let place = place_of_value(tag, " src=\"");
        let address = &tag[place.clone()];
        if address.starts_with(self.stored_at) {
            self.out.push_str("<img loading=lazy");
            return self.out.push_str(&tag["<img".len()..]);
        }
        // Of what is escaped in a value only this stands in an address.
        if let Some(brought) = (self.brought_at)(&address.replace("&amp;", "&")) {
            let (before, behind) = (&tag["<img".len()..place.start], &tag[place.end..]);
            return self
                .out
                .push_str(&["<img loading=lazy", before, &brought, behind].concat());
        }
        let text = tag[place_of_value(tag, " alt=\"")].trim();
        // A value may have both as they are.
        let text = text.replace('<', "&lt;").replace('>', "&gt;");
        let text = match text.as_str() {
            "" => "Picture".to_owned(),
            text => format!("Picture: {text}"),
        };
        let is_there = ["http://", "https://"].map(|start| address.starts_with(start));
        let shown = if self.links == 0 && is_there.contains(&true) {
            format!("<a class=absent rel=noreferrer href=\"{address}\">{text}</a>")
        } else {
            // The text of a link may follow.
            let space = if self.links > 0 { " " } else { "" };
            format!("<span class=absent>{text}</span>{space}")
        };
        self.out.push_str(&shown);
    }
}

/// The place of the value of an attribute, which is in double quotes; an empty one if there is none.
fn place_of_value(tag: &str, name: &str) -> Range<usize> {
    let mut at = 0;
    while let Some(quote) = memchr(b'"', &tag.as_bytes()[at..]) {
        let start = at + quote + 1;
        let len = memchr(b'"', &tag.as_bytes()[start..]).unwrap_or(tag.len() - start);
        if tag[at..start].ends_with(name) {
            return start..start + len;
        }
        at = tag.len().min(start + len + 1);
    }
    0..0
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

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let shown = shown_html(html, "../resource/", &|_| None);
        assert_eq!(shown, expected, "{html}");
    }

    #[test]
    fn the_outer_tables_have_a_box() {
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
            "<a title=\"> <table> </table>\"></a>",
            "<tablet></tablet>",
            "</table>",
            "<",
            "<p title=\"",
        ] {
            check(same, same);
        }
    }

    #[test]
    fn pictures_that_are_brought_stand_where_they_are() {
        let brought = |address: &str| {
            let key = address.strip_prefix("https://a.example/")?;
            Some(format!("../picture?url=x&amp;key={}", key.len()))
        };
        let check = |html: &str, expected: &str| {
            let shown = shown_html(html, "../resource/", &brought);
            assert_eq!(shown, expected, "{html}");
        };
        check(
            "<a href=\"/\"><img alt=\"A > b\" src=\"https://a.example/?a&amp;b\" width=\"4\" height=\"3\"></a>",
            "<a href=\"/\"><img loading=lazy alt=\"A > b\" src=\"../picture?url=x&amp;key=4\" width=\"4\" height=\"3\"></a>",
        );
        check(
            "<img src=\"https://b.example/1\"><img src=\"../resource/1.png\">",
            "<a class=absent rel=noreferrer href=\"https://b.example/1\">Picture</a>\
             <img loading=lazy src=\"../resource/1.png\">",
        );
    }

    #[test]
    fn pictures_that_are_not_stored_are_links() {
        check(
            "<p><img src=\"../resource/1.png\" alt=\"A <b>\" width=\"4\"></p>",
            "<p><img loading=lazy src=\"../resource/1.png\" alt=\"A <b>\" width=\"4\"></p>",
        );
        check(
            "<p><img alt=\" A ferry > a <b> \" src=\"https://a.example/?a=1&amp;b=2\"></p>",
            "<p><a class=absent rel=noreferrer href=\"https://a.example/?a=1&amp;b=2\">Picture: \
             A ferry &gt; a &lt;b&gt;</a></p>",
        );
        check(
            "<img src=\"http://a.example/1\">",
            "<a class=absent rel=noreferrer href=\"http://a.example/1\">Picture</a>",
        );
        // No link in a link, and none to nowhere.
        check(
            "<a href=\"/\"><img src=\"http://a.example/1\" alt=\"One\"></a><img src=\"http://a.example/2\">",
            "<a href=\"/\"><span class=absent>Picture: One</span> </a>\
             <a class=absent rel=noreferrer href=\"http://a.example/2\">Picture</a>",
        );
        for nowhere in [
            "<img>",
            "<img src=\"1.png\">",
            "<img src=\"javascript:1\">",
            "<img src=\"",
        ] {
            check(nowhere, "<span class=absent>Picture</span>");
        }
        check("<image></image>", "<image></image>");
        check(
            "<img alt=\" src=\" title=\"http://a.example/\">",
            "<span class=absent>Picture: src=</span>",
        );
    }
}
