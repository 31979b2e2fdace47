//! Element types as XPath expressions.

use crate::pattern::{ElementType, TypeIdentity};

/// Characters of an attribute's value that an expression asks for. The expression
/// asks whether a value *contains* them, so a prefix only asks for less.
const MAX_VALUE_CHARS: usize = 120;

/// A string as an XPath literal.
///
/// ```
/// use forest_core::wrapper::expression::literal;
///
/// assert_eq!(literal("it's"), "\"it's\"");
/// assert_eq!(literal("a'b\"c"), "concat('a',\"'\",'b\"c')");
/// ```
pub fn literal(text: &str) -> String {
    if !text.contains('\'') {
        format!("'{text}'")
    } else if !text.contains('"') {
        format!("\"{text}\"")
    } else {
        let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
        format!("concat({})", parts.join(",\"'\","))
    }
}

/// The generic wrapper of FOREST, section 3.4: the element type completed with
/// its possible dfs indices.
///
/// ```text
/// //div[contains(translate(@class,'0123456789',''),'story') and (@dfs='78' or @dfs='82')]
/// ```
///
/// An element type without attributes is its dfs indices alone.
pub fn paper(element_type: &ElementType, dfs_set: &[u32]) -> String {
    let mut conditions = attribute_conditions(element_type);
    let mut alternatives: Vec<String> = dfs_set.iter().map(|d| format!("@dfs='{d}'")).collect();
    if let TypeIdentity::Dfs(own) = element_type.identity
        && alternatives.is_empty()
    {
        alternatives.push(format!("@dfs='{}'", own.0));
    }
    match (conditions.is_empty(), alternatives.len()) {
        (_, 0) => {}
        (true, _) | (false, 1) => conditions.push(alternatives.join(" or ")),
        (false, _) => conditions.push(format!("({})", alternatives.join(" or "))),
    }
    step(element_type, &conditions)
}

/// The generic wrapper without `@dfs`, where an `id` or a `class` identifies the
/// element; as published where neither does.
pub fn paper_without_dfs(element_type: &ElementType, dfs_set: &[u32]) -> String {
    let identifies = |name| {
        element_type
            .attribute(name)
            .is_some_and(|value| !value.is_empty())
    };
    if identifies("id") || identifies("class") {
        step(element_type, &attribute_conditions(element_type))
    } else {
        paper(element_type, dfs_set)
    }
}

/// An expression without `@dfs`, for other engines: the places among the elements
/// of the page as XPath 1.0 says them.
///
/// ```text
/// //div[COND and (@dfs='4' or @dfs='7')]
/// (/html/body/descendant-or-self::*[CONTENT])[position()=4 or position()=7][self::div and COND]
/// ```
///
/// # Errors
///
/// If `@dfs` stands elsewhere than at the end of the one step of [`paper`].
///
/// ```
/// use forest_core::wrapper::expression::without_dfs;
///
/// assert_eq!(without_dfs("//p[@id]").unwrap(), "//p[@id]");
/// assert!(without_dfs("//p[@dfs='3']").unwrap().ends_with("[position()=3][self::p]"));
/// assert!(without_dfs("//p[@dfs > 3]").is_err());
/// ```
pub fn without_dfs(expression: &str) -> Result<String, &'static str> {
    const CONTENT: &str = "/html/body/descendant-or-self::*[not(ancestor-or-self::*[self::script or self::style or self::noscript \
        or self::iframe or self::noembed or self::noframes \
        or self::template[not(@shadowrootmode)]])]";
    const REFUSED: &str = "it asks for a place among all elements, @dfs, in a way of its own";
    if !expression.contains("@dfs") {
        return Ok(expression.to_owned());
    }
    let step = expression.strip_prefix("//").ok_or(REFUSED)?;
    let (tag, rest) = step.split_once('[').ok_or(REFUSED)?;
    let inside = rest.strip_suffix(']').ok_or(REFUSED)?;
    let (condition, places) = match inside.find("@dfs") {
        Some(0) => ("", inside),
        Some(at) => {
            let (before, places) = inside.split_at(at);
            match before.strip_suffix(" and (") {
                Some(condition) => (condition, places.strip_suffix(')').ok_or(REFUSED)?),
                None => (before.strip_suffix(" and ").ok_or(REFUSED)?, places),
            }
        }
        None => return Err(REFUSED),
    };
    let mut positions = Vec::new();
    for place in places.split(" or ") {
        let number = place
            .strip_prefix("@dfs='")
            .and_then(|p| p.strip_suffix('\''));
        let number: u32 = number.and_then(|n| n.parse().ok()).ok_or(REFUSED)?;
        positions.push(format!("position()={number}"));
    }
    let mut own = Vec::new();
    if tag != "*" {
        own.push(format!("self::{tag}"));
    }
    if !condition.is_empty() {
        own.push(condition.to_owned());
    }
    let own = if own.is_empty() {
        String::new()
    } else {
        format!("[{}]", own.join(" and "))
    };
    let places = positions.join(" or ");
    Ok(format!("({CONTENT})[{places}]{own}"))
}

fn step(element_type: &ElementType, conditions: &[String]) -> String {
    // A tag that is no XPath name (`a:b`, `o@p`) is asked for by its name.
    let plain = element_type
        .tag
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let (tag, mut all) = if plain {
        (&*element_type.tag, Vec::new())
    } else {
        ("*", vec![format!("name()={}", literal(&element_type.tag))])
    };
    all.extend_from_slice(conditions);
    match all.len() {
        0 => format!("//{tag}"),
        _ => format!("//{tag}[{}]", all.join(" and ")),
    }
}

fn attribute_conditions(element_type: &ElementType) -> Vec<String> {
    let TypeIdentity::Attributes(attributes) = &element_type.identity else {
        return Vec::new();
    };
    attributes
        .iter()
        .map(|(name, value)| {
            let value: String = value.chars().take(MAX_VALUE_CHARS).collect();
            if value.is_empty() {
                format!("@{name}")
            } else {
                format!(
                    "contains(translate(@{name},'0123456789',''),{})",
                    literal(&value)
                )
            }
        })
        .collect()
}
