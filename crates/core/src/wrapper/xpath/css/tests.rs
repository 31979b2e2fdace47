use crate::wrapper::xpath::XPath;

fn check(xpath: &str, expected: &str) {
    let css = XPath::parse(xpath).expect(xpath).to_css().expect(xpath);
    assert_eq!(css.selector(), expected, "{xpath}");
}

fn check_refused(xpath: &str, reason: &str) {
    let refused = XPath::parse(xpath).expect(xpath).to_css();
    let refused = refused.expect_err(xpath);
    assert!(refused.contains(reason), "{xpath}: {refused}");
}

#[test]
fn steps() {
    check("//div", "div");
    check("//div/p", "div > p");
    check("//div//p", "div p");
    check("/html/body//article/descendant::p", "html > body article p");
    check("/body", "body:root");
    check("//h1/following-sibling::p", "h1 ~ p");
    check("//h1/following-sibling::*[1][self::p]", "h1 + p");
    check("//*", "*");
    check("//a | //b[@id='x'] | //a", "a, b#x");
    check("(//a | //b)[@x]/c", "a[x] > c, b[x] > c");
    check("id('main')//p", "#main p");
}

#[test]
fn conditions() {
    let token = "contains(concat(' ', normalize-space(@class), ' '), ' post ')";
    check(&format!("//div[{token}]"), "div.post");
    check(&format!("//*[not({token})]"), ":not(.post)");
    check(
        "//a[contains(concat(' ', @rel, ' '), ' next ')]",
        "a[rel~='next']",
    );
    check(
        "//p[@itemprop='articleBody' and @lang]",
        "p[itemprop='articleBody'][lang]",
    );
    check("//p[@a or @b][@c]", "p[a][c], p[b][c]");
    check("//p[not(@a or @b)]", "p:not([a]):not([b])");
    check("//p[not(@a and @b)]", "p:not([a]), p:not([b])");
    check("//p[@a!='x']", "p[a]:not([a='x'])");
    check("//p[contains(@a,'x')]", "p[a*='x']");
    check("//p[starts-with(@a,\"it's\")]", "p[a^='it\\'s']");
    check(
        "//p[substring(@a, string-length(@a) - 2)='end']",
        "p[a$='end']",
    );
    check("//*[self::h1 or self::h2]", "h1, h2");
    check("//*[name()='amp-img']", "amp-img");
    check("//div[@id='1a:b']", "div#\\31 a\\:b");
    check("//div[@id='a b']", "div[id='a b']");
}

#[test]
fn places() {
    check("//div/p[1]", "div > p:nth-of-type(1)");
    check("//p[2]", "p:nth-of-type(2)");
    check("//div/*[last()]", "div > :last-child");
    check("//div/p[position()=3][@x]", "div > p:nth-of-type(3)[x]");
}

#[test]
fn an_attribute_at_the_end() {
    let css = XPath::parse("//time/@datetime").expect("xpath").to_css();
    let css = css.expect("css");
    assert_eq!(css.selector(), "time[datetime]");
    assert_eq!(css.attribute.as_deref(), Some("datetime"));
}

#[test]
fn what_css_cannot_express_is_refused() {
    check_refused(
        "//div[contains(translate(@class,'0123456789',''),'x')]",
        "translate()",
    );
    check_refused("//p[@dfs='4']", "@dfs");
    check_refused("//p/..", "upwards");
    check_refused("//p/ancestor::div", "upwards");
    check_refused("//p/preceding-sibling::h1", "backwards");
    check_refused("(//p)[1]", "whole page");
    check_refused("//p[@a][1]", "counts");
    check_refused("//div[p]", "inside");
    check_refused("//div[.//p[@x]]", "inside");
    check_refused("//p[contains(., 'x')]", "text");
    check_refused("//p[count(a)>1]", "calculates");
    check_refused("//p/text()", "texts");
    check_refused("string(//p)", "text");
    check_refused("//@href", "");
    check_refused("//P", "upper case");
    check_refused("//p[self::a][self::b]", "no element");
    check_refused("//descendant::p[1]", "parent");
    check_refused(
        "//p[contains(concat(' ',@class,' '),' a b ')]",
        "several words",
    );
    let many = ["(@a or @b)"; 8].join(" and ");
    check_refused(&format!("//p[{many}]"), "too many");
}

#[test]
fn conditions_that_contradict_a_name_leave_their_case_out() {
    check("//p[self::p or self::div]", "p");
}
