//! Several articles on one page, such as those that a script adds below the first one.

use super::{NodeId, Page};
use html5ever::local_name;

/// The nodes of the first article: where every node stands in an `article` with an `h1` of its
/// own, those in the first of these; else all nodes. `nodes` is in document order.
pub fn of_first(page: &Page, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    let mut articles: Vec<NodeId> = Vec::new();
    for &n in &nodes {
        let is_known = articles
            .last()
            .is_some_and(|&article| page.contains(article, n));
        if is_known {
            continue;
        }
        let is_article = |n: &NodeId| page.is(*n, &local_name!("article"));
        match page.ancestors(n).filter(is_article).last() {
            Some(article) => articles.push(article),
            None => return nodes,
        }
    }
    let has_headline = |n: NodeId| page.subtree(n).any(|n| page.is(n, &local_name!("h1")));
    if articles.len() > 1 && articles.iter().all(|&article| has_headline(article)) {
        nodes.retain(|&n| page.contains(articles[0], n));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_articles_with_headlines_of_their_own_end_with_the_first() {
        let check = |html: &str, expected: &str| {
            let page = Page::from_html(html);
            let all: Vec<NodeId> = page.content_texts(page.root()).collect();
            let texts = of_first(&page, all).into_iter().map(|n| page.text(n));
            assert_eq!(texts.collect::<String>(), expected, "{html}");
        };
        let (one, two) = (
            "<article><h1>A</h1>a</article>",
            "<article><h1>B</h1>b</article>",
        );
        check(&format!("{one}{two}"), "Aa");
        check(&format!("x{one}{two}"), "xAaBb");
        check(&format!("{one}<article>c</article>"), "Aac");
        check(&format!("<article>{one}{two}</article>"), "AaBb");
    }
}
