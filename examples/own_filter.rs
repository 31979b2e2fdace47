//! A filter of one's own beside those of Crunch: it takes out what asks for consent.
//!
//! `cargo run --example own_filter < page.html`

use forest::filter::{Descent, FilterEngine, PageEdit, PageFilter, Profile};
use forest::page::{NodeId, Source};
use std::io::Read;

/// Removes elements whose `id` or `class` has `cookie` or `consent` in it.
#[derive(Debug)]
struct ConsentRemover;

impl PageFilter for ConsentRemover {
    fn name(&self) -> &'static str {
        "consent"
    }

    fn delete(&self, element: NodeId, page: &mut PageEdit<'_>) -> Descent {
        let named = |value: &str| {
            let value = value.to_ascii_lowercase();
            value.contains("cookie") || value.contains("consent")
        };
        let is_page = matches!(page.tag(element).map(|tag| &**tag), Some("html" | "body"));
        let names = ["id", "class"];
        if !is_page
            && names
                .iter()
                .any(|name| page.attr(element, name).is_some_and(named))
        {
            page.delete(element);
        }
        Descent::Children
    }

    fn retains_links(&self) -> bool {
        false
    }
}

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let engine = FilterEngine::new(Profile::Light.settings()).with_filter(ConsentRemover);
    let page = engine.parse(&bytes, Source::default());
    let filtered = engine.filter(&page);
    for count in filtered.changes() {
        eprintln!("{}: {}", count.filter, count.changes);
    }
    print!("{}", filtered.html().text);
    Ok(())
}
