//! Signs of a wall behind a text, for a caller that has a longer text of the article. For
//! [`judge`](super::judge) a page with the beginning of an article holds an article.

use super::kind::NoArticle;
use super::marks::has_paywall;
use super::phrases::{PhrasePlace, hits, kinds_of};
use forest_html::page::Page;
use forest_html::text::metric_tokens;
use html5ever::local_name;
use std::collections::BTreeSet;

/// Values of `article:content_tier` of articles that are not free.
const TIERS: [&str; 2] = ["locked", "metered"];

/// True if a page's markup states that its article is not free: by schema.org's
/// `isAccessibleForFree`, by `article:content_tier`, or by the names that paywalls leave. Many
/// such pages show their articles whole.
///
/// ```
/// use forest_core::refusal::is_sold;
/// use forest_html::page::Page;
///
/// let is_sold = |html| is_sold(&Page::from_html(html));
/// assert!(is_sold("<meta property=article:content_tier content=locked><p>The ferry"));
/// assert!(is_sold("<p>The ferry</p><div class=paywall></div>"));
/// assert!(!is_sold("<p>The ferry"));
/// ```
pub fn is_sold(page: &Page) -> bool {
    page.metadata().is_sold
        || page.elements().any(|n| {
            let has = |key, value: &str| page.attr(n, key).is_some_and(|v| v.trim() == value);
            let content = page.attr(n, "content").unwrap_or_default().trim();
            let is_tier = page.is(n, &local_name!("meta"))
                && has("property", "article:content_tier")
                && TIERS.contains(&content);
            let is_not_free =
                has("itemprop", "isAccessibleForFree") && content.eq_ignore_ascii_case("false");
            is_tier || is_not_free || has_paywall(page, n)
        })
}

/// The phrases by which a text asks its reader to subscribe or to log in, each by its
/// number, which is the same in every text. Short lines are looked at as headings, too.
///
/// ```
/// use forest_core::refusal::invitations;
///
/// assert!(invitations("The ferry leaves an hour later from Monday.").is_empty());
/// let asks = invitations("Already a subscriber?");
/// assert_eq!(asks.len(), 1);
/// assert!(asks.is_subset(&invitations("The ferry ... Already a subscriber?\nLog in")));
/// ```
pub fn invitations(text: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let tokens = metric_tokens(line);
        let tokens: Vec<&str> = tokens.iter().collect();
        let asks = |kind| matches!(kind, NoArticle::Login | NoArticle::Paywall);
        let in_line = hits(&tokens, PhrasePlace::Text).filter(|hit| asks(hit.kind));
        found.extend(in_line.map(|hit| hit.phrase));
        let heading = kinds_of(line, PhrasePlace::Head);
        let in_heading = hits(&tokens, PhrasePlace::Head);
        let in_heading = in_heading.filter(|hit| asks(hit.kind) && heading.contains(&hit.kind));
        found.extend(in_heading.map(|hit| hit.phrase));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_states_in_many_ways_that_it_is_not_free() {
        let check = |html: &str, expected| {
            assert_eq!(is_sold(&Page::from_html(html)), expected, "{html}");
        };
        let ld = |value| {
            format!(
                "<script type=application/ld+json>{{\"isAccessibleForFree\": {value}}}</script><p>x"
            )
        };
        check(&ld("false"), true);
        check(&ld("\"False\""), true);
        check(&ld("true"), false);
        check("<meta itemprop=isAccessibleForFree content=False>", true);
        check("<meta itemprop=isAccessibleForFree content=True>", false);
        check("<meta property=article:content_tier content=metered>", true);
        check("<meta property=article:content_tier content=free>", false);
        check("<section class='box piano-offer'>x", true);
        check("<p>This is about a paywall.", false);
        let far = "<i>x</i>".repeat(5000) + "<div id=regwall>";
        check(&far, true);
    }

    #[test]
    fn an_invitation_is_distinguished_from_a_story_about_one() {
        let check = |text, expected| assert_eq!(!invitations(text).is_empty(), expected, "{text}");
        check("Subscribe to continue reading", true);
        check("Il vous reste 80 % de cet article à lire.", true);
        check("Create a free account to continue", true);
        check("Register to read", true);
        check("She could not log in, register to read or vote.", false);
        check("Are you a robot? Page not found.", false);
        check("", false);
    }
}
