//! The parameters of the methods in a file. A parameter that is not given has the
//! preset's value.

use super::number::BoundedNumber;
use super::{OnePageMethod, Preset};
use crate::filter::FilterSettings;
use crate::text::Language;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess};

/// A share.
type UnitShare = BoundedNumber<0, 1, false>;

/// Entries or lines on either side.
type RadiusParameter = BoundedNumber<1, { crate::baseline::blurring::MAX_RADIUS }, true>;

/// Standard deviations: no line of a page is so far out as the highest number of them.
type Deviations = BoundedNumber<0, 100, false>;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "no parameters")]
struct NoParameters {}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "parameters (threshold)")]
struct LqfParameters {
    /// t of LQF.
    #[serde(default, deserialize_with = "given")]
    threshold: Option<UnitShare>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "parameters (radius, threshold)")]
struct BlurringParameters {
    /// r of content code blurring, in entries.
    #[serde(default, deserialize_with = "given")]
    radius: Option<RadiusParameter>,
    /// t of content code blurring.
    #[serde(default, deserialize_with = "given")]
    threshold: Option<UnitShare>,
}

/// The threshold of SW by language.
#[derive(Deserialize, Default)]
#[serde(
    deny_unknown_fields,
    expecting = "parameters (english, german, italian, other)"
)]
struct SwParameters {
    #[serde(default, deserialize_with = "given")]
    english: Option<UnitShare>,
    #[serde(default, deserialize_with = "given")]
    german: Option<UnitShare>,
    #[serde(default, deserialize_with = "given")]
    italian: Option<UnitShare>,
    /// All other languages.
    #[serde(default, deserialize_with = "given")]
    other: Option<UnitShare>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "parameters (radius, deviations)")]
struct TtrParameters {
    /// r of TTR, in lines.
    #[serde(default, deserialize_with = "given")]
    radius: Option<RadiusParameter>,
    /// λ of TTR.
    #[serde(default, deserialize_with = "given")]
    deviations: Option<Deviations>,
}

/// The method of a preset with the parameters that are the next value of a map.
pub(super) fn method<'de, A: MapAccess<'de>>(
    preset: Preset,
    map: &mut A,
) -> Result<OnePageMethod, A::Error> {
    let method = preset.method();
    Ok(match method {
        OnePageMethod::Boilerpipe | OnePageMethod::Bte | OnePageMethod::OnePage => {
            next::<NoParameters, A>(map)?;
            method
        }
        OnePageMethod::Crunch(_) => {
            let given = map.next_value::<Option<FilterSettings>>()?;
            let settings = given.unwrap_or_default();
            if let Some((key, reason)) = settings.fault() {
                return Err(A::Error::custom(format_args!("{key}: {reason}")));
            }
            OnePageMethod::Crunch(Box::new(settings))
        }
        OnePageMethod::Lqf(lqf) => {
            let given: LqfParameters = next(map)?;
            let threshold = given.threshold;
            OnePageMethod::Lqf(threshold.map_or(lqf, |t| lqf.with_threshold(t.0)))
        }
        OnePageMethod::Blurring(mut blurring) => {
            let given: BlurringParameters = next(map)?;
            if let Some(radius) = given.radius {
                blurring = blurring.with_radius(radius.0 as usize);
            }
            if let Some(threshold) = given.threshold {
                blurring = blurring.with_threshold(threshold.0);
            }
            OnePageMethod::Blurring(blurring)
        }
        OnePageMethod::Sw(mut sw) => {
            let given: SwParameters = next(map)?;
            for (language, threshold) in [
                (Language::English, given.english),
                (Language::German, given.german),
                (Language::Italian, given.italian),
                (Language::Unknown, given.other),
            ] {
                if let Some(threshold) = threshold {
                    sw = sw.with_threshold(language, threshold.0);
                }
            }
            OnePageMethod::Sw(sw)
        }
        OnePageMethod::Ttr(mut ttr) => {
            let given: TtrParameters = next(map)?;
            if let Some(radius) = given.radius {
                ttr = ttr.with_radius(radius.0 as usize);
            }
            if let Some(deviations) = given.deviations {
                ttr = ttr.with_deviations(deviations.0);
            }
            OnePageMethod::Ttr(ttr)
        }
    })
}

/// The next value of a map; a key without a value has none of its parameters.
fn next<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    Ok(map.next_value::<Option<T>>()?.unwrap_or_default())
}

/// A parameter that is given must have a value.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
