//! The parts of a wrapper that a format has no place for.

use forest_core::wrapper::{Template, Wrapper};
use std::fmt;

/// A wrapper in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// The parts without a place in the format, and parts that it should have but has not.
    pub omissions: Vec<Omission>,
    /// The expressions that the format cannot express, each with the reason; empty unless
    /// they are [left out](super::UnsupportedPolicy::LeftOut).
    pub left_out: Vec<String>,
}

/// A part that an exported text does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// Fewer than [`TEST_URLS`](super::TEST_URLS) pages to test with.
    TestUrls,
    /// No text that an article must contain.
    TestContains,
    /// The format of a date.
    DateFormat,
    /// The expressions of an article's images.
    Images,
    /// The address of the feed.
    Feed,
    /// The replacements in a page before it is read.
    Replace,
    /// Links to the other pages of an article.
    Links,
    /// The strips within a paragraph.
    StripsInside,
    /// The pages that a wrapper and its templates are for, and the matches that a strip rule expects.
    Conditions,
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Omission::TestUrls => {
                "fewer than two test_url: the wrapper knows no addresses of pages; give some with \
                 `--pages`, or as `tests` in the wrapper"
            }
            Omission::TestContains => {
                "no test_contains: the wrapper knows no text of an article; give pages with \
                 `--pages`, or `tests` in the wrapper"
            }
            Omission::DateFormat => "the format of dates is left out: the reader has to guess it",
            Omission::Images => "expressions of images are left out: there is no place for them",
            Omission::Feed => {
                "no address of a feed is known: fill in xmlUrl, or `feed` in the wrapper"
            }
            Omission::Replace => {
                "replacements in the page are left out: there is no place for them"
            }
            Omission::StripsInside => {
                "what is stripped from within a paragraph stays: whole paragraphs are taken"
            }
            Omission::Conditions => {
                "the pages that it is for and what strip rules expect to take are left out: the \
                 rules are applied to every page"
            }
            Omission::Links => "links to further pages are left out: there is no place for them",
        })
    }
}

impl Omission {
    /// The members of `all` that apply to a wrapper, in their order.
    pub(super) fn of(wrapper: &Wrapper, templates: &[Template], all: &[Omission]) -> Vec<Omission> {
        let any = |has: fn(&Template) -> bool| templates.iter().any(has);
        let is_there = |omission: &&Omission| match omission {
            Omission::DateFormat => any(|t| t.date.iter().any(|date| date.format.is_some())),
            Omission::Images => any(|t| !t.images.is_empty()),
            Omission::StripsInside => any(|t| !t.strip.is_empty()),
            Omission::Replace => !wrapper.replace.is_empty(),
            Omission::Links => wrapper.next_page.is_some() || wrapper.single_page.is_some(),
            Omission::Conditions => {
                let has = |t: &Template| {
                    t.audience.is_some() || t.strip.iter().any(|rule| rule.expect.is_some())
                };
                wrapper.expect.is_some() || any(has)
            }
            Omission::Feed => !wrapper.feed.as_deref().is_some_and(is_address),
            Omission::TestUrls | Omission::TestContains => false,
        };
        all.iter().filter(is_there).copied().collect()
    }
}

/// Returns true if a feed's name is an address of the Web.
pub(super) fn is_address(feed: &str) -> bool {
    feed.starts_with("http://") || feed.starts_with("https://")
}
