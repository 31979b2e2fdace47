//! The page of the workshop.

use super::blocks::{block_name, blocks};
use super::draft::{WrapperDraft, role_name};
use super::effect::{PageEffect, PageResult};
use super::fault::StepFault;
use super::frame::PLACE;
use super::typed;
use crate::library::token;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_archive::diff::{CONTEXT_WORDS, Diff, html as diff_html};
use forest_core::wrapper::changes::changes;
use forest_core::wrapper::{Evidence, LabelRole, Template, WrapperField};
use forest_exchange::RuleFormat;
use forest_html::error::counted;
use forest_html::page::NodeId;
use forest_web::form_fields::FormFields;
use forest_web::shell;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// Earlier wrappers that are shown.
const HISTORY: usize = 20;

/// The way from the workshop to the level of `/filter`.
pub(super) fn up() -> &'static str {
    "../../"
}

/// A draft, to be shown.
pub(super) struct WorkshopPage<'s> {
    state: &'s LibraryApp,
    pub draft: Arc<WrapperDraft>,
    /// The shown page of the sample.
    number: usize,
    /// The number of the element that was chosen before.
    pub chosen: Option<u32>,
    pub fault: Option<StepFault>,
    pub typed: Option<FormFields>,
    pub is_saved: bool,
    /// The address of a draft that waits, and the number of its changes.
    pub waiting: Option<(String, usize)>,
    /// The format that has no place for all expressions.
    pub lossy: Option<RuleFormat>,
}

impl<'s> WorkshopPage<'s> {
    pub fn new(state: &'s LibraryApp, draft: Arc<WrapperDraft>, number: usize) -> Self {
        WorkshopPage {
            state,
            number: number.min(draft.base.work.pages.len().saturating_sub(1)),
            draft,
            chosen: None,
            fault: None,
            typed: None,
            is_saved: false,
            waiting: None,
            lossy: None,
        }
    }

    pub fn answer(&self, status: StatusCode) -> Response<Body> {
        let title = format!("Workshop: {}", self.draft.base.site);
        shell::page_in("Sites", up(), None, status, &title, &self.whole())
    }

    /// The address of this draft, with more of a query.
    fn link(&self, more: &str) -> String {
        format!("workshop?draft={}&{more}", self.draft.id)
    }

    /// A form of this draft.
    fn form(&self, contents: &Markup) -> Markup {
        html! {
            form method="post" action="workshop" {
                (token(self.state))
                input type="hidden" name="draft" value=(self.draft.id);
                input type="hidden" name="page" value=(self.number);
                (contents)
            }
        }
    }

    fn button(&self, action: &str, at: Option<usize>, shown: &str) -> Markup {
        self.form(&html! {
            @if let Some(at) = at { input type="hidden" name="at" value=(at); }
            button .small name="action" value=(action) { (shown) }
        })
    }

    fn whole(&self) -> Markup {
        let site = &self.draft.base.site;
        html! {
            .bar {
                h1 { "Workshop: " (site) }
                a href={ "../" (site) } { "About the site" }
            }
            (self.notices())
            (self.state_of_draft())
            .workshop {
                section aria-label="The page" {
                    (legend())
                    iframe #archived sandbox="allow-same-origin" title="The archived page, marked"
                        src={ "workshop/frame?draft=" (self.draft.id) "&page=" (self.number) @if let Some(node) = self.chosen { "&node=" (node) } "#" (PLACE) } {}
                    p .hint { "The page as archived, without scripts, remote pictures and remote styles. Click an element, or choose it in the list." }
                }
                section aria-label="The element" { (self.chooser()) (self.labels()) }
            }
            (self.effect())
            (self.rules())
        }
    }

    fn notices(&self) -> Markup {
        let fault = self.fault.as_ref().filter(|fault| fault.field.is_none());
        html! {
            @if self.is_saved { p .good role="status" { "Saved. The harvest takes it over." } }
            @if let Some((id, steps)) = &self.waiting {
                p { (counted(*steps, "change", "changes")) " waiting here: " a #waiting href={ "workshop?draft=" (id) "&page=" (self.number) } { "go on" } }
            }
            @if let Some(fault) = fault { p .bad role="alert" {
                (fault.why) ". "
                @if let Some(format) = self.lossy {
                    a href={ "workshop/export?draft=" (self.draft.id) "&lossy=on&to=" (format.name()) } { "Leave these out" }
                }
            } }
            @if self.fault.as_ref().is_some_and(|fault| fault.field.is_some()) {
                p .bad role="alert" { "Nothing was changed: a field below has a mistake." }
            }
            @for note in &self.draft.notes { p .bad { (note) } }
        }
    }

    /// The number of stored articles.
    fn stored(&self) -> String {
        counted(
            self.draft.base.work.articles,
            "stored article",
            "stored articles",
        )
    }

    fn state_of_draft(&self) -> Markup {
        let draft = &self.draft;
        let changed = draft
            .effects
            .iter()
            .filter(|effect| effect.is_change())
            .count();
        html! {
            .bar #draft {
                @if draft.steps.is_empty() {
                    @if draft.extractor.is_none() { span { "The site has no wrapper yet: its pages are read by their shape." } }
                    @else if draft.by_hand { span { "The wrapper was edited by hand: a drift waits for you." } }
                    @else { span { "Nothing is changed." } }
                    (self.button("learn", None, "Show what would be learned now"))
                    @if draft.extractor.is_some() && draft.base.work.articles > 0 {
                        (self.button("reread", None, &format!("Read the {} again", self.stored())))
                    }
                } @else {
                    strong { (counted(draft.steps.len(), "change", "changes")) ", not saved" }
                    a href="#effect" { "Texts differ on " (changed) " of " (draft.effects.len()) " pages." }
                    @if draft.by_hand { span { "It will count as edited by hand." } }
                    form method="post" action="workshop" {
                        (token(self.state))
                        input type="hidden" name="draft" value=(draft.id);
                        input type="hidden" name="page" value=(self.number);
                        button .main name="action" value="save" { "Save" }
                        " "
                        button name="action" value="reread" { "Save, and read the " (self.stored()) " again" }
                    }
                    @if let Some(parent) = &draft.parent {
                        a #undo href={ "workshop?draft=" (parent) "&page=" (self.number) } { "Undo: " (draft.steps.last().map_or("", |step| step)) }
                    }
                    a href={ "workshop?page=" (self.number) } { "Begin again" }
                }
            }
        }
    }

    /// The form that gives an element a role.
    fn chooser(&self) -> Markup {
        let Some(sample) = self.draft.base.work.pages.get(self.number) else {
            return html! {};
        };
        let blocks = blocks(&sample.page);
        let chosen = self.chosen.map(NodeId);
        let chosen =
            chosen.filter(|n| n.index() < sample.page.len() && sample.page.tag(*n).is_some());
        self.form(&html! {
            // The numbers of elements are those of this page, whatever is the newest when they are sent.
            input type="hidden" name="of" value=(sample.sha256);
            nav #ancestors aria-label="Elements around it" {}
            label for="node" { "Element" }
            select #node name="node" size="12" aria-describedby="how" {
                @if let Some(chosen) = chosen.filter(|chosen| blocks.iter().all(|block| block.node != *chosen)) {
                    option value=(chosen.0) selected { (block_name(&sample.page, chosen)) }
                }
                @for block in &blocks {
                    option value=(block.node.0) selected[Some(block.node) == chosen] {
                        @for _ in 0..block.depth.min(12) { "\u{a0}\u{a0}" } (block.name)
                    }
                }
            }
            p #how .hint { "Up and down: the next element. In the page: arrows go to the element around it, in it or beside it; Enter comes back here." }
            fieldset .roles {
                legend { "It is" }
                @for role in LabelRole::ALL {
                    button name="role" value=(role.name()) { (role_name(role)) }
                }
            }
        })
    }

    fn labels(&self) -> Markup {
        let labels = self.draft.labels();
        let reasons = &self.draft.reasons;
        html! { @if !labels.is_empty() {
            h2 { "Labels" }
            ul { @for (at, label) in labels.iter().enumerate() { li {
                strong { (role_name(label.role)) } ": “" span dir="auto" { (label.text) } "” "
                @if let Some(xpath) = &label.expression { code { (xpath) } " " }
                @if let Some(Some(reason)) = reasons.get(at) { span .hint { "(" (reason) ") " } }
                (self.button("forget", Some(at), "Forget"))
            } } }
        } }
    }

    /// The sample, before and after.
    fn effect(&self) -> Markup {
        let draft = &self.draft;
        let pages = draft.base.work.pages.iter().zip(&draft.base.results);
        let all = pages.zip(draft.results.iter().zip(&draft.effects));
        let falls = |(before, after): (&PageResult, &PageResult)| {
            let both = before.expected_f1.zip(after.expected_f1);
            both.is_some_and(|(before, after)| after < before - LARGE_FALL)
        };
        let both = draft.base.results.iter().zip(&draft.results);
        let fallen = both.filter(|both| falls(*both)).count();
        html! {
            h2 #effect { "The newest pages, before and after" }
            @if fallen > 0 { p .bad role="alert" {
                "On " (fallen) " of " (counted(draft.results.len(), "page", "pages")) " the text is much worse than before: look at them before you save."
            } }
            .scroll tabindex="0" role="region" aria-labelledby="effect" { table .pages {
                thead { tr {
                    th scope="col" { "Page" } th scope="col" { "Words" } th scope="col" { "Kept" }
                    th scope="col" { "Lost" } th scope="col" { "Gained" } th scope="col" { "Expected F1" }
                } }
                tbody { @for (at, ((sample, before), (after, effect))) in all.enumerate() { tr {
                    td .name { a href=(self.link(&format!("page={at}"))) aria-current=[(at == self.number).then_some("true")] {
                        span dir="auto" { (after.article.title.as_deref().unwrap_or(&sample.name)) }
                    } }
                    td { (before.words) " → " (after.words) } td { (effect.kept) }
                    td .bad[effect.lost > 0] { (effect.lost) } td .good[effect.gained > 0] { (effect.gained) }
                    td { (f1(before)) " → " (f1(after)) }
                } } }
            } }
            @for (at, effect) in draft.effects.iter().enumerate() {
                (self.difference(at, effect))
            }
        }
    }

    fn difference(&self, at: usize, effect: &PageEffect) -> Markup {
        let draft = &self.draft;
        let (before, after) = (&draft.base.results[at], &draft.results[at]);
        let fields = [
            (
                "Title",
                before.article.title.clone(),
                after.article.title.clone(),
            ),
            (
                "Authors",
                Some(before.article.authors.join(", ")),
                Some(after.article.authors.join(", ")),
            ),
            (
                "Date",
                before.article.date_published.clone(),
                after.article.date_published.clone(),
            ),
        ];
        let fields: Vec<_> = fields
            .into_iter()
            .filter(|(_, old, new)| old != new)
            .collect();
        html! { @if effect.is_change() || !fields.is_empty() {
            details open[at == self.number] {
                summary { span dir="auto" { (after.article.title.as_deref().unwrap_or(&draft.base.work.pages[at].name)) } ": " (effect.lost) " lost, " (effect.gained) " gained" }
                @for (name, old, new) in &fields { p { (name) ": " del { (old.as_deref().unwrap_or("none")) } " " ins { (new.as_deref().unwrap_or("none")) } } }
                @if !effect.rules.is_empty() { ul { @for (rule, words) in &effect.rules { li {
                    code { (rule) } ": "
                    @if words.lost > 0 { (counted(words.lost, "word", "words")) " lost" }
                    @if words.lost > 0 && words.gained > 0 { ", " }
                    @if words.gained > 0 { (counted(words.gained, "word", "words")) " gained" }
                    (self.why(rule))
                } } } }
                (PreEscaped(&effect.diff))
            }
        } }
    }

    /// The reason for a rule: a label, or the evidence of the learner.
    fn why(&self, rule: &str) -> Markup {
        let xpath = rule.trim_start_matches("no longer ");
        let xpath = xpath.split_once(' ').map_or(xpath, |(_, xpath)| xpath);
        let labels = self.draft.labels();
        let label = labels
            .iter()
            .position(|label| label.expression.as_deref() == Some(xpath));
        if let Some(at) = label {
            let reason = self.draft.reasons.get(at).and_then(Option::as_ref);
            return html! { ": your label" @if let Some(reason) = reason { "; " (reason) } };
        }
        let templates = self
            .draft
            .wrapper()
            .map_or(&[][..], |wrapper| &wrapper.templates);
        let mut strips = templates
            .iter()
            .flat_map(|t| &t.evidence)
            .flat_map(|e| &e.strips);
        match strips.find(|strip| strip.xpath == xpath) {
            Some(strip) => {
                html! { ": " (strip.why) ", " (counted(strip.words, "word", "words")) " on " (counted(strip.pages, "page", "pages")) }
            }
            None => html! {},
        }
    }

    /// The expressions, typed and saved.
    fn rules(&self) -> Markup {
        let draft = &self.draft;
        let none = Template::default();
        let templates = draft
            .wrapper()
            .map_or(&[][..], |wrapper| &wrapper.templates);
        let shown = if templates.is_empty() {
            std::slice::from_ref(&none)
        } else {
            templates
        };
        let is_typed = self
            .typed
            .as_ref()
            .is_some_and(|sent| !sent.get("action").is_empty());
        html! {
            h2 { "The wrapper" }
            details open[is_typed] {
                summary { "Type the expressions (XPath), a line each" }
                (self.form(&html! {
                    @for (at, template) in shown.iter().take(typed::MAX_TEMPLATES).enumerate() { fieldset {
                        legend { "Template " (at + 1) @if let Some(f1) = template.evidence.as_ref().and_then(Evidence::expected_f1) { ", expected F1 " (format!("{f1:.3}")) } }
                        @for field in WrapperField::ALL { (self.field(at, template, field)) }
                    } }
                    button name="action" value="type" { "Preview" }
                }))
            }
            details open[self.fault_of("rules").is_some()] {
                summary { "Import a file of ftr-site-config" }
                (self.form(&html! {
                    label for="rules" { "Its lines" }
                    textarea #rules name="rules" rows="8" spellcheck="false" { (self.typed.as_ref().map_or("", |sent| sent.get("rules"))) }
                    @if let Some(why) = self.fault_of("rules") { p .bad { (why) } }
                    button name="action" value="import" { "Preview" }
                }))
            }
            details {
                summary { "Export" }
                .bar { @for format in RuleFormat::ALL {
                    a href={ "workshop/export?draft=" (draft.id) "&to=" (format.name()) } { (format.name()) }
                } }
            }
            (self.file())
        }
    }

    fn fault_of(&self, name: &str) -> Option<&str> {
        let fault = self.fault.as_ref()?;
        (fault.field.as_deref() == Some(name)).then_some(&*fault.why)
    }

    fn field(&self, at: usize, template: &Template, field: WrapperField) -> Markup {
        let name = typed::field_name(at, field);
        let sent = self
            .typed
            .as_ref()
            .filter(|sent| sent.get("action") == "type");
        let lines = sent.map_or_else(
            || typed::lines(template, field),
            |sent| sent.get(&name).to_owned(),
        );
        let fault = self.fault_of(&name);
        html! { .field {
            label for=(name) { (field) }
            textarea id=(name) name=(name) rows=(lines.lines().count().clamp(1, 8)) spellcheck="false" aria-invalid=[fault.map(|_| "true")] { (lines) }
            @if let Some(why) = fault { p .bad { (why) } }
        } }
    }

    /// The file: its differences, its text, its history.
    fn file(&self) -> Markup {
        let draft = &self.draft;
        let (old, new) = (
            draft.base.extractor.as_ref().map(|known| known.wrapper()),
            draft.wrapper(),
        );
        let Some(new) = new else {
            return html! {};
        };
        let yaml = new.to_yaml();
        html! {
            @if let (Some(old), false) = (old, draft.steps.is_empty()) {
                details open {
                    summary { "Differences from the saved wrapper" }
                    @let differences = changes(old, new);
                    @if differences.is_empty() { p { "No expression differs." } }
                    ul { @for change in &differences { li { (change.at) ": " code { (change) } } } }
                    details { summary { "Of the files (YAML)" } (PreEscaped(diff_html(&Diff::of(&old.to_yaml(), &yaml).hunks(CONTEXT_WORDS)))) }
                }
            }
            details { summary { "The file (YAML)" } pre .code tabindex="0" { (yaml) } }
            @if let Some(old) = old.filter(|old| !old.history.is_empty()) {
                details {
                    summary { "History: " (counted(old.history.len(), "earlier wrapper", "earlier wrappers")) }
                    ol { @for (at, retired) in old.history.iter().take(HISTORY).enumerate() { li {
                        "until " (retired.until) ": " @for body in &retired.body { code { (body) } " " }
                        (self.button("restore", Some(at), "Preview"))
                    } } }
                }
            }
        }
    }
}

/// The fall of the expected F1 of a page from which a person is warned.
const LARGE_FALL: f64 = 0.2;

fn f1(result: &PageResult) -> String {
    result
        .expected_f1
        .map_or_else(|| "–".to_owned(), |f1| format!("{f1:.2}"))
}

/// The colours of the parts.
fn legend() -> Markup {
    const PARTS: [&str; 6] = ["body", "strip", "title", "author", "date", "tags"];
    html! { ul .legend aria-label="Colours" { @for part in PARTS { li class=(part) { (part) } } } }
}
