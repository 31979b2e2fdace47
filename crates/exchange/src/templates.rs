//! The expressions of several templates, for a format that has one.

use forest_core::wrapper::expression::without_dfs;
use forest_core::wrapper::{Template, WrapperField};

/// The expressions of a field in their order, with the condition of their template where
/// the templates differ.
pub(super) fn guarded(
    templates: &[Template],
    field: WrapperField,
) -> Vec<(String, Option<String>)> {
    let lists: Vec<Vec<&str>> = templates.iter().map(|t| t.expressions(field)).collect();
    let agree = lists.windows(2).all(|pair| pair[0] == pair[1]);
    let (lists, guards) = if agree {
        (&lists[..lists.len().min(1)], Vec::new())
    } else {
        (&lists[..], guards(templates))
    };
    let mut out = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let each = list.iter().map(|source| (*source).to_owned());
        out.extend(each.map(|source| (source, guards.get(at).cloned())));
    }
    out
}

/// For each template the condition that it matches: its body has text, and the bodies of
/// the templates before it have none. A template without a body matches if no other does.
fn guards(templates: &[Template]) -> Vec<String> {
    let with_text = |template: &Template| {
        let body = template.body.iter();
        let body: Vec<String> = body
            .map(|body| without_dfs(body).unwrap_or_else(|_| body.clone()))
            .collect();
        (!body.is_empty()).then(|| format!("({})[normalize-space()]", body.join(" | ")))
    };
    let own: Vec<Option<String>> = templates.iter().map(with_text).collect();
    let guard = |i: usize| {
        let others = match own[i] {
            Some(_) => &own[..i],
            None => &own[..],
        };
        let none = others.iter().flatten().map(|body| format!("not({body})"));
        let all: Vec<String> = none.chain(own[i].clone()).collect();
        if all.is_empty() {
            "true()".to_owned()
        } else {
            all.join(" and ")
        }
    };
    (0..own.len()).map(guard).collect()
}
