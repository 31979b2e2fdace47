//! The parameters of the methods: one table, from which files are read and written and which
//! the tuner searches. A parameter that a file does not give has the preset's value.

use super::number::NumberRange;
use super::parameter::{Parameter, ParameterKind};
use super::{OnePageMethod, Preset};
use crate::filter::FilterSettings;
use forest_core::baseline::blurring::{LinkTreatment, MAX_RADIUS};
use forest_core::baseline::lqf::Discarded;
use forest_html::text::Language;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The widest neighbourhood of content code blurring that a search tries, in entries: two and
/// a half times the paper's.
const SEARCHED_RADIUS: f64 = 100.0;

/// The treatments of links in content code blurring, and their names.
const LINKS: [LinkTreatment; 3] = [
    LinkTreatment::Counted,
    LinkTreatment::TextOnly,
    LinkTreatment::LeftOut,
];
const LINK_NAMES: &[&str] = &["counted", "text-only", "left-out"];

/// The parts of the page that may go with a block of LQF, and their names.
const DISCARDED: [Discarded; 2] = [Discarded::OwnText, Discarded::AllText];
const DISCARDED_NAMES: &[&str] = &["own-text", "all-text"];

/// The thresholds of SW, by name.
const LANGUAGES: [(&str, Language); 4] = [
    ("english", Language::English),
    ("german", Language::German),
    ("italian", Language::Italian),
    ("other", Language::Unknown),
];

/// The settings of Crunch that are on or off and decide which text stays.
const CRUNCH_FLAGS: [&str; 15] = [
    "ads",
    "noscript",
    "text_links",
    "forms",
    "inputs",
    "buttons",
    "selects",
    "embeds",
    "link_lists",
    "remove_cells",
    "link_list_blocks",
    "keep_fields",
    "empty_tables",
    "emptied_blocks",
    "repeat",
];

impl OnePageMethod {
    /// The parameters; none of a method without.
    pub fn parameters(&self) -> Vec<Parameter> {
        let radius = |searched| {
            let limits = (1.0, f64::from(MAX_RADIUS));
            Parameter::number("radius", limits, (1.0, searched), 1.0)
        };
        match self {
            OnePageMethod::Boilerpipe | OnePageMethod::Bte | OnePageMethod::OnePage => Vec::new(),
            OnePageMethod::Lqf(_) => vec![
                Parameter::share("threshold"),
                choice("discards", DISCARDED_NAMES).of_reading(),
            ],
            OnePageMethod::Blurring(_) => vec![
                radius(SEARCHED_RADIUS).in_group(0),
                Parameter::share("threshold").in_group(0),
                choice("links", LINK_NAMES).of_reading(),
            ],
            OnePageMethod::Sw(_) => LANGUAGES.map(|(name, _)| Parameter::share(name)).to_vec(),
            OnePageMethod::Ttr(_) => vec![
                radius(10.0).in_group(0),
                Parameter::number("deviations", (0.0, 100.0), (0.0, 3.0), 0.05).in_group(0),
            ],
            OnePageMethod::Crunch(_) => crunch_parameters(),
        }
    }

    /// The value of one of the [`parameters`](OnePageMethod::parameters); 0 of any other name.
    pub fn value(&self, name: &str) -> f64 {
        match (self, name) {
            (OnePageMethod::Lqf(lqf), "threshold") => lqf.threshold(),
            (OnePageMethod::Lqf(lqf), _) => place_in(&DISCARDED, lqf.discarded()),
            (OnePageMethod::Blurring(blurring), "radius") => blurring.radius() as f64,
            (OnePageMethod::Blurring(blurring), "threshold") => blurring.threshold(),
            (OnePageMethod::Blurring(blurring), _) => place_in(&LINKS, blurring.links()),
            (OnePageMethod::Sw(sw), name) => sw.threshold(language(name)),
            (OnePageMethod::Ttr(ttr), "radius") => ttr.radius() as f64,
            (OnePageMethod::Ttr(ttr), _) => ttr.deviations(),
            (OnePageMethod::Crunch(settings), name) => {
                let settings = json_of(settings);
                crunch_parameters()
                    .iter()
                    .find(|parameter| parameter.name == name)
                    .map_or(0.0, |parameter| number_of(parameter, &settings[name]))
            }
            (OnePageMethod::Boilerpipe | OnePageMethod::Bte | OnePageMethod::OnePage, _) => 0.0,
        }
    }

    /// The method with another value of one of its parameters.
    pub fn with_value(self, parameter: &Parameter, value: f64) -> OnePageMethod {
        let name = &*parameter.name;
        match (self, name) {
            (OnePageMethod::Lqf(lqf), "threshold") => OnePageMethod::Lqf(lqf.with_threshold(value)),
            (OnePageMethod::Lqf(lqf), _) => {
                OnePageMethod::Lqf(lqf.with_discarded(DISCARDED[value as usize]))
            }
            (OnePageMethod::Blurring(blurring), name) => OnePageMethod::Blurring(match name {
                "radius" => blurring.with_radius(value as usize),
                "threshold" => blurring.with_threshold(value),
                _ => blurring.with_links(LINKS[value as usize]),
            }),
            (OnePageMethod::Sw(sw), name) => {
                OnePageMethod::Sw(sw.with_threshold(language(name), value))
            }
            (OnePageMethod::Ttr(ttr), "radius") => {
                OnePageMethod::Ttr(ttr.with_radius(value as usize))
            }
            (OnePageMethod::Ttr(ttr), _) => OnePageMethod::Ttr(ttr.with_deviations(value)),
            (OnePageMethod::Crunch(settings), name) => {
                let mut json = json_of(&settings);
                json[name] = parameter.json(value);
                let settings = serde_json::from_value(json).map_or(settings, Box::new);
                OnePageMethod::Crunch(settings)
            }
            (method, _) => method,
        }
    }
}

fn choice(name: &'static str, names: &'static [&'static str]) -> Parameter {
    Parameter::new(name, ParameterKind::Choice(names))
}

/// The place of a value among those with a name.
fn place_in<T: PartialEq>(values: &[T], value: T) -> f64 {
    let place = values.iter().position(|other| *other == value);
    place.unwrap_or(0) as f64
}

fn language(name: &str) -> Language {
    let known = LANGUAGES.iter().find(|(known, _)| *known == name);
    known.map_or(Language::Unknown, |(_, language)| *language)
}

/// The settings of Crunch that decide which text stays.
fn crunch_parameters() -> Vec<Parameter> {
    let number = |name, most, step| Parameter::number(name, (0.0, most), (0.0, most), step);
    let flags = CRUNCH_FLAGS.map(|name| Parameter::new(name, ParameterKind::Flag));
    let mut parameters = flags.to_vec();
    parameters.extend([
        number("link_ratio", 2.0, 0.05),
        Parameter::number("least_links", (1.0, 10.0), (1.0, 10.0), 1.0),
        number("substance_chars", 100.0, 1.0),
        number("portal_share", 1.0, 0.05),
        choice("blocks", &["none", "lqf", "sw", "onepage"]).of_reading(),
    ]);
    parameters
}

fn json_of(settings: &FilterSettings) -> Value {
    serde_json::to_value(settings).expect("settings are JSON")
}

/// A value of JSON as a number.
fn number_of(parameter: &Parameter, value: &Value) -> f64 {
    match (&parameter.kind, value) {
        (ParameterKind::Choice(names), Value::String(name)) => {
            names.iter().position(|known| known == name).unwrap_or(0) as f64
        }
        (_, Value::Bool(is_on)) => f64::from(u8::from(*is_on)),
        (_, value) => value.as_f64().unwrap_or(0.0),
    }
}

/// Writes the leaf of a method: the preset's name, and the parameters in which it differs
/// from the preset, of which it takes the one with fewest.
pub(super) fn leaf_json(method: &OnePageMethod) -> Value {
    if let OnePageMethod::Crunch(settings) = method {
        let (preset, settings) = (json_of(&FilterSettings::default()), json_of(settings));
        let fields = settings.as_object().into_iter().flatten();
        let other = fields.filter(|(key, value)| preset[key.as_str()] != **value);
        return named(Preset::Crunch, other.map(|(k, v)| (k.clone(), v.clone())));
    }
    let differences = |preset: &Preset| {
        let mut of_preset = preset.method();
        let mut other = Vec::new();
        for parameter in method.parameters() {
            let value = method.value(&parameter.name);
            if std::mem::discriminant(&of_preset) == std::mem::discriminant(method)
                && of_preset.value(&parameter.name) != value
            {
                of_preset = of_preset.with_value(&parameter, value);
                other.push((parameter.name.to_string(), parameter.json(value)));
            }
        }
        (of_preset == *method).then_some((*preset, other))
    };
    let written = Preset::ALL.iter().filter_map(differences);
    let (preset, other) = written
        .min_by_key(|(_, other)| other.len())
        .expect("a preset and the parameters make each method");
    named(preset, other.into_iter())
}

fn named(preset: Preset, parameters: impl Iterator<Item = (String, Value)>) -> Value {
    let parameters: serde_json::Map<String, Value> = parameters.collect();
    if parameters.is_empty() {
        return Value::from(preset.name());
    }
    serde_json::json!({ preset.name(): parameters })
}

/// The method of a preset with the parameters that are the next value of a map.
pub(super) fn method<'de, A: MapAccess<'de>>(
    preset: Preset,
    map: &mut A,
) -> Result<OnePageMethod, A::Error> {
    if preset != Preset::Crunch {
        return map.next_value_seed(MethodSeed(preset.method()));
    }
    let given = map.next_value::<Option<FilterSettings>>()?;
    let settings = given.unwrap_or_default();
    if let Some((key, reason)) = settings.fault() {
        return Err(A::Error::custom(format_args!("{key}: {reason}")));
    }
    Ok(OnePageMethod::Crunch(Box::new(settings)))
}

/// Reads the parameters of a method; a key without a value has none.
struct MethodSeed(OnePageMethod);

impl<'de> DeserializeSeed<'de> for MethodSeed {
    type Value = OnePageMethod;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<OnePageMethod, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MethodSeed {
    type Value = OnePageMethod;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.0.parameters();
        let names: Vec<&str> = parameters.iter().map(|p| &*p.name).collect();
        if names.is_empty() {
            return f.write_str("no parameters");
        }
        write!(f, "parameters ({})", names.join(", "))
    }

    fn visit_unit<E: Error>(self) -> Result<OnePageMethod, E> {
        Ok(self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OnePageMethod, A::Error> {
        let parameters = self.0.parameters();
        let mut seen: Vec<String> = Vec::new();
        let mut method = self.0;
        while let Some(key) = map.next_key::<String>()? {
            let Some(parameter) = parameters.iter().find(|p| p.name == key) else {
                return Err(unknown(&key, &parameters));
            };
            if seen.contains(&key) {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            let value = map.next_value_seed(ValueSeed(parameter))?;
            method = method.with_value(parameter, value);
            seen.push(key);
        }
        Ok(method)
    }
}

/// The error of a key that is no parameter.
fn unknown<E: Error>(key: &str, parameters: &[Parameter]) -> E {
    let names: Vec<String> = parameters.iter().map(|p| format!("`{}`", p.name)).collect();
    let expected = match &names[..] {
        [] => "there are no parameters".to_owned(),
        [one, other] => format!("expected {one} or {other}"),
        names => format!("expected one of {}", names.join(", ")),
    };
    E::custom(format_args!("unknown field `{key}`, {expected}"))
}

/// Reads a value of a parameter.
struct ValueSeed<'a>(&'a Parameter);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<f64, D::Error> {
        match self.0.kind {
            ParameterKind::Number {
                limits: (from_number, to),
                step,
                ..
            } => NumberRange {
                from: from_number,
                to,
                is_whole: step == 1.0,
            }
            .deserialize(from),
            _ => from.deserialize_any(self),
        }
    }
}

impl Visitor<'_> for ValueSeed<'_> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            ParameterKind::Choice(names) => f.write_str(&names.join(" or ")),
            _ => f.write_str("true or false"),
        }
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<f64, E> {
        let ParameterKind::Choice(names) = self.0.kind else {
            return Err(E::invalid_type(serde::de::Unexpected::Str(name), &self));
        };
        let place = names.iter().position(|known| *known == name);
        let place =
            place.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(name), &self))?;
        Ok(place as f64)
    }

    fn visit_bool<E: Error>(self, is_on: bool) -> Result<f64, E> {
        match self.0.kind {
            ParameterKind::Flag => Ok(f64::from(u8::from(is_on))),
            _ => Err(E::invalid_type(serde::de::Unexpected::Bool(is_on), &self)),
        }
    }
}
