//! Names that known challenges, consent tools and paywalls leave in the markup of
//! a page.

use super::shape::Shape;
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Maximum number of searched elements: the pages in question are small.
const MAX_ELEMENTS: usize = 3000;

/// Maximum number of bytes of a searched value; longer ones are data.
const MAX_VALUE_BYTES: usize = 500;

/// Maximum number of searched bytes of a script.
const MAX_SCRIPT_BYTES: usize = 20_000;

/// Maximum number of searched scripts.
const MAX_SCRIPTS: usize = 12;

/// Names in attributes of pages that are challenges.
const CHALLENGES: [&str; 14] = [
    "cf-browser-verification",
    "cf_chl",
    "cf-chl",
    "orchestrate/chl_page",
    "challenge-form",
    "challenge-error-text",
    "challenge-running",
    "px-captcha",
    "captcha-delivery",
    "_Incapsula_Resource",
    "checkcaptcha",
    "awswaf",
    "ddos-guard",
    "sec-if-cpt",
];

/// Names in the scripts of such pages.
const CHALLENGE_SCRIPTS: [&str; 6] = [
    "_cf_chl_opt",
    "captcha-delivery",
    "_pxAppId",
    "_Incapsula_Resource",
    "awsWafCookie",
    "gokuProps",
];

/// Names of tasks for people, which occur in forms of other pages too.
const CAPTCHAS: [&str; 7] = [
    "g-recaptcha",
    "h-captcha",
    "cf-turnstile",
    "geetest",
    "CheckboxCaptcha",
    "smart-captcha",
    "/captcha",
];

/// Names of consent tools.
const CONSENTS: [&str; 14] = [
    "onetrust",
    "sp_message",
    "sp_choice",
    "didomi",
    "qc-cmp",
    "usercentrics",
    "CybotCookiebot",
    "iubenda-cs",
    "cmp-page",
    "truste",
    "fc-consent",
    "privacygate",
    "consent-wizard",
    "consent-form",
];

/// Names of paywalls.
const PAYWALLS: [&str; 4] = ["paywall", "subscriber-only", "piano-offer", "regwall"];

/// Ids of the elements that scripts fill.
const ROOTS: [&str; 8] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "svelte",
    "main-app",
    "react-root",
];

/// The marks of known tools in the markup.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub challenge: bool,
    pub captcha: bool,
    pub consent: bool,
    pub paywall: bool,
    /// An element that scripts fill is empty.
    pub empty_root: bool,
}

impl Marks {
    pub fn of(page: &Page, shape: &Shape<'_>) -> Marks {
        let mut marks = Marks::default();
        for n in page.elements().take(MAX_ELEMENTS) {
            marks.element(page, n);
        }
        for &n in shape.scripts.iter().take(MAX_SCRIPTS) {
            let script = page.text(n);
            let script = &script[..script.floor_char_boundary(MAX_SCRIPT_BYTES)];
            marks.challenge |= has(script, &CHALLENGE_SCRIPTS);
        }
        marks
    }

    fn element(&mut self, page: &Page, n: NodeId) {
        for (name, value) in page.attrs(n) {
            if value.len() > MAX_VALUE_BYTES {
                continue;
            }
            match name.local {
                local_name!("id")
                | local_name!("class")
                | local_name!("src")
                | local_name!("action") => {
                    self.challenge |= has(value, &CHALLENGES);
                    self.captcha |= has(value, &CAPTCHAS);
                    self.consent |= has(value, &CONSENTS);
                    self.paywall |= has(value, &PAYWALLS);
                    self.empty_root |= name.local == local_name!("id")
                        && ROOTS.contains(&value)
                        && is_blank(page.text(n));
                }
                _ => {}
            }
        }
        let is_component = page.tag(n).is_some_and(|tag| tag.ends_with("app-root"));
        self.empty_root |= is_component && is_blank(page.text(n));
    }
}

/// True if an element has the name of a paywall.
pub(super) fn has_paywall(page: &Page, n: NodeId) -> bool {
    let is_named = |name: &html5ever::QualName| {
        let (id, class) = (local_name!("id"), local_name!("class"));
        let (src, action) = (local_name!("src"), local_name!("action"));
        [id, class, src, action].contains(&name.local)
    };
    page.attrs(n).any(|(name, value)| {
        value.len() <= MAX_VALUE_BYTES && is_named(name) && has(value, &PAYWALLS)
    })
}

fn has(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.contains(name))
}

fn is_blank(text: &str) -> bool {
    text.len() < MAX_VALUE_BYTES && text.trim_ascii().is_empty()
}
