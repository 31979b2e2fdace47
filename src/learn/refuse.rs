//! Pages that stand in the way of an article: challenges and consent walls.
//!
//! A page is one of them if it is short and says so in its title, or in its text
//! in words that only such pages put together. A long page is never refused: an
//! article may speak of captchas.

use crate::page::Page;
use crate::text::metric_tokens;

/// Words (metric tokens) up to which a page can be a challenge or a consent wall.
/// Consent pages of large portals carry some 150 to 300 words of legal text.
const MAX_WORDS: usize = 400;

/// Phrases of challenge pages, in lower case.
const CHALLENGE: [&str; 20] = [
    "just a moment...",
    "attention required! | cloudflare",
    "checking your browser before accessing",
    "checking if the site connection is secure",
    "verify you are human",
    "verifying you are human",
    "are you a robot",
    "you are not a robot",
    "prove you're not a robot",
    "pardon our interruption",
    "access to this page has been denied",
    "please enable js and disable any ad blocker",
    "enable javascript and cookies to continue",
    "ddos protection by",
    "unusual traffic from your computer network",
    "request unsuccessful. incapsula",
    "sicherheitsüberprüfung",
    "vérification de sécurité",
    "verifica que eres humano",
    "请完成安全验证",
];

/// Phrases of consent walls, in lower case.
const CONSENT: [&str; 14] = [
    "before you continue to",
    "we value your privacy",
    "we and our partners store",
    "wir und unsere partner",
    "mit werbung weiterlesen",
    "bevor sie fortfahren",
    "nous et nos partenaires",
    "avant de continuer",
    "nosotros y nuestros socios",
    "antes de continuar",
    "noi e i nostri partner",
    "wij en onze partners",
    "my i nasi partnerzy",
    "мы и наши партнеры",
];

/// Words of a button that agrees, without which a consent wall is none.
const AGREE: [&str; 12] = [
    "accept",
    "agree",
    "akzeptieren",
    "zustimmen",
    "accepter",
    "aceptar",
    "accetta",
    "akkoord",
    "akceptuj",
    "przejdź",
    "принять",
    "consent",
];

/// What stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// It asks whether the reader is human.
    Challenge,
    /// It asks for consent.
    Consent,
}

/// What wall a page is, if any. `words` are the words of its body.
pub(super) fn wall(page: &Page, text: &str, words: usize) -> Option<Wall> {
    if words > MAX_WORDS {
        return None;
    }
    let title = page
        .elements()
        .find(|&n| page.tag(n).is_some_and(|tag| &**tag == "title"))
        .map(|n| page.text(n).trim().to_lowercase())
        .unwrap_or_default();
    let text = text.to_lowercase();
    let says = |phrases: &[&str]| {
        phrases
            .iter()
            .any(|p| title.contains(p) || text.contains(p))
    };
    if says(&CHALLENGE) {
        Some(Wall::Challenge)
    } else if says(&CONSENT) && AGREE.iter().any(|w| text.contains(w)) {
        Some(Wall::Consent)
    } else {
        None
    }
}

/// What wall a page is, if any.
pub fn wall_of(page: &Page) -> Option<Wall> {
    let text = super::sample::body_text(page);
    wall(page, &text, metric_tokens(&text).len())
}
