//! Any bytes as an ftr-site-config file; what is read compiles, and is written and
//! read again the same.
#![no_main]

use forest_exchange::{UnsupportedPolicy, from_ftr, to_ftr};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(read) = from_ftr(bytes, "a.example") {
        read.wrapper.compile().expect("what is kept compiles");
        if let Ok(written) = to_ftr(&read.wrapper, UnsupportedPolicy::Refused) {
            let mut again = from_ftr(written.text.as_bytes(), "a.example").expect("own file");
            again.wrapper.foreign = read.wrapper.foreign.clone();
            assert_eq!(again.wrapper, read.wrapper);
        }
    }
});
