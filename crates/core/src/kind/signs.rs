//! Signs of a page's kind: its elements, its address and its claims.

use super::names::{WORD_LISTS, WordList, WordListSet};
use super::repeated::Landmarks;
use foldhash::HashMap;
use forest_html::page::{Kind, NodeId, Page};
use html5ever::local_name;

/// Words of the name in the last part of an address that are counted.
const MAX_SLUG_WORDS: usize = 20;

/// Counts over the elements of a page, and what it says of itself.
#[derive(Debug, Default)]
pub(super) struct KindSigns {
    pub elements: u32,
    /// Elements with a name of a list; of addresses, generators and types 0 or 1.
    pub named: [u32; WORD_LISTS],
    pub marks: Landmarks,
    pub links: u32,
    /// Links with an address of the page's own site.
    pub inner_links: u32,
    pub headings: [u32; 3],
    /// Headings that hold a link or stand in one.
    pub linked_headings: u32,
    pub inputs: u32,
    pub buttons: u32,
    pub selects: u32,
    pub textareas: u32,
    pub forms: u32,
    pub tables: u32,
    pub rows: u32,
    pub programs: u32,
    pub codes: u32,
    pub items: u32,
    pub terms: u32,
    pub frames: u32,
    pub quotes: u32,
    pub og_type: OgType,
    /// The address: segments of the path, words and digits of the last, has a query.
    pub segments: u32,
    pub slug_words: u32,
    pub slug_digits: u32,
    pub has_query: bool,
    pub has_address: bool,
}

/// The value of `og:type`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum OgType {
    #[default]
    None,
    Article,
    Website,
    Product,
    Other,
}

impl KindSigns {
    pub fn of(page: &Page) -> KindSigns {
        let mut signs = KindSigns::default();
        let mut names: HashMap<&str, WordListSet> = HashMap::default();
        let (mut link_end, mut last_heading) = (NodeId(0), NodeId(0));
        for &n in page.content_elements() {
            signs.elements += 1;
            for (name, value) in page.attrs(n) {
                if matches!(name.local, local_name!("class") | local_name!("id")) {
                    let found = names.entry(value);
                    let found = found.or_insert_with(|| WordListSet::of_names(value));
                    for list in found.lists() {
                        signs.named[list] += 1;
                    }
                } else if name.local == local_name!("itemtype") {
                    signs.claim(WordListSet::of_type(value));
                }
            }
            let Some(tag) = page.tag(n) else { continue };
            match *tag {
                local_name!("a") => {
                    if let Some(href) = page.attr(n, "href") {
                        signs.links += 1;
                        signs.inner_links += u32::from(!href.contains("://"));
                        link_end = page.end(n);
                        if n < last_heading {
                            signs.linked_headings += 1;
                            last_heading = NodeId(0);
                        }
                    }
                }
                local_name!("h1") | local_name!("h2") | local_name!("h3") | local_name!("h4") => {
                    let level = match *tag {
                        local_name!("h1") => 0,
                        local_name!("h2") => 1,
                        _ => 2,
                    };
                    signs.headings[level] += 1;
                    signs.marks.headings.push(n);
                    last_heading = page.end(n);
                    if n < link_end {
                        signs.linked_headings += 1;
                        last_heading = NodeId(0);
                    }
                }
                local_name!("img") | local_name!("picture") | local_name!("video") => {
                    signs.marks.pictures.push(n);
                }
                local_name!("time") => signs.marks.times.push(n),
                local_name!("input") => {
                    let hidden = page.attr(n, "type") == Some("hidden");
                    signs.inputs += u32::from(!hidden);
                }
                local_name!("button") => signs.buttons += 1,
                local_name!("select") => signs.selects += 1,
                local_name!("textarea") => signs.textareas += 1,
                local_name!("form") => signs.forms += 1,
                local_name!("table") => signs.tables += 1,
                local_name!("tr") => signs.rows += 1,
                local_name!("pre") => signs.programs += 1,
                local_name!("code") => signs.codes += 1,
                local_name!("li") => signs.items += 1,
                local_name!("dt") => signs.terms += 1,
                local_name!("iframe") => signs.frames += 1,
                local_name!("blockquote") => signs.quotes += 1,
                _ => {}
            }
        }
        signs.read_texts(page);
        signs.read_claims(page);
        signs.read_address(page);
        signs
    }

    fn claim(&mut self, lists: WordListSet) {
        for list in lists.lists() {
            self.named[list] = 1;
        }
    }

    /// Counts the prices among the page's texts.
    fn read_texts(&mut self, page: &Page) {
        for n in page.nodes() {
            if page.kind(n) == Kind::Text && page.is_content(n) && has_price(page.text(n)) {
                self.marks.prices.push(n);
            }
        }
    }

    fn read_claims(&mut self, page: &Page) {
        let metadata = page.metadata();
        self.og_type = match metadata.og_type.as_deref() {
            None => OgType::None,
            Some("article") => OgType::Article,
            Some("website") => OgType::Website,
            Some(named) if named.contains("product") => OgType::Product,
            Some(_) => OgType::Other,
        };
        if let Some(generator) = &metadata.generator {
            self.claim(WordListSet::of_generator(generator));
        }
        for name in &metadata.schema_types {
            self.claim(WordListSet::of_type(name));
        }
    }

    fn read_address(&mut self, page: &Page) {
        let metadata = page.metadata();
        let Some(address) = page.url().or(metadata.canonical.as_deref()) else {
            return;
        };
        let Some((_, rest)) = address.split_once("://") else {
            return;
        };
        self.has_address = true;
        self.claim(WordListSet::of_address(rest));
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        self.has_query = !query.is_empty();
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        let mut segments = path.split('/').filter(|segment| !segment.is_empty());
        self.segments = segments.clone().count() as u32;
        let last = segments.next_back().unwrap_or_default();
        let words = last
            .split(['-', '_', '+', '.'])
            .filter(|word| !word.is_empty());
        self.slug_words = words.take(MAX_SLUG_WORDS).count() as u32;
        self.slug_digits = last.bytes().filter(u8::is_ascii_digit).count() as u32;
    }

    pub fn count(&self, list: WordList) -> u32 {
        self.named[list as usize]
    }
}

/// True if a text has a sign of a currency next to a digit.
fn has_price(text: &str) -> bool {
    let is_currency = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴');
    let mut before = ' ';
    for c in text.trim().chars().filter(|c| !c.is_whitespace()).take(80) {
        if is_currency(before) && c.is_ascii_digit() || is_currency(c) && before.is_ascii_digit() {
            return true;
        }
        before = c;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Source;

    #[test]
    fn prices_have_a_currency_beside_a_digit() {
        for (text, expected) in [
            ("$9.99", true),
            ("12 €", true),
            ("from £ 7", true),
            ("9 lives", false),
            ("US$ only", false),
            ("", false),
        ] {
            assert_eq!(has_price(text), expected, "{text}");
        }
    }

    #[test]
    fn what_the_elements_say() {
        let page = Page::from_html(
            "<meta property=og:type content=article><meta name=generator content='phpBB 3'>\
             <h2><a href=/a>One</a></h2><a href=https://b.example/><h3>Two</h3></a><h1>Three</h1>\
             <div class=product><p>$3<time>now</time><pre><code>x</code></pre></div>\
             <form><input type=hidden><input><button>Go</button></form>",
        );
        let signs = KindSigns::of(&page);
        assert_eq!((signs.headings, signs.linked_headings), ([1, 1, 1], 2));
        assert_eq!((signs.links, signs.inner_links), (2, 1));
        assert_eq!((signs.forms, signs.inputs, signs.buttons), (1, 1, 1));
        assert_eq!((signs.programs, signs.codes), (1, 1));
        let marks = &signs.marks;
        assert_eq!((marks.prices.len(), marks.times.len()), (1, 1));
        assert_eq!(signs.og_type, OgType::Article);
        assert_eq!(signs.count(WordList::GeneratorForum), 1);
        assert_eq!(signs.count(WordList::NamesShop), 1);
        assert!(!signs.has_address);
    }

    #[test]
    fn what_the_address_says() {
        let source = Source {
            url: Some("https://forum.example.org/t/the-ferry-is-late/42?page=2#x"),
            content_type: None,
        };
        let signs = KindSigns::of(&Page::parse(b"<p>One", source));
        assert!(signs.has_address && signs.has_query);
        assert_eq!(
            (signs.segments, signs.slug_words, signs.slug_digits),
            (3, 1, 2)
        );
        assert_eq!(signs.count(WordList::AddressForum), 1);
        assert_eq!(signs.count(WordList::AddressShop), 0);
    }
}
