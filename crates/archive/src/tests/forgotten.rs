//! Labels and drafts of a person after pages that they name were forgotten.

use super::*;
use forest_core::wrapper::{Label, LabelRole, Wrapper};

#[test]
fn no_label_and_no_draft_names_a_forgotten_page() {
    let dir = folder();
    let mut archive = open(dir.path());
    story(&mut archive, 0, &text_of("one"), None);
    let label = |page: &str| Label {
        page: page.to_owned(),
        node: "/html[1]/body[1]/p[1]".to_owned(),
        text: "Its words".to_owned(),
        role: LabelRole::NotArticle,
        expression: None,
    };
    let wrapper = Wrapper {
        site: "a.example".to_owned(),
        labels: vec![label(STORY), label("http://a.example/other")],
        ..Wrapper::default()
    };
    let file = archive.write_wrapper(&wrapper).expect("written");
    let active = file.activation("a.example", start(), "learned");
    archive.write(vec![active]).expect("written");
    let draft = StoredDraft {
        id: "1".to_owned(),
        parent: "first".to_owned(),
        site: "a.example".to_owned(),
        made_from: None,
        wrapper: wrapper.to_yaml(),
        by_hand: false,
        steps: vec![format!("Not the article: an element of {STORY}")],
        notes: Vec::new(),
    };
    StoredDrafts::keep(dir.path(), [draft]).expect("kept");
    let (archive, _) = archive
        .forget(&[STORY.to_owned()], start())
        .expect("forgotten");
    let left = archive.wrapper_file("a.example").expect("readable");
    let labels = left.expect("a file").file.wrapper.labels;
    assert_eq!(labels, [label("http://a.example/other")]);
    assert!(!crate::paths::drafts(dir.path()).exists());
}
