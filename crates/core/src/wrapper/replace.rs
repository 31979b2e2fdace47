//! Replacements in a page's source before it is parsed.
//!
//! As ftr-site-config's `find_string` and `replace_string` do it: letter by letter,
//! one replacement after the other, each over what the one before it left.

use super::{Replace, Wrapper};
use forest_html::page::MAX_PAGE_BYTES;
use std::borrow::Cow;

/// Replacements of a wrapper at the most: each reads the whole page.
pub const MAX_REPLACES: usize = 256;

impl Wrapper {
    /// A page's source with the replacements made. One that would make it longer
    /// than [`MAX_PAGE_BYTES`], and than it was, is left out.
    ///
    /// ```
    /// use forest_core::wrapper::{Replace, Wrapper};
    ///
    /// let replace = vec![Replace { find: "<amp-img".into(), with: "<img".into() }];
    /// let wrapper = Wrapper { replace, ..Wrapper::default() };
    /// assert_eq!(wrapper.replaced("<amp-img src=a>".into()), "<img src=a>");
    /// ```
    pub fn replaced<'a>(&self, source: Cow<'a, str>) -> Cow<'a, str> {
        let rules = self.replace.iter().take(MAX_REPLACES);
        rules.fold(source, |text, rule| match replace_all(&text, rule) {
            Some(changed) => Cow::Owned(changed),
            None => text,
        })
    }
}

/// The text with one replacement made; `None` if nothing changes, or too much.
fn replace_all(text: &str, rule: &Replace) -> Option<String> {
    let Replace { find, with } = rule;
    if find.is_empty() || find == with {
        return None;
    }
    let found = text.matches(&**find).count();
    let longer = text.len() - found * find.len() + found.checked_mul(with.len())?;
    (found > 0 && longer <= MAX_PAGE_BYTES.max(text.len())).then(|| text.replace(&**find, with))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &[(&str, &str)], text: &str, expected: &str) {
        let replace = rules.iter().map(|(find, with)| Replace {
            find: (*find).to_owned(),
            with: (*with).to_owned(),
        });
        let wrapper = Wrapper {
            replace: replace.collect(),
            ..Wrapper::default()
        };
        assert_eq!(wrapper.replaced(text.into()), expected);
    }

    #[test]
    fn one_after_the_other() {
        check(&[("a", "b"), ("b", "c")], "ab", "cc");
        check(&[("<br><br>", "<p>")], "1<br><br>2", "1<p>2");
        check(&[("x", "")], "axa", "aa");
        check(&[("", "y"), ("z", "y")], "axa", "axa");
    }

    #[test]
    fn growth_is_bounded() {
        let long = "b".repeat(1_000_000);
        let many = vec![("b", &*long); 3];
        let mut text = "b".repeat(25);
        check(&many, &text, &text);
        text.truncate(1);
        check(&many, &text, &long);
    }

    #[test]
    fn too_many_are_refused() {
        let rule = Replace {
            find: "a".to_owned(),
            with: "b".to_owned(),
        };
        let mut wrapper = Wrapper {
            replace: vec![rule.clone(); MAX_REPLACES],
            ..Wrapper::default()
        };
        assert!(wrapper.compile().is_ok());
        wrapper.replace.push(rule);
        assert!(wrapper.compile().is_err());
    }
}
