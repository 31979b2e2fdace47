//! The names of pages among the archive's: those of [`crate::address`].

pub(crate) use crate::address::may_be_canonical;
pub use crate::address::page_key as key_of;
