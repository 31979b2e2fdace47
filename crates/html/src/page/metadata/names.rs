//! Bylines to names.

use super::clean::{MAX_VALUES, is_handle, is_url};
use super::date::{Date, is_month};
use super::name_words::{is_agency, is_credit, is_outlet, is_role, is_surface};
use crate::text::Language;
use crate::text::fold;
use foldhash::HashMap;
use std::sync::LazyLock;

/// Bytes of a byline that is read; a longer one is a text about its author.
const MAX_BYLINE_BYTES: usize = 400;

/// Bytes and words of a name at the most.
const MAX_NAME_BYTES: usize = 80;
const MAX_NAME_WORDS: usize = 7;

/// Introductions of names, in lower case, the longer first. One that is a name's
/// particle too (`von`, `de`, `da`) is only cut off where it is written as the
/// start of a line and two words follow.
const BEFORE: &[&str] = &[
    "posted by",
    "written by",
    "published by",
    "submitted by",
    "reported by",
    "view all posts by",
    "zeige alle beiträge von",
    "alle beiträge von",
    "alle artikel von",
    "voir tous les articles de",
    "voir tous les articles par",
    "ver todas las entradas de",
    "vedi tutti gli articoli di",
    "posts by",
    "all posts by",
    "more posts by",
    "words by",
    "text by",
    "text",
    "story by",
    "article by",
    "by",
    "author",
    "authors",
    "about the author",
    "publié par",
    "rédigé par",
    "écrit par",
    "ecrit par",
    "proposé par",
    "par",
    "auteur",
    "geschrieben von",
    "veröffentlicht von",
    "erstellt von",
    "verfasst von",
    "ein beitrag von",
    "ein artikel von",
    "ein interview von",
    "un article de",
    "an article by",
    "autor",
    "autorin",
    "autoren",
    "von",
    "escrito por",
    "publicado por",
    "enviado por",
    "postado por",
    "por",
    "autora",
    "scritto da",
    "pubblicato da",
    "inserito da",
    "a cura di",
    "autore",
    "di",
    "da",
    "geschreven door",
    "geplaatst door",
    "door",
    "skrevet av",
    "skriven av",
    "publicerad av",
    "av",
    "skrevet af",
    "af",
    "kirjoittanut",
    "kirjoittaja",
    "opublikował",
    "opublikowane przez",
    "napisał",
    "napsal",
    "przez",
    "írta",
    "szerző",
    "scris de",
    "publicat de",
    "yazan",
    "yazar",
    "oleh",
    "penulis",
    "tác giả",
    "автор",
    "опубликовал",
    "от",
    "συντάκτης",
    "γράφει ο",
    "γράφει η",
    "مأخوذ من",
    "بقلم",
    "كتب",
    "נכתב על ידי",
    "מאת",
    "نویسنده",
    "作者",
    "文",
    "撰文",
    "记者",
    "記者",
    "責任編集",
    "著者",
    "執筆",
    "筆者",
    "投稿者",
    "글쓴이",
    "작성자",
    "글",
];

/// Introductions that are parts of names or of sentences, too.
const AMBIGUOUS: &[&str] = &[
    "about the author",
    "text",
    "par",
    "von",
    "por",
    "di",
    "da",
    "door",
    "av",
    "af",
    "oleh",
    "от",
    "文",
    "글",
];

/// The introductions that are sure.
static SURE: LazyLock<SureIntroductions> = LazyLock::new(|| {
    let mut sure = SureIntroductions {
        by_letter: HashMap::default(),
        seconds: [0; 26],
    };
    for word in BEFORE.iter().filter(|word| !AMBIGUOUS.contains(word)) {
        if let Some(first) = word.chars().next() {
            sure.by_letter.entry(first).or_default().push(word);
        }
        if let [Some(first), Some(second)] = first_letters(word) {
            sure.seconds[first] |= 1 << second;
        }
    }
    sure
});

/// The places in the alphabet of the first two bytes of a text that are ASCII letters.
fn first_letters(text: &str) -> [Option<usize>; 2] {
    let place = |at: usize| {
        let letter = text.as_bytes().get(at)?.to_ascii_lowercase();
        letter
            .is_ascii_lowercase()
            .then(|| usize::from(letter - b'a'))
    };
    [0, 1].map(place)
}

/// Introductions by their beginnings.
struct SureIntroductions {
    by_letter: HashMap<char, Vec<&'static str>>,
    /// For each first letter the second ones, a bit each, of those that begin with two of ASCII.
    seconds: [u32; 26],
}

impl SureIntroductions {
    /// Those with which a text may begin: of its first letter.
    fn of(&self, text: &str) -> &[&'static str] {
        if let [Some(first), Some(second)] = first_letters(text)
            && self.seconds[first] & 1 << second == 0
        {
            return &[];
        }
        let first = text.chars().next().and_then(|c| c.to_lowercase().next());
        first
            .and_then(|first| self.by_letter.get(&first))
            .map_or(&[], |words| words)
    }
}

/// Words between two names.
const AND: &[&str] = &[
    "and", "und", "et", "y", "e", "og", "och", "en", "ja", "i", "и", "і", "ve", "με", "και", "&",
    "with", "avec", "mit", "及", "和", "与",
];

/// Those of them that also stand between names with a capital: `Jane Doe And John Roe`.
const CAPITAL_AND: &[&str] = &["And", "Und", "With"];

/// Words for reporters that stand between their names in Chinese.
const REPORTERS: &[&str] = &[
    "记者",
    "記者",
    "本报记者",
    "本報記者",
    "全媒体记者",
    "特约记者",
    "见习记者",
    "通讯员",
    "通訊員",
    "特约通讯员",
    "实习生",
];

/// Beginnings of lines in which a date stands before the author, and what stands between.
const DATED: &[&str] = &[
    "posted on",
    "published on",
    "posted",
    "veröffentlicht am",
    "erstellt am",
    "publié le",
    "publicado el",
    "publicado em",
    "pubblicato il",
    "geplaatst op",
];
const BY: &[&str] = &[" by ", " von ", " par ", " por ", " da ", " door "];

/// Words that end the names: a date or a place follows, or the kind of work begins.
const ENDS: &[&str] = &[
    "on", "am", "le", "el", "il", "em", "at", "in", "dnia", "den",
];

/// Jobs and links to more of an author that follow a name without a gap.
const ROLES_BEHIND: &[&str] = &[
    "기자",
    "记者",
    "記者",
    "编辑",
    "編輯",
    " ansehen",
    " anzeigen",
    "の投稿をすべて表示",
    "のすべての投稿を表示",
];

/// The names in a byline, as they are written there: without `By`, dates, jobs and
/// addresses; `@handles` are left out. A surname before a comma stays (`Doe, Jane`). What cannot be a name
/// for its length is left out.
///
/// ```
/// use forest_html::page::metadata::names;
///
/// assert_eq!(names("By Jane Doe and John Q. Public | March 5, 2024"), ["Jane Doe", "John Q. Public"]);
/// assert_eq!(names("Von Anna Adler, Bert Braun"), ["Anna Adler", "Bert Braun"]);
/// assert_eq!(names("文/张三"), ["张三"]);
/// assert_eq!(names("Doe, Jane"), ["Doe, Jane"]);
/// ```
pub fn names(byline: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if byline.len() > MAX_BYLINE_BYTES {
        return out;
    }
    let parts = byline.split(['\n', '\r', '\t', '|', '•', '·', ';', '—', '–', '»', '«']);
    let parts = parts.map(fold).flat_map(|part| by_reporter(&part));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    // `By` may stand in a line of its own.
    let is_alone = parts.len() == 1;
    let parts = parts
        .iter()
        .filter(|part| is_alone || !is_introduction(part));
    for part in parts {
        if is_date_alone(part) || is_time_or_place(part) {
            // Behind it stand links and sections.
            if out.is_empty() {
                continue;
            }
            break;
        }
        if is_credit(part) {
            break;
        }
        // A word alone behind whole names is a place.
        let is_place = || !part.contains(' ') && out.iter().all(|name| name.contains(' '));
        if let Some(first) = out.first()
            && (is_role(part) || is_outlet(part, first) || is_place())
        {
            continue;
        }
        let named = without_before(behind_date(part));
        let bare = up_to_end(named);
        for name in split_at_commas(&bare, named.len() < part.len()) {
            for name in split_at_and(&name) {
                if let Some(name) = one(&name)
                    && !out.contains(&name)
                    && out.len() < MAX_VALUES
                {
                    out.push(name);
                }
            }
        }
    }
    // An agency is an author only alone.
    if !out.iter().all(|name| is_agency(name)) {
        out.retain(|name| !is_agency(name));
    }
    out
}

/// The parts of a line between words for reporters: `记者 张三 通讯员 李四`.
fn by_reporter(line: &str) -> Vec<String> {
    // Behind `Photos:` stands who made something else.
    let words = line.split(' ').take_while(|word| !is_credit(word));
    let words: Vec<&str> = words.collect();
    let parts = words.split(|word| REPORTERS.contains(word));
    parts.map(|part| part.join(" ")).collect()
}

/// The text behind a date that stands before the author: `Posted on June 5 by Jane Doe`.
fn behind_date(text: &str) -> &str {
    let begins = |word: &&str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if !DATED.iter().any(begins) {
        return text;
    }
    let behind = BY.iter().find_map(|by| Some(text.find(by)? + by.len()));
    behind.map_or(text, |at| &text[at..])
}

/// True if a text is an introduction of names without a name.
pub(super) fn is_introduction(text: &str) -> bool {
    let lower = text.trim_end_matches([':', '：']).trim_end().to_lowercase();
    BEFORE.contains(&&*lower)
}

/// True if a text begins with an introduction that is sure: one of several words, `By`
/// before a capital, or one with a mark behind it.
pub(super) fn is_introduced(text: &str) -> bool {
    let text = text.trim();
    if behind_date(text).len() < text.len() {
        return true;
    }
    if !may_introduce(text) {
        return false;
    }
    let sure = SURE.of(text);
    let parts = |c: char| c.is_whitespace() || matches!(c, ':' | '：' | '/' | '／');
    if !text.contains(parts) {
        return false;
    }
    sure.iter().any(|word| {
        after(text, word).is_some_and(|name| {
            let between = &text[..text.len() - name.len()];
            word.contains(' ')
                || between.trim_end().ends_with([':', '：', '/', '／'])
                || (*word == "by" && name.starts_with(char::is_uppercase))
        })
    })
}

/// True if a text that begins so may be [introduced](is_introduced), whatever follows.
pub(super) fn may_introduce(beginning: &str) -> bool {
    let lower = || beginning.chars().flat_map(char::to_lowercase);
    let agree = |word: &&str| {
        let bytes = &beginning.as_bytes()[..word.len().min(beginning.len())];
        if bytes.is_ascii() && word.is_ascii() {
            bytes.eq_ignore_ascii_case(&word.as_bytes()[..bytes.len()])
        } else {
            lower().zip(word.chars()).all(|(a, b)| a == b)
        }
    };
    SURE.of(beginning).iter().any(agree)
}

/// The text without what introduces names.
fn without_before(text: &str) -> &str {
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    // `Author: by Jane Doe` has two.
    for _ in 0..2 {
        let first = rest.chars().next().and_then(|c| c.to_lowercase().next());
        let alike = BEFORE.iter().filter(|word| word.chars().next() == first);
        let behind = alike.filter_map(|word| after(rest, word));
        match behind.min_by_key(|behind| behind.len()) {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    rest
}

/// The text before a place, a time, or the outlet that was written for (`Jane Doe for The Paper`);
/// none of them is at the beginning.
fn up_to_end(text: &str) -> String {
    let is_end = |(at, word): &(usize, &str)| {
        ENDS.contains(word) || *at >= 2 && word.eq_ignore_ascii_case("for")
    };
    let words = text.split(' ').enumerate();
    let kept = words.take_while(|part| part.0 == 0 || !is_end(part));
    let kept: Vec<&str> = kept.map(|(_, word)| word).collect();
    kept.join(" ")
}

/// The text behind `word` at its beginning.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut chars = text.char_indices();
    for expected in word.chars() {
        let (_, c) = chars.next()?;
        if !c.to_lowercase().eq([expected]) {
            return None;
        }
    }
    let rest = chars.as_str();
    let marks = |c: char| matches!(c, ':' | '：' | '/' | '／' | '=' | '＝' | '|');
    let behind = rest.trim_start();
    if let Some(name) = behind.strip_prefix(marks) {
        return Some(name.trim_start()).filter(|name| !name.is_empty());
    }
    let parted = behind.len() < rest.len();
    let sure = word.contains(' ') || matches!(word, "by" | "par" | "por" | "oleh" | "door");
    let two_words = behind.contains(' ');
    // `von Trapp` is written so nowhere but within a name.
    let is_small = rest_of_line_names(text, word);
    (parted && !behind.is_empty() && (sure || two_words || is_small)).then_some(behind)
}

/// True if a text begins with an introduction that is written small, as in a line of its own.
fn rest_of_line_names(text: &str, word: &str) -> bool {
    matches!(word, "von" | "av" | "af") && text.starts_with(word)
}

/// True if a text is a name behind an introduction that is otherwise part of names: `von Jane
/// Doe`. Beside a title it is a byline.
pub(super) fn is_introduced_name(text: &str) -> bool {
    /// Words of such a name.
    const WORDS: std::ops::RangeInclusive<usize> = 2..=4;
    let text = text.trim();
    let words = AMBIGUOUS.iter().filter_map(|word| after(text, word));
    words.min_by_key(|behind| behind.len()).is_some_and(|name| {
        let name = up_to_end(&fold(name));
        WORDS.contains(&name.split_whitespace().count())
            && name
                .split_whitespace()
                .all(|word| word.starts_with(char::is_uppercase))
    })
}

/// The names between commas. One comma between single words, or before a first
/// name, parts surname and first name of one.
///
/// A word alone behind whole names that were introduced is a place: `Von Jane Doe, Lindach`.
fn split_at_commas(text: &str, is_introduced: bool) -> Vec<String> {
    let parts = text.split([',', '、', '，']).map(str::trim);
    let parts = parts.filter(|part| !part.is_empty() && !is_date(part));
    // The first is a name, whatever it is called.
    let parts = parts
        .enumerate()
        .filter(|(at, part)| *at == 0 || !is_role(part));
    let mut parts: Vec<&str> = parts
        .map(|(_, part)| part)
        .take_while(|part| !is_credit(part))
        .collect();
    if let [names @ .., place] = &*parts
        && is_introduced
        && !names.is_empty()
        && !place.contains(' ')
        && place.starts_with(char::is_uppercase)
        && names.iter().all(|name| name.contains(' '))
    {
        parts.pop();
    }
    let single = |part: &&str| !part.contains(' ') && part.is_ascii();
    match parts[..] {
        [surname, first] if single(&surname) && first.split(' ').count() <= 2 => {
            vec![format!("{surname}, {first}")]
        }
        _ => parts.into_iter().map(str::to_owned).collect(),
    }
}

fn split_at_and(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for word in text.split(' ') {
        let lower = word.to_lowercase();
        let name = out.last_mut().expect("there is a first");
        // A letter alone may be an initial: `I` and `E` are no `and`.
        let is_capital = || CAPITAL_AND.contains(&word) && name.contains(' ');
        if AND.contains(&&*lower) && (*word == lower || is_capital()) {
            out.push(String::new());
        } else {
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
        }
    }
    out.retain(|name| !name.is_empty());
    out
}

/// One name: without dates, addresses and brackets.
fn one(text: &str) -> Option<String> {
    let text = without_before(text);
    // Behind the stroke stands the picture's author or a place.
    let is_wide = text.starts_with(|c| c >= '\u{2e80}');
    let text = match text.find(['／', '/']) {
        Some(stroke) if is_wide && stroke > 0 => &text[..stroke],
        _ => text,
    };
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        // A year, or the time of day.
        if word
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'))
        {
            // `Dec 9` is a day.
            if words
                .iter()
                .all(|word| is_month(word, Language::Unknown.into()))
            {
                return None;
            }
            break;
        }
        let is_mail = word.contains('@') && text.contains(' ');
        if !is_mail && !is_handle(word) && !is_url(word) {
            words.push(word);
        }
    }
    let mut name = words.join(" ");
    for role in ROLES_BEHIND {
        if let Some(short) = name.strip_suffix(role) {
            name.truncate(short.trim_end().len());
        }
    }
    // `(Jane Doe)` is what is left of an address with a name.
    let name = name.trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')' | '<' | '>' | '[' | ']' | ':' | '：' | ',' | '/' | '"' | '-'
            )
    });
    let fits = !name.is_empty()
        && !begins_small(name)
        && name.len() <= MAX_NAME_BYTES
        && name.split(' ').count() <= MAX_NAME_WORDS
        && name.chars().any(char::is_alphabetic)
        && !is_surface(name)
        && !is_date(name);
    fits.then(|| name.to_owned())
}

/// Words in lower case that begin surnames.
const PARTICLES: &[&str] = &[
    "abu", "af", "al", "av", "bin", "da", "dal", "das", "de", "del", "della", "den", "der", "di",
    "do", "dos", "du", "ibn", "la", "le", "mac", "mc", "ten", "ter", "van", "vom", "von", "zu",
    "zum", "zur",
];

/// True if a word in lower case stands before a capitalised one, as in `our Editor`: names have a
/// capital in each word, or in none.
fn begins_small(name: &str) -> bool {
    let mut words = name.split(' ');
    let first = words.next().unwrap_or_default();
    let letters = first
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    first.starts_with(char::is_lowercase)
        && words
            .next()
            .is_some_and(|word| word.starts_with(char::is_uppercase))
        && letters.chars().count() > 1
        && letters.chars().all(char::is_lowercase)
        && !PARTICLES.contains(&letters)
}

/// True if a text is numbers with at most the name of a month: `March 5, 2024`, `Dec 16`.
fn is_date_alone(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic());
    let mut words = words.filter(|word| !word.is_empty());
    let has_number = text.contains(|c: char| c.is_ascii_digit());
    // `Dec 16` has no year.
    words
        .next()
        .is_none_or(|word| has_number && is_month(word, Language::Unknown.into()))
        && words.next().is_none()
        && has_number
}

/// True if a text is an end of names with a date: `on March 5, 2024`.
fn is_time_or_place(text: &str) -> bool {
    let end = text.split_once(' ');
    end.is_some_and(|(word, rest)| ENDS.contains(&word) && is_date(rest))
}

fn is_date(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits == text.len()
        || (digits >= 3 && Date::read_in(text, Language::Unknown).rfc3339.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(byline: &str, expected: &[&str]) {
        assert_eq!(names(byline), expected, "{byline}");
    }

    #[test]
    fn names_with_capitals_between_and_whom_they_write_for() {
        check(
            "By Jane Doe And John Roe For The Paper",
            &["Jane Doe", "John Roe"],
        );
        check("Anna Adler Und Bert Braun", &["Anna Adler", "Bert Braun"]);
        check("CUSTOMS AND BORDER POLICE", &["CUSTOMS AND BORDER POLICE"]);
        check("Jane Doe for The Valley Paper", &["Jane Doe"]);
        check("By Jane Doe For Paperonline", &["Jane Doe"]);
        check("And Yet", &["And Yet"]);
        check("Words For Friends", &["Words For Friends"]);
    }

    #[test]
    fn a_small_word_before_a_large_one_begins_no_name() {
        check("Von deinen Hochzeitsbloggern", &[]);
        check("by our Valley Correspondent", &[]);
        check("von Anna Adler", &["Anna Adler"]);
        check("by van der Berg", &["van der Berg"]);
        check("by bell hooks", &["bell hooks"]);
        check("by jdoe", &["jdoe"]);
        check("by iDoe Roe", &["iDoe Roe"]);
        check("by d'Arcy Doe", &["d'Arcy Doe"]);
        check("by al-Amin Doe", &["al-Amin Doe"]);
    }

    #[test]
    fn what_introduces_names_is_no_name() {
        check("By Jane Doe", &["Jane Doe"]);
        check("BY JANE DOE", &["JANE DOE"]);
        check("Posted by admin", &["admin"]);
        check("Autor: jdoe", &["jdoe"]);
        check("Von Anna Adler", &["Anna Adler"]);
        check("Par Jean Petit", &["Jean Petit"]);
        check("作者：张三", &["张三"]);
        check("文/张三", &["张三"]);
        check("Автор: Иван Иванов", &["Иван Иванов"]);
        check("김철수 기자", &["김철수"]);
    }

    #[test]
    fn names_that_begin_like_an_introduction() {
        check("Byron Katie", &["Byron Katie"]);
        check("Di Maio", &["Di Maio"]);
        check("Author", &["Author"]);
        check("文心", &["文心"]);
    }

    #[test]
    fn several_names() {
        check("Jane Doe and John Roe", &["Jane Doe", "John Roe"]);
        check(
            "Jane Doe, John Roe & Ann Poe",
            &["Jane Doe", "John Roe", "Ann Poe"],
        );
        check("Anna Adler und Bert Braun", &["Anna Adler", "Bert Braun"]);
        check("张三、李四", &["张三", "李四"]);
        check("Jane Doe\nJane Doe", &["Jane Doe"]);
        check("By\n Jane Doe\n John Roe", &["Jane Doe", "John Roe"]);
        check("By Jane Doe\n on March 5, 2024\n Edit", &["Jane Doe"]);
        check("View all posts by Jane Doe", &["Jane Doe"]);
        check("Sam I. Am", &["Sam I. Am"]);
    }

    #[test]
    fn dates_jobs_and_addresses_are_cut() {
        check("By Jane Doe, Staff Writer", &["Jane Doe"]);
        check("Jane Doe on March 5, 2024", &["Jane Doe"]);
        check("Jane Doe · 5. März 2024", &["Jane Doe"]);
        check("Posted by jane at May 2, 2006 07:33 AM", &["jane"]);
        check("jane@a.example (Jane Doe)", &["Jane Doe"]);
        check("Jane Doe <jane@a.example>", &["Jane Doe"]);
        check("@jdoe", &[]);
        check("By @jdoe@social.example", &[]);
        check("Jane Doe (@jdoe), @jroe", &["Jane Doe"]);
        check("https://a.example/jane\nJane Doe", &["Jane Doe"]);
    }

    #[test]
    fn what_is_too_long_is_no_name() {
        check(&"word ".repeat(12), &[]);
        check(&"x".repeat(500), &[]);
        check("330k", &["330k"]);
        check("2024", &[]);
    }

    proptest! {
        #[test]
        fn a_name_is_read_again_as_itself(byline in "(by |von |Author: )?[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}(, | and )[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}") {
            for name in names(&byline) {
                prop_assert_eq!(names(&name), vec![name.clone()], "{}", byline);
            }
        }

        #[test]
        fn anything_is_read_without_panic(byline in "\\PC{0,80}") {
            names(&byline);
        }
    }
}
