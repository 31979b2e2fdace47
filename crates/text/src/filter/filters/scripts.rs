//! Scripts, and all else that runs (figure 1).

use super::elements::has_rel;
use crate::filter::edit::PageEdit;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::{Kind, NodeId};
use html5ever::LocalName;

/// Schemes of addresses that run.
const RUNNING: [&str; 4] = ["javascript:", "vbscript:", "livescript:", "jscript:"];

/// Kinds of `data:` that are shown, and do not run.
const SHOWN_DATA: [&str; 4] = ["data:image/", "data:audio/", "data:video/", "data:font/"];

/// Elements that show `data:` as a picture or a sound.
const MEDIA: [&str; 7] = ["img", "source", "video", "audio", "track", "input", "image"];

/// Declarations that ran in browsers of the past.
const RUNNING_STYLES: [&str; 4] = ["javascript:", "expression(", "-moz-binding", "behavior:"];

/// Attributes of plain text, in which nothing runs.
const PLAIN: [&str; 7] = [
    "alt",
    "title",
    "value",
    "placeholder",
    "content",
    "label",
    "summary",
];

/// Removes scripts: elements, attributes of events, addresses that run, pages within
/// attributes, comments (which hold scripts for browsers of the past), and `noscript`, which
/// browsers read in two ways.
#[derive(Debug)]
pub(super) struct ScriptRemover {
    /// The contents of `noscript` take its place.
    noscript: bool,
}

impl ScriptRemover {
    pub fn new(noscript: bool) -> ScriptRemover {
        ScriptRemover { noscript }
    }
}

impl PageFilter for ScriptRemover {
    fn name(&self) -> &'static str {
        "scripts"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        match phase {
            FilterPhase::Edit => name.is_some(),
            FilterPhase::Delete => name.is_none_or(may_run),
            FilterPhase::Text | FilterPhase::Leave => false,
        }
    }

    fn edit(&self, n: NodeId, page: &mut PageEdit<'_>) {
        if self.noscript && is_noscript(n, page) && page.page().is_content(n) {
            page.unwrap_element(n);
        }
        let local = page.page().name(n).map(|name| name.local.clone());
        let tag = local.as_deref().unwrap_or_default();
        let running = page
            .attrs(n)
            .filter(|(_, name, value)| runs(tag, name, value));
        let places: Vec<usize> = running.map(|(at, ..)| at).collect();
        places.into_iter().for_each(|at| page.drop_attr(n, at));
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if page.page().kind(n) == Kind::Comment {
            page.delete(n);
            return Descent::Children;
        }
        let unwrapped = page.edits.of(n).is_some_and(|edit| edit.unwrapped);
        if is_script(n, page) || is_noscript(n, page) && !unwrapped {
            page.delete(n);
        } else if page.tag(n).is_some_and(|tag| **tag == *"iframe") {
            page.empty(n);
        }
        Descent::Children
    }

    fn retains_links(&self) -> bool {
        false
    }

    fn filters_portals(&self) -> bool {
        true
    }
}

fn is_noscript(n: NodeId, page: &PageEdit<'_>) -> bool {
    page.tag(n).is_some_and(|tag| **tag == *"noscript")
}

/// True for the names of elements that may run, and of those that hold what may.
fn may_run(name: &LocalName) -> bool {
    matches!(
        &**name,
        "script"
            | "noembed"
            | "noframes"
            | "handler"
            | "listener"
            | "animate"
            | "set"
            | "animatetransform"
            | "animateTransform"
            | "animatemotion"
            | "animateMotion"
            | "meta"
            | "link"
            | "style"
            | "noscript"
            | "iframe"
    )
}

/// True for an element that runs, or that only a browser without it would show.
fn is_script(n: NodeId, page: &PageEdit<'_>) -> bool {
    let Some(name) = page.page().name(n) else {
        return false;
    };
    match &*name.local {
        "script" | "noembed" | "noframes" | "handler" | "listener" => true,
        // Scripted animation of an address.
        "animate" | "set" | "animatetransform" | "animateTransform" | "animatemotion"
        | "animateMotion" => {
            let animated = page.attr(n, "attributeName").unwrap_or_default();
            let animated = animated.trim().to_ascii_lowercase();
            animated.ends_with("href") || animated.starts_with("on") || animated.is_empty()
        }
        "meta" => page
            .attr(n, "http-equiv")
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("refresh")),
        "link" => {
            let preloads = ["import", "modulepreload", "serviceworker", "prerender"];
            preloads.iter().any(|word| has_rel(n, page, word))
                || page
                    .attr(n, "as")
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("script"))
        }
        "style" => styles_run(page.page().text(n)),
        _ => false,
    }
}

/// True for an attribute that runs, or whose name no writer should have to write.
fn runs(tag: &str, name: &str, value: &str) -> bool {
    let is_markup = |b: u8| matches!(b, b'"' | b'\'' | b'<' | b'>' | b'=' | b'/' | b'`');
    if starts_with_ignoring_case(name, "on") || name.bytes().any(is_markup) {
        return true;
    }
    match name {
        "srcdoc" => true,
        "style" => styles_run(value),
        _ if PLAIN.contains(&name) => false,
        _ => address_runs(tag, value),
    }
}

/// True for an address that runs. Browsers pass over white space and control characters.
fn address_runs(tag: &str, value: &str) -> bool {
    if !value.contains(':') {
        return false;
    }
    let begins_with = |start: &&str| {
        let mut read = value.chars().filter(|c| *c > ' ' && !c.is_control());
        { start.chars() }.all(|c| {
            read.next()
                .is_some_and(|read| read.eq_ignore_ascii_case(&c))
        })
    };
    let is_shown = || MEDIA.contains(&tag) && SHOWN_DATA.iter().any(begins_with);
    RUNNING.iter().any(begins_with) || begins_with(&"data:") && !is_shown()
}

/// True for styles with a declaration that ran once.
fn styles_run(styles: &str) -> bool {
    let mut plain = String::with_capacity(styles.len());
    styles
        .split(|c| c <= ' ')
        .for_each(|part| plain.push_str(part));
    plain.make_ascii_lowercase();
    RUNNING_STYLES.iter().any(|part| plain.contains(part))
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len())
        .is_some_and(|t| t.eq_ignore_ascii_case(start))
}
