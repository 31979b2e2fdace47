//! The description of a parameter: its values in a file, and those that a search tries
//! (Gottron 4, figure 2).
//!
//! A value is a number; of a choice its place among the names, of a flag 0 or 1.

use serde_json::Value;
use std::borrow::Cow;

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The key in a file; in a pipeline of several methods behind the method's name and a dot.
    pub name: Cow<'static, str>,
    /// Its values.
    pub kind: ParameterKind,
    /// Parameters that hang together have one group, such as neighbourhood and threshold of
    /// content code blurring; independent ones have none (Gottron 6).
    pub group: Option<usize>,
    /// A search that names no parameters goes over it.
    pub is_searched: bool,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterKind {
    /// Numbers, whole if the step is 1.
    Number {
        /// The lowest and the highest number that a file may have.
        limits: (f64, f64),
        /// The lowest and the highest number that a search tries.
        searched: (f64, f64),
        /// The distance of two numbers that a search tries: 1 or less.
        step: f64,
    },
    /// One of some names.
    Choice(&'static [&'static str]),
    /// On or off.
    Flag,
}

impl Parameter {
    /// A share of 0 to 1, searched in hundredths.
    pub(super) fn share(name: &'static str) -> Parameter {
        Parameter::number(name, (0.0, 1.0), (0.0, 1.0), 0.01)
    }

    /// A number.
    pub(super) fn number(
        name: &'static str,
        limits: (f64, f64),
        searched: (f64, f64),
        step: f64,
    ) -> Parameter {
        let kind = ParameterKind::Number {
            limits,
            searched,
            step,
        };
        Parameter::new(name, kind)
    }

    /// A parameter of its own.
    pub(super) fn new(name: &'static str, kind: ParameterKind) -> Parameter {
        Parameter {
            name: Cow::Borrowed(name),
            kind,
            group: None,
            is_searched: true,
        }
    }

    /// It belongs to a group.
    pub(super) fn in_group(mut self, group: usize) -> Parameter {
        self.group = Some(group);
        self
    }

    /// A search goes over it only if it is named: it chooses how the paper is read.
    pub(super) fn of_reading(mut self) -> Parameter {
        self.is_searched = false;
        self
    }

    /// True if there is an order among the values.
    pub fn is_ordered(&self) -> bool {
        matches!(self.kind, ParameterKind::Number { .. })
    }

    /// The number of values that a search tries, at least 1.
    pub fn steps(&self) -> usize {
        match self.kind {
            ParameterKind::Number {
                searched: (from, to),
                step,
                ..
            } => ((to - from) / step).round() as usize + 1,
            ParameterKind::Choice(names) => names.len(),
            ParameterKind::Flag => 2,
        }
    }

    /// The value at a place among those that a search tries.
    pub fn value_at(&self, place: usize) -> f64 {
        match self.kind {
            // Divided by a whole number, 0.57 is the number that is read as 0.57.
            ParameterKind::Number {
                searched: (from, _),
                step,
                ..
            } => ((from / step).round() + place as f64) / (1.0 / step).round(),
            ParameterKind::Choice(_) | ParameterKind::Flag => place as f64,
        }
    }

    /// The place of the value, among those that a search tries, that is nearest to `value`.
    pub fn place_of(&self, value: f64) -> usize {
        let place = match self.kind {
            ParameterKind::Number {
                searched: (from, _),
                step,
                ..
            } => (value - from) / step,
            ParameterKind::Choice(_) | ParameterKind::Flag => value,
        };
        (place.round().max(0.0) as usize).min(self.steps() - 1)
    }

    /// A value as it stands in a file.
    pub fn json(&self, value: f64) -> Value {
        match self.kind {
            ParameterKind::Number { step: 1.0, .. } => Value::from(value as u64),
            ParameterKind::Number { .. } => Value::from(value),
            ParameterKind::Choice(names) => Value::from(names[value as usize]),
            ParameterKind::Flag => Value::from(value != 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_agree() {
        let share = Parameter::share("t");
        let radius = Parameter::number("r", (1.0, 255.0), (1.0, 100.0), 1.0);
        let deviations = Parameter::number("d", (0.0, 100.0), (0.0, 3.0), 0.05);
        for parameter in [&share, &radius, &deviations] {
            for place in 0..parameter.steps() {
                let value = parameter.value_at(place);
                assert_eq!(parameter.place_of(value), place);
                let text = parameter.json(value).to_string();
                assert!(text.len() <= 4, "{text}");
            }
        }
        assert_eq!((share.steps(), radius.steps()), (101, 100));
        assert_eq!((share.value_at(57), radius.value_at(0)), (0.57, 1.0));
        // Beyond the ends the nearest value counts.
        assert_eq!((radius.place_of(255.0), radius.place_of(0.0)), (99, 0));
    }
}
