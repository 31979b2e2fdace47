//! Pages of one article, and pages that only look like it.

use super::*;

/// A weekly notice has the same words each week.
#[test]
fn articles_of_one_text_are_distinguished_by_title_and_date() {
    let dir = folder();
    let mut archive = open(dir.path());
    let text = text_of("the bins are emptied");
    let mut notice = |name: &str, title: &str, date: Option<&str>| {
        let url = format!("http://a.example/{name}");
        let mut visited = arrival(&url, start(), name, Some(&text));
        let article = visited.article.as_mut().expect("read");
        article.title = Some(title.to_owned());
        article.date_published = date.map(str::to_owned);
        store(&mut archive, visited)
    };
    assert_eq!(notice("8", "Week 8", Some("2026-02-16")), Stored::New);
    assert_eq!(notice("9", "Week 9", Some("2026-02-16")), Stored::New);
    assert_eq!(notice("8b", "Week 8", Some("2025-02-17")), Stored::New);
    assert_eq!(notice("print/8", "Week  8", None), Stored::Known);
    assert_eq!(
        notice("print/9", "Week 9", Some("2026-02-16")),
        Stored::Known
    );
    is_whole(&archive);
    assert_eq!(all(&archive.rebuild().expect("rebuilt")).len(), 3);
}

#[test]
fn the_same_article_under_another_address_is_known() {
    let dir = folder();
    let mut archive = open(dir.path());
    let text = text_of("one");
    visit(&mut archive, "http://a.example/1", 0, &text);
    // By its text.
    assert_eq!(
        visit(&mut archive, "http://a.example/copy", 0, &text),
        Stored::Known
    );
    // By its canonical address.
    let other = text_of("one, printed");
    let mut print = arrival("http://a.example/print", start(), "<p>print", Some(&other));
    print.article.as_mut().expect("read").url = Some("http://a.example/1".to_owned());
    assert_eq!(store(&mut archive, print), Stored::Known);
    // By the address that it redirects to.
    let mut moved = arrival("http://a.example/short", start(), "<p>short", Some(&other));
    moved.final_url = Some("http://a.example/1".to_owned());
    assert_eq!(store(&mut archive, moved), Stored::Known);
    // A canonical address on another host is ignored.
    let mut thief = arrival("http://b.example/x", start(), "<p>thief", Some(&other));
    thief.site = "b.example".to_owned();
    thief.article.as_mut().expect("read").url = Some("http://a.example/1".to_owned());
    assert_eq!(store(&mut archive, thief), Stored::New);
    assert_eq!(all(&archive).len(), 2);
    let reader = archive.reader().expect("a reader");
    let keys = ["copy", "print", "short"].map(|name| {
        let found = reader.article(&format!("http://a.example/{name}"));
        found.expect("readable").map(|article| article.key)
    });
    assert_eq!(keys, [(); 3].map(|()| Some("a.example/1".to_owned())));
    is_whole(&archive);
}
