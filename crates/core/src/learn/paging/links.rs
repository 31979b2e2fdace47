//! The links of a page, and what they say of themselves.

use forest_html::address::{Address, Series};
use forest_html::page::links::Base;
use forest_html::page::{NodeId, Page};
use forest_html::text::{fold, is_unspaced};
use html5ever::local_name;

/// Links of a page that are looked at.
const MAX_LINKS: usize = 2000;

/// Bytes of a link's text that may say where it leads: more is a headline.
const MAX_SAYING: usize = 40;

/// Words for the next page, or for reading on, in the languages of the program; in
/// lower case.
const NEXT: [&str; 55] = [
    "next",
    "continue",
    "continued",
    "read on",
    "weiter",
    "weiterlesen",
    "nächste",
    "fortsetzung",
    "suivant",
    "suivante",
    "suite",
    "siguiente",
    "continuar",
    "seguinte",
    "próxima",
    "avanti",
    "successiva",
    "prossima",
    "continua",
    "volgende",
    "verder",
    "nästa",
    "næste",
    "neste",
    "seuraava",
    "następna",
    "dalej",
    "další",
    "ďalšia",
    "следующая",
    "далее",
    "дальше",
    "вперед",
    "наступна",
    "далі",
    "напред",
    "επόμενη",
    "επόμενο",
    "sonraki",
    "következő",
    "tovább",
    "următoarea",
    "下一页",
    "下一頁",
    "下页",
    "后一页",
    "次へ",
    "次の",
    "다음",
    "التالي",
    "הבא",
    "ถัดไป",
    "berikutnya",
    "selanjutnya",
    "tiếp",
];

/// Words for the whole article on one page, likewise.
const SINGLE: [&str; 44] = [
    "single page",
    "one page",
    "view all",
    "show all",
    "all pages",
    "full article",
    "entire article",
    "full story",
    "print",
    "auf einer seite",
    "auf eine seite",
    "alles auf einer",
    "gesamter artikel",
    "ganzer artikel",
    "drucken",
    "druckversion",
    "sur une seule page",
    "une page",
    "article complet",
    "imprimer",
    "en una página",
    "una sola página",
    "ver todo",
    "imprimir",
    "numa só página",
    "página única",
    "pagina unica",
    "tutto in una pagina",
    "stampa",
    "op één pagina",
    "op 1 pagina",
    "afdrukken",
    "na jednej stronie",
    "drukuj",
    "wydrukuj",
    "на одной странице",
    "одной страницей",
    "печати",
    "печать",
    "tek sayfa",
    "yazdır",
    "全文",
    "单页",
    "打印",
];

/// Parts of an address that say so.
const SINGLE_PARTS: [&str; 16] = [
    "all",
    "full",
    "single",
    "singlepage",
    "single-page",
    "onepage",
    "one-page",
    "viewall",
    "view-all",
    "showall",
    "print",
    "printer",
    "printable",
    "printview",
    "druck",
    "druckversion",
];

/// Signs for the next page.
const ARROWS: [&str; 9] = [">", ">>", "»", "›", "→", "▶", "►", "⟩", ">|"];

/// A link of a page.
#[derive(Debug, Clone)]
pub(super) struct PageLink {
    pub node: NodeId,
    pub address: Address,
    pub role: LinkRole,
}

/// The target of a link, as far as it is of the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkRole {
    /// To the page after this one, and it says so.
    Next,
    /// To a page of the article, or to this one.
    Part,
    /// To the whole article on one page.
    Single,
    /// Elsewhere.
    Other,
}

/// The links of a page; of one without an address none has a role.
#[derive(Debug)]
pub(super) struct PageLinks<'p> {
    pub page: &'p Page,
    pub links: Vec<PageLink>,
}

impl<'p> PageLinks<'p> {
    pub fn of(page: &'p Page) -> PageLinks<'p> {
        let own = page.url().and_then(Address::of);
        let base = Base::of(page);
        let addresses = hyperlinks(page).filter_map(|n| {
            let url = base.resolve(page.attr(n, "href")?)?;
            Some((n, Address::of(&url)?))
        });
        let found: Vec<(NodeId, Address)> = addresses.take(MAX_LINKS).collect();
        let links = match &own {
            Some(own) => with_roles(page, own, found, &[]),
            None => found
                .into_iter()
                .map(|(node, address)| PageLink {
                    node,
                    address,
                    role: LinkRole::Other,
                })
                .collect(),
        };
        PageLinks { page, links }
    }

    /// Reads the links again where the page may be one of the `articles` that go on: their other
    /// pages may have no link back.
    pub fn read_among(&mut self, articles: &[Address]) {
        let Some(own) = self.page.url().and_then(Address::of) else {
            return;
        };
        let firsts = articles.iter().filter(|first| own.may_go_on_from(first));
        let firsts: Vec<Address> = firsts.cloned().collect();
        if !firsts.is_empty() {
            let links = self.links.drain(..);
            let found = links.map(|link| (link.node, link.address)).collect();
            self.links = with_roles(self.page, &own, found, &firsts);
        }
    }

    /// The link to the next page.
    pub fn next(&self) -> Option<&PageLink> {
        self.links.iter().find(|link| link.role == LinkRole::Next)
    }
}

/// True if a page may have a link to the next one, as [`PageLinks::next`] then says. Most
/// have none, and are not asked where all their links lead.
pub(super) fn may_go_on(page: &Page) -> bool {
    let Some(own) = page.url().and_then(Address::of) else {
        return false;
    };
    let base = Base::of(page);
    let address = |n| Address::of(&base.resolve(page.attr(n, "href")?)?);
    hyperlinks(page)
        .filter(|&n| says_next(page, n))
        .any(|n| address(n).is_some_and(|address| address.may_go_on_from(&own)))
}

fn hyperlinks(page: &Page) -> impl Iterator<Item = NodeId> + '_ {
    page.elements().filter(|&n| {
        page.tag(n).is_some_and(|tag| {
            *tag == local_name!("a")
                || *tag == local_name!("link") && has_token(page, n, "rel", "next")
        })
    })
}

/// The links of a page with their roles; `firsts` may be the first pages of its article.
fn with_roles(
    page: &Page,
    own: &Address,
    found: Vec<(NodeId, Address)>,
    firsts: &[Address],
) -> Vec<PageLink> {
    let others: Vec<Address> = found.iter().map(|(_, address)| address.clone()).collect();
    let series = Series::of(own, &[&*others, firsts].concat());
    let pairs: Vec<(Address, Option<u32>)> = found
        .iter()
        .map(|(n, address)| (address.clone(), number_in(page.text(*n))))
        .collect();
    let next = series.next(own, &pairs).map(|at| others[at].clone());
    let links = found.into_iter().map(|(node, address)| {
        let role = if next.as_ref().is_some_and(|next| next.is(&address)) {
            if says_next(page, node) {
                LinkRole::Next
            } else {
                LinkRole::Part
            }
        } else if address.is(own) || series.number(&address).is_some() {
            LinkRole::Part
        } else if address.is_of_site(own)
            && series.holds(&address)
            && (says(page, node, &SINGLE) || has_part(&address, &SINGLE_PARTS))
        {
            LinkRole::Single
        } else {
            LinkRole::Other
        };
        PageLink {
            node,
            address,
            role,
        }
    });
    links.collect()
}

/// True if a link says that it leads to the next page, or to one with a number.
pub(in crate::learn) fn says_next(page: &Page, n: NodeId) -> bool {
    let text = saying(page.text(n));
    let shown = text.as_deref().is_some_and(|text| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        ARROWS.contains(&text) || bare.len() <= 2 && number_in(bare).is_some()
    });
    let named = ["rel", "class", "id"].iter().any(|name| {
        let value = page.attr(n, name).unwrap_or_default();
        let mut parts = value.split(|c: char| !c.is_ascii_alphanumeric());
        parts.any(|part| {
            ["next", "nextpage"]
                .iter()
                .any(|w| part.eq_ignore_ascii_case(w))
        })
    });
    shown || named || says(page, n, &NEXT)
}

/// True if a link's text, title or label has one of the phrases.
pub(in crate::learn) fn says(page: &Page, n: NodeId, phrases: &[&str]) -> bool {
    let attributes = ["title", "aria-label"].map(|name| page.attr(n, name));
    let texts = attributes.into_iter().flatten().chain([page.text(n)]);
    let mut texts = texts.filter_map(saying);
    texts.any(|text| {
        let letters = LinkBytes::of(&text);
        let mut phrases = phrases.iter().filter(|phrase| letters.have(phrase));
        phrases.any(|phrase| has_phrase(&text, phrase))
    })
}

/// The bytes of a text, those beyond ASCII as others: what most phrases are told apart by.
#[derive(Debug, Clone, Copy)]
struct LinkBytes(u128);

impl LinkBytes {
    fn of(text: &str) -> LinkBytes {
        LinkBytes(text.bytes().fold(0, |all, byte| all | 1 << (byte % 128)))
    }

    /// True if all of `text` may be among them.
    fn have(self, text: &str) -> bool {
        text.bytes().all(|byte| self.0 & 1 << (byte % 128) != 0)
    }
}

/// A short text, in lower case.
fn saying(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text.len() <= 2 * MAX_SAYING)
        .then(|| fold(text).to_lowercase())
        .filter(|text| text.len() <= MAX_SAYING)
}

/// True if a text has a phrase in it, as words where its script parts these.
fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
        let before = text[..at].chars().next_back().is_some_and(is_letter);
        let after = text[at + phrase.len()..]
            .chars()
            .next()
            .is_some_and(is_letter);
        !before && !after
    })
}

fn has_part(address: &Address, parts: &[&str]) -> bool {
    let mut words = address
        .behind_host()
        .split(['/', '?', '&', '=', '.', '_'])
        .map(str::to_ascii_lowercase);
    words.any(|word| parts.contains(&&*word))
}

fn has_token(page: &Page, n: NodeId, name: &str, token: &str) -> bool {
    let value = page.attr(n, name).unwrap_or_default();
    value
        .split_ascii_whitespace()
        .any(|part| part.eq_ignore_ascii_case(token))
}

/// The number that a link shows, if it shows nothing else.
fn number_in(text: &str) -> Option<u32> {
    let text = text.trim();
    let fits = (1..=2).contains(&text.len());
    (fits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Source;

    fn check(link: &str, expected: LinkRole) {
        let source = Source {
            url: Some("https://a.example/news/ferry-leaves-later.html"),
            ..Source::default()
        };
        let page = Page::parse(format!("<p>{link}").as_bytes(), source);
        let links = PageLinks::of(&page).links;
        assert_eq!(links[0].role, expected, "{link}");
        assert!(may_go_on(&page) || expected != LinkRole::Next, "{link}");
    }

    #[test]
    fn links_to_the_next_page_say_so() {
        for text in [
            "2",
            " 2 ",
            "[2]",
            "Next",
            "Next page »",
            "Nächste Seite",
            "Weiter",
            "Page suivante",
            "Следующая",
            "下一页",
            "次へ",
            ">>",
            "»",
        ] {
            check(
                &format!("<a href=ferry-leaves-later-2.html>{text}</a>"),
                LinkRole::Next,
            );
        }
        for attribute in [
            "rel=next",
            "class='btn-next'",
            "title='Next page'",
            "aria-label=Weiter",
        ] {
            let link = format!("<a href='?page=2' {attribute}><img src=a.png></a>");
            check(&link, LinkRole::Next);
        }
        check(
            "<link rel=next href='ferry-leaves-later_p2.html'>",
            LinkRole::Next,
        );
    }

    #[test]
    fn links_that_only_look_like_it() {
        check("<a href='?page=2'>The ferry</a>", LinkRole::Part);
        check("<a href='#top'>2</a>", LinkRole::Part);
        check("<a href='?page=7'>7</a>", LinkRole::Part);
        check(
            "<a rel=next href=cat-sleeps-on-organ.html>Next</a>",
            LinkRole::Other,
        );
        check("<link rel=next href='/news/cat'>", LinkRole::Other);
        check("<a href=context-2.html>context</a>", LinkRole::Other);
        check(
            "<a href=https://b.example/news/ferry-leaves-later-2.html>2</a>",
            LinkRole::Other,
        );
    }

    #[test]
    fn most_pages_are_known_not_to_go_on() {
        let check = |url: &str, link: &str| {
            let source = Source {
                url: Some(url).filter(|url| !url.is_empty()),
                ..Source::default()
            };
            assert!(!may_go_on(&Page::parse(link.as_bytes(), source)), "{link}");
        };
        let url = "https://a.example/news/ferry-leaves-later.html";
        check(url, "<a rel=next href=cat-sleeps-on-organ.html>Next</a>");
        check(url, "<a href='?page=2'>The ferry</a>");
        check(url, "<a href='#top'>2</a>");
        check("", "<a href='?page=2'>2</a>");
    }

    #[test]
    fn links_to_the_whole_article() {
        for link in [
            "<a href='?page=all'>Single page</a>",
            "<a href='/news/print/ferry-leaves-later.html'>Druckversion</a>",
            "<a href='ferry-leaves-later-full.html'>Auf einer Seite lesen</a>",
            "<a href='ferry-leaves-later.html?print=1'><img></a>",
        ] {
            check(link, LinkRole::Single);
        }
        check("<a href='/news/all'>View all</a>", LinkRole::Other);
        check(
            "<a href='javascript:print()'>Print</a><a href='/print/about'>Print</a>",
            LinkRole::Other,
        );
    }

    #[test]
    fn a_page_without_an_address_has_no_next() {
        let page =
            Page::from_html("<a href=/s/2 rel=next>2</a><a href=https://a.example/s/2>2</a>");
        assert!(PageLinks::of(&page).next().is_none());
    }
}
