//! The words that tools write into class names, addresses and the `generator`, by the kind of
//! page that has them.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use std::sync::LazyLock;

/// A list of words of `words.txt`: what is read for them, and the kind that they speak for.
macro_rules! lists {
    ($($list:ident $name:literal),* $(,)?) => {
        /// A list of words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum WordList { $($list),* }

        impl WordList {
            /// All lists with the names that `words.txt` has for them.
            const ALL: [(&str, WordList); WORD_LISTS] = [$(($name, WordList::$list)),*];
        }
    };
}

/// Number of lists.
pub(super) const WORD_LISTS: usize = 20;

lists! {
    NamesForum "names-forum",
    NamesShop "names-shop",
    NamesDocumentation "names-documentation",
    NamesList "names-list",
    NamesService "names-service",
    NamesArticle "names-article",
    AddressForum "address-forum",
    AddressShop "address-shop",
    AddressDocumentation "address-documentation",
    AddressList "address-list",
    AddressService "address-service",
    AddressArticle "address-article",
    GeneratorForum "generator-forum",
    GeneratorShop "generator-shop",
    GeneratorDocumentation "generator-documentation",
    TypesArticle "types-article",
    TypesForum "types-forum",
    TypesShop "types-shop",
    TypesList "types-list",
    TypesService "types-service",
}

struct WordAutomaton {
    automaton: AhoCorasick,
    /// The list of each pattern.
    lists: Vec<WordList>,
}

/// The words for what is read together: names, addresses, generators, types.
static AUTOMATA: LazyLock<[WordAutomaton; 4]> = LazyLock::new(|| {
    ["names-", "address-", "generator-", "types-"].map(|group| {
        let rows = include_str!("words.txt").lines();
        let rows = rows.filter(|line| line.starts_with(group));
        let (mut patterns, mut lists) = (Vec::new(), Vec::new());
        for line in rows {
            let Some((name, words)) = line.split_once(": ") else {
                continue;
            };
            let Some((_, list)) = WordList::ALL.into_iter().find(|(named, _)| *named == name)
            else {
                continue;
            };
            for word in words.split(' ') {
                patterns.push(word);
                lists.push(list);
            }
        }
        WordAutomaton {
            automaton: AhoCorasickBuilder::new()
                .ascii_case_insensitive(true)
                .kind(Some(AhoCorasickKind::DFA))
                .build(patterns)
                .expect("some hundred short patterns fit an automaton"),
            lists,
        }
    })
});

/// Bytes of a text that are read for words.
const MAX_READ: usize = 256;

/// A set of word lists, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WordListSet(u32);

impl WordListSet {
    pub fn lists(self) -> impl Iterator<Item = usize> {
        (0..WORD_LISTS).filter(move |list| self.0 & (1 << list) != 0)
    }

    fn of(group: usize, text: &str) -> WordListSet {
        let mut set = WordListSet::default();
        let words = &AUTOMATA[group];
        let read = &text.as_bytes()[..text.len().min(MAX_READ)];
        for found in words.automaton.find_overlapping_iter(read) {
            set.0 |= 1 << words.lists[found.pattern().as_usize()] as u32;
        }
        set
    }

    /// The lists with a word in a class or an id.
    pub fn of_names(value: &str) -> WordListSet {
        WordListSet::of(0, value)
    }

    /// The lists with a word in an address.
    pub fn of_address(address: &str) -> WordListSet {
        WordListSet::of(1, address)
    }

    /// The lists with a word in what names the tool that made the page.
    pub fn of_generator(generator: &str) -> WordListSet {
        WordListSet::of(2, generator)
    }

    /// The lists with a type of schema.org.
    pub fn of_type(name: &str) -> WordListSet {
        WordListSet::of(3, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_has_a_list() {
        let rows = include_str!("words.txt").lines();
        let rows: Vec<&str> = rows.filter(|line| !line.starts_with('#')).collect();
        assert_eq!(rows.len(), WORD_LISTS);
        for (row, (name, list)) in rows.iter().zip(WordList::ALL) {
            assert!(row.starts_with(name), "{row}");
            let words = row.split_once(": ").expect("words").1;
            let first = words.split(' ').next().unwrap_or_default();
            let group = ["names-", "address-", "generator-", "types-"];
            let group = group.iter().position(|group| name.starts_with(group));
            let found = WordListSet::of(group.expect("a group"), first);
            assert!(found.lists().any(|at| at == list as usize), "{row}");
        }
    }

    #[test]
    fn parts_of_names_in_any_case() {
        let lists = |set: WordListSet| set.lists().collect::<Vec<_>>();
        let forum = WordListSet::of_names("Thread__row x");
        assert_eq!(lists(forum), [WordList::NamesForum as usize]);
        assert_eq!(WordListSet::of_names("xyz"), WordListSet::default());
        let generator = WordListSet::of_generator("MkDocs 1.6");
        assert_eq!(
            lists(generator),
            [WordList::GeneratorDocumentation as usize]
        );
    }
}
