//! Lists of words in text files beside the code.
//!
//! Words stand between white space. A line that begins with `#` is a comment; a line in
//! square brackets names the section that the following words belong to.

use foldhash::HashSet;

/// The sections of a file, each with its words.
#[derive(Debug, Default)]
pub struct WordLists(Vec<(&'static str, HashSet<&'static str>)>);

impl WordLists {
    /// Reads a file. Words before the first section belong to the section `""`.
    ///
    /// # Panics
    ///
    /// If a section begins twice or has a word twice: the files are part of the program.
    pub fn read(file: &'static str) -> WordLists {
        let mut sections: Vec<(&str, HashSet<&str>)> = vec![("", HashSet::default())];
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                assert!(sections.iter().all(|known| known.0 != name), "[{name}]");
                sections.push((name, HashSet::default()));
                continue;
            }
            let (name, words) = sections.last_mut().expect("the section without a name");
            for word in line.split_whitespace() {
                assert!(words.insert(word), "[{name}] has `{word}` twice");
            }
        }
        WordLists(sections)
    }

    /// Returns true if a section has a word; false if there is no such section.
    pub fn has(&self, section: &str, word: &str) -> bool {
        let found = self.0.iter().find(|(name, _)| *name == section);
        found.is_some_and(|(_, words)| words.contains(word))
    }

    /// The words of a section, in any order.
    pub fn words(&self, section: &str) -> impl Iterator<Item = &'static str> {
        let found = self.0.iter().filter(move |(name, _)| *name == section);
        found.flat_map(|(_, words)| words.iter().copied())
    }

    /// The names of the sections that have words, in the file's order.
    pub fn sections(&self) -> Vec<&'static str> {
        let filled = self.0.iter().filter(|(_, words)| !words.is_empty());
        filled.map(|(name, _)| *name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_sections_of_words() {
        let lists = WordLists::read("# All\nzero\n[a]\none two\n# More\nthree\n[b]\n[c]\none\n");
        assert_eq!(lists.sections(), ["", "a", "c"]);
        assert!(lists.has("", "zero") && lists.has("a", "three") && lists.has("c", "one"));
        assert!(!lists.has("a", "zero") && !lists.has("b", "one") && !lists.has("d", "one"));
        let mut words: Vec<&str> = lists.words("a").collect();
        words.sort_unstable();
        assert_eq!(words, ["one", "three", "two"]);
    }
}
