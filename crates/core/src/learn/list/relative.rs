//! Names of an element within an item, as expressions with the item as their context.

use crate::learn::fields::selector::{FieldStep, StepName};
use forest_html::page::tags;
use forest_html::page::{Kind, NodeId, Page};

/// Elements between an item and what is named that may name it.
const MAX_UP: usize = 6;

/// The names of a node in an item, the best first.
pub(super) fn names(page: &Page, item: NodeId, n: NodeId) -> Vec<String> {
    if n == item {
        return vec![".".to_owned()];
    }
    if !page.contains(item, n) {
        return beside(page, item, n);
    }
    if page.kind(n) == Kind::Text {
        return of_text(page, item, n);
    }
    let Some(tag) = page.tag(n) else {
        return Vec::new();
    };
    let mut out: Vec<String> = named(page, n).map(|step| format!(".//{step}")).collect();
    let lasting = &**tag == "time" || tags::has(tag, tags::HEADING);
    if lasting {
        out.push(format!(".//{tag}"));
    }
    let up = page.ancestors(n).skip(1);
    let up = up.take_while(|&up| up != item).take(MAX_UP);
    for (at, up) in up.enumerate() {
        let axis = if at == 0 { "/" } else { "//" };
        let own_tag = page.tag(up).map(|tag| &**tag).unwrap_or_default();
        let heading = tags::has(own_tag, tags::HEADING) || matches!(own_tag, "header" | "p" | "td");
        let own = heading.then(|| own_tag.to_owned()).into_iter();
        out.extend(
            named(page, up)
                .chain(own)
                .map(|step| format!(".//{step}{axis}{tag}")),
        );
    }
    out.extend(path(page, item, n));
    out.push(format!(".//{tag}"));
    out
}

/// The names of an element beside its tag, as steps.
fn named(page: &Page, n: NodeId) -> impl Iterator<Item = String> {
    let steps = FieldStep::all(page, n).into_iter();
    let named = steps.filter(|step| matches!(step.name, StepName::Token(..)));
    named.map(|step| step.step())
}

/// The tags from the item down, with places among siblings of the same tag.
fn path(page: &Page, item: NodeId, n: NodeId) -> Option<String> {
    let mut tags = Vec::new();
    for n in page.ancestors(n).take_while(|&n| n != item) {
        let tag = page.tag(n)?;
        let siblings = page.children(page.parent(n)?);
        let same = siblings
            .filter(|&other| page.is(other, tag))
            .position(|other| other == n)?;
        tags.push(format!("{tag}[{}]", same + 1));
    }
    tags.reverse();
    (tags.len() <= 4).then(|| format!("./{}", tags.join("/")))
}

fn of_text(page: &Page, item: NodeId, n: NodeId) -> Vec<String> {
    match page.parent(n) {
        Some(parent) if parent == item => vec!["./text()".to_owned()],
        Some(parent) => {
            let names = names(page, item, parent).into_iter().take(4);
            names
                .map(|name| format!("{name}/text()[normalize-space()]"))
                .collect()
        }
        None => Vec::new(),
    }
}

/// The names of an element beside the item, or beside what the item stands in.
fn beside(page: &Page, item: NodeId, n: NodeId) -> Vec<String> {
    let mut around = page.ancestors(item).take(MAX_UP);
    let above = around.position(|around| page.parent(around) == page.parent(n));
    let Some(above) = above.filter(|_| page.kind(n) == Kind::Element) else {
        return Vec::new();
    };
    let axis = if n < item {
        "preceding-sibling"
    } else {
        "following-sibling"
    };
    let axis = format!("{}{axis}", "../".repeat(above));
    let mut out: Vec<String> = named(page, n)
        .map(|step| format!("{axis}::{step}[1]"))
        .collect();
    out.extend(page.tag(n).map(|tag| format!("{axis}::{tag}[1]")));
    out
}
