use super::relative::names;
use super::*;
use crate::page::NodeId;

fn first(page: &Page, tag: &str) -> NodeId {
    let is = |&n: &NodeId| page.tag(n).is_some_and(|own| &**own == tag);
    page.elements().find(is).expect("an element")
}

#[test]
fn an_element_has_names_with_its_item_as_their_context() {
    let page = Page::from_html("<li><h2 class=head><a class=t>A</a></h2><p><b>x</b>");
    let item = first(&page, "li");
    let of = |tag: &str| names(&page, item, first(&page, tag));
    let link = of("a");
    assert_eq!(link.last().map(String::as_str), Some(".//a"));
    let by_heading = ".//h2[contains(concat(' ',normalize-space(@class),' '),' head ')]/a";
    assert!(link.iter().any(|name| name == by_heading), "{link:?}");
    assert!(of("b").contains(&"./p[1]/b[1]".to_owned()));
    assert_eq!(names(&page, item, item), ["."]);
}

#[test]
fn a_snapshot_that_changes_counts_more_than_a_menu_that_stays() {
    let page = |first: usize| {
        let items: String = (first..first + 4)
            .map(|n| format!("<li><a href=/n/{n}-of-the-storm>Storm number {n} at sea</a>"))
            .collect();
        let menu: String = (0..9)
            .map(|n| format!("<li><a href=/s/{n}-of-the-paper>Part number {n} of it</a>"))
            .collect();
        let html = format!("<ul class=parts>{menu}</ul><ul class=latest>{items}</ul>");
        let url = Some("https://a.example/");
        Page::parse(
            html.as_bytes(),
            crate::page::Source {
                url,
                ..Default::default()
            },
        )
    };
    let (old, new) = (page(1), page(3));
    let learned = learn(&[&old, &new], &ListOptions::default());
    let why = |item: &str| {
        let of = learned.candidates.iter().find(|c| c.item.contains(item));
        of.map(|candidate| candidate.why.clone())
            .unwrap_or_default()
    };
    assert!(
        why("latest").contains("67 % of the pages changed"),
        "{:?}",
        learned.candidates
    );
    assert!(why("parts").contains("0 % of the pages changed"));
}
