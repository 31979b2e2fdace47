//! The tokens of any page are those of html5ever's own tokenizer, however the page comes.
#![no_main]

#[path = "../../tests/shared/tokens.rs"]
mod tokens;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| tokens::compare(html));
