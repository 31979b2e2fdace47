//! The order of the walk (4.2).

use super::*;
use html5ever::LocalName;
use std::sync::{Arc, Mutex};

/// Notes the calls that it gets.
#[derive(Debug, Clone, Default)]
struct Notes {
    name: &'static str,
    calls: Arc<Mutex<Vec<String>>>,
    /// The descent ends at elements with this tag.
    ends_at: &'static str,
    /// The tag of the elements for which it is not called when the walk leaves them.
    stays_in: &'static str,
}

impl Notes {
    fn note(&self, phase: &str, n: NodeId, page: &PageEdit<'_>) {
        let tag = page.tag(n).map_or("text", |tag| &**tag);
        if !matches!(tag, "html" | "head" | "body") {
            let call = format!("{}{phase} {tag}", self.name);
            self.calls.lock().expect("no panic").push(call);
        }
    }
}

impl PageFilter for Notes {
    fn name(&self) -> &'static str {
        self.name
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase != FilterPhase::Leave || name.is_none_or(|name| **name != *self.stays_in)
    }

    fn edit(&self, n: NodeId, page: &mut PageEdit<'_>) {
        self.note("edit", n, page);
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        self.note("delete", n, page);
        if page.tag(n).is_some_and(|tag| **tag == *self.ends_at) {
            Descent::Skip
        } else {
            Descent::Children
        }
    }

    fn text(&self, n: NodeId, page: &mut PageEdit<'_>) {
        self.note("text", n, page);
    }

    fn leave(&self, n: NodeId, page: &mut PageEdit<'_>) {
        self.note("leave", n, page);
    }
}

#[track_caller]
fn check_calls(html: &str, ends_at: &'static str, expected: &str) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let notes = |name| Notes {
        name,
        calls: Arc::clone(&calls),
        ends_at,
        stays_in: "i",
    };
    let settings = FilterSettings {
        repeat: false,
        ..FilterSettings::none()
    };
    let engine = FilterEngine::new(settings)
        .with_filter(notes("1."))
        .with_filter(notes("2."));
    engine.filter(&Page::from_html(html));
    let calls = calls.lock().expect("no panic").join(", ");
    assert_eq!(calls, expected);
}

#[test]
fn filters_that_edit_come_before_those_that_delete() {
    check_calls(
        "<p>a</p>",
        "",
        "1.edit p, 2.edit p, 1.delete p, 2.delete p, 1.text text, 2.text text, 1.leave p, 2.leave p",
    );
}

#[test]
fn a_filter_stops_the_descent() {
    check_calls(
        "<p>a</p><b></b>",
        "p",
        "1.edit p, 2.edit p, 1.delete p, 2.delete p, 1.edit b, 2.edit b, 1.delete b, 2.delete b, \
         1.leave b, 2.leave b",
    );
}

#[test]
fn a_filter_is_called_where_it_wants() {
    check_calls("<i></i>", "", "1.edit i, 2.edit i, 1.delete i, 2.delete i");
}

#[test]
fn what_a_filter_deleted_no_other_sees() {
    let html = "<ul><li><a href=//doubleclick.net>b</a></ul>";
    let settings = only(|s| (s.ads, s.text_links) = (true, true));
    let page = Page::from_html(html);
    let filtered = filter(&page, &settings);
    assert_eq!(
        filtered.changes(),
        [FilterCount {
            filter: "ads",
            changes: 1
        }]
    );
}

#[test]
fn filters_are_in_the_order_of_the_paper() {
    let settings = FilterSettings {
        styles: true,
        text_links: true,
        forms: true,
        cell_widths: true,
        ..FilterSettings::default()
    };
    let engine = FilterEngine::new(settings);
    let names: Vec<&str> = engine
        .filters()
        .iter()
        .map(|filter| filter.name())
        .collect();
    let expected = "ads scripts styles div_styles images image_links text_links forms meta frames \
                    cell_widths embeds link_lists empty_tables";
    assert_eq!(names.join(" "), expected);
}
