//! Languages: names, tags, stop words and stemmers.

use std::fmt;

use whatlang::{Lang, Script};

use tantivy::tokenizer::Language as Stem;

/// The source of a language's stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopSource {
    /// tantivy's list for the language.
    Tantivy(Stem),
    /// The ISO list of the `stop-words` crate.
    Iso,
    /// A file of [`WordLists`](super::WordLists) of our own, which has one section.
    Snowball(&'static str),
    /// The language has no list.
    None,
}

macro_rules! languages {
    ($($name:ident $tag:literal [$($alias:literal)*] $what:expr, $stop:expr, $stem:expr;)*) => {
        /// The language of a text, by which its words are read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Language {
            $(#[doc = concat!("ISO 639-1 `", $tag, "`.")] $name,)*
            /// None of the above, or not known: no stop words, no stems.
            Unknown,
        }

        impl Language {
            /// Every language that has a name here, in the order of declaration.
            pub const ALL: &'static [Language] = &[$(Language::$name,)* Language::Unknown];

            /// The ISO 639-1 code, `und` for [`Language::Unknown`].
            pub fn tag(self) -> &'static str {
                match self {
                    $(Language::$name => $tag,)*
                    Language::Unknown => "und",
                }
            }

            /// The language of a lower-case primary subtag.
            fn from_primary(primary: &str) -> Language {
                match primary {
                    $($tag $(| $alias)* => Language::$name,)*
                    _ => Language::Unknown,
                }
            }

            pub(super) fn stop_source(self) -> StopSource {
                match self {
                    $(Language::$name => $stop,)*
                    Language::Unknown => StopSource::None,
                }
            }

            pub(super) fn stemmer(self) -> Option<Stem> {
                match self {
                    $(Language::$name => $stem,)*
                    Language::Unknown => None,
                }
            }

            /// Each language's number in whatlang.
            const WHATLANG: &[(Lang, Language)] = &[$(($what, Language::$name),)*];
        }
    };
}

use StopSource::{Iso, Snowball, Tantivy};

// The aliases are the ISO 639-2 and 639-3 codes, retired codes (`iw`, `in`, `mo`), and
// country codes that pages use as language codes. Codes of other languages (`se`, `kr`)
// are left out.
languages! {
    Arabic "ar" ["ara"] Lang::Ara, Iso, Some(Stem::Arabic);
    Bulgarian "bg" ["bul"] Lang::Bul, Iso, None;
    Catalan "ca" ["cat"] Lang::Cat, Iso, None;
    Chinese "zh" ["zho" "chi" "cmn" "yue" "cn"] Lang::Cmn, Iso, None;
    Croatian "hr" ["hrv"] Lang::Hrv, Iso, None;
    Czech "cs" ["ces" "cze" "cz"] Lang::Ces, Iso, None;
    Danish "da" ["dan" "dk"] Lang::Dan, Tantivy(Stem::Danish), Some(Stem::Danish);
    Dutch "nl" ["nld" "dut"] Lang::Nld, Tantivy(Stem::Dutch), Some(Stem::Dutch);
    English "en" ["eng"] Lang::Eng, Snowball(include_str!("stop/english.txt")), Some(Stem::English);
    Estonian "et" ["est"] Lang::Est, Iso, None;
    Finnish "fi" ["fin"] Lang::Fin, Tantivy(Stem::Finnish), Some(Stem::Finnish);
    French "fr" ["fra" "fre"] Lang::Fra, Tantivy(Stem::French), Some(Stem::French);
    German "de" ["deu" "ger"] Lang::Deu, Tantivy(Stem::German), Some(Stem::German);
    Greek "el" ["ell" "gre" "gr"] Lang::Ell, Iso, Some(Stem::Greek);
    Hebrew "he" ["heb" "iw"] Lang::Heb, Iso, None;
    Hindi "hi" ["hin"] Lang::Hin, Iso, None;
    Hungarian "hu" ["hun"] Lang::Hun, Tantivy(Stem::Hungarian), Some(Stem::Hungarian);
    Indonesian "id" ["ind" "in"] Lang::Ind, Iso, None;
    Italian "it" ["ita"] Lang::Ita, Tantivy(Stem::Italian), Some(Stem::Italian);
    Japanese "ja" ["jpn" "jp"] Lang::Jpn, Iso, None;
    Korean "ko" ["kor"] Lang::Kor, Iso, None;
    Latvian "lv" ["lav"] Lang::Lav, Iso, None;
    Lithuanian "lt" ["lit"] Lang::Lit, Iso, None;
    Norwegian "no" ["nor" "nb" "nob" "nn" "nno"] Lang::Nob, Tantivy(Stem::Norwegian), Some(Stem::Norwegian);
    Persian "fa" ["fas" "per" "pes"] Lang::Pes, Iso, None;
    Polish "pl" ["pol"] Lang::Pol, Iso, None;
    Portuguese "pt" ["por"] Lang::Por, Tantivy(Stem::Portuguese), Some(Stem::Portuguese);
    Romanian "ro" ["ron" "rum" "mo"] Lang::Ron, Iso, Some(Stem::Romanian);
    Russian "ru" ["rus"] Lang::Rus, Tantivy(Stem::Russian), Some(Stem::Russian);
    Serbian "sr" ["srp"] Lang::Srp, StopSource::None, None;
    Slovak "sk" ["slk" "slo"] Lang::Slk, Iso, None;
    Slovene "sl" ["slv"] Lang::Slv, Iso, None;
    Spanish "es" ["spa"] Lang::Spa, Tantivy(Stem::Spanish), Some(Stem::Spanish);
    Swedish "sv" ["swe"] Lang::Swe, Tantivy(Stem::Swedish), Some(Stem::Swedish);
    Thai "th" ["tha"] Lang::Tha, Iso, None;
    Turkish "tr" ["tur"] Lang::Tur, Iso, Some(Stem::Turkish);
    Ukrainian "uk" ["ukr" "ua"] Lang::Ukr, Iso, None;
    Vietnamese "vi" ["vie"] Lang::Vie, Iso, None;
}

impl Language {
    /// The language of a BCP 47 tag (`zh-TW`, `en`), an OpenGraph locale
    /// (`pt_BR`) or an ISO 639-2 code (`ger`), in any case; of a list such as
    /// `en, fr` the first. [`Language::Unknown`] for anything else.
    ///
    /// ```
    /// use forest_html::text::Language;
    /// assert_eq!(Language::from_tag("zh-TW"), Language::Chinese);
    /// assert_eq!(Language::from_tag("NB_no"), Language::Norwegian);
    /// assert_eq!(Language::from_tag("x-klingon"), Language::Unknown);
    /// ```
    pub fn from_tag(tag: &str) -> Language {
        let primary = tag
            .trim_start()
            .split(|c: char| !c.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let mut lower = [0_u8; 3];
        let Some(lower) = lower.get_mut(..primary.len()) else {
            return Language::Unknown;
        };
        lower.copy_from_slice(primary.as_bytes());
        lower.make_ascii_lowercase();
        Language::from_primary(std::str::from_utf8(lower).unwrap_or_default())
    }

    pub(super) fn from_whatlang(lang: Lang) -> Language {
        Language::WHATLANG
            .iter()
            .find(|(known, _)| *known == lang)
            .map_or(Language::Unknown, |(_, language)| *language)
    }

    /// Returns true if the language is written in `script`, according to whatlang.
    pub(super) fn is_written_in(self, script: Script) -> bool {
        Language::WHATLANG
            .iter()
            .any(|(lang, language)| *language == self && script.langs().contains(lang))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}
