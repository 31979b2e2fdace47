//! YAML from outside: how it is read, and the place of a mistake in it: its line and the
//! keys that lead to it.

mod bounds;

pub use bounds::read_yaml;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A step into a YAML file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YamlKey {
    /// To the value of a key.
    Name(&'static str),
    /// To an item of a list, from 0.
    Index(usize),
}

/// The line of a YAML reader's error, and its reason without the place.
pub fn yaml_place(error: &serde_yaml::Error) -> (Option<usize>, String) {
    let mut reason = error.to_string();
    let line = error.location().map(|at| {
        let place = format!(" at line {} column {}", at.line(), at.column());
        if let Some(end) = reason.rfind(&place) {
            reason.replace_range(end..end + place.len(), "");
        }
        at.line()
    });
    (line, reason)
}

/// The error that a YAML reader would give of the value at `keys`, for a mistake that
/// shows only when the file has been read. The reader names the line and the keys.
pub fn yaml_error_at(text: &str, keys: &[YamlKey], reason: &str) -> serde_yaml::Error {
    let at = ErrorAt { keys, reason };
    let read = at.deserialize(serde_yaml::Deserializer::from_str(text));
    read.err().unwrap_or_else(|| Error::custom(reason))
}

/// Reads down to the value at `keys` and fails there.
#[derive(Clone, Copy)]
struct ErrorAt<'a> {
    keys: &'a [YamlKey],
    reason: &'a str,
}

impl<'a> ErrorAt<'a> {
    fn fail<E: Error>(self) -> Result<(), E> {
        Err(E::custom(self.reason))
    }
}

impl<'de> DeserializeSeed<'de> for ErrorAt<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ErrorAt<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.fail()
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.fail()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.fail()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.fail()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.fail()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.fail()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Some((YamlKey::Index(at), keys)) = self.keys.split_first() else {
            return self.fail();
        };
        for _ in 0..*at {
            seq.next_element::<IgnoredAny>()?;
        }
        seq.next_element_seed(ErrorAt { keys, ..self })?;
        self.fail()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((YamlKey::Name(name), keys)) = self.keys.split_first() else {
            return self.fail();
        };
        while let Some(key) = map.next_key::<String>()? {
            if key == *name {
                map.next_value_seed(ErrorAt { keys, ..self })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.fail()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(keys: &[YamlKey], line: usize, reason: &str) {
        let text = "a: 1\nb:\n  - c: x\n  - d:\n      e: [1, 2.5, ~]\n";
        let error = yaml_error_at(text, keys, "wrong");
        assert_eq!(yaml_place(&error), (Some(line), reason.to_owned()));
    }

    #[test]
    fn an_error_has_the_place_of_its_value() {
        use YamlKey::{Index, Name};
        check(&[Name("a")], 1, "a: wrong");
        check(&[Name("b"), Index(1)], 4, "b[1]: wrong");
        check(&[Name("b"), Index(0), Name("c")], 3, "b[0].c: wrong");
        let e = [Name("b"), Index(1), Name("d"), Name("e")];
        check(&[&e[..], &[Index(1)]].concat(), 5, "b[1].d.e[1]: wrong");
        check(&[&e[..], &[Index(2)]].concat(), 5, "b[1].d.e[2]: wrong");
    }

    #[test]
    fn keys_that_lead_nowhere_have_the_place_where_they_end() {
        check(&[YamlKey::Name("b"), YamlKey::Index(7)], 3, "b: wrong");
    }
}
