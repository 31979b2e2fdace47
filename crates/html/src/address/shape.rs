//! The shape of an address: what its segments are, whatever they say.
//!
//! Pages that one program writes have addresses of one shape: `/news/2026/05/06/late-ferry` and
//! `/news/2026/05/07/new-pier`. A segment of the path is described by its form ([`SegmentForm`]);
//! a word may be constant over all pages, or the name of a section, so that it is kept.

use super::key::is_tracking;
use crate::text::fnv1a;
use url::Url;

/// Segments that are described; the rest of a longer path counts as one number.
pub const SHAPE_SEGMENTS: usize = 6;

/// Bytes of a word at the most; what is longer is written for one page.
const WORD_BYTES: usize = 16;

/// The form of a segment of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SegmentForm {
    /// There is no such segment.
    None,
    /// A year, a month, a day, or several of these joined.
    Date,
    /// Other digits.
    Number,
    /// Letters with digits or hyphens: the title of a page, an id.
    Slug,
    /// A short word, with its hash: the name of a section, or what all addresses have.
    Word(u32),
}

/// The forms of the segments of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressShape {
    segments: [SegmentForm; SHAPE_SEGMENTS],
    count: u8,
    /// The ending of the last segment's name, hashed; 0 without one.
    ending: u32,
    /// The names of the parameters, hashed together.
    parameters: u32,
}

impl AddressShape {
    /// `None` for what is no address with a host.
    ///
    /// ```
    /// use forest_html::address::AddressShape;
    ///
    /// let shape = |url| AddressShape::of(url).unwrap();
    /// let ferry = shape("https://a.example/news/2026/05/06/late-ferry.html");
    /// assert_eq!(ferry, shape("https://a.example/news/2025/11/30/new-pier-7.html?utm_source=x"));
    /// assert_ne!(ferry, shape("https://a.example/news/ferry.html"));
    /// assert_eq!(ferry.coarse(), shape("https://a.example/sport/2026/05/06/a-match.html").coarse());
    /// ```
    pub fn of(url: &str) -> Option<AddressShape> {
        let url = Url::parse(url).ok()?;
        url.host_str()?;
        let path: Vec<&str> = url
            .path()
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let (last, ending) = match path.last().and_then(|last| last.rsplit_once('.')) {
            Some((stem, ending)) if is_ending(ending) => (Some(stem), hash(ending)),
            _ => (path.last().copied(), 0),
        };
        let mut segments = [SegmentForm::None; SHAPE_SEGMENTS];
        let before = path.iter().copied().take(path.len().saturating_sub(1));
        for (form, part) in segments.iter_mut().zip(before.chain(last)) {
            *form = form_of(part);
        }
        let mut parameters: Vec<String> = url
            .query_pairs()
            .map(|(name, _)| name.into_owned())
            .filter(|name| !name.is_empty() && !is_tracking(name))
            .collect();
        parameters.sort();
        Some(AddressShape {
            segments,
            count: u8::try_from(path.len()).unwrap_or(u8::MAX),
            ending,
            parameters: hash(&parameters.join("&")),
        })
    }

    /// The shape without what its words say: that of the addresses of all sections.
    #[must_use]
    pub fn coarse(mut self) -> AddressShape {
        for form in &mut self.segments {
            if matches!(form, SegmentForm::Word(_)) {
                *form = SegmentForm::Word(0);
            }
        }
        self
    }

    /// Its parts as numbers, to be compared one by one.
    pub fn parts(&self) -> [u32; SHAPE_SEGMENTS + 2] {
        let mut parts = [0; SHAPE_SEGMENTS + 2];
        for (part, form) in parts.iter_mut().zip(self.segments) {
            *part = match form {
                SegmentForm::None => 0,
                SegmentForm::Date => 1,
                SegmentForm::Number => 2,
                SegmentForm::Slug => 3,
                SegmentForm::Word(hash) => hash.max(4),
            };
        }
        parts[SHAPE_SEGMENTS] = u32::from(self.count) ^ self.ending;
        parts[SHAPE_SEGMENTS + 1] = self.parameters;
        parts
    }
}

fn is_ending(ending: &str) -> bool {
    (1..=5).contains(&ending.len())
        && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        && ending.bytes().any(|b| b.is_ascii_alphabetic())
}

fn form_of(part: &str) -> SegmentForm {
    let is_joint = |b: u8| b == b'-' || b == b'_';
    if part.bytes().all(|b| b.is_ascii_digit() || is_joint(b)) {
        return if is_date(part) {
            SegmentForm::Date
        } else {
            SegmentForm::Number
        };
    }
    // Escapes are letters of other scripts, which are written for titles and sections alike.
    let is_word = part.len() <= WORD_BYTES && part.bytes().all(|b| b.is_ascii_alphabetic());
    if is_word {
        SegmentForm::Word(hash(part))
    } else {
        SegmentForm::Slug
    }
}

/// True for `2026`, `05`, `20260506`, `2026-05-06`.
fn is_date(part: &str) -> bool {
    let digits: String = part.chars().filter(char::is_ascii_digit).collect();
    let number = |range: std::ops::Range<usize>| digits.get(range).and_then(|d| d.parse().ok());
    let is_year = |year: Option<u32>| year.is_some_and(|year| (1990..2100).contains(&year));
    match digits.len() {
        2 => number(0..2).is_some_and(|n: u32| (1..=31).contains(&n)),
        4 => is_year(number(0..4)),
        6 | 8 => {
            let month = number(4..6).is_some_and(|n: u32| (1..=12).contains(&n));
            let day = digits.len() == 6 || number(6..8).is_some_and(|n: u32| (1..=31).contains(&n));
            is_year(number(0..4)) && month && day
        }
        _ => false,
    }
}

/// A short hash, the same everywhere.
fn hash(text: &str) -> u32 {
    let hash = fnv1a(text.bytes());
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_dates_numbers_slugs_and_words() {
        let check =
            |part: &str, expected: SegmentForm| assert_eq!(form_of(part), expected, "{part}");
        check("2026", SegmentForm::Date);
        check("05", SegmentForm::Date);
        check("20260506", SegmentForm::Date);
        check("2026-05-06", SegmentForm::Date);
        check("20261306", SegmentForm::Number);
        check("40817", SegmentForm::Number);
        check("99", SegmentForm::Number);
        check("late-ferry", SegmentForm::Slug);
        check("t123", SegmentForm::Slug);
        check("%C3%B8l", SegmentForm::Slug);
        check("antidisestablishment", SegmentForm::Slug);
        check("news", SegmentForm::Word(hash("news")));
    }

    #[test]
    fn what_differs_in_parameters_and_endings_is_of_another_shape() {
        let shape = |end: &str| AddressShape::of(&format!("https://a.example/{end}"));
        assert_eq!(shape("read?id=1&p=2"), shape("read?p=3&id=7"));
        assert_ne!(shape("read?id=1"), shape("read"));
        assert_ne!(shape("a-b.html"), shape("a-b.php"));
        assert_ne!(shape("a-b/1"), shape("a-b"));
        assert_eq!(shape("v1.2"), shape("v1.3"));
        assert_eq!(AddressShape::of("mailto:a@a.example"), None);
    }

    #[test]
    fn a_long_path_is_bounded() {
        let long = format!("https://a.example/{}", "a-b/".repeat(10_000));
        let shape = AddressShape::of(&long).expect("an address");
        assert_eq!(shape.parts()[SHAPE_SEGMENTS], u32::from(u8::MAX));
    }
}
