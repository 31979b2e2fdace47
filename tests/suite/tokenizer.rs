//! The tokenizer against the tests of html5lib, and against html5ever's own.

use crate::needed::shared;
use crate::pages::{saved_pages, text_of};
use crate::tokens::{PIECES, compare, of_pieces};
use forest_html::page::{TextState, Tokenizer};
use html5ever::tokenizer::{Tag, TagKind, Token};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A token in the format of html5lib.
fn told(token: Token) -> Option<Value> {
    Some(match token {
        Token::DoctypeToken(doctype) => {
            let text = |text: Option<html5ever::tendril::StrTendril>| text.map(String::from);
            let (name, public) = (text(doctype.name), text(doctype.public_id));
            let correct = !doctype.force_quirks;
            json!(["DOCTYPE", name, public, text(doctype.system_id), correct])
        }
        Token::TagToken(tag) => tag_told(&tag),
        Token::CommentToken(text) => json!(["Comment", &*text]),
        Token::CharacterTokens(text) => json!(["Character", &*text]),
        Token::NullCharacterToken => json!(["Character", "\0"]),
        Token::EOFToken | Token::ParseError(_) => return None,
    })
}

fn tag_told(tag: &Tag) -> Value {
    if tag.kind == TagKind::EndTag {
        return json!(["EndTag", &*tag.name]);
    }
    let pairs = tag.attrs.iter();
    let pairs = pairs.map(|a| (a.name.local.to_string(), Value::from(&*a.value)));
    let attributes = Value::Object(pairs.collect());
    match tag.self_closing {
        true => json!(["StartTag", &*tag.name, attributes, true]),
        false => json!(["StartTag", &*tag.name, attributes]),
    }
}

/// Neighbouring characters as one token: NUL is one of its own here, and not there.
fn merged(tokens: Vec<Value>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for token in tokens {
        match out.last_mut() {
            Some(last) if last[0] == "Character" && token[0] == "Character" => {
                let text = [&last[1], &token[1]].map(|text| text.as_str().unwrap());
                *last = json!(["Character", text.concat()]);
            }
            _ => out.push(token),
        }
    }
    out
}

/// The text that `\uXXXX` in it stands for; `None` if it has a lone surrogate, which
/// UTF-8 cannot hold.
fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

fn unescaped_value(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescaped(text)?),
        Value::Array(values) => values.iter().map(unescaped_value).collect::<Option<_>>()?,
        Value::Object(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| Some((unescaped(key)?, unescaped_value(value)?)));
            Value::Object(pairs.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

fn state(name: &str) -> TextState {
    match name {
        "Data state" => TextState::Data,
        "PLAINTEXT state" => TextState::Plaintext,
        "RCDATA state" => TextState::Rcdata,
        "RAWTEXT state" => TextState::Rawtext,
        "Script data state" => TextState::ScriptData,
        "CDATA section state" => TextState::CdataSection,
        other => panic!("no state to start in: {other}"),
    }
}

/// Every case in each of its initial states. False if it holds what UTF-8 cannot.
fn check_case(file: &str, case: &Value) -> bool {
    let escaped = case["doubleEscaped"] == true;
    let input = case["input"].as_str().expect("an input");
    let (input, output) = match escaped {
        true => (unescaped(input), unescaped_value(&case["output"])),
        false => (Some(input.to_owned()), Some(case["output"].clone())),
    };
    let (Some(input), Some(output)) = (input, output) else {
        return false;
    };
    let expected = merged(output.as_array().expect("tokens").clone());
    let data = vec![json!("Data state")];
    let states = case["initialStates"].as_array().unwrap_or(&data);
    for name in states.iter().filter_map(Value::as_str) {
        for piece_bytes in [usize::MAX >> 1, 1] {
            let tokenizer = Tokenizer::in_state(state(name), case["lastStartTag"].as_str());
            let tokens = of_pieces(tokenizer, &input, piece_bytes);
            let ours = merged(tokens.into_iter().filter_map(told).collect());
            let description = &case["description"];
            assert_eq!(ours, expected, "{file}, {name}: {description}, {input:?}");
        }
    }
    true
}

#[test]
fn the_suite_of_html5lib() {
    let Some(folder) = shared("html5lib-tests") else {
        return;
    };
    let (mut passed, mut skipped) = (0, 0);
    for entry in std::fs::read_dir(folder.join("tokenizer")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "test") {
            continue;
        }
        // Lone surrogates that are not escaped twice are no JSON for serde.
        let text = std::fs::read_to_string(&path).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        // `xmlViolationTests` ask for other tokens than the standard's.
        for case in file["tests"].as_array().into_iter().flatten() {
            match check_case(&path.display().to_string(), case) {
                true => passed += 1,
                false => skipped += 1,
            }
        }
    }
    println!("{passed} cases passed, {skipped} with lone surrogates were skipped");
    assert!(passed > 6700, "{passed} cases only");
    assert!(skipped <= 10, "{skipped} cases were skipped");
}

#[test]
fn every_state_is_left_as_html5ever_leaves_it() {
    for html in [
        "a<b>c</b>d<!-- e --><!doctype f><?g?></ h></>i<j",
        "<p A=1 b='2' c=\"3\" d e = f a=4 /g/ =h='i'j\"k l=m/>n</p x=y/>",
        "<p a=<b c=\"&amp;&lt=&ltx&notit;&#x41;&#65&#\">&notit;&not;&noti&#x;&#xD800;&#0;&#x80;&#13;",
        "<title>a&amp;<b></titlex></TITLE \n/><textarea>\nb</textarea",
        "<style><!-- </style><xmp></xmp foo='><b>'><plaintext></plaintext>\0",
        "<script>a<b</scriptx><!-- <script>b</script> </script >c",
        "<script><!--><script></script>d<script><!-- <script></script/--></script>",
        "<script><!-- <scripty></script>e<script><!--<SCRIPT></script>--></script>f<script><!-",
        "<svg><![CDATA[a]]b]]]><![CDATA[c\0]]>d<p><![CDATA[e]]>",
        "<!----><!---><!--><!--a--!><!--b--!-><!--c--!--><!--d<!-->-><!--e-->--!>",
        "<!DOCTYPE><!doctypea><!DOCTYPE b PUBLIC 'c\"><!DOCTYPE D system\"e\"f><!DOCTYPE g PUBLIC\"h\"'i' j>",
        "<!DOCTYPE k l><!DOCTYPE m PUBLIC n><!DOCTYPE o PUBLIC><!DOCTYPE p SYSTEM 'q><!DOCTYPE r\0 SYSTEM '\0'>",
        "a\0b<p\0 \0=\0 c='\0'>\0</p\0><!--\0--><title>\0</title><script>\0</script>",
        "a\r\nb\rc\r\r\n<p a='\r\n'\rb=c\r>\r</p\r><!--\r--><script>\r\n</script>\r",
        "Für <b title='Grüße &ouml;'>ä&auml;</b> – 中文<é><p é=É>",
    ] {
        // Whatever a page is cut at, its end ends what is open.
        for (at, _) in html.char_indices() {
            compare(&html[..at]);
        }
        compare(html);
    }
}

#[test]
fn names_that_share_a_slot_are_kept_apart() {
    let tags: String = (0..5000).map(|i| format!("<a{i} b{i}=c>")).collect();
    compare(&tags);
    compare(&tags.repeat(2));
}

#[test]
fn pages_as_html5ever_reads_them() {
    let gold = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gold");
    let pages = saved_pages([gold]).expect("the project's gold");
    for page in &pages {
        compare(&text_of(page).expect("a page"));
    }
    assert!(pages.len() > 50, "{} pages only", pages.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_markup_as_html5ever_reads_it(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40)
    ) {
        compare(&pieces.concat());
    }

    #[test]
    fn any_text_as_html5ever_reads_it(text in "[<>/=\"'&#;!\\-a-dXx0-9 \\]\\[?\r\n\0é]{0,60}") {
        compare(&text);
    }
}
