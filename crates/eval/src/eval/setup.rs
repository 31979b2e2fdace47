//! A method with its settings, and its name in tables, dumps and floors.

use forest_core::learn::{LearnOptions, Method, SignifierSource};
use forest_text::pipeline::AnyMethod;
use std::ops::Range;

/// Pages that a site is learned from where it has no more than were to be learned
/// from: three of five, the half (rounded up) of fewer.
const FEW: usize = 3;

/// A method with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The method.
    pub method: AnyMethod,
    /// How it learns, if it does.
    pub options: LearnOptions,
    /// Learn from the first so many pages of a site by id and score the others
    /// (of a site that has no more: from three, or from half of fewer than six);
    /// `None`: learn from all and score all, as the paper does.
    pub learn_on: Option<usize>,
    /// Also give the scores of each page's blocks in a dump.
    pub blocks: bool,
}

/// The pages of a site that a method learns from and those that are scored, as
/// indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Pages to learn from.
    pub train: Range<usize>,
    /// Pages to score.
    pub test: Range<usize>,
}

impl Setup {
    /// A method with its defaults, which learns from all pages of a site and scores them.
    pub fn of(method: impl Into<AnyMethod>, signifiers: SignifierSource) -> Setup {
        let method = method.into();
        let mut options = LearnOptions::default().with_signifiers(signifiers);
        if let Some(of_site) = method.of_site() {
            options = options.with_method(of_site);
        }
        Setup {
            method,
            options,
            learn_on: None,
            blocks: false,
        }
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
    /// use forest_eval::eval::Setup;
    /// use forest_core::learn::{Method, SignifierSource};
    /// let setup = Setup::of(Method::PaperNoDfs, SignifierSource::Feed);
    /// assert_eq!(setup.label(), "paper-nodfs-feed");
    /// assert_eq!(Setup::by_label("paper-nodfs-feed"), Some(setup));
    /// assert_eq!(Setup::of(Method::Sigfeed, SignifierSource::TfIdf).label(), "sigfeed");
    /// ```
    pub fn label(&self) -> String {
        match &self.method {
            method if method.learns() => self.file_stem(),
            method => method.to_string(),
        }
    }

    /// The name of a dump: `<method>-<signifiers>`, even if the method uses
    /// no signifiers.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.method, self.options.signifiers())
    }

    /// The setup with this [`label`](Setup::label) and defaults otherwise, if there
    /// is one. Words of the user and pipelines in files have no name of their own.
    pub fn by_label(label: &str) -> Option<Setup> {
        if let Ok(method) = label.parse::<AnyMethod>()
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

    /// The pages of a site of `pages` pages that are learned from and scored.
    pub fn split(&self, pages: usize) -> Split {
        let Some(n) = self.learn_on else {
            return Split {
                train: 0..pages,
                test: 0..pages,
            };
        };
        let few = FEW.min(pages.div_ceil(2));
        let n = if pages > n { n } else { few };
        Split {
            train: 0..n,
            test: n..pages,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: usize, learn_on: Option<usize>, expected: &str) {
        let setup = Setup {
            blocks: false,
            learn_on,
            ..Setup::of(Method::Paper, SignifierSource::TfIdf)
        };
        let Split { train, test } = setup.split(pages);
        assert_eq!(format!("{train:?}>{test:?}"), expected);
    }

    #[test]
    fn all_pages_are_learned_from_and_scored() {
        check(7, None, "0..7>0..7");
        check(0, None, "0..0>0..0");
    }

    #[test]
    fn unseen_pages_come_after_those_that_are_learned_from() {
        check(10, Some(5), "0..5>5..10");
        check(5, Some(5), "0..3>3..5");
        check(4, Some(5), "0..2>2..4");
        check(1, Some(5), "0..1>1..1");
    }

    #[test]
    fn labels_are_read_back() {
        for method in AnyMethod::all() {
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
