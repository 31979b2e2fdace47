//! Options whose value is a library's type with a few named values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value of an option: its name, its help, and itself.
pub type Choice<T> = (&'static str, &'static str, T);

/// Parses the name of one of the choices.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let names = choices.iter();
    let names = names.map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|chosen: String| {
        let is_chosen = |name: &str| name.eq_ignore_ascii_case(&chosen);
        let choice = choices.iter().find(|(name, ..)| is_chosen(name));
        choice.expect("the parser takes no other names").2
    })
}
