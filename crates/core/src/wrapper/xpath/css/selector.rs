//! The parts of a selector, by the names of the standard.

/// Selectors that one expression may become: each `or` doubles them.
pub(super) const MAX_SELECTORS: usize = 64;

/// A part of a selector, or the reason why CSS has none.
pub(super) type CssResult<T> = Result<T, String>;

pub(super) fn refuse<T>(reason: &str) -> CssResult<T> {
    Err(reason.to_owned())
}

/// The simple selectors of one element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CompoundSelector {
    pub tag: Option<String>,
    pub rest: Vec<String>,
}

impl CompoundSelector {
    /// Adds a simple selector; `false` where nothing can be both.
    pub fn add(&mut self, simple: SimpleSelector) -> bool {
        match (simple.negated, simple.is_tag) {
            (false, true) => match &self.tag {
                Some(tag) => return *tag == simple.css,
                None => self.tag = Some(simple.css),
            },
            (true, _) => self.push(format!(":not({})", simple.css)),
            (false, false) => self.push(simple.css),
        }
        true
    }

    pub fn push(&mut self, css: String) {
        if !self.rest.contains(&css) {
            self.rest.push(css);
        }
    }

    pub fn shown(&self) -> String {
        match (&self.tag, self.rest.is_empty()) {
            (None, true) => "*".to_owned(),
            (tag, _) => format!("{}{}", tag.as_deref().unwrap_or(""), self.rest.concat()),
        }
    }
}

/// Compounds with what stands between them.
#[derive(Debug, Clone, Default)]
pub(super) struct ComplexSelector {
    pub before: String,
    pub last: CompoundSelector,
}

impl ComplexSelector {
    pub fn shown(&self) -> String {
        format!("{}{}", self.before, self.last.shown())
    }

    pub fn followed_by(&self, combinator: &str) -> ComplexSelector {
        ComplexSelector {
            before: format!("{}{combinator}", self.shown()),
            last: CompoundSelector::default(),
        }
    }
}

/// A simple selector of an element, or of what it is not.
#[derive(Debug, Clone)]
pub(super) struct SimpleSelector {
    pub css: String,
    pub is_tag: bool,
    pub negated: bool,
}

impl SimpleSelector {
    pub fn of(css: String, negated: bool) -> SimpleSelector {
        SimpleSelector {
            css,
            is_tag: false,
            negated,
        }
    }

    pub fn of_tag(css: String, negated: bool) -> SimpleSelector {
        SimpleSelector {
            is_tag: true,
            ..SimpleSelector::of(css, negated)
        }
    }
}

/// Alternatives of what must all be so.
pub(super) type Cases = Vec<Vec<SimpleSelector>>;
