//! Expressions that ask for more than a page is worth.

use super::XPath;
use forest_html::page::Page;

/// The steps that an expression takes on a page, and the number of nodes that it selects; `None`
/// if it is too much.
fn steps(source: &str, page: &Page) -> (u64, Option<usize>) {
    let xpath = XPath::parse(source).expect("an expression");
    let before = page.expression_budget().left();
    let nodes = xpath.own_nodes(page).len();
    let steps = before - page.expression_budget().left();
    let is_too_much = page.expression_budget().exceeded_by() == Some(source);
    (steps, (!is_too_much).then_some(nodes))
}

/// Takes steps off a page's budget until so many are left: a whole one takes a debug build long.
fn leave(page: &Page, steps: u64) {
    let budget = page.expression_budget();
    budget.spend(budget.left() - steps);
}

fn siblings(pairs: usize) -> Page {
    Page::from_html(&"<h2>a</h2><p>b</p>".repeat(pairs))
}

#[test]
fn usual_forms_take_steps_linear_in_the_page() {
    for source in [
        "//h2/following-sibling::p",
        "//h2/following-sibling::*[self::p]",
        "//p[preceding-sibling::h2]",
        "//p[preceding-sibling::h2 and not(following-sibling::h2[contains(.,'x')])]",
        "//p[contains(normalize-space(.),'zzz')]",
        "//h2[contains(text(),'a')]/following-sibling::p[contains(.,'b')]",
    ] {
        let (few, small) = steps(source, &siblings(500));
        let (many, large) = steps(source, &siblings(20_000));
        assert!(small.is_some() && large.is_some(), "{source}");
        assert!(many <= 41 * few, "{source}: {few} steps, then {many}");
        let whole = steps("//*[following-sibling::*]", &siblings(500)).0;
        assert!(few < 10 * whole, "{source}: {few} steps");
    }
    assert_eq!(
        steps("//h2/following-sibling::p", &siblings(20_000)).1,
        Some(20_000)
    );
}

#[test]
fn what_is_too_much_for_a_page_ends() {
    let nested = format!("{}{}", "<div>".repeat(500), "word ".repeat(60_000));
    let flat = "<b>x</b>".repeat(3_000);
    let squares = "<h2>a</h2><p>b</p>".repeat(20_000);
    for (source, html) in [
        ("//*[count(//*[count(//*)>1])>1]", &flat),
        (
            "//h2/following-sibling::p[1]/preceding-sibling::h2[last()]",
            &squares,
        ),
        ("//p[count(preceding::h2) > 3]", &squares),
        ("//h2/following::p", &squares),
        ("//h2 < //p", &squares),
        ("//h2 != //h2", &squares),
        ("//div[translate(normalize-space(.),.,'')='z']", &nested),
        (
            "//div[string-length(normalize-space(translate(.,'abcdefghij','ABCDEFGHIJ')))=7]",
            &nested,
        ),
        ("//p[.=concat(//h2,//h2,//h2)][id(//p)]", &squares),
    ] {
        let page = Page::from_html(html);
        leave(&page, 4_000_000);
        assert_eq!(steps(source, &page).1, None, "{source}");
        // The others go on.
        assert_eq!(steps("//body", &page).1, Some(1), "{source}");
        assert_eq!(page.expression_budget().exceeded_by(), Some(source));
    }
}

#[test]
fn the_bound_is_of_all_expressions_of_a_page_together() {
    let page = siblings(200);
    leave(&page, 4_000_000);
    let source = "count(//p[count(preceding::h2) > 3])";
    let xpath = XPath::parse(source).expect("an expression");
    let values: Vec<bool> = (0..100).map(|_| !xpath.strings(&page).is_empty()).collect();
    let given = values.iter().filter(|&&given| given).count();
    assert!((2..98).contains(&given), "{given} of 100");
    assert!(values.is_sorted_by(|a, b| a >= b), "none once it is spent");
}

#[test]
fn ordinary_expressions_of_a_large_page_are_not_too_much() {
    let row = "<tr class=row><td><a href=/a>Item of the list</a><td>A word or two of text";
    let page = Page::from_html(&format!("<table>{}", row.repeat(50_000)));
    for source in [
        "//tr[@class='row']/td[1]/a/@href",
        "(//tr)[last()]/td",
        "//td[position() > 1]",
        "string(//a)",
        "count(//a[contains(., 'list')])",
    ] {
        let xpath = XPath::parse(source).expect("an expression");
        assert!(!xpath.strings(&page).is_empty(), "{source}");
        assert_eq!(page.expression_budget().exceeded_by(), None, "{source}");
    }
}

#[test]
fn a_direct_expression_that_is_too_much_leaves_the_steps_to_the_others() {
    let page = siblings(20_000);
    let one_pass = steps("//body", &page).0;
    leave(&page, one_pass * 2);
    let two_passes = "//h2/following-sibling::p";
    assert_eq!(steps(two_passes, &page), (0, None));
    assert_eq!(steps("//body", &page), (one_pass, Some(1)));
}
