//! Any text as a pipeline's file, over one page.
#![no_main]

use forest_text::pipeline::Pipeline;
use forest_html::page::Page;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(pipeline) = Pipeline::parse("any", text) {
        let page = Page::from_html("<ul><li><a href=/>x</a></ul><h1>y</h1><p>One two <b>three</b> four.<p>z");
        pipeline.article(&page);
    }
});
