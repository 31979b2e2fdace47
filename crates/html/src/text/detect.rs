//! The language of a text.

use super::language::Language;
use super::stop::stop_words;

/// Bytes of text whose script is read, in [`WINDOWS`] pieces spread evenly over the text.
/// This costs about 1 ns a byte.
const SCRIPT_BYTES: usize = 8192;

/// Bytes of words for whatlang, in [`WINDOWS`] pieces. It compares
/// trigrams with some 40 languages at 80 µs for 1 kB; on the words of 1,045
/// pages in 15 languages, 2 kB found the language of fewer pages than 1 kB did.
const WORD_BYTES: usize = 1024;

/// Pieces of a sample. A page's text begins and ends with navigation and legal
/// lines, often in English whatever the article is written in.
const WINDOWS: usize = 4;

/// Share of a text's letters, in bytes, from which a script other than Latin is
/// the text's own: pages on programming are mostly Latin (code, names, template
/// words) in any language. On 1,045 pages in 15 languages, letting whatlang see
/// all words found the language of 885, this rule with 0.2 of 1,009 (with 0.1
/// of 1,013, with 0.3 of 1,006), and no page in a Latin script was lost to it;
/// 0.2 leaves a short English text its one Chinese name.
const OWN_SCRIPT_SHARE: f64 = 0.2;

/// Share of kana among a text's Chinese and Japanese characters, in bytes, from
/// which it is Japanese: Chinese pages hold names and marks in kana, Japanese
/// prose has about half its characters in kana.
const KANA_SHARE: f64 = 0.1;

/// Share of a text's words that are stop words of English or German from which it is in that
/// language, if at most a third as many are of the other's alone: the two share `in`, `so`,
/// `die` and `was`, and a text of which two thirds are German has a quarter of words that are
/// English. And words that it takes to say so. Of 1,523 pages of the development gold none is in
/// another language by this than by whatlang; at 0.25 one is, a list of changes in English below
/// ten lines of French.
const STOP_SHARE: f64 = 0.28;
const OTHERS_SHARE: f64 = 1.0 / 3.0;
const LEAST_WORDS: u32 = 40;

/// A script or a family of scripts, as far as the decision needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptFamily {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Other,
    Han,
    Kana,
    Hangul,
}

/// The scripts that whatlang decides about, Latin last: of two with equal
/// counts the last is taken.
const SPACED: [ScriptFamily; 5] = [
    ScriptFamily::Other,
    ScriptFamily::Arabic,
    ScriptFamily::Greek,
    ScriptFamily::Cyrillic,
    ScriptFamily::Latin,
];

/// The script of a letter; `None` for other characters.
fn script(c: char) -> Option<ScriptFamily> {
    Some(match c as u32 {
        0..=0x7f => return c.is_ascii_alphabetic().then_some(ScriptFamily::Latin),
        0xc0..=0x24f | 0x1e00..=0x1eff => ScriptFamily::Latin,
        0x370..=0x3ff | 0x1f00..=0x1fff => ScriptFamily::Greek,
        0x400..=0x52f => ScriptFamily::Cyrillic,
        0x600..=0x6ff => ScriptFamily::Arabic,
        0x3041..=0x30ff => ScriptFamily::Kana,
        0x3400..=0x9fff | 0x20000..=0x3ffff => ScriptFamily::Han,
        0x1100..=0x11ff | 0x3131..=0x318e | 0xac00..=0xd7ff => ScriptFamily::Hangul,
        _ if c.is_alphabetic() => ScriptFamily::Other,
        _ => return None,
    })
}

impl Language {
    /// The language of `text`, with a page's own statement (its `lang`
    /// attribute) as `hint`.
    ///
    /// Templates often have a wrong `lang="en"`, so the text decides if its script or
    /// whatlang is certain. If whatlang is not (short texts, Danish against Norwegian),
    /// the hint decides, provided that the text's script can be that of the hint; else
    /// whatlang's best guess. A text in a language without a name here is
    /// [`Language::Unknown`].
    ///
    /// English text whose hint is English, or that has none, is known by its stop words, and so is
    /// German text whose hint is German.
    ///
    /// At most 8 kB of the text are read for its script and 1 kB for its language, so
    /// that the cost does not grow with the page.
    ///
    /// ```
    /// use forest_html::text::Language;
    /// let text = "Der Hund bellt, und die Katze schläft auf dem warmen Ofen im Haus.";
    /// assert_eq!(Language::detect(text, Some("en")), Language::German);
    /// assert_eq!(Language::detect("42", Some("fr-CH")), Language::French);
    /// assert_eq!(Language::detect("42", None), Language::Unknown);
    /// ```
    pub fn detect(text: &str, hint: Option<&str>) -> Language {
        let hint = hint.map_or(Language::Unknown, Language::from_tag);
        let mut bytes = [0_usize; 8];
        for window in windows(text, SCRIPT_BYTES) {
            let letters = window.bytes().filter(u8::is_ascii_alphabetic);
            bytes[ScriptFamily::Latin as usize] += letters.count();
            if window.is_ascii() {
                continue;
            }
            for c in window.chars().filter(|c| !c.is_ascii()) {
                if let Some(script) = script(c) {
                    bytes[script as usize] += c.len_utf8();
                }
            }
        }
        let of = |script: ScriptFamily| bytes[script as usize];
        let own = OWN_SCRIPT_SHARE * bytes.iter().sum::<usize>() as f64;
        let foreign = SPACED[..4]
            .iter()
            .copied()
            .max_by_key(|s| of(*s))
            .filter(|s| of(*s) as f64 > own);

        let chinese_japanese = of(ScriptFamily::Han) + of(ScriptFamily::Kana);
        let unspaced = chinese_japanese + of(ScriptFamily::Hangul);
        if unspaced as f64 > own && foreign.is_none_or(|s| of(s) < unspaced) {
            return if of(ScriptFamily::Hangul) > chinese_japanese {
                Language::Korean
            } else if of(ScriptFamily::Kana) as f64 > KANA_SHARE * chinese_japanese as f64 {
                Language::Japanese
            } else {
                Language::Chinese
            };
        }
        let words = words_in(foreign.unwrap_or(ScriptFamily::Latin), text);
        // Where nothing speaks against it, whatlang need not be asked.
        let plain = match hint {
            Language::English | Language::Unknown => Some(Language::English),
            Language::German => Some(Language::German),
            _ => None,
        };
        if let Some(plain) = plain.filter(|&language| is_prose_of(language, &words)) {
            return plain;
        }
        match whatlang::detect(&words) {
            None => hint,
            Some(info) if info.is_reliable() => Language::from_whatlang(info.lang()),
            Some(info) if hint.is_written_in(info.script()) => hint,
            Some(info) => Language::from_whatlang(info.lang()),
        }
    }
}

/// True if the words of a text, parted by spaces, are those of prose in a language.
fn is_prose_of(language: Language, words: &str) -> bool {
    let other = match language {
        Language::German => Language::English,
        _ => Language::German,
    };
    let (known, other) = (stop_words(language), stop_words(other));
    let (mut all, mut stop, mut of_other) = (0_u32, 0_u32, 0_u32);
    for word in words.split_ascii_whitespace() {
        all += 1;
        if known.contains(word) {
            stop += 1;
        } else {
            of_other += u32::from(other.contains(word));
        }
    }
    let stop = f64::from(stop);
    all >= LEAST_WORDS
        && stop >= STOP_SHARE * f64::from(all)
        && f64::from(of_other) <= OTHERS_SHARE * stop
}

/// At most `bytes` of `text`: all of it, or pieces each in the middle of its
/// share of the text.
fn windows(text: &str, bytes: usize) -> impl Iterator<Item = &str> {
    let (count, window) = if text.len() <= bytes {
        (1, text.len())
    } else {
        (WINDOWS, bytes / WINDOWS)
    };
    let share = text.len() / count;
    (0..count).map(move |i| {
        let from = text.floor_char_boundary(i * share + (share - window) / 2);
        &text[from..text.floor_char_boundary(from + window)]
    })
}

/// Words of `text` whose first letter is of `wanted`, from all its windows.
fn words_in(wanted: ScriptFamily, text: &str) -> String {
    let mut out = String::with_capacity(WORD_BYTES + 256);
    // Four times the bytes, as not every word is of the wanted script.
    let bytes = 4 * WORD_BYTES;
    let pieces = if text.len() <= bytes { 1 } else { WINDOWS };
    for window in windows(text, bytes) {
        let full = out.len() + WORD_BYTES / pieces;
        for word in window.split(|c: char| !c.is_alphabetic()) {
            if word.chars().next().and_then(script) == Some(wanted) {
                out.push_str(word);
                out.push(' ');
                if out.len() >= full {
                    break;
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_and_german_are_known_by_their_stop_words() {
        let english =
            "the ferry was late again and so the baker had to wait at the pier for an hour ";
        let german = "die Fähre kam zu spät und der Bäcker war an der Mole in der Stadt ";
        let is_english = |text: &str| is_prose_of(Language::English, text);
        assert!(is_english(&english.repeat(4)));
        assert!(!is_english(english), "too short");
        assert!(is_prose_of(Language::German, &german.repeat(4)));
        assert!(!is_prose_of(Language::German, &english.repeat(4)));
        assert!(!is_english(&german.repeat(4)));
        let mixed = format!("{english}{german}{german}").repeat(4);
        assert!(!is_english(&mixed), "two thirds are German");
    }
}
