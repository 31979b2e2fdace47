//! One way to run a method, and what it is called in tables, dumps and floors.

use crate::learn::{LearnOptions, Method, SignifierSource};
use std::ops::Range;

/// Pages that a site is learned from where it has no more than were to be learned
/// from: three of five, the half (rounded up) of fewer.
const FEW: usize = 3;

/// One way to run a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// How to learn, or what page-by-page method to use.
    pub options: LearnOptions,
    /// Learn from the first so many pages of a site by id and score the others
    /// (of a site that has no more: from three, or from half of fewer than six);
    /// `None`: learn from all and score all, as the paper does.
    pub learn_on: Option<usize>,
    /// Learn from so many pages at the most (figure 5). Where all pages are
    /// scored, a page is learned from the block of so many pages, consecutive by
    /// id, that it stands in; the last block of a site is filled up with the pages
    /// before it. So each page is in its own sample, as in the paper, and a site of
    /// m pages costs m pages of learning for each number, not m times as many.
    pub at_most: Option<usize>,
}

/// Pages to learn from and pages to score with what was learned, both as indices
/// into a site's pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Pages to learn from.
    pub teach: Range<usize>,
    /// Pages to score.
    pub score: Range<usize>,
}

impl Setup {
    /// A setup that learns from all pages of a site and scores them.
    pub fn new(options: LearnOptions) -> Setup {
        Setup {
            options,
            learn_on: None,
            at_most: None,
        }
    }

    /// A method with its defaults.
    pub fn of(method: Method, signifiers: SignifierSource) -> Setup {
        let options = LearnOptions::default().with_method(method);
        Setup::new(options.with_signifiers(signifiers))
    }

    /// This setup, scored on pages that were not learned from.
    pub fn unseen(mut self, learn_on: usize) -> Setup {
        self.learn_on = Some(learn_on);
        self
    }

    /// The name of the method, with the signifiers where it may have several:
    /// `paper-tfidf`, `boilerpipe`, `pipeline:precise`.
    ///
    /// ```
    /// use forest::{eval::Setup, learn::{Method, SignifierSource}};
    /// let setup = Setup::of(Method::PaperNoDfs, SignifierSource::Feed);
    /// assert_eq!(setup.label(), "paper-nodfs-feed");
    /// assert_eq!(Setup::by_label("paper-nodfs-feed"), Some(setup));
    /// assert_eq!(Setup::of(Method::Sigfeed, SignifierSource::TfIdf).label(), "sigfeed");
    /// ```
    pub fn label(&self) -> String {
        match self.options.method() {
            method if method.learns() => self.file_stem(),
            method => method.to_string(),
        }
    }

    /// The name of a dump: `<method>-<signifiers>`, whether the method uses them or
    /// not.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.options.method(), self.options.signifiers())
    }

    /// The setup with this [`label`](Setup::label) and defaults otherwise, if there
    /// is one. Words of the user and pipelines in files have no name of their own.
    pub fn by_label(label: &str) -> Option<Setup> {
        if let Ok(method) = label.parse::<Method>()
            && !method.learns()
        {
            let setup = Setup::of(method, SignifierSource::default());
            return (setup.label() == label).then_some(setup);
        }
        let (method, signifiers) = label.rsplit_once('-')?;
        let sources = [
            SignifierSource::TfIdf,
            SignifierSource::Feed,
            SignifierSource::Metadata,
        ];
        let source = sources.into_iter().find(|s| s.name() == signifiers)?;
        let method: Method = method.parse().ok()?;
        method.learns().then(|| Setup::of(method, source))
    }

    /// How a site of `pages` pages is learned and scored.
    pub fn shares(&self, pages: usize) -> Vec<Share> {
        let at_most = self.at_most.unwrap_or(pages).max(1);
        if let Some(n) = self.learn_on {
            let few = FEW.min(pages.div_ceil(2));
            let n = if pages > n { n } else { few };
            return vec![Share {
                teach: 0..n.min(at_most),
                score: n..pages,
            }];
        }
        (0..pages)
            .step_by(at_most)
            .map(|first| {
                let end = (first + at_most).min(pages);
                Share {
                    teach: end.saturating_sub(at_most)..end,
                    score: first..end,
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: usize, learn_on: Option<usize>, at_most: Option<usize>, expected: &str) {
        let setup = Setup {
            learn_on,
            at_most,
            ..Setup::of(Method::Paper, SignifierSource::TfIdf)
        };
        let shares: Vec<String> = setup
            .shares(pages)
            .into_iter()
            .map(|share| format!("{:?}>{:?}", share.teach, share.score))
            .collect();
        assert_eq!(shares.join(" "), expected);
    }

    #[test]
    fn all_pages_teach_and_are_scored() {
        check(7, None, None, "0..7>0..7");
        check(0, None, None, "");
    }

    #[test]
    fn blocks_hold_the_page_and_are_full() {
        check(7, None, Some(3), "0..3>0..3 3..6>3..6 4..7>6..7");
        check(2, None, Some(3), "0..2>0..2");
        check(2, None, Some(1), "0..1>0..1 1..2>1..2");
    }

    #[test]
    fn unseen_pages_come_after_those_that_teach() {
        check(10, Some(5), None, "0..5>5..10");
        check(5, Some(5), None, "0..3>3..5");
        check(4, Some(5), None, "0..2>2..4");
        check(1, Some(5), None, "0..1>1..1");
        check(10, Some(5), Some(2), "0..2>5..10");
    }

    #[test]
    fn labels_are_read_back() {
        for method in Method::all() {
            let setup = Setup::of(method, SignifierSource::TfIdf);
            assert_eq!(Setup::by_label(&setup.label()), Some(setup));
        }
        for none in [
            "paper",
            "paper-words",
            "boilerpipe-tfidf",
            "lqf-new",
            "pipeline:magic",
            "magic",
            "",
        ] {
            assert_eq!(Setup::by_label(none), None, "{none}");
        }
    }
}
