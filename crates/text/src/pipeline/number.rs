//! Numbers of a file that lie between two bounds.

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use std::fmt;

/// The numbers from `from` to `to`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberRange {
    pub from: f64,
    pub to: f64,
    /// Whole numbers only.
    pub is_whole: bool,
}

impl Visitor<'_> for NumberRange {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_whole {
            "whole number"
        } else {
            "number"
        };
        write!(f, "a {kind} from {} to {}", self.from, self.to)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        let is_within = (self.from..=self.to).contains(&value);
        if is_within && (!self.is_whole || value.fract() == 0.0) {
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

impl<'de> DeserializeSeed<'de> for NumberRange {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<f64, D::Error> {
        from.deserialize_any(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_read(range: NumberRange, text: &str) -> bool {
        range
            .deserialize(serde_yaml::Deserializer::from_str(text))
            .is_ok()
    }

    #[test]
    fn ranges_have_ends() {
        let share = NumberRange {
            from: 0.0,
            to: 1.0,
            is_whole: false,
        };
        let radius = NumberRange {
            from: 1.0,
            to: 255.0,
            is_whole: true,
        };
        for (range, text, expected) in [
            (share, "0", true),
            (share, "1.0", true),
            (share, "1.01", false),
            (share, "-0.01", false),
            (share, ".nan", false),
            (share, ".inf", false),
            (radius, "1", true),
            (radius, "0", false),
            (radius, "1.5", false),
            (radius, "255", true),
            (radius, "256", false),
        ] {
            assert_eq!(is_read(range, text), expected, "{text}");
        }
    }
}
