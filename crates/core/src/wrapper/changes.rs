//! The differences of two wrappers, for a reader.
//!
//! Templates are matched by their bodies: a template is compared with the other wrapper's
//! template that shares a body expression with it, else with the one in the same position.
//! Evidence, samples and lengths are not expressions and are left out.

use super::{Template, Wrapper, WrapperField};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A difference of two wrappers: something that only one of them says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrapperChange {
    /// The place: `template 0`, or a setting of the whole site.
    pub at: String,
    /// The field: `body`, `strip`, `title` and so on.
    pub field: String,
    /// Which of them says it.
    pub side: ChangeSide,
    /// The expression.
    pub value: String,
}

/// Which of two wrappers says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeSide {
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl fmt::Display for WrapperChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.side {
            ChangeSide::Old => '-',
            ChangeSide::New => '+',
        };
        write!(f, "{sign} {}: {}", self.field, self.value)
    }
}

/// The entries that only one of two wrappers has: template by template in the order
/// of `new`, those that only `old` has after them, then the settings of the whole site. In
/// each place what went stands before what came.
pub fn changes(old: &Wrapper, new: &Wrapper) -> Vec<WrapperChange> {
    let mut out = Vec::new();
    let pairs = pairs(&old.templates, &new.templates);
    for (at, template) in new.templates.iter().enumerate() {
        let before = pairs[at].map(|at| &old.templates[at]);
        compare(&mut out, &format!("template {at}"), before, Some(template));
    }
    for (at, template) in old.templates.iter().enumerate() {
        if !pairs.contains(&Some(at)) {
            let place = format!("earlier template {at}");
            compare(&mut out, &place, Some(template), None);
        }
    }
    let (before, after) = (of_site(old), of_site(new));
    for (field, _) in &before {
        let values = |all: &[(&'static str, Vec<String>)]| {
            let found = all.iter().find(|(name, _)| name == field);
            found.map(|(_, values)| values.clone()).unwrap_or_default()
        };
        differ(&mut out, "site", field, &values(&before), &values(&after));
    }
    out
}

/// For each new template the old one that it is held against; each old one once.
fn pairs(old: &[Template], new: &[Template]) -> Vec<Option<usize>> {
    let shares = |a: &Template, b: &Template| a.body.iter().any(|x| b.body.contains(x));
    let mut pairs: Vec<Option<usize>> = vec![None; new.len()];
    for (at, template) in new.iter().enumerate() {
        let free = |n: &usize| !pairs.contains(&Some(*n)) && shares(&old[*n], template);
        pairs[at] = (0..old.len()).find(free);
    }
    for at in 0..new.len() {
        let free = at < old.len() && !pairs.contains(&Some(at));
        // A template that somebody else's body came to is not the one in this place.
        if pairs[at].is_none() && free {
            pairs[at] = Some(at);
        }
    }
    pairs
}

fn compare(
    out: &mut Vec<WrapperChange>,
    place: &str,
    old: Option<&Template>,
    new: Option<&Template>,
) {
    let none = Template::default();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let json = |template: &Template| -> Vec<String> {
        let place = template.json.iter();
        place
            .map(|json| format!("{} {}", json.script, json.path))
            .collect()
    };
    differ(out, place, "json", &json(old), &json(new));
    for field in WrapperField::ALL {
        let (old, new) = (values(old, field), values(new, field));
        differ(out, place, field.name(), &old, &new);
    }
}

fn values(template: &Template, field: WrapperField) -> Vec<String> {
    let formats = template.date.iter().map(|date| &date.format);
    let date = |(xpath, format): (&str, &Option<String>)| match format {
        Some(format) => format!("{xpath} as {format}"),
        None => xpath.to_owned(),
    };
    let list = template.expressions(field).into_iter();
    match field {
        WrapperField::Date => list.zip(formats).map(date).collect(),
        _ => list.map(str::to_owned).collect(),
    }
}

fn of_site(wrapper: &Wrapper) -> [(&'static str, Vec<String>); 5] {
    let replace = wrapper.replace.iter();
    let headers = wrapper.headers.iter();
    [
        ("feed", wrapper.feed.iter().cloned().collect()),
        ("next_page", wrapper.next_page.iter().cloned().collect()),
        ("single_page", wrapper.single_page.iter().cloned().collect()),
        (
            "replace",
            replace
                .map(|replace| format!("{:?} by {:?}", replace.find, replace.with))
                .collect(),
        ),
        (
            "header",
            headers
                .map(|(name, value)| format!("{name}: {value}"))
                .collect(),
        ),
    ]
}

/// The entries that only one of two lists has; all of both if only the order differs.
fn differ(out: &mut Vec<WrapperChange>, at: &str, field: &str, old: &[String], new: &[String]) {
    let same = |a: &[String], b: &[String]| a.iter().all(|x| b.contains(x));
    let reordered = old != new && same(old, new) && same(new, old);
    let only = |from: &[String], other: &[String], side| {
        let values = from.iter().filter(|x| reordered || !other.contains(x));
        let change = |value: &String| WrapperChange {
            at: at.to_owned(),
            field: field.to_owned(),
            side,
            value: value.clone(),
        };
        values.map(change).collect::<Vec<_>>()
    };
    out.extend(only(old, new, ChangeSide::Old));
    out.extend(only(new, old, ChangeSide::New));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(body: &[&str], strip: &[&str]) -> Template {
        let owned = |list: &[&str]| list.iter().map(|&x| x.to_owned()).collect();
        Template {
            body: owned(body),
            strip: strip.iter().map(|&xpath| xpath.into()).collect(),
            ..Template::default()
        }
    }

    fn check(old: Vec<Template>, new: Vec<Template>, expected: &[&str]) {
        let of = |templates| Wrapper {
            templates,
            ..Wrapper::default()
        };
        let found = changes(&of(old), &of(new));
        let found: Vec<String> = found.iter().map(|c| format!("{} {c}", c.at)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn removals_are_before_additions() {
        check(
            vec![template(&["//a"], &["//i", "//j"])],
            vec![template(&["//b"], &["//i", "//k"])],
            &[
                "template 0 - body: //a",
                "template 0 + body: //b",
                "template 0 - strip: //j",
                "template 0 + strip: //k",
            ],
        );
        check(
            vec![template(&["//a"], &["//i"])],
            vec![template(&["//a"], &["//i"])],
            &[],
        );
    }

    #[test]
    fn templates_are_matched_by_their_bodies() {
        // A new one in front of the old one.
        check(
            vec![template(&["//a"], &["//i"])],
            vec![template(&["//n"], &[]), template(&["//a"], &["//j"])],
            &[
                "template 0 + body: //n",
                "template 1 - strip: //i",
                "template 1 + strip: //j",
            ],
        );
        check(
            vec![template(&["//a"], &[]), template(&["//b"], &[])],
            vec![template(&["//b"], &[])],
            &["earlier template 0 - body: //a"],
        );
    }

    #[test]
    fn an_order_is_a_difference() {
        check(
            vec![template(&["//a", "//b"], &[])],
            vec![template(&["//b", "//a"], &[])],
            &[
                "template 0 - body: //a",
                "template 0 - body: //b",
                "template 0 + body: //b",
                "template 0 + body: //a",
            ],
        );
    }

    #[test]
    fn settings_of_the_site_are_compared_too() {
        let with = |link: &str| Wrapper {
            next_page: Some(link.to_owned()),
            ..Wrapper::default()
        };
        let found = changes(&with("//a"), &with("//b"));
        let found: Vec<String> = found.iter().map(|c| format!("{} {c}", c.at)).collect();
        assert_eq!(found, ["site - next_page: //a", "site + next_page: //b"]);
    }
}
