use proptest::prelude::*;
use rust_stemmers::{Algorithm, Stemmer as Oracle};
use tantivy::tokenizer::{Stemmer, StopWordFilter, TokenFilter, TokenStream, Tokenizer};

use super::language::StopSource;
use super::*;

fn terms(language: Language, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    Analyzer::new(language).terms(text, |term| out.push(term.to_owned()));
    out
}

fn words(language: Language, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    Analyzer::new(language).words(text, |word, _| out.push(word.to_owned()));
    out
}

/// The terms of `text`, blank-separated, are `expected`.
#[track_caller]
fn check(language: Language, text: &str, expected: &str) {
    assert_eq!(terms(language, text).join(" "), expected, "{text}");
}

/// The words (no stop-word removal, no stems) of `text` are `expected`.
#[track_caller]
fn check_words(language: Language, text: &str, expected: &str) {
    assert_eq!(words(language, text).join(" "), expected, "{text}");
}

#[track_caller]
fn check_metric(text: &str, expected: &[&str]) {
    assert_eq!(metric_tokens(text).iter().collect::<Vec<_>>(), expected);
    let first = expected.first().and_then(|token| token.chars().next());
    assert_eq!(first_of_tokens(text), first);
}

#[test]
fn words_are_lower_cased_and_stemmed_without_stop_words() {
    check(Language::English, "The Runners were running!", "runner run");
    check(Language::German, "Die Häuser und die Gärten", "haus gart");
    check(Language::French, "L’eau des rivières", "eau rivi");
    check(Language::Russian, "И в больших домах", "больш дом");
    check(Language::Unknown, "The Runners", "the runners");
}

#[test]
fn polish_has_stop_words_and_no_stems() {
    check(Language::Polish, "Ale kotów i Psów nie było", "kotów psów");
}

#[test]
fn english_apostrophes_belong_to_words_and_possessives_go() {
    check_words(
        Language::English,
        "Don't dogs' Anna’s it's 'quoted'",
        "don't dogs anna it quoted",
    );
    check(Language::English, "It's Anna's", "anna");
    check_words(
        Language::Italian,
        "L'acqua dell’amico",
        "l acqua dell amico",
    );
}

#[test]
fn han_kana_and_hangul_become_bigrams() {
    check(Language::Unknown, "北京大学", "北京 京大 大学");
    check(Language::Unknown, "カメラ・レンズ", "カメ メラ レン ンズ");
    check(Language::Unknown, "한국어 글", "한국 국어 글");
    check(Language::English, "BBC说x光2好", "bbc 说 x 光 2 好");
    check(Language::Unknown, "𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂");
    check(Language::Unknown, "ประเทศ", "ปร ระ ะเ เท ทศ");
}

#[test]
fn chinese_stop_words_go_as_bigrams_too() {
    check(Language::Chinese, "因为", "");
    assert!(!terms(Language::Unknown, "因为").is_empty());
}

#[test]
fn invisible_characters_do_not_part_words() {
    check_words(Language::German, "Wochen\u{ad}ende", "wochenende");
    check_words(Language::Unknown, "e\u{301}te\u{301}", "e\u{301}te\u{301}");
    check_words(Language::Hindi, "हिन्दी भाषा।", "हिन्दी भाषा");
    check_words(Language::Unknown, "\u{ad}\u{301}", "");
}

#[test]
fn spellings_of_one_word_become_one() {
    check_words(Language::Greek, "ΛΌΓΟΣ λόγος Λόγος", "λογοσ λογοσ λογοσ");
    check_words(Language::Russian, "Ещё ещё", "еще еще");
    check_words(Language::Turkish, "IŞIK İzmir", "ışık izmir");
    check_words(Language::English, "IRIS ＡＢＣ１", "iris abc1");
    check_words(Language::Romanian, "Şi ţară", "și țară");
    check_words(Language::Arabic, "مُحَمَّد محـمد", "محمد محمد");
}

#[test]
fn stop_words_in_their_folded_spelling_are_found() {
    // The list has them without accent or with both spellings.
    check(Language::Greek, "ακόμα ακομα", "");
    check(Language::Russian, "ещё", "");
    check(Language::Romanian, "Şi", "");
}

#[test]
fn over_long_runs_are_no_words() {
    let limit = "ж".repeat(MAX_TERM_CHARS);
    check_words(Language::Unknown, &limit, &limit);
    check_words(Language::Unknown, &format!("{limit}ж a"), "a");
    let mixed = format!("{} b", "aж".repeat(MAX_TERM_CHARS));
    check_words(Language::Unknown, &mixed, "b");
}

#[test]
fn an_index_sees_the_learners_terms_with_offsets_and_positions() {
    let text = "The red foxes, 北京市 of Anna's house";
    let mut analyzer = Analyzer::new(Language::English);
    let mut stream = analyzer.token_stream(text);
    let mut seen = Vec::new();
    while let Some(token) = stream.next() {
        seen.push((
            token.text.clone(),
            token.position,
            &text[token.offset_from..token.offset_to],
        ));
    }
    let expected = [
        ("red", 1, "red"),
        ("fox", 2, "foxes"),
        ("北京", 3, "北京"),
        ("京市", 4, "京市"),
        ("anna", 6, "Anna's"),
        ("hous", 7, "house"),
    ];
    let seen: Vec<_> = seen.iter().map(|(t, p, s)| (t.as_str(), *p, *s)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn more_words_than_the_table_has_slots_keep_their_stems() {
    let mut analyzer = Analyzer::new(Language::English);
    for round in 0..2 {
        for n in 0..10_000 {
            let word = format!("walking{n}ing");
            analyzer.terms(&word, |term| {
                assert_eq!(term, format!("walking{n}"), "{round}")
            });
        }
    }
}

#[test]
fn tantivys_own_lists_are_used_whole() {
    for &language in Language::ALL {
        let StopSource::Tantivy(stem) = language.stop_source() else {
            continue;
        };
        let mut filter = StopWordFilter::new(stem)
            .expect("the table names only languages that tantivy has")
            .transform(tantivy::tokenizer::WhitespaceTokenizer::default());
        let set = stop_words(language);
        for word in stop_words::lookup(language.tag()).unwrap_or_default() {
            let removed = !filter.token_stream(word).advance();
            // Entries that are no single word to the analyzer (`ill.`) fold away.
            if let (true, [word]) = (removed, words(language, word).as_slice()) {
                assert!(set.contains(word), "{language}: {word}");
            }
        }
    }
    // The sizes of tantivy 0.27's lists: a new version that changes one shows.
    assert_eq!(stop_words(Language::German).len(), 231);
    assert_eq!(stop_words(Language::Finnish).len(), 229);
}

#[test]
fn english_has_snowballs_list() {
    for word in ["the", "from", "he", "isn't"] {
        assert!(stop_words(Language::English).contains(word), "{word}");
    }
    for word in ["fire", "world", "system"] {
        assert!(!stop_words(Language::English).contains(word), "{word}");
    }
}

#[test]
fn every_language_has_the_lists_that_its_row_says() {
    for &language in Language::ALL {
        let none = language.stop_source() == StopSource::None;
        assert_eq!(stop_words(language).is_empty(), none, "{language}");
    }
}

/// Stems of the analyzer's stemmers against rust-stemmers, an older Snowball.
#[track_caller]
fn check_stems(language: Language, oracle: Algorithm, words: &str) {
    let oracle = Oracle::create(oracle);
    for word in words.split(' ') {
        check(language, word, &oracle.stem(word));
    }
}

#[test]
fn stems_are_snowballs() {
    use Language::*;
    check_stems(
        English,
        Algorithm::English,
        "generations happily national relational hopping agreed",
    );
    check_stems(
        German,
        Algorithm::German,
        "häusern freundlichkeit aufgaben kleinere arbeiten",
    );
    check_stems(
        French,
        Algorithm::French,
        "nationalité continuellement maisons chanteuse",
    );
    check_stems(
        Spanish,
        Algorithm::Spanish,
        "canciones rápidamente trabajadores niñas",
    );
    check_stems(
        Italian,
        Algorithm::Italian,
        "nazionale velocemente ragazze mangiare",
    );
    check_stems(
        Portuguese,
        Algorithm::Portuguese,
        "canções rapidamente trabalhadores meninas",
    );
    check_stems(
        Swedish,
        Algorithm::Swedish,
        "flickorna husen arbetare möjligheter",
    );
    check_stems(
        Norwegian,
        Algorithm::Norwegian,
        "jentene husene arbeidere muligheter",
    );
    check_stems(
        Danish,
        Algorithm::Danish,
        "pigerne husene arbejdere muligheder",
    );
    check_stems(
        Finnish,
        Algorithm::Finnish,
        "taloissa kirjoja ihmiset kaupungin",
    );
    check_stems(
        Hungarian,
        Algorithm::Hungarian,
        "házakban könyveket emberek városok",
    );
    check_stems(
        Russian,
        Algorithm::Russian,
        "домами красивые работали новостей",
    );
    check_stems(
        Turkish,
        Algorithm::Turkish,
        "kitaplar evlerde insanların çocuklar",
    );
}

/// Snowball has replaced its Dutch algorithm since rust-stemmers was made.
#[test]
fn dutch_stems_are_those_of_the_newer_algorithm() {
    check(
        Language::Dutch,
        "huizen fietsen kinderen",
        "huis fiets kinder",
    );
}

#[test]
fn greek_words_that_break_other_stemmers_do_not_panic() {
    check(Language::Greek, "αντιθετε", "ανετ");
    check(Language::Greek, "Ειδήσεις", "ειδησ");
}

#[test]
fn tags_in_many_forms() {
    for (tag, language) in [
        ("en", Language::English),
        ("EN-us", Language::English),
        ("pt_BR", Language::Portuguese),
        ("zh-Hant-TW", Language::Chinese),
        (" de , en", Language::German),
        ("nn", Language::Norwegian),
        ("iw", Language::Hebrew),
        ("cz", Language::Czech),
        ("ger", Language::German),
        ("english", Language::Unknown),
        ("", Language::Unknown),
        ("日本語", Language::Unknown),
    ] {
        assert_eq!(Language::from_tag(tag), language, "{tag}");
    }
    for &language in Language::ALL {
        assert_eq!(Language::from_tag(language.tag()), language);
    }
}

#[test]
fn text_wins_over_a_wrong_hint_and_the_hint_over_no_text() {
    let russian = "Собака лает, а кошка спит на тёплой печи в большом доме у реки.";
    assert_eq!(Language::detect(russian, Some("en")), Language::Russian);
    assert_eq!(
        Language::detect("记者从北京报道", Some("en-US")),
        Language::Chinese
    );
    assert_eq!(Language::detect("", Some("tr_TR")), Language::Turkish);
    assert_eq!(Language::detect("", Some("x")), Language::Unknown);
}

#[test]
fn navigation_at_the_ends_does_not_decide_the_language() {
    let nav = "Home News Sport Contact About us Sign in Subscribe to the newsletter today. ";
    let body =
        "Am Abend ging der Wanderer noch einmal über die Brücke und sah lange in den Fluss. ";
    let page = nav.repeat(8) + &body.repeat(60) + &nav.repeat(8);
    assert_eq!(Language::detect(&page, None), Language::German);
}

/// Pages on programming are mostly code and names in Latin letters.
#[test]
fn a_script_of_its_own_outweighs_code() {
    let code = "let counter = stream.filter(predicate).map(transform).collect(); ".repeat(6);
    for (prose, language) in [
        ("この関数は値を数えるために使います。", Language::Japanese),
        ("这个函数用来计算数值的总和，非常简单。", Language::Chinese),
        ("이 함수는 값을 세기 위해 사용합니다.", Language::Korean),
        (
            "Эта функция считает значения, и она очень простая.",
            Language::Russian,
        ),
    ] {
        let text = format!("{prose}{code}{prose}");
        assert_eq!(Language::detect(&text, Some("en")), language);
    }
    let english = "The name of the city, 北京, was written on the old map of the country.";
    assert_eq!(Language::detect(english, None), Language::English);
}

#[test]
fn metric_tokens_are_runs_of_word_characters() {
    check_metric("", &[]);
    check_metric(" .,;- ", &[]);
    check_metric("a_b c-d 4½ x²", &["a_b", "c", "d", "4½", "x²"]);
    check_metric("Die STRASSE, straße", &["die", "strasse", "straße"]);
    check_metric("«ΣΟΦΟΣ» İz", &["σοφος", "i", "z"]);
}

#[test]
fn metric_tokens_split_unspaced_scripts_by_character_and_hangul_not() {
    check_metric("北京x3です", &["北", "京", "x3", "で", "す"]);
    check_metric("カ・メ", &["カ", "・", "メ"]);
    check_metric("ไทย", &["ไ", "ท", "ย"]);
    check_metric("한국어 글", &["한국어", "글"]);
}

#[test]
fn metric_tokens_end_at_marks_and_circled_letters() {
    // Python: re.findall(r'\w+', ...) of the same strings.
    check_metric("e\u{301}te", &["e", "te"]);
    check_metric("हिन्दी", &["ह", "न", "द"]);
    check_metric("aⒶb🄰c", &["a", "b", "c"]);
    check_metric("ⅷ٣", &["ⅷ٣"]);
}

#[test]
fn metric_tokens_are_lower_cased_as_whole_texts() {
    // A dotted capital I becomes two characters, the second a mark; a capital
    // sigma at a word's end becomes a final one.
    check_metric("İzmir", &["i", "zmir"]);
    check_metric("ΟΔΟΣ ΣΑΣ", &["οδος", "σας"]);
}

proptest! {
    #[test]
    fn whatever_comes_in_nothing_panics(text in "\\PC*", hint in "\\PC{0,5}") {
        Language::detect(&text, Some(&hint));
        for &language in Language::ALL {
            terms(language, &text);
        }
        metric_tokens(&text);
    }

    #[test]
    fn terms_are_short_and_lower_case(text in "[a-zA-ZäÄßéÉжЖλΛ北京 '\u{ad}]{0,80}") {
        for language in [Language::English, Language::Greek, Language::Chinese] {
            for term in terms(language, &text) {
                prop_assert!(!term.is_empty());
                prop_assert!(term.chars().count() <= MAX_TERM_CHARS);
                prop_assert_eq!(&term, &term.to_lowercase());
            }
        }
    }

    #[test]
    fn offsets_point_at_their_words(text in "[a-cA-C北京\u{ad}\u{301}é'. ]{0,40}") {
        let mut analyzer = Analyzer::new(Language::English);
        let mut stream = analyzer.token_stream(&text);
        let mut end = 0;
        while let Some(token) = stream.next() {
            prop_assert!(token.offset_from < token.offset_to);
            prop_assert!(text.get(token.offset_from..token.offset_to).is_some());
            end = end.max(token.offset_to);
        }
        prop_assert!(end <= text.len());
    }

    /// Greek words of any shape: the stemmer of the card panics on some.
    #[test]
    fn greek_never_panics(text in "[α-ωά-ώ]{1,20}( [α-ω]{1,12}){0,5}") {
        terms(Language::Greek, &text);
    }

    #[test]
    fn the_remembered_stem_is_the_stemmers(words in prop::collection::vec("[a-z]{1,9}(ing|ed|s|ies)?", 1..40)) {
        let mut analyzer = Analyzer::new(Language::German);
        let mut plain = Stemmer::new(tantivy::tokenizer::Language::German)
            .transform(tantivy::tokenizer::WhitespaceTokenizer::default());
        for word in words.iter().chain(&words) {
            let mut got = Vec::new();
            analyzer.terms(word, |term| got.push(term.to_owned()));
            if stop_words(Language::German).contains(word) {
                prop_assert!(got.is_empty());
                continue;
            }
            let mut stream = plain.token_stream(word);
            prop_assert!(stream.advance());
            prop_assert_eq!(&got, &[stream.token().text.clone()]);
        }
    }
}
