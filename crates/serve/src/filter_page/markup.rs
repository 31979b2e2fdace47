//! The markup of the page of settings.

use super::fields::{SCREENS, Screen, SettingField, choices};
use super::form::SettingsForm;
use super::preview::Preview;
use crate::state::FilterApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_html::error::counted;
use forest_text::filter::Profile;
use forest_web::ad_status;
use forest_web::shell;
use maud::{Markup, html};
use serde_json::Value;
use std::sync::Arc;
use std::time::SystemTime;

/// A message above the form.
#[derive(Debug)]
pub(super) struct FormNotice {
    text: String,
    /// The field at fault; `None` if all went well.
    field: Option<&'static str>,
}

impl FormNotice {
    pub(super) fn good(text: impl Into<String>) -> FormNotice {
        FormNotice {
            text: text.into(),
            field: None,
        }
    }

    pub(super) fn bad(field: &'static str, text: impl Into<String>) -> FormNotice {
        FormNotice {
            text: text.into(),
            field: Some(field),
        }
    }
}

/// All that the page shows.
pub(super) struct FilterPage<'a> {
    state: &'a FilterApp,
    pub(super) form: SettingsForm,
    pub(super) url: String,
    /// The address that was opened last, as it was typed.
    pub(super) shown: String,
    pub(super) typed: String,
    pub(super) name: String,
    pub(super) notice: Option<FormNotice>,
    pub(super) preview: Option<Arc<Preview>>,
}

impl<'a> FilterPage<'a> {
    pub(super) fn new(state: &'a FilterApp, form: SettingsForm) -> FilterPage<'a> {
        FilterPage {
            state,
            form,
            url: String::new(),
            shown: String::new(),
            typed: String::new(),
            name: String::new(),
            notice: None,
            preview: None,
        }
    }

    pub(super) fn answer(&self) -> Response<Body> {
        let is_bad = self.form.fault.is_some()
            || self
                .notice
                .as_ref()
                .is_some_and(|notice| notice.field.is_some());
        let status = if is_bad {
            StatusCode::UNPROCESSABLE_ENTITY
        } else {
            StatusCode::OK
        };
        shell::page(status, "Filter settings", &self.main())
    }

    fn main(&self) -> Markup {
        let id = self.preview.as_ref().map_or("", |preview| &preview.id);
        html! {
            h1 { "Filter settings" }
            @if let Some(fault) = self.state.filter.fault() {
                p .bad role="alert" { "The file of settings is not active: " (fault) }
            }
            form #settings method="post" action="filter" {
                input type="hidden" name="token" value=(self.state.web.token.text());
                input #preview type="hidden" name="preview" value=(id);
                input type="hidden" name="shown" value=(self.shown);
                // The first button is the one that Enter presses: a new address is opened.
                button .unseen type="submit" name="action" value="enter" tabindex="-1"
                    aria-hidden="true" { "Show the change" }
                (self.source())
                (self.notices())
                .columns {
                    section .screens aria-labelledby="settings-title" {
                        h2 #settings-title { "Settings" }
                        (self.profiles())
                        @for (number, screen) in SCREENS.iter().enumerate() {
                            (self.screen(screen, number == 0))
                        }
                        (ad_status::shown(
                            &self.state.filter.ad_lists(),
                            self.state.filter.ads().len(),
                            SystemTime::now().into(),
                        ))
                        (self.buttons())
                    }
                    section #result aria-labelledby="result-title" {
                        h2 #result-title { "What goes" }
                        (self.result())
                    }
                }
            }
        }
    }

    fn source(&self) -> Markup {
        html! {
            fieldset {
                legend { "Page to try the settings on" }
                label for="url" { "Address" }
                .row {
                    input #url name="url" type="text" inputmode="url" autocomplete="url"
                        placeholder="https://example.org/" value=(self.url)
                        aria-describedby=[self.fault_of("url")]
                        aria-invalid=[self.fault_of("url").map(|_| "true")];
                    button type="submit" name="action" value="open" { "Show" }
                }
                details open[!self.typed.is_empty()] {
                    summary { "Or paste the page" }
                    label for="page" { "HTML; a file can be dropped here" }
                    textarea #page name="page" rows="6" spellcheck="false" { "\n" (self.typed) }
                }
            }
        }
    }

    /// The name of the message for a field with a mistake.
    fn fault_of(&self, field: &str) -> Option<&'static str> {
        let notice = self.notice.as_ref()?;
        (notice.field? == field).then_some("notice")
    }

    fn notices(&self) -> Markup {
        html! {
            #notice-place aria-live="polite" {
                @if let Some(notice) = &self.notice {
                    @let class = if notice.field.is_some() { "bad" } else { "good" };
                    p #notice class=(class) { (notice.text) }
                }
                @if let Some((key, why)) = &self.form.fault {
                    p .bad { "Not changed: " (label(key)) ": " (why) "." }
                }
            }
        }
    }

    fn profiles(&self) -> Markup {
        html! {
            label for="profile" { "Begin with a profile" }
            .row {
                select #profile name="profile" {
                    @for profile in Profile::ALL {
                        @let is_chosen = self.form.settings == Some(profile.settings());
                        option value=(profile.name()) selected[is_chosen] { (profile.name()) " – " (profile.purpose()) }
                    }
                }
                button type="submit" name="action" value="profile" { "Take it" }
            }
        }
    }

    fn screen(&self, screen: &Screen, is_open: bool) -> Markup {
        let is_faulty = self
            .form
            .fault
            .as_ref()
            .is_some_and(|(key, _)| screen.fields.iter().any(|field| field.key == key));
        html! {
            details .screen open[is_open || is_faulty] {
                summary { h3 { (screen.title) } }
                p { (screen.intro) }
                @for field in screen.fields { (self.field(field)) }
            }
        }
    }

    fn field(&self, field: &SettingField) -> Markup {
        let SettingField { key, label, hint } = *field;
        let fault = self.form.fault.as_ref().filter(|(faulty, _)| faulty == key);
        let fault = fault.map(|(_, why)| why.as_str());
        let hint_id = (!hint.is_empty()).then(|| format!("{key}-hint"));
        let fault_id = fault.map(|_| format!("{key}-fault"));
        let ids: Vec<String> = hint_id.iter().chain(&fault_id).cloned().collect();
        let described = (!ids.is_empty()).then(|| ids.join(" "));
        let invalid = fault.map(|_| "true");
        let control = match self.form.shown.get(key) {
            Some(Value::Bool(on)) => html! {
                input id=(key) name=(key) type="checkbox" checked[*on] value="on"
                    aria-describedby=[&described];
                label for=(key) { (label) }
            },
            Some(Value::String(chosen)) if !choices(key).is_empty() => html! {
                label for=(key) { (label) }
                select id=(key) name=(key) aria-describedby=[&described] {
                    @for (value, name) in choices(key) {
                        option value=(value) selected[value == chosen] { (name) }
                    }
                }
            },
            value => html! {
                label for=(key) { (label) }
                input id=(key) name=(key) type="text" value=(shown(value))
                    aria-describedby=[&described] aria-invalid=[invalid];
            },
        };
        html! {
            .field {
                (control)
                @if let Some(id) = &hint_id { p .hint id=(id) { (hint) } }
                @if let (Some(id), Some(why)) = (&fault_id, fault) {
                    p .bad id=(id) { (why) }
                }
            }
        }
    }

    fn buttons(&self) -> Markup {
        html! {
            .row {
                button type="submit" name="action" value="change" { "Show the change" }
                button .main type="submit" name="action" value="commit" { "Commit" }
                button type="submit" name="action" value="cancel" { "Cancel" }
            }
            label for="name" { "Save as a profile" }
            .row {
                input #name name="name" type="text" value=(self.name) autocomplete="off"
                    spellcheck="false" placeholder="my-phone"
                    aria-describedby=[self.fault_of("name")]
                    aria-invalid=[self.fault_of("name").map(|_| "true")];
                button type="submit" name="action" value="save" { "Save" }
            }
        }
    }

    fn result(&self) -> Markup {
        let Some(preview) = &self.preview else {
            return html! { p { "No page yet: give an address above, or paste a page." } };
        };
        let (before, left) = (preview.before, preview.left);
        let rows = [
            ("Words", before.words, left.words),
            ("Links", before.links, left.links),
            ("Images", before.images, left.images),
            ("Bytes", preview.page.bytes.len(), preview.bytes_after),
        ];
        html! {
            .scroll {
                table {
                    caption { "Before and after" }
                    thead { tr { th scope="col" { "Of the page" } th scope="col" { "Before" } th scope="col" { "After" } } }
                    tbody {
                        @for (name, before, after) in rows {
                            tr { th scope="row" { (name) } td { (before) } td { (after) } }
                        }
                    }
                }
            }
            @for warning in &preview.warnings { p .bad { (warning) } }
            @if !preview.changes.is_empty() {
                details {
                    summary { "By filter" }
                    ul { @for count in &preview.changes {
                        li { (count.filter) ": " (counted(count.changes, "change", "changes")) }
                    } }
                }
            }
            p .bar {
                span { "Nothing is loaded from elsewhere." }
                @for (place, name) in [("before", "The page before"), ("after", "The page after")] {
                    a href=(format!("filter/frame/{}/{place}?load=on", preview.id)) target="_blank" rel="noreferrer" {
                        (name) " with pictures and styles from elsewhere"
                    }
                }
            }
            .sides {
                (side(&preview.id, "before", "Before; what goes is outlined"))
                (side(&preview.id, "after", "After"))
            }
        }
    }
}

fn side(id: &str, side: &str, title: &str) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            iframe title=(title) sandbox="" loading="lazy" referrerpolicy="no-referrer"
                src=(format!("filter/frame/{id}/{side}")) {}
        }
    }
}

/// The label of a setting, or its key.
fn label(key: &str) -> &str {
    let fields = SCREENS.iter().flat_map(|screen| screen.fields);
    let mut found = fields.filter(|field| field.key == key);
    found.next().map_or(key, |field| field.label)
}

/// A value as it is typed.
fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(tags)) => {
            let tags: Vec<&str> = tags.iter().filter_map(Value::as_str).collect();
            tags.join(" ")
        }
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
