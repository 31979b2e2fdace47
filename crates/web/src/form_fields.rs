//! The fields of a form, as a browser sends them.

use std::collections::BTreeMap;

/// The fields of a form by their names; of two with one name the last.
#[derive(Debug, Default)]
pub struct FormFields(BTreeMap<String, String>);

impl FormFields {
    /// Reads the body of a form, or a query.
    pub fn read(body: &[u8]) -> FormFields {
        let pairs = url::form_urlencoded::parse(body);
        FormFields(pairs.into_owned().collect())
    }

    /// A field, or an empty text.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}
