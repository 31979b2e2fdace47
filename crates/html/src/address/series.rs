//! The pages of one article.
//!
//! An article over several pages has an address for each: `?page=2`, `/2`,
//! `/page/2`, `-2.html`, `_p2.html` behind the address of its first page.

use super::key::is_tracking;
use super::site::bare_web_site;
use std::collections::BTreeMap;
use url::Url;

/// Digits of a page's number at the most.
const MAX_DIGITS: usize = 2;

/// Bytes of the last part of a path that tell articles apart.
const MIN_SLUG: usize = 6;

/// Words in an address that make a number a page's.
const WORDS: &str = "\
    page pages pg p pag pagina página seite strona strana side sida sivu sayfa oldal \
    стр страница";

/// Parameters whose value is a page's number, besides [`WORDS`].
const PARAMETERS: &str = "\
    paged pageno page_no pagenum pagenumber page_number currentpage curpage pageindex \
    pn";

/// An address, and the ways in which it may be that of one page of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    host: String,
    /// Without scheme, `www.`, fragment, campaign parameters and the slash at its
    /// end.
    whole: String,
    readings: Vec<PageNumber>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PageNumber {
    /// The address of the article's first page, as in [`Address::whole`].
    stem: String,
    number: u32,
    /// A word says that the number is a page's.
    is_said: bool,
}

impl Address {
    /// `None` for what is no address of the Web.
    pub fn of(url: &str) -> Option<Address> {
        let url = Url::parse(url).ok()?;
        let host = bare_web_site(&url)?;
        let path = AddressPath::of(&url);
        let readings = path.readings().into_iter().filter_map(|(stem, reading)| {
            // A home page is no article.
            let is_home = stem.segments.is_empty() && stem.query.is_empty();
            (!is_home).then(|| PageNumber {
                stem: stem.written(&host),
                ..reading
            })
        });
        Some(Address {
            readings: readings.collect(),
            whole: path.written(&host),
            host,
        })
    }

    /// Returns true if both are addresses of one host and port, whatever the scheme and
    /// `www.`.
    pub fn is_of_site(&self, other: &Address) -> bool {
        self.host == other.host
    }

    /// Returns true if both are the same address: scheme, `www.`, fragment, campaign
    /// parameters and the slash at the end do not count.
    pub fn is(&self, other: &Address) -> bool {
        self.whole == other.whole
    }

    /// Returns true if it may be that of another page of the article that `own` is a page of,
    /// whatever its links tell of it: [`Series::number`] is `None` where it may not.
    pub fn may_go_on_from(&self, own: &Address) -> bool {
        let stems = own.readings.iter().map(|reading| &reading.stem);
        let mut stems = stems.chain([&own.whole]);
        let is_page_of = |stem: &String| self.readings.iter().any(|r| r.stem == *stem);
        !self.is(own) && stems.any(|stem| self.whole == *stem || is_page_of(stem))
    }

    /// Path and parameters, as far as they count.
    pub fn behind_host(&self) -> &str {
        &self.whole[self.host.len()..]
    }

    /// Returns true if it is that of a site's home page.
    pub fn is_home(&self) -> bool {
        self.whole == self.host
    }
}

/// The pages of one article, as far as addresses tell.
///
/// ```
/// use forest_html::address::{Address, Series};
///
/// let address = |url| Address::of(url).unwrap();
/// let series = Series::of(&address("https://a.example/story"), &[]);
/// assert_eq!(series.number(&address("https://www.a.example/story/2")), Some(2));
/// assert_eq!(series.number(&address("https://a.example/story?page=3")), Some(3));
/// assert_eq!(series.number(&address("https://a.example/other/2")), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    stem: String,
    own: u32,
    own_is_first: bool,
}

impl Series {
    /// The series that the page `own` is in, which links to `others`. A number
    /// that no word says to be a page's (`/story/2`) is only one where a link leads
    /// to the address without it: else it may be an article's.
    pub fn of(own: &Address, others: &[Address]) -> Series {
        let is_linked = |stem: &str| others.iter().any(|other| other.whole == stem);
        let mut readings = own.readings.iter();
        match readings.find(|r| r.is_said || is_linked(&r.stem)) {
            Some(reading) => Series {
                stem: reading.stem.clone(),
                own: reading.number,
                own_is_first: false,
            },
            None => Series {
                stem: own.whole.clone(),
                own: 1,
                own_is_first: true,
            },
        }
    }

    /// The number of a page of the series: 1 for the address without a number.
    pub fn number(&self, page: &Address) -> Option<u32> {
        if page.whole == self.stem {
            return Some(1);
        }
        let reading = page.readings.iter().find(|r| r.stem == self.stem);
        reading.map(|reading| reading.number)
    }

    /// Returns true if an address is the article's with something more, such as `/print`
    /// behind it, or has the last part of its path in it.
    pub fn holds(&self, other: &Address) -> bool {
        let behind = other.whole.strip_prefix(&*self.stem);
        let goes_on = behind.is_some_and(|rest| rest.starts_with(['/', '?', '&']));
        let path = self.stem.split('?').next().unwrap_or_default();
        let last = path.split('/').skip(1).last().unwrap_or_default();
        let last = last.split('.').next().unwrap_or_default();
        goes_on || last.len() >= MIN_SLUG && other.whole.contains(last)
    }

    /// The index of the link to the page after `own`, among links with the number
    /// that each shows to its reader. Where the second page has number 1 in its
    /// address, the links' own numbers tell, or that there is no other link.
    pub fn next(&self, own: &Address, links: &[(Address, Option<u32>)]) -> Option<usize> {
        let at = self.number(own).unwrap_or(self.own);
        let numbers: Vec<Option<u32>> = links
            .iter()
            .map(|(link, _)| self.number(link).filter(|_| !link.is(own)))
            .collect();
        let find = |number: u32| numbers.iter().position(|n| *n == Some(number));
        if !self.own_is_first || own.whole != self.stem {
            return find(at + 1);
        }
        let from_zero = links.iter().zip(&numbers).any(|((_, shown), number)| {
            shown.is_some() && shown.map(|shown| shown.saturating_sub(1)) == *number
        });
        let second = || find(2).filter(|_| !from_zero);
        second().or_else(|| find(1).filter(|&at| links[at].1 != Some(1)))
    }
}

#[derive(Debug, Clone)]
struct AddressPath {
    segments: Vec<String>,
    query: BTreeMap<String, String>,
}

/// A segment without the ending of a file's name, and the ending.
fn without_ending(segment: &str) -> (&str, &str) {
    match segment.rsplit_once('.') {
        Some((base, end)) if !base.is_empty() && number(end).is_none() => {
            (base, &segment[base.len()..])
        }
        _ => (segment, ""),
    }
}

impl AddressPath {
    fn of(url: &Url) -> AddressPath {
        let segments = url.path_segments().into_iter().flatten();
        let mut segments: Vec<String> = segments.map(str::to_owned).collect();
        segments.retain(|segment| !segment.is_empty());
        if segments.last().is_some_and(|last| is_index(last)) {
            segments.pop();
        }
        let pairs = url.query_pairs();
        let query = pairs.filter(|(name, _)| !is_tracking(name));
        AddressPath {
            segments,
            query: query
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
        }
    }

    fn written(&self, host: &str) -> String {
        let mut out = host.to_owned();
        for segment in &self.segments {
            out.push('/');
            out.push_str(segment);
        }
        for (at, (name, value)) in self.query.iter().enumerate() {
            out.push(if at == 0 { '?' } else { '&' });
            out.push_str(name);
            out.push('=');
            out.push_str(value);
        }
        out
    }

    /// Ways to read it as a numbered page: what is left without the number.
    fn readings(&self) -> Vec<(AddressPath, PageNumber)> {
        let mut out = Vec::new();
        let mut add = |stem: AddressPath, number: u32, is_said: bool| {
            let reading = PageNumber {
                stem: String::new(),
                number,
                is_said,
            };
            out.push((stem, reading));
        };
        for (name, value) in &self.query {
            let low = name.to_lowercase();
            let is_page = is_in(WORDS, &low) || is_in(PARAMETERS, &low);
            if let (true, Some(number)) = (is_page, number(value)) {
                let mut stem = self.clone();
                stem.query.remove(name);
                add(stem, number, true);
            }
        }
        let Some((last, before)) = self.segments.split_last() else {
            return out;
        };
        let with = |segments: Vec<String>| AddressPath {
            segments,
            query: self.query.clone(),
        };
        let (base, end) = without_ending(last);
        let digits = base.len() - base.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (name, Some(number)) = (
            &base[..base.len() - digits],
            number(&base[base.len() - digits..]),
        ) else {
            return out;
        };
        if name.is_empty() {
            // `/story/2`, `/story/page/2`
            match before.split_last() {
                Some((word, above)) if is_word(word) => add(with(above.to_vec()), number, true),
                _ => add(with(before.to_vec()), number, false),
            }
            return out;
        }
        let cut = name.trim_end_matches(is_separator);
        let (word, rest) = last_word(cut);
        if is_word(word) {
            // `/story/page-2`, `story-page-2.html`, `story_p2.html`
            let rest = rest.trim_end_matches(is_separator);
            let path = if rest.is_empty() {
                before.to_vec()
            } else {
                named(before, rest, end)
            };
            add(with(path), number, true);
        } else if cut.len() < name.len() {
            // `story-2.html`
            add(with(named(before, cut, end)), number, false);
        }
        out
    }
}

fn named(before: &[String], name: &str, end: &str) -> Vec<String> {
    let mut segments = before.to_vec();
    segments.push(format!("{name}{end}"));
    segments
}

/// A page's number.
fn number(text: &str) -> Option<u32> {
    let fits = (1..=MAX_DIGITS).contains(&text.len());
    (fits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn is_word(text: &str) -> bool {
    is_in(WORDS, &text.to_lowercase())
}

/// The letters at the end, and what stands before them.
fn last_word(text: &str) -> (&str, &str) {
    let at = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| !is_separator(*c))
        .last()
        .map_or(text.len(), |(at, _)| at);
    (&text[at..], &text[..at])
}

fn is_separator(c: char) -> bool {
    matches!(c, '-' | '_' | ',' | '.' | '~' | '(' | ';' | '=')
}

fn is_index(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment);
    segment.contains('.') && matches!(stem, "index" | "default")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        let url = match url.contains("://") {
            true => url.to_owned(),
            false => format!("https://a.example{url}"),
        };
        Address::of(&url).expect("an address")
    }

    fn check(own: &str, other: &str, expected: Option<u32>) {
        let series = Series::of(&address(own), &[]);
        assert_eq!(series.number(&address(other)), expected, "{own} {other}");
    }

    #[test]
    fn numbers_behind_the_first_page_s_address() {
        for other in [
            "/d/story?page=2",
            "/d/story/2",
            "/d/story/2/",
            "/d/story/page/2",
            "/d/story/page-2",
            "/d/story/seite2",
            "/d/story?utm_source=x&p=2#top",
            "http://www.a.example/d/story?pageno=2",
        ] {
            check("/d/story/?utm_medium=rss", other, Some(2));
        }
        for other in ["_2", "-2", "_p2", "-page-2", "-seite-2", ",2", ".2", "~2"] {
            check("/s.html", &format!("/s{other}.html"), Some(2));
        }
        check("/s?id=7", "/s?page=12&id=7", Some(12));
        check("/s/index.html", "/s/3", Some(3));
        check("/s?page=3", "/s?page=4", Some(4));
        check("/s?page=3", "/s", Some(1));
    }

    #[test]
    fn other_articles() {
        for (own, other) in [
            ("/s", "/t/2"),
            ("/s", "/s/123"),
            ("/s", "/s/comment-page-2"),
            ("/s", "/s-part-2x"),
            ("/s?id=7", "/s?page=2&id=8"),
            ("/s", "https://b.example/s/2"),
            ("/", "/page/2"),
            ("/?p=12", "/?p=13"),
            ("/article/3", "/article/4"),
            ("/a-3.html", "/a-4.html"),
        ] {
            check(own, other, None);
        }
    }

    #[test]
    fn a_number_is_a_page_s_where_the_page_without_it_is_linked() {
        let own = address("/story/2");
        let series = Series::of(&own, &[address("/story"), address("/x")]);
        assert_eq!((series.own, &*series.stem), (2, "a.example/story"));
        assert_eq!(series.number(&address("/story/3")), Some(3));
    }

    #[test]
    fn what_no_link_can_make_a_page_of_the_article() {
        let check = |own: &str, other: &str, expected: bool| {
            let found = address(other).may_go_on_from(&address(own));
            assert_eq!(found, expected, "{own} {other}");
        };
        check("/s", "/s?page=2", true);
        check("/s", "/s/2", true);
        check("/s?page=1", "/s", true);
        check("/article/3", "/article/4", true);
        check("/s", "/s#top", false);
        check("/s/2", "/s/2/", false);
        check("/s", "/t/2", false);
        check("/s", "/s/print", false);
        check("/s", "https://b.example/s/2", false);
    }

    fn check_next(own: &str, links: &[(&str, Option<u32>)], expected: Option<usize>) {
        let links: Vec<_> = links.iter().map(|(url, n)| (address(url), *n)).collect();
        let own = address(own);
        let others: Vec<_> = links.iter().map(|(link, _)| link.clone()).collect();
        let series = Series::of(&own, &others);
        assert_eq!(series.next(&own, &links), expected, "{own:?}");
    }

    #[test]
    fn the_page_after_this_one() {
        check_next("/s", &[("/s/3", Some(3)), ("/s/2", Some(2))], Some(1));
        check_next("/s", &[("/s", Some(1)), ("/t/2", None)], None);
        let all = [("/s", Some(1)), ("/s/2", Some(2)), ("/s/3", Some(3))];
        check_next("/s/2", &all, Some(2));
        check_next("/s/3", &all, None);
    }

    #[test]
    fn numbers_that_begin_with_zero() {
        let all = [("/s?page=1", Some(2)), ("/s?page=2", Some(3))];
        check_next("/s", &all, Some(0));
        check_next("/s?page=1", &all, Some(1));
        check_next("/s?page=2", &all, None);
        check_next("/s", &[("/s?page=1", None)], Some(0));
        let from_one = [("/s?page=1", Some(1)), ("/s?page=2", Some(2))];
        check_next("/s", &from_one, Some(1));
    }
}
