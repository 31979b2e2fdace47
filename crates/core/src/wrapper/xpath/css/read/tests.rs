use crate::wrapper::xpath::XPath;
use forest_html::page::Page;
use proptest::prelude::*;

fn check(css: &str, expected: &str) {
    assert_eq!(XPath::from_css(css).expect(css).source(), expected, "{css}");
}

/// The texts that a selector selects on a page.
fn check_on(html: &str, css: &str, expected: &[&str]) {
    let page = Page::from_html(html);
    let found = XPath::from_css(css).expect(css).strings(&page);
    assert_eq!(found, expected, "{css}");
}

fn check_fault(css: &str, byte: usize, reason: &str) {
    let fault = XPath::from_css(css).expect_err(css);
    assert!(fault.reason.contains(reason), "{css}: {}", fault.reason);
    assert_eq!(fault.byte, Some(byte), "{css}: {}", fault.reason);
}

#[test]
fn steps_and_conditions() {
    check("article", "//article");
    check("DIV > p", "//div/p");
    check("h1 + p", "//h1/following-sibling::*[1][self::p]");
    check("h1 ~ p", "//h1/following-sibling::p");
    check("*", "//*");
    check("a, b c", "//a | //b//c");
    check(
        "p.a",
        "//p[contains(concat(' ',normalize-space(@class),' '),' a ')]",
    );
    check("#x\\:y[lang]", "//*[@id='x:y' and @lang]");
    check("p[title=\"it's\"]", "//p[@title=\"it's\"]");
    check(
        "[a^=x][b$='yz'][c*=v]",
        "//*[starts-with(@a,'x') and substring(@b,string-length(@b)-1)='yz' and contains(@c,'v')]",
    );
    check("p /* why */ > a", "//p/a");
    check("a::attr(href), p::text", "//a/@href | //p/text()");
    check("div ::text", "//div//text()");
}

#[test]
fn what_is_selected_is_what_a_browser_selects() {
    let list = "<ul><li>1<li>2<li>3<li>4<li>5</ul>";
    check_on(list, "li:nth-child(odd)", &["1", "3", "5"]);
    check_on(list, "li:nth-child(2n)", &["2", "4"]);
    check_on(list, "li:nth-child(-n+2)", &["1", "2"]);
    check_on(list, "li:nth-last-child(2)", &["4"]);
    check_on(list, "li:nth-of-type(3n + 1)", &["1", "4"]);
    check_on(list, "li:first-child, li:last-of-type", &["1", "5"]);
    check_on(
        list,
        "li:not(:first-child):not(:last-child)",
        &["2", "3", "4"],
    );
    check_on(list, "li:nth-child(0)", &[]);
    let page = "<div class='a b'><p lang=en-GB>1<p lang=en>2<p lang=eng>3</div>\
                <section><h2>4</h2><p>5</p><p><b>6</b></p></section>";
    check_on(page, "[lang|=en]", &["1", "2"]);
    check_on(page, "[lang='EN' i]", &["2"]);
    check_on(page, "[class~='']", &[]);
    check_on(page, "[class^='']", &[]);
    check_on(page, "p:has(> b)", &["6"]);
    check_on(page, "h2:has(+ p)", &["4"]);
    check_on(page, "p:not(section p)", &["1", "2", "3"]);
    check_on(page, ":is(h2, .b > p:first-child)", &["1", "4"]);
    check_on(page, "section > p:contains('5')", &["5"]);
    check_on(page, "html:root b:only-child", &["6"]);
    check_on("<p></p><p>x</p>", "p:not(:empty)", &["x"]);
}

#[test]
fn what_is_no_selector_is_named_with_its_place() {
    check_fault("", 0, "ends where an element");
    check_fault("div >", 5, "ends where an element");
    check_fault("div,,p", 4, "`,` stands where");
    check_fault("p[a", 3, "followed by `=`");
    check_fault("p[a='x]", 4, "not closed");
    check_fault("a:hover", 1, "`:hover` is not known");
    check_fault("a:nth-child(x)", 12, "written as");
    check_fault("p::before", 1, "::attr()");
    check_fault("//div", 0, "`/` stands where");
    check_fault("a:not(b", 7, "`)` is missing");
    check_fault(".1a", 1, "digit");
    check_fault("svg|a", 3, "namespaces");
    check_fault("li:nth-of-type(99999999999999999999)", 15, "written as");
    check_fault(&":not(".repeat(100), 45, "nested deeper");
    let long = XPath::from_css(&"a ".repeat(20_000)).expect_err("too long");
    assert!(long.reason.contains("longer"), "{}", long.reason);
    assert!(XPath::from_css(&"a ".repeat(600)).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_a_place_in_it(css in "[a-c#.\\[\\]=~|^$*'\":()>+, n\\\\0-9é-]{0,24}") {
        match XPath::from_css(&css) {
            Ok(xpath) => prop_assert!(xpath.unknown().is_none(), "{}", xpath.source()),
            Err(fault) => prop_assert!(fault.byte.is_some_and(|at| at <= css.len()), "{}", fault.reason),
        }
    }

    /// An expression that CSS can express selects the same when its selector is read.
    #[test]
    fn a_written_selector_is_read_the_same(
        tag in "(div|p|\\*)", class in "[a-b]", other in "(@id='x'|not\\(@id\\)|@class or @id|starts-with\\(@class,'a'\\))",
        child in "(/p|//p|/following-sibling::p)?",
    ) {
        let source = format!(
            "//{tag}[contains(concat(' ',normalize-space(@class),' '),' {class} ')][{other}]{child}"
        );
        let page = Page::from_html(
            "<div class=a id=x><p class='b a'>1<p class=b id=x>2</div><p>3<div class='a b'><div><p>4</div><p class=a>5</div>",
        );
        let xpath = XPath::parse(&source).expect("an expression");
        let css = xpath.to_css().expect("CSS can express it").selector();
        let read = XPath::from_css(&css).expect("own selector");
        prop_assert_eq!(read.nodes(&page), xpath.nodes(&page), "{} {}", css, read.source());
    }
}
