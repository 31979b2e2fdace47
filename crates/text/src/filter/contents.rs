//! The contents of elements, counted.

use super::settings::FilterSettings;
use forest_html::text::is_unspaced;
use std::ops::{Add, AddAssign, Sub};

/// The contents of an element: links, letters and more, each counted.
///
/// Letters are letters and digits: a table of results has words, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contents {
    /// Elements `a` with an `href`.
    pub links: u32,
    /// Letters outside of links, in scripts that put spaces between words.
    pub letters: u32,
    /// Letters outside of links, in scripts that do not.
    pub unspaced: u32,
    /// Characters without white space, in links or not.
    pub characters: u32,
    /// Elements that are substance by [`FilterSettings::substance`].
    pub substance: u32,
    /// Fields of forms.
    pub fields: u32,
}

impl Contents {
    /// The contents of a text.
    pub(super) fn of_text(text: &str, linked: bool) -> Contents {
        let mut contents = Contents::default();
        // White space: of ASCII also the vertical tab.
        let is_shown = |b: u8| b.is_ascii() && !matches!(b, b' ' | b'\t'..=b'\r');
        contents.characters = text.bytes().map(|b| u32::from(is_shown(b))).sum();
        if !linked {
            let is_letter = |b: u8| b.is_ascii_alphanumeric();
            contents.letters = text.bytes().map(|b| u32::from(is_letter(b))).sum();
        }
        if !text.is_ascii() {
            let others = text.chars().filter(|c| !c.is_ascii());
            others.for_each(|c| contents.add_other(c, linked));
        }
        contents
    }

    /// Adds a character beyond ASCII.
    fn add_other(&mut self, c: char, linked: bool) {
        if c.is_whitespace() {
            return;
        }
        self.characters += 1;
        if linked || !c.is_alphanumeric() {
            return;
        }
        if is_unspaced(c) {
            self.unspaced += 1;
        } else {
            self.letters += 1;
        }
    }

    /// Words that are not linked: letters by characters a word (3.2).
    ///
    /// ```text
    /// words = letters / chars_per_word + unspaced / unspaced_chars_per_word
    /// ```
    ///
    /// ```
    /// use forest_text::filter::{Contents, FilterSettings};
    ///
    /// let contents = Contents { letters: 20, unspaced: 3, ..Contents::default() };
    /// assert_eq!(contents.words(&FilterSettings::default()), 5.5);
    /// ```
    pub fn words(&self, settings: &FilterSettings) -> f64 {
        f64::from(self.letters) / settings.chars_per_word
            + f64::from(self.unspaced) / settings.unspaced_chars_per_word
    }

    fn each(self, other: Contents, of: impl Fn(u32, u32) -> u32) -> Contents {
        Contents {
            links: of(self.links, other.links),
            letters: of(self.letters, other.letters),
            unspaced: of(self.unspaced, other.unspaced),
            characters: of(self.characters, other.characters),
            substance: of(self.substance, other.substance),
            fields: of(self.fields, other.fields),
        }
    }
}

impl Add for Contents {
    type Output = Contents;

    fn add(self, other: Contents) -> Contents {
        self.each(other, |a, b| a + b)
    }
}

impl AddAssign for Contents {
    fn add_assign(&mut self, other: Contents) {
        *self = *self + other;
    }
}

impl Sub for Contents {
    type Output = Contents;

    fn sub(self, other: Contents) -> Contents {
        self.each(other, |a, b| a - b)
    }
}
