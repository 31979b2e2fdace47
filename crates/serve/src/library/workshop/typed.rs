//! Expressions that a person types: a field of a template each, an expression a line.

use super::fault::StepFault;
use forest_core::wrapper::xpath::XPath;
use forest_core::wrapper::{DateField, Template, Wrapper, WrapperField};
use std::collections::BTreeMap;

/// Templates that can be typed.
pub(super) const MAX_TEMPLATES: usize = 4;

/// The texts of a form by the names of its fields.
pub(super) type TypedFields = BTreeMap<String, String>;

/// The names of all fields.
pub(super) fn field_names() -> impl Iterator<Item = String> {
    let of = |template| WrapperField::ALL.map(|field| field_name(template, field));
    (0..MAX_TEMPLATES).flat_map(of)
}

/// The name of a field in the form.
pub(super) fn field_name(template: usize, field: WrapperField) -> String {
    format!("t{template}-{field}")
}

/// The expressions of a field, a line each.
pub(super) fn lines(template: &Template, field: WrapperField) -> String {
    template.expressions(field).join("\n")
}

/// The wrapper with the expressions of a form in the place of its own.
///
/// # Errors
///
/// If one is no XPath, with the field.
pub(super) fn read(
    known: Option<&Wrapper>,
    site: &str,
    sent: &TypedFields,
) -> Result<Wrapper, StepFault> {
    let mut wrapper = known.cloned().unwrap_or_else(|| Wrapper {
        site: site.to_owned(),
        templates: vec![Template::default()],
        ..Wrapper::default()
    });
    for (at, template) in wrapper.templates.iter_mut().take(MAX_TEMPLATES).enumerate() {
        for field in WrapperField::ALL {
            let name = field_name(at, field);
            let typed = sent.get(&name).map_or("", String::as_str);
            let typed = typed.lines().map(str::trim);
            let typed: Vec<&str> = typed.filter(|line| !line.is_empty()).collect();
            for (line, xpath) in (1..).zip(&typed) {
                XPath::parse(xpath).map_err(|error| StepFault {
                    field: Some(name.clone()),
                    why: format!("line {line}: {error}"),
                })?;
            }
            put(template, field, &typed);
        }
    }
    wrapper.forget_lengths();
    Ok(wrapper)
}

fn put(template: &mut Template, field: WrapperField, typed: &[&str]) {
    let owned = || typed.iter().map(|&xpath| xpath.to_owned()).collect();
    match field {
        WrapperField::Body => template.body = owned(),
        WrapperField::Strip => {
            // A rule that stays keeps what it expects.
            let of = |xpath: &&str| {
                let known = template.strip.iter().find(|known| known.xpath == **xpath);
                known.cloned().unwrap_or_else(|| (*xpath).into())
            };
            template.strip = typed.iter().map(of).collect();
        }
        WrapperField::Keep => template.keep = owned(),
        WrapperField::Title => template.title = owned(),
        WrapperField::Author => template.author = owned(),
        WrapperField::Tags => template.tags = owned(),
        WrapperField::Images => template.images = owned(),
        WrapperField::Date => {
            // A date that stays keeps its format.
            let of = |xpath: &&str| {
                let known = template.date.iter().find(|known| known.xpath == **xpath);
                known.cloned().unwrap_or_else(|| DateField {
                    xpath: (*xpath).to_owned(),
                    format: None,
                })
            };
            template.date = typed.iter().map(of).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_expressions_take_the_place_of_the_known_ones() {
        let of = |fields: &[(&str, &str)]| -> TypedFields {
            let owned = fields.iter();
            owned
                .map(|&(name, text)| (name.to_owned(), text.to_owned()))
                .collect()
        };
        let sent = of(&[
            ("t0-body", "//article\r\n\r\n//main"),
            ("t0-strip", "//aside"),
        ]);
        let wrapper = read(None, "a.example", &sent).expect("a wrapper");
        assert_eq!(wrapper.templates[0].body, ["//article", "//main"]);
        assert_eq!(wrapper.templates[0].strip, ["//aside".into()]);
        let bad = of(&[("t0-body", "//a"), ("t0-title", "//h1\n//h2[")]);
        let fault = read(None, "a.example", &bad).expect_err("a fault");
        assert_eq!(fault.field.as_deref(), Some("t0-title"));
        assert!(fault.why.starts_with("line 2: "), "{}", fault.why);
    }
}
