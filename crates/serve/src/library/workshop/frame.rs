//! The archived page in its frame: without all that runs or loads, its elements numbered and
//! marked with the parts that they are of.

use axum::body::Body;
use axum::http::Response;
use axum::http::header::{self, HeaderValue};
use forest_core::explain::NodeMark;
use forest_core::learn::SamplePage;
use forest_html::page::{NodeId, Page};
use forest_text::filter::{Descent, FilterEngine, FilterSettings, PageEdit, PageFilter};

/// The policy of the frame: nothing runs and nothing is loaded. Its origin is ours, so that our
/// script, which stands outside of it, can outline its elements.
const POLICY: &str = "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; \
    img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const STYLE: &str = concat!("<style>", include_str!("frame.css"), "</style>");

/// The id of the element that the frame shows first.
pub(super) const PLACE: &str = "forest-place";

/// Attributes that are left; all others are dropped.
const ATTRIBUTES: [&str; 20] = [
    "id", "class", "title", "alt", "lang", "dir", "style", "width", "height", "align", "colspan",
    "rowspan", "start", "value", "datetime", "open", "hidden", "type", "scope", "reversed",
];

/// Elements that are left out with all in them.
const GONE: [&str; 15] = [
    "script", "noscript", "template", "link", "base", "meta", "iframe", "frame", "frameset",
    "object", "embed", "applet", "portal", "audio", "video",
];

/// The document of a page. It is shown from the chosen element on, else from the article.
pub(super) fn document(sample: &SamplePage, marks: Vec<NodeMark>, chosen: Option<u32>) -> String {
    let place = place(&sample.page, &marks, chosen);
    let settings = FilterSettings {
        scripts: true,
        ..FilterSettings::none()
    };
    let engine = FilterEngine::new(settings).with_filter(MarkedNodes { marks, place });
    engine.filter(&sample.page).document(STYLE)
}

/// The first element from the chosen one or from the beginning of the article on that has no id
/// of its own: styles may name that.
fn place(page: &Page, marks: &[NodeMark], chosen: Option<u32>) -> Option<NodeId> {
    let is_begin = |n: NodeId| match chosen {
        Some(chosen) => n.0 == chosen,
        None => marks.get(n.index()) == Some(&NodeMark::Body),
    };
    let from = page
        .content_elements()
        .iter()
        .skip_while(|n| !is_begin(**n));
    from.copied().find(|n| page.attr(*n, "id").is_none())
}

/// The answer to the frame.
pub(super) fn answer(document: String) -> Response<Body> {
    let mut answer = Response::new(Body::from(document));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        let value = HeaderValue::from_static(value);
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// Numbers elements, and marks those whose part is another than that of the element around.
#[derive(Debug)]
struct MarkedNodes {
    marks: Vec<NodeMark>,
    /// The element that is shown first.
    place: Option<NodeId>,
}

impl MarkedNodes {
    fn name(mark: NodeMark) -> &'static str {
        match mark {
            NodeMark::Rest => "rest",
            NodeMark::Body => "body",
            NodeMark::Strip(_) => "strip",
            NodeMark::Field(field) => field.name(),
        }
    }
}

impl PageFilter for MarkedNodes {
    fn name(&self) -> &'static str {
        "marked nodes"
    }

    fn edit(&self, element: NodeId, page: &mut PageEdit<'_>) {
        let is_safe = |name: &str, value: &str| match name {
            "src" => value.starts_with("data:image/"),
            _ => ATTRIBUTES.contains(&name),
        };
        let attrs = page.attrs(element);
        let dropped = attrs.filter(|(_, name, value)| !is_safe(name, value));
        let dropped: Vec<usize> = dropped.map(|(place, ..)| place).collect();
        for place in dropped {
            page.drop_attr(element, place);
        }
        page.set_attr(element, "data-forest-node", &element.0.to_string());
        if self.place == Some(element) {
            page.set_attr(element, "id", PLACE);
        }
        let mark_of = |n: NodeId| self.marks.get(n.index()).copied().unwrap_or(NodeMark::Rest);
        let own = mark_of(element);
        let around = page.page().parent_element(element).map(mark_of);
        if own != around.unwrap_or(NodeMark::Rest) {
            page.set_attr(element, "data-forest-part", MarkedNodes::name(own));
        }
    }

    fn delete(&self, node: NodeId, page: &mut PageEdit<'_>) -> Descent {
        let Some(tag) = page.page().name(node).map(|name| &*name.local) else {
            return Descent::Children;
        };
        // A style with markup in it may end elsewhere for a browser.
        let is_doubtful = tag == "style"
            && page
                .page()
                .subtree(node)
                .any(|n| page.page().text(n).contains('<'));
        if is_doubtful || GONE.contains(&tag) {
            page.delete(node);
            return Descent::Skip;
        }
        Descent::Children
    }

    fn filters_portals(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_page_runs_or_loads() {
        let html = "<base href=//evil><link rel=stylesheet href=//evil><meta http-equiv=refresh content='0;url=//evil'>\
            <body onload=alert(1)><p onclick=alert(1) class=a>One<a href='javascript:alert(1)'>x</a>\
            <img src=//evil onerror=alert(1)><img src='data:image/png;base64,AA'><svg onload=alert(1)><script>alert(1)</script></svg>\
            <svg><style>&lt;/style>&lt;script>alert(1)&lt;/script></style></svg><iframe srcdoc='<script>1</script>'></iframe>\
            <form action=//evil><button formaction=//evil>b</button></form><script>alert(1)</script>\
            <object data=//evil></object><video src=//evil></video><noscript><img src=//evil></noscript>";
        let sample = SamplePage::new(Page::from_html(html), "a");
        let rest = vec![NodeMark::Rest; sample.page.len()];
        let shown = document(&sample, rest, None);
        for bad in [
            "alert",
            "evil",
            "<script",
            "javascript:",
            "<iframe",
            "<base",
            "<meta",
            "onload",
        ] {
            assert!(!shown.contains(bad), "{bad}: {shown}");
        }
        assert!(
            shown.contains("<p class=\"a\" data-forest-node=\""),
            "{shown}"
        );
        assert!(
            shown.contains("src=\"data:image/png;base64,AA\""),
            "{shown}"
        );
    }

    #[test]
    fn a_part_is_marked_where_it_begins() {
        let sample = SamplePage::new(Page::from_html("<div><p>One<b>two</b></p></div>"), "a");
        let page = &sample.page;
        let mut marks = vec![NodeMark::Rest; page.len()];
        let div = page
            .elements()
            .find(|&n| page.tag(n).is_some_and(|tag| **tag == *"div"));
        let div = div.expect("an element");
        marks[div.index()..page.end(div).index()].fill(NodeMark::Body);
        let bold = page.elements().last().expect("an element");
        marks[bold.index()..page.end(bold).index()].fill(NodeMark::Strip(0));
        let shown = document(&sample, marks, None);
        assert_eq!(
            shown.matches("data-forest-part=\"body\"").count(),
            1,
            "{shown}"
        );
        assert!(shown.contains("data-forest-part=\"strip\">two"), "{shown}");
    }

    #[test]
    fn the_article_or_the_chosen_element_is_shown_first() {
        let page = Page::from_html("<p>One</p><div id=a><p>Two</p></div><p>Three</p>");
        let sample = SamplePage::new(page, "a");
        let page = &sample.page;
        let mut marks = vec![NodeMark::Rest; page.len()];
        let div = page
            .elements()
            .find(|&n| page.tag(n).is_some_and(|tag| **tag == *"div"));
        let div = div.expect("an element");
        marks[div.index()..page.end(div).index()].fill(NodeMark::Body);
        let first_of = |chosen| {
            let shown = document(&sample, marks.clone(), chosen);
            let (_, rest) = shown.split_once("id=\"forest-place\"").expect("a place");
            let (_, text) = rest.split_once('>').expect("its end");
            text.split('<').next().expect("a text").to_owned()
        };
        // The id of the element itself stays.
        assert_eq!(first_of(None), "Two");
        let last = page.elements().last().expect("an element");
        assert_eq!(first_of(Some(last.0)), "Three");
    }
}
