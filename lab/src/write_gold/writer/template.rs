//! Plain string templates: `{{key}}` escaped, `{{{key}}}` as it is,
//! `{{#key}}...{{/key}}` once for each entry of a list or once when a text is
//! not empty, `{{^key}}...{{/key}}` when it is empty or missing.

use std::collections::BTreeMap;

/// A value of a [`Context`].
#[derive(Debug, Clone)]
pub enum Value {
    /// A text.
    Text(String),
    /// Entries of a section.
    List(Vec<Context>),
}

/// Names and values.
pub type Context = BTreeMap<String, Value>;

/// A context from pairs of names and texts.
pub fn context(pairs: &[(&str, &str)]) -> Context {
    pairs
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Value::Text((*text).to_owned())))
        .collect()
}

/// `text` with the characters that HTML and XML give a meaning escaped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// Renders `template` with `context`. An unknown name or an unclosed section
/// is an error that names it.
pub fn render(template: &str, context: &Context) -> Result<String, String> {
    let mut out = String::with_capacity(template.len() * 2);
    section(template, &mut vec![context], &mut out)?;
    Ok(out)
}

fn find<'a>(stack: &[&'a Context], name: &str) -> Option<&'a Value> {
    stack.iter().rev().find_map(|context| context.get(name))
}

fn section(template: &str, stack: &mut Vec<&Context>, out: &mut String) -> Result<(), String> {
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        out.push_str(&rest[..start]);
        let raw = rest[start..].starts_with("{{{");
        let (open, close) = if raw { (3, "}}}") } else { (2, "}}") };
        let tag = &rest[start + open..];
        let end = tag.find(close).ok_or("template: a tag is not closed")?;
        let (name, after) = (&tag[..end], &tag[end + close.len()..]);
        rest = match name.chars().next() {
            Some(kind @ ('#' | '^')) => {
                let name = &name[1..];
                let closing = format!("{{{{/{name}}}}}");
                let stop = after
                    .find(&closing)
                    .ok_or_else(|| format!("template: section {name} is not closed"))?;
                repeat(kind, name, &after[..stop], stack, out)?;
                &after[stop + closing.len()..]
            }
            _ => {
                match find(stack, name) {
                    Some(Value::Text(text)) if raw => out.push_str(text),
                    Some(Value::Text(text)) => out.push_str(&escape(text)),
                    _ => return Err(format!("template: no text named {name}")),
                }
                after
            }
        };
    }
    out.push_str(rest);
    Ok(())
}

fn repeat(
    kind: char,
    name: &str,
    inner: &str,
    stack: &mut Vec<&Context>,
    out: &mut String,
) -> Result<(), String> {
    let value = find(stack, name);
    let filled = match value {
        Some(Value::Text(text)) => !text.is_empty(),
        Some(Value::List(list)) => !list.is_empty(),
        None => false,
    };
    match (kind, value) {
        ('^', _) if !filled => section(inner, stack, out),
        ('#', Some(Value::Text(_))) if filled => section(inner, stack, out),
        ('#', Some(Value::List(list))) => {
            for entry in list {
                stack.push(entry);
                section(inner, stack, out)?;
                stack.pop();
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
