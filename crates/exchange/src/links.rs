//! Alternatives of a link, some with a condition, as one expression.
//!
//! ftr-site-config tries them in order and takes the first one with a result.
//! `if_page_contains` is a condition on the alternative before it.

use super::note::NoteKind;
use forest_core::wrapper::xpath::XPath;

/// One alternative.
#[derive(Debug)]
pub(super) struct GuardedLink {
    pub line: usize,
    pub xpath: XPath,
    pub condition: Option<XPath>,
}

impl GuardedLink {
    fn guard(&self) -> Option<String> {
        self.condition.as_ref().map(truth)
    }

    /// The expression with its condition.
    fn guarded(&self) -> String {
        match self.guard() {
            Some(guard) => only_if(&self.xpath, &guard),
            None => self.xpath.source().to_owned(),
        }
    }
}

/// An expression as a condition that means the same within a predicate.
fn truth(condition: &XPath) -> String {
    let source = condition.source();
    if condition.gives_nodes() && source.starts_with('/') {
        source.to_owned()
    } else {
        format!("/self::node()[boolean({source})]")
    }
}

/// An expression with the result of `xpath` if `guard` is true; else with none, or an empty
/// text.
pub(super) fn only_if(xpath: &XPath, guard: &str) -> String {
    let source = xpath.source();
    if xpath.gives_nodes() {
        format!("({source})[{guard}]")
    } else {
        // A substring from position 1, or from position infinity.
        format!("substring({source}, 1 div boolean({guard}))")
    }
}

/// The alternatives as one expression, and the lines that are not in it.
pub(super) fn joined(links: &[GuardedLink]) -> (Option<String>, Vec<(usize, NoteKind)>) {
    let mut left_out = Vec::new();
    let mut leave_out = |link: &GuardedLink, why| left_out.push((link.line, NoteKind::Link(why)));
    let Some((first, others)) = links.split_first() else {
        return (None, left_out);
    };
    let mut whole = first.guarded();
    let mut before = vec![whole.clone()];
    for link in others {
        if !first.xpath.gives_nodes() || !link.xpath.gives_nodes() {
            leave_out(link, "a text is no alternative of another link");
            continue;
        }
        let none_before: Vec<String> = before.iter().map(|b| format!("not({b})")).collect();
        let guards: Vec<String> = link.guard().into_iter().chain(none_before).collect();
        let longer = format!(
            "{whole} | ({})[{}]",
            link.xpath.source(),
            guards.join(" and ")
        );
        if XPath::parse(&longer).is_err() {
            leave_out(link, "too many alternatives for one expression");
            continue;
        }
        before.push(link.guarded());
        whole = longer;
    }
    match XPath::parse(&whole) {
        Ok(_) => (Some(whole), left_out),
        Err(_) => {
            leave_out(first, "too long with its condition");
            (None, left_out)
        }
    }
}
