//! Against the engine.

use super::searched::SearchedText;
use crate::wrapper::xpath::XPath;
use forest_html::page::Page;
use proptest::prelude::*;

const PAGE: &str = "<!doctype html><!--c--><body class=' post12  a\tb '><div id=x class=a>1<p \
    class='a c7'>It  is<!--n-->\n so<p role=note>2<i>3</i></div>4<div id=x-2><p class='aa \
    c7x'>5<svg><a class=a>6</a></svg><template><p class=a>7</p>8<p id=x>9</p></template>\
    <p width=3 align=left class='post-12'>It is so</div>";

/// That an expression selects directly what the engine selects.
fn check(source: &str) {
    let page = Page::from_html(PAGE);
    let xpath = XPath::parse(source).expect("an expression");
    let direct = xpath.direct.as_ref().expect("followed directly");
    assert_eq!(
        direct.nodes(&page),
        xpath.by_engine(&page, |_| true),
        "{source}"
    );
}

#[test]
fn it_selects_what_the_engine_selects() {
    let class = |tag: &str, token: &str| {
        format!("//{tag}[contains(concat(' ',normalize-space(@class),' '),' {token} ')]")
    };
    let mut all = vec![
        "//p".to_owned(),
        "//div//p".to_owned(),
        "//div//div".to_owned(),
        "//body//div//p//i".to_owned(),
        "//none//p".to_owned(),
        "//div[@id='x']".to_owned(),
        "//div[@id=\"x\"]//p[@role='note']".to_owned(),
        "//p[@width='3' and @align='left']".to_owned(),
        "//div[starts-with(@id,'x-')]".to_owned(),
        "//p[normalize-space()='It is so']".to_owned(),
        "//p[normalize-space()='It is']".to_owned(),
        "//p[normalize-space()='']".to_owned(),
        "//p[contains(concat(' ',normalize-space(@class)),' c')]".to_owned(),
        "//body[contains(translate(@class,'0123456789',''),'post ')]".to_owned(),
        "//p[contains(translate(@class,'0123456789',''),'st-') and @align='left']".to_owned(),
    ];
    for (tag, token) in [
        ("p", "a"),
        ("a", "a"),
        ("body", "b"),
        ("p", "c7"),
        ("p", "c"),
    ] {
        all.push(class(tag, token));
    }
    let plain = all.clone();
    for (path, other) in plain.iter().zip(plain.iter().rev()) {
        all.push(format!("{path}/following-sibling::node()"));
        all.push(format!("{path} | {other}/preceding-sibling::node()"));
    }
    all.iter().for_each(|source| check(source));
}

#[test]
fn what_people_write_is_followed_directly() {
    for source in [
        "//text()",
        "//p/text()",
        "//node()",
        "//a/b",
        "/html",
        "/html/body/div",
        "//div/*",
        "//*[@id='x']",
        "//div[@id]",
        "//p[@a='x' or @align='left']",
        "//*[not(@class)]",
        "//*[@class!='a']",
        "//*[contains(@class,'7')]",
        "//*[contains(concat(' ',@class,' '),' a ')]",
        "//*[contains(.,'t is so')]",
        "//*[contains(normalize-space(.),'It is')]",
        "//*[contains(normalize-space(),'It is so')]",
        "//*[contains(normalize-space(string(.)),'so 2')]",
        "//*[contains(text(),'so')]",
        "//*[text()='3']",
        "//*[.='3']",
        "//text()[contains(.,'so')]",
        "//text()[normalize-space()='8']",
        "//p[i]",
        "//p[.//i]",
        "//i[ancestor::div[@id='x']]",
        "//*[preceding-sibling::div]",
        "//*[following-sibling::*[@class='aa c7x']]",
        "//p[not(preceding-sibling::p)]",
        "//div/following-sibling::p",
        "//p/preceding-sibling::div//i",
        "//i/..",
        "//i/ancestor::*",
        "//i/ancestor-or-self::*",
        "//p/self::p[@role]",
        "//div/descendant::p",
        "//div/descendant-or-self::*",
        "//template/p",
        "//template//p",
        "//p[parent::template]",
        "//p[../svg]",
        "(//p | //div)",
        "//div//following-sibling::*",
        "//p[boolean(i) and (@role)]",
        "//p[./i][@role='note']",
    ] {
        check(source);
    }
}

#[test]
fn other_forms_are_left_to_the_engine() {
    for source in [
        "//div[1]",
        "//div[@dfs='3']",
        "//a/@href",
        "(//p)[1]",
        "//p[contains(concat(' ',normalize-space(@class),' '),' a b ')]",
        "//p[contains(concat(' ',normalize-space(@class),' '),'a')]",
        "//p[contains(translate(@class,'0123456789',''),'')]",
        "//p[starts-with(@id,'')]",
        "//p | string(//a)",
        "//p[normalize-space()='a\tb']",
        "//p[contains(normalize-space(),' a')]",
        "//node()[contains(.,'n')]",
        "//p[count(i)>1]",
        "//p[//i]",
        "//p/following::i",
        "//comment()",
        "//p[@x:a]",
        "p",
    ] {
        let xpath = XPath::parse(source).expect("an expression");
        assert!(xpath.direct.is_none(), "{source}");
    }
}

#[test]
fn a_phrase_is_found_wherever_it_stands() {
    let places = |phrase: &str, is_folded, text: &str| {
        let text_of = phrase.into();
        SearchedText {
            text: text_of,
            is_folded,
        }
        .places(text)
    };
    assert_eq!(places("aa", false, "aaa baa"), [(0, 2), (1, 3), (5, 7)]);
    assert_eq!(places("aa b", true, "aaa\n bcaa b"), [(1, 6), (7, 11)]);
    assert_eq!(places("ab", true, "a bab"), [(3, 5)]);
    assert_eq!(places("é", false, "eé"), [(1, 3)]);
    assert_eq!(places("b", false, "a"), []);
}

/// Expressions of this form, most of them.
fn expressions() -> impl Strategy<Value = String> {
    let test = prop::sample::select(vec!["p", "div", "i", "*", "text()", "node()", "template"]);
    let axis = prop::sample::select(vec![
        "",
        "descendant::",
        "descendant-or-self::",
        "self::",
        "parent::",
        "ancestor::",
        "ancestor-or-self::",
        "following-sibling::",
        "preceding-sibling::",
    ]);
    let leaf = prop::sample::select(vec![
        "@id",
        "@class='a'",
        "contains(@class,'a')",
        "contains(text(),'I')",
        "text()='5'",
        "contains(normalize-space(),'It is so')",
        "contains(.,'so')",
        "normalize-space()='It is so'",
    ])
    .prop_map(str::to_owned);
    let condition = leaf.prop_recursive(3, 12, 3, move |inner| {
        let path = (axis.clone(), test.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| format!("not({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} or {b})")),
            path.clone()
                .prop_map(|(axis, test, a)| format!("{axis}{test}[{a}]")),
            path.prop_map(|(axis, test, _)| format!(".//{axis}{test}")),
        ]
    });
    let step = (
        prop::sample::select(vec!["/", "//"]),
        prop::sample::select(vec![
            "p",
            "div",
            "*",
            "following-sibling::*",
            "preceding-sibling::node()",
            "ancestor::*",
            "..",
            "text()",
        ]),
        prop::option::of(condition),
    );
    let steps = prop::collection::vec(step, 1..4);
    steps.prop_map(|steps| {
        let step = |(slash, test, condition): (&str, &str, Option<String>)| {
            let condition = condition.filter(|_| test != "..");
            let condition = condition.map_or_else(String::new, |c| format!("[{c}]"));
            format!("{slash}{test}{condition}")
        };
        steps.into_iter().map(step).collect()
    })
}

proptest! {
    #[test]
    fn any_expression_selects_what_the_engine_selects(source in expressions()) {
        let xpath = XPath::parse(&source).expect("an expression");
        if let Some(direct) = &xpath.direct {
            let page = Page::from_html(PAGE);
            prop_assert_eq!(direct.nodes(&page), xpath.by_engine(&page, |_| true));
        }
    }
}
