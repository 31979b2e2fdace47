//! Numbers of a file that lie between two bounds.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// A number from `FROM` to `TO`, a whole one if `WHOLE`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoundedNumber<const FROM: u32, const TO: u32, const WHOLE: bool>(pub f64);

struct NumberVisitor<const FROM: u32, const TO: u32, const WHOLE: bool>;

impl<const FROM: u32, const TO: u32, const WHOLE: bool> Visitor<'_>
    for NumberVisitor<FROM, TO, WHOLE>
{
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if WHOLE { "whole number" } else { "number" };
        write!(f, "a {kind} from {FROM} to {TO}")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        let is_within = (f64::from(FROM)..=f64::from(TO)).contains(&value);
        if is_within && (!WHOLE || value.fract() == 0.0) {
            Ok(value)
        } else {
            let expected: &dyn serde::de::Expected = &self;
            Err(E::custom(format_args!("{value} is not {expected}")))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        self.visit_f64(value as f64)
    }
}

impl<'de, const FROM: u32, const TO: u32, const WHOLE: bool> Deserialize<'de>
    for BoundedNumber<FROM, TO, WHOLE>
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = from.deserialize_any(NumberVisitor::<FROM, TO, WHOLE>)?;
        Ok(BoundedNumber(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type UnitShare = BoundedNumber<0, 1, false>;
    type RadiusParameter = BoundedNumber<1, 255, true>;

    #[test]
    fn ranges_have_ends() {
        let share = |text| serde_yaml::from_str::<UnitShare>(text).is_ok();
        let radius = |text| serde_yaml::from_str::<RadiusParameter>(text).is_ok();
        for (is_read, text, expected) in [
            (share("0"), "0", true),
            (share("1.0"), "1.0", true),
            (share("1.01"), "1.01", false),
            (share("-0.01"), "-0.01", false),
            (share(".nan"), ".nan", false),
            (share(".inf"), ".inf", false),
            (radius("1"), "1", true),
            (radius("0"), "0", false),
            (radius("1.5"), "1.5", false),
            (radius("255"), "255", true),
            (radius("256"), "256", false),
        ] {
            assert_eq!(is_read, expected, "{text}");
        }
    }
}
