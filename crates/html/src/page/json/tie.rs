//! The ties of values in a page's JSON to the page: its headline or address in the object
//! that holds it; and the paths of values that are never a page's text.

use super::super::{NodeId, Page, plain::text_of_html};
use super::leaf::{JsonLeaf, PathStep};
use crate::address::page_key;
use crate::text::fold;
use html5ever::local_name;

/// Headings of a page that its JSON is compared with.
const MAX_HEADLINES: usize = 16;

/// Bytes of the longest address or headline that is compared.
const MAX_NAME_BYTES: usize = 400;

/// Digits from which on a number in an address names a page.
const ID_DIGITS: usize = 4;

/// Steps from an object to a headline in it: `title/rendered`.
pub(super) const HEADLINE_STEPS: usize = 2;

/// Steps from the object with the headline to the text: `content/body/html`.
const TEXT_STEPS: usize = 3;

/// Keys of strings that name their object: its address, or its name there.
const ADDRESS_KEYS: &str = "id slug url uri href link path pathname permalink urlslug canonical \
    canonicalurl weburl shareurl fullpath guid contentid articleid mainentityofpage";

/// Words of keys below which no text is a page's own: navigation, notices, settings, code,
/// and what other people wrote or other pages say.
const FOREIGN_WORDS: &str = "nav navbar navigation menu menus submenu breadcrumb breadcrumbs sidebar \
    toolbar footer footers copyright legal disclaimer disclaimers imprint terms privacy policy cookie \
    cookies consent gdpr action actions facet facets filters banner banners compiled script scripts \
    style styles css i18n intl locale locales translation translations dictionary messages labels \
    config configuration settings seo meta metadata ads advert adverts advertisement newsletter \
    promo promos related recommended recommendation recommendations trending comment comments \
    review reviews author authors creator l10n liveblogupdate";

/// Words of the keys of strings in an array that are beside its text.
const BESIDE_WORDS: &str = "alt caption captions credit credits";

/// Words of the last key of a text. Of 217 pages of the development gold whose elements were taken
/// away, with 100 words or more, such a text had an F1 of 0.9 in two of three, and another in one of
/// six.
const TEXT_WORDS: &str = "body articlebody content contents text html story paragraph paragraphs blocks \
    elements copy rendered cooked message article plaintext markdown post posts";

/// Words of the last key of what is no text of its own: lists of names, pictures, links, goods and
/// films.
const LABEL_WORDS: &str = "keyword keywords tag tags category categories class heading headings \
    headline title link links image images picture pictures photo photos caption captions bio \
    biography hierarchy name names alt itemlistelement property properties variant variants product \
    products offer offers result results video videos trailer trailers playlist reviewed";

/// Words of the last key of what tells of an article in short.
const SUMMARY_WORDS: &str = "description descriptions desc summary summaries excerpt excerpts teaser \
    teasers abstract snippet intro subtitle standfirst deck dek lead";

/// Words from which on such a value may be the text: products and jobs have no other key for it.
const MIN_SUMMARY_WORDS: usize = 100;

/// How surely a value is the text of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonTie {
    /// Nothing says so.
    None,
    /// The object that holds it says that it is an article: it has a title and an author or a day.
    Article,
    /// It is a JSON-LD `articleBody`.
    Body,
    /// The object has the address of the page, or its name or number there.
    Address,
    /// The object has the page's headline.
    Headline,
}

/// The names of a page: what it is called by, and its address.
#[derive(Debug)]
pub(super) struct PageNames {
    headlines: Vec<String>,
    address: Option<String>,
    /// The segments of the path and the values of the query.
    segments: Vec<String>,
    /// The last segment of the path.
    last: Option<String>,
}

impl PageNames {
    pub fn of(page: &Page) -> PageNames {
        let metadata = page.metadata();
        let mut headlines: Vec<String> = metadata.title.iter().map(|t| key_of(t)).collect();
        let is_heading =
            |&n: &NodeId| page.is(n, &local_name!("title")) || page.is(n, &local_name!("h1"));
        let headings = page.elements().filter(is_heading).take(MAX_HEADLINES);
        headlines.extend(headings.map(|n| key_of(page.text(n))));
        headlines.retain(|headline| !headline.is_empty());
        let address = page.url().or(metadata.canonical.as_deref());
        let address = address.filter(|url| url.len() <= MAX_NAME_BYTES);
        let (path, query) = address.map_or(("", ""), path_and_query);
        let path = path.split('/').filter(|segment| !segment.is_empty());
        let last = path.clone().next_back().map(without_extension);
        let values = query
            .split('&')
            .filter_map(|pair| Some(pair.split_once('=')?.1));
        PageNames {
            headlines,
            address: address.map(page_key),
            segments: path.chain(values).map(without_extension).collect(),
            last,
        }
    }

    /// True if a text is what the page is called by, or what its `title` begins with.
    pub fn is_headline(&self, text: &str) -> bool {
        /// Bytes of the shortest text that a `title` may begin with.
        const MIN_BYTES: usize = 12;
        if text.len() > MAX_NAME_BYTES {
            return false;
        }
        let text = key_of(text);
        let names_page = |headline: &String| {
            *headline == text || text.len() >= MIN_BYTES && headline.starts_with(&text)
        };
        !text.is_empty() && self.headlines.iter().any(names_page)
    }

    /// True if a string is the page's address, or names the page in it.
    pub fn is_address(&self, leaf: &JsonLeaf) -> bool {
        let key: String = leaf
            .name()
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect();
        let key = key.to_ascii_lowercase();
        if leaf.text.len() > MAX_NAME_BYTES || !ADDRESS_KEYS.split_whitespace().any(|k| k == key) {
            return false;
        }
        let text = leaf.text.trim();
        if text.starts_with("http") {
            return self.last.is_some() && self.address.as_ref() == Some(&page_key(text));
        }
        if text.contains('/') {
            let path = text.split('/').filter(|segment| !segment.is_empty());
            let path: Vec<String> = path.map(without_extension).collect();
            return !path.is_empty()
                && self.segments.starts_with(&path)
                && path.last() == self.last.as_ref();
        }
        self.is_name(text)
    }

    /// True if a key names the page: `topic_40817`, `article({"slug":"late-ferry"})`.
    pub fn is_key(&self, step: &PathStep) -> bool {
        let Some(key) = step.name() else { return false };
        let mut names = key.split(|c: char| !c.is_alphanumeric() && c != '-');
        names.any(|name| self.is_name(name) && names_one_page(name))
    }

    /// True of the last segment of the address, and of others that can name only one page.
    fn is_name(&self, name: &str) -> bool {
        let name = without_extension(name);
        let is_part = |segment: &String| {
            *segment == name
                || is_number(&name) && segment.split(['-', '_', '.']).any(|part| *part == *name)
        };
        !name.is_empty()
            && (self.last.as_ref() == Some(&name)
                || names_one_page(&name) && self.segments.iter().any(is_part))
    }
}

/// True of a number and of a name of several words: others are names of sections.
fn names_one_page(name: &str) -> bool {
    is_number(name) || name.matches(['-', '_']).count() > 1
}

fn is_number(name: &str) -> bool {
    name.bytes().filter(u8::is_ascii_digit).count() >= ID_DIGITS
}

/// Path and query of an address.
fn path_and_query(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let path = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    path.split_once('?').unwrap_or((path, ""))
}

/// A segment of a path in lower case, without the kind of its file.
fn without_extension(segment: &str) -> String {
    let name = match segment.rsplit_once('.') {
        Some((name, kind)) if kind.len() <= 5 && !name.is_empty() => name,
        _ => segment,
    };
    name.to_ascii_lowercase()
}

/// A text as it is compared: folded, in lower case, entities decoded.
pub(super) fn key_of(text: &str) -> String {
    fold(&text_of_html(text)).to_lowercase()
}

/// True if a path leads through navigation, notices, settings or code, or to names or pictures, or
/// to a short text that tells of another one.
pub(super) fn is_foreign(path: &[PathStep], words: usize) -> bool {
    let mut keys = path.iter().filter_map(PathStep::name);
    let last = keys.clone().next_back().unwrap_or_default();
    keys.any(|key| has(key, FOREIGN_WORDS))
        || has(last, LABEL_WORDS)
        || words < MIN_SUMMARY_WORDS && has(last, SUMMARY_WORDS)
}

/// The innermost step of a path whose key says that the string is beside the text of the array that
/// it stands in.
pub(super) fn step_aside(path: &[PathStep]) -> Option<usize> {
    let is_aside = |step: &PathStep| {
        let key = step.name();
        key.is_some_and(|key| has(key, FOREIGN_WORDS) || has(key, BESIDE_WORDS))
    };
    path.iter().rposition(is_aside)
}

/// True if the last key of a path is that of a text.
pub(super) fn names_text(path: &[PathStep]) -> bool {
    let last = path.iter().rev().find_map(PathStep::name);
    last.is_some_and(|key| has(key, TEXT_WORDS))
}

/// True if a key or a word of it is on a list.
fn has(key: &str, list: &str) -> bool {
    let mut words = key_words(key).chain([key]).map(str::to_ascii_lowercase);
    words.any(|word| list.split_whitespace().any(|known| known == word))
}

/// The words of a key: `siteMenu`, `post_action_types`, `LegalNotice`.
pub(super) fn key_words(key: &str) -> impl Iterator<Item = &str> {
    key.split(|c: char| !c.is_alphanumeric()).flat_map(|part| {
        let mut begin = 0;
        let mut before = 'A';
        let starts = part.char_indices().filter_map(move |(at, c)| {
            let is_start = c.is_uppercase() && !before.is_uppercase();
            before = c;
            is_start.then_some(at)
        });
        let ends = starts.chain([part.len()]);
        ends.filter_map(move |end| {
            let word = &part[begin..end];
            begin = end;
            (!word.is_empty()).then_some(word)
        })
    })
}

/// The depth of the object that holds both the value at `path` and, at most so many steps below it,
/// a name.
pub(super) fn holder(path: &[PathStep], name: &JsonLeaf, steps: usize) -> Option<usize> {
    let shared = name.shared(path);
    let (own, other) = (&path[shared..], &name.path[shared..]);
    let is_near = |steps: &[PathStep], most: usize| {
        (1..=most).contains(&steps.len()) && steps.iter().all(|step| step.name().is_some())
    };
    // The last step of a string in an array is an index.
    let own = match own {
        [keys @ .., PathStep::Index(_)] => keys,
        keys => keys,
    };
    (is_near(own, TEXT_STEPS) && is_near(other, steps)).then_some(shared)
}

/// The depth of the nearest object above a value whose key names the page.
pub(super) fn named_holder(path: &[PathStep], names: &PageNames) -> Option<usize> {
    let above = path.len().saturating_sub(1);
    let nearest = (0..above).rev().take(TEXT_STEPS);
    let mut nearest = nearest.take_while(|&at| path[at + 1].name().is_some());
    nearest.find(|&at| names.is_key(&path[at])).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(url: &str) -> PageNames {
        let mut page = Page::from_html("<title>Late ferry | The Paper</title>");
        page.url = Some(url.to_owned());
        PageNames::of(&page)
    }

    #[test]
    fn an_address_is_named_by_itself_its_slug_and_its_number() {
        let names = names("https://paper.example/news/late-ferry-again-40817.html?from=home");
        let check = |key: &str, text: &str, expected: bool| {
            let leaf = JsonLeaf {
                path: vec![PathStep::key(key)],
                text: text.to_owned(),
            };
            assert_eq!(names.is_address(&leaf), expected, "{key}: {text}");
        };
        check(
            "url",
            "https://www.paper.example/news/late-ferry-again-40817.html?from=home",
            true,
        );
        check("canonicalUrl", "/news/late-ferry-again-40817", true);
        check("urlSlug", "late-ferry-again-40817", true);
        check("id", "40817", true);
        check("id", "40818", false);
        check("slug", "news", false);
        check("title", "40817", false);
        check("url", "https://paper.example/", false);
        check("url", "/", false);
        check("url", "/news/", false);
        check("id", "", false);
    }

    #[test]
    fn a_key_names_the_page_by_its_number_or_a_name_of_several_words() {
        let names = names("https://paper.example/t/late-ferry-again/40817");
        let check = |key: &str, expected| {
            assert_eq!(names.is_key(&PathStep::key(key)), expected, "{key}");
        };
        check("topic_40817", true);
        check("article({\"slug\":\"late-ferry-again\"})", true);
        check("topic_4081", false);
        check("t", false);
        assert!(!names.is_key(&PathStep::Index(40817)));
    }

    #[test]
    fn the_words_of_keys() {
        let check = |key: &str, expected: &[&str]| {
            assert_eq!(key_words(key).collect::<Vec<_>>(), expected, "{key}");
        };
        check("siteMenu", &["site", "Menu"]);
        check("post_action_types", &["post", "action", "types"]);
        check("@type", &["type"]);
        check("SEOText", &["SEOText"]);
        check("", &[]);
    }

    #[test]
    fn paths_through_menus_and_the_like_are_foreign() {
        let check = |keys: &[&str], expected: bool| {
            let path: Vec<PathStep> = keys.iter().map(|key| PathStep::key(key)).collect();
            assert_eq!(is_foreign(&path, 60), expected, "{keys:?}");
        };
        check(&["props", "mainMenu", "items"], true);
        check(&["site", "post_action_types"], true);
        check(&["source", "compiledSource"], true);
        check(&["props", "pageProps", "article", "body"], false);
        check(&["interactionist"], false);
        check(&["article", "metaDescription"], true);
        check(&["article", "description"], true);
        assert!(!is_foreign(&[PathStep::key("description")], 100));
        check(&["article", "images"], true);
        check(&["article", "imagesAndText", "text"], false);
        check(&["liveBlogUpdate", "articleBody"], true);
    }
}
