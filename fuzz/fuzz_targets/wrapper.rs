//! Any text as a wrapper file; what is read is written and read back.
#![no_main]

use forest_core::wrapper::Wrapper;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(file) = Wrapper::from_yaml(text) {
        let again = Wrapper::from_yaml(&file.wrapper.to_yaml()).expect("own yaml");
        assert_eq!(again.wrapper, file.wrapper);
    }
});
