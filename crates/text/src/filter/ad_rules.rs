//! Rules of EasyList's syntax (feature `adblock`): which requests of a page are for
//! advertisements, and which of its elements are hidden.

use super::edit::PageEdit;
use super::hide::{HideTable, is_selector};
use super::names::is_link_attribute;
use adblock::Engine;
use adblock::filters::cosmetic::{CosmeticFilter, CosmeticFilterMask};
use adblock::lists::{FilterSet, ParseOptions, ParsedLine, parse_filter};
use adblock::request::Request;
use forest_html::page::NodeId;
use html5ever::local_name;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Rules at the most; the longest public lists have some 100,000.
pub(super) const MAX_RULES: usize = 500_000;

/// Bytes of a rule at the most.
const MAX_RULE_BYTES: usize = 16 * 1024;

/// Links of a page that are judged by rules at the most: a link may have to be compared with
/// each rule that names no part of an address.
const MAX_LINKS: usize = 20_000;

/// Rules, and the engine that is made of them when they are first used.
#[derive(Clone, Default)]
pub(super) struct AdRules {
    lines: String,
    count: usize,
    engine: OnceLock<Arc<Engine>>,
}

impl fmt::Debug for AdRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdRules")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl AdRules {
    /// Adds a rule; false if it is not read: one that runs a script, styles elements, finds
    /// them by their text or by a selector that is not read, or is a regular expression.
    pub(super) fn add(&mut self, line: &str) -> bool {
        // Without a letter or digit a rule is for all that there is.
        let is_some = line.contains(char::is_alphanumeric) && line.len() <= MAX_RULE_BYTES;
        if !is_some || self.count >= MAX_RULES {
            return false;
        }
        let is_read = match parse_filter(line, false, ParseOptions::default()) {
            Ok(ParsedLine::Network(_)) => true,
            Ok(ParsedLine::Cosmetic(rule)) => hides(&rule),
            Err(_) => false,
        };
        if is_read {
            self.lines.push_str(line);
            self.lines.push('\n');
            self.count += 1;
            self.engine = OnceLock::new();
        }
        is_read
    }

    /// The number of rules.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    fn engine(&self) -> &Engine {
        self.engine.get_or_init(|| {
            let mut set = FilterSet::new(false);
            set.add_filter_list(self.lines.clone(), ParseOptions::default());
            Arc::new(Engine::new_with_filter_set(set))
        })
    }

    /// The elements of a page that go: those with links that `is_listed` or a rule blocks
    /// and no exception allows, and hidden ones.
    pub(super) fn blocked(
        &self,
        page: &PageEdit<'_>,
        is_listed: impl Fn(&str) -> bool,
    ) -> Vec<NodeId> {
        let engine = self.engine();
        let source = page.page().url().unwrap_or_default();
        let hidden = hide_table(engine, page, source).hidden(page);
        let mut links = 0;
        let mut blocked: Vec<NodeId> = { page.page().elements() }
            .filter(|&n| page.is_kept(n))
            .filter(|&n| {
                page.attrs(n).any(|(_, name, link)| {
                    if !is_link_attribute(name) {
                        return false;
                    }
                    links += 1;
                    let listed = is_listed(link);
                    match absolute(link, page).filter(|_| links <= MAX_LINKS) {
                        Some(link) => blocks(engine, &link, source, kind_of(n, page), listed),
                        None => listed,
                    }
                })
            })
            .collect();
        blocked.extend(hidden);
        blocked
    }
}

/// True for a rule that hides elements, or lets them stay, and does nothing else.
fn hides(rule: &CosmeticFilter) -> bool {
    !rule.mask.contains(CosmeticFilterMask::SCRIPT_INJECT)
        && rule.action.is_none()
        && rule.plain_css_selector().is_some_and(is_selector)
}

/// True if a request is blocked: exceptions hold for listed servers, too.
fn blocks(engine: &Engine, link: &str, source: &str, kind: &str, listed: bool) -> bool {
    let Ok(request) = Request::new(link, source, kind, "get") else {
        return listed;
    };
    let result = engine.check_network_request_subset(&request, listed, false);
    let is_blocked = listed || result.filter.is_some();
    result.important || is_blocked && result.exception.is_none()
}

/// The address of a link, if it is one of the Web.
fn absolute(link: &str, page: &PageEdit<'_>) -> Option<String> {
    let address = page.base().resolve(link)?;
    if address.starts_with("//") {
        return Some(format!("https:{address}"));
    }
    address.starts_with("http").then(|| address.into_owned())
}

/// The kind of a request, by the names of rules (`$image`).
fn kind_of(n: NodeId, page: &PageEdit<'_>) -> &'static str {
    match page.tag(n).map(|tag| &**tag) {
        Some("img" | "input" | "amp-img") => "image",
        Some("script") => "script",
        Some("iframe" | "frame" | "fencedframe") => "subdocument",
        Some("embed" | "object" | "applet") => "object",
        Some("video" | "audio" | "source" | "track") => "media",
        Some("link") => {
            let rel = page.attr(n, "rel").unwrap_or_default().to_ascii_lowercase();
            let is = |word| rel.split_ascii_whitespace().any(|at| at == word);
            match (is("stylesheet"), is("icon")) {
                (true, _) => "stylesheet",
                (false, true) => "image",
                (false, false) => "other",
            }
        }
        _ => "other",
    }
}

/// The selectors of a page: those of its site, and of all sites.
fn hide_table(engine: &Engine, page: &PageEdit<'_>, source: &str) -> HideTable {
    // Rules for all sites hold for a page without an address, too.
    let source = if source.is_empty() {
        "https://example/"
    } else {
        source
    };
    let resources = engine.url_cosmetic_resources(source);
    let mut selectors: Vec<String> = resources.hide_selectors.into_iter().collect();
    if !resources.generichide {
        let elements: Vec<NodeId> = { page.page().elements() }
            .filter(|&n| page.is_kept(n))
            .collect();
        let values = |name| {
            elements
                .iter()
                .filter_map(move |&n| page.page().attr(n, name))
        };
        let classes = values("class").flat_map(str::split_ascii_whitespace);
        selectors.extend(engine.hidden_class_id_selectors(
            classes.collect::<std::collections::BTreeSet<_>>(),
            values("id").collect::<std::collections::BTreeSet<_>>(),
            &resources.exceptions,
        ));
    }
    HideTable::of(selectors)
}

/// True at the element where a walk asks for all of a page at once.
pub(super) fn is_top(n: NodeId, page: &PageEdit<'_>) -> bool {
    page.page().is(n, &local_name!("html")) && page.page().parent_element(n).is_none()
}

#[cfg(test)]
mod tests {
    use crate::filter::{AdList, FilterEngine, FilterSettings};
    use forest_html::page::Source;
    use std::sync::Arc;

    /// The ids that are left of a page at an address after a list.
    fn left(list: &str, url: Option<&str>, html: &str) -> Vec<String> {
        let mut ads = AdList::default();
        ads.add(list);
        let settings = FilterSettings {
            ads: true,
            ..FilterSettings::none()
        };
        let engine = FilterEngine::with_ads(settings, Arc::new(ads));
        let source = Source {
            url,
            ..Source::default()
        };
        let page = engine.parse(html.as_bytes(), source);
        let written = engine.filter(&page).html().text;
        let again = engine.parse(written.as_bytes(), source);
        assert_eq!(engine.filter(&again).html().text, written, "filtered twice");
        { again.elements() }
            .filter_map(|n| again.attr(n, "id").map(str::to_owned))
            .collect()
    }

    const PAGE: &str = "<body><p id=text>The ferry leaves.</p><img id=own src=/banner/1.png>\
        <img id=far src=https://cdn.example/banner/1.png><script id=js src=//track.example/t.js></script>\
        <a id=link href=https://track.example/out>x</a><div id=box class='ad wide'><b id=in>Buy</b></div>\
        <iframe id=frame src=https://frames.example/x></iframe>";

    #[test]
    fn rules_block_what_they_name() {
        let all = ["text", "own", "far", "js", "link", "box", "in", "frame"];
        let here = Some("https://news.example/a/story.html");
        let check = |list: &str, gone: &[&str]| {
            let kept: Vec<&str> = { all.into_iter() }
                .filter(|id| !gone.contains(id))
                .collect();
            assert_eq!(left(list, here, PAGE), kept, "{list}");
        };
        check("! nothing", &[]);
        check("/banner/*.png", &["own", "far"]);
        check("/banner/*.png$third-party", &["far"]);
        check("/banner/*.png$~third-party", &["own"]);
        check("/banner/*.png$domain=other.example", &[]);
        check("/banner/*.png$domain=news.example", &["own", "far"]);
        check("||track.example^$script", &["js"]);
        check("||frames.example^$subdocument", &["frame"]);
        check("||frames.example^$image", &[]);
        check("/banner/*$image\n@@||cdn.example^", &["own"]);
        check(
            "/banner/*$image\n@@||cdn.example^\n||cdn.example^$important",
            &["own", "far"],
        );
        // Exceptions hold for hosts of other lists, too.
        check("0.0.0.0 track.example", &["js", "link"]);
        check("0.0.0.0 track.example\n@@||track.example/out", &["js"]);
    }

    #[test]
    fn rules_hide_what_they_select() {
        let here = Some("https://www.news.example/a");
        let has_box = |list: &str, url| left(list, url, PAGE).contains(&"box".to_owned());
        for list in [
            "##.ad",
            "##div.ad.wide",
            "news.example##.wide",
            "##body > .ad",
            "###box",
        ] {
            assert!(!has_box(list, here), "{list}");
        }
        for list in [
            "other.example##.ad",
            "##.ads",
            "##.ad\nnews.example#@#.ad",
            "##.ad\n@@||news.example^$generichide",
            "~news.example##.ad",
            "##body",
        ] {
            assert!(has_box(list, here), "{list}");
        }
        assert!(!has_box("##.ad", None), "a page without an address");
        assert!(has_box("news.example##.ad", None));
    }

    #[test]
    fn rules_that_do_more_than_block_and_hide_are_not_read() {
        let list = "##+js(nowebrtc)\n##.a:style(color: red)\n##.a:has-text(x)\n##a:hover\n\
            /ads?[0-9]/\n##\n||\n@@\n";
        let mut ads = AdList::default();
        let lines = list.lines().filter(|line| *line != "##").count();
        assert_eq!(ads.add(list), lines, "{ads:?}");
        assert_eq!(ads.add(&format!("/{}/x", "a".repeat(20_000))), 1);
    }
}
