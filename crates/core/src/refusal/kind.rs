//! The kinds of pages without an article, and the judgement of a page.

use std::fmt;

/// The kind of a page without an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum NoArticle {
    /// It asks whether the reader is human.
    Challenge,
    /// It asks for consent.
    Consent,
    /// It asks for a name and a password.
    Login,
    /// It asks for a subscription, and shows almost nothing of the article.
    Paywall,
    /// It reports that there is no page: not found, gone, an error, maintenance, a domain for
    /// sale.
    Error,
    /// It has no text of its own: scripts, frames, or a way to another page.
    Shell,
}

impl NoArticle {
    /// All kinds.
    pub const ALL: [NoArticle; Self::COUNT] = [
        NoArticle::Challenge,
        NoArticle::Consent,
        NoArticle::Login,
        NoArticle::Paywall,
        NoArticle::Error,
        NoArticle::Shell,
    ];

    pub(super) const COUNT: usize = 6;

    /// Its name, a word in lower case.
    pub fn name(self) -> &'static str {
        match self {
            NoArticle::Challenge => "challenge",
            NoArticle::Consent => "consent",
            NoArticle::Login => "login",
            NoArticle::Paywall => "paywall",
            NoArticle::Error => "error",
            NoArticle::Shell => "shell",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<NoArticle> {
        NoArticle::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the kind blocks an article that another reader, or the same one by other means,
    /// may read. Else the page has no article.
    pub fn is_in_the_way(self) -> bool {
        use NoArticle::{Challenge, Consent, Login, Paywall};
        matches!(self, Challenge | Consent | Login | Paywall)
    }
}

/// A sentence for a reader.
impl fmt::Display for NoArticle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoArticle::Challenge => "the page asks whether its reader is human",
            NoArticle::Consent => "the page asks for consent before it shows the article",
            NoArticle::Login => "the page asks its reader to log in",
            NoArticle::Paywall => "the page asks for a subscription before it shows the article",
            NoArticle::Error => {
                "the page says that there is nothing here: not found or out of order"
            }
            NoArticle::Shell => "the page is empty: its text comes by scripts or from another page",
        })
    }
}

/// A sign for or against a kind of page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefusalSign {
    /// The sign in words.
    pub what: &'static str,
    /// The change of the log-odds; negative for a sign against.
    pub weight: f64,
}

/// The reasons to take a page for one without an article.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The kind of the page.
    pub kind: NoArticle,
    /// The probability of that kind, 0.5 to 1.
    pub confidence: f64,
    /// The signs, the largest weight first; at most five.
    pub signs: Vec<RefusalSign>,
}

/// Kind, confidence and signs: `error (0.98): the title says so (+3.0)`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.2}):", self.kind.name(), self.confidence)?;
        for (i, sign) in self.signs.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma} {} ({:+.1})", sign.what, sign.weight)?;
        }
        Ok(())
    }
}

/// The judgement of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The probability that the page holds an article, 0 to 1.
    pub article: f64,
    /// The reason to take it for a page without one, if `article` is below 0.5.
    pub refusal: Option<Refusal>,
    /// True if the page has so little prose that its phrases can make it a wall, an error or a
    /// shell. More of the page never makes it true.
    pub may_be_a_wall: bool,
    /// The share of the kept words that stand in links, 0 to 1.
    pub linked_words: f64,
}
