//! A field of a form of a feed's page, with its hint and, where it was wrong, its fault beside it.

use maud::{Markup, html};

/// A field that is wrong, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldFault {
    field: &'static str,
    why: &'static str,
}

impl FieldFault {
    pub(super) fn of(field: &'static str, why: &'static str) -> FieldFault {
        FieldFault { field, why }
    }

    /// The name of the field.
    #[cfg(test)]
    pub(super) fn field(&self) -> &'static str {
        self.field
    }
}

/// A field for text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
    /// Lines that are shown; one is an input.
    pub(super) lines: u8,
}

impl TextField {
    /// The field with a value, and the fault if it is of this field.
    pub(super) fn show(&self, value: &str, fault: Option<&FieldFault>) -> Markup {
        let TextField {
            name,
            label,
            hint,
            lines,
        } = *self;
        let fault = fault.filter(|fault| fault.field == name);
        let described = match fault {
            Some(_) => format!("{name}-hint {name}-fault"),
            None => format!("{name}-hint"),
        };
        let invalid = fault.map(|_| "true");
        html! {
            .field {
                label for=(name) { (label) }
                @if lines > 1 {
                    textarea #(name) name=(name) rows=(lines) dir="auto" aria-describedby=(described) aria-invalid=[invalid] { (value) }
                } @else {
                    input #(name) name=(name) type="text" value=(value) dir="auto" aria-describedby=(described) aria-invalid=[invalid];
                }
                p #{ (name) "-hint" } .hint { (hint) }
                @if let Some(fault) = fault { p #{ (name) "-fault" } .bad role="alert" { "Not saved: " (fault.why) "." } }
            }
        }
    }
}
