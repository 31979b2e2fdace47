//! The form: from what a browser sends to settings, with each mistake beside its field.

use super::fields::{SCREENS, SettingField};
use forest_text::filter::FilterSettings;
use forest_web::form_fields::FormFields;
use serde_json::{Map, Value};

/// The settings of a form.
#[derive(Debug)]
pub(super) struct SettingsForm {
    /// The values as they were typed, to show them again.
    pub(super) shown: Map<String, Value>,
    /// The settings, if they can be used.
    pub(super) settings: Option<FilterSettings>,
    /// The field with a mistake, and the mistake.
    pub(super) fault: Option<(String, String)>,
}

impl SettingsForm {
    /// The form of settings that hold.
    pub(super) fn of(settings: FilterSettings) -> SettingsForm {
        SettingsForm {
            shown: object(&settings),
            settings: Some(settings),
            fault: None,
        }
    }

    /// The settings that a browser sent: a box that is not ticked is not sent.
    pub(super) fn read(sent: &FormFields) -> SettingsForm {
        let kinds = object(&FilterSettings::default());
        let mut shown = Map::new();
        let mut fault = None;
        for SettingField { key, .. } in SCREENS.iter().flat_map(|screen| screen.fields) {
            let typed = sent.get(key).trim();
            let value = match kinds.get(*key) {
                Some(Value::Bool(_)) => Value::Bool(typed == "on"),
                Some(Value::Array(_)) => typed.split_whitespace().collect(),
                Some(Value::Number(number)) => {
                    typed_number(typed, number.is_u64()).unwrap_or_else(|why| {
                        fault.get_or_insert(((*key).to_owned(), why.to_owned()));
                        Value::String(typed.to_owned())
                    })
                }
                _ => Value::String(typed.to_owned()),
            };
            shown.insert((*key).to_owned(), value);
        }
        let mut settings = None;
        if fault.is_none() {
            match serde_json::from_value::<FilterSettings>(Value::Object(shown.clone())) {
                Ok(read) => match read.fault() {
                    None => settings = Some(read),
                    Some((key, why)) => fault = Some((key.to_owned(), why.to_owned())),
                },
                // Only of lists to choose from, which a browser sends as they are.
                Err(error) => fault = Some((String::new(), error.to_string())),
            }
        }
        SettingsForm {
            shown,
            settings,
            fault,
        }
    }
}

fn typed_number(typed: &str, whole: bool) -> Result<Value, &'static str> {
    if whole {
        let number = typed.parse::<u32>();
        number
            .map(Value::from)
            .map_err(|_| "it must be a whole number from 0")
    } else {
        let number = typed
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite());
        number
            .map(Value::from)
            .ok_or("it must be a number, such as 0.25")
    }
}

fn object(settings: &FilterSettings) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("settings are an object: {other:?}"),
    }
}

/// The name of a profile to save, if it can be the name of a file.
pub(super) fn profile_name(typed: &str) -> Result<&str, &'static str> {
    let typed = typed.trim();
    let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if typed.is_empty() || typed.len() > 40 || !typed.bytes().all(is_letter) {
        return Err("a name has 1 to 40 lower-case letters, digits and hyphens");
    }
    if forest_text::filter::Profile::by_name(typed).is_some() {
        return Err("this name is a profile of the program; give another");
    }
    Ok(typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_text::filter::Profile;
    use std::collections::BTreeSet;

    #[test]
    fn every_setting_stands_on_one_screen() {
        let all = object(&FilterSettings::default());
        let all: Vec<&str> = all.keys().map(String::as_str).collect();
        let shown = SCREENS.iter().flat_map(|screen| screen.fields);
        let shown: Vec<&str> = shown.map(|field| field.key).collect();
        assert_eq!(shown.len(), all.len());
        let sorted = |keys: Vec<&'static str>| BTreeSet::from_iter(keys);
        assert_eq!(
            sorted(shown)
                .into_iter()
                .map(str::to_owned)
                .collect::<BTreeSet<_>>(),
            all.into_iter().map(str::to_owned).collect()
        );
    }

    /// The form as a browser sends it.
    fn sent(settings: &FilterSettings) -> String {
        let mut pairs = url::form_urlencoded::Serializer::new(String::new());
        for (key, value) in object(settings) {
            match value {
                Value::Bool(true) => pairs.append_pair(&key, "on"),
                Value::Bool(false) => &mut pairs,
                Value::Array(tags) => {
                    let tags: Vec<&str> = tags.iter().filter_map(Value::as_str).collect();
                    pairs.append_pair(&key, &tags.join(" "))
                }
                Value::String(text) => pairs.append_pair(&key, &text),
                other => pairs.append_pair(&key, &other.to_string()),
            };
        }
        pairs.finish()
    }

    #[test]
    fn a_form_gives_the_settings_that_it_shows() {
        for profile in Profile::ALL {
            let settings = profile.settings();
            let form = SettingsForm::read(&FormFields::read(sent(&settings).as_bytes()));
            assert_eq!(form.fault, None);
            assert_eq!(form.settings, Some(settings));
        }
    }

    #[test]
    fn a_mistake_names_its_field() {
        let check = |key: &str, typed: &str| {
            let form = format!("{}&{key}={typed}", sent(&FilterSettings::default()));
            let form = SettingsForm::read(&FormFields::read(form.as_bytes()));
            assert_eq!(form.settings, None, "{key}={typed}");
            assert_eq!(form.fault.expect("a fault").0, key);
        };
        check("link_ratio", "many");
        check("link_ratio", "NaN");
        check("link_ratio", "-1");
        check("least_links", "1.5");
        check("keep_images_from", "-1");
        check("portal_share", "2");
        check("chars_per_word", "0");
        check("substance", "IMG");
        let nothing = SettingsForm::read(&FormFields::read(b""));
        assert_eq!(nothing.settings, None, "an empty form turns nothing off");
    }

    #[test]
    fn a_name_of_a_profile_is_the_name_of_a_file() {
        assert_eq!(profile_name(" my-phone2 "), Ok("my-phone2"));
        for wrong in [
            "",
            "../x",
            "a/b",
            "A",
            "light",
            ".",
            "a.yaml",
            "a b",
            &"a".repeat(41),
        ] {
            assert!(profile_name(wrong).is_err(), "{wrong}");
        }
    }
}
