//! Steps that cannot be made.

/// The reason why a step was not made, and the field of the form that it is about.
#[derive(Debug)]
pub(super) struct StepFault {
    pub field: Option<String>,
    pub why: String,
}

impl StepFault {
    pub fn of(why: impl Into<String>) -> StepFault {
        StepFault {
            field: None,
            why: why.into(),
        }
    }
}
